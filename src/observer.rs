//! [`Observer`]: what happens in a search, as it happens.

use crate::report::Layer;

/// Is told what a search does: for progress bars, traces, plots and counts of one's own.
///
/// Every method does nothing unless it is overridden. A search without an observer (that is, with
/// `()`) is compiled as if there were none.
///
/// # Example
///
/// ```
/// use bestfirst::{Dijkstra, FnProblem, Observer};
///
/// #[derive(Default)]
/// struct Order(Vec<u32>);
///
/// impl Observer<u32, u32> for Order {
///     fn expanded(&mut self, &state: &u32, _g: u32, _h: u32) {
///         self.0.push(state);
///     }
/// }
///
/// let mut order = Order::default();
/// let problem = FnProblem::new(|&n: &u32| [(n * 2, 3), (n + 1, 2)], |_: &u32| 0, |&n| n == 4);
/// Dijkstra::new(&problem).observer(&mut order).search(1).run()?;
/// assert_eq!(order.0, [1, 2, 3]);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub trait Observer<S, C> {
    /// Whether anybody listens; where it is false, engines skip what only an observer would need.
    const LISTENS: bool = true;

    /// The successors of `state`, reached at cost `g` and estimated to be `h` from a goal, were
    /// asked for.
    #[inline]
    fn expanded(&mut self, state: &S, g: C, h: C) {
        let _ = (state, g, h);
    }

    /// `state` was generated at cost `g` from `parent`, or as a start if that is `None`. Useful or
    /// not: duplicates are generated too.
    #[inline]
    fn generated(&mut self, parent: Option<&S>, state: &S, g: C) {
        let _ = (parent, state, g);
    }

    /// A value of *f* was done with: an f-layer, an iteration of IDA*, a layer of breadth-first search.
    #[inline]
    fn layer(&mut self, layer: &Layer<C>) {
        let _ = layer;
    }

    /// A better solution was found, of this cost.
    #[inline]
    fn incumbent(&mut self, cost: C) {
        let _ = cost;
    }
}

/// Nobody listens.
impl<S, C> Observer<S, C> for () {
    const LISTENS: bool = false;
}

impl<S, C, O: Observer<S, C> + ?Sized> Observer<S, C> for &mut O {
    const LISTENS: bool = O::LISTENS;

    #[inline]
    fn expanded(&mut self, state: &S, g: C, h: C) {
        (**self).expanded(state, g, h);
    }

    #[inline]
    fn generated(&mut self, parent: Option<&S>, state: &S, g: C) {
        (**self).generated(parent, state, g);
    }

    #[inline]
    fn layer(&mut self, layer: &Layer<C>) {
        (**self).layer(layer);
    }

    #[inline]
    fn incumbent(&mut self, cost: C) {
        (**self).incumbent(cost);
    }
}
