//! Maps of games: routes of any angle against eight-way moves, as they are and straightened.

use bestfirst::AStar;
use bestfirst::problems::grid_map::{Cell, GridMap, Query, Scenario, Waypoint};

use crate::support::clock::cpu_time;
use crate::support::data;
use crate::support::page::{Table, thousands};

/// The maps, and which of their queries are answered.
const MAPS: [(&str, usize); 6] = [
    ("arena", 1),
    ("Berlin_0_256", 1),
    ("den312d", 1),
    ("brc202d", 10),
    ("random512-10-0", 100),
    ("maze512-32-0", 32),
];

pub fn table() -> Option<String> {
    let heading = vec![
        "map",
        "queries",
        "eight-way, µs",
        "straightened: length",
        "any angle: length",
        "turns",
        "expansions",
        "µs",
        "longest, ms",
    ];
    let mut rows = Vec::new();
    for (name, stride) in MAPS {
        let map: GridMap = data::text(&format!("movingai/{name}.map"))?.parse().expect("a map");
        let scenario: Scenario =
            data::text(&format!("movingai/{name}.map.scen"))?.parse().expect("a scenario");
        let queries: Vec<Query> = scenario.queries.into_iter().step_by(stride).collect();
        rows.push(row(name, &map, &queries));
    }
    Some(Table { heading, rows }.markdown())
}

#[expect(clippy::cast_precision_loss, reason = "there are a few thousand queries")]
fn row(name: &str, map: &GridMap, queries: &[Query]) -> Vec<String> {
    let anywhere = Cell::new(0, 0);
    let (mut by_steps, mut straightened, mut least) = (0.0, 0.0, 0.0);
    let (mut steps_time, mut time, mut longest) = (0.0, 0.0, 0.0_f64);
    let (mut turns, mut expanded) = (0, 0);

    let mut cells = AStar::new(map.route_to(anywhere)).dense().search(anywhere);
    let mut angles = AStar::new(map.any_angle_to([])).search(Waypoint::centre(anywhere));
    for query in queries {
        let (report, took) = cpu_time(|| {
            cells.restart_with(map.route_to(query.goal), query.start);
            cells.run().expect("lengths fit")
        });
        steps_time += took.as_secs_f64();
        let path = report.path().expect("there is a path");
        let straight = map.straighten(path.states());
        let line = |ends: &[Cell]| Waypoint::centre(ends[0]).distance(Waypoint::centre(ends[1]));
        let smoothed: f64 = straight.windows(2).map(line).sum();

        let (report, took) = cpu_time(|| {
            let route = map.any_angle_to([query.goal]);
            angles.restart_with(route, Waypoint::centre(query.start));
            angles.run().expect("lengths fit")
        });
        let took = took.as_secs_f64();
        (time, longest) = (time + took, longest.max(took));
        let best = report.path().expect("there is a path");
        assert!(best.cost() <= smoothed + 1e-6 && smoothed <= path.cost().to_f64() + 1e-6);
        by_steps += path.cost().to_f64();
        straightened += smoothed;
        least += best.cost();
        turns += best.states().len().saturating_sub(2);
        expanded += report.stats.expanded;
    }
    let count = queries.len() as f64;
    let row = vec![
        name.to_owned(),
        queries.len().to_string(),
        format!("{:.1}", steps_time / count * 1e6),
        format!("{:.4}", straightened / by_steps),
        format!("{:.4}", least / by_steps),
        format!("{:.1}", turns as f64 / count),
        thousands(expanded / queries.len() as u64),
        format!("{:.1}", time / count * 1e6),
        format!("{:.1}", longest * 1e3),
    ];
    println!("{}", row.join(" | "));
    row
}
