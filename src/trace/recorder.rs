//! [`Recorder`]: stores the events of a search.

use super::TraceWriter;
use crate::cost::Cost;
use crate::observer::Observer;
use crate::report::Layer;

/// An event of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<S, C> {
    /// A state was generated; see [`Observer::generated`].
    Generated {
        /// The state that was expanded; `None` for a start.
        parent: Option<S>,
        /// The state.
        state: S,
        /// The cost of the path to the state.
        g: C,
    },
    /// A state was expanded; see [`Observer::expanded`].
    Expanded {
        /// The state.
        state: S,
        /// The cost of the path to the state.
        g: C,
        /// The heuristic value of the state.
        h: C,
    },
    /// A layer was completed; see [`Observer::layer`].
    Layer(Layer<C>),
    /// A better solution was found; see [`Observer::incumbent`].
    Incumbent {
        /// The cost of the solution.
        cost: C,
        /// No solution costs less.
        bound: C,
    },
}

/// An [`Observer`] that stores events, up to a maximum number.
///
/// Each event takes the memory of two states and two costs. Later events are counted but not stored;
/// the search is not affected.
#[derive(Clone, Debug)]
pub struct Recorder<S, C> {
    pub(super) events: Vec<Event<S, C>>,
    most: usize,
    pub(super) dropped: u64,
}

impl<S, C> Recorder<S, C> {
    /// Creates a recorder that stores the first `most` events.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { events: Vec::new(), most, dropped: 0 }
    }

    /// Returns the stored events, in order.
    #[must_use]
    pub fn events(&self) -> &[Event<S, C>] {
        &self.events
    }

    /// Returns the number of events that were not stored.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Removes all events, so that another search can be recorded.
    pub fn clear(&mut self) {
        self.events.clear();
        self.dropped = 0;
    }

    fn keep(&mut self, event: impl FnOnce() -> Event<S, C>) {
        if self.events.len() < self.most {
            self.events.push(event());
        } else {
            self.dropped += 1;
        }
    }

    /// Creates a writer of the events. `id` returns a string that identifies the state among all others.
    pub fn writer<'a>(&'a self, id: impl Fn(&S) -> String + 'a) -> TraceWriter<'a, S, C> {
        TraceWriter { recorder: self, id: Box::new(id), place: None, solution: &[] }
    }
}

impl<S: Clone, C: Cost> Observer<S, C> for Recorder<S, C> {
    fn expanded(&mut self, state: &S, g: C, h: C) {
        self.keep(|| Event::Expanded { state: state.clone(), g, h });
    }

    fn generated(&mut self, parent: Option<&S>, state: &S, g: C) {
        self.keep(|| Event::Generated { parent: parent.cloned(), state: state.clone(), g });
    }

    fn layer(&mut self, layer: &Layer<C>) {
        self.keep(|| Event::Layer(*layer));
    }

    fn incumbent(&mut self, cost: C, bound: C) {
        self.keep(|| Event::Incumbent { cost, bound });
    }
}
