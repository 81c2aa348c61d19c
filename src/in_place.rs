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

    /// Calls `visit` with every action of `state`, the last first. Where the actions are few and of
    /// known kinds, writing them out without a loop gives the processor less to guess: IDA* on the
    /// 15-puzzle gains a third by it.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "only so does the loop of an engine hold its own code"
    )]
    fn visit_actions_backwards(&self, state: &Self::State, visit: &mut impl Visit<Self::Action>) {
        let mut actions = self.actions(state);
        while let Some(action) = actions.next_back() {
            visit.visit(action);
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

/// Is shown actions, one after the other. (A closure would do, but could not be told to be inlined.)
pub trait Visit<A> {
    /// Looks at an action.
    fn visit(&mut self, action: A);
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
    fn visit_actions_backwards(&self, state: &Self::State, visit: &mut impl Visit<Self::Action>) {
        (**self).visit_actions_backwards(state, visit);
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
