//! Steps and heuristic values as engines use them: checked, so that nothing wraps around and NaN is named.

use crate::cost::Cost;
use crate::problem::SearchProblem;
use crate::report::SearchError;

/// The cost after a step, or `None` if its type cannot hold it: then `overflow` is set, unless it was.
#[inline]
pub(crate) fn checked_step<C: Cost>(
    g: C,
    step: C,
    overflow: &mut Option<SearchError<C>>,
) -> Result<Option<C>, SearchError<C>> {
    match sum_of_step(g, step) {
        Some(sum) => Ok(Some(sum)),
        None => reject_step(g, step, overflow),
    }
}

/// The same, if nothing is wrong with it.
#[inline]
pub(crate) fn sum_of_step<C: Cost>(g: C, step: C) -> Option<C> {
    // Written so that NaN is caught as well.
    if step.is_step() { g.checked_add(step) } else { None }
}

/// What is wrong with a step.
#[cold]
#[inline(never)]
fn reject_step<C: Cost>(
    g: C,
    step: C,
    overflow: &mut Option<SearchError<C>>,
) -> Result<Option<C>, SearchError<C>> {
    if step.is_step() {
        note_overflow(overflow, g, step);
        Ok(None)
    } else if step.is_number() {
        Err(SearchError::NegativeCost { g, step })
    } else {
        Err(SearchError::NotANumber { g, value: step })
    }
}

/// Takes note that a sum does not fit into its type, unless another did not before.
#[cold]
#[inline(never)]
pub(crate) fn note_overflow<C: Cost>(overflow: &mut Option<SearchError<C>>, g: C, added: C) {
    if overflow.is_none() {
        *overflow = Some(SearchError::Overflow { g, added });
    }
}

/// The heuristic value of `state`, reached at cost `g`, as engines use it: never below zero, and zero
/// at a goal, where nothing is left to pay, whatever the heuristic says.
#[inline]
pub(crate) fn sound_heuristic<P: SearchProblem>(
    problem: &P,
    state: &P::State,
    g: P::Cost,
) -> Result<P::Cost, SearchError<P::Cost>> {
    heuristic_value(problem, state).map_err(|value| SearchError::NotANumber { g, value })
}

/// The same of a state whose cost does not matter; an error is the value that is not a number.
#[inline]
pub(crate) fn heuristic_value<P: SearchProblem>(
    problem: &P,
    state: &P::State,
) -> Result<P::Cost, P::Cost> {
    let h = problem.heuristic(state);
    match not_negative(h)? {
        h if h > P::Cost::ZERO && problem.is_goal(state) => Ok(P::Cost::ZERO),
        h => Ok(h),
    }
}

/// A heuristic value, zero where it is less; an error is the value that is not a number.
#[inline]
pub(crate) fn not_negative<C: Cost>(h: C) -> Result<C, C> {
    // Of primitive numbers, one comparison says both.
    if h > C::ZERO && h.is_number() {
        Ok(h)
    } else if h <= C::ZERO {
        Ok(C::ZERO)
    } else {
        Err(h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faulty_steps_are_told_apart() {
        let mut overflow = None;
        assert_eq!(checked_step(1.0, 2.5, &mut overflow), Ok(Some(3.5)));
        let negative = checked_step(1.0, -2.5, &mut overflow);
        assert_eq!(negative, Err(SearchError::NegativeCost { g: 1.0, step: -2.5 }));
        let nan = checked_step(1.0, f64::NAN, &mut overflow);
        assert!(matches!(nan, Err(SearchError::NotANumber { value, .. }) if value.is_nan()));
        assert_eq!(overflow, None);
        let mut overflow = None;
        assert_eq!(checked_step(250_u8, 6, &mut overflow), Ok(None));
        assert_eq!(checked_step(251_u8, 7, &mut overflow), Ok(None));
        // The first is kept.
        assert_eq!(overflow, Some(SearchError::Overflow { g: 250, added: 6 }));
    }

    #[test]
    fn steps_are_faulty_by_any_criterion() {
        let mut overflow = None;
        assert_eq!(checked_step([1, 2], [3, 4], &mut overflow), Ok(Some([4, 6])));
        let negative = checked_step([1, 2], [3, -4], &mut overflow);
        assert_eq!(negative, Err(SearchError::NegativeCost { g: [1, 2], step: [3, -4] }));
        let nan = checked_step([1.0, 2.0], [3.0, f64::NAN], &mut None);
        assert!(
            matches!(nan, Err(SearchError::NotANumber { value: [_, nan], .. }) if nan.is_nan())
        );
        assert_eq!(overflow, None);
    }
}
