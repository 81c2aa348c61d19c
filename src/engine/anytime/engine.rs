//! [`AnytimeEngine`]: beams and weighted A\* by turns.

use std::mem::replace;
use std::sync::Arc;

use super::order::ByFallingMultiples;
use super::turns::{Part, Turns};
use crate::cost::{Cost, larger, smaller};
use crate::debug::show_fields;
use crate::engine::best_first::{CostOf, ImprovingEngine, PriorityHeap};
use crate::engine::checked::heuristic_value;
use crate::engine::depth_first::Expander;
use crate::engine::driver::Driver;
use crate::engine::incumbent::{BeamLayers, ByArrival, IncumbentEngine, Pruning, Widths};
use crate::engine::policy::{Improving, Policy};
use crate::engine::relaxation::Id;
use crate::engine::{Engine, Progress, Run};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::SearchProblem;
use crate::report::{SearchError, StopReason};
use crate::table::TableFor;

/// The beams of growing width.
type Beams<P, W, T> = IncumbentEngine<Arc<P>, BeamLayers<CostOf<P>, Id<P, T>>, W, T>;

/// A\* with falling weights.
type Weighted<P, T> = ImprovingEngine<Arc<P>, ByFallingMultiples, T, PriorityHeap<P, T>>;

/// The engine of [`Anytime`](crate::Anytime) search.
pub struct AnytimeEngine<P, W, T>
where
    P: SearchProblem,
    W: Expander<Arc<P>>,
    T: TableFor<P::State, P::Cost>,
{
    problem: Arc<P>,
    beams: Beams<P, W, T>,
    weighted: Weighted<P, T>,
    turns: Turns<CostOf<P>>,
    /// The cost of the best path that both parts know.
    best: Option<CostOf<P>>,
}

impl<P, W, T> AnytimeEngine<P, W, T>
where
    P: SearchProblem,
    W: Expander<Arc<P>>,
    T: TableFor<P::State, P::Cost>,
{
    pub(super) fn new(
        problem: P,
        (expander, sieves): (W, bool),
        table: T,
        starts: Vec<(P::State, P::Cost)>,
    ) -> Self
    where
        T: Clone,
    {
        let problem = Arc::new(problem);
        let beams = (Arc::clone(&problem), ByArrival, Pruning::new(expander, sieves));
        let beams =
            Driver::new(beams, table.clone(), BeamLayers::new(Widths::DOUBLED), starts.clone());
        let weighted = (Arc::clone(&problem), ByFallingMultiples::default(), Improving::default());
        let weighted = Driver::new(weighted, table, PriorityHeap::<P, T>::new(), starts);
        Self { problem, beams, weighted, turns: Turns::new(), best: None }
    }

    /// The cost of the best path so far.
    fn best_cost(&self) -> Option<P::Cost> {
        let costs = [self.beams.policy.best_cost(), self.weighted.policy.best_cost()];
        costs.into_iter().flatten().reduce(smaller)
    }

    /// Tells each part what the other has found in its turn.
    fn share(&mut self) {
        if let Some(cost) = self.best_cost()
            && self.best.is_none_or(|best| cost < best)
        {
            self.best = Some(cost);
            self.turns.lead();
            self.beams.policy.prune_by(cost);
            self.weighted.policy.prune_by(cost);
        }
    }

    /// The one of two paths whose end has the smaller `key`, among equals the cheaper one.
    fn nearer<K: PartialOrd>(
        paths: [Option<PathOf<P>>; 2],
        mut key: impl FnMut(&P::State) -> K,
    ) -> Option<PathOf<P>> {
        let [one, other] = paths;
        let (Some(a), Some(b)) = (&one, &other) else { return one.or(other) };
        let (key_a, key_b) = (key(a.end()), key(b.end()));
        let is_other = key_b < key_a || (key_b <= key_a && b.cost() < a.cost());
        if is_other { other } else { one }
    }
}

impl<P, W, T> Engine for AnytimeEngine<P, W, T>
where
    P: SearchProblem,
    W: Expander<Arc<P>>,
    T: TableFor<P::State, P::Cost>,
{
    type Problem = P;
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn advance<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let until = run.stats.expanded.saturating_add(most);
        let limit = run.budget.limits().cost_limit();
        let has_limit = run.budget.limits().memory_limit().is_some();
        // Whether a part has found no room since a state was expanded.
        let mut lacks = [false; 2];
        loop {
            let Some((part, turn)) = self.turns.current(limit) else {
                return Ok(Progress::Stopped(StopReason::Cost));
            };
            let before = run.stats.expanded;
            let most = turn.min(until.saturating_sub(before));
            let progress = match part {
                Part::Beams => self.beams.advance(most, run)?,
                Part::Weighted => self.weighted.advance(most, run)?,
            };
            let expanded = run.stats.expanded - before;
            self.turns.count(expanded);
            if expanded > 0 {
                lacks = [false; 2];
            }
            match (progress, limit) {
                (Progress::Stopped(StopReason::Cost), Some(limit)) => self.turns.stop(limit),
                // There may be enough for the other. (Where the system has none, nothing more is tried.)
                (Progress::Stopped(StopReason::Memory), _)
                    if has_limit && !replace(&mut lacks[part as usize], true) => {}
                (Progress::Going, _) if self.turns.is_over() => {}
                _ => return Ok(progress),
            }
            // Only now, so that a stop before changes nothing.
            self.share();
            self.turns.go_on();
            if run.is_interrupted() || (run.stats.expanded >= until && most > 0) {
                return Ok(Progress::Going);
            }
        }
    }

    fn lower_bound<O>(&mut self, run: &mut Run<P::Cost, O>) -> P::Cost {
        let bound = larger(self.beams.lower_bound(run), self.weighted.lower_bound(run));
        let is_refuted = self.beams.policy.is_refuted(&self.beams.core)
            || self.weighted.policy.is_refuted(&self.weighted.core)
            || self.best_cost().is_some_and(|cost| bound.exceeds(cost));
        if is_refuted { P::Cost::ZERO } else { bound }
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        Ok(Self::nearer([self.beams.path()?, self.weighted.path()?], |_| ()))
    }

    fn closest(&self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        let h =
            |state: &P::State| heuristic_value(&*self.problem, state).unwrap_or(P::Cost::INFINITY);
        let Self { beams, weighted, .. } = self;
        let closest = Self::nearer([beams.closest()?, weighted.closest()?], h);
        // Its states may not be stored any more.
        let best = [beams.policy.path(&beams.core)?, weighted.policy.path(&weighted.core)?];
        Ok(Self::nearer([closest, Self::nearer(best, |_| ())], h))
    }

    fn closest_by<K: PartialOrd>(
        &self,
        mut key: impl FnMut(&P::State) -> K,
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        let paths = [self.beams.closest_by(&mut key)?, self.weighted.closest_by(&mut key)?];
        Ok(Self::nearer(paths, key))
    }

    fn stored(&self) -> usize {
        self.beams.stored() + self.weighted.stored()
    }

    fn keeps_closed(&self) -> bool {
        true
    }

    fn closed_cost(&self, state: &P::State) -> Option<P::Cost> {
        let costs = [self.beams.closed_cost(state), self.weighted.closed_cost(state)];
        costs.into_iter().flatten().reduce(smaller)
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.beams.restart(starts);
        self.weighted.restart(self.beams.core.starts.iter().cloned());
        (self.turns, self.best) = (Turns::new(), None);
    }

    fn set_problem(&mut self, problem: P) {
        self.problem = Arc::new(problem);
        self.beams.set_problem(Arc::clone(&self.problem));
        self.weighted.set_problem(Arc::clone(&self.problem));
    }
}

show_fields! {
    [P: SearchProblem, W: Expander<Arc<P>>, T: TableFor<P::State, P::Cost>] AnytimeEngine<P, W, T>,
    "AnytimeEngine" (this) { turns = this.turns, best = this.best }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::depth_first::Buffered;
    use crate::limits::Limits;
    use crate::problem::FnProblem;
    use crate::table::{EstimateRecord, HashedTable};

    #[test]
    fn each_part_prunes_by_the_path_of_the_other() {
        let steps = |&n: &u32| [(n + 1, 3_u32), (n + 2, 5), (n + 7, 16)];
        let line = FnProblem::new(steps, |_: &u32| 0, |&n: &u32| n > 2000);
        let table = HashedTable::<u32, EstimateRecord<u32>>::default();
        let mut engine = AnytimeEngine::new(&line, (Buffered::new(), false), table, vec![(0, 0)]);
        let mut run = Run::new(Limits::new(), ());
        for _ in 0..10 {
            engine.advance(1000, &mut run).unwrap();
        }
        // A part may know a better one, of its own turn.
        let best = engine.best.expect("a path is found and shared");
        let known = [engine.beams.policy.best_cost(), engine.weighted.policy.best_cost()];
        assert!(
            known.iter().all(|cost| cost.is_some_and(|cost| cost <= best)),
            "{known:?}, {best}"
        );
    }
}
