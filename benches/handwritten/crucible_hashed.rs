//! The crucible by hand with hashed states: the hash map of the standard library with a fast hasher, and a ring of
//! buckets.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use bestfirst::problems::crucible::HeatMap;
use rustc_hash::FxBuildHasher;

/// The record of a state: its cost and its parent.
#[derive(Clone, Copy)]
struct Known {
    cost: u32,
    parent: u32,
}

/// A state is twice the number of the block, plus one if the last run went along the column.
type Table = HashMap<u32, Known, FxBuildHasher>;

/// A map of losses, row by row.
pub struct Town {
    rows: usize,
    columns: usize,
    losses: Vec<u8>,
    smallest: u32,
}

impl Town {
    pub fn new(map: &HeatMap) -> Self {
        assert!(map.rows() * map.columns() < 1 << 30, "a state is a word");
        Self {
            rows: map.rows(),
            columns: map.columns(),
            losses: map.rows_iter().flatten().copied().collect(),
            smallest: map.smallest_loss().into(),
        }
    }

    /// Returns the least heat loss of a crucible that moves `min` to `max` blocks before each turn, the numbers of
    /// expanded and stored states, and the states of the path from the goal back to the start.
    pub fn cross(
        &self,
        min: usize,
        max: usize,
        with_heuristic: bool,
    ) -> (Option<u32>, u64, u64, Vec<u32>) {
        let per_block = if with_heuristic { self.smallest } else { 0 };
        let (last_row, last_column) = (self.rows - 1, self.columns - 1);
        let far = low_half(last_row + last_column) * per_block;
        let mut table = Table::default();
        let mut ring = vec![Vec::new(); (18 * max + 1).next_power_of_two()];
        let mask = ring.len() - 1;
        for state in [0, 1] {
            table.insert(state, Known { cost: 0, parent: state });
            ring[far as usize & mask].push(state);
        }
        let (mut open, mut expanded, mut f) = (2_usize, 0, far);
        while open > 0 {
            let Some(state) = ring[f as usize & mask].pop() else {
                f += 1;
                continue;
            };
            open -= 1;
            let block = state as usize / 2;
            let (row, column) = (block / self.columns, block % self.columns);
            let left = low_half(last_row - row + last_column - column);
            let cost = f - left * per_block;
            if table[&state].cost != cost {
                continue; // a cheaper path was found since
            }
            if left == 0 {
                let mut path = vec![state];
                let mut at = state;
                while table[&at].parent != at {
                    at = table[&at].parent;
                    path.push(at);
                }
                return (Some(cost), expanded, table.len() as u64, path);
            }
            expanded += 1;
            // Along the other axis: how far it goes on, and back, and by how much a block is away.
            let (ahead, back, stride, axis) = if state % 2 == 0 {
                (last_row - row, row, self.columns, 1)
            } else {
                (last_column - column, column, 1, 0)
            };
            for (length, is_ahead) in [(ahead, true), (back, false)] {
                let (mut at, mut reached, mut left) = (block, cost, left);
                for nth in 1..=length.min(max) {
                    if is_ahead {
                        at += stride;
                        left -= 1;
                    } else {
                        at -= stride;
                        left += 1;
                    }
                    reached += u32::from(self.losses[at]);
                    if nth < min {
                        continue;
                    }
                    let next = low_half(2 * at) + axis;
                    let known = Known { cost: reached, parent: state };
                    match table.entry(next) {
                        Entry::Occupied(mut entry) if reached < entry.get().cost => {
                            entry.insert(known);
                        }
                        Entry::Occupied(_) => continue,
                        Entry::Vacant(entry) => {
                            entry.insert(known);
                        }
                    }
                    ring[(reached + left * per_block) as usize & mask].push(next);
                    open += 1;
                }
            }
        }
        (None, expanded, table.len() as u64, Vec::new())
    }
}

/// Numbers of blocks, and of states, fit.
#[inline]
fn low_half(number: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "checked when the town was made")]
    let number = number as u32;
    number
}
