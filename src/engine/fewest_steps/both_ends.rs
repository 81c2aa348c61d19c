//! Breadth-first search from the start and from the goal.

use std::hash::Hash;
use std::mem::swap;

use super::{States, ended, report_of, states_to};
use crate::path::PathError;
use crate::report::{Report, SearchError};
use crate::table::{Full, Table};

/// Finds a path with the fewest steps between two states, by breadth-first search from both: given the successors of a state, and
/// its predecessors, which are the states that it is a successor of. Each step costs 1.
///
/// Where every step can be undone by another, these are the same: pass one closure twice.
///
/// It expands whole layers of states, always on the side with fewer open states, until one side reaches a state of the
/// other. If a state has about *b* new successors, these are two searches to half the depth *d*: in the order of *b*^(*d* / 2)
/// expansions instead of *b*^*d*. On a plane without borders there are half as many. If there is no path, it ends when one side
/// has reached all that it can. An expansion takes time and memory as in [`bfs`](crate::bfs), and each new state one more
/// lookup.
///
/// For several goals, or where steps differ in cost, use [`Bidirectional`](crate::Bidirectional).
///
/// Source: Pohl, *Bi-Directional Search*, 1971, also for the choice of the side.
///
/// # Errors
///
/// [`SearchError::Path`] if a state on the path is not among the successors of the one before it: then the predecessors are
/// others than those by the successors. (Where that is so elsewhere, it is not noticed, and the path may not be a shortest one.)
///
/// # Example
///
/// ```
/// // From one number to another by doubling and by subtracting 1.
/// let report = bestfirst::bfs_bidirectional(
///     4_u32,                             // the start
///     21,                                // the goal
///     |&n| [n * 2, n.saturating_sub(1)], // the successors
///     |&n| (n % 2 == 0).then_some(n / 2).into_iter().chain([n + 1]), // the predecessors
/// )?;
/// let path = report.path().expect("there is a path");
/// assert_eq!(path.states(), [4, 3, 6, 12, 11, 22, 21]);
///
/// // A knight that goes from one corner of a board of 100 by 100 to the other: it can go back by each step.
/// let knight = |&(x, y): &(i32, i32)| {
///     [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
///         .map(|(dx, dy)| (x + dx, y + dy))
///         .into_iter()
///         .filter(|(x, y)| (0..100).contains(x) && (0..100).contains(y))
/// };
/// let report = bestfirst::bfs_bidirectional((0, 0), (99, 99), knight, knight)?;
/// assert_eq!(report.cost(), Some(66));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[doc(alias = "bidirectional breadth first")]
pub fn bfs_bidirectional<S, I, J>(
    start: S,
    goal: S,
    successors: impl Fn(&S) -> I,
    predecessors: impl Fn(&S) -> J,
) -> Result<Report<S, (), u32>, SearchError<u32>>
where
    S: Clone + Eq + Hash,
    // The compiler shows these lines where another type is returned.
    I: IntoIterator<Item = S>, // `S` is the type of the start: give it by value, not as `&start`
    J: IntoIterator<Item = S>, // the same
{
    let (mut ahead, mut back) = (States::new(), States::new());
    let met = meet(&mut ahead, &mut back, (start, goal), &successors, &predecessors);
    let (progress, meeting) = ended(met);
    let mut states = Vec::new();
    if let Some((reached, found)) = meeting {
        states = states_to(&ahead.table, reached);
        // From the state that both reached, which is in the list, to the goal.
        for next in states_to(&back.table, found).into_iter().rev().skip(1) {
            if let Some(last) = states.last()
                && !successors(last).into_iter().any(|state| state == next)
            {
                return Err(PathError::NoSuchStep { step: states.len() - 1 }.into());
            }
            states.push(next);
        }
    }
    report_of((progress, states), ahead.table.len() + back.table.len(), &mut ahead.run)
}

/// Searches from both ends until a state is reached from both, and returns its ids. All counts are in the run of `ahead` then.
///
/// Before a layer is expanded, no state is stored on both sides. So a path has more steps than the last layers of both sides
/// together: the first state that is found on the other side is on a shortest path.
fn meet<S, I, J>(
    ahead: &mut States<S>,
    back: &mut States<S>,
    (start, goal): (S, S),
    successors: &impl Fn(&S) -> I,
    predecessors: &impl Fn(&S) -> J,
) -> Result<Option<(u32, u32)>, Full>
where
    S: Clone + Eq + Hash,
    I: IntoIterator<Item = S>,
    J: IntoIterator<Item = S>,
{
    ahead.begin(start, &|_| false)?;
    turn(ahead, back);
    let met = back.begin(goal, &|state| ahead.table.id_of(state).is_some());
    turn(back, ahead);
    if let Some(id) = met? {
        return Ok(Some((0, id)));
    }
    while ahead.open() > 0 && back.open() > 0 {
        if ahead.open() <= back.open() {
            let met = ahead.expand_layer(successors, |state| back.table.id_of(state).is_some())?;
            if let Some(id) = met {
                return Ok(back.table.id_of(ahead.table.state_at(id)).map(|other| (id, other)));
            }
        } else {
            turn(ahead, back);
            let met = back.expand_layer(predecessors, |state| ahead.table.id_of(state).is_some());
            turn(back, ahead);
            if let Some(id) = met? {
                return Ok(ahead.table.id_of(back.table.state_at(id)).map(|other| (other, id)));
            }
        }
    }
    Ok(None)
}

/// Gives the counts to the other side, which is expanded next.
fn turn<S: Clone + Eq + Hash>(from: &mut States<S>, to: &mut States<S>) {
    swap(&mut from.run, &mut to.run);
    to.depth = from.depth;
    to.open_elsewhere = from.open();
}

impl<S: Clone + Eq + Hash> States<S> {
    /// How many states are not expanded.
    fn open(&self) -> usize {
        self.table.len() - self.done
    }

    /// Expands all states that are open. Returns the first goal among their successors.
    fn expand_layer<I: IntoIterator<Item = S>>(
        &mut self,
        successors: &impl Fn(&S) -> I,
        is_goal: impl Fn(&S) -> bool,
    ) -> Result<Option<u32>, Full> {
        let end = self.table.len();
        while self.done < end {
            let goal = self.expand_some(end, successors, &is_goal)?;
            if goal.is_some() {
                return Ok(goal);
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search that has no memory left says so, and finds no longer path than there is.
    #[test]
    fn what_is_found_until_memory_runs_out_is_right() {
        let next = |&n: &u64| [n * 3 % 99_991, (n + 1) % 99_991, (n + 7) % 99_991];
        let before = |&n: &u64| [n * 66_661 % 99_991, (n + 99_990) % 99_991, (n + 99_984) % 99_991];
        let steps = |most: usize| {
            let (mut ahead, mut back) = (States::new(), States::new());
            ahead.run.memory().set_most(most);
            let (reached, found) = meet(&mut ahead, &mut back, (1, 77_777), &next, &before)?
                .expect("every number is reached");
            assert!(ahead.run.memory().held() <= most);
            assert_eq!(ahead.table.state_at(reached), back.table.state_at(found));
            Ok::<_, Full>(
                states_to(&ahead.table, reached).len() + states_to(&back.table, found).len(),
            )
        };
        let expected = steps(usize::MAX).expect("there is no limit");
        let outcomes: Vec<_> = (0..200_000).step_by(997).map(steps).collect();
        assert!(
            outcomes
                .iter()
                .all(|steps| matches!(steps, Err(Full::Memory)) || *steps == Ok(expected))
        );
        let found = outcomes.iter().filter(|steps| steps.is_ok()).count();
        assert!((1..outcomes.len()).contains(&found), "{found} of {}", outcomes.len());
    }
}
