//! [`Dominance`]: problems in which a state can make another one needless.

use std::hash::Hash;

use super::SearchProblem;

/// A problem that knows of some pairs of states that one is at least as good as the other: for resource
/// constraints and dynamic programming.
///
/// States with resources, such as fuel or time that is left, are many: for each place one for every amount. Most
/// of them are needless, because the same place was reached at no greater cost with more left. Engines that are
/// told to by [`dominance`](crate::AStar::dominance) do not expand a state if they have reached, at no greater
/// cost, a state with the same [key](Self::key) that [dominates](Self::dominates) it.
///
/// # Rules
///
/// - If `a` dominates `b`, then for every path from `b` to a goal there must be one from `a` that costs no more
///   and has no more steps. (Then what is left out is never needed, even where steps cost nothing.) So it is
///   if whatever can be done in `b` can be done in `a` as well, for no greater cost, and leads from `a` to a state
///   that dominates the one it leads to from `b`; and `a` is a goal if `b` is.
/// - States are compared only if their keys are equal. The fewer states have the same key, the quicker the
///   search. Of states with the same key, those that are kept are those that do not dominate each other at no
///   greater cost: each new one is compared with all of them.
/// - Every state should dominate itself.
///
/// A relation that breaks the first rule loses optimality, and no engine notices.
///
/// # Example
///
/// The cheapest route that a battery lasts for. Of two ways to a place, one that is cheaper and leaves less in
/// the battery does not make the other needless; one that is dearer and leaves less is needless.
///
/// ```
/// use bestfirst::{AStar, Dominance, SearchProblem, Successors};
///
/// struct Roads {
///     /// From, to, toll, and what it takes of the battery.
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
///     (0, 1, 1, 7), (0, 1, 2, 4), (0, 1, 3, 5), // dear and far: needless
///     (1, 2, 1, 1), (2, 3, 1, 3), (1, 3, 9, 2),
/// ] };
/// let report = AStar::new(&roads).dominance().search(Car { place: 0, battery: 8 }).run()?;
/// assert_eq!(report.cost(), Some(4)); // the road with the smallest toll takes too much
/// let all = AStar::new(&roads).search(Car { place: 0, battery: 8 }).run()?;
/// assert_eq!(all.cost(), Some(4));
/// assert!(report.stats.stored < all.stats.stored);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub trait Dominance: SearchProblem {
    /// What states have in common if one may dominate the other.
    type Key: Clone + Eq + Hash;

    /// The key of a state, such as the place without the resources.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// Whether `state` makes `other`, which has the same key, needless where it is reached at no greater cost.
    fn dominates(&self, state: &Self::State, other: &Self::State) -> bool;
}
