//! The crucible: its runs, the numbers of its states, the bounds, and what is read of maps.

use std::ops::RangeInclusive;

use bestfirst::problems::ParseErrorKind::{Missing, Unexpected};
use bestfirst::problems::crucible::{
    Axis, Crucible, Direction, Heat, HeatMap, LossBound, RunError, State, StraightRun,
};
use bestfirst::{Cost, DenseStates, SearchProblem, SuccessorBuffer};

const EXAMPLE: &str = "\
2413432311323
3215453535623
3255245654254
3446585845452
4546657867536
1438598798454
4457876987766
3637877979653
4654967986887
4564679986453
1224686865563
2546548887735
4322674655533
";

fn map(text: &str) -> HeatMap {
    text.parse().unwrap()
}

fn crucible(text: &str, run: RangeInclusive<u32>) -> Crucible {
    Crucible::new(&map(text), run).unwrap()
}

type Described = (Direction, u32, (usize, usize), Option<Axis>, Heat);

fn successors(crucible: &Crucible, state: State) -> Vec<Described> {
    let mut next = SuccessorBuffer::new();
    crucible.successors(&state, &mut next);
    next.drain()
        .map(|s| {
            let StraightRun { direction, length } = s.action;
            (direction, length, crucible.block(s.state), crucible.axis(s.state), s.cost)
        })
        .collect()
}

#[test]
fn display_writes_what_was_read() {
    assert_eq!(HeatMap::example(), map(EXAMPLE));
    for text in [EXAMPLE, "0\n", "19\n", "1\n9\n", "12\n34\n56\n"] {
        assert_eq!(map(text).to_string(), text);
    }
    assert_eq!(map("12\r\n34\r\n").to_string(), "12\n34\n");
    assert_eq!(map("12\n34\n\n\n"), map("12\n34"));
    assert_ne!(map("12\n34"), map("1234"));
}

#[test]
fn every_error_has_its_kind_and_position() {
    let fault = |text: &str| text.parse::<HeatMap>().unwrap_err();
    let at = |text: &str| {
        let fault = fault(text);
        (fault.kind(), fault.position().into())
    };
    assert_eq!(at(""), (Missing, (1, 1)));
    assert_eq!(at("\n\r\n"), (Missing, (1, 1)));
    assert_eq!(at("12\n1\n12"), (Missing, (2, 2)));
    assert_eq!(at("12\n123"), (Unexpected, (2, 3)));
    assert_eq!(at("12\n\n12"), (Missing, (2, 1)));
    assert_eq!(at("\n12"), (Missing, (1, 1)));
    for (text, place) in
        [("12\n1x", (2, 2)), (" 12", (1, 1)), ("éé", (1, 1)), ("1²", (1, 2)), ("12\n1٣", (2, 2))]
    {
        assert_eq!(at(text), (Unexpected, place));
    }
    for (text, message) in [
        ("12\n1x", "line 2, column 2: 'x' is not a digit from 0 to 9"),
        ("12\n1", "line 2, column 2: the row ends after 1 digit; like line 1 it must have 2"),
        ("12\n12x", "line 2, column 3: 'x' is not a digit from 0 to 9"),
        (
            "12\n1234x",
            "line 2, column 3: the row is longer than line 1; like that it must have 2 digits",
        ),
        ("12\n123", "line 2, column 3: the row has 3 digits; like line 1 it must have 2"),
        ("12\n\n12", "line 2, column 1: the row is empty; like line 1 it must have 2 digits"),
        ("", "line 1, column 1: the map is empty; it needs at least one row of digits"),
        ("\n12", "line 1, column 1: the first row is empty; it needs at least one digit"),
    ] {
        assert_eq!(fault(text).to_string(), message);
    }
}

#[test]
fn random_maps_have_the_digits_1_to_9() {
    let map = HeatMap::random(30, 30, 1).unwrap();
    let mut count = [0; 10];
    map.rows_iter().flatten().for_each(|&loss| count[usize::from(loss)] += 1);
    assert_eq!(count[0], 0);
    assert!(count[1..].iter().all(|&n| n > 60), "{count:?}");
    assert_ne!(map, HeatMap::random(30, 30, 2).unwrap());
}

#[test]
fn invalid_ranges_are_errors() {
    let map = map("12");
    let fault = |run| Crucible::new(&map, run).unwrap_err();
    assert_eq!(fault(0..=3), RunError::MinZero);
    #[expect(clippy::reversed_empty_ranges, reason = "it must be an error")]
    let reversed = 4..=3;
    assert_eq!(fault(reversed), RunError::MinAboveMax { min: 4, max: 3 });
    assert!(Crucible::new(&map, 1..=u32::MAX).is_ok());
    assert!(Crucible::new(&map, u32::MAX..=u32::MAX).is_ok());
}

#[test]
fn runs_are_perpendicular_to_the_last_run() {
    let crucible = crucible("12345\n67890\n13579\n24680", 1..=2);
    let along_row = crucible.state(1, 2, Axis::Row).unwrap();
    assert_eq!(
        successors(&crucible, along_row),
        [
            (Direction::Down, 1, (2, 2), Some(Axis::Column), 5),
            (Direction::Down, 2, (3, 2), Some(Axis::Column), 11),
            (Direction::Up, 1, (0, 2), Some(Axis::Column), 3),
        ]
    );
    let along_column = crucible.state(1, 2, Axis::Column).unwrap();
    assert_eq!(
        successors(&crucible, along_column),
        [
            (Direction::Right, 1, (1, 3), Some(Axis::Row), 9),
            (Direction::Right, 2, (1, 4), Some(Axis::Row), 9),
            (Direction::Left, 1, (1, 1), Some(Axis::Row), 7),
            (Direction::Left, 2, (1, 0), Some(Axis::Row), 13),
        ]
    );
    assert_eq!(
        successors(&crucible, crucible.start()),
        [
            (Direction::Right, 1, (0, 1), Some(Axis::Row), 2),
            (Direction::Right, 2, (0, 2), Some(Axis::Row), 5),
            (Direction::Down, 1, (1, 0), Some(Axis::Column), 6),
            (Direction::Down, 2, (2, 0), Some(Axis::Column), 7),
        ]
    );
}

#[test]
fn runs_have_at_least_min_blocks() {
    let crucible = crucible("1234567", 3..=5);
    assert_eq!(
        successors(&crucible, crucible.start()),
        [
            (Direction::Right, 3, (0, 3), Some(Axis::Row), 9),
            (Direction::Right, 4, (0, 4), Some(Axis::Row), 14),
            (Direction::Right, 5, (0, 5), Some(Axis::Row), 20),
        ]
    );
    let middle = crucible.state(0, 3, Axis::Column).unwrap();
    assert_eq!(
        successors(&crucible, middle),
        [
            (Direction::Right, 3, (0, 6), Some(Axis::Row), 18),
            (Direction::Left, 3, (0, 0), Some(Axis::Row), 6),
        ]
    );
    assert_eq!(successors(&crucible, crucible.state(0, 3, Axis::Row).unwrap()), []);
}

#[test]
fn state_numbers_have_no_gaps() {
    for text in ["5", "123", "1\n2\n3", EXAMPLE] {
        let crucible = crucible(text, 1..=3);
        let (rows, columns) = (crucible.map().rows(), crucible.map().columns());
        let mut expected = 0;
        for row in 0..rows {
            for column in 0..columns {
                for axis in [Axis::Row, Axis::Column] {
                    let state = crucible.state(row, column, axis).unwrap();
                    assert_eq!(crucible.state_index(&state), expected);
                    assert_eq!(crucible.state_at(expected), state);
                    assert_eq!(crucible.block(state), (row, column));
                    assert_eq!(crucible.axis(state), Some(axis));
                    let last = (row + 1, column + 1) == (rows, columns);
                    assert_eq!(crucible.is_goal(&state), last);
                    expected += 1;
                }
            }
        }
        let start = crucible.start();
        assert_eq!(crucible.state_index(&start), expected);
        assert_eq!(crucible.state_at(expected), start);
        assert_eq!(crucible.state_count(), expected + 1);
        assert_eq!(crucible.block(start), (0, 0));
        assert_eq!(crucible.axis(start), None);
        assert_eq!(crucible.is_goal(&start), expected == 2);
        assert_eq!(crucible.state(rows, 0, Axis::Row), None);
        assert_eq!(crucible.state(0, columns, Axis::Row), None);
    }
}

#[test]
fn states_of_another_map_do_not_panic() {
    let (small, large) = (crucible("12\n34", 1..=3), crucible(EXAMPLE, 1..=3));
    for number in 0..large.state_count() {
        let state = large.state_at(number);
        for bound in [LossBound::Manhattan, LossBound::WithoutTurns, LossBound::NextRun] {
            let _ = small.clone().bound(bound).heuristic(&state);
        }
        let _ = successors(&small, state);
    }
    let none = small.state_at(usize::MAX);
    assert_eq!(successors(&small, none), []);
}

#[test]
fn loss_without_turns_satisfies_the_bellman_equation() {
    for text in [EXAMPLE, "0", "000\n090\n000", "123456", "1\n2\n3"] {
        let map = map(text);
        let (rows, columns) = (map.rows(), map.columns());
        let table = map.loss_without_turns().unwrap();
        for row in 0..rows {
            for column in 0..columns {
                let neighbours = [
                    (row.wrapping_sub(1), column),
                    (row + 1, column),
                    (row, column.wrapping_sub(1)),
                    (row, column + 1),
                ];
                let through = neighbours.iter().filter_map(|&(r, c)| {
                    (c < columns).then_some(())?;
                    Some(Heat::from(map.loss(r, c)?) + table[r * columns + c])
                });
                let last = (row + 1, column + 1) == (rows, columns);
                let expected = if last { 0 } else { through.min().unwrap() };
                assert_eq!(table[row * columns + column], expected, "{row}, {column}");
            }
        }
    }
}

/// A bound that is consistent everywhere and zero at the goals is admissible.
#[test]
fn bounds_are_consistent_and_ordered() {
    let zeros = HeatMap::random(12, 9, 5).unwrap().to_string().replace(['3', '7'], "0");
    for text in [EXAMPLE, &zeros, "1199\n9119\n9911", "5", "12345"] {
        for run in [1..=3, 4..=10, 1..=1, 2..=2, 3..=200, 1..=u32::MAX, 50..=60] {
            let base = crucible(text, run);
            let [manhattan, without_turns, next_run] =
                [LossBound::Manhattan, LossBound::WithoutTurns, LossBound::NextRun]
                    .map(|bound| base.clone().bound(bound));
            let mut next = SuccessorBuffer::new();
            for number in 0..base.state_count() {
                let state = base.state_at(number);
                assert!(manhattan.heuristic(&state) <= without_turns.heuristic(&state));
                if !base.is_goal(&state) {
                    assert!(without_turns.heuristic(&state) <= next_run.heuristic(&state));
                }
                for problem in [&manhattan, &without_turns, &next_run] {
                    let h = problem.heuristic(&state);
                    assert!(!base.is_goal(&state) || h == 0);
                    problem.successors(&state, &mut next);
                    assert!(h < Heat::INFINITY || next.is_empty());
                    for step in next.drain() {
                        let through = step.cost.saturating_add(problem.heuristic(&step.state));
                        assert!(h <= through, "{number} {:?}", problem.chosen_bound());
                    }
                }
            }
        }
    }
}
