//! [`GraphProblem`]: the search problem.

use std::fmt;
use std::hash::Hash;
#[cfg(not(target_arch = "x86_64"))]
use std::hint::black_box;
#[cfg(target_arch = "x86_64")]
use std::slice;

use petgraph::Direction;
use petgraph::visit::{
    EdgeRef, GraphBase, GraphRef, IntoEdges, IntoEdgesDirected, IntoNodeIdentifiers, NodeIndexable,
};

use super::{Between, Goal, GoalWhere, Heuristic, NoGoal, OneGoal, ToGoal, ZeroHeuristic};
use crate::cost::Cost;
use crate::debug::show_fields;
#[cfg(target_arch = "x86_64")]
use crate::prefetch::prefetch;
use crate::problem::{DenseStates, Reversible, SearchProblem, Successors};

/// A graph of [`petgraph`] as a problem: states are nodes, actions are edge ids.
///
/// `G` is a reference to a graph, `W` the closure for the costs of edges, `T` the [`Goal`], `H` the
/// [`Heuristic`]. A graph may have any number of problems. See [the module](super) for an example.
///
/// Negative costs, NaN, and sums that are too large end a search with a [`SearchError`](crate::SearchError). Successors
/// are pushed in the order of petgraph's `edges`.
///
/// # Panics
///
/// Starts and goals should be nodes of the graph. `Graph`, `StableGraph` and `GraphMap` take another node for one without
/// edges. petgraph's own code panics if the start is a node that a `Csr`, or, with a dense table, a `GraphMap` does
/// not have.
#[derive(Clone, Copy)]
#[must_use]
pub struct GraphProblem<G, W, T = NoGoal, H = ZeroHeuristic> {
    graph: G,
    cost: W,
    goal: T,
    heuristic: H,
}

/// A [`GraphProblem`] with one node as the goal; created by [`GraphProblem::to`].
pub type OneGoalProblem<G, W, H = ZeroHeuristic> =
    GraphProblem<G, W, OneGoal<<G as GraphBase>::NodeId>, H>;

impl<G: IntoEdges, C: Cost, W: Fn(G::EdgeRef) -> C> GraphProblem<G, W> {
    /// Creates a problem without a goal on `graph`, a reference to a graph. `cost` returns the cost of an edge.
    ///
    /// petgraph's `EdgeFiltered` and `NodeFiltered` leave out edges and nodes that may not be used.
    pub fn new(graph: G, cost: W) -> Self {
        Self { graph, cost, goal: NoGoal, heuristic: ZeroHeuristic }
    }
}

impl<G: GraphRef, W, H> GraphProblem<G, W, NoGoal, H> {
    /// Sets one node as the goal.
    pub fn to(self, goal: G::NodeId) -> OneGoalProblem<G, W, H> {
        let Self { graph, cost, goal: NoGoal, heuristic } = self;
        GraphProblem { graph, cost, goal: OneGoal(goal), heuristic }
    }

    /// Makes goals of the nodes for which `is_goal` returns true.
    ///
    /// Searches that begin at the goals call it once for every node of the graph.
    ///
    /// ```
    /// use bestfirst::problems::petgraph::GraphProblem;
    /// use petgraph::graphmap::DiGraphMap;
    /// use petgraph::visit::EdgeRef;
    ///
    /// let hops = DiGraphMap::<u32, u32>::from_edges([(1, 2, 4), (2, 8, 4), (1, 3, 1), (3, 9, 3)]);
    /// let problem = GraphProblem::new(&hops, |edge| *edge.weight()).to_where(|node| node > 7);
    /// let report = bestfirst::dijkstra(&problem, 1)?;
    /// assert_eq!(report.path().map(|path| *path.end()), Some(9));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn to_where<F: Fn(G::NodeId) -> bool>(
        self,
        is_goal: F,
    ) -> GraphProblem<G, W, GoalWhere<F>, H> {
        let Self { graph, cost, goal: NoGoal, heuristic } = self;
        GraphProblem { graph, cost, goal: GoalWhere(is_goal), heuristic }
    }
}

impl<G: IntoEdges, C: Cost, W: Fn(G::EdgeRef) -> C, T, H> GraphProblem<G, W, T, H> {
    /// Sets a heuristic: a lower bound on the cost from a node to a goal. It must be
    /// [admissible](SearchProblem::heuristic). Without one it is zero.
    pub fn with_heuristic<F: Fn(G::NodeId) -> C>(
        self,
        bound: F,
    ) -> GraphProblem<G, W, T, ToGoal<F>> {
        let Self { graph, cost, goal, heuristic: _ } = self;
        GraphProblem { graph, cost, goal, heuristic: ToGoal(bound) }
    }
}

impl<G: IntoEdges, C: Cost, W: Fn(G::EdgeRef) -> C, H> GraphProblem<G, W, OneGoal<G::NodeId>, H> {
    /// Sets a heuristic that serves both directions: a lower bound on the cost from one node to another. It must be
    /// [admissible](SearchProblem::heuristic) between a node and the goal, and between the start and a node.
    ///
    /// ```
    /// use bestfirst::problems::petgraph::GraphProblem;
    /// use bestfirst::{AStar, Bidirectional};
    /// use petgraph::graph::UnGraph;
    ///
    /// // A row of towns, and the kilometres of the roads between them.
    /// let places = [0_i32, 10, 25, 27, 40];
    /// let mut roads = UnGraph::new_undirected();
    /// let towns = places.map(|place| roads.add_node(place));
    /// for pair in towns.windows(2) {
    ///     let air = roads[pair[0]].abs_diff(roads[pair[1]]);
    ///     roads.add_edge(pair[0], pair[1], air + 1);
    /// }
    ///
    /// let problem = GraphProblem::new(&roads, |road| *road.weight())
    ///     .to(towns[4])
    ///     .with_heuristic_between(|a, b| roads[a].abs_diff(roads[b]));
    /// assert_eq!(AStar::new(&problem).search(towns[1]).run()?.cost(), Some(33));
    /// assert_eq!(Bidirectional::new(&problem).search(towns[1]).run()?.cost(), Some(33));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn with_heuristic_between<F: Fn(G::NodeId, G::NodeId) -> C>(
        self,
        bound: F,
    ) -> OneGoalProblem<G, W, Between<G::NodeId, F>> {
        let Self { graph, cost, goal, heuristic: _ } = self;
        GraphProblem { graph, cost, goal, heuristic: Between { goal: goal.0, bound } }
    }
}

impl<G: Copy, W, T, H> GraphProblem<G, W, T, H> {
    /// Returns the reference to the graph.
    #[must_use]
    pub fn graph(&self) -> G {
        self.graph
    }
}

impl<G, W, C, T, H> SearchProblem for GraphProblem<G, W, T, H>
where
    G: IntoEdges<NodeId: Eq + Hash>,
    W: Fn(G::EdgeRef) -> C,
    C: Cost,
    T: Goal<G::NodeId>,
    H: Heuristic<G::NodeId, C>,
{
    type State = G::NodeId;
    type Action = G::EdgeId;
    type Cost = C;

    #[inline]
    fn successors(&self, &node: &G::NodeId, next: &mut Successors<Self>) {
        for edge in self.graph.edges(node) {
            next.push(edge.id(), other_end(edge, node), (self.cost)(edge));
        }
    }

    #[inline]
    fn heuristic(&self, &node: &G::NodeId) -> C {
        self.heuristic.bound_to_goal(node)
    }

    #[inline]
    fn is_goal(&self, &node: &G::NodeId) -> bool {
        self.goal.contains(node)
    }

    /// Prefetches the weight of the first edge, which most graphs store beside its ends: nothing of the edge is read, so
    /// nothing waits for it. Where there is no such instruction, the edge is read.
    #[inline]
    fn prefetch(&self, &node: &G::NodeId) {
        let first = self.graph.edges(node).next();
        #[cfg(target_arch = "x86_64")]
        if let Some(edge) = first {
            prefetch(slice::from_ref(edge.weight()), 0);
        }
        #[cfg(not(target_arch = "x86_64"))]
        black_box(first);
    }
}

/// An index without a node is a state without edges: no search reaches it.
impl<G, W, C, T, H> DenseStates for GraphProblem<G, W, T, H>
where
    G: IntoEdges<NodeId: Eq + Hash> + NodeIndexable,
    W: Fn(G::EdgeRef) -> C,
    C: Cost,
    T: Goal<G::NodeId>,
    H: Heuristic<G::NodeId, C>,
{
    #[inline]
    fn state_count(&self) -> usize {
        self.graph.node_bound()
    }

    #[inline]
    fn state_index(&self, &node: &G::NodeId) -> usize {
        self.graph.to_index(node)
    }

    #[inline]
    fn state_at(&self, index: usize) -> G::NodeId {
        self.graph.from_index(index)
    }
}

impl<G, W, C, T, H> Reversible for GraphProblem<G, W, T, H>
where
    G: IntoEdgesDirected<NodeId: Eq + Hash> + IntoNodeIdentifiers,
    W: Fn(G::EdgeRef) -> C,
    C: Cost,
    T: Goal<G::NodeId>,
    H: Heuristic<G::NodeId, C>,
{
    #[inline]
    fn predecessors(&self, &node: &G::NodeId, previous: &mut Successors<Self>) {
        for edge in self.graph.edges_directed(node, Direction::Incoming) {
            if edge.target() == node {
                previous.push(edge.id(), edge.source(), (self.cost)(edge));
            } else {
                self.edges_between(edge.target(), node, previous);
            }
        }
    }

    fn goals(&self) -> impl Iterator<Item = G::NodeId> {
        self.goal.among(self.graph.node_identifiers())
    }

    #[inline]
    fn heuristic_from(&self, &start: &G::NodeId, &node: &G::NodeId) -> C {
        self.heuristic.bound_from_start(start, node)
    }
}

impl<G, W, C, T, H> GraphProblem<G, W, T, H>
where
    G: IntoEdges<NodeId: Eq + Hash>,
    W: Fn(G::EdgeRef) -> C,
    C: Cost,
    T: Goal<G::NodeId>,
    H: Heuristic<G::NodeId, C>,
{
    /// Pushes the edges from `from` to `node` as they are listed at `from`, unless they are pushed already.
    ///
    /// For graphs that list incoming edges with their ends swapped, as `MatrixGraph` of petgraph 0.8 does: their ids and
    /// costs are not those of the forward step.
    #[cold]
    fn edges_between(&self, from: G::NodeId, node: G::NodeId, previous: &mut Successors<Self>) {
        if previous.as_slice().iter().any(|known| known.state == from) {
            return;
        }
        for edge in self.graph.edges(from) {
            if other_end(edge, from) == node {
                previous.push(edge.id(), from, (self.cost)(edge));
            }
        }
    }
}

/// Returns the end of an edge of `node` that is not `node`, for loops `node`. It is the target of an outgoing edge,
/// except in adaptors that list edges as the graph inside stores them.
#[inline]
fn other_end<E: EdgeRef<NodeId: Copy + PartialEq>>(edge: E, node: E::NodeId) -> E::NodeId {
    if edge.source() == node { edge.target() } else { edge.source() }
}

show_fields! {
    [G, W, T: fmt::Debug, H: fmt::Debug] GraphProblem<G, W, T, H>,
    "GraphProblem" { goal, heuristic }
}
