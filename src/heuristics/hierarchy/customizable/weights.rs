//! [`Weights`]: the costs of the arcs for one set of costs of the steps.

use super::super::graph::{BACKWARD, FORWARD, NO_MIDDLE};
use super::super::upward::{Arc, Upward};
use super::CustomizableHierarchy;
use super::elimination::Arcs;
use super::pace::Pace;
use crate::budget::Budget;
use crate::cost::Cost;
use crate::engine::checked::checked_step;
use crate::heuristics::DistanceError;
use crate::heuristics::stored::Steps;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::DenseStates;
use crate::report::StopReason;

/// What an arc costs in one direction, and why.
#[derive(Clone, Copy)]
struct Weight<C> {
    cost: C,
    /// The middle of an arc, and above it one of the following.
    link: u32,
}

/// The bits that say what a weight is. Where they are 0, it is the cost of a step, or of two arcs by way of the middle.
const KIND: u32 = !NO_MIDDLE;
/// As with 0, and an arc that is kept leads over this one: so it is kept as well.
const NEEDED: u32 = 1 << 30;
/// A path over states above costs less.
const SURPASSED: u32 = 2 << 30;
/// There is no path.
const ABSENT: u32 = 3 << 30;

impl<C: Cost> Weight<C> {
    const NONE: Self = Self { cost: C::INFINITY, link: ABSENT };

    #[inline]
    fn is(&self, kind: u32) -> bool {
        self.link & KIND == kind
    }

    #[inline]
    fn is_kept(&self) -> bool {
        self.link <= (NEEDED | NO_MIDDLE)
    }

    #[inline]
    fn lower(&mut self, cost: C, link: u32) {
        if cost < self.cost || self.is(ABSENT) {
            *self = Self { cost, link };
        }
    }
}

/// For each arc the weights upwards and downwards.
pub(super) struct Weights<'a, C> {
    arcs: &'a Arcs,
    list: Vec<[Weight<C>; 2]>,
    /// Whether a step or a sum was left out because it does not fit.
    pub(super) overflows: bool,
}

impl<'a, C: Cost> Weights<'a, C> {
    /// Takes the costs of the steps of a problem, and their fingerprint.
    pub(super) fn read<P: DenseStates<Cost = C>>(
        prepared: &'a CustomizableHierarchy,
        problem: &P,
        budget: &Budget<C>,
        memory: &mut Memory,
    ) -> Result<(Self, u64), DistanceError<C>> {
        let CustomizableHierarchy { ranks, arcs, .. } = prepared;
        let mut list = memory.list(arcs.heads.len(), [Weight::NONE; 2])?;
        let mut steps = Steps::new();
        let mut overflow = None;
        for (index, &rank) in ranks.iter().enumerate() {
            budget.check_state(index)?;
            steps.ask(problem, index, memory)?;
            for &(other, cost) in &steps.found {
                let cost = checked_step(C::ZERO, cost, &mut overflow)?;
                let other_rank = ranks[other];
                let [low, high] = [rank.min(other_rank), rank.max(other_rank)];
                let place = arcs.find(low, high).filter(|&place| arcs.is_step[place]);
                let place = place.ok_or(DistanceError::OtherStep { from: index, to: other })?;
                if let Some(cost) = cost {
                    list[place][usize::from(rank > other_rank)].lower(cost, NO_MIDDLE);
                }
            }
        }
        let weights = Self { arcs, list, overflows: overflow.is_some() };
        Ok((weights, steps.finish(memory)))
    }

    /// Lowers each weight to the cost of the cheapest path between the ends of the arc over states below.
    pub(super) fn customize(&mut self, pace: &mut Pace<'_>) -> Result<(), StopReason> {
        let Self { arcs, list, overflows } = self;
        let heads = &arcs.heads;
        let mut add = |weight: &mut Weight<C>, into: Weight<C>, out: Weight<C>, middle| {
            if into.is(ABSENT) || out.is(ABSENT) {
                return;
            }
            match into.cost.checked_add(out.cost) {
                Some(cost) => weight.lower(cost, middle),
                None => *overflows = true,
            }
        };
        #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2³⁰")]
        let count = (arcs.first.len() - 1) as u32;
        for rank in 0..count {
            let range = arcs.range(rank);
            for place in range.clone() {
                let [up, down] = list[place];
                // All that are above one are joined with each other.
                pace.work(arcs.range(heads[place]).len())?;
                let mut side = arcs.first[heads[place] as usize] as usize;
                for other in place + 1..range.end {
                    while heads[side] != heads[other] {
                        side += 1;
                    }
                    let [other_up, other_down] = list[other];
                    let [forth, back] = &mut list[side];
                    add(forth, down, other_up, rank);
                    add(back, other_down, up, rank);
                }
            }
        }
        Ok(())
    }

    /// Finds the arcs that no cheapest path needs, since one over states above costs less.
    ///
    /// From the top down: there the weights above a rank are distances. What an arc that is kept leads over stays as well;
    /// it could fall by rounding only.
    pub(super) fn prune(&mut self, pace: &mut Pace<'_>) -> Result<(), StopReason> {
        let Self { arcs, list, .. } = self;
        let heads = &arcs.heads;
        let surpass = |weight: &mut Weight<C>, into: Weight<C>, out: Weight<C>| {
            if into.is(ABSENT) || out.is(ABSENT) || weight.is(NEEDED) {
                return;
            }
            if let Some(cost) = into.cost.checked_add(out.cost) {
                weight.lower(cost, SURPASSED);
            }
        };
        #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2³⁰")]
        let count = (arcs.first.len() - 1) as u32;
        for rank in (0..count).rev() {
            let range = arcs.range(rank);
            for place in range.clone() {
                let [mut up, mut down] = list[place];
                pace.work(arcs.range(heads[place]).len())?;
                let mut side = arcs.first[heads[place] as usize] as usize;
                for other in place + 1..range.end {
                    while heads[side] != heads[other] {
                        side += 1;
                    }
                    let [forth, back] = list[side];
                    let [other_up, other_down] = &mut list[other];
                    surpass(other_up, up, forth);
                    surpass(other_down, back, down);
                    surpass(&mut up, *other_up, back);
                    surpass(&mut down, forth, *other_down);
                }
                list[place] = [up, down];
            }
            for place in range {
                let high = heads[place];
                for (way, weight) in list[place].into_iter().enumerate() {
                    let middle = weight.link & NO_MIDDLE;
                    if !weight.is_kept() || middle == NO_MIDDLE {
                        continue;
                    }
                    // Upwards, an arc stands for one down to its middle and one up from there.
                    for (end, way) in [(rank, 1 - way), (high, way)] {
                        if let Some(part) = arcs.find(middle, end) {
                            list[part][way].link |= NEEDED;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The arcs that are left, as a graph.
    pub(super) fn upward(self, memory: &mut Memory) -> Result<Upward<C>, OutOfMemory> {
        let Self { arcs, list, .. } = self;
        let kept = |[up, down]: &[Weight<C>; 2]| {
            let is_same = up.cost == down.cost && (up.link ^ down.link) & NO_MIDDLE == 0;
            let arc = |weight: &Weight<C>, ways| {
                weight.is_kept().then_some((weight.cost, weight.link & NO_MIDDLE, ways))
            };
            if is_same && up.is_kept() && down.is_kept() {
                [arc(up, FORWARD | BACKWARD), None]
            } else {
                [arc(up, FORWARD), arc(down, BACKWARD)]
            }
        };
        let count = list.iter().flat_map(kept).flatten().count();
        let (mut first, mut graph) = (Vec::new(), Vec::new());
        memory.reserve(&mut first, arcs.first.len())?;
        memory.reserve(&mut graph, count)?;
        first.push(0);
        for ends in arcs.first.windows(2) {
            let range = ends[0] as usize..ends[1] as usize;
            for (&head, weights) in arcs.heads[range.clone()].iter().zip(&list[range]) {
                let arc = |(cost, middle, ways)| Arc::new(head, middle, ways, cost);
                graph.extend(kept(weights).into_iter().flatten().map(arc));
            }
            first.push(u32::try_from(graph.len()).map_err(|_| OutOfMemory)?);
        }
        memory.free(list);
        Ok(Upward { first, arcs: graph })
    }
}
