//! Suboptimal engines: their time, the costs of their paths, and their proved bounds.
//!
//! ```text
//! cargo bench --bench suboptimal -- weighted           weighted A* on Korf's hundred 15-puzzles
//! cargo bench --bench suboptimal -- anytime            anytime A* and A* there, for a second each
//! cargo bench --bench suboptimal -- focal              focal search beside weighted A*, there and on a grid
//! cargo bench --bench suboptimal -- focal --first 20   the first twenty instances only
//! cargo bench --bench suboptimal -- focal --skip 20    the others; results are kept in target/suboptimal
//! cargo bench --bench suboptimal -- tables             puts tables of all results kept into BENCHMARKS.md
//! ```
//!
//! The heuristic is the Manhattan distance. Seconds are those inside of the searches.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use bestfirst::engine::Engine;
use bestfirst::problems::grid_map::{EightWay, GridMap, Scenario};
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{AStar, AnytimeAStar, Focal, Limits, ScalableCost, Search};

use support::{data, page};

mod support {
    pub mod data;
    pub mod page;
}

/// The weights that weighted A* is measured with.
const WEIGHTS: [f64; 5] = [1.2, 1.5, 2.0, 3.0, 5.0];

/// The times at which searches with a time limit are sampled, in milliseconds.
const MOMENTS: [u64; 4] = [10, 50, 200, 1000];

/// The weight of focal search and of weighted A* beside it.
const WEIGHT: f64 = 1.2;

/// No search may hold more bytes.
const MEMORY: usize = 6 << 30;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if !std::env::args().any(|word| word == "--bench") {
        println!("a benchmark: run it by `cargo bench --bench suboptimal`");
        return;
    }
    let number = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        Some(words.get(at + 1)?.parse().unwrap_or_else(|_| usage()))
    };
    let instances = number("--skip").unwrap_or(0)..number("--first").unwrap_or(100);
    match words.first().map(String::as_str) {
        Some("weighted") => weighted(instances),
        Some("anytime") => anytime(instances),
        Some("focal") => focal(instances),
        Some("tables") => tables(),
        _ => usage(),
    }
}

fn usage() -> ! {
    eprintln!("one of weighted, anytime, focal, tables; with --first N, --skip N");
    std::process::exit(2);
}

/// The state of one search at one moment.
struct Row {
    group: String,
    instance: String,
    optimum: f64,
    cost: Option<f64>,
    bound: f64,
    expanded: f64,
    seconds: f64,
}

impl Row {
    /// The line of the file that keeps it.
    fn line(&self) -> String {
        let Self { group, instance, optimum, cost, bound, expanded, seconds } = self;
        let cost = cost.map_or_else(String::new, |cost| cost.to_string());
        format!("{group},{instance},{optimum},{cost},{bound},{expanded},{seconds}")
    }

    fn read(line: &str) -> Option<Self> {
        let fields: Vec<_> = line.split(',').collect();
        let [group, instance, numbers @ ..] = fields.as_slice() else { return None };
        let number = |at: usize| numbers.get(at)?.parse::<f64>().ok();
        Some(Self {
            group: (*group).to_owned(),
            instance: (*instance).to_owned(),
            optimum: number(0)?,
            cost: number(1),
            bound: number(2)?,
            expanded: number(3)?,
            seconds: number(4)?,
        })
    }
}

/// Runs a search and says what came of it.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2⁵²")]
fn measure<E: Engine<Cost: ScalableCost>>(
    group: &str,
    (instance, optimum): (&str, f64),
    search: &mut Search<E>,
) -> Row {
    let report = search.run().expect("costs fit");
    let row = Row {
        group: group.to_owned(),
        instance: instance.to_owned(),
        optimum,
        cost: report.cost().map(ScalableCost::to_f64),
        bound: report.lower_bound.to_f64(),
        expanded: report.stats.expanded as f64,
        seconds: search.elapsed().as_secs_f64(),
    };
    assert!(row.bound <= optimum + 1e-3, "{} is proved, and {optimum} is enough", row.bound);
    assert!(row.cost.is_none_or(|cost| cost >= optimum - 1e-3));
    println!("{}", row.line());
    row
}

/// Korf's instances in that range, each with its name and its optimum.
fn korf(range: std::ops::Range<usize>) -> Vec<(String, f64, Packed)> {
    let puzzle = SlidingTiles::<Packed>::new(4, 4).expect("16 cells fit");
    let instances = data::korf().unwrap_or_default();
    let in_range = instances.get(range.start..range.end.min(instances.len())).unwrap_or_default();
    let start = |instance: &data::Korf| {
        let board = Board::new(4, 4, &instance.tiles).expect("it is a board");
        let start = puzzle.state(&board).expect("it is 4×4");
        (instance.number.to_string(), f64::from(instance.optimal), start)
    };
    in_range.iter().map(start).collect()
}

fn limits<C: bestfirst::Cost>() -> Limits<C> {
    Limits::new().memory(MEMORY)
}

fn weighted(range: std::ops::Range<usize>) {
    let puzzle = SlidingTiles::<Packed>::new(4, 4).expect("16 cells fit");
    let mut rows = Vec::new();
    for (name, optimum, start) in korf(range) {
        for weight in WEIGHTS {
            let search = AStar::new(&puzzle).weight(weight).limits(limits());
            let mut search = search.search(start);
            rows.push(measure(&weight.to_string(), (&name, optimum), &mut search));
        }
    }
    keep("weighted", rows);
}

fn anytime(range: std::ops::Range<usize>) {
    let puzzle = SlidingTiles::<Packed>::new(4, 4).expect("16 cells fit");
    let mut rows = Vec::new();
    for (name, optimum, start) in korf(range) {
        macro_rules! at_moments {
            ($($engine:literal: $builder:expr;)*) => {$({
                let mut search = $builder.search(start);
                for moment in MOMENTS {
                    search.set_limits(limits().time(Duration::from_millis(moment)));
                    let group = format!("{} @{moment:>4} ms", $engine);
                    rows.push(measure(&group, (&name, optimum), &mut search));
                }
            })*};
        }
        at_moments! {
            "A*": AStar::new(&puzzle);
            "anytime A*": AnytimeAStar::new(&puzzle);
            "anytime A* with the weight 2": AnytimeAStar::new(&puzzle).weight(2.0);
        }
    }
    keep("anytime", rows);
}

fn focal(range: std::ops::Range<usize>) {
    let puzzle = SlidingTiles::<Packed>::new(4, 4).expect("16 cells fit");
    let with_grid = range.start == 0;
    let mut rows = Vec::new();
    for (name, optimum, start) in korf(range) {
        let mut search = AStar::new(&puzzle).weight(WEIGHT).limits(limits()).search(start);
        rows.push(measure("15-puzzle: weighted A*", (&name, optimum), &mut search));
        let mut search = Focal::new(&puzzle, WEIGHT).limits(limits()).search(start);
        rows.push(measure("15-puzzle: focal", (&name, optimum), &mut search));
    }
    for map_name in ["brc202d", "maze512-32-0"].into_iter().filter(|_| with_grid) {
        let Some(map) = data::text(&format!("movingai/{map_name}.map")) else { continue };
        let Some(scenario) = data::text(&format!("movingai/{map_name}.map.scen")) else { continue };
        let map: GridMap = map.parse().expect("a map");
        let scenario: Scenario = scenario.parse().expect("a scenario");
        for (at, query) in scenario.queries.iter().enumerate().skip(9).step_by(40) {
            let (name, route) = (at.to_string(), map.route_by::<EightWay>(query.goal));
            // Lengths are fixed-point numbers; the optimum is that of A*.
            let optimum = AStar::new(route).dense().search(query.start).run().expect("costs fit");
            let optimum = optimum.lower_bound.to_f64();
            let mut search = AStar::new(route).weight(WEIGHT).dense().search(query.start);
            let group = format!("{map_name}: weighted A*");
            rows.push(measure(&group, (&name, optimum), &mut search));
            let mut search = Focal::new(route, WEIGHT).dense().search(query.start);
            rows.push(measure(&format!("{map_name}: focal"), (&name, optimum), &mut search));
        }
    }
    keep("focal", rows);
}

/// The file that keeps the results of a measurement.
fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/suboptimal");
    fs::create_dir_all(&folder).expect("a folder for the results");
    folder.join(format!("{name}.csv"))
}

fn read(name: &str) -> Vec<Row> {
    let text = fs::read_to_string(file(name)).unwrap_or_default();
    text.lines().filter_map(Row::read).collect()
}

/// Keeps results, and drops older ones of the same searches.
fn keep(name: &str, new: Vec<Row>) {
    let mut rows = read(name);
    rows.retain(|row| !new.iter().any(|it| it.group == row.group && it.instance == row.instance));
    rows.extend(new);
    let text = rows.iter().fold(String::new(), |mut text, row| {
        let _ = writeln!(text, "{}", row.line());
        text
    });
    fs::write(file(name), text).expect("the results can be written");
    println!("{}", table(&rows));
}

/// A table with a row for every group.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2⁵²")]
fn table(rows: &[Row]) -> String {
    let mut groups: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        groups.entry(&row.group).or_default().push(row);
    }
    let lines = groups.iter().map(|(group, rows)| {
        let solved: Vec<_> = rows.iter().filter_map(|row| Some((row, row.cost?))).collect();
        let of_solved = |number: &dyn Fn(&Row, f64) -> f64| {
            let sum: f64 = solved.iter().map(|&(row, cost)| number(row, cost)).sum();
            if solved.is_empty() {
                "–".to_owned()
            } else {
                format!("{:.3}", sum / solved.len() as f64)
            }
        };
        let mean = |number: &dyn Fn(&Row) -> f64| {
            rows.iter().map(|row| number(row)).sum::<f64>() / rows.len() as f64
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a mean count")]
        let expanded = mean(&|row| row.expanded).round() as u64;
        vec![
            (*group).to_owned(),
            rows.len().to_string(),
            solved.len().to_string(),
            page::thousands(expanded),
            of_solved(&|row, cost| cost / row.optimum),
            of_solved(&|row, cost| cost / row.bound),
            format!("{:.3}", mean(&|row| row.bound / row.optimum)),
            format!("{:.3}", mean(&|row| row.seconds)),
        ]
    });
    let heading = vec![
        "search",
        "instances",
        "with a path",
        "expanded",
        "cost / optimum",
        "proven factor",
        "bound / optimum",
        "seconds",
    ];
    page::Table { heading, rows: lines.collect() }.markdown()
}

fn tables() {
    for name in ["weighted", "anytime", "focal"] {
        let rows = read(name);
        if !rows.is_empty() {
            let head =
                page::circumstances("suboptimal").replace("-- tables", &format!("-- {name}"));
            page::publish(
                &format!("suboptimal-{name}"),
                &format!("{head}. Means:\n\n{}", table(&rows)),
            );
        }
    }
}
