//! [`Checksum`]: 64 bits that change with every word that changes.

use std::io::{self, Read, Write};

/// A checksum of a sequence of words. That many changes go unnoticed has the chance 2⁻⁶⁴; it is no protection
/// against intent.
pub(crate) struct Checksum(u64);

/// Mixes a word into a sum. It maps the sums one to one for a given word, and the words one to one for a given
/// sum: so no change of a single word goes unnoticed.
#[inline]
fn mix(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

/// The checksum of bytes that are all there: four sums side by side, each of every fourth word.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let mut sums = [1_u64, 2, 3, 4];
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        for (sum, &word) in sums.iter_mut().zip(block.as_chunks().0) {
            *sum = mix(*sum, u64::from_le_bytes(word));
        }
    }
    let mut all = sums.into_iter().fold(bytes.len() as u64, mix);
    for &byte in rest {
        all = mix(all, u64::from(byte));
    }
    all ^ all >> 32
}

impl Checksum {
    pub(crate) fn new() -> Self {
        Self(0x6265_7374_6669_7273)
    }

    #[inline]
    pub(crate) fn add(&mut self, word: u64) {
        self.0 = mix(self.0, word);
    }

    pub(crate) fn value(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// Writes bytes and adds them up: eight bytes are one word, and the last word of each call is filled with
/// zeros. Readers must ask for the same pieces.
pub(crate) struct Summed<T> {
    pub(crate) inner: T,
    sum: Checksum,
}

impl<T> Summed<T> {
    pub(crate) fn new(inner: T) -> Self {
        Self { inner, sum: Checksum::new() }
    }

    pub(crate) fn sum(&self) -> u64 {
        self.sum.value()
    }

    fn add(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.sum.add(u64::from_le_bytes(word));
        }
    }
}

impl<W: Write> Summed<W> {
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.add(bytes);
        self.inner.write_all(bytes)
    }
}

impl<R: Read> Summed<R> {
    pub(crate) fn read(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.add(bytes);
        Ok(())
    }

    pub(crate) fn word(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.read(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_changes_the_checksum() {
        let mut bytes: Vec<u8> = (0..100_u8).map(|i| i.wrapping_mul(37)).collect();
        let before = checksum(&bytes);
        for at in 0..bytes.len() {
            for change in [1, 0x80, 0xFF] {
                bytes[at] ^= change;
                assert_ne!(checksum(&bytes), before, "byte {at}");
                bytes[at] ^= change;
            }
        }
        assert_ne!(checksum(&bytes[..99]), before);
        assert_eq!(checksum(&bytes), before);
    }

    #[test]
    fn what_is_written_piece_by_piece_has_the_sum_that_is_read() {
        let mut out = Summed::new(Vec::new());
        for piece in [&b"landmark"[..], &[1, 2, 3], &7_u64.to_le_bytes()] {
            out.write(piece).unwrap();
        }
        for at in 0..out.inner.len() {
            for change in [0, 1, 0x80] {
                let mut bytes = out.inner.clone();
                bytes[at] ^= change;
                let mut input = Summed::new(&bytes[..]);
                input.read(&mut [0; 8]).unwrap();
                input.read(&mut [0; 3]).unwrap();
                input.word().unwrap();
                assert_eq!(input.sum() == out.sum(), change == 0, "byte {at}");
            }
        }
    }
}
