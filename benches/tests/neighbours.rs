//! What `docs/migrating.md` says about neighbouring crates, as far as a test can repeat it; and what this one
//! does in the same place.

use std::hash::RandomState;
use std::panic::catch_unwind;

use bestfirst::{AStar, Dijkstra, FnProblem, IdaStar, KBest, SearchError};

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

/// A graph of five nodes with two paths of cost 12, and six paths in all that cost 17 or less.
#[test]
fn paths_that_are_left_out_where_costs_tie() {
    let edges = [
        (0, 2, 6_u32),
        (0, 3, 6),
        (1, 2, 7),
        (1, 4, 1),
        (2, 1, 5),
        (2, 3, 4),
        (2, 4, 5),
        (3, 1, 6),
        (3, 4, 6),
    ];
    let successors = |&n: &u32| {
        let of = edges.iter().filter(move |edge| edge.0 == n);
        of.map(|edge| (edge.1, edge.2)).collect::<Vec<_>>()
    };
    let problem = FnProblem::new(successors, |_: &u32| 0, |&n: &u32| n == 4);
    let ours = KBest::new(&problem).simple().search(0).take(6);
    let ours: Vec<_> = ours.map(|path| path.unwrap().cost()).collect();
    assert_eq!(ours, [11, 12, 12, 13, 16, 17]);
    let theirs = pathfinding::prelude::yen(&0, successors, |&n| n == 4, 6);
    assert!(theirs.iter().map(|path| path.1).eq([11, 12, 12, 13, 16, 24]));
}

/// The calls of `docs/migrating.md` that are comments there, with what the page says of ours.
#[test]
fn the_calls_of_the_page_on_migrating_give_the_same() {
    use pathfinding::prelude;
    let successors =
        |&n: &u32| (n < 20).then(|| [(n + 1, 2_u32), (n + 3, 6)]).into_iter().flatten();
    let h = |&n: &u32| 12_u32.saturating_sub(n);
    let is_goal = |&n: &u32| n == 12;
    assert_eq!(prelude::dijkstra(&0, successors, is_goal).map(|found| found.1), Some(24));
    assert_eq!(prelude::idastar(&0, successors, h, is_goal).map(|found| found.1), Some(24));
    let path = prelude::bfs(&0, |n| successors(n).map(|(n, _)| n).collect::<Vec<_>>(), is_goal);
    assert_eq!(path.map(|states| states.len() - 1), Some(4));
    let all = prelude::astar_bag(&0, successors, h, is_goal).map(|(paths, _)| paths.count());
    assert_eq!(all, Some(60));
    let best = prelude::yen(&0, |n| successors(n).collect::<Vec<_>>(), is_goal, 5);
    assert!(best.len() == 5 && best.iter().all(|path| path.1 == 24));
    let parents = prelude::dijkstra_all(&0, successors);
    assert_eq!(parents[&9].1, 18);
    assert_eq!(prelude::build_path(&9, &parents).first(), Some(&0));
    let near = prelude::dijkstra_reach(&0, successors).take_while(|item| item.total_cost < 10);
    assert_eq!(near.count(), 5);
}

/// The same for the calls of petgraph.
#[test]
fn the_calls_of_petgraph_on_the_page_give_the_same() {
    use petgraph::algo;
    use petgraph::graph::{NodeIndex, UnGraph};
    let graph = UnGraph::<(), u32>::from_edges([
        (0, 1, 7),
        (0, 2, 9),
        (0, 5, 14),
        (1, 2, 10),
        (1, 3, 15),
        (2, 3, 11),
        (2, 5, 2),
        (3, 4, 6),
        (4, 5, 9),
    ]);
    let (start, goal) = (NodeIndex::new(0), NodeIndex::new(4));
    assert_eq!(algo::dijkstra(&graph, start, None, |edge| *edge.weight())[&goal], 20);
    let found = algo::astar(&graph, start, |node| node == goal, |edge| *edge.weight(), |_| 0);
    let (cost, nodes) = found.expect("a path");
    assert!(cost == 20 && nodes.iter().map(|node| node.index()).eq([0, 2, 5, 4]));
    let found = algo::bidirectional_dijkstra(&graph, start, goal, |edge| *edge.weight());
    assert_eq!(found, Some(20));
    let second = algo::k_shortest_path(&graph, start, Some(goal), 2, |edge| *edge.weight());
    assert_eq!(second[&goal], 23);
    let simple = algo::all_simple_paths::<Vec<_>, _, RandomState>(&graph, start, goal, 0, None);
    assert!(simple.count() > 4);
}
