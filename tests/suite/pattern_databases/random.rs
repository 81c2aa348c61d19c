//! Random abstractions of random problems.

use bestfirst::check::{self, ProblemFault};
use bestfirst::heuristics::{self, PatternDatabase};
use bestfirst::{Cost, FnProblem, IdaStar, WithHeuristic};

use super::graph::{Graph, Random};
use support::random::{is_enough, rounds};

/// The smallest cost to a goal of the nodes with each key.
fn expected(graph: &Graph, key: impl Fn(usize) -> usize) -> Vec<Option<i32>> {
    let mut least: Vec<Option<i32>> = vec![None; graph.nodes];
    for (node, cost) in graph.costs().into_iter().enumerate() {
        let entry = &mut least[key(node)];
        *entry = [*entry, cost].into_iter().flatten().min();
    }
    least
}

/// Databases of random abstractions, by both methods, hold what Bellman and Ford say, and never more than the
/// true cost; A* and IDA* with them find cheapest paths.
#[test]
fn random_abstractions_are_admissible() {
    for seed in 0..rounds(300) {
        let mut random = Random(seed);
        // Of every other problem all steps cost 0 or 1, so that bits can be used.
        let most_cost = if seed % 2 == 0 { 1 } else { 9 };
        let graph = Graph::random(&mut random, most_cost);
        let parts = 1 + random.below(graph.nodes);
        let map: Vec<usize> = (0..graph.nodes).map(|_| random.below(parts)).collect();
        let image = graph.image(&map, |cost| if random.below(3) == 0 { cost / 2 } else { cost });
        let coarse = 1 + random.below(3);
        let key = |&node: &usize| node / coarse;

        let database = PatternDatabase::build(&image, image.goals.clone(), key).unwrap();
        for (key, cost) in expected(&image, |node| node / coarse).into_iter().enumerate() {
            assert_eq!(database.value::<i32>(key), cost.unwrap_or(i32::INFINITY), "seed {seed}");
        }
        if most_cost == 1 {
            let keys = image.nodes.div_ceil(coarse);
            let builder = || PatternDatabase::builder(&image).bits(keys);
            let by_bits = builder().build(image.goals.clone(), key).unwrap();
            // The list of the other ends with the largest key that was met.
            let (same, rest) = by_bits.entries().split_at(database.len());
            assert!(same == database.entries() && rest.iter().all(|&e| e == 255), "seed {seed}");
            // To start threads takes longer than all else.
            #[cfg(feature = "parallel")]
            for threads in [1, 3].into_iter().filter(|_| seed % 16 == 0) {
                let parallel = builder().threads(threads).build(image.goals.clone(), key);
                assert_eq!(parallel.as_ref(), Ok(&by_bits), "seed {seed}");
            }
        }

        let value = |&node: &usize| database.value::<i32>(key(&map[node]));
        let informed = WithHeuristic::new(&graph, value);
        for (node, cost) in graph.costs().into_iter().enumerate() {
            assert!(value(&node) <= cost.unwrap_or(i32::INFINITY), "seed {seed}, node {node}");
            assert_eq!(bestfirst::astar(&informed, node).unwrap().cost(), cost, "seed {seed}");
            let search = IdaStar::new(&informed).avoid_cycles().search(node).run();
            assert_eq!(search.unwrap().cost(), cost, "seed {seed}, node {node}");
        }
        let step = check::step_in(&image, |&node: &usize| map[node]);
        assert!(check::disjoint(&graph, 0..graph.nodes, &[&step]).is_ok(), "seed {seed}");
    }
}

/// Where each step counts in one of two abstractions, the sum is admissible, and the check has nothing to
/// say. Where steps count in both, it finds one.
#[test]
fn sums_of_disjoint_costs_are_admissible_and_others_are_found() {
    let mut found = 0;
    for seed in 0..rounds(1000) {
        let mut random = Random(seed);
        let graph = Graph::random(&mut random, 9);
        let identity: Vec<usize> = (0..graph.nodes).collect();
        let first = graph.image(&identity, |cost| cost * i32::from(random.below(2) == 0));
        // What the first has left of the costs.
        let mut second = first.clone();
        for (edge, &(.., all)) in second.edges.iter_mut().zip(&graph.edges) {
            edge.2 = all - edge.2;
        }
        let databases = [&first, &second, &graph].map(|abstraction| {
            PatternDatabase::build(abstraction, graph.goals.clone(), |&node| node).unwrap()
        });
        let value = |number: usize| {
            let database = &databases[number];
            move |&node: &usize| database.value::<i32>(node)
        };
        let (sum, max) =
            (heuristics::sum([value(0), value(1)]), heuristics::max([value(0), value(1)]));
        for (node, cost) in graph.costs().into_iter().enumerate() {
            let (sum, max) = (sum(&node), max(&node));
            assert!(max <= sum && sum <= cost.unwrap_or(i32::INFINITY), "seed {seed}, {node}");
        }
        let nodes = || 0..graph.nodes;
        let steps = [&first, &second, &graph].map(|a| check::step_in(a, |&node: &usize| node));
        // (Parallel edges: an abstraction has the cheapest, so the sum is even smaller.)
        assert!(check::disjoint(&graph, nodes(), &[&steps[0], &steps[1]]).is_ok(), "seed {seed}");
        let wrong = check::disjoint(&graph, nodes(), &[&steps[0], &steps[2]]);
        let both = |&(from, to, _): &(usize, usize, i32)| {
            let step = steps[0](&from, &to).unwrap();
            from != to && step > 0 && {
                let parallel = graph.edges.iter().filter(|e| (e.0, e.1) == (from, to));
                let costs: Vec<i32> = parallel.map(|edge| edge.2).collect();
                let least = costs.iter().min().unwrap();
                costs.iter().any(|&cost| step + least > cost)
            }
        };
        assert_eq!(wrong.is_err(), graph.edges.iter().any(both), "seed {seed}: {wrong:?}");
        found += usize::from(matches!(wrong, Err(ProblemFault::NotDisjoint { .. })));
    }
    assert!(is_enough(found, 600), "{found}");
}

#[test]
fn steps_that_an_abstraction_lacks_are_found() {
    let graph = Graph { nodes: 3, edges: vec![(0, 1, 1), (1, 2, 1)], goals: vec![2] };
    let lacking = Graph { edges: vec![(0, 1, 1)], ..graph.clone() };
    let steps = [&graph, &lacking].map(|a| check::step_in(a, |&n: &usize| n));
    let fault = check::disjoint(&graph, 0..3, &[&|_, _| Some(0), &steps[1]]).unwrap_err();
    assert_eq!(fault, ProblemFault::NotAbstract { from: 1, to: 2, abstraction: 1 });
    assert_eq!(
        fault.to_string(),
        "not an abstraction: abstraction 1 (counted from 0) has no step for the step from 1 to 2"
    );
    assert_eq!(check::disjoint(&graph, 0..3, &[&steps[0]]), Ok(2));
}

/// A value that is infinite is a dead end in every sum; sums that do not fit are no dead ends.
#[test]
fn sums_do_not_wrap_around() {
    let sum = |values: [u8; 3]| heuristics::sum(values.map(|value| move |(): &()| value))(&());
    assert_eq!((sum([1, 2, 3]), sum([200, 3, 100])), (6, 203));
    // 255 is infinity, so 100 + 155 does not fit: 100 is left out.
    assert_eq!((sum([100, 155, 7]), sum([1, 255, 2])), (162, 255));
    let none: [fn(&()) -> u8; 0] = [];
    assert_eq!((heuristics::sum(none)(&()), heuristics::max(none)(&())), (0, 0));
}

/// A step that is negative or no number must not make up for one that is too dear.
#[test]
fn steps_of_an_abstraction_that_are_none_are_found() {
    let line = FnProblem::new(|&n: &u8| [(n + 1, 1.0)], |_: &u8| 0.0, |&n: &u8| n == 3);
    let fault = |cost: f64| {
        let steps = [2.0, cost].map(|cost| move |_: &u8, _: &u8| Some(cost));
        check::disjoint(&line, [0], &[&steps[0], &steps[1]]).unwrap_err()
    };
    assert_eq!(fault(0.0), ProblemFault::NotDisjoint { from: 0, to: 1, cost: 1.0, sum: 2.0 });
    assert_eq!(fault(-1.5), ProblemFault::Step { from: 0, to: 1, cost: -1.5 });
    assert!(matches!(fault(f64::NAN), ProblemFault::Step { cost, .. } if cost.is_nan()));
}
