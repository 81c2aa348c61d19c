//! [`Workers`]: who works on the shards of a bucket: one thread, or several.

#[cfg(feature = "parallel")]
use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

#[cfg(feature = "parallel")]
use super::crew::Crew;
use super::sorting::Sorting;
use super::work::{Left, View, Work};
#[cfg(feature = "parallel")]
use crate::clock::Stopwatch;
use crate::encode::Encode;
use crate::interrupt::Interrupt;
use crate::problem::SearchProblem;
use crate::threads::SingleThreaded;

/// Who works on the shards of a bucket.
///
/// This trait is sealed.
pub trait Workers<P: SearchProblem>: sealed::WorkOn<P> {}

impl<P: SearchProblem, W: sealed::WorkOn<P>> Workers<P> for W {}

pub(super) mod sealed {
    use super::{Interrupt, Left, SearchProblem, Sorting, View, Work};

    #[expect(private_interfaces, reason = "sealed: nobody calls it from outside")]
    pub trait WorkOn<P: SearchProblem> {
        /// How many threads there are.
        fn threads(&self) -> usize;

        /// Sorts entries: all, or some, and not for more than a few milliseconds if the clock is watched.
        fn sort(&mut self, parts: &mut [Sorting<P::State>], watched: Option<&Interrupt>);

        /// Works on all of them, until each must be left, or for a few milliseconds if the clock is watched. Returns how the
        /// first was left.
        fn run(&mut self, view: &View<'_, P>, works: &mut [Work<P>], is_watched: bool) -> Left;
    }
}

#[expect(private_interfaces, reason = "sealed: nobody calls it from outside")]
impl<P: SearchProblem<State: Encode>> sealed::WorkOn<P> for SingleThreaded {
    fn threads(&self) -> usize {
        1
    }

    fn sort(&mut self, parts: &mut [Sorting<P::State>], _: Option<&Interrupt>) {
        parts.iter_mut().for_each(Sorting::step);
    }

    fn run(&mut self, view: &View<'_, P>, works: &mut [Work<P>], _: bool) -> Left {
        works.first_mut().map_or(Left::Done, |work| work.go_on(view, u64::MAX, &mut ()))
    }
}

/// Several threads, one of them the calling one. (Feature `parallel`.)
#[cfg(feature = "parallel")]
#[derive(Clone, Debug)]
pub struct SeveralThreads {
    crew: Crew,
}

/// If the clock is watched, it is looked at so often.
#[cfg(feature = "parallel")]
const MOST_TIME: Duration = Duration::from_millis(2);

/// If the clock is watched, a thread expands this many states before it looks at it.
pub(super) const UNSEEN: u64 = 256;

#[cfg(feature = "parallel")]
impl SeveralThreads {
    pub(super) fn new(count: usize) -> Self {
        Self { crew: Crew::new(count) }
    }
}

#[cfg(feature = "parallel")]
#[expect(private_interfaces, reason = "sealed: nobody calls it from outside")]
impl<P> sealed::WorkOn<P> for SeveralThreads
where
    P: SearchProblem<State: Encode + Send + Sync, Action: Send, Cost: Send + Sync> + Sync,
{
    fn threads(&self) -> usize {
        self.crew.threads()
    }

    fn sort(&mut self, parts: &mut [Sorting<P::State>], watched: Option<&Interrupt>) {
        let late = Late::new(watched);
        self.crew.each(parts, |_, part| {
            while part.count_left() > 0 {
                part.step();
                if late.is_late() {
                    return;
                }
            }
        });
    }

    fn run(&mut self, view: &View<'_, P>, works: &mut [Work<P>], is_watched: bool) -> Left {
        let late = Late::new(is_watched.then_some(view.interrupt));
        let most = if is_watched { UNSEEN } else { u64::MAX };
        let first = Mutex::new(Left::Busy);
        self.crew.each(works, |number, work| {
            let goes_on = |left| matches!(left, Left::Busy | Left::Spent) && !late.is_late();
            let left = work.go_on_while(view, most, &mut (), goes_on);
            if number == 0 {
                *first.lock().unwrap_or_else(PoisonError::into_inner) = left;
            }
        });
        first.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether it is time to look at the limits, if the clock is watched.
#[cfg(feature = "parallel")]
struct Late<'a> {
    watched: Option<&'a Interrupt>,
    began: Stopwatch,
}

#[cfg(feature = "parallel")]
impl<'a> Late<'a> {
    fn new(watched: Option<&'a Interrupt>) -> Self {
        Self { watched, began: Stopwatch::start() }
    }

    fn is_late(&self) -> bool {
        self.watched
            .is_some_and(|interrupt| interrupt.is_raised() || self.began.elapsed() >= MOST_TIME)
    }
}
