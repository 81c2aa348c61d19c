//! Expansions and time of bidirectional search, beside searches of the same problems from one end.
//!
//! ```text
//! cargo bench --bench bidirectional                 everything, one run each
//! cargo bench --bench bidirectional -- pancakes     or tiles, or roads
//! cargo bench --bench bidirectional -- --quick      ten stacks and ten queries
//! ```
//!
//! Prints tables in Markdown. Expansions are exact; times are processor times.

use std::time::Duration;

use bestfirst::problems::pancake::PancakePuzzle;
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{AStar, Bidirectional, Dijkstra};
use cpu_time::ProcessTime;

use support::{data, new_york};

mod support {
    pub mod data;
    pub mod new_york;
}

/// Expansions and time of some searches, and how many there were.
#[derive(Default)]
struct Sum {
    expanded: u64,
    time: Duration,
    searches: u32,
}

impl Sum {
    /// Adds a search, and returns its result without the number of expansions.
    fn add<T>(&mut self, search: impl FnOnce() -> (u64, T)) -> T {
        let before = ProcessTime::now();
        let (expanded, result) = search();
        self.time += before.elapsed();
        self.expanded += expanded;
        self.searches += 1;
        result
    }

    fn row(&self, name: &str) {
        let searches = self.searches.max(1);
        let mean = self.expanded / u64::from(searches);
        let time = self.time.as_secs_f64() * 1e3 / f64::from(searches);
        println!("| {name} | {mean} | {time:.3} |");
    }
}

fn head(title: &str) {
    println!("\n{title}\n\n| search | expansions, mean | ms, mean |\n|---|---|---|");
}

/// The searches of one problem, side by side; all must find this cost.
macro_rules! contest {
    ($sums:ident, $start:expr, $cost:expr; $($search:expr),* $(,)?) => {{
        let mut sums = $sums.iter_mut();
        $(
            let sum = sums.next().expect("a sum for each search");
            let cost = sum.add(|| {
                let report = $search.search($start).run().expect("the problem is sound");
                assert!(report.is_optimal());
                (report.stats.expanded, report.cost())
            });
            assert_eq!(cost, Some($cost));
        )*
    }};
}

fn pancakes(is_quick: bool) {
    let Some(text) = data::text("pancake/pancake16.csv") else { return };
    for k in 0..=2 {
        let puzzle = PancakePuzzle::new(16).expect("16 is allowed").gap(k);
        let mut sums: [Sum; 3] = std::array::from_fn(|_| Sum::default());
        for line in text.lines().skip(1).take(if is_quick { 10 } else { 100 }) {
            let fields: Vec<_> = line.split(',').collect();
            let pancakes: Vec<u8> =
                fields[3].split(' ').map(|pancake| pancake.parse().expect("a number")).collect();
            let start = puzzle.stack(&pancakes).expect("a stack");
            let optimal: u16 = fields[1].parse().expect("a number");
            contest!(sums, start, optimal;
                AStar::new(&puzzle),
                Bidirectional::new(&puzzle),
                Bidirectional::new(&puzzle).nbs().least_step(1),
            );
        }
        head(&format!("16 pancakes, GAP-{k}, {} stacks", sums[0].searches));
        for (sum, name) in sums.iter().zip(["A\\*", "BAE\\*", "NBS"]) {
            sum.row(name);
        }
    }
}

fn tiles() {
    let Some(korf) = data::korf() else { return };
    let puzzle = SlidingTiles::<Packed>::new(4, 4).expect("a size");
    let instance = &korf[1];
    let words: Vec<_> = instance.tiles.iter().map(u8::to_string).collect();
    let board: Board = words.join(" ").parse().expect("a board");
    let start = puzzle.state(&board).expect("of that size");
    let mut sums: [Sum; 3] = std::array::from_fn(|_| Sum::default());
    contest!(sums, start, instance.optimal;
        AStar::new(&puzzle),
        Bidirectional::new(&puzzle),
        Bidirectional::new(&puzzle).cost_unit(2),
    );
    head("15-puzzle, Korf's instance 2, Manhattan distance");
    for (sum, name) in sums.iter().zip(["A\\*", "BAE\\*", "BAE\\*, `cost_unit(2)`"]) {
        sum.row(name);
    }
}

fn roads(is_quick: bool) {
    let (Some(network), Some(text)) =
        (new_york::network(), data::text("roads/reference_distances.csv"))
    else {
        return;
    };
    let mut sums: [Sum; 2] = std::array::from_fn(|_| Sum::default());
    let number = |field: Option<&str>| field.and_then(|field| field.trim().parse().ok());
    let (mut one_end, mut both_ends) = (None, None);
    let queries = text.lines().filter_map(|line| line.strip_prefix("USA-road-d.NY,"));
    for line in queries.take(if is_quick { 10 } else { 100 }) {
        let mut fields = line.split(',');
        let mut node = || network.node(number(fields.next())?);
        let (Some(from), Some(to)) = (node(), node()) else { continue };
        let route = network.route_to(to);
        let search = one_end.get_or_insert_with(|| Dijkstra::new(route).dense().search(from));
        search.restart_with(route, from);
        let cost = sums[0].add(|| {
            let report = search.run().expect("the network is sound");
            (report.stats.expanded, report.cost())
        });
        let search = both_ends
            .get_or_insert_with(|| Bidirectional::new(route).dijkstra().dense().search(from));
        search.restart_with(route, from);
        let both = sums[1].add(|| {
            let report = search.run().expect("the network is sound");
            (report.stats.expanded, report.cost())
        });
        assert_eq!(both, cost);
    }
    head(&format!("New York, {} queries, dense", sums[0].searches));
    sums[0].row("Dijkstra");
    sums[1].row("Dijkstra from both ends");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_quick = arguments.iter().any(|argument| argument == "--quick");
    let names = ["pancakes", "tiles", "roads"];
    let has_names = arguments.iter().any(|argument| names.contains(&argument.as_str()));
    let wants = |name: &str| !has_names || arguments.iter().any(|argument| argument == name);
    if wants("tiles") {
        tiles();
    }
    if wants("roads") {
        roads(is_quick);
    }
    if wants("pancakes") {
        pancakes(is_quick);
    }
}
