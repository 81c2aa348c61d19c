//! [`Edges`]: a few edges, written out.

use bestfirst::{Cost, DenseStates, Reversible, SearchProblem, Successors};

/// A list of edges, each with its two ends and its cost.
#[derive(Clone, Copy)]
pub struct Edges<C: 'static> {
    pub edges: &'static [(u8, u8, C)],
    pub goal: u8,
}

impl<C: Cost> SearchProblem for Edges<C> {
    type State = u8;
    type Action = ();
    type Cost = C;

    fn successors(&self, &state: &u8, next: &mut Successors<Self>) {
        for &(_, to, cost) in self.edges.iter().filter(|edge| edge.0 == state) {
            next.push((), to, cost);
        }
    }

    fn is_goal(&self, &state: &u8) -> bool {
        state == self.goal
    }
}

impl<C: Cost> Reversible for Edges<C> {
    fn predecessors(&self, &state: &u8, previous: &mut Successors<Self>) {
        for &(from, _, cost) in self.edges.iter().filter(|edge| edge.1 == state) {
            previous.push((), from, cost);
        }
    }

    fn goals(&self) -> impl Iterator<Item = u8> {
        [self.goal].into_iter()
    }
}

impl<C: Cost> DenseStates for Edges<C> {
    fn state_count(&self) -> usize {
        let ends = self.edges.iter().flat_map(|&(from, to, _)| [from, to]);
        usize::from(ends.fold(self.goal, u8::max)) + 1
    }

    fn state_index(&self, &state: &u8) -> usize {
        state.into()
    }

    fn state_at(&self, index: usize) -> u8 {
        u8::try_from(index).expect("the number of a state")
    }
}
