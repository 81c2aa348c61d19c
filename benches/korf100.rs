//! Korf's hundred random 15-puzzles by IDA* with the Manhattan distance.
//!
//! ```text
//! cargo bench --bench korf100                    all hundred
//! cargo bench --bench korf100 -- --first 10      the first ten
//! cargo bench --bench korf100 -- --easiest 10    the ten with the fewest nodes
//! cargo bench --bench korf100 -- --easiest 40 --skip 30    the last ten of the forty easiest
//! cargo bench --bench korf100 -- --handwritten   code written by hand beside it
//! cargo bench --bench korf100 -- --markdown      puts the table into BENCHMARKS.md
//! cargo bench --bench korf100 --features parallel -- --threads 2              on two threads
//! cargo bench --bench korf100 --features parallel -- --threads 2 --speedup    beside one thread
//! ```
//!
//! Nodes are all states generated, those beyond the bound too, and the root once; they must be those of
//! the data file, which two independent programs computed. Seconds are processor time (with several
//! threads, time on the wall).

use std::time::{Duration, Instant};

use bestfirst::IdaStar;
use bestfirst::problems::sliding_tiles::{Board, SlidingTiles, Tracked};

use support::median::median;
use support::{clock, data, page};

mod handwritten {
    pub mod tiles;
    pub mod tiles_ida;
}
mod support {
    pub mod clock;
    pub mod data;
    pub mod median;
    pub mod page;
}

fn main() {
    let (mut first, mut easiest, mut skip, mut threads) = (100, false, 0, 1);
    let (mut is_bench, mut with_handwritten, mut speedup, mut markdown) =
        (false, false, false, false);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|word| word.parse::<usize>().ok());
        match word.as_str() {
            "--bench" => is_bench = true,
            "--handwritten" => with_handwritten = true,
            "--speedup" => speedup = true,
            "--markdown" => markdown = true,
            "--quick" => (first, easiest) = (10, true),
            "--threads" => threads = number().unwrap_or_else(|| usage()).max(1),
            "--skip" => skip = number().unwrap_or_else(|| usage()),
            "--first" => first = number().unwrap_or_else(|| usage()),
            "--easiest" => (first, easiest) = (number().unwrap_or_else(|| usage()), true),
            _ => usage(),
        }
    }
    if !is_bench {
        println!("a benchmark: run it by `cargo bench --bench korf100`");
        return;
    }
    let Some(mut instances) = data::korf() else { return };
    if easiest {
        instances.sort_by_key(|instance| instance.nodes);
    }
    instances.truncate(first);
    instances.drain(..skip.min(first));
    if speedup {
        return compare(&instances, threads.max(2), markdown);
    }
    solve_all(&instances, threads, with_handwritten, markdown);
}

fn usage() -> ! {
    eprintln!(
        "options: --first N, --easiest N, --skip N, --quick, --threads N, --speedup, --handwritten, --markdown"
    );
    std::process::exit(2);
}

fn solve_all(instances: &[data::Korf], threads: usize, with_handwritten: bool, markdown: bool) {
    let puzzle = SlidingTiles::<Tracked>::new(4, 4).expect("16 cells fit");
    let mut rows = Vec::new();
    let (mut nodes, mut ours) = (0, Duration::ZERO);
    let (mut by_tables, mut unrolled) = (Duration::ZERO, Duration::ZERO);
    println!(
        "instance  length          nodes    seconds   M nodes/s{}",
        if with_handwritten { "  / tables  / unrolled" } else { "" }
    );
    for instance in instances {
        let (solved, time) = timed(threads, || solve(&puzzle, instance, threads));
        assert_eq!(solved, (instance.optimal, instance.nodes), "instance {}", instance.number);
        nodes += instance.nodes;
        ours += time;
        let mut row =
            row(&instance.number.to_string(), Some(instance.optimal), instance.nodes, time);
        if with_handwritten {
            use handwritten::tiles_ida::{solve, solve_by_tables};
            for (total, by_hand) in [
                (&mut by_tables, solve_by_tables as fn(&_) -> _),
                (&mut unrolled, solve as fn(&_) -> _),
            ] {
                let (found, by_hand_time) = clock::cpu_time(|| by_hand(&instance.tiles));
                let found: handwritten::tiles_ida::Found = found;
                assert_eq!((found.length, found.nodes), (instance.optimal, instance.nodes));
                assert_eq!(found.path.len(), usize::from(instance.optimal));
                *total += by_hand_time;
                row.push(format!("{:.2}", time.as_secs_f64() / by_hand_time.as_secs_f64()));
            }
        }
        print(&row);
        rows.push(row);
    }
    let mut total = row("all", None, nodes, ours);
    if with_handwritten {
        total.push(format!("{:.2}", ours.as_secs_f64() / by_tables.as_secs_f64()));
        total.push(format!("{:.2}", ours.as_secs_f64() / unrolled.as_secs_f64()));
    }
    print(&total);
    let summary = format!(
        "{} instances, {} nodes, {:.1} seconds, {:.1} million nodes a second, {threads} thread(s)",
        instances.len(),
        page::thousands(nodes),
        ours.as_secs_f64(),
        rate(nodes, ours),
    );
    println!("{summary}");
    if markdown {
        rows.push(total);
        let mut heading = vec!["instance", "length", "nodes", "seconds", "million nodes/s"];
        if with_handwritten {
            heading.extend(["time by that of tables", "time by that of unrolled"]);
        }
        let table = page::Table { heading, rows };
        let head = page::circumstances("korf100");
        page::publish("korf100", &format!("{head}\n\n{summary}.\n\n{}", table.markdown()));
    }
}

/// One thread and several take turns, on each instance seven times; what counts is the median of the
/// ratios, of which each is between neighbours in time. The ratio of processor time says what the
/// threads cost, whatever else the machine does.
fn compare(instances: &[data::Korf], threads: usize, markdown: bool) {
    const ROUNDS: usize = 7;
    let puzzle = SlidingTiles::<Tracked>::new(4, 4).expect("16 cells fit");
    let heading = vec!["instance", "nodes", "seconds on one", "times as fast", "processor time"];
    let mut rows = Vec::new();
    let (mut all_speedups, mut all_costs) = (Vec::new(), Vec::new());
    for instance in instances {
        let (mut seconds, mut speedups, mut costs) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let [(wall, cpu), (wall_of_all, cpu_of_all)] = [1, threads].map(|threads| {
                let began = Instant::now();
                let (solved, cpu) = clock::cpu_time(|| solve(&puzzle, instance, threads));
                let wall = began.elapsed();
                let expected = (instance.optimal, instance.nodes);
                assert_eq!(solved, expected, "instance {}", instance.number);
                (wall.as_secs_f64(), cpu.as_secs_f64())
            });
            seconds.push(wall);
            speedups.push(wall / wall_of_all);
            costs.push(cpu_of_all / cpu);
        }
        all_speedups.extend(&speedups);
        all_costs.extend(&costs);
        let row = vec![
            instance.number.to_string(),
            page::thousands(instance.nodes),
            format!("{:.3}", median(&seconds)),
            format!("{:.2}", median(&speedups)),
            format!("{:.3}", median(&costs)),
        ];
        println!("{}", row.join("  "));
        rows.push(row);
    }
    all_speedups.sort_by(f64::total_cmp);
    let summary = format!(
        "{threads} threads: {:.2} times as fast as one (median of {}; a quarter of them {:.2} or more), for {:.3} of \
         the processor time",
        median(&all_speedups),
        all_speedups.len(),
        all_speedups[all_speedups.len() * 3 / 4],
        median(&all_costs),
    );
    println!("{summary}");
    if markdown {
        let head = page::circumstances("korf100 --features parallel");
        let table = page::Table { heading, rows }.markdown();
        page::publish("korf100-threads", &format!("{head}\n\n{summary}.\n\n{table}"));
    }
}

/// The length of a shortest solution, and the nodes.
fn solve(puzzle: &SlidingTiles<Tracked>, instance: &data::Korf, threads: usize) -> (u16, u64) {
    let board = Board::new(4, 4, &instance.tiles).expect("it is a board");
    let start = puzzle.state(&board).expect("it is 4×4");
    let search = IdaStar::new(puzzle).in_place();
    #[cfg(feature = "parallel")]
    let search = search.threads(threads);
    #[cfg(not(feature = "parallel"))]
    assert_eq!(threads, 1, "for several threads, bench with --features parallel");
    let report = search.search(start).run().expect("the length fits");
    let length =
        report.cost().unwrap_or_else(|| panic!("instance {} is solvable", instance.number));
    (length, report.stats.generated + 1)
}

/// Processor time of one thread, or time on the wall of several.
fn timed<R>(threads: usize, work: impl FnOnce() -> R) -> (R, Duration) {
    if threads == 1 {
        return clock::cpu_time(work);
    }
    let began = Instant::now();
    let result = work();
    (result, began.elapsed())
}

fn row(name: &str, length: Option<u16>, nodes: u64, time: Duration) -> Vec<String> {
    vec![
        name.to_owned(),
        length.map_or_else(String::new, |length| length.to_string()),
        page::thousands(nodes),
        format!("{:.3}", time.as_secs_f64()),
        format!("{:.1}", rate(nodes, time)),
    ]
}

fn print(row: &[String]) {
    let widths = [8, 6, 14, 10, 11, 8, 10];
    let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}"));
    println!("{}", cells.collect::<Vec<_>>().join("  ").trim_end());
}

/// Millions of nodes in a second.
fn rate(nodes: u64, time: Duration) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2⁵²")]
    let nodes = nodes as f64;
    nodes / time.as_secs_f64() / 1e6
}
