//! The order of a multi-criteria search.

use crate::cost::Criteria;
use crate::engine::Order;
use crate::frontier::Lexicographic;

/// The smallest *f* first, in lexicographic order of the criteria.
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
