//! Search on disk: cheapest paths of random problems, and what was once wrong. What runs longer than it takes to optimise it is in
//! `tests/optimised/disk.rs`.

use bestfirst::{Encode, ExternalAStar, Limits, Outcome, SearchError, SearchProblem, dijkstra_all};

use support::erased::problem;
use support::random::{Problem, Random, Units, rounds};
use support::rounds::{Answer, check_end, few, problems};

/// So much memory that nothing is written.
const MUCH: usize = 1 << 26;

/// So little that most states are in files.
const LITTLE: usize = 400_000;

fn search<C: Units + Encode>(random: &Problem<C, u32>, limits: Limits<C>) -> Answer<C> {
    ExternalAStar::new(random).memory(MUCH).limits(limits).search_from(random.starts()).run()
}

#[test]
fn search_on_disk_finds_a_cheapest_path() {
    fn check<C: Units + Encode>(seeds: std::ops::Range<u64>) -> u64 {
        let mut found = 0;
        for problem in problems::<C>(seeds, [40, 30]) {
            let answer = search(&problem, few());
            assert_eq!(search(&problem, few()), answer, "the same again");
            found += u64::from(check_end(&problem, &answer));
        }
        found
    }
    assert!(check::<u32>(0..rounds(800)) > rounds(260));
    assert!(check::<f64>(0..rounds(300)) > rounds(90));
    assert!(check::<u8>(0..rounds(240)) > rounds(40));
    assert!(check::<i32>(0..rounds(240)) > rounds(40));
}

/// A piece of a file has a few shards of a bucket. If it listed all shards of it, the lists would fill such a budget.
#[test]
fn the_lists_of_parts_of_files_are_short() {
    let cube = problem(
        |&corner: &u32| (0..11).map(move |bit| (corner ^ 1 << bit, 1_u32)),
        |_: &u32| 0,
        |&corner: &u32| corner == (1 << 11) - 1,
    );
    let report = ExternalAStar::new(&cube).memory(60_000).run(0).unwrap();
    assert_eq!(report.cost(), Some(11), "{:?}", report.outcome);
    assert_eq!(report.stats.expanded, (1 << 11) - 1);
}

/// A directed graph with steps that cost nothing, and a heuristic that is exact in some states and says nothing in
/// others.
fn tangle(seed: u64) -> (Box<dyn SearchProblem<State = u32, Action = (), Cost = u32>>, u32) {
    let count = 20_000_u32;
    let mut random = Random::new(seed);
    let node = |random: &mut Random| u32::try_from(random.below(u64::from(count))).unwrap();
    let edges: Vec<[(u32, u32); 3]> = (0..count)
        .map(|_| {
            std::array::from_fn(|_| (node(&mut random), u32::try_from(random.below(4)).unwrap()))
        })
        .collect();
    let mut back = vec![Vec::new(); count as usize];
    for (from, list) in (0..).zip(&edges) {
        for &(to, cost) in list {
            back[to as usize].push((from, cost));
        }
    }
    let goals = [node(&mut random), node(&mut random)];
    let reversed = problem(
        |&n: &u32| match n {
            u32::MAX => goals.map(|goal| (goal, 0)).to_vec(),
            n => back[n as usize].clone(),
        },
        |_: &u32| 0_u32,
        |_: &u32| false,
    );
    let rest = dijkstra_all(&reversed, u32::MAX).unwrap();
    let h: Vec<u32> = (0..count)
        .map(|n| match rest.cost_of(&n) {
            None => u32::MAX,
            Some(cost) if n % 3 == 0 => cost,
            Some(_) => 0,
        })
        .collect();
    let tangled = problem(
        move |&n: &u32| edges[n as usize],
        move |&n| h[n as usize],
        move |n| goals.contains(n),
    );
    (tangled, rest.cost_of(&0).unwrap_or(u32::MAX))
}

#[test]
fn in_little_memory_a_directed_graph_is_searched_right() {
    for seed in 0..rounds(24) {
        let (problem, cost) = tangle(seed);
        let mut search = ExternalAStar::new(&problem).memory(LITTLE).search(0);
        let report = search.run().unwrap();
        assert_eq!(report.cost().unwrap_or(u32::MAX), cost);
        if let Some(path) = report.path() {
            assert_eq!(path.verify(&problem), Ok(()));
        }
        assert!(report.stats.peak_bytes <= (LITTLE + LITTLE / 100) as u64);
    }
}

/// Where no closed segment is small, there is nothing in the index of hashes.
#[test]
fn a_bucket_beside_large_segments_only_is_searched() {
    let hub = problem(
        |&n: &u32| match n {
            0 => (1..=20_000).map(|i| (i, 1_u32)).collect(),
            1 => vec![(30_000, 1)],
            _ => vec![],
        },
        |&n: &u32| u32::from(n == 0),
        |_: &u32| false,
    );
    for memory in [MUCH, 4_000_000] {
        let report = ExternalAStar::new(&hub).memory(memory).search(0).run().unwrap();
        assert_eq!((report.outcome, report.stats.expanded), (Outcome::Exhausted, 20_002));
    }
}

/// What did not fit in one search is not held against the next one.
#[test]
fn a_search_begun_anew_forgets_an_overflow() {
    let line = problem(
        |&n: &u8| match n {
            0 => vec![(1, u8::MAX), (2, u8::MAX - 1)],
            2 => vec![(3, 9)],
            _ => vec![],
        },
        |_: &u8| 0_u8,
        |_: &u8| false,
    );
    let mut search = ExternalAStar::new(&line).memory(MUCH).search(0);
    assert!(matches!(search.run(), Err(SearchError::Overflow { .. })));
    search.restart(7);
    assert_eq!(search.run().unwrap().outcome, Outcome::Exhausted);
}

/// What the lists of one search took is not held against the next one, either: those of its layers, and of its files.
#[test]
fn a_search_begun_anew_has_all_its_memory() {
    let tree = problem(
        |&n: &u32| [(2 * n + 1, 1_u32), (3 * n + 1, 2), (n + 5, 3)],
        |_: &u32| 0,
        |&n: &u32| n == 317,
    );
    let (mut found, mut stopped) = (0, 0);
    for memory in (8_000..60_000).step_by(400) {
        let mut search = ExternalAStar::new(&tree).memory(memory).search(1);
        let first = search.run().unwrap();
        search.restart(1);
        assert_eq!(search.run().unwrap(), first, "{memory} bytes");
        match first.outcome {
            Outcome::Stopped(_) => stopped += 1,
            _ => found += 1,
        }
    }
    assert!(found > 20 && stopped > 20, "{found} found, {stopped} stopped");
}
