//! What a search proved, as a file that an independent program can check.
//!
//! Whoever publishes the cost of a cheapest path shows the path, and everybody can replay it
//! ([`Path::verify`](crate::Path::verify)). That no path costs less they have to believe. A certificate is the
//! other half: it proves that no solution costs less than a bound, or that there is none.
//! [`Search::certificate`](crate::Search::certificate) makes it of the closed states of a search,
//! [`Certificate::write`] writes it, and [`check()`] reads and checks it. The checker is 150 lines, shares no code
//! with the engines, and searches nothing.
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
//! assert_eq!(proved.claim, Claim::AtLeast(path.cost())); // so it is a cheapest path
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
//! Then no solution costs less than *B*. Suppose one does. Follow it from its start: no *g* on it is *B* or
//! more, and, if *h* does not overestimate, no *g + h* is. So each state on it is listed, with a label of no more
//! than its *g*: the start because it is covered, every other because it is covered at the label of the one
//! before plus the step, which is no more than its *g*. The last one is a goal, listed with *d < B*: a
//! contradiction.
//!
//! The claim [`Unsolvable`](Claim::Unsolvable) is the same with an infinite bound. There *g ≥ B* never holds, not
//! even for a sum that the type of the costs cannot hold, and *g + h ≥ B* only if *h* is infinite.
//!
//! The closed states of a search, at their *g*, are such a list. A state that was expanded passed its cost on to
//! its successors, and those that are not closed have *g + h* of at least the lower bound: they are open, or
//! pruned because an incumbent costs no more, or set aside, or dead ends, where *h* is infinite. This is so for
//! inconsistent heuristics, and with any rounding of floats, as the checker adds up the same numbers. Closed
//! states with *g + h ≥ B* are not needed. They are left out, as an incumbent may have closed them without an
//! expansion.
//!
//! # Levels
//!
//! | level | what has to be trusted | the claim |
//! |---|---|---|
//! | [`NoHeuristic`](Level::NoHeuristic) | nothing but the successors and the goal test | the lower bound of the report, if the search used no heuristic; else the least *g* of the states that are not closed |
//! | [`Admissible`](Level::Admissible) | and that the problem's heuristic never overestimates | the lower bound of the report |
//! | [`Consistent`](Level::Consistent) | and that the values of some states, which are in the file, do not overestimate | the same |
//!
//! On the level [`Consistent`](Level::Consistent) the checker never asks for the heuristic. The file holds the *h* of
//! each listed state and of each of their successors. The checker checks that they are zero at goals, and
//! *consistent*: *h(s) ≤ c + h(s')* for each step of cost *c* from a listed state *s* to *s'* (up to the rounding
//! that [`Cost::exceeds`] ignores). This proves: **if the *h* of no state that has an *h* but no label
//! overestimates, then that of no listed state does, and no solution costs less than *B*.** For a path from a
//! listed state to a goal stays among the listed ones, or leaves them at a state without a label; up to there *h*
//! falls by no more than the steps cost. [`Proved::trusted`] says how many states those are. Where it is
//! zero, nothing has to be trusted. So no program that computes *h* is part of the proof, only values that anybody
//! may compare with another source.
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
//! As each listed state comes after one that leads to it, the checker only asks the problem about states that the
//! problem generated: bytes that are no state of the problem do no harm.

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

/// What has to be trusted if a certificate is to prove its claim. In any case that is the problem's successors
/// and goal test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// Nothing else. It is for searches without a heuristic.
    NoHeuristic,
    /// That the heuristic of the problem never overestimates.
    Admissible,
    /// That the values of some states do not overestimate: those that have an *h*, but no label in the file. The
    /// heuristic must be consistent.
    Consistent,
}

/// What a certificate claims. These two are all, now and later.
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

/// What a certificate proved.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Proved<C> {
    /// What is proved.
    pub claim: Claim<C>,
    /// What has to be trusted.
    pub level: Level,
    /// How many states are listed with a label.
    pub listed: usize,
    /// How many states have an *h* in the file, and no label: their *h* has to be trusted. Zero on the other
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
