//! [`CustomizableHierarchy`]: shortcuts that do not depend on costs.

mod builder;
mod dissection;
mod elimination;
mod flow;
mod links;
mod pace;
mod weights;

pub use builder::CustomizableHierarchyBuilder;

use self::elimination::Arcs;
use self::pace::Pace;
use self::weights::Weights;
use super::pool::Pool;
use super::{DistanceError, Hierarchy};
use crate::budget::Budget;
use crate::debug::show_fields;
use crate::limits::Limits;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::DenseStates;

/// In lists of states and ranks: none.
const NONE: u32 = u32::MAX;

/// The part of a [`Hierarchy`] that does not depend on costs: a customizable contraction hierarchy. For costs that change,
/// also to lower ones. Needs the feature `hierarchies`.
///
/// It knows which states a step joins, and no costs. [`customize`](Self::customize) gives it the costs of a problem
/// and returns a `Hierarchy`, which is like any other: with queries, tables, heuristics and files. That takes a fraction of
/// a second on a road network with some hundred thousand states, where making a hierarchy anew takes seconds.
///
/// States are ordered by nested dissection: few states that separate all others into two parts come last, and so on in each
/// part. So it is for spaces with small separators, such as road networks and maps. On others, such as random graphs,
/// there are far too many arcs: set [limits](CustomizableHierarchyBuilder::limits).
///
/// | | [`Hierarchy::of`] | a customizable one |
/// |---|---|---|
/// | other costs | only as a heuristic, where none has fallen | [`customize`](Self::customize) |
/// | queries on a road network | the quickest | 1.2 to 1.4 times the time |
/// | memory of the hierarchy | the least | more arcs are kept |
///
/// - **Steps may be left out** when costs are given, such as roads that are closed, and may lead the other way. A step
///   between states that no step joined before is an error.
/// - **Memory**: 12 bytes a state and 5 an arc. While costs are taken, 16 an arc in addition (with costs of 4 bytes).
/// - The same problem gives the same hierarchies.
///
/// # Example
///
/// ```
/// use bestfirst::heuristics::CustomizableHierarchy;
/// use bestfirst::problems::road_network::RoadNetwork;
///
/// let network = RoadNetwork::new(4, &[(1, 2, 3), (2, 4, 4), (1, 3, 5), (3, 4, 5)])?;
/// let [one, three, four] = [1, 3, 4].map(|number| network.node(number).unwrap());
/// let prepared = CustomizableHierarchy::of(&network.route_to(four)).build()?;
/// let hierarchy = prepared.customize(&network.route_to(four))?;
/// assert_eq!(hierarchy.distance(one.index(), four.index()), Some(7));
///
/// // Some weights rise, others fall.
/// let today = network.with_weights(|tail, _, weight| if tail == three { 1 } else { 2 * weight })?;
/// let hierarchy = prepared.customize(&today.route_to(four))?;
/// let report = hierarchy.query(today.route_to(four))?.search(one).run()?;
/// assert_eq!(report.cost(), Some(11));
/// assert_eq!(report.path().unwrap().states(), [one, three, four]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Source
///
/// Dibbelt, Strasser and Wagner, *Customizable Contraction Hierarchies*, 2016.
#[derive(Clone)]
pub struct CustomizableHierarchy {
    /// For each state its rank.
    ranks: Vec<u32>,
    /// For each rank the state.
    states: Vec<u32>,
    arcs: Arcs,
}

impl CustomizableHierarchy {
    /// Creates a builder for the state space of `problem`. Its costs do not matter, nor do its goals and its heuristic.
    pub fn of<P: DenseStates>(problem: &P) -> CustomizableHierarchyBuilder<'_, P> {
        CustomizableHierarchyBuilder::new(problem)
    }

    /// Makes a hierarchy for the costs of a problem.
    ///
    /// It must have the same states as the one that was prepared, and steps only between states that a step joined there. The
    /// type of its costs may be another one.
    ///
    /// # Errors
    ///
    /// [`DistanceError::OtherProblem`] or [`DistanceError::OtherStep`] if the problem is another one, and
    /// [`DistanceError::Search`] if a cost is not valid.
    pub fn customize<P: DenseStates>(
        &self,
        problem: &P,
    ) -> Result<Hierarchy<P::Cost>, DistanceError<P::Cost>> {
        self.customize_within(problem, Limits::new())
    }

    /// Makes a hierarchy for the costs of a problem, within limits: on the time, on memory and by a token.
    ///
    /// # Errors
    ///
    /// Those of [`customize`](Self::customize), and [`DistanceError::Stopped`] at a limit.
    pub fn customize_within<P: DenseStates>(
        &self,
        problem: &P,
        limits: Limits<P::Cost>,
    ) -> Result<Hierarchy<P::Cost>, DistanceError<P::Cost>> {
        let (found, expected) = (problem.state_count(), self.states.len());
        if found != expected {
            return Err(DistanceError::OtherProblem { found, expected });
        }
        let mut budget = Budget::new(limits);
        budget.start_clock();
        let memory = &mut Memory::new(budget.limits().memory_limit().unwrap_or(usize::MAX));
        let (mut weights, fingerprint) = Weights::read(self, problem, &budget, memory)?;
        let check = &mut || budget.check_now();
        weights.customize(&mut Pace::new(check))?;
        weights.prune(&mut Pace::new(check))?;
        let overflows = weights.overflows;
        Ok(Hierarchy {
            fingerprint,
            graph: weights.upward(memory)?,
            ranks: copied(&self.ranks, memory)?,
            states: copied(&self.states, memory)?,
            overflows,
            meetings: Pool::default(),
            memos: Pool::default(),
        })
    }

    /// Returns the number of states.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// Returns the number of arcs, of which each leads in both directions: those of steps, and those that stand for paths.
    #[must_use]
    pub fn arc_count(&self) -> usize {
        self.arcs.heads.len()
    }

    /// Returns the indices of the states in their order, the least important first: what
    /// [`order`](CustomizableHierarchyBuilder::order) takes, so that it can be kept.
    #[must_use]
    pub fn order(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.states.iter().map(|&state| state as usize)
    }

    /// Returns the bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let Arcs { first, heads, is_step } = &self.arcs;
        let lists = [&self.ranks, &self.states, first, heads];
        lists.map(|list| size_of_val(&list[..])).iter().sum::<usize>() + size_of_val(&is_step[..])
    }
}

show_fields! {
    [] CustomizableHierarchy,
    "CustomizableHierarchy" (this) { states = this.state_count(), arcs = this.arc_count(), bytes = this.bytes() }
}

fn copied(list: &[u32], memory: &mut Memory) -> Result<Vec<u32>, OutOfMemory> {
    let mut copy = memory.list(list.len(), 0)?;
    copy.copy_from_slice(list);
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use super::elimination::eliminate;
    use super::links::Links;
    use super::*;
    use crate::problems::grid_map::{Cell, GridMap};

    /// How often limits are looked at in the passes of a map of `size` columns and rows: while arcs are found, and while they
    /// get their costs and are pruned.
    fn looks(size: u16) -> [u32; 3] {
        let map = GridMap::new(size, size, |_| true).unwrap();
        let route = map.route_to(Cell::new(0, 0));
        let (budget, memory) = (Budget::new(Limits::new()), &mut Memory::new(usize::MAX));
        let prepared =
            CustomizableHierarchy::of(&route).order(0..route.state_count()).build().unwrap();
        let links = Links::read(&route, &budget, memory).unwrap();
        let mut weights = Weights::read(&prepared, &route, &budget, memory).unwrap().0;
        let CustomizableHierarchy { ranks, states, .. } = &prepared;
        let mut looks = [0; 3];
        for (pass, looks) in looks.iter_mut().enumerate() {
            let mut check = || {
                *looks += 1;
                Ok(())
            };
            let pace = &mut Pace::new(&mut check);
            match pass {
                0 => drop(eliminate(&links, states, ranks, memory, pace).unwrap()),
                1 => weights.customize(pace).unwrap(),
                _ => weights.prune(pace).unwrap(),
            }
        }
        looks
    }

    #[test]
    fn limits_are_looked_at_in_each_pass_and_after_much_work() {
        assert_eq!(looks(4), [1; 3]);
        assert!(looks(40).iter().all(|&looks| looks > 1), "{:?}", looks(40));
    }
}
