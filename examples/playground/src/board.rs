//! [`Board`]: a problem that the page can draw.

use std::cell::RefCell;
use std::fmt::Debug;
use std::rc::Rc;

use bestfirst::trace::Recorder;
use bestfirst::{BoxedSearch, Layer, Limits, Observer, ScalableCost, SearchProblem};
use serde_json::Value;

/// A problem whose states the page can draw.
pub trait Board: SearchProblem<State: Debug, Action: Copy + PartialEq, Cost: ScalableCost> {
    /// Where a search begins.
    fn start(&self) -> Self::State;

    /// What tells a state from all others.
    fn id(&self, state: &Self::State) -> String;

    /// The column and the row of a state, if it is a cell.
    fn place(&self, state: &Self::State) -> Option<(f64, f64)>;

    /// What the page draws around the states.
    fn setup(&self) -> Value;

    /// A search from both ends, where predecessors are known.
    fn search_from_both_ends(
        &self,
        limits: Limits<Self::Cost>,
        observer: SharedRecorder<Self::State, Self::Cost>,
    ) -> Option<BoxedSearch<'_, &Self>> {
        let _ = (limits, observer);
        None
    }
}

/// A recorder that a search tells its events, and that others empty in the meantime.
#[derive(Clone, Debug)]
pub struct SharedRecorder<S, C>(Rc<RefCell<Recorder<S, C>>>);

impl<S, C> SharedRecorder<S, C> {
    pub fn new() -> Self {
        Self(Rc::new(RefCell::new(Recorder::new(usize::MAX))))
    }

    /// Calls `read` with the events since the last call.
    pub fn take<T>(&self, read: impl FnOnce(&Recorder<S, C>) -> T) -> T {
        let mut recorder = self.0.borrow_mut();
        let result = read(&recorder);
        recorder.clear();
        result
    }
}

impl<S: Clone, C: bestfirst::Cost> Observer<S, C> for SharedRecorder<S, C> {
    fn expanded(&mut self, state: &S, g: C, h: C) {
        self.0.borrow_mut().expanded(state, g, h);
    }

    fn generated(&mut self, parent: Option<&S>, state: &S, g: C) {
        self.0.borrow_mut().generated(parent, state, g);
    }

    fn layer(&mut self, layer: &Layer<C>) {
        self.0.borrow_mut().layer(layer);
    }

    fn incumbent(&mut self, cost: C, bound: C) {
        self.0.borrow_mut().incumbent(cost, bound);
    }
}
