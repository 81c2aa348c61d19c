//! What users of a library take for granted: searches and their reports can be sent to other threads,
//! and shown.

use std::cell::Cell;
use std::fmt::Debug;

use bestfirst::frontier::{BucketQueue, IndexedQueue, LazyHeap};
use bestfirst::problems::{amphipod, crucible, grid_map, road_network, sliding_tiles};
use bestfirst::table::{DenseTable, HashedTable};
use bestfirst::{
    AStar, BranchAndBound, BreadthFirst, CancelToken, Dijkstra, EqualSteps, FnProblem, IdaStar,
    IgnoreGoal, IgnoreHeuristic, Limits, PathError, PathOf, ReportOf, SearchError, SearchProblem,
    Stats, StopReason, Successors, WithHeuristic,
};

fn is_ordinary<T: Debug + Send + Sync>(_: &T) {}

fn are_ordinary<T: Debug + Send + Sync>() {}

fn is_an_error<E: std::error::Error + Send + Sync + 'static>() {}

/// The searches are as ordinary as the problem and its parts.
fn searches_are_ordinary<P>(problem: &P, start: &P::State)
where
    P: SearchProblem<State: Debug + Send + Sync, Action: Debug + Send + Sync> + Debug + Send + Sync,
    P::Cost: Send + Sync,
{
    are_ordinary::<ReportOf<P>>();
    are_ordinary::<PathOf<P>>();
    is_ordinary(&AStar::new(problem));
    is_ordinary(&AStar::new(problem).search(start.clone()));
    is_ordinary(&AStar::new(problem).frontier(LazyHeap::new()).search(start.clone()));
    is_ordinary(&AStar::new(problem).frontier(IndexedQueue::new()).search(start.clone()));
    is_ordinary(&Dijkstra::new(problem).search(start.clone()));
    is_ordinary(&Dijkstra::new(problem).search(start.clone()).settled());
    is_ordinary(&BranchAndBound::new(problem));
    is_ordinary(&BranchAndBound::new(problem).order_by(|_, _, _| 0).search(start.clone()));
    is_ordinary(&BreadthFirst::new(problem));
    is_ordinary(&BreadthFirst::new(problem).search(start.clone()));
    is_ordinary(&IdaStar::new(problem));
    is_ordinary(&IdaStar::new(problem).transposition_table(1 << 10).search(start.clone()));
}

#[test]
fn searches_can_be_sent_and_shown() {
    let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
    searches_are_ordinary(&line, &0);

    let puzzle = sliding_tiles::SlidingTiles::<sliding_tiles::Tracked>::new(3, 3).unwrap();
    let board = "1 2 5 3 4 8 6 7 0".parse().unwrap();
    let start = puzzle.state(&board).unwrap();
    searches_are_ordinary(&puzzle, &start);
    is_ordinary(&IdaStar::new(&puzzle).in_place().search(start));

    let mut search = AStar::new(line).search(0);
    let report = std::thread::spawn(move || search.run()).join().unwrap().unwrap();
    assert_eq!(report.cost(), Some(9));
}

#[test]
fn parts_and_reports_can_be_sent_and_shown() {
    are_ordinary::<Limits<f64>>();
    are_ordinary::<CancelToken>();
    are_ordinary::<Stats>();
    are_ordinary::<StopReason>();
    are_ordinary::<BucketQueue<u32>>();
    are_ordinary::<LazyHeap<f64>>();
    are_ordinary::<IndexedQueue<f64>>();
    are_ordinary::<HashedTable<String, u32>>();
    are_ordinary::<DenseTable<u32>>();
    are_ordinary::<amphipod::Burrow>();
    are_ordinary::<amphipod::Reduced>();
    are_ordinary::<amphipod::Literal>();
    are_ordinary::<crucible::Crucible>();
    are_ordinary::<grid_map::GridMap>();
    are_ordinary::<road_network::RoadNetwork>();
}

#[test]
fn errors_are_errors() {
    is_an_error::<SearchError<f64>>();
    is_an_error::<PathError<u32>>();
    is_an_error::<bestfirst::limits::OutOfMemory>();
    is_an_error::<amphipod::BurrowError>();
    is_an_error::<amphipod::UnfoldError>();
    is_an_error::<amphipod::FitError>();
    is_an_error::<crucible::HeatMapError>();
    is_an_error::<crucible::RunError>();
    is_an_error::<sliding_tiles::BoardError>();
    is_an_error::<grid_map::MapError>();
    is_an_error::<road_network::RoadError>();
}

/// An error of a search goes through `?` into any boxed one.
#[test]
fn errors_can_be_boxed() {
    fn negative() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let step = FnProblem::new(|&n: &u32| [(n + 1, -1_i32)], |_: &u32| 0, |&n: &u32| n == 9);
        let _report = bestfirst::astar(&step, 0)?;
        Ok(())
    }
    let shown = negative().map_err(|error| error.to_string());
    assert_eq!(shown, Err(String::from("a step from cost 0 costs -1; costs must not be negative")));
}

/// A trait object of a problem can be searched.
#[test]
fn problems_are_dyn_compatible() {
    let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
    let boxed: Box<dyn SearchProblem<State = u32, Action = (), Cost = u32>> = Box::new(line);
    assert_eq!(AStar::new(&boxed).search(0).run().unwrap().cost(), Some(9));
}

/// What is expanded next is announced to the problem, through every adapter.
#[test]
fn problems_hear_what_comes_next() {
    struct Line {
        told: Cell<u32>,
    }

    impl SearchProblem for Line {
        type State = u32;
        type Action = ();
        type Cost = u32;

        fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
            next.push((), n + 1, 1);
            next.push((), n + 100, 3);
        }

        fn is_goal(&self, &n: &u32) -> bool {
            n == 9
        }

        fn prefetch(&self, _state: &u32) {
            self.told.set(self.told.get() + 1);
        }
    }

    let line = Line { told: Cell::new(0) };
    let is_told = |report: bestfirst::Report<u32, (), u32>| {
        assert!(report.stats.expanded >= 6);
        line.told.take() > 0
    };
    assert!(is_told(Dijkstra::new(&line).search(0).run().unwrap()));
    assert!(is_told(AStar::new(IgnoreHeuristic::new(&line)).search(0).run().unwrap()));
    let informed = WithHeuristic::new(&line, |_: &u32| 0);
    assert!(is_told(AStar::new(informed).search(0).run().unwrap()));
    let equal = EqualSteps::new(&line, 1);
    assert!(is_told(BreadthFirst::new(&equal).search(0).run().unwrap()));
    assert!(is_told(BranchAndBound::new(&line).search(0).run().unwrap()));
    let limits = Limits::new().expansions(9);
    let endless = IgnoreGoal::new(&line);
    assert!(is_told(AStar::new(endless).limits(limits).search(0).run().unwrap()));
}

/// One builder makes many searches.
#[test]
fn builders_can_be_cloned() {
    let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
    let builder = AStar::new(&line).limits(Limits::new().expansions(20));
    for start in 0..9 {
        assert_eq!(builder.clone().search(start).run().unwrap().cost(), Some(9 - start));
        let indexed = builder.clone().frontier(IndexedQueue::new()).clone();
        assert_eq!(indexed.search(start).run().unwrap().cost(), Some(9 - start));
    }
}
