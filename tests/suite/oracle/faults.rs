//! What goes wrong outside of the search does no harm in it: the system has no memory, or the user's
//! own code panics.

use std::cell::Cell;

use bestfirst::{
    AStar, BranchAndBound, BreadthFirst, DenseStates, IdaStar, InPlaceProblem, Limits, Observer,
    Outcome, SearchError, SearchProblem, StopReason, Successors,
};

use support::engines::{engines, erased};
use support::mesh::Mesh;
use support::panics::panics;
use support::random::{is_enough, rounds};

/// Lets a problem allocate while allocations of the search fail, as what states own and what a
/// problem does is not the search's to answer for.
struct Unhurt<P>(P);

impl<P: SearchProblem> SearchProblem for Unhurt<P> {
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn successors(&self, state: &P::State, next: &mut Successors<Self>) {
        let left = crate::counting::fail_at(0);
        self.0.successors(state, next);
        crate::counting::fail_at(left);
    }
    fn is_goal(&self, state: &P::State) -> bool {
        let found = self.0.is_goal(state);
        if found {
            // The path that follows is the report's.
            crate::counting::fail_at(0);
        }
        found
    }
}

impl<P: DenseStates> DenseStates for Unhurt<P> {
    fn state_count(&self) -> usize {
        self.0.state_count()
    }
    fn state_index(&self, state: &P::State) -> usize {
        self.0.state_index(state)
    }
    fn state_at(&self, index: usize) -> P::State {
        self.0.state_at(index)
    }
}

impl<P: InPlaceProblem> InPlaceProblem for Unhurt<P> {
    type Actions = P::Actions;
    type Undo = P::Undo;
    fn actions(&self, state: &P::State) -> P::Actions {
        self.0.actions(state)
    }
    fn apply(&self, state: &mut P::State, action: &P::Action) -> (P::Cost, P::Undo) {
        self.0.apply(state, action)
    }
    fn undo(&self, state: &mut P::State, undo: P::Undo) {
        self.0.undo(state, undo);
    }
}

/// Lets the first growth fail, and the second, and so on: the search says that it has no memory, and
/// going on it gives the answer that it would have given.
#[test]
fn every_growth_may_fail() {
    const MOST: u64 = 700;
    let mut refused = 0;
    for (_, (nodes, goal)) in (0..rounds(2)).zip([(50, 37), (150, 123)]) {
        let problem = Unhurt(Mesh { goal, dearest: 6, ..Mesh::new(nodes) });
        for engine in engines() {
            let limits = || Limits::new().expansions(MOST);
            let mut expected = (engine.search)(&problem, limits(), vec![(1, 0)]).run().unwrap();
            expected.stats.peak_bytes = 0;
            for nth in 1.. {
                let mut search = (engine.search)(&problem, limits(), vec![(1, 0)]);
                let before = crate::counting::failed();
                crate::counting::fail_at(nth);
                let mut stopped = false;
                let report = loop {
                    // One step at a time: no report is made in between, which would allocate.
                    match search.step() {
                        Ok(None) => {}
                        Ok(Some(report)) => {
                            let has_failed = crate::counting::failed() > before;
                            if matches!(report.outcome, Outcome::Stopped(StopReason::Memory)) {
                                assert!(has_failed && !stopped, "{}", engine.name);
                                stopped = true;
                                continue;
                            }
                            break report;
                        }
                        Err(error) => panic!("{}: {error}", engine.name),
                    }
                    if search.stats().expanded >= MOST - 1 {
                        // The report at the end is not the search's.
                        crate::counting::fail_at(0);
                    }
                };
                crate::counting::fail_at(0);
                let mut report = report;
                report.stats.peak_bytes = 0;
                assert_eq!(report, expected, "{}, growth {nth}", engine.name);
                if crate::counting::failed() == before {
                    assert!(nth > 2, "{} never grew", engine.name);
                    break;
                }
                refused += 1;
            }
        }
    }
    assert!(is_enough(refused, 600), "{refused}");
}

/// The same where the system has no memory from then on: it stops, and stays stopped.
#[test]
fn no_memory_at_all_is_an_answer() {
    let problem = Unhurt(Mesh::new(100_000));
    for engine in engines() {
        let mut search = (engine.search)(&problem, Limits::new().memory(0), vec![(1, 0)]);
        for _ in 0..3 {
            let report = search.run().unwrap();
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory), "{}", engine.name);
            assert_eq!(report.stats.expanded, 0);
        }
    }
}

/// Panics when it has been asked `left` times.
struct Fuse {
    mesh: Mesh,
    left: Cell<u32>,
    in_heuristic: bool,
}

impl Fuse {
    fn burn(&self) {
        let left = self.left.get();
        assert!(left > 0, "as planned");
        self.left.set(left - 1);
    }
}

impl SearchProblem for Fuse {
    type State = u32;
    type Action = u32;
    type Cost = i32;

    fn successors(&self, state: &u32, next: &mut Successors<Self>) {
        self.mesh.successors(state, next);
        if !self.in_heuristic {
            self.burn();
        }
    }
    fn heuristic(&self, _: &u32) -> i32 {
        if self.in_heuristic {
            self.burn();
        }
        0
    }
    fn is_goal(&self, _: &u32) -> bool {
        false
    }
}

impl DenseStates for Fuse {
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

impl InPlaceProblem for Fuse {
    type Actions = std::ops::Range<u32>;
    type Undo = u32;
    fn actions(&self, state: &u32) -> std::ops::Range<u32> {
        if !self.in_heuristic {
            self.burn();
        }
        self.mesh.actions(state)
    }
    fn apply(&self, state: &mut u32, action: &u32) -> (i32, u32) {
        self.mesh.apply(state, action)
    }
    fn undo(&self, state: &mut u32, undo: u32) {
        self.mesh.undo(state, undo);
    }
}

/// After a panic a search can still be asked, limited and dropped, and all memory comes back; going
/// on is an error, as it could only end in a wrong answer.
#[test]
fn a_panic_in_the_problem_leaves_the_search_sound() {
    let mut panicked = 0;
    for in_heuristic in [false, true] {
        for fuse in [0, 1, 2, 7, 50, 333] {
            let mesh = Mesh::new(3000);
            let problem = Fuse { mesh, left: Cell::new(fuse), in_heuristic };
            for engine in engines() {
                if in_heuristic && engine.name.starts_with("Dijkstra") {
                    continue;
                }
                // What a thread keeps of a small table is kept before that.
                problem.left.set(u32::MAX);
                let limits = Limits::new().expansions(1);
                drop((engine.search)(&problem, limits, vec![(1, 0)]).run());
                let before = crate::counting::held();
                problem.left.set(fuse);
                let limits = Limits::new().expansions(20_000);
                let mut search = (engine.search)(&problem, limits, vec![(1, 0)]);
                assert!(panics(|| drop(search.run())), "{}", engine.name);
                panicked += 1;
                problem.left.set(u32::MAX);
                let stats = search.stats();
                assert!(stats.expanded <= 340 && search.bytes() < 1 << 22);
                search.set_limits(Limits::new().expansions(stats.expanded + 100));
                assert_eq!(search.run(), Err(SearchError::Panicked));
                assert!(search.step().is_err());
                drop(search);
                assert!(crate::counting::held() - before < 4096, "{} gave all back", engine.name);
            }
        }
    }
    assert!(panicked > 100);
}

/// An observer that panics is no worse than a problem that does; and a best-first search can be begun
/// anew after it.
#[test]
fn a_panic_in_the_observer_leaves_the_search_sound() {
    struct Fragile(u32);
    impl Observer<u32, i32> for Fragile {
        fn expanded(&mut self, _: &u32, _: i32, _: i32) {
            self.0 -= 1;
            assert!(self.0 > 0, "as planned");
        }
    }
    let mesh = Mesh { goal: 77, ..Mesh::new(3000) };
    let expected = AStar::new(erased(&mesh)).search(1).run().unwrap().cost();
    assert!(expected.is_some());
    for fuse in [1, 2, 20] {
        let mut search = AStar::new(&mesh).observer(Fragile(fuse)).search(1);
        assert!(panics(|| drop(search.run())));
        search.observer().0 = u32::MAX;
        assert_eq!(search.run(), Err(SearchError::Panicked));
        search.restart(1);
        assert_eq!(search.run().unwrap().cost(), expected);
        let mut search = IdaStar::new(&mesh).observer(Fragile(fuse)).search(1);
        assert!(panics(|| drop(search.run())));
        let mut search = BranchAndBound::new(&mesh).observer(Fragile(fuse)).search(1);
        assert!(panics(|| drop(search.run())));
        assert_eq!(search.run(), Err(SearchError::Panicked));
        let mut search = BreadthFirst::new(&mesh).observer(Fragile(fuse)).search(1);
        assert!(panics(|| drop(search.run())));
        assert_eq!(search.run(), Err(SearchError::Panicked));
    }
}

/// A key that panics, or that is no order at all, is the user's own code like any other.
#[test]
fn a_key_that_panics_leaves_the_search_sound() {
    let mesh = Mesh { goal: 77, ..Mesh::new(300) };
    // What a thread keeps of a small table is kept before that.
    drop(BranchAndBound::new(&mesh).search(77).run());
    for fuse in [1, 2, 9] {
        let left = Cell::new(fuse);
        let before = crate::counting::held();
        let mut search = BranchAndBound::new(&mesh)
            .order_by(|_, g, _| {
                left.set(left.get() - 1);
                assert!(left.get() > 0, "as planned");
                g
            })
            .search(1);
        assert!(panics(|| drop(search.run())));
        left.set(u32::MAX);
        assert_eq!(search.run(), Err(SearchError::Panicked));
        assert!(search.bytes() < 1 << 20);
        drop(search);
        assert!(crate::counting::held() - before < 4096);
    }
}
