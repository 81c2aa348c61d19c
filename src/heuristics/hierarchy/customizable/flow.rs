//! [`Flow`]: a least cut between two sets of states.

use super::NONE;
use super::links::Links;
use crate::memory::{Memory, OutOfMemory};
use crate::report::StopReason;

/// What is asked while it takes long.
pub(super) type Check<'c> = &'c mut dyn FnMut() -> Result<(), StopReason>;

/// The limits are checked after units were sent from this many sources.
const PIECE: usize = 1 << 14;

/// A largest flow where every link takes one unit, in either direction, by Dinic's algorithm.
///
/// Source: Dinic, *Algorithm for Solution of a Problem of Maximum Flow in Networks with Power Estimation*, 1970.
pub(super) struct Flow {
    /// For each entry of the links 1, 0, or -1 for a unit in the other direction.
    flows: Vec<i8>,
    /// For each state the steps from the sources in what is left of the links, or [`NONE`].
    levels: Vec<u32>,
    /// For each state the entry that is tried next.
    next: Vec<u32>,
    queue: Vec<u32>,
    /// The states and entries on the way from a source.
    path: Vec<[u32; 2]>,
    is_target: Vec<bool>,
}

impl Flow {
    pub(super) fn new(
        states: usize,
        entries: usize,
        memory: &mut Memory,
    ) -> Result<Self, OutOfMemory> {
        let (mut queue, mut path) = (Vec::new(), Vec::new());
        memory.reserve(&mut queue, states)?;
        memory.reserve(&mut path, states)?;
        Ok(Self {
            flows: memory.list(entries, 0)?,
            levels: memory.list(states, NONE)?,
            next: memory.list(states, 0)?,
            queue,
            path,
            is_target: memory.list(states, false)?,
        })
    }

    /// Memory that is free between two cuts: levels, all of them [`NONE`], and a queue.
    #[inline]
    pub(super) fn buffers(&mut self, states: usize) -> (&mut [u32], &mut Vec<u32>) {
        let levels = &mut self.levels[..states];
        levels.fill(NONE);
        self.queue.clear();
        (levels, &mut self.queue)
    }

    /// Finds a least cut of links between sources and targets.
    #[inline]
    pub(super) fn cut(
        &mut self,
        links: &Links,
        [sources, targets]: [&[u32]; 2],
        check: Check<'_>,
    ) -> Result<(), StopReason> {
        self.flows[..links.others.len()].fill(0);
        self.is_target[..links.count()].fill(false);
        for &target in targets {
            self.is_target[target as usize] = true;
        }
        while self.reaches_targets(links, sources) {
            check()?;
            self.next[..links.count()].copy_from_slice(&links.first[..links.count()]);
            for (piece, sources) in sources.chunks(PIECE).enumerate() {
                if piece > 0 {
                    check()?;
                }
                for &source in sources {
                    self.augment(links, source);
                }
            }
        }
        Ok(())
    }

    /// Whether a state is on the side of the sources.
    #[inline]
    pub(super) fn is_reached(&self, state: u32) -> bool {
        self.levels[state as usize] != NONE
    }

    /// Computes the levels, and returns whether a target is reached.
    #[inline]
    fn reaches_targets(&mut self, links: &Links, sources: &[u32]) -> bool {
        let Self { flows, levels, queue, is_target, .. } = self;
        levels[..links.count()].fill(NONE);
        queue.clear();
        queue.extend(sources);
        for &source in sources {
            levels[source as usize] = 0;
        }
        let (mut place, mut is_reached) = (0, false);
        while let Some(&state) = queue.get(place) {
            place += 1;
            if is_target[state as usize] {
                is_reached = true;
                continue;
            }
            let level = levels[state as usize] + 1;
            let range = links.range(state);
            for (&other, &flow) in links.others[range.clone()].iter().zip(&flows[range]) {
                if flow < 1 && levels[other as usize] == NONE {
                    levels[other as usize] = level;
                    queue.push(other);
                }
            }
        }
        is_reached
    }

    /// Sends units from a source to targets, each step to the next level, until none is left.
    #[inline]
    fn augment(&mut self, links: &Links, source: u32) {
        let Self { flows, levels, next, path, is_target, .. } = self;
        path.clear();
        let mut state = source;
        loop {
            if is_target[state as usize] {
                for &[from, entry] in &*path {
                    let range = links.range(links.others[entry as usize]);
                    let begin = range.start;
                    let back = links.others[range].binary_search(&from);
                    flows[entry as usize] += 1;
                    flows[begin + back.unwrap_or_else(|place| place)] -= 1;
                }
                path.clear();
                state = source;
                continue;
            }
            let entry = next[state as usize];
            if entry < links.first[state as usize + 1] {
                let other = links.others[entry as usize];
                let is_below = levels[other as usize] == levels[state as usize] + 1;
                if is_below && flows[entry as usize] < 1 {
                    path.push([state, entry]);
                    state = other;
                } else {
                    next[state as usize] += 1;
                }
            } else if let Some([before, _]) = path.pop() {
                next[before as usize] += 1;
                state = before;
            } else {
                return;
            }
        }
    }

    /// Gives the memory back.
    pub(super) fn free(self, memory: &mut Memory) {
        memory.free(self.flows);
        memory.free(self.levels);
        memory.free(self.next);
        memory.free(self.queue);
        memory.free(self.path);
        memory.free(self.is_target);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of many sources is joined with a target of its own, so that one phase finds all of the flow.
    #[test]
    fn limits_are_looked_at_in_each_phase_and_after_many_sources() {
        for (count, expected) in [(PIECE, 1), (PIECE + 1, 2), (2 * PIECE + 1, 3)] {
            let size = u32::try_from(count).unwrap();
            let [sources, targets]: [Vec<u32>; 2] =
                [(0..size).collect(), (size..2 * size).collect()];
            let links = Links {
                first: (0..=2 * size).collect(),
                others: targets.iter().chain(&sources).copied().collect(),
            };
            let memory = &mut Memory::new(usize::MAX);
            let mut flow = Flow::new(2 * count, 2 * count, memory).unwrap();
            for most in 0..=expected {
                let mut looks = 0;
                let cut = flow.cut(&links, [&sources, &targets], &mut || {
                    looks += 1;
                    if looks > most { Err(StopReason::Time) } else { Ok(()) }
                });
                let end = if most < expected { Err(StopReason::Time) } else { Ok(()) };
                assert_eq!((cut, looks), (end, expected.min(most + 1)), "{count} sources");
            }
            flow.free(memory);
        }
    }
}
