//! Branch and bound: depth first, and never where nothing better can be.

use std::cmp::{Ordering, Reverse};
use std::fmt;

use super::bounded::{Agenda, Bounded};
use crate::cost::Cost;
use crate::frontier::Frontier;
use crate::limits::{Memory, OutOfMemory};
use crate::problem::SearchProblem;
use crate::report::{ReportOf, SearchError};
use crate::table::{StateId, Table};

/// Depth-first branch and bound: finds some solution soon, and then better and better ones, until it
/// has proved that there is no better one. Whatever cannot lead to a better solution, as its
/// *g + h* is no less than the cost of the best so far, is dropped.
///
/// - **Finds** a cheapest path, for every heuristic that never overestimates, consistent or not, if it
///   comes to its end. Stopped before, it gives the best path so far
///   ([`Report::incumbent`](crate::Report::incumbent)) and the smallest *g + h* that is still open as
///   the lower bound. An [`Observer`](crate::Observer) is told of every better solution.
/// - **Order**: the successors of a state come one after the other, with everything below them, the one
///   with the smallest *g + h* first, among equals that with the smallest *h*; or by
///   [a key of yours](Bounded::order_by).
/// - **Remembers** every state that it has come to, with the smallest cost of getting there, and does
///   not search below it again unless it comes to it for less.
/// - **Takes** memory for these states, and time that depends on the order: with a good one, little
///   more than is needed for the proof; with a bad one, states are come to again and again, in the
///   worst case exponentially often. Without a heuristic, A*'s order is nearly always better. It is not
///   for infinite spaces, unless the first solution, or a limit on the cost, bounds them.
///
/// The search uses an explicit stack: its depth is limited by memory only.
///
/// Source: Land and Doig, *An Automatic Method of Solving Discrete Programming Problems*, 1960; with a
/// table of states, Sen and Bagchi, *Fast Recursive Formulations for Best-First Search That Allow
/// Controlled Use of Memory*, 1989.
///
/// # Example
///
/// Which of six things to carry, at most 26 kilograms, so that what is left behind is worth least:
///
/// ```
/// use bestfirst::{BranchAndBound, Limits, SearchProblem, Successors};
///
/// struct Knapsack([(u32, u32); 6]); // kilograms, and what it is worth
///
/// impl SearchProblem for Knapsack {
///     type State = (usize, u32); // things decided on, kilograms left
///     type Action = bool;
///     type Cost = u32; // worth of what is left behind
///
///     fn successors(&self, &(i, room): &(usize, u32), next: &mut Successors<Self>) {
///         let (weight, worth) = self.0[i];
///         if weight <= room {
///             next.push(true, (i + 1, room - weight), 0);
///         }
///         next.push(false, (i + 1, room), worth);
///     }
///
///     fn is_goal(&self, &(i, _): &(usize, u32)) -> bool {
///         i == self.0.len()
///     }
/// }
///
/// let knapsack = Knapsack([(12, 24), (7, 13), (11, 23), (8, 15), (9, 16), (6, 11)]);
/// let mut search = BranchAndBound::new(&knapsack).limits(Limits::new().expansions(6)).search((0, 26));
///
/// let report = search.run()?; // stopped early: a solution, and how good it is at least
/// assert!(report.incumbent.is_some() && !report.is_optimal());
/// assert!(report.lower_bound <= 51);
///
/// search.set_limits(Limits::new());
/// let report = search.run()?;
/// assert_eq!(report.cost(), Some(51));
/// assert!(report.is_optimal());
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BranchAndBound;

impl BranchAndBound {
    /// Begins to put a search of `problem`, or of what it refers to, together.
    #[expect(clippy::new_ret_no_self, reason = "engines under an incumbent share one builder")]
    pub fn new<P: SearchProblem>(problem: P) -> Bounded<P, Stack<P>> {
        Bounded::new(problem, Stack::new(ByEstimate))
    }
}

impl<P: SearchProblem, R: Ranking<P>, W, T, O> Bounded<P, Stack<P, R>, W, T, O> {
    /// Goes to the successor with the smallest `key` first, which is given the state, its cost so far
    /// and its heuristic value. Of equal keys, the one that was pushed first comes first.
    ///
    /// ```
    /// use bestfirst::{BranchAndBound, FnProblem};
    ///
    /// let to_100 = FnProblem::new(
    ///     |&n: &u32| (n <= 100).then(|| [(n + 1, 1_u32), (n * n, 5)]).into_iter().flatten(),
    ///     |&n: &u32| if n > 100 { u32::MAX } else { 0 },
    ///     |&n: &u32| n == 100,
    /// );
    /// // Whatever is nearest to the goal first:
    /// let search = BranchAndBound::new(&to_100).order_by(|&n, _g, _h| n.abs_diff(100));
    /// assert_eq!(search.search(2).run()?.cost(), Some(12));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn order_by<K: Ord, F>(self, key: F) -> Bounded<P, Stack<P, By<F>>, W, T, O>
    where
        F: Fn(&P::State, P::Cost, P::Cost) -> K,
    {
        self.agenda(Stack::new(By { key }))
    }
}

/// Finds a cheapest path from `start` to a goal by [`BranchAndBound`], without limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, branch_and_bound};
///
/// let stairs = FnProblem::new(
///     |&n: &u32| [(n + 1, 3_u32), (n + 2, 5), (n + 5, 11)],
///     |&n: &u32| if n > 19 { u32::MAX } else { 19 - n },
///     |&n: &u32| n == 19,
/// );
/// assert_eq!(branch_and_bound(&stairs, 0)?.cost(), Some(43)); // 5 + 5 + 5 + 2 + 2
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn branch_and_bound<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    BranchAndBound::new(problem).search(start).run()
}

/// Which successor of a state comes first.
pub trait Ranking<P: SearchProblem> {
    /// What successors are compared by; the smallest comes first.
    type Key: Ord;

    /// The key of a state that was reached at cost `g` and is estimated to be `h` from a goal.
    fn key(&self, state: &P::State, g: P::Cost, h: P::Cost) -> Self::Key;
}

/// The smallest *g + h* first, among equals the smallest *h*.
#[derive(Clone, Copy, Debug)]
pub struct ByEstimate;

/// *f* and *h* of a state. Costs that are to be added and compared are ordered; what is not can only be
/// the user's own type, and then any order will do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate<C>(C, C);

impl<C: Cost> Eq for Estimate<C> {}

impl<C: Cost> PartialOrd for Estimate<C> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<C: Cost> Ord for Estimate<C> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let compare = |a: C, b: C| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
        compare(self.0, other.0).then(compare(self.1, other.1))
    }
}

impl<P: SearchProblem> Ranking<P> for ByEstimate {
    type Key = Estimate<P::Cost>;

    #[inline]
    fn key(&self, _: &P::State, g: P::Cost, h: P::Cost) -> Self::Key {
        Estimate(g.checked_add(h).unwrap_or(P::Cost::INFINITY), h)
    }
}

/// By a key of the user's.
#[derive(Clone, Copy)]
pub struct By<F> {
    key: F,
}

impl<P, F, K> Ranking<P> for By<F>
where
    P: SearchProblem,
    F: Fn(&P::State, P::Cost, P::Cost) -> K,
    K: Ord,
{
    type Key = K;

    #[inline]
    fn key(&self, state: &P::State, g: P::Cost, h: P::Cost) -> K {
        (self.key)(state, g, h)
    }
}

impl<F> fmt::Debug for By<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("By")
    }
}

/// The open states in the order of depth-first search: what was pushed last is next, the best of it
/// first.
pub struct Stack<P: SearchProblem, R: Ranking<P> = ByEstimate> {
    /// Each with its f.
    entries: Vec<(StateId, P::Cost)>,
    /// How many of them are arranged.
    arranged: usize,
    ranking: R,
    /// Used to arrange the rest, and empty else.
    ranked: Vec<Ranked<P, R>>,
}

/// An entry, to be put in order: the last is next, so the largest key comes first.
type Ranked<P, R> =
    (Reverse<<R as Ranking<P>>::Key>, Reverse<usize>, (StateId, <P as SearchProblem>::Cost));

impl<P: SearchProblem, R: Ranking<P>> Stack<P, R> {
    fn new(ranking: R) -> Self {
        Self { entries: Vec::new(), arranged: 0, ranking, ranked: Vec::new() }
    }
}

impl<P: SearchProblem, R: Ranking<P>> Frontier<P::Cost> for Stack<P, R> {
    #[inline]
    fn push(
        &mut self,
        id: StateId,
        f: P::Cost,
        _h: P::Cost,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.entries, 1)?;
        self.entries.push((id, f));
        Ok(())
    }

    #[inline]
    fn pop(&mut self, _: &mut Memory) -> Result<Option<(StateId, P::Cost)>, OutOfMemory> {
        let last = self.entries.pop();
        self.arranged = self.entries.len();
        Ok(last)
    }

    #[inline]
    fn coming(&self, ahead: usize) -> Option<StateId> {
        self.entries.iter().rev().nth(ahead).map(|&(id, _)| id)
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.arranged = 0;
    }
}

impl<P: SearchProblem, R: Ranking<P>> Agenda<P> for Stack<P, R> {
    #[inline]
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.entries, additional)?;
        memory.reserve(&mut self.ranked, additional)
    }

    #[inline]
    fn fresh(&self) -> &[(StateId, P::Cost)] {
        &self.entries[self.arranged..]
    }

    #[inline]
    fn arrange<T: Table<P>>(&mut self, problem: &P, table: &T) {
        let Self { entries, arranged, ranking, ranked } = self;
        if entries.len() - *arranged > 1 {
            for (nth, &(id, f)) in entries[*arranged..].iter().enumerate() {
                let node = table.node(id);
                let key = |state: &P::State| ranking.key(state, node.g(), node.h());
                let key = table.with_state(problem, id, key);
                ranked.push((Reverse(key), Reverse(nth), (id, f)));
            }
            ranked.sort_unstable_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
            entries.truncate(*arranged);
            entries.extend(ranked.drain(..).map(|(_, _, entry)| entry));
        }
        *arranged = entries.len();
    }

    #[inline]
    fn next_layer(&mut self) -> Option<P::Cost> {
        None
    }

    fn entries(&self) -> impl Iterator<Item = (StateId, P::Cost)> {
        self.entries.iter().copied()
    }
}

impl<P: SearchProblem, R: Ranking<P> + Clone> Clone for Stack<P, R> {
    /// A stack of the same ranking, and empty: searches begin with an empty one.
    fn clone(&self) -> Self {
        Self::new(self.ranking.clone())
    }
}

impl<P: SearchProblem, R: Ranking<P>> fmt::Debug for Stack<P, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stack").field("entries", &self.entries.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::FnProblem;

    fn stack<P: SearchProblem<Cost = u32>>(_: &P) -> Stack<P> {
        Stack::new(ByEstimate)
    }

    #[test]
    fn a_stack_knows_what_it_holds() {
        let problem = FnProblem::new(|_: &u8| [(0, 1_u32)], |_: &u8| 0, |_: &u8| false);
        let mut stack = stack(&problem);
        let mut memory = Memory::new(usize::MAX);
        for (id, f) in [(7, 3), (5, 4), (6, 2)] {
            stack.push(id, f, 0, &mut memory).unwrap();
        }
        assert_eq!(stack.len(), 3);
        assert_eq!(stack.fresh(), [(7, 3), (5, 4), (6, 2)]);
        assert_eq!(stack.pop(&mut memory), Ok(Some((6, 2))));
        assert_eq!(stack.len(), 2);
        assert!(stack.fresh().is_empty());
        assert!(stack.entries().eq([(7, 3), (5, 4)]));
        stack.clear();
        assert_eq!(stack.len(), 0);
        assert_eq!(stack.pop(&mut memory), Ok(None));
        stack.push(1, 1, 0, &mut memory).unwrap();
        assert_eq!(stack.fresh(), [(1, 1)]);
        assert_eq!(format!("{:?}", By { key: 0 }), "By");
    }

    #[test]
    fn estimates_are_compared_by_f_and_then_by_h() {
        assert!(Estimate(3_u32, 9) < Estimate(4, 1));
        assert!(Estimate(4_u32, 1) < Estimate(4, 2));
        assert_eq!(Estimate(4_u32, 2).cmp(&Estimate(4, 2)), Ordering::Equal);
    }
}
