//! [`Witnesses`]: searches for paths that make a shortcut needless.

use super::graph::{FORWARD, Remaining};
use super::upward::Open;
use crate::cost::Cost;
use crate::frontier::heap::Heap;
use crate::memory::{Memory, OutOfMemory};

/// What a search knows of a state.
#[derive(Clone, Copy)]
struct Label<C> {
    cost: C,
    /// A path to the state that costs no more is a witness.
    bound: C,
    /// The number of the search that reached the state, and of the one that wants it.
    reached: u32,
    wanted: u32,
}

/// Searches by Dijkstra's algorithm in the remaining graph, around one state, within a limit.
pub(super) struct Witnesses<C> {
    labels: Vec<Label<C>>,
    open: Heap<Open<C>>,
    /// The number of the search.
    search: u32,
    /// How many of the wanted states have no witness yet.
    missing: usize,
    /// The largest bound.
    most: C,
}

impl<C: Cost> Witnesses<C> {
    pub(super) fn new(count: usize, memory: &mut Memory) -> Result<Self, OutOfMemory> {
        let label = Label { cost: C::ZERO, bound: C::ZERO, reached: 0, wanted: 0 };
        let labels = memory.list(count, label)?;
        Ok(Self { labels, open: Heap::new(), search: 0, missing: 0, most: C::ZERO })
    }

    /// Begins anew, with no state wanted.
    pub(super) fn begin(&mut self) {
        if self.search == u32::MAX {
            self.labels.iter_mut().for_each(|label| (label.reached, label.wanted) = (0, 0));
            self.search = 0;
        }
        self.search += 1;
        (self.missing, self.most) = (0, C::ZERO);
    }

    /// A path to `state` that costs no more than `bound` is wanted.
    pub(super) fn want(&mut self, state: u32, bound: C) {
        let label = &mut self.labels[state as usize];
        (label.wanted, label.bound) = (self.search, bound);
        self.missing += 1;
        if bound > self.most {
            self.most = bound;
        }
    }

    /// Searches from `from` without `avoided`, and expands at most `limit` states.
    pub(super) fn search(
        &mut self,
        graph: &Remaining<C>,
        [from, avoided]: [u32; 2],
        limit: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let Self { labels, open, search, missing, most } = self;
        open.clear();
        let label = &mut labels[from as usize];
        (label.reached, label.cost) = (*search, C::ZERO);
        memory.reserve(open.list(), 1)?;
        open.push(Open { key: C::ZERO, state: from });
        let mut left = limit;
        while let Some(Open { key, state }) = open.pop() {
            if left == 0 {
                break;
            }
            if key > labels[state as usize].cost {
                continue;
            }
            left -= 1;
            let arcs = graph.arcs(state);
            memory.reserve(open.list(), arcs.len())?;
            for arc in arcs {
                if arc.ways & FORWARD == 0 || arc.other == avoided {
                    continue;
                }
                let Some(cost) = key.checked_add(arc.cost) else { continue };
                let label = &mut labels[arc.other as usize];
                let is_reached = label.reached == *search;
                if cost > *most || is_reached && label.cost <= cost {
                    continue;
                }
                // A witness for a state is counted once.
                let had_witness = is_reached && label.cost <= label.bound;
                (label.reached, label.cost) = (*search, cost);
                if label.wanted == *search && cost <= label.bound && !had_witness {
                    *missing -= 1;
                    if *missing == 0 {
                        return Ok(());
                    }
                }
                open.push(Open { key: cost, state: arc.other });
            }
        }
        Ok(())
    }

    /// Whether any state is wanted.
    pub(super) fn are_wanted(&self) -> bool {
        self.missing > 0
    }

    /// Whether no witness was found for a state that was wanted.
    pub(super) fn lacks(&self, state: u32) -> bool {
        let label = &self.labels[state as usize];
        label.reached != self.search || label.cost > label.bound
    }

    /// Gives the memory back.
    pub(super) fn free(mut self, memory: &mut Memory) {
        memory.free(std::mem::take(self.open.list()));
        memory.free(self.labels);
    }
}
