//! Code of the user that panics, wherever it is called.

use bestfirst::{Limits, SearchError};

use crate::case::Case;
use crate::findings::Findings;
use crate::judge::{Answer, Verdict, ensure};
use crate::list::{Entry, Kind, list};
use crate::stop::Stop;
use crate::watch::{Label, watched};
use support::engines::BoxedSearch;
use support::panics;
use support::random::{Graph, rounds};

use crate::{fuse, nodes};

/// This many expansions end a search that would go on for ever.
const MOST: u64 = 300;

/// What a search says after a panic: that it cannot go on, or what it would have said.
fn panic_at(case: &Case<u8>, entry: &Entry<u8>, nth: i64, expected: &Answer<u8>) -> Verdict {
    let label = Label { engine: entry.name(), test: "panics", seed: case.graph.seed };
    let stop = Stop::expansions(MOST);
    let run = |search: &mut BoxedSearch<'_, Case<u8>>| watched(&label, stop, None, || search.run());
    let mut search = entry.search(case, Limits::new().expansions(MOST));
    let starts = [case.starts(), case.starts()];
    fuse::set(nth);
    let has_panicked = panics::panics(|| drop(run(&mut search)));
    fuse::set(0);
    let again = but_bytes(run(&mut search));
    let is_true = again == Err(SearchError::Panicked) || again == *expected;
    let is_true = is_true || entry.kind == Kind::Racing;
    ensure!(is_true, "after a panic ({has_panicked}): {again:?}, not {expected:?}");
    let [starts, others] = starts;
    search.restart_from(starts);
    let again = but_bytes(run(&mut search));
    ensure!(
        again == *expected || entry.kind == Kind::Racing,
        "not as new after a panic: {again:?}"
    );
    // In the middle of a restart, and of the end.
    fuse::set(nth / 2 + 1);
    panics::panics(|| search.restart_from(others));
    fuse::set(0);
    search.restart_from(case.starts());
    let again = but_bytes(run(&mut search));
    ensure!(again == *expected || entry.kind == Kind::Racing, "not as new: {again:?}");
    fuse::set(nth);
    panics::panics(|| drop(search));
    fuse::set(0);
    Ok(())
}

/// The answer without a panic, and how many calls of the user's code it takes.
fn in_peace(case: &Case<u8>, entry: &Entry<u8>) -> (Answer<u8>, i64) {
    const MANY: i64 = 1 << 40;
    fuse::set(MANY);
    let mut search = entry.search(case, Limits::new().expansions(MOST));
    let answer = but_bytes(search.run());
    drop(search);
    (answer, MANY - fuse::set(0))
}

fn but_bytes(mut answer: Answer<u8>) -> Answer<u8> {
    if let Ok(report) = &mut answer {
        report.stats.peak_bytes = 0;
    }
    answer
}

#[test]
fn panics_anywhere() {
    let list = list::<u8>();
    let mut findings = Findings::new(list.len() as u64);
    for seed in 40_000..40_000 + rounds(32) {
        let case = Case::<u8>::random(seed, nodes(seed));
        findings.problems += 1;
        for entry in list.iter().filter(|entry| entry.takes(&case)) {
            findings.trials += 1;
            let mut random = entry.random(seed);
            let (expected, calls) = in_peace(&case, entry);
            let tries = if entry.is_slow { 4 } else { 20 };
            for _ in 0..tries {
                let nth = 1 + i64::try_from(random.below(calls.unsigned_abs().max(1)))
                    .expect("few calls");
                let what = || format!("call {nth} of {calls}");
                findings
                    .attempt(entry.name(), seed, what, || panic_at(&case, entry, nth, &expected));
                fuse::set(0);
            }
        }
    }
    findings.conclude("panics");
}

/// A search whose report panicked had lost its solution, and said that there is none.
#[test]
fn a_panic_in_the_report_is_no_proof() {
    let edges: &[&[(usize, u64)]] = &[&[(1, 1)], &[]];
    let mut findings = Findings::default();
    for goal in 0..2 {
        let case = Case::<u8>::without_heuristic(Graph::of_edges(edges, &[goal], (0, 0)));
        for entry in &list() {
            let (expected, calls) = in_peace(&case, entry);
            for nth in 1..=calls {
                findings.attempt(
                    entry.name(),
                    0,
                    || format!("call {nth} of {calls}"),
                    || panic_at(&case, entry, nth, &expected),
                );
                fuse::set(0);
            }
        }
    }
    findings.conclude_few("panics");
}
