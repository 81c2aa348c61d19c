//! Large spaces that need no memory themselves.

use bestfirst::{DenseStates, InPlaceProblem, SearchProblem, Successors};

/// A graph of `nodes` states with four edges each, which lead anywhere.
#[derive(Clone, Debug)]
pub struct Mesh {
    pub nodes: u32,
    pub goal: u32,
    /// Step costs are below this, and 0 is among them.
    pub dearest: i32,
    /// How long it takes to find the successors of a state, in rounds of an empty loop.
    pub labour: u32,
}

impl Mesh {
    pub fn new(nodes: u32) -> Self {
        Self { nodes, goal: u32::MAX, dearest: 20, labour: 0 }
    }

    fn edge(&self, node: u32, nth: u32) -> (u32, i32) {
        let mixed = (u64::from(node) * 4 + u64::from(nth) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let to = (mixed >> 32) % u64::from(self.nodes);
        (to as u32, (mixed & 0xFFFF) as i32 % self.dearest)
    }
}

impl SearchProblem for Mesh {
    type State = u32;
    type Action = u32;
    type Cost = i32;

    fn successors(&self, &node: &u32, next: &mut Successors<Self>) {
        for i in 0..self.labour {
            std::hint::black_box(i);
        }
        for nth in 0..4 {
            let (to, cost) = self.edge(node, nth);
            next.push(nth, to, cost);
        }
    }

    fn is_goal(&self, &node: &u32) -> bool {
        node == self.goal
    }
}

impl DenseStates for Mesh {
    fn state_count(&self) -> usize {
        self.nodes as usize
    }
    fn state_index(&self, &node: &u32) -> usize {
        node as usize
    }
    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

impl InPlaceProblem for Mesh {
    type Actions = std::ops::Range<u32>;
    type Undo = u32;

    fn actions(&self, _: &u32) -> std::ops::Range<u32> {
        for i in 0..self.labour {
            std::hint::black_box(i);
        }
        0..4
    }
    fn apply(&self, node: &mut u32, &nth: &u32) -> (i32, u32) {
        let (to, cost) = self.edge(*node, nth);
        (cost, std::mem::replace(node, to))
    }
    fn undo(&self, node: &mut u32, undo: u32) {
        *node = undo;
    }
}

/// A chain of `length` steps that a perfect heuristic leads along, with a blind alley beside each
/// state: depth-first engines get to the end at once, and deep.
#[derive(Clone, Debug)]
pub struct Chain {
    pub length: u32,
    /// What a step costs.
    pub step: i32,
}

impl SearchProblem for Chain {
    type State = u32;
    type Action = u32;
    type Cost = i32;

    fn successors(&self, &state: &u32, next: &mut Successors<Self>) {
        // Alleys have odd numbers.
        if state % 2 == 0 {
            next.push(1, state + 1, self.step);
            next.push(2, state + 2, self.step);
        }
    }
    fn heuristic(&self, &state: &u32) -> i32 {
        self.length.saturating_sub(state / 2).cast_signed() * self.step
    }
    fn is_goal(&self, &state: &u32) -> bool {
        state == self.length * 2
    }
}

impl DenseStates for Chain {
    fn state_count(&self) -> usize {
        self.length as usize * 2 + 3
    }
    fn state_index(&self, &state: &u32) -> usize {
        state as usize
    }
    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

impl InPlaceProblem for Chain {
    type Actions = std::ops::Range<u32>;
    type Undo = u32;

    fn actions(&self, &state: &u32) -> std::ops::Range<u32> {
        if state % 2 == 0 { 1..3 } else { 0..0 }
    }
    fn apply(&self, state: &mut u32, &by: &u32) -> (i32, u32) {
        *state += by;
        (self.step, by)
    }
    fn undo(&self, state: &mut u32, by: u32) {
        *state -= by;
    }
}
