//! Search on disk on Korf's 15-puzzles, beside A* with a table.
//!
//! ```text
//! cargo bench --bench disk                                       Korf 25 and 2: in 60 MB, in 2 GB, and A*
//! cargo bench --bench disk -- --memory 500 79 12 42              these, in 500 MB
//! cargo bench --bench disk -- --memory 500 --easiest 100         all, the ones with the fewest nodes first
//! cargo bench --bench disk -- --astar 25 2 1                     A* beside it
//! cargo bench --bench disk --features parallel -- --threads 2    on two threads
//! ```
//!
//! Resident memory is the peak of the process, if the system reports it (Linux). To measure one search, name one
//! instance and one budget, without A*: `cargo bench --bench disk -- --memory 60 25`.
//!
//! Files are in the temporary folder of the system (`TMPDIR`). Every length must be that of the data file; with A*, the
//! expansions before the last layer must be equal. Seconds are wall-clock time.

use std::time::{Duration, Instant};

use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{AStar, ExternalAStar, Stats};

use support::data;

mod support {
    pub mod data;
}

struct Options {
    /// In millions of bytes.
    memory: Vec<usize>,
    threads: usize,
    astar: bool,
    easiest: usize,
    numbers: Vec<u32>,
}

fn main() {
    let Some(mut instances) = data::korf() else { return };
    let options = options();
    if options.easiest > 0 {
        instances.sort_by_key(|instance| instance.nodes);
        instances.truncate(options.easiest);
    } else {
        instances.retain(|instance| options.numbers.contains(&instance.number));
    }
    let puzzle = SlidingTiles::<Packed>::new(4, 4).expect("16 cells fit");
    for instance in instances {
        let board = Board::new(4, 4, &instance.tiles).expect("it is a board");
        let start = puzzle.state(&board).expect("it is 4×4");
        let mut before = None;
        if options.astar {
            let began = Instant::now();
            let report = AStar::new(&puzzle).search(start).run().expect("the length fits");
            print(instance.number, "A*", began.elapsed(), &report.stats);
            before = Some(report.stats.expanded_before_last_layer);
        }
        for &memory in &options.memory {
            let builder = ExternalAStar::new(&puzzle).memory(memory * 1_000_000);
            #[cfg(feature = "parallel")]
            let builder = builder.threads(options.threads);
            #[cfg(not(feature = "parallel"))]
            assert_eq!(options.threads, 1, "for several threads, bench with --features parallel");
            let mut search = builder.search(start);
            let began = Instant::now();
            let report = search.run().expect("the length fits, and files can be used");
            let name = format!("{memory} MB");
            print(instance.number, &name, began.elapsed(), &report.stats);
            assert_eq!(report.cost(), Some(instance.optimal), "instance {}", instance.number);
            let found = report.stats.expanded_before_last_layer;
            assert!(before.is_none_or(|before| before == found), "as A*: {before:?}, {found}");
        }
    }
}

fn options() -> Options {
    let mut options =
        Options { memory: Vec::new(), threads: 1, astar: false, easiest: 0, numbers: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number =
            || arguments.next().and_then(|value| value.parse().ok()).unwrap_or_else(|| usage());
        match &argument[..] {
            "--bench" => {}
            "--memory" => options.memory.push(number()),
            "--threads" => options.threads = number(),
            "--easiest" => options.easiest = number(),
            "--astar" => options.astar = true,
            other => options.numbers.push(other.parse().unwrap_or_else(|_| usage())),
        }
    }
    if options.numbers.is_empty() && options.easiest == 0 {
        (options.numbers, options.astar) = (vec![2, 25], true);
    }
    if options.memory.is_empty() {
        options.memory = vec![60, 2000];
    }
    options
}

fn usage() -> ! {
    eprintln!("options: --memory MB, --threads N, --easiest N, --astar, and numbers of instances");
    std::process::exit(2);
}

fn print(number: u32, name: &str, time: Duration, stats: &Stats) {
    println!(
        "{number:>3}  {name:>8}  {:>9.3} s  {:>5} ns an expansion  {:>12} expanded  {:>12} before the last layer  {:>6} MB at most{}",
        time.as_secs_f64(),
        time.as_nanos() / u128::from(stats.expanded.max(1)),
        stats.expanded,
        stats.expanded_before_last_layer,
        stats.peak_bytes / 1_000_000,
        resident().map_or(String::new(), |bytes| format!("  {:>6} MB resident", bytes / 1_000_000)),
    );
}

/// The most bytes that the process was resident with.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
