//! [`InPlaceProblem`]: one state that actions change and undo, for depth-first engines.

use super::SearchProblem;

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
pub trait InPlaceProblem: SearchProblem<Action: PartialEq> {
    /// An iterator over the actions of a state.
    type Actions: DoubleEndedIterator<Item = Self::Action>;

    /// What [`undo`](Self::undo) needs to restore the state.
    type Undo;

    /// The actions of `state`, in the order of the successors.
    fn actions(&self, state: &Self::State) -> Self::Actions;

    /// Passes every successor of `state` to `visit`, the last one first. If `state` was reached by the
    /// action `reached`, its [inverse](Self::inverse) is left out.
    ///
    /// Engines call it where states are small (at most 64 bytes, no destructor), because copying is
    /// then faster than applying and undoing. By default, each action is applied to a copy of the
    /// state. A problem may override it with faster code, which must visit the same successors in the
    /// same order; see [`Visit`].
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "the loop of an engine must contain the code of the problem"
    )]
    fn visit_successors_backwards(
        &self,
        state: &Self::State,
        reached: Option<&Self::Action>,
        visit: &mut impl Visit<Self::State, Self::Action, Self::Cost>,
    ) {
        let inverse = reached.and_then(|action| self.inverse(state, action));
        let mut actions = self.actions(state);
        while let Some(action) = actions.next_back() {
            if inverse.as_ref() == Some(&action) {
                continue;
            }
            let mut successor = state.clone();
            let (cost, _) = self.apply(&mut successor, &action);
            visit.visit(action, successor, cost);
        }
    }

    /// Applies `action` to `state`. Returns the cost of the step and what is needed to undo it.
    fn apply(&self, state: &mut Self::State, action: &Self::Action) -> (Self::Cost, Self::Undo);

    /// Undoes the last [`apply`](Self::apply): `state` is again what it was before.
    fn undo(&self, state: &mut Self::State, undo: Self::Undo);

    /// The action that undoes `action`, which has just led to `state`. Engines skip it, because going
    /// straight back cannot be part of a cheapest path. `None`, the default, skips nothing.
    fn inverse(&self, state: &Self::State, action: &Self::Action) -> Option<Self::Action> {
        let _ = (state, action);
        None
    }
}

/// Receives the successors that
/// [`visit_successors_backwards`](InPlaceProblem::visit_successors_backwards) generates, one at a time.
///
/// Engines inline [`visit`](Self::visit): for a successor that is not kept, only what its cost and its
/// heuristic need is computed. So it pays to write out what is known about each action; the 15-puzzle
/// has separate code for every position of the blank. On the other hand, every call is a copy of the
/// loop of an engine: a few dozen calls are fine, hundreds are too many. (It is a trait and not a
/// closure because closures cannot be marked `#[inline(always)]`.)
///
/// # Example
///
/// A walk of one step left or right, as in [`InPlaceProblem`], written out:
///
/// ```
/// # use bestfirst::{IdaStar, InPlaceProblem, SearchProblem, Successors};
/// use bestfirst::Visit;
///
/// # struct Walk(i32);
/// #
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
///     #[inline(always)]
///     fn visit_successors_backwards(
///         &self,
///         &place: &i32,
///         reached: Option<&i32>,
///         visit: &mut impl Visit<i32, i32, u32>,
///     ) {
///         if reached != Some(&-1) {
///             visit.visit(1, place + 1, 1);
///         }
///         if reached != Some(&1) {
///             visit.visit(-1, place - 1, 1);
///         }
///     }
/// }
/// # let report = IdaStar::new(&Walk(19)).in_place().search(0).run()?;
/// # assert_eq!(report.cost(), Some(19));
/// # assert_eq!(report.stats.generated, 20);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub trait Visit<S, A, C> {
    /// Receives the state that `action` leads to, and the cost of that step.
    fn visit(&mut self, action: A, successor: S, cost: C);
}
