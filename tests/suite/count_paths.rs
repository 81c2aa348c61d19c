//! `count_paths`, beside the number of walks of each length.

use bestfirst::{PathCount, count_paths};
use support::random::{Random, is_enough, rounds};

/// The walks that end at their first goal, by their lengths. One with as many steps as there are nodes repeats a node; then
/// there is one with at least as many and fewer than twice as many.
fn by_length(edges: &[Vec<usize>], goals: &[usize]) -> PathCount {
    let mut walks = vec![0_u128; edges.len()];
    walks[0] = 1;
    let mut count = 0;
    for length in 0..2 * edges.len() {
        let mut longer = vec![0; edges.len()];
        for node in 0..edges.len() {
            if goals.contains(&node) {
                if length >= edges.len() && walks[node] > 0 {
                    return PathCount::Infinite;
                }
                count += walks[node];
            } else {
                for &next in &edges[node] {
                    longer[next] += walks[node];
                }
            }
        }
        walks = longer;
    }
    PathCount::Finite(count)
}

#[test]
fn the_count_is_that_of_the_walks() {
    let mut random = Random::new(17);
    let (mut infinite, mut spared, mut most) = (0, 0, 0);
    for round in 0..rounds(20_000) {
        let nodes = 1 + random.index(9);
        // Edges lead backwards in half of the graphs, and there may be several between the same nodes.
        let edges: Vec<Vec<usize>> = (0..nodes)
            .map(|from| {
                let least = if round % 2 == 0 { 0 } else { from + 1 };
                let ends = nodes - least;
                let count = if ends == 0 { 0 } else { random.index(4) };
                (0..count).map(|_| least + random.index(ends)).collect()
            })
            .collect();
        let goals: Vec<usize> = (0..random.below(3)).map(|_| random.index(nodes)).collect();
        let calls = std::cell::Cell::new(0);
        let successors = |&node: &usize| {
            calls.set(calls.get() + 1);
            edges[node].iter().copied()
        };
        let count = count_paths(0_usize, successors, |node| goals.contains(node));
        assert_eq!(count, by_length(&edges, &goals), "{edges:?} {goals:?}");
        assert!(calls.get() <= nodes, "a state is expanded once");
        match count {
            PathCount::Infinite => infinite += 1,
            PathCount::Finite(count) => {
                spared += u32::from(round % 2 == 0 && count > 0);
                most = most.max(count);
            }
            PathCount::Unknown => panic!("there is memory"),
        }
    }
    assert!(
        is_enough(infinite, 100) && is_enough(spared, 100) && most > u128::from(rounds(20).min(20)),
        "{infinite}, {spared}, {most}"
    );
}

#[test]
fn long_paths_and_large_counts_need_no_recursion() {
    // Each node has two steps to the next one.
    let chain = |nodes: u32| count_paths(0_u32, |&n| [n + 1, n + 1], move |&n| n == nodes);
    assert_eq!(chain(0), PathCount::Finite(1));
    assert_eq!(chain(127), PathCount::Finite(1 << 127));
    assert_eq!(chain(128), PathCount::Finite(u128::MAX));
    assert_eq!(chain(200_000), PathCount::Finite(u128::MAX));
    // All are in one component, which no path leaves.
    let ring = |goal: u64| count_paths(0_u64, |&n| [(n + 1) % 100_000], move |&n| n == goal);
    assert_eq!((ring(100_000), ring(99_999)), (PathCount::Finite(0), PathCount::Finite(1)));
    let words =
        count_paths(String::new(), |w| ["a", "b"].map(|c| format!("{w}{c}")), |w| w.len() == 10);
    assert_eq!(words, PathCount::Finite(1024));
}
