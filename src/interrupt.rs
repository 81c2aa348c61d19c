//! [`Interrupt`]: whether a search is to stop before its next expansion, because its time is up or it is cancelled.
//!
//! Reading the clock takes longer than many an expansion. So a separate thread waits for the deadline and then sets a
//! flag, which searches check after every expansion. All searches of a program share this thread. It is
//! started by the first one with a limit on the time, and ends when there has been none for a second.

use std::mem::take;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use crate::clock::{Clock, Instant, Moment, time_until};
use crate::limits::CancelToken;

/// Whether a run is to end early. A check takes a nanosecond, unless it reads a clock of the user.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt {
    /// Whether anything can interrupt the run.
    is_armed: bool,
    token: Option<CancelToken>,
    timed: TimedFlag,
    /// The deadline on a clock of the user's, which is read each time.
    deadline: Option<(Clock, Moment)>,
    /// Whether the time, once it is up, stays so on all threads, as on a clock of the user's that may go backwards: otherwise some
    /// could wait for the end, and others go on. (The flag for the system's clock may be set late, for a deadline before.)
    stays_past: bool,
}

impl Interrupt {
    /// Prepares for a run with that token and so much time from now on.
    pub(crate) fn arm(
        &mut self,
        token: Option<&CancelToken>,
        clock: &Clock,
        time: Option<Duration>,
    ) {
        if self.token.as_ref() != token {
            self.token = token.cloned();
        }
        self.forget_deadline();
        if let Some((time, now)) = time.zip(clock.now()) {
            match now.after(time) {
                Some(Moment::System(at)) => self.timed.set(at),
                at => {
                    self.timed =
                        TimedFlag { flag: Some(Arc::default()), is_own: true, take_back: None };
                    self.deadline = at.map(|at| (clock.clone(), at));
                    self.stays_past = true;
                }
            }
        }
        self.is_armed = self.token.is_some() || time.is_some();
    }

    /// Disables all interrupts.
    pub(crate) fn disarm(&mut self) {
        self.forget_deadline();
        self.is_armed = false;
    }

    fn forget_deadline(&mut self) {
        self.timed.clear();
        self.deadline = None;
        if take(&mut self.stays_past) {
            self.timed = TimedFlag::default();
        }
    }

    /// Whether anything can raise it during this run.
    pub(crate) fn is_armed(&self) -> bool {
        self.is_armed
    }

    /// Whether the time is up or the token is cancelled.
    #[inline]
    pub(crate) fn is_raised(&self) -> bool {
        self.is_armed && (self.look() || (self.reads_clock() && self.is_past()))
    }

    /// The same but for a clock of the user's.
    #[inline]
    pub(crate) fn has_flag(&self) -> bool {
        self.is_armed && self.look()
    }

    #[inline]
    fn look(&self) -> bool {
        self.timed.is_up() || self.token.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    /// Whether it reads a clock of the user's.
    #[inline]
    pub(crate) fn reads_clock(&self) -> bool {
        self.deadline.is_some()
    }

    #[inline(never)]
    fn is_past(&self) -> bool {
        let is_past =
            |(clock, at): &(Clock, Moment)| clock.given_now().is_some_and(|now| now >= *at);
        let is_past = self.deadline.as_ref().is_some_and(is_past);
        if is_past {
            self.note_past();
        }
        is_past
    }

    /// Takes note that the time is up.
    pub(crate) fn note_past(&self) {
        if self.stays_past
            && let Some(flag) = &self.timed.flag
        {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Whether it was noted that the time is up.
    pub(crate) fn was_past(&self) -> bool {
        self.stays_past && self.timed.is_up()
    }
}

/// A flag that is set at a moment. Its clones are set with it until it is dropped.
#[derive(Debug, Default)]
struct TimedFlag {
    flag: Option<Arc<AtomicBool>>,
    /// Whether it has made the flag; a clone has not.
    is_own: bool,
    /// Takes the flag back from the thread that is to set it.
    take_back: Option<TakeBack>,
}

/// It is a pointer, so that programs without a limit on the time do not contain the code of the thread.
type TakeBack = fn(&Arc<AtomicBool>);

/// Has a flag set at a moment; returns what takes it back, if there is a thread for that.
type Add = fn(Instant, &Arc<AtomicBool>) -> Option<TakeBack>;

impl TimedFlag {
    /// Sets the flag at that moment.
    fn set(&mut self, at: Instant) {
        self.clear();
        if !self.is_own {
            (self.flag, self.is_own) = (None, true);
        }
        let flag = self.flag.get_or_insert_default();
        self.take_back = ADD.get().and_then(|add| add(at, flag));
    }

    /// Clears the flag, and does not set it any more.
    fn clear(&mut self) {
        if let Some(take_back) = self.take_back.take()
            && let Some(flag) = &self.flag
        {
            take_back(flag);
            flag.store(false, Ordering::Relaxed);
        }
    }

    #[inline]
    fn is_up(&self) -> bool {
        self.flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

impl Clone for TimedFlag {
    fn clone(&self) -> Self {
        Self { flag: self.flag.clone(), is_own: false, take_back: None }
    }
}

impl Drop for TimedFlag {
    fn drop(&mut self) {
        self.clear();
    }
}

/// It is set by the first limit on the time, so that programs without one do not link the code of the thread.
static ADD: OnceLock<Add> = OnceLock::new();

/// Enables the timer thread. Called by every limit on the time; without it searches only read the clock at intervals.
pub(crate) fn provide() {
    ADD.get_or_init(|| |at, flag| TIMER.add(at, flag).then_some(|flag| TIMER.remove(flag)));
}

/// The thread that sets flags, and what it is to set.
struct Timer {
    state: Mutex<State>,
    /// Notified when the thread must wait for an earlier moment.
    is_earlier: Condvar,
}

struct State {
    deadlines: Vec<(Instant, Arc<AtomicBool>)>,
    has_thread: bool,
    /// The moment that the thread waits for.
    until: Option<Instant>,
}

static TIMER: Timer = Timer {
    state: Mutex::new(State { deadlines: Vec::new(), has_thread: false, until: None }),
    is_earlier: Condvar::new(),
};

/// The thread waits so long for another deadline before it ends.
const IDLE: Duration = Duration::from_secs(1);

impl Timer {
    /// No one panics while it is locked.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a flag set at that moment. False if there is no thread for it.
    fn add(&'static self, at: Instant, flag: &Arc<AtomicBool>) -> bool {
        let mut state = self.lock();
        if !state.has_thread {
            let builder = thread::Builder::new().name("bestfirst-timer".into()).stack_size(1 << 17);
            state.has_thread = builder.spawn(|| self.watch()).is_ok();
            state.until = None;
        } else if state.until.is_none_or(|until| at < until) {
            state.until = Some(at);
            self.is_earlier.notify_one();
        }
        if state.has_thread {
            state.deadlines.push((at, Arc::clone(flag)));
        }
        state.has_thread
    }

    fn remove(&self, flag: &Arc<AtomicBool>) {
        let mut state = self.lock();
        if let Some(place) = state.deadlines.iter().position(|(_, other)| Arc::ptr_eq(flag, other))
        {
            state.deadlines.swap_remove(place);
        }
    }

    /// What the thread does.
    fn watch(&self) {
        let mut state = self.lock();
        let mut is_idle = false;
        loop {
            state.deadlines.retain(|(at, flag)| {
                let is_due = time_until(*at).is_zero();
                if is_due {
                    flag.store(true, Ordering::Relaxed);
                }
                !is_due
            });
            state.until = state.deadlines.iter().map(|&(at, _)| at).min();
            let wait = match state.until {
                Some(until) => time_until(until),
                None if is_idle => {
                    state.has_thread = false;
                    return;
                }
                None => IDLE,
            };
            is_idle = state.until.is_none();
            let woken = self.is_earlier.wait_timeout(state, wait);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
