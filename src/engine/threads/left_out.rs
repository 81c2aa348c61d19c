//! How the search ends where no state is open and some were left out, because their costs do not fit into their type.

use super::rounds::{SHARDS, ShardedDriver};
use crate::engine::parts::Parts;
use crate::engine::relaxation::smaller_sum;
use crate::engine::{Progress, Run};
use crate::problem::Successors;
use crate::report::SearchError;
use crate::table::Table;

impl<S: Parts> ShardedDriver<S> {
    /// As in a search that is not on shards; the states that were left out may be stored in any shard.
    #[cold]
    pub(super) fn exhausted<O>(
        &mut self,
        run: &Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        let mut successors = Successors::<S::Problem>::new();
        let mut least: Option<SearchError<S::Cost>> = None;
        for number in 0..self.stations.len() {
            let mut left_out = self.stations[number].shard.states_mut().take_left_out();
            let stations = &self.stations;
            let states = stations[number].shard.states();
            let is_stored = &mut |state: &S::State| {
                let owner = super::owner_of(state, SHARDS) as usize;
                stations[owner].shard.states().table().id_of(state).is_some()
            };
            states.complete_left_out(&mut left_out, is_stored, &mut successors);
            let end = left_out.settle(
                states.overflow(),
                &mut |id: S::Id| states.sum_left_out(id, is_stored, &mut successors),
                &mut |()| run.budget.goes_on(),
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
