//! Research: how many reversals sort a chromosome of signed genes, if a reversal of many genes costs more? Three heuristics
//! and four engines on random instances, as a table of comma-separated values.

use std::collections::{HashMap, VecDeque};
use std::error::Error;
use std::fmt::Write;

use bestfirst::heuristics::PatternDatabase;
use bestfirst::{
    AStar, AnySearch, Bidirectional, Dijkstra, Focal, IdaStar, Limits, Reversible, SearchProblem,
    Successors, WithHeuristic, check,
};
use support::random::rounds;

const GENES: usize = 5;

/// The genes in their order; the sign is the direction of reading.
type Genome = [i8; GENES];

const SORTED: Genome = [1, 2, 3, 4, 5];

struct Reversals;

fn reverse(mut genome: Genome, from: usize, to: usize) -> Genome {
    genome[from..to].reverse();
    genome[from..to].iter_mut().for_each(|gene| *gene = -*gene);
    genome
}

fn reversals() -> impl Iterator<Item = (usize, usize)> {
    (0..GENES).flat_map(|from| (from + 1..=GENES).map(move |to| (from, to)))
}

fn price(from: usize, to: usize) -> u32 {
    2 + u32::from(to - from > 2)
}

impl SearchProblem for Reversals {
    type State = Genome;
    type Action = (usize, usize);
    type Cost = u32;

    fn successors(&self, genome: &Genome, next: &mut Successors<Self>) {
        next.extend(
            reversals().map(|(from, to)| ((from, to), reverse(*genome, from, to), price(from, to))),
        );
    }

    fn is_goal(&self, genome: &Genome) -> bool {
        *genome == SORTED
    }
}

impl Reversible for Reversals {
    fn predecessors(&self, genome: &Genome, previous: &mut Successors<Self>) {
        self.successors(genome, previous); // a reversal undoes itself
    }

    fn goals(&self) -> impl Iterator<Item = Genome> {
        [SORTED].into_iter()
    }
}

/// A reversal takes away at most two of the places where neighbours do not follow each other.
fn breakpoints(genome: Genome) -> u32 {
    let ends = |place: usize| match place {
        0 => 0,
        place if place > GENES => 6,
        place => genome[place - 1],
    };
    let broken: u32 = (0..=GENES).map(|place| u32::from(ends(place + 1) - ends(place) != 1)).sum();
    2 * broken.div_ceil(2)
}

/// The genome without the signs and order of the genes 4 and 5.
fn pattern(genome: Genome) -> Genome {
    genome.map(|gene| if gene.abs() > 3 { 0 } else { gene })
}

fn index(genome: Genome) -> usize {
    let digit = |gene: i8| usize::try_from(gene + 3).expect("genes of the pattern are 3 at most");
    genome.iter().fold(0, |index, &gene| 7 * index + digit(gene))
}

/// Costs from the sorted genome to all, by relaxing every step until nothing changes.
fn distances() -> HashMap<Genome, u32> {
    let mut known = HashMap::from([(SORTED, 0)]);
    let mut changed = VecDeque::from([SORTED]);
    while let Some(genome) = changed.pop_front() {
        let cost = known[&genome];
        for (from, to) in reversals() {
            let (next, through) = (reverse(genome, from, to), cost + price(from, to));
            if known.get(&next).is_none_or(|&known| known > through) {
                known.insert(next, through);
                changed.push_back(next);
            }
        }
    }
    known
}

#[test]
fn an_experiment_on_genomes() -> Result<(), Box<dyn Error>> {
    let distances = distances();
    assert_eq!(distances.len(), 120 * 32);

    let database = PatternDatabase::build(&Reversals, [pattern(SORTED)], |&genome| index(genome))?;
    let blind = Reversals;
    let counted = WithHeuristic::new(&blind, |&genome: &Genome| breakpoints(genome));
    let looked_up =
        WithHeuristic::new(&blind, |genome: &Genome| database.value(index(pattern(*genome))));
    let both = WithHeuristic::new(&blind, |genome: &Genome| {
        breakpoints(*genome).max(database.value(index(pattern(*genome))))
    });
    check::admissible(&both, SORTED, 10_000)?;
    check::consistent(&counted, distances.keys().copied())?;

    let mut csv = String::from("seed,engine,heuristic,cost,bound,expanded,generated,bytes\n");
    let limits = Limits::new().expansions(100_000).memory(1 << 26);
    let seeds = rounds(6);
    for (seed, _) in (1..).zip(0..seeds) {
        let mut random = super::numbers(seed);
        let mut start = SORTED;
        for _ in 0..30 {
            let from = random(GENES);
            start = reverse(start, from, from + 1 + random(GENES - from));
        }
        let searches: [(&str, &str, Box<dyn AnySearch<_, _, _>>); 7] = [
            ("dijkstra", "none", Box::new(Dijkstra::new(&blind).search(start))),
            (
                "bidirectional",
                "none",
                Box::new(Bidirectional::new(&blind).dijkstra().search(start)),
            ),
            ("astar", "breakpoints", Box::new(AStar::new(&counted).search(start))),
            ("astar", "database", Box::new(AStar::new(&looked_up).search(start))),
            ("astar", "maximum", Box::new(AStar::new(&both).search(start))),
            ("idastar", "maximum", Box::new(IdaStar::new(&both).search(start))),
            ("focal 1.5", "maximum", Box::new(Focal::new(&both, 1.5).search(start))),
        ];
        for (engine, heuristic, mut search) in searches {
            search.set_limits(limits.clone());
            let report = search.run()?;
            let cost = report.cost().ok_or("every genome can be sorted")?;
            report.path().expect("it has a cost").verify(&blind)?;
            let (bound, stats) = (report.lower_bound, &report.stats);
            writeln!(
                csv,
                "{seed},{engine},{heuristic},{cost},{bound},{},{},{}",
                stats.expanded, stats.generated, stats.peak_bytes
            )?;
            let least = distances[&start];
            assert!(bound <= least && least <= cost, "{csv}");
            assert!(f64::from(cost) <= 1.5 * f64::from(least), "{csv}");
            assert!(cost == least || engine == "focal 1.5", "{csv}");
        }
    }
    assert_eq!(csv.lines().count() as u64, 1 + seeds * 7);
    Ok(())
}
