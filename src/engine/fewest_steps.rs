//! Breadth-first search where every step costs 1. The states are expanded in the order in which they were reached, which is
//! that of their ids: so it needs no frontier, and it knows which states come next.

use std::hash::Hash;
use std::mem::needs_drop;

use super::relaxation::trail;
use super::search::concluded;
use super::{Progress, Run};
use crate::indexed::push;
use crate::limits::Limits;
use crate::path::{Given, Path, PathOf};
use crate::problem::{FnProblem, SearchProblem, Successor, SuccessorBuffer, Successors, generate};
use crate::report::{Report, ReportOf, SearchError, StopReason};
use crate::table::{Full, HashedTable, Lookup, Record, StateId, Table};

/// Finds a path with the fewest steps by breadth-first search, given a start and two closures: the successors of a state,
/// and whether a state is a goal. Each step costs 1, so the cost of the path is the number of its steps.
///
/// It ends with the first goal that is generated. It takes one table lookup for each successor, and memory for every state
/// that is reached: the state, 4 bytes, and those of a [`HashedTable`](crate::table::HashedTable). From some thousand states
/// on, it asks for the successors of up to sixteen states ahead of time, if states own no memory. There are no limits, and no
/// [`closest`](Report::closest) state.
///
/// Where steps differ in cost, use [`solve`](crate::solve); for the actions on the path, limits, or several starts, use
/// [`BreadthFirst`](crate::BreadthFirst).
///
/// Source: Moore, *The Shortest Path Through a Maze*, 1959.
///
/// # Errors
///
/// [`SearchError::Path`] if the closure does not return the same successors as before. Otherwise none: a path is shorter than
/// the number of states that a table can hold, which is less than [`u32::MAX`].
///
/// # Example
///
/// ```
/// // From one number to another by doubling and by subtracting 1.
/// let report = bestfirst::bfs(
///     4_u32,                             // the start
///     |&n| [n * 2, n.saturating_sub(1)], // its successors
///     |&n| n == 21,                      // the goal test
/// )?;
/// let path = report.path().expect("there is a path");
/// assert_eq!(path.states(), [4, 3, 6, 12, 11, 22, 21]);
/// assert_eq!(path.cost(), 6);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[doc(alias = "breadth first")]
#[doc(alias = "shortest path")]
pub fn bfs<S, I>(
    start: S,
    successors: impl Fn(&S) -> I,
    goal: impl Fn(&S) -> bool,
) -> Result<Report<S, (), u32>, SearchError<u32>>
where
    S: Clone + Eq + Hash,
    // The compiler shows this line where another type is returned.
    I: IntoIterator<Item = S>, // `S` is the type of the start: give it by value, not as `&start`
{
    let steps = |state: &S| successors(state).into_iter().map(|next| (next, 1));
    fewest_steps(&FnProblem::new(steps, |_: &S| 0, goal), start)
}

/// Finds paths with the fewest steps to all states that can be reached, by breadth-first search.
///
/// Time and memory are as in [`bfs`], and 4 bytes for each layer. It takes less of both than [`dijkstra_all`](crate::dijkstra_all), which is
/// for steps that differ in cost. For limits, use [`reach_all`](crate::DijkstraSearch::reach_all) of a search by
/// [`Dijkstra`](crate::Dijkstra).
///
/// It ends early only if the system has no memory, or there are more states than a table can hold, about two thousand million;
/// [`stopped`](ReachedInSteps::stopped) then says so.
///
/// # Example
///
/// ```
/// // How far a knight is from each cell of a board of 5 by 5.
/// let knight = |&(x, y): &(i32, i32)| {
///     [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
///         .map(|(dx, dy)| (x + dx, y + dy))
///         .into_iter()
///         .filter(|(x, y)| (0..5).contains(x) && (0..5).contains(y))
/// };
/// let reached = bestfirst::bfs_all((0, 0), knight);
/// assert_eq!((reached.len(), reached.cost_of(&(1, 1))), (25, Some(4)));
/// assert_eq!(reached.path_to(&(3, 3)).map(|path| path.len()), Some(3)); // two steps
/// let farthest: Vec<_> = reached.states().filter(|&(_, steps)| steps == 4).map(|(cell, _)| *cell).collect();
/// assert_eq!(farthest.len(), 3);
/// assert!(farthest.contains(&(4, 4)));
/// ```
#[doc(alias = "flood fill")]
#[doc(alias = "breadth first")]
pub fn bfs_all<S, I>(start: S, successors: impl Fn(&S) -> I) -> ReachedInSteps<S>
where
    S: Clone + Eq + Hash,
    I: IntoIterator<Item = S>, // `S` is the type of the start: give it by value, not as `&start`
{
    let steps = |state: &S| successors(state).into_iter().map(|next| (next, 1));
    let problem = FnProblem::new(steps, |_: &S| 0, |_: &S| false);
    States::new(&problem).reach_all(start)
}

/// The states that [`bfs_all`] has reached, each with the fewest steps to it.
#[derive(Clone, Debug)]
#[must_use]
pub struct ReachedInSteps<S> {
    table: HashedTable<S, Parent>,
    /// The first state of each layer.
    layers: Vec<u32>,
    stopped: Option<StopReason>,
}

impl<S: Clone + Eq + Hash> ReachedInSteps<S> {
    /// Why it ended before all states were reached, if it did. What was reached was reached in the fewest steps.
    #[must_use]
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// How many states were reached; the start is one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether no state was reached: only without memory for the start.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The fewest steps to `state`, or `None` if it was not reached. Takes logarithmic time in the number of layers.
    #[must_use]
    pub fn cost_of(&self, state: &S) -> Option<u32> {
        let id = self.table.id_of(state)?;
        u32::try_from(self.layers.partition_point(|&first| first <= id)).ok()?.checked_sub(1)
    }

    /// The state before `state` on the path that [`path_to`](Self::path_to) returns; `None` if it was not reached or is the start.
    #[must_use]
    pub fn parent_of(&self, state: &S) -> Option<&S> {
        let parent = self.table.load(self.table.id_of(state)?).parent();
        (parent != StateId::NONE).then(|| self.table.state_at(parent))
    }

    /// The states on a path with the fewest steps to `state`, from the start on; `None` if it was not reached.
    #[must_use]
    pub fn path_to(&self, state: &S) -> Option<Vec<S>> {
        let mut id = self.table.id_of(state)?;
        let mut path = Vec::new();
        while id != StateId::NONE {
            path.push(self.table.state_at(id).clone());
            id = self.table.load(id).parent();
        }
        path.reverse();
        Some(path)
    }

    /// All states that were reached, each with the fewest steps to it, in the order in which they were reached: those of
    /// fewer steps first.
    #[must_use]
    pub fn states(&self) -> impl ExactSizeIterator<Item = (&S, u32)> {
        let (mut layers, mut steps) = (self.layers.iter().skip(1).peekable(), 0);
        (0..self.len()).map(move |index| {
            let id = u32::from_index(index);
            if layers.next_if(|&&first| first == id).is_some() {
                steps += 1;
            }
            (self.table.state_at(id), steps)
        })
    }
}

/// So many states are expanded together, so that memory for one is fetched while others are looked up.
const TOGETHER: usize = 16;

/// With fewer states, each is expanded alone, and nothing is fetched: no successors are generated that might not be needed. So is
/// each that owns memory: an allocator is slower where much is allocated before any of it is freed.
const FEW: usize = 1 << 12;

/// The states of a search, the successors that are looked up, and the counts.
struct States<'p, P: SearchProblem> {
    problem: &'p P,
    table: HashedTable<P::State, Parent>,
    successors: Successors<P>,
    /// The bytes of the successors that are accounted for.
    bytes: usize,
    keys: Vec<u64>,
    /// The first state of the next layer, and its depth.
    next_layer: u32,
    depth: u32,
    /// The first state of each layer that has come up, if they are asked for. It has capacity for one more.
    layers: Option<Vec<u32>>,
    run: Run<u32, ()>,
}

/// The record of a state: its parent. Its depth is not needed, as layers are expanded one after the other.
#[derive(Clone, Copy, Debug)]
struct Parent(u32);

impl Record for Parent {
    type Cost = u32;
    type Id = u32;
    const KEEPS_H: bool = false;

    #[inline]
    fn new(_: u32, _: u32, parent: u32) -> Self {
        Self(parent)
    }

    fn g(&self) -> u32 {
        0
    }

    fn h(&self) -> u32 {
        0
    }

    #[inline]
    fn parent(&self) -> u32 {
        self.0
    }

    fn is_closed(&self) -> bool {
        true
    }

    fn close(&mut self) {}

    fn reach(&mut self, _: u32, parent: u32) {
        self.0 = parent;
    }
}

fn fewest_steps<P>(problem: &P, start: P::State) -> Result<ReportOf<P>, SearchError<u32>>
where
    P: SearchProblem<Cost = u32>,
{
    let mut states = States::new(problem);
    let (progress, goal) = match states.search(start) {
        Ok(Some(goal)) => (Progress::Found, Some(goal)),
        Ok(None) => (Progress::Exhausted, None),
        Err(full) => (Progress::Stopped(full.into()), None),
    };
    states.report(progress, goal)
}

impl<'p, P: SearchProblem<Cost = u32>> States<'p, P> {
    fn new(problem: &'p P) -> Self {
        Self {
            problem,
            table: HashedTable::default(),
            successors: SuccessorBuffer::new(),
            bytes: 0,
            keys: Vec::new(),
            next_layer: 0,
            depth: 0,
            layers: None,
            run: Run::new(Limits::new(), ()),
        }
    }

    /// Searches to the end, and returns what is reached.
    fn reach_all(mut self, start: P::State) -> ReachedInSteps<P::State> {
        self.layers = Some(Vec::new());
        let stopped = self.search(start).err().map(StopReason::from);
        let Self { table, layers, next_layer, .. } = self;
        let mut layers = layers.unwrap_or_default();
        if next_layer.index() < table.len() {
            // None of its states was expanded.
            push(&mut layers, next_layer);
        }
        ReachedInSteps { table, layers, stopped }
    }

    /// Searches, and returns the id of the first goal that is reached, if there is any.
    fn search(&mut self, start: P::State) -> Result<Option<u32>, Full> {
        if let Some(layers) = &mut self.layers {
            self.run.memory().reserve(layers, 1)?;
        }
        self.table.reserve(1, self.run.memory())?;
        let key = self.table.key(&start);
        if let Some(goal) = reach(self.problem, &mut self.table, (key, start), StateId::NONE) {
            return Ok(Some(goal));
        }
        let mut first = 0;
        while first < self.table.len() {
            let is_alone = self.table.len() < FEW || needs_drop::<P::State>();
            let together = if is_alone { 1 } else { TOGETHER };
            let end = self.table.len().min(first + together);
            if let Some(goal) = self.expand(first, end)? {
                return Ok(Some(goal));
            }
            first = end;
        }
        Ok(None)
    }

    /// Expands the states of these ids, one after the other, up to the first goal among their successors. Returns its id.
    fn expand(&mut self, first: usize, end: usize) -> Result<Option<u32>, Full> {
        let counts = self.generate(first, end);
        self.make_room()?;
        self.make_keys(self.table.len() >= FEW);
        let Self { problem, table, successors, keys, next_layer, depth, layers, run, .. } = self;
        let mut steps = successors.drain();
        let mut keys = &keys[..];
        for (id, count) in (first..end).zip(counts) {
            let id = u32::from_index(id);
            let before = table.len();
            if id == *next_layer {
                run.make_room_for_layer()?;
                if let Some(layers) = layers {
                    // One more than is needed now, for the layer that is reached when memory runs out.
                    run.memory().reserve(layers, 2)?;
                    push(layers, id);
                }
                run.enter_layer::<P::State>(*depth);
                (*next_layer, *depth) = (u32::from_index(before), *depth + 1);
            }
            run.stats.expanded += 1;
            run.stats.generated += count as u64;
            run.stats.peak_frontier = run.stats.peak_frontier.max((before - id.index()) as u64);
            let (own, rest) = keys.split_at(count);
            keys = rest;
            let (left, mut goal) = (steps.len(), None);
            for (&key, Successor { state, .. }) in own.iter().zip(&mut steps) {
                goal = reach(*problem, table, (key, state), id);
                if goal.is_some() {
                    break;
                }
            }
            let (looked_up, new) = (left - steps.len(), table.len() - before);
            run.stats.duplicates += (looked_up - new) as u64;
            if goal.is_some() {
                return Ok(goal);
            }
        }
        Ok(None)
    }

    /// Generates the successors of the states of these ids; returns how many each of them has.
    #[inline]
    fn generate(&mut self, first: usize, end: usize) -> [usize; TOGETHER] {
        let Self { problem, table, successors, .. } = self;
        let (mut counts, mut before) = ([0; TOGETHER], 0);
        for (id, count) in (first..end).zip(&mut counts) {
            let announced = id + TOGETHER;
            if announced < table.len() && table.len() >= FEW {
                table.with_state(u32::from_index(announced), |state| problem.prefetch(state));
            }
            table.with_state(u32::from_index(id), |state| generate(*problem, state, successors));
            *count = successors.len() - before;
            before = successors.len();
        }
        counts
    }

    /// Makes room for all successors.
    fn make_room(&mut self) -> Result<(), Full> {
        let Self { table, successors, bytes, keys, run, .. } = self;
        if successors.bytes() > *bytes {
            run.memory().claim(successors.bytes() - *bytes)?;
            *bytes = successors.bytes();
        }
        run.memory().reserve(keys, successors.len())?;
        table.reserve(successors.len(), run.memory())
    }

    /// Makes the keys of all successors, and fetches what is looked up by them.
    #[inline]
    fn make_keys(&mut self, prefetches: bool) {
        let Self { table, successors, keys, .. } = self;
        keys.clear();
        keys.extend(successors.as_slice().iter().map(|successor| {
            let key = table.key(&successor.state);
            if prefetches {
                table.prefetch_slot(key);
            }
            key
        }));
        if prefetches {
            for &key in keys.iter() {
                table.prefetch_entry(key);
            }
        }
    }

    #[cold]
    fn path_to(&self, goal: u32) -> Result<Option<PathOf<P>>, SearchError<u32>> {
        let mut trail = trail::<P, _>(&self.table, goal)?;
        let states = trail.len();
        let mut next = |()| {
            let id = trail.pop()?;
            Some((self.table.with_state(id, Clone::clone), Given::Step(1)))
        };
        Ok(Path::through_given(self.problem, (&mut next, states), 0)?)
    }

    #[cold]
    fn report(
        self,
        progress: Progress,
        goal: Option<u32>,
    ) -> Result<ReportOf<P>, SearchError<u32>> {
        let path: Option<PathOf<P>> = match goal {
            Some(goal) => self.path_to(goal)?,
            None => None,
        };
        let lower_bound = match (&path, progress) {
            (Some(path), _) => path.cost(),
            (None, Progress::Exhausted) => u32::MAX,
            (None, _) => 0,
        };
        let (stats, layers) = (self.run.stats(self.table.len()), self.run.layers());
        let (outcome, incumbent) = concluded(progress, path, None);
        Ok(Report { outcome, incumbent, closest: None, lower_bound, stats, layers })
    }
}

/// Stores a state, for which there is room, unless it was reached before. Returns its id if it is a goal.
#[inline(always)]
#[expect(clippy::inline_always, reason = "most of the time of a search is spent here")]
fn reach<P: SearchProblem>(
    problem: &P,
    table: &mut HashedTable<P::State, Parent>,
    (key, state): (u64, P::State),
    parent: u32,
) -> Option<u32> {
    // The first path to a state is a shortest one.
    let Lookup::Vacant(slot) = table.find(key, &state, |_| false) else { return None };
    let is_goal = problem.is_goal(&state);
    let id = table.insert(key, slot, state, Parent(parent));
    is_goal.then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reached_until_memory_runs_out_has_its_steps() {
        let tree = FnProblem::new(
            |&n: &u64| [(2 * n, 1_u32), (2 * n + 1, 1)],
            |_: &u64| 0,
            |_: &u64| false,
        );
        let mut lengths = Vec::new();
        for most in (0..60_000).step_by(251) {
            let mut states = States::new(&tree);
            states.run.memory().set_most(most);
            let reached = states.reach_all(1);
            assert_eq!(reached.stopped(), Some(StopReason::Memory));
            assert!(reached.states().zip(1..).all(|((&n, steps), expected)| {
                n == expected && steps == n.ilog2() && reached.cost_of(&n) == Some(steps)
            }));
            lengths.push(reached.len());
        }
        assert!(lengths[0] == 0 && lengths[lengths.len() - 1] > 500, "{lengths:?}");
    }
}
