use std::ops::RangeInclusive;
use std::sync::Arc;

use super::heat_map::{EXAMPLE, checked_size, split_mix};
use super::*;
use crate::cost::Cost;
use crate::problem::{DenseStates, SearchProblem, SuccessorBuffer};
use crate::problems::ParseErrorKind::{Missing, Unexpected};

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
        ("12\n123", "line 2, column 3: the row has 3 digits; like line 1 it must have 2"),
        ("12\n\n12", "line 2, column 1: the row is empty; like line 1 it must have 2 digits"),
        ("", "line 1, column 1: the map is empty; it needs at least one row of digits"),
        ("\n12", "line 1, column 1: the first row is empty; it needs at least one digit"),
    ] {
        assert_eq!(fault(text).to_string(), message);
    }
}

#[test]
fn sizes_are_checked_before_memory_is_allocated() {
    let most = HeatMap::MOST_BLOCKS;
    assert_eq!(checked_size(most, 1), Ok(most));
    let absurd = 4_000_000_000_u32 as usize;
    for (rows, columns) in
        [(most + 1, 1), (1 << 20, 1 << 20), (absurd, absurd), (usize::MAX, usize::MAX)]
    {
        let fault = HeatMapError::TooLarge { rows, columns };
        assert_eq!(HeatMap::random(rows, columns, 0), Err(fault));
        assert!(fault.to_string().contains("477218588 blocks fit"), "{fault}");
    }
    assert_eq!(HeatMap::random(0, 5, 0), Err(HeatMapError::Empty));
    assert_eq!(HeatMap::random(usize::MAX, 0, 0), Err(HeatMapError::Empty));
}

#[test]
fn split_mix_matches_the_published_outputs() {
    let mut state = 1_234_567;
    assert_eq!(split_mix(&mut state), 6_457_827_717_110_365_317);
    assert_eq!(split_mix(&mut state), 3_203_168_211_198_807_973);
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
fn by_column_is_the_transposed_map() {
    let map = HeatMap::random(130, 67, 3).unwrap();
    for row in 0..130 {
        for column in 0..67 {
            assert_eq!(map.by_column[column * 130 + row], map.by_row[row * 67 + column]);
        }
    }
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
fn split_equals_division() {
    let most = u32::try_from(HeatMap::MOST_BLOCKS).unwrap();
    let map = map("1");
    for columns in [1, 2, 3, 7, 10, 141, 2000, 65_535, 65_537, most / 2, most - 1, most] {
        let mut crucible = Crucible::new(&map, 1..=3).unwrap();
        crucible.columns = columns;
        crucible.per_column = (1_u64 << 63).div_ceil(u64::from(columns));
        let near = |n: u32| n.saturating_sub(2)..=(n + 2).min(most);
        for cell in near(0).chain(near(columns)).chain(near(most / columns * columns)) {
            assert_eq!(crucible.split(cell), (cell / columns, cell % columns), "{columns}");
        }
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
                        assert!(h <= through, "{number} {:?}", problem.bound);
                    }
                }
            }
        }
    }
}

#[test]
fn clones_share_the_table() {
    let map = map(EXAMPLE);
    let (a, b) = (Crucible::new(&map, 1..=3).unwrap(), Crucible::new(&map, 4..=10).unwrap());
    assert!(Arc::ptr_eq(&a.to_corner, &b.to_corner));
}
