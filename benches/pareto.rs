//! Search by several criteria on the roads of New York: distance and hops, and a third criterion.
//!
//! ```text
//! cargo bench --bench pareto                     the hundred pairs, beside BOA* by hand
//! cargo bench --bench pareto -- --every 5        every fifth pair
//! cargo bench --bench pareto -- --rival PROGRAM  beside that program, too
//! cargo bench --bench pareto -- --three          three criteria, near pairs
//! cargo bench --bench pareto -- --markdown       puts the table into BENCHMARKS.md
//! ```
//!
//! A program beside is called with the name of a graph file and two nodes, which are counted from 1, and prints
//! `start;goal;solutions;milliseconds;generated;expanded`, as the C code of the authors of BOA* does
//! (github.com/jorgebaier/BOAstar, `gcc -O3`).
//!
//! Contestants run in turn, each query by all of them. Seconds include the searches backwards.
#![expect(clippy::cast_possible_truncation, reason = "the network has far fewer nodes")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use bestfirst::frontier::LazyHeap;
use bestfirst::heuristics::IdealPoint;
use bestfirst::{DenseStates, Pareto, Reversible, SearchProblem, Successors};

use handwritten::boa;
use support::page::{self, Table, thousands};
use support::{data, new_york};

mod handwritten {
    pub mod boa;
}
mod support {
    pub mod data;
    pub mod new_york;
    pub mod page;
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are given on the command line")]
struct Options {
    is_bench: bool,
    every: Option<usize>,
    rival: Option<PathBuf>,
    three: bool,
    heap: bool,
    markdown: bool,
}

fn main() {
    let options = options();
    if !options.is_bench {
        println!("a benchmark: run it by `cargo bench --bench pareto`");
        return;
    }
    let table = if options.three { three(&options) } else { two(&options) };
    let Some(table) = table else { return };
    println!("{table}");
    if options.markdown {
        let name = if options.three { "three-criteria" } else { "pareto" };
        page::publish(name, &format!("{}\n\n{table}", page::circumstances("pareto")));
    }
}

fn options() -> Options {
    let mut options = Options::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bench" => options.is_bench = true,
            "--every" => options.every = words.next().and_then(|number| number.parse().ok()),
            "--rival" => options.rival = words.next().map(PathBuf::from),
            "--three" => options.three = true,
            "--heap" => options.heap = true,
            "--markdown" => options.markdown = true,
            _ => {
                eprintln!("usage: [--every N] [--rival PROGRAM] [--three] [--heap] [--markdown]");
                std::process::exit(2);
            }
        }
    }
    options
}

/// Roads with costs of `N` criteria, to a goal.
#[derive(Clone, Copy)]
struct Roads<'r, const N: usize> {
    leaving: &'r [Vec<(u32, [u32; N])>],
    entering: &'r [Vec<(u32, [u32; N])>],
    goal: u32,
}

impl<const N: usize> SearchProblem for Roads<'_, N> {
    type State = u32;
    type Action = ();
    type Cost = [u32; N];

    fn successors(&self, &node: &u32, next: &mut Successors<Self>) {
        for &(head, cost) in &self.leaving[node as usize] {
            next.push((), head, cost);
        }
    }

    fn is_goal(&self, &node: &u32) -> bool {
        node == self.goal
    }
}

impl<const N: usize> Reversible for Roads<'_, N> {
    fn predecessors(&self, &node: &u32, previous: &mut Successors<Self>) {
        for &(tail, cost) in &self.entering[node as usize] {
            previous.push((), tail, cost);
        }
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.goal)
    }
}

impl<const N: usize> DenseStates for Roads<'_, N> {
    fn state_count(&self) -> usize {
        self.leaving.len()
    }

    fn state_index(&self, &node: &u32) -> usize {
        node as usize
    }

    fn state_at(&self, index: usize) -> u32 {
        index as u32
    }
}

type ArcsAt<const N: usize> = Vec<Vec<(u32, [u32; N])>>;

/// The arcs at each node, leaving and entering it.
fn sorted<const N: usize>(nodes: usize, arcs: &[(u32, u32, [u32; N])]) -> (ArcsAt<N>, ArcsAt<N>) {
    let (mut leaving, mut entering) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
    for &(tail, head, cost) in arcs {
        leaving[tail as usize].push((head, cost));
        entering[head as usize].push((tail, cost));
    }
    (leaving, entering)
}

/// Pairs of nodes counted from 0, with their distances.
fn pairs() -> Option<Vec<(u32, u32, u32)>> {
    let text = data::text("roads/reference_distances.csv")?;
    let rows = text.lines().filter_map(|line| line.strip_prefix("USA-road-d.NY,"));
    let pair = |row: &str| {
        let mut numbers = row.split(',').map(|word| word.trim().parse::<u32>().ok());
        let mut next = || numbers.next().flatten();
        Some((next()? - 1, next()? - 1, next()?))
    };
    Some(rows.map(|row| pair(row).expect("three numbers")).collect())
}

/// From, to, and the length.
type Arc = (u32, u32, u32);

/// The arcs of New York with their lengths.
fn arcs() -> Option<(usize, Vec<Arc>)> {
    let network = new_york::network()?;
    let mut arcs = Vec::new();
    for tail in network.nodes() {
        for (head, length) in network.arcs(tail) {
            arcs.push((tail.number() - 1, head.number() - 1, length));
        }
    }
    Some((network.node_count(), arcs))
}

/// The result of one query: the front, the expanded labels, the seconds, and those of the backward searches.
struct Outcome<const N: usize> {
    front: Vec<[u32; N]>,
    expanded: u64,
    seconds: f64,
    backwards: f64,
    bytes: u64,
}

fn ours<const N: usize>(roads: Roads<'_, N>, from: u32, heap: bool) -> Outcome<N> {
    let began = Instant::now();
    let ideal = IdealPoint::of(roads).dense().build().expect("the costs fit");
    let backwards = began.elapsed().as_secs_f64();
    let (report, front) = if heap {
        let mut search = Pareto::new(&ideal).dense().frontier(LazyHeap::new()).search(from);
        (search.run().expect("the costs fit"), search.costs().collect())
    } else {
        let mut search = Pareto::new(&ideal).dense().search(from);
        (search.run().expect("the costs fit"), search.costs().collect())
    };
    Outcome {
        front,
        expanded: report.stats.expanded,
        seconds: began.elapsed().as_secs_f64(),
        backwards,
        bytes: report.stats.peak_bytes,
    }
}

/// The output of the rival: the number of solutions, the expanded labels, and the seconds.
fn rival(program: &Path, graph: &Path, from: u32, to: u32) -> (usize, u64, f64) {
    let nodes = [from + 1, to + 1].map(|node| node.to_string());
    let output = Command::new(program).arg(graph).args(nodes).output().expect("it runs");
    let line = String::from_utf8(output.stdout).expect("it prints text");
    let fields: Vec<_> = line.trim().split(';').collect();
    let &[_, _, solutions, milliseconds, _, expanded] = &fields[..] else {
        panic!("{}: {line}", program.display());
    };
    let milliseconds: f64 = milliseconds.parse().expect("a number");
    let count = |word: &str| word.parse().expect("a number");
    (count(solutions) as usize, count(expanded), milliseconds / 1000.0)
}

/// The graph as the rival reads it.
fn graph_file(nodes: usize, arcs: &[(u32, u32, [u32; 2])]) -> PathBuf {
    let mut text = format!("{nodes} {}\n", arcs.len());
    for (tail, head, [length, hops]) in arcs {
        let _ = writeln!(text, "{} {} {length} {hops}", tail + 1, head + 1);
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pareto-roads.txt");
    fs::write(&path, text).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    path
}

/// The name of a row, and which queries are in it by the labels that they expand.
const GROUPS: [(&str, std::ops::Range<u64>); 5] = [
    ("below 10,000", 0..10_000),
    ("10,000 to 100,000", 10_000..100_000),
    ("100,000 to 1,000,000", 100_000..1_000_000),
    ("from 1,000,000", 1_000_000..u64::MAX),
    ("all", 0..u64::MAX),
];

fn two(options: &Options) -> Option<String> {
    let (nodes, arcs) = arcs()?;
    let arcs: Vec<_> = arcs.iter().map(|&(tail, head, length)| (tail, head, [length, 1])).collect();
    let (leaving, entering) = sorted(nodes, &arcs);
    let by_hand = [false, true].map(|is_reversed| boa::Arcs::new(nodes as u32, &arcs, is_reversed));
    let graph = options.rival.as_ref().map(|_| graph_file(nodes, &arcs));
    let mut rows = Vec::new();
    for (from, goal, _) in pairs()?.into_iter().step_by(options.every.unwrap_or(1)) {
        let roads = Roads { leaving: &leaving, entering: &entering, goal };
        let ours = ours(roads, from, options.heap);
        let began = Instant::now();
        let (front, expanded) = boa::front(&by_hand[0], &by_hand[1], from, goal);
        let by_hand_seconds = began.elapsed().as_secs_f64();
        assert_eq!(front, ours.front, "{from} to {goal}");
        // Labels with the same f as a solution are expanded or not, as they come.
        assert!(expanded.abs_diff(ours.expanded) <= 1 + expanded / 1000, "{from} to {goal}");
        let mut beside = f64::NAN;
        if let (Some(program), Some(graph)) = (&options.rival, &graph) {
            let (solutions, expanded, seconds) = rival(program, graph, from, goal);
            assert_eq!(solutions, ours.front.len(), "{from} to {goal}");
            assert!(expanded.abs_diff(ours.expanded) <= 1 + expanded / 1000, "{from} to {goal}");
            beside = seconds;
        }
        println!(
            "{from} to {goal}: {} paths, {} expanded; {:.3} s ({:.3} backwards), by hand {by_hand_seconds:.3} s, \
             beside {beside:.3} s",
            ours.front.len(),
            ours.expanded,
            ours.seconds,
            ours.backwards
        );
        rows.push((ours, by_hand_seconds, beside));
    }
    let mut table = Table {
        heading: vec![
            "labels expanded",
            "queries",
            "paths",
            "labels",
            "seconds",
            "of these backwards",
            "by hand",
            "ratio",
            "largest",
            "C",
            "ratio",
            "largest",
            "MB at most",
        ],
        rows: Vec::new(),
    };
    for (name, range) in GROUPS {
        let group: Vec<_> =
            rows.iter().filter(|(ours, ..)| range.contains(&ours.expanded)).collect();
        if group.is_empty() {
            continue;
        }
        let sum = |of: &dyn Fn(&(Outcome<2>, f64, f64)) -> f64| {
            group.iter().map(|row| of(row)).sum::<f64>()
        };
        let most = |of: &dyn Fn(&(Outcome<2>, f64, f64)) -> f64| {
            group.iter().map(|row| of(row)).fold(f64::NAN, f64::max)
        };
        let seconds = sum(&|row| row.0.seconds);
        let mut cells = vec![
            name.to_owned(),
            group.len().to_string(),
            thousands(group.iter().map(|row| row.0.front.len() as u64).sum()),
            thousands(group.iter().map(|row| row.0.expanded).sum()),
            format!("{seconds:.2}"),
            format!("{:.2}", sum(&|row| row.0.backwards)),
        ];
        for of in [|row: &(Outcome<2>, f64, f64)| row.1, |row: &(Outcome<2>, f64, f64)| row.2] {
            let other = sum(&of);
            if other.is_nan() {
                cells.extend(["–".to_owned(), "–".to_owned(), "–".to_owned()]);
                continue;
            }
            cells.push(format!("{other:.2}"));
            cells.push(format!("{:.2}", seconds / other));
            cells.push(format!("{:.2}", most(&|row| row.0.seconds / of(row))));
        }
        let bytes = group.iter().map(|row| row.0.bytes).max().unwrap_or(0);
        cells.push((bytes / 1_000_000).to_string());
        table.rows.push(cells);
    }
    Some(table.markdown())
}

/// Distance, hops, and a number from 1 to 10 for each arc that its ends give.
fn three(options: &Options) -> Option<String> {
    let (nodes, arcs) = arcs()?;
    let third = |tail: u32, head: u32| 1 + (tail ^ head).wrapping_mul(0x9E37_79B9) % 10;
    let arcs: Vec<_> = arcs
        .iter()
        .map(|&(tail, head, length)| (tail, head, [length, 1, third(tail, head)]))
        .collect();
    let (leaving, entering) = sorted(nodes, &arcs);
    let mut near = pairs()?;
    near.sort_by_key(|pair| pair.2);
    let mut table = Table {
        heading: vec!["distance", "paths", "labels", "seconds", "of these backwards", "MB"],
        rows: Vec::new(),
    };
    for (from, goal, distance) in near.into_iter().step_by(options.every.unwrap_or(1)).take(10) {
        let roads = Roads { leaving: &leaving, entering: &entering, goal };
        let Outcome { front, expanded, seconds, backwards, bytes } =
            ours(roads, from, options.heap);
        table.rows.push(vec![
            thousands(distance.into()),
            thousands(front.len() as u64),
            thousands(expanded),
            format!("{seconds:.3}"),
            format!("{backwards:.3}"),
            (bytes / 1_000_000).to_string(),
        ]);
    }
    Some(table.markdown())
}
