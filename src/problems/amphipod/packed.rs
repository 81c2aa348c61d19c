//! [`Packed`]: a position in a few machine words; [`Energy`]: what moves cost.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Add, Mul};

use crate::cost::Cost;

use super::burrow::{Burrow, Kind};

/// A position in `N` machine words. One is enough for the puzzle's own size.
///
/// What the bits mean, the form says that made it: [`Reduced`](super::Reduced) or
/// [`Literal`](super::Literal).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Packed<const N: usize>(pub(super) [u64; N]);

impl<const N: usize> Packed<N> {
    pub(super) const EMPTY: Self = Self([0; N]);

    /// The words.
    #[must_use]
    pub fn words(&self) -> [u64; N] {
        self.0
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "fields hold numbers of rooms and cells")]
    pub(super) fn get(&self, field: Field) -> usize {
        ((self.0[field.word as usize % N] >> field.shift) & field.mask) as usize
    }

    /// Adds `value` to a field that has room for it.
    #[inline]
    pub(super) fn add(&mut self, field: Field, value: u64) {
        self.0[field.word as usize % N] += value << field.shift;
    }

    #[inline]
    pub(super) fn clear(&mut self, field: Field) {
        self.0[field.word as usize % N] &= !(field.mask << field.shift);
    }

    #[inline]
    pub(super) fn fill(&mut self, field: Field) {
        self.0[field.word as usize % N] |= field.mask << field.shift;
    }

    #[inline]
    pub(super) fn and(&self, mask: &Self) -> Self {
        let mut both = *self;
        for (word, mask) in both.0.iter_mut().zip(mask.0) {
            *word &= mask;
        }
        both
    }

    #[inline]
    pub(super) fn meets(&self, mask: &Self) -> bool {
        let mut common = 0;
        for (word, mask) in self.0.iter().zip(mask.0) {
            common |= word & mask;
        }
        common != 0
    }

    /// The number of the lowest bit that is set within the mask.
    #[inline]
    pub(super) fn lowest(&self, mask: &Self) -> Option<usize> {
        for i in 0..N {
            let word = self.0[i] & mask.0[i];
            if word != 0 {
                return Some(i * 64 + word.trailing_zeros() as usize);
            }
        }
        None
    }

    /// The number of the highest bit that is set within the mask.
    #[inline]
    pub(super) fn highest(&self, mask: &Self) -> Option<usize> {
        for i in (0..N).rev() {
            let word = self.0[i] & mask.0[i];
            if word != 0 {
                return Some(i * 64 + 63 - word.leading_zeros() as usize);
            }
        }
        None
    }
}

impl<const N: usize> Hash for Packed<N> {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // Word by word: the length is the same for all.
        for word in self.0 {
            hasher.write_u64(word);
        }
    }
}

impl<const N: usize> fmt::Debug for Packed<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Packed(")?;
        for word in self.0.iter().rev() {
            write!(f, "{word:016x}")?;
        }
        f.write_str(")")
    }
}

/// Some bits of one of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    word: u32,
    shift: u32,
    mask: u64,
}

impl Field {
    /// The number of its lowest bit.
    pub(super) fn first_bit(self) -> usize {
        self.word as usize * 64 + self.shift as usize
    }

    pub(super) fn bits(self) -> usize {
        self.mask.count_ones() as usize
    }
}

/// Deals out fields, none of which lies in two words.
#[derive(Debug, Default)]
pub(super) struct Layout {
    used: usize,
}

impl Layout {
    /// `bits` must be at most 63.
    pub(super) fn field(&mut self, bits: u32) -> Field {
        if 64 - self.used % 64 < bits as usize {
            self.used = self.used.next_multiple_of(64);
        }
        let at = self.used;
        self.used = self.used.saturating_add(bits as usize);
        let word = u32::try_from(at / 64).unwrap_or(u32::MAX);
        #[expect(clippy::cast_possible_truncation, reason = "it is below 64")]
        let shift = (at % 64) as u32;
        Field { word, shift, mask: (1 << bits) - 1 }
    }

    /// Whether all fields lie in `N` words.
    pub(super) fn fits<const N: usize>(&self) -> Result<(), FitError> {
        let words = self.used.div_ceil(64);
        if words > N { Err(FitError::Words { needed: words, available: N }) } else { Ok(()) }
    }
}

/// So many bits hold every number up to `most`.
pub(super) fn bits_for(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}

/// A whole number that energy is counted in: `u32` for the puzzle's own size, `u64` for up to some
/// fifteen rooms, `u128` for all that have letters.
pub trait Energy:
    Cost + Ord + Hash + Add<Output = Self> + Mul<Output = Self> + From<u16> + fmt::Display + Send + Sync
{
    /// The number in this type, if it fits and is not the largest one, which means infinity.
    #[must_use]
    fn from_u128(energy: u128) -> Option<Self>;

    /// The number in the largest type.
    #[must_use]
    fn to_u128(self) -> u128;
}

macro_rules! energies {
    ($($int:ty)*) => {$(
        impl Energy for $int {
            #[inline]
            fn from_u128(energy: u128) -> Option<Self> {
                Self::try_from(energy).ok().filter(|&energy| energy != Self::MAX)
            }

            #[inline]
            fn to_u128(self) -> u128 {
                u128::from(self)
            }
        }
    )*};
}

energies!(u32 u64);

impl Energy for u128 {
    #[inline]
    fn from_u128(energy: u128) -> Option<Self> {
        (energy != Self::MAX).then_some(energy)
    }

    #[inline]
    fn to_u128(self) -> u128 {
        self
    }
}

/// A burrow is too large for the type that it was to be put into. A larger one will do: each form
/// takes the number of words and the type of the energy as parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FitError {
    /// A position takes more machine words.
    Words {
        /// So many are needed.
        needed: usize,
        /// So many were given.
        available: usize,
    },
    /// The moves can cost more than the type of the energy can hold.
    Energy {
        /// No solution costs more than that; `None` if even `u128` cannot hold it.
        most: Option<u128>,
        /// How many bits the type has.
        bits: u32,
    },
    /// The hallway is so long, or the rooms so deep, that steps cannot be counted in 16 bits.
    Length {
        /// The length of the hallway, and twice the depth of the rooms.
        steps: usize,
    },
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words { needed, available } => write!(
                f,
                "a position of this burrow takes {needed} words of 64 bits, and there are only {available}"
            ),
            Self::Energy { most: Some(most), bits } => write!(
                f,
                "the moves of this burrow can cost up to {most}, which a number of {bits} bits cannot hold"
            ),
            Self::Energy { most: None, bits } => write!(
                f,
                "the moves of this burrow can cost more than a number of 128 bits can hold, \
                 and this one has {bits}"
            ),
            Self::Length { steps } => write!(
                f,
                "the ways in this burrow are {steps} steps long; at most {LONGEST} can be counted"
            ),
        }
    }
}

impl std::error::Error for FitError {}

/// A number that is known to be small: [`energy_fits`] has seen to the width and the depth.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "it is known to be small")]
pub(super) fn narrow(number: usize) -> u16 {
    debug_assert!(u16::try_from(number).is_ok());
    number as u16
}

/// Checks that no sum of moves that a search of this burrow forms is too large.
pub(super) fn energy_fits<C: Energy>(burrow: &Burrow, crossings: u128) -> Result<(), FitError> {
    let steps = burrow.depth().saturating_mul(2).saturating_add(burrow.width());
    if steps > LONGEST {
        return Err(FitError::Length { steps });
    }
    let most = most_energy(burrow, crossings);
    let bits = u32::try_from(8 * size_of::<C>()).unwrap_or(u32::MAX);
    match most {
        Some(energy) if C::from_u128(energy).is_some() => Ok(()),
        _ => Err(FitError::Energy { most, bits }),
    }
}

/// The most steps that a way may have.
const LONGEST: usize = 30_000;

fn most_energy(burrow: &Burrow, crossings: u128) -> Option<u128> {
    let far = u128::try_from(burrow.width() + 2 * burrow.depth()).ok()?;
    let each = far.checked_mul(crossings)?.checked_mul(u128::try_from(burrow.depth()).ok()?)?;
    (0..burrow.rooms())
        .filter_map(Kind::of_room)
        .try_fold(0_u128, |sum, kind| sum.checked_add(each.checked_mul(kind.step_energy())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_touch_each_other_nor_the_ends_of_words() {
        let mut layout = Layout::default();
        let fields: Vec<Field> = (0..25).map(|_| layout.field(5)).collect();
        assert_eq!(layout.fits::<3>(), Ok(()));
        assert_eq!(layout.fits::<2>(), Err(FitError::Words { needed: 3, available: 2 }));
        let mut packed = Packed::<3>::EMPTY;
        for (i, &field) in fields.iter().enumerate() {
            packed.add(field, i as u64 + 1);
        }
        for (i, &field) in fields.iter().enumerate() {
            assert_eq!(packed.get(field), i + 1);
        }
        packed.clear(fields[12]);
        assert_eq!(
            (packed.get(fields[11]), packed.get(fields[12]), packed.get(fields[13])),
            (12, 0, 14)
        );
    }

    #[test]
    fn the_outermost_bits_are_found_across_words() {
        let packed = Packed([0, 0b1010, 1 << 63]);
        let all = Packed([u64::MAX; 3]);
        assert_eq!((packed.lowest(&all), packed.highest(&all)), (Some(65), Some(191)));
        let middle = Packed([u64::MAX, 0b0111, 0]);
        assert_eq!((packed.lowest(&middle), packed.highest(&middle)), (Some(65), Some(65)));
        assert_eq!(Packed([0; 3]).lowest(&all), None);
    }

    #[test]
    fn numbers_take_as_many_bits_as_they_need() {
        assert_eq!([0, 1, 2, 3, 4, 26].map(bits_for), [0, 1, 2, 2, 3, 5]);
    }
}
