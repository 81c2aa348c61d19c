//! Road networks: arcs at both ends, nodes and arcs by number, distances on the Earth, and what is read.

use std::io;

use bestfirst::problems::ParseErrorKind;
use bestfirst::problems::road_network::{NodeId, RoadError, RoadNetwork};
use bestfirst::{DenseStates, Encode, Reversible, SearchProblem, SuccessorBuffer, check};

/// The mean radius of the Earth in metres.
const EARTH: f64 = 6_371_000.0;

const GRAPH: &str = "c a comment with words\np sp 3 4\n\na 2 1 5\na 1 2 7\r\na 2 3 0\na 2 1 4\n";

fn graph(text: &str) -> String {
    RoadNetwork::read(text.as_bytes()).unwrap_err().to_string()
}

fn places(text: &str) -> String {
    let mut network = RoadNetwork::read(GRAPH.as_bytes()).unwrap();
    network.read_places(text.as_bytes()).unwrap_err().to_string()
}

/// The node with this number, counted from zero, of any network.
fn node(index: u32) -> NodeId {
    NodeId::decode(&index.to_le_bytes()).unwrap()
}

fn with_parallel_arcs(text: &str) -> RoadNetwork {
    RoadNetwork::builder().keep_parallel_arcs().read(text.as_bytes()).unwrap()
}

#[test]
fn arcs_keep_their_order_and_parallel_arcs_are_kept() {
    let network = with_parallel_arcs(GRAPH);
    assert_eq!((network.node_count(), network.arc_count(), network.left_out()), (3, 4, 0));
    let arcs = |number| {
        let node = network.node(number).unwrap();
        network.arcs(node).map(|(head, weight)| (head.number(), weight)).collect::<Vec<_>>()
    };
    assert_eq!(arcs(1), [(2, 7)]);
    assert_eq!(arcs(2), [(1, 5), (3, 0), (1, 4)]);
    assert_eq!(arcs(3), []);
    assert_eq!((network.node(0), network.node(4)), (None, None));
    assert_eq!(network.nodes().map(NodeId::number).collect::<Vec<_>>(), [1, 2, 3]);
    let builder = RoadNetwork::builder().keep_parallel_arcs();
    let made = builder.build(3, &[(1, 2, 7), (2, 1, 5), (2, 3, 0), (2, 1, 4)]);
    assert_eq!(made.unwrap(), network);

    let mut next = SuccessorBuffer::new();
    let route = network.route_to(node(2));
    route.successors(&node(1), &mut next);
    let steps = next.as_slice().iter().map(|step| (step.state, step.cost));
    assert_eq!(steps.collect::<Vec<_>>(), [(node(0), 5), (node(2), 0), (node(0), 4)]);
    assert!(route.is_goal(&node(2)) && !route.is_goal(&node(1)));
    assert_eq!((route.goal(), route.network().node_count()), (node(2), 3));
}

/// By default only the cheapest of parallel arcs is kept, at the place of the first, at both ends.
#[test]
fn the_cheapest_of_parallel_arcs_is_kept() {
    let network = RoadNetwork::read(GRAPH.as_bytes()).unwrap();
    assert_eq!((network.arc_count(), network.left_out()), (3, 1));
    let arcs = network.arcs(node(1)).map(|(head, weight)| (head.number(), weight));
    assert_eq!(arcs.collect::<Vec<_>>(), [(1, 4), (3, 0)]);

    let mut random = 7_u64;
    let mut below = |end: u64| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((random >> 33) % end).unwrap()
    };
    for _ in 0..300 {
        let nodes = 1 + below(6);
        let arcs: Vec<_> = (0..below(40))
            .map(|_| (1 + below(nodes.into()), 1 + below(nodes.into()), below(9)))
            .collect();
        let network = RoadNetwork::new(nodes, &arcs).unwrap();
        let mut cheapest = std::collections::BTreeMap::new();
        for &(from, to, weight) in &arcs {
            let least: &mut u32 = cheapest.entry((from, to)).or_insert(weight);
            *least = weight.min(*least);
        }
        let mut kept = std::collections::BTreeMap::new();
        let mut backwards = std::collections::BTreeMap::new();
        let mut previous = SuccessorBuffer::new();
        for node in network.nodes() {
            for (head, weight) in network.arcs(node) {
                assert_eq!(kept.insert((node.number(), head.number()), weight), None);
            }
            previous.clear();
            network.route_to(node).predecessors(&node, &mut previous);
            for step in previous.as_slice() {
                let ends = (step.state.number(), node.number());
                assert_eq!(backwards.insert(ends, step.cost), None);
            }
        }
        assert_eq!(kept, cheapest);
        assert_eq!(backwards, cheapest);
        assert_eq!(network.left_out(), arcs.len() - kept.len());
    }
}

/// Actions by arc are the same forwards and backwards, and name the arc.
#[test]
fn arcs_are_told_apart_at_both_ends() {
    let arcs = [(1, 2, 7), (2, 1, 5), (1, 2, 7), (3, 3, 0), (2, 1, 4), (1, 2, 9), (3, 3, 0)];
    let network = RoadNetwork::builder().keep_parallel_arcs().build(3, &arcs).unwrap();
    let route = network.route_to(node(1)).by_arc();
    let (mut forwards, mut backwards) = (Vec::new(), Vec::new());
    let mut next = SuccessorBuffer::new();
    for node in network.nodes() {
        next.clear();
        route.successors(&node, &mut next);
        for step in next.as_slice() {
            assert_eq!(network.arc(step.action), Some((node, step.state, step.cost)));
            forwards.push((step.action, node, step.state, step.cost));
        }
        next.clear();
        route.predecessors(&node, &mut next);
        let steps = next.as_slice().iter();
        backwards.extend(steps.map(|step| (step.action, step.state, node, step.cost)));
    }
    assert!(forwards.iter().map(|arc| arc.0.index()).eq(0..arcs.len()));
    backwards.sort_unstable();
    assert_eq!(backwards, forwards);
    // The eighth arc of another network.
    let larger = RoadNetwork::builder().keep_parallel_arcs().build(1, &[(1, 1, 0); 8]).unwrap();
    next.clear();
    larger.route_to(node(0)).by_arc().successors(&node(0), &mut next);
    let eighth = next.as_slice()[7].action;
    assert_eq!((eighth.index(), network.arc(eighth)), (7, None));
    assert!(check::reversible(&route, network.nodes()).is_ok());
}

#[test]
fn other_weights_are_those_at_both_ends() {
    let network = with_parallel_arcs(GRAPH);
    let other = network
        .with_weights(|tail, head, old| 100 * (tail.number() - 1) + 10 * (head.number() - 1) + old)
        .unwrap();
    let arcs = [(2, 1, 105), (1, 2, 17), (2, 3, 120), (2, 1, 104)];
    let made = RoadNetwork::builder().keep_parallel_arcs().build(3, &arcs).unwrap();
    assert_eq!(other, made);
}

#[test]
fn nodes_are_counted_from_zero_if_asked() {
    let zero = RoadNetwork::builder().from_zero().keep_parallel_arcs();
    let text = "c no line for the size\na 1 0 5\na 0 1 7\na 1 2 0\na 1 0 4\n";
    let network = zero.read(text.as_bytes()).unwrap();
    assert_eq!(network, with_parallel_arcs(GRAPH));
    assert_eq!(zero.build(3, &[(1, 0, 5), (0, 1, 7), (1, 2, 0), (1, 0, 4)]).unwrap(), network);
    let empty = RoadNetwork::builder().from_zero().read(&b"c nothing"[..]).unwrap();
    assert_eq!(empty.node_count(), 0);
    let message = |text: &str| zero.read(text.as_bytes()).unwrap_err().to_string();
    assert!(message("p sp 2 1\n").starts_with("line 1, column 1: found `p`"));
    assert!(message("a 0 4294967294 1\n").contains("a whole number from 0 to 4294967293"));
    assert!(message("a 0 4000000000 1\n").starts_with("line 1, column 5: 4000000001 nodes"));
    let error = zero.build(3, &[(0, 3, 1)]).unwrap_err().to_string();
    assert!(error.contains("node 3, which is not between 0 and 2"), "{error}");
}

#[test]
fn state_indices_are_inverse_to_state_at() {
    let network = RoadNetwork::read(GRAPH.as_bytes()).unwrap();
    let route = network.route_to(node(0));
    assert_eq!(route.state_count(), 3);
    for index in 0..3 {
        assert_eq!(route.state_index(&route.state_at(index)), index);
    }
}

#[test]
fn predecessors_are_the_successors_backwards() {
    let arcs = [(1, 2, 7), (2, 1, 5), (1, 2, 7), (3, 3, 0), (2, 1, 4), (4, 1, 9)];
    let network = RoadNetwork::builder().keep_parallel_arcs().build(5, &arcs).unwrap();
    let route = network.route_to(node(1));
    assert!(check::reversible(&route, network.nodes()).is_ok());
    let mut previous = SuccessorBuffer::new();
    route.predecessors(&node(0), &mut previous);
    let steps = previous.as_slice().iter().map(|step| (step.state.number(), step.cost));
    assert_eq!(steps.collect::<Vec<_>>(), [(2, 5), (2, 4), (4, 9)]);
}

#[test]
fn a_node_of_another_network_has_no_arcs() {
    let network = RoadNetwork::read(GRAPH.as_bytes()).unwrap();
    for index in [3, 4, u32::MAX - 1] {
        assert_eq!(network.arcs(node(index)).len(), 0);
        assert_eq!(network.route_to(node(index)).great_circle(1.0).heuristic(&node(1)), 0);
    }
    let empty = RoadNetwork::new(0, &[]).unwrap();
    assert_eq!(empty.arcs(node(0)).len(), 0);
    assert_eq!(empty.nodes().len(), 0);
}

#[test]
fn the_great_circle_is_a_close_lower_bound() {
    let exact = |a: [i32; 2], b: [i32; 2]| {
        let [lon_a, lat_a, lon_b, lat_b] =
            [a[0], a[1], b[0], b[1]].map(|micro| (f64::from(micro) * 1e-6).to_radians());
        let haversine = ((lat_b - lat_a) / 2.0).sin().powi(2)
            + lat_a.cos() * lat_b.cos() * ((lon_b - lon_a) / 2.0).sin().powi(2);
        2.0 * EARTH * haversine.sqrt().min(1.0).asin()
    };
    for (a, b, within) in [
        ([-73_530_767, 41_085_396], [-73_530_538, 41_086_098], 1e-6),
        ([-74_000_000, 40_000_000], [-73_000_000, 41_000_000], 1e-6),
        ([13_400_000, 52_500_000], [2_350_000, 48_860_000], 1e-6),
        ([0, 0], [90_000_000, 0], 0.01),
        ([0, 0], [180_000_000, 0], 0.2),
        ([0, 90_000_000], [0, -90_000_000], 0.2),
    ] {
        let places = format!("p aux sp co 2\nv 1 {} {}\nv 2 {} {}\n", a[0], a[1], b[0], b[1]);
        let mut network = RoadNetwork::new(2, &[]).unwrap();
        network.read_places(places.as_bytes()).unwrap();
        let bound = network.great_circle(node(0), node(1)).unwrap();
        let exact = exact(a, b);
        assert!(bound <= exact + 1e-6 && bound >= exact * (1.0 - within), "{bound} {exact}");
    }
}

#[test]
fn the_heuristic_is_rounded_down_and_clamped() {
    let mut network = RoadNetwork::new(3, &[(1, 2, 111_195), (2, 3, 300_000)]).unwrap();
    let goal = network.node(1).unwrap();
    let far = network.node(3).unwrap();
    assert_eq!(network.route_to(goal).great_circle(1.0).heuristic(&far), 0);
    assert_eq!((network.largest_factor(), network.great_circle(goal, far)), (None, None));
    assert_eq!(network.place(goal), None);

    let text = "p aux sp co 3\nv 2 1000000 0\nc\nv 3 0 2000000\nv 1 0 0\n";
    network.read_places(text.as_bytes()).unwrap();
    let degree = EARTH * std::f64::consts::PI / 180.0; // 111,194.93 metres
    let second = network.node(2).unwrap();
    assert_eq!(network.route_to(goal).heuristic(&second), 0);
    let place = network.place(second).unwrap();
    assert!((place[0] - 1.0).abs() < 1e-9 && place[1].abs() < 1e-9, "{place:?}");
    let place = network.place(far).unwrap();
    assert!(place[0].abs() < 1e-9 && (place[1] - 2.0).abs() < 1e-9, "{place:?}");
    let estimate = |factor| network.route_to(goal).great_circle(factor).heuristic(&second);
    assert_eq!(estimate(1.0), 111_194);
    assert_eq!(estimate(10.0), 1_111_949);
    assert_eq!(network.route_to(goal).great_circle(1.0).heuristic(&goal), 0);
    assert_eq!(estimate(1e30), u32::MAX - 1);
    for factor in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
        assert_eq!(estimate(factor), 0);
    }
    assert_eq!(network.route_to(goal).great_circle(f64::INFINITY).heuristic(&goal), 0);
    let factor = network.largest_factor().unwrap();
    assert!((factor - 111_195.0 / degree).abs() < 1e-9, "{factor}");
}

#[test]
fn comments_may_be_indented() {
    let network = with_parallel_arcs(GRAPH);
    let indented = GRAPH.replace('\n', "\n  c indented\n\tc\tby a tab\n");
    assert_eq!(with_parallel_arcs(&indented), network);
    assert_eq!(with_parallel_arcs(&format!(" c first\n{GRAPH}")), network);
    assert!(places("p aux sp co 3\n c a place\nv 1 0 0").ends_with("found 1 places, expected 3"));
    assert!(graph(" p sp 2 1\n a c 2 5").contains("found `c`, expected a node"));
}

#[test]
fn errors_in_graphs_have_positions() {
    assert_eq!(graph(""), "line 1, column 1: the line `p sp NODES ARCS` is missing");
    assert_eq!(
        graph("a 1 2 3"),
        "line 1, column 1: found `a`, expected `p sp NODES ARCS` before the first arc"
    );
    assert_eq!(
        graph("p sp 2 1\np sp 2 1"),
        "line 2, column 1: found `p`, expected `a` or `c`; there is a `p` line above"
    );
    assert_eq!(graph("p max 2 1"), "line 1, column 3: found `max`, expected `p sp NODES ARCS`");
    assert_eq!(
        graph("p sp 2"),
        "line 1, column 7: found the end of the line, expected the number of arcs, a whole number from 0 to 4294967295"
    );
    for number in ["two", "+2", "4294967295"] {
        assert_eq!(
            graph(&format!("p sp {number} 1")),
            format!(
                "line 1, column 6: found `{number}`, expected the number of nodes, a whole number from 0 to 4294967294"
            )
        );
    }
    let node = "expected a node, a whole number from 1 to 2";
    assert_eq!(graph("p sp 2 1\na 1  3 5"), format!("line 2, column 6: found `3`, {node}"));
    assert_eq!(graph("p sp 2 1\na 0 1 5"), format!("line 2, column 3: found `0`, {node}"));
    assert_eq!(graph("p sp 2 1\na +1 2 5"), format!("line 2, column 3: found `+1`, {node}"));
    for weight in ["-5", "+5", "5.5", "0x10", "99999999999999999999"] {
        assert_eq!(
            graph(&format!("p sp 2 1\na 1 2 {weight}")),
            format!(
                "line 2, column 7: found `{weight}`, expected a weight, a whole number from 0 to 4294967295"
            )
        );
    }
    assert_eq!(
        graph("p sp 0 1\na 1 1 1"),
        "line 2, column 3: found `1`, expected a node, but there is none"
    );
    assert_eq!(
        graph("p sp 2 1\na 1 2 5 6"),
        "line 2, column 9: found `6`, expected the end of the line"
    );
    assert_eq!(
        graph("p sp 2 1\n\ne 1 2 5"),
        "line 3, column 1: found `e`, expected `a FROM TO WEIGHT`, `p sp NODES ARCS` or `c`"
    );
    assert!(graph("p sp 2 1\n\u{e9}\u{ff}").starts_with("line 2, column 1: found `"));
    assert_eq!(graph("p sp 2 2\na 1 2 5"), "line 1, column 8: found 1 arcs, expected 2");
    assert_eq!(
        graph("p sp 4294967294 1\na 1 2 5"),
        "line 1, column 6: 4294967294 nodes with 1 arcs: the number of nodes cannot be right"
    );
    let error = RoadNetwork::new(2, &[(1, 2, 0), (3, 1, 0)]).unwrap_err();
    assert_eq!(error.to_string(), "arc 1 leads from or to node 3, which is not between 1 and 2");
    let error = RoadNetwork::new(0, &[(1, 1, 0)]).unwrap_err();
    assert_eq!(error.to_string(), "arc 0 leads from or to node 1, but there are no nodes");
}

#[test]
fn errors_in_places_have_positions() {
    assert_eq!(places("c"), "line 2, column 1: the line `p aux sp co NODES` is missing");
    assert_eq!(
        places("v 1 0 0"),
        "line 1, column 1: found `v`, expected `p aux sp co NODES` before the first place"
    );
    assert_eq!(places("p sp co 3"), "line 1, column 3: found `sp`, expected `p aux sp co NODES`");
    assert_eq!(
        places("p aux sp co 4"),
        "line 1, column 13: found `4`, expected 3, the number of nodes of the graph"
    );
    assert_eq!(
        places("p aux sp co 3\np aux sp co 3"),
        "line 2, column 1: found `p`, expected `v` or `c`; there is a `p` line above"
    );
    assert_eq!(
        places("p aux sp co 3\nv 4 0 0"),
        "line 2, column 3: found `4`, expected a node, a whole number from 1 to 3"
    );
    assert_eq!(
        places("p aux sp co 3\nv 1 0 0\nv 1 0 0"),
        "line 3, column 3: found `1`, expected a node that has no place yet"
    );
    assert_eq!(
        places("p aux sp co 3\nv 1 400000000 0"),
        "line 2, column 5: found `400000000`, expected a longitude, a whole number from -360000000 to 360000000"
    );
    assert_eq!(
        places("p aux sp co 3\nv 1 +4 0"),
        "line 2, column 5: found `+4`, expected a longitude, a whole number from -360000000 to 360000000"
    );
    assert_eq!(
        places("p aux sp co 3\nv 1 0 -90000001"),
        "line 2, column 7: found `-90000001`, expected a latitude, a whole number from -90000000 to 90000000"
    );
    assert_eq!(
        places("p aux sp co 3\nx"),
        "line 2, column 1: found `x`, expected `v NODE LONGITUDE LATITUDE`, \
         `p aux sp co NODES` or `c`"
    );
    let count = "line 1, column 13: found 2 places, expected 3";
    assert_eq!(places("p aux sp co 3\nv 1 0 0\nv 3 0 0"), count);
}

#[test]
fn io_errors_are_returned() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("gone"))
        }
    }
    let error = RoadNetwork::read(io::BufReader::new(Broken)).unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 1: the line cannot be read: gone");
    assert_eq!(error.kind(), ParseErrorKind::Io(io::ErrorKind::Other));
}

#[test]
fn too_many_nodes_are_an_error() {
    let error = RoadNetwork::new(u32::MAX, &[]).unwrap_err();
    assert!(matches!(error, RoadError::TooLarge { nodes: u32::MAX, arcs: 0 }));
    assert_eq!(
        error.to_string(),
        "4294967295 nodes and 0 arcs are too many; at most 4294967294 nodes and 4294967295 arcs can \
         be numbered"
    );
}
