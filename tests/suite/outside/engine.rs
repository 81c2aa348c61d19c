//! Two engines: rounds of Bellman and Ford, and depth-first search to a depth that rises.

use std::collections::HashMap;

use bestfirst::engine::{Engine, ErrorOf, PathBy, Progress, Run};
use bestfirst::{Cost, Observer, Path, PathOf, SearchError, SearchProblem, StopReason, Successors};

type Known<P> = HashMap<<P as SearchProblem>::State, (u32, Option<<P as SearchProblem>::State>)>;

/// Relaxes every step of every known state, in rounds, until a round improves nothing.
pub struct Rounds<P: SearchProblem> {
    problem: P,
    /// States in the order in which they were reached.
    states: Vec<P::State>,
    /// The cost of each, and its parent.
    known: Known<P>,
    /// Which state is next in this round.
    next: usize,
    has_improved: bool,
    is_done: bool,
}

impl<P: SearchProblem<Cost = u32>> Rounds<P> {
    pub fn new(problem: P, start: P::State) -> Self {
        let mut engine = Self {
            problem,
            states: Vec::new(),
            known: HashMap::new(),
            next: 0,
            has_improved: false,
            is_done: false,
        };
        engine.restart([(start, 0)]);
        engine
    }

    fn best(&self) -> Option<(u32, &P::State)> {
        let goals = self.states.iter().filter(|state| self.problem.is_goal(state));
        goals.map(|state| (self.known[state].0, state)).min_by_key(|&(cost, _)| cost)
    }
}

impl<P: SearchProblem<Cost = u32>> Engine for Rounds<P> {
    type Problem = P;
    type State = P::State;
    type Action = P::Action;
    type Cost = u32;

    fn advance<O: Observer<P::State, u32>>(
        &mut self,
        most: u64,
        run: &mut Run<u32, O>,
    ) -> Result<Progress, ErrorOf<Self>> {
        let mut left = most;
        loop {
            if self.next == self.states.len() {
                self.is_done |= !self.has_improved;
                if self.is_done {
                    return Ok(match self.best() {
                        Some((cost, _)) if run.exceeds_cost_limit(cost) => {
                            Progress::Stopped(StopReason::Cost)
                        }
                        Some(_) => Progress::Found,
                        None => Progress::Exhausted,
                    });
                }
                (self.next, self.has_improved) = (0, false);
            }
            if left == 0 {
                return Ok(Progress::Going);
            }
            let state = self.states[self.next].clone();
            let mut steps = Successors::<P>::new();
            self.problem.successors(&state, &mut steps);
            if run.memory().reserve(&mut self.states, steps.len()).is_err() {
                return Ok(Progress::Stopped(StopReason::Memory));
            }
            left -= 1;
            if run.is_new_layer(0) {
                run.enter_layer(0);
            }
            run.stats_mut().expanded += 1;
            run.stats_mut().generated += steps.len() as u64;
            self.next += 1;
            let g = self.known[&state].0;
            for step in steps.drain() {
                let sum = g
                    .checked_add(step.cost)
                    .ok_or(SearchError::Overflow { g, added: step.cost })?;
                run.observer_mut().generated(Some(&state), &step.state, sum);
                let known = self.known.get(&step.state).map(|&(g, _)| g);
                if known.is_none() {
                    self.states.push(step.state.clone());
                }
                if known.is_none_or(|known| sum < known) {
                    self.has_improved = true;
                    self.known.insert(step.state, (sum, Some(state.clone())));
                }
            }
        }
    }

    /// Nothing is known before the last round.
    fn lower_bound<O>(&mut self, _: &mut Run<u32, O>) -> u32 {
        if self.is_done { self.best().map_or(u32::INFINITY, |(cost, _)| cost) } else { 0 }
    }

    fn path(&mut self) -> Result<Option<PathBy<Self>>, ErrorOf<Self>> {
        let Some((_, goal)) = self.best().filter(|_| self.is_done) else { return Ok(None) };
        let mut states = vec![goal.clone()];
        while let Some(parent) = &self.known[&states[states.len() - 1]].1 {
            states.push(parent.clone());
        }
        states.reverse();
        path_through(&self.problem, states)
    }

    fn stored(&self) -> usize {
        self.states.len()
    }

    fn keeps_closed(&self) -> bool {
        true
    }

    fn closed_cost(&self, state: &P::State) -> Option<u32> {
        self.known.get(state).filter(|_| self.is_done).map(|&(cost, _)| cost)
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, u32)>) {
        self.states.clear();
        self.known.clear();
        for (start, cost) in starts {
            self.states.push(start.clone());
            self.known.insert(start, (cost, None));
        }
        (self.next, self.has_improved, self.is_done) = (0, true, false);
    }

    fn set_problem(&mut self, problem: P) {
        self.problem = problem;
    }
}

/// The path through these states by the cheapest steps.
fn path_through<P: SearchProblem<Cost = u32>>(
    problem: &P,
    states: Vec<P::State>,
) -> Result<Option<PathOf<P>>, SearchError<u32>> {
    let mut path: Option<PathOf<P>> = None;
    for state in states {
        let Some(path) = &mut path else {
            path = Some(Path::at(state, 0));
            continue;
        };
        let mut steps = Successors::<P>::new();
        problem.successors(path.end(), &mut steps);
        let steps = steps.drain().filter(|step| step.state == state);
        let step = steps.min_by_key(|step| step.cost).expect("it was there before");
        path.push(step.action, step.state, step.cost)?;
    }
    Ok(path)
}

/// Depth-first search to a depth that rises by one, of a problem whose steps all cost 1.
pub struct DeepeningSearch<P: SearchProblem> {
    problem: P,
    start: P::State,
    path: PathOf<P>,
    /// Of each state on the path, the successors that are not searched yet, the next one last.
    left: Vec<Successors<P>>,
    depth: usize,
    /// Whether any state lies deeper.
    is_cut: bool,
}

impl<P: SearchProblem<Cost = u32>> DeepeningSearch<P> {
    pub fn new(problem: P, start: P::State) -> Self {
        let path = Path::at(start.clone(), 0);
        Self { problem, start, path, left: Vec::new(), depth: 0, is_cut: true }
    }

    /// Goes on to the next state in the order of depth-first search; whether there is one.
    fn go_on(&mut self) -> Result<bool, SearchError<u32>> {
        while let Some(kept) = self.left.len().checked_sub(1) {
            let successors = &mut self.left[kept];
            if let Some(step) = successors.pop() {
                let mut path = Path::at(self.start.clone(), 0);
                for step in self.path.steps().take(kept) {
                    path.push(step.action.clone(), step.to.clone(), step.cost)?;
                }
                path.push(step.action, step.state, step.cost)?;
                self.path = path;
                return Ok(true);
            }
            self.left.pop();
        }
        Ok(false)
    }
}

/// An engine whose paths cost more with each expansion.
pub struct Dearer(pub u32);

impl Engine for Dearer {
    type Problem = ();
    type State = u8;
    type Action = ();
    type Cost = u32;

    fn advance<O: Observer<u8, u32>>(
        &mut self,
        most: u64,
        run: &mut Run<u32, O>,
    ) -> Result<Progress, ErrorOf<Self>> {
        let step = most.min(1);
        self.0 += u32::try_from(step).unwrap();
        run.stats_mut().expanded += step;
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, _: &mut Run<u32, O>) -> u32 {
        0
    }

    fn path(&mut self) -> Result<Option<PathBy<Self>>, ErrorOf<Self>> {
        Ok(Some(Path::at(0, self.0)))
    }

    fn stored(&self) -> usize {
        0
    }

    fn restart(&mut self, _: impl IntoIterator<Item = (u8, u32)>) {}

    fn set_problem(&mut self, (): ()) {}
}

impl<P: SearchProblem<Cost = u32>> Engine for DeepeningSearch<P> {
    type Problem = P;
    type State = P::State;
    type Action = P::Action;
    type Cost = u32;

    fn advance<O: Observer<P::State, u32>>(
        &mut self,
        most: u64,
        run: &mut Run<u32, O>,
    ) -> Result<Progress, ErrorOf<Self>> {
        for _ in 0..most {
            if self.problem.is_goal(self.path.end()) {
                return Ok(Progress::Found);
            }
            let mut next = Successors::<P>::new();
            self.problem.successors(self.path.end(), &mut next);
            run.stats_mut().expanded += 1;
            run.stats_mut().generated += next.len() as u64;
            if self.path.len() < self.depth {
                self.left.truncate(self.path.len());
                self.left.push(next);
            } else {
                self.is_cut |= !next.is_empty();
            }
            if !self.go_on()? {
                if !self.is_cut {
                    return Ok(Progress::Exhausted);
                }
                self.depth += 1;
                self.is_cut = false;
                self.path = Path::at(self.start.clone(), 0);
            }
        }
        Ok(if self.problem.is_goal(self.path.end()) { Progress::Found } else { Progress::Going })
    }

    /// All solutions of fewer steps would have been found.
    fn lower_bound<O>(&mut self, _: &mut Run<u32, O>) -> u32 {
        u32::try_from(self.depth).unwrap_or(u32::MAX)
    }

    fn path(&mut self) -> Result<Option<PathBy<Self>>, ErrorOf<Self>> {
        Ok(self.problem.is_goal(self.path.end()).then(|| self.path.clone()))
    }

    fn stored(&self) -> usize {
        self.path.len() + 1
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, u32)>) {
        if let Some((start, _)) = starts.into_iter().next() {
            self.start = start;
        }
        self.path = Path::at(self.start.clone(), 0);
        self.left.clear();
        (self.depth, self.is_cut) = (0, false);
    }

    fn set_problem(&mut self, problem: P) {
        self.problem = problem;
    }
}
