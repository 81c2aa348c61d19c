//! An experiment, as a template: a domain of one's own, a pattern database, an order of one's own, random instances
//! from a seed, a table of engines, and a certificate of each optimum. It prints a row for each report, as
//! comma-separated values. Into a folder, if one is named, it writes these rows, a row for each layer, and the certificates.
//!
//! ```text
//! cargo run --release --features serde --example research -- FOLDER
//! ```

use std::cmp::Reverse;
use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

use bestfirst::certificate::{self, Level};
use bestfirst::engine::Order;
use bestfirst::frontier::ByOrd;
use bestfirst::heuristics::PatternDatabase;
use bestfirst::{
    AStar, BoxedSearch, Dijkstra, IdaStar, Limits, ReportRow, Reversible, SearchProblem,
    Successors, WithHeuristic,
};
use serde::Serialize;

const SIZE: usize = 9;
const SEED: u64 = 1;
const INSTANCES: usize = 5;

type Stack = [u8; SIZE];

/// Pancakes are turned over from the top until they are sorted.
struct Pancakes;

impl SearchProblem for Pancakes {
    type State = Stack;
    /// How many are turned over.
    type Action = usize;
    type Cost = u32;

    fn successors(&self, stack: &Stack, next: &mut Successors<Self>) {
        for count in 2..=SIZE {
            let mut turned = *stack;
            turned[..count].reverse();
            next.push(count, turned, 1);
        }
    }

    fn is_goal(&self, stack: &Stack) -> bool {
        stack.is_sorted()
    }
}

impl Reversible for Pancakes {
    fn predecessors(&self, stack: &Stack, previous: &mut Successors<Self>) {
        // Each action undoes itself.
        self.successors(stack, previous);
    }

    fn goals(&self) -> impl Iterator<Item = Stack> {
        [GOAL].into_iter()
    }
}

const GOAL: Stack = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/// The abstraction: all pancakes but the four largest are equal.
fn pattern(stack: Stack) -> Stack {
    stack.map(|pancake| pancake.max(4))
}

/// The number of an abstract stack: where the four largest are.
fn key(stack: &Stack) -> usize {
    let place = |wanted| stack.iter().position(|&pancake| pancake == wanted).unwrap_or(0);
    (5..9).fold(0, |key, pancake| key * SIZE + place(pancake))
}

/// By *f*, and among equals the states that are farther from the goal first.
#[derive(Debug)]
struct LargeHFirst;

impl Order<u32> for LargeHFirst {
    type Key = ByOrd<(u32, Reverse<u32>)>;
    const IS_BY_F: bool = true;

    fn key(&self, _g: u32, h: u32, f: u32) -> Self::Key {
        ByOrd((f, Reverse(h)))
    }
}

/// A random stack, by Fisher's and Yates's shuffle; the numbers are those of the generator `SplitMix64`.
fn random(seed: &mut u64) -> Stack {
    let mut stack = GOAL;
    for last in (1..SIZE).rev() {
        *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = *seed;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^= bits >> 31;
        stack.swap(last, usize::try_from(bits % (last as u64 + 1)).unwrap_or(0));
    }
    stack
}

/// A row for each layer of a report.
#[derive(Serialize)]
struct LayerRow<'n> {
    instance: usize,
    engine: &'n str,
    bound: u32,
    expanded: u64,
    generated: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    if let Some(folder) = &folder {
        fs::create_dir_all(folder)?;
    }
    let file =
        |name: &str| folder.as_ref().map(|folder| File::create(folder.join(name))).transpose();
    let mut outputs: Vec<Box<dyn io::Write>> = vec![Box::new(io::stdout())];
    if let Some(file) = file("results.csv")? {
        outputs.push(Box::new(file));
    }
    // Rows of two columns of our own and those of a report need a header of our own.
    let mut table = csv::WriterBuilder::new();
    table.has_headers(false);
    let mut results: Vec<_> = outputs.into_iter().map(|output| table.from_writer(output)).collect();
    for writer in &mut results {
        writer.write_record(["instance", "engine"].iter().chain(&ReportRow::<u32>::COLUMNS))?;
    }
    let mut layers = file("layers.csv")?.map(csv::Writer::from_writer);

    let database = PatternDatabase::build(&Pancakes, [pattern(GOAL)], key)?;
    let informed =
        WithHeuristic::new(&Pancakes, |stack: &Stack| database.value(key(&pattern(*stack))));
    let limits = Limits::new().expansions(100_000).memory(1 << 28);
    let mut seed = SEED;
    for instance in 1..=INSTANCES {
        let start = random(&mut seed);
        let searches: [(&str, BoxedSearch<'_, Pancakes>); 5] = [
            ("Dijkstra", Box::new(Dijkstra::new(&Pancakes).search(start))),
            ("A*", Box::new(AStar::new(&informed).search(start))),
            ("A*, large h first", Box::new(AStar::new(&informed).order(LargeHFirst).search(start))),
            ("A*, weight 1.5", Box::new(AStar::new(&informed).weight(1.5).search(start))),
            ("IDA*", Box::new(IdaStar::new(&informed).search(start))),
        ];
        let mut optima = vec![];
        for (engine, mut search) in searches {
            search.set_limits(limits.clone());
            let report = search.run()?;
            for writer in &mut results {
                writer.serialize((instance, engine, report.row()))?;
            }
            for layer in &report.layers {
                let (bound, expanded, generated) = (layer.bound, layer.expanded, layer.generated);
                let row = LayerRow { instance, engine, bound, expanded, generated };
                layers.as_mut().map_or(Ok(()), |writer| writer.serialize(row))?;
            }
            optima.extend(report.cost().filter(|_| report.is_optimal()));
        }
        assert!(optima.windows(2).all(|pair| pair[0] == pair[1]), "engines disagree");

        // What another program can check without trust in this one.
        let mut search = AStar::new(&informed).search(start);
        let _ = search.run()?;
        let starts = [(start, 0)];
        let mut proof = Vec::new();
        search.certificate(&informed, starts, Level::Admissible)?.write(&mut proof)?;
        let checked = certificate::check(&informed, starts, proof.as_slice())?;
        assert_eq!(
            optima.first(),
            Some(&match checked.claim {
                certificate::Claim::AtLeast(cost) => cost,
                certificate::Claim::Unsolvable => return Err("every stack can be sorted".into()),
            })
        );
        if let Some(folder) = &folder {
            fs::write(folder.join(format!("{instance}.cert")), &proof)?;
        }
    }
    Ok(())
}
