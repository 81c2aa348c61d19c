//! BOA* by hand: two criteria, adjacency arrays, one record for each node, labels in one list, and the binary heap of
//! the standard library with both criteria in one word. No paths, no limits, no statistics.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The arcs of each node: their other end and their costs.
pub struct Arcs {
    first: Vec<u32>,
    list: Vec<(u32, [u32; 2])>,
}

impl Arcs {
    /// Sorts arcs by the node at `end`.
    pub fn new(nodes: u32, arcs: &[(u32, u32, [u32; 2])], is_reversed: bool) -> Self {
        let mut ends: Vec<_> = arcs
            .iter()
            .map(
                |&(tail, head, cost)| {
                    if is_reversed { (head, tail, cost) } else { (tail, head, cost) }
                },
            )
            .collect();
        ends.sort_by_key(|arc| arc.0);
        let first =
            (0..=nodes).map(|node| ends.partition_point(|arc| arc.0 < node) as u32).collect();
        Self { first, list: ends.into_iter().map(|(_, end, cost)| (end, cost)).collect() }
    }

    pub fn at(&self, node: u32) -> &[(u32, [u32; 2])] {
        let (from, to) = (self.first[node as usize], self.first[node as usize + 1]);
        &self.list[from as usize..to as usize]
    }
}

#[derive(Clone, Copy)]
struct Node {
    h: [u32; 2],
    /// The least second criterion of a closed label.
    least: u32,
}

#[derive(Clone, Copy)]
struct Label {
    node: u32,
    g: [u32; 2],
    /// From which a path could be built.
    _parent: u32,
}

/// Returns the front and the number of expanded labels.
pub fn front(leaving: &Arcs, entering: &Arcs, from: u32, to: u32) -> (Vec<[u32; 2]>, u64) {
    let count = leaving.first.len() - 1;
    let mut nodes = vec![Node { h: [u32::MAX; 2], least: u32::MAX }; count];
    for criterion in 0..2 {
        let mut open = BinaryHeap::from([Reverse((0, to))]);
        nodes[to as usize].h[criterion] = 0;
        while let Some(Reverse((cost, node))) = open.pop() {
            if cost > nodes[node as usize].h[criterion] {
                continue;
            }
            for &(tail, costs) in entering.at(node) {
                let known = &mut nodes[tail as usize].h[criterion];
                let sum = cost + costs[criterion];
                if sum < *known {
                    *known = sum;
                    open.push(Reverse((sum, tail)));
                }
            }
        }
    }
    let word =
        |f: [u32; 2], id: usize| Reverse((u64::from(f[0]) << 32 | u64::from(f[1]), id as u32));
    let mut labels = vec![Label { node: from, g: [0, 0], _parent: u32::MAX }];
    let mut free: Vec<u32> = Vec::new();
    let mut open = BinaryHeap::from([word(nodes[from as usize].h, 0)]);
    let (mut front, mut expanded, mut least_solution) = (Vec::new(), 0, u32::MAX);
    while let Some(Reverse((_, id))) = open.pop() {
        let Label { node, g, .. } = labels[id as usize];
        let Node { h, least } = nodes[node as usize];
        if g[1] >= least || g[1].saturating_add(h[1]) >= least_solution {
            free.push(id);
            continue;
        }
        nodes[node as usize].least = g[1];
        if node == to {
            front.push(g);
            least_solution = g[1];
            continue;
        }
        expanded += 1;
        for &(head, costs) in leaving.at(node) {
            let Node { h, least } = nodes[head as usize];
            let g = [g[0] + costs[0], g[1] + costs[1]];
            if g[1] >= least || g[1].saturating_add(h[1]) >= least_solution {
                continue;
            }
            let label = Label { node: head, g, _parent: id };
            let place = if let Some(place) = free.pop() {
                labels[place as usize] = label;
                place as usize
            } else {
                labels.push(label);
                labels.len() - 1
            };
            open.push(word([g[0] + h[0], g[1] + h[1]], place));
        }
    }
    (front, expanded)
}
