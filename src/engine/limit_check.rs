//! Checks of the clock and the cancel token inside a single call of the engine.

use std::time::Duration;

use crate::budget::{Budget, Pace};
use crate::clock::Moment;
use crate::cost::Cost;
use crate::engine::Run;
use crate::report::StopReason;

/// Checks the time limit and the cancel token where threads do so themselves.
#[derive(Clone)]
pub(in crate::engine) struct LimitCheck<C> {
    budget: Budget<C>,
    /// How many expansions, or other steps of work, it has allowed until the next check.
    pub(in crate::engine) allowed: u64,
}

/// Every check costs the threads an access to shared memory, so they are rarer than on one thread.
const PACE: Pace = Pace { interval: Duration::from_micros(50), most_unseen: 1 << 13 };

impl<C: Cost> LimitCheck<C> {
    pub(in crate::engine) fn new<O>(run: &Run<C, O>) -> Self {
        Self::of(run.budget.clone())
    }

    /// Checks this budget, whose run it ends when it is dropped.
    pub(in crate::engine) fn of(budget: Budget<C>) -> Self {
        Self { budget: budget.with_pace(PACE), allowed: 1 }
    }

    /// Returns how many steps may follow until the next check, or the limit that is reached.
    pub(in crate::engine) fn check(&mut self) -> Result<u64, StopReason> {
        self.budget.look_at_clock(self.allowed);
        self.budget.check_clock()?;
        self.allowed = self.budget.quantum();
        Ok(self.allowed)
    }

    /// Whether a check is due before that.
    #[inline]
    pub(in crate::engine) fn is_interrupted(&self) -> bool {
        self.budget.interrupt().is_raised()
    }

    /// Whether the last check was made so long after `began`.
    pub(in crate::engine) fn is_late(&self, (began, most): (Moment, Duration)) -> bool {
        self.budget.last_look().is_some_and(|last| last.since(began) >= most)
    }
}
