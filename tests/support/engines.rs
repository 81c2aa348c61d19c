//! All engines, each with every table and frontier, behind one door.

use std::hash::{BuildHasherDefault, DefaultHasher, Hash};
use std::time::Duration;

use crate::erased::{forward_dense, forward_search};
use crate::far::Far;
use bestfirst::Deepening;
use bestfirst::engine::Engine as SearchEngine;
use bestfirst::frontier::{BucketQueue, IndexedQueue, LazyHeap};
use bestfirst::table::{CostRecord, DenseTable, EstimateRecord, HashedTable};
use bestfirst::{
    AStar, Anytime, AnytimeAStar, Beam, BoundedCost, BranchAndBound, BreadthFirst, Cost,
    DenseStates, Dijkstra, Focal, Greedy, IdaStar, InPlaceProblem, KBest, Limits, Observer,
    PackedCost, PartialExpansion, Rectangle, Report, ScalableCost, Search, SearchError,
    SearchProblem, Stats, Successors,
};

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

impl<E, O> AnySearch<E::State, E::Action, E::Cost> for Search<E, O>
where
    E: SearchEngine,
    O: Observer<E::State, E::Cost>,
{
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
    /// The parts that it is made of: table, frontier, form.
    pub parts: &'static [&'static str],
    pub needs: Needs,
    /// A solution costs at most `factor` times the optimum.
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

    /// Whether its paths have steps.
    pub fn keeps_parents(&self) -> bool {
        !self.parts.contains(&"costs_only")
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

/// What a problem can be asked in place, in a form that can be behind a pointer.
trait Whole<U, I>: DenseStates {
    fn actions(&self, state: &Self::State) -> I;
    fn apply(&self, state: &mut Self::State, action: &Self::Action) -> (Self::Cost, U);
    fn undo(&self, state: &mut Self::State, undo: U);
    fn inverse(&self, state: &Self::State, action: &Self::Action) -> Option<Self::Action>;
}

impl<P: DenseStates + InPlaceProblem> Whole<P::Undo, P::Actions> for P {
    fn actions(&self, state: &P::State) -> P::Actions {
        InPlaceProblem::actions(self, state)
    }
    fn apply(&self, state: &mut P::State, action: &P::Action) -> (P::Cost, P::Undo) {
        InPlaceProblem::apply(self, state, action)
    }
    fn undo(&self, state: &mut P::State, undo: P::Undo) {
        InPlaceProblem::undo(self, state, undo);
    }
    fn inverse(&self, state: &P::State, action: &P::Action) -> Option<P::Action> {
        InPlaceProblem::inverse(self, state, action)
    }
}

/// A problem of which only the types are known. Problems that have these in common share the code of all
/// engines: making that for every problem anew would take the compiler minutes.
pub struct Erased<'p, S, A, C, U, I>(&'p (dyn Whole<U, I, State = S, Action = A, Cost = C> + 'p));

impl<S, A, C, U, I> Copy for Erased<'_, S, A, C, U, I> {}

impl<S, A, C, U, I> Clone for Erased<'_, S, A, C, U, I> {
    fn clone(&self) -> Self {
        *self
    }
}

pub type ErasedOf<'p, P> = Erased<
    'p,
    <P as SearchProblem>::State,
    <P as SearchProblem>::Action,
    <P as SearchProblem>::Cost,
    <P as InPlaceProblem>::Undo,
    <P as InPlaceProblem>::Actions,
>;

/// The form in which the engines of all lists search a problem. Searches of a random problem of [`u32`] that are begun by hand
/// should have it, too.
pub fn erased<P: DenseStates + InPlaceProblem>(problem: &P) -> ErasedOf<'_, P> {
    Erased(problem)
}

impl<S: Clone + Eq + Hash, A: Clone, C: Cost, U, I> SearchProblem for Erased<'_, S, A, C, U, I> {
    type State = S;
    type Action = A;
    type Cost = C;

    forward_search!();
}

impl<S: Clone + Eq + Hash, A: Clone, C: Cost, U, I> DenseStates for Erased<'_, S, A, C, U, I> {
    forward_dense!();
}

impl<S, A, C, U, I> InPlaceProblem for Erased<'_, S, A, C, U, I>
where
    S: Clone + Eq + Hash,
    A: Clone + PartialEq,
    C: Cost,
    I: DoubleEndedIterator<Item = A>,
{
    type Actions = I;
    type Undo = U;

    fn actions(&self, state: &S) -> I {
        self.0.actions(state)
    }
    fn apply(&self, state: &mut S, action: &A) -> (C, U) {
        self.0.apply(state, action)
    }
    fn undo(&self, state: &mut S, undo: U) {
        self.0.undo(state, undo);
    }
    fn inverse(&self, state: &S, action: &A) -> Option<A> {
        self.0.inverse(state, action)
    }
}

/// Puts the parts that are named together: `chain!(p, builder; words)`.
macro_rules! chain {
    ($p:ident, $search:expr;) => { $search };
    ($p:ident, $search:expr; hashed $($more:ident)*) => { chain!($p, $search; $($more)*) };
    ($p:ident, $search:expr; copied) => { $search };
    ($p:ident, $search:expr; in_place $($more:ident)*) => { chain!($p, $search.in_place(); $($more)*) };
    ($p:ident, $search:expr; dense $($more:ident)*) => { chain!($p, $search.dense(); $($more)*) };
    ($p:ident, $search:expr; costs_only $($more:ident)*) => { chain!($p, $search.costs_only(); $($more)*) };
    ($p:ident, $search:expr; wide $($more:ident)*) => { chain!($p, $search.wide_ids(); $($more)*) };
    ($p:ident, $search:expr; hasher $($more:ident)*) => {
        chain!($p, $search.hasher(BuildHasherDefault::<DefaultHasher>::default()); $($more)*)
    };
    ($p:ident, $search:expr; far $($more:ident)*) => {
        chain!($p, $search.table(Far::<HashedTable<_, EstimateRecord<_>>>::default()); $($more)*)
    };
    ($p:ident, $search:expr; far_costs $($more:ident)*) => {
        chain!($p, $search.table(Far::<HashedTable<_, CostRecord<_>>>::default()); $($more)*)
    };
    ($p:ident, $search:expr; far_dense $($more:ident)*) => {
        chain!($p, $search.table(Far(DenseTable::<_, EstimateRecord<_>>::new($p))); $($more)*)
    };
    ($p:ident, $search:expr; buckets) => { $search.frontier(BucketQueue::new()) };
    ($p:ident, $search:expr; heap) => { $search.frontier(LazyHeap::new()) };
    ($p:ident, $search:expr; indexed) => { $search.frontier(IndexedQueue::new()) };
}

/// Adds an engine to a list if the mark in the column of this list is `+`, and to the list of all in any case. A factor stands
/// where a solution need not be a cheapest one.
macro_rules! push {
    (all $list:ident $marks:tt $($row:tt)*) => { add!($list $($row)*) };
    (few $list:ident (+ $($marks:tt)*) $($row:tt)*) => { add!($list $($row)*) };
    (u8 $list:ident ($a:tt + $($marks:tt)*) $($row:tt)*) => { add!($list $($row)*) };
    (u32 $list:ident ($a:tt $b:tt + $($marks:tt)*) $($row:tt)*) => { add!($list $($row)*) };
    (u64 $list:ident ($a:tt $b:tt $c:tt + $($marks:tt)*) $($row:tt)*) => { add!($list $($row)*) };
    (f32 $list:ident ($a:tt $b:tt $c:tt $d:tt + $($marks:tt)*) $($row:tt)*) => { add!($list $($row)*) };
    (f64 $list:ident ($a:tt $b:tt $c:tt $d:tt $e:tt + $f:tt) $($row:tt)*) => { add!($list $($row)*) };
    (odd $list:ident ($a:tt $b:tt $c:tt $d:tt $e:tt $f:tt +) $($row:tt)*) => { add!($list $($row)*) };
    ($which:ident $list:ident $marks:tt $($row:tt)*) => {};
}

macro_rules! add {
    ($list:ident $needs:ident $name:literal $(* $factor:tt)? {$($word:ident)*}: |$p:ident| $search:expr) => {
        $list.push(Engine {
            name: $name,
            parts: &[$(stringify!($word)),*],
            needs: Needs::$needs,
            factor: [$($factor,)? 1.0][0],
            search: |problem, limits, starts| {
                let $p = erased(problem);
                Box::new(chain!($p, $search; $($word)*).limits(limits).search_from(starts))
            },
        })
    };
}

const ANY: f64 = f64::INFINITY;

/// All engines; one line for each, with its marks. Those of the first column are `few`: searches of each kind, with each frontier.
/// The others are those of a type: together they have each kind of engine, each table, frontier and form with each
/// type (`pairs_are_covered` says so), because to compile all engines for all types takes minutes. Where there is a choice, they
/// are those that other tests need for the type in any case.
#[rustfmt::skip]
macro_rules! list {
    ($which:ident $list:ident) => {
        //                  few u8 u32 u64 f32 f64 odd
        push!($which $list (+ + + + + + -) Finite "Dijkstra, hashed, buckets" {hashed buckets}: |p| Dijkstra::new(p));
        push!($which $list (+ - - - - - -) Finite "Dijkstra, hashed, heap" {hashed heap}: |p| Dijkstra::new(p));
        push!($which $list (- - - - - - -) Finite "Dijkstra, hashed, indexed" {hashed indexed}: |p| Dijkstra::new(p));
        push!($which $list (- - - - - + -) Finite "Dijkstra, far, buckets" {far_costs buckets}: |p| Dijkstra::new(p));
        push!($which $list (- - - + - - -) Dense "Dijkstra, dense, buckets" {dense buckets}: |p| Dijkstra::new(p));
        push!($which $list (- - - - - - -) Dense "Dijkstra, dense, heap" {dense heap}: |p| Dijkstra::new(p));
        push!($which $list (- - - - - - +) Dense "Dijkstra, dense, indexed" {dense indexed}: |p| Dijkstra::new(p));
        push!($which $list (- - + - - + -) Finite "Dijkstra, wide ids" {wide buckets}: |p| Dijkstra::new(p));
        push!($which $list (- - - + - + -) Finite "Dijkstra, costs only" {hashed costs_only buckets}: |p| Dijkstra::new(p));
        push!($which $list (- - + - + - -) Dense "A*, dense, costs only" {dense costs_only heap}: |p| AStar::new(p));
        push!($which $list (+ - - - - + -) Finite "A*, hashed, buckets" {hashed buckets}: |p| AStar::new(p));
        push!($which $list (+ - - - - - -) Finite "A*, hashed, heap" {hashed heap}: |p| AStar::new(p));
        push!($which $list (- - - + - - -) Finite "A*, hashed, indexed" {hashed indexed}: |p| AStar::new(p));
        push!($which $list (- - - - - - -) Finite "A*, other hasher" {hasher buckets}: |p| AStar::new(p));
        push!($which $list (- - - - - - +) Finite "A*, far, buckets" {far buckets}: |p| AStar::new(p));
        push!($which $list (- - - - - - -) Finite "A*, far, heap" {far heap}: |p| AStar::new(p));
        push!($which $list (- + - - - - -) Finite "A*, far, indexed" {far indexed}: |p| AStar::new(p));
        push!($which $list (+ - - - + - -) Dense "A*, dense, buckets" {dense buckets}: |p| AStar::new(p));
        push!($which $list (+ - - - - - -) Dense "A*, dense, heap" {dense heap}: |p| AStar::new(p));
        push!($which $list (- - + - - - -) Dense "A*, dense, far" {far_dense buckets}: |p| AStar::new(p));
        push!($which $list (- - - - - - -) Dense "A*, dense, indexed" {dense indexed}: |p| AStar::new(p));
        push!($which $list (- - - - + - +) Finite "A*, wide ids" {wide heap}: |p| AStar::new(p));
        push!($which $list (- + - + - - -) Finite "weighted A*, 0.5" {wide indexed}: |p| AStar::new(p).weight(0.5));
        push!($which $list (+ - - - - + +) Finite "weighted A*, 1.2" * 1.2 {hashed heap}: |p| AStar::new(p).weight(1.2));
        push!($which $list (+ - - - - - -) Finite "weighted A*, 1.5, buckets" * 1.5 {hashed buckets}: |p| AStar::new(p).weight(1.5));
        push!($which $list (- - + - - - -) Dense "weighted A*, 1.5, dense" * 1.5 {dense heap}: |p| AStar::new(p).weight(1.5));
        push!($which $list (- - - - + - -) Finite "weighted A*, 3, far" * 3.0 {far indexed}: |p| AStar::new(p).weight(3.0));
        push!($which $list (+ + - - - + -) Finite "greedy" * ANY {hashed buckets}: |p| Greedy::new(p));
        push!($which $list (- - + - + - -) Dense "greedy, dense, heap" * ANY {dense heap}: |p| Greedy::new(p));
        push!($which $list (- - - + - - +) Finite "greedy, far, indexed" * ANY {far indexed}: |p| Greedy::new(p));
        push!($which $list (+ + + - - + -) Finite "anytime A*" {hashed heap}: |p| AnytimeAStar::new(p));
        push!($which $list (- - - - + - -) Finite "anytime A*, weight 2, buckets" {hashed buckets}: |p| AnytimeAStar::new(p).weight(2.0));
        push!($which $list (- - - - - + +) Dense "anytime A*, dense, indexed" {dense indexed}: |p| AnytimeAStar::new(p).weights([3.0]));
        push!($which $list (- - - + - - -) Finite "anytime A*, far" {far heap}: |p| AnytimeAStar::new(p).weights([2.0, 1.5]));
        push!($which $list (- - - - - - -) Finite "focal, 1" {far}: |p| Focal::new(p, 1.0));
        push!($which $list (+ + - + - + +) Finite "focal, 1.5" * 1.5 {hashed}: |p| Focal::new(p, 1.5));
        push!($which $list (- - + - + - -) Dense "focal, 2, dense" * 2.0 {dense}: |p| Focal::new(p, 2.0));
        push!($which $list (- + - + - + -) Finite "bounded cost, any" * ANY {hashed heap}: |p| BoundedCost::new(p, P::Cost::INFINITY));
        push!($which $list (- - + - + - -) Finite "bounded cost, any, far, indexed" * ANY {far indexed}: |p| BoundedCost::new(p, P::Cost::INFINITY));
        push!($which $list (- - - - - - +) Dense "bounded cost, any, dense, buckets" * ANY {dense buckets}: |p| BoundedCost::new(p, P::Cost::INFINITY));
        push!($which $list (+ - + - + - -) Finite "breadth first" {hashed}: |p| BreadthFirst::new(p));
        push!($which $list (- - - + - - +) Finite "breadth first, far" {far}: |p| BreadthFirst::new(p));
        push!($which $list (- + - - - + -) Dense "breadth first, in place, dense" {in_place dense}: |p| BreadthFirst::new(p));
        push!($which $list (+ + - - + + -) Finite "beam" {hashed}: |p| Beam::new(p));
        push!($which $list (- - - + - - -) Finite "beam, far" {far}: |p| Beam::new(p).width_from(2));
        push!($which $list (- - + - - - +) Dense "beam, in place, dense" {in_place dense}: |p| Beam::new(p).width_from(3));
        push!($which $list (+ + - - - + -) Finite "rectangle" {hashed}: |p| Rectangle::new(p));
        push!($which $list (- - + - + - -) Finite "rectangle, aspect 2" {in_place far}: |p| Rectangle::new(p).aspect(2));
        push!($which $list (- - - + - - +) Dense "rectangle, dense" {dense}: |p| Rectangle::new(p));
        push!($which $list (+ + - - - + -) Finite "anytime search" {hashed}: |p| Anytime::new(p));
        push!($which $list (- - + - + - -) Finite "anytime search, in place" {in_place far}: |p| Anytime::new(p));
        push!($which $list (- - - + - - +) Dense "anytime search, dense" {dense}: |p| Anytime::new(p));
        push!($which $list (+ - + - + - -) Finite "partial expansion" {hashed heap}: |p| PartialExpansion::new(p));
        push!($which $list (- - - + - - +) Finite "partial expansion, far, indexed" {far indexed}: |p| PartialExpansion::new(p));
        push!($which $list (- + - - - + -) Dense "partial expansion, dense, buckets" {dense buckets}: |p| PartialExpansion::new(p));
        push!($which $list (+ + + + + + -) Finite "k best" {hashed buckets}: |p| KBest::new(p));
        push!($which $list (- - - - - - +) Finite "k best, far, heap" {far heap}: |p| KBest::new(p));
        push!($which $list (- - - - - - -) Dense "k best, dense, indexed" {dense indexed}: |p| KBest::new(p));
        push!($which $list (+ + - + + - -) Patience "branch and bound" {hashed}: |p| BranchAndBound::new(p));
        push!($which $list (- - - - - - +) Patience "branch and bound, in place" {in_place far}: |p| BranchAndBound::new(p));
        push!($which $list (- - + - - + -) DensePatience "branch and bound, dense" {dense}: |p| BranchAndBound::new(p));
        push!($which $list (+ - - - + - -) Goal "IDA*" {copied}: |p| IdaStar::new(p));
        push!($which $list (+ - - - + - -) Goal "IDA*, in place" {in_place}: |p| IdaStar::new(p));
        push!($which $list (- - - - - - -) Small "IDA*, no cycles" {copied}: |p| IdaStar::new(p).avoid_cycles());
        push!($which $list (- - - - - - -) Small "IDA*, in place, no cycles" {in_place}: |p| IdaStar::new(p).avoid_cycles());
        push!($which $list (- - - - - - -) Goal "IDA*, least table" {copied}: |p| IdaStar::new(p).transposition_table(1));
        push!($which $list (- - - - - - -) Goal "IDA*, small table" {copied}: |p| IdaStar::new(p).transposition_table(500));
        push!($which $list (+ - - - + - -) Small "IDA*, table" {copied}: |p| IdaStar::new(p).transposition_table(1 << 14));
        push!($which $list (- - - - - - -) Goal "IDA*, in place, small table" {in_place}: |p| IdaStar::new(p).transposition_table(700));
        push!($which $list (- - - - - - -) Small "IDA*, in place, table" {in_place}: |p| IdaStar::new(p).transposition_table(1 << 14));
        push!($which $list (+ + - - + - -) Goal "IDA*, bounds chosen" {copied}: |p| IdaStar::new(p).deepening(Deepening::Budgeted { free: 0 }));
        push!($which $list (- - + - - - +) Goal "IDA*, bounds chosen, in place" {in_place}: |p| IdaStar::new(p).deepening(Deepening::Budgeted { free: 0 }));
        push!($which $list (- - - + - + -) Small "IDA*, bounds chosen, table" {copied}: |p| IdaStar::new(p).transposition_table(1 << 14).deepening(Deepening::Budgeted { free: 0 }));
        push!($which $list (- + + + + + +) Small "IDA*, in place, table, no cycles" {in_place}: |p| IdaStar::new(p).transposition_table(400).avoid_cycles());
    };
}

/// All engines, for any type of costs.
pub fn all_engines<P: DenseStates + InPlaceProblem>() -> Vec<Engine<P>>
where
    P::Cost: ScalableCost + PackedCost,
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

/// A quarter of them, of each kind one, for types that are odd.
pub fn odd_engines<P: DenseStates + InPlaceProblem>() -> Vec<Engine<P>>
where
    P::Cost: ScalableCost,
{
    let mut engines = Vec::new();
    list!(odd engines);
    engines
}

/// Costs that have a list of engines: `i32` has all.
pub trait Listed: ScalableCost {
    fn engines<P: DenseStates<Cost = Self> + InPlaceProblem>() -> Vec<Engine<P>>;
}

macro_rules! listed {
    ($($cost:ident: $which:ident;)*) => {$(
        impl Listed for $cost {
            fn engines<P: DenseStates<Cost = Self> + InPlaceProblem>() -> Vec<Engine<P>> {
                let mut engines = Vec::new();
                list!($which engines);
                engines
            }
        }
    )*};
}

listed! { i32: all; u8: u8; u32: u32; u64: u64; f32: f32; f64: f64; }

/// The engines for costs of this type.
pub fn engines<P: DenseStates<Cost: Listed> + InPlaceProblem>() -> Vec<Engine<P>> {
    P::Cost::engines()
}

/// A problem that is searched forwards and by copies only, in a form that can be [`erased`] as random problems are.
pub struct Forwards<'p, P>(pub &'p P);

impl<P: SearchProblem> SearchProblem for Forwards<'_, P> {
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    forward_search!();
}

impl<P: DenseStates> DenseStates for Forwards<'_, P> {
    forward_dense!();
}

impl<P: SearchProblem<Action = u32>> InPlaceProblem for Forwards<'_, P> {
    type Actions = std::ops::Range<u32>;
    type Undo = P::State;

    fn actions(&self, _: &P::State) -> Self::Actions {
        unreachable!("it is searched by copies");
    }
    fn apply(&self, _: &mut P::State, _: &u32) -> (P::Cost, P::State) {
        unreachable!("it is searched by copies");
    }
    fn undo(&self, _: &mut P::State, _: P::State) {
        unreachable!("it is searched by copies");
    }
}
