//! [`Checksum`]: 64 bits that change with every word that changes.

use std::io::{self, Read, Write};

/// A checksum of a sequence of words. Each word is mixed in by a bijection, so no change of a single word goes
/// unnoticed; that many changes do has the chance 2⁻⁶⁴. It is no protection against intent.
pub(super) struct Checksum(u64);

impl Checksum {
    pub(super) fn new() -> Self {
        Self(0x6265_7374_6669_7273)
    }

    #[inline]
    pub(super) fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }

    pub(super) fn value(&self) -> u64 {
        self.0
    }
}

/// Writes bytes and adds them up: eight bytes are one word, and the last word of each call is filled with
/// zeros. Readers must ask for the same pieces.
pub(super) struct Summed<T> {
    pub(super) inner: T,
    sum: Checksum,
}

impl<T> Summed<T> {
    pub(super) fn new(inner: T) -> Self {
        Self { inner, sum: Checksum::new() }
    }

    pub(super) fn sum(&self) -> u64 {
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
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.add(bytes);
        self.inner.write_all(bytes)
    }
}

impl<R: Read> Summed<R> {
    pub(super) fn read(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.add(bytes);
        Ok(())
    }

    pub(super) fn word(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.read(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
}
