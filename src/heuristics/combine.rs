//! Heuristics made of others: the maximum, the sum, and the value of a symmetric state.

use crate::cost::Cost;

/// The largest value of several heuristics. Admissible if all of them are.
///
/// The heuristics are of one type: closures that one function or one `map` makes are. Others can be boxed
/// (`Box<dyn Fn(&S) -> C>`). Without any, the value is zero.
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

/// The sum of several heuristics.
///
/// **The caller promises that their costs are disjoint**: that the costs of a step, added up over all
/// abstractions, are not more than the step costs in the problem. (Of the sliding tiles, each database
/// counts the moves of its own tiles only.) Then the sum is admissible, and often far larger than the
/// maximum. [`check::disjoint`](crate::check::disjoint()) finds steps that break the promise.
///
/// If one of them is infinite, so is the sum. Where the sum does not fit into the type of the costs, values
/// are left out, so that it is still a lower bound. The heuristics are of one type, as for [`max()`]; without any, the value is
/// zero.
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
            // What is infinite by being added up is no dead end.
            let added = sum.checked_add(value).filter(|&added| added < C::INFINITY);
            sum = added.unwrap_or_else(|| larger(sum, value));
        }
        sum
    }
}

/// The larger of the value of a state and the value of the state that is symmetric to it.
///
/// **The caller promises a symmetry of the problem**: `image` maps every state to one whose goals cost as
/// much. (The reflection of a square sliding-tile puzzle about its main diagonal is one: tiles change their
/// numbers with their goals.) Then it is admissible if `heuristic` is. Several symmetries: nest it, or take
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

/// The larger of two costs.
#[inline]
fn larger<C: Cost>(a: C, b: C) -> C {
    if b > a { b } else { a }
}
