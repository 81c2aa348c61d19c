//! What all parsers of ready problems have in common.

use bestfirst::problems::amphipod::Burrow;
use bestfirst::problems::crucible::HeatMap;
use bestfirst::problems::grid_map::{GridMap, Scenario, TerrainCosts, TerrainMap};
use bestfirst::problems::road_network::RoadNetwork;
use bestfirst::problems::sliding_tiles::Board;

/// The errors below also show that the mark is not counted as a column, and that it is accepted only once and
/// only at the beginning.
#[test]
fn a_byte_order_mark_is_accepted_by_every_parser() {
    let marked = |text: &str| format!("\u{FEFF}{text}");

    let burrow = Burrow::example().to_string();
    assert_eq!(Burrow::parse(&marked(&burrow)), Ok(Burrow::example()));
    let fault = Burrow::parse(&marked("?")).unwrap_err().to_string();
    assert!(fault.starts_with("line 1, column 1: '?'"), "{fault}");
    assert!(Burrow::parse(&marked(&marked(&burrow))).is_err());

    assert_eq!(marked("12\n34").parse::<HeatMap>(), "12\n34".parse());
    let fault = marked("1x").parse::<HeatMap>().unwrap_err().to_string();
    assert!(fault.starts_with("line 1, column 2: "), "{fault}");
    assert!("12\n\u{FEFF}34".parse::<HeatMap>().is_err());

    let map = "type octile\nheight 1\nwidth 2\nmap\n.@\n";
    assert_eq!(marked(map).parse::<GridMap>(), map.parse());
    assert_eq!(GridMap::from_rows(&marked(".@")), GridMap::from_rows(".@"));
    let fault = marked("tipe").parse::<GridMap>().unwrap_err().to_string();
    assert!(fault.starts_with("line 1, column 1: "), "{fault}");

    let costs = ". 1\n@ 0\n";
    assert_eq!(marked(costs).parse::<TerrainCosts>(), costs.parse());
    let costs: TerrainCosts = costs.parse().unwrap();
    let rows = TerrainMap::from_rows(&marked(".@"), |letter| costs.terrain(letter));
    assert_eq!(rows.unwrap().width(), 2);

    let scenario = "version 1\n0 a.map 2 1 0 0 1 0 1\n";
    assert_eq!(marked(scenario).parse::<Scenario>(), scenario.parse());

    let board: Board = "1 2 3\n4 5 0".parse().unwrap();
    assert_eq!(marked("1 2 3\n4 5 0").parse().as_ref(), Ok(&board));
    assert_eq!(Board::parse(&marked("1 2 3 4 5 0"), 3, 2).as_ref(), Ok(&board));

    let (graph, places) = ("p sp 1 0\n", "p aux sp co 1\nv 1 5 6\n");
    let mut network = RoadNetwork::read(marked(graph).as_bytes()).unwrap();
    network.read_places(marked(places).as_bytes()).unwrap();
    let fault = RoadNetwork::read(marked("q").as_bytes()).unwrap_err().to_string();
    assert!(fault.starts_with("line 1, column 1: "), "{fault}");
    assert!(RoadNetwork::read("\u{FEFF}\u{FEFF}p sp 1 0\n".as_bytes()).is_err());
}
