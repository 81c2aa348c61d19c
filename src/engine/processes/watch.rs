//! [`Watch`]: whether all processes are well, as far as this one knows.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::error::Loss;

/// What the threads of this process share: whether the search must be given up.
#[derive(Debug, Default)]
pub(super) struct Watch {
    is_over: AtomicBool,
    /// Looks of the workers of this process at the clock, while they expand states or take them in.
    work: AtomicU64,
    /// The workers of this process that do not wait for others.
    busy: AtomicUsize,
    state: Mutex<State>,
    changed: Condvar,
    /// The number of this process.
    process: usize,
    /// When no process has come further for so long, the search is given up.
    patience: Duration,
}

#[derive(Debug, Default)]
struct State {
    /// The first process that was lost, and how.
    lost: Option<(usize, Loss)>,
    /// Whether the workers of this process have ended.
    is_idle: bool,
    /// How far each process has come.
    heard: Vec<Heard>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Heard {
    at: Advance,
    since: Duration,
}

/// How far a process has come, as it says itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Advance {
    pub(super) work: u64,
    /// Whether all its workers wait for others.
    pub(super) waits: bool,
}

impl Watch {
    pub(super) fn new(
        process: usize,
        processes: usize,
        workers: usize,
        patience: Duration,
    ) -> Self {
        let heard = vec![Heard::default(); processes];
        Self {
            busy: AtomicUsize::new(workers),
            state: Mutex::new(State { heard, ..State::default() }),
            process,
            patience,
            ..Self::default()
        }
    }

    /// Whether the search must be given up.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Gives the search up in this process, and by that in all others. What is lost afterwards is not the reason.
    pub(super) fn give_up(&self) {
        let _state = self.state();
        self.is_over.store(true, Ordering::Release);
    }

    /// The first process that was lost, and how.
    pub(super) fn lost(&self) -> Option<(usize, Loss)> {
        self.state().lost
    }

    /// Notes that the workers of this process have ended.
    pub(super) fn be_idle(&self) {
        self.state().is_idle = true;
        self.changed.notify_all();
    }

    pub(super) fn lose(&self, process: usize, loss: Loss) {
        let mut state = self.state();
        if !self.is_over() {
            state.lost = Some((process, loss));
            self.is_over.store(true, Ordering::Release);
        }
    }

    pub(super) fn wait_until_idle(&self) {
        let state = self.state();
        let wait = self.changed.wait_while(state, |state| !state.is_idle);
        drop(wait.unwrap_or_else(PoisonError::into_inner));
    }

    /// Notes that a worker of this process does something, now and then.
    pub(super) fn note_work(&self) {
        self.work.fetch_add(1, Ordering::Relaxed);
    }

    /// A worker of this process begins to wait for others.
    pub(super) fn begin_to_wait(&self) {
        self.busy.fetch_sub(1, Ordering::Relaxed);
    }

    /// A worker of this process has waited.
    pub(super) fn end_to_wait(&self) {
        self.busy.fetch_add(1, Ordering::Relaxed);
    }

    /// How far this process has come.
    pub(super) fn advance(&self) -> Advance {
        Advance {
            work: self.work.load(Ordering::Relaxed),
            waits: self.busy.load(Ordering::Relaxed) == 0,
        }
    }

    /// Notes that another process has sent something of the search.
    pub(super) fn hear(&self, process: usize, now: Duration) {
        if let Some(heard) = self.state().heard.get_mut(process) {
            heard.since = now;
        }
    }

    /// Notes what another process says of itself.
    pub(super) fn hear_advance(&self, process: usize, at: Advance, now: Duration) {
        if let Some(heard) = self.state().heard.get_mut(process) {
            heard.hear(at, now);
        }
    }

    /// Notes that the process `by` has given up because it has lost another.
    pub(super) fn hear_loss(&self, by: usize, lost: u64) {
        let processes = self.state().heard.len();
        let lost = usize::try_from(lost).ok().filter(|&lost| lost < processes);
        // Whoever has lost this process, or says that of itself, is what is lost.
        if let Some(lost) = lost
            && lost != by
            && lost != self.process
        {
            self.lose(lost, Loss::Reported { by });
        }
    }

    /// Gives up if this process only waits, and no process has come further for too long.
    pub(super) fn check_advance(&self, now: Duration) {
        let own = self.advance();
        let mut state = self.state();
        let Some(heard) = state.heard.get_mut(self.process) else { return };
        heard.hear(own, now);
        let last = state.heard.iter().map(|heard| heard.since).max().unwrap_or(now);
        if !own.waits || now.saturating_sub(last) < self.patience {
            return;
        }
        // The fault is of one that should not wait, or else of the one that has said nothing for the longest time.
        let others = state.heard.iter().enumerate().filter(|&(process, _)| process != self.process);
        let to_blame = others.min_by_key(|(_, heard)| (heard.at.waits, heard.since));
        let to_blame = to_blame.map(|(process, _)| process);
        drop(state);
        if let Some(process) = to_blame {
            self.lose(process, Loss::Stalled);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Heard {
    fn hear(&mut self, at: Advance, now: Duration) {
        if self.at.work != at.work {
            self.since = now;
        }
        self.at = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn say(watch: &Watch, process: usize, work: u64, waits: bool, now: u64) {
        watch.hear_advance(process, Advance { work, waits }, seconds(now));
    }

    #[test]
    fn whoever_stands_still_is_blamed() {
        let watch = Watch::new(1, 3, 1, seconds(10));
        watch.begin_to_wait();
        for now in 0..20 {
            // It works, and says so.
            say(&watch, 0, now, false, now);
            watch.check_advance(seconds(now));
            assert!(!watch.is_over(), "{now}");
        }
        say(&watch, 2, 0, true, 20);
        watch.hear(2, seconds(20));
        for now in 20..30 {
            say(&watch, 0, 19, false, now);
            say(&watch, 2, 0, true, now);
            watch.check_advance(seconds(now));
            assert!(!watch.is_over(), "{now}");
        }
        watch.check_advance(seconds(30));
        assert_eq!(watch.lost(), Some((0, Loss::Stalled)));
    }

    #[test]
    fn one_that_works_itself_blames_nobody() {
        let watch = Watch::new(0, 2, 1, seconds(10));
        watch.check_advance(seconds(1000));
        assert!(!watch.is_over());
        watch.note_work();
        watch.begin_to_wait();
        watch.check_advance(seconds(1001));
        watch.check_advance(seconds(1010));
        assert!(!watch.is_over());
        watch.check_advance(seconds(1011));
        assert_eq!(watch.lost(), Some((1, Loss::Stalled)));
    }

    #[test]
    fn the_first_reason_is_kept() {
        let watch = Watch::default();
        watch.give_up();
        watch.lose(1, Loss::Closed);
        assert_eq!((watch.is_over(), watch.lost()), (true, None));
        let watch = Watch::default();
        watch.lose(2, Loss::Garbled);
        watch.lose(1, Loss::Closed);
        assert_eq!(watch.lost(), Some((2, Loss::Garbled)));
    }
}
