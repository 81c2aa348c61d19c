//! Paths, reports, limits and maps through `serde_json`: what is read back is the same, and what is wrong is refused.

use std::fmt::Debug;
use std::time::Duration;

use bestfirst::problems::amphipod::{Burrow, BurrowState, Kind, Literal, Reduced, Rules};
use bestfirst::problems::crucible::{Crucible, HeatMap};
use bestfirst::problems::grid_map::{
    Cell, FourWay, GridMap, Length, Movement, Scenario, Terrain, TerrainCosts, TerrainMap, Waypoint,
};
use bestfirst::problems::pancake::{PancakePuzzle, Stack};
use bestfirst::problems::road_network::RoadNetwork;
use bestfirst::problems::sliding_tiles::{self, Board, SlidingTiles, Tracked};
use bestfirst::{
    AStar, AnytimeAStar, CancelToken, Cost, Criteria, FnProblem, Layer, Limits, Outcome, Pareto,
    Path, Report, ReportRow, SearchProblem, Stats, StopReason, astar,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn line() -> impl SearchProblem<State = u32, Action = (), Cost = u32> {
    FnProblem::new(
        |&n: &u32| [(n + 1, 2_u32), (n + 3, 5)],
        |&n: &u32| 30_u32.saturating_sub(n),
        |&n: &u32| n == 30,
    )
}

/// Writes a value, reads it back, and returns the text.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).expect("it can be written");
    let back: T = serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{fault}: {text}"));
    assert_eq!(&back, value, "{text}");
    text
}

/// What is said about text that is refused.
fn refused<T: DeserializeOwned + Debug>(text: &str) -> String {
    serde_json::from_str::<T>(text).expect_err(text).to_string()
}

#[test]
fn reports_of_every_end() {
    let found = astar(&line(), 0).unwrap();
    assert!(matches!(found.outcome, Outcome::Found(_)));
    round_trip(&found);
    round_trip(&found.stats);
    round_trip(&found.layers);
    round_trip(found.path().unwrap());

    let none =
        FnProblem::new(|&n: &u8| (n < 9).then_some((n + 1, 1_u32)), |_: &u8| 0, |_: &u8| false);
    let exhausted = astar(&none, 0).unwrap();
    assert_eq!(exhausted.outcome, Outcome::Exhausted);
    assert!(round_trip(&exhausted).contains("\"Exhausted\""));

    for expansions in 0..40 {
        let limits = Limits::new().expansions(expansions);
        round_trip(&AStar::new(line()).limits(limits.clone()).search(0).run().unwrap());
        // With an incumbent.
        round_trip(&AnytimeAStar::new(line()).limits(limits).search(0).run().unwrap());
    }
}

/// JSON has no infinity, which is the lower bound where there is no path.
#[test]
fn reports_with_float_costs() {
    fn check<C: Cost + Serialize + DeserializeOwned + From<f32>>() {
        let ends = |last: u8| {
            FnProblem::new(
                move |&n: &u8| (n < last).then_some((n + 1, C::from(0.5))),
                |_: &u8| C::ZERO,
                |&n: &u8| n == 9,
            )
        };
        let found = astar(&ends(9), 0).unwrap();
        assert_eq!(found.cost(), Some(C::from(4.5)));
        round_trip(&found);
        let limits = Limits::new().expansions(3);
        let stopped = AStar::new(ends(9)).limits(limits).search(0).run().unwrap();
        assert_eq!(stopped.lower_bound, C::from(1.5));
        assert!(round_trip(&stopped).contains("\"lower_bound\":1.5"));
        let exhausted = astar(&ends(5), 0).unwrap();
        assert_eq!(exhausted.lower_bound, C::INFINITY);
        assert!(round_trip(&exhausted).contains("\"lower_bound\":null"));
    }
    check::<f32>();
    check::<f64>();
    // As it was written before.
    let none = FnProblem::new(|_: &u8| [] as [(u8, u8); 0], |_: &u8| 0, |_: &u8| false);
    let exhausted = astar(&none, 0).unwrap();
    let text = round_trip(&exhausted).replace("\"lower_bound\":null", "\"lower_bound\":255");
    assert_eq!(serde_json::from_str::<Report<u8, (), u8>>(&text).unwrap(), exhausted);
}

#[test]
fn a_layer_with_an_infinite_bound_is_read_back() {
    let text = |bound| format!(r#"{{"bound":{bound},"expanded":3,"generated":7}}"#);
    let layer: Layer<f64> = serde_json::from_str(&text("null")).unwrap();
    assert_eq!((layer.bound, layer.expanded, layer.generated), (f64::INFINITY, 3, 7));
    assert_eq!(round_trip(&layer), text("null"));
    let finite: Layer<f64> = serde_json::from_str(&text("1.5")).unwrap();
    assert_eq!(round_trip(&finite), text("1.5"));
    // As it was written before.
    let largest: Layer<u8> = serde_json::from_str(&text("255")).unwrap();
    assert_eq!(round_trip(&largest), text("null"));
}

#[test]
fn fronts_whole_and_in_part() {
    fn check<C: Cost + Serialize + DeserializeOwned + From<u8>>()
    where
        [C; 2]: Criteria + Serialize + DeserializeOwned,
    {
        let [one, two, three] = [1, 2, 3].map(C::from);
        let line = FnProblem::new(
            |&n: &u8| [(n + 1, [one, three]), (n + 1, [two, one])],
            |&n: &u8| if n > 4 { [C::INFINITY; 2] } else { [C::ZERO; 2] },
            |&n: &u8| n == 4,
        );
        let mut search = Pareto::new(&line).limits(Limits::new().expansions(6)).search(0);
        let part = search.front().unwrap();
        assert_eq!((part.len(), part.stopped()), (0, Some(StopReason::Expansions)));
        round_trip(&part);
        search.set_limits(Limits::new());
        let front = search.front().unwrap();
        assert_eq!((front.len(), front.lower_bound()), (5, [C::INFINITY; 2]));
        assert!(round_trip(&front).contains("\"lower_bound\":null"));
    }
    check::<u32>();
    check::<f64>();
}

#[test]
fn a_row_has_the_columns_of_its_header() {
    let row = astar(&line(), 0).unwrap().row();
    let text = serde_json::to_string(&row).unwrap();
    let mut at = 0;
    for column in ReportRow::<u32>::COLUMNS {
        let name = format!("\"{column}\":");
        at += text[at..].find(&name).unwrap_or_else(|| panic!("{column} is missing: {text}"))
            + name.len();
    }
    // The counts are a field with fields.
    assert_eq!(text.matches("\":").count(), ReportRow::<u32>::COLUMNS.len() + 1, "{text}");
    assert!(text.starts_with("{\"outcome\":\"found\",\"stopped\":null,"), "{text}");
}

#[test]
fn reasons_to_stop_and_counts() {
    for reason in [
        StopReason::Expansions,
        StopReason::Memory,
        StopReason::States { most: 7 },
        StopReason::Time,
        StopReason::Cost,
        StopReason::Width,
        StopReason::Cancelled,
    ] {
        round_trip(&reason);
    }
    // Counts that an older version did not have are zero.
    let stats: Stats = serde_json::from_str(r#"{"expanded": 3}"#).unwrap();
    assert_eq!((stats.expanded, stats.generated), (3, 0));
}

#[test]
fn a_path_is_checked_when_it_is_read() {
    type Bytes = Path<u8, char, u8>;
    type Signed = Path<u8, char, i8>;

    let mut path = Bytes::at(4, 1);
    path.push('a', 5, 0).unwrap();
    path.push('b', 6, 200).unwrap();
    let text = round_trip(&path);
    assert_eq!(
        text,
        r#"{"start_cost":1,"states":[4,5,6],"actions":["a","b"],"step_costs":[0,200]}"#
    );

    let says = refused::<Bytes>(&text.replace("[4,5,6]", "[4,5]"));
    assert!(says.contains("2 states, 2 actions and 2 costs"), "{says}");
    let says = refused::<Bytes>(&text.replace("[0,200]", "[0]"));
    assert!(says.contains("3 states, 2 actions and 1 costs"), "{says}");
    let says = refused::<Bytes>(r#"{"start_cost":1,"states":[],"actions":[],"step_costs":[]}"#);
    assert!(says.contains("0 states"), "{says}");
    let says = refused::<Bytes>(&text.replace("[0,200]", "[60,200]"));
    assert!(says.contains("step 1: 61 + 200"), "{says}");
    assert!(refused::<Bytes>(r#"{"states":[1]}"#).contains("missing field"));

    let text = r#"{"start_cost":0,"states":[1,2],"actions":["a"],"step_costs":[3]}"#;
    assert_eq!(serde_json::from_str::<Signed>(text).unwrap().cost(), 3);
    assert!(refused::<Signed>(&text.replace('3', "-3")).contains("step 0 costs -3"));
    assert!(refused::<Signed>(&text.replace(":0", ":-1")).contains("the start costs -1"));

    // Also inside a report.
    let report = serde_json::to_string(&astar(&line(), 28).unwrap()).unwrap();
    assert!(report.contains("[28,29,30]"));
    let says = refused::<Report<u32, (), u32>>(&report.replace("[28,29,30]", "[28,29]"));
    assert!(says.contains("2 states, 2 actions"), "{says}");
}

#[test]
fn limits_without_their_token() {
    let limits =
        Limits::new().expansions(1).memory(2).time(Duration::from_millis(1500)).cost(4_u32);
    round_trip(&limits);
    round_trip(&Limits::<f64>::new());
    let with_token = limits.clone().cancel(&CancelToken::new());
    let text = serde_json::to_string(&with_token).unwrap();
    assert_eq!(serde_json::from_str::<Limits<u32>>(&text).unwrap(), limits);

    let few: Limits<u32> = serde_json::from_str(r#"{"expansions": 9}"#).unwrap();
    assert_eq!(few, Limits::new().expansions(9));
    assert!(refused::<Limits<u32>>(r#"{"expansion": 9}"#).contains("unknown field"));
}

#[test]
fn maps_and_boards_are_text_and_are_parsed() {
    let board: Board = "1 2 3 4 5 6 7 0 8".parse().unwrap();
    round_trip(&board);
    for (width, height) in [(2, 1), (3, 1), (4, 1), (9, 1), (16, 1), (1, 4), (1, 2), (2, 3)] {
        round_trip(&Board::goal(width, height).unwrap());
    }
    assert!(refused::<Board>(r#""4x1\n1 2 3""#).contains("found 3 numbers, expected 4"));
    let map: HeatMap = "241\n321".parse().unwrap();
    assert_eq!(round_trip(&map), r#""241\n321\n""#);
    let burrow: Burrow = "#####\n#...#\n#B#A#\n#####\n".parse().unwrap();
    round_trip(&burrow);
    let text = "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n";
    for (width, height) in [(0, 0), (0, 3), (3, 0)] {
        round_trip(&GridMap::new(width, height, |_| true).unwrap());
    }
    let grid: GridMap = text.parse().unwrap();
    assert_eq!(round_trip(&grid), serde_json::to_string(text).unwrap());
    let goal = Cell::new(1, 1);
    round_trip(&astar(&grid.route_to(goal), Cell::new(0, 0)).unwrap());
    round_trip(&astar(&grid.route_by::<FourWay>(goal), Cell::new(0, 0)).unwrap());
    assert_eq!(round_trip(&goal), r#"{"x":1,"y":1}"#);
    assert_eq!(round_trip(&Length::STRAIGHT), "5741");

    let says = refused::<HeatMap>(r#""241\n3x1""#);
    assert!(says.contains("line 2, column 2: 'x' is not a digit"), "{says}");
    assert!(refused::<HeatMap>("7").contains("the text of a map or a board"));
    assert!(!refused::<Board>(r#""1 1 0""#).is_empty());
    assert!(!refused::<GridMap>(r#""map""#).is_empty());
    assert!(!refused::<Burrow>(r#""burrow""#).is_empty());
}

/// What a search of a ready problem returns can be stored, and is still a path after that.
fn path_is_stored<P>(problem: &P, start: P::State)
where
    P: SearchProblem<
            State: Serialize + DeserializeOwned + Debug,
            Action: Serialize + DeserializeOwned + Debug + PartialEq,
            Cost: Serialize + DeserializeOwned,
        >,
{
    let report = astar(problem, start).unwrap();
    let text = round_trip(&report);
    let back: Report<P::State, P::Action, P::Cost> = serde_json::from_str(&text).unwrap();
    let path = back.path().expect("there is a path");
    assert!(!path.is_empty());
    assert_eq!(path.verify(problem), Ok(()));
}

#[test]
fn paths_of_all_ready_problems_are_stored() {
    let burrow = Burrow::example();
    let reduced: Reduced = Reduced::new(&burrow).unwrap();
    path_is_stored(&reduced, reduced.start().0);
    let literal: Literal = Literal::new(&burrow, Rules::new()).unwrap();
    path_is_stored(&literal, literal.start());
    let crucible = Crucible::new(&"2413\n3215\n3255\n".parse().unwrap(), 1..=3).unwrap();
    path_is_stored(&crucible, crucible.start());
    let tiles = SlidingTiles::<sliding_tiles::Packed>::new(3, 3).unwrap();
    let board: Board = "1 2 5 3 4 8 6 7 0".parse().unwrap();
    path_is_stored(&tiles, tiles.state(&board).unwrap());
    let tracked = SlidingTiles::<Tracked<u128>>::new(3, 3).unwrap();
    path_is_stored(&tracked, tracked.state(&board).unwrap());
    let pancakes = PancakePuzzle::new(6).unwrap();
    path_is_stored(&pancakes, pancakes.stack(&[3, 0, 5, 1, 4, 2]).unwrap());
    let grid = GridMap::from_rows("..@\n...\n").unwrap();
    path_is_stored(&grid.route_to(Cell::new(2, 1)), Cell::new(0, 0));
    let roads = RoadNetwork::read("p sp 2 1\na 1 2 7\n".as_bytes()).unwrap();
    let [first, second] = [1, 2].map(|number| roads.node(number).unwrap());
    path_is_stored(&roads.route_to(second), first);
}

#[test]
fn states_are_checked_when_they_are_read() {
    assert!(refused::<Stack>("7").contains("each of sixteen pancakes once"));
    assert_eq!(round_trip(&Kind::from_letter('B').unwrap()), "\"B\"");
    assert!(refused::<Kind>("\"b\"").contains("from A to Z"));
    assert!(
        refused::<Waypoint>(r#"{"x":0,"y":131071}"#).contains("at most 131070, not (0, 131071)")
    );
    round_trip(&Waypoint::centre(Cell::new(65_534, 3)));
    assert!(refused::<BurrowState<1>>("[1,2]").contains("1 words, not of 2"));
    assert_eq!(
        serde_json::to_string(&serde_json::from_str::<BurrowState<2>>("[1,2]").unwrap()).unwrap(),
        "[1,2]"
    );
}

#[test]
fn queries_and_rules_are_stored() {
    round_trip(&"version 1\n0\ta.map\t49\t49\t1\t13\t4\t12\t3.5\n".parse::<Scenario>().unwrap());
    round_trip(&". 1\n@ 0\n".parse::<TerrainCosts>().unwrap());
    round_trip(&Rules::new());
    let reduced: Reduced = Reduced::new(&Burrow::example()).unwrap();
    let report = astar(&reduced, reduced.start().0).unwrap();
    for frame in reduced.replay(report.path().unwrap()) {
        round_trip(&frame.moved);
    }
}

#[test]
fn maps_with_terrain_are_stored_with_their_changes() {
    let terrain = |letter| match letter {
        '#' => Terrain::Blocked,
        _ => Terrain::Cost(if letter == '9' { 9.5 } else { 1.0 }),
    };
    let mut map = TerrainMap::from_rows("..9\n.#.\n...\n", terrain).unwrap();
    round_trip(&map);
    map.set_exits(Cell::new(0, 0), |to| to.y > 0);
    map.set_cost(Cell::new(0, 2), Some(0.5)).unwrap();
    map.set_cost(Cell::new(0, 2), Some(4.0)).unwrap();
    let text = round_trip(&map);
    let back: TerrainMap<f64> = serde_json::from_str(&text).unwrap();
    let costs = [&map, &back].map(|map| {
        let route = map.route_to([Cell::new(2, 0)], Movement::four(1.0)).unwrap();
        astar(&route, Cell::new(0, 0)).unwrap().cost().unwrap()
    });
    assert_eq!(costs[0].to_bits(), costs[1].to_bits());

    let says = refused::<TerrainMap<f64>>(&text.replace("\"width\":3", "\"width\":2"));
    assert!(says.contains("2 times 3 cells, but 9 letters, 9 costs and 9 exits"), "{says}");
    let empty = r#"{"width":0,"height":7,"letters":"","costs":[],"exits":[]}"#;
    assert!(
        serde_json::from_str::<TerrainMap<f64>>(empty).is_ok_and(|map| map.cells().count() == 0)
    );
    let says = refused::<TerrainMap<f64>>(&text.replace("4.0", "-4.0"));
    assert!(says.contains("-4.0"), "{says}");
}
