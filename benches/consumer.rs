//! What a small program pays for this library: its size, and the time to compile it.
//!
//! ```text
//! cargo bench --bench consumer                          sizes, and times of three cold builds each
//! cargo bench --bench consumer -- --against CHECKOUT    the same of another version as well
//! cargo bench --bench consumer -- --rounds 1            one cold build each
//! cargo bench --bench consumer -- --markdown            puts the table into BENCHMARKS.md
//! ```
//!
//! Each program is a crate of its own, with the settings that cargo gives to a new crate. It is built from an empty target
//! folder, with all that it depends on. Sizes are of release builds without symbols, above that of a program that
//! prints a number. Times are processor time; the crates take turns.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::median::median;
use support::page;

mod support {
    pub mod median;
    pub mod page;
}

/// A crate that is built.
struct Consumer {
    name: &'static str,
    dependency: String,
    program: &'static str,
    bytes: u64,
    /// Seconds to build it for debugging, and as a release.
    seconds: [Vec<f64>; 2],
}

const EMPTY: &str = r#"fn main() {
    println!("{:?}", Some(std::env::args().count()));
}
"#;

const OURS: &str = r#"use bestfirst::{FnProblem, dijkstra};

fn main() {
    let goal = 100 * std::env::args().count() as u32;
    let problem = FnProblem::new(
        |&n: &u32| [(n + 1, 1_u32), (n * 2, 3)],
        |_: &u32| 0,
        move |&n: &u32| n == goal,
    );
    let report = dijkstra(&problem, 1).unwrap();
    println!("{:?}", report.cost());
}
"#;

const RIVAL: &str = r#"use pathfinding::prelude::dijkstra;

fn main() {
    let goal = 100 * std::env::args().count() as u32;
    let found = dijkstra(&1_u32, |&n| [(n + 1, 1_u32), (n * 2, 3)], |&n| n == goal);
    println!("{:?}", found.map(|(_, cost)| cost));
}
"#;

fn main() {
    let (mut is_bench, mut markdown, mut rounds, mut against) = (false, false, 3, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bench" => is_bench = true,
            "--markdown" => markdown = true,
            "--rounds" => rounds = words.next().and_then(|word| word.parse().ok()).unwrap_or(3),
            "--against" => against = words.next(),
            unknown => {
                eprintln!(
                    "unknown option {unknown}; known: --against CHECKOUT --rounds N --markdown"
                );
                std::process::exit(2);
            }
        }
    }
    if !is_bench {
        println!("a benchmark: run it by `cargo bench --bench consumer`");
        return;
    }
    let at = |path: &str| format!("bestfirst = {{ path = \"{path}\" }}");
    let mut consumers = vec![
        Consumer::new("empty", String::new(), EMPTY),
        Consumer::new("bestfirst", at(concat!(env!("CARGO_MANIFEST_DIR"), "/..")), OURS),
        Consumer::new("pathfinding", "pathfinding = \"4.16\"".to_owned(), RIVAL),
    ];
    if let Some(path) = against {
        let path = fs::canonicalize(&path).unwrap_or_else(|fault| panic!("{path}: {fault}"));
        consumers.push(Consumer::new("other version", at(&path.display().to_string()), OURS));
    }
    for _ in 0..rounds {
        consumers.iter_mut().for_each(Consumer::build);
    }
    let table = table(&consumers).markdown();
    println!("{table}");
    if markdown {
        page::publish("consumer", &format!("{}\n\n{table}", page::circumstances("consumer")));
    }
}

impl Consumer {
    /// Writes the crate.
    fn new(name: &'static str, dependency: String, program: &'static str) -> Self {
        let consumer =
            Self { name, dependency, program, bytes: 0, seconds: [Vec::new(), Vec::new()] };
        let folder = consumer.folder();
        let dependency = &consumer.dependency;
        let manifest = format!(
            "[package]\nname = \"consumer\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependency}\n\n[workspace]\n",
        );
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
        let written = fs::create_dir_all(folder.join("src"))
            .and_then(|()| fs::write(folder.join("Cargo.toml"), manifest))
            .and_then(|()| fs::write(folder.join("src/main.rs"), consumer.program))
            // The same versions of what both depend on.
            .and_then(|()| fs::copy(lock, folder.join("Cargo.lock")));
        written.unwrap_or_else(|fault| panic!("{}: {fault}", folder.display()));
        consumer
    }

    fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("consumers").join(self.name.replace(' ', "-"))
    }

    /// Builds it from nothing, for debugging and as a release.
    fn build(&mut self) {
        let folder = self.folder();
        let target = folder.join("target");
        for (arguments, seconds) in
            [&["build"][..], &["build", "--release"]].into_iter().zip(&mut self.seconds)
        {
            let _ = fs::remove_dir_all(&target);
            let before = time_of_children();
            let output = Command::new(env!("CARGO"))
                .args(arguments)
                .current_dir(&folder)
                .env("CARGO_TARGET_DIR", &target)
                .output()
                .unwrap_or_else(|fault| panic!("cargo: {fault}"));
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {errors}", self.name);
            seconds.push(time_of_children() - before);
        }
        let program = target.join("release/consumer");
        let stripped = target.join("stripped");
        let status = Command::new("strip").arg("-o").args([&stripped, &program]).status();
        assert!(status.is_ok_and(|status| status.success()), "`strip` is needed");
        self.bytes = fs::metadata(&stripped).map_or(0, |data| data.len());
        let _ = fs::remove_dir_all(&target);
    }
}

/// The processor time, in seconds, of all processes that this one has started and that have ended.
fn time_of_children() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, may hold anything.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    // In hundredths of a second.
    fields.skip(13).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn table(consumers: &[Consumer]) -> page::Table {
    let row = |consumer: &Consumer| {
        let above = consumer.bytes.saturating_sub(consumers[0].bytes);
        let [debug, release] = consumer.seconds.each_ref().map(|times| median(times));
        vec![
            consumer.name.to_owned(),
            page::thousands(consumer.bytes),
            page::thousands(above),
            format!("{debug:.1}"),
            format!("{release:.1}"),
        ]
    };
    let heading = vec!["program", "bytes", "above empty", "seconds, debug", "seconds, release"];
    page::Table { heading, rows: consumers.iter().map(row).collect() }
}
