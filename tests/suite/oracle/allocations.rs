//! No hidden price: in the steady state an expansion allocates nothing.

use bestfirst::frontier::{IndexedQueue, LazyHeap};
use bestfirst::{AStar, Limits, Outcome};

use support::engines::{engines, erased};
use support::mesh::Mesh;

const NODES: u32 = 4_000;

/// The second search with the same memory: what it allocates is its report.
#[test]
fn best_first_engines_allocate_nothing_when_begun_anew() {
    let mesh = Mesh::new(NODES);
    macro_rules! run_twice {
        ($($search:expr),* $(,)?) => {$(
            let name = stringify!($search);
            let mut search = $search.search(1);
            let first = search.run().unwrap();
            assert_eq!(first.outcome, Outcome::Exhausted);
            assert!(first.stats.expanded > 3_200, "{name}");
            search.restart(1);
            let before = crate::counting::calls();
            let second = search.run().unwrap();
            let calls = crate::counting::calls() - before;
            assert!(calls <= 24, "{name}: {calls} for {} expansions", second.stats.expanded);
        )*};
    }
    let mesh = erased(&mesh);
    run_twice!(
        AStar::new(mesh),
        AStar::new(mesh).frontier(LazyHeap::new()),
        AStar::new(mesh).frontier(IndexedQueue::new()),
        AStar::new(mesh).dense(),
        AStar::new(mesh).dense().frontier(LazyHeap::new()),
        AStar::new(mesh).dense().frontier(IndexedQueue::new()),
    );
}

/// A first search allocates where it grows, and that is seldom.
#[test]
fn engines_that_remember_states_allocate_only_to_grow() {
    // So many states that they are found by their numbers, and few costs, as there is a list for each.
    let mesh = Mesh { dearest: 5, ..Mesh::new(6_000) };
    for engine in engines().into_iter().filter(support::engines::Engine::remembers) {
        let before = crate::counting::calls();
        let mut search = (engine.search)(&mesh, Limits::new().expansions(5_000), vec![(1, 0)]);
        let report = search.run().unwrap();
        let calls = crate::counting::calls() - before;
        let expanded = report.stats.expanded;
        assert!(calls < expanded / 50, "{}: {calls} for {expanded}", engine.name);
    }
}

/// IDA* allocates while its path grows longer than any before, and never after that.
#[test]
fn depth_first_engines_allocate_nothing() {
    let mesh = Mesh::new(NODES);
    for engine in engines().into_iter().filter(|engine| !engine.remembers()) {
        let limits = Limits::new().expansions(3_000);
        let mut search = (engine.search)(&mesh, limits, vec![(1, 0)]);
        drop(search.run());
        search.set_limits(Limits::new().expansions(9_000));
        let before = crate::counting::calls();
        let report = search.run().unwrap();
        let calls = crate::counting::calls() - before;
        assert_eq!(report.stats.expanded, 9_000, "{}", engine.name);
        assert!(calls <= 16, "{}: {calls}", engine.name);
    }
}
