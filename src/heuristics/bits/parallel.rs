//! Building on several threads.

use std::sync::Mutex;

use num_traits::PrimInt;
use rayon::ThreadPool;

use super::sweep::{Done, Sweep, Worker};
use super::{Bits, Strategy};
use crate::heuristics::PatternDatabaseBuilder;
use crate::observer::Observer;
use crate::pool::{start, thread_count};
use crate::problem::{DenseStates, Reversible, SearchProblem};
use crate::threads::{SingleThreaded, Threads};

impl<P: SearchProblem, O> PatternDatabaseBuilder<P, Bits<SingleThreaded>, O> {
    /// Builds on `count` threads. 0 means the number of processors. (Feature `parallel`.)
    ///
    /// The database is the same. The limits apply to all threads together. The observer receives only layers.
    pub fn threads(self, count: usize) -> PatternDatabaseBuilder<P, Bits<Threads>, O> {
        let Self { abstraction, method, limits, observer } = self;
        let method = Bits { keys: method.keys, strategy: Threads::new(count) };
        PatternDatabaseBuilder { abstraction, method, limits, observer }
    }
}

impl<P, K> Strategy<P, K> for Threads
where
    P: Reversible<Cost: PrimInt + Send + Sync> + DenseStates + Sync,
    K: Fn(&P::State) -> usize + Sync,
{
    type Workers = ThreadPool;

    fn start(self) -> Option<ThreadPool> {
        start(thread_count(self.count))
    }

    fn sweep<O: Observer<P::State, P::Cost>>(
        pool: &mut ThreadPool,
        sweep: &Sweep<'_, P, K>,
        _observer: &mut O,
    ) -> Done<P::Cost> {
        let all = Mutex::new(Done::new());
        pool.broadcast(|_| {
            let mut worker = Worker::new();
            sweep.work::<true, ()>(&mut worker, &mut ());
            // No code panics while it holds the lock.
            if let Ok(mut all) = all.lock() {
                all.add(worker.done);
            }
        });
        all.into_inner().unwrap_or_else(|_| Done::new())
    }
}
