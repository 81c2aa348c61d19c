//! What a problem is told of the states that are expanded soon.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;

use bestfirst::{Dijkstra, FnProblem, Limits, Pareto, SearchProblem, Successors};

/// A torus of cells with steps of irregular costs: a graph that takes note of what it is told.
struct Torus<A> {
    width: u32,
    action: PhantomData<A>,
    /// The number of expansions when the problem was told of a cell for the first time.
    told: RefCell<Vec<Option<u32>>>,
    expanded: Cell<u32>,
    /// Of how many cells the problem was told at least so many expansions before they were expanded.
    early: Cell<u32>,
}

const EARLY: u32 = 20;

impl<A: Clone + Default> SearchProblem for Torus<A> {
    type State = u32;
    type Action = A;
    type Cost = u32;

    fn successors(&self, &cell: &u32, next: &mut Successors<Self>) {
        let told = self.told.borrow()[cell as usize];
        self.early.set(
            self.early.get() + u32::from(told.is_some_and(|at| at + EARLY <= self.expanded.get())),
        );
        self.expanded.set(self.expanded.get() + 1);
        let count = self.width * self.width;
        for (way, by) in (0..).zip([1, count - 1, self.width, count - self.width]) {
            let to = (cell + by) % count;
            next.push(A::default(), to, 1 + (to.wrapping_mul(2_654_435_761) >> (20 + way)) % 50);
        }
    }

    fn heuristic(&self, _: &u32) -> u32 {
        0
    }

    fn is_goal(&self, _: &u32) -> bool {
        false
    }

    fn prefetch(&self, &cell: &u32) {
        self.told.borrow_mut()[cell as usize].get_or_insert(self.expanded.get());
    }
}

/// Expands `most` cells of a torus; returns how many of them the problem was told of early.
fn told_early<A: Clone + Default>(width: u32, most: u32) -> u32 {
    let problem = Torus::<A> {
        width,
        action: PhantomData,
        told: RefCell::new(vec![None; (width * width) as usize]),
        expanded: Cell::new(0),
        early: Cell::new(0),
    };
    let limits = Limits::new().expansions(most.into());
    let report = Dijkstra::new(&problem).limits(limits).search(0).run().expect("costs are small");
    assert_eq!(report.stats.expanded, u64::from(most));
    assert_eq!(problem.expanded.get(), most);
    problem.early.get()
}

/// A guess of what is expanded next is too late for the memory of a list, and sometimes wrong.
#[test]
fn a_large_graph_is_told_of_most_states_long_before_they_are_expanded() {
    // It has 32,768 states after some 32,000 expansions.
    let (before, after) = (told_early::<()>(300, 30_000), told_early::<()>(300, 80_000));
    assert_eq!(before, 0);
    assert!(after > 40_000, "{after} of some 48,000");
    // Edges with numbers, as those of petgraph.
    assert_eq!(told_early::<u32>(300, 80_000), after);
    // A map, whose successors are in no lists.
    let on_a_map = told_early::<u8>(300, 80_000);
    assert!(on_a_map < 1_000, "{on_a_map}");
}

/// Labels that turn out to be dominated are freed, perhaps as soon as they became open.
#[test]
fn a_large_graph_is_told_of_no_label_that_is_freed() {
    // Of the two equal steps one is dominated by the other, when that is closed.
    let twice = FnProblem::new(
        |&n: &u32| [n + 1, n + 1].map(|next| (next, [1_u32, 1])),
        |_: &u32| [0, 0],
        |&n: &u32| n == 50_000,
    );
    let report = Pareto::new(&twice).search(0).run().expect("costs are small");
    assert_eq!(report.cost(), Some([50_000, 50_000]));
}
