//! [`PatternDatabaseBuilder`], and building by Dijkstra's algorithm.

use std::fmt;

use num_traits::PrimInt;

use super::bits::{Bits, Nodes};
use super::error::BuildError;
use super::pattern_database::PatternDatabase;
use crate::Dijkstra;
use crate::budget::Budget;
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::engine::builder::run_settings;
use crate::limits::Limits;
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::problem::{DenseStates, Reversed, Reversible, SearchProblem};
use crate::threads::SingleThreaded;

/// Builds a [`PatternDatabase`], with limits and an observer, by one of two methods.
///
/// | method | abstraction | memory during the build | expands |
/// |---|---|---|---|
/// | nodes (the default) | any [`Reversible`] problem | a table of all abstract states, 20 to 40 bytes each | by [`Dijkstra`], in the order of the cost |
/// | [`bits`](Self::bits) | with [numbered states](DenseStates), and steps that cost 0 or 1 | three bits for each number | layer by layer; on several `threads` (feature `parallel`) |
///
/// Both build the same database. The limits are those of a search, and the memory includes the database: a
/// build that reaches a limit ends with [`BuildError::Stopped`], and keeps nothing. With bits, time and token
/// are checked after at most 1024 expansions. The observer receives expanded states and layers as from a
/// search, and with bits also the last layer; with several threads, it is called on the calling thread, for
/// layers only.
///
/// # Example
///
/// ```
/// use bestfirst::heuristics::PatternDatabase;
/// # use bestfirst::{DenseStates, Reversible, SearchProblem, Successors};
/// # struct Ring(usize);
/// # impl SearchProblem for Ring {
/// #     type State = usize;
/// #     type Action = ();
/// #     type Cost = u32;
/// #     fn successors(&self, &n: &usize, next: &mut Successors<Self>) {
/// #         next.push((), (n + 1) % self.0, 1);
/// #     }
/// #     fn is_goal(&self, &n: &usize) -> bool {
/// #         n == 0
/// #     }
/// # }
/// # impl Reversible for Ring {
/// #     fn predecessors(&self, &n: &usize, previous: &mut Successors<Self>) {
/// #         previous.push((), (n + self.0 - 1) % self.0, 1);
/// #     }
/// #     fn goals(&self) -> impl Iterator<Item = usize> {
/// #         [0].into_iter()
/// #     }
/// # }
/// # impl DenseStates for Ring {
/// #     fn state_count(&self) -> usize {
/// #         self.0
/// #     }
/// #     fn state_index(&self, &n: &usize) -> usize {
/// #         n
/// #     }
/// #     fn state_at(&self, index: usize) -> usize {
/// #         index
/// #     }
/// # }
/// use bestfirst::Limits;
///
/// let ring = Ring(200); // 200 states in a ring, each step costs 1
/// let database = PatternDatabase::builder(&ring)
///     .limits(Limits::new().memory(1_000))
///     .bits(100)
///     .build([0], |&n| n / 2)?; // two states for each key
/// assert_eq!(database.value::<u32>(0), 0); // state 0; state 1 has the same key
/// assert_eq!(database.value::<u32>(30), 139); // states 60 and 61
/// assert_eq!(database, PatternDatabase::build(&ring, [0], |&n| n / 2)?);
/// # Ok::<(), bestfirst::heuristics::BuildError<u32>>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct PatternDatabaseBuilder<P: SearchProblem, M = Nodes, O = ()> {
    pub(super) abstraction: P,
    pub(super) method: M,
    pub(super) limits: Limits<P::Cost>,
    pub(super) observer: O,
}

impl<P: Reversible> PatternDatabaseBuilder<P> {
    pub(super) fn new(abstraction: P) -> Self {
        Self { abstraction, method: Nodes, limits: Limits::new(), observer: () }
    }
}

run_settings!(PatternDatabaseBuilder<P, M; O> { abstraction, method });

impl<P: SearchProblem, M, O> PatternDatabaseBuilder<P, M, O> {
    /// Searches with three bits for each state index instead of a table of states: for abstractions
    /// with very many states. Steps must cost 0 or 1. `keys` is the number of keys: every key must be below
    /// it.
    ///
    /// Takes one expansion for each abstract state from which a goal can be reached. It scans all bits once for every
    /// layer (every cost), and again after steps of cost zero.
    pub fn bits(self, keys: usize) -> PatternDatabaseBuilder<P, Bits<SingleThreaded>, O>
    where
        P: DenseStates,
    {
        let Self { abstraction, limits, observer, .. } = self;
        let method = Bits { keys, strategy: SingleThreaded };
        PatternDatabaseBuilder { abstraction, method, limits, observer }
    }

    /// Builds the database from all of `goals`.
    ///
    /// # Errors
    ///
    /// A [`BuildError`].
    pub fn build<K>(
        self,
        goals: impl IntoIterator<Item = P::State>,
        key: K,
    ) -> Result<PatternDatabase, BuildError<P::Cost>>
    where
        P: Reversible,
        K: Fn(&P::State) -> usize,
        M: Method<P, K>,
        O: Observer<P::State, P::Cost>,
    {
        let Self { abstraction, method, limits, observer } = self;
        method.build(&abstraction, goals.into_iter().collect(), &key, limits, observer)
    }
}

/// A method of building: [`Nodes`] or [`Bits`].
///
/// This trait is sealed.
pub trait Method<P: SearchProblem, K>: sealed::Build<P, K> {}

impl<P: SearchProblem, K, M: sealed::Build<P, K>> Method<P, K> for M {}

pub(super) mod sealed {
    use super::{BuildError, Limits, Observer, PatternDatabase, SearchProblem};

    /// Builds a database.
    pub trait Build<P: SearchProblem, K> {
        fn build<O: Observer<P::State, P::Cost>>(
            self,
            abstraction: &P,
            goals: Vec<P::State>,
            key: &K,
            limits: Limits<P::Cost>,
            observer: O,
        ) -> Result<PatternDatabase, BuildError<P::Cost>>;
    }
}

impl<P, K> sealed::Build<P, K> for Nodes
where
    P: Reversible<Cost: PrimInt>,
    K: Fn(&P::State) -> usize,
{
    fn build<O: Observer<P::State, P::Cost>>(
        self,
        abstraction: &P,
        goals: Vec<P::State>,
        key: &K,
        limits: Limits<P::Cost>,
        observer: O,
    ) -> Result<PatternDatabase, BuildError<P::Cost>> {
        let memory_limit = limits.memory_limit().unwrap_or(usize::MAX);
        let mut budget = Budget::new(limits.clone());
        budget.start_clock();
        // Its goal does not matter: the whole space is searched.
        let Some(end) = goals.first().cloned() else {
            return Ok(PatternDatabase::from_values(Vec::new()));
        };
        let backwards = Reversed::new(abstraction, end);
        let starts = goals.into_iter().map(|goal| (goal, P::Cost::ZERO));
        let search = Dijkstra::new(&backwards).limits(limits).observer(observer);
        let reached = search.search_from(starts).reach_all()?;
        if let Some(reason) = reached.stopped() {
            return Err(BuildError::Stopped(reason));
        }
        let mut memory = Memory::new(memory_limit.saturating_sub(reached.bytes()));
        let mut values = Vec::new();
        let mut number = 0;
        let mut end = Ok(());
        reached.for_each(|state, cost| {
            if end.is_err() {
                return;
            }
            end = budget.check_state(number).and_then(|()| {
                number += 1;
                Ok(lower(&mut values, key(state), byte(cost), &mut memory)?)
            });
        });
        end.map_err(BuildError::Stopped)?;
        values.shrink_to_fit();
        Ok(PatternDatabase::from_values(values))
    }
}

/// Lowers an entry to a value, and extends the list if necessary.
fn lower(
    values: &mut Vec<u8>,
    key: usize,
    value: u8,
    memory: &mut Memory,
) -> Result<(), OutOfMemory> {
    if key >= values.len() {
        let additional = (key - values.len()).checked_add(1).ok_or(OutOfMemory)?;
        memory.reserve(values, additional)?;
        values.resize(key + 1, PatternDatabase::NONE);
    }
    values[key] = values[key].min(value);
    Ok(())
}

/// Returns the entry for a cost.
pub(super) fn byte<C: PrimInt>(cost: C) -> u8 {
    cost.to_u8().map_or(PatternDatabase::MOST, |value| value.min(PatternDatabase::MOST))
}

show_fields! {
    [P: SearchProblem + fmt::Debug, M: fmt::Debug, O] PatternDatabaseBuilder<P, M, O>,
    "PatternDatabaseBuilder" { abstraction, method }
}
