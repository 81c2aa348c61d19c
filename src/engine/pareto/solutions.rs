//! The solutions found so far, and whether they dominate a cost.

use crate::cost::Criteria;
use crate::memory::{Memory, OutOfMemory};

/// The goal labels of the front found so far, in the order of their costs.
#[derive(Clone, Debug)]
pub(super) struct Solutions<C, I> {
    list: Vec<(C, I)>,
    /// The one with the largest first criterion. With two criteria, comparing with it is enough for costs that are not
    /// smaller by the first.
    last: Option<C>,
    /// The other solutions that may dominate such costs: with two criteria none, if
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

    /// Returns all solutions in the order of their costs.
    pub(super) fn list(&self) -> &[(C, I)] {
        &self.list
    }

    /// Whether a solution dominates this cost. May miss some for costs that are smaller by the first
    /// criterion than the last solution.
    #[inline]
    pub(super) fn dominate(&self, cost: C) -> bool {
        self.last.is_some_and(|last| last.dominates(cost))
            || self.others.iter().any(|other| other.dominates(cost))
    }

    /// Whether any solution dominates this cost.
    pub(super) fn any_dominates(&self, cost: C) -> bool {
        if self.last.is_none_or(|last| cost.criterion(0) >= last.criterion(0)) {
            return self.dominate(cost);
        }
        self.list.iter().any(|(solution, _)| solution.dominates(cost))
    }

    /// Reserves memory for one more.
    pub(super) fn make_room(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.list, 1)?;
        memory.reserve(&mut self.others, 1)
    }

    /// Adds an undominated solution; memory must have been reserved. Removes those that it dominates, which
    /// exist only if the heuristic overestimates.
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

/// Returns the minimum of the costs by each criterion; infinite without costs.
pub(super) fn least<C: Criteria>(costs: impl IntoIterator<Item = C>) -> C {
    costs.into_iter().reduce(Criteria::least).unwrap_or(C::INFINITY)
}
