//! Search on several processes beside one-thread A*, on Korf's 15-puzzles 25 and 1.
//!
//! ```text
//! cargo bench --bench distributed                  both, three times each, in turn
//! cargo bench --bench distributed -- --rounds 5    more often
//! cargo bench --bench distributed -- --board 25    one of them
//! cargo bench --bench distributed -- --markdown    puts the table into BENCHMARKS.md
//! cargo bench --bench distributed -- --busy        also where others use the machine
//! ```
//!
//! Every run is one separate process, or two, which communicate over 127.0.0.1. The time is that of the whole search,
//! including connecting and closing, measured by process 0; the memory is the largest resident peak of a process.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{AStar, Cluster, Distributed};
use support::load::Watch;
use support::{data, median, page};

#[allow(dead_code, reason = "other benches use the rest of it")]
mod support {
    pub mod data;
    pub mod load;
    pub mod median;
    pub mod page;
}

/// The kind of run and its number of processes.
const WAYS: [(&str, usize); 5] = [
    ("A*, one thread", 1),
    ("A*, two threads", 1),
    ("one worker", 1),
    ("two workers of one process", 1),
    ("two processes", 2),
];

/// The overhead of starting and ending, on a board that is solved at once.
const NOTHING: u32 = 0;

fn main() {
    let (mut is_bench, mut markdown, mut is_busy) = (false, false, false);
    let (mut rounds, mut boards) = (3, vec![NOTHING, 25, 1]);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number =
            || words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| usage());
        match word.as_str() {
            "--bench" => is_bench = true,
            "--markdown" => markdown = true,
            "--busy" => is_busy = true,
            "--rounds" => rounds = number(),
            "--board" => boards = vec![number()],
            "--child" => {
                let (way, board) = (number(), number());
                return child(way as usize, board, words.collect());
            }
            _ => usage(),
        }
    }
    if !is_bench {
        println!("a benchmark: run it by `cargo bench --bench distributed`");
        return;
    }
    let watch = Watch::begin(is_busy);
    let mut rows = Vec::new();
    for board in boards {
        if board != NOTHING && data::korf().is_none() {
            continue;
        }
        rows.extend(measure(board, rounds));
    }
    let heading = vec!["board", "way", "seconds", "A* / this", "expanded", "resident MB, each"];
    let table = page::Table { heading, rows };
    println!("{}", table.markdown());
    if markdown {
        let circumstances = page::circumstances("distributed");
        let text = format!("{circumstances}; {}\n\n{}", watch.note(), table.markdown());
        page::publish("distributed", &text);
    }
}

/// The measurements of one process.
#[derive(Clone, Copy)]
struct Sample {
    seconds: f64,
    expanded: u64,
    resident: f64,
}

/// The rows of a board: each way in turn, several times.
fn measure(board: u32, rounds: u32) -> Vec<Vec<String>> {
    let mut samples = WAYS.map(|_| Vec::new());
    for _ in 0..rounds {
        for (way, samples) in samples.iter_mut().enumerate() {
            samples.push(run(way, board));
        }
    }
    let seconds = samples.each_ref().map(|samples| {
        median::median(&samples.iter().map(|sample| sample.seconds).collect::<Vec<_>>())
    });
    let row = |way: usize| {
        let Sample { expanded, resident, .. } = samples[way][0];
        let name = if board == NOTHING { "two moves".to_owned() } else { format!("Korf {board}") };
        vec![
            name,
            WAYS[way].0.to_owned(),
            format!("{:.3}", seconds[way]),
            format!("{:.2}", seconds[0] / seconds[way]),
            expanded.to_string(),
            format!("{resident:.0}"),
        ]
    };
    (0..WAYS.len()).map(row).collect()
}

/// Runs the processes of a way; what the first of them measured, and the most memory of any.
fn run(way: usize, board: u32) -> Sample {
    let processes = WAYS[way].1;
    let ports: Vec<_> =
        (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let addresses: Vec<_> =
        ports.iter().map(|port| port.local_addr().expect("an address").to_string()).collect();
    drop(ports);
    let start = |process: usize| {
        let program = std::env::current_exe().expect("this program");
        let mut command = Command::new(program);
        command.args(["--child", &way.to_string(), &board.to_string(), &process.to_string()]);
        command.args(&addresses).stdout(Stdio::piped()).spawn().expect("a process")
    };
    // The first process measures; the others have started by then.
    let children: Vec<_> = (0..processes).rev().map(start).collect();
    let samples: Vec<_> = children.into_iter().map(sample_of).collect();
    let resident = samples.iter().map(|sample| sample.resident).fold(0.0, f64::max);
    Sample { resident, ..*samples.last().expect("one process at least") }
}

fn sample_of(child: Child) -> Sample {
    let output = child.wait_with_output().expect("its output");
    let text = String::from_utf8(output.stdout).expect("numbers");
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [seconds, expanded, resident] = numbers[..] else { panic!("a process failed: {text}") };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    Sample { seconds, expanded: expanded as u64, resident }
}

/// One process: searches, and prints the seconds, the expansions and the megabytes.
fn child(way: usize, board: u32, mut words: Vec<String>) {
    let process = words.remove(0).parse().expect("the number of the process");
    let puzzle = SlidingTiles::<Packed>::new(4, 4).expect("16 cells fit");
    let tiles = if board == NOTHING {
        [1, 5, 2, 3, 4, 0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    } else {
        let instances = data::korf().expect("the parent has looked");
        instances[board as usize - 1].tiles
    };
    let start = puzzle.state(&Board::new(4, 4, &tiles).expect("a board")).expect("it fits");
    let began = Instant::now();
    let report = match way {
        0 => AStar::new(&puzzle).search(start).run().expect("no fault"),
        1 => AStar::new(&puzzle).threads(2).search(start).run().expect("no fault"),
        _ => {
            let cluster = match way {
                2 => Cluster::threads(1),
                3 => Cluster::threads(2),
                _ => Cluster::processes_at(words, process, 1).expect("addresses"),
            };
            Distributed::new(&puzzle).cluster(cluster).run(start).expect("no fault")
        }
    };
    let seconds = began.elapsed().as_secs_f64();
    assert!(report.is_optimal());
    println!("{seconds} {} {}", report.stats.expanded, resident());
}

/// The most megabytes that this process had resident, where the system tells.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

fn usage() -> ! {
    eprintln!("options: --rounds N, --board N, --markdown, --busy");
    std::process::exit(2);
}
