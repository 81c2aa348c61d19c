//! How a problem is stated: [`SearchProblem`], the buffer its successors go into, the closure form,
//! and adapters that change one thing about a problem and forward the rest.

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;

use crate::cost::Cost;

/// A state space: which states follow a state, at what cost, and which states are goals.
///
/// This is all that the engines ask for. A problem is never asked for all of its states, so spaces
/// may be infinite.
///
/// # Example
///
/// From 1 to a number by adding one (cost 1) or doubling (cost 2):
///
/// ```
/// use bestfirst::{SearchProblem, Successors};
///
/// struct Reach(u32);
///
/// impl SearchProblem for Reach {
///     type State = u32;
///     type Action = &'static str;
///     type Cost = u32;
///
///     fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
///         next.push("add one", n + 1, 1);
///         if n <= self.0 {
///             next.push("double", n * 2, 2);
///         }
///     }
///
///     fn is_goal(&self, &n: &u32) -> bool {
///         n == self.0
///     }
/// }
///
/// let report = bestfirst::dijkstra(&Reach(11), 1)?;
/// let path = report.path().expect("every number can be reached");
/// assert_eq!(path.cost(), 7);
/// assert_eq!(path.actions().collect::<Vec<_>>().last(), Some(&&"add one"));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub trait SearchProblem {
    /// What tells one situation from another. Equal states are the same state; keep it small.
    type State: Clone + Eq + Hash;

    /// What a step does; `()` where nobody asks. Engines never store actions: a path finds its own
    /// again by asking for the successors of each state on it.
    type Action: Clone;

    /// What steps cost.
    type Cost: Cost;

    /// Pushes every successor of `state`: the action, the state it leads to, what the step costs.
    ///
    /// It must push the same successors each time it is asked about the same state.
    fn successors(&self, state: &Self::State, next: &mut Successors<Self>);

    /// A lower bound on the cost from `state` to a goal; [`Cost::INFINITY`] says that none can be
    /// reached.
    ///
    /// Bounds that never exceed the true cost (*admissible* ones) give optimal paths. They need not
    /// be consistent. A value below zero counts as zero, and so does any value at a goal.
    fn heuristic(&self, state: &Self::State) -> Self::Cost {
        let _ = state;
        Self::Cost::ZERO
    }

    /// Whether the search may end here.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Says that the successors of `state` will probably be asked for soon, a few expansions ahead: a
    /// problem that looks them up in large tables may have them fetched from memory meanwhile. It
    /// must change nothing that can be observed, and may be called for any state, more than once, or
    /// never.
    #[inline]
    fn prefetch(&self, state: &Self::State) {
        let _ = state;
    }
}

/// A problem whose states number themselves, so that a table of them needs no hashing.
///
/// The numbering must be perfect: [`state_index`](Self::state_index) and
/// [`state_at`](Self::state_at) undo one another, and every index is below
/// [`state_count`](Self::state_count). An index out of range is reported as
/// [`SearchError::StateIndex`](crate::SearchError::StateIndex). Use it by
/// [`dense`](crate::engine::BestFirst::dense).
pub trait DenseStates: SearchProblem {
    /// How many states there are; the table takes memory for all of them at once.
    fn state_count(&self) -> usize;

    /// The number of a state, below `state_count()`.
    fn state_index(&self, state: &Self::State) -> usize;

    /// The state with that number.
    fn state_at(&self, index: usize) -> Self::State;
}

/// The buffer that [`SearchProblem::successors`] of `P` fills.
pub type Successors<P> = SuccessorBuffer<
    <P as SearchProblem>::State,
    <P as SearchProblem>::Action,
    <P as SearchProblem>::Cost,
>;

/// One step that can be taken from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successor<S, A, C> {
    /// What is done.
    pub action: A,
    /// Where it leads.
    pub state: S,
    /// What it costs.
    pub cost: C,
}

/// A plain list of successors. Engines empty and reuse it, so that expanding a state allocates
/// nothing once the buffer has grown to the largest number of successors.
#[derive(Clone, PartialEq, Eq)]
pub struct SuccessorBuffer<S, A, C> {
    list: Vec<Successor<S, A, C>>,
}

impl<S, A, C> SuccessorBuffer<S, A, C> {
    /// An empty buffer.
    #[must_use]
    pub fn new() -> Self {
        Self { list: Vec::new() }
    }

    /// Adds a successor.
    #[inline]
    pub fn push(&mut self, action: A, state: S, cost: C) {
        self.list.push(Successor { action, state, cost });
    }

    /// Removes all successors; the memory stays.
    #[inline]
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// The successors in the order in which they were pushed.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Successor<S, A, C>] {
        &self.list
    }

    /// The successors, to be changed in place: an adapter may alter costs or reorder them.
    #[inline]
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [Successor<S, A, C>] {
        &mut self.list
    }

    /// Keeps the successors for which `keep` says so: an adapter may forbid some.
    pub fn retain(&mut self, keep: impl FnMut(&Successor<S, A, C>) -> bool) {
        self.list.retain(keep);
    }

    /// Takes all successors out, in order; the memory stays.
    #[inline]
    pub fn drain(&mut self) -> std::vec::Drain<'_, Successor<S, A, C>> {
        self.list.drain(..)
    }

    /// The list itself.
    #[inline]
    pub(crate) fn list(&mut self) -> &mut Vec<Successor<S, A, C>> {
        &mut self.list
    }

    /// Takes the last successor out.
    #[inline]
    pub fn pop(&mut self) -> Option<Successor<S, A, C>> {
        self.list.pop()
    }

    /// Shortens the buffer to its first `len` successors.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
    }

    /// How many successors there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The bytes that the buffer holds.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<Successor<S, A, C>>()
    }
}

impl<S, A, C> Extend<(A, S, C)> for SuccessorBuffer<S, A, C> {
    /// Adds many successors: faster than one by one where the iterator knows how many they are.
    #[inline]
    fn extend<I: IntoIterator<Item = (A, S, C)>>(&mut self, successors: I) {
        let successor = |(action, state, cost)| Successor { action, state, cost };
        self.list.extend(successors.into_iter().map(successor));
    }
}

impl<S, A, C> Default for SuccessorBuffer<S, A, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: fmt::Debug, A: fmt::Debug, C: fmt::Debug> fmt::Debug for SuccessorBuffer<S, A, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

/// Forwards a whole problem to what a pointer points at.
macro_rules! forward_problem {
    ($($pointer:ty),*) => {$(
        impl<P: SearchProblem + ?Sized> SearchProblem for $pointer {
            type State = P::State;
            type Action = P::Action;
            type Cost = P::Cost;

            #[inline]
            fn successors(&self, state: &Self::State, next: &mut Successors<Self>) {
                (**self).successors(state, next);
            }

            #[inline]
            fn heuristic(&self, state: &Self::State) -> Self::Cost {
                (**self).heuristic(state)
            }

            #[inline]
            fn is_goal(&self, state: &Self::State) -> bool {
                (**self).is_goal(state)
            }

            #[inline]
            fn prefetch(&self, state: &Self::State) {
                (**self).prefetch(state);
            }
        }

        impl<P: DenseStates + ?Sized> DenseStates for $pointer {
            #[inline]
            fn state_count(&self) -> usize {
                (**self).state_count()
            }

            #[inline]
            fn state_index(&self, state: &Self::State) -> usize {
                (**self).state_index(state)
            }

            #[inline]
            fn state_at(&self, index: usize) -> Self::State {
                (**self).state_at(index)
            }
        }
    )*};
}

forward_problem!(&P, Box<P>, std::rc::Rc<P>, std::sync::Arc<P>);

/// Forwards the numbering of states to the field that holds the adapted problem.
macro_rules! forward_numbering {
    ($adapter:ident<P $(, $other:ident)*> $(where $($bound:tt)*)?) => {
        impl<P: DenseStates $(, $other)*> DenseStates for $adapter<P $(, $other)*> $(where $($bound)*)? {
            #[inline]
            fn state_count(&self) -> usize {
                self.problem.state_count()
            }

            #[inline]
            fn state_index(&self, state: &Self::State) -> usize {
                self.problem.state_index(state)
            }

            #[inline]
            fn state_at(&self, index: usize) -> Self::State {
                self.problem.state_at(index)
            }
        }
    };
}

/// The same problem without its heuristic: A* on it is Dijkstra's algorithm.
///
/// ```
/// use bestfirst::{FnProblem, IgnoreHeuristic, SearchProblem};
///
/// let problem = FnProblem::new(|&n: &u8| [(n + 1, 1_u8)], |&n: &u8| 9 - n, |&n: &u8| n == 9);
/// assert_eq!(problem.heuristic(&4), 5);
/// assert_eq!(IgnoreHeuristic::new(&problem).heuristic(&4), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IgnoreHeuristic<P> {
    problem: P,
}

impl<P> IgnoreHeuristic<P> {
    /// Wraps `problem`, or a reference to it.
    #[must_use]
    pub fn new(problem: P) -> Self {
        Self { problem }
    }
}

impl<P: SearchProblem> SearchProblem for IgnoreHeuristic<P> {
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    #[inline]
    fn successors(&self, state: &Self::State, next: &mut Successors<Self>) {
        self.problem.successors(state, next);
    }

    #[inline]
    fn is_goal(&self, state: &Self::State) -> bool {
        self.problem.is_goal(state)
    }

    #[inline]
    fn prefetch(&self, state: &Self::State) {
        self.problem.prefetch(state);
    }
}

forward_numbering!(IgnoreHeuristic<P>);

/// The same problem without its goals: a search of it goes on until every state is reached.
#[derive(Clone, Copy, Debug)]
pub struct IgnoreGoal<P> {
    problem: P,
}

impl<P> IgnoreGoal<P> {
    /// Wraps `problem`, or a reference to it.
    #[must_use]
    pub fn new(problem: P) -> Self {
        Self { problem }
    }
}

impl<P: SearchProblem> SearchProblem for IgnoreGoal<P> {
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    #[inline]
    fn successors(&self, state: &Self::State, next: &mut Successors<Self>) {
        self.problem.successors(state, next);
    }

    #[inline]
    fn heuristic(&self, state: &Self::State) -> Self::Cost {
        self.problem.heuristic(state)
    }

    #[inline]
    fn is_goal(&self, _state: &Self::State) -> bool {
        false
    }

    #[inline]
    fn prefetch(&self, state: &Self::State) {
        self.problem.prefetch(state);
    }
}

forward_numbering!(IgnoreGoal<P>);

/// The same problem, with steps that all cost the same: its cheapest paths are those with the fewest
/// steps. The heuristic knows that one step at least is left where no goal is, so that
/// [breadth-first search](crate::BreadthFirst) ends with the first path that it finds.
///
/// ```
/// use bestfirst::{EqualSteps, FnProblem, breadth_first};
///
/// let problem = FnProblem::new(|&n: &u32| [(n + 1, 1), (n * 2, 5)], |_: &u32| 0, |&n: &u32| n == 50);
/// let report = breadth_first(&EqualSteps::new(&problem, 1), 3)?;
/// assert_eq!(report.path().unwrap().states(), [3, 6, 12, 24, 25, 50]);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct EqualSteps<P: SearchProblem> {
    problem: P,
    step: P::Cost,
}

impl<P: SearchProblem> EqualSteps<P> {
    /// Wraps `problem`, or a reference to it; every step costs `step`.
    #[must_use]
    pub fn new(problem: P, step: P::Cost) -> Self {
        Self { problem, step }
    }
}

impl<P: SearchProblem> SearchProblem for EqualSteps<P> {
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    #[inline]
    fn successors(&self, state: &Self::State, next: &mut Successors<Self>) {
        self.problem.successors(state, next);
        for successor in next.as_mut_slice() {
            successor.cost = self.step;
        }
    }

    #[inline]
    fn heuristic(&self, state: &Self::State) -> Self::Cost {
        if self.problem.is_goal(state) { Self::Cost::ZERO } else { self.step }
    }

    #[inline]
    fn is_goal(&self, state: &Self::State) -> bool {
        self.problem.is_goal(state)
    }

    #[inline]
    fn prefetch(&self, state: &Self::State) {
        self.problem.prefetch(state);
    }
}

forward_numbering!(EqualSteps<P>);

/// The same problem with another heuristic.
///
/// ```
/// use bestfirst::{FnProblem, SearchProblem, WithHeuristic};
///
/// let problem = FnProblem::new(|&n: &u8| [(n + 1, 1_u8)], |_: &u8| 0, |&n: &u8| n == 9);
/// let informed = WithHeuristic::new(&problem, |&n: &u8| 9 - n);
/// assert_eq!(informed.heuristic(&4), 5);
/// assert_eq!(bestfirst::astar(&informed, 0)?.cost(), Some(9));
/// # Ok::<(), bestfirst::SearchError<u8>>(())
/// ```
#[derive(Clone, Copy)]
pub struct WithHeuristic<P, H> {
    problem: P,
    heuristic: H,
}

impl<P: SearchProblem, H: Fn(&P::State) -> P::Cost> WithHeuristic<P, H> {
    /// Wraps `problem`, or a reference to it; `heuristic` takes the place of its own.
    #[must_use]
    pub fn new(problem: P, heuristic: H) -> Self {
        Self { problem, heuristic }
    }
}

impl<P: SearchProblem, H: Fn(&P::State) -> P::Cost> SearchProblem for WithHeuristic<P, H> {
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    #[inline]
    fn successors(&self, state: &Self::State, next: &mut Successors<Self>) {
        self.problem.successors(state, next);
    }

    #[inline]
    fn heuristic(&self, state: &Self::State) -> Self::Cost {
        (self.heuristic)(state)
    }

    #[inline]
    fn is_goal(&self, state: &Self::State) -> bool {
        self.problem.is_goal(state)
    }

    #[inline]
    fn prefetch(&self, state: &Self::State) {
        self.problem.prefetch(state);
    }
}

forward_numbering!(WithHeuristic<P, H> where H: Fn(&P::State) -> P::Cost);

impl<P: fmt::Debug, H> fmt::Debug for WithHeuristic<P, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithHeuristic").field("problem", &self.problem).finish_non_exhaustive()
    }
}

/// A problem stated in three closures: successors as `(state, cost)` pairs, heuristic, goal.
///
/// [`solve`](crate::solve) puts it together with a start and A*, for people in a hurry.
///
/// ```
/// use bestfirst::FnProblem;
///
/// let knight = FnProblem::new(
///     |&(x, y): &(i32, i32)| {
///         [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
///             .map(|(dx, dy)| ((x + dx, y + dy), 1_u32))
///     },
///     |&(x, y)| (x.abs().max(y.abs()) as u32).div_ceil(2),
///     |&place| place == (0, 0),
/// );
/// assert_eq!(bestfirst::astar(&knight, (7, 8))?.cost(), Some(5));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub struct FnProblem<S, F, H, G> {
    successors: F,
    heuristic: H,
    goal: G,
    state: PhantomData<fn(&S)>,
}

impl<S, C, I, F, H, G> FnProblem<S, F, H, G>
where
    S: Clone + Eq + Hash,
    C: Cost,
    I: IntoIterator<Item = (S, C)>,
    F: Fn(&S) -> I,
    H: Fn(&S) -> C,
    G: Fn(&S) -> bool,
{
    /// A problem with these successors, this heuristic and these goals.
    #[must_use]
    pub fn new(successors: F, heuristic: H, goal: G) -> Self {
        Self { successors, heuristic, goal, state: PhantomData }
    }
}

impl<S, C, I, F, H, G> SearchProblem for FnProblem<S, F, H, G>
where
    S: Clone + Eq + Hash,
    C: Cost,
    I: IntoIterator<Item = (S, C)>,
    F: Fn(&S) -> I,
    H: Fn(&S) -> C,
    G: Fn(&S) -> bool,
{
    type State = S;
    type Action = ();
    type Cost = C;

    #[inline]
    fn successors(&self, state: &S, next: &mut Successors<Self>) {
        for (state, cost) in (self.successors)(state) {
            next.push((), state, cost);
        }
    }

    #[inline]
    fn heuristic(&self, state: &S) -> C {
        (self.heuristic)(state)
    }

    #[inline]
    fn is_goal(&self, state: &S) -> bool {
        (self.goal)(state)
    }
}

impl<S, F, H, G> fmt::Debug for FnProblem<S, F, H, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FnProblem").finish_non_exhaustive()
    }
}
