//! [`Rules`]: what an engine decides when a state is reached.

use super::Id;
use crate::engine::best_first::Order;
use crate::engine::checked::sound_heuristic;
use crate::problem::SearchProblem;
use crate::report::SearchError;
use crate::table::TableFor;

/// What an engine decides when a state is reached: for the first time, or by a cheaper path.
///
/// A closure of *g* and *h* is the rule which states are stored at all. What the constants exclude is not
/// asked, and costs nothing.
pub(in crate::engine) trait Rules<
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
>
{
    /// Whether [`opens`](Self::opens) is to be asked.
    const WATCHES: bool = false;

    /// Whether keys depend on [`heuristic_back`](Self::heuristic_back).
    const LOOKS_BACK: bool = false;

    /// Whether a state with this g and h is stored.
    fn admits(&self, g: P::Cost, h: P::Cost) -> bool;

    /// Whether a stored state that was reached at cost `g` has to be expanded. `key` is that of the table;
    /// `closed_at` is the cost before, if the state was closed.
    #[inline]
    fn opens(
        &mut self,
        key: T::Key,
        state: &P::State,
        id: Id<P, T>,
        g: P::Cost,
        closed_at: Option<P::Cost>,
    ) -> bool {
        let _ = (key, state, id, g, closed_at);
        true
    }

    /// The heuristic value of a state that was reached at cost `g` and is not stored.
    ///
    /// # Errors
    ///
    /// [`SearchError::NotANumber`].
    #[inline]
    fn heuristic(
        &mut self,
        problem: &P,
        state: &P::State,
        g: P::Cost,
    ) -> Result<P::Cost, SearchError<P::Cost>> {
        sound_heuristic(problem, state, g)
    }

    /// The heuristic value of the state in the opposite direction.
    #[inline]
    fn heuristic_back(&mut self, problem: &P, state: &P::State) -> P::Cost {
        let _ = (problem, state);
        crate::cost::Cost::ZERO
    }
}

impl<P, R, T, F> Rules<P, R, T> for F
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Fn(P::Cost, P::Cost) -> bool,
{
    #[inline]
    fn admits(&self, g: P::Cost, h: P::Cost) -> bool {
        self(g, h)
    }
}

/// Every state is stored and expanded.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct AdmitAll;

impl<P, R, T> Rules<P, R, T> for AdmitAll
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
{
    #[inline]
    fn admits(&self, _g: P::Cost, _h: P::Cost) -> bool {
        true
    }
}
