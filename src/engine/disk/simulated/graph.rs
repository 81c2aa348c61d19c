//! Random problems, with their answers.

use crate::encode::{DecodeError, Encode};
use crate::engine::random::Random;
use crate::problem::{SearchProblem, Successors};

/// A state: a node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node(pub(super) u32);

impl Encode for Node {
    const BYTES: usize = 4;

    fn encode(&self, bytes: &mut [u8]) {
        self.0.encode(bytes);
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        u32::decode(bytes).map(Self)
    }
}

/// A directed graph with steps that may cost nothing, and an admissible heuristic that may be inconsistent.
#[derive(Debug)]
pub(super) struct Graph {
    edges: Vec<Vec<(Node, u32)>>,
    h: Vec<u32>,
    goals: Vec<bool>,
    pub(super) start: Node,
    /// What a cheapest path costs.
    pub(super) cost: Option<u32>,
}

impl Graph {
    pub(super) fn random(random: &mut Random, most: usize) -> Self {
        let is_local = random.one_in(2);
        // Where paths are long, the time grows with the square of their length.
        let count = 2 + random.index(if is_local { most.min(1000) } else { most });
        let (costs, degree) = (1 + random.below(4), 1 + random.below(4));
        let fewest = random.below(3);
        let edges: Vec<Vec<_>> = (0..count)
            .map(|from| {
                let edge = |random: &mut Random| {
                    let to = if is_local {
                        (from + 15 * count + random.index(40) - 15) % count
                    } else {
                        random.index(count)
                    };
                    (Node(u32::try_from(to).unwrap()), u32::try_from(random.below(costs)).unwrap())
                };
                (0..fewest + random.below(degree + 1)).map(|_| edge(random)).collect()
            })
            .collect();
        let mut goals = vec![false; count];
        for _ in 0..random.below(3) {
            goals[random.index(count)] = true;
        }
        let rest = distances(&edges, &goals);
        let exact = random.below(4);
        let h = rest.iter().map(|rest| match rest {
            None if random.one_in(2) => u32::MAX,
            None => 0,
            Some(rest) if random.below(3) < exact => *rest,
            Some(rest) => u32::try_from(random.below(u64::from(*rest) + 1)).unwrap(),
        });
        let h = h.collect();
        let start = random.index(count);
        let cost = rest[start];
        Self { edges, h, goals, start: Node(u32::try_from(start).unwrap()), cost }
    }
}

impl Graph {
    /// The node of a state, also of one that a checkpoint has by mistake.
    fn at(&self, Node(state): Node) -> usize {
        state as usize % self.h.len()
    }
}

/// What it costs to get from each node to a goal, by relaxing until nothing changes.
fn distances(edges: &[Vec<(Node, u32)>], goals: &[bool]) -> Vec<Option<u32>> {
    let mut back = vec![Vec::new(); edges.len()];
    for (from, list) in edges.iter().enumerate() {
        for &(to, cost) in list {
            back[to.0 as usize].push((from, cost));
        }
    }
    let mut rest: Vec<_> = goals.iter().map(|is_goal| is_goal.then_some(0)).collect();
    let mut waiting: Vec<_> = (0..goals.len()).filter(|&node| goals[node]).collect();
    while !waiting.is_empty() {
        for to in std::mem::take(&mut waiting) {
            for &(from, cost) in &back[to] {
                let through = rest[to].map(|rest: u32| rest + cost);
                if through < rest[from] || rest[from].is_none() {
                    rest[from] = through;
                    waiting.push(from);
                }
            }
        }
    }
    rest
}

impl SearchProblem for Graph {
    type State = Node;
    type Action = ();
    type Cost = u32;

    fn successors(&self, state: &Node, successors: &mut Successors<Self>) {
        for &(to, cost) in &self.edges[self.at(*state)] {
            successors.push((), to, cost);
        }
    }

    fn heuristic(&self, state: &Node) -> u32 {
        self.h[self.at(*state)]
    }

    fn is_goal(&self, state: &Node) -> bool {
        self.goals[self.at(*state)]
    }
}
