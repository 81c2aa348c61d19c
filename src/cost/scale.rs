//! [`ScalableCost`]: costs that can be multiplied by a weight and compared as a ratio.

use num_traits::{FromPrimitive, ToPrimitive};

use crate::cost::Cost;

/// A cost that a weight can be applied to, for weighted A* and for
/// [`Report::suboptimality`](crate::Report::suboptimality).
///
/// Implemented for all primitive numbers that are a [`Cost`].
///
/// ```
/// use bestfirst::ScalableCost;
///
/// assert_eq!(7_u32.scale(1.5), Some(10)); // rounded down
/// assert_eq!(200_u8.scale(2.0), None);
/// assert_eq!(0.5.scale(3.0), Some(1.5));
/// ```
pub trait ScalableCost: Cost {
    /// The cost times `weight`, rounded down where the type holds whole numbers; `None` where the type
    /// cannot hold it. `weight` is finite and not negative.
    #[must_use]
    fn scale(self, weight: f64) -> Option<Self>;

    /// The cost as a float.
    #[must_use]
    fn to_f64(self) -> f64;
}

macro_rules! scalable_integers {
    ($($int:ty)*) => {$(
        impl ScalableCost for $int {
            #[inline]
            fn scale(self, weight: f64) -> Option<Self> {
                FromPrimitive::from_f64((ScalableCost::to_f64(self) * weight).floor())
            }

            #[inline]
            fn to_f64(self) -> f64 {
                ToPrimitive::to_f64(&self).unwrap_or(f64::INFINITY)
            }
        }
    )*};
}

macro_rules! scalable_floats {
    ($($float:ty)*) => {$(
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
        }
    )*};
}

scalable_integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
scalable_floats!(f32 f64);

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
    fn what_the_type_cannot_hold_is_none() {
        assert_eq!(i8::MAX.scale(1.01), None);
        assert_eq!(u64::MAX.scale(2.0), None);
        assert_eq!(f32::MAX.scale(1.5), None);
        assert_eq!(f64::MAX.scale(1.5), None);
    }
}
