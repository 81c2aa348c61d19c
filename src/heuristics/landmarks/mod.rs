//! [`Landmarks`]: lower bounds by the triangle inequality, from precomputed distances to a few states.

mod builder;
mod entries;
mod file;
mod problem;
mod searches;
mod selection;
mod survey;

use std::marker::PhantomData;

pub use builder::LandmarkBuilder;
pub use problem::WithLandmarks;
pub use selection::Selection;

use self::entries::{Entries, Scale};
use crate::cost::ScalableCost;
use crate::debug::show_fields;
use crate::heuristics::DistanceError;
use crate::problem::{DenseStates, Reversible};

/// Lower bounds by the triangle inequality, from the distances between all states and a few landmarks.
///
/// It stores the distances from and to some states, the landmarks, for every state of a numbered state space. For a
/// landmark *L* and a goal *t*, *d(L, t) − d(L, v)* and *d(v, L) − d(t, L)* are lower bounds on
/// *d(v, t)*; the heuristic is the largest of them. [`to`](Self::to) adds it to a problem, which any engine can search.
///
/// This pays for many queries on the same state space: on road networks (the algorithm is called ALT: A\*,
/// landmarks, triangle inequality) and on grids (differential heuristics). The problem must have numbered
/// states ([`DenseStates`]), predecessors ([`Reversible`]), and costs that can be subtracted
/// ([`ScalableCost`]).
///
/// - The heuristic is **admissible** for every goal, and **consistent** if distances are stored exactly and the
///   heuristic of the problem itself is consistent, too. Integers up to 2³² − 2 are stored exactly in 32 bits, and up to
///   65,534 if [compressed](LandmarkBuilder::compressed). Others are rounded so that the bounds remain
///   admissible.
/// - A state that cannot reach a goal is recognised if a landmark proves it, and always if no goal is in its component.
///   It has the value [`Cost::INFINITY`](crate::Cost::INFINITY).
/// - **Building** landmarks takes one search by [Dijkstra's algorithm](crate::Dijkstra) of the whole component for each
///   landmark and direction (one direction if all steps are reversible at the same cost), and one pass over all
///   states. **Memory**: 4 bytes (2 if compressed) for each state, landmark and direction; during the build,
///   twice as much and a dense table for each running search.
/// - A **query** reads the distances of each generated state, which are adjacent in memory: two cache lines
///   for 16 landmarks in both directions.
///
/// [`of`](Self::of) builds them; [`save`](Self::save) and [`load`](Self::load) store them in a file.
///
/// # Which heuristic
///
/// Mean expansions for each query, on the road network of New York (264,346 nodes, 100 pairs) and on the game map
/// brc202d (530 × 481 cells, 2519 queries). The times are in BENCHMARKS.md.
///
/// | heuristic | New York | brc202d | preparation (New York) |
/// |---|---:|---:|---:|
/// | none (Dijkstra's algorithm) | 131,957 | – | none |
/// | great circle; octile distance | 62,155 | 15,429 | none |
/// | 16 landmarks, farthest first | 5,850 | – | 17 searches |
/// | 16 landmarks, by avoidance (the default) | 5,022 | – | 32 searches |
/// | the same, the best 8 of them; the best 6 and the octile distance | 5,604 | 2,073 | 32 searches |
/// | the same, the best 4 | 7,260 | – | 32 searches |
///
/// - With a good geometric bound and few queries, that bound is enough.
/// - With many queries on a space that fits into memory, use landmarks. Build them again when costs fall; if costs
///   only rise, the old bounds remain admissible.
/// - If a road network never changes, or its costs only rise, use a [hierarchy](super::Hierarchy): a tenth of the time of a
///   query with landmarks or less, after three to five times the preparation. Landmarks are for spaces on which
///   shortcuts do not pay, such as random graphs and wide open grids.
/// - On grid maps with open spaces, [jump points](crate::problems::grid_map::JumpPoints) need hardly any preparation,
///   and can be combined with landmarks.
///
/// # Example
///
/// ```
/// use bestfirst::{AStar, SearchProblem};
/// use bestfirst::heuristics::Landmarks;
/// use bestfirst::problems::grid_map::{Cell, GridMap};
///
/// // A long wall, which the octile distance ignores.
/// let map = GridMap::new(60, 40, |cell| cell.x != 30 || cell.y == 39)?;
/// let (start, goal) = (Cell::new(2, 2), Cell::new(57, 2));
///
/// let landmarks = Landmarks::of(&map.route_to(goal)).count(4).build()?;
/// let informed = landmarks.to(map.route_to(goal))?;
/// assert!(informed.heuristic(&start) >= map.route_to(goal).heuristic(&start));
///
/// let mut search = AStar::new(informed).dense().search(start);
/// let plain = AStar::new(map.route_to(goal)).dense().search(start).run()?;
/// assert_eq!(search.run()?.cost(), plain.cost());
///
/// // The same landmarks serve any other goal. One search answers all queries with the same memory.
/// for goal in [Cell::new(40, 7), Cell::new(5, 39), Cell::new(30, 5)] {
///     search.restart_with(landmarks.to(map.route_to(goal))?, start);
///     let found = search.run()?.cost().is_some();
///     assert_eq!(found, map.is_free(goal));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Sources
///
/// - Goldberg and Harrelson, *Computing the Shortest Path: A\* Search Meets Graph Theory*, 2005: ALT, the choice of
///   landmarks, the best few for each query.
/// - Goldberg and Werneck, *Computing Point-to-Point Shortest Paths from External Memory*, 2005: the choice by
///   avoidance.
/// - Sturtevant, Felner, Barrer, Schaeffer and Burch, *Memory-Based Heuristics for Explicit State Spaces*, 2009:
///   differential heuristics.
#[derive(Clone)]
pub struct Landmarks<C> {
    /// A checksum of the steps of the problem.
    fingerprint: u64,
    states: usize,
    /// The indices of the landmarks, component by component.
    indices: Vec<u32>,
    /// For each state the number of its component; empty if there is only one.
    components: Vec<u32>,
    /// The number of entries of a state: one for each landmark of its component; if distances depend on
    /// the direction, first those from the landmarks and then those to them.
    width: usize,
    is_symmetric: bool,
    scale: Scale,
    entries: Entries,
    costs: PhantomData<fn() -> C>,
}

impl<C: ScalableCost> Landmarks<C> {
    /// Creates a builder for landmarks of the state space of `problem`. Its goals and its heuristic are
    /// ignored.
    pub fn of<P>(problem: &P) -> LandmarkBuilder<'_, P>
    where
        P: Reversible + DenseStates<Cost = C>,
    {
        LandmarkBuilder::new(problem)
    }

    /// Returns the problem with a better heuristic: the maximum of its own value and the bounds of the landmarks on the
    /// cost to its nearest goal. [`best`](WithLandmarks::best) restricts it to the most useful landmarks.
    ///
    /// The problem (owned or borrowed) must have the same states, steps and costs as the one from which the landmarks
    /// were built; only its goals may differ. Only the number of states is checked: with another problem of the same
    /// size, the heuristic may overestimate.
    ///
    /// Takes time proportional to the number of goals times the number of landmarks.
    ///
    /// # Errors
    ///
    /// [`DistanceError::OtherProblem`] if the problem has another number of states.
    pub fn to<P>(&self, problem: P) -> Result<WithLandmarks<'_, P>, DistanceError<C>>
    where
        P: Reversible + DenseStates<Cost = C>,
    {
        let found = problem.state_count();
        if found != self.states {
            return Err(DistanceError::OtherProblem { found, expected: self.states });
        }
        Ok(WithLandmarks::new(problem, self))
    }
}

impl<C> Landmarks<C> {
    /// Returns the indices of the landmark states, component by component, in the order of their selection.
    #[must_use]
    pub fn indices(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.indices.iter().map(|&index| index as usize)
    }

    /// Whether every step is reversible at the same cost: then one distance serves both directions.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// Whether distances are stored without rounding, so that the heuristic is consistent (for floats, up to the
    /// rounding of sums).
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.scale.is_exact()
    }

    /// Returns the bytes of the stored distances.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let entries = match &self.entries {
            Entries::Wide(entries) => size_of_val(&entries[..]),
            Entries::Narrow(entries) => size_of_val(&entries[..]),
        };
        entries + size_of_val(&self.components[..]) + size_of_val(&self.indices[..])
    }
}

show_fields! {
    [C] Landmarks<C>,
    "Landmarks" (this) { landmarks = this.indices.len(), states, bytes = this.bytes() }
}
