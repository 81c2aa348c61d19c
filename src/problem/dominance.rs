//! [`Dominance`]: problems in which a state can make another one redundant.

use std::hash::Hash;

use super::SearchProblem;

/// A problem with a dominance relation: for some pairs of states, one is at least as good as the other. Used for
/// resource constraints and dynamic programming.
///
/// Resources such as fuel or remaining time multiply the states: each place has one state for every amount. Most of
/// these states are redundant, because the same place was reached at no greater cost with more left. An engine with
/// [`dominance`](crate::AStar::dominance) does not expand a state if it has reached, at no greater cost, a state with
/// the same [key](Self::key) that [dominates](Self::dominates) it.
///
/// # Rules
///
/// - If `a` dominates `b`, then for every path from `b` to a goal there must be one from `a` that costs no more
///   and has no more steps. (Then a pruned state is never needed, even with steps of cost zero.) This holds if `a`
///   is a goal whenever `b` is, and if every action possible in `b` is possible in `a` at no greater cost and leads
///   from `a` to a state that dominates its successor from `b`.
/// - States are compared only if their keys are equal. The search is faster if few states share a key: each new state
///   is compared with all undominated states of its key.
/// - Every state should dominate itself.
///
/// A relation that violates the first rule loses optimality, and no engine notices.
///
/// # Example
///
/// The cheapest route within the range of a battery. A route that is more expensive and leaves less charge is
/// redundant; one that is cheaper but leaves less charge does not make the other redundant.
///
/// ```
/// use bestfirst::{AStar, Dominance, SearchProblem, Successors};
///
/// struct Roads {
///     /// From, to, toll, and energy.
///     roads: Vec<(u8, u8, u32, u32)>,
/// }
///
/// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// struct Car {
///     place: u8,
///     battery: u32,
/// }
///
/// impl SearchProblem for Roads {
///     type State = Car;
///     type Action = ();
///     type Cost = u32;
///
///     fn successors(&self, car: &Car, next: &mut Successors<Self>) {
///         for &(from, to, toll, takes) in &self.roads {
///             if from == car.place && takes <= car.battery {
///                 next.push((), Car { place: to, battery: car.battery - takes }, toll);
///             }
///         }
///     }
///
///     fn is_goal(&self, car: &Car) -> bool {
///         car.place == 3
///     }
/// }
///
/// impl Dominance for Roads {
///     type Key = u8;
///
///     fn key(&self, car: &Car) -> u8 {
///         car.place
///     }
///
///     fn dominates(&self, car: &Car, other: &Car) -> bool {
///         car.battery >= other.battery
///     }
/// }
///
/// let roads = Roads { roads: vec![
///     (0, 1, 1, 7), (0, 1, 2, 4), (0, 1, 3, 5), // the third is dominated by the second
///     (1, 2, 1, 1), (2, 3, 1, 3), (1, 3, 9, 2),
/// ] };
/// let report = AStar::new(&roads).dominance().search(Car { place: 0, battery: 8 }).run()?;
/// assert_eq!(report.cost(), Some(4)); // the road with the smallest toll takes too much energy
/// let all = AStar::new(&roads).search(Car { place: 0, battery: 8 }).run()?;
/// assert_eq!(all.cost(), Some(4));
/// assert!(report.stats.stored < all.stats.stored);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not know which states dominate others",
    label = "this problem does not implement `Dominance`",
    note = "implement `key` and `dominates`; or leave out `.dominance()`: every state is then expanded"
)]
pub trait Dominance: SearchProblem {
    /// The part that two states must share for one to dominate the other.
    type Key: Clone + Eq + Hash;

    /// Returns the key of a state, such as the place without the resources.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// Whether `state` makes `other` redundant if it is reached at no greater cost. Both have the same key.
    fn dominates(&self, state: &Self::State, other: &Self::State) -> bool;
}
