//! The stored states of partial-expansion A* beside those of A*. The counts are exact, the same on every machine.
//!
//! ```text
//! cargo bench --bench partial_expansion                     a table
//! cargo bench --bench partial_expansion -- --markdown       puts it into BENCHMARKS.md
//! ```

use bestfirst::problems::grid_map::{Cell, FourWay, GridMap};
use bestfirst::problems::pancake::PancakePuzzle;
use bestfirst::{AStar, PartialExpansion, SearchProblem, Stats, Successors};

use support::page::{self, Table, thousands};

mod support {
    pub mod page;
}

/// The counts of both engines for the same cost.
fn compare<P: SearchProblem>(problem: &P, start: P::State) -> [Stats; 2] {
    let whole = AStar::new(problem).search(start.clone()).run().expect("it is a sound problem");
    let partial = PartialExpansion::new(problem).search(start).run().expect("the same");
    assert_eq!(whole.cost(), partial.cost(), "both are optimal");
    [whole.stats, partial.stats]
}

/// The alignment of three sequences, as in the example of that name, by unit costs.
struct Alignment {
    sequences: [Vec<u8>; 3],
    /// For each two sequences, what the best alignment of their ends costs.
    ends: [Vec<Vec<u32>>; 3],
}

const PAIRS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

impl Alignment {
    fn new(sequences: [String; 3]) -> Self {
        let sequences = sequences.map(String::into_bytes);
        let ends = PAIRS.map(|(a, b)| {
            let (a, b) = (&sequences[a], &sequences[b]);
            let mut costs = vec![vec![u32::MAX; b.len() + 1]; a.len() + 1];
            costs[a.len()][b.len()] = 0;
            for i in (0..=a.len()).rev() {
                for j in (0..=b.len()).rev() {
                    let mut relax = |from: (usize, usize), cost: u32| {
                        if let Some(&known) = costs.get(from.0).and_then(|row| row.get(from.1)) {
                            costs[i][j] = costs[i][j].min(known.saturating_add(cost));
                        }
                    };
                    relax((i + 1, j), 1);
                    relax((i, j + 1), 1);
                    relax((i + 1, j + 1), u32::from(a.get(i) != b.get(j)));
                }
            }
            costs
        });
        Self { sequences, ends }
    }
}

impl SearchProblem for Alignment {
    type State = [u16; 3];
    type Action = ();
    type Cost = u32;

    fn successors(&self, state: &[u16; 3], next: &mut Successors<Self>) {
        for column in 1..8_u8 {
            let letter = |nth: usize| {
                let takes = column >> nth & 1 == 1;
                takes.then(|| self.sequences[nth].get(usize::from(state[nth])))
            };
            let letters = [0, 1, 2].map(letter);
            if letters.contains(&Some(None)) {
                continue;
            }
            let cost = PAIRS.map(|(a, b)| u32::from(letters[a] != letters[b]));
            let after = [0, 1, 2].map(|nth| state[nth] + u16::from(letters[nth].is_some()));
            next.push((), after, cost.iter().sum());
        }
    }

    fn heuristic(&self, state: &[u16; 3]) -> u32 {
        let rest = |(nth, (a, b)): (usize, (usize, usize))| {
            self.ends[nth][usize::from(state[a])][usize::from(state[b])]
        };
        PAIRS.into_iter().enumerate().map(rest).sum()
    }

    fn is_goal(&self, state: &[u16; 3]) -> bool {
        (0..3).all(|nth| usize::from(state[nth]) == self.sequences[nth].len())
    }
}

/// Sequences that differ from each other in every fifth letter or so.
fn sequences(letters: usize) -> [String; 3] {
    let mut random = 7_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) % below
    };
    let letter = |number| char::from(b"ACGT"[usize::try_from(number).expect("below 4")]);
    let ancestor: Vec<char> = (0..letters).map(|_| letter(next(4))).collect();
    [0, 1, 2].map(|_| {
        let mut sequence = String::new();
        for &old in &ancestor {
            match next(20) {
                0 => {}
                1 => sequence.extend([old, letter(next(4))]),
                2 | 3 => sequence.push(letter(next(4))),
                _ => sequence.push(old),
            }
        }
        sequence
    })
}

fn main() {
    let markdown = std::env::args().any(|word| word == "--markdown");
    if !std::env::args().any(|word| word == "--bench") {
        println!("a benchmark: run it by `cargo bench --bench partial_expansion`");
        return;
    }
    let mut rows = Vec::new();
    let puzzle = PancakePuzzle::new(16).expect("a legal size");
    let stack: Vec<u8> = vec![7, 12, 1, 15, 4, 10, 0, 8, 13, 2, 5, 11, 3, 14, 9, 6];
    for k in [0, 1] {
        let puzzle = puzzle.gap(k);
        let start = puzzle.stack(&stack).expect("a permutation");
        rows.push((format!("16 pancakes, GAP-{k}"), compare(&puzzle, start)));
    }
    let map = GridMap::new(400, 400, |_| true).expect("a legal size");
    let route = map.route_by::<FourWay>(Cell { x: 399, y: 399 });
    rows.push(("empty grid 400², four ways".to_owned(), compare(&route, Cell { x: 0, y: 0 })));
    for letters in [60, 120, 240] {
        let sequences = sequences(letters);
        let problem = Alignment::new(sequences);
        rows.push((format!("three sequences of {letters} letters"), compare(&problem, [0; 3])));
    }
    let heading =
        vec!["problem", "stored by A\\*", "partial", "part", "expanded by A\\*", "partial"];
    let row = |(name, [whole, partial]): (String, [Stats; 2])| {
        #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
        let part = partial.stored as f64 / whole.stored as f64;
        let [stored, less] = [whole.stored, partial.stored].map(thousands);
        let [expanded, again] = [whole.expanded, partial.expanded].map(thousands);
        vec![name, stored, less, format!("{part:.3}"), expanded, again]
    };
    let table = Table { heading, rows: rows.into_iter().map(row).collect() }.markdown();
    print!("{table}");
    if markdown {
        let circumstances = page::circumstances("partial_expansion");
        page::publish("partial_expansion", &format!("{circumstances}\n\n{table}"));
    }
}
