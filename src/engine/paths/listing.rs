//! [`Listing`]: the order of a search for more than one path.

use crate::cost::Cost;
use crate::engine::Order;
use crate::report::SearchError;

/// The order `R` of the search, which paths are listed, and which count as one; used by [`KBest`](crate::KBest) and
/// [`AllOptimal`](crate::AllOptimal).
#[derive(Clone, Copy, Debug, Default)]
pub struct Listing<R> {
    order: R,
    /// Whether paths that repeat a state are excluded.
    pub(super) is_simple: bool,
    /// Whether paths by way of the same states count as one: of parallel steps, the cheapest is kept.
    pub(super) is_by_states: bool,
}

impl<R> Listing<R> {
    pub(super) fn new(order: R) -> Self {
        Self { order, is_simple: false, is_by_states: false }
    }

    /// Replaces the order.
    pub(super) fn with_order<N>(self, order: N) -> Listing<N> {
        let Self { is_simple, is_by_states, .. } = self;
        Listing { order, is_simple, is_by_states }
    }
}

impl<C: Cost, R: Order<C>> Order<C> for Listing<R> {
    type Key = R::Key;
    const IS_BY_F: bool = R::IS_BY_F;
    const USES_H: bool = R::USES_H;

    #[inline]
    fn key(&self, g: C, h: C, f: C) -> R::Key {
        self.order.key(g, h, f)
    }

    #[inline]
    fn is_current(&self, key: R::Key, g: C, h: C, f: C) -> bool {
        self.order.is_current(key, g, h, f)
    }

    #[inline]
    fn h_of(&self, key: R::Key) -> Option<C> {
        self.order.h_of(key)
    }

    fn validate(&self) -> Result<(), SearchError<C>> {
        self.order.validate()
    }
}
