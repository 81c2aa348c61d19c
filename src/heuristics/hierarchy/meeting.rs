//! [`Meeting`]: a query from both ends.

use super::upward::{Half, Upward, Way};
use crate::cost::{Cost, smaller};
use crate::memory::{Memory, OutOfMemory};

/// A search forwards from the starts and one backwards from the goals, both only upwards, until no state is left in
/// which they could meet on a cheaper path.
#[derive(Debug)]
pub(super) struct Meeting<C> {
    halves: [Half<C>; 2],
    /// The least cost of a path so far, and where the halves meet on it.
    best: Option<(C, u32)>,
    /// Which half expanded a state last.
    turn: usize,
}

impl<C: Cost> Meeting<C> {
    pub(super) fn new() -> Self {
        Self { halves: [Half::new(), Half::new()], best: None, turn: 0 }
    }

    /// Makes the labels of `count` states.
    pub(super) fn grow(&mut self, count: usize) {
        self.halves.iter_mut().for_each(|half| half.grow(count));
    }

    /// Makes the labels of `count` states, within a limit on the memory.
    pub(super) fn prepare(&mut self, count: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.halves.iter_mut().try_for_each(|half| half.prepare(count, memory))
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&mut self) -> usize {
        self.halves.iter_mut().map(Half::bytes).sum()
    }

    /// Frees the lists of open states.
    pub(super) fn shrink(&mut self) {
        self.halves.iter_mut().for_each(Half::shrink);
    }

    pub(super) fn begin(&mut self) {
        let [forwards, backwards] = &mut self.halves;
        forwards.begin(Way::Forwards);
        backwards.begin(Way::Backwards);
        (self.best, self.turn) = (None, 0);
    }

    pub(super) fn start(
        &mut self,
        rank: u32,
        cost: C,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.halves[0].reserve(1, memory)?;
        self.halves[0].start(rank, cost);
        Ok(())
    }

    pub(super) fn goal(&mut self, rank: u32, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.halves[1].reserve(1, memory)?;
        self.halves[1].start(rank, C::ZERO);
        Ok(())
    }

    /// The least cost of a path so far.
    pub(super) fn best(&self) -> Option<C> {
        self.best.map(|(cost, _)| cost)
    }

    /// Takes note of a sum that does not fit.
    pub(super) fn note_overflow(&mut self, sum: [C; 2]) {
        self.halves[0].overflow = Some(sum);
    }

    /// A sum that did not fit.
    pub(super) fn overflow(&self) -> Option<[C; 2]> {
        self.halves[0].overflow.or(self.halves[1].overflow)
    }

    /// No path costs less.
    pub(super) fn lower_bound(&self) -> C {
        let open = self.halves.iter().filter_map(Half::least).chain(self.best());
        open.reduce(smaller).unwrap_or(C::INFINITY)
    }

    pub(super) fn open_count(&self) -> usize {
        self.halves.iter().map(Half::open_count).sum()
    }

    /// Which half expands a state next; `None` if no path can be cheaper than the best.
    #[inline]
    pub(super) fn next(&mut self) -> Option<usize> {
        let best = self.best();
        let mut is_open = |turn: usize| {
            let next = self.halves[turn].next();
            next.is_some_and(|open| best.is_none_or(|best| open.key < best))
        };
        [1 - self.turn, self.turn].into_iter().find(|&turn| is_open(turn))
    }

    /// Makes room for what the next expansion of this half opens.
    #[inline]
    pub(super) fn reserve(
        &mut self,
        turn: usize,
        graph: &Upward<C>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let half = &mut self.halves[turn];
        let arcs = half.next().map_or(0, |open| graph.arcs(open.state).len());
        half.reserve(arcs, memory)
    }

    /// Expands the next state of this half, and returns its rank and cost.
    #[inline]
    pub(super) fn expand(&mut self, turn: usize, graph: &Upward<C>) -> Option<(u32, C)> {
        self.turn = turn;
        let (rank, cost) = self.halves[turn].expand(graph)?;
        if let Some(other) = self.halves[1 - turn].cost(rank) {
            match cost.checked_add(other) {
                Some(sum) if self.best().is_none_or(|best| sum < best) => {
                    self.best = Some((sum, rank));
                }
                Some(_) => {}
                None => self.note_overflow([cost, other]),
            }
        }
        Some((rank, cost))
    }

    /// The ranks of all states on the path with the costs of the steps to them, and what its start costs.
    pub(super) fn path(&self, graph: &Upward<C>) -> Option<(Vec<(u32, C)>, C)> {
        let (_, meeting) = self.best?;
        let [forwards, backwards] = &self.halves;
        let mut path = vec![meeting];
        let mut first = meeting;
        while let Some(parent) = forwards.parent(first) {
            path.push(parent);
            first = parent;
        }
        path.reverse();
        let mut last = meeting;
        while let Some(parent) = backwards.parent(last) {
            path.push(parent);
            last = parent;
        }
        Some((graph.unpack(&path), forwards.cost(first)?))
    }
}
