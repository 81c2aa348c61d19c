//! How the search ends where no state is open and some were left out, because their costs do not fit into their type.

use super::rounds::{SHARDS, ShardedEngine};
use crate::engine::Order;
use crate::engine::relaxation::{Id, smaller_sum};
use crate::engine::{Progress, Run};
use crate::frontier::Frontier;
use crate::problem::{SearchProblem, Successors};
use crate::report::SearchError;
use crate::table::TableFor;

impl<P, R, T, F> ShardedEngine<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    /// As in a search that is not on shards; the states that were left out may be stored in any shard.
    #[cold]
    pub(super) fn exhausted<O>(
        &mut self,
        run: &Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let mut successors = Successors::<P>::new();
        let mut least: Option<SearchError<P::Cost>> = None;
        for number in 0..self.stations.len() {
            let mut left_out = self.stations[number].shard.states_mut().take_left_out();
            let stations = &self.stations;
            let states = stations[number].shard.states();
            let is_stored = |state: &P::State| {
                let owner = super::owner_of(state, SHARDS) as usize;
                stations[owner].shard.states().table().id_of(state).is_some()
            };
            states.complete_left_out(&mut left_out, is_stored, &mut successors);
            let end = left_out.settle(
                states.overflow(),
                |id| states.sum_left_out(id, is_stored, &mut successors),
                || run.budget.check_now().is_ok(),
            );
            self.stations[number].shard.states_mut().put_left_out(left_out);
            match end {
                Ok(Progress::Paused) => return Ok(Progress::Paused),
                Ok(_) => {}
                Err(sum) => least = Some(least.map_or(sum, |least| smaller_sum(least, sum))),
            }
        }
        least.map_or(Ok(Progress::Exhausted), Err)
    }
}
