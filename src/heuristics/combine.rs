//! Combinations of heuristics: the maximum, the sum, and the value of a symmetric state.

use crate::cost::Cost;

/// Returns the maximum of several heuristics. It is admissible if all of them are. If a value is
/// [not a number](Cost::is_number), neither is the maximum.
///
/// The heuristics must have the same type, such as closures created by one function or one `map`. Others can be boxed
/// (`Box<dyn Fn(&S) -> C>`). Without heuristics, the value is zero.
///
/// # Example
///
/// ```
/// use bestfirst::heuristics;
///
/// let distances = [30_i32, 70].map(|to| move |&at: &i32| at.abs_diff(to));
/// let farthest = heuristics::max(distances);
/// assert_eq!((farthest(&0), farthest(&60)), (70, 30));
/// ```
pub fn max<S, C: Cost, H: Fn(&S) -> C>(
    heuristics: impl IntoIterator<Item = H>,
) -> impl Fn(&S) -> C {
    let heuristics: Vec<H> = heuristics.into_iter().collect();
    move |state| heuristics.iter().map(|h| h(state)).fold(C::ZERO, larger)
}

/// Returns the sum of several heuristics.
///
/// **The caller must ensure that their costs are disjoint**: the sum of the costs of a step in all
/// abstractions must be at most the cost of the step in the problem. (For sliding tiles, each database
/// counts only the moves of its own tiles.) Then the sum is admissible, and often far larger than the
/// maximum. [`check::disjoint`](crate::check::disjoint()) finds steps that violate this.
///
/// If one value is infinite, so is the sum; and if one is [not a number](Cost::is_number), neither is the sum. (If there are
/// both, it is the first of them.) If the sum does not fit into the cost type, some values
/// are omitted, so that it is still a lower bound. The heuristics must have the same type, as for [`max()`]; without
/// heuristics, the value is zero.
///
/// # Example
///
/// ```
/// use bestfirst::heuristics;
///
/// // On a grid, a step changes one of two coordinates.
/// let manhattan = heuristics::sum([0, 1].map(|axis| move |at: &[u32; 2]| at[axis].abs_diff(5)));
/// assert_eq!(manhattan(&[2, 9]), 7);
/// ```
pub fn sum<S, C: Cost, H: Fn(&S) -> C>(
    heuristics: impl IntoIterator<Item = H>,
) -> impl Fn(&S) -> C {
    let heuristics: Vec<H> = heuristics.into_iter().collect();
    move |state| {
        let mut sum = C::ZERO;
        for heuristic in &heuristics {
            let value = heuristic(state);
            if value >= C::INFINITY {
                return C::INFINITY;
            }
            if !value.is_number() {
                return value;
            }
            // A sum of finite values is not a dead end, even if it equals infinity.
            let added = sum.checked_add(value).filter(|&added| added < C::INFINITY);
            sum = added.unwrap_or_else(|| larger(sum, value));
        }
        sum
    }
}

/// Returns the larger of the values of a state and of its symmetric image.
///
/// **The caller must ensure that `image` is a symmetry of the problem**: it maps every state to one with the same cost
/// to a goal. (An example is the reflection of a square sliding-tile puzzle about its main diagonal, which also renames
/// the tiles.) Then the result is admissible if `heuristic` is. For several symmetries, nest it, or take
/// the [`max()`].
///
/// # Example
///
/// ```
/// use bestfirst::heuristics;
///
/// // The goal is (5, 5), and a step changes one coordinate.
/// let first = |at: &[u32; 2]| at[0].abs_diff(5);
/// let either = heuristics::symmetric(first, |&[x, y]: &[u32; 2]| [y, x]);
/// assert_eq!((either(&[2, 9]), either(&[9, 2])), (4, 4));
/// ```
pub fn symmetric<S, C: Cost>(
    heuristic: impl Fn(&S) -> C,
    image: impl Fn(&S) -> S,
) -> impl Fn(&S) -> C {
    move |state| larger(heuristic(state), heuristic(&image(state)))
}

/// Returns the larger of two costs, or one that is not a number: a search reports it.
#[inline]
fn larger<C: Cost>(a: C, b: C) -> C {
    if b > a || !b.is_number() { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FnProblem, SearchError, WithHeuristic, astar};

    #[test]
    fn what_is_not_a_number_comes_out_of_every_combination() {
        for values in [[f64::NAN, 2.0, 3.0], [2.0, f64::NAN, 3.0], [2.0, 3.0, f64::NAN]] {
            let parts = || values.map(|value| move |_: &u32| value);
            assert!(max(parts())(&0).is_nan() && sum(parts())(&0).is_nan(), "{values:?}");
            let either = symmetric(|&n: &u32| values[n as usize], |n| 2 - n);
            assert_eq!(either(&0).is_nan(), !values[1].is_nan(), "{values:?}");
        }
        let sum_of = |values: [f64; 2]| sum(values.map(|value| move |_: &u32| value))(&0);
        assert!(sum_of([f64::INFINITY, f64::NAN]) >= f64::INFINITY);
        assert!(sum_of([f64::NAN, f64::INFINITY]).is_nan());
        let line = FnProblem::new(|&n: &u32| [(n + 1, 1.0)], |_: &u32| 0.0, |&n| n == 5);
        let report = astar(&WithHeuristic::new(&line, max([|_: &u32| f64::NAN])), 0);
        assert!(matches!(report, Err(SearchError::NotANumber { .. })));
    }
}
