//! The proof of a lower bound, as a file that an independent program can check.
//!
//! Anybody can replay a path ([`Path::verify`](crate::Path::verify)), but not verify that no path costs less. A
//! certificate proves that no solution costs less than a bound, or that there is none.
//! [`Search::certificate`](crate::Search::certificate) makes it from the closed states of a search,
//! [`Certificate::write`] writes it, and [`check()`] reads and checks it. The checker has 150 lines, shares no code
//! with the engines, and does not search.
//!
//! ```
//! use bestfirst::certificate::{self, Claim, Level};
//! use bestfirst::problems::amphipod::{Burrow, Reduced};
//! use bestfirst::AStar;
//!
//! let problem: Reduced = Reduced::new(&Burrow::example())?;
//! let mut search = AStar::new(&problem).search_from([problem.start()]);
//! let path = search.run()?.into_path().expect("there is a solution");
//! let mut file = Vec::new();
//! search.certificate(&problem, [problem.start()], Level::Admissible)?.write(&mut file)?;
//!
//! // Elsewhere, with the path, the file and the rules of the puzzle:
//! path.verify(&problem)?;
//! let proved = certificate::check(&problem, [problem.start()], file.as_slice())?;
//! assert_eq!(proved.claim, Claim::AtLeast(path.cost())); // the path is a cheapest one
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The proof
//!
//! A certificate is a list of states, each with a label *d*, and a bound *B*. A path of cost *g* to a state is
//! *covered* if
//!
//! - *g ≥ B*, or
//! - *g + h ≥ B*, and the state is no goal (only on the levels that use *h*), or
//! - the state is listed with a label *d ≤ g*.
//!
//! The checker checks that each start is covered at its cost; that for each listed state and each of its
//! successors, at a step of cost *c ≥ 0*, the path of cost *d + c* is covered; and that no goal is listed with
//! *d < B*.
//!
//! Then no solution costs less than *B*. Suppose one does. For each state on it, *g < B*, and, if *h* does not
//! overestimate, *g + h < B*. So each state on it is listed with a label *d ≤ g*: the start because it is covered at
//! its cost; every other state because it is covered at the label of its predecessor plus the step, which is at most
//! its *g*. The last one is a goal, listed with *d < B*: a contradiction.
//!
//! The claim [`Unsolvable`](Claim::Unsolvable) is the same with an infinite bound. Then *g ≥ B* never holds, not
//! even for a sum that does not fit into the cost type, and *g + h ≥ B* only if *h* is infinite.
//!
//! The closed states of a search, with their *g*, are such a list. An expanded state propagated its cost to
//! its successors, and successors that are not closed have a *g + h* of at least the lower bound: they are open,
//! pruned because an incumbent costs no more, set aside, or dead ends, where *h* is infinite. This holds for
//! inconsistent heuristics, and with any rounding of floats, since the checker adds the same numbers. Closed
//! states with *g + h ≥ B* are not needed. They are omitted, since an incumbent may have closed them without an
//! expansion.
//!
//! # Levels
//!
//! | level | trusted | the claim |
//! |---|---|---|
//! | [`NoHeuristic`](Level::NoHeuristic) | only the successors and the goal test | the lower bound of the report, if the search used no heuristic; otherwise the least *g* of the states that are not closed |
//! | [`Admissible`](Level::Admissible) | also that the problem's heuristic is admissible | the lower bound of the report |
//! | [`Consistent`](Level::Consistent) | also that the values of some states, which are in the file, do not overestimate | the same |
//!
//! On the level [`Consistent`](Level::Consistent) the checker never calls the heuristic. The file holds the *h* of
//! each listed state and of each of their successors. The checker checks that they are zero at goals, and
//! *consistent*: *h(s) ≤ c + h(s')* for each step of cost *c* from a listed state *s* to *s'* (up to the rounding
//! that [`Cost::exceeds`] ignores). This proves: **if no *h* of a state without a label overestimates, then no *h* of a
//! listed state does, and no solution costs less than *B*.** The reason: a path from a
//! listed state to a goal stays among the listed ones, or leaves them at a state without a label; up to there *h*
//! falls by no more than the cost of the steps. [`Proved::trusted`] is the number of states without a label. If it is
//! zero, no value has to be trusted. So the program that computes *h* is not part of the proof, only values that
//! anybody may compare with another source.
//!
//! # The file
//!
//! Numbers have their lowest byte first; states and costs are written by [`Encode`].
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `bestcert` |
//! | 8 | the version of the format, 1 |
//! | 1 | the level: 0, 1 or 2, in the order above |
//! | 1 | 1 if the claim is that there is no solution, else 0 |
//! | 8, 8 | the number of bytes of a state, and of a cost |
//! | 8, 8 | the number of listed states, and of those that follow with their *h* only |
//! | a cost | the bound |
//! | for each listed state | the state, its label, and on the last level its *h*; each comes after one that leads to it, or is a start |
//! | for each of the others | the state and its *h* |
//! | 8 | the checksum of all bytes before it: FNV-1a, 64 bits |
//!
//! Since each listed state comes after one that leads to it, the checker only passes states to the problem that the
//! problem generated: bytes that are not a state of the problem do no harm.

mod check;
mod error;
mod format;
mod make;

use std::fmt;

pub use check::check;
pub use error::{CertificateFault, CheckError, NoCertificate, Where};
pub use make::{Certificate, CertificateBy};

use crate::cost::Cost;
#[cfg(doc)]
use crate::encode::Encode;

/// The assumptions of a certificate, besides the problem's successors and goal test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// Nothing else. For searches without a heuristic.
    NoHeuristic,
    /// The heuristic of the problem is admissible.
    Admissible,
    /// The values of the states with an *h* but no label in the file do not overestimate. The heuristic must be
    /// consistent.
    Consistent,
}

/// The claim of a certificate. The two variants are final.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim<C> {
    /// No solution costs less. With [`Cost::INFINITY`]: none costs less than the largest value of the type.
    AtLeast(C),
    /// There is no solution.
    Unsolvable,
}

impl<C: Cost> Claim<C> {
    /// Whether the claim allows a solution of cost `f`; `None` is a cost that the type cannot hold.
    fn holds_at(self, f: Option<C>) -> bool {
        match self {
            Self::AtLeast(bound) => f.is_none_or(|f| f >= bound),
            Self::Unsolvable => false,
        }
    }
}

/// The result of a successful check.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Proved<C> {
    /// The proved claim.
    pub claim: Claim<C>,
    /// The assumptions.
    pub level: Level,
    /// The number of states with a label.
    pub listed: usize,
    /// The number of states with an *h* in the file and no label: their *h* must be trusted. Zero on the other
    /// levels.
    pub trusted: usize,
}

impl<C: fmt::Debug> fmt::Display for Claim<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(bound) => write!(f, "no solution costs less than {bound:?}"),
            Self::Unsolvable => f.write_str("there is no solution"),
        }
    }
}

impl<C: fmt::Debug> fmt::Display for Proved<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (listed states: {}", self.claim, self.listed)?;
        match (self.level, self.trusted) {
            (Level::NoHeuristic, _) | (Level::Consistent, 0) => f.write_str(")"),
            (Level::Admissible, _) => f.write_str("; if the heuristic never overestimates)"),
            (Level::Consistent, trusted) => {
                write!(f, "; if the heuristic values of {trusted} others do not overestimate)")
            }
        }
    }
}
