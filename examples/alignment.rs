//! The alignment of three sequences, by A* and by partial-expansion A*, which was made for it: most successors cost
//! too much to be needed, and are not stored.
//!
//! ```text
//! cargo run --release --example alignment -- ACGT ACT AGT
//! ```

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use bestfirst::{AStar, PartialExpansion, SearchProblem, Successors};

/// A pair of letters that differ costs 1, and a letter beside a gap costs 2.
const MISMATCH: u32 = 1;
const GAP: u32 = 2;

/// The alignment of three sequences.
struct Alignment {
    sequences: [Vec<char>; 3],
    /// For each two sequences, what the best alignment of their ends costs: from every place in one, to every place in
    /// the other.
    ends: [Vec<Vec<u32>>; 3],
}

const PAIRS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

impl Alignment {
    fn new(sequences: [&str; 3]) -> Self {
        let sequences = sequences.map(|sequence| sequence.chars().collect::<Vec<_>>());
        let ends = PAIRS.map(|(a, b)| ends(&sequences[a], &sequences[b]));
        Self { sequences, ends }
    }
}

/// What the best alignment of the ends of two sequences costs, from every pair of places on.
fn ends(a: &[char], b: &[char]) -> Vec<Vec<u32>> {
    let mut costs = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in (0..=a.len()).rev() {
        for j in (0..=b.len()).rev().filter(|&j| i < a.len() || j < b.len()) {
            let both = || costs[i + 1][j + 1] + if a[i] == b[j] { 0 } else { MISMATCH };
            costs[i][j] = [
                (i < a.len() && j < b.len()).then(both),
                (i < a.len()).then(|| costs[i + 1][j] + GAP),
                (j < b.len()).then(|| costs[i][j + 1] + GAP),
            ]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(0);
        }
    }
    costs
}

impl SearchProblem for Alignment {
    /// How many letters of each sequence are aligned.
    type State = [u16; 3];
    /// Which sequences give a letter to the next column, a bit each; the others have a gap there.
    type Action = u8;
    type Cost = u32;

    fn successors(&self, state: &[u16; 3], next: &mut Successors<Self>) {
        for column in 1..8_u8 {
            let takes = |sequence: usize| column >> sequence & 1 == 1;
            let letter = |sequence: usize| self.sequences[sequence].get(state[sequence] as usize);
            if (0..3).any(|sequence| takes(sequence) && letter(sequence).is_none()) {
                continue;
            }
            let cost = PAIRS.map(|(a, b)| match (takes(a), takes(b)) {
                (true, true) if letter(a) != letter(b) => MISMATCH,
                (true, false) | (false, true) => GAP,
                _ => 0,
            });
            let after = [0, 1, 2].map(|sequence| state[sequence] + u16::from(takes(sequence)));
            next.push(column, after, cost.iter().sum());
        }
    }

    /// Each pair of sequences costs at least as much as if it were alone.
    fn heuristic(&self, state: &[u16; 3]) -> u32 {
        let rest = |(ends, (a, b)): (&Vec<Vec<u32>>, (usize, usize))| {
            ends[state[a] as usize][state[b] as usize]
        };
        self.ends.iter().zip(PAIRS).map(rest).sum()
    }

    fn is_goal(&self, state: &[u16; 3]) -> bool {
        (0..3).all(|sequence| state[sequence] as usize == self.sequences[sequence].len())
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
    let words = std::env::args_os().skip(1).map(OsString::into_string);
    let words = words.collect::<Result<Vec<_>, _>>();
    let words = words.map_err(|word| format!("`{}`: give letters in UTF-8", word.display()))?;
    let given = [
        "GATTACAGGCTTAACGATTCAGGTACCATTGACGGATCAATGC",
        "GATACAGCTTAACGTTTCAGGACCATTGTCGGATCATGCA",
        "CATTACAGGCTAACGATCAGGTACATTGACGCATCAAGC",
    ];
    let sequences = match &words[..] {
        [] => given,
        [a, b, c] if words.iter().all(|word| word.chars().count() <= 10_000) => {
            [a, b, c].map(String::as_str)
        }
        _ => return Err("give three sequences of at most 10,000 letters, or none".into()),
    };
    let problem = Alignment::new(sequences);
    let whole = AStar::new(&problem).search([0; 3]).run()?;
    let partial = PartialExpansion::new(&problem).search([0; 3]).run()?;
    let path = partial.path().ok_or("sequences can always be aligned")?;
    let mut out = io::stdout().lock();
    for (number, sequence) in problem.sequences.iter().enumerate() {
        let mut letters = sequence.iter().copied();
        let column = |&column: &u8| match column >> number & 1 {
            1 => letters.next().unwrap_or(' '),
            _ => '-',
        };
        writeln!(out, "{}", path.actions().map(column).collect::<String>())?;
    }
    let [all, some] = [whole.stats.stored, partial.stats.stored];
    writeln!(out, "A* stored {all} states, partial expansion {some}")?;
    assert_eq!(whole.cost(), partial.cost());
    writeln!(out, "cost {}", path.cost())?;
    Ok(())
}
