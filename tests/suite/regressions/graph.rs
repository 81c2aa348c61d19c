//! A graph with any costs that every engine can search, and all engines in one list.

use std::ops::Range;

use bestfirst::Deepening;
use bestfirst::frontier::{BucketQueue, IndexedQueue, LazyHeap};
use bestfirst::{
    AStar, Anytime, AnytimeAStar, Beam, Bidirectional, BoundedCost, BoxedSearch, BranchAndBound,
    BreadthFirst, Cost, DenseStates, Dijkstra, Focal, Greedy, IdaStar, InPlaceProblem, KBest,
    Limits, Rectangle, Replanner, Reversible, ScalableCost, SearchProblem, Successors,
};
use support::engines::erased;
use support::erased::reversing;

/// Random numbers, always the same.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let high = usize::try_from(self.0 >> 33).expect("31 bits");
        high % end
    }

    pub fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// States are numbers; the actions from a state are numbered.
#[derive(Clone, Debug)]
pub struct Graph<C> {
    pub steps: Vec<Vec<(u32, C)>>,
    pub h: Vec<C>,
    /// The values of the heuristic from any start.
    pub h_from: Vec<C>,
    pub goals: Vec<bool>,
    pub starts: Vec<(u32, C)>,
}

impl<C: Cost> SearchProblem for Graph<C> {
    type State = u32;
    type Action = u32;
    type Cost = C;

    fn successors(&self, &state: &u32, next: &mut Successors<Self>) {
        for (action, &(to, cost)) in (0..).zip(&self.steps[state as usize]) {
            next.push(action, to, cost);
        }
    }
    fn heuristic(&self, &state: &u32) -> C {
        self.h[state as usize]
    }
    fn is_goal(&self, &state: &u32) -> bool {
        self.goals[state as usize]
    }
}

impl<C: Cost> Reversible for Graph<C> {
    fn predecessors(&self, &state: &u32, previous: &mut Successors<Self>) {
        for (from, steps) in (0..).zip(&self.steps) {
            for (action, &(to, cost)) in (0..).zip(steps) {
                if to == state {
                    previous.push(action, from, cost);
                }
            }
        }
    }
    fn goals(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.goals).filter(|(_, is_goal)| **is_goal).map(|(state, _)| state)
    }
    fn heuristic_from(&self, _: &u32, &state: &u32) -> C {
        self.h_from[state as usize]
    }
}

impl<C: Cost> DenseStates for Graph<C> {
    fn state_count(&self) -> usize {
        self.steps.len()
    }
    fn state_index(&self, &state: &u32) -> usize {
        state as usize
    }
    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

impl<C: Cost> InPlaceProblem for Graph<C> {
    type Actions = Range<u32>;
    type Undo = u32;

    fn actions(&self, &state: &u32) -> Range<u32> {
        0..u32::try_from(self.steps[state as usize].len()).unwrap()
    }
    fn apply(&self, state: &mut u32, &action: &u32) -> (C, u32) {
        let (to, cost) = self.steps[*state as usize][action as usize];
        (cost, std::mem::replace(state, to))
    }
    fn undo(&self, state: &mut u32, undo: u32) {
        *state = undo;
    }
}

type Make<C> = for<'g> fn(&'g Graph<C>, Limits<C>) -> BoxedSearch<'g, &'g Graph<C>>;

/// An engine, and how it differs from the others.
pub struct Engine<C: Cost> {
    pub name: &'static str,
    pub search: Make<C>,
}

impl<C: Cost> Engine<C> {
    /// Whether what it finds is a cheapest path.
    pub fn is_optimal(&self) -> bool {
        !["greedy", "weighted", "focal", "bounded", "beam, width"]
            .iter()
            .any(|name| self.name.starts_with(name))
    }

    /// Whether it may expand a state any number of times.
    pub fn may_repeat(&self) -> bool {
        self.name.starts_with("IDA*")
    }
}

/// Engines that search the graph as it is.
macro_rules! list {
    ($($name:literal: |$p:ident| $builder:expr;)*) => {
        vec![$(Engine {
            name: $name,
            search: |$p, limits| Box::new($builder.limits(limits).search_from($p.starts.clone())),
        }),*]
    };
}
pub(crate) use list;

/// Engines that search it in the form that all problems of these types have, and that are compiled once for them.
macro_rules! shared {
    ($($name:literal: |$p:ident| $builder:expr;)*) => {
        vec![$(Engine {
            name: $name,
            search: |graph, limits| {
                let $p = erased(graph);
                Box::new($builder.limits(limits).search_from(graph.starts.clone()))
            },
        }),*]
    };
}

/// Every engine that asks nothing special of costs.
pub fn engines<C: Cost + ScalableCost>() -> Vec<Engine<C>> {
    let mut all = shared! {
        "Dijkstra": |p| Dijkstra::new(p);
        "Dijkstra, dense, indexed": |p| Dijkstra::new(p).dense().frontier(IndexedQueue::new());
        "A*": |p| AStar::new(p);
        "A*, heap": |p| AStar::new(p).frontier(LazyHeap::new());
        "A*, dense, indexed": |p| AStar::new(p).dense().frontier(IndexedQueue::new());
        "weighted A*": |p| AStar::new(p).weight(1.5);
        "weighted A*, buckets": |p| AStar::new(p).weight(2.0).frontier(BucketQueue::new());
        "greedy": |p| Greedy::new(p);
        "anytime A*": |p| AnytimeAStar::new(p);
        "focal": |p| Focal::new(p, 1.5);
        "bounded cost": |p| BoundedCost::new(p, C::INFINITY);
        "branch and bound": |p| BranchAndBound::new(p);
        "breadth first": |p| BreadthFirst::new(p);
        "breadth first, dense": |p| BreadthFirst::new(p).dense();
        "beam": |p| Beam::new(p);
        "beam, width 1": |p| Beam::new(p).width(1);
        "beam, width 2": |p| Beam::new(p).width(2);
        "rectangle": |p| Rectangle::new(p);
        "anytime search": |p| Anytime::new(p);
        "k best": |p| KBest::new(p);
        "k best, simple": |p| KBest::new(p).simple();
        "IDA*": |p| IdaStar::new(p);
        "IDA*, in place": |p| IdaStar::new(p).in_place();
        "IDA*, no cycles": |p| IdaStar::new(p).avoid_cycles();
        "IDA*, table": |p| IdaStar::new(p).transposition_table(1 << 12);
        "IDA*, in place, table": |p| IdaStar::new(p).in_place().transposition_table(1 << 12);
        "IDA*, bounds chosen": |p| IdaStar::new(p).deepening(Deepening::Budgeted { free: 0 });
    };
    all.extend(list! {
        "NBS": |p| Bidirectional::new(reversing(p)).nbs();
        "both ends, Dijkstra": |p| Bidirectional::new(reversing(p)).dijkstra();
        "replanner": |p| Replanner::new(p);
    });
    all
}
