//! [`FnProblem`]: a problem made of closures.

use std::hash::Hash;
#[cfg(not(target_arch = "x86_64"))]
use std::hint::black_box;
use std::marker::PhantomData;
use std::mem::needs_drop;

use super::successors::{is_list, reached_by};
use super::{SearchProblem, Successor, SuccessorBuffer, Successors};
use crate::cost::Cost;
use crate::debug::show_fields;
#[cfg(target_arch = "x86_64")]
use crate::prefetch::prefetch_pointee;

/// A problem made of three closures: successors as `(state, cost)` pairs, heuristic, goal test.
///
/// Its actions are `()`. [`solve`](crate::solve) is the shortcut that runs A* on it.
///
/// # Example
///
/// A knight's shortest path to the origin of an infinite board:
///
/// ```
/// use bestfirst::FnProblem;
///
/// let knight = FnProblem::new(
///     |&(x, y): &(i32, i32)| {
///         [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
///             .map(|(dx, dy)| ((x + dx, y + dy), 1_u32))
///     },
///     |&(x, y)| (x.abs().max(y.abs()) as u32).div_ceil(2),
///     |&square| square == (0, 0),
/// );
/// assert_eq!(bestfirst::astar(&knight, (7, 8))?.cost(), Some(5));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
///
/// Successors are all taken at once, in the order in which the iterator gives them. A list (`Vec`) is not copied: a search
/// goes through it, and frees it when it takes the next one; until then its capacity counts as memory of the search. The iterator's
/// [`size_hint`](Iterator::size_hint) is trusted: memory for its lower bound is allocated at once, whatever the limits, and the
/// program aborts or panics if the system has not as much.
///
/// # Closures that remember
///
/// The closures are `Fn`: engines call them in any order, more than once for a state, and for states that they do not expand, goals
/// among them. A closure with a costly
/// computation can cache results in a [`RefCell`](std::cell::RefCell), or count its calls in a
/// [`Cell`](std::cell::Cell). Its results must not depend on that.
///
/// ```
/// use std::cell::RefCell;
/// use std::collections::HashMap;
///
/// /// The number of Collatz steps (n / 2 or 3n + 1) from n to 1.
/// fn steps(n: u64) -> u32 {
///     let next = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
///     if n == 1 { 0 } else { 1 + steps(next) }
/// }
///
/// let memo = RefCell::new(HashMap::new());
/// let cost = |n: u64| *memo.borrow_mut().entry(n).or_insert_with(|| steps(n));
/// // From 1 to 30 by adding one or two; entering a number costs its steps.
/// let report = bestfirst::solve(
///     1_u64,
///     |&n| [n + 1, n + 2].map(|next| (next, cost(next))),
///     |_| 0,
///     |&n| n == 30,
/// )?;
/// assert!(report.cost().is_some());
/// assert!(memo.borrow().len() as u64 <= report.stats.generated);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub struct FnProblem<S, F, H, G> {
    successors: F,
    heuristic: H,
    goal: G,
    state: PhantomData<fn(&S)>,
}

/// Whether an iterator takes little to make and to take one item of: it is one over a list, or over few values.
pub(crate) const fn is_small<I>() -> bool {
    size_of::<I>() <= 4 * size_of::<usize>()
}

impl<S, C, I, F, H, G> FnProblem<S, F, H, G>
where
    S: Clone + Eq + Hash,
    C: Cost,
    I: IntoIterator<Item = (S, C)>,
    F: Fn(&S) -> I,
    H: Fn(&S) -> C,
    G: Fn(&S) -> bool,
{
    /// Creates a problem. The heuristic must be [admissible](SearchProblem::heuristic).
    #[must_use]
    pub fn new(successors: F, heuristic: H, goal: G) -> Self {
        Self { successors, heuristic, goal, state: PhantomData }
    }
}

/// Adds the successors that an iterator gives. One with parts (`flat_map`, `chain`, `filter`) is inlined more often where it calls
/// than where it is called for each item. Most small ones know their length, as those of slices, whose items are copied without a
/// look at the capacity.
#[inline(always)]
#[expect(clippy::inline_always, reason = "where the iterator is made, it is inlined, too")]
fn add_each<S, C, I: Iterator<Item = (S, C)>>(successors: I, next: &mut SuccessorBuffer<S, (), C>) {
    next.allocate_first();
    if is_small::<I>() {
        next.list().extend(successors.map(reached_by));
    } else {
        successors.for_each(|(state, cost)| next.push((), state, cost));
    }
}

impl<S, C, I, F, H, G> SearchProblem for FnProblem<S, F, H, G>
where
    S: Clone + Eq + Hash,
    C: Cost,
    I: IntoIterator<Item = (S, C)>,
    F: Fn(&S) -> I,
    H: Fn(&S) -> C,
    G: Fn(&S) -> bool,
{
    type State = S;
    type Action = ();
    type Cost = C;

    #[inline]
    fn successors(&self, state: &S, next: &mut Successors<Self>) {
        // The compiler takes what is in loops for hot, also in loops that run once.
        let once = 1_u32;
        for _ in 0..once {
            for _ in 0..once {
                let successors = (self.successors)(state).into_iter();
                if const { is_list::<I::IntoIter, Successor<S, (), C>>() } {
                    next.take_over(successors.map(reached_by).collect());
                } else {
                    add_each(successors, next);
                }
            }
        }
    }

    #[inline]
    fn heuristic(&self, state: &S) -> C {
        (self.heuristic)(state)
    }

    #[inline]
    fn prefetch(&self, state: &S) {
        prefetch_successors(&self.successors, state);
    }

    #[inline]
    fn is_goal(&self, state: &S) -> bool {
        (self.goal)(state)
    }
}

/// Prefetches the first successor, if the iterator is probably one over a list: if it is small and owns nothing.
#[inline]
pub(crate) fn prefetch_successors<S, I: IntoIterator>(successors: impl Fn(&S) -> I, state: &S) {
    if is_small::<I::IntoIter>() && !needs_drop::<I::IntoIter>() && !needs_drop::<S>() {
        let successors = successors(state).into_iter();
        #[cfg(target_arch = "x86_64")]
        prefetch_pointee(&successors);
        #[cfg(not(target_arch = "x86_64"))]
        black_box({ successors }.next());
    }
}

show_fields! { [S, F, H, G] FnProblem<S, F, H, G>, "FnProblem" {} }
