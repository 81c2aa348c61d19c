//! The cost of this library for a small program: the time to compile it, its size, the crates that it depends on, and
//! the amount of generated code.
//!
//! ```text
//! cargo bench --bench consumer                          everything; times of three cold builds each
//! cargo bench --bench consumer -- --rounds 1            of one cold build each
//! cargo bench --bench consumer -- --against CHECKOUT    the same of another version as well
//! cargo bench --bench consumer -- --counts              without times, which depend on what else runs
//! cargo bench --bench consumer -- --check               the counts of this crate; fails where they are above the record
//! cargo bench --bench consumer -- --markdown            puts the times into BENCHMARKS.md; with `--counts`, the record
//! cargo bench --bench consumer -- --busy                times also where others use the machine
//! ```
//!
//! Each program is a separate crate with the default settings of cargo, and all but two find the same
//! path through the same yard. It is built with its dependencies from an empty target folder, and again
//! after a touch of `main.rs`. Times are processor times; the crates take turns. Sizes are those of release builds without
//! symbols, minus that of a program that prints a number. Lines of LLVM are those in the bodies of the functions that
//! the compiler passes to LLVM for the program itself, in a release build, before LLVM optimises them. There `--check` also counts
//! the places that call the closures of `main`.

use std::process::ExitCode;

use consumers::build::{Consumer, Counts, EMPTY};
use support::load::Watch;
use support::median::median;
use support::page;

mod consumers {
    pub mod build;
}
mod support {
    pub mod load;
    pub mod median;
    pub mod page;
}

/// The percentage by which a count may exceed the record.
const TOLERANCE: u64 = 2;

#[derive(Clone, Copy, PartialEq)]
enum Only {
    Counts,
    /// The counts of this crate, which are compared with the record.
    Check,
}

#[derive(Default)]
struct Options {
    is_bench: bool,
    is_busy: bool,
    markdown: bool,
    /// The selected measurements, if not all.
    only: Option<Only>,
    rounds: Option<usize>,
    against: Option<String>,
}

fn main() -> ExitCode {
    let options = options();
    if !options.is_bench {
        println!("a benchmark: run it by `cargo bench --bench consumer`");
        return ExitCode::SUCCESS;
    }
    if options.only == Some(Only::Check) {
        return check();
    }
    let mut consumers = Consumer::ours();
    consumers.extend(Consumer::rivals());
    if let Some(path) = &options.against {
        consumers.extend(Consumer::of_checkout(path));
    }
    if options.only.is_none() {
        let watch = Watch::begin(options.is_busy);
        for _ in 0..options.rounds.unwrap_or(3) {
            consumers.iter_mut().for_each(Consumer::time);
        }
        let table = times(&consumers).markdown();
        println!("{table}");
        if options.markdown {
            let circumstances = page::circumstances("consumer");
            page::publish("consumer", &format!("{circumstances}; {}\n\n{table}", watch.note()));
        }
    }
    let table = counts(&count(&consumers)).markdown();
    println!("{table}");
    // A record is made on purpose only: what is checked may be a little above it.
    if options.markdown && options.only == Some(Only::Counts) {
        let circumstances = page::circumstances("consumer");
        page::publish("consumer-counts", &format!("{circumstances}\n\n{table}"));
    }
    ExitCode::SUCCESS
}

fn options() -> Options {
    let mut options = Options::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bench" => options.is_bench = true,
            "--markdown" => options.markdown = true,
            "--busy" => options.is_busy = true,
            "--counts" => options.only = Some(Only::Counts),
            "--check" => options.only = Some(Only::Check),
            "--rounds" => options.rounds = words.next().and_then(|word| word.parse().ok()),
            "--against" => options.against = words.next(),
            unknown => {
                eprintln!(
                    "unknown option {unknown}; known: --rounds N --against CHECKOUT --counts --check --markdown --busy"
                );
                std::process::exit(2);
            }
        }
    }
    options
}

/// Counts the programs, each with its name; sizes are those above the first, which is empty.
fn count(consumers: &[Consumer]) -> Vec<(&'static str, Counts)> {
    let mut counted: Vec<_> =
        consumers.iter().map(|consumer| (consumer.name, consumer.count())).collect();
    let empty = counted[0].1.bytes;
    for (_, counts) in &mut counted {
        counts.bytes = counts.bytes.saturating_sub(empty);
    }
    counted
}

/// Compares the counts of this crate with the record.
fn check() -> ExitCode {
    let compiler = page::compiler();
    let recorded = page::read("consumer-counts");
    if !recorded.contains(&format!(", {compiler}, ")) {
        println!("skipped: the record in BENCHMARKS.md is not of {compiler}");
        return ExitCode::SUCCESS;
    }
    let mut code = ExitCode::SUCCESS;
    for (name, counts) in count(&Consumer::of_default_features()) {
        let prefix = format!("| {name} |");
        let Some(row) = recorded.lines().find_map(|line| line.strip_prefix(prefix.as_str())) else {
            println!("{name}: not in the record");
            code = ExitCode::FAILURE;
            continue;
        };
        let record = row.split('|').map(|field| field.trim().replace(',', "").parse::<u64>());
        for ((what, now), record) in counts.named().into_iter().zip(record) {
            let most = record.map_or(0, |record| record + record * TOLERANCE / 100);
            let verdict = if now > most { "TOO MUCH" } else { "ok" };
            println!("{verdict}: {name}: {what} {now}, at most {most}");
            if now > most {
                code = ExitCode::FAILURE;
            }
        }
        // The compiler inlines a closure into a hot loop only where that is the one place that calls it. None: the names of
        // functions are other ones now, and nothing would be seen.
        let sites = u64::from(name != EMPTY);
        let verdict = if counts.sites == sites { "ok" } else { "WRONG" };
        println!(
            "{verdict}: {name}: places that call one closure {}, expected {sites}",
            counts.sites
        );
        if counts.sites != sites {
            code = ExitCode::FAILURE;
        }
    }
    code
}

fn times(consumers: &[Consumer]) -> page::Table {
    let heading = vec![
        "program",
        "release, s",
        "debug, s",
        "release after a touch, s",
        "debug after a touch, s",
    ];
    let row = |consumer: &Consumer| {
        let times = consumer.seconds.iter().map(|times| format!("{:.2}", median(times)));
        std::iter::once(consumer.name.to_owned()).chain(times).collect()
    };
    page::Table { heading, rows: consumers.iter().map(row).collect() }
}

fn counts(counted: &[(&'static str, Counts)]) -> page::Table {
    let names = counted[0].1.named().map(|(what, _)| what);
    let heading = std::iter::once("program").chain(names).collect();
    let row = |&(name, counts): &(&'static str, Counts)| {
        let numbers = counts.named().map(|(_, number)| page::thousands(number));
        std::iter::once(name.to_owned()).chain(numbers).collect()
    };
    page::Table { heading, rows: counted.iter().map(row).collect() }
}
