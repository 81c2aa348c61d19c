//! Problems of closures of which only the types of states and costs are known: an engine is compiled once for all of
//! them, and not once for each closure.

use std::hash::Hash;

use bestfirst::{Cost, DenseStates, FnProblem, Reversible, SearchProblem, Successors};

/// The methods of [`SearchProblem`], asked of the problem that is the first field.
macro_rules! forward_search {
    () => {
        fn successors(&self, state: &Self::State, next: &mut Successors<Self>) {
            self.0.successors(state, next);
        }
        fn heuristic(&self, state: &Self::State) -> Self::Cost {
            self.0.heuristic(state)
        }
        fn steps_left(&self, state: &Self::State) -> Option<u32> {
            self.0.steps_left(state)
        }
        fn is_goal(&self, state: &Self::State) -> bool {
            self.0.is_goal(state)
        }
        fn prefetch(&self, state: &Self::State) {
            self.0.prefetch(state);
        }
    };
}
pub(crate) use forward_search;

/// The methods of [`DenseStates`], likewise.
macro_rules! forward_dense {
    () => {
        fn state_count(&self) -> usize {
            self.0.state_count()
        }
        fn state_index(&self, state: &Self::State) -> usize {
            self.0.state_index(state)
        }
        fn state_at(&self, index: usize) -> Self::State {
            self.0.state_at(index)
        }
    };
}
pub(crate) use forward_dense;

/// Any problem, behind a pointer.
pub fn boxed<'p, P: SearchProblem + 'p>(
    problem: P,
) -> Box<dyn SearchProblem<State = P::State, Action = P::Action, Cost = P::Cost> + 'p> {
    Box::new(problem)
}

/// Any problem with numbered states, behind a pointer.
pub fn dense<'p, P: DenseStates + 'p>(
    problem: P,
) -> Box<dyn DenseStates<State = P::State, Action = P::Action, Cost = P::Cost> + 'p> {
    Box::new(problem)
}

/// A problem whose states are their numbers in another one, and whose actions tell nothing.
pub struct Numbered<'p, P>(pub &'p P);

/// A problem of the numbers of its states, behind a pointer.
pub fn numbered<'p, P: DenseStates>(
    problem: &'p P,
) -> Box<dyn DenseStates<State = u32, Action = (), Cost = P::Cost> + 'p> {
    dense(Numbered(problem))
}

/// The number of a state.
pub fn number<P: DenseStates>(problem: &P, state: &P::State) -> u32 {
    u32::try_from(problem.state_index(state)).expect("the states of tests are not so many")
}

impl<P: DenseStates> Numbered<'_, P> {
    fn extend(&self, steps: &mut Successors<P>, list: &mut Successors<Self>) {
        list.extend(steps.drain().map(|step| ((), number(self.0, &step.state), step.cost)));
    }
}

impl<P: DenseStates> SearchProblem for Numbered<'_, P> {
    type State = u32;
    type Action = ();
    type Cost = P::Cost;

    fn successors(&self, &state: &u32, next: &mut Successors<Self>) {
        let mut steps = Successors::<P>::new();
        self.0.successors(&self.0.state_at(state as usize), &mut steps);
        self.extend(&mut steps, next);
    }
    fn heuristic(&self, &state: &u32) -> P::Cost {
        self.0.heuristic(&self.0.state_at(state as usize))
    }
    fn is_goal(&self, &state: &u32) -> bool {
        self.0.is_goal(&self.0.state_at(state as usize))
    }
}

impl<P: DenseStates> DenseStates for Numbered<'_, P> {
    fn state_count(&self) -> usize {
        self.0.state_count()
    }
    fn state_index(&self, &state: &u32) -> usize {
        state as usize
    }
    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).expect("the states of tests are not so many")
    }
}

impl<P: DenseStates + Reversible> Reversible for Numbered<'_, P> {
    fn predecessors(&self, &state: &u32, previous: &mut Successors<Self>) {
        let mut steps = Successors::<P>::new();
        self.0.predecessors(&self.0.state_at(state as usize), &mut steps);
        self.extend(&mut steps, previous);
    }
    fn goals(&self) -> impl Iterator<Item = u32> {
        self.0.goals().map(|goal| number(self.0, &goal))
    }
    fn heuristic_from(&self, &start: &u32, &state: &u32) -> P::Cost {
        let [start, state] = [start, state].map(|state| self.0.state_at(state as usize));
        self.0.heuristic_from(&start, &state)
    }
}

/// [`FnProblem::new`], behind a pointer.
pub fn problem<'p, S, C, I>(
    successors: impl Fn(&S) -> I + 'p,
    heuristic: impl Fn(&S) -> C + 'p,
    goal: impl Fn(&S) -> bool + 'p,
) -> Box<dyn SearchProblem<State = S, Action = (), Cost = C> + 'p>
where
    S: Clone + Eq + Hash + 'p,
    C: Cost + 'p,
    I: IntoIterator<Item = (S, C)>,
{
    boxed(FnProblem::new(successors, heuristic, goal))
}

/// What a problem with numbered states that knows its predecessors can be asked, in a form that can be behind a pointer.
trait BothWays: DenseStates {
    fn predecessors(&self, state: &Self::State, previous: &mut Successors<Self>);
    /// One by one: a list would be allocated.
    fn nth_goal(&self, nth: usize) -> Option<Self::State>;
    fn heuristic_from(&self, start: &Self::State, state: &Self::State) -> Self::Cost;
}

impl<P: DenseStates + Reversible> BothWays for P {
    fn predecessors(&self, state: &P::State, previous: &mut Successors<Self>) {
        Reversible::predecessors(self, state, previous);
    }
    fn nth_goal(&self, nth: usize) -> Option<P::State> {
        self.goals().nth(nth)
    }
    fn heuristic_from(&self, start: &P::State, state: &P::State) -> P::Cost {
        Reversible::heuristic_from(self, start, state)
    }
}

/// A problem with numbered states that knows its predecessors, of which only the types are known.
pub struct Reversing<'p, S, A, C>(&'p (dyn BothWays<State = S, Action = A, Cost = C> + 'p));

pub type ReversingOf<'p, P> = Reversing<
    'p,
    <P as SearchProblem>::State,
    <P as SearchProblem>::Action,
    <P as SearchProblem>::Cost,
>;

/// The form in which searches from both ends, and what makes heuristics, are given the problems of tests.
pub fn reversing<P: DenseStates + Reversible>(problem: &P) -> ReversingOf<'_, P> {
    Reversing(problem)
}

impl<S, A, C> Copy for Reversing<'_, S, A, C> {}

impl<S, A, C> Clone for Reversing<'_, S, A, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Clone + Eq + Hash, A: Clone, C: Cost> SearchProblem for Reversing<'_, S, A, C> {
    type State = S;
    type Action = A;
    type Cost = C;

    forward_search!();
}

impl<S: Clone + Eq + Hash, A: Clone, C: Cost> DenseStates for Reversing<'_, S, A, C> {
    forward_dense!();
}

impl<S: Clone + Eq + Hash, A: Clone, C: Cost> Reversible for Reversing<'_, S, A, C> {
    fn predecessors(&self, state: &S, previous: &mut Successors<Self>) {
        self.0.predecessors(state, previous);
    }
    fn goals(&self) -> impl Iterator<Item = S> {
        (0..).map_while(|nth| self.0.nth_goal(nth))
    }
    fn heuristic_from(&self, start: &S, state: &S) -> C {
        self.0.heuristic_from(start, state)
    }
}
