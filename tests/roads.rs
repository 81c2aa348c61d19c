//! The road networks of New York and Rome, from the 9th DIMACS challenge, against reference distances. What takes long to prepare
//! is prepared for a part of New York; `cargo test --release --test roads -- --ignored` takes all of it.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::sync::OnceLock;

use bestfirst::heuristics::{CustomizableHierarchy, Hierarchy, Landmarks};
use bestfirst::problems::road_network::{NodeId, RoadNetwork};
use bestfirst::{AStar, Dijkstra};
use flate2::read::GzDecoder;
use support::random::every;

/// The factor of the great-circle heuristic for New York; the weights are about ten to a metre.
const FACTOR: f64 = 7.15;

fn open(path: &Path) -> File {
    File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn unpacked(path: &Path) -> BufReader<GzDecoder<File>> {
    BufReader::new(GzDecoder::new(open(path)))
}

/// Read once for all tests.
fn new_york() -> Option<&'static RoadNetwork> {
    static NEW_YORK: OnceLock<Option<RoadNetwork>> = OnceLock::new();
    NEW_YORK.get_or_init(read_new_york).as_ref()
}

fn read_new_york() -> Option<RoadNetwork> {
    let graph = support::data::data("roads/USA-road-d.NY.gr.gz")?;
    let places = support::data::data("roads/USA-road-d.NY.co.gz")?;
    let mut network = RoadNetwork::read(unpacked(&graph)).unwrap();
    network.read_places(unpacked(&places)).unwrap();
    assert_eq!((network.node_count(), network.arc_count()), (264_346, 733_846 - 3746));
    assert_eq!(network.left_out(), 3746);
    Some(network)
}

/// The nodes of New York that are nearest to one of them, numbered anew, with distances between some of them: made once for all
/// tests.
fn part_of_new_york() -> Option<&'static (RoadNetwork, Vec<[u64; 3]>)> {
    const NODES: u32 = 5_000;
    static PART: OnceLock<Option<(RoadNetwork, Vec<[u64; 3]>)>> = OnceLock::new();
    let part = || {
        let whole = new_york()?;
        let middle = node(whole, 130_000);
        let far = |&node: &NodeId| whole.great_circle(middle, node).unwrap();
        let mut nodes: Vec<NodeId> = whole.nodes().collect();
        nodes.sort_by_cached_key(|node| far(node).to_bits());
        nodes.truncate(NODES as usize);
        nodes.sort_by_key(|node| node.index());
        let numbers: HashMap<NodeId, u32> = nodes.iter().copied().zip(1..).collect();
        let arcs_of = |tail: &NodeId| {
            let inside = |(head, weight)| Some((numbers[tail], *numbers.get(&head)?, weight));
            whole.arcs(*tail).filter_map(inside).collect::<Vec<_>>()
        };
        let arcs: Vec<_> = nodes.iter().flat_map(arcs_of).collect();
        let mut part = RoadNetwork::new(NODES, &arcs).unwrap();
        let mut places = format!("p aux sp co {NODES}\n");
        for node in &nodes {
            let [longitude, latitude] =
                whole.place(*node).unwrap().map(|degrees| (degrees * 1e6).round());
            writeln!(places, "v {} {longitude} {latitude}", numbers[node]).unwrap();
        }
        part.read_places(places.as_bytes()).unwrap();
        let distance = |pair: u64| {
            let [source, target] =
                [pair * 7919, pair * 104_729 + 1].map(|mixed| 1 + mixed % u64::from(NODES));
            let route = part.route_to(node(&part, target));
            let search = Dijkstra::new(route).dense().search(node(&part, source)).run();
            Some([source, target, search.unwrap().cost()?.into()])
        };
        let rows: Vec<_> = (0..40).filter_map(distance).collect();
        assert!(rows.len() > 30, "{}", rows.len());
        Some((part, rows))
    };
    PART.get_or_init(part).as_ref()
}

fn rome() -> Option<RoadNetwork> {
    let graph = support::data::data("roads/rome99.gr")?;
    let network = RoadNetwork::read(BufReader::new(open(&graph))).unwrap();
    assert_eq!((network.node_count(), network.arc_count()), (3353, 8870 - 11));
    assert_eq!(network.left_out(), 11);
    Some(network)
}

/// The rows of a reference file for `graph`, without the name of the graph.
fn reference<const N: usize>(file: &str, graph: &str) -> Option<Vec<[u64; N]>> {
    let text = fs::read_to_string(support::data::data(file)?).unwrap();
    let rows = text.lines().skip(1).filter_map(|line| line.strip_prefix(graph));
    let numbers = |row: &str| {
        let numbers: Vec<u64> = row.split(',').skip(1).map(|n| n.trim().parse().unwrap()).collect();
        numbers.try_into().unwrap()
    };
    Some(rows.map(numbers).collect())
}

fn node(network: &RoadNetwork, number: u64) -> NodeId {
    network.node(u32::try_from(number).unwrap()).unwrap()
}

/// The hundred pairs of a graph with their distances.
fn pairs(graph: &str) -> Option<Vec<[u64; 3]>> {
    let rows = reference::<3>("roads/reference_distances.csv", graph)?;
    assert_eq!(rows.len(), 100);
    Some(rows)
}

/// Checks every `stride`-th pair with Dijkstra's algorithm and with A*, with a heuristic if the places are known. Each
/// engine is one search that is restarted.
fn check_distances(network: &RoadNetwork, graph: &str, stride: usize) {
    let Some(rows) = pairs(graph) else { return };
    let anywhere = node(network, 1);
    let first = network.route_to(anywhere).great_circle(FACTOR);
    let mut dijkstra = Dijkstra::new(first).dense().search(anywhere);
    let mut astar = AStar::new(first).dense().search(anywhere);
    for [source, target, distance] in rows.into_iter().step_by(stride) {
        let (source, target) = (node(network, source), node(network, target));
        let distance = u32::try_from(distance).unwrap();
        let route = network.route_to(target).great_circle(FACTOR);

        dijkstra.restart_with(route, source);
        let report = dijkstra.run().unwrap();
        assert_eq!(report.cost(), Some(distance), "Dijkstra from {source} to {target}");
        report.path().unwrap().verify(&route).unwrap();

        astar.restart_with(route, source);
        let report = astar.run().unwrap();
        assert_eq!(report.cost(), Some(distance), "A* from {source} to {target}");
        report.path().unwrap().verify(&route).unwrap();
        assert_eq!(report.stats.reopened, 0, "the heuristic is consistent");
        assert!(report.stats.expanded <= dijkstra.stats().expanded);
    }
}

/// Checks the number of reachable nodes, their largest distance and the sum of their distances.
fn check_one_to_all(network: &RoadNetwork, graph: &str, sources: usize, stride: usize) {
    let Some(rows) = reference::<4>("roads/reference_sssp.csv", graph) else { return };
    assert_eq!(rows.len(), sources);
    for [source, reachable, max, sum] in rows.into_iter().step_by(stride) {
        let source = node(network, source);
        let search = Dijkstra::new(network.route_to(source)).dense().search(source);
        let reached = search.reach_all().unwrap();
        let mut found = [0; 3];
        reached.for_each(|_, distance| {
            found[0] += 1;
            found[1] = found[1].max(u64::from(distance));
            found[2] += u64::from(distance);
        });
        assert_eq!(found, [reachable, max, sum], "from {source}");
    }
}

#[test]
fn new_york_distances_are_exact() {
    let Some(network) = new_york() else { return };
    check_distances(network, "USA-road-d.NY", every(5));
}

#[test]
#[ignore = "the long form of the one above"]
fn all_distances_of_new_york_are_exact() {
    let Some(network) = new_york() else { return };
    check_distances(network, "USA-road-d.NY", 1);
}

#[test]
fn new_york_from_one_to_all() {
    let Some(network) = new_york() else { return };
    check_one_to_all(network, "USA-road-d.NY", 10, every(1));
}

#[test]
fn the_largest_factor_of_new_york_is_between_7_15_and_10() {
    let Some(network) = new_york() else { return };
    let factor = network.largest_factor().unwrap();
    assert!((7.15..10.0).contains(&factor), "{factor}");
}

#[test]
fn rome_distances_are_exact() {
    let Some(network) = rome() else { return };
    check_distances(&network, "rome99", 1);
    check_one_to_all(&network, "rome99", 10, 1);
}

/// Checks every pair by A* with landmarks, kept exactly and compressed; returns the expansions of both.
fn check_landmarks(network: &RoadNetwork, rows: &[[u64; 3]]) -> [u64; 2] {
    let anywhere = network.route_to(node(network, 1));
    let mut expanded = [0; 2];
    for (is_compressed, expanded) in [false, true].into_iter().zip(&mut expanded) {
        let builder = Landmarks::of(&anywhere).count(16);
        let builder = if is_compressed { builder.compressed() } else { builder };
        let landmarks = builder.build().unwrap();
        let start = anywhere.goal();
        let mut search = AStar::new(landmarks.to(anywhere).unwrap()).dense().search(start);
        for &[source, target, distance] in rows {
            let (source, target) = (node(network, source), node(network, target));
            search.restart_with(landmarks.to(network.route_to(target)).unwrap(), source);
            let report = search.run().unwrap();
            assert_eq!(report.cost().map(u64::from), Some(distance), "from {source} to {target}");
            assert!(report.stats.reopened == 0 || is_compressed, "the heuristic is consistent");
            *expanded += report.stats.expanded;
        }
    }
    expanded
}

#[test]
fn landmarks_of_rome_and_new_york_give_exact_distances() {
    if let Some((network, rows)) = rome().zip(pairs("rome99")) {
        check_landmarks(&network, &rows);
    }
    let Some((network, rows)) = part_of_new_york() else { return };
    let [exact, compressed] = check_landmarks(network, rows);
    // The counts are always the same.
    assert!(exact <= 4_300 && compressed <= 4_850, "{exact}, {compressed}");
}

#[test]
#[ignore = "the long form of the one above"]
fn landmarks_of_all_of_new_york_give_exact_distances() {
    let Some((network, rows)) = new_york().zip(pairs("USA-road-d.NY")) else { return };
    let [exact, compressed] = check_landmarks(network, &rows);
    // The counts are always the same; Dijkstra's algorithm expands 13,195,700 states.
    assert!(exact <= 590_000 && compressed <= 1_200_000, "{exact}, {compressed}");
}

/// Checks every pair by a hierarchy: the distance, the search with its path, A* with the exact heuristic, and a table.
fn check_hierarchy(network: &RoadNetwork, rows: &[[u64; 3]], hierarchy: &Hierarchy<u32>) {
    let anywhere = network.route_to(node(network, 1));
    let mut search = hierarchy.query(anywhere).unwrap().search(anywhere.goal());
    let informed = hierarchy.to(anywhere).unwrap();
    let mut astar = AStar::new(informed).dense().search(anywhere.goal());
    let [mut expanded, mut states] = [0, 0];
    for &[source, target, distance] in rows {
        let (source, target) = (node(network, source), node(network, target));
        let route = network.route_to(target);
        let distance = u32::try_from(distance).ok();
        assert_eq!(hierarchy.distance(source.index(), target.index()), distance);
        search.restart_with(route, source);
        let report = search.run().unwrap();
        assert_eq!(report.cost(), distance, "from {source} to {target}");
        report.path().unwrap().verify(&route).unwrap();
        astar.restart_with(hierarchy.to(route).unwrap(), source);
        let report = astar.run().unwrap();
        assert_eq!(report.cost(), distance, "A* from {source} to {target}");
        expanded += report.stats.expanded;
        states += report.path().unwrap().states().len() as u64;
    }
    assert!(expanded * 100 <= states * 105, "{expanded} for paths of {states}");
    let [sources, targets] = [0, 1].map(|column| {
        let index = |row: &[u64; 3]| node(network, row[column]).index();
        rows.iter().map(index).collect::<Vec<_>>()
    });
    let table = hierarchy.table(&sources, &targets);
    for (place, row) in rows.iter().enumerate() {
        assert_eq!(table.get(place, place).map(u64::from), Some(row[2]));
        assert_eq!(hierarchy.distances(sources[place], &targets), table.row(place));
    }
}

/// Makes a hierarchy of the weights, and checks it.
fn check_hierarchy_of(network: &RoadNetwork, rows: &[[u64; 3]]) {
    let anywhere = network.route_to(node(network, 1));
    check_hierarchy(network, rows, &Hierarchy::of(&anywhere).build().unwrap());
}

#[test]
fn hierarchies_of_rome_and_new_york_are_exact() {
    if let Some((network, rows)) = rome().zip(pairs("rome99")) {
        check_hierarchy_of(&network, &rows);
    }
    if let Some((network, rows)) = part_of_new_york() {
        check_hierarchy_of(network, rows);
    }
}

#[test]
#[ignore = "the long form of the one above"]
fn hierarchies_of_all_of_new_york_are_exact() {
    let Some((network, rows)) = new_york().zip(pairs("USA-road-d.NY")) else { return };
    check_hierarchy_of(network, &rows);
}

/// Some weights are halved, others doubled or much larger.
fn with_traffic(network: &RoadNetwork, day: u64) -> RoadNetwork {
    let weigh = |tail: NodeId, head: NodeId, weight: u32| {
        let arc = u64::from(tail.number()) << 32 | u64::from(head.number()) ^ day << 20;
        match (arc ^ arc >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60 {
            0..4 => weight / 2,
            4..7 => 2 * weight,
            7 => 10 * weight,
            _ => weight,
        }
    };
    network.with_weights(weigh).unwrap()
}

/// Customizes a hierarchy of at most `most` arcs for the weights and for those of two days, and checks all of them.
fn check_customized(network: &RoadNetwork, rows: &[[u64; 3]], most: usize) {
    let anywhere = network.route_to(node(network, 1));
    let builder = CustomizableHierarchy::of(&anywhere);
    let builder = if network.place(anywhere.goal()).is_some() {
        builder.coordinates(|&node| network.place(node).unwrap())
    } else {
        builder
    };
    let prepared = builder.build().unwrap();
    // The counts are always the same.
    assert!(prepared.arc_count() <= most, "{}", prepared.arc_count());
    check_hierarchy(network, rows, &prepared.customize(&anywhere).unwrap());
    for day in 0..2 {
        let today = with_traffic(network, day);
        let hierarchy = prepared.customize(&today.route_to(anywhere.goal())).unwrap();
        let mut search =
            hierarchy.query(today.route_to(anywhere.goal())).unwrap().search(anywhere.goal());
        let mut blind =
            Dijkstra::new(today.route_to(anywhere.goal())).dense().search(anywhere.goal());
        let count = u64::try_from(network.node_count()).unwrap();
        for query in 0..4 {
            let [start, goal] =
                [query * 7919, query * 104_729 + day].map(|mixed| node(network, 1 + mixed % count));
            let route = today.route_to(goal);
            blind.restart_with(route, start);
            let cost = blind.run().unwrap().cost();
            search.restart_with(route, start);
            let report = search.run().unwrap();
            assert_eq!(report.cost(), cost, "from {start} to {goal}");
            report.path().unwrap().verify(&route).unwrap();
        }
    }
}

#[test]
fn customized_hierarchies_of_rome_and_new_york_are_exact() {
    if let Some((network, rows)) = rome().zip(pairs("rome99")) {
        check_customized(&network, &rows, 22_000);
    }
    if let Some((network, rows)) = part_of_new_york() {
        check_customized(network, rows, 29_500);
    }
}

#[test]
#[ignore = "the long form of the one above"]
fn customized_hierarchies_of_all_of_new_york_are_exact() {
    let Some((network, rows)) = new_york().zip(pairs("USA-road-d.NY")) else { return };
    check_customized(network, &rows, 1_530_000);
}
