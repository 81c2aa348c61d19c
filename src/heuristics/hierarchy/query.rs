//! [`HierarchyQuery`]: the builder of queries.

use super::{DistanceError, Hierarchy, HierarchyEngine};
use crate::Search;
use crate::cost::Cost;
use crate::limits::Limits;
use crate::observer::Observer;
use crate::problem::{DenseStates, Reversible, SearchProblem};

#[cfg(doc)]
use crate::report::SearchError;

/// A builder of searches by queries of a [`Hierarchy`], with limits and an observer: what [`Hierarchy::query`] returns.
///
/// ```
/// use bestfirst::heuristics::Hierarchy;
/// use bestfirst::problems::grid_map::{Cell, GridMap};
/// use bestfirst::{Limits, Outcome, StopReason};
///
/// let map = GridMap::new(20, 10, |cell| cell.x != 7 || cell.y > 6)?;
/// let route = map.route_to(Cell::new(19, 0));
/// let hierarchy = Hierarchy::of(&route).build()?;
/// let mut search = hierarchy.query(&route)?.limits(Limits::new().expansions(3)).search(Cell::new(0, 0));
/// assert_eq!(search.run()?.outcome, Outcome::Stopped(StopReason::Expansions));
/// search.set_limits(Limits::new());
/// assert!(search.run()?.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct HierarchyQuery<'h, P: SearchProblem, O = ()> {
    hierarchy: &'h Hierarchy<P::Cost>,
    problem: P,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A query of a [`Hierarchy`]: what [`HierarchyQuery::search`] makes.
pub type HierarchySearch<'h, P, O = ()> = Search<HierarchyEngine<'h, P>, O>;

impl<C: Cost> Hierarchy<C> {
    /// Creates a builder of searches by queries of the hierarchy, to the nearest goal of `problem` (owned or borrowed).
    ///
    /// What it makes is a [`Search`] like those of other engines: with reports and paths, restarted from other starts or
    /// [with another problem](Search::restart_with), that is, with other goals. It restarts in constant time.
    ///
    /// The problem must have the same states, steps and costs as the one of which the hierarchy was made; only its
    /// goals may be others. That it has as many states is checked, and no more. Of another problem, the path is none of the
    /// cheapest; and if actions are of a type without size, it is the path of the problem that was prepared, at its costs.
    ///
    /// - **Expanded** are states of the hierarchy, in both directions. The problem is asked for successors only along
    ///   the path that is reported, and where actions are of a type without size only at its start. Its heuristic is not
    ///   asked.
    /// - **The path** may come twice to a state where there are cycles without cost.
    /// - **Limits** are on expansions, time, memory (the labels of all states count), the cost, and by a token.
    /// - Where no path is found and a sum did not fit into the cost type, a search of the problem itself that ignores
    ///   costs decides whether there is none, or one that costs too much ([`SearchError::Overflow`]). Its expansions count.
    ///
    /// # Errors
    ///
    /// [`DistanceError::OtherProblem`] if the problem has another number of states.
    pub fn query<P>(&self, problem: P) -> Result<HierarchyQuery<'_, P>, DistanceError<C>>
    where
        P: Reversible + DenseStates<Cost = C>,
    {
        self.check(&problem)?;
        Ok(HierarchyQuery { hierarchy: self, problem, limits: Limits::new(), observer: () })
    }
}

impl<'h, P: SearchProblem, O> HierarchyQuery<'h, P, O> {
    /// Sets the limits.
    pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the observer, by value or as `&mut`. It is told of the states of both directions, and of no heuristic.
    pub fn observer<N: Observer<P::State, P::Cost>>(self, observer: N) -> HierarchyQuery<'h, P, N> {
        let Self { hierarchy, problem, limits, .. } = self;
        HierarchyQuery { hierarchy, problem, limits, observer }
    }
}

impl<'h, P, O> HierarchyQuery<'h, P, O>
where
    P: Reversible + DenseStates,
    O: Observer<P::State, P::Cost>,
{
    /// Creates the search from one start.
    #[must_use = "a search does nothing until it is run"]
    pub fn search(self, start: P::State) -> HierarchySearch<'h, P, O> {
        self.search_from([(start, P::Cost::ZERO)])
    }

    /// Creates the search from several starts, each with its initial cost *g*.
    #[must_use = "a search does nothing until it is run"]
    pub fn search_from(
        self,
        starts: impl IntoIterator<Item = (P::State, P::Cost)>,
    ) -> HierarchySearch<'h, P, O> {
        let Self { hierarchy, problem, limits, observer } = self;
        let starts = starts.into_iter().collect();
        Search::new(HierarchyEngine::new(hierarchy, problem, starts), limits, observer)
    }
}
