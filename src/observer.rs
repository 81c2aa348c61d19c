//! [`Observer`]: callbacks for the events of a search.

use crate::report::Layer;

/// Receives the events of a search: for progress bars, traces, plots and statistics.
///
/// By default every method does nothing. Every builder starts with the no-op observer `()`, which
/// costs nothing: the calls are compiled away. Observers can be passed by value or as `&mut`.
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
    /// Whether the observer uses any event. If false, engines skip the work that only an observer
    /// needs. True by default.
    const LISTENS: bool = true;

    /// `state` was expanded. Its cost is `g` and its heuristic value `h`.
    #[inline]
    fn expanded(&mut self, state: &S, g: C, h: C) {
        let _ = (state, g, h);
    }

    /// `state` was generated at cost `g` as a successor of `parent`, or as a start if `parent` is
    /// `None`. Duplicates are reported, too.
    #[inline]
    fn generated(&mut self, parent: Option<&S>, state: &S, g: C) {
        let _ = (parent, state, g);
    }

    /// A layer was completed: all states of one value of *f*, an iteration of IDA*, or a layer of
    /// breadth-first search.
    #[inline]
    fn layer(&mut self, layer: &Layer<C>) {
        let _ = layer;
    }

    /// A better path to a goal was found, of cost `cost`. If the heuristic is admissible, no solution costs less
    /// than `bound`: the path costs at most `cost / bound` times the optimum.
    ///
    /// Computing the bound takes one pass over the open states; it is skipped without an observer.
    #[inline]
    fn incumbent(&mut self, cost: C, bound: C) {
        let _ = (cost, bound);
    }
}

/// A no-op observer.
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
    fn incumbent(&mut self, cost: C, bound: C) {
        (**self).incumbent(cost, bound);
    }
}
