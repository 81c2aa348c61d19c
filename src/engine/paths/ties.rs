//! [`Ties`]: the paths that were found at the largest cost so far.

use rustc_hash::FxHashMap;

use crate::memory::{Memory, OutOfMemory};

/// The paths that were found at one cost, so that none of them is returned again when the list of paths is restarted.
#[derive(Debug, Default)]
pub(super) struct Ties {
    /// The concatenated steps of all of them.
    steps: Vec<u32>,
    /// The end of the steps of each.
    ends: Vec<usize>,
    /// For each hash of steps, the last path with it that was found before the restart.
    last: FxHashMap<u64, usize>,
    /// For each path, the one before it with the same hash.
    before: Vec<Option<usize>>,
    /// The counted bytes of the map.
    bytes: usize,
}

/// An upper bound on the bytes of an entry of the map.
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

    /// Restarts the list of paths, which will contain the added ones again.
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

    /// Whether a path was added before the restart.
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
