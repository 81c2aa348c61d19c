//! Random graphs with costs of several criteria, and their fronts by brute force.
#![expect(clippy::cast_possible_truncation, reason = "the numbers are small")]

use bestfirst::{Cost, Criteria, DenseStates, Reversible, SearchProblem, Successors};

/// A small generator: the same numbers everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678_9ABC_DEF1)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) % end
    }
}

/// A graph with parallel edges, self-loops, cycles that cost nothing, and several goals.
#[derive(Clone, Debug)]
pub struct Graph<C, const N: usize> {
    pub edges: Vec<(u32, u32, [C; N])>,
    pub nodes: u32,
    pub goals: Vec<u32>,
    /// The heuristic; empty for zero.
    pub heuristic: Vec<[C; N]>,
}

impl<C: Cost + From<u8>, const N: usize> Graph<C, N> {
    /// Costs are below `most`, or near `top` once in `1 / rare`.
    pub fn random(seed: u64, nodes: u32, (most, top, rare): (u8, u8, u64)) -> Self {
        let mut random = Random::new(seed);
        let count = u64::from(nodes) * (1 + random.below(3)) + random.below(3);
        let kinds = 1 + random.below(3);
        let mut edges = Vec::new();
        for _ in 0..count {
            let from = random.below(nodes.into()) as u32;
            let to = random.below(nodes.into()) as u32;
            let mut cost = [C::ZERO; N];
            // Some steps cost nothing, some are cheap by one criterion and dear by another.
            if random.below(6) > 0 {
                for each in &mut cost {
                    let small = random.below(u64::from(most).min(1 << (2 * kinds))) as u8;
                    let near_top = random.below(rare) == 0;
                    *each = C::from(if near_top { top - random.below(3) as u8 } else { small });
                }
            }
            edges.push((from, to, cost));
            // A parallel edge, with another cost or the same one.
            if random.below(4) == 0 {
                cost.rotate_left(random.below(2) as usize);
                edges.push((from, to, cost));
            }
        }
        let goals = (0..=random.below(3)).map(|_| random.below(nodes.into()) as u32);
        let mut goals: Vec<_> = goals.filter(|&goal| goal != 0 || seed.is_multiple_of(7)).collect();
        goals.sort_unstable();
        goals.dedup();
        Self { edges, nodes, goals, heuristic: Vec::new() }
    }

    /// The same graph with a heuristic that is some part of the ideal point, at each state another: admissible
    /// and mostly not consistent.
    pub fn with_part_of(mut self, seed: u64, ideal: impl Fn(&u32) -> [C; N]) -> Self {
        let mut random = Random::new(seed);
        for node in 0..self.nodes {
            let mut h = ideal(&node);
            for each in &mut h {
                if *each < C::INFINITY && random.below(2) == 0 {
                    *each = C::ZERO;
                }
            }
            self.heuristic.push(h);
        }
        self
    }

    /// For each node the costs from `start` that no other path to it beats: by brute force, with sums of many bits. Costs
    /// that the type cannot hold are among them.
    pub fn labels(
        &self,
        starts: &[(u32, [C; N])],
        number: impl Fn(C) -> f64,
    ) -> Vec<Vec<Vec<f64>>> {
        let numbers = |cost: &[C; N]| cost.iter().map(|&each| number(each)).collect::<Vec<_>>();
        let mut sets = vec![Vec::<Vec<f64>>::new(); self.nodes as usize];
        for (start, cost) in starts {
            add(&mut sets[*start as usize], numbers(cost));
        }
        loop {
            let mut changed = false;
            for (from, to, cost) in &self.edges {
                let cost = numbers(cost);
                for label in sets[*from as usize].clone() {
                    let sum = label.iter().zip(&cost).map(|(a, b)| a + b).collect();
                    changed |= add(&mut sets[*to as usize], sum);
                }
            }
            if !changed {
                return sets;
            }
        }
    }

    /// All costs from `start` that no other path beats, in order, as [`labels`](Self::labels) finds them.
    pub fn front(&self, starts: &[(u32, [C; N])], number: impl Fn(C) -> f64) -> Vec<Vec<f64>> {
        let sets = self.labels(starts, number);
        let mut front = Vec::new();
        for goal in &self.goals {
            for label in &sets[*goal as usize] {
                add(&mut front, label.clone());
            }
        }
        front.sort_by(|a, b| a.partial_cmp(b).unwrap());
        front
    }
}

/// Adds a cost to a set of which none dominates another; whether it is new.
fn add(set: &mut Vec<Vec<f64>>, cost: Vec<f64>) -> bool {
    let dominates = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).all(|(a, b)| a <= b);
    if set.iter().any(|other| dominates(other, &cost)) {
        return false;
    }
    set.retain(|other| !dominates(&cost, other));
    set.push(cost);
    true
}

impl<C: Cost, const N: usize> SearchProblem for Graph<C, N> {
    type State = u32;
    /// The number of the edge.
    type Action = usize;
    type Cost = [C; N];

    fn successors(&self, &node: &u32, next: &mut Successors<Self>) {
        for (number, &(from, to, cost)) in self.edges.iter().enumerate() {
            if from == node {
                next.push(number, to, cost);
            }
        }
    }

    fn heuristic(&self, &node: &u32) -> [C; N] {
        self.heuristic.get(node as usize).copied().unwrap_or([C::ZERO; N])
    }

    fn is_goal(&self, node: &u32) -> bool {
        self.goals.contains(node)
    }
}

impl<C: Cost, const N: usize> Reversible for Graph<C, N> {
    fn predecessors(&self, &node: &u32, previous: &mut Successors<Self>) {
        for (number, &(from, to, cost)) in self.edges.iter().enumerate() {
            if to == node {
                previous.push(number, from, cost);
            }
        }
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        self.goals.iter().copied()
    }
}

impl<C: Cost, const N: usize> DenseStates for Graph<C, N> {
    fn state_count(&self) -> usize {
        self.nodes as usize
    }

    fn state_index(&self, &node: &u32) -> usize {
        node as usize
    }

    fn state_at(&self, index: usize) -> u32 {
        index as u32
    }
}

/// Whether each of the paths is one of the graph, with the actions and costs that it says.
pub fn check_paths<C: Cost, const N: usize>(
    graph: &Graph<C, N>,
    paths: &[bestfirst::PathOf<Graph<C, N>>],
) {
    for path in paths {
        path.verify(graph).unwrap();
        for step in path.steps() {
            let edge = graph.edges[*step.action];
            assert!((edge.0, edge.1) == (*step.from, *step.to));
            assert!(edge.2.dominates(step.cost) && step.cost.dominates(edge.2));
        }
    }
}
