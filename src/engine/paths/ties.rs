//! [`Ties`]: the paths that were found, so that none is returned twice.

use rustc_hash::FxHashMap;

use crate::memory::{Memory, OutOfMemory};

/// The paths that were found at the largest cost so far, and how many were at smaller costs, so that none of them is
/// returned again when the list of paths is restarted.
///
/// If no heuristic value is too large, the list begins with all paths that cost less, and they need only be counted.
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
    /// The hashes of the steps of the paths that cost less.
    cheaper: Vec<u64>,
    /// The number of these that the restarted list has not come to.
    left: usize,
    /// If there are others that cost less, because a heuristic value was too large: the number of hashes before the
    /// restart, which are sorted.
    sorted: Option<usize>,
}

/// An upper bound on the bytes of an entry of the map.
const ENTRY: usize = 4 * size_of::<(u64, usize)>();

impl Ties {
    /// Forgets all paths.
    pub(super) fn clear(&mut self) {
        self.clear_ties();
        self.cheaper.clear();
        (self.left, self.sorted) = (0, None);
    }

    fn clear_ties(&mut self) {
        self.steps.clear();
        self.ends.clear();
        self.last.clear();
        self.before.clear();
    }

    /// The paths that were added cost less than the next one.
    pub(super) fn rise(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.cheaper, self.ends.len())?;
        for nth in 0..self.ends.len() {
            self.cheaper.push(hash(self.steps(nth)));
        }
        self.clear_ties();
        Ok(())
    }

    /// Adds a path that costs less than the others.
    pub(super) fn add_cheaper(
        &mut self,
        steps: &[u32],
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.cheaper, 1)?;
        self.cheaper.push(hash(steps));
        Ok(())
    }

    /// Whether the next path that costs less than the others was found before the restart, by their number.
    pub(super) fn skips(&mut self) -> bool {
        let skips = self.sorted.is_none() && self.left > 0;
        self.left -= usize::from(skips);
        skips
    }

    /// Whether paths that cost less are told apart by their steps.
    pub(super) fn looks_at_cheaper(&self) -> bool {
        self.sorted.is_some()
    }

    /// Restarts the list of paths, and looks at the steps of paths that cost less from now on.
    #[cold]
    pub(super) fn look_at_cheaper(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.begin_anew(memory)?;
        self.sort();
        Ok(())
    }

    fn sort(&mut self) {
        self.cheaper.sort_unstable();
        self.sorted = Some(self.cheaper.len());
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
        self.left = self.cheaper.len();
        if self.looks_at_cheaper() {
            self.sort();
        }
        Ok(())
    }

    /// Whether a path was found before the restart.
    pub(super) fn has_listed(&self, steps: &[u32]) -> bool {
        let is_cheaper = |sorted| self.cheaper[..sorted].binary_search(&hash(steps)).is_ok();
        self.has_tie(steps) || self.sorted.is_some_and(is_cheaper)
    }

    fn has_tie(&self, steps: &[u32]) -> bool {
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
