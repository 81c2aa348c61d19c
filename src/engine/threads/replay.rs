//! Tells the observer what the shards have done.

use super::ids::Place;
use super::rounds::{SHARDS, ShardedDriver};
use crate::engine::Run;
use crate::engine::parts::Parts;
use crate::observer::Observer;
use crate::table::Table;

impl<S: Parts> ShardedDriver<S> {
    /// Tells the observer of the states that were expanded since it was told last, shard by shard, each with its
    /// successors.
    pub(super) fn tell<O: Observer<S::State, S::Cost>>(&mut self, run: &mut Run<S::Cost, O>) {
        if !O::LISTENS {
            return;
        }
        let count = self.stations.len();
        for (shard, station) in (0..).zip(&mut self.stations) {
            let told = &mut self.told[shard as usize * count..][..count];
            let expanded = std::mem::take(&mut station.shard.expanded);
            let states = station.shard.states();
            for &(id, g) in &expanded {
                let h = states.h_of(id, &states.record(id));
                let parent = Place { shard, shards: SHARDS }.global(id);
                states.table().with_state(id, |state| {
                    run.observer.expanded(state, g, h);
                    for (outbox, told) in station.shard.outboxes().iter().zip(&mut *told) {
                        for arrival in &outbox[*told..] {
                            if arrival.parent != parent {
                                break;
                            }
                            run.observer.generated(Some(state), &arrival.state, arrival.g);
                            *told += 1;
                        }
                    }
                });
            }
            station.shard.expanded = expanded;
            station.shard.expanded.clear();
        }
    }
}
