//! Errors of checking and of making a certificate.

use std::fmt;
use std::io;

use super::Claim;
use crate::report::SearchError;

/// An error in a certificate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckError<C> {
    /// The place of the error.
    pub place: Where,
    /// The error.
    pub fault: CertificateFault<C>,
}

/// The place of an error in a certificate. All numbers are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Where {
    /// At this byte of the file.
    Byte(u64),
    /// At this start of the problem.
    Start(usize),
    /// At this entry of the list.
    Entry {
        /// The number of the entry.
        entry: usize,
        /// The byte of the file where it begins.
        byte: u64,
        /// The number of the successor of its state, if the error is there.
        step: Option<usize>,
    },
}

/// An error in a certificate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum CertificateFault<C> {
    /// The file cannot be read.
    Read(io::ErrorKind),
    /// The file ends too early.
    Short,
    /// The file goes on after its end.
    Long,
    /// These bytes are not a value of their type.
    Bytes {
        /// The expected value.
        expected: &'static str,
    },
    /// A number differs from the required one.
    Number {
        /// The meaning of the number.
        what: &'static str,
        /// The number in the file.
        found: u64,
        /// The expected number.
        expected: u64,
    },
    /// An entry before this one has the same state.
    Twice,
    /// Neither a start nor an entry before this one leads to the state.
    NotReached,
    /// A goal contradicts the claim.
    Goal {
        /// Its label.
        label: C,
        /// The claim.
        claim: Claim<C>,
    },
    /// A step of the problem is negative or not a number.
    Step {
        /// Its cost.
        cost: C,
    },
    /// The state must be listed but is not, or its label is too large.
    Uncovered {
        /// The cost of the path to it, which the label must not exceed. `None` if the type cannot hold it.
        g: Option<C>,
        /// Its heuristic value, as far as the level trusts it; otherwise zero.
        h: C,
        /// Its label, if it is listed.
        label: Option<C>,
        /// The claim.
        claim: Claim<C>,
    },
    /// The heuristic value of the state is not in the file.
    NoValue,
    /// The heuristic value of a goal is not zero.
    GoalValue {
        /// The value.
        h: C,
    },
    /// The heuristic falls by more than the cost of a step.
    Inconsistent {
        /// The value of the state that the step leaves.
        h: C,
        /// The cost of the step.
        cost: C,
        /// The value of the state that it leads to.
        next: C,
    },
}

impl fmt::Display for Where {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Start(start) => write!(f, "start {start}"),
            Self::Entry { entry, byte, step: None } => write!(f, "entry {entry} (byte {byte})"),
            Self::Entry { entry, byte, step: Some(step) } => {
                write!(f, "entry {entry} (byte {byte}), successor {step}")
            }
        }
    }
}

impl<C: fmt::Debug> fmt::Display for CertificateFault<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(kind) => write!(f, "the file cannot be read: {kind}"),
            Self::Short => f.write_str("the file ends here; it must hold all entries and the checksum"),
            Self::Long => f.write_str("the file goes on; it must end after the checksum"),
            Self::Bytes { expected } => write!(f, "this must be {expected}"),
            Self::Number { what, found, expected } => {
                write!(f, "{what} is {found:#x}; it must be {expected:#x}")
            }
            Self::Twice => f.write_str("the state has an entry before; it must have one"),
            Self::NotReached => f.write_str(
                "neither a start nor an entry before leads to the state; it must come after one that does, \
                 or be left out",
            ),
            Self::Goal { label, claim } => {
                write!(f, "the state is a goal with label {label:?}, but the claim is: {claim}")
            }
            Self::Step { cost } => {
                write!(f, "the step costs {cost:?}; the problem must not have such a step")
            }
            Self::Uncovered { g, h, label, claim } => {
                match g {
                    Some(g) => write!(f, "a path to this state costs {g:?}, and its h is {h:?}; ")?,
                    None => write!(f, "a path to this state costs more than its type can hold; ")?,
                }
                match (label, g) {
                    (Some(label), _) => write!(f, "its label is {label:?} and must not be larger than that cost")?,
                    (None, _) => f.write_str("it must be listed with a label of no more than that cost")?,
                }
                write!(f, ". Otherwise the claim does not follow: {claim}")
            }
            Self::NoValue => f.write_str("the file must have the heuristic value of this state"),
            Self::GoalValue { h } => {
                write!(f, "the heuristic value of this goal is {h:?}; it must be zero")
            }
            Self::Inconsistent { h, cost, next } => write!(
                f,
                "the heuristic falls from {h:?} to {next:?}; it must not fall by more than the step costs, \
                 {cost:?}"
            ),
        }
    }
}

impl<C: fmt::Debug> fmt::Display for CheckError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)
    }
}

impl<C: fmt::Debug> std::error::Error for CheckError<C> {}

/// The reason why a search has no certificate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoCertificate<C> {
    /// The engine, such as IDA*, does not store the expanded states. Use one that does, such as A*.
    NoTable,
    /// The search ended with an error, or the problem has an invalid step.
    Search(SearchError<C>),
    /// The heuristic falls by more than the cost of a step: [`Level::Consistent`](super::Level::Consistent)
    /// is not possible, but [`Level::Admissible`](super::Level::Admissible) is.
    Inconsistent {
        /// The value of the state that the step leaves.
        h: C,
        /// The cost of the step.
        cost: C,
        /// The value of the state that it leads to.
        next: C,
    },
}

impl<C: fmt::Debug> fmt::Display for NoCertificate<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTable => f.write_str(
                "this engine does not keep the states that it has expanded; use one that does, such as A*",
            ),
            Self::Search(error) => error.fmt(f),
            Self::Inconsistent { h, cost, next } => write!(
                f,
                "the heuristic falls from {h:?} to {next:?} over a step that costs {cost:?}; this level needs \
                 a consistent heuristic"
            ),
        }
    }
}

impl<C: fmt::Debug + 'static> std::error::Error for NoCertificate<C> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Search(error) => Some(error),
            _ => None,
        }
    }
}
