//! [`Pace`]: looks at the limits after so much work.

use crate::report::StopReason;

/// So much work is done between two looks: additions or entries of lists, below a millisecond.
const WORK_PER_LOOK: usize = 1 << 16;

/// Looks at the limits at once, and then after so much work.
pub(super) struct Pace<'c> {
    work: usize,
    check: &'c mut dyn FnMut() -> Result<(), StopReason>,
}

impl<'c> Pace<'c> {
    pub(super) fn new(check: &'c mut dyn FnMut() -> Result<(), StopReason>) -> Self {
        Self { work: WORK_PER_LOOK, check }
    }

    /// So much is done next.
    #[inline]
    pub(super) fn work(&mut self, more: usize) -> Result<(), StopReason> {
        self.work = self.work.saturating_add(more);
        if self.work < WORK_PER_LOOK {
            return Ok(());
        }
        self.work = 0;
        (self.check)()
    }
}
