//! Bounds on a search: [`Limits`] and [`CancelToken`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::clock::Clock;
use crate::cost::Cost;
use crate::interrupt;
use crate::report::SearchError;

/// Bounds on a search. By default nothing is limited.
///
/// A search that reaches a limit ends with [`Outcome::Stopped`](crate::Outcome::Stopped); its results up to
/// that point are in the report. Raise the limit and run again: the search continues
/// where it stopped.
///
/// # The same report as without a stop
///
/// A search that is stopped and resumed, however often, ends with the same report as if it had never
/// stopped. The exceptions:
///
/// - stops for [memory](Self::memory) and at a limit on the [cost](Self::cost), as described there;
/// - the lower bound of weighted A*, focal and greedy search, and other orders that are not by *f*, and of a
///   beam search with a fixed width. It is the largest that was proved at any stop. With an inconsistent
///   heuristic, it may be larger than the bound that is proved at the end;
/// - the counts, and the choice among several cheapest paths, of IDA* on several threads, if it has a
///   transposition table or [chooses bounds](crate::Deepening).
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
///
/// # Serialised
///
/// With the feature `serde`, the fields are `expansions`, `memory`, `disk`, `time` and `cost`, as far as they are set.
/// Other names are errors. A token and a clock are not stored. (From JSON, an infinite limit on the cost is read as none.)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
#[must_use]
pub struct Limits<C> {
    expansions: Option<u64>,
    memory: Option<usize>,
    #[cfg_attr(feature = "serde", serde(default))]
    disk: Option<u64>,
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "read_time"))]
    time: Option<Duration>,
    cost: Option<C>,
    #[cfg_attr(feature = "serde", serde(skip))]
    cancel: Option<CancelToken>,
    #[cfg_attr(feature = "serde", serde(skip))]
    clock: Clock,
}

impl<C: Cost> Limits<C> {
    /// Creates limits with nothing limited.
    pub fn new() -> Self {
        Self {
            expansions: None,
            memory: None,
            disk: None,
            time: None,
            cost: None,
            cancel: None,
            clock: Clock::system(),
        }
    }

    /// Limits the number of expansions, counted from the start of the search. The limit is exact. A
    /// search that needs no more than `most` is not stopped: at the limit, it first tests whether a goal is next
    /// or the open list is empty.
    pub fn expansions(mut self, most: u64) -> Self {
        self.expansions = Some(most);
        self
    }

    /// Limits the bytes that the search itself holds: its table, its frontier and its stack.
    ///
    /// - A list that grows is copied, and both copies count during the move. So a search may stop when it
    ///   holds half of the limit, if the next growth would exceed it. Lists grow from the size that they have, and the first
    ///   size depends on the limit: so of two limits that are nearly the same, the larger one may stop a search earlier.
    /// - What the problem holds and what its heuristic looks up is not counted:
    ///   [landmarks](crate::heuristics::Landmarks::bytes), [distances](crate::heuristics::WithHierarchy::bytes),
    ///   [pattern databases](crate::heuristics::PatternDatabase).
    /// - Heap memory owned by states is not counted. The successors of a state are counted only after
    ///   the problem has pushed them all.
    /// - The starts are collected when the search is made, before any limit is looked at. Their list is not counted.
    /// - A limit that is set below what is held stops the search where it needs more memory.
    /// - After a stop for memory, states with equal keys may be expanded in another order than in a search
    ///   that was never stopped. Optimal engines find the same cost and prove the same bound, but the counts,
    ///   the bytes, and the choice among several cheapest paths may differ. Weighted A*, focal and greedy search may
    ///   find another path, with the same guarantee.
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Limits the bytes of the files of a [search on disk](crate::ExternalAStar). Other engines write no files.
    pub fn disk(mut self, bytes: u64) -> Self {
        self.disk = Some(bytes);
        self
    }

    /// Limits the time spent inside the search, over all its runs.
    ///
    /// When the time is up, each thread finishes its current expansion and begins no other. So the search exceeds the
    /// limit by one expansion and at most 5 milliseconds (10 on several threads), whatever the expansions before took.
    /// [`Budget`](crate::budget::Budget) describes the mechanism.
    ///
    /// - An expansion is never interrupted. One with a million integer states as successors takes 0.05 to
    ///   0.07 seconds, mostly to store them; up to 0.6 seconds were measured with larger states.
    /// - Some expansions do what is put off in others, and take time by the size of the search: a hashed table that grows
    ///   takes 0.05 seconds for a million states (the first one for a million starts 0.007), an open list from which stale entries are removed 0.04 seconds for a
    ///   million open states. Open states with the same *f* are sorted when the first of them is taken out.
    /// - An IDA* whose [transposition table](crate::IdaStar::transposition_table) grows writes up to the whole table: 0.2
    ///   seconds for 512 MB, 0.45 for a gigabyte.
    /// - **The report** is made after the time, at a stop and where the goal was found just before. It builds the path to the
    ///   [closest](crate::Report::closest) state, or the best one, by one expansion for each step, and in orders other than *f*
    ///   (weighted A*, greedy search) it looks through all open states for the lower bound: 0.02 seconds for a million; tables that keep no *h* ask the heuristic for
    ///   each. [`ParetoSearch::front`](crate::ParetoSearch::front) looks through all open labels, and builds all paths that
    ///   were found.
    /// - If the system provides no thread, as on `wasm32-unknown-unknown`, up to 64 more expansions may follow if they
    ///   suddenly take longer, otherwise about a microsecond of them.
    /// - Without a clock, the search ends at once with [`StopReason::NoClock`](crate::StopReason::NoClock); see
    ///   [`clock`](crate::clock).
    pub fn time(mut self, most: Duration) -> Self {
        interrupt::provide();
        self.time = Some(most);
        self
    }

    /// Ends the search when every remaining solution costs more than `most`. A NaN limit is an error of the
    /// search until it is replaced.
    ///
    /// For costs with several [criteria](crate::Criteria), [`Pareto`](crate::Pareto) limits each criterion; the other
    /// engines compare arrays, so that the first criterion decides.
    ///
    /// Some engines set states above the limit aside and use them when the limit is raised. Then:
    ///
    /// - A*, Dijkstra's algorithm, and IDA* whose next bound is the smallest pruned *f*, end with the same report as
    ///   without the limit. (On [shards](crate::AStar::threads), A* and Dijkstra's algorithm find the same cost and prove
    ///   the same bound, but their counts and layers may differ.)
    /// - Anytime A*, branch and bound and breadth-first search find the same cost and prove the same bound, but their
    ///   counts and the choice among several cheapest paths may differ. So may those of IDA* that
    ///   [chooses bounds](crate::Deepening), because it chooses no bound above the limit.
    /// - Weighted A*, focal and greedy search, and other orders that are not by *f*, may find another path and prove
    ///   another bound, with the same guarantee.
    /// - The [k best](crate::KBest) paths have the same costs, but the order of paths of equal cost may differ.
    ///
    /// The limit may be lowered, too: then a search that has not ended returns no path that costs more.
    pub fn cost(mut self, most: C) -> Self {
        self.cost = Some(most);
        self
    }

    /// Ends the search when `token` is cancelled, from any thread. The search checks the token after every expansion, so
    /// the delay is that of a limit on the [time](Self::time).
    pub fn cancel(mut self, token: &CancelToken) -> Self {
        self.cancel = Some(token.clone());
        self
    }

    /// Reads the time from `clock` instead of the system clock. With a limit on the time, each thread reads it after
    /// each of its expansions, so reading it should be at least as fast as an expansion.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Returns the limit on expansions.
    #[must_use]
    pub fn expansion_limit(&self) -> Option<u64> {
        self.expansions
    }

    /// Returns the limit on memory, in bytes.
    #[must_use]
    pub fn memory_limit(&self) -> Option<usize> {
        self.memory
    }

    /// Returns the limit on the bytes of files.
    #[must_use]
    pub fn disk_limit(&self) -> Option<u64> {
        self.disk
    }

    /// Returns the limit on the time.
    #[must_use]
    pub fn time_limit(&self) -> Option<Duration> {
        self.time
    }

    /// Returns the limit on the cost.
    #[must_use]
    pub fn cost_limit(&self) -> Option<C> {
        self.cost
    }

    /// Checks that the limit on the cost is a number.
    ///
    /// # Errors
    ///
    /// [`SearchError::NotANumber`] if it is none.
    pub(crate) fn check_cost(&self) -> Result<(), SearchError<C>> {
        match self.cost {
            Some(most) if !most.is_number() => {
                Err(SearchError::NotANumber { g: C::ZERO, value: most })
            }
            _ => Ok(()),
        }
    }

    /// Returns the token that can cancel the search.
    #[must_use]
    pub fn token(&self) -> Option<&CancelToken> {
        self.cancel.as_ref()
    }

    /// Returns the clock that the time is read from.
    #[must_use]
    pub fn time_source(&self) -> &Clock {
        &self.clock
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
    /// Creates a token that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops every search with this token or a clone of it.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Revokes the cancellation, so that the searches can be resumed.
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

/// Reads a limit on the time like [`Limits::time`] sets it.
#[cfg(feature = "serde")]
fn read_time<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    interrupt::provide();
    serde::Deserialize::deserialize(from)
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
