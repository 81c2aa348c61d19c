//! [`HalvableCost`]: costs with a mean.

use num_traits::ConstOne;

use crate::cost::{Cost, larger};

/// A cost with differences and means, for the keys of BAE* ([`Bidirectional`](crate::Bidirectional)).
///
/// Implemented for all primitive numbers that are a [`Cost`], for [`Duration`](std::time::Duration), for
/// [`Length`](crate::problems::grid_map::Length), and with the feature `ordered-float` for `OrderedFloat`. Composite costs,
/// such as a toll and a time, have no mean;
/// bidirectional search by [`nbs`](crate::Bidirectional::nbs) and
/// [`dijkstra`](crate::Bidirectional::dijkstra) does not need one.
///
/// ```
/// use bestfirst::HalvableCost;
///
/// assert_eq!(7_u8.mean(250), (128, true)); // 128.5
/// assert_eq!(7.0.mean(250.0), (128.5, false));
/// assert_eq!(3_u32.minus(5), 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no mean",
    label = "this cost does not implement `HalvableCost`",
    note = "`Bidirectional::new(problem).nbs()` and `.dijkstra()` take any cost; for BAE*, implement `GRAIN`, `mean` and `minus`"
)]
pub trait HalvableCost: Cost {
    /// The least positive difference of two costs: 1 for integers, the least positive number for floats, zero if there is
    /// none.
    const GRAIN: Self;

    /// Returns the mean of two non-negative costs, rounded down to a multiple of [`GRAIN`](Self::GRAIN), and whether
    /// rounding lost half a grain. It never overflows. (A mean of floats is rounded as their sum is.)
    #[must_use]
    fn mean(self, other: Self) -> (Self, bool);

    /// Returns the difference of two non-negative costs, or zero if it would be negative.
    #[must_use]
    fn minus(self, other: Self) -> Self;
}

macro_rules! halvable_integers {
    ($($int:ty)*) => {$(
        impl HalvableCost for $int {
            const GRAIN: Self = <$int as ConstOne>::ONE;

            #[inline]
            fn mean(self, other: Self) -> (Self, bool) {
                // The common bits, plus half of those that only one has.
                ((self & other) + ((self ^ other) >> 1), (self ^ other) & 1 != 0)
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                larger(0, self.saturating_sub(other))
            }
        }
    )*};
}

macro_rules! halvable_floats {
    ($($float:ty)*) => {$(
        impl HalvableCost for $float {
            const GRAIN: Self = <$float>::from_bits(1);

            #[inline]
            fn mean(self, other: Self) -> (Self, bool) {
                if self < Self::MIN_POSITIVE * 2.0 && other < Self::MIN_POSITIVE * 2.0 {
                    // Halves may not fit, but the bits are the number of grains. (Zero may be negative.)
                    let (grains, is_odd) = self.abs().to_bits().mean(other.abs().to_bits());
                    return (Self::from_bits(grains), is_odd);
                }
                (self / 2.0 + other / 2.0, false)
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                larger(0.0, self - other)
            }
        }
    )*};
}

halvable_integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
halvable_floats!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_do_not_overflow() {
        assert_eq!(255_u8.mean(254), (254, true));
        assert_eq!(i8::MAX.mean(i8::MAX), (i8::MAX, false));
        assert_eq!(0_u64.mean(u64::MAX), (u64::MAX / 2, true));
        assert_eq!(f64::MAX.mean(f64::MAX), (f64::MAX, false));
        for (a, b) in (0..=40_u8).flat_map(|a| (0..=40_u8).map(move |b| (a, b))) {
            assert_eq!(a.mean(b), (u8::midpoint(a, b), (a + b) % 2 == 1));
        }
    }

    #[test]
    fn means_of_subnormal_floats_are_rounded_down() {
        macro_rules! check {
            ($($float:ty)*) => {$({
                let end = (2.0 * <$float>::MIN_POSITIVE).to_bits();
                for a in (0..6).chain(end / 2 - 3..end / 2 + 3).chain(end - 3..end) {
                    for b in (0..6).chain(end / 2 - 3..end / 2 + 3).chain(end - 3..end) {
                        let (mean, is_odd) = <$float>::from_bits(a).mean(<$float>::from_bits(b));
                        assert_eq!((mean.to_bits(), is_odd), ((a + b) / 2, (a + b) % 2 == 1));
                    }
                }
                for large in (end..end + 3).map(<$float>::from_bits) {
                    assert_eq!(large.mean(large), (large, false));
                }
                let grain = <$float>::GRAIN;
                assert_eq!((-0.0).mean(3.0 * grain), (grain, true));
                assert_eq!((3.0 * grain).mean(-0.0), (grain, true));
                assert_eq!((3.0.mean(grain), grain.mean(3.0)), ((1.5, false), (1.5, false)));
            })*};
        }
        check!(f32 f64);
    }

    #[test]
    fn differences_are_not_negative() {
        assert_eq!((5_u8.minus(3), 3_u8.minus(5), 3_i32.minus(5), 3.0.minus(5.0)), (2, 0, 0, 0.0));
    }
}
