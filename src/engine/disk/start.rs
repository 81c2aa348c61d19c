//! How a search begins: with its starts.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::engine::{DiskEngine, Halted};
use super::entry::{Entry, hash_of, mark_of};
use super::open::{Bucket, order};
use super::work::Goal;
use super::workers::Workers;
use crate::cost::Cost;
use crate::encode::Encode;
use crate::engine::checked::{checked_step, sound_heuristic};
use crate::engine::{Progress, Run};
use crate::observer::Observer;
use crate::problem::SearchProblem;
use crate::report::SearchError;

impl<P, W> DiskEngine<P, W>
where
    P: SearchProblem<State: Encode, Cost: Encode>,
    W: Workers<P>,
{
    /// Opens the starts. Returns how it pauses if the limits are to be checked before all of them are open.
    pub(super) fn begin<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Halted<P, Option<Progress>> {
        if self.unopened.is_none() {
            self.account(run.memory());
            run.forget_earlier();
            self.begin_checkpoints()?;
            let size = self.starts.len()
                * (Entry::<P::State>::IN_MEMORY
                    + 4 * size_of::<Bucket<P::State, P::Cost>>()
                    + size_of::<(P::State, P::Cost)>()
                    + 4 * size_of::<(&P::State, usize)>());
            self.make_room(size, run)?;
            self.unopened = Some(distinct(&self.starts).into_iter());
        }
        while let Some(start) = self.unopened.as_mut().and_then(Iterator::next) {
            self.open_start(start, run)?;
            let left = self.unopened.as_ref().map_or(0, ExactSizeIterator::len);
            if run.budget().check_state(left).is_err() {
                return Ok(Some(Progress::Paused));
            }
        }
        self.unopened = None;
        self.has_begun = true;
        run.stats_mut().peak_frontier = self.open.len;
        self.checkpoint(run)?;
        Ok(None)
    }

    fn open_start<O: Observer<P::State, P::Cost>>(
        &mut self,
        (state, cost): (P::State, P::Cost),
        run: &mut Run<P::Cost, O>,
    ) -> Halted<P> {
        let Some(g) = checked_step(P::Cost::ZERO, cost, &mut self.overflow)? else {
            return Ok(());
        };
        if O::LISTENS {
            run.observer_mut().generated(None, &state, g);
        }
        let h = sound_heuristic(&self.problem, &state, g)?;
        run.stats_mut().evaluated += 1;
        if order(h, P::Cost::INFINITY).is_ge() {
            run.stats_mut().dead_ends += 1;
            return Ok(());
        }
        let Some(f) = g.checked_add(h) else {
            self.overflow.get_or_insert(SearchError::Overflow { g, added: h });
            return Ok(());
        };
        let parent = mark_of(hash_of(&state));
        if self.problem.is_goal(&state) {
            self.meet_goal(Goal { state, g, parent, before: 0 });
        } else {
            self.open.add((g, h, f), Entry { state, parent });
        }
        Ok(())
    }

    pub(super) fn meet_goal(&mut self, goal: Goal<P::State, P::Cost>) {
        if self.incumbent.as_ref().is_none_or(|best| goal.g < best.g) {
            self.incumbent = Some(goal);
        }
    }
}

/// The starts, each state once and at its smallest cost: they are given, not generated, so none is a duplicate.
fn distinct<S: Clone + Eq + Hash, C: Cost>(starts: &[(S, C)]) -> Vec<(S, C)> {
    let mut places = FxHashMap::default();
    let mut distinct: Vec<(S, C)> = Vec::with_capacity(starts.len());
    for (state, cost) in starts {
        let place = *places.entry(state).or_insert(distinct.len());
        match distinct.get_mut(place) {
            Some((_, known)) if cost < known => *known = *cost,
            Some((_, known)) if cost >= known => {}
            // It is new, or its cost is not a number, which is an error where it is opened.
            _ => distinct.push((state.clone(), *cost)),
        }
    }
    distinct
}
