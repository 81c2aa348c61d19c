//! [`contract`]: the order of the states, and the shortcuts.

use super::DistanceError;
use super::graph::{Arc, BACKWARD, FORWARD, Remaining};
use super::upward::{self, Upward};
use super::witness::Witnesses;
use crate::cost::Cost;
use crate::frontier::heap::Heap;
use crate::memory::{Memory, OutOfMemory};

/// How many states a search for witnesses expands when the key of a state is computed, and when it is contracted. More
/// make fewer shortcuts and take longer.
const LIMITS: [usize; 2] = [30, 200];

/// Of a state with more pairs of neighbours than this, the key presumes that there are no witnesses.
const MOST_PAIRS: usize = 10_000;

/// The limits are checked after this many shortcuts were added, each to two lists of arcs.
const SHORTCUTS_PER_LOOK: usize = 1 << 10;

/// What contraction makes.
pub(super) struct Contracted<C> {
    /// The states in the order in which they were contracted.
    pub(super) order: Vec<u32>,
    pub(super) graph: Upward<C>,
    /// Whether a shortcut was left out because its cost does not fit.
    pub(super) overflows: bool,
}

/// What goes on while states are contracted.
struct Contraction<'m, C> {
    graph: Remaining<C>,
    is_symmetric: bool,
    witnesses: Witnesses<C>,
    /// For each state how many levels are below it.
    depths: Vec<u32>,
    /// Whether the neighbourhood of a state has changed since its key was computed.
    is_changed: Vec<bool>,
    /// The shortcuts that contracting a state needs, each with the state where it begins.
    shortcuts: Vec<(u32, Arc<C>)>,
    overflows: bool,
    memory: &'m mut Memory,
}

/// Contracts the states of a graph one after the other, the least important first. `check` is told how many are done,
/// also while many shortcuts of one state are looked for and added.
pub(super) fn contract<C: Cost>(
    graph: Remaining<C>,
    count: u32,
    memory: &mut Memory,
    check: &mut dyn FnMut(u32) -> Result<(), DistanceError<C>>,
) -> Result<Contracted<C>, DistanceError<C>> {
    let states = count as usize;
    let mut contraction = Contraction {
        is_symmetric: graph.is_symmetric,
        graph,
        witnesses: Witnesses::new(states, memory)?,
        depths: memory.list(states, 0)?,
        is_changed: memory.list(states, false)?,
        shortcuts: Vec::new(),
        overflows: false,
        memory,
    };
    let mut open = Heap::<u64>::new();
    contraction.memory.reserve(open.list(), states)?;
    for state in 0..count {
        let key = contraction.key(state, &mut || check(0))?;
        open.push(entry(key, state));
    }
    let (mut order, mut first, mut arcs) = (Vec::new(), Vec::new(), Vec::new());
    contraction.memory.reserve(&mut order, states)?;
    contraction.memory.reserve(&mut first, states + 1)?;
    first.push(0);
    while let Some(next) = open.pop() {
        #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
        let state = next as u32;
        let mut look = || check(u32::try_from(order.len()).unwrap_or(u32::MAX));
        if contraction.is_changed[state as usize] {
            let key = contraction.key(state, &mut look)?;
            // The key of a neighbour is computed again only when it comes up.
            if open.peek().is_some_and(|other| other < entry(key, 0)) {
                open.push(entry(key, state));
                continue;
            }
        }
        contraction.find_shortcuts(state, LIMITS[1], &mut look)?;
        contraction.contract(state, &mut arcs, &mut look)?;
        order.push(state);
        first.push(u32::try_from(arcs.len()).map_err(|_| OutOfMemory)?);
    }
    let Contraction { graph, witnesses, depths, is_changed, shortcuts, overflows, .. } =
        contraction;
    graph.free(memory);
    witnesses.free(memory);
    memory.free(depths);
    memory.free(is_changed);
    memory.free(shortcuts);
    memory.free(std::mem::take(open.list()));
    Ok(Contracted { order, graph: Upward { first, arcs }, overflows })
}

/// A state with its key, such that the least key comes first and then the state with the least index.
fn entry(key: u32, state: u32) -> u64 {
    u64::from(key) << 32 | u64::from(state)
}

/// Where an arc leads, in how many directions.
fn ways<C>(arc: &Arc<C>) -> u64 {
    arc.ways.count_ones().into()
}

/// The sum over arcs and the sum of their steps.
fn sums<'a, C: 'a>(arcs: impl Iterator<Item = &'a Arc<C>>) -> [u64; 2] {
    arcs.fold([0, 0], |[count, hops], arc| {
        [count + ways(arc), hops + ways(arc) * u64::from(arc.hops)]
    })
}

impl<C: Cost> Contraction<'_, C> {
    /// How important a state is: how many arcs and steps contraction would add in relation to those that it would
    /// remove, and how many levels are below it.
    fn key(
        &mut self,
        state: u32,
        check: &mut dyn FnMut() -> Result<(), DistanceError<C>>,
    ) -> Result<u32, DistanceError<C>> {
        self.is_changed[state as usize] = false;
        let arcs = self.graph.arcs(state);
        let [removed, removed_hops] = sums(arcs.iter());
        let pairs = arcs.len().saturating_mul(arcs.len());
        let [added, added_hops] = if pairs > MOST_PAIRS {
            let len = arcs.len() as u64;
            [removed.saturating_mul(len), removed_hops.saturating_mul(len)]
        } else {
            self.find_shortcuts(state, LIMITS[0], check)?;
            sums(self.shortcuts.iter().map(|(_, arc)| arc))
        };
        let depth = u64::from(self.depths[state as usize]);
        let quotients = added.saturating_mul(1000) / removed.max(1)
            + added_hops.saturating_mul(1000) / removed_hops.max(1);
        Ok(u32::try_from(depth * 1000 + quotients).unwrap_or(u32::MAX))
    }

    /// Finds the shortcuts that contracting a state needs: one for each pair of neighbours, unless a path around the
    /// state costs no more.
    fn find_shortcuts(
        &mut self,
        state: u32,
        limit: usize,
        check: &mut dyn FnMut() -> Result<(), DistanceError<C>>,
    ) -> Result<(), DistanceError<C>> {
        check()?;
        let Self { graph, witnesses, shortcuts, memory, is_symmetric, .. } = self;
        shortcuts.clear();
        let arcs = graph.arcs(state);
        let ways = if *is_symmetric { FORWARD | BACKWARD } else { FORWARD };
        for (place, into) in arcs.iter().enumerate().filter(|(_, arc)| arc.ways & BACKWARD != 0) {
            // Where every arc leads both ways, one of the two searches between a pair is enough.
            let others = if *is_symmetric { &arcs[place + 1..] } else { arcs };
            let others =
                others.iter().filter(|arc| arc.ways & FORWARD != 0 && arc.other != into.other);
            witnesses.begin();
            for out in others.clone() {
                match into.cost.checked_add(out.cost) {
                    Some(cost) => witnesses.want(out.other, cost),
                    None => self.overflows = true,
                }
            }
            if !witnesses.are_wanted() {
                continue;
            }
            if arcs.len() > 100 {
                check()?;
            }
            witnesses.search(graph, [into.other, state], limit, memory)?;
            for out in others.filter(|out| witnesses.lacks(out.other)) {
                let Some(cost) = into.cost.checked_add(out.cost) else { continue };
                let hops = into.hops.saturating_add(out.hops);
                memory.reserve(shortcuts, 1)?;
                let arc = Arc { other: out.other, middle: state, cost, hops, ways };
                shortcuts.push((into.other, arc));
            }
        }
        Ok(())
    }

    /// Takes a state out of the graph and adds the shortcuts that were found. Its arcs go to the end of `upward`.
    fn contract(
        &mut self,
        state: u32,
        upward: &mut Vec<upward::Arc<C>>,
        check: &mut dyn FnMut() -> Result<(), DistanceError<C>>,
    ) -> Result<(), DistanceError<C>> {
        let arcs = self.graph.remove(state);
        for (number, &(from, arc)) in (1..).zip(&self.shortcuts) {
            if usize::is_multiple_of(number, SHORTCUTS_PER_LOOK) {
                check()?;
            }
            self.graph.add(from, arc, self.memory)?;
        }
        let depth = self.depths[state as usize] + 1;
        self.memory.reserve(upward, arcs.len())?;
        for arc in &arcs {
            let other = arc.other as usize;
            self.depths[other] = self.depths[other].max(depth);
            self.is_changed[other] = true;
            upward.push(upward::Arc::new(arc.other, arc.middle, arc.ways, arc.cost));
        }
        self.memory.free(arcs);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_looked_at_while_many_shortcuts_are_added() {
        // Each of 101 states is joined with each of 101 others, and all cheapest paths between the latter lead over the first
        // state. It has so many neighbours that its key does not tell.
        let (size, memory) = (101, &mut Memory::new(usize::MAX));
        let mut graph = Remaining::<u32>::new(2 * size as usize, memory).unwrap();
        for (from, to) in (0..size).flat_map(|from| (size..2 * size).map(move |to| (from, to))) {
            for ends in [[from, to], [to, from]] {
                graph.add_step(ends, 1 + 10 * from, memory).unwrap();
            }
        }
        graph.finish(&mut |_| Ok::<_, ()>(())).unwrap();
        let mut looks = 0;
        contract(graph, 2 * size, memory, &mut |done| {
            looks += usize::from(done == 0);
            Ok(())
        })
        .unwrap();
        // Once for the state, for each neighbour that has others behind it, and while 5050 shortcuts are added.
        assert_eq!(looks, 1 + 100 + 5050 / SHORTCUTS_PER_LOOK);
    }
}
