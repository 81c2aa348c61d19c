//! [`Similar`]: what an alternative has to be.

use crate::cost::Cost;
use crate::engine::{ByG, Order};
use crate::frontier::Single;

/// The order of the trees, smallest *g* first, and what an alternative has to be; used by
/// [`Alternatives`](crate::Alternatives).
#[derive(Clone, Copy, Debug)]
pub struct Similar {
    /// The part of the cheapest path that may be shared with those before.
    pub(super) sharing: f64,
    /// By what part a detour may be dearer than what it goes round.
    pub(super) stretch: f64,
    /// Parts of a path that cost less than this part of the cheapest path are cheapest paths themselves.
    pub(super) locality: f64,
}

impl Similar {
    pub(super) const fn new() -> Self {
        Self { sharing: 0.8, stretch: 0.25, locality: 0.25 }
    }
}

impl<C: Cost> Order<C> for Similar {
    type Key = Single<C>;
    const IS_BY_F: bool = true;
    const USES_H: bool = false;

    #[inline]
    fn key(&self, g: C, h: C, f: C) -> Single<C> {
        ByG.key(g, h, f)
    }

    #[inline]
    fn is_current(&self, key: Single<C>, g: C, h: C, f: C) -> bool {
        ByG.is_current(key, g, h, f)
    }
}
