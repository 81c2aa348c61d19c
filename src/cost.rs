//! What a step costs: [`Cost`], for every primitive number and open for types of your own.

use std::fmt::Debug;

use num_traits::{CheckedAdd, ConstZero, Float, FromPrimitive, ToPrimitive};

/// A number that steps cost and that engines add up and compare.
///
/// Implemented for `u8` to `u128`, `usize`, `i8` to `i128`, `isize`, `f32` and `f64`. Costs of steps
/// must not be negative: an engine that meets a negative step, or a NaN, ends with a
/// [`SearchError`](crate::SearchError) that carries the numbers. Addition never wraps and never
/// saturates: a sum that the type cannot hold is noticed.
///
/// # A cost of your own
///
/// Anything ordered that has a zero and can be added will do, as long as adding keeps the order
/// (`a ≤ b` gives `a + c ≤ b + c`). Here a route should pay as little toll as possible and, among
/// those, take as little time as possible:
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
pub trait Cost: Copy + Debug + PartialOrd {
    /// The cost of doing nothing.
    const ZERO: Self;

    /// Says in a heuristic that no goal can be reached. For integers it is the largest value.
    const INFINITY: Self;

    /// The sum, or `None` where the type cannot hold it. For floats, an infinite sum is `None` too.
    #[must_use]
    fn checked_add(self, other: Self) -> Option<Self>;

    /// Whether it is larger than `other` by more than rounding can explain. Floats that were added up
    /// in another order differ a little; a billionth (of `f32`, a ten-thousandth) is overlooked.
    #[inline]
    #[must_use]
    fn exceeds(self, other: Self) -> bool {
        self > other
    }

    /// The cost as a small natural number, by which a
    /// [`BucketQueue`](crate::frontier::BucketQueue) may file it. It must agree with the order:
    /// `a < b` exactly if `a.to_bucket() < b.to_bucket()`. `None`, the default, says that the type
    /// can only be compared, and the queue then is a heap.
    #[inline]
    #[must_use]
    fn to_bucket(self) -> Option<usize> {
        None
    }

    /// The cost that [`to_bucket`](Self::to_bucket) made `bucket` of; `None` where it makes none.
    #[inline]
    #[must_use]
    fn from_bucket(bucket: usize) -> Option<Self> {
        let _ = bucket;
        None
    }
}

macro_rules! integer_costs {
    ($($int:ty)*) => {$(
        impl Cost for $int {
            const ZERO: Self = <$int as ConstZero>::ZERO;
            const INFINITY: Self = <$int>::MAX;

            #[inline]
            fn checked_add(self, other: Self) -> Option<Self> {
                CheckedAdd::checked_add(&self, &other)
            }

            #[inline]
            fn to_bucket(self) -> Option<usize> {
                ToPrimitive::to_usize(&self)
            }

            #[inline]
            fn from_bucket(bucket: usize) -> Option<Self> {
                FromPrimitive::from_usize(bucket)
            }
        }
    )*};
}

macro_rules! float_costs {
    ($($float:ty, $overlooked:literal;)*) => {$(
        impl Cost for $float {
            const ZERO: Self = <$float as ConstZero>::ZERO;
            const INFINITY: Self = <$float>::INFINITY;

            #[inline]
            fn checked_add(self, other: Self) -> Option<Self> {
                let sum = self + other;
                // NaN passes on: the check of the step has named it by then.
                (!Float::is_infinite(sum)).then_some(sum)
            }

            #[inline]
            fn exceeds(self, other: Self) -> bool {
                self - other > Float::abs(other) * $overlooked
            }
        }
    )*};
}

integer_costs!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
float_costs!(f32, 1e-4; f64, 1e-9;);

/// The bucket of a cost, if it makes the cost again: a queue keeps the bucket only.
#[inline]
pub(crate) fn bucket_of<C: Cost>(cost: C) -> Option<usize> {
    cost.to_bucket().filter(|&bucket| C::from_bucket(bucket) == Some(cost))
}

/// The larger of two comparable costs, the first where they are equal.
#[inline]
pub(crate) fn larger<C: PartialOrd>(a: C, b: C) -> C {
    if b > a { b } else { a }
}

/// The smaller of two comparable costs, the first where they are equal.
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
        assert_eq!(1.0_f64.to_bucket(), None);
    }
    #[test]
    fn rounding_is_overlooked_and_no_more() {
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
    fn of_equals_the_first_is_taken() {
        let is_negative = |zero: f64| zero.is_sign_negative();
        assert!(is_negative(larger(-0.0, 0.0)) && !is_negative(larger(0.0, -0.0)));
        assert!(is_negative(smaller(-0.0, 0.0)) && !is_negative(smaller(0.0, -0.0)));
        assert_eq!((larger(3, 5), larger(5, 3), smaller(3, 5), smaller(5, 3)), (5, 5, 3, 3));
    }

    #[test]
    fn only_costs_that_can_be_made_again_have_a_bucket() {
        /// Whole numbers, of which odd ones are rounded down on their way back.
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
