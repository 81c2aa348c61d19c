//! [`Hierarchy`]: exact distances between all states, from shortcuts that are found beforehand.

mod builder;
mod contraction;
mod customizable;
mod engine;
mod file;
mod graph;
mod meeting;
mod memo;
mod pool;
mod problem;
mod query;
mod reach;
mod table;
mod upward;
mod witness;

pub use builder::HierarchyBuilder;
pub use customizable::{CustomizableHierarchy, CustomizableHierarchyBuilder};
pub use engine::HierarchyEngine;
pub use problem::WithHierarchy;
pub use query::{HierarchyQuery, HierarchySearch};
pub use table::DistanceTable;

use self::meeting::Meeting;
use self::memo::Memo;
use self::pool::{Pool, Pooled};
use self::upward::Upward;
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::heuristics::DistanceError;
use crate::memory::Memory;
use crate::problem::DenseStates;

/// Exact distances between all states of a numbered state space, from shortcuts that are found beforehand: a contraction
/// hierarchy. Needs the feature `hierarchies`: `bestfirst = { …, features = ["hierarchies"] }` in `Cargo.toml`.
///
/// The states are put into an order of importance. They are taken out of the graph one after the other, the least
/// important first, and where a cheapest path led over a state, a shortcut takes its place. A cheapest path then goes
/// up in this order and down again, so a search from both ends that only goes up meets on it, after some hundred
/// states of a road network.
///
/// | call | answer |
/// |---|---|
/// | [`distance`](Self::distance) | the cost of a cheapest path between two states |
/// | [`query`](Self::query) | the same with the path, as a [`Search`](crate::Search) with limits and reports |
/// | [`to`](Self::to) | a problem with the exact distance as its heuristic: for every engine, and **for costs that have risen since** |
/// | [`table`](Self::table) | the distances from some states to some others |
/// | [`distances`](Self::distances) | those from one state to some others |
///
/// The problem must number its states ([`DenseStates`]); calls that need its goals require
/// [`Reversible`](crate::Reversible), too. Costs are any [`Cost`]; a heuristic needs
/// [`ScalableCost`](crate::ScalableCost).
///
/// - **Making** a hierarchy takes a few seconds for some hundred thousand states of a road network. On spaces where
///   nothing is more important than the rest, such as random graphs and grids with wide open spaces, there are far more
///   shortcuts, and it takes far longer: set [limits](HierarchyBuilder::limits), and see
///   [`progress`](HierarchyBuilder::progress).
/// - **Memory**: 12 bytes a state, and 12 for each arc and shortcut with costs of 4 bytes (one that leads there and back
///   at the same cost counts once). A query holds 24 bytes a state, which its limit on memory counts, and a heuristic
///   [20](WithHierarchy#memory), as does a table; each leaves them to the next one. [`distance`](Self::distance) is a query
///   without limits.
/// - Distances are **exact**, for floats up to the rounding of sums. Loops, parallel steps, steps without cost, and
///   states without a path are right. Paths whose costs do not fit into their type are none.
/// - The same problem gives the same hierarchy.
///
/// [`of`](Self::of) makes it; [`save`](Self::save) and [`load`](Self::load) keep it in a file. Where costs change often,
/// also to lower ones, a [`CustomizableHierarchy`] makes one for each set of costs.
///
/// # Example
///
/// ```
/// use bestfirst::heuristics::Hierarchy;
/// use bestfirst::problems::road_network::RoadNetwork;
///
/// let network = RoadNetwork::new(5, &[(1, 2, 3), (2, 3, 4), (3, 1, 5), (3, 4, 9), (2, 4, 20)])?;
/// let node = |number| network.node(number).unwrap();
/// let hierarchy = Hierarchy::of(&network.route_to(node(1))).build()?;
/// assert_eq!(hierarchy.distance(node(1).index(), node(4).index()), Some(16));
/// assert_eq!(hierarchy.distance(node(4).index(), node(1).index()), None);
///
/// // With the path; the search is restarted with another goal.
/// let mut search = hierarchy.query(network.route_to(node(4)))?.search(node(1));
/// let report = search.run()?;
/// assert_eq!(report.path().unwrap().states(), [1, 2, 3, 4].map(node));
/// search.restart_with(network.route_to(node(1)), node(2));
/// assert_eq!(search.run()?.cost(), Some(9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Sources
///
/// - Geisberger, Sanders, Schultes and Delling, *Contraction Hierarchies: Faster and Simpler Hierarchical Routing in Road
///   Networks*, 2008: the hierarchy and its queries.
/// - Strasser and Zeitz, *A Fast and Tight Heuristic for A\* in Road Networks*, 2021: the heuristic.
/// - Knopp, Sanders, Schultes, Schulz and Wagner, *Computing Many-to-Many Shortest Paths Using Highway Hierarchies*, 2007:
///   the table.
#[derive(Clone)]
pub struct Hierarchy<C> {
    /// A checksum of the steps of the problem.
    fingerprint: u64,
    /// For each state its rank.
    ranks: Vec<u32>,
    /// For each rank the state.
    states: Vec<u32>,
    graph: Upward<C>,
    /// Whether a step or a shortcut was left out because its cost does not fit.
    overflows: bool,
    meetings: Pool<Meeting<C>>,
    memos: Pool<Memo<C>>,
}

impl<C: Cost> Hierarchy<C> {
    /// Creates a builder for a hierarchy of the state space of `problem`. Its goals and its heuristic do not matter.
    pub fn of<P: DenseStates<Cost = C>>(problem: &P) -> HierarchyBuilder<'_, P> {
        HierarchyBuilder::new(problem)
    }

    /// Returns the cost of a cheapest path from one state to another, by their indices; `None` if there is no path whose cost
    /// fits into its type, or no such state.
    ///
    /// Takes some microseconds on a road network. Several threads may ask at the same time.
    #[must_use]
    pub fn distance(&self, from: usize, to: usize) -> Option<C> {
        let [&from, &to] = [self.ranks.get(from)?, self.ranks.get(to)?];
        let mut meeting = self.meetings.take(Meeting::new);
        let memory = &mut Memory::new(usize::MAX);
        meeting.grow(self.states.len());
        meeting.begin();
        meeting.start(from, C::ZERO, memory).ok()?;
        meeting.goal(to, memory).ok()?;
        while let Some(turn) = meeting.next() {
            meeting.expand(turn, &self.graph);
        }
        meeting.best()
    }

    fn memo(&self) -> Pooled<'_, Memo<C>> {
        self.memos.take(|| Memo::new(self.states.len()))
    }

    /// Whether `problem` has as many states.
    fn check<P: DenseStates<Cost = C>>(&self, problem: &P) -> Result<(), DistanceError<C>> {
        let (found, expected) = (problem.state_count(), self.states.len());
        if found == expected {
            Ok(())
        } else {
            Err(DistanceError::OtherProblem { found, expected })
        }
    }
}

impl<C> Hierarchy<C> {
    /// Returns the number of states.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// Returns the number of arcs: steps and shortcuts, of which one that leads there and back at the same cost counts once.
    #[must_use]
    pub fn arc_count(&self) -> usize {
        self.graph.arcs.len()
    }

    /// Returns the bytes that the hierarchy takes, without the memory of queries.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lists = [&self.ranks, &self.states, &self.graph.first];
        lists.map(|list| size_of_val(&list[..])).iter().sum::<usize>()
            + size_of_val(&self.graph.arcs[..])
    }
}

show_fields! {
    [C] Hierarchy<C>,
    "Hierarchy" (this) { states = this.states.len(), arcs = this.graph.arcs.len(), bytes = this.bytes() }
}
