//! A crate from outside: every public trait, implemented by the public API alone.

mod engine;
mod parts;
mod problem;

use bestfirst::certificate::{self, Claim, Level};
use bestfirst::engine::{ByKey, Progress};
use bestfirst::frontier::{IndexedQueue, LazyHeap};
use bestfirst::{
    AStar, BranchAndBound, BreadthFirst, CancelToken, DenseStates, Dijkstra, EqualSteps, Greedy,
    IdaStar, Limits, Outcome, Path, Reversed, Search, SearchProblem, StopReason, check,
    dijkstra_all,
};

use engine::{Dearer, DeepeningSearch, Rounds};
use parts::{Counter, CountingRecord, LargeGFirst, Shelf, Sorted, Tree};
use problem::{Jug, Jugs, Whole};

fn shelf() -> Shelf {
    Shelf::default()
}

/// With ids of 64 bits.
fn wide_shelf() -> Shelf<CountingRecord<u64>> {
    Shelf::default()
}

/// What A* finds, for many pairs of start and goal.
fn cases() -> Vec<(Jugs, Jug, Option<u32>)> {
    let mut cases = Vec::new();
    for (sizes, goal) in
        [([5, 3, 8], 4), ([7, 4, 11], 6), ([9, 4, 13], 6), ([6, 3, 9], 4), ([10, 7, 3], 5)]
    {
        let jugs = Jugs { sizes, goal };
        let start = jugs.start();
        let cost = AStar::new(&jugs.whole()).search(start).run().unwrap().cost();
        assert_eq!(cost, Dijkstra::new(&jugs.whole()).search(start).run().unwrap().cost());
        cases.push((jugs, start, cost));
    }
    assert!(cases.iter().any(|case| case.2.is_some()) && cases.iter().any(|case| case.2.is_none()));
    cases
}

#[test]
fn the_cheapest_path_is_kept_within_a_new_limit_on_the_cost() {
    let mut search = Search::new(Dearer(10), Limits::new(), ());
    let mut at = |expansions, cost| {
        search.set_limits(Limits::new().expansions(expansions).cost(cost));
        search.run().unwrap().incumbent.map(|path| path.cost())
    };
    assert_eq!([at(1, 99), at(2, 99), at(3, 50), at(4, 11), at(5, 70)], [Some(11); 5]);
    assert_eq!([at(6, 10), at(7, 50)], [None, Some(16)]);
}

#[test]
fn a_problem_from_outside_passes_the_checks() {
    for (jugs, start, _) in cases() {
        assert!(check::admissible(&jugs, start, 10_000).is_ok());
        let all: Vec<_> = (0..jugs.state_count()).map(|index| jugs.state_at(index)).collect();
        assert!(check::consistent(&jugs, all.clone()).is_ok());
        assert_eq!(check::reversible(&jugs, all).err(), None);
    }
}

#[test]
fn every_engine_searches_it_forwards_and_backwards() {
    for (jugs, start, cost) in cases() {
        let backwards = Reversed::new(&jugs, start);
        let (forth, back): (_, Whole<'_>) = (jugs.whole(), Box::new(&backwards));
        macro_rules! forwards {
            ($(|$p:ident| $search:expr;)*) => {$(
                {
                    let $p = &forth;
                    let report = $search.search(start).run().unwrap();
                    assert_eq!(report.cost(), cost, "{}", stringify!($search));
                    assert_eq!(report.is_optimal(), cost.is_some());
                    if let Some(path) = report.path() {
                        assert_eq!(path.verify(&jugs), Ok(()));
                    }
                }
            )*};
        }
        macro_rules! both {
            ($(|$p:ident| $search:expr;)*) => {$(
                forwards! { |$p| $search; }
                {
                    let $p = &back;
                    let report = $search.search_from(backwards.starts()).run().unwrap();
                    assert_eq!(report.cost(), cost, "{} backwards", stringify!($search));
                    if let Some(path) = report.path() {
                        let path = backwards.forward_path(path).unwrap();
                        assert_eq!(path.verify(&jugs), Ok(()));
                        assert_eq!(path.start(), &start);
                    }
                }
            )*};
        }
        forwards! {
            |p| AStar::new(p);
            |p| AStar::new(p).wide_ids();
            |p| AStar::new(p).weight(1.0);
            |p| AStar::new(p).frontier(Sorted::default());
            |p| AStar::new(p).table(shelf());
            |p| AStar::new(p).order(LargeGFirst);
            |p| Dijkstra::new(p);
            |p| Dijkstra::new(p).table(shelf()).frontier(IndexedQueue::new());
            |p| BranchAndBound::new(p).table(shelf());
        }
        both! {
            |p| AStar::new(p).dense();
            |p| AStar::new(p).table(shelf()).order(LargeGFirst).frontier(Sorted::default());
            |p| AStar::new(p).table(wide_shelf()).order(LargeGFirst).frontier(Tree::default());
            |p| Dijkstra::new(p).dense().frontier(LazyHeap::new());
            |p| Dijkstra::new(p).table(shelf()).frontier(Sorted::default());
            |p| BreadthFirst::new(p).table(shelf());
        }
        // Where there is no goal, it searches every way there is.
        if cost.is_some() {
            both! {
                |p| IdaStar::new(p).transposition_table(1 << 16);
            }
            let mut search =
                IdaStar::new(&jugs).in_place().transposition_table(1 << 16).search(start);
            assert_eq!(search.run().unwrap().cost(), cost);
        }
        let mut search = BranchAndBound::new(&jugs).in_place().search(start);
        assert_eq!(search.run().unwrap().cost(), cost);
        // Of these, a path is all that is promised.
        let greedy = Greedy::new(&forth).table(shelf()).search(start).run().unwrap();
        let by_key =
            AStar::new(&forth).order(ByKey(|g, h| 2 * h + g / 2)).search(start).run().unwrap();
        for report in [greedy, by_key] {
            assert_eq!(report.cost().is_some(), cost.is_some());
            assert!(report.cost() >= cost && report.suboptimality() >= cost.map(|_| 1.0));
            assert!(cost.is_none_or(|cost| report.lower_bound <= cost));
        }
    }
}

/// Stops a search at every expansion, and restarts it, and asks for what is closest.
macro_rules! stop_and_restart {
    ($jugs:ident, $start:ident, $($search:expr),* $(,)?) => {$(
        let name = stringify!($search);
        let mut search = $search.search($start);
        let full = search.run().unwrap();
        let layered: u64 = full.layers.iter().map(|layer| layer.expanded).sum();
        assert_eq!(layered, full.stats.expanded, "{name}");
        search.restart($start);
        let mut proved = 0;
        for most in 0..full.stats.expanded {
            search.set_limits(Limits::new().expansions(most));
            let report = search.run().unwrap();
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Expansions), "{name}");
            assert_eq!(report.stats.expanded, most, "{name}");
            assert!(report.lower_bound >= proved, "{name}");
            proved = report.lower_bound;
            assert!(full.cost().is_none_or(|cost| proved <= cost), "{name}");
            let filled = |state: &Jug| state[0].abs_diff($jugs.goal);
            let closest = search.closest_by(filled).unwrap();
            assert_eq!(closest.is_some(), report.stats.stored > 0, "{name}");
        }
        search.set_limits(Limits::new().expansions(full.stats.expanded));
        let mut resumed = search.run().unwrap();
        resumed.stats.peak_bytes = full.stats.peak_bytes;
        assert_eq!(resumed, full, "{name}");
        let report = $search.limits(Limits::new().memory(20)).search($start).run().unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory), "{name}");
    )*};
}

#[test]
fn parts_from_outside_stop_and_restart() {
    for (jugs, start, _) in cases() {
        let whole = jugs.whole();
        stop_and_restart!(
            jugs,
            start,
            AStar::new(&whole).frontier(Sorted::default()),
            AStar::new(&whole).table(shelf()),
            AStar::new(&whole).order(LargeGFirst).table(shelf()).frontier(Tree::default()),
            Greedy::new(&whole).table(shelf()).frontier(Sorted::default()),
            BranchAndBound::new(&whole).table(shelf()),
            BreadthFirst::new(&whole).table(shelf()),
        );
    }
}

/// An observer hears of everything that is counted.
#[test]
fn an_observer_from_outside_counts_the_same() {
    for (jugs, start, cost) in cases() {
        let mut counter = Counter::default();
        let search = AStar::new(&jugs).table(shelf()).observer(&mut counter);
        let report = search.search(start).run().unwrap();
        assert_eq!(counter.expanded, report.stats.expanded);
        assert_eq!(counter.generated, report.stats.generated + 1);
        let by_f: Vec<_> =
            report.layers.iter().map(|layer| (layer.bound, layer.expanded)).collect();
        let expanded: Vec<_> = counter.expanded_by_f.into_iter().collect();
        assert_eq!(
            expanded,
            by_f.into_iter().filter(|&(_, expanded)| expanded > 0).collect::<Vec<_>>()
        );
        let mut counter = Counter::default();
        let report = BranchAndBound::new(&jugs).observer(&mut counter).search(start).run().unwrap();
        assert_eq!(counter.expanded, report.stats.expanded);
        assert_eq!(counter.incumbents.last().copied(), cost);
        assert!(counter.incumbents.is_sorted_by(|a, b| a > b));
    }
}

#[test]
fn an_engine_from_outside_has_limits_and_reports() {
    for (jugs, start, cost) in cases() {
        let search = |limits| Search::new(Rounds::new(&jugs, start), limits, ());
        let full = search(Limits::new()).run().unwrap();
        assert_eq!(full.cost(), cost);
        assert_eq!(full.is_optimal(), cost.is_some());
        let mut resumed = search(Limits::new());
        for most in 0..full.stats.expanded {
            resumed.set_limits(Limits::new().expansions(most));
            let report = resumed.run().unwrap();
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Expansions));
            assert_eq!(report.stats.expanded, most);
            assert!(cost.is_none_or(|cost| report.lower_bound <= cost));
        }
        resumed.set_limits(Limits::new().expansions(full.stats.expanded));
        assert_eq!(resumed.run().unwrap(), full);
        resumed.restart(start);
        let mut again = resumed.run().unwrap();
        again.stats.peak_bytes = full.stats.peak_bytes;
        assert_eq!(again, full);
        let token = CancelToken::new();
        token.cancel();
        let report = search(Limits::new().cancel(&token)).run().unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
        let report = search(Limits::new().memory(20)).run().unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
        assert!(report.stats.peak_bytes <= 20);
        if let Some(cost) = cost.filter(|&cost| cost > 0) {
            let report = search(Limits::new().cost(cost - 1)).run().unwrap();
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cost));
        }
    }
}

#[test]
fn an_engine_from_outside_has_certificates() {
    for (jugs, start, cost) in cases() {
        let mut search = Search::new(Rounds::new(&jugs, start), Limits::new(), ());
        assert_eq!(search.run().unwrap().cost(), cost);
        let certificate = search.certificate(&jugs, [(start, 0)], Level::NoHeuristic).unwrap();
        let mut file = Vec::new();
        certificate.write(&mut file).unwrap();
        let proved = certificate::check(&jugs, [(start, 0)], file.as_slice()).unwrap();
        assert_eq!(proved.claim, cost.map_or(Claim::Unsolvable, Claim::AtLeast));
    }
}

#[test]
fn a_depth_first_engine_from_outside_deepens() {
    for (jugs, start, _) in cases() {
        let fewest = BreadthFirst::new(EqualSteps::new(&jugs, 1)).search(start).run().unwrap();
        let Some(path) = fewest.path() else { continue };
        let engine = DeepeningSearch::new(EqualSteps::new(&jugs, 1), start);
        let mut search = Search::new(engine, Limits::new(), ());
        let mut steps = 0;
        let report = loop {
            steps += 1;
            if let Some(report) = search.step().unwrap() {
                break report;
            }
            assert_eq!(search.stats().expanded, steps);
        };
        assert_eq!(report.path().map(Path::len), Some(path.len()));
        assert!(report.is_optimal());
        search.restart(start);
        assert_eq!(search.run().unwrap().cost(), report.cost());
        search.restart_with(EqualSteps::new(&jugs, 1), start);
        search.set_limits(Limits::new().expansions(1));
        let report = search.run().unwrap();
        assert_eq!(report.stats.expanded, 1);
        assert_ne!(Progress::Going, Progress::Paused);
    }
}

#[test]
fn all_states_of_a_problem_from_outside_can_be_reached() {
    for (jugs, start, _) in cases() {
        let reached = Dijkstra::new(&jugs).table(shelf()).search(start).reach_all().unwrap();
        let whole = jugs.whole();
        let expected = dijkstra_all(&whole, start).unwrap();
        assert_eq!(reached.len(), expected.len());
        expected.for_each(|state, cost| assert_eq!(reached.cost_of(state), Some(cost)));
        assert_eq!(reached.cost_of(&[99, 99, 99]), None);
        assert!(jugs.is_goal(&start) || reached.len() > 1);
    }
}
