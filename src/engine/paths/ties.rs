//! [`Ties`]: the paths that were found at the largest cost so far.

use rustc_hash::FxHashMap;

use crate::memory::{Memory, OutOfMemory};

/// The paths that were found at one cost, so that none of them is found again when the list of paths begins anew.
#[derive(Debug, Default)]
pub(super) struct Ties {
    /// The steps of all of them, one after the other.
    steps: Vec<u32>,
    /// Where the steps of each end.
    ends: Vec<usize>,
    /// Those that were found before the list began anew: by a hash of the steps, the last of them, ...
    last: FxHashMap<u64, usize>,
    /// ... and for each, the one before it with the same hash.
    before: Vec<Option<usize>>,
    /// The bytes of that map that are accounted for.
    bytes: usize,
}

/// More than what an entry of the map takes.
const ENTRY: usize = 4 * size_of::<(u64, usize)>();

impl Ties {
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.ends.clear();
        self.last.clear();
        self.before.clear();
    }

    /// Adds a path.
    pub(super) fn add(&mut self, steps: &[u32], memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.ends, 1)?;
        memory.reserve(&mut self.steps, steps.len())?;
        self.steps.extend_from_slice(steps);
        self.ends.push(self.steps.len());
        Ok(())
    }

    /// The list of paths begins anew: those that were added are in it again.
    pub(super) fn begin_anew(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let bytes = self.ends.len() * ENTRY;
        if bytes > self.bytes {
            memory.claim(bytes - self.bytes)?;
            self.bytes = bytes;
        }
        let missing = self.ends.len() - self.before.len();
        memory.reserve(&mut self.before, missing)?;
        for nth in self.before.len()..self.ends.len() {
            let before = self.last.insert(hash(self.steps(nth)), nth);
            self.before.push(before);
        }
        Ok(())
    }

    /// Whether a path was added before the list began anew.
    pub(super) fn has_listed(&self, steps: &[u32]) -> bool {
        if self.before.is_empty() {
            return false;
        }
        let mut at = self.last.get(&hash(steps)).copied();
        while let Some(nth) = at {
            if self.steps(nth) == steps {
                return true;
            }
            at = self.before[nth];
        }
        false
    }

    fn steps(&self, nth: usize) -> &[u32] {
        let begin = if nth == 0 { 0 } else { self.ends[nth - 1] };
        &self.steps[begin..self.ends[nth]]
    }
}

fn hash(steps: &[u32]) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    steps.hash(&mut hasher);
    hasher.finish()
}
