//! Random problems that know their predecessors, with heuristics in both directions.

use bestfirst::{DenseStates, Reversible, SearchProblem, Successors};

use crate::random::{Edge, Name, Problem, Random, Units, bellman_ford};

/// A random problem that knows its predecessors, and lower bounds from every state to every state.
pub struct TwoWay<C, S> {
    pub problem: Problem<C, S>,
    /// For each state, the cheapest costs from it to every state.
    pub costs: Vec<Vec<Option<u128>>>,
    /// For each state, the lower bounds from it to every state.
    bounds: Vec<Vec<C>>,
}

/// What the heuristics are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristics {
    /// Those of the random problem, and half of the cost on the way back: admissible.
    Half,
    /// Those of the random problem, and anything up to the cost on the way back: admissible.
    Random,
    /// In both directions: half of the cost; the cost; the cost but for some; nothing. Consistent.
    Consistent,
}

impl<C: Units, S: Name> TwoWay<C, S> {
    pub fn random(seed: u64, nodes: usize, heuristics: Heuristics) -> Self {
        let mut problem = Problem::<C, S>::random(seed, nodes);
        let (count, edges) = (problem.graph.edges.len(), problem.graph.list());
        let costs: Vec<_> =
            (0..count).map(|node| bellman_ford(count, &edges, &[(node, 0)])).collect();
        let mut random = Random::new(seed ^ 0xB0B);
        let (kinds, less) = ([random.below(4), random.below(4)], 1 + random.below(9));
        let (most, scale) = (problem.graph.most - 1, problem.graph.scale);
        let consistent = |kind: u64, cost: Option<u128>| {
            let Some(cost) = cost else {
                return if kind == 3 { C::ZERO } else { C::INFINITY };
            };
            let cost = u64::try_from(cost).unwrap_or(u64::MAX).min(most);
            let units = match kind {
                0 => cost / 2,
                1 => cost,
                2 => cost.saturating_sub(less),
                _ => 0,
            };
            C::of(units, scale)
        };
        if heuristics == Heuristics::Consistent {
            problem.h = problem.graph.rest.iter().map(|&rest| consistent(kinds[0], rest)).collect();
        }
        let mut bound = |cost: Option<u128>| match heuristics {
            Heuristics::Half => consistent(0, cost),
            Heuristics::Consistent => consistent(kinds[1], cost),
            Heuristics::Random => match cost {
                None if random.one_in(2) => C::INFINITY,
                None => C::of(random.below(20), scale),
                Some(_) if random.one_in(20) => C::negative().unwrap_or(C::ZERO),
                Some(cost) => {
                    let cost = u64::try_from(cost).unwrap_or(u64::MAX).min(most);
                    C::of(random.next() % (cost + 1), scale)
                }
            },
        };
        let bounds = costs.iter().map(|costs| costs.iter().map(|&cost| bound(cost)).collect());
        let bounds = bounds.collect();
        Self { problem, costs, bounds }
    }
}

impl<C: Units, S: Name> SearchProblem for TwoWay<C, S> {
    type State = S;
    type Action = Edge;
    type Cost = C;

    fn successors(&self, state: &S, next: &mut Successors<Self>) {
        self.problem.successors(state, next);
    }

    fn heuristic(&self, state: &S) -> C {
        self.problem.heuristic(state)
    }

    fn is_goal(&self, state: &S) -> bool {
        self.problem.is_goal(state)
    }
}

impl<C: Units, S: Name> DenseStates for TwoWay<C, S> {
    fn state_count(&self) -> usize {
        self.problem.state_count()
    }

    fn state_index(&self, state: &S) -> usize {
        self.problem.state_index(state)
    }

    fn state_at(&self, index: usize) -> S {
        self.problem.state_at(index)
    }
}

impl<C: Units, S: Name> Reversible for TwoWay<C, S> {
    fn predecessors(&self, state: &S, previous: &mut Successors<Self>) {
        let mut next = Successors::<Self>::new();
        // From the last one on, there may be a chain without end.
        let nodes = (0..self.costs.len()).chain(state.node().checked_sub(1));
        for (index, node) in nodes.enumerate() {
            if index == self.costs.len() && node < index {
                continue;
            }
            next.clear();
            self.successors(&S::new(node), &mut next);
            for step in next.drain().filter(|step| step.state == *state) {
                previous.push(step.action, S::new(node), step.cost);
            }
        }
    }

    fn goals(&self) -> impl Iterator<Item = S> {
        (0..self.costs.len()).filter(|&node| self.problem.graph.goals[node]).map(S::new)
    }

    fn heuristic_from(&self, start: &S, state: &S) -> C {
        let bounds = self.bounds.get(start.node());
        bounds.and_then(|bounds| bounds.get(state.node())).copied().unwrap_or(C::ZERO)
    }
}
