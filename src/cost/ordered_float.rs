//! The floats of the crate `ordered-float` as costs, with the feature of that name.

use ordered_float::OrderedFloat;

use super::{Cost, HalvableCost, ScalableCost};

macro_rules! ordered_floats {
    ($($float:ty)*) => {$(
        /// Behaves as the float inside. NaN, which is larger than every number in this order, is an error as it is
        /// for floats: as a step, as a heuristic value, and as a sum, which does not fit.
        impl Cost for OrderedFloat<$float> {
            const ZERO: Self = Self(<$float as Cost>::ZERO);
            const INFINITY: Self = Self(<$float as Cost>::INFINITY);

            #[inline]
            fn checked_add(self, other: Self) -> Option<Self> {
                Cost::checked_add(self.0, other.0).filter(|sum| !sum.is_nan()).map(Self)
            }

            #[inline]
            fn exceeds(self, other: Self) -> bool {
                self.0.exceeds(other.0)
            }

            #[inline]
            fn is_number(self) -> bool {
                self.0.is_number()
            }

            #[inline]
            fn is_step(self) -> bool {
                self.0.is_step()
            }

            #[inline]
            fn to_bucket(self) -> Option<usize> {
                self.0.to_bucket()
            }

            #[inline]
            fn from_bucket(bucket: usize) -> Option<Self> {
                <$float as Cost>::from_bucket(bucket).map(Self)
            }

            #[inline]
            fn part_of(self, f: Self) -> Option<Self> {
                self.0.part_of(f.0).map(Self)
            }

            #[inline]
            fn restored(bucket: usize) -> Self {
                Self(<$float as Cost>::restored(bucket))
            }
        }

        impl ScalableCost for OrderedFloat<$float> {
            #[inline]
            fn scale(self, weight: f64) -> Option<Self> {
                self.0.scale(weight).map(Self)
            }

            #[inline]
            fn to_f64(self) -> f64 {
                ScalableCost::to_f64(self.0)
            }

            #[inline]
            fn at_least_minus(self, other: Self) -> Self {
                Self(self.0.at_least_minus(other.0))
            }
        }

        impl HalvableCost for OrderedFloat<$float> {
            const GRAIN: Self = Self(<$float as HalvableCost>::GRAIN);

            #[inline]
            fn mean(self, other: Self) -> (Self, bool) {
                let (mean, is_rounded) = self.0.mean(other.0);
                (Self(mean), is_rounded)
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                Self(HalvableCost::minus(self.0, other.0))
            }
        }
    )*};
}

ordered_floats!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nan_is_no_sum() {
        let (one, nan) = (OrderedFloat(1.0), OrderedFloat(f64::NAN));
        assert_eq!(Cost::checked_add(one, one), Some(OrderedFloat(2.0)));
        assert_eq!(Cost::checked_add(one, nan), None);
        assert_eq!(Cost::checked_add(one, OrderedFloat::INFINITY), None);
        assert_eq!(nan.to_bucket(), None);
        assert!(one.is_number() && one.is_step() && !nan.is_number() && !nan.is_step());
        assert!(OrderedFloat(-1.0).is_number() && !OrderedFloat(-1.0).is_step());
        assert!([one, one].is_number() && ![one, nan].is_number() && ![one, nan].is_step());
        assert!((1_u8, one).is_number() && !(1_u8, nan).is_number() && !(1_u8, nan).is_step());
        assert_eq!(one.to_bucket().and_then(OrderedFloat::<f64>::from_bucket), Some(one));
        // Ordered in a heap as the float inside is.
        let (quarter, part) = (OrderedFloat(0.25), 0.25_f64.part_of(1.0));
        assert_eq!(quarter.part_of(one).map(|part| part.0), part);
        assert!(part.is_some_and(|part| part.to_bits() == 8191));
    }
}
