//! [`Stack`]: the state.

use std::fmt;

use crate::encode::encode_as;

/// The most pancakes of a stack.
pub(super) const MOST: usize = 16;

/// A stack of up to 16 pancakes: four bits for each, the topmost in the lowest bits. The places below the
/// stack hold themselves.
///
/// [`PancakePuzzle::stack`](super::PancakePuzzle::stack) makes one, and
/// [`PancakePuzzle::pancakes`](super::PancakePuzzle::pancakes) lists what is in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stack(
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::problems::stored::stack"))]
    pub(super) u64,
);

encode_as! {
    [] Stack as u64: |stack| stack.0, |bits| is_stack(bits).then_some(Self(bits)), "sixteen pancakes, each of them once";
}

/// The stack in order.
pub(super) const SORTED: u64 = 0xFEDC_BA98_7654_3210;

/// Whether the sixteen digits of four bits are all different, as those of a stack.
pub(in crate::problems) fn is_stack(bits: u64) -> bool {
    let digits = (0..MOST).fold(0, |all: u16, place| all | 1 << (bits >> (4 * place) & 15));
    digits == u16::MAX
}

impl Stack {
    /// Returns the pancake at a place, from 0 on top; places from 16 on are those from 0 on again.
    #[inline]
    #[must_use]
    pub fn pancake(&self, place: usize) -> u8 {
        (self.0 >> (4 * (place % MOST))).to_le_bytes()[0] & 15
    }

    /// Returns the stack with the topmost `count` pancakes in reverse order; `count` is 1 to 16.
    #[inline]
    pub(super) fn turned(self, count: usize) -> Self {
        let bits = 4 * count;
        // All bytes in reverse order, and the two halves of each byte.
        let bytes = self.0.swap_bytes();
        let nibbles = (bytes & 0x0F0F_0F0F_0F0F_0F0F) << 4 | (bytes >> 4) & 0x0F0F_0F0F_0F0F_0F0F;
        let rest = if bits == 64 { 0 } else { self.0 >> bits << bits };
        Self(rest | nibbles >> (64 - bits))
    }

    /// For each pancake, its place.
    #[inline]
    pub(super) fn places(self) -> Self {
        let mut places = 0;
        for place in 0..MOST {
            places |= (place as u64) << (4 * self.pancake(place));
        }
        Self(places)
    }

    /// Returns the stack with each pancake replaced by the one at its place in `names`.
    #[inline]
    pub(super) fn renamed(self, names: Self) -> Self {
        let mut renamed = 0;
        for place in 0..MOST {
            let name = names.pancake(self.pancake(place).into());
            renamed |= u64::from(name) << (4 * place);
        }
        Self(renamed)
    }

    /// Returns the number of gaps, without those beside the pancakes below `ignored`.
    #[inline]
    pub(super) fn gaps(self, ignored: u8) -> u16 {
        // The plate is one size larger than the largest pancake. Below a smaller stack it is there already.
        let mut upper = self.pancake(0);
        let mut gaps = 0;
        for place in 1..=MOST {
            let lower = if place < MOST { self.pancake(place) } else { 16 };
            let is_gap = upper.abs_diff(lower) > 1;
            gaps += u16::from(is_gap && upper.min(lower) >= ignored);
            upper = lower;
        }
        gaps
    }
}

/// The pancakes as hexadecimal digits, from the top on.
impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stack(")?;
        (0..MOST).try_for_each(|place| write!(f, "{:x}", self.pancake(place)))?;
        f.write_str(")")
    }
}
