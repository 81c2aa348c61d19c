//! [`IdealPoint`]: the least cost to a goal by each criterion, from backward searches; [`pareto`].

use std::cell::RefCell;
use std::fmt;

use crate::budget::Budget;
use crate::cost::{Cost, Criteria};
use crate::debug::show_fields;
use crate::engine::Engine;
use crate::frontier::BucketQueue;
use crate::limits::Limits;
use crate::memory::Memory;
use crate::problem::forward::forward;
use crate::problem::{DenseStates, Reversible, SearchProblem, SuccessorBuffer, Successors};
use crate::report::{SearchError, StopReason};
use crate::table::{CostRecord, DenseTable, Full, HashedTable, Lookup, Record, StateId, TableFor};
use crate::{Dijkstra, Front, FrontOf, Pareto};

/// A problem whose heuristic is the ideal point: for each criterion, the least cost to a goal by that criterion. It is
/// for [`Pareto`]. It is consistent, and no heuristic with one value for each criterion is larger.
///
/// It is computed by one backward search with Dijkstra's algorithm for each criterion, to all states from which a
/// goal can be reached. It stores a record with an array of costs for each of them, and serves searches from any
/// start to the same goals. Other states are dead ends. The heuristic of the problem itself is not used.
///
/// Source: Tung and Chew, *A multicriteria Pareto-optimal path algorithm*, 1992.
///
/// # Example
///
/// ```
/// use bestfirst::heuristics::IdealPoint;
/// use bestfirst::{Limits, Pareto, Reversible, SearchProblem, Successors};
///
/// /// A line of numbers, up by one: slow and free, or fast and expensive.
/// struct Line;
///
/// impl SearchProblem for Line {
///     type State = i32;
///     type Action = &'static str;
///     type Cost = [u32; 2];
///     fn successors(&self, &n: &i32, next: &mut Successors<Self>) {
///         next.extend([("walk", n + 1, [5, 0]), ("ride", n + 1, [1, 2])]);
///     }
///     fn is_goal(&self, &n: &i32) -> bool {
///         n == 3
///     }
/// }
///
/// impl Reversible for Line {
///     fn predecessors(&self, &n: &i32, previous: &mut Successors<Self>) {
///         if n > -100 {
///             previous.extend([("walk", n - 1, [5, 0]), ("ride", n - 1, [1, 2])]);
///         }
///     }
///     fn goals(&self) -> impl Iterator<Item = i32> {
///         std::iter::once(3)
///     }
/// }
///
/// let line = IdealPoint::of(Line).build()?;
/// assert_eq!(line.heuristic(&1), [2, 0]); // ride twice, or walk twice
/// let limits = Limits::new().expansions(1000);
/// let front = Pareto::new(&line).limits(limits).search(1).front()?;
/// assert!(front.costs().eq([[2, 4], [6, 2], [10, 0]]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct IdealPoint<P: SearchProblem, T = HashedTable<StateOf<P>, CostRecord<CostOf<P>>>> {
    problem: P,
    costs: T,
}

type StateOf<P> = <P as SearchProblem>::State;
type CostOf<P> = <P as SearchProblem>::Cost;

/// The costs by one criterion of a problem `P`.
type EachOf<P> = <CostOf<P> as Criteria>::Each;

impl<P: Reversible<Cost: Criteria>> IdealPoint<P> {
    /// Creates a builder for the ideal point of `problem` (owned or borrowed).
    pub fn of(problem: P) -> IdealPointBuilder<P> {
        IdealPointBuilder {
            problem,
            limits: Limits::new(),
            costs: HashedTable::default(),
            distances: HashedTable::default(),
        }
    }
}

impl<P: SearchProblem, T> IdealPoint<P, T> {
    /// Returns the problem inside.
    pub fn problem(&self) -> &P {
        &self.problem
    }
}

forward! {
    [P, T: TableFor<P::State, P::Cost>] IdealPoint<P, T>, |adapter| &adapter.problem;
    SearchProblem {
        #[inline]
        fn heuristic(&self, state: &Self::State) -> Self::Cost {
            match self.costs.id_of(state) {
                Some(id) => {
                    let costs = self.costs.load(id).g();
                    // A goal that is reached at the largest costs is not a dead end.
                    if costs < Self::Cost::INFINITY { costs } else { Self::Cost::ZERO }
                }
                None => Self::Cost::INFINITY,
            }
        }
    }
}

/// Builds an [`IdealPoint`].
#[derive(Clone, Debug)]
#[must_use]
pub struct IdealPointBuilder<
    P: SearchProblem<Cost: Criteria>,
    T = HashedTable<StateOf<P>, CostRecord<CostOf<P>>>,
    D = HashedTable<StateOf<P>, CostRecord<EachOf<P>>>,
> {
    problem: P,
    limits: Limits<EachOf<P>>,
    /// The costs by all criteria.
    costs: T,
    /// The table of the backward searches.
    distances: D,
}

/// Such a builder with dense tables.
type DenseBuilder<P> = IdealPointBuilder<
    P,
    DenseTable<P, CostRecord<CostOf<P>>>,
    DenseTable<P, CostRecord<EachOf<P>>>,
>;

impl<P: SearchProblem<Cost: Criteria>, T, D> IdealPointBuilder<P, T, D> {
    /// Sets limits for each backward search.
    pub fn limits(mut self, limits: Limits<EachOf<P>>) -> Self {
        self.limits = limits;
        self
    }

    /// Uses [`DenseTable`]s: states are numbered by [`DenseStates`] and not hashed. They keep clones of the
    /// problem for its numbering, so make the builder of a reference where a clone is expensive.
    pub fn dense(self) -> DenseBuilder<P>
    where
        P: DenseStates + Reversible + Clone,
    {
        let Self { problem, limits, .. } = self;
        let costs = DenseTable::new(problem.clone());
        let distances = DenseTable::new(problem.clone());
        IdealPointBuilder { problem, limits, costs, distances }
    }

    /// Searches backwards by each criterion.
    ///
    /// # Errors
    ///
    /// An [`IdealPointError`] if a limit is reached, or a cost is negative, NaN or too large for its type.
    pub fn build(self) -> Result<IdealPoint<P, T>, IdealPointError<P::Cost>>
    where
        P: Reversible,
        T: TableFor<P::State, P::Cost>,
        D: TableFor<P::State, EachOf<P>>,
    {
        let Self { problem, limits, mut costs, distances } = self;
        let most = limits.memory_limit().unwrap_or(usize::MAX);
        let mut memory = Memory::new(most);
        let mut budget = Budget::new(limits.clone());
        budget.start_clock();
        let mut goals = Vec::new();
        for goal in problem.goals() {
            budget.check_state(goals.len()).map_err(IdealPointError::Stopped)?;
            memory.reserve(&mut goals, 1).map_err(Full::from)?;
            goals.push((goal, EachOf::<P>::ZERO));
        }
        // A frontier for the ids of the table.
        let frontier = BucketQueue::new();
        let builder = Dijkstra::new(Backwards::new(&problem, 0));
        let builder = builder.table(distances).frontier(frontier);
        let mut search = builder.search_from(goals.iter().cloned());
        for number in 0..P::Cost::COUNT {
            if number > 0 {
                search.engine_mut().set_problem(Backwards::new(&problem, number));
                search.restart_from(goals.iter().cloned());
            }
            // The stored costs and the searches share the memory.
            let left = match limits.memory_limit() {
                Some(most) => limits.clone().memory(most.saturating_sub(memory.held())),
                None => limits.clone(),
            };
            search.set_limits(left);
            let in_all = |error| IdealPointError::Search(in_all_criteria(error, number));
            let reached = search.reach_all().map_err(in_all)?;
            if let Some(reason) = reached.stopped() {
                return Err(IdealPointError::Stopped(reason));
            }
            memory.claim(reached.bytes()).map_err(Full::from)?;
            let left = match limits.time_limit() {
                Some(most) => limits.clone().time(most.saturating_sub(reached.elapsed())),
                None => limits.clone(),
            };
            let mut budget = Budget::new(left);
            budget.start_clock();
            let (mut outcome, mut seen) = (Ok(()), 0);
            reached.for_each(|state, cost| {
                if outcome.is_ok() {
                    outcome = budget.check_state(seen).map_err(IdealPointError::Stopped);
                }
                if outcome.is_ok() {
                    outcome = note(&mut costs, state, number, cost, &mut memory);
                }
                seen += 1;
            });
            outcome?;
            memory.release(reached.bytes());
            search = reached.into_search();
        }
        drop(search);
        Ok(IdealPoint { problem, costs })
    }
}

/// Finds the Pareto front from `start` by [`Pareto`], without limits, with the heuristic of an [`IdealPoint`]:
/// it first searches backwards from the goals by each criterion, to all states from which one can be reached.
///
/// If these are very many or infinitely many, use [`Pareto`] with a heuristic of the problem.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative, NaN or too large for its type by any criterion. (If there
/// is not enough memory, the front is incomplete: see [`Front::stopped`](crate::Front::stopped).)
///
/// # Example
///
/// ```
/// use bestfirst::{Reversible, SearchProblem, Successors, pareto};
///
/// /// Roads with their length and their toll.
/// struct Roads(Vec<(u32, u32, [u32; 2])>);
///
/// impl SearchProblem for Roads {
///     type State = u32;
///     type Action = ();
///     type Cost = [u32; 2];
///     fn successors(&self, &town: &u32, next: &mut Successors<Self>) {
///         next.extend(self.0.iter().filter(|road| road.0 == town).map(|road| ((), road.1, road.2)));
///     }
///     fn is_goal(&self, &town: &u32) -> bool {
///         town == 3
///     }
/// }
///
/// impl Reversible for Roads {
///     fn predecessors(&self, &town: &u32, previous: &mut Successors<Self>) {
///         previous.extend(self.0.iter().filter(|road| road.1 == town).map(|road| ((), road.0, road.2)));
///     }
///     fn goals(&self) -> impl Iterator<Item = u32> {
///         std::iter::once(3)
///     }
/// }
///
/// let roads = Roads(vec![
///     (0, 3, [10, 6]), // the motorway
///     (0, 1, [5, 2]), (1, 3, [7, 2]),
///     (0, 2, [12, 0]), (2, 3, [9, 0]),
///     (1, 2, [6, 1]),
/// ]);
/// let front = pareto(&roads, 0)?;
/// assert!(front.costs().eq([[10, 6], [12, 4], [20, 3], [21, 0]]));
/// assert_eq!(front.paths()[1].states(), [0, 1, 3]);
/// # Ok::<(), bestfirst::SearchError<[u32; 2]>>(())
/// ```
pub fn pareto<P>(problem: &P, start: P::State) -> Result<FrontOf<P>, SearchError<P::Cost>>
where
    P: Reversible<Cost: Criteria>,
{
    match IdealPoint::of(problem).build() {
        Ok(informed) => Pareto::new(&informed).search(start).front(),
        Err(IdealPointError::Search(error)) => Err(error),
        Err(IdealPointError::Stopped(reason)) => Ok(Front::unknown(reason)),
    }
}

/// Stores the cost from a state to a goal by one criterion.
fn note<S: Clone, C: Criteria, T: TableFor<S, C>>(
    costs: &mut T,
    state: &S,
    number: usize,
    cost: C::Each,
    memory: &mut Memory,
) -> Result<(), IdealPointError<C>> {
    costs.reserve(1, memory)?;
    let key = costs.key(state);
    match costs.find(key, state, |_| true) {
        Lookup::Vacant(slot) => {
            let known = C::INFINITY.with_criterion(number, cost);
            costs.insert(key, slot, state.clone(), Record::new(known, known, StateId::NONE));
        }
        Lookup::Improved(id) => {
            let known = costs.load(id).g().with_criterion(number, cost);
            costs.update(id, |record| record.reach(known, StateId::NONE));
        }
        Lookup::NotImproved => {}
        Lookup::OutOfRange { index, count } => {
            return Err(IdealPointError::Search(SearchError::StateIndex { index, count }));
        }
    }
    Ok(())
}

/// Converts an error of a search by one criterion to one of a search by all: the other values are zero.
fn in_all_criteria<C: Criteria>(error: SearchError<C::Each>, number: usize) -> SearchError<C> {
    let at = |cost| C::ZERO.with_criterion(number, cost);
    match error {
        SearchError::NegativeCost { g, step } => {
            SearchError::NegativeCost { g: at(g), step: at(step) }
        }
        SearchError::NotANumber { g, value } => {
            SearchError::NotANumber { g: at(g), value: at(value) }
        }
        SearchError::Overflow { g, added } => SearchError::Overflow { g: at(g), added: at(added) },
        SearchError::StateIndex { index, count } => SearchError::StateIndex { index, count },
        SearchError::ParentCycle { states } => SearchError::ParentCycle { states },
        SearchError::Weight { weight } => SearchError::Weight { weight },
        // The searches build no paths and write no files.
        SearchError::Panicked | SearchError::Path(_) | SearchError::Disk(_) => {
            SearchError::Panicked
        }
    }
}

/// A larger list of predecessors is freed, in bytes.
const MOST_KEPT: usize = 1 << 13;

/// The reversed problem with the costs of one criterion.
struct Backwards<P: SearchProblem> {
    problem: P,
    number: usize,
    /// The predecessors of a state, with all their costs.
    buffer: RefCell<Successors<P>>,
}

impl<P: SearchProblem> Backwards<P> {
    fn new(problem: P, number: usize) -> Self {
        Self { problem, number, buffer: RefCell::new(SuccessorBuffer::new()) }
    }
}

impl<P: Reversible<Cost: Criteria>> SearchProblem for Backwards<P> {
    type State = P::State;
    type Action = ();
    type Cost = EachOf<P>;

    #[inline]
    fn successors(&self, state: &P::State, next: &mut Successors<Self>) {
        // If the problem runs a nested search, it gets a separate buffer.
        let mut own = SuccessorBuffer::new();
        let mut shared = self.buffer.try_borrow_mut();
        let previous = shared.as_deref_mut().unwrap_or(&mut own);
        previous.clear();
        self.problem.predecessors(state, previous);
        next.extend(
            previous.drain().map(|step| ((), step.state, step.cost.criterion(self.number))),
        );
        // The search counts its own list alone.
        previous.keep_within(MOST_KEPT);
    }

    #[inline]
    fn is_goal(&self, _state: &P::State) -> bool {
        false
    }

    #[inline]
    fn prefetch(&self, state: &P::State) {
        self.problem.prefetch(state);
    }
}

show_fields! { [P: SearchProblem] Backwards<P>, "Backwards" (this) { criterion = this.number } }

/// The error of building an [`IdealPoint`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum IdealPointError<C> {
    /// The problem is not valid.
    Search(SearchError<C>),
    /// A limit was reached.
    Stopped(StopReason),
}

impl<C> From<Full> for IdealPointError<C> {
    fn from(full: Full) -> Self {
        Self::Stopped(full.into())
    }
}

impl<C: fmt::Debug> fmt::Display for IdealPointError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search(error) => write!(f, "the search backwards failed: {error}"),
            Self::Stopped(reason) => write!(f, "the search backwards was stopped: {reason}"),
        }
    }
}

impl<C: fmt::Debug + 'static> std::error::Error for IdealPointError<C> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Search(error) => Some(error),
            Self::Stopped(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All numbers have as many predecessors as they say.
    struct Many;

    impl SearchProblem for Many {
        type State = usize;
        type Action = ();
        type Cost = [u32; 2];

        fn successors(&self, _: &usize, _: &mut Successors<Self>) {}
        fn is_goal(&self, _: &usize) -> bool {
            false
        }
    }

    impl Reversible for Many {
        fn predecessors(&self, &n: &usize, previous: &mut Successors<Self>) {
            previous.extend((0..n).map(|other| ((), other, [1, 1])));
        }
        fn goals(&self) -> impl Iterator<Item = usize> {
            [0].into_iter()
        }
    }

    #[test]
    fn a_large_list_of_predecessors_is_freed() {
        let backwards = Backwards::new(Many, 0);
        for (count, is_kept) in [(10, true), (MOST_KEPT, false)] {
            let mut next = SuccessorBuffer::new();
            backwards.successors(&count, &mut next);
            assert_eq!(next.len(), count);
            assert_eq!(backwards.buffer.borrow().bytes() > 0, is_kept);
        }
    }
}
