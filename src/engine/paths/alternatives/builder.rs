//! [`Alternatives`]: the builder.

use super::{AlternativesEngine, Similar};
use crate::Search;
use crate::cost::ScalableCost;
use crate::engine::best_first::{CostBuckets, HashedCosts};
use crate::engine::builder::{frontier_settings, search_methods};
use crate::frontier::{Frontier, Single};
use crate::limits::Limits;
use crate::problem::{Reversible, SearchProblem};
use crate::table::{IdOf, TableFor};

/// Alternative paths: the cheapest path, and others that people would call different from it and from each other.
///
/// The next best paths of [`KBest`](crate::KBest) differ by a few steps around some corner. An alternative goes
/// another way: it shares little with the paths before it, and makes no long or pointless detour.
///
/// The search is an iterator over paths: the cheapest one first, then the alternatives, the best of those that are left
/// first. The problem is [`Reversible`], and its heuristic is not asked.
///
/// # What is promised
///
/// Let the cheapest path cost *c*, apart from its start. Each alternative
///
/// - **shares** with all paths before it together steps that cost at most [`sharing`](Self::sharing) · *c*;
/// - **stretches**: its steps beside the cheapest path cost at most 1 + [`stretch`](Self::stretch) times as much as the steps
///   of the cheapest path that it goes round; so the whole costs at most 1 + `stretch` times the cheapest path;
/// - is **locally optimal**: every part of it that costs less than [`locality`](Self::locality) · *c* is a cheapest path
///   between its ends;
/// - and visits no state twice.
///
/// There may be paths with these properties that are not found: those that are not the cheapest path by way of any
/// state, and some of those that tie with others. On roads, there are often two or three alternatives, and sometimes
/// none.
///
/// # How
///
/// A tree of cheapest paths is grown from each end, up to 1 + `stretch` times *c*. What both trees have in common are
/// *plateaus*: a path from the start to a plateau, along it and on to the goal is a cheapest path by way of each of its
/// states, and a part that is no cheapest path leads beyond both ends of the plateau. Plateaus that are long enough are tried
/// in the order of 2 *l* + *s* − *p*, where *l* is the cost of the path, *s* what it shares with the cheapest one, and *p* the cost
/// of the plateau.
///
/// - **Takes** about the time of two searches by Dijkstra's algorithm that go on to 1 + `stretch` times *c*, and 16 bytes for
///   each state beside their tables.
/// - **Limits** hold for all of this, but for one plateau that is tried: its path, which is not in the account of the memory,
///   takes one call of the successors for each step, and up to two of these are made for each plateau. With a limit on the
///   cost below 1 + `stretch` times *c*, the trees stop there, and the alternatives wait until it is raised.
/// - **Reports** have the bound *c*: [`suboptimality`](crate::Report::suboptimality) of an alternative is its stretch.
///
/// Sources: Abraham, Delling, Goldberg and Werneck, *Alternative Routes in Road Networks*, 2013 (the properties, the
/// objective, their figures as defaults); Camvit, *Choice Routing*, 2005 (plateaus).
///
/// # Example
///
/// ```
/// use bestfirst::Alternatives;
/// use bestfirst::problems::road_network::RoadNetwork;
///
/// // Three roads from 1 to 8: over 2 and 3, over 4 and 5, and a detour over 6 and 7.
/// let network = RoadNetwork::new(8, &[
///     (1, 2, 10), (2, 3, 30), (3, 8, 10), (1, 4, 10), (4, 5, 32), (5, 8, 10), (1, 6, 40), (6, 7, 40), (7, 8, 40),
///     (2, 5, 50),
/// ])?;
/// let (from, to) = (network.node(1).unwrap(), network.node(8).unwrap());
/// let mut search = Alternatives::new(network.route_to(to)).dense().search(from);
/// let costs: Vec<_> = search.by_ref().map(|path| path.unwrap().cost()).collect();
/// assert_eq!(costs, [50, 52]);
/// assert_eq!(search.returned(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "alternative routes")]
#[doc(alias = "plateau")]
#[derive(Clone, Debug)]
#[must_use]
pub struct Alternatives<P: SearchProblem, T = HashedCosts<P>, F = CostBuckets<P>, O = ()> {
    problem: P,
    order: Similar,
    table: T,
    frontier: F,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A search for alternative paths of the problem `P`, and an iterator over them: what [`Alternatives::search`] makes.
pub type AlternativesSearch<P, T = HashedCosts<P>, F = CostBuckets<P>, O = ()> =
    Search<AlternativesEngine<P, T, F>, O>;

impl<P: Reversible> Alternatives<P> {
    /// Creates a builder for a search for alternative paths of `problem` (owned or borrowed), with two [`HashedTable`](crate::table::HashedTable)s,
    /// two [`BucketQueue`](crate::frontier::BucketQueue)s, no limits and no observer.
    ///
    /// Each of the two trees holds the problem, so it is [`Clone`]. A reference always is: pass `&problem`, or an `Arc`.
    pub fn new(problem: P) -> Self
    where
        P: Clone, // each tree holds the problem: pass `&problem` or an `Arc`
    {
        Self::of(problem, Similar::new())
    }
}

impl<P: SearchProblem, T, F, O> Alternatives<P, T, F, O> {
    /// Sets what an alternative may share with all paths before it together, as a part of the cost of the cheapest
    /// path: from 0 to 1. 0.8 unless set. Other values count as the nearer of both, and NaN as 0.
    pub fn sharing(mut self, part: f64) -> Self {
        // NaN becomes 0 by `max`.
        self.order.sharing = part.clamp(0.0, 1.0).max(0.0);
        self
    }

    /// Sets by what part a detour may cost more than what it goes round. 0.25 unless set: at most five quarters.
    ///
    /// The trees grow to 1 + `part` times the cost of the cheapest path. Values below zero, and NaN, count as 0.
    pub fn stretch(mut self, part: f64) -> Self {
        self.order.stretch = part.max(0.0);
        self
    }

    /// Sets up to what part of the cost of the cheapest path all parts of an alternative are cheapest paths
    /// themselves. 0.25 unless set. With less, there are more alternatives, and some with short detours that nobody
    /// would drive. Values below zero, and NaN, count as 0.
    pub fn locality(mut self, part: f64) -> Self {
        self.order.locality = part.max(0.0);
        self
    }
}

frontier_settings!(
    Alternatives<P>,
    order: Similar,
    frontier: BucketQueue,
    record: CostRecord
);

search_methods!(
    Alternatives<P, T, F; O> -> AlternativesSearch { problem, order, table, frontier },
    where {
        P: Reversible<Cost: ScalableCost> + Clone,
        T: TableFor<P::State, P::Cost> + Clone,
        F: Frontier<IdOf<T, P::State>, Single<P::Cost>> + Clone,
    },
    engine: |starts| AlternativesEngine::new(&problem, order, &table, &frontier, starts),
    search: "It is an iterator over the paths."
);
