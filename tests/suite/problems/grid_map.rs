//! Uniform maps: every step compared with its definition, heuristics, and what is read of maps and scenarios.

use bestfirst::problems::grid_map::{
    Cell, EightWay, EightWayFloat, FourWay, GridMap, Length, Moves, Scenario,
};
use bestfirst::problems::{ParseErrorKind, Position};
use bestfirst::{Cost, DenseStates, SearchProblem, SuccessorBuffer, check};

const FILE: &str = "type octile\nheight 3\nwidth 4\nmap\n.G@.\nSTW#\n..O.\n";

fn message(text: &str) -> String {
    text.parse::<GridMap>().unwrap_err().to_string()
}

fn neighbours<M: Moves>(map: &GridMap, cell: Cell) -> Vec<Cell> {
    let mut next = SuccessorBuffer::new();
    map.route_by::<M>(cell).successors(&cell, &mut next);
    next.as_slice().iter().map(|successor| successor.state).collect()
}

#[test]
fn display_writes_what_was_read() {
    let map: GridMap = FILE.parse().unwrap();
    assert_eq!((map.width(), map.height()), (4, 3));
    assert_eq!(map.to_string(), ".G@.\nSTW#\n..O.\n");
    assert_eq!(FILE.replace('\n', "\r\n").parse().as_ref(), Ok(&map));
    assert_eq!(GridMap::from_rows("\n.G@.\nSTW#\n..O.").as_ref(), Ok(&map));
    let free = ".G@.STW#..O.".chars().map(|cell| ".GS".contains(cell));
    let cells = (0..12).map(|i| Cell::new(i % 4, i / 4));
    for (cell, free) in cells.zip(free) {
        assert_eq!(map.is_free(cell), free, "{cell}");
    }
    assert!(!map.is_free(Cell::new(4, 0)) && !map.is_free(Cell::new(0, 3)));
    let path = [Cell::new(0, 1), Cell::new(3, 2), Cell::new(9, 9)];
    assert_eq!(map.draw_path(&path), ".G@.\n*TW#\n..O*\n");
    assert_eq!(format!("{map:?}"), "GridMap(4×3)");
}

#[test]
fn empty_maps_are_maps() {
    for map in [
        "height 0\nwidth 0\nmap\n".parse().unwrap(),
        "height 0\nwidth 5\nmap".parse().unwrap(),
        "height 2\nwidth 0\nmap\n\n\n".parse().unwrap(),
        GridMap::from_rows("").unwrap(),
        GridMap::new(0, 7, |_| true).unwrap(),
    ] {
        let nowhere = Cell::new(0, 0);
        assert!(!map.contains(nowhere));
        assert_eq!(map.to_string(), "\n".repeat(map.height().into()));
        assert_eq!(map.route_to(nowhere).state_count(), 0);
        assert_eq!(neighbours::<EightWay>(&map, nowhere), []);
        let _ = map.route_to(nowhere).state_at(0);
    }
}

#[test]
fn diagonal_steps_need_both_cells_beside_them() {
    let map = GridMap::from_rows("...\n..@\n...\n").unwrap();
    let at = |cells: &[(u16, u16)]| cells.iter().map(|&(x, y)| Cell::new(x, y)).collect::<Vec<_>>();
    assert_eq!(
        neighbours::<EightWay>(&map, Cell::new(1, 1)),
        at(&[(1, 0), (0, 1), (1, 2), (0, 0), (0, 2)])
    );
    assert_eq!(neighbours::<FourWay>(&map, Cell::new(1, 1)), at(&[(1, 0), (0, 1), (1, 2)]));
    assert_eq!(neighbours::<EightWay>(&map, Cell::new(2, 0)), at(&[(1, 0)]));
    assert_eq!(neighbours::<EightWay>(&map, Cell::new(2, 1)), []);
    assert_eq!(neighbours::<EightWay>(&map, Cell::new(7, 7)), []);
}

/// Compares every cell with the definition of a step.
#[test]
fn steps_match_the_definition() {
    let mut random = 1_u32;
    let map = GridMap::new(20, 15, |_| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        random >> 30 != 0
    })
    .unwrap();
    let free = |x: i32, y: i32| {
        u16::try_from(x).is_ok_and(|x| u16::try_from(y).is_ok_and(|y| map.is_free(Cell::new(x, y))))
    };
    let mut next = SuccessorBuffer::new();
    for y in 0..15 {
        for x in 0..20 {
            let mut expected = Vec::new();
            for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                let is_step = (dx, dy) != (0, 0)
                    && free(x, y)
                    && free(x + dx, y + dy)
                    && free(x + dx, y)
                    && free(x, y + dy);
                if is_step {
                    let diagonal = dx != 0 && dy != 0;
                    let cost = if diagonal { Length::DIAGONAL } else { Length::STRAIGHT };
                    expected.push((x + dx, y + dy, cost));
                }
            }
            let cell = Cell::new(x.try_into().unwrap(), y.try_into().unwrap());
            next.clear();
            map.route_to(cell).successors(&cell, &mut next);
            let steps = next.as_slice().iter();
            let mut found: Vec<_> = steps
                .map(|step| (i32::from(step.state.x), i32::from(step.state.y), step.cost))
                .collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "from {cell}");
        }
    }
}

#[test]
fn estimates_are_consistent() {
    fn check_by<M: Moves>(map: &GridMap) {
        let goal = Cell::new(13, 4);
        let route = map.route_by::<M>(goal);
        assert!(route.is_goal(&goal));
        let mut next = SuccessorBuffer::new();
        for index in 0..route.state_count() {
            let cell = route.state_at(index);
            assert_eq!(route.state_index(&cell), index);
            next.clear();
            route.successors(&cell, &mut next);
            for step in next.as_slice() {
                let through = route.heuristic(&step.state).checked_add(step.cost).unwrap();
                assert!(route.heuristic(&cell) <= through);
            }
        }
        assert!(route.heuristic(&goal) == M::Cost::ZERO);
    }
    let map = GridMap::new(40, 30, |_| true).unwrap();
    check_by::<EightWay>(&map);
    check_by::<EightWayFloat>(&map);
    check_by::<FourWay>(&map);
}

#[test]
fn a_blocked_goal_has_an_infinite_heuristic() {
    let map = GridMap::from_rows("..@\n").unwrap();
    for goal in [Cell::new(2, 0), Cell::new(3, 0), Cell::new(0, 1)] {
        let route = map.route_to(goal);
        assert_eq!(route.heuristic(&Cell::new(0, 0)), Length::INFINITY);
        assert_eq!((route.goal(), route.map().width()), (goal, 3));
    }
    assert_eq!(map.route_to(Cell::new(1, 0)).heuristic(&Cell::new(0, 0)), Length::STRAIGHT);
    // A column off the map must not have the index of a cell of the next row.
    let tall = GridMap::new(2, 2, |_| true).unwrap();
    assert!(tall.route_to(Cell::new(0, 0)).state_index(&Cell::new(2, 0)) >= 4);
    assert!(tall.route_to(Cell::new(0, 0)).state_index(&Cell::new(0, 2)) >= 4);
}

#[test]
fn errors_in_maps_have_positions() {
    assert_eq!(message(""), "line 1, column 1: `map` is missing");
    assert_eq!(message("type octile\nheight 3\n"), "line 3, column 1: `map` is missing");
    assert_eq!(message("height 1\nmap\n."), "line 2, column 1: `width N` above `map` is missing");
    assert_eq!(message("width 1\n\nmap\n."), "line 3, column 1: `height N` above `map` is missing");
    assert_eq!(
        message("height 1\nheight 1"),
        "line 2, column 1: found `height`, expected `map`; this line is a duplicate"
    );
    assert_eq!(
        message("height  many"),
        "line 1, column 9: found `many`, expected a number of cells up to 65535"
    );
    assert_eq!(
        message("width 65536"),
        "line 1, column 7: found `65536`, expected a number of cells up to 65535"
    );
    assert_eq!(
        message("width"),
        "line 1, column 6: found the end of the line, expected a number of cells up to 65535"
    );
    assert_eq!(message("width 5 5"), "line 1, column 9: found `5`, expected the end of the line");
    assert_eq!(
        message("...."),
        "line 1, column 1: found `....`, expected `type`, `height`, `width` or `map`"
    );
    assert_eq!(
        message("height 1\ntype hex\nwidth 1\nmap\n."),
        "line 2, column 6: found `hex`, expected a map of squares, as `octile`"
    );
    let head = "height 2\nwidth 3\nmap\n";
    assert_eq!(
        message(&format!("{head}...\n.x.")),
        "line 5, column 2: found `x`, expected one of . G S @ O T W #"
    );
    assert_eq!(
        message(&format!("{head}...\n..\n")),
        "line 5, column 3: found a row of 2 cells, expected 3"
    );
    assert_eq!(message(&format!("{head}...\n")), "line 1, column 8: found 1 rows, expected 2");
    assert_eq!(
        message(&format!("{head}...\n...\n\n...\n")),
        "line 1, column 8: found 3 rows, expected 2"
    );
    let wide = GridMap::from_rows(&".".repeat(65_536)).unwrap_err();
    assert_eq!(
        wide.to_string(),
        "line 1, column 1: a map has at most 65535 rows and 65535 columns"
    );
    let tall = GridMap::from_rows(&".\n".repeat(65_536)).unwrap_err();
    assert_eq!(tall.kind(), ParseErrorKind::TooLarge);
    assert_eq!(tall.position(), Position { line: 65_536, column: 1 });
}

#[test]
fn a_map_without_columns_has_rows() {
    let map = GridMap::new(0, 2, |_| true).unwrap();
    assert_eq!(map.to_string(), "\n\n");
    assert_eq!(format!("height 2\nwidth 0\nmap\n{map}").parse(), Ok(map));
}

#[test]
fn steps_can_be_taken_back() {
    let map = GridMap::from_rows("..@.\n....\n.@..\n").unwrap();
    let cells = || (0..3).flat_map(|y| (0..4).map(move |x| Cell::new(x, y)));
    let goal = Cell::new(3, 2);
    assert!(check::reversible(&map.route_to(goal), cells()).is_ok());
    assert!(check::reversible(&map.route_by::<FourWay>(goal), cells()).is_ok());
}

fn scenario_message(text: &str) -> String {
    text.parse::<Scenario>().unwrap_err().to_string()
}

#[test]
fn queries_are_read() {
    let text = "version 1.0\n3\ta map.map\t9\t8\t1\t2\t8\t7\t9.5\r\n\n0 b.map 2 1 0 0 1 0 1\n";
    let scenario: Scenario = text.parse().unwrap();
    let [first, second] = &scenario.queries[..] else { panic!("two queries") };
    assert_eq!((first.bucket, &first.map[..]), (3, "a map.map"));
    assert_eq!((first.width, first.height, first.length), (9, 8, 9.5));
    assert_eq!((first.start, first.goal), (Cell::new(1, 2), Cell::new(8, 7)));
    assert_eq!((&second.map[..], second.goal), ("b.map", Cell::new(1, 0)));
    assert_eq!(
        (first.width_at, second.width_at),
        (Position { line: 2, column: 13 }, Position { line: 4, column: 9 })
    );
    assert_eq!("version 1".parse().map(|scenario: Scenario| scenario.queries), Ok(Vec::new()));
}

#[test]
fn errors_in_scenarios_have_positions() {
    assert_eq!(scenario_message("\n"), "line 1, column 1: `version 1` is missing");
    assert_eq!(scenario_message("version 2"), "line 1, column 9: found `2`, expected `version 1`");
    assert_eq!(scenario_message("0 a 1"), "line 1, column 1: found `0`, expected `version 1`");
    let query = |line: &str| scenario_message(&format!("version 1\n{line}"));
    assert_eq!(query("x"), "line 2, column 1: found `x`, expected the number of a bucket");
    assert_eq!(
        query("1"),
        "line 2, column 2: found the end of the line, expected the name of a map"
    );
    let most = "of the map, at most 65535";
    assert_eq!(query("1 é w"), format!("line 2, column 5: found `w`, expected the width {most}"));
    assert_eq!(
        query("1 m 70000"),
        format!("line 2, column 5: found `70000`, expected the width {most}")
    );
    assert_eq!(
        query("1 m 2 -"),
        format!("line 2, column 7: found `-`, expected the height {most}")
    );
    assert_eq!(query("1 m 2 2 2"), "line 2, column 9: found `2`, expected a column of the map");
    assert_eq!(query("1 m 2 2 1 2"), "line 2, column 11: found `2`, expected a row of the map");
    assert_eq!(
        query("1 m 2 2 1 1 0"),
        "line 2, column 14: found the end of the line, expected a row of the map"
    );
    for length in ["x", "-1", "inf", "NaN"] {
        assert_eq!(
            query(&format!("1 m 2 2 1 1 0 0 {length}")),
            format!("line 2, column 17: found `{length}`, expected the length of a path")
        );
    }
    assert_eq!(
        query("1 m 2 2 1 1 0 0 1 9"),
        "line 2, column 19: found `9`, expected the end of the line"
    );
}
