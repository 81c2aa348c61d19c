//! IDA* where the values of f are many: budgeted deepening, plain IDA*, and one search with the right bound.
//!
//! ```text
//! cargo bench --bench deepening                  the table
//! cargo bench --bench deepening -- --markdown    puts it into BENCHMARKS.md
//! ```
//!
//! Counts of expansions, which are the same on every machine. *Right bound* is a single iteration with the
//! cost of a cheapest path as its bound, up to its first goal. It is made by a heuristic that knows that cost
//! at the start.

#![expect(clippy::cast_precision_loss, reason = "counts are far below 2⁵³")]

use bestfirst::problems::crucible::{Crucible, HeatMap};
use bestfirst::{Deepening, IdaStar, IgnoreGoal, Limits, SearchProblem, WithHeuristic};

use domains::Random;
use domains::heavy_tiles::HeavyTiles;
use domains::weighted_grid::WeightedGrid;
use support::page;

mod domains;
mod support {
    pub mod page;
}

/// The limit on the expansions of plain IDA*.
const MOST: u64 = 10_000_000;

fn main() {
    let (mut is_bench, mut markdown) = (false, false);
    for word in std::env::args().skip(1) {
        match word.as_str() {
            "--bench" => is_bench = true,
            "--markdown" => markdown = true,
            unknown => {
                eprintln!("unknown option {unknown}; known: --markdown");
                std::process::exit(2);
            }
        }
    }
    if !is_bench {
        println!("a benchmark: run it by `cargo bench --bench deepening`");
        return;
    }
    let domains = [
        heavy_tiles(3, 1000),
        heavy_tiles(4, 40),
        grids(8),
        grids(9),
        crucibles(20),
        crucibles(24),
    ];
    let heading = vec![
        "instances",
        "right bound",
        "its whole tree",
        "budgeted",
        "ratio",
        "largest ratio",
        "iterations",
        "plain IDA*",
        "ratio",
        "iterations",
    ];
    let table = page::Table { heading, rows: domains.iter().map(Counts::row).collect() };
    println!("{}", table.markdown());
    if markdown {
        let text = format!("{}\n\n{}", page::circumstances("deepening"), table.markdown());
        page::publish("deepening", &text);
    }
}

#[derive(Default)]
struct Counts {
    name: String,
    instances: u64,
    right: u64,
    /// The whole tree within the right bound.
    tree: u64,
    budgeted: u64,
    largest: f64,
    iterations: usize,
    plain: u64,
    plain_iterations: usize,
    /// How many instances plain IDA* did not finish.
    unfinished: u64,
}

impl Counts {
    fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    fn add<P: SearchProblem>(&mut self, problem: &P, start: P::State) {
        let report = IdaStar::new(problem).search(start.clone()).run().expect("costs are sound");
        let cost = report.cost().expect("there is a path");
        assert!(report.is_optimal());
        let knows_start = WithHeuristic::new(problem, |state: &P::State| {
            if *state == start { cost } else { problem.heuristic(state) }
        });
        let right = IdaStar::new(knows_start).search(start.clone()).run().expect("costs are sound");
        assert_eq!((right.cost(), right.layers.len()), (Some(cost), 1));
        let below = WithHeuristic::new(problem, |state: &P::State| {
            if *state == start { cost } else { problem.heuristic(state) }
        });
        let tree = IdaStar::new(IgnoreGoal::new(below))
            .limits(Limits::new().cost(cost))
            .search(start.clone())
            .run()
            .expect("costs are sound");
        let tree = tree.layers[0].expanded;
        let plain = IdaStar::new(problem)
            .deepening(Deepening::ByNextValue)
            .limits(Limits::new().expansions(MOST))
            .search(start)
            .run()
            .expect("costs are sound");
        self.instances += 1;
        self.tree += tree;
        self.right += right.stats.expanded;
        self.budgeted += report.stats.expanded;
        self.largest = self.largest.max(report.stats.expanded as f64 / tree.max(1) as f64);
        self.iterations += report.layers.len();
        self.plain += plain.stats.expanded;
        self.plain_iterations += plain.layers.len();
        self.unfinished += u64::from(plain.cost().is_none());
    }

    /// The row that is printed while the bench runs.
    fn told(self) -> Self {
        eprintln!("{}", self.row().join(" | "));
        self
    }

    fn row(&self) -> Vec<String> {
        let ratio = |count: u64| count as f64 / self.tree.max(1) as f64;
        let than = if self.unfinished > 0 { "> " } else { "" };
        vec![
            format!("{} ({})", self.name, self.instances),
            page::thousands(self.right),
            page::thousands(self.tree),
            page::thousands(self.budgeted),
            format!("{:.2}", ratio(self.budgeted)),
            format!("{:.2}", self.largest),
            self.iterations.to_string(),
            format!("{than}{}", page::thousands(self.plain)),
            format!("{than}{:.1}", ratio(self.plain)),
            self.plain_iterations.to_string(),
        ]
    }
}

fn heavy_tiles(width: u8, steps: u32) -> Counts {
    let puzzle = HeavyTiles::new(width);
    let mut counts = Counts::new(format!(
        "{width} × {width} tiles that cost their number, {steps} random steps"
    ));
    for seed in 0..10 {
        counts.add(&puzzle, puzzle.scrambled(steps, &mut Random(seed)));
    }
    counts.told()
}

fn grids(side: usize) -> Counts {
    let mut counts = Counts::new(format!("grid, costs are floats, {side} × {side}"));
    for seed in 0..10 {
        counts.add(&WeightedGrid::random(side, &mut Random(seed)), (0, 0));
    }
    counts.told()
}

fn crucibles(side: usize) -> Counts {
    let mut counts = Counts::new(format!("crucible, {side} × {side}, runs of 1 to 3"));
    for seed in 0..10 {
        let map = HeatMap::random(side, side, seed).expect("it fits");
        let crucible = Crucible::new(&map, 1..=3).expect("it fits");
        let start = crucible.start();
        counts.add(&crucible, start);
    }
    counts.told()
}
