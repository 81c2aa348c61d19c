//! Searches of which only the costs are wanted: records without parents, and paths found again by predecessors.

use super::{AStar, BestFirstEngine, Dijkstra, Order, Reached};
use crate::Search;
use crate::frontier::{Frontier, Single};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::{Reversible, SearchProblem};
use crate::report::SearchError;
use crate::table::{IdOf, TableFor, WithoutParents};

impl<P: SearchProblem, T: WithoutParents, F, O> Dijkstra<P, T, F, O> {
    /// Stores the costs alone, and no parents: for a search of which only the costs are wanted. Call it after
    /// [`dense`](Self::dense), [`hasher`](Self::hasher) or [`table`](Self::table), each of which sets the records anew.
    ///
    /// - **Takes** half the memory of a record: 4 bytes instead of 8 with costs of type `u32`.
    /// - **Finds** the same costs, states and counts. The [path](crate::Report::path) of the report, and each other path, has
    ///   no steps: it is its last state alone, whose cost is the [start cost](crate::Path::start_cost) of the path. So the
    ///   length that a report prints is 0.
    /// - **A path** is found again by [`Search::retrace`], or [`Reached::retrace`], if the problem is
    ///   [`Reversible`]. That takes the predecessors of the states on the path.
    /// - **Costs** must be primitive numbers ([`PackedCost`](crate::PackedCost)). Their highest bit is the mark of a closed
    ///   state, so of costs of type `u32` a path may cost 2³¹ − 2 at most. More is an
    ///   [overflow](SearchError::Overflow), as is a sum that does not fit into the type. Until the search ends, dearer paths are left
    ///   out: the lower bound at a stop, and a stop for a limit on the cost that is larger than that, say nothing of them.
    ///
    /// ```
    /// use bestfirst::problems::grid_map::{Cell, FourWay, GridMap};
    /// use bestfirst::Dijkstra;
    ///
    /// let map: GridMap = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....".parse()?;
    /// let (start, goal) = (Cell::new(0, 0), Cell::new(3, 2));
    /// let route = map.route_by::<FourWay>(goal);
    /// let mut search = Dijkstra::new(&route).dense().costs_only().search(start);
    /// let report = search.run()?;
    /// assert_eq!(report.cost(), Some(5));
    /// assert_eq!(report.path().unwrap().states(), [goal]); // no steps
    ///
    /// let path = search.retrace(&goal)?.expect("it was reached");
    /// assert_eq!((path.start(), path.end(), path.len()), (&start, &goal, 5));
    /// assert_eq!(path.verify(&route), Ok(()));
    ///
    /// let reached = Dijkstra::new(&route).dense().costs_only().search(start).reach_all()?;
    /// assert_eq!((reached.len(), reached.cost_of(&Cell::new(0, 2))), (10, Some(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Searches that need parents for more than paths do not compile with such records:
    ///
    /// ```compile_fail
    /// use bestfirst::table::{BareRecord, HashedTable};
    /// use bestfirst::{AnytimeAStar, FnProblem};
    ///
    /// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
    /// let table = HashedTable::<u32, BareRecord<u32>>::default();
    /// let report = AnytimeAStar::new(&line).table(table).search(0).run();
    /// ```
    #[doc(alias = "cost_only")]
    pub fn costs_only(self) -> Dijkstra<P, T::WithoutParents, F, O> {
        let Self { problem, order, table, frontier, limits, observer } = self;
        let table = table.without_parents();
        Dijkstra { problem, order, table, frontier, limits, observer }
    }
}

impl<P: SearchProblem, R, T: WithoutParents, F, O> AStar<P, R, T, F, O> {
    /// Stores the costs alone, and no parents, as [`Dijkstra::costs_only`] does: for a search of which only the cost is
    /// wanted. The heuristic is not stored either: it is asked again when a cheaper path to a state is found, as with
    /// [`dense`](Self::dense).
    ///
    /// [`Report::is_optimal`](crate::Report::is_optimal) then looks at the heuristic of the goal alone to find that it
    /// overestimates, since no other state on the path is known.
    ///
    /// ```
    /// use bestfirst::problems::grid_map::{Cell, FourWay, GridMap};
    /// use bestfirst::AStar;
    ///
    /// let map: GridMap = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....".parse()?;
    /// let (start, goal) = (Cell::new(0, 0), Cell::new(3, 2));
    /// let route = map.route_by::<FourWay>(goal);
    /// let mut search = AStar::new(&route).dense().costs_only().search(start);
    /// let cost = search.run()?.cost();
    /// assert_eq!(search.retrace(&goal)?.map(|path| path.cost()), cost);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "cost_only")]
    pub fn costs_only(self) -> AStar<P, R, T::WithoutParents, F, O> {
        let Self { problem, order, table, frontier, limits, observer } = self;
        let table = table.without_parents();
        AStar { problem, order, table, frontier, limits, observer }
    }
}

impl<P, R, T, F, O> Search<BestFirstEngine<P, R, T, F>, O>
where
    P: Reversible,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, R::Key>,
    O: Observer<P::State, P::Cost>,
{
    /// The path to a state that this search has reached, found again by predecessors and costs if its records keep
    /// [costs only](Dijkstra::costs_only); otherwise by the parents. `None` if the state was not reached. It need not be
    /// a goal, nor the search be over: the path is then the cheapest so far.
    ///
    /// Takes the [predecessors](Reversible::predecessors) of each state on the path, and, where the cost does not change
    /// along it, those of all states of that cost which steps of no cost connect.
    ///
    /// # Errors
    ///
    /// [`SearchError::Path`] if no predecessor has the cost that makes up that of a state: the predecessors are not the
    /// reverse of the successors; or, only where the heuristic is not consistent, a cheaper path to a state on the way
    /// has been found and not yet been followed (of the path to the goal that was found, that cannot be).
    pub fn retrace(&self, state: &P::State) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.engine().core.retrace(state)
    }
}

impl<P, T, F, O> Reached<P, T, F, O>
where
    P: Reversible,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, Single<P::Cost>>,
    O: Observer<P::State, P::Cost>,
{
    /// A cheapest path to `state`, or `None` if it was not reached, where the records keep
    /// [costs only](Dijkstra::costs_only): it is found again by predecessors and costs. With other records, this is
    /// [`path_to`](Self::path_to).
    ///
    /// # Errors
    ///
    /// As [`Search::retrace`].
    ///
    /// ```
    /// use bestfirst::problems::grid_map::{Cell, FourWay, GridMap};
    /// use bestfirst::Dijkstra;
    ///
    /// let map: GridMap = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....".parse()?;
    /// let route = map.route_by::<FourWay>(Cell::new(3, 2));
    /// let reached = Dijkstra::new(&route).costs_only().search(Cell::new(0, 0)).reach_all()?;
    /// let path = reached.retrace(&Cell::new(2, 2))?.expect("it was reached");
    /// assert_eq!((path.len(), path.cost()), (4, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retrace(&self, state: &P::State) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        match self.cost_of(state) {
            Some(_) => self.search().retrace(state),
            None => Ok(None),
        }
    }
}
