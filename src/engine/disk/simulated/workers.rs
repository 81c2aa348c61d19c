//! [`Shuffled`]: simulated threads, any of which may be the first at any time.

use std::cell::Cell;

use super::super::sorting::Sorting;
use super::super::work::{Left, View, Work};
use super::super::workers::{UNSEEN, sealed::WorkOn};
use crate::encode::Encode;
use crate::engine::random::Random;
use crate::interrupt::Interrupt;
use crate::problem::SearchProblem;

/// One thread that does what several may do: each shard gets any number of steps before all are left.
#[derive(Debug)]
pub(super) struct Shuffled {
    random: Random,
    threads: usize,
    /// Whether nothing is done. (Workers of another type would have the compiler make the engine again.)
    is_idle: bool,
}

impl Shuffled {
    pub(super) fn new(random: Random, threads: usize) -> Self {
        Self { random, threads, is_idle: false }
    }

    /// Two threads that do nothing.
    pub(super) fn idle() -> Self {
        Self { is_idle: true, ..Self::new(Random::new(0), 2) }
    }
}

impl<P: SearchProblem<State: Encode>> WorkOn<P> for Shuffled {
    fn threads(&self) -> usize {
        self.threads
    }

    fn sort(&mut self, parts: &mut [Sorting<P::State>], _: Option<&Interrupt>) {
        for part in parts {
            (0..self.random.below(4)).for_each(|_| part.step());
        }
    }

    fn run(&mut self, view: &View<'_, P>, works: &mut [Work<P>], _: bool) -> Left {
        let mut first = Left::Busy;
        if self.is_idle {
            return first;
        }
        for (number, work) in works.iter_mut().enumerate() {
            // A thread looks at the clock after a step, at the earliest.
            let steps = match self.random.below(3) {
                0 => 1,
                1 => 1 + self.random.below(20),
                _ => u64::MAX,
            };
            let most = 1 + self.random.below(UNSEEN);
            let done = Cell::new(0);
            let left = work.go_on_while(view, most, &mut (), |left| {
                done.set(done.get() + 1);
                matches!(left, Left::Busy | Left::Spent) && done.get() < steps
            });
            if number == 0 {
                first = left;
            }
        }
        first
    }
}
