//! The most used Rust crate for searching, `pathfinding`, over our problems: the same successor code,
//! heuristic and goal behind it.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use bestfirst::{SearchProblem, SuccessorBuffer};
use num_traits::Zero;
use rustc_hash::FxBuildHasher;

use super::lender::{Lender, Lent};
use super::memory;

/// Whether the rival gets a list of its own for every state, as most people and the examples of its
/// documentation do it, instead of a buffer that is lent to it.
pub static GETS_LISTS: AtomicBool = AtomicBool::new(false);

/// A problem in the form that the rival wants: three closures.
pub struct Rival<'p, P: SearchProblem> {
    problem: &'p P,
    lender: Lender<'p, P>,
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
    P: SearchProblem<Cost: Zero + Ord>,
{
    pub fn new(problem: &'p P, counts: bool) -> Self {
        let tally = counts.then(|| RefCell::new(Tally { expanded: 0, seen: HashSet::default() }));
        Self { problem, lender: Lender::new(problem), tally }
    }

    pub fn astar(&self, start: &P::State) -> Found<P::Cost> {
        let heuristic = |state: &P::State| self.problem.heuristic(state);
        let goal = |state: &P::State| self.problem.is_goal(state);
        let path = match &self.tally {
            None if GETS_LISTS.load(Relaxed) => {
                let next = |s: &P::State| self.lender.next(s).collect::<Vec<_>>();
                pathfinding::prelude::astar(start, next, heuristic, goal)
            }
            None => pathfinding::prelude::astar(start, |s| self.lender.next(s), heuristic, goal),
            Some(_) => pathfinding::prelude::astar(start, |s| self.counted(s), heuristic, goal),
        };
        self.found(path)
    }

    pub fn dijkstra(&self, start: &P::State) -> Found<P::Cost> {
        let goal = |state: &P::State| self.problem.is_goal(state);
        let path = match &self.tally {
            None if GETS_LISTS.load(Relaxed) => {
                let next = |s: &P::State| self.lender.next(s).collect::<Vec<_>>();
                pathfinding::prelude::dijkstra(start, next, goal)
            }
            None => pathfinding::prelude::dijkstra(start, |s| self.lender.next(s), goal),
            Some(_) => pathfinding::prelude::dijkstra(start, |s| self.counted(s), goal),
        };
        self.found(path)
    }

    pub fn idastar(&self, start: &P::State) -> Found<P::Cost> {
        let heuristic = |state: &P::State| self.problem.heuristic(state);
        let goal = |state: &P::State| self.problem.is_goal(state);
        // It stores nothing, so it is only counted how many states it expands.
        let path = match &self.tally {
            None if GETS_LISTS.load(Relaxed) => {
                let next = |s: &P::State| self.lender.next(s).collect::<Vec<_>>();
                pathfinding::prelude::idastar(start, next, heuristic, goal)
            }
            None => pathfinding::prelude::idastar(start, |s| self.lender.next(s), heuristic, goal),
            Some(tally) => {
                let next = |s: &P::State| {
                    tally.borrow_mut().expanded += 1;
                    self.lender.next(s)
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

    fn counted(&self, state: &P::State) -> Lent<'_, P> {
        if let Some(tally) = &self.tally {
            memory::unseen(|| {
                let mut tally = tally.borrow_mut();
                tally.expanded += 1;
                tally.seen.insert(state.clone());
                let mut next = SuccessorBuffer::new();
                self.problem.successors(state, &mut next);
                tally.seen.extend(next.drain().map(|next| next.state));
            });
        }
        self.lender.next(state)
    }
}
