//! [`PackedCost`]: costs with room for a mark.

use crate::cost::Cost;

/// A cost that a [`BareRecord`](crate::table::BareRecord) stores together with two marks, in the size of the cost: that
/// its state is closed, and that no state is stored.
///
/// Implemented for all primitive numbers that are a [`Cost`]. The mark is the highest bit, so the largest cost of a path
/// is about half of the largest value of an unsigned integer type. This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no bit to spare for the mark of a closed state",
    label = "records without a parent store costs that are primitive numbers",
    note = "leave out `costs_only`, or use a primitive integer or float as the cost"
)]
pub trait PackedCost: Cost + sealed::Sealed {}

pub(crate) mod sealed {
    /// A cost as it is stored. Where no state is stored, no bit is set.
    pub trait Sealed: Copy {
        /// Whether the cost of a path can be stored.
        fn can_be_packed(self) -> bool;

        /// Packs a cost that can be stored, or the infinite one, which says that no state is stored.
        #[must_use]
        fn packed(self) -> Self;

        /// Returns the cost; where no state is stored, any value.
        #[must_use]
        fn unpacked(self) -> Self;

        /// Whether no state is stored.
        fn is_vacant(self) -> bool;

        /// Returns the packed cost with the mark.
        #[must_use]
        fn marked(self) -> Self;

        /// Whether a packed cost has the mark.
        fn is_marked(self) -> bool;
    }
}

/// All bits but the mark.
macro_rules! unmarked {
    ($int:ty) => {
        const { <$int>::MAX >> (<$int>::MIN == 0) as u32 }
    };
}

/// One more than the cost is stored, so that zero is left for a state that is not.
macro_rules! packed_integers {
    ($($int:ty)*) => {$(
        impl PackedCost for $int {}

        impl sealed::Sealed for $int {
            #[inline]
            fn can_be_packed(self) -> bool {
                self < unmarked!($int)
            }

            #[inline]
            fn packed(self) -> Self {
                self.wrapping_add(1) & unmarked!($int)
            }

            #[inline]
            fn unpacked(self) -> Self {
                (self & unmarked!($int)).wrapping_sub(1)
            }

            #[inline]
            fn is_vacant(self) -> bool {
                self == 0
            }

            #[inline]
            fn marked(self) -> Self {
                self | !unmarked!($int)
            }

            #[inline]
            fn is_marked(self) -> bool {
                self & !unmarked!($int) != 0
            }
        }
    )*};
}

/// The same of the bits of a float, whose highest is the sign. The next bits after those of the largest finite cost are
/// those of infinity, so nothing that is stored is NaN.
macro_rules! packed_floats {
    ($($float:ty)*) => {$(
        impl PackedCost for $float {}

        impl sealed::Sealed for $float {
            #[inline]
            fn can_be_packed(self) -> bool {
                self < Self::INFINITY
            }

            #[inline]
            fn packed(self) -> Self {
                // The cost may be −0.0.
                if self < Self::INFINITY { Self::from_bits(self.abs().to_bits() + 1) } else { 0.0 }
            }

            #[inline]
            fn unpacked(self) -> Self {
                Self::from_bits(self.abs().to_bits().wrapping_sub(1))
            }

            #[inline]
            fn is_vacant(self) -> bool {
                self.to_bits() == 0
            }

            #[inline]
            fn marked(self) -> Self {
                -self.abs()
            }

            #[inline]
            fn is_marked(self) -> bool {
                self.is_sign_negative()
            }
        }
    )*};
}

packed_integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
packed_floats!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;

    fn conforms<C: PackedCost>(costs: &[C], too_large: &[C]) {
        assert!(C::INFINITY.packed().is_vacant());
        for &cost in costs {
            assert!(cost.can_be_packed());
            let packed = cost.packed();
            assert!(packed.is_number() && !packed.is_vacant() && !packed.is_marked());
            assert!(packed.marked().is_marked() && packed.marked().marked().is_marked());
            assert!(packed.unpacked() == cost && packed.marked().unpacked() == cost);
        }
        assert!(too_large.iter().all(|cost| !cost.can_be_packed()));
    }

    #[test]
    fn costs_and_marks_do_not_mix() {
        conforms(&[0_u8, 1, 77, 126], &[127, 128, 254, 255]);
        conforms(&[0_i8, 1, 77, 126], &[127]);
        conforms(&[0_u32, 1, u32::MAX / 2 - 1], &[u32::MAX / 2, u32::MAX]);
        conforms(&[0, i128::MAX - 1], &[i128::MAX]);
        conforms(&[0, u128::MAX / 2 - 1], &[u128::MAX / 2]);
        conforms(&[0.0_f32, -0.0, f32::MIN_POSITIVE, 0.1, 1e30, f32::MAX], &[f32::INFINITY]);
        conforms(&[0.0_f64, -0.0, 5e-324, 0.1, 1e300, f64::MAX], &[f64::INFINITY]);
    }
}
