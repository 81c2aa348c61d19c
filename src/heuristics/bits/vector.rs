//! [`BitVector`]: a set of small numbers, one bit each, that threads may share.

use std::sync::atomic::{AtomicU64, Ordering};

use super::filled;
use crate::budget::Budget;
use crate::cost::Cost;
use crate::prefetch::prefetch;
use crate::report::StopReason;

/// A set of numbers below a maximum.
pub(super) struct BitVector {
    words: Vec<AtomicU64>,
}

impl BitVector {
    /// Returns the empty set of numbers below `count`.
    pub(super) fn new<C: Cost>(count: usize, budget: &mut Budget<C>) -> Result<Self, StopReason> {
        Ok(Self { words: filled(count.div_ceil(64), || AtomicU64::new(0), budget)? })
    }

    /// Returns the number of words of 64 bits.
    pub(super) fn words(&self) -> usize {
        self.words.len()
    }

    #[inline]
    pub(super) fn word(&self, word: usize) -> u64 {
        self.words[word].load(Ordering::Relaxed)
    }

    /// Clears a word and returns its old value.
    #[inline]
    pub(super) fn take_word<const SHARED: bool>(&self, word: usize) -> u64 {
        if SHARED {
            return self.words[word].swap(0, Ordering::Relaxed);
        }
        let bits = self.word(word);
        self.words[word].store(0, Ordering::Relaxed);
        bits
    }

    /// Adds all numbers of a word whose bits are set.
    #[inline]
    pub(super) fn insert_all<const SHARED: bool>(&self, word: usize, bits: u64) {
        if SHARED {
            self.words[word].fetch_or(bits, Ordering::Relaxed);
        } else {
            self.words[word].store(self.word(word) | bits, Ordering::Relaxed);
        }
    }

    #[inline]
    pub(super) fn contains(&self, number: usize) -> bool {
        self.word(number / 64) >> (number % 64) & 1 != 0
    }

    /// Adds a number. Returns false if it was already present.
    #[inline]
    pub(super) fn insert<const SHARED: bool>(&self, number: usize) -> bool {
        // Reading is cheaper than writing a bit that is already set.
        if self.contains(number) {
            return false;
        }
        self.insert_all::<SHARED>(number / 64, 1 << (number % 64));
        true
    }

    #[inline]
    pub(super) fn prefetch(&self, number: usize) {
        prefetch(&self.words, number / 64);
    }
}
