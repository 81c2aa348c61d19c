//! The most used Rust crate for searching, `pathfinding`, over our problems: the same successor code,
//! heuristic and goal behind it, and nothing allocated or copied that it does not ask for itself.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::Hash;

use bestfirst::{Cost, SearchProblem, Successors};
use num_traits::Zero;
use rustc_hash::FxBuildHasher;

use super::memory;

/// A problem in the form that the rival wants: three closures.
pub struct Rival<'p, P: SearchProblem> {
    problem: &'p P,
    /// The buffer of successors, lent to the iterator that the rival gets and returned by it.
    buffer: Cell<Successors<P>>,
    /// What is counted, in a run that is not timed.
    tally: Option<RefCell<Tally<P::State>>>,
}

/// Everything that a search generated and how often it asked for successors.
struct Tally<S> {
    expanded: u64,
    seen: HashSet<S, FxBuildHasher>,
}

/// What a search found out: nothing is counted in timed runs.
#[derive(Clone, Copy, Default)]
pub struct Found<C> {
    pub cost: Option<C>,
    pub expanded: u64,
    pub stored: u64,
}

impl<'p, P> Rival<'p, P>
where
    P: SearchProblem<State: Hash + Eq, Cost: Zero + Ord>,
{
    pub fn new(problem: &'p P, counts: bool) -> Self {
        let tally = counts.then(|| RefCell::new(Tally { expanded: 0, seen: HashSet::default() }));
        Self { problem, buffer: Cell::default(), tally }
    }

    pub fn astar(&self, start: &P::State) -> Found<P::Cost> {
        let heuristic = |state: &P::State| self.problem.heuristic(state);
        let goal = |state: &P::State| self.problem.is_goal(state);
        let path = match &self.tally {
            None => pathfinding::prelude::astar(start, |s| self.next(s), heuristic, goal),
            Some(_) => pathfinding::prelude::astar(start, |s| self.counted(s), heuristic, goal),
        };
        self.found(path)
    }

    pub fn dijkstra(&self, start: &P::State) -> Found<P::Cost> {
        let goal = |state: &P::State| self.problem.is_goal(state);
        let path = match &self.tally {
            None => pathfinding::prelude::dijkstra(start, |s| self.next(s), goal),
            Some(_) => pathfinding::prelude::dijkstra(start, |s| self.counted(s), goal),
        };
        self.found(path)
    }

    pub fn idastar(&self, start: &P::State) -> Found<P::Cost> {
        let heuristic = |state: &P::State| self.problem.heuristic(state);
        let goal = |state: &P::State| self.problem.is_goal(state);
        // It stores nothing, so it is only counted how many states it expands.
        let path = match &self.tally {
            None => pathfinding::prelude::idastar(start, |s| self.next(s), heuristic, goal),
            Some(tally) => {
                let next = |s: &P::State| {
                    tally.borrow_mut().expanded += 1;
                    self.next(s)
                };
                pathfinding::prelude::idastar(start, next, heuristic, goal)
            }
        };
        self.found(path)
    }

    fn found(&self, path: Option<(Vec<P::State>, P::Cost)>) -> Found<P::Cost> {
        let cost = path.map(|(path, cost)| {
            std::hint::black_box(path);
            cost
        });
        let Some(tally) = &self.tally else { return Found { cost, expanded: 0, stored: 0 } };
        let mut tally = tally.borrow_mut();
        let expanded = std::mem::take(&mut tally.expanded);
        let stored = tally.seen.len() as u64;
        memory::unseen(|| tally.seen = HashSet::default());
        Found { cost, expanded, stored }
    }

    #[inline]
    pub fn next(&self, state: &P::State) -> Lent<'_, P> {
        let mut buffer = self.buffer.take();
        buffer.clear();
        self.problem.successors(state, &mut buffer);
        Lent { owner: &self.buffer, buffer, next: 0 }
    }

    fn counted(&self, state: &P::State) -> Lent<'_, P> {
        let lent = self.next(state);
        if let Some(tally) = &self.tally {
            let mut tally = tally.borrow_mut();
            tally.expanded += 1;
            memory::unseen(|| {
                tally.seen.insert(state.clone());
                tally.seen.extend(lent.buffer.as_slice().iter().map(|next| next.state.clone()));
            });
        }
        lent
    }
}

/// The successors of one state, in a buffer that goes back where it came from.
pub struct Lent<'b, P: SearchProblem> {
    owner: &'b Cell<Successors<P>>,
    buffer: Successors<P>,
    next: usize,
}

impl<P: SearchProblem<Cost: Cost>> Iterator for Lent<'_, P> {
    type Item = (P::State, P::Cost);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let successor = self.buffer.as_slice().get(self.next)?;
        self.next += 1;
        Some((successor.state.clone(), successor.cost))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.buffer.len() - self.next;
        (left, Some(left))
    }
}

impl<P: SearchProblem> Drop for Lent<'_, P> {
    #[inline]
    fn drop(&mut self) {
        self.owner.set(std::mem::take(&mut self.buffer));
    }
}
