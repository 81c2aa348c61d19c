//! The solutions found so far, and whether they dominate what is left.

use crate::cost::Criteria;
use crate::memory::{Memory, OutOfMemory};

/// The goal labels of the front found so far, in the order of their costs.
#[derive(Clone, Debug)]
pub(super) struct Solutions<C, I> {
    list: Vec<(C, I)>,
    /// The one with the largest first criterion: with two criteria it is enough to compare with it, as long as
    /// costs are asked for that are not smaller by the first.
    last: Option<C>,
    /// The others that are needed to tell whether such costs are dominated: with two criteria none, as long as
    /// solutions are found in order.
    others: Vec<C>,
}

impl<C: Criteria, I: Copy> Solutions<C, I> {
    pub(super) fn new() -> Self {
        Self { list: Vec::new(), last: None, others: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.last = None;
        self.others.clear();
    }

    /// All solutions in the order of their costs.
    pub(super) fn list(&self) -> &[(C, I)] {
        &self.list
    }

    /// Whether some solutions are known to dominate that cost. For costs that are not smaller by the first
    /// criterion than the last solution, all are known.
    #[inline]
    pub(super) fn dominate(&self, cost: C) -> bool {
        self.last.is_some_and(|last| last.dominates(cost))
            || self.others.iter().any(|other| other.dominates(cost))
    }

    /// Whether any solution dominates that cost.
    pub(super) fn any_dominates(&self, cost: C) -> bool {
        if self.last.is_none_or(|last| cost.criterion(0) >= last.criterion(0)) {
            return self.dominate(cost);
        }
        self.list.iter().any(|(solution, _)| solution.dominates(cost))
    }

    /// Makes room for one more.
    pub(super) fn make_room(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.list, 1)?;
        memory.reserve(&mut self.others, 1)
    }

    /// Adds a solution, which none dominates and for which there is room. Those that it dominates were none:
    /// there are such only if the heuristic overestimates.
    pub(super) fn add(&mut self, cost: C, label: I) {
        let is_last = self.list.last().is_none_or(|&(last, _)| last < cost);
        if !is_last {
            self.list.retain(|&(other, _)| !cost.dominates(other));
        }
        let place = self.list.partition_point(|&(other, _)| other < cost);
        self.list.insert(place, (cost, label));
        let Some(last) = self.last else {
            self.last = Some(cost);
            return;
        };
        if cost.criterion(0) >= last.criterion(0) {
            self.others.retain(|&other| !cost.dominates_after_first(other));
            if !cost.dominates_after_first(last) {
                self.others.push(last);
            }
            self.last = Some(cost);
        } else {
            self.others.push(cost);
        }
    }
}

/// The least that any of some costs is by each criterion; infinite without costs.
pub(super) fn least<C: Criteria>(costs: impl IntoIterator<Item = C>) -> C {
    costs.into_iter().reduce(Criteria::least).unwrap_or(C::INFINITY)
}
