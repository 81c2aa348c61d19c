//! What the problem is told of the states that are expanded soon, so that it prefetches what it needs for them.

use super::Relaxation;
use crate::engine::parts::Parts;
use crate::frontier::Frontier;
use crate::problem::SearchProblem;
use crate::table::{Record, StateId, Table, may_be_one};

/// The states that became open last.
pub(super) struct Opened<I> {
    /// The last one is before the place `count`, which goes round.
    ids: [I; TOGETHER],
    /// How many became open since the problem was told of some.
    count: usize,
}

/// The problem is told of so many open states at once. It waits for memory to know where the successors of each are; so the processor
/// waits for all of these at the same time.
const TOGETHER: usize = 16;

/// The number of an edge has at least so many bytes. Smaller actions are ways to go on a map.
const EDGE: usize = 4;

/// The lists of successors of graphs of fewer states are probably in the caches.
const LARGE_GRAPH: usize = 1 << 10;

/// With fewer states, or with more of them open, it takes longer to tell the problem of each open state than it saves: the lists are in
/// the caches anyway, or are not there any more when their turn has come.
const FEWEST: usize = 1 << 15;
const MOST_OPEN: u64 = 1 << 16;

impl<I: StateId> Opened<I> {
    pub(super) fn new() -> Self {
        Self { ids: [I::NONE; TOGETHER], count: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }
}

impl<S: Parts> Relaxation<S> {
    /// Whether the problem probably is a graph whose nodes have lists of successors: if a state may be one number, and an action has no
    /// size or may be the number of an edge. A search reads each of these lists once, so it waits for them even while its own table
    /// is in the caches.
    const IS_GRAPH: bool = may_be_one::<S::State>()
        && (size_of::<S::Action>() == 0
            || may_be_one::<S::Action>() && size_of::<S::Action>() >= EDGE);

    /// Whether this is probably a graph so large that the problem is told of each state that is expanded.
    #[inline]
    pub(in crate::engine) fn is_large_graph(&self) -> bool {
        Self::IS_GRAPH && self.table.len() >= LARGE_GRAPH
    }

    /// Prefetches the state that is probably expanded after the next one, and what the problem needs for it; on a large graph,
    /// once enough states became open, what it needs for those, too.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop of each engine")]
    pub(in crate::engine) fn prefetch_next(&mut self) {
        if Self::IS_GRAPH && self.opened.count >= TOGETHER {
            self.prefetch_opened();
        }
        if let Some(id) = self.frontier().peek_hint(1) {
            self.table.prefetch(id);
            self.prefetch_for(id);
        }
    }

    /// Prefetches what the problem needs for a state.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "in the loop of each engine, and often nothing")]
    fn prefetch_for(&self, id: S::Id) {
        self.table.with_state(id, |state| self.problem.prefetch(state));
    }

    #[inline(never)]
    fn prefetch_opened(&mut self) {
        if self.table.len() >= FEWEST && self.open <= MOST_OPEN {
            for &id in self.opened.ids.iter().take(self.opened.count) {
                self.prefetch_unless_freed(id);
            }
        }
        self.opened.clear();
    }

    /// A label that became open may have been freed since.
    #[inline(never)]
    fn prefetch_unless_freed(&self, id: S::Id) {
        if !self.table.load(id).is_vacant() {
            self.prefetch_for(id);
        }
    }

    /// Takes note of a state that has become open.
    #[inline]
    pub(super) fn note_opened(&mut self, id: S::Id) {
        if Self::IS_GRAPH {
            let Opened { ids, count } = &mut self.opened;
            ids[*count % TOGETHER] = id;
            *count += 1;
        }
    }
}
