//! [`Meeting`]: a query from both ends.

use super::upward::{Half, Upward, Way};
use crate::cost::{Cost, smaller};

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
    pub(super) fn new(count: usize) -> Self {
        Self { halves: [Half::new(count), Half::new(count)], best: None, turn: 0 }
    }

    /// The bytes that it holds beside its open states.
    pub(super) fn bytes(&self) -> usize {
        self.halves.iter().map(Half::bytes).sum()
    }

    pub(super) fn begin(&mut self) {
        let [forwards, backwards] = &mut self.halves;
        forwards.begin(Way::Forwards);
        backwards.begin(Way::Backwards);
        (self.best, self.turn) = (None, 0);
    }

    pub(super) fn start(&mut self, rank: u32, cost: C) {
        self.halves[0].start(rank, cost);
    }

    pub(super) fn goal(&mut self, rank: u32) {
        self.halves[1].start(rank, C::ZERO);
    }

    /// The least cost of a path so far.
    pub(super) fn best(&self) -> Option<C> {
        self.best.map(|(cost, _)| cost)
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

    /// Expands the next state, and returns its rank and cost; `None` if no path can be cheaper than the best.
    #[inline]
    pub(super) fn expand(&mut self, graph: &Upward<C>) -> Option<(u32, C)> {
        loop {
            let best = self.best();
            let is_open = |half: &Half<C>| {
                half.least().is_some_and(|least| best.is_none_or(|best| least < best))
            };
            let next = 1 - self.turn;
            self.turn = if is_open(&self.halves[next]) {
                next
            } else if is_open(&self.halves[self.turn]) {
                self.turn
            } else {
                return None;
            };
            let Some((rank, cost)) = self.halves[self.turn].expand(graph) else { continue };
            if let Some(other) = self.halves[1 - self.turn].cost(rank) {
                match cost.checked_add(other) {
                    Some(sum) if best.is_none_or(|best| sum < best) => {
                        self.best = Some((sum, rank));
                    }
                    Some(_) => {}
                    None => self.halves[0].overflow = Some([cost, other]),
                }
            }
            return Some((rank, cost));
        }
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
