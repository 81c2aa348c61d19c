//! Shortest paths in a road network by hand: Dijkstra's algorithm or A* over adjacency arrays, flat arrays that are
//! reused, and the binary heap of the standard library with node and cost in one word.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bestfirst::problems::road_network::RoadNetwork;

/// A network and the memory of its searches.
pub struct Roads {
    first: Vec<u32>,
    /// Where to, and the weight.
    arcs: Vec<(u32, u32)>,
    nodes: Vec<Node>,
    /// The nodes that the current search has reached.
    reached: Vec<u32>,
    open: BinaryHeap<Reverse<u64>>,
}

#[derive(Clone, Copy)]
struct Node {
    cost: u32,
    estimate: u32,
    parent: u32,
}

const UNSEEN: Node = Node { cost: u32::MAX, estimate: 0, parent: u32::MAX };

impl Roads {
    pub fn new(network: &RoadNetwork) -> Self {
        let (mut first, mut arcs) = (vec![0], Vec::new());
        for node in network.nodes() {
            arcs.extend(network.arcs(node).map(|(head, weight)| (head.number() - 1, weight)));
            first.push(u32::try_from(arcs.len()).expect("the network has fewer"));
        }
        let nodes = vec![UNSEEN; network.node_count()];
        Self { first, arcs, nodes, reached: Vec::new(), open: BinaryHeap::new() }
    }

    /// Returns the cost of a cheapest path between two nodes (numbered from 0), the numbers of expanded and reached
    /// nodes, and the nodes of the path, backwards.
    pub fn route(
        &mut self,
        from: u32,
        to: u32,
        estimate: impl Fn(u32) -> u32,
    ) -> (Option<u32>, u64, u64, Vec<u32>) {
        for node in self.reached.drain(..) {
            self.nodes[node as usize] = UNSEEN;
        }
        self.open.clear();
        let h = estimate(from);
        self.nodes[from as usize] = Node { cost: 0, estimate: h, parent: from };
        self.reached.push(from);
        self.open.push(Reverse(u64::from(h) << 32 | u64::from(from)));
        let mut expanded = 0;
        while let Some(Reverse(entry)) = self.open.pop() {
            #[expect(clippy::cast_possible_truncation, reason = "the two halves of a word")]
            let (f, node) = ((entry >> 32) as u32, entry as u32);
            let Node { cost, estimate: h, .. } = self.nodes[node as usize];
            if cost + h != f {
                continue; // a cheaper path was found since
            }
            if node == to {
                let mut path = vec![to];
                while path[path.len() - 1] != from {
                    path.push(self.nodes[path[path.len() - 1] as usize].parent);
                }
                return (Some(cost), expanded, self.reached.len() as u64, path);
            }
            expanded += 1;
            let range = self.first[node as usize] as usize..self.first[node as usize + 1] as usize;
            for &(head, weight) in &self.arcs[range] {
                let known = &mut self.nodes[head as usize];
                let reached = cost + weight;
                if reached < known.cost {
                    if known.cost == u32::MAX {
                        known.estimate = estimate(head);
                        self.reached.push(head);
                    }
                    (known.cost, known.parent) = (reached, node);
                    let f = reached + known.estimate;
                    self.open.push(Reverse(u64::from(f) << 32 | u64::from(head)));
                }
            }
        }
        (None, expanded, self.reached.len() as u64, Vec::new())
    }
}
