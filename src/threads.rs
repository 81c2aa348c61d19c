//! How many threads a builder was asked for: [`SingleThreaded`] or `Threads`.

#[cfg(feature = "parallel")]
use crate::pool::thread_count;

/// The calling thread does the work: the default.
#[derive(Clone, Copy, Debug, Default)]
pub struct SingleThreaded;

/// Several threads do the work, one of them the calling one: what `threads(n)` of a builder selects. (Feature
/// `parallel`.)
#[cfg(feature = "parallel")]
#[derive(Clone, Copy, Debug)]
pub struct Threads {
    pub(crate) count: usize,
}

#[cfg(feature = "parallel")]
impl Threads {
    /// 0 stands for the number of processors.
    pub(crate) fn new(count: usize) -> Self {
        Self { count: thread_count(count) }
    }
}
