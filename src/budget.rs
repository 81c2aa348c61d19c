//! [`Budget`]: the remaining expansions, memory and time of a search, and whether it was cancelled.

use std::time::Duration;

use crate::alarm::Interrupt;
use crate::clock::Moment;
use crate::cost::Cost;
use crate::limits::{CancelToken, Limits};
use crate::memory::Memory;
use crate::report::StopReason;

/// The remaining expansions, memory and time of a search.
///
/// All engines check their limits here. A budget can be sent to another thread. [`split`](Self::split) divides the
/// remainder among workers, and [`merge`](Self::merge) adds what they used.
///
/// # The clock
///
/// Reading the clock often takes longer than an expansion. So with a limit on the time, a thread waits for the
/// deadline and then sets a flag. Engines check this flag and the [`CancelToken`] after every expansion, which
/// takes about a nanosecond. All searches of a program share the thread. The first limit on the time starts it, and it
/// ends after a second without one. [Your own clock](crate::Limits::clock) needs no thread: it is read after every
/// expansion instead.
///
/// In addition, the [clock](crate::clock) is read about once a microsecond: after every expansion that takes that long,
/// otherwise after as many as fit into that time at the current rate, at most 64. Where the system provides no thread,
/// only this check remains. Without a limit on the time or a token, nothing is checked.
///
/// ```
/// use bestfirst::Limits;
/// use bestfirst::budget::Budget;
///
/// let mut budget = Budget::new(Limits::<u32>::new().expansions(10).memory(1000));
/// let mut parts = budget.split(2, 4); // 4 of 10 expansions are used
/// assert_eq!(parts[0].check(0), Ok(3));
/// parts[1].memory().claim(400)?;
/// parts.into_iter().for_each(|part| budget.merge(&part));
/// assert_eq!(budget.memory().held(), 400);
/// # Ok::<(), bestfirst::memory::OutOfMemory>(())
/// ```
#[derive(Clone, Debug)]
pub struct Budget<C> {
    limits: Limits<C>,
    memory: Memory,
    /// The time spent so far, up to `since`.
    spent: Duration,
    /// When the clock was last read; `None` while the search does not run.
    since: Option<Moment>,
    /// The number of expansions between two readings of the clock.
    quantum: u64,
    pace: Pace,
    slice: Slice,
    interrupt: Interrupt,
}

/// The end of a slice: further bounds, counted like the limits from the beginning of the search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slice {
    pub(crate) expansions: Option<u64>,
    pub(crate) time: Option<Duration>,
}

/// How often the clock is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// The time between two readings.
    pub(crate) interval: Duration,
    /// The maximum number of expansions between two readings.
    pub(crate) most_unseen: u64,
}

/// The pace of a search on one thread.
const PACE: Pace = Pace { interval: Duration::from_micros(1), most_unseen: 64 };

impl<C: Cost> Budget<C> {
    /// Creates a budget of which nothing is used.
    #[must_use]
    pub fn new(limits: Limits<C>) -> Self {
        let memory = Memory::new(limits.memory_limit().unwrap_or(usize::MAX));
        let (spent, slice) = (Duration::ZERO, Slice::default());
        let interrupt = Interrupt::default();
        Self { limits, memory, spent, since: None, quantum: 1, pace: PACE, slice, interrupt }
    }

    /// Returns the limits.
    pub fn limits(&self) -> &Limits<C> {
        &self.limits
    }

    /// Changes the limits and keeps what was used.
    pub fn set_limits(&mut self, limits: Limits<C>) {
        self.memory.set_most(limits.memory_limit().unwrap_or(usize::MAX));
        if self.limits.time_source() != limits.time_source() {
            self.since = None;
        }
        self.limits = limits;
    }

    /// Returns the memory account.
    #[must_use]
    pub fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Returns the memory account, read-only.
    pub(crate) fn memory_account(&self) -> &Memory {
        &self.memory
    }

    /// Returns the time spent so far.
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// Returns the number of allowed expansions left after `expanded`; `u64::MAX` without a limit.
    #[must_use]
    pub fn expansions_left(&self, expanded: u64) -> u64 {
        let most = least(self.limits.expansion_limit(), self.slice.expansions);
        most.map_or(u64::MAX, |most| most.saturating_sub(expanded))
    }

    /// Returns the time that may be spent at most.
    fn most_time(&self) -> Option<Duration> {
        least(self.limits.time_limit(), self.slice.time)
    }

    /// Returns the number of expansions allowed after `expanded` before the next call.
    ///
    /// # Errors
    ///
    /// The [`StopReason`] if none may.
    #[inline]
    pub fn check(&self, expanded: u64) -> Result<u64, StopReason> {
        self.check_clock()?;
        let left = self.expansions_left(expanded);
        if left == 0 {
            return Err(StopReason::Expansions);
        }
        Ok(self.allowed(left))
    }

    /// Returns how many of `left` expansions may be made until the next reading of the clock.
    #[inline]
    pub(crate) fn allowed(&self, left: u64) -> u64 {
        if self.is_watched() { left.min(self.quantum) } else { left }
    }

    /// Whether the clock or the token must be checked.
    pub(crate) fn is_watched(&self) -> bool {
        self.most_time().is_some() || self.limits.token().is_some()
    }

    /// Checks the time limit and the token.
    ///
    /// # Errors
    ///
    /// The [`StopReason`] if it may not.
    #[inline]
    pub fn check_clock(&self) -> Result<(), StopReason> {
        self.check_time(self.spent)
    }

    /// Like [`check_clock`](Self::check_clock), but reads the clock now if there is a limit on the time, and does not
    /// record the reading.
    pub(crate) fn check_now(&self) -> Result<(), StopReason> {
        // Without a limit on the time, the clock is not read.
        let now = self.most_time().and_then(|_| self.now());
        self.check_time(self.spent.saturating_add(self.since_last_look(now)))
    }

    /// Returns the time left now, if there is a limit on the time.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let spent = self.spent.saturating_add(self.since_last_look(self.now()));
        self.most_time().map(|most| most.saturating_sub(spent))
    }

    #[inline]
    fn check_time(&self, spent: Duration) -> Result<(), StopReason> {
        if self.limits.token().is_some_and(CancelToken::is_cancelled) {
            return Err(StopReason::Cancelled);
        }
        match self.most_time() {
            Some(most) if spent >= most => Err(StopReason::Time),
            Some(_) if !self.limits.time_source().is_readable() => Err(StopReason::NoClock),
            _ => Ok(()),
        }
    }

    /// Starts a run up to the limits.
    pub(crate) fn start_clock(&mut self) {
        self.start_slice(Slice::default());
    }

    /// Starts a run up to the end of the slice. Every run begins here, so a slice ends with its run, even after a panic.
    pub(crate) fn start_slice(&mut self, slice: Slice) {
        self.start_step();
        self.slice = slice;
        let left = self.most_time().map(|most| most.saturating_sub(self.spent));
        self.interrupt.arm(self.limits.token(), self.limits.time_source(), left);
    }

    /// Starts a run so short that nothing needs to interrupt it.
    pub(crate) fn start_step(&mut self) {
        (self.since, self.slice) = (self.now(), Slice::default());
        self.interrupt.disarm();
    }

    /// Ends the run. After it, only the limits apply.
    pub(crate) fn stop_clock(&mut self) {
        self.slice = Slice::default();
        self.interrupt.disarm();
    }

    /// Returns the flags that interrupt the run.
    #[inline]
    pub(crate) fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Uses the flags of `search`, for one of its workers.
    #[cfg(feature = "parallel")]
    pub(crate) fn share_interrupt(&mut self, search: &Self) {
        self.interrupt = search.interrupt.clone();
    }

    /// Returns the current moment, if there is a clock.
    pub(crate) fn now(&self) -> Option<Moment> {
        self.limits.time_source().now()
    }

    fn since_last_look(&self, now: Option<Moment>) -> Duration {
        now.zip(self.since).map_or(Duration::ZERO, |(now, since)| now.since(since))
    }

    /// Records the time since the last reading, in which at most `most` expansions were made, and
    /// adapts the number of expansions until the next.
    pub(crate) fn look_at_clock(&mut self, most: u64) {
        let now = self.now();
        let took = self.since_last_look(now);
        self.spent = self.spent.saturating_add(took);
        self.since = now;
        // One fast step says little about the following ones.
        let Pace { interval, most_unseen } = self.pace;
        if took < interval / 2 && most >= self.quantum {
            self.quantum = (self.quantum * 2).min(most_unseen);
        } else if took > interval {
            let ratio = took.as_nanos().div_ceil(interval.as_nanos());
            self.quantum = (self.quantum / u64::try_from(ratio).unwrap_or(u64::MAX)).max(1);
        }
    }

    /// Returns the number of expansions until the next reading of the clock.
    #[cfg(feature = "parallel")]
    pub(crate) fn quantum(&self) -> u64 {
        self.quantum
    }

    /// Returns when the clock was last read.
    #[cfg(feature = "parallel")]
    pub(crate) fn last_look(&self) -> Option<Moment> {
        self.since
    }

    /// Returns the budget with this pace of clock readings.
    #[cfg(feature = "parallel")]
    pub(crate) fn with_pace(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }

    /// Resets the time spent to zero and the memory peak to what is held.
    pub(crate) fn begin_anew(&mut self) {
        (self.spent, self.since, self.quantum) = (Duration::ZERO, None, 1);
        self.interrupt.disarm();
        self.memory.forget_peak();
    }

    /// Divides the remainder after `expanded` expansions into `parts`: each may use its share of the
    /// expansions and of the memory; the time, the token and the limit on the cost are shared.
    #[must_use]
    pub fn split(&self, parts: usize, expanded: u64) -> Vec<Self> {
        let share = |left: u64, part: usize| {
            let (parts, part) = (parts as u64, part as u64);
            left / parts + u64::from(part < left % parts)
        };
        let part = |number: usize| {
            let mut limits = self.limits.clone();
            if least(limits.expansion_limit(), self.slice.expansions).is_some() {
                limits = limits.expansions(share(self.expansions_left(expanded), number));
            }
            if limits.memory_limit().is_some() {
                let bytes = share(self.memory.left() as u64, number);
                limits = limits.memory(usize::try_from(bytes).unwrap_or(usize::MAX));
            }
            let mut part = Self::new(limits);
            (part.spent, part.since) = (self.spent, self.since);
            part.slice.time = self.slice.time;
            part
        };
        (0..parts).map(part).collect()
    }

    /// Adds what a part has used: the memory that it holds, and its time if it took longer than the
    /// others. (Expansions are counted in the [`Stats`](crate::Stats) of the workers.)
    pub fn merge(&mut self, part: &Self) {
        self.memory.absorb(&part.memory);
        self.spent = self.spent.max(part.spent);
    }
}

/// Returns the smaller of two optional bounds.
#[inline]
fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::clock::Clock;

    /// Returns a clock and the nanoseconds that it shows.
    fn clock() -> (Clock, Arc<AtomicU64>) {
        let time = Arc::new(AtomicU64::new(0));
        let shown = Arc::clone(&time);
        (Clock::new(move || Duration::from_nanos(shown.load(Ordering::Relaxed))), time)
    }

    fn pass(clock: &AtomicU64, time: Duration) {
        clock.fetch_add(u64::try_from(time.as_nanos()).unwrap(), Ordering::Relaxed);
    }

    fn quantum(budget: &Budget<u8>) -> u64 {
        budget.check(0).unwrap()
    }

    #[test]
    fn what_is_left_may_follow() {
        let limits = Limits::<u8>::new().expansions(10);
        let budget = Budget::new(limits.clone());
        assert_eq!(budget.check(4), Ok(6));
        assert_eq!(budget.check(10), Err(StopReason::Expansions));
        let token = CancelToken::new();
        let budget = Budget::new(limits.cancel(&token));
        assert_eq!(budget.check(4), Ok(1));
        token.cancel();
        assert_eq!(budget.check(4), Err(StopReason::Cancelled));
        assert_eq!(Budget::new(Limits::<u8>::new()).check(4), Ok(u64::MAX));
    }

    #[test]
    fn many_single_expansions_do_not_make_a_long_interval() {
        let mut budget = Budget::new(Limits::<u8>::new().time(Duration::MAX));
        budget.start_clock();
        for _ in 0..1000 {
            budget.look_at_clock(1);
        }
        assert!(quantum(&budget) <= 2);
        for _ in 0..1000 {
            budget.look_at_clock(u64::MAX);
        }
        assert!(quantum(&budget) > 2 && quantum(&budget) <= PACE.most_unseen);
    }

    #[test]
    fn the_interval_follows_the_pace() {
        let (clock, time) = clock();
        let mut budget = Budget::new(Limits::<u8>::new().time(Duration::MAX).clock(clock));
        budget.start_clock();
        budget.quantum = PACE.most_unseen;
        pass(&time, PACE.interval * 5);
        budget.look_at_clock(u64::MAX);
        assert_eq!(quantum(&budget), PACE.most_unseen / 5);
        assert_eq!(budget.spent(), PACE.interval * 5);
        budget.quantum = PACE.most_unseen;
        pass(&time, Duration::from_millis(3));
        budget.look_at_clock(u64::MAX);
        assert_eq!(quantum(&budget), 1, "slow at once");
        budget.begin_anew();
        assert_eq!((budget.spent(), quantum(&budget)), (Duration::ZERO, 1));
    }

    #[test]
    fn time_is_up_when_it_is_spent() {
        let (clock, time) = clock();
        let limits = Limits::<u8>::new().time(Duration::from_millis(5)).clock(clock);
        let mut budget = Budget::new(limits);
        budget.start_clock();
        pass(&time, Duration::from_millis(4));
        budget.look_at_clock(1);
        assert_eq!(budget.check_clock(), Ok(()));
        pass(&time, Duration::from_millis(1));
        assert_eq!((budget.check_clock(), budget.check_now()), (Ok(()), Err(StopReason::Time)));
        budget.look_at_clock(1);
        assert_eq!(budget.check(0), Err(StopReason::Time));
    }

    #[test]
    fn without_a_clock_only_a_limit_on_the_time_stops() {
        let limits = Limits::<u8>::new().clock(Clock::none());
        let mut budget = Budget::new(limits.clone());
        budget.start_clock();
        budget.look_at_clock(1);
        assert_eq!((budget.check(0), budget.spent()), (Ok(u64::MAX), Duration::ZERO));
        budget.set_limits(limits.time(Duration::MAX));
        assert_eq!(budget.check(0), Err(StopReason::NoClock));
        assert_eq!(budget.check_now(), Err(StopReason::NoClock));
    }

    #[test]
    fn no_time_passes_between_two_clocks() {
        let (clock, time) = clock();
        pass(&time, Duration::from_secs(100));
        let mut budget = Budget::new(Limits::<u8>::new());
        budget.start_clock();
        budget.set_limits(Limits::new().clock(clock));
        budget.look_at_clock(1);
        assert_eq!(budget.spent(), Duration::ZERO);
    }

    #[test]
    fn parts_are_sent_and_add_up() {
        fn is_send<T: Send>(_: &T) {}
        let token = CancelToken::new();
        let limits = Limits::<u8>::new().expansions(107).memory(1001).cost(9).cancel(&token);
        let mut budget = Budget::new(limits);
        budget.memory().claim(1).unwrap();
        let mut parts = budget.split(3, 100);
        is_send(&parts);
        let expansions: Vec<_> = parts.iter().map(|part| part.expansions_left(0)).collect();
        let bytes: Vec<_> = parts.iter().map(|part| part.memory.left()).collect();
        assert_eq!((expansions, bytes), (vec![3, 2, 2], vec![334, 333, 333]));
        parts[0].memory().claim(300).unwrap();
        parts[2].memory().claim(200).unwrap();
        parts[2].memory().release(100);
        parts[1].spent = Duration::from_millis(7);
        for part in &parts {
            budget.merge(part);
        }
        assert_eq!(budget.memory().held(), 401);
        assert_eq!(budget.spent(), Duration::from_millis(7));
        token.cancel();
        assert!(parts.iter().all(|part| part.check(0) == Err(StopReason::Cancelled)));
    }
}
