//! A small table that says it is a large one, so that searches look ahead in it.

use bestfirst::SearchProblem;
use bestfirst::limits::{Memory, OutOfMemory};
use bestfirst::table::{Distance, Lookup, Node, StateId, Table};

#[derive(Debug, Default)]
pub struct Far<T>(T);

impl<P: SearchProblem, T: Table<P>> Table<P> for Far<T> {
    type Key = T::Key;

    fn distance(&self) -> Distance {
        Distance::Scattered
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn reserve(
        &mut self,
        problem: &P,
        more: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.0.reserve(problem, more, memory)
    }

    fn key(&self, problem: &P, state: &P::State) -> T::Key {
        self.0.key(problem, state)
    }

    fn fetch(&self, key: T::Key) {
        self.0.fetch(key);
    }

    fn approach(&self, key: T::Key) {
        self.0.approach(key);
    }

    fn find(&self, key: T::Key, state: &P::State, g: P::Cost) -> Lookup {
        self.0.find(key, state, g)
    }

    fn insert(
        &mut self,
        key: T::Key,
        place: usize,
        state: P::State,
        node: Node<P::Cost>,
    ) -> StateId {
        self.0.insert(key, place, state, node)
    }

    fn id_of(&self, problem: &P, state: &P::State) -> Option<StateId> {
        self.0.id_of(problem, state)
    }

    fn node(&self, id: StateId) -> &Node<P::Cost> {
        self.0.node(id)
    }

    fn node_mut(&mut self, id: StateId) -> &mut Node<P::Cost> {
        self.0.node_mut(id)
    }

    fn with_state<R>(&self, problem: &P, id: StateId, look: impl FnOnce(&P::State) -> R) -> R {
        self.0.with_state(problem, id, look)
    }

    fn prefetch(&self, id: StateId) {
        self.0.prefetch(id);
    }

    fn for_each(&self, problem: &P, visit: impl FnMut(&P::State, &Node<P::Cost>)) {
        self.0.for_each(problem, visit);
    }
}
