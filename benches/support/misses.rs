//! Counts of cache misses.

use std::process::{Command, Stdio};

/// Who counts.
#[derive(Clone, Copy)]
pub enum Counter {
    /// The processor, where the system lets it.
    Hardware,
    /// Valgrind, which simulates caches of a fixed size. Prefetches count as misses, too.
    Cachegrind,
}

/// A first level of 32 KiB, and a second of 2 MiB, after which comes memory.
const CACHES: [&str; 3] = ["--I1=32768,8,64", "--D1=32768,8,64", "--LL=2097152,16,64"];

impl Counter {
    /// The first that works; says in one line if none does.
    pub fn first() -> Option<Self> {
        let works = |counter: &Self| counter.count(&["--version"], "true").is_some();
        let counter = [Self::Hardware, Self::Cachegrind].into_iter().find(works);
        if counter.is_none() {
            println!(
                "skipped: neither hardware counters (perf) nor valgrind are there to count misses"
            );
        }
        counter
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hardware => "hardware counters (`perf stat -e cache-misses`)",
            Self::Cachegrind => "cachegrind, of a cache of 2 MiB",
        }
    }

    /// The misses of a run of a program.
    pub fn count(self, arguments: &[&str], program: &str) -> Option<u64> {
        let mut command = match self {
            Self::Hardware => {
                let mut command = Command::new("perf");
                command.args(["stat", "-x", ",", "-e", "cache-misses:u", "--"]);
                command
            }
            Self::Cachegrind => {
                let mut command = Command::new("valgrind");
                command.args([
                    "--tool=cachegrind",
                    "--cache-sim=yes",
                    "--cachegrind-out-file=/dev/null",
                ]);
                command.args(CACHES);
                command
            }
        };
        let output = command.arg(program).args(arguments).stdout(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stderr).ok()?;
        let number = |text: &str| text.trim().replace(',', "").parse().ok();
        text.lines().find_map(|line| match self {
            Self::Hardware => number(line.split_once(",,cache-misses")?.0),
            Self::Cachegrind => number(line.split_once("LLd misses:")?.1.split_once('(')?.0),
        })
    }
}
