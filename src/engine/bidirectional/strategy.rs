//! [`Strategy`]: the algorithms of search from both ends, [`Bae`], [`Nbs`] and [`UniformCost`].

use super::staged::StagedKey;
use crate::cost::{Cost, HalvableCost, bucket_of, larger};
use crate::engine::Order;
use crate::frontier::{Key, Priority, Single};

/// An algorithm of search from both ends: the order in which each half expands its states, and what the
/// least keys of both prove. This trait is sealed.
pub trait Strategy<C: Cost>: Order<C, Key: StagedKey<C>> + Clone + sealed::Sealed {
    /// Whether the heuristics are consistent, so that the cost of an expanded state is final.
    const IS_FINAL: bool;

    /// Whether keys depend on the heuristics of both directions.
    const LOOKS_BACK: bool = false;

    /// The [key](Order::key) of a state whose heuristic value in the opposite direction is `back`.
    #[inline]
    fn key_between(&self, g: C, h: C, f: C, back: C) -> Self::Key {
        let _ = back;
        self.key(g, h, f)
    }

    /// Whether two states are expanded at a time, one in each half.
    const EXPANDS_PAIRS: bool = false;

    /// A lower bound on the cost of every path by way of two open states with these keys, or any that do not
    /// precede them; `None` where the type cannot hold it.
    fn bound(&self, forward: Self::Key, backward: Self::Key) -> Option<C>;

    /// By what the costs of two paths from a start to a goal differ at least, if they differ; zero if it is
    /// not known.
    fn unit(&self) -> C;

    /// The same with that unit.
    #[must_use]
    fn with_unit(self, unit: C) -> Self;

    /// Whether no path is cheaper than one of this `cost`, where `bound` is proved.
    #[inline]
    fn proves(&self, bound: C, cost: C) -> bool {
        if cost <= bound {
            return true;
        }
        let unit = self.unit();
        // A cheaper path costs a unit less, and that is less than what is proved.
        unit > C::ZERO && bound.checked_add(unit).is_none_or(|sum| sum.exceeds(cost))
    }
}

mod sealed {
    pub trait Sealed {}
    impl<C> Sealed for super::Bae<C> {}
    impl<C> Sealed for super::Nbs<C> {}
    impl<C> Sealed for super::UniformCost<C> {}
}

/// BAE\*: each half expands the state with the smallest *2g + h − h'* next, where *h'* is the heuristic value
/// in the opposite direction. **Both heuristics must be consistent.**
///
/// Source: Sadhukhan, *A new approach to bidirectional heuristic search using error functions*, 2012;
/// Alcázar, Riddle and Barley, *A unifying view on individual bounds and heuristic inaccuracies in
/// bidirectional search*, 2020.
#[derive(Clone, Copy, Debug)]
pub struct Bae<C> {
    unit: C,
}

/// The key of [`Bae`]: half of *2g + h − h'*, and among equals *g*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BaeKey<C> {
    /// The half, rounded down.
    half: C,
    /// Whether it was rounded.
    is_odd: bool,
    g: C,
}

impl<C: Cost> Bae<C> {
    pub(super) fn new() -> Self {
        Self { unit: C::ZERO }
    }
}

impl<C: HalvableCost> Order<C> for Bae<C> {
    type Key = BaeKey<C>;

    #[inline]
    fn key(&self, g: C, h: C, f: C) -> BaeKey<C> {
        self.key_between(g, h, f, C::ZERO)
    }

    #[inline]
    fn is_current(&self, key: BaeKey<C>, g: C, _h: C, _f: C) -> bool {
        key.g == g
    }
}

impl<C: HalvableCost> Strategy<C> for Bae<C> {
    const IS_FINAL: bool = true;
    const LOOKS_BACK: bool = true;

    #[inline]
    fn key_between(&self, g: C, _h: C, f: C, back: C) -> BaeKey<C> {
        // 2g + h − h' is f + (g − h'), and g is not below h'.
        let (half, is_odd) = f.mean(g.minus(back));
        BaeKey { half, is_odd, g }
    }

    #[inline]
    fn bound(&self, forward: BaeKey<C>, backward: BaeKey<C>) -> Option<C> {
        let mut sum = forward.half.checked_add(backward.half)?;
        if forward.is_odd || backward.is_odd {
            // Half a grain, which is rounded up, or a whole one.
            sum = sum.checked_add(C::GRAIN)?;
        }
        Some(sum)
    }

    #[inline]
    fn unit(&self) -> C {
        self.unit
    }

    fn with_unit(self, unit: C) -> Self {
        Self { unit }
    }
}

impl<C: Cost> BaeKey<C> {
    /// 2g + h − h', if it can be turned back.
    #[inline]
    fn double(&self) -> Option<usize> {
        bucket_of(self.half)?.checked_mul(2)?.checked_add(usize::from(self.is_odd))
    }
}

/// Larger *g* are not kept in buckets.
const MOST_G: usize = 1 << 15;

/// Among equals, the larger *g* comes first: it is nearer to the other half.
impl<C: Cost> Key for BaeKey<C> {
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        if self.half != other.half {
            self.half < other.half
        } else if self.is_odd != other.is_odd {
            other.is_odd
        } else {
            self.g > other.g
        }
    }

    #[inline]
    fn to_buckets(self) -> Option<(usize, usize)> {
        Some((self.double()?, MOST_G.checked_sub(bucket_of(self.g)?)?))
    }

    #[inline]
    fn from_buckets(first: usize, second: usize) -> Option<Self> {
        let (half, g) = (C::restored(first / 2), C::restored(MOST_G - second));
        Some(Self { half, is_odd: first % 2 == 1, g })
    }
}

impl<C: Cost> StagedKey<C> for BaeKey<C> {
    #[inline]
    fn level(&self) -> Option<usize> {
        self.double()
    }
}

/// NBS: expands a pair of states, one in each half, with the least lower bound
/// *max(f, f', g + g' + ε)*, where *ε* is the least cost of a step. The heuristics need only be admissible.
///
/// It expands at most twice as many states as any algorithm must that is given the same heuristics, and
/// proves its answer in the same way.
///
/// Source: Chen, Holte, Zilles and Sturtevant, *Front-to-End Bidirectional Heuristic Search with
/// Near-Optimal Node Expansions*, 2017.
#[derive(Clone, Copy, Debug)]
pub struct Nbs<C> {
    least_step: C,
    unit: C,
}

/// The key of [`Nbs`]: *f* and then *g* while a state waits, *g* and then *f* once it may be expanded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NbsKey<C>(Priority<C>);

impl<C: Cost> Nbs<C> {
    pub(super) fn new() -> Self {
        Self { least_step: C::ZERO, unit: C::ZERO }
    }

    pub(super) fn with_least_step(self, least_step: C) -> Self {
        // No step costs less than zero.
        Self { least_step: larger(C::ZERO, least_step), ..self }
    }
}

impl<C: Cost> Order<C> for Nbs<C> {
    type Key = NbsKey<C>;

    #[inline]
    fn key(&self, g: C, _h: C, f: C) -> NbsKey<C> {
        NbsKey(Priority { first: f, second: g })
    }

    #[inline]
    fn is_current(&self, key: NbsKey<C>, g: C, _h: C, _f: C) -> bool {
        key.0.second == g
    }
}

impl<C: Cost> Strategy<C> for Nbs<C> {
    const IS_FINAL: bool = false;
    const EXPANDS_PAIRS: bool = true;

    #[inline]
    fn bound(&self, forward: NbsKey<C>, backward: NbsKey<C>) -> Option<C> {
        let (f, g) = (larger(forward.0.first, backward.0.first), forward.0.second);
        let sum = g.checked_add(backward.0.second)?.checked_add(self.least_step)?;
        Some(larger(f, sum))
    }

    #[inline]
    fn unit(&self) -> C {
        self.unit
    }

    fn with_unit(self, unit: C) -> Self {
        Self { unit, ..self }
    }
}

impl<C: Cost> Key for NbsKey<C> {
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        self.0.precedes(&other.0)
    }

    #[inline]
    fn to_buckets(self) -> Option<(usize, usize)> {
        self.0.to_buckets()
    }

    #[inline]
    fn from_buckets(first: usize, second: usize) -> Option<Self> {
        Priority::from_buckets(first, second).map(Self)
    }
}

impl<C: Cost> StagedKey<C> for NbsKey<C> {
    #[inline]
    fn threshold(&self) -> Option<C> {
        Some(self.0.first)
    }

    #[inline]
    fn turned(self) -> Self {
        Self(Priority { first: self.0.second, second: self.0.first })
    }
}

/// Dijkstra's algorithm from both ends: each half expands the state with the smallest *g* next, and the
/// heuristics are never asked.
///
/// Source: Nicholson, *Finding the shortest route between two points in a network*, 1966; Pohl,
/// *Bi-directional search*, 1971.
#[derive(Clone, Copy, Debug)]
pub struct UniformCost<C> {
    least_step: C,
    unit: C,
}

impl<C: Cost> UniformCost<C> {
    pub(super) fn new() -> Self {
        Self { least_step: C::ZERO, unit: C::ZERO }
    }

    pub(super) fn with_least_step(self, least_step: C) -> Self {
        // No step costs less than zero.
        Self { least_step: larger(C::ZERO, least_step), ..self }
    }
}

impl<C: Cost> Order<C> for UniformCost<C> {
    type Key = Single<C>;
    const USES_H: bool = false;

    #[inline]
    fn key(&self, g: C, _h: C, _f: C) -> Single<C> {
        Single(g)
    }

    #[inline]
    fn is_current(&self, key: Single<C>, g: C, _h: C, _f: C) -> bool {
        key.0 == g
    }
}

impl<C: Cost> Strategy<C> for UniformCost<C> {
    const IS_FINAL: bool = true;

    #[inline]
    fn bound(&self, forward: Single<C>, backward: Single<C>) -> Option<C> {
        forward.0.checked_add(backward.0)?.checked_add(self.least_step)
    }

    #[inline]
    fn unit(&self) -> C {
        self.unit
    }

    fn with_unit(self, unit: C) -> Self {
        Self { unit, ..self }
    }
}

impl<C: Cost> StagedKey<C> for Single<C> {
    #[inline]
    fn level(&self) -> Option<usize> {
        self.0.to_bucket()
    }
}
