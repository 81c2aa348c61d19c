//! The one problem of all runs: a small random graph that is everything an engine may ask for.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use bestfirst::DecodeError;
use bestfirst::heuristics::Hierarchy;
use bestfirst::{
    DenseStates, Dominance, Encode, HalvableCost, InPlaceProblem, Reversible, ScalableCost,
    SearchProblem, Successors,
};

use crate::fuse;
use crate::list::{Entry, costs_only};
use crate::time::Time;
use support::random::{Graph, Random, Scale, Truth, Units, bellman_ford};

/// A cost that every engine takes.
pub trait Price: ScalableCost + HalvableCost + Encode + Send + Sync + 'static {
    fn of(units: u64) -> Self;

    /// Adds the engines that store costs alone, if they can store these.
    fn list_costs_only(list: &mut Vec<Entry<Self>>) {
        let _ = list;
    }
}

impl Price for u8 {
    fn of(units: u64) -> Self {
        Units::of(units, Scale::Plain)
    }

    fn list_costs_only(list: &mut Vec<Entry<Self>>) {
        costs_only(list);
    }
}

/// A state: the number of a node. What is done with it may panic; see [`fuse`].
#[derive(Debug)]
pub struct Node {
    pub number: u16,
    fuse: u8,
}

impl Clone for Node {
    fn clone(&self) -> Self {
        fuse::burn(self.fuse);
        Self { ..*self }
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        fuse::burn(self.fuse);
        self.number == other.number
    }
}

impl Eq for Node {}

impl Hash for Node {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        fuse::burn(self.fuse);
        self.number.hash(hasher);
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // A panic while another unwinds ends the process, whoever is to blame.
        if !std::thread::panicking() {
            fuse::burn(self.fuse);
        }
    }
}

impl Encode for Node {
    const BYTES: usize = <(u16, u8)>::BYTES;

    fn encode(&self, bytes: &mut [u8]) {
        (self.number, self.fuse).encode(bytes);
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (number, fuse) = Encode::decode(bytes)?;
        Ok(Self { number, fuse })
    }
}

/// A random graph with costs of type `C`.
#[derive(Debug)]
pub struct Case<C> {
    pub graph: Graph,
    /// Of each node: where its steps lead and what they cost.
    pub steps: Vec<Vec<(usize, C)>>,
    /// Of each node: the steps that lead to it, as the node that they leave and their number there.
    before: Vec<Vec<(usize, usize)>>,
    pub h: Vec<C>,
    /// Lower bounds on the way from each node to each other.
    pub between: Vec<Vec<C>>,
    pub starts: Vec<(usize, C)>,
    /// Whether both heuristics are consistent.
    pub is_consistent: bool,
    /// Which nodes make which others needless.
    better: Vec<Vec<bool>>,
    /// If it is set, each answer is another one, drawn from this.
    pub whim: Option<AtomicU64>,
    pub time: Arc<Time>,
    /// The hierarchy, once it was asked for; nothing if none can be made.
    hierarchy: OnceLock<Option<Hierarchy<C>>>,
    fuse: u8,
}

/// Makes the price of a number of units, no larger than a type of 8 bits can hold.
fn price<C: Price>(units: Option<u128>) -> C {
    // Where the way is too expensive for the type, INFINITY would be a lie.
    units.map_or(C::INFINITY, |units| {
        C::of(u64::try_from(units).map_or(254, |units| units.min(254)))
    })
}

impl<C: Price> Case<C> {
    /// The problem of this seed, of at most `nodes` nodes.
    pub fn random(seed: u64, nodes: usize) -> Self {
        let mut random = Random::new(seed);
        let mut graph = Graph::draw::<u8>(&mut random, seed, nodes);
        graph.chain = None;
        let has_path = matches!(graph.truth, Truth::Costs(_));
        if has_path && graph.starts.len() == 1 && random.one_in(10) {
            graph.raise_start(!random.one_in(2));
        }
        Self::of(graph, &mut random)
    }

    /// The problem of a graph, without a heuristic.
    pub fn without_heuristic(graph: Graph) -> Self {
        let mut case = Self::of(graph, &mut Random::new(0));
        let rows = case.between.iter_mut().chain([&mut case.h]);
        rows.for_each(|row| row.fill(C::ZERO));
        case.is_consistent = true;
        case
    }

    fn of(graph: Graph, random: &mut Random) -> Self {
        let count = graph.edges.len();
        let from_node = |node| bellman_ford(count, &graph.list(), &[(node, 0)]);
        let exact: Vec<Vec<_>> = (0..count).map(from_node).collect();
        let kind = random.below(4);
        // Half of a distance, rounded down, is consistent where the distance is; a random part of it is not.
        let mut part = |whole: Option<u128>| match (kind, whole) {
            (0, _) => C::ZERO,
            // That a node leads nowhere is not always known.
            (3, None) if random.one_in(2) => C::of(random.below(20)),
            (_, None) => C::INFINITY,
            (1, whole) => price(whole),
            (2, Some(whole)) => price(Some(whole / 2)),
            (_, Some(whole)) => {
                let most = u64::try_from(whole).unwrap_or(254);
                price(Some(u128::from(random.below(most.saturating_add(1)))))
            }
        };
        let h = graph.rest.iter().map(|&rest| part(rest)).collect();
        let between = exact.iter().map(|row| row.iter().map(|&way| part(way)).collect()).collect();
        let steps: Vec<Vec<_>> = graph
            .edges
            .iter()
            .map(|edges| edges.iter().map(|&(to, units)| (to, C::of(units))).collect())
            .collect();
        let mut before = vec![Vec::new(); count];
        for (from, edges) in graph.edges.iter().enumerate() {
            for (nth, &(to, _)) in edges.iter().enumerate() {
                before[to].push((from, nth));
            }
        }
        let starts = graph.starts.iter().map(|&(node, units)| (node, C::of(units))).collect();
        let fits = exact.iter().flatten().chain(&graph.rest).flatten().all(|&way| way <= 254);
        Self {
            better: better(&graph),
            is_consistent: kind == 0 || kind < 3 && fits,
            graph,
            steps,
            before,
            h,
            between,
            starts,
            whim: None,
            time: Arc::default(),
            hierarchy: OnceLock::new(),
            fuse: fuse::of_this_thread(),
        }
    }

    pub fn starts(&self) -> Vec<(Node, C)> {
        self.starts.iter().map(|&(node, cost)| (self.node(node), cost)).collect()
    }

    /// The hierarchy of the problem as it is when it is asked for first, unless its costs are none.
    pub fn hierarchy(&self) -> Option<&Hierarchy<C>> {
        self.hierarchy.get_or_init(|| Hierarchy::of(self).build().ok()).as_ref()
    }

    /// Makes the node the only start.
    pub fn start_at(&mut self, node: usize) -> Node {
        self.graph.starts = vec![(node, 0)];
        self.starts = vec![(node, C::ZERO)];
        self.node(node)
    }

    /// Gives a step of the node another cost, if it has steps; the node.
    pub fn change(&mut self, node: usize, random: &mut Random) -> Option<Node> {
        let count = self.steps[node].len();
        let nth = if count > 0 { random.index(count) } else { return None };
        let units = if random.one_in(8) { 255 - random.below(3) } else { random.below(12) };
        self.graph.edges[node][nth].1 = units;
        self.steps[node][nth].1 = C::of(units);
        Some(self.node(node))
    }

    /// What the cheapest path costs, if there is one whose cost fits into the type.
    pub fn optimum(&self) -> Option<u64> {
        match self.graph.truth {
            Truth::Costs(units) => Some(units),
            Truth::TooMuch | Truth::Unreachable => None,
        }
    }

    /// The costs of the cheapest paths to all nodes, of those that can be reached.
    pub fn reached_costs(&self) -> impl Iterator<Item = Option<u128>> {
        self.graph.costs().into_iter()
    }

    /// Whether a state that is no dead end may have an *f* of just what the type can hold, however it is reached. Then that is
    /// a bound like any other, and does not say that nothing is left.
    pub fn may_cost_most(&self) -> bool {
        let most = usize::try_from(self.graph.most).expect("a small type");
        let mut reached = vec![vec![false; most + 1]; self.steps.len()];
        let mut open = self.graph.starts.clone();
        while let Some((node, g)) = open.pop() {
            let Some(seen) = usize::try_from(g).ok().and_then(|g| reached[node].get_mut(g)) else {
                continue;
            };
            if !std::mem::replace(seen, true) {
                open.extend(self.graph.edges[node].iter().map(|&(to, cost)| (to, g + cost)));
            }
        }
        reached.iter().zip(&self.h).any(|(costs, &h)| {
            let is_most = |g: usize| C::of(g as u64).checked_add(h) == Some(C::INFINITY);
            h < C::INFINITY && (0..=most).any(|g| costs[g] && is_most(g))
        })
    }

    fn node(&self, number: usize) -> Node {
        Node { number: u16::try_from(number).expect("a small graph"), fuse: self.fuse }
    }

    /// A random number below `end`; none if the problem answers steadily, or does so this time.
    fn whim(&self, end: u64) -> Option<u64> {
        let drawn = self.whim.as_ref()?.fetch_add(0x9E37_79B9, Ordering::Relaxed);
        let mut random = Random::new(drawn);
        random.one_in(8).then(|| random.below(end))
    }

    fn step(&self, node: usize, nth: usize) -> (Node, C) {
        let (to, cost) = self.steps[node][nth];
        match self.whim(5) {
            Some(0) => (self.node((to + 1) % self.steps.len()), cost),
            Some(units) => (self.node(to), C::of(units)),
            None => (self.node(to), cost),
        }
    }

    fn expand(&self, node: &Node) -> usize {
        fuse::burn(self.fuse);
        self.time.expand();
        let count = self.steps[usize::from(node.number)].len();
        count - usize::from(self.whim(2) == Some(0)).min(count)
    }
}

/// Whether each node makes each other needless: with any number of steps, no way from the other to a goal is cheaper.
fn better(graph: &Graph) -> Vec<Vec<bool>> {
    let count = graph.edges.len();
    let mut least: Vec<Option<u128>> = graph.goals.iter().map(|&goal| goal.then_some(0)).collect();
    let mut better = vec![vec![true; count]; count];
    for _ in 0..=count {
        for (of, row) in better.iter_mut().enumerate() {
            for (other, is_better) in row.iter_mut().enumerate() {
                let is_no_dearer =
                    least[other].is_none_or(|cost| least[of].is_some_and(|own| own <= cost));
                *is_better &= is_no_dearer;
            }
        }
        let before = least.clone();
        for (from, to, cost) in graph.list() {
            let way = before[to].map(|rest| rest + u128::from(cost));
            least[from] = [least[from], way].into_iter().flatten().min();
        }
    }
    better
}

impl<C: Price> SearchProblem for Case<C> {
    type State = Node;
    /// The number of the step.
    type Action = u16;
    type Cost = C;

    fn successors(&self, node: &Node, next: &mut Successors<Self>) {
        for nth in 0..self.expand(node) {
            let (to, cost) = self.step(usize::from(node.number), nth);
            next.push(u16::try_from(nth).expect("few steps"), to, cost);
        }
    }

    fn heuristic(&self, node: &Node) -> C {
        fuse::burn(self.fuse);
        self.whim(100).map_or(self.h[usize::from(node.number)], C::of)
    }

    fn is_goal(&self, node: &Node) -> bool {
        fuse::burn(self.fuse);
        self.graph.goals[usize::from(node.number)] ^ (self.whim(8) == Some(0))
    }
}

impl<C: Price> DenseStates for Case<C> {
    fn state_count(&self) -> usize {
        self.steps.len()
    }

    fn state_index(&self, node: &Node) -> usize {
        usize::from(node.number)
    }

    fn state_at(&self, index: usize) -> Node {
        self.node(index)
    }
}

impl<C: Price> InPlaceProblem for Case<C> {
    type Actions = Range<u16>;
    type Undo = Node;

    fn actions(&self, node: &Node) -> Range<u16> {
        0..u16::try_from(self.expand(node)).expect("few steps")
    }

    fn apply(&self, node: &mut Node, &nth: &u16) -> (C, Node) {
        let (to, cost) = self.step(usize::from(node.number), usize::from(nth));
        (cost, std::mem::replace(node, to))
    }

    fn undo(&self, node: &mut Node, undo: Node) {
        *node = undo;
    }
}

impl<C: Price> Reversible for Case<C> {
    fn predecessors(&self, node: &Node, previous: &mut Successors<Self>) {
        self.expand(node);
        for &(from, nth) in &self.before[usize::from(node.number)] {
            let (_, cost) = self.step(from, nth);
            previous.push(u16::try_from(nth).expect("few steps"), self.node(from), cost);
        }
    }

    fn goals(&self) -> impl Iterator<Item = Node> {
        (0..self.steps.len()).filter(|&node| self.graph.goals[node]).map(|node| self.node(node))
    }

    fn heuristic_from(&self, start: &Node, node: &Node) -> C {
        fuse::burn(self.fuse);
        let row = &self.between[usize::from(start.number)];
        self.whim(100).map_or(row[usize::from(node.number)], C::of)
    }
}

impl<C: Price> Dominance for Case<C> {
    type Key = u16;

    fn key(&self, node: &Node) -> u16 {
        node.number / 4
    }

    fn dominates(&self, node: &Node, other: &Node) -> bool {
        self.better[usize::from(node.number)][usize::from(other.number)]
    }
}
