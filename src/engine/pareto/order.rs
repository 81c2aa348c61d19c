//! The order of a search by several criteria.

use crate::cost::Criteria;
use crate::engine::Order;
use crate::frontier::Lexicographic;

/// The smallest *f* first: by the first criterion, among equals by the second, and so on.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByCriteria;

impl<C: Criteria> Order<C> for ByCriteria {
    type Key = Lexicographic<C>;
    const IS_BY_F: bool = true;

    #[inline]
    fn key(&self, _g: C, _h: C, f: C) -> Lexicographic<C> {
        Lexicographic(f)
    }
}
