//! An engine of one's own: plain depth-first search, here for the queens' problem. `Search` adds limits, statistics,
//! stops, resuming and reports to it.
//!
//! ```text
//! cargo run --example own_engine
//! ```

use bestfirst::engine::{Engine, ErrorOf, PathBy, Progress, Run};
use bestfirst::{
    FnProblem, Limits, Observer, Outcome, Path, Search, SearchProblem, StopReason, Successors,
};

/// The paths that are still open, the deepest last. It does not look for duplicates, so it is for spaces without cycles.
struct DepthFirst<P: SearchProblem> {
    problem: P,
    open: Vec<Path<P::State, P::Action, P::Cost>>,
}

impl<P: SearchProblem> Engine for DepthFirst<P> {
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
            match self.open.last().map(|path| self.problem.is_goal(path.end())) {
                None => return Ok(Progress::Exhausted),
                // The path stays where it is: it is the answer.
                Some(true) => return Ok(Progress::Found),
                Some(false) if left == 0 || run.is_interrupted() => break,
                Some(false) => {}
            }
            let Some(path) = self.open.pop() else { break };
            let mut next = Successors::<P>::new();
            self.problem.successors(path.end(), &mut next);
            run.stats_mut().expanded += 1;
            run.stats_mut().generated += next.len() as u64;
            for step in next.drain() {
                let mut longer = path.clone();
                longer.push(step.action, step.state, step.cost)?;
                self.open.push(longer);
            }
        }
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        bestfirst::Cost::ZERO
    }

    fn path(&mut self) -> Result<Option<PathBy<Self>>, ErrorOf<Self>> {
        let last = self.open.last();
        Ok(last.filter(|path| self.problem.is_goal(path.end())).cloned())
    }

    fn stored(&self) -> usize {
        self.open.len()
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.open = starts.into_iter().map(|(start, cost)| Path::at(start, cost)).collect();
    }

    fn set_problem(&mut self, problem: P) {
        self.problem = problem;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const SIZE: usize = 12;
    // A state is the column of the queen in each row so far; none attacks another.
    let is_safe = |queens: &[usize], column: usize| {
        let rows = queens.iter().rev().zip(1..);
        rows.into_iter().all(|(&queen, away)| queen != column && queen.abs_diff(column) != away)
    };
    let queens = FnProblem::new(
        |queens: &Vec<usize>| {
            let columns = (0..SIZE).filter(|&column| is_safe(queens, column));
            columns.map(|column| ([&queens[..], &[column]].concat(), 1_u32)).collect::<Vec<_>>()
        },
        |_| 0,
        |queens| queens.len() == SIZE,
    );
    let engine = || DepthFirst { problem: &queens, open: vec![Path::at(Vec::new(), 0)] };
    let mut search = Search::new(engine(), Limits::new().expansions(20), ());
    let report = search.run()?;
    assert!(matches!(report.outcome, Outcome::Stopped(StopReason::Expansions)));
    println!("stopped after {} expansions", report.stats.expanded);

    search.set_limits(Limits::new());
    let report = search.run()?;
    let path = report.path().ok_or("there is no solution")?;
    path.verify(&&queens)?;
    for &queen in path.end() {
        println!(
            "{}",
            (0..SIZE).map(|column| if column == queen { " Q" } else { " ." }).collect::<String>()
        );
    }
    println!("found after {} expansions", report.stats.expanded);
    assert_eq!(path.cost(), 12);
    // As many expansions as are needed are enough.
    let limits = Limits::new().expansions(report.stats.expanded);
    let report = Search::new(engine(), limits, ()).run()?;
    assert!(matches!(report.outcome, Outcome::Found(_)));
    Ok(())
}
