//! The queries of six `MovingAI` maps, compared with the optimal lengths in their files. Of the maps whose queries take long
//! only some, of all lengths; `cargo test --release --test movingai -- --ignored` runs all of them.

mod jumps;

use std::fs;
use std::path::Path;

use bestfirst::problems::grid_map::{
    Cell, EightWay, EightWayFloat, GridMap, JumpPoint, JumpPoints, Length, Moves, Scenario,
};
use bestfirst::{AStar, Cost};
use support::random::every;

/// Some lengths in the files have only two decimals.
const WITHIN: f64 = 0.0051;

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Answers every `stride`-th query from start to goal and from goal to start, in one search that is
/// restarted.
fn check<M: Moves>(name: &str, queries: usize, stride: usize, to_f64: impl Fn(M::Cost) -> f64) {
    let Some(map) = support::data::data(&format!("movingai/{name}.map")) else { return };
    let Some(scenario) = support::data::data(&format!("movingai/{name}.map.scen")) else { return };
    let map: GridMap = read(&map).parse().unwrap();
    let scenario: Scenario = read(&scenario).parse().unwrap();
    assert_eq!(scenario.queries.len(), queries);

    let anywhere = Cell::new(0, 0);
    let mut search = AStar::new(map.route_by::<M>(anywhere)).dense().search(anywhere);
    for query in scenario.queries.iter().step_by(stride) {
        assert_eq!((map.width(), map.height()), (query.width, query.height));
        let mut costs = [M::Cost::ZERO; 2];
        for ((from, to), cost) in
            [(query.start, query.goal), (query.goal, query.start)].into_iter().zip(&mut costs)
        {
            let route = map.route_by::<M>(to);
            search.restart_with(route, from);
            let report = search.run().unwrap();
            let path =
                report.path().unwrap_or_else(|| panic!("{name}: no path from {from} to {to}"));
            path.verify(&route).unwrap();
            assert!(report.is_optimal(), "{name}: from {from} to {to}");
            assert_eq!(report.stats.reopened, 0, "the heuristic is consistent");
            *cost = path.cost();
            let off = to_f64(*cost) - query.length;
            assert!(off.abs() <= WITHIN, "{name}: from {from} to {to} is off by {off}");
        }
        let difference = to_f64(costs[0]) - to_f64(costs[1]);
        assert!(difference.abs() < 1e-9, "{name}: {query:?} and back differ by {difference}");
    }
}

macro_rules! maps {
    ($($(#[$attribute:meta])* $test:ident: $name:literal, $queries:literal, $stride:expr;)*) => {$(
        #[test]
        $(#[$attribute])*
        fn $test() {
            check::<EightWay>($name, $queries, $stride, Length::to_f64);
        }
    )*};
}

maps! {
    arena: "arena", 160, 1;
    den312d: "den312d", 320, 1;
    // Ten queries follow each other that are about equally long.
    some_of_berlin: "Berlin_0_256", 930, every(4);
    some_of_random: "random512-10-0", 1670, every(15);
    some_of_brc202d: "brc202d", 2519, every(21);
    some_of_the_maze: "maze512-32-0", 5760, every(211);
    #[ignore = "the long form of the one above"]
    all_of_berlin: "Berlin_0_256", 930, 1;
    #[ignore = "the long form of the one above"]
    all_of_random: "random512-10-0", 1670, 1;
    #[ignore = "the long form of the one above"]
    all_of_brc202d: "brc202d", 2519, 1;
    #[ignore = "expands more than a thousand million states"]
    all_of_the_maze: "maze512-32-0", 5760, 1;
}

#[test]
fn float_costs_give_the_same_lengths() {
    check::<EightWayFloat>("arena", 160, 1, |length| length);
    check::<EightWayFloat>("den312d", 320, 1, |length| length);
}

/// Answers all queries by jump points, there and back, and follows the single steps.
fn check_jumps(name: &str, stride: usize) {
    let Some(map) = support::data::data(&format!("movingai/{name}.map")) else { return };
    let Some(scenario) = support::data::data(&format!("movingai/{name}.map.scen")) else { return };
    let map: GridMap = read(&map).parse().unwrap();
    let scenario: Scenario = read(&scenario).parse().unwrap();
    let jumps = JumpPoints::new(&map).unwrap();
    let anywhere = Cell::new(0, 0);
    let mut search =
        AStar::new(jumps.route_to(anywhere)).dense().search(JumpPoint::start(anywhere));
    for query in scenario.queries.iter().step_by(stride) {
        let mut lengths = [Length::ZERO; 2];
        for ((from, to), length) in
            [(query.start, query.goal), (query.goal, query.start)].into_iter().zip(&mut lengths)
        {
            let route = jumps.route_to(to);
            search.restart_with(route, JumpPoint::start(from));
            let report = search.run().unwrap();
            let path = report.path().unwrap_or_else(|| panic!("{name}: {from} to {to}"));
            let steps = route.cell_path(path).unwrap();
            steps.verify(&map.route_to(to)).unwrap();
            assert_eq!(steps.cost(), path.cost());
            *length = path.cost();
            let off = length.to_f64() - query.length;
            assert!(off.abs() <= WITHIN, "{name}: from {from} to {to} is off by {off}");
        }
        assert_eq!(lengths[0], lengths[1], "{name}: {query:?} and back");
    }
}

#[test]
fn jump_points_give_the_same_lengths() {
    for (name, stride) in [
        ("arena", 1),
        ("Berlin_0_256", every(4)),
        ("den312d", 1),
        ("random512-10-0", every(30)),
        ("brc202d", every(9)),
        ("maze512-32-0", every(23)),
    ] {
        check_jumps(name, stride);
    }
}

#[test]
#[ignore = "the long form of the one above"]
fn jump_points_give_the_same_lengths_in_all_queries() {
    for name in ["Berlin_0_256", "random512-10-0", "brc202d", "maze512-32-0"] {
        check_jumps(name, 1);
    }
}
