//! Answers the queries: by cells or jump points, with landmarks or without, by one of the engines.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use bestfirst::Search;
use bestfirst::engine::Engine as Algorithm;
use bestfirst::heuristics::Landmarks;
use bestfirst::heuristics::{DistanceError, WithLandmarks};
use bestfirst::problems::grid_map::{Cell, GridMap, GridRoute, JumpPoint, JumpPoints, Length};
use bestfirst::{
    AStar, Bidirectional, DenseStates, Dijkstra, Greedy, Observer, Outcome, PathOf, Reversible,
    SearchProblem, WithHeuristic,
};
use program::Fault;

use super::args::{Args, Engine};
use super::input::Query;

/// How many of the landmarks count for a query: those that help most.
const BEST: usize = 6;

/// What was found for a query.
pub struct Answer {
    pub query: Query,
    pub length: Option<Length>,
    pub is_stopped: bool,
    pub expanded: u64,
    /// The path by single steps.
    pub cells: Vec<Cell>,
}

/// What all answers took.
pub struct Taken {
    /// The time for jump points and landmarks.
    pub preparation: Duration,
    /// The time for the queries, and for what was done with their answers.
    pub time: Duration,
    /// With --plot: for each cell the number of its first expansion, counted from 1; 0 if it was not expanded.
    pub order: Vec<u32>,
}

/// A state that lies in a cell.
trait InCell {
    fn cell(&self) -> Cell;
}

impl InCell for Cell {
    fn cell(&self) -> Cell {
        *self
    }
}

impl InCell for JumpPoint {
    fn cell(&self) -> Cell {
        JumpPoint::cell(self)
    }
}

/// Records the order of expansions, if there are places for the cells.
struct Order {
    width: usize,
    cells: Vec<u32>,
    expanded: u32,
}

impl<S: InCell> Observer<S, Length> for Order {
    #[inline]
    fn expanded(&mut self, state: &S, _: Length, _: Length) {
        if self.cells.is_empty() {
            return;
        }
        self.expanded = self.expanded.saturating_add(1);
        let cell = state.cell();
        let place = usize::from(cell.y) * self.width + usize::from(cell.x);
        if let Some(number) = self.cells.get_mut(place).filter(|number| **number == 0) {
            *number = self.expanded;
        }
    }
}

/// What is done with each answer as soon as it is found.
pub type Each<'a> = &'a mut dyn FnMut(Answer) -> Result<(), Fault>;

/// Answers all queries.
pub fn solve(
    args: &Args,
    map: &GridMap,
    queries: &[Query],
    each: Each<'_>,
) -> Result<Taken, Fault> {
    let fault = |error: &dyn std::fmt::Display| Fault::Input(error.to_string());
    let began = Instant::now();
    let jumps = args.jump_points.then(|| JumpPoints::new(map)).transpose();
    let jumps = jumps.map_err(|error| fault(&error))?;
    let anywhere = map.route_to(Cell::new(0, 0));
    let make =
        |count: u16| Landmarks::of(&anywhere).count(count.into()).limits(args.limits()).build();
    let landmarks = args.landmarks.map(make).transpose().map_err(|error| match error {
        DistanceError::Stopped(_) => Fault::Stopped(format!("--landmarks: {error}")),
        _ => Fault::Input(format!("--landmarks: {error}")),
    })?;
    let preparation = began.elapsed();

    let places = if args.plot.is_some() { anywhere.state_count() } else { 0 };
    let mut order = Order { width: map.width().into(), cells: Vec::new(), expanded: 0 };
    order.cells.try_reserve_exact(places)?;
    order.cells.resize(places, 0);
    let began = Instant::now();
    let asked = Asked { args, queries, order: &mut order, each };
    let single_steps =
        |_: &Query, path: &bestfirst::Path<Cell, (), Length>| Ok(path.states().to_vec());
    match (&jumps, &landmarks) {
        (_, None) if args.engine == Engine::Bidirectional => asked.answer_from_both_ends(
            |query| Ok((map.route_to(query.goal), query.start)),
            single_steps,
        ),
        (_, Some(landmarks)) if args.engine == Engine::Bidirectional => asked
            .answer_from_both_ends(
                |query| Ok((informed(map, landmarks, query)?, query.start)),
                single_steps,
            ),
        (None, None) => {
            asked.answer(|query| Ok((map.route_to(query.goal), query.start)), single_steps)
        }
        (None, Some(landmarks)) => {
            asked.answer(|query| Ok((informed(map, landmarks, query)?, query.start)), single_steps)
        }
        (Some(jumps), None) => asked.answer(
            |query| Ok((jumps.route_to(query.goal), JumpPoint::start(query.start))),
            |query, path| cells(jumps, query, path),
        ),
        (Some(jumps), Some(landmarks)) => asked.answer(
            |query| {
                let bounds = informed(map, landmarks, query)?;
                let bound = move |point: &JumpPoint| bounds.heuristic(&point.cell());
                let problem = WithHeuristic::new(jumps.route_to(query.goal), bound);
                Ok((problem, JumpPoint::start(query.start)))
            },
            |query, path| cells(jumps, query, path),
        ),
    }?;
    Ok(Taken { preparation, time: began.elapsed(), order: order.cells })
}

/// The problem of a query, with the landmarks that help most.
fn informed<'a>(
    map: &'a GridMap,
    landmarks: &'a Landmarks<Length>,
    query: &Query,
) -> Result<WithLandmarks<'a, GridRoute<&'a GridMap>>, Fault> {
    let problem = landmarks.to(map.route_to(query.goal));
    let problem = problem.map_err(|error| Fault::Input(error.to_string()))?;
    Ok(problem.best(BEST, &query.start))
}

/// The cells of a path by jumps.
fn cells(
    jumps: &JumpPoints<'_>,
    query: &Query,
    path: &bestfirst::Path<JumpPoint, (), Length>,
) -> Result<Vec<Cell>, Fault> {
    let steps = jumps.route_to(query.goal).cell_path(path);
    steps.map(|steps| steps.states().to_vec()).map_err(|error| Fault::Input(error.to_string()))
}

/// What is asked, apart from the form of the problem.
struct Asked<'a> {
    args: &'a Args,
    queries: &'a [Query],
    order: &'a mut Order,
    each: Each<'a>,
}

impl Asked<'_> {
    /// Answers all queries by the engine; `problem` makes the problem and the start of a query, `cells` a path by
    /// single steps.
    fn answer<P>(
        self,
        problem: impl Fn(&Query) -> Result<(P, P::State), Fault>,
        cells: impl Fn(&Query, &PathOf<P>) -> Result<Vec<Cell>, Fault>,
    ) -> Result<(), Fault>
    where
        P: DenseStates<Action = (), Cost = Length> + Clone,
        P::State: InCell + Debug,
    {
        let Self { args, queries, order, each } = self;
        let Some(first) = queries.first() else { return Ok(()) };
        let (any, start) = problem(first)?;
        let limits = args.limits();
        match args.engine {
            Engine::Dijkstra => {
                let builder = Dijkstra::new(any).dense().limits(limits).observer(order);
                answer_all(builder.search(start), queries, problem, cells, each)
            }
            Engine::Greedy => {
                let builder = Greedy::new(any).dense().limits(limits).observer(order);
                answer_all(builder.search(start), queries, problem, cells, each)
            }
            // `answer_from_both_ends` is for that one.
            Engine::Bidirectional | Engine::Astar if args.weight.is_none() => {
                let builder = AStar::new(any).dense().limits(limits).observer(order);
                answer_all(builder.search(start), queries, problem, cells, each)
            }
            Engine::Bidirectional | Engine::Astar => {
                let builder = AStar::new(any).weight(args.weight.unwrap_or(1.0)).dense();
                let builder = builder.limits(limits).observer(order);
                answer_all(builder.search(start), queries, problem, cells, each)
            }
        }
    }
}

impl Asked<'_> {
    /// The same by search from both ends.
    fn answer_from_both_ends<P>(
        self,
        problem: impl Fn(&Query) -> Result<(P, P::State), Fault>,
        cells: impl Fn(&Query, &PathOf<P>) -> Result<Vec<Cell>, Fault>,
    ) -> Result<(), Fault>
    where
        P: Reversible<Action = (), Cost = Length> + DenseStates + Clone,
        P::State: InCell + Debug,
    {
        let Self { args, queries, order, each } = self;
        let Some(first) = queries.first() else { return Ok(()) };
        let (any, start) = problem(first)?;
        let builder = Bidirectional::new(any).dense().limits(args.limits()).observer(order);
        answer_all(builder.search(start), queries, problem, cells, each)
    }
}

/// Answers all queries in one search that is restarted.
fn answer_all<P, E, O>(
    mut search: Search<E, O>,
    queries: &[Query],
    problem: impl Fn(&Query) -> Result<(P, P::State), Fault>,
    cells: impl Fn(&Query, &PathOf<P>) -> Result<Vec<Cell>, Fault>,
    each: Each<'_>,
) -> Result<(), Fault>
where
    P: SearchProblem<Action = (), Cost = Length>,
    E: Algorithm<Problem = P, State = P::State, Action = (), Cost = Length>,
    O: Observer<P::State, Length>,
{
    for query in queries {
        let (problem, start) = problem(query)?;
        search.restart_with(problem, start);
        let report = search.run().map_err(|error| Fault::Input(error.to_string()))?;
        let cells = report.path().map(|path| cells(query, path)).transpose()?;
        each(Answer {
            query: *query,
            length: report.cost(),
            is_stopped: matches!(report.outcome, Outcome::Stopped(_)),
            expanded: report.stats.expanded,
            cells: cells.unwrap_or_default(),
        })?;
    }
    Ok(())
}
