//! All engines, in one list.

use bestfirst::Deepening;
use bestfirst::frontier::IndexedQueue;
use bestfirst::heuristics::{Hierarchy, WithHierarchy};
use bestfirst::table::{EstimateRecord, HashedTable};
use bestfirst::{
    AStar, AllOptimal, Alternatives, Anytime, AnytimeAStar, Beam, Bidirectional, BoundedCost,
    BranchAndBound, BreadthFirst, Dijkstra, ExternalAStar, Focal, IdaStar, KBest, Limits, Observer,
    Rectangle, Replanner,
};

use crate::case::{Case, Node, Price};
use crate::retracing::Retracing;
use support::engines::{BoxedSearch, Engine, Needs, few_engines};
use support::far::Far;
use support::random::Random;

/// What is particular about what an engine answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Plain,
    /// It takes consistent heuristics.
    Consistent,
    /// It finds a path within [`BOUND`] or proves that there is none.
    Bounded,
    /// It leaves out states.
    Narrow,
    /// Its threads race: counts, and which of several paths is found, differ from run to run.
    Racing,
    /// It cannot go on after a stop, and begins again.
    Afresh,
}

/// The bound of bounded-cost search.
pub const BOUND: u64 = 9;

pub struct Entry<C: Price> {
    pub engine: Engine<Case<C>>,
    pub kind: Kind,
    /// Whether a run of it takes long: it starts threads, or writes files.
    pub is_slow: bool,
    /// Whether it asks the hierarchy of the problem.
    is_prepared: bool,
    /// The largest cost of a path that it can store.
    most: u8,
}

impl<C: Price> Entry<C> {
    pub fn name(&self) -> &'static str {
        self.engine.name
    }

    /// Random numbers that depend on the seed and the engine, and not on which others are in the list.
    pub fn random(&self, seed: u64) -> Random {
        let mix = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        Random::new(seed ^ self.name().bytes().fold(0, mix))
    }

    pub fn is(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.name().starts_with(name))
    }

    /// Whether there is all that it asks.
    pub fn is_for(&self, case: &Case<C>) -> bool {
        let fits = || case.reached_costs().flatten().all(|cost| cost <= self.most.into());
        (!self.is_prepared || case.hierarchy().is_some()) && (self.most == u8::MAX || fits())
    }

    /// Whether the heuristic of the problem is one that it takes, too.
    pub fn takes(&self, case: &Case<C>) -> bool {
        self.is_for(case) && (case.is_consistent || self.kind != Kind::Consistent)
    }

    pub fn search<'p>(&self, case: &'p Case<C>, limits: Limits<C>) -> BoxedSearch<'p, Case<C>> {
        self.search_from(case, limits, case.starts())
    }

    pub fn search_from<'p>(
        &self,
        case: &'p Case<C>,
        limits: Limits<C>,
        starts: Vec<(Node, C)>,
    ) -> BoxedSearch<'p, Case<C>> {
        (self.engine.search)(case, limits, starts)
    }
}

const ANY: f64 = f64::INFINITY;

/// Adds an engine to the list, with what is particular about it, what it needs to end, and the factor of its solutions.
macro_rules! push {
    ($list:ident $kind:ident $needs:ident $name:literal $(* $factor:tt)?: |$p:ident| $search:expr) => {
        $list.push(Entry {
            engine: Engine {
                name: $name,
                parts: &[],
                needs: Needs::$needs,
                factor: [$($factor,)? 1.0][0],
                search: |$p, limits, starts| Box::new($search.limits(limits).search_from(starts)),
            },
            kind: Kind::$kind,
            is_slow: false,
            is_prepared: false,
            most: u8::MAX,
        })
    };
}

/// The engines on one thread.
#[rustfmt::skip]
fn on_one_thread<C: Price>(list: &mut Vec<Entry<C>>) {
    push!(list Plain Dense "Dijkstra, dense, indexed": |p| Dijkstra::new(p).dense().frontier(IndexedQueue::new()));
    push!(list Plain Finite "A*, wide ids": |p| AStar::new(p).wide_ids());
    push!(list Plain Finite "A*, far, buckets": |p| AStar::new(p).table(Far::<HashedTable<_, EstimateRecord<_>>>::default()));
    push!(list Plain Finite "A*, dominance": |p| AStar::new(p).dominance());
    push!(list Bounded Finite "bounded cost, some" * ANY: |p| BoundedCost::new(p, C::of(BOUND)));
    push!(list Plain Finite "bounded cost, any" * ANY: |p| BoundedCost::new(p, C::INFINITY));
    push!(list Plain Dense "breadth first, dense": |p| BreadthFirst::new(p).dense());
    push!(list Narrow Finite "beam, width 2" * ANY: |p| Beam::new(p).width(2));
    push!(list Plain Dense "beam, in place, dense": |p| Beam::new(p).width_from(3).in_place().dense());
    push!(list Plain Finite "rectangle, aspect 2": |p| Rectangle::new(p).aspect(2).in_place());
    push!(list Plain Dense "anytime search, in place, dense": |p| Anytime::new(p).in_place().dense());
    push!(list Plain Patience "branch and bound, in place": |p| BranchAndBound::new(p).in_place());
    push!(list Plain Goal "IDA*, small table": |p| IdaStar::new(p).transposition_table(500));
    push!(list Plain Small "IDA*, no cycles": |p| IdaStar::new(p).avoid_cycles());
    push!(list Plain Small "IDA*, in place, table, no cycles": |p| IdaStar::new(p).in_place().transposition_table(400).avoid_cycles());
    push!(list Plain Goal "IDA*, bounds chosen, in place": |p| IdaStar::new(p).in_place().deepening(Deepening::Budgeted { free: 0 }));
    push!(list Consistent Finite "BAE*": |p| Bidirectional::new(p));
    push!(list Consistent Dense "BAE*, dense": |p| Bidirectional::new(p).dense());
    push!(list Plain Finite "NBS": |p| Bidirectional::new(p).nbs());
    push!(list Plain Finite "both ends, Dijkstra": |p| Bidirectional::new(p).dijkstra());
    push!(list Plain Finite "k best, simple": |p| KBest::new(p).simple());
    push!(list Plain Finite "k best, Dijkstra": |p| KBest::new(p).dijkstra());
    push!(list Plain Finite "all optimal": |p| AllOptimal::new(p));
    push!(list Plain Finite "all optimal, simple": |p| AllOptimal::new(p).simple());
    push!(list Plain Finite "alternatives": |p| Alternatives::new(p));
    push!(list Plain Dense "alternatives, dense": |p| Alternatives::new(p).dense());
    push!(list Plain Finite "replanner": |p| Replanner::new(p));
    push!(list Plain Dense "replanner, dense": |p| Replanner::new(p).dense());
}

/// The hierarchy of the problem.
fn prepared<C: Price>(case: &Case<C>) -> &Hierarchy<C> {
    case.hierarchy().expect("`is_for` has asked")
}

/// The problem with the exact distances of its hierarchy.
fn exact<C: Price>(case: &Case<C>) -> WithHierarchy<'_, &Case<C>> {
    prepared(case).to(case).expect("it is the same problem")
}

/// Moves the clock of a problem on, as its expansions do: a query does not ask it for successors.
struct Ticking<'p, C>(&'p Case<C>);

impl<C: Price> Observer<Node, C> for Ticking<'_, C> {
    fn expanded(&mut self, _: &Node, _: C, _: C) {
        self.0.time.expand();
    }
}

/// The engines that ask the hierarchy of the problem.
#[rustfmt::skip]
fn prepared_ones<C: Price>(list: &mut Vec<Entry<C>>) {
    push!(list Plain Dense "hierarchy": |p| prepared(p).query(p).expect("it is the same problem").observer(Ticking(p)));
    push!(list Plain Dense "A*, exact distances": |p| AStar::new(exact(p)));
    push!(list Plain Dense "weighted A*, 1.5, exact distances" * 1.5: |p| AStar::new(exact(p)).weight(1.5));
    push!(list Plain Dense "anytime A*, exact distances": |p| AnytimeAStar::new(exact(p)));
    push!(list Plain Dense "focal, 1.5, exact distances" * 1.5: |p| Focal::new(exact(p), 1.5));
    push!(list Plain Dense "k best, exact distances": |p| KBest::new(exact(p)));
    push!(list Plain Dense "replanner, exact distances": |p| Replanner::new(exact(p)));
}

/// The engines that store costs alone, whose highest bit is left for a mark.
pub fn costs_only(list: &mut Vec<Entry<u8>>) {
    type Make = for<'p> fn(&'p Case<u8>, Limits<u8>, Vec<(Node, u8)>) -> BoxedSearch<'p, Case<u8>>;
    let searches: [(_, _, Make); 2] = [
        ("Dijkstra, costs only", Needs::Finite, |p, limits, starts| {
            let search = Dijkstra::new(p).costs_only().limits(limits);
            Box::new(Retracing(search.search_from(starts)))
        }),
        ("A*, dense, costs only", Needs::Dense, |p, limits, starts| {
            let search = AStar::new(p).dense().costs_only().limits(limits);
            Box::new(Retracing(search.search_from(starts)))
        }),
    ];
    list.extend(searches.map(|(name, needs, search)| Entry {
        engine: Engine { name, parts: &[], needs, factor: 1.0, search },
        kind: Kind::Plain,
        is_slow: false,
        is_prepared: false,
        most: u8::MAX / 2 - 1,
    }));
}

/// The engines that start threads or write files.
#[rustfmt::skip]
fn on_threads_and_disk<C: Price>(list: &mut Vec<Entry<C>>) {
    push!(list Plain Finite "disk": |p| ExternalAStar::new(p).memory(1 << 20));
    #[cfg(feature = "parallel")]
    {
        push!(list Plain Finite "shards, A*, 1": |p| AStar::new(p).threads(1));
        push!(list Plain Finite "shards, A*, 2": |p| AStar::new(p).threads(2));
        push!(list Plain Finite "shards, Dijkstra, 1": |p| Dijkstra::new(p).threads(1));
        push!(list Plain Finite "shards, Dijkstra, 2": |p| Dijkstra::new(p).threads(2));
        push!(list Plain Finite "shards, weighted A*, 1.5" * 1.5: |p| AStar::new(p).weight(1.5).threads(2));
        push!(list Plain Finite "disk, threads": |p| ExternalAStar::new(p).memory(1 << 20).threads(2));
        push!(list Plain Finite "beam, threads": |p| Beam::new(p).threads(2));
        push!(list Plain Goal "IDA*, threads": |p| IdaStar::new(p).threads(2).deepening(Deepening::ByNextValue));
        push!(list Racing Goal "IDA*, threads, bounds chosen": |p| IdaStar::new(p).threads(2));
        push!(list Racing Small "IDA*, threads, table": |p| IdaStar::new(p).threads(2).transposition_table(1 << 12));
        push!(list Racing Small "IDA*, threads, in place, table": |p| IdaStar::new(p).in_place().threads(2).transposition_table(1 << 12));
    }
    #[cfg(feature = "distributed")]
    {
        use crate::afresh::Afresh;
        push!(list Afresh Finite "distributed, 1": |p| Afresh::new(p, 1));
        push!(list Afresh Finite "distributed, 2": |p| Afresh::new(p, 2));
    }
}

/// All engines, or those that `BESTFIRST_ENGINE` chooses.
pub fn list<C: Price>() -> Vec<Entry<C>> {
    let entry = |engine| Entry {
        engine,
        kind: Kind::Plain,
        is_slow: false,
        is_prepared: false,
        most: u8::MAX,
    };
    let mut list: Vec<_> = few_engines::<Case<C>>().into_iter().map(entry).collect();
    on_one_thread(&mut list);
    C::list_costs_only(&mut list);
    let unprepared = list.len();
    prepared_ones(&mut list);
    list.iter_mut().skip(unprepared).for_each(|entry| entry.is_prepared = true);
    let quick = list.len();
    on_threads_and_disk(&mut list);
    for entry in list.iter_mut().skip(quick) {
        entry.is_slow = !entry.is(&["shards, A*, 1", "shards, Dijkstra, 1"]);
    }
    if let Ok(wanted) = std::env::var("BESTFIRST_ENGINE") {
        list.retain(|entry| match wanted.strip_prefix('!') {
            Some(unwanted) => !entry.name().contains(unwanted),
            None => entry.name().contains(&wanted),
        });
    }
    list
}
