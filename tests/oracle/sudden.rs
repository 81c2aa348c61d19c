//! Expansions that suddenly take ten thousand times as long.

use std::cell::Cell;
use std::time::{Duration, Instant};

use bestfirst::{
    CancelToken, DenseStates, InPlaceProblem, Limits, Outcome, SearchProblem, StopReason,
    Successors,
};

use crate::engines::engines;
use crate::mesh::Mesh;

/// A mesh whose expansions are quick at first.
struct Sudden {
    mesh: Mesh,
    quick: u64,
    /// How long the others take.
    slow: Duration,
    expanded: Cell<u64>,
}

impl Sudden {
    fn expand(&self) {
        self.expanded.set(self.expanded.get() + 1);
        if self.expanded.get() > self.quick {
            std::thread::sleep(self.slow);
        }
    }
}

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

/// A search is at most so late. It looks at the clock after at most ten expansions or so that took a tenth
/// of a microsecond before and take three milliseconds now.
const LATE: Duration = Duration::from_millis(60);

/// The clock was looked at after as many expansions as fitted into some milliseconds before.
#[test]
fn slow_expansions_after_quick_ones_are_noticed() {
    for (slow, most) in [(3, 50), (1, 200)].map(|(slow, most)| (ms(slow), ms(most))) {
        let mesh = Mesh::new(1 << 18);
        let problem = Sudden { mesh, quick: 500, slow, expanded: Cell::new(0) };
        for engine in engines() {
            // With the second limit, one of each kind is enough.
            if most > ms(100) && engine.name.contains(',') {
                continue;
            }
            let mut seen = Vec::new();
            // The machine may have other things to do.
            let is_in_time = (0..8).any(|_| {
                problem.expanded.set(0);
                let limits = Limits::new().time(most);
                let mut search = (engine.search)(&problem, limits, vec![(1, 0)]);
                let began = Instant::now();
                let report = search.run().unwrap();
                let took = began.elapsed();
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time), "{}", engine.name);
                let late = took.checked_sub(most).expect("not before the time is up");
                seen.push((problem.expanded.get(), late));
                // Else the quick ones took all the time.
                problem.expanded.get() > problem.quick && late <= LATE
            });
            let name = engine.name;
            assert!(is_in_time, "{name}: expansions and lateness after {most:?}: {seen:?}");
        }
    }
}

/// The same where a token is cancelled.
#[test]
fn cancelling_is_noticed_when_expansions_become_slow() {
    let mesh = Mesh::new(1 << 18);
    let problem = Sudden { mesh, quick: 500, slow: ms(3), expanded: Cell::new(0) };
    for engine in engines() {
        let is_in_time = (0..5).any(|_| {
            problem.expanded.set(0);
            let token = CancelToken::new();
            let limits = Limits::new().cancel(&token);
            let mut search = (engine.search)(&problem, limits, vec![(1, 0)]);
            let late = std::thread::scope(|scope| {
                let other = scope.spawn(|| {
                    std::thread::sleep(ms(40));
                    let cancelled = Instant::now();
                    token.cancel();
                    cancelled
                });
                let report = search.run().unwrap();
                let stopped = Instant::now();
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
                stopped.saturating_duration_since(other.join().unwrap())
            });
            late <= LATE
        });
        assert!(is_in_time, "{}", engine.name);
    }
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}
