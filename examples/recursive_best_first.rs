//! Recursive best-first search as an engine of one's own: it expands states in the order of *f*, in memory that is
//! linear in the length of a path. It stores the path that it is on and the siblings of the states on it. Of each
//! subtree that it leaves, it keeps the least *f*, and it generates the subtree again when it returns. A state that is
//! on the path already is skipped. It is for costs that are not negative and a heuristic that is admissible. `Search`
//! adds limits, stops, resuming and reports. It keeps no account of its memory, and tells observers nothing.
//!
//! Source: R. E. Korf, *Linear-space best-first search*, Artificial Intelligence 62, 1993.
//!
//! ```text
//! cargo run --example recursive_best_first
//! ```

use bestfirst::engine::{Engine, ErrorOf, PathBy, Progress, Run};
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{Cost, FnProblem, Limits, Observer, Outcome, Path, Search, SearchError};
use bestfirst::{SearchProblem, StopReason, Successors};

/// A state that was generated, and the step to it. A start has no action; its step costs what the start costs.
struct Node<P: SearchProblem> {
    state: P::State,
    action: Option<P::Action>,
    cost: P::Cost,
    g: P::Cost,
    /// The largest lower bound that is known on the solutions through the node.
    f: P::Cost,
}

/// The levels are the calls of the recursion: each has the successors of one state, the first one has the starts.
struct RecursiveBestFirst<P: SearchProblem> {
    problem: P,
    /// For each level, where its nodes begin, and the least *f* outside of it: if all its nodes have a larger one, the
    /// search leaves it.
    levels: Vec<(usize, P::Cost)>,
    /// The nodes of all levels. In each level but the last, the last node is the parent of the next level.
    nodes: Vec<Node<P>>,
    /// Nodes for the last level. Until they are checked, their *g* and *f* are those of the parent.
    next: Vec<Node<P>>,
    /// The error of a path that was skipped, as its cost does not fit into its type.
    skipped: Option<SearchError<P::Cost>>,
}

impl<P: SearchProblem<Cost: Ord>> RecursiveBestFirst<P> {
    fn new(problem: P, start: P::State) -> Self {
        let mut this = Self { problem, levels: vec![], nodes: vec![], next: vec![], skipped: None };
        this.restart([(start, Cost::ZERO)]);
        this
    }

    /// The expanded nodes of the path that the search is on, from the start.
    fn ancestors(&self) -> impl Iterator<Item = &Node<P>> {
        self.levels.iter().filter_map(|&(first, _)| self.nodes[..first].last())
    }

    /// Checks the nodes for the last level, and adds those that may be on a cheapest path.
    fn add_next(&mut self) -> Result<(), SearchError<P::Cost>> {
        for Node { state, action, cost, g: before, f: least } in std::mem::take(&mut self.next) {
            let h = self.problem.heuristic(&state).max(Cost::ZERO);
            let h = if self.problem.is_goal(&state) { Cost::ZERO } else { h };
            if let Some(value) = [cost, h].into_iter().find(|value| !value.is_number()) {
                return Err(SearchError::NotANumber { g: before, value });
            } else if !cost.is_step() {
                return Err(SearchError::NegativeCost { g: before, step: cost });
            } else if h == Cost::INFINITY || self.ancestors().any(|node| node.state == state) {
                continue;
            }
            let sum = |g: P::Cost, c| g.checked_add(c).ok_or(SearchError::Overflow { g, added: c });
            match sum(before, cost).and_then(|g| Ok((g, sum(g, h)?))) {
                // A bound for the parent is one for its successors, too.
                Ok((g, f)) => self.nodes.push(Node { state, action, cost, g, f: f.max(least) }),
                Err(overflow) => self.skipped = Some(overflow),
            }
        }
        Ok(())
    }

    /// Leaves levels until the last node has the least *f* of all that are not expanded. Returns the last level.
    fn back_up(&mut self) -> Option<(usize, P::Cost)> {
        loop {
            let &(first, bound) = self.levels.last()?;
            self.nodes[first..].sort_by_key(|node| std::cmp::Reverse(node.f));
            let least = self.nodes[first..].last().map(|node| node.f);
            if least.is_some_and(|f| f <= bound) {
                return Some((first, bound));
            }
            self.levels.pop();
            self.nodes.truncate(first);
            // If no successor is left, no solution is below the parent.
            let parent = self.nodes.pop();
            self.nodes.extend(parent.zip(least).map(|(parent, f)| Node { f, ..parent }));
        }
    }
}

impl<P: SearchProblem<Cost: Ord>> Engine for RecursiveBestFirst<P> {
    type Problem = P;
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn advance<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, ErrorOf<Self>> {
        for left in (0..=most).rev() {
            self.add_next()?;
            let (Some((first, bound)), Some(best)) = (self.back_up(), self.nodes.last()) else {
                return self.skipped.take().map_or(Ok(Progress::Exhausted), Err);
            };
            if run.exceeds_cost_limit(best.f) {
                return Ok(Progress::Stopped(StopReason::Cost));
            } else if self.problem.is_goal(&best.state) {
                return Ok(Progress::Found);
            } else if left == 0 || run.is_interrupted() {
                break;
            }
            let (mut next, g, f) = (Successors::<P>::new(), best.g, best.f);
            self.problem.successors(&best.state, &mut next);
            run.stats_mut().expanded += 1;
            run.stats_mut().generated += next.len() as u64;
            let nodes = next.drain().map(|step| (Some(step.action), step.state, step.cost));
            self.next.extend(nodes.map(|(action, state, cost)| Node { state, action, cost, g, f }));
            let others = self.nodes[first..].iter().rev().skip(1).map(|node| node.f);
            self.levels.push((self.nodes.len(), others.fold(bound, Ord::min)));
        }
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        // Before the first call of `advance`, the starts are in `next`, with zero as their *f*.
        self.nodes.last().or(self.next.last()).map_or(Cost::INFINITY, |node| node.f)
    }

    fn path(&mut self) -> Result<Option<PathBy<Self>>, ErrorOf<Self>> {
        let nodes = || self.ancestors().chain(self.nodes.last());
        let Some(start) = nodes().next() else { return Ok(None) };
        let mut path = Path::at(start.state.clone(), start.cost);
        for (node, action) in nodes().filter_map(|node| Some(node).zip(node.action.clone())) {
            path.push(action, node.state.clone(), node.cost)?;
        }
        Ok(Some(path).filter(|path| self.problem.is_goal(path.end())))
    }

    fn stored(&self) -> usize {
        self.nodes.len()
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        let node = |(state, cost)| Node { state, action: None, cost, g: Cost::ZERO, f: Cost::ZERO };
        self.next = starts.into_iter().map(node).collect();
        (self.levels, self.nodes, self.skipped) = (vec![(0, Cost::INFINITY)], vec![], None);
    }

    fn set_problem(&mut self, problem: P) {
        self.problem = problem;
    }
}

type Done = Result<(), Box<dyn std::error::Error>>;

/// Compares it, stopped after each of its expansions, with A*.
fn check<P: SearchProblem<Cost = u16>>(problem: &P, start: P::State) -> Done {
    let best = bestfirst::astar(problem, start.clone())?.cost();
    let engine = RecursiveBestFirst::new(problem, start);
    let mut search = Search::new(engine, Limits::new().expansions(0), ());
    let mut report = search.run()?;
    while let Outcome::Stopped(_) = report.outcome {
        assert!(best.is_none_or(|best| report.lower_bound <= best));
        search.set_limits(Limits::new().expansions(report.stats.expanded + 1));
        report = search.run()?;
    }
    assert_eq!(report.cost(), best);
    Ok(report.path().map_or(Ok(()), |path| path.verify(problem))?)
}

fn main() -> Done {
    let puzzle = SlidingTiles::<Packed>::new(3, 3)?;
    check(&puzzle, puzzle.state(&Board::parse("7 2 4 5 0 6 8 3 1", 3, 3)?)?)?;
    let mut random = 7_u64;
    let mut below = |most| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        u16::from(random.to_be_bytes()[0]) % most
    };
    for _ in 0..500 {
        // Two steps from each of nine states. The heuristic is the cost of the cheaper one; it is not consistent.
        let graph = [(); 9].map(|()| [(); 2].map(|()| (usize::from(below(9)), below(8))));
        let h = graph.map(|[one, other]| one.1.min(other.1));
        check(&FnProblem::new(|&at| graph[at], |&at| h[at], |&at| at == 8), 0)?;
    }
    let negative = RecursiveBestFirst::new(FnProblem::new(|_| [(1, -1)], |_| 0, |_| false), 0);
    let error = Search::new(negative, Limits::new(), ()).run().err();
    assert_eq!(error, Some(SearchError::NegativeCost { g: 0, step: -1 }));
    Ok(())
}
