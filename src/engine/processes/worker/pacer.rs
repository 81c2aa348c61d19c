//! [`Pacer`]: when a worker looks at the clock, at the token, and at whether other processes are lost.

use super::super::watch::Watch;
use crate::cost::Cost;
use crate::engine::limit_check::LimitCheck;
use crate::report::StopReason;

/// Says whether work may go on: before each expansion, and before each state that is taken in.
pub(super) struct Pacer<'a, C> {
    /// Pieces of work that are allowed until the next look.
    allowed: u64,
    check: LimitCheck<C>,
    is_watched: bool,
    watch: &'a Watch,
    /// The limit that was met in this round, by this or by the worker.
    pub(super) stop: Option<StopReason>,
}

/// So much work is done between two looks whether others are lost.
const UNWATCHED: u64 = 1 << 8;

impl<'a, C: Cost> Pacer<'a, C> {
    pub(super) fn new(check: LimitCheck<C>, is_watched: bool, watch: &'a Watch) -> Self {
        Self { allowed: 0, check, is_watched, watch, stop: None }
    }

    #[inline]
    pub(super) fn goes_on(&mut self) -> bool {
        if self.allowed == 0 || self.check.is_interrupted() {
            return self.look();
        }
        self.allowed -= 1;
        true
    }

    #[cold]
    fn look(&mut self) -> bool {
        if self.watch.is_over() {
            return false;
        }
        self.watch.note_work();
        self.allowed = UNWATCHED;
        if self.is_watched {
            match self.check.check() {
                Ok(allowed) => self.allowed = allowed,
                Err(reason) => {
                    self.stop = Some(reason);
                    self.allowed = 0;
                }
            }
        }
        self.stop.is_none()
    }
}
