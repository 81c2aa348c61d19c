//! Maps of games: plain A*, landmarks, jump points, and both.

use bestfirst::heuristics::Landmarks;
use bestfirst::problems::grid_map::{
    Cell, GridMap, JumpPoint, JumpPoints, Length, Query, Scenario,
};
use bestfirst::{AStar, SearchProblem, WithHeuristic};

use crate::support::clock::cpu_time;
use crate::support::data;
use crate::support::median::median;
use crate::support::page::{Table, thousands};

/// How often all queries of a map are answered, each way in turn; the medians count.
const ROUNDS: usize = 3;

/// Some lengths in the files have only two decimals.
const WITHIN: f64 = 0.0051;

/// The maps, and which of their queries are answered: each of the maze takes long.
const MAPS: [(&str, usize); 6] = [
    ("arena", 1),
    ("Berlin_0_256", 1),
    ("den312d", 1),
    ("brc202d", 1),
    ("random512-10-0", 1),
    ("maze512-32-0", 32),
];

/// Answers all queries once; returns the expansions.
type Way<'a> = Box<dyn FnMut(&[Query]) -> u64 + 'a>;

pub fn table() -> Option<String> {
    let heading = vec![
        "map",
        "queries",
        "A*, expansions",
        "µs",
        "jump points, expansions",
        "µs",
        "times as fast",
        "landmarks, expansions",
        "µs",
        "times as fast",
        "both, expansions",
        "µs",
        "times as fast",
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

fn row(name: &str, map: &GridMap, queries: &[Query]) -> Vec<String> {
    let (jumps, jumps_time) = cpu_time(|| JumpPoints::new(map).expect("memory"));
    let route = map.route_to(queries[0].goal);
    let (landmarks, landmarks_time) =
        cpu_time(|| Landmarks::of(&route).count(16).build().expect("lengths fit"));
    println!(
        "{name}: jump points are made in {:.1} ms, landmarks in {:.2} s",
        jumps_time.as_secs_f64() * 1e3,
        landmarks_time.as_secs_f64()
    );
    let mut ways: Vec<Way<'_>> = vec![
        plain(map),
        jump_points(&jumps),
        with_landmarks(map, &landmarks),
        jump_points_with_landmarks(&jumps, &landmarks),
    ];
    let mut expanded = vec![0; ways.len()];
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..ROUNDS {
        for (place, answer) in ways.iter_mut().enumerate() {
            let (count, time) = cpu_time(|| answer(queries));
            expanded[place] = count;
            times[place].push(time.as_secs_f64());
        }
    }
    let mut row = vec![name.to_owned(), queries.len().to_string()];
    let plain = median(&times[0]);
    for (place, times) in times.iter().enumerate() {
        let (time, count) = (median(times), queries.len());
        row.push(thousands(expanded[place] / count as u64));
        #[expect(clippy::cast_precision_loss, reason = "there are a few thousand queries")]
        row.push(format!("{:.1}", time / count as f64 * 1e6));
        if place > 0 {
            row.push(format!("{:.2}", plain / time));
        }
    }
    println!("{}", row.join(" | "));
    row
}

/// Compares a length with that of the scenario.
fn check(query: &Query, length: Option<Length>) {
    let length = length.expect("there is a path").to_f64();
    let (start, goal) = (query.start, query.goal);
    assert!((length - query.length).abs() <= WITHIN, "from {start} to {goal}: {length}");
}

fn plain(map: &GridMap) -> Way<'_> {
    let anywhere = Cell::new(0, 0);
    let mut search = AStar::new(map.route_to(anywhere)).dense().search(anywhere);
    Box::new(move |queries| {
        let mut expanded = 0;
        for query in queries {
            search.restart_with(map.route_to(query.goal), query.start);
            let report = search.run().expect("lengths fit");
            check(query, report.cost());
            expanded += report.stats.expanded;
        }
        expanded
    })
}

/// The paths by single steps are made as well.
fn jump_points<'a>(jumps: &'a JumpPoints<'a>) -> Way<'a> {
    let anywhere = Cell::new(0, 0);
    let start = JumpPoint::start(anywhere);
    let mut search = AStar::new(jumps.route_to(anywhere)).dense().search(start);
    Box::new(move |queries| {
        let mut expanded = 0;
        for query in queries {
            let route = jumps.route_to(query.goal);
            search.restart_with(route, JumpPoint::start(query.start));
            let report = search.run().expect("lengths fit");
            let path = report.path().map(|path| route.cell_path(path).expect("lengths fit"));
            check(query, path.map(|path| path.cost()));
            expanded += report.stats.expanded;
        }
        expanded
    })
}

fn with_landmarks<'a>(map: &'a GridMap, landmarks: &'a Landmarks<Length>) -> Way<'a> {
    let anywhere = Cell::new(0, 0);
    let problem = move |goal| landmarks.to(map.route_to(goal)).expect("they are of this map");
    let mut search = AStar::new(problem(anywhere)).dense().search(anywhere);
    Box::new(move |queries| {
        let mut expanded = 0;
        for query in queries {
            let problem = problem(query.goal).best(6, &query.start);
            search.restart_with(problem, query.start);
            let report = search.run().expect("lengths fit");
            check(query, report.cost());
            expanded += report.stats.expanded;
        }
        expanded
    })
}

fn jump_points_with_landmarks<'a>(
    jumps: &'a JumpPoints<'a>,
    landmarks: &'a Landmarks<Length>,
) -> Way<'a> {
    let anywhere = Cell::new(0, 0);
    let start = JumpPoint::start(anywhere);
    let problem = move |query: Option<&Query>| {
        let (start, goal) = query.map_or((anywhere, anywhere), |query| (query.start, query.goal));
        let plain = landmarks.to(jumps.map().route_to(goal)).expect("they are of this map");
        let plain = plain.best(6, &start);
        WithHeuristic::new(jumps.route_to(goal), move |point: &JumpPoint| {
            plain.heuristic(&point.cell())
        })
    };
    let mut search = AStar::new(problem(None)).dense().search(start);
    Box::new(move |queries| {
        let mut expanded = 0;
        for query in queries {
            search.restart_with(problem(Some(query)), JumpPoint::start(query.start));
            let report = search.run().expect("lengths fit");
            check(query, report.cost());
            expanded += report.stats.expanded;
        }
        expanded
    })
}
