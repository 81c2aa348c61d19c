//! The roads of New York: landmarks and hierarchies beside Dijkstra's algorithm, the great circle and `fast_paths`.

use bestfirst::heuristics::{CustomizableHierarchy, Hierarchy, Landmarks, Selection};
use bestfirst::problems::road_network::{NodeId, RoadNetwork};
use bestfirst::{AStar, Dijkstra, Limits};

use crate::support::clock::cpu_time;
use crate::support::median::median;
use crate::support::page::{Table, thousands};
use crate::support::{data, new_york};
use crate::turns::{ArcList, Turns};

/// How often all queries are answered; the median counts.
const ROUNDS: usize = 5;

/// The weights are about ten to a metre; this factor of the great circle is consistent.
const FACTOR: f64 = 7.15;

/// The weight of a metre.
const METRE: u32 = 10;

/// The limit on memory while a hierarchy is made, in bytes.
const MEMORY: usize = 60_000_000;

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
    let (hierarchy, time) = cpu_time(|| {
        let limits = Limits::new().memory(MEMORY);
        let route = network.route_to(queries[0].1);
        Hierarchy::of(&route).limits(limits).build().expect("the costs fit")
    });
    let prepared = (Some(time.as_secs_f64()), Some(hierarchy.bytes()));
    let made = with_hierarchy(&hierarchy, &network, &queries);
    let risen = with_traffic(&hierarchy, &network, &queries);
    let turning = with_turn_costs(&hierarchy, &network, &queries);
    rows.extend(made.into_iter().chain(risen).chain(turning).map(|mut row| {
        if !row.name.starts_with("Dijkstra") {
            (row.preparation, row.bytes) = prepared;
        }
        row
    }));
    rows.extend(customizable(&network, &queries));
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

/// A row whose preparation is that of the hierarchy, or none.
fn row(name: &str, (expanded, seconds): (u64, f64)) -> Row {
    let expanded = (expanded > 0).then_some(expanded);
    Row { name: name.to_owned(), expanded, seconds, preparation: None, bytes: None }
}

/// A hierarchy: as the heuristic of A*, with paths, only distances, and a table of 1000 × 1000 distances.
fn with_hierarchy(
    hierarchy: &Hierarchy<u32>,
    network: &RoadNetwork,
    queries: &[Query],
) -> [Row; 4] {
    let (start, goal, _) = queries[0];
    let distances = measure(queries, |(start, goal, _)| {
        let distance = hierarchy.distance(start.index(), goal.index());
        (distance.expect("a path"), 0)
    });
    let query = hierarchy.query(network.route_to(goal)).expect("it is of this network");
    let mut search = query.search(start);
    let mut states = 0;
    let paths = measure(queries, |(start, goal, _)| {
        search.restart_with(network.route_to(goal), start);
        let report = search.run().expect("the costs fit");
        states += report.path().expect("a path").states().len();
        (report.cost().expect("a path"), report.stats.expanded)
    });
    let exact = exact_distances(hierarchy, network, queries);
    println!("{} states expanded on paths of {} states", exact.0, states / ROUNDS);
    // Nodes all over the network: the numbers are a prime apart.
    let node = |place: usize| place * 7919 % hierarchy.state_count();
    let [sources, targets] =
        [0, 1000].map(|first| (first..first + 1000).map(node).collect::<Vec<_>>());
    let tables: Vec<f64> = (0..ROUNDS)
        .map(|_| cpu_time(|| hierarchy.table(&sources, &targets)).1.as_secs_f64())
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "there are hundreds")]
    let table = median(&tables) * queries.len() as f64;
    [
        row("A*, exact distances by a hierarchy", exact),
        row("hierarchy, with the path", paths),
        row("hierarchy, the distance alone", distances),
        row("hierarchy, a table of 1000 × 1000 distances", (0, table)),
    ]
}

/// A customizable hierarchy: how long a set of costs takes, and what is then asked.
fn customizable(network: &RoadNetwork, queries: &[Query]) -> Vec<Row> {
    let route = network.route_to(queries[0].1);
    let (prepared, ordering) = cpu_time(|| {
        let builder = CustomizableHierarchy::of(&route).limits(Limits::new().memory(MEMORY));
        let place = |&node: &NodeId| network.place(node).expect("the coordinates were read");
        builder.coordinates(place).build().expect("there are few arcs")
    });
    println!("{} arcs of a customizable hierarchy", prepared.arc_count());
    let customize = || prepared.customize(&route).expect("it is the same network");
    let times: Vec<f64> = (0..ROUNDS).map(|_| cpu_time(customize).1.as_secs_f64()).collect();
    let (seconds, hierarchy) = (median(&times), customize());
    let made = with_hierarchy(&hierarchy, network, queries).map(|row| Row {
        name: row.name.replace("hierarchy", "customized hierarchy"),
        preparation: Some(seconds),
        bytes: Some(hierarchy.bytes()),
        ..row
    });
    let costs = Row {
        name: "customizable hierarchy, a set of costs".to_owned(),
        expanded: None,
        #[expect(clippy::cast_precision_loss, reason = "there are hundreds")]
        seconds: seconds * queries.len() as f64,
        preparation: Some(ordering.as_secs_f64()),
        bytes: Some(prepared.bytes()),
    };
    [costs].into_iter().chain(made).collect()
}

/// A* with exact distances of the hierarchy in a network whose arcs cost as much as then, or more.
fn exact_distances(
    hierarchy: &Hierarchy<u32>,
    network: &RoadNetwork,
    queries: &[Query],
) -> (u64, f64) {
    let (start, goal, _) = queries[0];
    let informed = |goal| hierarchy.to(network.route_to(goal)).expect("it is of this network");
    let mut search = AStar::new(informed(goal)).dense().search(start);
    measure(queries, |(start, goal, _)| {
        search.restart_with(informed(goal), start);
        let report = search.run().expect("the costs fit");
        (report.cost().expect("a path"), report.stats.expanded)
    })
}

/// One arc in a hundred is 2 to 10 times as dear as when the hierarchy was made.
fn with_traffic(hierarchy: &Hierarchy<u32>, network: &RoadNetwork, queries: &[Query]) -> [Row; 2] {
    let factor = |tail: NodeId, head: NodeId| {
        let arc = u64::from(tail.number()) << 32 | u64::from(head.number());
        let mixed = (arc ^ arc >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        if mixed.is_multiple_of(100) { 2 + mixed / 100 % 9 } else { 1 }
    };
    let dearer = |tail, head, weight| weight * u32::try_from(factor(tail, head)).expect("up to 10");
    let today = network.with_weights(dearer).expect("there is memory");
    let mut search = Dijkstra::new(today.route_to(queries[0].1)).dense().search(queries[0].0);
    let queries: Vec<Query> = queries
        .iter()
        .map(|&(start, goal, _)| {
            search.restart_with(today.route_to(goal), start);
            let cost = search.run().expect("the costs fit").cost();
            (start, goal, cost.expect("a path"))
        })
        .collect();
    let mut blind = dijkstra(&today, &queries);
    blind.name = "Dijkstra, traffic".into();
    [row("A*, exact distances, traffic", exact_distances(hierarchy, &today, &queries)), blind]
}

/// 10 m for a turn by more than 45 degrees and 300 m for turning back, of which the hierarchy does not know.
fn with_turn_costs(
    hierarchy: &Hierarchy<u32>,
    network: &RoadNetwork,
    queries: &[Query],
) -> [Row; 2] {
    let list = ArcList::of(network);
    let informed = |goal| hierarchy.to(network.route_to(goal)).expect("it is of this network");
    let turns = |goal, informed| Turns { network, list: &list, informed, goal, unit: METRE };
    let goal = queries[0].1;
    let mut search = AStar::new(turns(goal, Some(informed(goal)))).dense().search(0);
    let mut blind = Dijkstra::new(turns(goal, None)).dense().search(0);
    let mut answer = |start, goal| {
        search.restart_with(turns(goal, Some(informed(goal))), 0);
        search.restart_from(list.starts(start));
        let report = search.run().expect("the costs fit");
        (report.cost().expect("a path"), report.stats.expanded)
    };
    let mut answer_blindly = |start, goal| {
        blind.restart_with(turns(goal, None), 0);
        blind.restart_from(list.starts(start));
        let report = blind.run().expect("the costs fit");
        (report.cost().expect("a path"), report.stats.expanded)
    };
    let with: Vec<Query> =
        queries.iter().map(|&(start, goal, _)| (start, goal, answer(start, goal).0)).collect();
    [
        row(
            "A*, exact distances, turn costs",
            measure(&with, |(start, goal, _)| answer(start, goal)),
        ),
        row("Dijkstra, turn costs", measure(&with, |(start, goal, _)| answer_blindly(start, goal))),
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
