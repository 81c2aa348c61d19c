//! The path to the goal on top of the stack.

use super::{Entry, NOWHERE, Stack, TRACKED};
use crate::cost::Cost;
use crate::engine::depth_first::{Expander, SuccessorFilter};
use crate::path::{Path, PathOf};
use crate::problem::SearchProblem;
use crate::report::SearchError;

/// The result of a search that has reached a goal.
pub(in crate::engine::depth_first) struct Solution<Path> {
    pub(in crate::engine::depth_first) path: Option<Path>,
    /// How many states were generated that a search which generates one successor at a time would not
    /// have generated.
    pub(in crate::engine::depth_first) generated_beyond: u64,
}

impl<P: SearchProblem, W: Expander<P>> Stack<P, W> {
    /// The path to the goal on top of the stack.
    pub(in crate::engine::depth_first) fn solution(
        &mut self,
        problem: &P,
    ) -> Result<Solution<PathOf<P>>, SearchError<P::Cost>> {
        let mut path = Vec::new();
        let mut place = self.top as usize;
        while place != NOWHERE as usize {
            path.push(place);
            place = (self.slots[place].parent & !TRACKED) as usize;
        }
        path.reverse();
        let generated_beyond = self.generated_beyond(problem, &path);
        let states = path.iter().map(|&place| self.slots[place].state.clone());
        let path = Path::through(problem, states, self.slots[path[0]].g)?;
        Ok(Solution { path, generated_beyond })
    }

    /// Goes on beyond the goal on top of the stack.
    pub(in crate::engine::depth_first) fn leave_goal(&mut self) {
        let place = self.top as usize;
        self.duplicates.back_up_goal(&self.slots[place], place);
        self.top = self.slots[place].backtrack_to;
    }

    /// How many successors of states on the path come after the one by which the path continues. A
    /// search that generates one successor at a time has not generated them when it reaches the goal;
    /// node counts in the literature are those of such a search.
    fn generated_beyond(&mut self, problem: &P, path: &[usize]) -> u64 {
        let mut beyond = 0;
        let includes_inverse = self.duplicates.has_table();
        for (i, pair) in path.windows(2).enumerate() {
            let (above, below) = self.slots.split_at_mut(pair[1]);
            let taken = &below[0];
            let (before, from) = above.split_at_mut(pair[0]);
            let expanded = &mut from[0];
            let before = if i == 0 { None } else { Some(&before[path[i - 1]].state) };
            let Entry { state, step, g, .. } = expanded;
            let mut count: CountAfter<'_, P> =
                CountAfter { taken: &taken.state, taken_g: taken.g, g: *g, seen: 0, after: 0 };
            self.expander.expand(problem, state, (step, before), includes_inverse, &mut count);
            beyond += count.after;
        }
        beyond
    }
}

/// Counts the successors after a certain one. They are generated in reverse order.
struct CountAfter<'a, P: SearchProblem> {
    taken: &'a P::State,
    taken_g: P::Cost,
    /// The g of the state that is expanded.
    g: P::Cost,
    seen: u64,
    after: u64,
}

impl<P: SearchProblem, S> SuccessorFilter<P, S> for CountAfter<'_, P> {
    type Evaluation = ();

    fn test(&mut self, state: &P::State, step: P::Cost) -> Option<()> {
        if state == self.taken && self.g.checked_add(step) == Some(self.taken_g) {
            self.after = self.seen;
        }
        self.seen += 1;
        None
    }

    fn keep(&mut self, _state: P::State, _step: S, (): ()) {}
}
