//! The roads of New York: landmarks and a hierarchy beside Dijkstra's algorithm, the great circle and `fast_paths`.

use bestfirst::heuristics::{Hierarchy, Landmarks, Selection};
use bestfirst::problems::road_network::{NodeId, RoadNetwork};
use bestfirst::{AStar, Dijkstra};

use crate::support::clock::cpu_time;
use crate::support::median::median;
use crate::support::page::{Table, thousands};
use crate::support::{data, new_york};

/// How often all queries are answered; the median counts.
const ROUNDS: usize = 5;

/// The weights are about ten to a metre; this factor of the great circle is consistent.
const FACTOR: f64 = 7.15;

/// A start, a goal and the distance.
type Query = (NodeId, NodeId, u32);

/// One row: expansions and seconds of all queries together.
struct Row {
    name: String,
    expanded: Option<u64>,
    seconds: f64,
    preparation: Option<f64>,
    bytes: Option<usize>,
}

pub fn table() -> Option<String> {
    let network = new_york::network()?;
    let queries = queries(&network)?;
    let mut rows = vec![dijkstra(&network, &queries), great_circle(&network, &queries)];
    for (name, selection, is_compressed) in [
        ("avoidance", Selection::Avoid, false),
        ("avoidance, compressed", Selection::Avoid, true),
        ("farthest first", Selection::Farthest, false),
    ] {
        let route = network.route_to(queries[0].1);
        let mut builder = Landmarks::of(&route).count(16).selection(selection);
        if is_compressed {
            builder = builder.compressed();
        }
        let (landmarks, time) = cpu_time(|| builder.build().expect("the distances fit"));
        for best in [16, 8, 4] {
            let (expanded, seconds) = with_landmarks(&network, &landmarks, best, &queries);
            rows.push(Row {
                name: format!("A*, 16 landmarks by {name}, best {best}"),
                expanded: Some(expanded),
                seconds,
                preparation: Some(time.as_secs_f64()),
                bytes: Some(landmarks.bytes()),
            });
        }
        #[cfg(feature = "parallel")]
        if !is_compressed {
            let began = std::time::Instant::now();
            let builder = Landmarks::of(&route).count(16).selection(selection);
            let _ = builder.build_parallel().expect("the distances fit");
            println!("by {name} on several threads: {:.2} s", began.elapsed().as_secs_f64());
        }
    }
    rows.extend(with_hierarchy(&network, &queries));
    rows.push(contraction_hierarchies(&network, &queries));
    Some(markdown(&rows, queries.len()))
}

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

/// The median time of all queries together, and what `answer` counts: expansions, of one round.
fn measure(queries: &[Query], mut answer: impl FnMut(Query) -> (u32, u64)) -> (u64, f64) {
    let mut expanded = 0;
    let times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            expanded = 0;
            let ((), time) = cpu_time(|| {
                for &query in queries {
                    let (distance, count) = answer(query);
                    assert_eq!(distance, query.2, "from {} to {}", query.0, query.1);
                    expanded += count;
                }
            });
            time.as_secs_f64()
        })
        .collect();
    (expanded, median(&times))
}

fn dijkstra(network: &RoadNetwork, queries: &[Query]) -> Row {
    let (start, goal, _) = queries[0];
    let mut search = Dijkstra::new(network.route_to(goal)).dense().search(start);
    let (expanded, seconds) = measure(queries, |(start, goal, _)| {
        search.restart_with(network.route_to(goal), start);
        let report = search.run().expect("the costs fit");
        (report.cost().expect("a path"), report.stats.expanded)
    });
    let name = "Dijkstra".to_owned();
    Row { name, expanded: Some(expanded), seconds, preparation: None, bytes: None }
}

fn great_circle(network: &RoadNetwork, queries: &[Query]) -> Row {
    let (start, goal, _) = queries[0];
    let route = |goal| network.route_to(goal).great_circle(FACTOR);
    let mut search = AStar::new(route(goal)).dense().search(start);
    let (expanded, seconds) = measure(queries, |(start, goal, _)| {
        search.restart_with(route(goal), start);
        let report = search.run().expect("the costs fit");
        (report.cost().expect("a path"), report.stats.expanded)
    });
    let name = "A*, great circle".to_owned();
    Row { name, expanded: Some(expanded), seconds, preparation: None, bytes: None }
}

fn with_landmarks(
    network: &RoadNetwork,
    landmarks: &Landmarks<u32>,
    best: usize,
    queries: &[Query],
) -> (u64, f64) {
    let (start, goal, _) = queries[0];
    let problem = |start, goal| {
        let problem = landmarks.to(network.route_to(goal)).expect("they are of this network");
        if best < 16 { problem.best(best, &start) } else { problem }
    };
    let mut search = AStar::new(problem(start, goal)).dense().search(start);
    measure(queries, |(start, goal, _)| {
        search.restart_with(problem(start, goal), start);
        let report = search.run().expect("the costs fit");
        (report.cost().expect("a path"), report.stats.expanded)
    })
}

/// A hierarchy: only distances, with paths, and as the heuristic of A*. Prints the time of a table of 1000 × 1000 distances.
fn with_hierarchy(network: &RoadNetwork, queries: &[Query]) -> Vec<Row> {
    let (start, goal, _) = queries[0];
    let route = network.route_to(goal);
    let build = || Hierarchy::of(&route).build().expect("the costs fit");
    let (hierarchy, time) = cpu_time(build);
    let distances = measure(queries, |(start, goal, _)| {
        let distance = hierarchy.distance(start.index(), goal.index());
        (distance.expect("a path"), 0)
    });
    let mut search = hierarchy.query(route).expect("it is of this network").search(start);
    let paths = measure(queries, |(start, goal, _)| {
        search.restart_with(network.route_to(goal), start);
        let report = search.run().expect("the costs fit");
        (report.cost().expect("a path"), report.stats.expanded)
    });
    let informed = |goal| hierarchy.to(network.route_to(goal)).expect("it is of this network");
    let mut astar = AStar::new(informed(goal)).dense().search(start);
    let exact = measure(queries, |(start, goal, _)| {
        astar.restart_with(informed(goal), start);
        let report = astar.run().expect("the costs fit");
        (report.cost().expect("a path"), report.stats.expanded)
    });
    // Nodes all over the network: the numbers are a prime apart.
    let node = |place: usize| place * 7919 % hierarchy.state_count();
    let [sources, targets] =
        [0, 1000].map(|first| (first..first + 1000).map(node).collect::<Vec<_>>());
    let (table, took) = cpu_time(|| hierarchy.table(&sources, &targets));
    println!(
        "a table of {} rows and 1000 columns: {:.3} s",
        table.rows().len(),
        took.as_secs_f64()
    );
    let row = |name: &str, expanded, seconds| Row {
        name: name.to_owned(),
        expanded,
        seconds,
        preparation: Some(time.as_secs_f64()),
        bytes: Some(hierarchy.bytes()),
    };
    vec![
        row("A*, exact distances by a hierarchy", Some(exact.0), exact.1),
        row("hierarchy, with the path", Some(paths.0), paths.1),
        row("hierarchy, the distance alone", None, distances.1),
    ]
}

/// The crate `fast_paths`, with paths.
fn contraction_hierarchies(network: &RoadNetwork, queries: &[Query]) -> Row {
    let mut graph = fast_paths::InputGraph::new();
    for node in network.nodes() {
        for (head, weight) in network.arcs(node).filter(|&(head, _)| head != node) {
            graph.add_edge(node.index(), head.index(), weight as usize);
        }
    }
    graph.freeze();
    let (hierarchy, time) = cpu_time(|| fast_paths::prepare(&graph));
    let mut calculator = fast_paths::create_calculator(&hierarchy);
    let (_, seconds) = measure(queries, |(start, goal, _)| {
        let path = calculator.calc_path(&hierarchy, start.index(), goal.index());
        (path.map_or(0, |path| u32::try_from(path.get_weight()).expect("32 bits")), 0)
    });
    let name = "contraction hierarchies (`fast_paths`)".to_owned();
    Row { name, expanded: None, seconds, preparation: Some(time.as_secs_f64()), bytes: None }
}

fn markdown(rows: &[Row], queries: usize) -> String {
    let heading = vec![
        "New York",
        "expansions a query",
        "µs a query",
        "times as fast as Dijkstra",
        "preparation, s",
        "MB",
    ];
    #[expect(clippy::cast_precision_loss, reason = "they are shown with few digits")]
    let rows = rows.iter().map(|row| {
        vec![
            row.name.clone(),
            row.expanded.map_or("–".to_owned(), |count| thousands(count / queries as u64)),
            format!("{:.0}", row.seconds / queries as f64 * 1e6),
            format!("{:.1}", rows[0].seconds / row.seconds),
            row.preparation.map_or("–".to_owned(), |seconds| format!("{seconds:.2}")),
            row.bytes.map_or("–".to_owned(), |bytes| format!("{:.1}", bytes as f64 / 1e6)),
        ]
    });
    Table { heading, rows: rows.collect() }.markdown()
}
