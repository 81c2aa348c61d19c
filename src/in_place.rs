//! [`InPlaceProblem`]: one state that is changed and changed back, for depth-first engines.

use crate::problem::SearchProblem;

/// A problem whose steps can be done to a state and undone again.
///
/// Depth-first engines then look at a successor without making a new state, and keep only those worth
/// going to. The state may carry its own heuristic value, kept up to date in [`apply`](Self::apply),
/// with `Eq` and `Hash` on the rest: reading it is then all that
/// [`heuristic`](SearchProblem::heuristic) does.
///
/// The actions must be those that [`successors`](SearchProblem::successors) pushes, with the same
/// costs and the same states behind them.
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
    /// The actions of a state, in order.
    type Actions: DoubleEndedIterator<Item = Self::Action>;

    /// What [`undo`](Self::undo) needs to know to take a step back.
    type Undo;

    /// The actions that can be taken in `state`.
    fn actions(&self, state: &Self::State) -> Self::Actions;

    /// Shows `visit` every successor of `state`, the last first. If `state` was reached by the action
    /// `reached`, the successor straight back ([`inverse`](Self::inverse)) is left out.
    ///
    /// Engines ask for it where states are so small (at most 64 bytes, nothing to drop) that they are
    /// sooner copied than changed and changed back; else they apply and undo. By default each action is
    /// applied to a copy. A problem that knows a faster way can write it out, and must show what the
    /// default would show: see [`Visit`].
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "only so does the loop of an engine hold its own code"
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

    /// Takes the step; returns what it costs and what undoes it.
    fn apply(&self, state: &mut Self::State, action: &Self::Action) -> (Self::Cost, Self::Undo);

    /// Takes the step back: `state` is again what it was before `apply`.
    fn undo(&self, state: &mut Self::State, undo: Self::Undo);

    /// The action that leads straight back from the state that `action` has led to, so that engines
    /// never take it. `state` is the state behind the action.
    fn inverse(&self, state: &Self::State, action: &Self::Action) -> Option<Self::Action> {
        let _ = (state, action);
        None
    }
}

/// Is shown successors, one after the other, by
/// [`visit_successors_backwards`](InPlaceProblem::visit_successors_backwards).
///
/// Calls of [`visit`](Self::visit) are inlined: of a successor that an engine does not go to, only
/// what its cost and its heuristic need is computed. So it pays to write out what is known of the
/// actions; the 15-puzzle has code of its own for every place of the blank. Every call is a copy of an
/// engine's loop, though: a hundred are many. (A closure would do, but could not be told to be inlined.)
///
/// # Example
///
/// A walk by one step left or right, as in [`InPlaceProblem`], written out:
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
    /// Looks at the state that `action` leads to at that cost.
    fn visit(&mut self, action: A, successor: S, cost: C);
}

impl<P: InPlaceProblem> InPlaceProblem for &P {
    type Actions = P::Actions;
    type Undo = P::Undo;

    #[inline]
    fn actions(&self, state: &Self::State) -> Self::Actions {
        (**self).actions(state)
    }

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "only so does the loop of an engine hold its own code"
    )]
    fn visit_successors_backwards(
        &self,
        state: &Self::State,
        reached: Option<&Self::Action>,
        visit: &mut impl Visit<Self::State, Self::Action, Self::Cost>,
    ) {
        (**self).visit_successors_backwards(state, reached, visit);
    }

    #[inline]
    fn apply(&self, state: &mut Self::State, action: &Self::Action) -> (Self::Cost, Self::Undo) {
        (**self).apply(state, action)
    }

    #[inline]
    fn undo(&self, state: &mut Self::State, undo: Self::Undo) {
        (**self).undo(state, undo);
    }

    #[inline]
    fn inverse(&self, state: &Self::State, action: &Self::Action) -> Option<Self::Action> {
        (**self).inverse(state, action)
    }
}
