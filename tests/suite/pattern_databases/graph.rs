//! A graph that is given by its edges, as a problem, and an oracle for it.

use bestfirst::{DenseStates, Reversible, SearchProblem, Successors};

/// Splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % end as u64).unwrap()
    }
}

/// Nodes from 0 on, edges with their costs, and goals.
#[derive(Clone, Debug)]
pub struct Graph {
    pub nodes: usize,
    pub edges: Vec<(usize, usize, i32)>,
    pub goals: Vec<usize>,
}

impl Graph {
    /// Random edges: some are parallel, some lead from a node to itself, some cost nothing.
    pub fn random(random: &mut Random, most_cost: usize) -> Self {
        let nodes = 1 + random.below(30);
        let edge = |random: &mut Random| {
            let cost = i32::try_from(random.below(1 + most_cost)).unwrap();
            (random.below(nodes), random.below(nodes), cost)
        };
        let edges = (0..random.below(3 * nodes)).map(|_| edge(random)).collect();
        let goals = (0..=random.below(3)).map(|_| random.below(nodes)).collect();
        Self { nodes, edges, goals }
    }

    /// The image under a map of the nodes: an edge costs what it did, or less.
    pub fn image(&self, map: &[usize], mut cheaper: impl FnMut(i32) -> i32) -> Self {
        let edge = |&(from, to, cost): &(usize, usize, i32)| (map[from], map[to], cheaper(cost));
        let edges = self.edges.iter().map(edge).collect();
        let goals = self.goals.iter().map(|&goal| map[goal]).collect();
        Self { nodes: map.iter().max().map_or(0, |&most| most + 1), edges, goals }
    }

    /// The cost from each node to a goal, by the algorithm of Bellman and Ford.
    pub fn costs(&self) -> Vec<Option<i32>> {
        let mut costs = vec![None; self.nodes];
        self.goals.iter().for_each(|&goal| costs[goal] = Some(0));
        loop {
            let mut changed = false;
            for &(from, to, cost) in &self.edges {
                let Some(beyond) = costs[to] else { continue };
                let through = beyond + cost;
                if costs[from].is_none_or(|known| through < known) {
                    costs[from] = Some(through);
                    changed = true;
                }
            }
            if !changed {
                return costs;
            }
        }
    }
}

impl SearchProblem for Graph {
    type State = usize;
    type Action = usize;
    type Cost = i32;

    fn successors(&self, &state: &usize, next: &mut Successors<Self>) {
        for (number, &(from, to, cost)) in self.edges.iter().enumerate() {
            if from == state {
                next.push(number, to, cost);
            }
        }
    }

    fn is_goal(&self, state: &usize) -> bool {
        self.goals.contains(state)
    }
}

impl Reversible for Graph {
    fn predecessors(&self, &state: &usize, previous: &mut Successors<Self>) {
        for (number, &(from, to, cost)) in self.edges.iter().enumerate() {
            if to == state {
                previous.push(number, from, cost);
            }
        }
    }

    fn goals(&self) -> impl Iterator<Item = usize> {
        self.goals.iter().copied()
    }
}

impl DenseStates for Graph {
    fn state_count(&self) -> usize {
        self.nodes
    }

    fn state_index(&self, &state: &usize) -> usize {
        state
    }

    fn state_at(&self, index: usize) -> usize {
        index
    }
}
