//! Search on disk holds no more memory than it may, by an allocator that counts.

#[path = "support/counting.rs"]
mod counting;

use std::hash::{Hash, Hasher};

use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{
    DecodeError, Encode, ExternalAStar, FnProblem, IgnoreHeuristic, Layer, Limits, Outcome,
    SearchProblem, StopReason,
};

use support::erased::{boxed, problem};
use support::random::Random;

/// What is held beside the budget: names of files, a block of a checkpoint, the report.
const BESIDE: usize = 32 << 10;

/// The most that a search held in each of its runs, while its limit rose from `first` at every stop: how far that is above
/// the limit and one in a hundred, and at which limit.
fn most_above<P>(problem: &P, start: P::State, first: usize, last: usize) -> (isize, usize)
where
    P: SearchProblem<State: Encode, Cost: Encode + std::fmt::Debug>,
{
    let before = counting::held();
    let mut memory = first;
    let builder = ExternalAStar::new(problem).memory(last).limits(Limits::new().memory(memory));
    let mut search = builder.search(start);
    let mut worst = (isize::MIN, 0);
    loop {
        counting::forget_peak();
        let report = search.run().unwrap();
        let peak = counting::peak() - before;
        // The report has a copy of its layers.
        let layers = report.layers.capacity() * size_of::<Layer<P::Cost>>();
        let above = peak - (memory + memory / 100 + layers).cast_signed();
        if above > worst.0 {
            worst = (above, memory);
        }
        match report.outcome {
            Outcome::Stopped(StopReason::Memory) if memory < last => memory += memory / 8 + 100,
            Outcome::Stopped(reason) => panic!("{reason}"),
            _ => return worst,
        }
        search.set_limits(Limits::new().memory(memory));
    }
}

#[test]
fn an_allocator_sees_no_more_than_the_budget() {
    let tiles = SlidingTiles::<Packed>::new(3, 3).unwrap();
    let start = tiles.state(&"2 5 4  0 6 8  3 1 7".parse::<Board>().unwrap()).unwrap();
    let tiles = IgnoreHeuristic::new(tiles);
    for memory in [2500, 120_000] {
        let worst = most_above(&tiles, start, memory, 3_000_000);
        println!("tiles from {memory}: {worst:?}");
        assert!(worst.0 <= BESIDE.cast_signed(), "{worst:?}");
    }
    for seed in 0..2 {
        let mut random = Random::new(seed);
        let count = 1000 + random.below(4_000);
        let costs = 1 + random.below(100);
        let edges: Vec<Vec<(u64, u32)>> = (0..count)
            .map(|_| {
                let edges = 0..random.below(6);
                edges
                    .map(|_| (random.below(count), u32::try_from(random.below(costs)).unwrap()))
                    .collect()
            })
            .collect();
        let graph = FnProblem::new(
            |&n: &u64| edges[usize::try_from(n).unwrap()].clone(),
            |&n| u32::try_from(n % 3).unwrap(),
            |_| false,
        );
        let graph = boxed(IgnoreHeuristic::new(graph));
        for memory in [2500, 50_000] {
            let worst = most_above(&graph, 0, memory, 64_000_000);
            println!("graph {seed} from {memory}: {worst:?}");
            assert!(worst.0 <= BESIDE.cast_signed(), "{worst:?}");
        }
    }
}

/// A state whose hash knows only a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Alike(u64);

impl Hash for Alike {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0 % 3).hash(state);
    }
}

impl Encode for Alike {
    const BYTES: usize = u64::BYTES;

    fn encode(&self, bytes: &mut [u8]) {
        self.0.encode(bytes);
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        u64::decode(bytes).map(Self)
    }
}

/// The middle of a tree has 300 states, each with `leaves` successors. All of these lead to one state, and each to three others.
fn to_one_state(leaves: u64) -> Box<dyn SearchProblem<State = u64, Action = (), Cost = u32>> {
    problem(
        move |&n: &u64| {
            let next = match n {
                0 => 1..301,
                1..=300 => n * 1000..n * 1000 + leaves,
                1000..1_000_000 => n * 1000..n * 1000 + 4,
                _ => 0..0,
            };
            let last = |n: u64| n > 1_000_000 && n % 1000 == 3;
            next.map(move |next| (if last(next) { 1 << 40 } else { next }, 1))
        },
        |_| 0,
        |_| false,
    )
}

/// Some shards are far larger than others: many entries are of one state, or many states have one hash.
#[test]
fn shards_may_differ_in_size() {
    for memory in [50_000, 100_000] {
        let worst = most_above(&to_one_state(12), 0, memory, 16_000_000);
        println!("one state from {memory}: {worst:?}");
        assert!(worst.0 <= BESIDE.cast_signed(), "{worst:?}");
    }
    let one_hash = FnProblem::new(
        |n: &Alike| {
            let next = match n.0 {
                0 => 1..61,
                1..61 => n.0 * 1000..n.0 * 1000 + 60,
                _ => 0..0,
            };
            next.map(|n| (Alike(n), 1))
        },
        |_| 0_u32,
        |_| false,
    );
    for memory in [30_000, 100_000] {
        let worst = most_above(&one_hash, Alike(0), memory, 16_000_000);
        println!("one hash from {memory}: {worst:?}");
        assert!(worst.0 <= BESIDE.cast_signed(), "{worst:?}");
    }
}

/// Many buckets of one state each: what is known of them takes more than the states. Each list grows to twice its size at some time.
#[test]
fn lists_of_small_buckets_are_within_the_budget() {
    const TOTAL: u32 = 1 << 30;
    // All have the same f; of the two successors of a state, one is a dead end.
    let level = problem(
        |&(n, is_end): &(u32, u32)| {
            if is_end == 1 { vec![] } else { vec![((n, 1), 1), ((n + 1, 0), 2)] }
        },
        |&(n, is_end): &(u32, u32)| TOTAL - 2 * n - is_end,
        |_: &(u32, u32)| false,
    );
    // Each has another f.
    let rising = problem(|&n: &u64| [(n + 1, 1_u32), (n + 2, 1)], |_: &u64| 0_u32, |_: &u64| false);
    for step in 0..12 {
        let memory = 400_000 + step * 29_000;
        let peaks = [peaks_of(&level, (0, 0), memory), peaks_of(&rising, 0, memory)];
        println!("{peaks:?} at {memory}");
        for (reported, allocated) in peaks {
            assert!(reported <= memory + memory / 100, "{peaks:?} at {memory}");
            assert!(allocated <= memory + memory / 100 + BESIDE, "{peaks:?} at {memory}");
        }
    }
}

/// A state has thousands of successors, each with a g of its own: lists for these are not counted once for each.
#[test]
fn a_bucket_for_each_successor_takes_little_memory() {
    const COUNT: u64 = 3000;
    // All have the same f by the true costs, or another one each.
    for is_level in [false, true] {
        let star = problem(
            |&n: &u64| match n {
                0 => (1..=COUNT).map(|n| (n, n)).collect(),
                1..=COUNT => vec![(COUNT + 1, 2 * COUNT - n)],
                _ => Vec::new(),
            },
            |&n| match n {
                1..=COUNT if is_level => 2 * COUNT - n,
                0 if is_level => 2 * COUNT,
                _ => 0,
            },
            |&n| n == COUNT + 1,
        );
        let report = ExternalAStar::new(&star).memory(8_000_000).run(0).unwrap();
        assert_eq!(report.cost(), Some(2 * COUNT));
        assert!(report.stats.peak_bytes < 6_000_000, "{}", report.stats);
    }
}

/// What a search that stops for memory reports as its peak, without its layers, and what it held.
fn peaks_of<P>(problem: &P, start: P::State, memory: usize) -> (usize, usize)
where
    P: SearchProblem<State: Encode, Cost: Encode + std::fmt::Debug>,
{
    let before = counting::held();
    counting::forget_peak();
    let report = ExternalAStar::new(problem).memory(memory).run(start).unwrap();
    let allocated = usize::try_from(counting::peak() - before).unwrap();
    assert!(matches!(report.outcome, Outcome::Stopped(StopReason::Memory)));
    let layers = report.layers.capacity() * size_of::<Layer<P::Cost>>();
    (usize::try_from(report.stats.peak_bytes).unwrap(), allocated - layers)
}

/// A large bucket has many shards, each with a list, and in little memory few of them are expanded at a time.
#[test]
fn lists_of_shards_are_within_the_budget() {
    const MEMORY: usize = 150_000;
    let problem = to_one_state(50);
    let before = counting::held();
    counting::forget_peak();
    let report = ExternalAStar::new(&problem).memory(MEMORY).run(0).unwrap();
    let peaks = (report.stats.peak_bytes, counting::peak() - before);
    println!("{peaks:?} at {MEMORY}");
    assert!(peaks.0 <= (MEMORY + MEMORY / 100) as u64, "{peaks:?}");
    assert!(peaks.1 <= (MEMORY + MEMORY / 100 + BESIDE).cast_signed(), "{peaks:?}");
}
