//! Every engine on small random problems, stopped at every byte, at every expansion, at every cost, and in any order of
//! these; on problems that lie, costs that are none, and code that panics. It ends, what it says is true, and it goes on
//! as if it had not been disturbed.
//!
//! All engines are in one list (`list.rs`), those on threads, on disk and in processes among them. The problems (`case.rs`) are
//! everything that an engine may ask for. The answers are compared with Bellman and Ford in wide numbers, and with those of
//! the search that was not disturbed. A run that does not end is cancelled by a watchdog (`watch.rs`), and if it does not
//! end then, the process ends with its name.
//!
//! A fault is shown with the engine and the seed. `BESTFIRST_ENGINE` chooses engines by a part of their names, or by `!` and a
//! part of those to leave out; `BESTFIRST_SEEDS` (`FIRST..END`) chooses the seeds of the long form:
//! `cargo test --release --all-features --test harness -- --ignored`.

#[cfg(feature = "distributed")]
mod afresh;
mod case;
mod findings;
mod fragile;
mod fronts;
mod fuse;
mod judge;
mod known;
mod lies;
mod list;
mod odd;
mod retracing;
mod several;
mod stop;
mod time;
mod trial;
mod watch;

use std::collections::BTreeSet;
use std::ops::Range;

use case::Case;
use findings::Findings;
use list::{Entry, Kind, list};
use support::random::{Random, rounds};
use trial::Trial;

/// The long form of several tests.
const LONG: &str = "a_million_problems";

/// Calls `attempts` with each engine on each problem of these seeds, and what is to be tried of them. Outside of the long form,
/// engines whose every run starts all of timely take one problem in five, of each size.
fn each(
    test: &'static str,
    seeds: Range<u64>,
    nodes: impl Fn(u64) -> usize,
    attempts: impl Fn(&mut Findings, &Trial<'_, u8>, &mut Random),
) -> Findings {
    let list = list::<u8>();
    let mut findings = Findings::new(list.len() as u64);
    for seed in seeds {
        let case = Case::<u8>::random(seed, nodes(seed));
        findings.problems += 1;
        let is_full = test == LONG || seed % 5 == 0;
        for entry in list.iter().filter(|entry| is_full || entry.kind != Kind::Afresh) {
            let mut random = entry.random(seed);
            each_of(test, &mut findings, &case, entry, |findings, trial| {
                attempts(findings, trial, &mut random);
            });
        }
    }
    findings
}

fn each_of(
    test: &'static str,
    findings: &mut Findings,
    case: &Case<u8>,
    entry: &Entry<u8>,
    attempts: impl FnOnce(&mut Findings, &Trial<'_, u8>),
) {
    // Depth-first search of a larger graph may take for ever.
    if !entry.engine.remembers() && case.steps.len() > 10 {
        return;
    }
    let mut trial = None;
    let (name, seed) = (entry.name(), case.graph.seed);
    findings.attempt(
        name,
        seed,
        || "undisturbed".into(),
        || {
            trial = Trial::new(case, entry, test)?;
            Ok(())
        },
    );
    if let Some(trial) = &trial {
        findings.trials += 1;
        attempts(findings, trial);
    }
}

/// Small problems, some larger.
fn nodes(seed: u64) -> usize {
    if seed % 8 == 7 { 30 } else { 2 + (seed % 9) as usize }
}

/// Every limit on memory from none to what the search needs, in steps of four bytes, the least that an entry of a list
/// takes. Where these are more than `most_runs`, in equal steps from a random one.
fn memory(findings: &mut Findings, trial: &Trial<'_, u8>, random: &mut Random, most_runs: usize) {
    let end = trial.peak + 64;
    let most_runs = if trial.entry.is_slow { most_runs / 8 } else { most_runs };
    let step = (end / most_runs).max(4);
    for bytes in (random.index(step)..end).step_by(step) {
        let what = || format!("memory {bytes}");
        findings
            .attempt(trial.label.engine, trial.label.seed, what, || trial.stop_for_memory(bytes));
    }
}

#[test]
fn every_byte() {
    let findings = each("every_byte", 0..rounds(11), nodes, |findings, trial, random| {
        let is_dense = trial.label.seed < rounds(2) && !trial.entry.is_slow;
        memory(findings, trial, random, if is_dense { usize::MAX } else { 300 });
    });
    findings.conclude("every byte");
}

fn expansions(findings: &mut Findings, trial: &Trial<'_, u8>) {
    let (engine, seed) = (trial.label.engine, trial.label.seed);
    let step = if trial.entry.is_slow { 5 } else { 1 };
    let step = step.max(trial.expanded / 100);
    for most in (seed % step..=trial.expanded + 1).step_by(usize::try_from(step).unwrap_or(1)) {
        let what = || format!("expansions {most}");
        findings.attempt(engine, seed, what, || trial.stop_at_expansion(most));
    }
    if trial.expanded < 200 && !trial.entry.is_slow {
        findings.attempt(
            engine,
            seed,
            || "all expansions".into(),
            || trial.stop_at_all_expansions(),
        );
    }
}

#[test]
fn every_expansion() {
    let findings =
        each("every_expansion", 1_000..1_000 + rounds(80), nodes, |findings, trial, _| {
            expansions(findings, trial);
        });
    findings.conclude("every expansion");
}

/// Limits on the cost: every *g* and *f* that a state of the problem may have, and those around them.
fn costs(findings: &mut Findings, trial: &Trial<'_, u8>) {
    let case = trial.case;
    let mut costs = BTreeSet::from([0, 1, 127, 254, 255]);
    let of_nodes = case.graph.costs();
    for (node, cost) in of_nodes.iter().enumerate() {
        let Some(g) = cost.and_then(|cost| u8::try_from(cost).ok()) else { continue };
        let f = g.saturating_add(case.h[node]);
        costs.extend([g, f, g.saturating_sub(1), f.saturating_sub(1)].map(u64::from));
    }
    for most in costs {
        let what = || format!("cost {most}");
        let (engine, seed) = (trial.label.engine, trial.label.seed);
        findings.attempt(engine, seed, what, || trial.stop_at_cost(most));
    }
}

#[test]
fn every_cost() {
    let findings = each("every_cost", 2_000..2_000 + rounds(60), nodes, |findings, trial, _| {
        costs(findings, trial);
    });
    findings.conclude("every cost");
}

fn anything(findings: &mut Findings, trial: &Trial<'_, u8>, random: &mut Random) {
    let (engine, seed) = (trial.label.engine, trial.label.seed);
    let tries = if trial.entry.is_slow { 1 } else { 4 };
    for nth in 0..tries {
        let what = || format!("random stops, number {nth}");
        findings.attempt(engine, seed, what, || trial.stop_at_random(random));
    }
}

#[test]
fn stops_in_any_order() {
    let findings = each("stops_in_any_order", 10_000..10_000 + rounds(400), nodes, anything);
    findings.conclude("stops in any order");
}

/// As all of the above, on a million problems, in as many threads as there are processors.
#[test]
#[ignore = "takes hours: cargo test --release --all-features --test harness -- --ignored; or BESTFIRST_SEEDS=0..10000"]
fn a_million_problems() {
    let seeds = std::env::var("BESTFIRST_SEEDS").unwrap_or_else(|_| "0..1000000".into());
    let (first, end) = seeds.split_once("..").expect("FIRST..END");
    let (first, end): (u64, u64) = (first.parse().unwrap(), end.parse().unwrap());
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let share = (end - first).div_ceil(threads);
    let findings = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|nth| first + nth * share..end.min(first + (nth + 1) * share))
            .map(|seeds| {
                scope.spawn(|| {
                    each(LONG, seeds, nodes, |findings, trial, random| {
                        anything(findings, trial, random);
                        match trial.label.seed % 16 {
                            0 => memory(findings, trial, random, 40),
                            1 => expansions(findings, trial),
                            2 => costs(findings, trial),
                            _ => {}
                        }
                    })
                })
            })
            .collect();
        workers.into_iter().fold(Findings::default(), |mut all, worker| {
            all.merge(worker.join().expect("faults are caught"));
            all
        })
    });
    findings.conclude("a million problems");
}
