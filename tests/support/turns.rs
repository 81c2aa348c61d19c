//! Routes with turn costs: a problem whose heuristic are the distances of a hierarchy that was made without them.

use bestfirst::heuristics::WithHierarchy;
use bestfirst::problems::road_network::{NodeId, RoadNetwork, Route};
use bestfirst::{DenseStates, SearchProblem, Successors};

/// The arcs of a network, in the order of their tails.
pub struct ArcList {
    /// The tail, the head and the weight of each.
    pub arcs: Vec<(NodeId, NodeId, u32)>,
    /// The first arc of each node; the number of arcs at the end.
    first: Vec<usize>,
}

impl ArcList {
    pub fn of(network: &RoadNetwork) -> Self {
        let leaving = |tail| network.arcs(tail).map(move |(head, weight)| (tail, head, weight));
        let arcs: Vec<_> = network.nodes().flat_map(leaving).collect();
        let mut first = vec![0; network.node_count() + 1];
        for (place, &(tail, ..)) in arcs.iter().enumerate() {
            first[tail.index() + 1] = place + 1;
        }
        for node in 1..first.len() {
            first[node] = first[node].max(first[node - 1]);
        }
        Self { arcs, first }
    }

    /// The places of the arcs that leave a node.
    pub fn leaving(&self, node: NodeId) -> std::ops::Range<usize> {
        self.first[node.index()]..self.first[node.index() + 1]
    }

    /// The arcs that leave a node, as starts: each with its weight.
    pub fn starts(&self, node: NodeId) -> impl Iterator<Item = (usize, u32)> + Clone + '_ {
        self.leaving(node).map(|arc| (arc, self.arcs[arc].2))
    }
}

/// Routes with turn costs: the states are arcs, as their places among all. The distances are those of a hierarchy that was
/// made without turn costs.
#[derive(Clone)]
pub struct Turns<'h> {
    pub network: &'h RoadNetwork,
    pub list: &'h ArcList,
    pub informed: Option<WithHierarchy<'h, Route<'h>>>,
    pub goal: NodeId,
    /// The weight of a metre.
    pub unit: u32,
}

impl Turns<'_> {
    /// Whether the way turns by more than 45 degrees; so it is where the places are not known.
    fn turns(&self, tail: NodeId, node: NodeId, head: NodeId) -> bool {
        let places = [tail, node, head].map(|node| self.network.place(node));
        let [Some(from), Some(by), Some(to)] = places else { return true };
        let narrow = by[1].to_radians().cos();
        let way = |from: [f64; 2], to: [f64; 2]| [(to[0] - from[0]) * narrow, to[1] - from[1]];
        let (into, out) = (way(from, by), way(by, to));
        let product = into[0] * out[0] + into[1] * out[1];
        product < 0.7 * into[0].hypot(into[1]) * out[0].hypot(out[1])
    }
}

impl SearchProblem for Turns<'_> {
    type State = usize;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &arc: &usize, next: &mut Successors<Self>) {
        let (tail, node, _) = self.list.arcs[arc];
        let leaving = self.list.leaving(node);
        let is_crossing = leaving.len() > 2;
        for out in leaving {
            let (_, head, weight) = self.list.arcs[out];
            // Back the same way costs most, and any crossing a little.
            let is_turn = is_crossing && self.turns(tail, node, head);
            let metres = if head == tail { 300 } else { u32::from(is_turn) * 10 };
            let turn = metres * self.unit;
            next.push((), out, weight + turn);
        }
    }

    fn heuristic(&self, &arc: &usize) -> u32 {
        self.informed.as_ref().map_or(0, |informed| informed.heuristic(&self.list.arcs[arc].1))
    }

    fn is_goal(&self, &arc: &usize) -> bool {
        self.list.arcs[arc].1 == self.goal
    }
}

impl DenseStates for Turns<'_> {
    fn state_count(&self) -> usize {
        self.list.arcs.len()
    }

    fn state_index(&self, &arc: &usize) -> usize {
        arc
    }

    fn state_at(&self, index: usize) -> usize {
        index
    }
}
