//! What a search on shards has found and proved: paths that lead from shard to shard, and the lower bound.

use super::ids::{Place, located};
use super::rounds::{SHARDS, ShardedDriver, StationOf};
use crate::cost::{Cost, larger, smaller};
use crate::engine::Order;
use crate::engine::checked::sound_heuristic;
use crate::engine::parts::Parts;
use crate::frontier::Key;
use crate::path::{Path, PathOf};
use crate::report::SearchError;
use crate::table::{Record, StateId, Table};

impl<S: Parts> ShardedDriver<S> {
    /// The global ids of the states on the path to a stored state, from the start on.
    fn trail(&self, mut id: S::Id) -> Result<Vec<S::Id>, SearchError<S::Cost>> {
        let states = self.stations.iter().map(|station| station.shard.states().table().len()).sum();
        let mut trail = Vec::with_capacity(32);
        while id != StateId::NONE {
            if trail.len() == states {
                return Err(SearchError::ParentCycle { states });
            }
            trail.push(id);
            let (shard, local) = located(id, SHARDS);
            id = self.stations[shard].shard.states().record(local).parent();
        }
        trail.reverse();
        Ok(trail)
    }

    /// The path to the state with that global id.
    pub(super) fn path_to(
        &self,
        id: S::Id,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        let trail = self.trail(id)?;
        let start_cost = trail.first().map_or(S::Cost::ZERO, |&start| {
            let (shard, local) = located(start, SHARDS);
            self.stations[shard].shard.states().record(local).g()
        });
        let states = trail.iter().map(|&id| {
            let (shard, local) = located(id, SHARDS);
            self.stations[shard].shard.states().table().with_state(local, Clone::clone)
        });
        Ok(Path::through(&*self.problem, states, start_cost)?)
    }

    /// Whether the heuristic says of a state on the path to a goal that the goal must cost more than `cost`.
    fn overestimates_on_path(&self, goal: S::Id, cost: S::Cost) -> bool {
        let exceeds = |&id: &S::Id| {
            let (shard, local) = located(id, SHARDS);
            let states = self.stations[shard].shard.states();
            states.f_of(local, &states.record(local)).is_none_or(|f| f.exceeds(cost))
        };
        // A path with a cycle is reported when the path is asked for.
        self.trail(goal).is_ok_and(|trail| trail.iter().any(exceeds))
    }

    /// The global id of the best goal so far.
    pub(super) fn best_goal(&self) -> Option<S::Id> {
        let mut best: Option<(S::Key, S::Id)> = None;
        for (shard, station) in (0..).zip(&self.stations) {
            if let Some((id, key)) = station.shard.goal()
                && best.is_none_or(|(least, _)| key.precedes(&least))
            {
                best = Some((key, Place { shard, shards: SHARDS }.global(id)));
            }
        }
        best.map(|(_, id)| id)
    }

    /// The global id of the state with the least h, among equals with the least g.
    pub(super) fn closest_state(&self) -> Option<S::Id> {
        let of_shard = |station: &StationOf<S>| station.shard.states().closest_stored();
        let all = (0..).zip(self.stations.iter().map(|station| of_shard(station)));
        let closest = all.filter(|(_, state)| state.id.is_some()).reduce(|best, other| {
            let (least, next) = (&best.1, &other.1);
            let is_closer = next.h < least.h || (next.h == least.h && next.g < least.g);
            if is_closer { other } else { best }
        });
        closest.and_then(|(shard, state)| Some(Place { shard, shards: SHARDS }.global(state.id?)))
    }

    /// What is proved: no solution costs less. Takes one pass over the open states and those on their way, and the heuristic of
    /// these, unless the search `is_late`.
    pub(super) fn proved(&mut self, is_late: bool) -> S::Cost {
        if !self.starts.is_empty() {
            return self.lower_bound;
        }
        let open = self.stations.iter().filter_map(|station| station.shard.least_open_f());
        let least = open.chain(self.fs_under_way(is_late)).reduce(smaller);
        // What was proved stays proved.
        let bound = larger(self.lower_bound, least.unwrap_or(S::Cost::INFINITY));
        if let Some(goal) = self.best_goal() {
            let (shard, local) = located(goal, SHARDS);
            let cost = self.stations[shard].shard.states().record(local).g();
            // A path cheaper than a bound shows that the heuristic overestimates: nothing is proved.
            if bound.exceeds(cost) || self.overestimates_on_path(goal, cost) {
                return S::Cost::ZERO;
            }
        }
        self.lower_bound = bound;
        bound
    }

    /// The f of the states that were sent and not taken in yet, as far as they are new or improved. If the search `is_late`, the
    /// problem is not called, and it is that of the parent, as far as it is stored: no solution by way of it costs less.
    fn fs_under_way(&self, is_late: bool) -> impl Iterator<Item = S::Cost> {
        let sent = self.stations.iter().flat_map(|station| station.shard.outboxes());
        let lists = self.stations.iter().flat_map(|station| &station.inboxes).chain(sent);
        lists.flatten().filter_map(move |arrival| {
            let owner = super::owner_of(&arrival.state, SHARDS) as usize;
            let states = self.stations[owner].shard.states();
            let known = states.table().id_of(&arrival.state).map(|id| states.record(id).g());
            if known.is_some_and(|g| g <= arrival.g) {
                return None;
            }
            if is_late {
                if arrival.parent == StateId::NONE {
                    return Some(arrival.g);
                }
                let (shard, local) = located(arrival.parent, SHARDS);
                let parent = self.stations[shard].shard.states().record(local);
                return Some(larger(
                    arrival.g,
                    parent.g().checked_add(parent.h()).unwrap_or(arrival.g),
                ));
            }
            let h = if S::Order::USES_H {
                sound_heuristic(&*self.problem, &arrival.state, arrival.g).unwrap_or(S::Cost::ZERO)
            } else {
                S::Cost::ZERO
            };
            if h >= S::Cost::INFINITY { None } else { arrival.g.checked_add(h) }
        })
    }
}
