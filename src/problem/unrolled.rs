//! [`UnrolledSuccessors`]: successors unrolled action by action, for the inner loop of IDA*.

use std::ops::ControlFlow;

/// The successors of an [`InPlaceProblem`](super::InPlaceProblem) unrolled action by action: an optional
/// optimization, returned by [`InPlaceProblem::unrolled`](super::InPlaceProblem::unrolled).
///
/// In-place engines use it for small states (at most 64 bytes, no destructor), because copying is then faster than
/// applying and undoing. Without it, they apply each action to a copy of the state. It pays if the actions are few
/// and each has its own constants: the 15-puzzle has separate code for every position of the blank.
///
/// It must visit the successors that [`successors`](super::SearchProblem::successors) pushes, in the same
/// order or in reverse. If a visit returns [`ControlFlow::Break`], it must return that at once.
///
/// # Example
///
/// A walk of one step left or right:
///
/// ```
/// use std::ops::ControlFlow;
///
/// use bestfirst::{UnrolledSuccessors, Visit};
/// use bestfirst::{IdaStar, InPlaceProblem, SearchProblem, Successors};
///
/// struct Walk(i32);
///
/// # impl SearchProblem for Walk {
/// #     type State = i32;
/// #     type Action = i32;
/// #     type Cost = u32;
/// #     fn successors(&self, &place: &i32, next: &mut Successors<Self>) {
/// #         next.push(-1, place - 1, 1);
/// #         next.push(1, place + 1, 1);
/// #     }
/// #     fn heuristic(&self, &place: &i32) -> u32 {
/// #         place.abs_diff(self.0)
/// #     }
/// #     fn is_goal(&self, &place: &i32) -> bool {
/// #         place == self.0
/// #     }
/// # }
/// #
/// impl InPlaceProblem for Walk {
///     // … and in addition:
/// #     type Actions = std::array::IntoIter<i32, 2>;
/// #     type Undo = i32;
/// #     fn actions(&self, _place: &i32) -> Self::Actions {
/// #         [-1, 1].into_iter()
/// #     }
/// #     fn apply(&self, place: &mut i32, &step: &i32) -> (u32, i32) {
/// #         *place += step;
/// #         (1, step)
/// #     }
/// #     fn undo(&self, place: &mut i32, step: i32) {
/// #         *place -= step;
/// #     }
/// #     fn inverse(&self, _place: &i32, &step: &i32) -> Option<i32> {
/// #         Some(-step)
/// #     }
///     fn unrolled(&self) -> impl UnrolledSuccessors<i32, i32, u32> {
///         LeftAndRight
///     }
/// }
///
/// struct LeftAndRight;
///
/// impl UnrolledSuccessors<i32, i32, u32> for LeftAndRight {
///     #[inline(always)]
///     fn visit_all<const FORWARDS: bool>(
///         &self,
///         &place: &i32,
///         reached: Option<&i32>,
///         visit: &mut impl Visit<i32, i32, u32>,
///     ) -> ControlFlow<()> {
///         for step in if FORWARDS { [-1, 1] } else { [1, -1] } {
///             if reached != Some(&-step) {
///                 visit.visit(step, place + step, 1)?;
///             }
///         }
///         ControlFlow::Continue(())
///     }
/// }
///
/// let report = IdaStar::new(&Walk(19)).in_place().search(0).run()?;
/// assert_eq!(report.cost(), Some(19));
/// assert_eq!(report.stats.generated, 20);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub trait UnrolledSuccessors<S, A, C> {
    /// Whether successors are unrolled; `false` only for `()`.
    const IS_WRITTEN_OUT: bool = true;

    /// Returns the heuristic value of the state whose successors these are, if it is known from the path to it.
    /// `None`, the default: it is not known.
    ///
    /// Engines ask for it by
    /// [`InPlaceProblem::unrolled_heuristic`](super::InPlaceProblem::unrolled_heuristic).
    #[inline]
    fn heuristic(&self) -> Option<C> {
        None
    }

    /// Passes every successor of `state` to `visit`, first to last if `FORWARDS`, else last to first. Omits the
    /// [inverse](super::InPlaceProblem::inverse) of `reached`, the action that led to `state`.
    fn visit_all<const FORWARDS: bool>(
        &self,
        state: &S,
        reached: Option<&A>,
        visit: &mut impl Visit<S, A, C>,
    ) -> ControlFlow<()>;
}

/// Nothing is unrolled.
impl<S, A, C> UnrolledSuccessors<S, A, C> for () {
    const IS_WRITTEN_OUT: bool = false;

    fn visit_all<const FORWARDS: bool>(
        &self,
        _: &S,
        _: Option<&A>,
        _: &mut impl Visit<S, A, C>,
    ) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Receives the successors that [`visit_all`](UnrolledSuccessors::visit_all) generates, one at a time.
///
/// Engines inline [`visit`](Self::visit): for a pruned successor, only its cost and its heuristic are computed. So
/// separate code for each action pays; the 15-puzzle has separate code for every position of the blank. But every call
/// is a copy of the engine's loop: a few dozen calls are fine, hundreds are too many. (It is a trait and not a
/// closure because closures cannot be marked `#[inline(always)]`.)
pub trait Visit<S, A, C> {
    /// Receives the state that `action` leads to, and the cost of that step. Returns [`ControlFlow::Break`] to stop.
    fn visit(&mut self, action: A, successor: S, cost: C) -> ControlFlow<()>;

    /// Like [`visit`](Self::visit), with the unrolled successors of the successor: the recursion then calls that code
    /// directly. There is a copy of the recursion for each type `N`.
    #[inline]
    fn visit_known<N: UnrolledSuccessors<S, A, C>>(
        &mut self,
        next: N,
        action: A,
        successor: S,
        cost: C,
    ) -> ControlFlow<()> {
        let _ = next;
        self.visit(action, successor, cost)
    }
}
