//! What several tests share: random problems with an oracle, the list of all engines, judges of answers, problems that do their
//! worst. It is compiled once for all of them.
#![allow(missing_debug_implementations, missing_docs, reason = "only the tests use it")]
#![allow(
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::new_without_default,
    clippy::return_self_not_must_use,
    clippy::should_implement_trait,
    reason = "only the tests use it"
)]

pub mod criteria;
pub mod data;
pub mod edges;
pub mod engines;
pub mod erased;
pub mod far;
pub mod fifteen;
pub mod hostile;
pub mod judge;
pub mod mesh;
pub mod panics;
pub mod random;
pub mod rounds;
pub mod turns;
pub mod two_way;
