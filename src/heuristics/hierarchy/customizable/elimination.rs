//! [`eliminate`]: the arcs that do not depend on costs.

use super::NONE;
use super::links::Links;
use super::pace::Pace;
use crate::memory::{Memory, OutOfMemory};
use crate::report::StopReason;

/// For each rank the ranks above that an arc leads to.
#[derive(Clone, Debug)]
pub(super) struct Arcs {
    /// For each rank the number of arcs before; the number of all arcs at the end.
    pub(super) first: Vec<u32>,
    /// Where the arcs lead, in the order of the ranks.
    pub(super) heads: Vec<u32>,
    /// Whether a step joins the ends of an arc. Else it only stands for paths over states below.
    pub(super) is_step: Vec<bool>,
}

impl Arcs {
    /// The places of the arcs of a rank.
    #[inline]
    pub(super) fn range(&self, rank: u32) -> std::ops::Range<usize> {
        self.first[rank as usize] as usize..self.first[rank as usize + 1] as usize
    }

    /// The place of the arc between two ranks.
    #[inline]
    pub(super) fn find(&self, low: u32, high: u32) -> Option<usize> {
        let range = self.range(low);
        let place = self.heads[range.clone()].binary_search(&high).ok()?;
        Some(range.start + place)
    }
}

/// Takes the states out of the graph in the order of their ranks. Those above that were joined with one are joined with
/// each other: all of them come to the list of the first of them.
#[inline]
pub(super) fn eliminate(
    links: &Links,
    states: &[u32],
    ranks: &[u32],
    memory: &mut Memory,
    pace: &mut Pace<'_>,
) -> Result<Arcs, StopReason> {
    let count = links.count();
    let (mut first, mut heads) = (Vec::new(), Vec::new());
    memory.reserve(&mut first, count + 1)?;
    first.push(0);
    // The ranks whose first arc leads to a rank: the first of them, and for each the next one.
    let mut below = memory.list(count, NONE)?;
    let mut siblings = memory.list(count, NONE)?;
    // The last rank to which an arc to this one was added.
    let mut added = memory.list(count, NONE)?;
    let mut above = Vec::new();
    for (rank, &state) in (0..).zip(states) {
        above.clear();
        let mut add = |list: &mut dyn Iterator<Item = u32>, most: usize| {
            pace.work(most + 1)?;
            memory.reserve(&mut above, most)?;
            above.extend(list.filter(|&head| {
                let is_new = head > rank && added[head as usize] != rank;
                added[head as usize] = rank;
                is_new
            }));
            Ok::<(), StopReason>(())
        };
        let joined = links.at(state);
        add(&mut joined.iter().map(|&other| ranks[other as usize]), joined.len())?;
        let mut low = below[rank as usize];
        while low != NONE {
            let range = first[low as usize] as usize..first[low as usize + 1] as usize;
            let list: &[u32] = &heads[range];
            add(&mut list.iter().copied(), list.len())?;
            low = siblings[low as usize];
        }
        above.sort_unstable();
        if let Some(&parent) = above.first() {
            siblings[rank as usize] = below[parent as usize];
            below[parent as usize] = rank;
        }
        memory.reserve(&mut heads, above.len())?;
        heads.extend_from_slice(&above);
        first.push(u32::try_from(heads.len()).map_err(|_| OutOfMemory)?);
    }
    for list in [below, siblings, added, above] {
        memory.free(list);
    }
    heads.shrink_to_fit();
    let is_step = memory.list(heads.len(), false)?;
    let mut arcs = Arcs { first, heads, is_step };
    for (rank, &state) in (0..).zip(states) {
        for &other in links.at(state) {
            if let Some(place) = arcs.find(rank, ranks[other as usize]) {
                arcs.is_step[place] = true;
            }
        }
    }
    Ok(arcs)
}
