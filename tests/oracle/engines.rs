//! All engines, each with every table and frontier, behind one door.
#![allow(dead_code, reason = "each test that takes this module in uses a part of it")]

#[path = "far.rs"]
pub mod far;

use std::time::Duration;

use bestfirst::Deepening;
use bestfirst::engine::Engine as SearchEngine;
use bestfirst::frontier::{BucketQueue, IndexedQueue, LazyHeap};
use bestfirst::table::{CostRecord, DenseTable, EstimateRecord, HashedTable};
use bestfirst::{
    AStar, AnytimeAStar, Beam, BoundedCost, BranchAndBound, BreadthFirst, Cost, DenseStates,
    Dijkstra, Focal, Greedy, IdaStar, InPlaceProblem, KBest, Limits, PartialExpansion, Rectangle,
    Report, ScalableCost, Search, SearchError, SearchProblem, Stats,
};
use far::Far;

pub type Answer<S, A, C> = Result<Report<S, A, C>, SearchError<C>>;

/// What any search can be asked to do.
pub trait AnySearch<S, A, C: Cost> {
    fn run(&mut self) -> Answer<S, A, C>;
    fn step(&mut self) -> Result<Option<Report<S, A, C>>, SearchError<C>>;
    fn restart_from(&mut self, starts: Vec<(S, C)>);
    fn set_limits(&mut self, limits: Limits<C>);
    fn stats(&self) -> Stats;
    fn bytes(&self) -> usize;
    fn elapsed(&self) -> Duration;
}

impl<E: SearchEngine> AnySearch<E::State, E::Action, E::Cost> for Search<E> {
    fn run(&mut self) -> Answer<E::State, E::Action, E::Cost> {
        Search::run(self)
    }
    fn step(
        &mut self,
    ) -> Result<Option<Report<E::State, E::Action, E::Cost>>, SearchError<E::Cost>> {
        Search::step(self)
    }
    fn restart_from(&mut self, starts: Vec<(E::State, E::Cost)>) {
        Search::restart_from(self, starts);
    }
    fn set_limits(&mut self, limits: Limits<E::Cost>) {
        Search::set_limits(self, limits);
    }
    fn stats(&self) -> Stats {
        Search::stats(self)
    }
    fn bytes(&self) -> usize {
        Search::bytes(self)
    }
    fn elapsed(&self) -> Duration {
        Search::elapsed(self)
    }
}

/// What an engine needs to come to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// A finite space.
    Finite,
    /// The same, and that all states can be numbered.
    Dense,
    /// A finite space, and patience: it may come to a state any number of times.
    Patience,
    /// The same, and that all states can be numbered.
    DensePatience,
    /// A finite space that is not large, as it may go every way in it.
    Small,
    /// The same, and a path to a goal, or a limit.
    Goal,
}

/// A search, whatever its engine, of a problem that lives for `'p`.
pub type BoxedSearch<'p, P> = Box<
    dyn AnySearch<
            <P as SearchProblem>::State,
            <P as SearchProblem>::Action,
            <P as SearchProblem>::Cost,
        > + 'p,
>;

pub type Starts<P> = Vec<(<P as SearchProblem>::State, <P as SearchProblem>::Cost)>;

pub struct Engine<P: SearchProblem> {
    pub name: &'static str,
    pub needs: Needs,
    /// A solution costs at most so many times the optimum.
    pub factor: f64,
    #[expect(clippy::type_complexity, reason = "it borrows the problem for any time")]
    pub search: for<'p> fn(&'p P, Limits<P::Cost>, Starts<P>) -> BoxedSearch<'p, P>,
}

impl<P: SearchProblem> Engine<P> {
    /// Whether it keeps all states that it has seen.
    pub fn remembers(&self) -> bool {
        !matches!(self.needs, Needs::Small | Needs::Goal)
    }

    /// Whether it expands states so often that it may not end in any time to be waited for.
    pub fn may_repeat(&self) -> bool {
        !matches!(self.needs, Needs::Finite | Needs::Dense)
    }

    /// Whether its solution is a cheapest one.
    pub fn is_optimal(&self) -> bool {
        self.factor <= 1.0
    }

    /// Whether it sets states aside that cost more than is allowed, so that with a limit on the cost it
    /// goes another way.
    pub fn sets_aside(&self) -> bool {
        self.improves() || self.name.starts_with("weighted") || self.name.starts_with("greedy")
    }

    /// Whether it goes on from a first solution to better ones.
    pub fn improves(&self) -> bool {
        let improving = [
            "branch and bound",
            "breadth first",
            "anytime",
            "focal",
            "bounded",
            "beam",
            "rectangle",
            "IDA*, bounds chosen",
        ];
        improving.iter().any(|name| self.name.starts_with(name))
    }

    /// Whether all states must be numbered.
    pub fn is_dense(&self) -> bool {
        matches!(self.needs, Needs::Dense | Needs::DensePatience)
    }
}

/// A problem of which only the types are known. Problems that have these in common share the code of all
/// engines: making that for every problem anew would take the compiler minutes.
type Erased<'p, P> = &'p (
        dyn DenseStates<
    State = <P as SearchProblem>::State,
    Action = <P as SearchProblem>::Action,
    Cost = <P as SearchProblem>::Cost,
> + 'p
    );

/// Adds an engine to a list, unless the list is to have few engines and it is marked as one of `all`. A factor stands
/// where a solution need not be a cheapest one. Those that search in place get the problem as it is.
macro_rules! push {
    (few $list:ident all $($line:tt)*) => {};
    ($which:ident $list:ident $mark:ident $needs:ident $name:literal $(* $factor:tt)?: |$p:ident $($own:ident)*| $search:expr) => {
        $list.push(Engine {
            name: $name,
            needs: Needs::$needs,
            factor: [$($factor,)? 1.0][0],
            search: |$p, limits, starts| {
                let $p: problem!($p $($own)*) = $p;
                Box::new($search.limits(limits).search_from(starts))
            },
        })
    };
}

macro_rules! problem {
    ($p:ident) => {
        Erased::<P>
    };
    ($p:ident as it is) => {
        &P
    };
}

const ANY: f64 = f64::INFINITY;

/// All engines; one line for each. Those that are marked as `few` are searches of each kind, with each frontier.
#[rustfmt::skip]
macro_rules! list {
    ($which:ident $list:ident) => {
        push!($which $list few Finite "Dijkstra, hashed, buckets": |p| Dijkstra::new(p));
        push!($which $list few Finite "Dijkstra, hashed, heap": |p| Dijkstra::new(p).frontier(LazyHeap::new()));
        push!($which $list all Finite "Dijkstra, hashed, indexed": |p| Dijkstra::new(p).frontier(IndexedQueue::new()));
        push!($which $list few Finite "A*, hashed, buckets": |p| AStar::new(p));
        push!($which $list few Finite "A*, hashed, heap": |p| AStar::new(p).frontier(LazyHeap::new()));
        push!($which $list few Finite "A*, hashed, indexed": |p| AStar::new(p).frontier(IndexedQueue::new()));
        push!($which $list all Finite "A*, other hasher": |p| AStar::new(p).hasher(std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default()));
        push!($which $list all Finite "Dijkstra, far, buckets": |p| Dijkstra::new(p).table(Far::<HashedTable<_, CostRecord<_>>>::default()));
        push!($which $list all Finite "A*, far, buckets": |p| AStar::new(p).table(Far::<HashedTable<_, EstimateRecord<_>>>::default()));
        push!($which $list all Finite "A*, far, heap": |p| AStar::new(p).table(Far::<HashedTable<_, EstimateRecord<_>>>::default()).frontier(LazyHeap::new()));
        push!($which $list all Dense "Dijkstra, dense, buckets": |p| Dijkstra::new(p).dense());
        push!($which $list all Dense "Dijkstra, dense, heap": |p| Dijkstra::new(p).dense().frontier(LazyHeap::new()));
        push!($which $list all Dense "Dijkstra, dense, indexed": |p| Dijkstra::new(p).dense().frontier(IndexedQueue::new()));
        push!($which $list few Dense "A*, dense, buckets": |p| AStar::new(p).dense());
        push!($which $list few Dense "A*, dense, heap": |p| AStar::new(p).dense().frontier(LazyHeap::new()));
        push!($which $list all Dense "A*, dense, far": |p| AStar::new(p).table(Far(DenseTable::<_, EstimateRecord<_>>::new(p))));
        push!($which $list all Dense "A*, dense, indexed": |p| AStar::new(p).dense().frontier(IndexedQueue::new()));
        push!($which $list all Finite "Dijkstra, wide ids": |p| Dijkstra::new(p).wide_ids());
        push!($which $list all Finite "A*, wide ids": |p| AStar::new(p).wide_ids());
        push!($which $list all Finite "weighted A*, 0.5": |p| AStar::new(p).weight(0.5));
        push!($which $list few Finite "weighted A*, 1.2" * 1.2: |p| AStar::new(p).weight(1.2));
        push!($which $list few Finite "weighted A*, 1.5, buckets" * 1.5: |p| AStar::new(p).weight(1.5).frontier(BucketQueue::new()));
        push!($which $list all Finite "weighted A*, 3, indexed" * 3.0: |p| AStar::new(p).weight(3.0).frontier(IndexedQueue::new()));
        push!($which $list all Dense "weighted A*, 1.5, dense" * 1.5: |p| AStar::new(p).weight(1.5).dense());
        push!($which $list all Finite "weighted A*, 3" * 3.0: |p| AStar::new(p).weight(3.0));
        push!($which $list few Finite "greedy" * ANY: |p| Greedy::new(p));
        push!($which $list all Dense "greedy, dense, heap" * ANY: |p| Greedy::new(p).dense().frontier(LazyHeap::new()));
        push!($which $list few Finite "anytime A*": |p| AnytimeAStar::new(p));
        push!($which $list all Finite "anytime A*, weight 2, buckets": |p| AnytimeAStar::new(p).weight(2.0).frontier(BucketQueue::new()));
        push!($which $list all Dense "anytime A*, dense, indexed": |p| AnytimeAStar::new(p).weights([3.0]).dense().frontier(IndexedQueue::new()));
        push!($which $list all Finite "anytime A*, far": |p| AnytimeAStar::new(p).weights([2.0, 1.5]).table(Far::<HashedTable<_, EstimateRecord<_>>>::default()));
        push!($which $list all Finite "focal, 1": |p| Focal::new(p, 1.0));
        push!($which $list few Finite "focal, 1.5" * 1.5: |p| Focal::new(p, 1.5));
        push!($which $list all Dense "focal, 2, dense" * 2.0: |p| Focal::new(p, 2.0).dense());
        push!($which $list all Finite "bounded cost, any" * ANY: |p| BoundedCost::new(p, P::Cost::INFINITY));
        push!($which $list few Finite "breadth first": |p| BreadthFirst::new(p));
        push!($which $list all Dense "breadth first, dense": |p| BreadthFirst::new(p).dense());
        push!($which $list few Finite "beam": |p| Beam::new(p));
        push!($which $list all Dense "beam, in place, dense": |p as it is| Beam::new(p).width_from(3).in_place().dense());
        push!($which $list few Finite "rectangle": |p| Rectangle::new(p));
        push!($which $list all Finite "rectangle, aspect 2": |p as it is| Rectangle::new(p).aspect(2).in_place());
        push!($which $list few Finite "partial expansion": |p| PartialExpansion::new(p));
        push!($which $list few Finite "k best": |p| KBest::new(p));
        push!($which $list few Patience "branch and bound": |p| BranchAndBound::new(p));
        push!($which $list all Patience "branch and bound, in place": |p as it is| BranchAndBound::new(p).in_place());
        push!($which $list all DensePatience "branch and bound, dense": |p| BranchAndBound::new(p).dense());
        push!($which $list few Goal "IDA*": |p| IdaStar::new(p));
        push!($which $list few Goal "IDA*, in place": |p as it is| IdaStar::new(p).in_place());
        push!($which $list all Small "IDA*, no cycles": |p| IdaStar::new(p).avoid_cycles());
        push!($which $list all Small "IDA*, in place, no cycles": |p as it is| IdaStar::new(p).in_place().avoid_cycles());
        push!($which $list all Goal "IDA*, least table": |p| IdaStar::new(p).transposition_table(1));
        push!($which $list all Goal "IDA*, small table": |p| IdaStar::new(p).transposition_table(500));
        push!($which $list few Small "IDA*, table": |p| IdaStar::new(p).transposition_table(1 << 14));
        push!($which $list all Goal "IDA*, in place, small table": |p as it is| IdaStar::new(p).in_place().transposition_table(700));
        push!($which $list all Small "IDA*, in place, table": |p as it is| IdaStar::new(p).in_place().transposition_table(1 << 14));
        push!($which $list few Goal "IDA*, bounds chosen": |p| IdaStar::new(p).deepening(Deepening::Budgeted { free: 0 }));
        push!($which $list all Goal "IDA*, bounds chosen, in place": |p as it is| IdaStar::new(p).in_place().deepening(Deepening::Budgeted { free: 0 }));
        push!($which $list all Small "IDA*, bounds chosen, table": |p| IdaStar::new(p).transposition_table(1 << 14).deepening(Deepening::Budgeted { free: 0 }));
        push!($which $list all Small "IDA*, in place, table, no cycles": |p as it is| IdaStar::new(p).in_place().transposition_table(400).avoid_cycles());
    };
}

/// All engines.
pub fn engines<P: DenseStates + InPlaceProblem>() -> Vec<Engine<P>>
where
    P::Cost: ScalableCost,
{
    let mut engines = Vec::new();
    list!(all engines);
    engines
}

/// A third of them, for problems whose types say little that is new: the compiler makes every engine for all types anew.
pub fn few_engines<P: DenseStates + InPlaceProblem>() -> Vec<Engine<P>>
where
    P::Cost: ScalableCost,
{
    let mut engines = Vec::new();
    list!(few engines);
    engines
}
