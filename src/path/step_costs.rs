//! [`StepCosts`]: the costs of the steps of a path.

use crate::cost::Cost;
use crate::indexed::push;

/// The costs of the steps of a path. If all are equal, only one is stored: then a path is built with one allocation less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StepCosts<C> {
    /// The cost of the first step; zero if there is none.
    first: C,
    /// All costs, unless they are equal.
    each: Vec<C>,
}

impl<C: Cost> StepCosts<C> {
    pub(super) const NONE: Self = Self { first: C::ZERO, each: Vec::new() };

    /// These costs, of which is known whether they are equal.
    pub(crate) fn new(mut costs: impl Iterator<Item = C> + Clone, are_equal: bool) -> Self {
        let each = if are_equal { Vec::new() } else { costs.clone().collect() };
        Self { first: costs.next().unwrap_or(C::ZERO), each }
    }

    /// Adds the cost of a step that has `before` steps before it.
    #[inline(never)] // So programs are smaller.
    pub(super) fn push(&mut self, cost: C, before: usize) {
        if before == 0 {
            self.first = cost;
        }
        if cost == self.first && self.each.is_empty() {
            return;
        }
        self.each.reserve(before + 1 - self.each.len());
        while self.each.len() <= before {
            let is_last = self.each.len() == before;
            push(&mut self.each, if is_last { cost } else { self.first });
        }
    }
}

impl<C> StepCosts<C> {
    /// The cost of the step with this number, which must be less than the number of steps.
    #[inline]
    pub(super) fn get(&self, step: usize) -> &C {
        self.each.get(step).unwrap_or(&self.first)
    }

    /// The costs of all these steps.
    pub(super) fn list(&self, steps: usize) -> Vec<&C> {
        (0..steps).map(|step| self.get(step)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_costs_are_stored_once() {
        let mut costs = StepCosts::NONE;
        for (before, (cost, stored)) in [(7, 0), (7, 0), (8, 3), (7, 4)].into_iter().enumerate() {
            costs.push(cost, before);
            assert_eq!(costs.each.len(), stored);
        }
        assert!((0..4).map(|step| *costs.get(step)).eq([7, 7, 8, 7]));
        assert_eq!(costs, StepCosts::new([7, 7, 8, 7].into_iter(), false));
        let mut equal = StepCosts::NONE;
        equal.push(5_u8, 0);
        equal.push(5, 1);
        assert_eq!(equal, StepCosts::new([5, 5].into_iter(), true));
        assert_eq!(StepCosts::<u8>::NONE, StepCosts::new([].into_iter(), true));
    }
}
