//! What was found wrong: each kind of fault of each engine once, so that one run shows them all.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::judge::Verdict;
use crate::watch::{runs, say};

#[derive(Debug, Default)]
pub struct Findings {
    faults: BTreeMap<(&'static str, String), (u64, String)>,
    pub engines: u64,
    pub problems: u64,
    pub trials: u64,
    /// Searches that had stops.
    pub limits: u64,
}

impl Findings {
    pub fn new(engines: u64) -> Self {
        Self { engines, ..Self::default() }
    }

    /// Tries something with an engine, on the problem of this seed. `what` says what, if it fails.
    pub fn attempt(
        &mut self,
        engine: &'static str,
        seed: u64,
        what: impl FnOnce() -> String,
        attempt: impl FnOnce() -> Verdict,
    ) {
        self.limits += 1;
        let verdict = catch_unwind(AssertUnwindSafe(attempt)).unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
            Err(format!("a panic: {}", text.unwrap_or_default()))
        });
        let Err(fault) = verdict else { return };
        let kind = fault.split(':').next().unwrap_or_default().to_string();
        let first = || (0, format!("seed {seed}, {}: {fault}", what()));
        self.faults.entry((engine, kind)).or_insert_with(first).0 += 1;
    }

    /// Adds those of another thread.
    pub fn merge(&mut self, other: Self) {
        for (key, (count, first)) in other.faults {
            self.faults.entry(key).or_insert((0, first)).0 += count;
        }
        self.engines = self.engines.max(other.engines);
        self.problems += other.problems;
        self.trials += other.trials;
        self.limits += other.limits;
    }

    /// Prints the counts, and fails if there were faults, or too few trials.
    pub fn conclude(self, test: &str) {
        let Self { engines, problems, trials, limits, .. } = self;
        say(&format!(
            "{test}: {engines} engines × {problems} problems = {trials} pairs, {limits} searches with limits or faults; \
             {} runs up to now",
            runs()
        ));
        self.conclude_few(test);
        assert!(std::env::var("BESTFIRST_ENGINE").is_ok() || trials > 100, "only {trials} pairs");
    }

    /// Fails if there were faults.
    pub fn conclude_few(self, test: &str) {
        for ((engine, kind), (count, first)) in &self.faults {
            say(&format!("{test}: {engine}: {kind} ({count} times), first: {first}"));
        }
        assert!(self.faults.is_empty(), "{} kinds of faults, above", self.faults.len());
    }
}
