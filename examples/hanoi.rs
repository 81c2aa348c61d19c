//! The towers of Hanoi with four pegs, solved from both ends.
//!
//! ```text
//! cargo run --release --example hanoi -- 12
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use bestfirst::{Bidirectional, Dijkstra, Reversible, SearchProblem, Successors};

/// All discs are to come from the first peg to the last one.
struct Hanoi {
    discs: u32,
}

impl SearchProblem for Hanoi {
    /// Two bits for each disc, from the smallest on: its peg.
    type State = u64;
    /// From which peg to which.
    type Action = (u64, u64);
    type Cost = u32;

    fn successors(&self, &state: &u64, next: &mut Successors<Self>) {
        let top = |peg| (0..self.discs).find(|disc| state >> (2 * disc) & 3 == peg);
        for from in 0..4 {
            let Some(disc) = top(from) else { continue };
            for to in (0..4).filter(|&to| top(to).is_none_or(|below| disc < below)) {
                next.push((from, to), state ^ (from ^ to) << (2 * disc), 1);
            }
        }
    }

    fn is_goal(&self, &state: &u64) -> bool {
        state == (1 << (2 * self.discs)) - 1
    }
}

impl Reversible for Hanoi {
    fn predecessors(&self, state: &u64, previous: &mut Successors<Self>) {
        // A disc that went from one peg to the other could go back.
        let first = previous.len();
        self.successors(state, previous);
        for step in previous.as_mut_slice().iter_mut().skip(first) {
            step.action = (step.action.1, step.action.0);
        }
    }

    fn goals(&self) -> impl Iterator<Item = u64> {
        [(1 << (2 * self.discs)) - 1].into_iter()
    }
}

fn main() -> ExitCode {
    let Err(fault) = solve() else { return ExitCode::SUCCESS };
    if fault.downcast_ref().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS; // nobody reads on
    }
    eprintln!("{fault}");
    ExitCode::from(2)
}

fn solve() -> Result<(), Box<dyn Error>> {
    let word = std::env::args_os().nth(1).unwrap_or("9".into());
    let discs = word.to_str().and_then(|word| word.parse().ok());
    let wrong = || format!("`{}`: give a number of discs from 1 to 31", word.display());
    let discs = discs.filter(|discs| (1..=31).contains(discs)).ok_or_else(wrong)?;
    let mut out = io::stdout().lock();
    let hanoi = Hanoi { discs };
    let report = Bidirectional::new(&hanoi).dijkstra().least_step(1).search(0).run()?;
    let moves = report.cost().ok_or("the last peg can always be reached")?;
    writeln!(out, "{moves} moves, {} states expanded from both ends", report.stats.expanded)?;
    let report = Dijkstra::new(&hanoi).search(0).run()?;
    writeln!(out, "{} states expanded from one end", report.stats.expanded)?;
    Ok(())
}
