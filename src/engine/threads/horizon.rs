//! [`Horizon`]: how far a round goes.

use crate::frontier::Key;

/// Which states may be expanded in a round.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Horizon<K> {
    /// The largest layer: the first of the whole numbers of a key. All, if keys have none.
    pub(in crate::engine) layer: Option<usize>,
    /// The key of the best goal so far: others must precede it.
    pub(in crate::engine) goal: Option<K>,
}

impl<K: Key> Horizon<K> {
    /// Whether a state with that key may be expanded.
    #[inline]
    pub(in crate::engine) fn reaches(&self, key: &K) -> bool {
        self.goal.is_none_or(|goal| key.precedes(&goal))
            && self.layer.is_none_or(|most| layer_of(*key).is_none_or(|layer| layer <= most))
    }
}

/// The layer of a key.
#[inline]
fn layer_of<K: Key>(key: K) -> Option<usize> {
    key.to_buckets().map(|(first, _)| first)
}

/// How many layers a round spans, and how many states each shard expands in it at most.
///
/// Where each layer has many states, a round goes no further than one. Where layers have few, as with floats, there
/// would be next to nothing to do in a round, so it spans several: twice as many after each span in which too few
/// states were expanded in a round, and half as many after a round with more than enough.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Span {
    /// The round goes so far beyond the least layer.
    width: usize,
    /// The largest layer of the round.
    layer: Option<usize>,
    /// The rounds since that is the largest layer, and the number of expansions before them.
    rounds: u64,
    expanded_before: u64,
    /// The number of expansions before the last round.
    expanded_last: u64,
    /// A round need not have more expansions.
    enough: u64,
}

/// A shard expands at most this many states in a round.
const MOST_IN_ROUND: u64 = 128;

/// In one round, all shards together expand at most one state per this many expanded before, but for the least number of each.
const GROWTH: u64 = 128;

/// A round is to have at least one expansion per this many before.
const GROWTH_OF_SPAN: u64 = 512;

impl Span {
    /// Spans for rounds that need not have more than `enough` expansions.
    pub(in crate::engine) fn new(enough: u64) -> Self {
        Self { width: 0, layer: None, rounds: 0, expanded_before: 0, expanded_last: 0, enough }
    }

    /// How many states each of `shards` shards may expand in the next round.
    pub(in crate::engine) fn quota(expanded: u64, shards: u64) -> u64 {
        (expanded / (shards * GROWTH)).clamp(1, MOST_IN_ROUND)
    }

    /// The next round, if no open state precedes `least` (some that are under way may, if any are), after `expanded`
    /// expansions: the largest layer in it.
    pub(in crate::engine) fn next_round<K: Key>(
        &mut self,
        least: Option<K>,
        are_under_way: bool,
        expanded: u64,
    ) -> Option<usize> {
        let in_last_round = expanded - std::mem::replace(&mut self.expanded_last, expanded);
        // If there is none, all that is open is under way, or keys have no layers.
        if let Some(least) = least.and_then(layer_of) {
            let enough = (expanded / GROWTH_OF_SPAN).clamp(1, self.enough);
            let is_over = !are_under_way && self.layer.is_none_or(|layer| least > layer);
            if is_over && expanded - self.expanded_before < enough * self.rounds {
                self.width = self.width.saturating_mul(2).saturating_add(1);
            } else if in_last_round > 4 * enough {
                self.width /= 2;
            }
            let layer = least.saturating_add(self.width);
            if is_over || self.layer.is_some_and(|before| layer < before) {
                self.layer = Some(layer);
                (self.rounds, self.expanded_before) = (0, expanded);
            }
        }
        self.rounds += 1;
        self.layer
    }
}
