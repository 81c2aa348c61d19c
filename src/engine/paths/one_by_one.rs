//! [`OneByOne`]: engines whose search is an iterator over paths.

use crate::Search;
use crate::engine::{Engine, ErrorOf, PathBy};
use crate::observer::Observer;

/// An engine that finds one path after the other. A path that was found stays until the iterator returns it.
pub trait OneByOne: Engine {
    /// What the iterator has returned.
    fn returned(&self) -> &Returned;

    /// The same, to be changed.
    fn returned_mut(&mut self) -> &mut Returned;

    /// Prepares the engine for the next path, if the last one was returned.
    fn leave_returned(&mut self);
}

/// What an iterator over paths has returned.
#[derive(Clone, Copy, Debug, Default)]
pub struct Returned {
    /// The number of paths.
    pub(super) count: u64,
    /// Whether the path that was found last is among them.
    pub(super) has_last: bool,
    /// Whether it has returned an error.
    has_failed: bool,
}

impl<E: OneByOne, O: Observer<E::State, E::Cost>> Search<E, O> {
    /// Returns the number of paths that the iterator has returned since the search began.
    pub fn returned(&self) -> u64 {
        self.engine().returned().count
    }
}

/// The paths of a search that finds several, such as [`KBestSearch`](crate::KBestSearch), the best one first. The iterator
/// ends when all paths were returned, at a limit, and after an error; [`run`](crate::Search::run) returns the reason. After
/// a limit is raised, it continues.
impl<E: OneByOne, O: Observer<E::State, E::Cost>> Iterator for Search<E, O> {
    type Item = Result<PathBy<E>, ErrorOf<E>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.engine().returned().has_failed {
            return None;
        }
        if self.engine().returned().has_last {
            self.engine_mut().leave_returned();
        }
        let path = self.advance_to_path();
        if let Ok(None) = path {
            return None;
        }
        let returned = self.engine_mut().returned_mut();
        match &path {
            Ok(_) => (returned.has_last, returned.count) = (true, returned.count + 1),
            Err(_) => returned.has_failed = true,
        }
        path.transpose()
    }
}
