//! [`Memo`]: distances between all states and a few, computed when they are asked for and kept.

use super::upward::{Half, Upward, Way};
use crate::cost::Cost;

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
struct Known<C> {
    cost: C,
    /// The number of the round and one of the following.
    mark: u32,
}

/// The bits of a mark that say what is known; 0 says that the search has found the cost, and that there may be a lower one.
const KIND: u32 = 3;
const EXACT: u32 = 1;
const UNREACHED: u32 = 2;
const TOO_LARGE: u32 = 3;

/// The distance of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Distance<C> {
    Exact(C),
    /// There is no path.
    Unreached,
    /// There may be a path, but no cost that fits.
    TooLarge,
}

/// The distances to some states, or from them: a search up from these, and for each state the best of what that search
/// found and the ways by its upward arcs.
///
/// Source: Strasser and Zeitz, *A Fast and Tight Heuristic for A\* in Road Networks*, 2021 (lazy RPHAST).
#[derive(Debug)]
pub(super) struct Memo<C> {
    half: Half<C>,
    known: Vec<Known<C>>,
    /// The number of the round, above the bits of [`KIND`].
    round: u32,
    /// The direction of the arcs by which states come to the search.
    way: Way,
    waiting: Vec<u32>,
}

impl<C: Cost> Memo<C> {
    pub(super) fn new(count: usize) -> Self {
        let known = vec![Known { cost: C::ZERO, mark: 0 }; count];
        let mut half = Half::new();
        half.grow(count);
        Self { half, known, round: 0, way: Way::Forwards, waiting: Vec::new() }
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&mut self) -> usize {
        let known = self.known.capacity() * size_of::<Known<C>>();
        known + self.waiting.capacity() * size_of::<u32>() + self.half.bytes()
    }

    /// The search, for other uses; what is kept does not matter then.
    pub(super) fn half(&mut self) -> &mut Half<C> {
        &mut self.half
    }

    /// Begins anew: with distances to the given states if arcs are followed forwards, else from them.
    pub(super) fn begin(
        &mut self,
        graph: &Upward<C>,
        way: Way,
        ends: impl IntoIterator<Item = u32>,
    ) {
        if self.round > u32::MAX - 2 * (KIND + 1) {
            self.known.iter_mut().for_each(|known| known.mark = 0);
            self.round = 0;
        }
        self.round += KIND + 1;
        self.way = way;
        self.half.begin(way.opposite());
        for end in ends {
            self.half.start(end, C::ZERO);
        }
        while let Some((rank, cost)) = self.half.expand(graph) {
            self.known[rank as usize] = Known { cost, mark: self.round };
        }
    }

    fn look_up(&self, rank: u32) -> Option<Distance<C>> {
        let Known { cost, mark } = self.known[rank as usize];
        match mark.wrapping_sub(self.round) {
            EXACT => Some(Distance::Exact(cost)),
            UNREACHED => Some(Distance::Unreached),
            TOO_LARGE => Some(Distance::TooLarge),
            _ => None,
        }
    }

    /// The distance of a state.
    pub(super) fn distance(&mut self, graph: &Upward<C>, rank: u32) -> Distance<C> {
        if let Some(distance) = self.look_up(rank) {
            return distance;
        }
        self.waiting.clear();
        self.waiting.push(rank);
        while let Some(&next) = self.waiting.last() {
            // A state may wait twice.
            if self.look_up(next).is_some() || self.settle(graph, next) {
                self.waiting.pop();
            }
        }
        self.look_up(rank).unwrap_or(Distance::TooLarge)
    }

    /// Computes the distance of a state, unless those of others are needed first: they wait then.
    fn settle(&mut self, graph: &Upward<C>, rank: u32) -> bool {
        let before = self.waiting.len();
        let Known { cost, mark } = self.known[rank as usize];
        let mut best = (mark == self.round).then_some(cost);
        let mut is_too_large = best.is_none() && self.half.overflow.is_some();
        for arc in graph.arcs(rank).iter().filter(|arc| arc.leads(self.way)) {
            match self.look_up(arc.other) {
                None => self.waiting.push(arc.other),
                Some(Distance::Exact(above)) => match above.checked_add(arc.cost) {
                    Some(cost) if best.is_none_or(|best| cost < best) => best = Some(cost),
                    Some(_) => {}
                    None => is_too_large = true,
                },
                Some(Distance::Unreached) => {}
                Some(Distance::TooLarge) => is_too_large = true,
            }
        }
        if self.waiting.len() > before {
            return false;
        }
        let kind = match best {
            Some(_) => EXACT,
            None if is_too_large => TOO_LARGE,
            None => UNREACHED,
        };
        let cost = best.unwrap_or(C::ZERO);
        self.known[rank as usize] = Known { cost, mark: self.round | kind };
        true
    }
}
