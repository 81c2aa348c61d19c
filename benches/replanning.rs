//! Replanning beside fresh searches: expansions, successors and time while cells on the path are blocked and freed.
//!
//! ```text
//! cargo bench --bench replanning                   every map, standing and walking
//! cargo bench --bench replanning -- --markdown     also puts the table into BENCHMARKS.md
//! ```
//!
//! In each of a thousand rounds, one in a hundred cells of the current path (at least one) is blocked; when many are, as many
//! are freed. A walker takes a step along its path before each round, and begins anew when it is at the goal. Both searches
//! are dense and keep their memory. Every cost is compared.

use std::time::Duration;

use bestfirst::problems::grid_map::{Cell, EightWay, FourWay, GridMap, GridRoute, Moves, Scenario};
use bestfirst::{AStar, Replanner};

use support::{data, page};

mod support {
    pub mod data;
    pub mod page;
}

const ROUNDS: usize = 1000;

/// The counts and the time of both.
#[derive(Clone, Copy, Default)]
struct Work {
    expanded: u64,
    generated: u64,
    time: Duration,
}

/// A small generator of random numbers, the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }
}

fn main() {
    if !std::env::args().any(|word| word == "--bench") {
        println!("a benchmark: run it by `cargo bench --bench replanning`");
        return;
    }
    let mut rows = Vec::new();
    let mut all = [Work::default(); 2];
    for (name, map, start, goal) in maps() {
        for walks in [false, true] {
            let four = measure::<FourWay>(&map, (start, goal), walks);
            let eight = measure::<EightWay>(&map, (start, goal), walks);
            for (moves, [ours, fresh]) in [("4", four), ("8", eight)] {
                for (sum, work) in all.iter_mut().zip([ours, fresh]) {
                    sum.expanded += work.expanded;
                    sum.generated += work.generated;
                    sum.time += work.time;
                }
                let start = if walks { "walks" } else { "stands" };
                rows.push(row(format!("{name}, {moves} neighbours, {start}"), ours, fresh));
                println!("{}", rows.last().expect("a row").join("  "));
            }
        }
    }
    rows.push(row("all".to_owned(), all[0], all[1]));
    let heading =
        vec!["map", "replanning: expanded", "A*: expanded", "expanded", "generated", "time"];
    let table = page::Table { heading, rows }.markdown();
    println!("\n{table}");
    if std::env::args().any(|word| word == "--markdown") {
        let head = page::circumstances("replanning").replace(" -- --markdown", "");
        let text =
            format!("{head}. The last three columns are ratios, replanning to A\\*:\n\n{table}");
        page::publish("replanning", &text);
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2⁵²")]
fn row(name: String, ours: Work, fresh: Work) -> Vec<String> {
    vec![
        name,
        page::thousands(ours.expanded),
        page::thousands(fresh.expanded),
        format!("{:.3}", ours.expanded as f64 / fresh.expanded as f64),
        format!("{:.3}", ours.generated as f64 / fresh.generated as f64),
        format!("{:.3}", ours.time.as_secs_f64() / fresh.time.as_secs_f64()),
    ]
}

/// Maps of games with the longest query of each, and fields with random obstacles.
fn maps() -> Vec<(String, GridMap, Cell, Cell)> {
    let mut maps = Vec::new();
    for name in ["arena", "den312d", "brc202d", "random512-10-0"] {
        let Some(map) = data::text(&format!("movingai/{name}.map")) else { continue };
        let Some(scenario) = data::text(&format!("movingai/{name}.map.scen")) else { continue };
        let scenario: Scenario = scenario.parse().expect("a scenario");
        let query = scenario.queries.last().expect("a query");
        maps.push((name.to_owned(), map.parse().expect("a map"), query.start, query.goal));
    }
    for percent in [0, 10, 20, 30] {
        let mut random = Random(percent as u64);
        let (start, goal) = (Cell::new(1, 1), Cell::new(198, 198));
        let is_free = |cell: Cell| cell == start || cell == goal || random.below(100) >= percent;
        let map = GridMap::new(200, 200, is_free).expect("it fits into memory");
        maps.push((format!("200×200, {percent} % blocked"), map, start, goal));
    }
    maps
}

/// The work of replanning, its first run included, and of A*.
fn measure<M: Moves>(map: &GridMap, (start, goal): (Cell, Cell), walks: bool) -> [Work; 2]
where
    GridRoute<GridMap, M>: Clone,
{
    let mut random = Random(7);
    let mut at = start;
    let mut blocked = Vec::new();
    let route = GridRoute::new(map.clone(), goal).by::<M>();
    let mut fresh = AStar::new(route.clone()).dense().search(at);
    let mut search = Replanner::new(route).consistent().dense().search(at);
    let mut work = [Work::default(); 2];
    let mut path = search.run().expect("costs fit").into_path();
    add(&mut work[0], search.stats(), search.elapsed());
    for _ in 0..ROUNDS {
        let cells = path.map_or(Vec::new(), |path| path.states().to_vec());
        if walks && cells.len() > 1 {
            at = if cells[1] == goal { start } else { cells[1] };
            search.moved_to(&at);
        }
        for _ in 0..(cells.len() / 100).max(1) {
            let frees = blocked.len() > 3 * (cells.len() / 100).max(1) || cells.len() < 3;
            let (cell, free) = if frees && !blocked.is_empty() {
                (blocked.swap_remove(random.below(blocked.len())), true)
            } else if cells.len() < 3 {
                continue;
            } else {
                (cells[1 + random.below(cells.len() - 2)], false)
            };
            if cell == at || cell == start || (!free && !search.problem().map().is_free(cell)) {
                continue;
            }
            if !free {
                blocked.push(cell);
            }
            for near in search.problem_mut().set_free(cell, free) {
                search.changed(&near);
            }
        }
        search.changed(&at);
        let report = search.run().expect("costs fit");
        add(&mut work[0], report.stats, search.elapsed());
        fresh.restart_with(search.problem().clone(), at);
        let expected = fresh.run().expect("costs fit");
        add(&mut work[1], expected.stats, fresh.elapsed());
        assert!(report.cost() == expected.cost(), "{:?} {:?}", report.cost(), expected.cost());
        path = report.into_path();
    }
    work
}

fn add(work: &mut Work, stats: bestfirst::Stats, time: Duration) {
    work.expanded += stats.expanded;
    work.generated += stats.generated;
    work.time += time;
}
