//! [`WithLandmarks`]: a problem with the heuristic of its landmarks.

use super::Landmarks;
use super::entries::{Entries, Entry};
use crate::cost::{Cost, ScalableCost, larger, smaller};
use crate::heuristics::stored::no_dead_end;
use crate::problem::forward::forward;
use crate::problem::{DenseStates, Reversible, SearchProblem};

/// A problem whose heuristic is the maximum of its own and the bounds of [`Landmarks`]; created by [`Landmarks::to`].
///
/// [`heuristic_from`](Reversible::heuristic_from), the bound for backward searches, uses the landmarks as well.
///
/// ```
/// use bestfirst::heuristics::Landmarks;
/// use bestfirst::problems::road_network::RoadNetwork;
/// use bestfirst::{AStar, SearchProblem};
///
/// let network = RoadNetwork::new(4, &[(1, 2, 3), (2, 3, 4), (3, 1, 5), (3, 4, 9)])?;
/// let [one, three, four] = [1, 3, 4].map(|number| network.node(number).unwrap());
/// let landmarks = Landmarks::of(&network.route_to(one)).count(2).build()?;
/// let problem = landmarks.to(network.route_to(four))?.best(1, &one);
/// assert_eq!(problem.heuristic(&three), 9);
/// assert_eq!(AStar::new(&problem).dense().search(one).run()?.cost(), Some(16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WithLandmarks<'l, P: SearchProblem> {
    problem: P,
    landmarks: &'l Landmarks<P::Cost>,
    /// The bounds for goals, component by component.
    bounds: Vec<Bound<P::Cost>>,
    /// Every component with goals, in order, and the end of its bounds.
    groups: Vec<(u32, usize)>,
}

/// The bound on the cost to a goal from one column of the table.
#[derive(Clone, Copy, Debug)]
struct Bound<C> {
    column: usize,
    /// The distance from the landmark to the nearest goal, rounded down; minus the distance to a state, it is a
    /// bound for that state. Zero if the column has no distances from the landmark.
    least: C,
    /// The distance from the farthest goal to the landmark, rounded up; it is subtracted from the distance of a state.
    /// Infinite if a goal has no path to the landmark, or if the column has no distances to the landmark.
    most: C,
    /// Whether states reachable from the landmark are dead ends, because no goal is reachable from it.
    ends_if_reached: bool,
    /// Whether states that cannot reach the landmark are dead ends, because all goals reach it.
    ends_if_unreached: bool,
}

impl<'l, P> WithLandmarks<'l, P>
where
    P: Reversible + DenseStates,
    P::Cost: ScalableCost,
{
    pub(super) fn new(problem: P, landmarks: &'l Landmarks<P::Cost>) -> Self {
        let indices = problem.goals().map(|goal| problem.state_index(&goal));
        let mut goals: Vec<_> = indices
            .filter(|&index| index < landmarks.states)
            .map(|index| (landmarks.component(index), index))
            .collect();
        goals.sort_unstable();
        let (mut bounds, mut groups) = (Vec::new(), Vec::new());
        for group in goals.chunk_by(|a, b| a.0 == b.0) {
            bounds.extend((0..landmarks.width).map(|column| Bound::new(landmarks, column, group)));
            groups.push((group[0].0, bounds.len()));
        }
        Self { problem, landmarks, bounds, groups }
    }

    /// Keeps, for each component with goals, the `count` landmarks with the largest bounds at `start`, each
    /// in its better direction. With fewer landmarks, the heuristic is faster to compute but weaker.
    #[must_use]
    pub fn best(mut self, count: usize, start: &P::State) -> Self {
        // A state out of range has no row of entries.
        let index = self.problem.state_index(start).min(self.landmarks.states);
        let mut kept = Vec::new();
        let mut from = 0;
        for (_, end) in &mut self.groups {
            let mut rated: Vec<_> = self.bounds[from..*end]
                .iter()
                .map(|bound| (self.landmarks.estimate(index, std::slice::from_ref(bound)), bound))
                .collect();
            // The sort is stable: among equals, the landmarks that were selected first.
            rated.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(std::cmp::Ordering::Equal));
            kept.extend(rated.iter().take(count).map(|(_, bound)| **bound));
            (from, *end) = (*end, kept.len());
        }
        self.bounds = kept;
        self
    }

    /// Returns the problem inside.
    pub fn problem(&self) -> &P {
        &self.problem
    }

    /// Returns the bound of the landmarks.
    #[inline]
    fn bound(&self, state: &P::State) -> P::Cost {
        let index = self.problem.state_index(state);
        if index >= self.landmarks.states {
            return P::Cost::ZERO;
        }
        let component = self.landmarks.component(index);
        let group = match self.groups[..] {
            [(only, end)] if only == component => 0..end,
            [_] => return P::Cost::INFINITY,
            _ => match self.groups.binary_search_by_key(&component, |group| group.0) {
                Ok(0) => 0..self.groups[0].1,
                Ok(place) => self.groups[place - 1].1..self.groups[place].1,
                // There is no goal in the component of the state.
                Err(_) => return P::Cost::INFINITY,
            },
        };
        self.landmarks.estimate(index, &self.bounds[group])
    }
}

forward! {
    [P] WithLandmarks<'_, P>, |adapter| &adapter.problem;
    where [P: Reversible + DenseStates, P::Cost: ScalableCost]
    SearchProblem {
        #[inline]
        fn heuristic(&self, state: &Self::State) -> Self::Cost {
            larger(self.problem.heuristic(state), self.bound(state))
        }
    }
    Reversible {
        #[inline]
        fn heuristic_from(&self, start: &Self::State, state: &Self::State) -> Self::Cost {
            let indices = [start, state].map(|state| self.problem.state_index(state));
            larger(self.problem.heuristic_from(start, state), self.landmarks.between(indices))
        }
    }
}

impl<C: ScalableCost> Bound<C> {
    /// Returns the bound of a column for goals of one component.
    fn new(landmarks: &Landmarks<C>, column: usize, goals: &[(u32, usize)]) -> Self {
        let [is_from, is_to] = landmarks.directions(column);
        let (mut least, mut most) = (None, C::ZERO);
        let mut all_reach = true;
        for &(_, goal) in goals {
            match landmarks.interval(goal, column) {
                Some([lower, upper]) => {
                    least = Some(least.map_or(lower, |least| smaller(least, lower)));
                    most = larger(most, upper);
                }
                None => all_reach = false,
            }
        }
        let is_reached = least.is_some();
        Self {
            column,
            least: least.filter(|_| is_from).unwrap_or(C::ZERO),
            most: if is_to && all_reach { most } else { C::INFINITY },
            ends_if_reached: is_from && !is_reached,
            ends_if_unreached: is_to && all_reach,
        }
    }
}

impl<C: ScalableCost> Landmarks<C> {
    #[inline]
    fn component(&self, index: usize) -> u32 {
        self.components.get(index).copied().unwrap_or(0)
    }

    /// Whether a column has distances from its landmark, and whether it has distances to it.
    fn directions(&self, column: usize) -> [bool; 2] {
        let is_from = column < self.width / 2;
        if self.is_symmetric { [true; 2] } else { [is_from, !is_from] }
    }

    /// Bounds on the distance between a state and the landmark of a column; `None` if there is no path.
    fn interval(&self, index: usize, column: usize) -> Option<[C; 2]> {
        let place = index * self.width + column;
        let code = match &self.entries {
            Entries::Wide(entries) => code(entries[place]),
            Entries::Narrow(entries) => code(entries[place]),
        }?;
        Some([self.scale.lower(code), self.scale.upper(code)])
    }

    /// Returns the largest of some bounds for a state.
    #[inline]
    fn estimate(&self, index: usize, bounds: &[Bound<C>]) -> C {
        match (&self.entries, self.scale.is_exact()) {
            (Entries::Wide(entries), true) => self.estimate_by::<_, true>(entries, index, bounds),
            (Entries::Wide(entries), false) => self.estimate_by::<_, false>(entries, index, bounds),
            (Entries::Narrow(entries), true) => self.estimate_by::<_, true>(entries, index, bounds),
            (Entries::Narrow(entries), false) => {
                self.estimate_by::<_, false>(entries, index, bounds)
            }
        }
    }

    #[inline]
    fn estimate_by<E: Entry, const IS_EXACT: bool>(
        &self,
        entries: &[E],
        index: usize,
        bounds: &[Bound<C>],
    ) -> C {
        let row = entries.get(index * self.width..).unwrap_or(&[]);
        let mut best = C::ZERO;
        for bound in bounds {
            let Some(&entry) = row.get(bound.column) else { continue };
            let Some(code) = code(entry) else {
                if bound.ends_if_unreached {
                    return C::INFINITY;
                }
                continue;
            };
            if bound.ends_if_reached {
                return C::INFINITY;
            }
            let (lower, upper) = if IS_EXACT {
                let cost = C::from_bucket(code);
                (cost.unwrap_or(C::ZERO), cost.unwrap_or(C::INFINITY))
            } else {
                (self.scale.lower(code), self.scale.upper(code))
            };
            best = larger(best, bound.least.at_least_minus(upper));
            best = larger(best, lower.at_least_minus(bound.most));
        }
        no_dead_end(best)
    }

    /// Returns the largest lower bound on the cost from one state to another.
    fn between(&self, [from, to]: [usize; 2]) -> C {
        if from.max(to) >= self.states {
            return C::ZERO;
        }
        if self.component(from) != self.component(to) {
            return C::INFINITY;
        }
        let mut best = C::ZERO;
        for column in 0..self.width {
            let [is_from, is_to] = self.directions(column);
            match (self.interval(from, column), self.interval(to, column)) {
                (Some(near), Some(far)) => {
                    if is_from {
                        best = larger(best, far[0].at_least_minus(near[1]));
                    }
                    if is_to {
                        best = larger(best, near[0].at_least_minus(far[1]));
                    }
                }
                // The landmark reaches the first state but not the second, or is reached by the second
                // only: there is no path.
                (Some(_), None) if is_from => return C::INFINITY,
                (None, Some(_)) if is_to => return C::INFINITY,
                _ => {}
            }
        }
        no_dead_end(best)
    }
}

/// Returns the code of an entry; `None` if there is no path.
#[inline]
fn code<E: Entry>(entry: E) -> Option<usize> {
    (entry != E::UNREACHED).then(|| entry.to_usize())
}
