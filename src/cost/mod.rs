//! [`Cost`]: the cost of a step; any primitive number, or your own type.

mod criteria;
mod duration;
mod halves;
#[cfg(feature = "ordered-float")]
mod ordered_float;
mod packed;
mod pair;
mod scale;

pub use criteria::Criteria;
pub(crate) use criteria::sealed::Sealed as ByCriterion;
pub use halves::HalvableCost;
pub use packed::PackedCost;
pub use scale::ScalableCost;

use std::fmt::Debug;

use num_traits::{
    AsPrimitive, CheckedAdd, CheckedSub, ConstZero, Float, FromPrimitive, ToPrimitive,
};

/// The cost of a step and of a path. Engines add costs and compare them.
///
/// Implemented for `u8` to `u128`, `usize`, `i8` to `i128`, `isize`, `f32` and `f64`, and for arrays of them
/// (costs of several [`Criteria`]); for [`Duration`](std::time::Duration); for pairs `(A, B)` of costs, in
/// lexicographic order; and with the feature `ordered-float` for `OrderedFloat<f32>` and `OrderedFloat<f64>`.
/// (`NotNan` cannot implement this trait, because its values cannot be constants. Write
/// `OrderedFloat(cost.into_inner())`.) The cost of a
/// step must not be negative: a search that meets a negative cost or a NaN ends with a
/// [`SearchError`](crate::SearchError) that contains the values. Addition neither wraps nor
/// saturates: a sum that does not fit into the type is an error, too.
///
/// # The largest cost
///
/// [`INFINITY`](Self::INFINITY) has a special meaning only as a heuristic value: no goal can be reached. As a cost, it
/// is simply the largest one:
///
/// - **A start, a step and a sum** may have this cost if [`checked_add`](Self::checked_add) returns such a sum, as it
///   does for integers: a path of cost `u8::MAX` is a path, and its *f* is no dead end. (For floats no sum is infinite,
///   so an infinite start or step does not fit.)
/// - **A sum that does not fit** excludes that path. If some state is reachable only by such paths, and no path to a
///   goal is found, the search ends with [`SearchError::Overflow`](crate::SearchError::Overflow) instead of
///   [`Outcome::Exhausted`](crate::Outcome::Exhausted), which is a proof.
/// - **A heuristic** must return less than this if a goal can be reached, even where its estimate is that large.
///   Pattern databases and landmarks do so.
/// - **A lower bound** of `INFINITY` means that no solution costs less: there is none, or one of that cost.
///
/// # Floats
///
/// A sum of *n* floats may be wrong by a part of about *n* · 2⁻⁵³ (`f32`: *n* · 2⁻²⁴). Differences of up to 10⁻⁹ (`f32`: 10⁻⁴) are
/// taken for rounding, as by [`exceeds`](Self::exceeds), and ready heuristics are less by that part. So `f32` is for paths of up to
/// some 1,700 steps. On longer ones the errors may be larger: a search by *h* may then miss a path that is cheaper by as much, or
/// report a lower bound of zero. Use `f64` or integers there.
///
/// # Your own cost type
///
/// These need more than this trait:
///
/// | trait | needed by |
/// |---|---|
/// | [`ScalableCost`] | [`AStar::weight`](crate::AStar::weight), [`AnytimeAStar`](crate::AnytimeAStar), [`Focal`](crate::Focal), [`BoundedCost`](crate::BoundedCost), [`Alternatives`](crate::Alternatives), [`Report::suboptimality`](crate::Report::suboptimality), [landmarks](crate::heuristics::Landmarks) |
/// | [`HalvableCost`] | [`Bidirectional`](crate::Bidirectional) by BAE*, the default |
/// | [`PackedCost`] | [`Dijkstra::costs_only`](crate::Dijkstra::costs_only), [`AStar::costs_only`](crate::AStar::costs_only) |
///
/// A type qualifies if it is ordered, has a zero and an addition, and if addition keeps the order: if *a ≤ b*, then
/// *a + c ≤ b + c*, and where *a + c* does not fit into the type, *b + c* does not, either.
///
/// **Of pairs, arrays and the type below, no part but the first may overflow.** Into a pair of `u8`, (1, 250) + (0, 10) does not
/// fit, and (2, 0) + (0, 10) does. A search that reaches a state at both costs keeps the smaller one, and misses the path
/// that fits: it may report a dearer path as optimal, or [`SearchError::Overflow`](crate::SearchError::Overflow). Nothing checks
/// this; choose parts that hold every sum. ([`Pareto`](crate::Pareto), which compares all criteria, ends with that error where
/// such a path may be missing.)
///
/// The following cost minimizes the toll of a route, and the time among routes with equal toll:
///
/// ```
/// use bestfirst::{Cost, Successors, SearchProblem};
///
/// #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
/// struct TollThenTime(u32, u32); // derived order: the toll first, the time among equal tolls
///
/// impl Cost for TollThenTime {
///     const ZERO: Self = TollThenTime(0, 0);
///     const INFINITY: Self = TollThenTime(u32::MAX, u32::MAX);
///
///     fn checked_add(self, other: Self) -> Option<Self> {
///         Some(TollThenTime(self.0.checked_add(other.0)?, self.1.checked_add(other.1)?))
///     }
/// }
///
/// struct Roads;
///
/// impl SearchProblem for Roads {
///     type State = u8;
///     type Action = ();
///     type Cost = TollThenTime;
///
///     fn successors(&self, &town: &u8, next: &mut Successors<Self>) {
///         if town == 0 {
///             next.push((), 3, TollThenTime(5, 10)); // the motorway
///             next.push((), 1, TollThenTime(0, 20));
///         } else if town < 3 {
///             next.push((), town + 1, TollThenTime(0, 20));
///         }
///     }
///
///     fn is_goal(&self, &town: &u8) -> bool {
///         town == 3
///     }
/// }
///
/// let report = bestfirst::dijkstra(&Roads, 0)?;
/// assert_eq!(report.cost(), Some(TollThenTime(0, 60)));
/// # Ok::<(), bestfirst::SearchError<TollThenTime>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a cost",
    label = "this type cannot be the cost of a step",
    note = "costs are the primitive integers and floats, `std::time::Duration`, pairs `(A, B)` of costs, and for several criteria arrays of costs",
    note = "with the feature `ordered-float`: `OrderedFloat<f32>` and `OrderedFloat<f64>`, but not `NotNan`",
    note = "for a type of your own: derive `Clone, Copy, Debug, PartialEq, PartialOrd`, and implement `ZERO`, `INFINITY` and `checked_add`"
)]
pub trait Cost: Copy + Debug + PartialOrd {
    /// The cost of a path without steps.
    const ZERO: Self;

    /// The largest value of an integer type, the infinity of a float type; see [the largest cost](Cost#the-largest-cost).
    const INFINITY: Self;

    /// Returns the sum, or `None` if it does not fit into the type. For floats, an infinite sum is `None`, too.
    #[must_use]
    fn checked_add(self, other: Self) -> Option<Self>;

    /// Returns `self - other`, where `other` is a part of `self`: *(a + b) − a* is *b*. `None`, the default, if that is
    /// not exact, as with floats. A search then computes the costs of steps again when it builds a path.
    #[inline]
    #[must_use]
    fn checked_sub(self, other: Self) -> Option<Self> {
        let _ = other;
        None
    }

    /// Whether the cost is larger than `other` by more than rounding errors. Sums of floats in different orders
    /// differ slightly: a relative difference of up to 10⁻⁹ (`f32`: 10⁻⁴) is ignored.
    #[inline]
    #[must_use]
    fn exceeds(self, other: Self) -> bool {
        self > other
    }

    /// Whether the cost is a number (not NaN): it can be compared with zero and with itself. (In a tuple or an array,
    /// the parts before a NaN may decide the comparison with zero.) `OrderedFloat` overrides it, since its order
    /// includes NaN.
    #[inline]
    #[must_use]
    fn is_number(self) -> bool {
        self.partial_cmp(&Self::ZERO).is_some() && self.partial_cmp(&self).is_some()
    }

    /// Whether the cost is valid for a step: a number and not negative. (With several criteria, each must be.)
    #[inline]
    #[must_use]
    fn is_step(self) -> bool {
        self >= Self::ZERO && self.is_number()
    }

    /// Returns the cost as a small integer: the index of its bucket in a
    /// [`BucketQueue`](crate::frontier::BucketQueue). It must agree with the order: *a < b* if and only
    /// if `a.to_bucket() < b.to_bucket()`. `None`, the default, means that costs can only be compared;
    /// the open list is then a heap.
    #[inline]
    #[must_use]
    fn to_bucket(self) -> Option<usize> {
        None
    }

    /// Returns the cost with this bucket, or `None` if there is none: the inverse of [`to_bucket`](Self::to_bucket).
    #[inline]
    #[must_use]
    fn from_bucket(bucket: usize) -> Option<Self> {
        let _ = bucket;
        None
    }

    /// The number of bits of a bucket index, if every cost has one and can be restored from it: a
    /// [`BucketQueue`](crate::frontier::BucketQueue) then holds no code for costs without a bucket. `None` by default.
    const BUCKET_BITS: Option<u32> = None;

    /// Returns what part of *f* this *h* is, as a cost whose bucket has few bits: A\* orders states of equal *f* by it
    /// ([`ByF`](crate::engine::ByF)), so that an entry of its heap is one word, of 64 or 128 bits. It must not be larger for a smaller
    /// *h* of the same *f*. `None`, the default: they are ordered by *h*. For `f32` and `f64` it is a multiple of 2⁻¹⁵.
    #[inline]
    #[must_use]
    fn part_of(self, f: Self) -> Option<Self> {
        let _ = f;
        None
    }

    /// Returns the cost whose `to_bucket` is `bucket`, which is that of a cost. By default, this is what `from_bucket` says;
    /// a type whose every cost has a bucket can leave out the check.
    #[inline]
    #[must_use]
    fn restored(bucket: usize) -> Self {
        Self::from_bucket(bucket).unwrap_or(Self::INFINITY)
    }
}

macro_rules! integer_costs {
    ($($int:ty)*) => {$(
        impl Cost for $int {
            const ZERO: Self = <$int as ConstZero>::ZERO;
            const INFINITY: Self = <$int>::MAX;

            #[inline]
            fn is_number(self) -> bool {
                true
            }

            #[inline]
            fn checked_add(self, other: Self) -> Option<Self> {
                CheckedAdd::checked_add(&self, &other)
            }

            #[inline]
            fn checked_sub(self, other: Self) -> Option<Self> {
                CheckedSub::checked_sub(&self, &other)
            }

            #[inline]
            fn to_bucket(self) -> Option<usize> {
                ToPrimitive::to_usize(&self)
            }

            #[inline]
            fn from_bucket(bucket: usize) -> Option<Self> {
                FromPrimitive::from_usize(bucket)
            }

            const BUCKET_BITS: Option<u32> =
                if <$int>::MIN == 0 && <$int>::BITS <= usize::BITS { Some(<$int>::BITS) } else { None };

            #[inline]
            fn restored(bucket: usize) -> Self {
                bucket.as_()
            }
        }
    )*};
}

/// The number of parts of an *f*: the most that takes 15 bits.
const PARTS: u16 = (1 << 15) - 1;

macro_rules! float_costs {
    ($($float:ty, $tolerance:literal;)*) => {$(
        impl Cost for $float {
            const ZERO: Self = <$float as ConstZero>::ZERO;
            const INFINITY: Self = <$float>::INFINITY;

            #[inline]
            fn is_number(self) -> bool {
                !Float::is_nan(self)
            }

            #[inline]
            fn is_step(self) -> bool {
                self >= 0.0
            }

            #[inline]
            fn checked_add(self, other: Self) -> Option<Self> {
                let sum = self + other;
                // NaN is not an error here: engines check the cost of a step before they add it.
                (!Float::is_infinite(sum)).then_some(sum)
            }

            #[inline]
            fn exceeds(self, other: Self) -> bool {
                self - other > Float::abs(other) * $tolerance
            }

            /// The bits of non-negative floats are ordered like the floats.
            #[inline]
            fn to_bucket(self) -> Option<usize> {
                // Adding zero turns −0.0 into 0.0. NaN fails the comparison.
                if self >= 0.0 { (self + 0.0).to_bits().to_usize() } else { None }
            }

            #[inline]
            fn from_bucket(bucket: usize) -> Option<Self> {
                FromPrimitive::from_usize(bucket).map(<$float>::from_bits)
            }

            #[inline]
            fn part_of(self, f: Self) -> Option<Self> {
                // Of zero, and of what is no cost, it is not a number, which becomes 0.
                let part: u32 = (self / f * <$float>::from(PARTS)).as_();
                Some(<$float>::from_bits(part.into()))
            }

            #[inline]
            fn restored(bucket: usize) -> Self {
                <$float>::from_bits(bucket.as_())
            }
        }
    )*};
}

integer_costs!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
float_costs!(f32, 1e-4; f64, 1e-9;);

/// Returns the bucket of a cost if the cost can be restored from it: a queue stores only the bucket.
#[inline]
pub(crate) fn bucket_of<C: Cost>(cost: C) -> Option<usize> {
    match cost.to_bucket() {
        Some(bucket) if C::from_bucket(bucket) == Some(cost) => Some(bucket),
        _ => None,
    }
}

/// Returns the larger of two costs; the first if they are equal.
#[inline]
pub(crate) fn larger<C: PartialOrd>(a: C, b: C) -> C {
    if b > a { b } else { a }
}

/// Returns the smaller of two costs; the first if they are equal.
#[inline]
pub(crate) fn smaller<C: PartialOrd>(a: C, b: C) -> C {
    if b < a { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_do_not_wrap() {
        assert_eq!(Cost::checked_add(250_u8, 5), Some(255));
        assert_eq!(Cost::checked_add(250_u8, 6), None);
        assert_eq!(Cost::checked_add(i32::MAX, 1), None);
        assert_eq!(Cost::checked_add(u128::MAX, 1), None);
    }

    #[test]
    fn floats_do_not_become_infinite() {
        assert_eq!(Cost::checked_add(1.5, 2.0), Some(3.5));
        assert_eq!(Cost::checked_add(f64::MAX, f64::MAX), None);
        assert_eq!(Cost::checked_add(1.0_f32, f32::INFINITY), None);
    }

    #[test]
    fn buckets_keep_the_order_of_integers() {
        assert_eq!(7_u16.to_bucket(), Some(7));
        assert_eq!(u16::from_bucket(7), Some(7));
        assert_eq!(u8::from_bucket(256), None);
        assert_eq!((-1_i16).to_bucket(), None);
        assert_eq!(u128::MAX.to_bucket(), None);
        for cost in [0.0, 1.5, f64::MAX, f64::INFINITY] {
            assert_eq!(cost.to_bucket().and_then(f64::from_bucket), Some(cost));
        }
        assert!(1.5_f32.to_bucket() < 1.500_1_f32.to_bucket());
        assert_eq!((-0.0_f64).to_bucket(), Some(0));
        assert_eq!((f32::NAN.to_bucket(), (-1.0_f32).to_bucket()), (None, None));
    }

    #[test]
    fn only_rounding_errors_are_ignored() {
        assert!(8_u32.exceeds(7) && !7_u32.exceeds(7) && !6_u32.exceeds(7));
        assert!((-1_i8).exceeds(-2) && !(-2_i8).exceeds(-1));
        let (sum, rounded) = (0.1 + 0.2, 0.3);
        assert!(sum > rounded && !sum.exceeds(rounded) && !rounded.exceeds(sum));
        assert!(1.000_001.exceeds(1.0) && !1.0.exceeds(1.000_001));
        assert!(0.001_f32.exceeds(0.0) && !0.0_f32.exceeds(0.0));
        assert!((-1.0).exceeds(-1.1) && !(-1.1).exceeds(-1.0));
        assert!(f64::INFINITY.exceeds(f64::MAX) && !f64::NAN.exceeds(1.0));
    }

    #[test]
    fn of_equal_costs_the_first_is_returned() {
        let is_negative = |zero: f64| zero.is_sign_negative();
        assert!(is_negative(larger(-0.0, 0.0)) && !is_negative(larger(0.0, -0.0)));
        assert!(is_negative(smaller(-0.0, 0.0)) && !is_negative(smaller(0.0, -0.0)));
        assert_eq!((larger(3, 5), larger(5, 3), smaller(3, 5), smaller(5, 3)), (5, 5, 3, 3));
    }

    #[test]
    fn only_costs_that_can_be_restored_have_a_bucket() {
        /// Integers; `from_bucket` rounds odd ones down.
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        struct Coarse(usize);
        impl Cost for Coarse {
            const ZERO: Self = Self(0);
            const INFINITY: Self = Self(usize::MAX);
            fn checked_add(self, other: Self) -> Option<Self> {
                self.0.checked_add(other.0).map(Self)
            }
            fn to_bucket(self) -> Option<usize> {
                Some(self.0)
            }
            fn from_bucket(bucket: usize) -> Option<Self> {
                Some(Self(bucket & !1))
            }
        }
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        struct Ordered(u8);
        impl Cost for Ordered {
            const ZERO: Self = Self(0);
            const INFINITY: Self = Self(u8::MAX);
            fn checked_add(self, other: Self) -> Option<Self> {
                self.0.checked_add(other.0).map(Self)
            }
        }
        assert_eq!(
            (bucket_of(7_u8), bucket_of(0_i64), bucket_of(-1_i64)),
            (Some(7), Some(0), None)
        );
        assert_eq!((bucket_of(Coarse(4)), bucket_of(Coarse(5))), (Some(4), None));
        assert_eq!((Ordered(3).to_bucket(), Ordered::from_bucket(3)), (None, None));
        assert!(Ordered(3).exceeds(Ordered(2)) && !Ordered(3).exceeds(Ordered(3)));
    }
}
