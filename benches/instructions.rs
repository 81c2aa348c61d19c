//! A guard: how many instructions a few small searches take. The count hardly depends on what else the
//! machine does, so it shows a loop that grew slower where a clock would not.
//!
//! ```text
//! cargo bench --bench instructions                  fails where a count grew by more than a twentieth
//! cargo bench --bench instructions -- --markdown    records the counts of today in BENCHMARKS.md
//! ```
//!
//! Each count is compared with the record in BENCHMARKS.md, which is valid for the compiler named
//! there. This needs `valgrind` and `gungraun-runner` in the version of the library:
//! `cargo install gungraun-runner --version 0.20.0`.

use std::fmt::Write as _;
use std::process::{Command, ExitCode};

use support::page;

mod support {
    pub mod page;
}

/// The version of the library, and so of its runner.
const RUNNER: &str = "0.20.0";

/// The percentage by which a count may exceed the record.
const TOLERANCE: u64 = 5;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |option: &str| words.iter().any(|word| word == option);
    if has("--gungraun-run") {
        counted::start(); // under valgrind
        return ExitCode::SUCCESS;
    }
    if !has("--bench") {
        println!("a benchmark: run it by `cargo bench --bench instructions`");
        return ExitCode::SUCCESS;
    }
    let is_there = |program: &str, version: &str| {
        let output = Command::new(program).arg("--version").output();
        output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(version))
    };
    if !is_there("valgrind", "") || !is_there("gungraun-runner", RUNNER) {
        println!("skipped: valgrind and gungraun-runner {RUNNER} are needed to count instructions");
        return ExitCode::SUCCESS;
    }
    if has("--markdown") {
        return record();
    }
    if has("--quick") {
        println!("it is quick as it is");
        return ExitCode::SUCCESS;
    }
    counted::start();
    ExitCode::SUCCESS
}

/// The record in BENCHMARKS.md for a case: `None` while there is none, or while a new one is made.
fn recorded(case: &str) -> Option<u64> {
    if std::env::var_os(RECORDING).is_some() {
        return None;
    }
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../BENCHMARKS.md")).ok()?;
    let line = page.lines().find(|line| line.starts_with(&format!("| {case} |")))?;
    line.split('|').nth(2)?.replace(',', "").trim().parse().ok()
}

/// Set while a new record is made.
const RECORDING: &str = "BESTFIRST_RECORDS_INSTRUCTIONS";

/// Counts in a separate process, reads the counts from its output, and writes them down.
fn record() -> ExitCode {
    let program = std::env::current_exe().expect("this program has a path");
    let output = Command::new(program)
        .args(["--bench", "--output-format=json"])
        .env(RECORDING, "1")
        .output()
        .expect("this program can be run once more");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut rows = Vec::new();
    for line in text.lines() {
        let Ok(summary) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let case = summary["id"].as_str().unwrap_or("unnamed").to_owned();
        match count_in(&summary) {
            Some(count) => rows.push(vec![case, page::thousands(count)]),
            None => eprintln!("{case}: no count in {summary}"),
        }
    }
    if rows.is_empty() || !output.status.success() {
        eprint!("{text}{}", String::from_utf8_lossy(&output.stderr));
        return ExitCode::FAILURE;
    }
    let mut text = page::circumstances("instructions");
    let table = page::Table { heading: vec!["case", "instructions"], rows };
    let _ = write!(text, "\n\n{}", table.markdown());
    page::publish("instructions", &text);
    ExitCode::SUCCESS
}

/// The instructions read ("Ir") of this run.
fn count_in(summary: &serde_json::Value) -> Option<u64> {
    summary["profiles"][0]["data"]["total"]["metrics"]["Ir"]["values"]["new"].as_u64()
}

mod counted {
    use std::hint::black_box;

    use bestfirst::problems::amphipod::{Burrow, Reduced};
    use bestfirst::problems::crucible::{Crucible, HeatMap, LossBound};
    use bestfirst::problems::grid_map::{Cell, GridMap};
    use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles, TileState, Tracked};
    use bestfirst::{AStar, Dijkstra, IdaStar};
    use gungraun::prelude::*;
    use gungraun::{Callgrind, EventKind};

    /// A search that is ready to run; how it ends.
    type Ready = Box<dyn FnOnce() -> u64>;

    /// Number 79 of Korf's hundred, one of the easiest.
    const BOARD: &str = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15";

    fn tiles<S: TileState>() -> (SlidingTiles<S>, S) {
        let puzzle = SlidingTiles::new(4, 4).expect("16 cells fit");
        let board: Board = BOARD.parse().expect("it is a board");
        let start = puzzle.state(&board).expect("it is 4×4");
        (puzzle, start)
    }

    fn crucible() -> Crucible {
        let map = HeatMap::random(100, 100, 17).expect("it is not too large");
        Crucible::new(&map, 1..=3).expect("min is not above max").bound(LossBound::Manhattan)
    }

    fn tiles_astar() -> Ready {
        let (puzzle, start) = tiles::<Packed>();
        Box::new(move || AStar::new(&puzzle).search(start).run().map_or(0, |r| r.stats.expanded))
    }

    fn tiles_idastar() -> Ready {
        let (puzzle, start) = tiles::<Tracked>();
        Box::new(move || {
            let report = IdaStar::new(&puzzle).in_place().search(start).run();
            report.map_or(0, |report| report.stats.expanded)
        })
    }

    fn tiles_idastar_by_buffers() -> Ready {
        let (puzzle, start) = tiles::<Tracked>();
        Box::new(move || IdaStar::new(&puzzle).search(start).run().map_or(0, |r| r.stats.expanded))
    }

    fn crucible_hashed() -> Ready {
        let crucible = crucible();
        let start = crucible.start();
        Box::new(move || {
            Dijkstra::new(&crucible).search(start).run().map_or(0, |r| r.stats.expanded)
        })
    }

    fn crucible_dense() -> Ready {
        let crucible = crucible();
        let start = crucible.start();
        Box::new(move || {
            Dijkstra::new(&crucible).dense().search(start).run().map_or(0, |r| r.stats.expanded)
        })
    }

    fn crucible_astar_dense() -> Ready {
        let crucible = crucible();
        let start = crucible.start();
        Box::new(move || {
            AStar::new(&crucible).dense().search(start).run().map_or(0, |r| r.stats.expanded)
        })
    }

    /// Costs that do not fit buckets: the queue is a heap.
    fn grid_dense() -> Ready {
        let map = GridMap::new(120, 120, |cell| {
            (u32::from(cell.x) * 7919 + u32::from(cell.y) * 104_729) % 11 > 2
                || (cell.x.min(cell.y) < 2)
        });
        let map = map.expect("it fits into memory");
        Box::new(move || {
            let route = map.route_to(Cell::new(119, 1));
            let mut search = AStar::new(route).dense().search(Cell::new(1, 119));
            search.run().map_or(0, |report| report.stats.expanded)
        })
    }

    fn amphipod() -> Ready {
        let burrow = Burrow::example().unfolded().expect("it has four rooms");
        let problem: Reduced = Reduced::new(&burrow).expect("four rooms of four fit");
        Box::new(move || {
            let report = AStar::new(&problem).search_from([problem.start()]).run();
            report.map_or(0, |report| report.stats.expanded)
        })
    }

    /// The largest allowed number of instructions, if the case has a record.
    fn limited(case: &str) -> LibraryBenchmarkConfig {
        let mut callgrind = Callgrind::default();
        if let Some(record) = super::recorded(case) {
            let most = record + record * super::TOLERANCE / 100;
            callgrind.hard_limits([(EventKind::Ir, most)]);
        }
        let mut config = LibraryBenchmarkConfig::default();
        config.tool(callgrind);
        config
    }

    #[library_benchmark]
    #[bench::amphipod(config = limited("amphipod"), setup = amphipod)]
    #[bench::crucible_hashed(config = limited("crucible_hashed"), setup = crucible_hashed)]
    #[bench::crucible_dense(config = limited("crucible_dense"), setup = crucible_dense)]
    #[bench::crucible_astar_dense(config = limited("crucible_astar_dense"), setup = crucible_astar_dense)]
    #[bench::grid_dense(config = limited("grid_dense"), setup = grid_dense)]
    #[bench::tiles_astar(config = limited("tiles_astar"), setup = tiles_astar)]
    #[bench::tiles_idastar(config = limited("tiles_idastar"), setup = tiles_idastar)]
    #[bench::tiles_idastar_by_buffers(config = limited("tiles_idastar_by_buffers"), setup = tiles_idastar_by_buffers)]
    fn search(ready: Ready) -> u64 {
        black_box(ready())
    }

    library_benchmark_group!(name = searches, benchmarks = search);

    gungraun::main!(library_benchmark_groups = searches);

    /// The items that the macro makes are private to this module.
    pub fn start() {
        main();
    }
}
