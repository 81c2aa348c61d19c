//! A report in one line.

use std::fmt;

use super::{Outcome, Report};
use crate::cost::Cost;

/// In one line: why the search stopped, if it did; the cost of the path, what is proved of it, and its length; and the counts of
/// states. For all counts, print [`stats`](Report::stats); for the states, the [path](Report::path).
///
/// ```
/// use bestfirst::{AStar, FnProblem, Limits};
///
/// let line = FnProblem::new(|&n: &u32| [(n + 1, 2_u32)], |&n: &u32| 9 - n.min(9), |&n: &u32| n == 9);
/// let report = AStar::new(&line).search(0).run()?;
/// assert_eq!(report.to_string(), "cost 18 (optimal), length 9; 9 states expanded, 10 stored");
///
/// let report = AStar::new(&line).limits(Limits::new().expansions(4)).search(0).run()?;
/// assert_eq!(
///     report.to_string(),
///     "the limit on expansions is reached; no path so far (lower bound 13); 4 states expanded, 5 stored"
/// );
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
impl<S, A, C: Cost> fmt::Display for Report<S, A, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Outcome::Stopped(reason) = &self.outcome {
            write!(f, "{reason}; ")?;
        }
        let bound = self.lower_bound;
        match (self.path(), &self.outcome) {
            (Some(path), _) => {
                write!(f, "cost {:?} ", path.cost())?;
                if self.is_optimal() {
                    f.write_str("(optimal)")?;
                } else {
                    write!(f, "(lower bound {bound:?})")?;
                }
                write!(f, ", length {}", path.len())?;
            }
            (None, Outcome::Stopped(_)) => write!(f, "no path so far (lower bound {bound:?})")?,
            (None, _) => f.write_str("no path exists")?,
        }
        write!(f, "; {} states expanded, {} stored", self.stats.expanded, self.stats.stored)
    }
}
