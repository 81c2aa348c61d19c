//! Bounds on a search: [`Limits`] and [`CancelToken`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::cost::Cost;

/// Bounds on a search. Whatever is not set is not limited.
///
/// A search that reaches a limit ends with [`Outcome::Stopped`](crate::Outcome::Stopped); what it
/// found and proved up to then is in the report. Raise the limit and run again: the search continues
/// where it stopped.
///
/// ```
/// use std::time::Duration;
/// use bestfirst::{AStar, FnProblem, Limits, Outcome, StopReason};
///
/// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 1000);
/// let mut search = AStar::new(&line)
///     .limits(Limits::new().expansions(100).time(Duration::from_secs(5)))
///     .search(0);
///
/// let report = search.run()?;
/// assert!(matches!(report.outcome, Outcome::Stopped(StopReason::Expansions)));
/// assert_eq!(report.lower_bound, 100); // no solution can be cheaper
///
/// search.set_limits(Limits::new());
/// assert_eq!(search.run()?.cost(), Some(1000));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Limits<C> {
    expansions: Option<u64>,
    memory: Option<usize>,
    time: Option<Duration>,
    cost: Option<C>,
    cancel: Option<CancelToken>,
}

impl<C: Cost> Limits<C> {
    /// No limit at all.
    pub fn new() -> Self {
        Self { expansions: None, memory: None, time: None, cost: None, cancel: None }
    }

    /// Limits the number of expansions, counted from the start of the search. The limit is exact. A
    /// search that needs no more than `most` is not stopped: it first finds out whether a goal is next,
    /// or nothing is left.
    pub fn expansions(mut self, most: u64) -> Self {
        self.expansions = Some(most);
        self
    }

    /// Limits the bytes that the search itself holds: its table, its frontier and its stack.
    ///
    /// - A list that grows is copied, and both copies count while it moves. So a search may stop at half
    ///   of the limit, when the next step of growth would pass it.
    /// - What states own on the heap is not counted, and the successors of a state are counted only once
    ///   the problem has pushed them all.
    /// - A search that was stopped for memory and goes on finds the same cost and proves the same bound.
    ///   States with equal keys may come out of the frontier in another order than in a search that was
    ///   never stopped, so its counts, and which of several cheapest paths it finds, may differ.
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Limits the time spent inside the search, over all its runs. It may be overrun by a few
    /// milliseconds; [`Budget`](crate::budget::Budget) says when the clock is looked at.
    pub fn time(mut self, most: Duration) -> Self {
        self.time = Some(most);
        self
    }

    /// Ends the search when every solution left would cost more than `most`.
    ///
    /// Engines that put states aside for it (branch and bound, breadth-first search, weighted A*, greedy
    /// search) end with the same proofs when the limit is raised, but their counts may differ from those
    /// of a search without the limit.
    pub fn cost(mut self, most: C) -> Self {
        self.cost = Some(most);
        self
    }

    /// Ends the search soon after `token` is cancelled, from any thread.
    pub fn cancel(mut self, token: &CancelToken) -> Self {
        self.cancel = Some(token.clone());
        self
    }

    /// The limit on expansions.
    #[must_use]
    pub fn expansion_limit(&self) -> Option<u64> {
        self.expansions
    }

    /// The limit on memory, in bytes.
    #[must_use]
    pub fn memory_limit(&self) -> Option<usize> {
        self.memory
    }

    /// The limit on the time.
    #[must_use]
    pub fn time_limit(&self) -> Option<Duration> {
        self.time
    }

    /// The highest cost.
    #[must_use]
    pub fn cost_limit(&self) -> Option<C> {
        self.cost
    }

    /// The token that can cancel the search.
    #[must_use]
    pub fn token(&self) -> Option<&CancelToken> {
        self.cancel.as_ref()
    }
}

impl<C: Cost> Default for Limits<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// Cancels searches from another thread, a signal handler or an observer.
///
/// ```
/// use bestfirst::{CancelToken, FnProblem, Limits, Outcome, StopReason};
///
/// let endless = FnProblem::new(|&n: &u64| [(n + 1, 1_u64)], |_: &u64| 0, |_: &u64| false);
/// let token = CancelToken::new();
/// std::thread::scope(|scope| {
///     scope.spawn(|| token.cancel());
///     let report = bestfirst::Dijkstra::new(&endless)
///         .limits(Limits::new().cancel(&token))
///         .search(0)
///         .run()?;
///     assert!(matches!(report.outcome, Outcome::Stopped(StopReason::Cancelled)));
///     Ok::<(), bestfirst::SearchError<u64>>(())
/// })?;
/// # Ok::<(), bestfirst::SearchError<u64>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    cancelled: Arc<AtomicBool>,
}

impl CancelToken {
    /// A token that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every search that holds this token, or a clone of it, to end.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Takes the request back, so that the searches can go on.
    pub fn reset(&self) {
        self.cancelled.store(false, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) has been called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

impl PartialEq for CancelToken {
    /// Tokens are equal if cancelling one cancels the other.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.cancelled, &other.cancelled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_one_with_its_clones() {
        let (token, other) = (CancelToken::new(), CancelToken::new());
        let clone = token.clone();
        assert!(token == clone && token != other);
        token.cancel();
        assert!(clone.is_cancelled() && !other.is_cancelled());
        clone.reset();
        assert!(!token.is_cancelled());
    }

    #[test]
    fn limits_can_be_read() {
        let token = CancelToken::new();
        let limits = Limits::<u8>::new();
        assert_eq!(limits.expansion_limit(), None);
        let limits =
            limits.expansions(1).memory(2).time(Duration::from_secs(3)).cost(4).cancel(&token);
        assert_eq!((limits.expansion_limit(), limits.memory_limit()), (Some(1), Some(2)));
        assert_eq!(
            (limits.time_limit(), limits.cost_limit()),
            (Some(Duration::from_secs(3)), Some(4))
        );
        assert_eq!(limits.token(), Some(&token));
    }
}
