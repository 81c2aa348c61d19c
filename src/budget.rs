//! [`Budget`]: the remaining expansions, memory and time of a search, and whether it was cancelled.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::clock::{Clock, Moment};
use crate::cost::Cost;
use crate::interrupt::Interrupt;
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
    used: Used,
}

/// What was used of time and expansions: what does not depend on the type of costs, so that it is compiled once.
#[derive(Clone, Debug)]
struct Used {
    /// The time spent so far, up to `since`.
    spent: Duration,
    /// When the clock was last read; `None` while the search does not run.
    since: Option<Moment>,
    /// The number of expansions between two readings of the clock.
    quantum: u64,
    pace: Pace,
    slice: Slice,
    interrupt: Interrupt,
    /// The steps since the last one that was timed, and how long these took.
    untimed: u32,
    samples: Option<Samples>,
    /// Whether the time and the token allow to go on; set when the clock is started, before which nothing is checked. It
    /// is a pointer, so that programs that never start it do not contain the code that reads it.
    goes_on: fn(&Self, Terms<'_>) -> bool,
}

/// How long sampled steps took.
#[derive(Clone, Copy, Debug)]
struct Samples {
    last: Duration,
    /// A moving mean.
    mean: Duration,
}

/// The limits that it is checked against.
#[derive(Clone, Copy)]
struct Terms<'l> {
    expansions: Option<u64>,
    time: Option<Duration>,
    token: Option<&'l CancelToken>,
    clock: &'l Clock,
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

/// The clock is read after this many states, if no flag says that it is time.
const STATES_PER_READING: usize = 256;

/// Without a limit on the time, the clock is read in one of this many sampled steps, and the others are taken to last as long: reading it
/// twice takes longer than a short step. That is one every `BETWEEN_TIMED` nanoseconds, of which readings then take about a
/// hundredth.
const TIMED: RangeInclusive<u32> = 16..=128;
const BETWEEN_TIMED: u128 = 8_000;

/// The pace of a search on one thread.
const PACE: Pace = Pace { interval: Duration::from_micros(1), most_unseen: 64 };

impl<C: Cost> Budget<C> {
    /// Creates a budget of which nothing is used.
    #[must_use]
    pub fn new(limits: Limits<C>) -> Self {
        let memory = Memory::new(limits.memory_limit().unwrap_or(usize::MAX));
        Self { limits, memory, used: Used::new() }
    }

    /// Returns the limits.
    pub fn limits(&self) -> &Limits<C> {
        &self.limits
    }

    /// Changes the limits and keeps what was used.
    pub fn set_limits(&mut self, limits: Limits<C>) {
        self.memory.set_most(limits.memory_limit().unwrap_or(usize::MAX));
        if self.limits.time_source() != limits.time_source() {
            self.used.since = None;
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
        self.used.spent
    }

    #[inline]
    fn terms(&self) -> Terms<'_> {
        Terms::of(&self.limits)
    }

    /// Returns the number of allowed expansions left after `expanded`; `u64::MAX` without a limit.
    #[must_use]
    pub fn expansions_left(&self, expanded: u64) -> u64 {
        self.used.expansions_left(expanded, self.terms())
    }

    /// Returns the number of expansions allowed after `expanded` before the next call.
    ///
    /// # Errors
    ///
    /// The [`StopReason`] if none may.
    #[inline]
    pub fn check(&self, expanded: u64) -> Result<u64, StopReason> {
        self.used.check(expanded, self.terms())
    }

    /// Returns how many of `left` expansions may be made until the next reading of the clock.
    #[inline]
    pub(crate) fn allowed(&self, left: u64) -> u64 {
        self.used.allowed(left, self.terms())
    }

    /// Whether the clock or the token must be checked.
    #[cfg(feature = "parallel")]
    pub(crate) fn is_watched(&self) -> bool {
        self.used.is_watched(self.terms())
    }

    /// Checks the time limit and the token.
    ///
    /// # Errors
    ///
    /// The [`StopReason`] if it may not.
    #[inline]
    pub fn check_clock(&self) -> Result<(), StopReason> {
        self.used.check_time(self.used.spent, self.terms())
    }

    /// Like [`check_clock`](Self::check_clock), but reads the clock now if there is a limit on the time, and does not
    /// record the reading.
    pub(crate) fn check_now(&self) -> Result<(), StopReason> {
        self.used.check_now(self.terms())
    }

    /// Checks the time limit and the token after some of many states, of which this one has that number: the flags that
    /// interrupt a run after each of them, and the clock itself after some hundred.
    ///
    /// # Errors
    ///
    /// The [`StopReason`] if none may follow.
    #[inline]
    pub(crate) fn check_state(&self, number: usize) -> Result<(), StopReason> {
        if number.is_multiple_of(STATES_PER_READING) || self.interrupt().is_raised() {
            return self.check_now();
        }
        Ok(())
    }

    /// Whether a search may go on with work between two expansions: as [`check_now`](Self::check_now), once its clock was
    /// started.
    pub(crate) fn goes_on(&self) -> bool {
        (self.used.goes_on)(&self.used, self.terms())
    }

    /// Returns the time left now, if there is a limit on the time.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.used.time_left(self.terms())
    }

    /// Starts a run up to the limits.
    pub(crate) fn start_clock(&mut self) {
        self.start_slice(Slice::default());
    }

    /// Starts a run up to the end of the slice. Every run begins here, so a slice ends with its run, even after a panic.
    pub(crate) fn start_slice(&mut self, slice: Slice) {
        self.used.start_slice(slice, Terms::of(&self.limits));
    }

    /// Starts a run so short that nothing needs to interrupt it.
    pub(crate) fn start_step(&mut self) {
        self.used.start_step(self.limits.time_source());
    }

    /// Returns how many steps, of those that are allowed, may be made before the limits are checked again. With a limit on the
    /// time or a token, and at the beginning of a search, it is one. The last one is timed.
    pub(crate) fn sampled_steps(&mut self, allowed: u64) -> u64 {
        self.used.sampled_steps(allowed, Terms::of(&self.limits))
    }

    /// Starts one of these steps, and the clock if it is the last one.
    #[inline]
    pub(crate) fn start_sampled_step(&mut self, is_timed: bool) {
        if is_timed {
            self.used.start_step(self.limits.time_source());
        } else {
            self.used.untimed = self.used.untimed.saturating_add(1);
        }
    }

    /// Ends the last one. If it was not allowed to expand a state, it says nothing about the others.
    pub(crate) fn end_sampled_step(&mut self, allowed: u64) {
        // The clock was not read since it started.
        let before = self.used.spent;
        self.used.look_at_clock(1, self.limits.time_source());
        if allowed > 0 {
            self.used.end_sampled_step(before);
        }
    }

    /// Ends the run. After it, only the limits apply.
    pub(crate) fn stop_clock(&mut self) {
        self.used.stop_clock();
    }

    /// Returns the flags that interrupt the run.
    #[inline]
    pub(crate) fn interrupt(&self) -> &Interrupt {
        &self.used.interrupt
    }

    /// Uses the flags of `search`, for one of its workers.
    #[cfg(feature = "parallel")]
    pub(crate) fn share_interrupt(&mut self, search: &Self) {
        self.used.interrupt = search.used.interrupt.clone();
    }

    /// Returns the current moment, if there is a clock.
    #[cfg(feature = "parallel")]
    pub(crate) fn now(&self) -> Option<Moment> {
        self.limits.time_source().now()
    }

    /// Records the time since the last reading, in which at most `most` expansions were made, and
    /// adapts the number of expansions until the next.
    pub(crate) fn look_at_clock(&mut self, most: u64) {
        self.used.look_at_clock(most, self.limits.time_source());
    }

    /// Returns the number of expansions until the next reading of the clock.
    #[cfg(feature = "parallel")]
    pub(crate) fn quantum(&self) -> u64 {
        self.used.quantum
    }

    /// Returns when the clock was last read.
    #[cfg(feature = "parallel")]
    pub(crate) fn last_look(&self) -> Option<Moment> {
        self.used.since
    }

    /// Returns the budget with this pace of clock readings.
    #[cfg(feature = "parallel")]
    pub(crate) fn with_pace(mut self, pace: Pace) -> Self {
        self.used.pace = pace;
        self
    }

    /// Resets the time spent to zero and the memory peak to what is held.
    pub(crate) fn begin_anew(&mut self) {
        self.used.begin_anew();
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
            if least(limits.expansion_limit(), self.used.slice.expansions).is_some() {
                limits = limits.expansions(share(self.expansions_left(expanded), number));
            }
            if limits.memory_limit().is_some() {
                let bytes = share(self.memory.left() as u64, number);
                limits = limits.memory(usize::try_from(bytes).unwrap_or(usize::MAX));
            }
            let mut part = Self::new(limits);
            (part.used.spent, part.used.since) = (self.used.spent, self.used.since);
            part.used.goes_on = self.used.goes_on;
            part.used.slice.time = self.used.slice.time;
            part
        };
        (0..parts).map(part).collect()
    }

    /// Adds what a part has used: the memory that it holds, and its time if it took longer than the
    /// others. (Expansions are counted in the [`Stats`](crate::Stats) of the workers.)
    pub fn merge(&mut self, part: &Self) {
        self.memory.absorb(&part.memory);
        self.used.spent = self.used.spent.max(part.used.spent);
    }
}

impl<'l> Terms<'l> {
    #[inline]
    fn of<C: Cost>(limits: &'l Limits<C>) -> Self {
        Self {
            expansions: limits.expansion_limit(),
            time: limits.time_limit(),
            token: limits.token(),
            clock: limits.time_source(),
        }
    }
}

impl Used {
    fn new() -> Self {
        Self {
            spent: Duration::ZERO,
            since: None,
            quantum: 1,
            pace: PACE,
            slice: Slice::default(),
            interrupt: Interrupt::default(),
            untimed: 0,
            samples: None,
            goes_on: |_, _| true,
        }
    }

    fn begin_anew(&mut self) {
        (self.spent, self.since, self.quantum) = (Duration::ZERO, None, 1);
        (self.untimed, self.samples) = (0, None);
        self.slice = Slice::default();
        self.interrupt.disarm();
    }

    fn expansions_left(&self, expanded: u64, terms: Terms<'_>) -> u64 {
        let most = least(terms.expansions, self.slice.expansions);
        most.map_or(u64::MAX, |most| most.saturating_sub(expanded))
    }

    /// The time that may be spent at most.
    fn most_time(&self, terms: Terms<'_>) -> Option<Duration> {
        least(terms.time, self.slice.time)
    }

    fn is_watched(&self, terms: Terms<'_>) -> bool {
        self.most_time(terms).is_some() || terms.token.is_some()
    }

    fn allowed(&self, left: u64, terms: Terms<'_>) -> u64 {
        if self.is_watched(terms) { left.min(self.quantum) } else { left }
    }

    fn check(&self, expanded: u64, terms: Terms<'_>) -> Result<u64, StopReason> {
        self.check_time(self.spent, terms)?;
        let left = self.expansions_left(expanded, terms);
        if left == 0 {
            return Err(StopReason::Expansions);
        }
        Ok(self.allowed(left, terms))
    }

    fn check_time(&self, spent: Duration, terms: Terms<'_>) -> Result<(), StopReason> {
        if terms.token.is_some_and(CancelToken::is_cancelled) {
            return Err(StopReason::Cancelled);
        }
        match self.most_time(terms) {
            Some(most) if spent >= most || self.interrupt.was_past() => {
                self.interrupt.note_past();
                Err(StopReason::Time)
            }
            Some(_) if !terms.clock.is_readable() => Err(StopReason::NoClock),
            _ => Ok(()),
        }
    }

    fn check_now(&self, terms: Terms<'_>) -> Result<(), StopReason> {
        // Without a limit on the time, the clock is not read.
        let took = self.most_time(terms).map_or(Duration::ZERO, |_| self.look(terms.clock).1);
        self.check_time(self.spent.saturating_add(took), terms)
    }

    fn time_left(&self, terms: Terms<'_>) -> Option<Duration> {
        let spent = self.spent.saturating_add(self.look(terms.clock).1);
        self.most_time(terms).map(|most| most.saturating_sub(spent))
    }

    /// The current moment, if there is a clock, and the time since it was last read.
    #[inline(never)]
    fn look(&self, clock: &Clock) -> (Option<Moment>, Duration) {
        let now = clock.now();
        (now, now.zip(self.since).map_or(Duration::ZERO, |(now, since)| now.since(since)))
    }

    fn start_slice(&mut self, slice: Slice, terms: Terms<'_>) {
        self.start_step(terms.clock);
        self.slice = slice;
        let left = self.most_time(terms).map(|most| most.saturating_sub(self.spent));
        self.interrupt.arm(terms.token, terms.clock, left);
    }

    fn start_step(&mut self, clock: &Clock) {
        self.start_untimed_step();
        self.since = self.look(clock).0;
    }

    fn start_untimed_step(&mut self) {
        self.goes_on = |used, terms| used.check_now(terms).is_ok();
        (self.since, self.slice) = (None, Slice::default());
        self.interrupt.disarm();
    }

    fn sampled_steps(&mut self, allowed: u64, terms: Terms<'_>) -> u64 {
        self.start_untimed_step();
        // The first one is timed, too.
        let is_timed = self.spent.is_zero() || self.is_watched(terms);
        let most = if is_timed { 1 } else { self.period().saturating_sub(self.untimed).max(1) };
        allowed.min(u64::from(most))
    }

    /// One of this many sampled steps is timed.
    fn period(&self) -> u32 {
        let (least, most) = (*TIMED.start(), *TIMED.end());
        let Some(Samples { mean, .. }) = self.samples else { return least };
        let steps = BETWEEN_TIMED / mean.as_nanos().max(1);
        u32::try_from(steps).map_or(most, |steps| steps.clamp(least, most))
    }

    fn end_sampled_step(&mut self, before: Duration) {
        if self.since.is_none() {
            return;
        }
        let took = self.spent.saturating_sub(before);
        let Samples { last, mean } = self.samples.unwrap_or(Samples { last: took, mean: took });
        // A step that took long for once, as the table grew, says little about the others.
        let each = took.min(last.max(mean.saturating_mul(16)));
        self.spent = self.spent.saturating_add(each.saturating_mul(self.untimed));
        self.untimed = 0;
        let mean = mean.saturating_mul(3).saturating_add(each) / 4;
        self.samples = Some(Samples { last: took, mean });
    }

    fn stop_clock(&mut self) {
        self.slice = Slice::default();
        self.interrupt.disarm();
    }

    fn look_at_clock(&mut self, most: u64, clock: &Clock) {
        let Pace { interval, most_unseen } = self.pace;
        if self.since.is_none() {
            // There is no clock, or the step is not timed.
            if most >= self.quantum {
                self.quantum = (self.quantum * 2).min(most_unseen);
            }
            return;
        }
        let (now, took) = self.look(clock);
        self.spent = self.spent.saturating_add(took);
        self.since = now;
        // One fast step says little about the following ones.
        if took < interval / 2 && most >= self.quantum {
            self.quantum = (self.quantum * 2).min(most_unseen);
        } else if took > interval {
            let ratio = took.as_nanos().div_ceil(interval.as_nanos());
            self.quantum = (self.quantum / u64::try_from(ratio).unwrap_or(u64::MAX)).max(1);
        }
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

    /// The time is that of all steps, though few are timed, the fewer the shorter they are.
    #[test]
    fn some_of_sampled_steps_are_timed() {
        for (nanoseconds, period) in [(1, 128), (100, 80), (500, 16), (1_000_000, 16)] {
            let (shown, time) = clock();
            let mut budget = Budget::new(Limits::<u8>::new().clock(shown));
            let (mut left, mut timed, steps) = (0, 0, 10_000);
            for _ in 0..steps {
                if left == 0 {
                    left = budget.sampled_steps(u64::MAX);
                }
                budget.start_sampled_step(left == 1);
                pass(&time, Duration::from_nanos(nanoseconds));
                left -= 1;
                if left == 0 {
                    budget.end_sampled_step(1);
                    timed += 1;
                }
            }
            let all = time.load(Ordering::Relaxed);
            let spent = u64::try_from(budget.used.spent.as_nanos()).unwrap();
            assert!((all - period * nanoseconds..=all).contains(&spent), "{spent} of {all}");
            assert!(((steps / period)..=(steps / period) + 1).contains(&timed), "{timed}");
        }
    }

    /// The estimate is near, where steps differ and where they become slow for good.
    #[test]
    fn the_time_of_sampled_steps_that_differ_is_estimated() {
        let times: [fn(u64) -> u64; 4] = [
            |step| if step % 2 == 0 { 50 } else { 1_000 },
            |step| if step % 10 == 0 { 600 } else { 60 },
            |step| 1 << (step % 9),
            |step| if step < 50_000 { 70 } else { 100_000 },
        ];
        for (nth, time_of) in times.into_iter().enumerate() {
            let (shown, time) = clock();
            let mut budget = Budget::new(Limits::<u8>::new().clock(shown));
            let mut left = 0;
            for step in 0..100_000_u64 {
                if left == 0 {
                    left = budget.sampled_steps(u64::MAX);
                }
                budget.start_sampled_step(left == 1);
                // In no order that the period has anything to do with.
                let place = step.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
                let nanoseconds = time_of(if nth == 3 { step } else { place });
                pass(&time, Duration::from_nanos(nanoseconds));
                left -= 1;
                if left == 0 {
                    budget.end_sampled_step(1);
                }
            }
            let all = u128::from(time.load(Ordering::Relaxed));
            let spent = budget.used.spent.as_nanos();
            assert!((all * 8..=all * 11).contains(&(spent * 10)), "{nth}: {spent} of {all}");
        }
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
        budget.used.quantum = PACE.most_unseen;
        pass(&time, PACE.interval * 5);
        budget.look_at_clock(u64::MAX);
        assert_eq!(quantum(&budget), PACE.most_unseen / 5);
        assert_eq!(budget.spent(), PACE.interval * 5);
        budget.used.quantum = PACE.most_unseen;
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
        assert!(budget.goes_on());
        assert_eq!(budget.check_clock(), Ok(()));
        pass(&time, Duration::from_millis(1));
        assert_eq!((budget.check_clock(), budget.check_now()), (Ok(()), Err(StopReason::Time)));
        // So do its parts.
        assert!(!budget.goes_on() && !budget.split(2, 0)[1].goes_on());
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
        parts[1].used.spent = Duration::from_millis(7);
        for part in &parts {
            budget.merge(part);
        }
        assert_eq!(budget.memory().held(), 401);
        assert_eq!(budget.spent(), Duration::from_millis(7));
        token.cancel();
        assert!(parts.iter().all(|part| part.check(0) == Err(StopReason::Cancelled)));
    }
}
