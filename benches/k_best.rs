//! The cost of several paths: the k best paths beside the best one.
//!
//! ```text
//! cargo bench --bench k_best                 everything
//! cargo bench --bench k_best -- roads        or tiles, or diamonds
//! cargo bench --bench k_best -- --quick      ten queries, four boards
//! cargo bench --bench k_best -- --check      compares the costs on New York with those of another algorithm
//! cargo bench --bench k_best -- --markdown   puts the tables into BENCHMARKS.md
//! ```
//!
//! Every row is measured on the same queries, one query after the other by all rows in turn. Times are those of the
//! processor.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use bestfirst::problems::road_network::{NodeId, RoadNetwork};
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{AStar, AllOptimal, FnProblem, KBest, PathCount, Reversed, dijkstra_all};

use support::clock::cpu_time;
use support::page::{self, Table, thousands};
use support::{data, new_york};

mod support {
    pub mod clock;
    pub mod data;
    pub mod new_york;
    pub mod page;
}

/// The weights are about ten to a metre; this factor of the great circle is consistent.
const FACTOR: f64 = 7.15;

/// The boards of Korf for which IDA\* generates fewer nodes than this.
const FEW_NODES: u64 = 3_000_000;

/// Expansions and time of some searches.
#[derive(Clone)]
struct Row {
    name: String,
    expanded: u64,
    time: Duration,
}

impl Row {
    fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), expanded: 0, time: Duration::ZERO }
    }

    /// Adds a search, which returns its expansions and something else.
    fn add<T>(&mut self, search: impl FnOnce() -> (u64, T)) -> T {
        let ((expanded, result), time) = cpu_time(search);
        self.time += time;
        self.expanded += expanded;
        result
    }
}

fn table(title: &'static str, rows: &[Row], queries: u32) -> String {
    let first = rows[0].time.as_secs_f64();
    let one = rows
        .iter()
        .find(|row| row.name.contains("k = 1,"))
        .map_or(first, |row| row.time.as_secs_f64());
    let rows = rows.iter().map(|row| {
        let time = row.time.as_secs_f64();
        vec![
            row.name.clone(),
            thousands(row.expanded / u64::from(queries)),
            format!("{:.3}", time * 1e3 / f64::from(queries)),
            format!("{:.2}", time / first),
            format!("{:.2}", time / one),
        ]
    });
    let heading = vec![title, "expansions a query", "ms a query", "times A*", "times k = 1"];
    Table { heading, rows: rows.collect() }.markdown()
}

/// A start, a goal and the distance.
type Query = (NodeId, NodeId, u32);

fn queries(network: &RoadNetwork) -> Option<Vec<Query>> {
    let text = data::text("roads/reference_distances.csv")?;
    let rows = text.lines().filter_map(|line| line.strip_prefix("USA-road-d.NY,"));
    let query = |row: &str| {
        let mut numbers = row.split(',').map(|word| word.trim().parse::<u32>().ok());
        let mut next = || numbers.next().flatten();
        Some((network.node(next()?)?, network.node(next()?)?, next()?))
    };
    Some(rows.map(|row| query(row).expect("three numbers")).collect())
}

fn roads(most: usize) -> Option<String> {
    let network = new_york::network()?;
    let queries = queries(&network)?;
    let queries = &queries[..most.min(queries.len())];
    let (start, goal, _) = queries[0];
    let route = |goal| network.route_to(goal).great_circle(FACTOR);
    let mut astar = AStar::new(route(goal)).dense().search(start);
    let mut best = KBest::new(route(goal)).dense().search(start);
    let mut simple = KBest::new(route(goal)).simple().dense().search(start);
    let mut blind = KBest::new(route(goal)).dijkstra().dense().search(start);
    let mut all = AllOptimal::new(route(goal)).dense().search(start);
    let mut rows = vec![Row::new("A*")];
    let counts = [1, 10, 100, 1000];
    for name in ["k best", "k best, without heuristic", "k best simple"] {
        rows.extend(counts.map(|k| Row::new(format!("{name}, k = {k}"))));
    }
    rows.push(Row::new("all cheapest"));
    macro_rules! k_best {
        ($search:ident, $first:expr, $query:expr) => {
            for (nth, k) in counts.into_iter().enumerate() {
                let (start, goal, distance) = $query;
                let mut costs = Vec::with_capacity(k);
                rows[$first + nth].add(|| {
                    $search.restart_with(route(goal), start);
                    costs.extend(
                        $search.by_ref().take(k).map(|path| path.expect("the costs fit").cost()),
                    );
                    ($search.stats().expanded, ())
                });
                assert_eq!((costs.len(), costs[0]), (k, distance));
                assert!(costs.is_sorted());
            }
        };
    }
    for &(start, goal, distance) in queries {
        let cost = rows[0].add(|| {
            astar.restart_with(route(goal), start);
            let report = astar.run().expect("the costs fit");
            (report.stats.expanded, report.cost())
        });
        assert_eq!(cost, Some(distance));
        k_best!(best, 1, (start, goal, distance));
        k_best!(blind, 5, (start, goal, distance));
        k_best!(simple, 9, (start, goal, distance));
        let cost = rows[13].add(|| {
            all.restart_with(route(goal), start);
            let report = all.run().expect("the costs fit");
            (report.stats.expanded, report.cost())
        });
        assert_eq!(cost, Some(distance));
    }
    Some(table("New York", &rows, u32::try_from(queries.len()).expect("few")))
}

/// The costs of the k best paths by an algorithm that has nothing in common with the library's: labels in the order
/// of their cost and the distance to the goal, each node at most k times.
fn costs_by_labels(network: &RoadNetwork, (start, goal, _): Query, k: usize) -> Vec<u32> {
    let back = Reversed::new(network.route_to(goal), start);
    let reached = dijkstra_all(&back, goal).expect("the costs fit");
    let mut to_go = vec![u32::MAX; network.node_count()];
    reached.for_each(|node, cost| to_go[node.index()] = cost);
    let mut open = BinaryHeap::from([Reverse((to_go[start.index()], 0, start))]);
    let mut expanded = vec![0; network.node_count()];
    let mut costs = Vec::new();
    while let Some(Reverse((_, cost, node))) = open.pop() {
        expanded[node.index()] += 1;
        if expanded[node.index()] > k {
            continue;
        }
        if node == goal {
            costs.push(cost);
            if costs.len() == k {
                break;
            }
        }
        for (head, weight) in network.arcs(node) {
            if to_go[head.index()] < u32::MAX {
                let cost = cost + weight;
                open.push(Reverse((cost + to_go[head.index()], cost, head)));
            }
        }
    }
    costs
}

fn check(most: usize) -> Option<()> {
    let network = new_york::network()?;
    let queries = queries(&network)?;
    for &query in &queries[..most.min(queries.len())] {
        let (start, goal, _) = query;
        let route = network.route_to(goal).great_circle(FACTOR);
        let mut costs = Vec::new();
        for path in KBest::new(route).dense().search(start).take(1000) {
            let path = path.expect("the costs fit");
            path.verify(&route).expect("it is a path");
            costs.push(path.cost());
        }
        assert_eq!(costs, costs_by_labels(&network, query, 1000));
        println!(
            "{} to {}: k = 1: {}, 10: {}, 100: {}, 1000: {}, all as by labels",
            start.number(),
            goal.number(),
            costs[0],
            costs[9],
            costs[99],
            costs[999]
        );
    }
    Some(())
}

fn tiles(most: usize) -> Option<String> {
    let korf = data::korf()?;
    let puzzle = SlidingTiles::<Packed>::new(4, 4).expect("a size");
    let counts = [1, 10, 100];
    let mut rows = vec![Row::new("A*")];
    rows.extend(counts.map(|k| Row::new(format!("k best, k = {k}"))));
    rows.push(Row::new("all cheapest"));
    let boards: Vec<_> = korf.iter().filter(|board| board.nodes < FEW_NODES).take(most).collect();
    for instance in &boards {
        let words: Vec<_> = instance.tiles.iter().map(u8::to_string).collect();
        let board: Board = words.join(" ").parse().expect("a board");
        let start = puzzle.state(&board).expect("of that size");
        let before: Vec<_> = rows.iter().map(|row| row.time).collect();
        let cost = rows[0].add(|| {
            let report = AStar::new(&puzzle).search(start).run().expect("the problem is sound");
            (report.stats.expanded, report.cost())
        });
        assert_eq!(cost, Some(instance.optimal));
        let mut costs = Vec::new();
        for (nth, k) in counts.into_iter().enumerate() {
            costs = rows[1 + nth].add(|| {
                let mut search = KBest::new(&puzzle).search(start);
                let paths = search.by_ref().take(k);
                let costs: Vec<_> = paths.map(|path| path.expect("sound").cost()).collect();
                (search.stats().expanded, costs)
            });
            assert_eq!((costs.len(), costs[0]), (k, instance.optimal));
        }
        let count = rows[4].add(|| {
            let all = AllOptimal::new(&puzzle).search(start).find_all().expect("sound");
            let count = all.count();
            (all.into_search().stats().expanded, count)
        });
        let cheapest = costs.iter().filter(|&&cost| cost == instance.optimal).count() as u128;
        assert!(count.get().is_some_and(|count| count.min(100) == cheapest));
        let times: Vec<_> = rows
            .iter()
            .zip(&before)
            .map(|(row, before)| {
                format!("{:.0}", row.time.saturating_sub(*before).as_secs_f64() * 1e3)
            })
            .collect();
        println!(
            "board {}: {count} cheapest paths of {} moves, the 100th has {}; ms: {}",
            instance.number,
            instance.optimal,
            costs[99],
            times.join(", ")
        );
    }
    Some(table("15-puzzle", &rows, u32::try_from(boards.len()).expect("few")))
}

fn diamonds() {
    let chain = FnProblem::new(
        |&n: &u32| {
            if n % 3 == 0 { vec![(n + 1, 1_u32), (n + 2, 1)] } else { vec![(n + 3 - n % 3, 1)] }
        },
        |_: &u32| 0,
        |&n: &u32| n == 30,
    );
    let (all, time) = cpu_time(|| AllOptimal::new(&chain).search(0).find_all().expect("sound"));
    assert_eq!(all.count(), PathCount::Finite(1 << 10));
    let (first, first_time) = cpu_time(|| all.paths().next());
    assert!(first.is_some());
    let (count, all_time) = cpu_time(|| all.paths().count());
    println!(
        "10 diamonds: {} paths counted in {time:?}, the first after {first_time:?}, all {count} after {all_time:?}",
        all.count()
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    if !has("--bench") {
        println!("a benchmark: run it by `cargo bench --bench k_best`");
        return;
    }
    let names = ["roads", "tiles", "diamonds"];
    let wants = |name: &str| has(name) || !names.iter().any(|name| has(name));
    let most = if has("--quick") { 10 } else { 100 };
    if has("--check") {
        check(most.min(20));
        return;
    }
    if wants("diamonds") {
        diamonds();
    }
    let publish = |name: &str, table: Option<String>| {
        let Some(table) = table else { return };
        println!("{table}");
        if has("--markdown") {
            page::publish(name, &format!("{}\n\n{table}", page::circumstances("k_best")));
        }
    };
    if wants("roads") {
        publish("k-best-roads", roads(most));
    }
    if wants("tiles") {
        publish("k-best-tiles", tiles(if has("--quick") { 4 } else { 100 }));
    }
}
