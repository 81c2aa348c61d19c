//! Lists that the closures of a problem return: searches go through them without copying.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

#[cfg(feature = "parallel")]
use bestfirst::Beam;
use bestfirst::engine::Engine;
use bestfirst::{
    AStar, AllOptimal, Anytime, BoxedSearch, BranchAndBound, Dijkstra, FnProblem, Greedy, IdaStar,
    KBest, KBestSearch, Limits, Outcome, Search, SearchError, SearchProblem, StopReason,
};

use support::erased::problem;
use support::random::{Random, rounds};

type Problem<'p> = Box<dyn SearchProblem<State = u32, Action = (), Cost = u32> + 'p>;

/// The successors of each node, and for how many more there is room in its list.
type Graph = Vec<(Vec<(u32, u32)>, usize)>;

fn graph(random: &mut Random) -> Graph {
    let nodes = 2 + random.index(40);
    let node = |random: &mut Random| u32::try_from(random.index(nodes)).expect("few nodes");
    let list = |random: &mut Random| {
        let most = if random.one_in(5) { 20 } else { 4 };
        let count = random.index(most);
        (0..count).map(|_| (node(random), 1 + node(random) % 7)).collect()
    };
    // Some lists are much larger than what is in them.
    let spare = |random: &mut Random| if random.one_in(4) { random.index(60) } else { 0 };
    (0..nodes).map(|_| (list(random), spare(random))).collect()
}

fn searches<'p>(
    problem: &'p Problem,
    limits: Limits<u32>,
) -> [BoxedSearch<'p, &'p Problem<'p>>; 7] {
    [
        Box::new(Dijkstra::new(problem).limits(limits.clone()).search(0)),
        Box::new(AStar::new(problem).limits(limits.clone()).search(0)),
        Box::new(IdaStar::new(problem).limits(limits.clone()).search(0)),
        Box::new(IdaStar::new(problem).limits(limits.clone()).avoid_cycles().search(0)),
        Box::new(Greedy::new(problem).limits(limits.clone()).search(0)),
        Box::new(Anytime::new(problem).limits(limits.clone()).search(0)),
        Box::new(BranchAndBound::new(problem).limits(limits).search(0)),
    ]
}

/// The lists of a graph, in any room, and the same successors by iterators over the graph itself.
fn two_forms(graph: &Graph) -> [Problem<'_>; 2] {
    let goal = u32::try_from(graph.len() - 1).expect("few nodes");
    let of = |&node: &u32| &graph[node as usize];
    let list = move |node: &u32| {
        let (steps, spare) = of(node);
        let mut list = Vec::with_capacity(steps.len() + spare);
        list.extend_from_slice(steps);
        list
    };
    [
        problem(list, |_| 0, move |&node| node == goal),
        problem(move |node| of(node).0.iter().copied(), |_| 0, move |&node| node == goal),
    ]
}

#[test]
fn a_search_is_the_same_over_lists_and_over_other_iterators() {
    for seed in 0..rounds(400) {
        let graph = graph(&mut Random::new(seed));
        let [lists, others] = two_forms(&graph);
        // Where no node leads to a goal, IDA* need not end.
        let limits = Limits::new().expansions(3_000);
        let searches = searches(&lists, limits.clone()).into_iter().zip(searches(&others, limits));
        for (engine, (mut search, mut other)) in searches.enumerate() {
            let [report, expected] =
                [search.run(), other.run()].map(|report| report.expect("small costs"));
            let context = format!("seed {seed}, engine {engine}");
            assert_eq!(report.path(), expected.path(), "{context}");
            assert_eq!(report.lower_bound, expected.lower_bound, "{context}");
            let counts = [&report, &expected].map(|report| {
                let stats = &report.stats;
                (stats.expanded, stats.generated, stats.duplicates, stats.stored)
            });
            assert_eq!(counts[0], counts[1], "{context}");
            if let Some(path) = report.path() {
                assert_eq!(path.verify(&lists), Ok(()), "{context}");
            }
        }
    }
}

/// The room of a list counts, whatever is in it.
#[test]
fn a_search_over_large_lists_ends_at_a_limit_on_memory() {
    let mut stopped = 0;
    for seed in 0..rounds(200) {
        let graph = graph(&mut Random::new(seed));
        let [lists, others] = two_forms(&graph);
        let most = 1 << (9 + seed % 6);
        let limits = Limits::new().expansions(3_000);
        let limited = searches(&lists, limits.clone().memory(most));
        for (mut search, mut other) in limited.into_iter().zip(searches(&others, limits)) {
            let report = search.run().expect("small costs");
            let expected = other.run().expect("small costs");
            assert!(
                report.stats.peak_bytes <= most as u64,
                "seed {seed}: {}",
                report.stats.peak_bytes
            );
            if report.outcome == Outcome::Stopped(StopReason::Memory) {
                stopped += 1;
            } else {
                assert_eq!(report.cost(), expected.cost(), "seed {seed}");
            }
        }
    }
    assert!(stopped > 0);
}

/// A line, and from its first node steps to very many others; the list of a node has room for this many.
fn hub(node: u32) -> u32 {
    if node == 0 { 100_000 } else { 1 }
}

/// The line with steps one by one, by lists, and by lists of which only the room is large.
fn lines() -> [Problem<'static>; 3] {
    let steps = |&node: &u32| (0..hub(node)).map(move |step| (node + 1 + step, 1_u32));
    let room = |&node: &u32| {
        let mut list = Vec::with_capacity(hub(node) as usize);
        list.push((node + 1, 1_u32));
        list
    };
    let list = move |node: &u32| steps(node).collect::<Vec<_>>();
    [
        problem(steps, |_| 0, |&node| node == 9),
        problem(list, |_| 0, |&node| node == 9),
        problem(room, |_| 0, |&node| node == 9),
    ]
}

#[test]
fn a_list_larger_than_the_memory_is_not_kept() {
    // There is no room for the list, or for what becomes of it.
    for (nth, most) in [(0, 200_000), (1, 200_000), (2, 200_000), (0, 1_500_000), (1, 1_500_000)] {
        let (line, limits) = (&lines()[nth], Limits::new().memory(most));
        for engine in 0..searches(line, limits.clone()).len() {
            let before = crate::counting::held();
            let Some(mut search) = searches(line, limits.clone()).into_iter().nth(engine) else {
                continue;
            };
            let context = format!("line {nth}, {most} bytes, engine {engine}");
            let report = search.run().expect("small costs");
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory), "{context}");
            let held = (crate::counting::held() - before).unsigned_abs();
            // What is not counted: the search itself.
            assert!(held < search.bytes() + 10_000, "{context}: {held}, {}", search.bytes());
            // A new search from there finds the goal.
            search.restart(1);
            assert_eq!(search.run().expect("small costs").cost(), Some(8), "{context}");
            search.set_limits(Limits::new());
            search.restart(0);
            let costs = [1, 9].map(Some);
            let cost = search.run().expect("small costs").cost();
            assert_eq!(cost, costs[usize::from(nth == 2)], "{context}");
        }
    }
}

/// The room of a list counts as long as it is there.
#[test]
fn a_list_does_not_count_any_more_when_the_next_one_is_there() {
    let line = problem(
        |&node: &u32| {
            let mut list = Vec::with_capacity(if node == 0 { 10_000 } else { 1 });
            list.push((node + 1, 1_u32));
            list
        },
        |_| 0,
        |&node| node == 500,
    );
    // 80 kB for the list, then 70 for all others.
    let [dijkstra, astar, ..] = searches(&line, Limits::new().memory(100_000));
    for mut search in [dijkstra, astar] {
        let report = search.run().expect("small costs");
        assert_eq!(report.cost(), Some(500));
        assert!(
            (80_000..100_000).contains(&report.stats.peak_bytes),
            "{}",
            report.stats.peak_bytes
        );
        assert!(search.bytes() < 70_000, "{}", search.bytes());
    }
}

/// Successors that a panic has left behind are not kept for the next search.
#[test]
fn a_search_that_panicked_among_many_successors_is_restarted_within_its_limits() {
    let hub = problem(
        |&node: &u32| {
            (0..hub(node)).map(move |step| {
                assert!(step < 50_000, "in the middle");
                (node + 1 + step, 1_u32)
            })
        },
        |_| 0,
        |&node| node == 9,
    );
    for (engine, mut search) in
        searches(&hub, Limits::new().memory(200_000)).into_iter().enumerate()
    {
        let panic = catch_unwind(AssertUnwindSafe(|| search.run()));
        assert!(panic.is_err(), "engine {engine}");
        search.restart(1);
        assert_eq!(search.run().expect("small costs").cost(), Some(8), "engine {engine}");
    }
}

/// The cost of the last path of a search.
type Answer = Result<Option<u32>, SearchError<u32>>;

/// The same where states are asked again: to list paths, on threads, and to find out whether sums that do not fit matter.
#[test]
fn a_search_that_panicked_at_any_call_is_restarted_within_its_limits() {
    const NEVER: u32 = u32::MAX;
    let (calls, nth) = (AtomicU32::new(0), AtomicU32::new(NEVER));
    let steps = |&node: &u32| {
        let panics = calls.fetch_add(1, Ordering::Relaxed) == nth.load(Ordering::Relaxed);
        let line = [(node + 1, 1), (node + 2, 2), (20, u32::MAX)].into_iter();
        let line = line.filter(move |&(next, _)| node < 12 && (next < 12 || next == 20));
        let many = (0..if panics { 50_000 } else { 0 }).map(move |step| {
            assert!(step < 40_000, "in the middle");
            (node + 1 + step, 1)
        });
        line.chain(many)
    };
    let [near, absent] =
        [9, 15].map(|goal| FnProblem::new(&steps, |_: &u32| 0, move |&node: &u32| node == goal));
    let limits = Limits::new().memory(300_000);
    let mut listed = KBest::new(&near).limits(limits.clone()).search(0);
    let mut optimal = AllOptimal::new(&near).limits(limits.clone()).search(0);
    #[cfg(feature = "parallel")]
    let mut sharded = Dijkstra::new(&near).threads(2).limits(limits.clone()).search(0);
    #[cfg(feature = "parallel")]
    let mut beam = Beam::new(&near).width(20).threads(2).limits(limits.clone()).search(0);
    let mut settling = IdaStar::new(&absent).transposition_table(1000).limits(limits).search(0);
    let searches: &mut [(&str, &mut dyn FnMut() -> Answer, Answer)] = &mut [
        ("paths", &mut || fourth_cost(&mut listed), Ok(Some(9))),
        ("cheapest paths", &mut || restarted_cost(&mut optimal), Ok(Some(9))),
        #[cfg(feature = "parallel")]
        ("threads", &mut || restarted_cost(&mut sharded), Ok(Some(9))),
        #[cfg(feature = "parallel")]
        ("a beam on threads", &mut || restarted_cost(&mut beam), Ok(Some(9))),
        ("sums that do not fit", &mut || restarted_cost(&mut settling), Ok(None)),
    ];
    for (engine, search, expected) in searches {
        let mut panics = 0;
        loop {
            calls.store(0, Ordering::Relaxed);
            nth.store(panics, Ordering::Relaxed);
            let answer = catch_unwind(AssertUnwindSafe(&mut *search));
            nth.store(NEVER, Ordering::Relaxed);
            assert_eq!(search(), *expected, "{engine}, after a panic at call {panics}");
            let Err(_) = answer else { break };
            panics += 1;
        }
        assert!(panics > 9, "{engine}: {panics}");
    }
}

fn restarted_cost<E>(search: &mut Search<E>) -> Answer
where
    E: Engine<State = u32, Action = (), Cost = u32>,
{
    search.restart(0);
    let report = search.run()?;
    assert!(!matches!(report.outcome, Outcome::Stopped(_)), "{:?}", report.outcome);
    Ok(report.cost())
}

fn fourth_cost(search: &mut KBestSearch<impl SearchProblem<State = u32, Cost = u32>>) -> Answer {
    search.restart(0);
    Ok(search.nth(3).transpose()?.map(|path| path.cost()))
}
