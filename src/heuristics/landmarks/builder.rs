//! [`LandmarkBuilder`]: the number of landmarks, their selection and their storage.

use std::marker::PhantomData;

use super::entries::{Column, Layout};
use super::searches::{Distances, RunBoth, Searches, filled, in_turn, list};
use super::selection::{Chosen, Component};
use super::survey::Survey;
use super::{DistanceError, Landmarks, Selection};
use crate::budget::Budget;
use crate::cost::ScalableCost;
use crate::limits::Limits;
use crate::memory::Memory;
use crate::problem::{DenseStates, Reversible};

/// Builds the [`Landmarks`] of a problem; created by [`Landmarks::of`].
#[derive(Debug)]
#[must_use]
pub struct LandmarkBuilder<'p, P: Reversible + DenseStates> {
    problem: &'p P,
    count: usize,
    selection: Selection,
    is_compressed: bool,
    limits: Limits<P::Cost>,
}

impl<'p, P> LandmarkBuilder<'p, P>
where
    P: Reversible + DenseStates,
    P::Cost: ScalableCost,
{
    pub(super) fn new(problem: &'p P) -> Self {
        let (selection, limits) = (Selection::default(), Limits::new());
        Self { problem, count: 16, selection, is_compressed: false, limits }
    }

    /// Sets the number of landmarks in each weakly connected component, 16 by default. Small components may
    /// get fewer.
    pub fn count(mut self, count: usize) -> Self {
        self.count = count;
        self
    }

    /// Sets the selection of landmarks: [`Selection::Avoid`] by default.
    pub fn selection(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// Stores distances in 16 bits instead of 32.
    ///
    /// Distances that need more are rounded, and the bounds are reduced by the largest rounding error. They
    /// remain admissible, but are no longer consistent: states may be reopened. Integers lose at most about the
    /// largest distance divided by 65,000. Floats lose more, since their buckets are their bits.
    pub fn compressed(mut self) -> Self {
        self.is_compressed = true;
        self
    }

    /// Sets the limits. Time, memory and token apply to the whole build, the number of expansions to
    /// each search from a landmark. If a limit is reached, there are no landmarks. Time and token are looked at for
    /// each state that is read, and between the columns of the entries.
    ///
    /// The build holds the tables of up to two searches and the distances of all landmarks, each of the size
    /// of a cost, and at the end the entries as well. Two concurrent searches may each hold half of the remaining memory.
    pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
        self.limits = limits;
        self
    }

    /// Builds the landmarks on one thread.
    ///
    /// # Errors
    ///
    /// A [`DistanceError`] if a search fails or is stopped, if a distance cannot be stored, or if there is not
    /// enough memory.
    pub fn build(self) -> Result<Landmarks<P::Cost>, DistanceError<P::Cost>> {
        self.build_by(in_turn)
    }

    /// Builds the same landmarks with two concurrent searches, on the threads of `rayon`: in both directions from a
    /// landmark; or from it and from the root that the selection of the next one by avoidance needs. If steps are
    /// reversible at the same cost, and landmarks are selected farthest-first, each search depends on the one
    /// before, and this is no faster.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    #[cfg(feature = "parallel")]
    pub fn build_parallel(self) -> Result<Landmarks<P::Cost>, DistanceError<P::Cost>>
    where
        P: Sync,
        P::State: Send,
        P::Action: Send,
        P::Cost: Send,
    {
        self.build_by(super::searches::at_once)
    }

    #[cfg(not(feature = "parallel"))]
    #[doc(hidden)]
    pub fn build_parallel(self) -> Result<Landmarks<P::Cost>, DistanceError<P::Cost>>
    where
        P: crate::feature::Parallel,
    {
        self.build()
    }

    fn build_by(
        self,
        run_both: RunBoth<'p, P>,
    ) -> Result<Landmarks<P::Cost>, DistanceError<P::Cost>> {
        let Self { problem, count, selection, is_compressed, limits } = self;
        let states = problem.state_count();
        let mut budget = Budget::new(limits);
        budget.start_clock();
        let mut account = Memory::new(budget.limits().memory_limit().unwrap_or(usize::MAX));
        let memory = &mut account;
        let Survey { fingerprint, is_symmetric, components } =
            Survey::of(problem, &budget, memory)?;
        let Groups { first, members, places } = Groups::new(&components, memory)?;
        let mut searches = [(); 2].map(|()| Searches::new(problem, budget.clone()));
        let mut found = Vec::new();
        for range in first.windows(2).filter(|_| count > 0) {
            let members = &members[range[0] as usize..range[1] as usize];
            if members.len() < 2 {
                continue;
            }
            memory.reserve(&mut found, 1)?;
            let mut component = Component {
                searches: &mut searches,
                run_both,
                members,
                places: &places,
                is_symmetric,
                count,
                chosen: Chosen::none(),
                memory: &mut *memory,
            };
            component.choose(selection)?;
            found.push((members, component.chosen));
        }
        // The tables are no longer needed.
        let of_searches = searches.iter().map(Searches::bytes).sum();
        drop(searches);
        memory.release(of_searches);
        let most = found.iter().map(|(_, chosen)| chosen.landmarks.len()).max().unwrap_or(0);
        let width = if is_symmetric { most } else { 2 * most };
        let mut landmarks = Vec::new();
        let mut columns = Vec::new();
        for (members, Chosen { landmarks: chosen, from, to }) in found {
            memory.reserve(&mut landmarks, chosen.len())?;
            landmarks.extend(chosen.iter().map(|&place| members[place]));
            memory.reserve(&mut columns, from.len() + to.len())?;
            let all = from.into_iter().zip(0..).chain(to.into_iter().zip(most..));
            columns.extend(all.map(|(found, place)| {
                let Distances { costs, farthest, .. } = found;
                Column { place, members, costs, farthest }
            }));
        }
        let layout = Layout { states, width, columns };
        let (entries, scale) = layout.entries(is_compressed, &budget, memory)?;
        let is_connected = first.len() <= 2;
        Ok(Landmarks {
            fingerprint,
            states,
            indices: landmarks,
            components: if is_connected { Vec::new() } else { components },
            width,
            is_symmetric,
            scale,
            entries,
            costs: PhantomData,
        })
    }
}

/// The states, sorted by their components.
struct Groups {
    /// For each component the number of states before it; the number of all states at the end.
    first: Vec<u32>,
    /// The indices of the states.
    members: Vec<u32>,
    /// For each state its place in its component.
    places: Vec<u32>,
}

impl Groups {
    fn new<C>(components: &[u32], memory: &mut Memory) -> Result<Self, DistanceError<C>> {
        let count = components.iter().max().map_or(0, |&last| last as usize + 1);
        let mut first = filled(count + 1, 0_u32, memory)?;
        for &component in components {
            first[component as usize + 1] += 1;
        }
        for component in 0..count {
            first[component + 1] += first[component];
        }
        let mut next = list(first.len(), memory)?;
        next.extend_from_slice(&first);
        let mut members = filled(components.len(), 0, memory)?;
        let mut places = list(components.len(), memory)?;
        for (state, &component) in (0..).zip(components) {
            let place = next[component as usize];
            next[component as usize] += 1;
            members[place as usize] = state;
            places.push(place - first[component as usize]);
        }
        memory.free(next);
        Ok(Self { first, members, places })
    }
}
