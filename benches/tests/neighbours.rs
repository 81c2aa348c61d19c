//! What the README says about neighbouring crates, as far as a test can repeat it; and what this one
//! does in the same place.

use std::panic::catch_unwind;

use bestfirst::{AStar, Dijkstra, FnProblem, IdaStar, SearchError};

/// From 0 to 3 by steps of 1; the heuristic says 2 everywhere, at the goal as well.
#[test]
fn a_heuristic_above_zero_at_the_goal() {
    let successors = |&n: &u32| [(n + 1, 1_u32)];
    let problem = FnProblem::new(successors, |_: &u32| 2, |&n: &u32| n == 3);
    assert_eq!(AStar::new(&problem).search(0).run().unwrap().cost(), Some(3));
    assert_eq!(IdaStar::new(&problem).search(0).run().unwrap().cost(), Some(3));

    let (path, cost) =
        pathfinding::prelude::idastar(&0, successors, |_| 2, |&n| n == 3).expect("a path");
    assert_eq!((path.len(), cost), (4, 5), "g + h instead of g");
    let (_, cost) =
        pathfinding::prelude::astar(&0, successors, |_| 2, |&n| n == 3).expect("a path");
    assert_eq!(cost, 3);

    let graph = petgraph::Graph::<(), u32>::from_edges([(0, 1, 1), (1, 2, 1), (2, 3, 1)]);
    let answer = catch_unwind(|| {
        petgraph::algo::astar(&graph, 0.into(), |n| n.index() == 3, |edge| *edge.weight(), |_| 2)
            .expect("a path")
            .0
    });
    // A panic where debug assertions are on, otherwise g + h.
    assert_eq!(answer.ok(), (!cfg!(debug_assertions)).then_some(5));
}

/// The costs of the only path add up to 300, which no `u8` can hold.
#[test]
fn a_cost_too_large_for_its_type() {
    let successors = |&n: &u32| (n < 3).then_some((n + 1, 100_u8));
    let problem = FnProblem::new(successors, |_: &u32| 0, |&n: &u32| n == 3);
    let overflow = SearchError::Overflow { g: 200, added: 100 };
    assert_eq!(Dijkstra::new(&problem).search(0).run(), Err(overflow));
    assert_eq!(AStar::new(&problem).search(0).run(), Err(overflow));
    assert_eq!(IdaStar::new(&problem).search(0).run(), Err(overflow));

    let wrapped = (!cfg!(debug_assertions)).then_some(Some(44));
    let answer = catch_unwind(|| {
        pathfinding::prelude::dijkstra(&0, successors, |&n| n == 3).map(|(_, cost)| cost)
    });
    assert_eq!(answer.ok(), wrapped);
    let graph = petgraph::Graph::<(), u8>::from_edges([(0, 1, 100), (1, 2, 100), (2, 3, 100)]);
    let answer = catch_unwind(|| {
        let costs = petgraph::algo::dijkstra(&graph, 0.into(), None, |edge| *edge.weight());
        costs.get(&petgraph::graph::NodeIndex::new(3)).copied()
    });
    assert_eq!(answer.ok(), wrapped);
}
