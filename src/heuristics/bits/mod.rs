//! Building with bit vectors: three bits for each state index.
//!
//! *Open* states have a known cost and are not yet expanded, *closed* ones are expanded, and those in
//! *next* are open in the next layer. A layer is swept until no state is open, because steps of cost zero
//! open states of the same layer.

#[cfg(not(feature = "parallel"))]
mod no_threads;
#[cfg(feature = "parallel")]
mod parallel;
mod sweep;
mod vector;

use std::fmt::Debug;
use std::sync::atomic::AtomicU8;

use num_traits::{One, PrimInt};

use super::builder::sealed::Build;
use super::error::BuildError;
use super::pattern_database::PatternDatabase;
use crate::budget::Budget;
use crate::cost::Cost;
use crate::engine::Run;
use crate::limits::Limits;
use crate::observer::Observer;
use crate::problem::{DenseStates, Reversible, SearchProblem};
use crate::report::{SearchError, StopReason};
use crate::threads::SingleThreaded;
use sweep::{Done, Sweep, Worker};
use vector::BitVector;

/// Builds a database by Dijkstra's algorithm: the default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nodes;

/// Builds a database with bit vectors; selected by [`bits`](super::PatternDatabaseBuilder::bits).
#[derive(Clone, Copy, Debug)]
pub struct Bits<T> {
    pub(super) keys: usize,
    pub(super) strategy: T,
}

/// Who sweeps a layer.
pub(super) trait Strategy<P: SearchProblem, K> {
    type Workers;

    fn start(self) -> Option<Self::Workers>;

    /// Sweeps all words once.
    fn sweep<O: Observer<P::State, P::Cost>>(
        workers: &mut Self::Workers,
        sweep: &Sweep<'_, P, K>,
        observer: &mut O,
    ) -> Done<P::Cost>;
}

impl<P, K> Strategy<P, K> for SingleThreaded
where
    P: Reversible<Cost: PrimInt> + DenseStates,
    K: Fn(&P::State) -> usize,
{
    type Workers = Worker<P>;

    fn start(self) -> Option<Worker<P>> {
        Some(Worker::new())
    }

    fn sweep<O: Observer<P::State, P::Cost>>(
        worker: &mut Worker<P>,
        sweep: &Sweep<'_, P, K>,
        observer: &mut O,
    ) -> Done<P::Cost> {
        sweep.work::<false, O>(worker, observer);
        std::mem::replace(&mut worker.done, Done::new())
    }
}

impl<P, K, T> Build<P, K> for Bits<T>
where
    P: Reversible<Cost: PrimInt> + DenseStates,
    K: Fn(&P::State) -> usize,
    T: Strategy<P, K>,
{
    fn build<O: Observer<P::State, P::Cost>>(
        self,
        abstraction: &P,
        goals: Vec<P::State>,
        key: &K,
        limits: Limits<P::Cost>,
        observer: O,
    ) -> Result<PatternDatabase, BuildError<P::Cost>> {
        let mut workers = self.strategy.start().ok_or(BuildError::Threads)?;
        let mut run = Run::new(limits, observer);
        run.budget.start_clock();
        let mut layers = Layers::new(abstraction.state_count(), self.keys, &mut run.budget)
            .map_err(BuildError::Stopped)?;
        layers.open_goals(abstraction, goals, &run.budget)?;
        let mut cost = Some(P::Cost::ZERO);
        while layers.has_open() {
            let Some(g) = cost else {
                let (g, added) = (P::Cost::INFINITY, P::Cost::one());
                return Err(SearchError::Overflow { g, added }.into());
            };
            if run.exceeds_cost_limit(g) {
                return Err(BuildError::Stopped(StopReason::Cost));
            }
            run.enter_layer::<P::State>(g);
            layers.expand_layer::<P, K, T, O>(&mut workers, (abstraction, key), g, &mut run)?;
            cost = Cost::checked_add(g, P::Cost::one());
        }
        run.end_layer::<P::State>();
        let mut values: Vec<_> = layers.values.into_iter().map(AtomicU8::into_inner).collect();
        // Keys beyond the largest one used have no entries.
        let is_key = |&value: &u8| value != PatternDatabase::NONE;
        values.truncate(values.iter().rposition(is_key).map_or(0, |largest| largest + 1));
        values.shrink_to_fit();
        Ok(PatternDatabase::from_values(values))
    }
}

/// The number of entries of a list that are filled before the time is looked at: less than a millisecond.
const PIECE: usize = 1 << 16;

/// Returns a list of `len` entries.
fn filled<T, C: Cost>(
    len: usize,
    mut value: impl FnMut() -> T,
    budget: &mut Budget<C>,
) -> Result<Vec<T>, StopReason> {
    budget.memory().claim(len.saturating_mul(size_of::<T>()))?;
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| StopReason::Memory)?;
    while list.len() < len {
        budget.check_now()?;
        list.resize_with(len.min(list.len() + PIECE), &mut value);
    }
    Ok(list)
}

/// The sets of states, by their indices, and the database so far.
struct Layers {
    open: BitVector,
    closed: BitVector,
    next: BitVector,
    values: Vec<AtomicU8>,
}

impl Layers {
    fn new<C: Cost>(
        states: usize,
        keys: usize,
        budget: &mut Budget<C>,
    ) -> Result<Self, StopReason> {
        let open = BitVector::new(states, budget)?;
        let closed = BitVector::new(states, budget)?;
        let next = BitVector::new(states, budget)?;
        let values = filled(keys, || AtomicU8::new(PatternDatabase::NONE), budget)?;
        Ok(Self { open, closed, next, values })
    }

    fn open_goals<P: DenseStates>(
        &mut self,
        abstraction: &P,
        goals: Vec<P::State>,
        budget: &Budget<P::Cost>,
    ) -> Result<(), BuildError<P::Cost>> {
        let count = abstraction.state_count();
        for (number, goal) in goals.into_iter().enumerate() {
            budget.check_state(number).map_err(BuildError::Stopped)?;
            let index = abstraction.state_index(&goal);
            if index >= count {
                return Err(SearchError::StateIndex { index, count }.into());
            }
            self.open.insert::<false>(index);
        }
        Ok(())
    }

    /// Whether there are states to expand. Some open states may be closed as well, if a step of cost 1 opened them
    /// before a step of cost zero reached them.
    fn has_open(&self) -> bool {
        (0..self.open.words()).any(|word| self.open.word(word) & !self.closed.word(word) != 0)
    }

    /// Expands all states of this cost, and opens those of the next cost.
    fn expand_layer<P, K, T, O>(
        &mut self,
        workers: &mut T::Workers,
        (abstraction, key): (&P, &K),
        g: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), BuildError<P::Cost>>
    where
        P: Reversible<Cost: PrimInt> + DenseStates,
        K: Fn(&P::State) -> usize,
        T: Strategy<P, K>,
        O: Observer<P::State, P::Cost>,
    {
        loop {
            let bytes = run.memory().left();
            let left = (run.budget.expansions_left(run.stats.expanded), bytes);
            let sweep = Sweep::new(
                (abstraction, key),
                (&self.open, &self.closed, &self.next),
                &self.values,
                g,
                left,
                &run.budget,
            );
            let done = T::sweep(workers, &sweep, &mut run.observer);
            let stopped = sweep.stopped();
            run.stats.expanded += done.expanded;
            run.stats.generated += done.generated;
            run.budget.look_at_clock(done.expanded);
            if let Some(error) = done.error {
                return Err(error);
            }
            if let Some(reason) = stopped {
                return Err(BuildError::Stopped(reason));
            }
            let left = run.budget.expansions_left(run.stats.expanded);
            if done.is_starved && left == 0 {
                return Err(BuildError::Stopped(StopReason::Expansions));
            }
            if !done.has_open && !done.is_starved {
                break;
            }
        }
        std::mem::swap(&mut self.open, &mut self.next);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use super::*;
    use crate::clock::Clock;
    use crate::limits::CancelToken;
    use crate::problem::Successors;

    /// A line of numbers, of which each has many predecessors. It counts how often it is asked for an index.
    struct Line {
        len: usize,
        most: usize,
        asked: Cell<u64>,
    }

    impl SearchProblem for Line {
        type State = usize;
        type Action = ();
        type Cost = u32;

        fn successors(&self, &n: &usize, next: &mut Successors<Self>) {
            next.extend((n > 0).then(|| ((), n - 1, 1)));
        }
        fn is_goal(&self, &n: &usize) -> bool {
            n == 0
        }
    }

    impl Reversible for Line {
        fn predecessors(&self, &n: &usize, previous: &mut Successors<Self>) {
            previous.extend((n + 1..self.len).take(self.most).map(|other| ((), other, 1)));
        }
        fn goals(&self) -> impl Iterator<Item = usize> {
            [0].into_iter()
        }
    }

    impl DenseStates for Line {
        fn state_count(&self) -> usize {
            self.len
        }
        fn state_index(&self, &n: &usize) -> usize {
            self.asked.set(self.asked.get() + 1);
            n
        }
        fn state_at(&self, index: usize) -> usize {
            index
        }
    }

    fn build(line: &Line, limits: Limits<u32>) -> Result<PatternDatabase, BuildError<u32>> {
        PatternDatabase::builder(line).bits(line.len).limits(limits).build([0], |&n| n)
    }

    #[test]
    fn the_time_is_looked_at_while_lists_are_filled() {
        let line = Line { len: 40 * PIECE, most: 1, asked: Cell::new(0) };
        let token = CancelToken::new();
        token.cancel();
        let cancelled = build(&line, Limits::new().cancel(&token));
        assert_eq!(cancelled.err(), Some(BuildError::Stopped(StopReason::Cancelled)));
        // It advances each time that it is read.
        let readings = Arc::new(AtomicU64::new(0));
        let clock = Arc::clone(&readings);
        let clock = Clock::new(move || Duration::from_secs(clock.fetch_add(1, Ordering::Relaxed)));
        let limits = Limits::new().time(Duration::from_secs(20)).clock(clock);
        let stopped = build(&line, limits);
        assert_eq!(stopped.err(), Some(BuildError::Stopped(StopReason::Time)));
        assert!(readings.load(Ordering::Relaxed) < 30);
        assert_eq!(line.asked.get(), 0);
    }

    #[test]
    fn the_predecessors_of_a_state_are_counted() {
        let line = Line { len: 10_000, most: usize::MAX, asked: Cell::new(0) };
        let stopped = build(&line, Limits::new().memory(100_000));
        assert_eq!(stopped.err(), Some(BuildError::Stopped(StopReason::Memory)));
        let line = Line { most: 100, ..line };
        assert!(build(&line, Limits::new().memory(100_000)).is_ok());
    }
}
