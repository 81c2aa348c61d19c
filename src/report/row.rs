//! [`ReportRow`]: a report as one row of a table.

use super::{Outcome, Report, Stats};
use crate::cost::Cost;

/// A [`Report`] as one row of a table: what experiments write to a file of comma-separated values.
///
/// Made by [`Report::row`]. With the feature `serde` it can be serialized: all fields are numbers or words, those of the counts
/// included.
///
/// ```
/// use bestfirst::{FnProblem, Limits};
///
/// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |&n: &u32| 9 - n.min(9), |&n: &u32| n == 9);
/// let row = bestfirst::AStar::new(&line).search(0).run()?.row();
/// assert_eq!((row.outcome, row.stopped, row.cost, row.steps), ("found", None, Some(9), Some(9)));
///
/// let limits = Limits::new().expansions(4);
/// let row = bestfirst::AStar::new(&line).limits(limits).search(0).run()?.row();
/// assert_eq!((row.outcome, row.stopped, row.cost), ("stopped", Some("expansions"), None));
/// assert_eq!((row.lower_bound, row.stats.expanded), (9, 4));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReportRow<C> {
    /// How the search ended: `found`, `exhausted` or `stopped`.
    pub outcome: &'static str,
    /// Why it was stopped, in one word.
    pub stopped: Option<&'static str>,
    /// The cost of the path.
    pub cost: Option<C>,
    /// The number of steps of the path.
    pub steps: Option<usize>,
    /// See [`Report::lower_bound`].
    pub lower_bound: C,
    /// The number of [layers](Report::layers).
    pub layers: usize,
    /// The counts.
    pub stats: Stats,
}

impl<C> ReportRow<C> {
    /// The names of the fields in order, those of the counts last: the header of a table.
    pub const COLUMNS: [&'static str; 16] = [
        "outcome",
        "stopped",
        "cost",
        "steps",
        "lower_bound",
        "layers",
        "expanded",
        "generated",
        "duplicates",
        "reopened",
        "dead_ends",
        "evaluated",
        "stored",
        "peak_frontier",
        "peak_bytes",
        "expanded_before_last_layer",
    ];
}

impl<S, A, C: Cost> Report<S, A, C> {
    /// Returns the report as one row of a table: without the path itself and with the number of layers.
    ///
    /// The example `research` writes such rows, those of layers, and certificates.
    #[must_use]
    pub fn row(&self) -> ReportRow<C> {
        let (outcome, stopped) = match self.outcome {
            Outcome::Found(_) => ("found", None),
            Outcome::Exhausted => ("exhausted", None),
            Outcome::Stopped(reason) => ("stopped", Some(reason.word())),
        };
        ReportRow {
            outcome,
            stopped,
            cost: self.cost(),
            steps: self.path().map(crate::Path::len),
            lower_bound: self.lower_bound,
            layers: self.layers.len(),
            stats: self.stats,
        }
    }
}
