//! Best-first search on shards, by one thread and by several, beside the same search without shards.
//!
//! ```text
//! cargo bench --bench scale --features parallel                              Korf 1, 2 and 25, crucible
//! cargo bench --bench scale --features parallel -- --korf 1 --samples 5      one of Korf's instances
//! cargo bench --bench scale --features parallel -- --markdown                puts the table into BENCHMARKS.md
//! cargo bench --bench scale --features parallel -- --busy                    also where others use the machine
//! ```
//!
//! Medians of runs that take turns. The machine must be idle: another program on a processor is seen as a thread that
//! gains nothing.

use std::time::Instant;

use bestfirst::problems::crucible::{Crucible, HeatMap};
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{AStar, Dijkstra, Report};

use support::load::Watch;
use support::{data, median, page};

mod support {
    pub mod data;
    pub mod load;
    pub mod median;
    pub mod page;
}

fn main() {
    let (mut is_bench, mut markdown, mut is_busy) = (false, false, false);
    let (mut samples, mut korf) = (3, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let number = |word: Option<String>| -> usize {
            word.and_then(|word| word.parse().ok()).unwrap_or_else(|| fail("a number must follow"))
        };
        match word.as_str() {
            "--bench" => is_bench = true,
            "--markdown" => markdown = true,
            "--busy" => is_busy = true,
            "--samples" => samples = number(words.next()).max(1),
            "--korf" => korf.push(number(words.next())),
            unknown => fail(&format!(
                "unknown option {unknown}; known: --samples N, --korf N, --markdown, --busy"
            )),
        }
    }
    if !is_bench {
        println!("a benchmark: run it by `cargo bench --bench scale --features parallel`");
        return;
    }
    let watch = Watch::begin(is_busy);
    let has_chosen = !korf.is_empty();
    let korf = if has_chosen { korf } else { vec![1, 2, 25] };
    let mut rows: Vec<_> = korf.into_iter().filter_map(|number| tiles(number, samples)).collect();
    if !has_chosen {
        rows.push(crucible(samples));
    }
    let heading = vec![
        "problem",
        "without, s",
        "threads(1)",
        "threads(2)",
        "gain, 1",
        "gain, 2",
        "expanded, without",
        "on shards",
    ];
    let table = page::Table { heading, rows }.markdown();
    let circumstances = page::circumstances("scale");
    println!("{circumstances}\n\n{table}");
    if markdown {
        page::publish("scale", &format!("{circumstances}; {}\n\n{table}", watch.note()));
    }
}

fn fail(fault: &str) -> ! {
    eprintln!("{fault}");
    std::process::exit(2);
}

/// A row of the table: runs that take turns.
fn row<S, A, C>(
    name: String,
    samples: usize,
    mut run: impl FnMut(usize) -> Report<S, A, C>,
) -> Vec<String> {
    let mut times = [const { Vec::new() }; 3];
    let mut expanded = [0; 3];
    for _ in 0..samples {
        for (threads, times) in times.iter_mut().enumerate() {
            let began = Instant::now();
            let report = run(threads);
            times.push(began.elapsed().as_secs_f64());
            expanded[threads] = report.stats.expanded;
        }
    }
    assert_eq!(expanded[1], expanded[2], "{name}");
    let [without, one, two] = times.map(|times| median::median(&times));
    vec![
        name,
        format!("{without:.2}"),
        format!("{one:.2}"),
        format!("{two:.2}"),
        format!("{:.2}", without / one),
        format!("{:.2}", without / two),
        page::thousands(expanded[0]),
        page::thousands(expanded[1]),
    ]
}

fn tiles(number: usize, samples: usize) -> Option<Vec<String>> {
    let korf = data::korf()?;
    let instance = korf.get(number.checked_sub(1)?)?;
    let puzzle = SlidingTiles::<Packed>::new(4, 4).expect("it fits");
    let tiles: Vec<_> = instance.tiles.iter().map(u8::to_string).collect();
    let board: Board = tiles.join(" ").parse().expect("a board");
    let start = puzzle.state(&board).expect("a board of that size");
    let name = format!("A*, 15-puzzle, Korf {number}");
    Some(row(name, samples, |threads| {
        let search = AStar::new(&puzzle);
        let report = match threads {
            0 => search.search(start).run(),
            _ => search.threads(threads).search(start).run(),
        };
        let report = report.expect("costs are sound");
        assert_eq!(report.cost(), Some(instance.optimal));
        report
    }))
}

fn crucible(samples: usize) -> Vec<String> {
    let map = HeatMap::random(2000, 2000, 7).expect("it fits");
    let crucible = Crucible::new(&map, 1..=3).expect("it fits");
    let start = crucible.start();
    row("Dijkstra, crucible, 2000 × 2000, hashed".to_owned(), samples, |threads| {
        let search = Dijkstra::new(&crucible);
        let report = match threads {
            0 => search.search(start).run(),
            _ => search.threads(threads).search(start).run(),
        };
        report.expect("costs are sound")
    })
}
