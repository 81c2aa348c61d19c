//! [`ScalableCost`]: scalar costs. They can be multiplied by a weight, compared as a ratio, and subtracted.

use std::cmp::Ordering;

use num_traits::{FromPrimitive, ToPrimitive};

use crate::cost::Cost;

/// A cost that can be multiplied by a weight, for weighted A* and for
/// [`Report::suboptimality`](crate::Report::suboptimality), and that can be subtracted, for
/// [landmarks](crate::heuristics::Landmarks).
///
/// Implemented for all primitive numbers that are a [`Cost`], for [`Duration`](std::time::Duration), for
/// [`Length`](crate::problems::grid_map::Length), and with the feature `ordered-float` for `OrderedFloat`. Pairs and arrays
/// cannot be scaled.
///
/// ```
/// use bestfirst::ScalableCost;
///
/// assert_eq!(7_u32.scale(1.5), Some(10)); // rounded down
/// assert_eq!(200_u8.scale(2.0), None);
/// assert_eq!(0.5.scale(3.0), Some(1.5));
/// assert_eq!((7_u8.at_least_minus(3), 3_u8.at_least_minus(7)), (4, 0));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be multiplied by a weight",
    label = "this cost does not implement `ScalableCost`",
    note = "for a cost of your own, implement `scale` and `to_f64`; pairs and arrays cannot be scaled",
    note = "`AStar` without a weight, `Anytime` and `Beam` take any cost"
)]
pub trait ScalableCost: Cost {
    /// Returns the cost times `weight`, rounded down for integer types; `None` if the product does not fit.
    /// `weight` is finite and not negative. Products above 2⁵³ are rounded as floats are, but not beyond the cost itself: a cost that
    /// is not negative times 1 is that cost.
    #[must_use]
    fn scale(self, weight: f64) -> Option<Self>;

    /// Returns the cost as a float.
    #[must_use]
    fn to_f64(self) -> f64;

    /// Returns a lower bound on `self - other` that is not negative: the exact difference if
    /// [`checked_sub`](Cost::checked_sub) has one, and zero if that is negative. For floats, the result is reduced by
    /// a relative part of `self` that is larger than the rounding errors of sums: 10⁻⁹ (`f32`: 10⁻⁴), as in
    /// [`exceeds`](Cost::exceeds).
    #[inline]
    #[must_use]
    fn at_least_minus(self, other: Self) -> Self {
        match self.checked_sub(other) {
            Some(difference) if difference > Self::ZERO => difference,
            _ => Self::ZERO,
        }
    }
}

/// Whole numbers below it are floats.
const EXACT: f64 = 2.0 / f64::EPSILON;

macro_rules! scalable_integers {
    ($($int:ty)*) => {$(
        impl ScalableCost for $int {
            #[inline]
            fn scale(self, weight: f64) -> Option<Self> {
                let scaled = <Self as FromPrimitive>::from_f64((ScalableCost::to_f64(self) * weight).floor());
                if ScalableCost::to_f64(self) < EXACT {
                    return scaled;
                }
                match weight.total_cmp(&1.0) {
                    Ordering::Less => Some(scaled.map_or(self, |scaled| scaled.min(self))),
                    Ordering::Equal => Some(self),
                    Ordering::Greater => scaled.map(|scaled| scaled.max(self)),
                }
            }

            #[inline]
            fn to_f64(self) -> f64 {
                ToPrimitive::to_f64(&self).unwrap_or(f64::INFINITY)
            }
        }
    )*};
}

macro_rules! scalable_floats {
    ($($float:ty, $tolerance:literal;)*) => {$(
        impl ScalableCost for $float {
            #[inline]
            #[allow(clippy::cast_possible_truncation, reason = "the type of the costs decides on the rounding")]
            fn scale(self, weight: f64) -> Option<Self> {
                let scaled = (f64::from(self) * weight) as Self;
                scaled.is_finite().then_some(scaled)
            }

            #[inline]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }

            #[inline]
            fn at_least_minus(self, other: Self) -> Self {
                let difference = self - self * $tolerance - other;
                // Not `max`: the difference of two infinities is NaN.
                if difference > 0.0 { difference } else { 0.0 }
            }
        }
    )*};
}

scalable_integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
scalable_floats!(f32, 1e-4; f64, 1e-9;);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_rounded_down() {
        assert_eq!(40_u32.scale(1.2), Some(48));
        assert_eq!(3_u8.scale(1.5), Some(4));
        assert_eq!(0_i64.scale(1e300), Some(0));
        assert_eq!(5_u64.scale(0.0), Some(0));
    }

    #[test]
    fn large_whole_numbers_are_not_rounded_beyond_themselves() {
        for cost in [(1 << 53) + 1, (1 << 53) + 3, u64::MAX - 1, u64::MAX] {
            assert_eq!(cost.scale(1.0), Some(cost));
            assert!(cost.scale(0.999_999_999_999_999_9) <= Some(cost));
            assert!(cost.scale(1.000_000_000_000_000_2).is_none_or(|scaled| scaled >= cost));
        }
        let time = std::time::Duration::from_nanos((1 << 53) + 3);
        assert_eq!(time.scale(1.0), Some(time));
        assert_eq!(((1_u128 << 100) + 1).scale(1.0), Some((1 << 100) + 1));
        assert_eq!(
            [i64::MAX.scale(1.0), i64::MIN.scale(0.5)],
            [Some(i64::MAX), Some(i64::MIN / 2)]
        );
    }

    #[test]
    fn differences_are_lower_bounds() {
        assert_eq!((5_i8.at_least_minus(2), 2_i8.at_least_minus(5)), (3, 0));
        assert_eq!((u64::MAX.at_least_minus(1), 1.at_least_minus(u64::MAX)), (u64::MAX - 1, 0));
        let more_than_one: f64 = [0.7, 0.1, 0.1, 0.1].iter().rev().sum();
        assert!(more_than_one > 1.0 - 1e-15 && more_than_one.at_least_minus(0.4) < 0.6);
        assert!(3.0.at_least_minus(1.0) < 2.0 && 3.0.at_least_minus(1.0) > 1.999_999_99);
        assert!(f64::INFINITY.at_least_minus(f64::INFINITY) <= 0.0);
        assert!(1.0.at_least_minus(f64::INFINITY) <= 0.0 && 1.0_f32.at_least_minus(1.0) <= 0.0);
    }

    #[test]
    fn what_the_type_cannot_hold_is_none() {
        assert_eq!(i8::MAX.scale(1.01), None);
        assert_eq!(u64::MAX.scale(2.0), None);
        assert_eq!(f32::MAX.scale(1.5), None);
        assert_eq!(f64::MAX.scale(1.5), None);
    }
}
