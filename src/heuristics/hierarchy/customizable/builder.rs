//! [`CustomizableHierarchyBuilder`]: makes a customizable hierarchy of a problem.

use super::super::graph::NO_MIDDLE;
use super::dissection::dissect;
use super::elimination::eliminate;
use super::links::Links;
use super::pace::Pace;
use super::{CustomizableHierarchy, DistanceError, NONE};
use crate::budget::Budget;
use crate::debug::show_fields;
use crate::limits::Limits;
use crate::memory::Memory;
use crate::problem::DenseStates;

/// Returns the place of a state.
type Coordinates<'p, S> = Box<dyn FnMut(&S) -> [f64; 2] + 'p>;

/// What is told of the progress: how many states of how many have their place in the order.
type Progress<'p> = Box<dyn FnMut(usize, usize) + 'p>;

/// Makes a [`CustomizableHierarchy`] of a problem: what [`CustomizableHierarchy::of`] returns.
///
/// The order of the states decides how many arcs there are. It is computed from [coordinates](Self::coordinates), else
/// from the numbers of steps between states; or it is [given](Self::order).
#[must_use]
pub struct CustomizableHierarchyBuilder<'p, P: DenseStates> {
    problem: &'p P,
    coordinates: Option<Coordinates<'p, P::State>>,
    order: Option<Vec<usize>>,
    limits: Limits<P::Cost>,
    progress: Option<Progress<'p>>,
}

show_fields! {
    [P: DenseStates] CustomizableHierarchyBuilder<'_, P>,
    "CustomizableHierarchyBuilder" { limits }
}

impl<'p, P: DenseStates> CustomizableHierarchyBuilder<'p, P> {
    pub(super) fn new(problem: &'p P) -> Self {
        Self { problem, coordinates: None, order: None, limits: Limits::new(), progress: None }
    }

    /// Sets where the states are, in the plane. A part is cut across four directions, by the least cut between both
    /// ends (three tenths of its states each), so coordinates may be rough, and need not be in the units of the costs.
    ///
    /// Without coordinates, the numbers of steps to two pairs of states that are far apart, in each part, take their place.
    ///
    /// ```
    /// use bestfirst::heuristics::CustomizableHierarchy;
    /// use bestfirst::problems::grid_map::{Cell, GridMap};
    ///
    /// let map = GridMap::new(20, 10, |cell| cell.x != 7 || cell.y > 6)?;
    /// let route = map.route_to(Cell::new(19, 0));
    /// let prepared = CustomizableHierarchy::of(&route)
    ///     .coordinates(|cell| [cell.x.into(), cell.y.into()])
    ///     .build()?;
    /// assert_eq!(prepared.state_count(), 200);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn coordinates(mut self, place: impl FnMut(&P::State) -> [f64; 2] + 'p) -> Self {
        self.coordinates = Some(Box::new(place));
        self
    }

    /// Sets the order of the states, the least important first, by their indices: one that was
    /// [computed before](CustomizableHierarchy::order), or by another program.
    pub fn order(mut self, states: impl IntoIterator<Item = usize>) -> Self {
        self.order = Some(states.into_iter().collect());
        self
    }

    /// Sets the limits: on the time, on memory and by a token. If one is reached, nothing is made. Time and token are looked
    /// at after each state that is read, and then between passes over a part of the graph: with a million states, a pass takes
    /// up to a tenth of a second.
    pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
        self.limits = limits;
        self
    }

    /// Calls a function with the number of states that have their place in the order, and the number of all states: at the
    /// beginning, after every hundredth part, and at the end.
    pub fn progress(mut self, progress: impl FnMut(usize, usize) + 'p) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Orders the states, and finds the arcs.
    ///
    /// # Errors
    ///
    /// A [`DistanceError`] if a step leads out of the states, if there are too many states, if an order that is given
    /// does not have each state once, or at a limit.
    pub fn build(self) -> Result<CustomizableHierarchy, DistanceError<P::Cost>> {
        let Self { problem, coordinates, order, limits, mut progress } = self;
        let count = problem.state_count();
        if count >= NO_MIDDLE as usize {
            return Err(DistanceError::TooManyStates { count });
        }
        let mut budget = Budget::new(limits);
        budget.start_clock();
        let memory = &mut Memory::new(budget.limits().memory_limit().unwrap_or(usize::MAX));
        let links = Links::read(problem, &budget, memory)?;
        let mut tell = |done| {
            if let Some(progress) = &mut progress {
                progress(done, count);
            }
        };
        tell(0);
        let states = if let Some(order) = order {
            numbers(&order, count, memory)?
        } else {
            let places = coordinates.map(|mut place| {
                let mut places = memory.list(count, [0.0; 2])?;
                for (index, entry) in places.iter_mut().enumerate() {
                    budget.check_state(index)?;
                    *entry = place(&problem.state_at(index));
                }
                Ok::<_, DistanceError<P::Cost>>(places)
            });
            let places = places.transpose()?;
            let mut told = 0;
            let order = dissect(&links, places.as_deref(), memory, &mut |done| {
                let percent = done * 100 / count.max(1);
                if percent > told {
                    told = percent;
                    tell(done);
                }
                budget.check_now()
            })?;
            if let Some(places) = places {
                memory.free(places);
            }
            order
        };
        let mut ranks = memory.list(count, NONE)?;
        for (rank, &state) in (0..).zip(&states) {
            ranks[state as usize] = rank;
        }
        let arcs =
            eliminate(&links, &states, &ranks, memory, &mut Pace::new(&mut || budget.check_now()))?;
        tell(count);
        Ok(CustomizableHierarchy { ranks, states, arcs })
    }
}

/// The indices of states in an order, each once.
fn numbers<C>(
    order: &[usize],
    count: usize,
    memory: &mut Memory,
) -> Result<Vec<u32>, DistanceError<C>> {
    let mut is_listed = memory.list(count, false)?;
    let mut states = memory.list(count, 0)?;
    let error = DistanceError::Order { found: order.len(), expected: count };
    if order.len() != count {
        return Err(error);
    }
    for (&index, place) in order.iter().zip(&mut states) {
        match is_listed.get_mut(index) {
            Some(is_listed) if !*is_listed => *is_listed = true,
            _ => return Err(error),
        }
        #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2³⁰")]
        let state = index as u32;
        *place = state;
    }
    memory.free(is_listed);
    Ok(states)
}
