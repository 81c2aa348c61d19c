//! Random problems, searched backwards.

use bestfirst::{AStar, BranchAndBound, BreadthFirst, Dijkstra, IdaStar, Reversed, check};
use support::random::rounds;

use support::engines::{Forwards, erased};
use support::random::{Name, Units, place_of};
use support::two_way::{Heuristics, TwoWay};

/// Backwards, every engine finds what Dijkstra's algorithm finds forwards, and its path is a path of
/// the problem itself.
fn check_backwards<C: Units>(seed: u64) {
    let two_way = TwoWay::<C, u32>::random(seed, 16, Heuristics::Half);
    let graph = &two_way.problem.graph;
    let states = (0..graph.edges.len() + 3).map(u32::new);
    assert!(check::reversible(&two_way, states.clone()).is_ok(), "seed {seed}");
    let Some((start, paid)) = two_way.problem.starts().into_iter().next() else { return };
    let costs = &two_way.costs[start.node()];
    let best = (0..costs.len()).filter(|&node| graph.goals[node]).filter_map(|node| costs[node]);
    let truth = best.min().and_then(|cost| u64::try_from(cost).ok());
    let truth = truth.filter(|&cost| cost <= graph.most).map(|cost| C::of(cost, graph.scale));

    let reversed = Reversed::new(&two_way, start);
    assert_eq!(check::admissible(&reversed, start, 100).err(), None, "seed {seed}");
    let starts = || reversed.starts();
    let forwards = Forwards(&reversed);
    let back = erased(&forwards);
    let mut reports = vec![
        ("Dijkstra", Dijkstra::new(back).search_from(starts()).run()),
        ("Dijkstra, dense", Dijkstra::new(back).dense().search_from(starts()).run()),
        ("A*", AStar::new(back).search_from(starts()).run()),
        ("A*, dense", AStar::new(back).dense().search_from(starts()).run()),
        ("breadth first", BreadthFirst::new(back).search_from(starts()).run()),
    ];
    if graph.edges.len() <= 6 {
        let branch_and_bound = BranchAndBound::new(back).search_from(starts()).run();
        reports.push(("branch and bound", branch_and_bound));
        let ida_star = IdaStar::new(back).avoid_cycles().search_from(starts()).run();
        reports.push(("IDA*", ida_star));
    }
    if let (Some(truth), None) = (truth, graph.chain) {
        let forward = Dijkstra::new(erased(&two_way.problem)).search(start).run().unwrap();
        assert!(forward.cost().unwrap().is_close(truth), "seed {seed}");
    }
    for (name, report) in reports {
        let Some(truth) = truth else {
            // There is no path, or none whose cost fits into its type.
            assert!(report.is_err() || report.unwrap().path().is_none(), "seed {seed}, {name}");
            continue;
        };
        let report = report.unwrap();
        assert!(report.is_optimal(), "seed {seed}, {name}");
        let path = reversed.forward_path(report.path().unwrap()).unwrap();
        assert_eq!(path.verify(&two_way), Ok(()), "seed {seed}, {name}");
        assert!(path.cost().is_close(truth), "seed {seed}, {name}");
        assert_eq!((path.start(), path.start_cost()), (&start, C::ZERO));
        assert_eq!(path.len(), report.path().unwrap().len());
        // The actions name the edges of the problem itself.
        for step in path.steps() {
            let (node, index) = place_of(*step.action);
            let edge = two_way.problem.graph.edges[node][index];
            assert_eq!(node, step.from.node());
            assert_eq!((u32::new(edge.0), C::of(edge.1, graph.scale)), (*step.to, step.cost));
        }
    }

    // The cost of the start is given to the goals in the backward search.
    if truth.is_none() || graph.chain.is_some() {
        return;
    }
    let paid_starts = reversed.starts().map(|(goal, _)| (goal, paid));
    let backward = Dijkstra::new(back).search_from(paid_starts).run();
    if let Ok(forward) = Dijkstra::new(erased(&two_way.problem)).search_from([(start, paid)]).run()
    {
        let path = reversed.forward_path(backward.unwrap().path().unwrap()).unwrap();
        assert_eq!(path.start_cost(), paid);
        assert!(path.cost().is_close(forward.cost().unwrap()), "seed {seed}");
        assert_eq!(path.verify(&two_way), Ok(()));
    }
}

#[test]
fn backwards_every_engine_finds_the_same_cost() {
    for seed in 0..rounds(350) {
        check_backwards::<f64>(seed);
    }
}
