//! Checks of the clock and the cancel token inside a single call of the engine.

use std::time::Instant;

use crate::cost::Cost;
use crate::engine::Run;
use crate::limits::{Limits, Meter};
use crate::report::StopReason;

/// Checks the time limit and the cancel token where an engine, or one of its threads, does so itself.
#[derive(Clone)]
pub(super) struct LimitCheck<C> {
    limits: Limits<C>,
    meter: Meter,
    /// When the last check was made.
    pub(super) last: Instant,
    /// How many expansions, or other steps of work, it has allowed until the next one.
    pub(super) allowed: u64,
}

impl<C: Cost> LimitCheck<C> {
    pub(super) fn new<O>(run: &Run<C, O>) -> Self {
        let (limits, meter) = (run.limits.clone(), run.meter.clone());
        Self { limits, meter, last: run.began, allowed: 1 }
    }

    /// Returns how many steps may follow until the next check, or the limit that is reached.
    pub(super) fn check(&mut self) -> Result<u64, StopReason> {
        self.meter.account(self.last, self.allowed);
        self.last = Instant::now();
        self.allowed = self.meter.look(&self.limits)?;
        Ok(self.allowed)
    }
}
