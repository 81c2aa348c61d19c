//! More than one way: how many cost the least energy, and the best ones in order.

use std::collections::HashMap;
use std::io::Write;

use amphipod::{BurrowProblem, Visitor, with_smallest};
use anstyle::Style;
use bestfirst::problems::amphipod::{Burrow, Energy, Move};
use bestfirst::{
    AllOptimal, Encode, KBest, Outcome, PathOf, ScalableCost, SearchError, StopReason,
};
use program::{Fault, Verdict, thousands};

use crate::solve::{Engine, Task};

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    /// How many ways cost the least energy.
    All,
    /// This many of the best ways.
    Best(u64),
}

/// Finds and prints the ways of one part of the puzzle.
pub fn print(
    (part, burrow): (&str, &Burrow),
    task: &Task,
    asked: Asked,
    is_quiet: bool,
    out: &mut impl Write,
) -> Result<Verdict, Fault> {
    let printer = Printer { part, task, asked, is_quiet, out };
    with_smallest(burrow, task.form, task.rules, printer).map_err(|fault| Fault::input(&fault))?
}

/// Finds ways and prints them.
struct Printer<'a, W> {
    part: &'a str,
    task: &'a Task,
    asked: Asked,
    is_quiet: bool,
    out: &'a mut W,
}

impl<W: Write> Visitor for Printer<'_, W> {
    type Output = Result<Verdict, Fault>;

    fn visit<const N: usize, C: Energy + Encode + ScalableCost>(
        mut self,
        problem: &BurrowProblem<N, C>,
    ) -> Self::Output {
        match self.asked {
            Asked::All => self.count(problem),
            Asked::Best(most) => self.list(problem, most),
        }
    }
}

impl<W: Write> Printer<'_, W> {
    fn count<const N: usize, C: Energy>(
        &mut self,
        problem: &BurrowProblem<N, C>,
    ) -> Result<Verdict, Fault> {
        let builder = AllOptimal::new(problem).limits(self.task.limits());
        let start = [problem.start()];
        let all = if self.task.engine == Engine::Dijkstra {
            let all = builder.dijkstra().search_from(start).find_all().map_err(explain)?;
            (all.stopped(), all.cost(), all.count(), all.state_count())
        } else {
            let all = builder.search_from(start).find_all().map_err(explain)?;
            (all.stopped(), all.cost(), all.count(), all.state_count())
        };
        let (stopped, energy, count, arrangements) = all;
        if let Some(reason) = stopped {
            return self.stopped(reason);
        }
        let Some(energy) = energy else { return self.no_solution() };
        if self.is_quiet {
            writeln!(self.out, "{count}")?;
            return Ok(Verdict::Solved);
        }
        let bold = Style::new().bold();
        let arrangements = thousands(arrangements);
        writeln!(
            self.out,
            "{}: {bold}{count}{bold:#} ways of the least energy {}, through {arrangements} arrangements\n",
            self.part,
            energy.to_u128(),
        )?;
        Ok(Verdict::Solved)
    }

    fn list<const N: usize, C: Energy>(
        &mut self,
        problem: &BurrowProblem<N, C>,
        wanted: u64,
    ) -> Result<Verdict, Fault> {
        if !self.is_quiet {
            writeln!(self.out, "{}:", self.part)?;
        }
        let (builder, start) = (KBest::new(problem).limits(self.task.limits()), [problem.start()]);
        let mut found = 0;
        let mut tree = Tree::default();
        let mut show = |path: Result<PathOf<&BurrowProblem<N, C>>, SearchError<C>>| {
            let path = path.map_err(explain)?;
            let energy = path.cost().to_u128();
            found += 1;
            if self.is_quiet {
                writeln!(self.out, "{energy}")?;
            } else {
                let frames = problem.frames(&path);
                let moves: Vec<_> = frames.iter().filter_map(|frame| frame.moved).collect();
                write!(self.out, "  {found}: energy {energy} in {} moves", moves.len())?;
                if let Some((other, at)) = tree.insert(found, &moves) {
                    write!(self.out, "; parts from {other} at move {}, {}", at + 1, moves[at])?;
                }
                writeln!(self.out)?;
            }
            Ok::<(), Fault>(())
        };
        let most = usize::try_from(wanted).unwrap_or(usize::MAX);
        // Why there are no more is asked only where there are fewer.
        let outcome = if self.task.engine == Engine::Dijkstra {
            let mut search = builder.dijkstra().search_from(start);
            search.by_ref().take(most).try_for_each(&mut show)?;
            (search.returned() < wanted).then(|| search.run())
        } else {
            let mut search = builder.search_from(start);
            search.by_ref().take(most).try_for_each(&mut show)?;
            (search.returned() < wanted).then(|| search.run())
        };
        let outcome = outcome.transpose().map_err(explain)?.map(|report| report.outcome);
        match outcome {
            None => {}
            Some(Outcome::Stopped(reason)) => return self.stopped(reason),
            _ if found == 0 => return self.no_solution(),
            _ if !self.is_quiet => writeln!(self.out, "  no other way")?,
            _ => {}
        }
        if !self.is_quiet {
            writeln!(self.out)?;
        }
        Ok(Verdict::Solved)
    }

    fn stopped(&mut self, reason: StopReason) -> Result<Verdict, Fault> {
        if self.is_quiet {
            writeln!(self.out, "stopped")?;
        } else {
            writeln!(self.out, "{}: stopped: {reason}\n", self.part)?;
        }
        Ok(Verdict::Stopped)
    }

    fn no_solution(&mut self) -> Result<Verdict, Fault> {
        if self.is_quiet {
            writeln!(self.out, "no solution")?;
        } else {
            writeln!(
                self.out,
                "{}: no solution: not all amphipods can reach their rooms\n",
                self.part
            )?;
        }
        Ok(Verdict::NoSolution)
    }
}

/// All ways that were printed, to tell those of the same energy apart.
#[derive(Default)]
struct Tree {
    /// From a node by a move to a node; the root is 0.
    next: HashMap<(usize, Move), usize>,
    /// For each node but the root, the first way through it.
    first: Vec<u64>,
}

impl Tree {
    /// Adds a way. Returns the earlier way that it follows longest, and which move is the first that differs.
    fn insert(&mut self, way: u64, moves: &[Move]) -> Option<(u64, usize)> {
        let (mut node, mut parts) = (0, None);
        for (at, &moved) in moves.iter().enumerate() {
            if let Some(&next) = self.next.get(&(node, moved)) {
                node = next;
                continue;
            }
            if parts.is_none() && way > 1 {
                let followed = node.checked_sub(1).map_or(1, |index| self.first[index]);
                parts = Some((followed, at));
            }
            self.first.push(way);
            self.next.insert((node, moved), self.first.len());
            node = self.first.len();
        }
        parts
    }
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` passes it")]
fn explain<C: std::fmt::Debug>(fault: SearchError<C>) -> Fault {
    Fault::input(&fault)
}
