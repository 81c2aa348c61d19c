//! Pattern databases.

use bestfirst::heuristics::{PatternDatabase, WithIncremental};
use bestfirst::problems::sliding_tiles::{
    Board, Packed, Partition, SlidingTiles, TileDatabases, TilePattern,
};
use bestfirst::{Dijkstra, IdaStar, SearchProblem, WithHeuristic};

/// The cost of every board of a size, by breadth-first search from the goal.
fn all_boards(width: usize, height: usize) -> Vec<(Packed, u16)> {
    let puzzle = SlidingTiles::<Packed>::new(width, height).unwrap();
    // Moves can be taken back, so the costs from the goal are those to it.
    let reached = Dijkstra::new(&puzzle).search(puzzle.goal()).reach_all().unwrap();
    let mut boards = Vec::new();
    reached.for_each(|state, cost| boards.push((*state, cost)));
    boards
}

#[test]
fn both_methods_build_the_same() {
    for (width, height, tiles) in [(3, 3, &[1, 2, 3][..]), (4, 2, &[1, 3, 5, 6]), (3, 3, &[8])] {
        let pattern = TilePattern::new(width, height, tiles).unwrap();
        let by_bits = pattern.build().unwrap();
        let key = |state: &_| pattern.key(state);
        let by_nodes = PatternDatabase::build(&pattern, [pattern.goal()], key).unwrap();
        assert_eq!(by_bits, by_nodes);
        let expanded = Dijkstra::new(&pattern).search(pattern.goal()).reach_all().unwrap().len();
        assert_eq!(expanded as u64, pattern.states());
    }
}

#[test]
fn sums_are_admissible_on_all_boards() {
    for (width, height, groups) in [
        (3, 3, "1,2,3,4/5,6,7,8"),
        (3, 3, "1,3,5/2,4/6,7"),
        (3, 3, "1,2,3,4,5,6,7,8"),
        (4, 2, "1,4,5/2,3,6,7"),
        (2, 4, "1,2,3/4,5/6,7"),
    ] {
        let partition = Partition::parse(groups, width, height).unwrap();
        let mut databases = TileDatabases::build(&partition).unwrap();
        let plain = databases.clone();
        if width == height {
            databases = databases.reflected().unwrap();
        }
        let boards = all_boards(width, height);
        let mut total = [0_u64; 3];
        for (state, cost) in &boards {
            let (h, h0) = (databases.value(state), plain.value(state));
            assert!(h0 <= h && h <= *cost, "{state:?}: {h} > {cost}");
            for (t, v) in total.iter_mut().zip([h0, h, *cost]) {
                *t += u64::from(v);
            }
        }
        println!("{groups}: {total:?}");
    }
}

#[test]
fn in_place_is_the_same_as_stored() {
    let partition = Partition::parse("1,2,3,4/5,6,7,8", 3, 3).unwrap();
    let databases = TileDatabases::build(&partition).unwrap().reflected().unwrap();
    let puzzle = SlidingTiles::<Packed>::new(3, 3).unwrap();
    let in_place = WithIncremental::new(&puzzle, &databases);
    let stored = WithHeuristic::new(&puzzle, |state: &Packed| databases.value(state));
    for (state, cost) in all_boards(3, 3).into_iter().step_by(997) {
        let one = IdaStar::new(&in_place).in_place().search(in_place.state(state)).run().unwrap();
        let two = IdaStar::new(&stored).in_place().search(state).run().unwrap();
        let three = IdaStar::new(&stored).search(state).run().unwrap();
        assert_eq!((one.cost(), two.cost(), three.cost()), (Some(cost), Some(cost), Some(cost)));
        assert_eq!(one.stats.expanded, two.stats.expanded);
        assert_eq!(one.layers, three.layers);
        assert_eq!(in_place.heuristic(&in_place.state(state)), stored.heuristic(&state));
    }
    let board: Board = "1 0 2 3 4 5 6 7 8".parse().unwrap();
    assert_eq!(databases.value_of(&board), databases.value(&puzzle.state(&board).unwrap()));
}
