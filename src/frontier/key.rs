//! [`Key`]: the sort key of an open state.

use std::fmt::Debug;

use crate::cost::{Cost, Criteria, bucket_of};

/// The sort key of a frontier's entries.
///
/// Implemented by [`Priority`] and [`Single`] for any [`Cost`], by [`Lexicographic`] for costs of several
/// [`Criteria`], and by [`ByOrd`] for anything that is
/// [`Ord`]. Your own key defines which of two entries comes first. If it also converts to integers
/// with the same order, a [`BucketQueue`](super::BucketQueue) keeps it in buckets; otherwise the queue is a
/// heap.
///
/// # Example
///
/// A\* that compares *f* only and leaves ties to the frontier:
///
/// ```
/// use bestfirst::engine::Order;
/// use bestfirst::frontier::Key;
/// use bestfirst::{AStar, FnProblem};
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct OnlyF(u32);
///
/// impl Key for OnlyF {
///     fn precedes(&self, other: &Self) -> bool {
///         self.0 < other.0
///     }
///
///     fn to_buckets(self) -> Option<(usize, usize)> {
///         Some((self.0 as usize, 0))
///     }
///
///     fn from_buckets(first: usize, _second: usize) -> Option<Self> {
///         u32::try_from(first).ok().map(Self)
///     }
/// }
///
/// #[derive(Debug)]
/// struct ByFOnly;
///
/// impl Order<u32> for ByFOnly {
///     type Key = OnlyF;
///     const IS_BY_F: bool = true;
///
///     fn key(&self, _g: u32, _h: u32, f: u32) -> OnlyF {
///         OnlyF(f)
///     }
/// }
///
/// let problem = FnProblem::new(|&n: &u32| [(n + 1, 1_u32), (n * 2, 3)], |_: &u32| 0, |&n| n == 40);
/// let report = AStar::new(&problem).order(ByFOnly).search(1).run()?;
/// assert_eq!(report.cost(), Some(13)); // 1, 2, 3, 4, 5, doubled three times
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub trait Key: Copy + PartialEq + Debug {
    /// Whether this key comes before the other. Of equal keys neither does.
    fn precedes(&self, other: &Self) -> bool;

    /// Returns the key as two integers with the same lexicographic order, or `None`, the default, if there are none.
    #[inline]
    fn to_buckets(self) -> Option<(usize, usize)> {
        None
    }

    /// The inverse of `to_buckets`. Returns `None`, the default, if `to_buckets` does.
    #[inline]
    #[must_use]
    fn from_buckets(first: usize, second: usize) -> Option<Self> {
        let _ = (first, second);
        None
    }

    /// The maximum numbers of bits of the two integers, if every key is a pair of integers. With few bits, the code for
    /// larger keys is not compiled.
    const BITS: Option<(u32, u32)> = None;
}

/// Two costs in lexicographic order. A\*'s key is `(f, h)`, or with floats `f` and what part of it *h* is
/// ([`Cost::part_of`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Priority<C> {
    /// The primary cost.
    pub first: C,
    /// The tie breaker.
    pub second: C,
}

impl<C: Cost> Key for Priority<C> {
    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "no branches: a mispredicted comparison costs more than both comparisons"
    )]
    fn precedes(&self, other: &Self) -> bool {
        (self.first < other.first) | ((self.first == other.first) & (self.second < other.second))
    }

    #[inline]
    fn to_buckets(self) -> Option<(usize, usize)> {
        Some((bucket_of(self.first)?, bucket_of(self.second)?))
    }

    #[inline]
    fn from_buckets(first: usize, second: usize) -> Option<Self> {
        // Both come from `to_buckets`, which returns only costs that can be restored.
        Some(Self { first: C::restored(first), second: C::restored(second) })
    }

    const BITS: Option<(u32, u32)> = match C::BUCKET_BITS {
        Some(bits) => Some((bits, bits)),
        None => None,
    };
}

/// One cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Single<C>(pub C);

impl<C: Cost> Key for Single<C> {
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        self.0 < other.0
    }

    #[inline]
    fn to_buckets(self) -> Option<(usize, usize)> {
        Some((bucket_of(self.0)?, 0))
    }

    #[inline]
    fn from_buckets(first: usize, _second: usize) -> Option<Self> {
        Some(Self(C::restored(first)))
    }

    const BITS: Option<(u32, u32)> = match C::BUCKET_BITS {
        Some(bits) => Some((bits, 0)),
        None => None,
    };
}

/// A cost of several criteria, in lexicographic order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lexicographic<C>(pub C);

impl<C: Criteria> Key for Lexicographic<C> {
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        self.0 < other.0
    }

    #[inline]
    fn to_buckets(self) -> Option<(usize, usize)> {
        match C::COUNT {
            1 => Some((bucket_of(self.0.criterion(0))?, 0)),
            2 => Some((bucket_of(self.0.criterion(0))?, bucket_of(self.0.criterion(1))?)),
            _ => None,
        }
    }

    #[inline]
    fn from_buckets(first: usize, second: usize) -> Option<Self> {
        let cost = C::ZERO.with_criterion(0, C::Each::restored(first));
        Some(Self(if C::COUNT == 1 {
            cost
        } else {
            cost.with_criterion(1, C::Each::restored(second))
        }))
    }

    const BITS: Option<(u32, u32)> = match (C::COUNT, C::Each::BUCKET_BITS) {
        (1, Some(bits)) => Some((bits, 0)),
        (2, Some(bits)) => Some((bits, bits)),
        _ => None,
    };
}

/// An estimate and a cost, in lexicographic order. The estimate is an `f32`, so that for small costs the bits of both
/// fit into one word of a heap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio<C> {
    first: f32,
    pub(crate) second: C,
}

impl<C: Cost> Ratio<C> {
    /// Creates a key. The estimate is rounded; a negative one or NaN counts as zero.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "an estimate need not be exact")]
    pub fn new(estimate: f64, cost: C) -> Self {
        // Of a NaN and a number, `max` returns the number.
        Self { first: (estimate as f32).max(0.0), second: cost }
    }

    /// Returns the rounded estimate.
    #[inline]
    pub(crate) fn estimate(self) -> f32 {
        self.first
    }
}

impl<C: Cost> Key for Ratio<C> {
    #[inline]
    #[expect(clippy::float_cmp, reason = "equal floats are those of equal bits")]
    fn precedes(&self, other: &Self) -> bool {
        self.first < other.first || (self.first == other.first && self.second < other.second)
    }

    #[inline]
    fn to_buckets(self) -> Option<(usize, usize)> {
        Some((bucket_of(self.first)?, bucket_of(self.second)?))
    }

    #[inline]
    fn from_buckets(first: usize, second: usize) -> Option<Self> {
        Some(Self { first: f32::restored(first), second: C::restored(second) })
    }
}

/// A key by [`Ord`]; the smallest comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByOrd<K>(pub K);

impl<K: Ord + Copy + Debug> Key for ByOrd<K> {
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        self.0 < other.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cost_decides_and_then_the_second() {
        fn key<C>(first: C, second: C) -> Priority<C> {
            Priority { first, second }
        }
        assert!(key(3_u32, 9).precedes(&key(4, 1)) && !key(4_u32, 1).precedes(&key(3, 9)));
        assert!(key(4_u32, 1).precedes(&key(4, 2)) && !key(4_u32, 2).precedes(&key(4, 2)));
        assert!(key(1.5, 0.0).precedes(&key(1.5, 0.5)) && !Single(7_u8).precedes(&Single(7)));
        assert!(ByOrd("a").precedes(&ByOrd("b")) && !ByOrd("b").precedes(&ByOrd("a")));
    }

    #[test]
    fn numbers_are_turned_back() {
        let key = Priority { first: 7_u16, second: 3 };
        assert_eq!(key.to_buckets(), Some((7, 3)));
        assert_eq!(Priority::<u16>::from_buckets(7, 3), Some(key));
        assert_eq!(Single(9_u8).to_buckets(), Some((9, 0)));
        assert_eq!(Single::<u8>::from_buckets(9, 0), Some(Single(9)));
        let key = Priority { first: 0.5_f32, second: 0.25 };
        let (first, second) = key.to_buckets().unwrap();
        assert_eq!(Priority::from_buckets(first, second), Some(key));
        assert_eq!(Priority { first: f64::NAN, second: 0.0 }.to_buckets(), None);
        assert_eq!(Priority { first: 1_i8, second: -1 }.to_buckets(), None);
        assert_eq!((ByOrd(1).to_buckets(), ByOrd::<u8>::from_buckets(1, 1)), (None, None));
    }
}
