//! Expansions that suddenly take ten thousand times as long.

use std::cell::Cell;
use std::time::{Duration, Instant};

use bestfirst::{
    CancelToken, DenseStates, InPlaceProblem, Limits, Outcome, SearchProblem, StopReason,
    Successors,
};

use support::engines::engines;
use support::mesh::Mesh;

/// A mesh whose expansions are quick for a while. Those that follow take ten thousand times as long as these did.
struct Sudden {
    mesh: Mesh,
    began: Instant,
    quick: Duration,
    /// Whether the search should have ended.
    is_over: Box<dyn Fn() -> bool>,
    expanded: Cell<u32>,
    /// How long an expansion takes when it is slow.
    slow: Cell<Option<Duration>>,
    /// How many expansions have begun since the search should have ended.
    late: Cell<u32>,
}

impl Sudden {
    fn new(quick: Duration, is_over: impl Fn() -> bool + 'static) -> Self {
        Self {
            mesh: Mesh::new(1 << 18),
            began: Instant::now(),
            quick,
            is_over: Box::new(is_over),
            expanded: Cell::new(0),
            slow: Cell::new(None),
            late: Cell::new(0),
        }
    }

    fn expand(&self) {
        self.expanded.set(self.expanded.get() + 1);
        let spent = self.began.elapsed();
        if spent > self.quick {
            self.late.set(self.late.get() + u32::from((self.is_over)()));
            let slow = self.slow.get().unwrap_or(10_000 * spent / self.expanded.get());
            self.slow.set(Some(slow));
            std::thread::sleep(slow.min(MOST));
        }
    }
}

/// No expansion takes longer, however busy the machine is.
const MOST: Duration = Duration::from_millis(80);

impl SearchProblem for Sudden {
    type State = u32;
    type Action = u32;
    type Cost = i32;

    fn successors(&self, state: &u32, next: &mut Successors<Self>) {
        self.expand();
        self.mesh.successors(state, next);
    }
    fn is_goal(&self, _: &u32) -> bool {
        false
    }
}

impl DenseStates for Sudden {
    fn state_count(&self) -> usize {
        self.mesh.state_count()
    }
    fn state_index(&self, state: &u32) -> usize {
        self.mesh.state_index(state)
    }
    fn state_at(&self, index: usize) -> u32 {
        self.mesh.state_at(index)
    }
}

impl InPlaceProblem for Sudden {
    type Actions = std::ops::Range<u32>;
    type Undo = u32;

    fn actions(&self, state: &u32) -> std::ops::Range<u32> {
        self.expand();
        self.mesh.actions(state)
    }
    fn apply(&self, state: &mut u32, action: &u32) -> (i32, u32) {
        self.mesh.apply(state, action)
    }
    fn undo(&self, state: &mut u32, undo: u32) {
        self.mesh.undo(state, undo);
    }
}

/// A search is at most this many slow expansions late.
const LATE: u32 = 2;

/// How often a search may be late: the machine may have other things to do. One that does not look at the clock is always late.
const TRIES: u32 = 25;

#[test]
fn slow_expansions_after_quick_ones_are_noticed() {
    for most in [40, 100].map(Duration::from_millis) {
        for engine in engines() {
            // With the second limit, one of each kind is enough.
            if most >= Duration::from_millis(100) && engine.name.contains(',') {
                continue;
            }
            let mut seen = Vec::new();
            let is_in_time = (0..TRIES).any(|_| {
                let began = Instant::now();
                let problem = Sudden::new(most / 4, move || began.elapsed() > most);
                let limits = Limits::new().time(most);
                let report = (engine.search)(&problem, limits, vec![(1, 0)]).run().unwrap();
                let late = began.elapsed().checked_sub(most).expect("not before the time is up");
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time), "{}", engine.name);
                seen.push((problem.expanded.get(), problem.late.get(), late));
                // Else the machine took all the time.
                problem.expanded.get() > 50 && problem.late.get() <= LATE && late <= MOST
            });
            let name = engine.name;
            assert!(is_in_time, "{name}: expansions, and late ones, after {most:?}: {seen:?}");
        }
    }
}

/// The same where a token is cancelled.
#[test]
fn cancelling_is_noticed_when_expansions_become_slow() {
    for engine in engines() {
        let is_in_time = (0..TRIES).any(|_| {
            let token = CancelToken::new();
            let shared = token.clone();
            let problem = Sudden::new(Duration::from_millis(10), move || shared.is_cancelled());
            let limits = Limits::new().cancel(&token);
            let mut search = (engine.search)(&problem, limits, vec![(1, 0)]);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(40));
                    token.cancel();
                });
                let report = search.run().unwrap();
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
            });
            problem.expanded.get() > 50 && problem.late.get() <= LATE
        });
        assert!(is_in_time, "{}", engine.name);
    }
}
