//! The crucible against its published answers and against an oracle with the obvious state.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;

use bestfirst::problems::crucible::{Crucible, Direction, HeatMap, LossBound};
use bestfirst::{AStar, Dijkstra, IdaStar, Limits, Outcome, ReportOf, StopReason};
use support::random::{is_enough, rounds};

const LONG_WAY_ROUND: &str = "\
111111111111
999999999991
999999999991
999999999991
999999999991
";

const BOUNDS: [LossBound; 3] = [LossBound::Manhattan, LossBound::WithoutTurns, LossBound::NextRun];

/// The least loss, computed block by block with the direction and the number of blocks straight on in the
/// state. It shares no code with the library.
fn oracle(map: &[Vec<u32>], run: &RangeInclusive<u32>) -> Option<u32> {
    let (rows, columns) = (map.len(), map[0].len());
    let (min, max) = (*run.start(), *run.end());
    if rows * columns == 1 {
        return Some(0);
    }
    // No run is longer than the map, so counting further is of no use.
    let max = max.min(u32::try_from(rows.max(columns)).unwrap());
    let mut best = HashMap::new();
    let mut open = BTreeSet::new();
    for direction in 0..4 {
        best.insert((0, 0, direction, 0), 0);
        open.insert((0_u32, (0_usize, 0_usize, direction, 0_u32)));
    }
    while let Some((heat, state)) = open.pop_first() {
        let (row, column, direction, straight) = state;
        if (row, column) == (rows - 1, columns - 1) && straight >= min {
            return Some(heat);
        }
        let mut turns = Vec::new();
        if straight < max {
            turns.push((direction, straight + 1));
        }
        if straight >= min {
            turns.push(((direction + 1) % 4, 1));
            turns.push(((direction + 3) % 4, 1));
        }
        for (direction, straight) in turns {
            let (row, column) = match direction {
                0 => (row.wrapping_sub(1), column),
                1 => (row, column + 1),
                2 => (row + 1, column),
                _ => (row, column.wrapping_sub(1)),
            };
            let Some(&loss) = map.get(row).and_then(|row| row.get(column)) else { continue };
            let next = (row, column, direction, straight);
            let known = best.entry(next).or_insert(u32::MAX);
            if heat + loss < *known {
                *known = heat + loss;
                open.insert((heat + loss, next));
            }
        }
    }
    None
}

fn digits(text: &str) -> Vec<Vec<u32>> {
    text.lines().map(|line| line.chars().map(|c| c.to_digit(10).unwrap()).collect()).collect()
}

/// Solves one map with every engine, table and bound. All costs must be equal and all paths valid.
fn solve(text: &str, run: RangeInclusive<u32>) -> Option<u32> {
    let map: HeatMap = text.parse().unwrap();
    let crucible = Crucible::new(&map, run.clone()).unwrap();
    let start = crucible.start();
    let dijkstra = Dijkstra::new(&crucible).dense().search(start).run().unwrap();
    check(&digits(text), &crucible, &run, &dijkstra);
    let answer = dijkstra.cost();
    for bound in BOUNDS {
        let crucible = crucible.clone().bound(bound);
        let hashed = AStar::new(&crucible).search(start).run().unwrap();
        check(&digits(text), &crucible, &run, &hashed);
        assert_eq!(hashed.cost(), answer, "{bound:?}");
        let dense = AStar::new(&crucible).dense().search(start).run().unwrap();
        check(&digits(text), &crucible, &run, &dense);
        assert_eq!(dense.cost(), answer, "{bound:?}");
        // The bounds are consistent, so nothing is expanded twice.
        assert_eq!(dense.stats.reopened, 0, "{bound:?}");
        // IDA* does not end if there is no solution but there are cycles.
        if answer.is_some() {
            let deepening = IdaStar::new(&crucible)
                .transposition_table(1 << 18)
                .limits(Limits::new().expansions(1_000_000))
                .search(start)
                .run()
                .unwrap();
            assert_eq!(deepening.cost(), answer, "{bound:?}");
            check(&digits(text), &crucible, &run, &deepening);
        }
    }
    answer
}

/// Checks every rule along the path, block by block.
fn check(
    map: &[Vec<u32>],
    crucible: &Crucible,
    run: &RangeInclusive<u32>,
    report: &ReportOf<Crucible>,
) {
    let Some(path) = report.path() else {
        assert!(matches!(report.outcome, Outcome::Exhausted));
        return;
    };
    path.verify(crucible).unwrap();
    assert!(report.is_optimal());
    let (mut row, mut column, mut heat) = (0, 0, 0);
    let mut runs: Vec<(Direction, u32)> = Vec::new();
    for (next_row, next_column, direction) in crucible.blocks(path) {
        let expected = match direction {
            Direction::Up => (row - 1, column),
            Direction::Down => (row + 1, column),
            Direction::Left => (row, column - 1),
            Direction::Right => (row, column + 1),
        };
        assert_eq!((next_row, next_column), expected);
        (row, column) = expected;
        heat += map[row][column];
        match runs.last_mut() {
            Some((before, length)) if *before == direction => *length += 1,
            _ => runs.push((direction, 1)),
        }
    }
    assert_eq!((row + 1, column + 1), (map.len(), map[0].len()));
    assert_eq!(heat, path.cost());
    assert!(runs.iter().all(|(_, length)| run.contains(length)), "{runs:?} {run:?}");
    let vertical = |direction| matches!(direction, Direction::Up | Direction::Down);
    assert!(runs.windows(2).all(|pair| vertical(pair[0].0) != vertical(pair[1].0)), "{runs:?}");
}

#[test]
fn published_answers() {
    assert_eq!(solve(&HeatMap::example().to_string(), 1..=3), Some(102));
    assert_eq!(solve(&HeatMap::example().to_string(), 4..=10), Some(94));
    assert_eq!(solve(LONG_WAY_ROUND, 4..=10), Some(71));
}

#[test]
fn the_oracle_gives_the_published_answers() {
    assert_eq!(oracle(&digits(&HeatMap::example().to_string()), &(1..=3)), Some(102));
    assert_eq!(oracle(&digits(&HeatMap::example().to_string()), &(4..=10)), Some(94));
    assert_eq!(oracle(&digits(LONG_WAY_ROUND), &(4..=10)), Some(71));
}

#[test]
fn random_maps_against_the_oracle() {
    let mut solved = 0;
    let mut unsolvable = 0;
    for (_, seed) in (0..rounds(25)).zip(0_usize..) {
        let (rows, columns) = (1 + seed * 7 % 11, 1 + seed * 5 % 9);
        let map = HeatMap::random(rows, columns, seed as u64).unwrap().to_string();
        // Some maps with many zeros, and so with cycles that cost nothing.
        let zeros = ["", "5", "123", "12345678"][seed % 4];
        let map = map.replace(|digit| zeros.contains(digit), "0");
        for run in [1..=3, 4..=10, 1..=1, 2..=2, 1..=2, 2..=5, 3..=200, 1..=u32::MAX, 9..=11] {
            let expected = oracle(&digits(&map), &run);
            assert_eq!(solve(&map, run.clone()), expected, "{run:?}\n{map}");
            if expected.is_some() { solved += 1 } else { unsolvable += 1 }
        }
    }
    assert!(is_enough(solved, 83) && is_enough(unsolvable, 33), "{solved}, {unsolvable}");
}

#[test]
fn one_block_costs_nothing() {
    for digit in ["0", "9"] {
        for run in [1..=3, 4..=10, 7..=7] {
            assert_eq!(solve(digit, run), Some(0));
        }
    }
}

#[test]
fn a_single_row_or_column_allows_no_turns() {
    assert_eq!(solve("9123", 1..=3), Some(6));
    assert_eq!(solve("91234", 1..=3), None);
    assert_eq!(solve("91234", 4..=10), Some(10));
    assert_eq!(solve("9123", 4..=10), None);
    assert_eq!(solve("9\n1\n2\n3\n", 1..=3), Some(6));
    assert_eq!(solve("9\n1\n2\n3\n4", 1..=3), None);
}

#[test]
fn a_min_that_does_not_fit_has_no_solution() {
    assert_eq!(solve(&HeatMap::example().to_string(), 13..=20), None);
    assert_eq!(
        solve(&HeatMap::example().to_string(), 12..=20),
        oracle(&digits(&HeatMap::example().to_string()), &(12..=20))
    );
    assert_eq!(solve(&HeatMap::example().to_string(), u32::MAX..=u32::MAX), None);
    // The last row can be reached, but not its end: 3 is no sum of twos.
    assert_eq!(solve("1111\n1111\n1111\n1111", 2..=2), None);
}

#[test]
fn zeros_cost_nothing() {
    assert_eq!(solve("0000\n0000\n0000", 1..=3), Some(0));
    assert_eq!(solve("0009\n9909\n9900", 1..=3), Some(0));
}

#[test]
fn a_stronger_bound_expands_fewer_states() {
    let map = HeatMap::random(80, 80, 1).unwrap();
    for run in [1..=3, 4..=10] {
        let crucible = Crucible::new(&map, run.clone()).unwrap();
        let start = crucible.start();
        let dijkstra = Dijkstra::new(&crucible).dense().search(start).run().unwrap();
        let mut expanded = dijkstra.stats.expanded_before_last_layer;
        for bound in BOUNDS {
            let crucible = crucible.clone().bound(bound);
            let report = AStar::new(&crucible).dense().search(start).run().unwrap();
            assert_eq!(report.cost(), dijkstra.cost());
            let fewer = report.stats.expanded_before_last_layer;
            assert!(fewer < expanded, "{bound:?}: {fewer} against {expanded}");
            expanded = fewer;
        }
    }
}

#[test]
fn a_stopped_search_has_a_valid_lower_bound() {
    let map = HeatMap::random(60, 60, 2).unwrap();
    let crucible = Crucible::new(&map, 4..=10).unwrap();
    let optimum = bestfirst::astar(&crucible, crucible.start()).unwrap().cost().unwrap();
    let mut search =
        AStar::new(&crucible).dense().limits(Limits::new().expansions(50)).search(crucible.start());
    let stopped = search.run().unwrap();
    assert!(matches!(stopped.outcome, Outcome::Stopped(StopReason::Expansions)));
    assert!(stopped.lower_bound <= optimum && stopped.lower_bound > 0);
    search.set_limits(Limits::new());
    assert_eq!(search.run().unwrap().cost(), Some(optimum));
}
