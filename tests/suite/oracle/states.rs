//! States whose hash panics or changes, and more states than there are ids.

use std::cell::Cell;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};

use bestfirst::{
    AStar, BranchAndBound, BreadthFirst, DenseStates, Dijkstra, FnProblem, Greedy, IdaStar,
    InPlaceProblem, Limits, Outcome, SearchError, SearchProblem, StopReason, Successors,
};

use support::engines::{engines, erased};
use support::erased::problem;
use support::panics::panics;

thread_local! {
    /// Counts down with every hash; the one that finds 1 panics.
    static HASHES_TO_PANIC: Cell<u64> = const { Cell::new(0) };
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Fragile(u32);

impl Hash for Fragile {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let left = HASHES_TO_PANIC.replace(HASHES_TO_PANIC.get().saturating_sub(1));
        assert!(left != 1, "as planned");
        self.0.hash(state);
    }
}

/// A table that grew hashes all its states; a panic there left it half filled, and `restart` then looked for
/// a free place forever, or panicked.
#[test]
fn a_search_restarts_after_a_panic_in_the_hash() {
    let binary = &FnProblem::new(
        |n: &Fragile| {
            let n = n.0;
            // Few states are stored when the table grows for the successors of the third.
            let again = if n == 3 { 0..1000 } else { 0..0 };
            let steps = [2 * n, 2 * n + 1].into_iter().chain(again.map(|_| 6));
            steps.filter(|&n| n < 1400).map(|n| (Fragile(n), 1 + n % 3))
        },
        |_: &Fragile| 0,
        |n: &Fragile| n.0 == 1399,
    );
    macro_rules! check {
        ($($search:expr),* $(,)?) => {$(
            HASHES_TO_PANIC.set(0);
            let expected = $search.search(Fragile(1)).run().unwrap();
            let mut panicked = 0;
            let mut search = $search.search(Fragile(1));
            for hashes in 1_u64..1400 {
                // All of the first ones, and then some.
                if hashes > 120 && !hashes.is_multiple_of(97) {
                    continue;
                }
                HASHES_TO_PANIC.set(hashes);
                if panics(|| drop(search.run())) {
                    panicked += 1;
                    assert_eq!(search.run(), Err(SearchError::Panicked));
                }
                HASHES_TO_PANIC.set(0);
                search.restart(Fragile(1));
                if hashes.is_multiple_of(5) {
                    let report = search.run().unwrap();
                    assert_eq!(report.outcome, expected.outcome, "after {hashes}");
                    search.restart(Fragile(1));
                }
                // Elsewhere the memory is new each time, so that all sizes of the table are met.
                if hashes.is_multiple_of(2) {
                    search = $search.search(Fragile(1));
                }
            }
            assert!(panicked > 120, "{panicked}");
        )*};
    }
    check!(
        AStar::new(binary),
        Dijkstra::new(binary),
        Greedy::new(binary),
        BranchAndBound::new(binary),
        BreadthFirst::new(binary),
    );
}

/// Hashers that are seeded anew for each value.
#[derive(Debug, Default)]
struct Fickle(Cell<u64>);

impl BuildHasher for Fickle {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        self.0.set(self.0.get() + 1);
        let mut hasher = DefaultHasher::new();
        self.0.get().hash(&mut hasher);
        hasher
    }
}

/// States are then found again by chance only, and stored many times; that is all.
#[test]
fn a_hasher_that_changes_does_no_harm() {
    // So far apart that they are not found by these numbers instead of their hashes.
    const APART: u32 = 4_000_000;
    let ring = &problem(
        |&n: &u32| {
            let n = n / APART;
            [((n + 1) % 1000 * APART, 1.0), ((n * 7 + 3) % 1000 * APART, 2.0)]
        },
        |_: &u32| 0.0,
        |_: &u32| false,
    );
    macro_rules! check {
        ($($search:expr),* $(,)?) => {$(
            let limits = Limits::new().expansions(6_000).memory(1 << 26);
            let mut search = $search.hasher(Fickle::default()).limits(limits).search(APART);
            for round in 0..4 {
                let report = search.run().unwrap();
                assert!(report.stats.expanded <= 6_000);
                if round == 0 {
                    assert!(report.stats.stored > 1000, "states are stored more than once");
                }
                search.restart(round * APART);
            }
        )*};
    }
    check!(
        AStar::new(ring),
        Dijkstra::new(ring),
        Greedy::new(ring),
        BranchAndBound::new(ring),
        BreadthFirst::new(ring),
    );
}

/// A large table with few states in it was cleared one state after the other, each found by its hash.
#[test]
fn a_search_restarts_with_a_hasher_that_changes() {
    let broken = &problem(
        |&n: &u32| (0..1000).map(move |step| (n + step, if n == 3 { f64::NAN } else { 1.0 })),
        |_: &u32| 0.0,
        |_: &u32| false,
    );
    macro_rules! check {
        ($($search:expr),* $(,)?) => {$(
            let mut search = $search.hasher(Fickle::default()).search(3);
            for _ in 0..10 {
                assert!(matches!(search.run(), Err(SearchError::NotANumber { .. })));
                search.restart(3);
            }
        )*};
    }
    check!(
        AStar::new(broken),
        Dijkstra::new(broken),
        Greedy::new(broken),
        BranchAndBound::new(broken),
        BreadthFirst::new(broken),
    );
}

/// A line of this many numbered states.
struct Line(usize);

impl SearchProblem for Line {
    type State = u32;
    type Action = u32;
    type Cost = i32;

    fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
        next.push(1, n + 1, 1);
    }
    fn is_goal(&self, &n: &u32) -> bool {
        n == 50
    }
}

impl DenseStates for Line {
    fn state_count(&self) -> usize {
        self.0
    }
    fn state_index(&self, &n: &u32) -> usize {
        n as usize
    }
    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

impl InPlaceProblem for Line {
    type Actions = std::ops::Range<u32>;
    type Undo = u32;

    fn actions(&self, _: &u32) -> std::ops::Range<u32> {
        1..2
    }
    fn apply(&self, n: &mut u32, by: &u32) -> (i32, u32) {
        *n += by;
        (1, *by)
    }
    fn undo(&self, n: &mut u32, by: u32) {
        *n -= by;
    }
}

/// It was said that there is no memory for them, or memory was taken first.
#[test]
fn more_numbered_states_than_ids_are_a_reason_to_stop() {
    for count in [1 << 31, (1 << 31) + 1, 1 << 40, usize::MAX] {
        let line = Line(count);
        for engine in engines() {
            let mut search = (engine.search)(&line, Limits::new(), vec![(0, 0)]);
            let report = search.run().unwrap();
            if engine.is_dense() {
                let most = (1 << 31) - 2;
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::States { most }));
                assert_eq!((report.stats.expanded, report.lower_bound), (0, 0));
                assert!(report.stats.peak_bytes < 1 << 16);
                assert_eq!(search.run().unwrap(), report, "and stays so");
            } else {
                // Among them those with wide ids.
                assert_eq!(report.cost(), Some(50), "{}", engine.name);
            }
        }
    }
}

/// Ids of 64 bits change nothing but the bytes.
#[test]
fn wide_ids_give_the_same_report() {
    let line = Line(100);
    let line = erased(&line);
    let narrow = AStar::new(line).search(0).run().unwrap();
    let wide = AStar::new(line).wide_ids().search(0).run().unwrap();
    assert_eq!(narrow.outcome, wide.outcome);
    assert_eq!(narrow.layers, wide.layers);
    assert_eq!(narrow.stats.stored, wide.stats.stored);
    assert!(narrow.stats.peak_bytes < wide.stats.peak_bytes);
    assert_eq!(IdaStar::new(line).search(0).run().unwrap().cost(), wide.cost());
}
