//! Limits of the builders, invalid abstractions, and values at the ends of the range.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bestfirst::clock::Clock;
use bestfirst::heuristics::{BuildError, PatternDatabase};
use bestfirst::problems::sliding_tiles::TilePattern;
use bestfirst::{CancelToken, Cost, FnProblem, Layer, Limits, Observer, SearchError, StopReason};
use bestfirst::{DenseStates, Reversible, SearchProblem, Successors};

use super::graph::Graph;

/// A chain of `nodes` nodes, in which a step costs `cost`.
fn chain(nodes: usize, cost: i32) -> Graph {
    let edges = (1..nodes).map(|n| (n, n - 1, cost)).collect();
    Graph { nodes, edges, goals: vec![0] }
}

#[test]
fn large_costs_are_stored_as_the_most() {
    for (nodes, cost) in [(600, 1), (300, 0), (5, 100)] {
        let graph = chain(nodes, cost);
        let database = PatternDatabase::build(&graph, [0], |&n| n).unwrap();
        for node in 0..nodes {
            let expected = (i32::try_from(node).unwrap() * cost).min(254);
            assert_eq!(database.value::<i32>(node), expected);
        }
        if cost < 2 {
            let by_bits = PatternDatabase::builder(&graph).bits(nodes).build([0], |&n| n);
            assert_eq!(by_bits.unwrap(), database);
        }
        assert_eq!(database.value::<u8>(nodes), u8::INFINITY, "no such key");
        assert_eq!((database.get(nodes), database.len()), (None, nodes));
        assert_eq!(database.histogram().iter().sum::<u64>(), nodes as u64);
    }
    let database = PatternDatabase::build(&chain(600, 1), [0], |&n| n).unwrap();
    let ends = [126, 127, 254, 599].map(|key| database.value::<i8>(key));
    assert_eq!(ends, [126; 4], "127 would be a dead end");
    assert_eq!(database.value::<u8>(599), 254);
}

#[test]
fn without_goals_everything_is_a_dead_end() {
    let database = PatternDatabase::build(&chain(3, 1), [], |&n| n).unwrap();
    assert_eq!((database.len(), database.value::<u32>(0)), (0, u32::MAX));
    let by_bits = PatternDatabase::builder(chain(3, 1)).bits(3).build([], |&n| n).unwrap();
    assert_eq!(by_bits, database);
}

#[test]
fn invalid_abstractions_are_errors() {
    let negative = SearchError::NegativeCost { g: 0, step: -1 };
    let built = PatternDatabase::build(&chain(3, -1), [0], |&n| n);
    assert_eq!(built, Err(BuildError::Search(negative)));
    let bits = |graph: Graph, keys| PatternDatabase::builder(graph).bits(keys);
    assert_eq!(bits(chain(3, -1), 3).build([0], |&n| n), Err(BuildError::Search(negative)));
    let fault = bits(chain(3, 2), 3).build([0], |&n| n).unwrap_err();
    assert_eq!(fault, BuildError::Step { cost: 2 });
    assert!(fault.to_string().contains("costs of 0 or 1"));
    let fault = bits(chain(9, 1), 5).build([0], |&n| n).unwrap_err();
    assert_eq!(fault, BuildError::Key { key: 5, count: 5 });
    let outside = Graph { nodes: 2, ..chain(3, 1) };
    let fault = bits(outside.clone(), 3).build([0], |&n| n).unwrap_err();
    assert_eq!(fault, BuildError::Search(SearchError::StateIndex { index: 2, count: 2 }));
    let fault = bits(outside, 3).build([7], |&n| n).unwrap_err();
    assert_eq!(fault, BuildError::Search(SearchError::StateIndex { index: 7, count: 2 }));
    // A key without bound is no reason to abort.
    let fault = PatternDatabase::build(&chain(3, 1), [0], |_| usize::MAX).unwrap_err();
    assert_eq!(fault, BuildError::Stopped(StopReason::Memory));
}

/// The limit on expansions is exact: as many as are needed are enough, and one fewer is not.
#[test]
fn as_many_expansions_as_are_needed_are_enough() {
    let pattern = TilePattern::new(3, 3, &[1, 2, 3]).unwrap();
    let needed = pattern.states();
    let key = |state: &_| pattern.key(state);
    let build = |most: u64| {
        let limits = Limits::new().expansions(most);
        let builder = PatternDatabase::builder(&pattern).limits(limits.clone());
        let by_bits = builder.bits(pattern.keys()).build([pattern.goal()], key);
        #[cfg(feature = "parallel")]
        {
            let builder = PatternDatabase::builder(&pattern).limits(limits.clone());
            let builder = builder.bits(pattern.keys()).threads(3);
            assert_eq!(builder.build([pattern.goal()], key), by_bits, "{most}");
        }
        let builder = PatternDatabase::builder(&pattern).limits(limits);
        assert_eq!(builder.build([pattern.goal()], key), by_bits, "{most}");
        by_bits
    };
    assert_eq!(build(needed), pattern.build());
    for most in (0..needed).step_by(37).chain([needed - 1]) {
        assert_eq!(build(most), Err(BuildError::Stopped(StopReason::Expansions)), "{most}");
    }
}

#[test]
fn memory_is_held_to_its_limit() {
    let pattern = TilePattern::new(4, 3, &[1, 2, 3, 4]).unwrap();
    let key = |state: &_| pattern.key(state);
    let (keys, states) = (pattern.keys(), pattern.state_count());
    let needed = keys + 3 * states.div_ceil(64) * 8;
    for bytes in [0, 1000, keys, needed - 1, needed] {
        crate::counting::forget_peak();
        let before = crate::counting::peak();
        let builder = PatternDatabase::builder(&pattern).limits(Limits::new().memory(bytes));
        let built = builder.bits(keys).build([pattern.goal()], key);
        // Buffers of a few kilobytes are not counted.
        assert!(crate::counting::peak() - before <= bytes.cast_signed() + 20_000, "{bytes}");
        assert_eq!(built.is_ok(), bytes == needed, "{bytes}");
        if let Err(fault) = built {
            assert_eq!(fault, BuildError::Stopped(StopReason::Memory));
        }
    }
    for bytes in [10_000, 300_000] {
        crate::counting::forget_peak();
        let before = crate::counting::peak();
        let builder = PatternDatabase::builder(&pattern).limits(Limits::new().memory(bytes));
        let fault = builder.build([pattern.goal()], key).unwrap_err();
        assert_eq!(fault, BuildError::Stopped(StopReason::Memory));
        assert!(crate::counting::peak() - before <= bytes.cast_signed() + 20_000, "{bytes}");
    }
}

#[test]
fn time_tokens_and_costs_stop_the_building() {
    let pattern = TilePattern::new(4, 4, &[1, 2, 3, 4, 5, 6]).unwrap();
    let key = |state: &_| pattern.key(state);
    let token = CancelToken::new();
    token.cancel();
    let cases = [
        (Limits::new().time(Duration::from_millis(3)), StopReason::Time),
        (Limits::new().cancel(&token), StopReason::Cancelled),
        (Limits::new().cost(3), StopReason::Cost),
    ];
    for (limits, reason) in cases {
        let builder = || PatternDatabase::builder(&pattern).limits(limits.clone());
        let stopped = Err(BuildError::Stopped(reason));
        assert_eq!(builder().bits(pattern.keys()).build([pattern.goal()], key), stopped);
        assert_eq!(builder().build([pattern.goal()], key), stopped);
        #[cfg(feature = "parallel")]
        {
            let builder = builder().bits(pattern.keys()).threads(2);
            assert_eq!(builder.build([pattern.goal()], key), stopped);
        }
    }
    // The last layer is within the limit.
    let small = TilePattern::new(2, 2, &[1]).unwrap();
    let most = small.build().unwrap().entries().iter().copied().max().unwrap();
    let limits = Limits::new().cost(u16::from(most));
    let builder = PatternDatabase::builder(&small).limits(limits).bits(4);
    assert_eq!(builder.build([small.goal()], |state| small.key(state)), small.build());
}

/// A token that is cancelled by the observer.
struct Cancels(CancelToken, u64);

impl<S, C> Observer<S, C> for Cancels {
    fn expanded(&mut self, _: &S, _: C, _: C) {
        self.1 += 1;
        if self.1 == 5000 {
            self.0.cancel();
        }
    }
}

#[test]
fn cancelling_is_noticed_soon() {
    let pattern = TilePattern::new(4, 4, &[1, 2, 3, 4, 5]).unwrap();
    let token = CancelToken::new();
    let mut observer = Cancels(token.clone(), 0);
    let builder = PatternDatabase::builder(&pattern).limits(Limits::new().cancel(&token));
    let builder = builder.observer(&mut observer).bits(pattern.keys());
    let built = builder.build([pattern.goal()], |state| pattern.key(state));
    assert_eq!(built, Err(BuildError::Stopped(StopReason::Cancelled)));
    assert!(observer.1 < 5000 + 1024 + 64, "{}", observer.1);
}

#[derive(Default)]
struct Counts {
    expanded: u64,
    layers: Vec<(u16, u64)>,
}

impl<S> Observer<S, u16> for Counts {
    fn expanded(&mut self, _: &S, _: u16, _: u16) {
        self.expanded += 1;
    }

    fn layer(&mut self, layer: &Layer<u16>) {
        self.layers.push((layer.bound, layer.expanded));
    }
}

#[test]
fn the_observer_is_told_of_every_layer() {
    let pattern = TilePattern::new(3, 3, &[1, 2, 3, 4]).unwrap();
    let key = |state: &_| pattern.key(state);
    let (mut nodes, mut bits) = (Counts::default(), Counts::default());
    let builder = PatternDatabase::builder(&pattern).observer(&mut nodes);
    builder.build([pattern.goal()], key).unwrap();
    let builder = PatternDatabase::builder(&pattern).observer(&mut bits).bits(pattern.keys());
    builder.build([pattern.goal()], key).unwrap();
    assert_eq!((nodes.expanded, bits.expanded), (pattern.states(), pattern.states()));
    // Of the last layer a search tells in its report.
    let (last, others) = bits.layers.split_last().unwrap();
    assert_eq!((nodes.layers.as_slice(), *last), (others, (16, 1)));
    #[cfg(feature = "parallel")]
    {
        let mut threads = Counts::default();
        let builder = PatternDatabase::builder(&pattern).observer(&mut threads);
        let builder = builder.bits(pattern.keys()).threads(2);
        builder.build([pattern.goal()], key).unwrap();
        assert_eq!((threads.expanded, threads.layers), (0, bits.layers));
    }
}

/// Costs of `u8` end at 255.
struct Long;

impl SearchProblem for Long {
    type State = usize;
    type Action = ();
    type Cost = u8;
    fn successors(&self, &n: &usize, next: &mut Successors<Self>) {
        if n > 0 {
            next.push((), n - 1, 1);
        }
    }
    fn is_goal(&self, &n: &usize) -> bool {
        n == 0
    }
}

impl Reversible for Long {
    fn predecessors(&self, &n: &usize, previous: &mut Successors<Self>) {
        if n < 999 {
            previous.push((), n + 1, 1);
        }
    }
    fn goals(&self) -> impl Iterator<Item = usize> {
        [0].into_iter()
    }
}

impl DenseStates for Long {
    fn state_count(&self) -> usize {
        1000
    }
    fn state_index(&self, &n: &usize) -> usize {
        n
    }
    fn state_at(&self, index: usize) -> usize {
        index
    }
}

#[test]
fn costs_that_do_not_fit_are_errors() {
    let overflow = |built| matches!(built, Err(BuildError::Search(SearchError::Overflow { .. })));
    assert!(overflow(PatternDatabase::build(&Long, [0], |&n| n)));
    assert!(overflow(PatternDatabase::builder(&Long).bits(1000).build([0], |&n| n)));
}

#[test]
fn the_clock_is_looked_at_while_goals_are_opened() {
    let readings = |goals: usize| {
        // It advances each time that it is read.
        let count = Arc::new(AtomicU64::new(0));
        let clock = Arc::clone(&count);
        let clock = Clock::new(move || Duration::from_secs(clock.fetch_add(1, Ordering::Relaxed)));
        let limits = Limits::new().cost(0).time(Duration::from_secs(1 << 20)).clock(clock);
        let builder = PatternDatabase::builder(&Long).limits(limits).bits(1000);
        let stopped = builder.build(vec![0; goals], |&n| n).unwrap_err();
        assert_eq!(stopped, BuildError::Stopped(StopReason::Cost));
        count.load(Ordering::Relaxed)
    };
    assert!(readings(100_000) > readings(1) + 100);
}

type Boxed = Box<dyn Fn(&u32) -> u32>;

#[test]
fn closures_can_be_boxed() {
    let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
    let heuristics: [Boxed; 2] = [Box::new(|&n| 9 - n), Box::new(|&n| u32::from(n != 9))];
    let largest = bestfirst::heuristics::max(heuristics);
    let informed = bestfirst::WithHeuristic::new(&line, largest);
    assert_eq!(bestfirst::astar(&informed, 0).unwrap().cost(), Some(9));
}
