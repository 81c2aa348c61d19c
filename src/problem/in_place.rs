//! [`InPlaceProblem`]: one state that actions change and undo, for depth-first engines.

use super::{SearchProblem, UnrolledSuccessors};

/// A problem whose actions can be applied to a state and undone.
///
/// Depth-first engines use it to look at a successor without cloning the state, and clone only the
/// successors that they keep. The state may contain its own heuristic value: [`apply`](Self::apply)
/// updates it, [`heuristic`](SearchProblem::heuristic) reads it, and `Eq` and `Hash` ignore it.
///
/// The actions must be those that [`successors`](SearchProblem::successors) pushes, in the same order,
/// with the same costs and the same successors.
///
/// Adapters and pointers forward it. It is not dyn-compatible.
///
/// # Example
///
/// ```
/// use bestfirst::{IdaStar, InPlaceProblem, SearchProblem, Successors};
///
/// /// Walks along a line to a number, one or five at a time.
/// struct Walk(i32);
///
/// impl SearchProblem for Walk {
///     type State = i32;
///     type Action = i32;
///     type Cost = u32;
///
///     fn successors(&self, &place: &i32, next: &mut Successors<Self>) {
///         for step in [-5, -1, 1, 5] {
///             next.push(step, place + step, 1);
///         }
///     }
///
///     fn heuristic(&self, &place: &i32) -> u32 {
///         place.abs_diff(self.0).div_ceil(5)
///     }
///
///     fn is_goal(&self, &place: &i32) -> bool {
///         place == self.0
///     }
/// }
///
/// impl InPlaceProblem for Walk {
///     type Actions = std::array::IntoIter<i32, 4>;
///     type Undo = i32;
///
///     fn actions(&self, _place: &i32) -> Self::Actions {
///         [-5, -1, 1, 5].into_iter()
///     }
///
///     fn apply(&self, place: &mut i32, &step: &i32) -> (u32, i32) {
///         *place += step;
///         (1, step)
///     }
///
///     fn undo(&self, place: &mut i32, step: i32) {
///         *place -= step;
///     }
///
///     fn inverse(&self, _place: &i32, &step: &i32) -> Option<i32> {
///         Some(-step)
///     }
/// }
///
/// let report = IdaStar::new(&Walk(19)).in_place().search(0).run()?;
/// assert_eq!(report.cost(), Some(5)); // 5 + 5 + 5 + 5 - 1
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the actions of `{Self}` cannot be applied in place",
    label = "this problem does not implement `InPlaceProblem`",
    note = "implement `actions`, `apply` and `undo`; or leave out `.in_place()`: the engine then asks for successors",
    note = "problems behind `dyn` cannot implement it"
)]
pub trait InPlaceProblem: SearchProblem<Action: PartialEq> {
    /// An iterator over the actions of a state.
    type Actions: DoubleEndedIterator<Item = Self::Action>;

    /// The data that [`undo`](Self::undo) needs to restore the state.
    type Undo;

    /// Returns the actions of `state`, in the order of the successors.
    fn actions(&self, state: &Self::State) -> Self::Actions;

    /// Applies `action` to `state`. Returns the cost of the step and the data to undo it.
    fn apply(&self, state: &mut Self::State, action: &Self::Action) -> (Self::Cost, Self::Undo);

    /// Undoes the last [`apply`](Self::apply) and restores `state`.
    fn undo(&self, state: &mut Self::State, undo: Self::Undo);

    /// Returns the action that undoes `action`, which has just led to `state`. Engines skip it, because going
    /// straight back cannot be part of a cheapest path. `None`, the default, skips nothing.
    fn inverse(&self, state: &Self::State, action: &Self::Action) -> Option<Self::Action> {
        let _ = (state, action);
        None
    }

    /// Returns the successors [unrolled](UnrolledSuccessors) action by action: an optional optimization of the inner
    /// loop. By default they are not unrolled, and there is nothing to implement.
    #[inline(always)]
    fn unrolled(&self) -> impl UnrolledSuccessors<Self::State, Self::Action, Self::Cost> {}

    /// Returns the heuristic value of the state whose unrolled successors are given, if
    /// [they know it](UnrolledSuccessors::heuristic): then the state need not hold it, and need not compute it again. It
    /// must be that of [`heuristic`](SearchProblem::heuristic), and zero at a goal. `None`, the default: engines call
    /// [`heuristic`](SearchProblem::heuristic).
    ///
    /// Pointers forward it. Adapters do not: they may have another heuristic than the problem that unrolled the
    /// successors.
    #[inline]
    fn unrolled_heuristic(
        &self,
        successors: &impl UnrolledSuccessors<Self::State, Self::Action, Self::Cost>,
    ) -> Option<Self::Cost> {
        let _ = successors;
        None
    }
}
