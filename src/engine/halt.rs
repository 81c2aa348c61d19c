//! [`Halt`]: why an engine's work ended early.

use super::Progress;
use crate::report::{SearchError, StopReason};

/// Why an engine's work ended early: it paused, ended, stopped or failed. `?` converts a lack of memory into it, and
/// passes it on to [`Engine::advance`](super::Engine::advance).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Halt<C> {
    At(Progress),
    Failed(SearchError<C>),
}

impl<C> Halt<C> {
    /// The limits should be checked.
    pub(crate) const PAUSED: Self = Self::At(Progress::Paused);

    /// Where the search does not simply go on.
    pub(crate) fn unless_going(progress: Progress) -> Result<(), Self> {
        if progress == Progress::Going { Ok(()) } else { Err(Self::At(progress)) }
    }

    #[cfg(any(feature = "disk", feature = "parallel"))]
    pub(crate) fn lacks_memory(&self) -> bool {
        matches!(self, Self::At(Progress::Stopped(StopReason::Memory)))
    }

    /// What [`Engine::advance`](super::Engine::advance) returns.
    pub(crate) fn progress(self) -> Result<Progress, SearchError<C>> {
        match self {
            Self::At(progress) => Ok(progress),
            Self::Failed(error) => Err(error),
        }
    }
}

impl<C> From<SearchError<C>> for Halt<C> {
    fn from(error: SearchError<C>) -> Self {
        Self::Failed(error)
    }
}

impl<C, E: Into<StopReason>> From<E> for Halt<C> {
    fn from(reason: E) -> Self {
        Self::At(Progress::Stopped(reason.into()))
    }
}
