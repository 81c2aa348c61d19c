//! [`BurrowState`]: a state in a few machine words.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::energy::FitError;
use crate::encode::encode_as;

/// A state in `N` machine words. One word is enough for the puzzle's own size.
///
/// The meaning of the bits depends on the problem that made it: [`Reduced`](super::Reduced) or
/// [`Literal`](super::Literal).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BurrowState<const N: usize>(
    #[cfg_attr(feature = "serde", serde(with = "crate::problems::stored::words"))]
    pub(super)  [u64; N],
);

impl<const N: usize> BurrowState<N> {
    pub(super) const EMPTY: Self = Self([0; N]);

    /// Returns the words.
    #[must_use]
    pub fn words(&self) -> [u64; N] {
        self.0
    }

    /// Returns the value of a field.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "fields hold numbers of rooms and cells")]
    pub(super) fn get(&self, field: Field) -> usize {
        ((self.0[field.word as usize % N] >> field.shift) & field.mask) as usize
    }

    /// Adds `value` to a field. The sum must fit in the field.
    #[inline]
    pub(super) fn add(&mut self, field: Field, value: u64) {
        self.0[field.word as usize % N] += value << field.shift;
    }

    /// Sets all bits of a field to 0.
    #[inline]
    pub(super) fn clear(&mut self, field: Field) {
        self.0[field.word as usize % N] &= !(field.mask << field.shift);
    }

    /// Sets all bits of a field to 1.
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

    /// Whether any bit is set within the mask.
    #[inline]
    pub(super) fn meets(&self, mask: &Self) -> bool {
        let mut common = 0;
        for (word, mask) in self.0.iter().zip(mask.0) {
            common |= word & mask;
        }
        common != 0
    }

    /// Returns the number of the lowest bit that is set within the mask.
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

    /// Returns the number of the highest bit that is set within the mask.
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

encode_as! {
    [const N: usize] BurrowState<N> as [u64; N]: |packed| packed.0, |words| Some(Self(words)), "words";
}

impl<const N: usize> Hash for BurrowState<N> {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // Without the length, which is the same for all.
        for word in self.0 {
            hasher.write_u64(word);
        }
    }
}

impl<const N: usize> fmt::Debug for BurrowState<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BurrowState(")?;
        for word in self.0.iter().rev() {
            write!(f, "{word:016x}")?;
        }
        f.write_str(")")
    }
}

/// Some adjacent bits of one of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    word: u32,
    shift: u32,
    mask: u64,
}

impl Field {
    /// Returns the number of its lowest bit.
    pub(super) fn first_bit(self) -> usize {
        self.word as usize * 64 + self.shift as usize
    }

    /// Returns the number of its bits.
    pub(super) fn bits(self) -> usize {
        self.mask.count_ones() as usize
    }
}

/// Assigns bits to fields. No field spans two words.
#[derive(Debug, Default)]
pub(super) struct Layout {
    used: usize,
}

impl Layout {
    /// Returns the next field of `bits` bits, at most 63.
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

    /// Checks that all fields lie in `N` words.
    pub(super) fn fits<const N: usize>(&self) -> Result<(), FitError> {
        // At least one word, even if every field is empty.
        let words = self.used.div_ceil(64).max(1);
        if words > N { Err(FitError::Words { needed: words, available: N }) } else { Ok(()) }
    }
}

/// Returns the number of bits that hold every number up to `most`.
pub(super) fn bits_for(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_disjoint_and_lie_in_one_word() {
        let mut layout = Layout::default();
        let fields: Vec<Field> = (0..25).map(|_| layout.field(5)).collect();
        assert_eq!(layout.fits::<3>(), Ok(()));
        assert_eq!(layout.fits::<2>(), Err(FitError::Words { needed: 3, available: 2 }));
        let mut packed = BurrowState::<3>::EMPTY;
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
    fn lowest_and_highest_bits_are_found_across_words() {
        let packed = BurrowState([0, 0b1010, 1 << 63]);
        let all = BurrowState([u64::MAX; 3]);
        assert_eq!((packed.lowest(&all), packed.highest(&all)), (Some(65), Some(191)));
        let middle = BurrowState([u64::MAX, 0b0111, 0]);
        assert_eq!((packed.lowest(&middle), packed.highest(&middle)), (Some(65), Some(65)));
        assert_eq!(BurrowState([0; 3]).lowest(&all), None);
    }

    #[test]
    fn bits_for_is_the_smallest_sufficient_number() {
        assert_eq!([0, 1, 2, 3, 4, 26].map(bits_for), [0, 1, 2, 2, 3, 5]);
    }
}
