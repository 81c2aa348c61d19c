//! Search on several workers, in one process and in several.
#![cfg(feature = "distributed")]

mod faults;
#[path = "../oracle/judge.rs"]
mod judge;
mod limits;
mod processes;
#[path = "../oracle/random.rs"]
mod random;
mod strangers;
mod workers;

/// What the judge needs to know of engines.
mod engines {
    pub type Answer<S, A, C> = Result<bestfirst::Report<S, A, C>, bestfirst::SearchError<C>>;
}
