//! The searches from landmarks: Dijkstra's algorithm to all states, forwards or backwards.

use super::DistanceError;
use crate::budget::Budget;
use crate::cost::{Cost, bucket_of};
use crate::limits::Limits;
use crate::memory::Memory;
use crate::problem::{DenseStates, Reversed, Reversible, SearchProblem};
use crate::report::{SearchError, StopReason};
use crate::table::{CostRecord, DenseTable};
use crate::{Dijkstra, DijkstraSearch, Reached};

/// A search from one state to all others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    /// The index of the state.
    pub(super) from: u32,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The distances from the state.
    Forwards,
    /// The distances to the state.
    Backwards,
    /// The distances from the state, and the shortest-path tree.
    Tree,
}

/// The result of a search.
pub(super) struct Distances<C> {
    /// For each member of the component its distance; [`Cost::INFINITY`] if there is no path.
    pub(super) costs: Vec<C>,
    /// The members, by their indices, whose distance is just [`Cost::INFINITY`].
    pub(super) farthest: Vec<u32>,
    /// For each member the index of its parent in the tree, or [`NO_PARENT`]; empty unless a tree was requested.
    pub(super) parents: Vec<u32>,
}

/// The parent of the root, and of states that are not in the tree.
pub(super) const NO_PARENT: u32 = u32::MAX;

/// A dense search by Dijkstra's algorithm.
type Dense<Q, C> = DijkstraSearch<Q, DenseTable<Q, CostRecord<C>>>;

/// The tables of a forward and a backward search, created on demand and reused.
pub(super) struct Searches<'p, P: Reversible + DenseStates> {
    problem: &'p P,
    /// Its clock runs from the beginning of the build.
    budget: Budget<P::Cost>,
    forwards: Option<Dense<&'p P, P::Cost>>,
    backwards: Option<Dense<Reversed<&'p P>, P::Cost>>,
}

/// The result of a job.
pub(super) type Outcome<C> = Result<Distances<C>, DistanceError<C>>;

/// Runs two jobs, one after the other or at the same time.
pub(super) type RunBoth<'p, P> = fn(
    &mut [Searches<'p, P>; 2],
    [Job; 2],
    &[u32],
    &mut Memory,
) -> [Outcome<<P as SearchProblem>::Cost>; 2];

/// Runs two jobs one after the other.
pub(super) fn in_turn<P: Reversible + DenseStates>(
    [first, _]: &mut [Searches<'_, P>; 2],
    [a, b]: [Job; 2],
    members: &[u32],
    memory: &mut Memory,
) -> [Outcome<P::Cost>; 2] {
    [first.run(a, members, memory), first.run(b, members, memory)]
}

/// Runs two jobs at the same time, if a thread is free. Each may hold half of the remaining memory.
#[cfg(feature = "parallel")]
pub(super) fn at_once<P>(
    [first, second]: &mut [Searches<'_, P>; 2],
    [a, b]: [Job; 2],
    members: &[u32],
    memory: &mut Memory,
) -> [Outcome<P::Cost>; 2]
where
    P: Reversible + DenseStates + Sync,
    P::State: Send,
    P::Action: Send,
    P::Cost: Send,
{
    let mut parts = [(); 2].map(|()| Memory::new(memory.left() / 2));
    let [one, other] = &mut parts;
    let run = || first.run(a, members, one);
    let outcomes = rayon::join(run, || second.run(b, members, other)).into();
    for part in &parts {
        memory.absorb(part);
    }
    outcomes
}

impl<'p, P: Reversible + DenseStates> Searches<'p, P> {
    pub(super) fn new(problem: &'p P, budget: Budget<P::Cost>) -> Self {
        Self { problem, budget, forwards: None, backwards: None }
    }

    /// Returns the bytes of the tables.
    pub(super) fn bytes(&self) -> usize {
        let of_backwards = self.backwards.as_ref().map_or(0, DijkstraSearch::bytes);
        self.forwards.as_ref().map_or(0, DijkstraSearch::bytes) + of_backwards
    }

    /// Checks the time and the token between two passes over all members.
    pub(super) fn check_now(&self) -> Result<(), StopReason> {
        self.budget.check_now()
    }

    /// The same for the state of this number: it looks at the clock at some of them.
    pub(super) fn check_state(&self, number: usize) -> Result<(), StopReason> {
        self.budget.check_state(number)
    }

    /// Runs a job, and returns the distances of `members`, given by their indices.
    pub(super) fn run(
        &mut self,
        job: Job,
        members: &[u32],
        memory: &mut Memory,
    ) -> Outcome<P::Cost> {
        let Self { problem, budget, forwards, backwards } = self;
        let mut limits = budget.limits().clone();
        if let Some(left) = budget.time_left() {
            limits = limits.time(left);
        }
        let start = problem.state_at(job.from as usize);
        match job.kind {
            Kind::Forwards | Kind::Tree => {
                let wants = (job.kind == Kind::Tree, members);
                explore(*problem, (limits, budget), forwards, start, wants, memory)
            }
            Kind::Backwards => {
                let reversed = Reversed::new(*problem, start.clone());
                explore(reversed, (limits, budget), backwards, start, (false, members), memory)
            }
        }
    }
}

/// Searches from `start` to all states that can be reached, in the table of the last search if there is one.
fn explore<Q: DenseStates + Clone>(
    problem: Q,
    (mut limits, budget): (Limits<Q::Cost>, &Budget<Q::Cost>),
    kept: &mut Option<Dense<Q, Q::Cost>>,
    start: Q::State,
    (wants_tree, members): (bool, &[u32]),
    memory: &mut Memory,
) -> Outcome<Q::Cost> {
    let before = kept.as_ref().map_or(0, DijkstraSearch::bytes);
    if limits.memory_limit().is_some() {
        limits = limits.memory(before.saturating_add(memory.left()));
    }
    let search = match kept.take() {
        Some(mut search) => {
            search.set_limits(limits);
            search.restart_with(problem.clone(), start);
            search
        }
        None => Dijkstra::new(problem.clone()).dense().limits(limits).search(start),
    };
    let reached = search.reach_all()?;
    if let Some(reason) = reached.stopped() {
        return Err(DistanceError::Stopped(reason));
    }
    memory.claim(reached.bytes().saturating_sub(before))?;
    let distances = read(&problem, &reached, (wants_tree, members), budget, memory)?;
    *kept = Some(reached.into_search());
    Ok(distances)
}

/// The clock is read after this many members.
const MEMBERS_PER_LOOK: usize = 1 << 10;

fn read<Q: DenseStates>(
    problem: &Q,
    reached: &Reached<Q, DenseTable<Q, CostRecord<Q::Cost>>>,
    (wants_tree, members): (bool, &[u32]),
    budget: &Budget<Q::Cost>,
    memory: &mut Memory,
) -> Outcome<Q::Cost> {
    let count = problem.state_count();
    let mut costs = list(members.len(), memory)?;
    let mut farthest = Vec::new();
    let mut parents = list(if wants_tree { members.len() } else { 0 }, memory)?;
    for (number, &member) in members.iter().enumerate() {
        // No steps are asked for, so the flags are not looked at for each.
        if number.is_multiple_of(MEMBERS_PER_LOOK) {
            budget.check_now()?;
        }
        let state = problem.state_at(member as usize);
        let cost = reached.cost_of(&state);
        if let Some(cost) = cost {
            if bucket_of(cost).is_none() {
                return Err(DistanceError::Cost { cost });
            }
            if cost >= Q::Cost::INFINITY {
                memory.reserve(&mut farthest, 1)?;
                farthest.push(member);
            }
        }
        costs.push(cost.unwrap_or(Q::Cost::INFINITY));
        if wants_tree {
            parents.push(match reached.parent_of(&state) {
                None => NO_PARENT,
                Some(parent) => {
                    let index = problem.state_index(&parent);
                    let number = u32::try_from(index).ok().filter(|_| index < count);
                    number.ok_or(SearchError::StateIndex { index, count })?
                }
            });
        }
    }
    Ok(Distances { costs, farthest, parents })
}

impl<C> Distances<C> {
    /// Releases the memory.
    pub(super) fn free(self, memory: &mut Memory) {
        memory.free(self.costs);
        memory.free(self.farthest);
        memory.free(self.parents);
    }
}

/// Returns an empty list with capacity for `len` entries, counted in `memory`.
pub(super) fn list<T, C>(len: usize, memory: &mut Memory) -> Result<Vec<T>, DistanceError<C>> {
    let mut list = Vec::new();
    let bytes = len.saturating_mul(size_of::<T>());
    memory.claim(bytes)?;
    let no_memory = DistanceError::OutOfMemory { bytes: bytes as u64 };
    list.try_reserve_exact(len).map_err(|_| no_memory)?;
    Ok(list)
}

/// Returns a list of `len` copies of `value`, counted in `memory`.
pub(super) fn filled<T: Clone, C>(
    len: usize,
    value: T,
    memory: &mut Memory,
) -> Result<Vec<T>, DistanceError<C>> {
    let mut list = list(len, memory)?;
    list.resize(len, value);
    Ok(list)
}
