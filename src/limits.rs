//! How long a search may go on: [`Limits`], [`CancelToken`], and the account of its [`Memory`].

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::cost::Cost;
use crate::report::StopReason;

/// Bounds on a search. Whatever is not set is not limited.
///
/// A search that reaches a limit ends with [`Outcome::Stopped`](crate::Outcome::Stopped); what it
/// found and proved up to then is in the report. Raise the limit and run on: it continues as if it
/// had never stopped.
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

    /// At most so many states are expanded, counted from the start of the search. Where the search
    /// needs no more than that, it is not stopped: it is found out before another expansion whether
    /// a goal is next, or nothing is left.
    pub fn expansions(mut self, most: u64) -> Self {
        self.expansions = Some(most);
        self
    }

    /// At most so many bytes are held by the search itself: its table, its frontier and its stack.
    /// What states own on the heap of their own accord is not counted, and the successors of a state only
    /// once the problem has pushed them all.
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// At most so much time is spent inside the search, over all its runs; a few milliseconds more
    /// where a single expansion takes long.
    pub fn time(mut self, most: Duration) -> Self {
        self.time = Some(most);
        self
    }

    /// The search ends when every solution left would cost more than `most`. To branch and bound and to
    /// breadth-first search it is as good as a solution of that cost, which may change what they look
    /// at; raised, they end with the same answer, but may have counted otherwise.
    pub fn cost(mut self, most: C) -> Self {
        self.cost = Some(most);
        self
    }

    /// The search ends soon after `token` is cancelled, from any thread.
    pub fn cancel(mut self, token: &CancelToken) -> Self {
        self.cancel = Some(token.clone());
        self
    }

    /// The limit on the cost, if there is one.
    #[must_use]
    pub(crate) fn highest_cost(&self) -> Option<C> {
        self.cost
    }

    /// How many expansions may follow after so many.
    pub(crate) fn expansions_left(&self, expanded: u64) -> u64 {
        self.expansions.map_or(u64::MAX, |most| most.saturating_sub(expanded))
    }

    pub(crate) fn most_memory(&self) -> usize {
        self.memory.unwrap_or(usize::MAX)
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
    }
}

impl<C: Cost> Default for Limits<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// Ends a search from outside: from another thread, a signal handler or an observer.
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

/// The place where limits are checked: says how many expansions may be made before it must be asked
/// again. The clock and the token are looked at about twenty times a millisecond: that costs a
/// thousandth of the time, and leaves room for expansions that suddenly take a hundred times as long.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    spent: Duration,
    quantum: u64,
}

/// So long between two looks at the clock.
const LOOK: Duration = Duration::from_micros(50);

/// So many expansions at most between two looks, however fast they are.
const MOST_UNSEEN: u64 = 1 << 13;

impl Meter {
    pub(crate) fn new() -> Self {
        Self { spent: Duration::ZERO, quantum: 1 }
    }

    /// The time spent inside the search so far.
    pub(crate) fn spent(&self) -> Duration {
        self.spent
    }

    /// How many expansions may follow until the next look at the clock and the token, or why none
    /// may.
    pub(crate) fn look<C: Cost>(&self, limits: &Limits<C>) -> Result<u64, StopReason> {
        if limits.is_cancelled() {
            return Err(StopReason::Cancelled);
        }
        if limits.time.is_some_and(|most| self.spent >= most) {
            return Err(StopReason::Time);
        }
        Ok(self.quantum)
    }

    /// How many expansions may follow unseen, or why none may.
    pub(crate) fn allowance<C: Cost>(
        &self,
        limits: &Limits<C>,
        expanded: u64,
    ) -> Result<u64, StopReason> {
        let quantum = self.look(limits)?;
        let left = limits.expansions_left(expanded);
        if left == 0 {
            return Err(StopReason::Expansions);
        }
        let watched = limits.time.is_some() || limits.cancel.is_some();
        Ok(if watched { left.min(quantum) } else { left })
    }

    /// Takes note of a stretch of at most `most` expansions that began at `began`, and adapts the
    /// length of the next.
    pub(crate) fn account(&mut self, began: Instant, most: u64) {
        let took = began.elapsed();
        self.spent += took;
        // A single step that was fast says little about a long stretch.
        if took < LOOK / 2 && most >= self.quantum {
            self.quantum = (self.quantum * 2).min(MOST_UNSEEN);
        } else if took > LOOK {
            self.quantum = (self.quantum / 2).max(1);
        }
    }
}

/// There was no room to grow: the limit is reached, or the system has no memory left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the search may not, or cannot, hold more memory")
    }
}

impl std::error::Error for OutOfMemory {}

/// The account of the bytes that a search holds. Tables and frontiers grow through it, so that the
/// limit is checked before memory is taken, and running out of it is an answer and not an abort.
#[derive(Debug)]
pub struct Memory {
    held: usize,
    peak: usize,
    most: usize,
}

impl Memory {
    /// An account that holds nothing and may hold `most` bytes.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { held: 0, peak: 0, most }
    }

    /// The bytes held now.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held
    }

    /// The most bytes that were ever held.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.peak
    }

    pub(crate) fn set_most(&mut self, most: usize) {
        self.most = most;
    }

    pub(crate) fn forget_peak(&mut self) {
        self.peak = self.held;
    }

    /// Makes room in `list` for `additional` more entries. It doubles, so that pushing stays cheap,
    /// but takes only what is left where the limit is near.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if that would pass the limit or the system has no memory; nothing changes.
    #[inline]
    pub fn reserve<T>(&mut self, list: &mut Vec<T>, additional: usize) -> Result<(), OutOfMemory> {
        if list.capacity() - list.len() >= additional {
            return Ok(());
        }
        self.grow(list, additional)
    }

    #[cold]
    #[inline(never)]
    fn grow<T>(&mut self, list: &mut Vec<T>, additional: usize) -> Result<(), OutOfMemory> {
        let size = size_of::<T>().max(1);
        let needed = list.len().checked_add(additional).ok_or(OutOfMemory)?;
        // While the list moves, its old and its new place may both be held.
        let affordable =
            (self.most.saturating_sub(self.held) / size).saturating_add(list.capacity());
        if needed > affordable {
            return Err(OutOfMemory);
        }
        let wanted = list.capacity().saturating_mul(2).max(needed).max(4).min(affordable);
        let before = list.capacity();
        let grown = list.try_reserve_exact(wanted - list.len());
        if grown.is_err() {
            // The system may still have what is needed, if not what would be comfortable.
            list.try_reserve_exact(additional).map_err(|_| OutOfMemory)?;
        }
        self.take((list.capacity() - before).saturating_mul(size_of::<T>()));
        Ok(())
    }

    /// A list of `len` copies of `value`, with no room to spare.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if that would pass the limit or the system has no memory.
    pub fn list<T: Clone>(&mut self, len: usize, value: T) -> Result<Vec<T>, OutOfMemory> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(OutOfMemory)?;
        if bytes > self.most.saturating_sub(self.held) {
            return Err(OutOfMemory);
        }
        let mut list = Vec::new();
        list.try_reserve_exact(len).map_err(|_| OutOfMemory)?;
        list.resize(len, value);
        self.take(list.capacity() * size_of::<T>());
        Ok(list)
    }

    /// Gives a list back.
    pub fn free<T>(&mut self, list: Vec<T>) {
        self.held -= (list.capacity() * size_of::<T>()).min(self.held);
        drop(list);
    }

    /// Takes note of bytes that grew by other means.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if that would pass the limit; nothing is noted then.
    pub fn claim(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        if bytes > self.most.saturating_sub(self.held) {
            return Err(OutOfMemory);
        }
        self.take(bytes);
        Ok(())
    }

    /// Takes note of bytes that were given back by other means.
    pub fn release(&mut self, bytes: usize) {
        self.held -= bytes.min(self.held);
    }

    fn take(&mut self, bytes: usize) {
        self.held = self.held.saturating_add(bytes);
        self.peak = self.peak.max(self.held);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_grows_up_to_its_limit_and_no_further() {
        let mut memory = Memory::new(1000);
        let mut list: Vec<u64> = Vec::new();
        while memory.reserve(&mut list, 1).is_ok() {
            list.push(7);
        }
        assert_eq!(list.len(), 125);
        assert_eq!(memory.held(), 1000);
        memory.set_most(2000);
        assert_eq!(memory.reserve(&mut list, 1), Ok(()));
        memory.free(list);
        assert_eq!((memory.held(), memory.peak()), (0, 2000));
    }

    #[test]
    fn the_meter_lets_through_what_is_left() {
        let limits = Limits::<u8>::new().expansions(10);
        let meter = Meter::new();
        assert_eq!(meter.allowance(&limits, 4), Ok(6));
        assert_eq!(meter.allowance(&limits, 10), Err(StopReason::Expansions));
        let token = CancelToken::new();
        let limits = limits.cancel(&token);
        assert_eq!(meter.allowance(&limits, 4), Ok(1));
        token.cancel();
        assert_eq!(meter.allowance(&limits, 4), Err(StopReason::Cancelled));
    }

    #[test]
    fn many_short_stretches_do_not_make_a_long_one() {
        let limits = Limits::<u8>::new().time(Duration::MAX);
        let mut meter = Meter::new();
        for _ in 0..1000 {
            meter.account(Instant::now(), 1);
        }
        assert!(meter.allowance(&limits, 0).unwrap() <= 2);
        for _ in 0..1000 {
            meter.account(Instant::now(), u64::MAX);
        }
        assert!(meter.allowance(&limits, 0).unwrap() > 100);
    }
    #[test]
    fn what_is_just_allowed_is_allowed() {
        let mut memory = Memory::new(32);
        let mut list: Vec<u64> = Vec::new();
        assert_eq!(memory.reserve(&mut list, 5), Err(OutOfMemory));
        assert_eq!(memory.reserve(&mut list, 4), Ok(()));
        assert_eq!((list.capacity(), memory.held()), (4, 32));
        assert_eq!(memory.claim(1), Err(OutOfMemory));
        memory.free(list);
        assert_eq!(memory.list(5, 0_u64), Err(OutOfMemory));
        let list = memory.list(4, 7_u64).unwrap();
        assert_eq!((&list[..], memory.held()), (&[7; 4][..], 32));
        memory.free(list);
        assert_eq!((memory.claim(33), memory.held()), (Err(OutOfMemory), 0));
        assert_eq!((memory.claim(32), memory.held()), (Ok(()), 32));
        memory.release(30);
        assert_eq!((memory.held(), memory.peak()), (2, 32));
        memory.forget_peak();
        assert_eq!(memory.peak(), 2);
        assert!(OutOfMemory.to_string().contains("memory"));
    }

    #[test]
    fn the_meter_counts_time_and_follows_the_pace() {
        let limits = Limits::<u8>::new().time(Duration::MAX);
        let quantum = |meter: &Meter| meter.allowance(&limits, 0).unwrap();
        let ago = |time: Duration| Instant::now().checked_sub(time).unwrap();
        let mut meter = Meter::new();
        // Neither fast nor slow, or slow if the machine is busy: no reason for more.
        meter.account(ago(LOOK * 3 / 4), u64::MAX);
        assert_eq!(quantum(&meter), 1);
        assert!(meter.spent() >= LOOK * 3 / 4);
        meter.quantum = MOST_UNSEEN;
        meter.account(ago(LOOK * 4), u64::MAX);
        assert_eq!(quantum(&meter), MOST_UNSEEN / 2);
        assert!(meter.spent() >= LOOK * 4);
        meter.quantum = 1;
        meter.account(ago(LOOK * 4), u64::MAX);
        assert_eq!(quantum(&meter), 1);
    }

    #[test]
    fn a_token_is_one_with_its_clones() {
        let (token, other) = (CancelToken::new(), CancelToken::new());
        let clone = token.clone();
        assert!(token == clone && token != other);
        token.cancel();
        assert!(clone.is_cancelled() && !other.is_cancelled());
        clone.reset();
        assert!(!token.is_cancelled());
        assert_eq!(Limits::<u8>::new().memory(5).most_memory(), 5);
    }
}
