//! Random problems with everything that makes searching hard to get right, and an oracle for them.
//! Shared by several tests; none uses all of it.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::Range;

use bestfirst::{DenseStates, InPlaceProblem, ScalableCost, SearchProblem, Successors};

/// Splitmix64: a few lines, the same numbers everywhere.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    /// Given out first, so that a fuzzer can choose what is drawn.
    bytes: VecDeque<u8>,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { state: seed, bytes: VecDeque::new() }
    }

    /// Gives out these bytes, and then the numbers of seed 0.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self { state: 0, bytes: bytes.iter().copied().collect() }
    }

    pub fn next(&mut self) -> u64 {
        if let Some(byte) = self.bytes.pop_front() {
            return u64::from(byte);
        }
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`, which must not be 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub fn index(&mut self, end: usize) -> usize {
        usize::try_from(self.below(end as u64)).expect("less than a usize")
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// A quarter of the rounds of a test, times `BESTFIRST_ROUNDS` if that is set: 4 in the gate, and the long form, for
/// `--release`. What is to be found in them is counted in the same way.
pub fn rounds(count: u64) -> u64 {
    let times = std::env::var("BESTFIRST_ROUNDS").ok().and_then(|times| times.parse::<u64>().ok());
    (count * times.unwrap_or(1)).div_ceil(4)
}

/// The step from one case to the next of those that a test takes of many: `nth` in the gate, and four times as far by default.
pub fn every(nth: u64) -> usize {
    let step = (16 * nth).checked_div(rounds(16)).unwrap_or(u64::MAX);
    usize::try_from(step.max(1)).unwrap_or(usize::MAX)
}

/// Whether more were found than [`rounds`] makes of `count`.
pub fn is_enough(found: impl TryInto<u64>, count: u64) -> bool {
    found.try_into().is_ok_and(|found| found > rounds(count))
}

/// How the whole numbers that a problem is made of become costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// As they are; sums of floats are exact.
    Plain,
    /// So large that sums may overflow. (Floats are scaled by a power of two and stay exact.)
    NearMax,
    /// Floats are tenths, so that sums are rounded.
    Rough,
}

/// A cost that can be made of whole numbers.
pub trait Units: ScalableCost + 'static {
    fn of(units: u64, scale: Scale) -> Self;
    /// The largest number of units that the type can hold.
    fn most(scale: Scale) -> u64;
    fn negative() -> Option<Self> {
        None
    }
    fn is_close(self, other: Self) -> bool {
        self == other
    }
    /// Sums and products may come out this many times as large. (Those of whole numbers, only if they are made
    /// floats.)
    fn rounding() -> f64 {
        1.0 + 4.0 * f64::EPSILON
    }
}

macro_rules! integer_units {
    ($($int:ty, $negative:expr;)*) => {$(
        impl Units for $int {
            fn of(units: u64, _: Scale) -> Self {
                <$int>::try_from(units).unwrap()
            }
            fn most(_: Scale) -> u64 {
                u64::try_from(<$int>::MAX).expect("no type is wider")
            }
            fn negative() -> Option<Self> {
                $negative
            }
        }
    )*};
}

integer_units! { u8, None; u16, None; u32, None; u64, None; i32, Some(-3); }

macro_rules! float_units {
    ($($float:ty, $near:expr, $close:expr;)*) => {$(
        impl Units for $float {
            #[expect(clippy::cast_precision_loss, reason = "the units are few")]
            fn of(units: u64, scale: Scale) -> Self {
                match scale {
                    Scale::Plain => units as $float / 8.0,
                    Scale::NearMax => units as $float * (2.0 as $float).powi($near),
                    Scale::Rough => units as $float / 10.0,
                }
            }
            fn most(scale: Scale) -> u64 {
                if scale == Scale::NearMax { 2047 } else { 1 << 20 }
            }
            fn negative() -> Option<Self> {
                Some(-0.5)
            }
            fn rounding() -> f64 {
                1.0 + f64::from($close as $float)
            }
            #[expect(clippy::float_cmp, reason = "infinities are equal, too")]
            fn is_close(self, other: Self) -> bool {
                self == other || (self - other).abs() <= $close * other.abs()
            }
        }
    )*};
}

float_units! { f32, 117, 1e-5; f64, 1013, 1e-12; }

/// An action of a random problem: the node that an edge leaves, and in the lowest byte which of its edges it is. (One number, so
/// that the types of all problems are the same, and engines are compiled for them once.)
pub type Edge = u32;

pub fn edge_at(node: usize, index: usize) -> Edge {
    assert!(index < 1 << 8, "a node has few edges");
    Edge::try_from(node << 8 | index).expect("a small node")
}

pub fn place_of(edge: Edge) -> (usize, usize) {
    (edge as usize >> 8, edge as usize & 0xFF)
}

/// How the states of a problem look.
pub trait Name: Clone + Eq + Hash + Debug {
    fn new(node: usize) -> Self;
    fn node(&self) -> usize;
}

impl Name for u16 {
    fn new(node: usize) -> Self {
        u16::try_from(node).unwrap()
    }
    fn node(&self) -> usize {
        usize::from(*self)
    }
}

impl Name for u32 {
    fn new(node: usize) -> Self {
        u32::try_from(node).unwrap()
    }
    fn node(&self) -> usize {
        *self as usize
    }
}

/// A state whose hash says nothing, and that owns memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clashing(Box<usize>);

impl Hash for Clashing {
    fn hash<H: Hasher>(&self, state: &mut H) {
        7_u8.hash(state);
    }
}

impl Name for Clashing {
    fn new(node: usize) -> Self {
        Self(Box::new(node))
    }
    fn node(&self) -> usize {
        *self.0
    }
}

/// A number, in a state of 512 bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wide([u64; 64]);

impl Name for Wide {
    fn new(node: usize) -> Self {
        Self([node as u64; 64])
    }
    fn node(&self) -> usize {
        usize::try_from(self.0[0]).expect("a node")
    }
}

/// What the oracle says of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// The cheapest path costs this many units.
    Costs(u64),
    /// There are paths, but their costs are more than the type can hold.
    TooMuch,
    Unreachable,
}

/// A graph in whole numbers: what a problem is made of.
#[derive(Clone, Debug)]
pub struct Graph {
    pub seed: u64,
    pub scale: Scale,
    /// Costs may be no larger.
    pub most: u64,
    /// Of each node: where its edges lead and what they cost.
    pub edges: Vec<Vec<(usize, u64)>>,
    pub goals: Vec<bool>,
    pub starts: Vec<(usize, u64)>,
    /// The cost of the steps of a chain without end behind the last node, if there is one.
    pub chain: Option<u64>,
    /// The cheapest way from each node to a goal.
    pub rest: Vec<Option<u128>>,
    pub truth: Truth,
}

/// The cheapest costs from `starts` to every node by Bellman and Ford: all edges, over and over,
/// until nothing changes. It shares no thought with what it judges.
pub fn bellman_ford(
    nodes: usize,
    edges: &[(usize, usize, u64)],
    starts: &[(usize, u64)],
) -> Vec<Option<u128>> {
    let mut cost = vec![None; nodes];
    for &(node, start_cost) in starts {
        let start_cost = u128::from(start_cost);
        if cost[node].is_none_or(|old| start_cost < old) {
            cost[node] = Some(start_cost);
        }
    }
    loop {
        let mut changed = false;
        for &(from, to, step) in edges {
            if let Some(here) = cost[from] {
                let there = here + u128::from(step);
                if cost[to].is_none_or(|old| there < old) {
                    cost[to] = Some(there);
                    changed = true;
                }
            }
        }
        if !changed {
            return cost;
        }
    }
}

impl Graph {
    /// All edges as (from, to, cost), without the chain, which leads nowhere.
    pub fn list(&self) -> Vec<(usize, usize, u64)> {
        let of = |(from, edges): (usize, &Vec<(usize, u64)>)| {
            edges.iter().map(|&(to, cost)| (from, to, cost)).collect::<Vec<_>>()
        };
        self.edges.iter().enumerate().flat_map(of).collect()
    }

    /// The cheapest cost of each node from the starts.
    pub fn costs(&self) -> Vec<Option<u128>> {
        bellman_ford(self.edges.len(), &self.list(), &self.starts)
    }

    /// A random graph of at most `nodes` nodes for costs of the type `C`.
    pub fn draw<C: Units>(random: &mut Random, seed: u64, nodes: usize) -> Self {
        let scale = match random.below(8) {
            0 | 1 => Scale::NearMax,
            2 => Scale::Rough,
            _ => Scale::Plain,
        };
        let most = C::most(scale);
        let count = 1 + random.index(nodes);
        let dearest = 1 + random.below(12);
        let free = 1 + random.below(6);
        let cost = |random: &mut Random| {
            if scale == Scale::NearMax && random.one_in(2) {
                match random.below(3) {
                    0 => most - random.below(3),
                    1 => most / 2 - random.below(2),
                    _ => random.below(most / 3),
                }
            } else if random.one_in(free) {
                0
            } else {
                random.below(dearest + 1)
            }
        };
        let mut edges = vec![Vec::new(); count];
        let degree = 1 + random.below(4);
        for list in &mut edges {
            if random.one_in(8) {
                continue; // A dead end.
            }
            for _ in 0..random.below(degree + 1) {
                let to = random.index(count);
                list.push((to, cost(random)));
                if random.one_in(8) {
                    list.push((to, cost(random))); // A parallel edge.
                }
            }
        }
        for node in 0..count {
            if random.one_in(10) {
                let step = cost(random);
                edges[node].push((node, step)); // A self-loop.
            }
            if random.one_in(6) {
                let other = random.index(count);
                edges[node].push((other, 0)); // A cycle that costs nothing.
                edges[other].push((node, 0));
            }
        }
        let mut goals: Vec<_> = (0..count).map(|_| random.one_in(count as u64)).collect();
        let last = random.index(count);
        goals[last] |= !random.one_in(6);
        let starts = match random.below(8) {
            0 => (0..random.below(4)).map(|_| (random.index(count), cost(random))).collect(),
            _ => vec![(random.index(count), 0)],
        };
        let chain = random.one_in(8).then(|| random.below(4));
        let graph = Self {
            seed,
            scale,
            most,
            edges,
            goals,
            starts,
            chain,
            rest: Vec::new(),
            truth: Truth::Unreachable,
        };
        graph.judged()
    }

    /// A graph with many long paths from the first node to the last, whose costs differ.
    fn draw_long<C: Units>(random: &mut Random, seed: u64, nodes: usize) -> Self {
        let mut edges = vec![Vec::new(); nodes];
        for (node, list) in edges.iter_mut().enumerate() {
            for _ in 0..5 {
                let to = (node + 1 + random.index(8)).saturating_sub(random.index(4));
                list.push((to.min(nodes - 1), 1 + random.below(20)));
            }
        }
        let mut goals = vec![false; nodes];
        goals[nodes - 1] = true;
        Self::plain(seed, C::most(Scale::Plain), edges, goals, vec![(0, 0)])
    }

    /// A mesh in which some edges lead far away, and some cost a thousand times as much as others.
    fn draw_mesh<C: Units>(random: &mut Random, seed: u64, side: usize) -> Self {
        let count = side * side;
        let mut edges = vec![Vec::new(); count];
        for (node, list) in edges.iter_mut().enumerate() {
            let (x, y) = (node % side, node / side);
            let near = [(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))];
            for (x, y) in near.into_iter().filter(|&(x, y)| x < side && y < side) {
                match random.below(64) {
                    0..8 => {} // No way.
                    8 => list.push((y * side + x, 0)),
                    9 => list.push((y * side + x, 1000 + random.below(20_000))),
                    _ => list.push((y * side + x, 1 + random.below(20))),
                }
            }
            if random.one_in(64) {
                list.push((random.index(count), random.below(2000)));
            }
        }
        let mut goals = vec![false; count];
        goals[count - 1 - random.index(side)] = true;
        let starts = vec![(random.index(side), random.below(3)), (random.index(side), 2)];
        Self::plain(seed, C::most(Scale::Plain), edges, goals, starts)
    }

    /// The graph of these edges, from one start.
    pub fn of_edges(edges: &[&[(usize, u64)]], goals: &[usize], start: (usize, u64)) -> Self {
        let goals = (0..edges.len()).map(|node| goals.contains(&node)).collect();
        let edges = edges.iter().map(|edges| edges.to_vec()).collect();
        Self::plain(0, u64::from(u8::MAX), edges, goals, vec![start])
    }

    /// The graph of these edges, goals and starts, with costs as they are and no chain.
    fn plain(
        seed: u64,
        most: u64,
        edges: Vec<Vec<(usize, u64)>>,
        goals: Vec<bool>,
        starts: Vec<(usize, u64)>,
    ) -> Self {
        let graph = Self {
            seed,
            scale: Scale::Plain,
            most,
            edges,
            goals,
            starts,
            chain: None,
            rest: Vec::new(),
            truth: Truth::Unreachable,
        };
        graph.judged()
    }

    /// The same graph with the costs of its edges dealt out anew. Some are left out, and others lead the other way.
    pub fn dealt(&self, random: &mut Random) -> Self {
        let mut costs: Vec<u64> = self.list().into_iter().map(|(.., cost)| cost).collect();
        let mut edges = vec![Vec::new(); self.edges.len()];
        for (from, to, _) in self.list() {
            let cost = costs.swap_remove(random.index(costs.len()));
            if !random.one_in(10) {
                let [from, to] = if random.one_in(10) { [to, from] } else { [from, to] };
                edges[from].push((to, cost));
            }
        }
        Self { edges, ..self.clone() }.judged()
    }

    /// The same with what the oracle says of it.
    fn judged(mut self) -> Self {
        let count = self.edges.len();
        let backward: Vec<_> =
            self.list().into_iter().map(|(from, to, cost)| (to, from, cost)).collect();
        let ends: Vec<_> =
            (0..count).filter(|&node| self.goals[node]).map(|node| (node, 0)).collect();
        self.rest = bellman_ford(count, &backward, &ends);
        let forth = self.costs();
        let best = (0..count).filter(|&node| self.goals[node]).filter_map(|node| forth[node]).min();
        self.truth = match best {
            None => Truth::Unreachable,
            Some(cost) if cost > u128::from(self.most) => Truth::TooMuch,
            Some(cost) => Truth::Costs(u64::try_from(cost).expect("at most `most`")),
        };
        self
    }

    /// Raises the cost of the only start, so that the cheapest path costs just what the type can hold, or one more; false
    /// if there is no path, or several starts, or the start alone would cost too much.
    pub fn raise_start(&mut self, is_too_much: bool) -> bool {
        let (Truth::Costs(units), [(_, cost)]) = (self.truth, &mut self.starts[..]) else {
            return false;
        };
        let most = u128::from(self.most) + u128::from(is_too_much);
        let raised = u128::from(*cost) + most - u128::from(units);
        let Some(raised) = u64::try_from(raised).ok().filter(|&raised| raised <= self.most) else {
            return false;
        };
        *cost = raised;
        self.truth = if is_too_much { Truth::TooMuch } else { Truth::Costs(self.most) };
        true
    }

    /// Whether sums that are no part of the answer may overflow, so that where there is no answer,
    /// the search may say that instead.
    pub fn may_overflow(&self) -> bool {
        self.scale == Scale::NearMax || self.chain.is_some() || self.most < 1 << 12
    }
}

/// A problem over a [`Graph`], with costs `C`, states `S`, and an admissible heuristic.
#[derive(Clone, Debug)]
pub struct Problem<C, S> {
    pub graph: Graph,
    pub h: Vec<C>,
    state: PhantomData<fn() -> S>,
}

impl<C: Units, S: Name> Problem<C, S> {
    pub fn random(seed: u64, nodes: usize) -> Self {
        let graph = Graph::draw::<C>(&mut Random::new(seed), seed, nodes);
        Self::with_heuristic(graph, &mut Random::new(!seed))
    }

    /// A problem with many long paths, and a heuristic that says half to all of what is left.
    pub fn long(seed: u64, nodes: usize) -> Self {
        let random = &mut Random::new(seed);
        let graph = Graph::draw_long::<C>(random, seed, nodes);
        Self::with_half_to_all(graph, random)
    }

    /// A problem of `side` times `side` states, with such a heuristic.
    pub fn mesh(seed: u64, side: usize) -> Self {
        let random = &mut Random::new(seed);
        let graph = Graph::draw_mesh::<C>(random, seed, side);
        Self::with_half_to_all(graph, random)
    }

    fn with_half_to_all(graph: Graph, random: &mut Random) -> Self {
        let h = graph.rest.iter().map(|rest| {
            let rest = rest.map_or(0, |rest| u64::try_from(rest).expect("a few steps"));
            C::of(rest - random.below(1 + rest / 2), Scale::Plain)
        });
        let h = h.collect();
        Self { graph, h, state: PhantomData }
    }

    /// The problem that these bytes choose.
    pub fn of_bytes(bytes: &[u8], nodes: usize) -> Self {
        let mut random = Random::of_bytes(bytes);
        let graph = Graph::draw::<C>(&mut random, 0, nodes);
        Self::with_heuristic(graph, &mut random)
    }

    fn with_heuristic(graph: Graph, random: &mut Random) -> Self {
        let kind = random.below(5);
        let scale = graph.scale;
        // In a rough float, a perfect bound may come out larger than the sum of the steps.
        let perfect = |units: u64| C::of(units, scale);
        let h = (0..graph.edges.len())
            .map(|node| {
                if graph.goals[node] && random.one_in(3) {
                    // A goal's heuristic does not matter.
                    return C::of(random.below(100), scale);
                }
                match graph.rest[node] {
                    None if random.one_in(2) => C::INFINITY,
                    None => C::of(random.below(20), scale),
                    Some(_) if kind == 0 => C::ZERO,
                    Some(_) if random.one_in(20) => C::negative().unwrap_or(C::ZERO),
                    Some(rest) => {
                        // Where the way is too expensive for the type, INFINITY would be a lie.
                        let rest = u64::try_from(rest).unwrap_or(u64::MAX).min(graph.most - 1);
                        match kind {
                            1 => perfect(rest),
                            2 => C::of(rest / 2, scale),
                            _ => C::of(random.next() % (rest + 1), scale),
                        }
                    }
                }
            })
            .collect();
        Self { graph, h, state: PhantomData }
    }

    pub fn starts(&self) -> Vec<(S, C)> {
        let cost = |&(node, units): &(usize, u64)| (S::new(node), C::of(units, self.graph.scale));
        self.graph.starts.iter().map(cost).collect()
    }

    /// The edges of a node: `count`, and the one at an index.
    fn degree(&self, node: usize) -> usize {
        let count = self.graph.edges.len();
        let own = self.graph.edges.get(node).map_or(0, Vec::len);
        own + usize::from(node + 1 >= count && self.graph.chain.is_some())
    }

    fn edge(&self, node: usize, index: usize) -> (usize, C) {
        let own = self.graph.edges.get(node).and_then(|edges| edges.get(index));
        let (to, units) = match own {
            Some(&edge) => edge,
            None => (node + 1, self.graph.chain.unwrap_or(0)),
        };
        (to, C::of(units, self.graph.scale))
    }
}

impl<C: Units, S: Name> SearchProblem for Problem<C, S> {
    type State = S;
    type Action = Edge;
    type Cost = C;

    fn successors(&self, state: &S, next: &mut Successors<Self>) {
        let node = state.node();
        for index in 0..self.degree(node) {
            let (to, cost) = self.edge(node, index);
            next.push(edge_at(node, index), S::new(to), cost);
        }
    }

    fn heuristic(&self, state: &S) -> C {
        self.h.get(state.node()).copied().unwrap_or(C::ZERO)
    }

    fn is_goal(&self, state: &S) -> bool {
        self.graph.goals.get(state.node()) == Some(&true)
    }
}

impl<C: Units, S: Name> DenseStates for Problem<C, S> {
    fn state_count(&self) -> usize {
        self.graph.edges.len()
    }

    fn state_index(&self, state: &S) -> usize {
        state.node()
    }

    fn state_at(&self, index: usize) -> S {
        S::new(index)
    }
}

impl<C: Units, S: Name> InPlaceProblem for Problem<C, S> {
    type Actions = Range<Edge>;
    type Undo = S;

    fn actions(&self, state: &S) -> Range<Edge> {
        let node = state.node();
        edge_at(node, 0)..edge_at(node, self.degree(node))
    }

    fn apply(&self, state: &mut S, &edge: &Edge) -> (C, S) {
        let (node, index) = place_of(edge);
        assert_eq!(node, state.node(), "an action of another state");
        let (to, cost) = self.edge(node, index);
        (cost, std::mem::replace(state, S::new(to)))
    }

    fn undo(&self, state: &mut S, undo: S) {
        *state = undo;
    }

    fn inverse(&self, state: &S, &edge: &Edge) -> Option<Edge> {
        let (node, (from, _)) = (state.node(), place_of(edge));
        let back = (0..self.degree(node)).find(|&index| self.edge(node, index).0 == from);
        back.map(|index| edge_at(node, index))
    }
}
