//! [`DenseStates`]: problems with numbered states.

use super::SearchProblem;

/// A problem whose states are numbered, so that a table of states needs no hashing.
///
/// The numbering is a bijection between the states and the indices `0..state_count()`:
/// [`state_index`](Self::state_index) and [`state_at`](Self::state_at) are inverse to each other. A
/// search that meets an index out of range ends with
/// [`SearchError::StateIndex`](crate::SearchError::StateIndex). Engines use the numbering after a call of
/// [`dense`](crate::AStar::dense).
///
/// # Example
///
/// ```
/// use bestfirst::{DenseStates, Dijkstra, SearchProblem, Successors};
///
/// /// A king's walk on a board of 8 × 8 squares, from one corner to the other.
/// struct King;
///
/// impl SearchProblem for King {
///     type State = (u8, u8);
///     type Action = ();
///     type Cost = u32;
///
///     fn successors(&self, &(x, y): &(u8, u8), next: &mut Successors<Self>) {
///         for x in x.saturating_sub(1)..=(x + 1).min(7) {
///             for y in y.saturating_sub(1)..=(y + 1).min(7) {
///                 next.push((), (x, y), 1);
///             }
///         }
///     }
///
///     fn is_goal(&self, &state: &(u8, u8)) -> bool {
///         state == (7, 7)
///     }
/// }
///
/// impl DenseStates for King {
///     fn state_count(&self) -> usize {
///         64
///     }
///
///     fn state_index(&self, &(x, y): &(u8, u8)) -> usize {
///         usize::from(x) * 8 + usize::from(y)
///     }
///
///     fn state_at(&self, index: usize) -> (u8, u8) {
///         ((index / 8) as u8, (index % 8) as u8)
///     }
/// }
///
/// let report = Dijkstra::new(&King).dense().search((0, 0)).run()?;
/// assert_eq!(report.cost(), Some(7));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the states of `{Self}` are not numbered",
    label = "this problem does not implement `DenseStates`",
    note = "implement `state_count`, `state_index` and `state_at`; or leave out `.dense()`: the table then hashes states"
)]
pub trait DenseStates: SearchProblem {
    /// Returns the number of states. A dense table allocates memory for all of them at once.
    fn state_count(&self) -> usize;

    /// Returns the index of `state`, less than `state_count()`.
    fn state_index(&self, state: &Self::State) -> usize;

    /// Returns the state with this index.
    fn state_at(&self, index: usize) -> Self::State;
}
