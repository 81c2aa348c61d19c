//! Problems as a user would first write them: own types of states, closures, lists; no ready problem, no
//! `.dense()`, no builder. The rivals are called as the first example of their documentation calls them,
//! with the same closures.

mod boards;
mod grids;
mod roads;

use bestfirst::Report;

use crate::support::contest::{Answer, Bench};

/// All cases.
pub fn cases(bench: &mut Bench) {
    grids::crucibles(bench);
    boards::tiles(bench);
    grids::arena(bench);
    grids::floats(bench);
    roads::new_york(bench);
}

/// What one search of ours found.
fn ours<S, A, C: bestfirst::Cost>(
    answer: &mut Answer,
    report: &Report<S, A, C>,
    cost: Option<u64>,
) {
    answer.add(cost, report.stats.expanded, report.stats.stored);
}
