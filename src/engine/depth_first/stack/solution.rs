//! The path to the goal on top of the stack.

use super::{Stack, TRACKED};
use crate::cost::Cost;
use crate::engine::depth_first::Expander;
use crate::path::{Given, Path, PathOf};
use crate::problem::SearchProblem;
use crate::report::SearchError;

/// The result of a search that has reached a goal.
pub(in crate::engine::depth_first) struct Solution<Path> {
    pub(in crate::engine::depth_first) path: Option<Path>,
    /// How many successors of states on the path come after the one by which the path continues. A search that generates
    /// one successor at a time has not generated them when it reaches the goal; node counts in the literature are those
    /// of such a search.
    pub(in crate::engine::depth_first) generated_beyond: u64,
}

impl<P: SearchProblem, W: Expander<P>> Stack<P, W> {
    /// The path to the goal on top of the stack. Where it `is_cheapest` of all paths through these states, the costs of its steps
    /// are those by which the search came; otherwise there may be cheaper ones to the same states.
    pub(in crate::engine::depth_first) fn solution(
        &self,
        problem: &P,
        is_cheapest: bool,
    ) -> Result<Solution<PathOf<P>>, SearchError<P::Cost>> {
        let (mut path, mut generated_beyond) = (Vec::new(), 0);
        let mut place = self.top;
        while let Some(entry) = self.slots.get(place as usize) {
            path.push(entry);
            generated_beyond += u64::from(entry.behind);
            place = entry.parent & !TRACKED;
        }
        let (states, start_cost) = (path.len(), path.last().map_or(P::Cost::ZERO, |start| start.g));
        let mut before = start_cost;
        let mut next = |()| {
            let entry = path.pop()?;
            let step = entry.g.checked_sub(before).filter(|_| is_cheapest);
            before = entry.g;
            Some((entry.state.clone(), step.map_or(Given::Nothing, Given::Step)))
        };
        let path = Path::through_given(problem, (&mut next, states), start_cost, None)?;
        Ok(Solution { path, generated_beyond })
    }

    /// Goes on beyond the goal on top of the stack.
    pub(in crate::engine::depth_first) fn leave_goal(&mut self) {
        let place = self.top as usize;
        self.duplicates.back_up_goal(&self.slots[place], place);
        self.top = self.slots[place].backtrack_to;
    }
}
