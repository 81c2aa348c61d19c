//! The engines that the page offers, and the searches by them.

use std::time::Duration;

use bestfirst::engine::Engine as Algorithm;
use bestfirst::{
    AStar, AnytimeAStar, Beam, Bidirectional, BranchAndBound, BreadthFirst, Dijkstra, Focal,
    Greedy, IdaStar, Limits, Observer, Rectangle, Report, Search, SearchError, Stats,
};
use serde_json::{Value, json};

use crate::board::{State, View};
use crate::input::InputError;

/// An engine with its parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Engine {
    /// A*.
    AStar,
    /// Weighted A* with its weight.
    Weighted(f64),
    /// Greedy search.
    Greedy,
    /// Dijkstra's algorithm.
    Dijkstra,
    /// From both ends, by BAE*.
    Bidirectional,
    /// IDA*.
    IdaStar,
    /// Breadth-first search.
    BreadthFirst,
    /// Beam search with its width, if that is not to double.
    Beam(Option<usize>),
    /// Rectangle search.
    Rectangle,
    /// Branch and bound.
    BranchAndBound,
    /// Anytime A*.
    AnytimeAStar,
    /// Focal search with its factor.
    Focal(f64),
}

impl Engine {
    /// Whether it searches from the goals, too, which only grids allow.
    #[must_use]
    pub fn needs_predecessors(self) -> bool {
        self == Self::Bidirectional
    }
}

/// How an engine is made of what the page asks.
#[derive(Debug)]
enum Make {
    Plain(Engine),
    Weight(fn(f64) -> Engine),
    Width(fn(Option<usize>) -> Engine),
}

/// An engine as the page offers it.
#[derive(Debug)]
pub struct Offer {
    /// Its name in questions.
    pub id: &'static str,
    name: &'static str,
    about: &'static str,
    make: Make,
}

const fn offer(id: &'static str, name: &'static str, make: Make, about: &'static str) -> Offer {
    Offer { id, name, about, make }
}

/// The engines. A new one needs a line here and one in `search`.
pub const OFFERS: [Offer; 12] = [
    offer("astar", "A*", Make::Plain(Engine::AStar), "By g + h. A cheapest path."),
    offer(
        "weighted",
        "Weighted A*",
        Make::Weight(Engine::Weighted),
        "By g + w·h. A path of at most w times the least cost, mostly after fewer expansions.",
    ),
    offer("greedy", "Greedy", Make::Plain(Engine::Greedy), "By h alone. Some path, and soon."),
    offer("dijkstra", "Dijkstra", Make::Plain(Engine::Dijkstra), "By g alone. A cheapest path."),
    offer(
        "bidirectional",
        "From both ends",
        Make::Plain(Engine::Bidirectional),
        "BAE*: from the start and from the goal. A cheapest path.",
    ),
    offer(
        "idastar",
        "IDA*",
        Make::Plain(Engine::IdaStar),
        "Depth first up to a bound that rises. Little memory, and on grids many repetitions.",
    ),
    offer(
        "breadth-first",
        "Breadth first",
        Make::Plain(Engine::BreadthFirst),
        "By the number of steps, until no cheaper path is left.",
    ),
    offer(
        "beam",
        "Beam",
        Make::Width(Engine::Beam),
        "The best few states of each layer. Without a width, passes of width 1, 2, 4, … until one proves its path.",
    ),
    offer(
        "rectangle",
        "Rectangle",
        Make::Plain(Engine::Rectangle),
        "A beam that grows in width and depth and expands nothing twice. A cheapest path when it ends.",
    ),
    offer(
        "branch-and-bound",
        "Branch and bound",
        Make::Plain(Engine::BranchAndBound),
        "Depth first, without what cannot be better than the best path so far.",
    ),
    offer(
        "anytime",
        "Anytime A*",
        Make::Plain(Engine::AnytimeAStar),
        "A first path soon, better ones later, the best at the end.",
    ),
    offer(
        "focal",
        "Focal",
        Make::Weight(Engine::Focal),
        "Of the states whose f is at most w times the least, those nearest to the goal.",
    ),
];

impl Offer {
    /// As the page reads it.
    pub(crate) fn to_json(&self) -> Value {
        let parameter = match self.make {
            Make::Plain(_) => Value::Null,
            Make::Weight(_) => json!("weight"),
            Make::Width(_) => json!("width"),
        };
        let grid_only = matches!(self.make, Make::Plain(engine) if engine.needs_predecessors());
        json!({
            "id": self.id,
            "name": self.name,
            "about": self.about,
            "parameter": parameter,
            "grid_only": grid_only,
        })
    }

    /// The engine with its parameter, which must be there if it takes one.
    pub(crate) fn engine(
        &self,
        weight: Option<f64>,
        width: Option<usize>,
    ) -> Result<Engine, InputError> {
        match self.make {
            Make::Plain(engine) => Ok(engine),
            Make::Weight(make) => weight.map(make).ok_or_else(|| {
                let message = format!("{} takes a weight from 1 on, as in 1.5", self.name);
                InputError::new("weight", message)
            }),
            Make::Width(make) => Ok(make(width)),
        }
    }

    /// Its name and its parameter.
    pub(crate) fn title(&self, engine: Engine) -> String {
        match engine {
            Engine::Weighted(number) | Engine::Focal(number) => format!("{} {number}", self.name),
            Engine::Beam(Some(width)) => format!("{} {width}", self.name),
            _ => self.name.to_owned(),
        }
    }
}

/// A search by any engine. Unlike `BoxedSearch`, it has only what a recording needs: the file that a browser loads has nothing
/// else of each engine.
pub(crate) trait Running {
    fn run_for(&mut self, most: u64) -> Result<Option<Report<State, (), u64>>, SearchError<u64>>;
    fn report(&mut self) -> Result<Report<State, (), u64>, SearchError<u64>>;
    fn stats(&self) -> Stats;
    fn elapsed(&self) -> Duration;
}

impl<E, O> Running for Search<E, O>
where
    E: Algorithm<State = State, Action = (), Cost = u64>,
    O: Observer<State, u64>,
{
    fn run_for(&mut self, most: u64) -> Result<Option<Report<State, (), u64>>, SearchError<u64>> {
        self.run_for(most)
    }

    fn report(&mut self) -> Result<Report<State, (), u64>, SearchError<u64>> {
        self.report()
    }

    fn stats(&self) -> Stats {
        self.stats()
    }

    fn elapsed(&self) -> Duration {
        self.elapsed()
    }
}

/// A search by an engine, up to the limits.
pub(crate) fn search<'a, O: Observer<State, u64> + 'a>(
    engine: Engine,
    board: &'a View<'a>,
    limits: Limits<u64>,
    observer: O,
) -> Box<dyn Running + 'a> {
    macro_rules! search {
        ($builder:expr) => {
            Box::new($builder.limits(limits).observer(observer).search(board.start()))
        };
    }
    match engine {
        Engine::AStar => search!(AStar::new(board)),
        Engine::Weighted(weight) => search!(AStar::new(board).weight(weight)),
        Engine::Greedy => search!(Greedy::new(board)),
        Engine::Dijkstra => search!(Dijkstra::new(board)),
        Engine::Bidirectional => search!(Bidirectional::new(board)),
        Engine::IdaStar => search!(IdaStar::new(board).avoid_cycles()),
        Engine::BreadthFirst => search!(BreadthFirst::new(board)),
        Engine::Beam(None) => search!(Beam::new(board)),
        Engine::Beam(Some(width)) => search!(Beam::new(board).width(width)),
        Engine::Rectangle => search!(Rectangle::new(board)),
        Engine::BranchAndBound => search!(BranchAndBound::new(board)),
        Engine::AnytimeAStar => search!(AnytimeAStar::new(board)),
        Engine::Focal(factor) => search!(Focal::new(board, factor)),
    }
}
