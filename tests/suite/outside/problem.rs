//! A problem: three jugs, of which water is poured from one into another until one holds what is wanted.

use bestfirst::{DenseStates, InPlaceProblem, Reversible, SearchProblem, Successors};

/// What each jug holds.
pub type Jug = [u32; 3];

#[derive(Clone, Debug)]
pub struct Jugs {
    /// The last one is full at first.
    pub sizes: Jug,
    /// What one of them is to hold.
    pub goal: u32,
}

/// From which jug into which.
pub type Pour = (usize, usize);

/// A problem of jugs, forwards or backwards.
pub type Whole<'p> = Box<dyn DenseStates<State = Jug, Action = Pour, Cost = u32> + 'p>;

const POURS: [Pour; 6] = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)];

impl Jugs {
    pub fn start(&self) -> Jug {
        [0, 0, self.sizes[2]]
    }

    /// The jugs behind a pointer, as the engines search them: with those that search backwards, they are compiled once.
    pub fn whole(&self) -> Whole<'_> {
        Box::new(self)
    }

    /// What is poured.
    fn amount(&self, state: &Jug, (from, to): Pour) -> u32 {
        state[from].min(self.sizes[to] - state[to])
    }

    /// The cost of a step: one, and what is poured.
    fn pour(&self, state: &Jug, (from, to): Pour) -> (Jug, u32) {
        let amount = self.amount(state, (from, to));
        let mut next = *state;
        next[from] -= amount;
        next[to] += amount;
        (next, 1 + amount)
    }

    fn states(&self) -> impl Iterator<Item = Jug> {
        (0..self.state_count()).map(|index| self.state_at(index))
    }
}

impl SearchProblem for Jugs {
    type State = Jug;
    type Action = Pour;
    type Cost = u32;

    fn successors(&self, state: &Jug, next: &mut Successors<Self>) {
        for pour in self.actions(state) {
            let (to, cost) = self.pour(state, pour);
            next.push(pour, to, cost);
        }
    }
    fn heuristic(&self, state: &Jug) -> u32 {
        // Some jug must gain or lose that much.
        state.iter().map(|held| held.abs_diff(self.goal)).min().unwrap_or(0)
    }
    fn is_goal(&self, state: &Jug) -> bool {
        state.contains(&self.goal)
    }
}

impl DenseStates for Jugs {
    fn state_count(&self) -> usize {
        self.sizes.iter().map(|&size| size as usize + 1).product()
    }
    fn state_index(&self, state: &Jug) -> usize {
        let digit =
            |index, (&held, &size): (&u32, &u32)| index * (size as usize + 1) + held as usize;
        state.iter().zip(&self.sizes).fold(0, digit)
    }
    fn state_at(&self, mut index: usize) -> Jug {
        let mut state = [0; 3];
        for (held, &size) in state.iter_mut().zip(&self.sizes).rev() {
            *held = u32::try_from(index % (size as usize + 1)).unwrap();
            index /= size as usize + 1;
        }
        state
    }
}

impl InPlaceProblem for Jugs {
    type Actions = std::vec::IntoIter<Pour>;
    type Undo = Jug;

    fn actions(&self, state: &Jug) -> Self::Actions {
        let useful = |&pour: &Pour| self.amount(state, pour) > 0;
        POURS.into_iter().filter(useful).collect::<Vec<_>>().into_iter()
    }
    fn apply(&self, state: &mut Jug, &pour: &Pour) -> (u32, Jug) {
        let (next, cost) = self.pour(state, pour);
        (cost, std::mem::replace(state, next))
    }
    fn undo(&self, state: &mut Jug, undo: Jug) {
        *state = undo;
    }
}

impl Reversible for Jugs {
    fn predecessors(&self, state: &Jug, previous: &mut Successors<Self>) {
        // After pouring, one of the two jugs is empty or full: all amounts that lead there are tried.
        for (from, to) in POURS {
            for amount in 1..=state[to] {
                let mut before = *state;
                before[from] += amount;
                before[to] -= amount;
                let is_state = before[from] <= self.sizes[from];
                if is_state && self.amount(&before, (from, to)) == amount {
                    previous.push((from, to), before, 1 + amount);
                }
            }
        }
    }
    fn goals(&self) -> impl Iterator<Item = Jug> {
        self.states().filter(|state| self.is_goal(state))
    }
    fn heuristic_from(&self, start: &Jug, state: &Jug) -> u32 {
        // Every unit that is somewhere else was poured.
        start.iter().zip(state).map(|(a, b)| a.abs_diff(*b)).sum::<u32>() / 2
    }
}
