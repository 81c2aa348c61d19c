//! Lists that the closures of a problem return: searches go through them without copying.

use bestfirst::{
    AStar, Anytime, BoxedSearch, BranchAndBound, Dijkstra, Greedy, IdaStar, Limits, Outcome,
    SearchProblem, StopReason,
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
) -> [BoxedSearch<'p, &'p Problem<'p>>; 6] {
    [
        Box::new(Dijkstra::new(problem).limits(limits.clone()).search(0)),
        Box::new(AStar::new(problem).limits(limits.clone()).search(0)),
        Box::new(IdaStar::new(problem).limits(limits.clone()).search(0)),
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

#[test]
fn a_list_larger_than_the_memory_is_not_kept() {
    let line = problem(
        |&node: &u32| {
            let mut list = Vec::with_capacity(if node == 5 { 10_000 } else { 1 });
            list.push((node + 1, 1_u32));
            list
        },
        |_| 0,
        |&node| node == 9,
    );
    let [dijkstra, astar, ..] = searches(&line, Limits::new().memory(40_000));
    for mut search in [dijkstra, astar] {
        let report = search.run().expect("small costs");
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
        assert_eq!(report.stats.expanded, 5);
        search.set_limits(Limits::new());
        assert_eq!(search.run().expect("small costs").cost(), Some(9));
    }
}
