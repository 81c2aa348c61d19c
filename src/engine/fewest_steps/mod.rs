//! Breadth-first search where every step costs 1. The states are expanded in the order in which they were reached, which is
//! that of their ids: so it needs no frontier, and it knows which states come next. `both_ends`: the same from the start and
//! from the goal.

mod both_ends;

use std::hash::Hash;
use std::mem::{needs_drop, take};

use rustc_hash::FxBuildHasher;

pub use both_ends::bfs_bidirectional;

use super::search::concluded;
use super::{Progress, Run};
use crate::indexed::push;
use crate::limits::Limits;
use crate::path::Path;
use crate::problem::{is_small, prefetch_successors};
use crate::report::{Report, SearchError, StopReason};
use crate::table::{Early, Full, HashedTable, Lookup, Record, StateId, Table, may_be_one};

/// Finds a path with the fewest steps by breadth-first search, given a start and two closures: the successors of a state,
/// and whether a state is a goal. Each step costs 1, so the cost of the path is the number of its steps.
///
/// It ends with the first goal that is generated. It takes one table lookup for each successor, and memory for every state
/// that is reached: the state, 4 bytes, and those of a [`HashedTable`]. There are no limits, and no
/// [`closest`](Report::closest) state.
///
/// States that hash as one integer, as two, such as a cell `(x, y)` (not `[x, y]`, which hashes as bytes), or as up to six are found
/// by these instead of their hashes once there are some, if they are close enough to each other; the
/// [table](crate::table::HashedTable) says when, and what memory it takes.
///
/// Each state must have finitely many successors. In searches of fewer than 4,096 states (512 for some sizes of states), and
/// where states are found by several integers, a successor is looked up before the iterator gives the next one. In others, the
/// successors of up to sixteen states are generated ahead of time, if states own no memory; an iterator over a slice or the
/// like is then made twice for each state, the first time only to fetch memory.
///
/// Where steps differ in cost, use [`solve`](crate::solve); for the actions on the path, limits, or several starts, use
/// [`BreadthFirst`](crate::BreadthFirst).
///
/// Source: Moore, *The Shortest Path Through a Maze*, 1959.
///
/// # Errors
///
/// None: a path is shorter than the number of states that a table can hold, which is less than [`u32::MAX`]. The type is that
/// of [`solve`](crate::solve).
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
    let mut states = States::new();
    let (progress, goal) = ended(states.search(start, successors, goal));
    states.report(progress, goal)
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
    States::new().reach_all(start, successors)
}

/// The states that [`bfs_all`] has reached, each with the fewest steps to it.
#[derive(Clone, Debug)]
#[must_use]
pub struct ReachedInSteps<S> {
    table: Reached<S>,
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
        Some(states_to(&self.table, self.table.id_of(state)?))
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

/// The most states that are expanded together.
const MOST_TOGETHER: usize = 16;

/// The states that were reached. Most of the time is spent with looking for them, so those that are several numbers are found by
/// these, too.
type Reached<S> = HashedTable<S, Parent, FxBuildHasher, Early>;

/// The states of a search and the counts.
struct States<S> {
    table: Reached<S>,
    /// The successors of states that are expanded together, before they are looked up; the key of each, and the id that it
    /// probably has if it is stored.
    waiting: Vec<S>,
    guesses: Vec<(u64, u32)>,
    /// The bytes of `waiting` that are accounted for.
    bytes: usize,
    /// How many states are expanded.
    done: usize,
    /// How many states may be stored before room is made for more, where they are expanded one by one.
    full: usize,
    /// The first state of the next layer, and how many layers there are before it.
    next_layer: u32,
    depth: u32,
    /// How many states are open in another search that is a part of the same.
    open_elsewhere: usize,
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

impl<S: Clone + Eq + Hash> States<S> {
    /// With fewer states, each successor is looked up as it is generated, and nothing is fetched.
    ///
    /// An array of 9 or 12 bytes is hashed by two words that overlap. To read these just after it was written takes long.
    const FEW: usize =
        if size_of::<S>() > 8 && !size_of::<S>().is_multiple_of(8) { 1 << 9 } else { 1 << 12 };

    /// Whether states are one number, as the nodes of a graph are: their successors are seldom near them in memory.
    const IS_ONE: bool = may_be_one::<S>();

    /// From [`FEW`](Self::FEW) states on, unless they are found by several numbers, this many are expanded together, so that
    /// memory for one is fetched while others are looked up. Those that own memory are not: an allocator is slower if
    /// much is allocated before any of it is freed.
    const TOGETHER: usize = if needs_drop::<S>() { 1 } else { MOST_TOGETHER };

    fn new() -> Self {
        Self {
            table: HashedTable::default(),
            waiting: Vec::new(),
            guesses: Vec::new(),
            bytes: 0,
            done: 0,
            full: 0,
            next_layer: 0,
            depth: 0,
            open_elsewhere: 0,
            layers: None,
            run: Run::new(Limits::new(), ()),
        }
    }

    /// Searches to the end, and returns what is reached.
    fn reach_all<I>(mut self, start: S, successors: impl Fn(&S) -> I) -> ReachedInSteps<S>
    where
        I: IntoIterator<Item = S>,
    {
        self.layers = Some(Vec::new());
        let stopped = self.search(start, successors, |_| false).err().map(StopReason::from);
        let Self { table, layers, next_layer, .. } = self;
        let mut layers = layers.unwrap_or_default();
        if next_layer.index() < table.len() {
            // None of its states was expanded.
            push(&mut layers, next_layer);
        }
        ReachedInSteps { table, layers, stopped }
    }

    /// Searches, and returns the id of the first goal that is reached, if there is any.
    fn search<I>(
        &mut self,
        start: S,
        successors: impl Fn(&S) -> I,
        is_goal: impl Fn(&S) -> bool,
    ) -> Result<Option<u32>, Full>
    where
        I: IntoIterator<Item = S>,
    {
        let mut goal = self.begin(start, &is_goal)?;
        while goal.is_none() && self.done < self.table.len() {
            goal = self.expand_some(self.table.len(), &successors, &is_goal)?;
        }
        Ok(goal)
    }

    /// Stores the start, and returns its id if it is a goal.
    fn begin(&mut self, start: S, is_goal: &impl Fn(&S) -> bool) -> Result<Option<u32>, Full> {
        if let Some(layers) = &mut self.layers {
            self.run.memory().reserve(layers, 1)?;
        }
        self.table.reserve(1, self.run.memory())?;
        let key = self.table.key(&start);
        Ok(self.reach((key, start), StateId::NONE, is_goal))
    }

    /// Expands one state or some, of those before `end`, which must be more than are done. Returns the first goal among their
    /// successors.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop around it is all of a search")]
    fn expand_some<I: IntoIterator<Item = S>>(
        &mut self,
        end: usize,
        successors: &impl Fn(&S) -> I,
        is_goal: &impl Fn(&S) -> bool,
    ) -> Result<Option<u32>, Full> {
        let first = self.done;
        if self.table.len() < Self::FEW || (!Self::IS_ONE && self.table.is_numbered()) {
            self.done += 1;
            self.expand_one(u32::from_index(first), successors, is_goal)
        } else {
            self.done = end.min(first + Self::TOGETHER);
            let counts = self.generate((first, self.done), successors);
            self.look_up_all((first, self.done), &counts, is_goal)
        }
    }

    /// Expands a state: each successor is looked up before the next one is generated. Returns the first goal among them.
    #[inline]
    fn expand_one<I: IntoIterator<Item = S>>(
        &mut self,
        id: u32,
        successors: &impl Fn(&S) -> I,
        is_goal: &impl Fn(&S) -> bool,
    ) -> Result<Option<u32>, Full> {
        self.begin_expansion(id)?;
        let before = self.table.len();
        let (mut generated, mut left_out, mut goal) = (0, 0, None);
        let mut full = self.full;
        let mut successors = self.table.with_state(id, successors).into_iter();
        let outcome = successors.try_for_each(|state| {
            generated += 1;
            if self.table.len() >= full {
                left_out += 1;
                if goal.is_some() {
                    return Ok(());
                }
                full = self.make_room()?;
                left_out -= 1;
            }
            let key = self.table.key(&state);
            goal = self.reach((key, state), id, is_goal);
            if goal.is_some() {
                // The rest is only counted.
                full = 0;
            }
            Ok::<(), Full>(())
        });
        self.full = full;
        self.count(generated, generated - left_out, before);
        outcome?;
        Ok(goal)
    }

    /// Makes room for one more state, and perhaps for others; returns how many may be stored then.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) -> Result<usize, Full> {
        self.table.reserve(1, self.run.memory())?;
        // The room is less only if the hash of a state has changed.
        Ok(self.table.len() + self.table.room().max(1))
    }

    /// Generates the successors of the states of these ids; returns how many each of them has.
    #[inline]
    fn generate<I: IntoIterator<Item = S>>(
        &mut self,
        (first, end): (usize, usize),
        successors: &impl Fn(&S) -> I,
    ) -> [usize; MOST_TOGETHER] {
        let (mut counts, mut before) = ([0; MOST_TOGETHER], 0);
        for id in end..end + Self::TOGETHER {
            self.announce(id, successors);
        }
        for (id, count) in (first..end).zip(&mut counts) {
            let successors = self.table.with_state(u32::from_index(id), successors).into_iter();
            if is_small::<I::IntoIter>() {
                self.waiting.extend(successors);
            } else {
                successors.for_each(|state| self.waiting.push(state));
            }
            *count = self.waiting.len() - before;
            before = self.waiting.len();
        }
        counts
    }

    /// Tells the processor which state is expanded soon, if there is one of this id.
    #[inline]
    fn announce<I: IntoIterator<Item = S>>(&self, id: usize, successors: &impl Fn(&S) -> I) {
        if id < self.table.len() {
            self.table
                .with_state(u32::from_index(id), |state| prefetch_successors(successors, state));
        }
    }

    /// Counts an expansion, of the first state of the next layer or of one more of this one.
    #[inline]
    fn begin_expansion(&mut self, id: u32) -> Result<(), Full> {
        if id == self.next_layer {
            self.begin_layer()?;
        }
        self.run.stats.expanded += 1;
        let open = (self.table.len() - id.index() + self.open_elsewhere) as u64;
        self.run.stats.peak_frontier = self.run.stats.peak_frontier.max(open);
        Ok(())
    }

    #[inline(never)]
    fn begin_layer(&mut self) -> Result<(), Full> {
        let Self { table, next_layer, depth, layers, run, .. } = self;
        run.make_room_for_layer()?;
        if let Some(layers) = layers {
            // One more than is needed now, for the layer that is reached when memory runs out.
            run.memory().reserve(layers, 2)?;
            push(layers, *next_layer);
        }
        run.enter_layer::<S>(*depth);
        (*next_layer, *depth) = (u32::from_index(table.len()), *depth + 1);
        Ok(())
    }

    /// Counts the successors of an expansion before which `before` states were stored.
    #[inline]
    fn count(&mut self, generated: usize, looked_up: usize, before: usize) {
        self.run.stats.generated += generated as u64;
        self.run.stats.duplicates += (looked_up + before - self.table.len()) as u64;
    }

    /// Looks up the successors of the states of these ids, up to the first goal, whose id it returns.
    #[inline(never)]
    fn look_up_all(
        &mut self,
        (first, end): (usize, usize),
        counts: &[usize; MOST_TOGETHER],
        is_goal: &impl Fn(&S) -> bool,
    ) -> Result<Option<u32>, Full> {
        self.guess_all()?;
        let (mut waiting, guesses) = (take(&mut self.waiting), take(&mut self.guesses));
        let (mut states, mut rest) = (waiting.drain(..), &guesses[..]);
        for (id, &count) in (first..end).zip(counts) {
            let parent = u32::from_index(id);
            self.begin_expansion(parent)?;
            let before = self.table.len();
            let (own, others) = rest.split_at(count);
            rest = others;
            for (&(key, guess), state) in own.iter().zip(&mut states) {
                if self.table.is_at(guess, &state) {
                    continue;
                }
                let goal = self.reach((key, state), parent, is_goal);
                if goal.is_some() {
                    let looked_up = count - (states.len() - rest.len());
                    self.count(count, looked_up, before);
                    return Ok(goal);
                }
            }
            self.count(count, count, before);
        }
        drop(states);
        (self.waiting, self.guesses) = (waiting, guesses);
        Ok(None)
    }

    /// Makes the keys of all that wait, fetches what they are compared with, and makes room for all. There is no branch that
    /// depends on a key: so memory for many is read at once.
    fn guess_all(&mut self) -> Result<(), Full> {
        let Self { table, waiting, guesses, bytes, full, run, .. } = self;
        let allocated = waiting.capacity() * size_of::<S>();
        if allocated > *bytes {
            run.memory().claim(allocated - *bytes)?;
            *bytes = allocated;
        }
        guesses.clear();
        run.memory().reserve(guesses, waiting.len())?;
        table.reserve(waiting.len(), run.memory())?;
        // The table may have become smaller, as states are found by numbers now.
        *full = 0;
        guesses.extend(waiting.iter().map(|state| {
            let key = table.key(state);
            table.prefetch_slot(key);
            (key, 0)
        }));
        for (key, guess) in guesses {
            *guess = table.guess(*key);
        }
        Ok(())
    }

    /// Stores a state, for which there is room, unless it was reached before. Returns its id if it is a goal.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "most of the time of a search is spent here")]
    fn reach(
        &mut self,
        (key, state): (u64, S),
        parent: u32,
        is_goal: &impl Fn(&S) -> bool,
    ) -> Option<u32> {
        // The first path to a state is a shortest one.
        let Lookup::Vacant(slot) = self.table.find(key, &state, |_| false) else { return None };
        let is_goal = is_goal(&state);
        let id = self.table.insert(key, slot, state, Parent(parent));
        is_goal.then_some(id)
    }

    #[cold]
    fn report(
        mut self,
        progress: Progress,
        goal: Option<u32>,
    ) -> Result<Report<S, (), u32>, SearchError<u32>> {
        let states = goal.map(|goal| states_to(&self.table, goal)).unwrap_or_default();
        let stored = self.table.len();
        report_of((progress, states), stored, &mut self.run)
    }
}

/// How a search ended that found this, or nothing.
fn ended<T>(found: Result<Option<T>, Full>) -> (Progress, Option<T>) {
    match found {
        Ok(Some(found)) => (Progress::Found, Some(found)),
        Ok(None) => (Progress::Exhausted, None),
        Err(full) => (Progress::Stopped(full.into()), None),
    }
}

/// The report of a search with these states on its path, if there are any.
#[cold]
fn report_of<S: Clone + Eq + Hash>(
    (progress, on_path): (Progress, Vec<S>),
    stored: usize,
    run: &mut Run<u32, ()>,
) -> Result<Report<S, (), u32>, SearchError<u32>> {
    let mut left = on_path.into_iter();
    let mut path = left.next().map(|start| Path::with_capacity(start, 0, left.len()));
    if let Some(path) = &mut path {
        for state in left {
            path.push((), state, 1)?;
        }
    }
    let lower_bound = match (&path, progress) {
        (Some(path), _) => path.cost(),
        (None, Progress::Exhausted) => u32::MAX,
        (None, _) => 0,
    };
    let (outcome, incumbent) = concluded(progress, path, None);
    let (stats, layers) = (run.stats(stored), run.take_layers());
    Ok(Report { outcome, incumbent, closest: None, lower_bound, stats, layers })
}

/// The states on the path to one, from the start on.
fn states_to<S: Clone + Eq + Hash>(table: &Reached<S>, mut id: u32) -> Vec<S> {
    let mut states = Vec::new();
    while id != StateId::NONE {
        states.push(table.state_at(id).clone());
        id = table.load(id).parent();
    }
    states.reverse();
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reached_until_memory_runs_out_has_its_steps() {
        // From 4,096 states on, they are expanded together, or one after the other if they are found by numbers.
        fn check<S: Clone + Eq + Hash>(named: impl Fn(u64) -> S, number: impl Fn(&S) -> u64) {
            let mut lengths = Vec::new();
            for most in (0..60_000).step_by(251).chain((60_000..2_000_000).step_by(99_989)) {
                let mut states = States::new();
                states.run.memory().set_most(most);
                let two = |from: &S| [2 * number(from), 2 * number(from) + 1].map(&named);
                let reached = states.reach_all(named(1), two);
                assert_eq!(reached.stopped(), Some(StopReason::Memory));
                assert!(reached.states().zip(1_u64..).all(|((state, steps), expected)| {
                    number(state) == expected
                        && steps == expected.ilog2()
                        && reached.cost_of(state) == Some(steps)
                }));
                lengths.push(reached.len());
            }
            assert!(lengths[0] == 0 && lengths[lengths.len() - 1] > 20_000, "{lengths:?}");
        }
        check(|n| n, |&n| n);
        check(|n| [n], |&[n]| n);
    }

    thread_local! {
        /// How often the start of the next test was hashed.
        static HASHED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }

    /// A state that hashes as a whole number; the start does not from the hundredth call on.
    #[derive(Clone, Copy, PartialEq, Eq)]
    struct Changing(u32);

    impl Hash for Changing {
        fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
            hasher.write_u32(self.0);
            if self.0 == 0 {
                HASHED.set(HASHED.get() + 1);
                if HASHED.get() >= 100 {
                    hasher.write(&[1]);
                }
            }
        }
    }

    #[test]
    fn a_start_whose_hash_changes_does_not_end_the_room() {
        let most = |from: &Changing| if from.0 == 0 { 20_000 } else { 0 };
        let reached = bfs_all(Changing(0), |from| (0..most(from)).map(|n| Changing(n + 1)));
        assert!(
            HASHED.get() > 100 && reached.len() == 20_001,
            "{}, {}",
            HASHED.get(),
            reached.len()
        );
    }
}
