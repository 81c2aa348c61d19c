//! The order of a search by several criteria.

use crate::cost::Criteria;
use crate::engine::Order;
use crate::frontier::Lexicographic;

/// The smallest *f* first: by the first criterion, among equals by the second, and so on. A label improves on
/// another if that does not dominate it.
#[derive(Clone, Copy, Debug)]
pub struct ByCriteria<C> {
    /// The least that paths cost by each criterion that were left out because their costs do not fit into their
    /// type, if there are any.
    left_out: Option<C>,
}

impl<C: Criteria> ByCriteria<C> {
    pub(super) fn new() -> Self {
        Self { left_out: None }
    }

    /// What no path that was left out costs less than by any criterion.
    pub(super) fn left_out(&self) -> Option<C> {
        self.left_out
    }
}

impl<C: Criteria> Order<C> for ByCriteria<C> {
    type Key = Lexicographic<C>;
    const IS_BY_F: bool = true;
    const KEEPS_LABELS: bool = true;

    #[inline]
    fn key(&self, _g: C, _h: C, f: C) -> Lexicographic<C> {
        Lexicographic(f)
    }

    /// The cost of a label never changes.
    #[inline]
    fn is_current(&self, _key: Lexicographic<C>, _g: C, _h: C, _f: C) -> bool {
        true
    }

    #[inline]
    fn f_of(&self, key: Lexicographic<C>) -> Option<C> {
        Some(key.0)
    }

    #[inline]
    fn improves(&self, g: C, known: C) -> bool {
        !known.dominates(g)
    }

    #[cold]
    fn leave_out(&mut self, g: C, added: C) {
        let cost = g.saturating_add(added);
        self.left_out = Some(self.left_out.map_or(cost, |least| least.least(cost)));
    }

    fn restart(&mut self) {
        self.left_out = None;
    }
}
