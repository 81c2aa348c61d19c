//! Databases of sliding tiles, against breadth-first search over all boards.

use std::sync::{Arc, LazyLock};

use bestfirst::check::{self, ProblemFault};
use bestfirst::heuristics::{self, PatternDatabase, WithIncremental};
use bestfirst::problems::sliding_tiles::{
    Board, Packed, Partition, SlidingTiles, TileDatabases, TilePattern,
};
use bestfirst::{
    Dijkstra, IdaStar, Limits, Outcome, Reversed, SearchProblem, WithHeuristic, dijkstra_all,
};
use support::panics::panics;
use support::random::every;

/// Every board of the 8-puzzle, made once for all tests.
static EIGHT_PUZZLE: LazyLock<Vec<(Packed, u16)>> = LazyLock::new(|| all_boards(3, 3));

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
        let others;
        let boards = if (width, height) == (3, 3) {
            &*EIGHT_PUZZLE
        } else {
            others = all_boards(width, height);
            &others
        };
        let mut total = [0_u64; 3];
        for (state, cost) in boards.iter().step_by(every(1)) {
            let (h, h0) = (databases.value(state), plain.value(state));
            assert!(h0 <= h && h <= *cost, "{state:?}: {h} > {cost}");
            for (t, v) in total.iter_mut().zip([h0, h, *cost]) {
                *t += u64::from(v);
            }
        }
        // Every group of eight tiles is the whole puzzle; without the blank little is lost.
        assert!(total[0] > total[2] / 2, "{groups}: {total:?}");
    }
}

#[test]
fn in_place_is_the_same_as_stored() {
    let partition = Partition::parse("1,2,3,4/5,6,7,8", 3, 3).unwrap();
    let databases = TileDatabases::build(&partition).unwrap().reflected().unwrap();
    let puzzle = SlidingTiles::<Packed>::new(3, 3).unwrap();
    let in_place = WithIncremental::new(&puzzle, &databases);
    let stored = WithHeuristic::new(&puzzle, |state: &Packed| databases.value(state));
    for &(state, cost) in EIGHT_PUZZLE.iter().step_by(every(2503)) {
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

/// The states of a pattern, from those that can be reached.
#[test]
fn patterns_are_reversible_problems() {
    for (width, height, tiles) in [(3, 3, &[1, 5, 6][..]), (4, 2, &[2, 3]), (5, 1, &[2])] {
        let pattern = TilePattern::new(width, height, tiles).unwrap();
        let reached = dijkstra_all(&pattern, pattern.goal()).unwrap();
        let mut states = Vec::new();
        reached.for_each(|state, _| states.push(*state));
        assert!(check::reversible(&pattern, states.clone()).is_ok());
        // Numbers and states are inverse to each other.
        for state in &states {
            let index = bestfirst::DenseStates::state_index(&pattern, state);
            assert_eq!(bestfirst::DenseStates::state_at(&pattern, index), *state);
        }
        let backwards = Reversed::new(&pattern, *states.last().unwrap());
        let report = Dijkstra::new(&backwards).search_from(backwards.starts()).run().unwrap();
        assert_eq!(report.cost(), reached.cost_of(states.last().unwrap()));
    }
}

/// Every move of the puzzle is a move in exactly one of the patterns of a partition, or none.
#[test]
fn the_costs_of_patterns_are_disjoint_unless_they_share_a_tile() {
    let puzzle = SlidingTiles::<Packed>::new(3, 3).unwrap();
    let boards: Vec<_> = EIGHT_PUZZLE.iter().map(|&(state, _)| state).step_by(101).collect();
    let pattern = |tiles: &[u8]| TilePattern::new(3, 3, tiles).unwrap();
    let [a, b, c] = [pattern(&[1, 2, 3]), pattern(&[4, 5, 6, 7]), pattern(&[3, 8])];
    let [in_a, in_b, in_c] =
        [&a, &b, &c].map(|p| check::step_in(p, |state: &Packed| p.image(state)));
    assert!(check::disjoint(&puzzle, boards.clone(), &[&in_a, &in_b]).is_ok());
    let shared = check::disjoint(&puzzle, boards.clone(), &[&in_a, &in_b, &in_c]);
    assert!(matches!(shared, Err(ProblemFault::NotDisjoint { cost: 1, sum: 2, .. })), "{shared:?}");

    // The sum of general heuristics is that of the ready ones.
    let databases = [&a, &b].map(|p| (p.build().unwrap(), p));
    let sum =
        heuristics::sum(databases.each_ref().map(|(database, p)| {
            move |state: &Packed| database.value::<u16>(p.key(&p.image(state)))
        }));
    let ready = TileDatabases::build(&Partition::parse("1,2,3/4,5,6,7", 3, 3).unwrap()).unwrap();
    let transposed = |state: &Packed| {
        let board = puzzle.board(state);
        let reflect = |n: usize| n % 3 * 3 + n / 3;
        let tile = |cell: usize| reflect(usize::from(board.tiles()[reflect(cell)]));
        let tiles: Vec<u8> = (0..9).map(|cell| u8::try_from(tile(cell)).unwrap()).collect();
        puzzle.state(&Board::new(3, 3, &tiles).unwrap()).unwrap()
    };
    for state in &boards {
        assert_eq!(sum(state), ready.value(state));
    }
    let reflected = ready.clone().reflected().unwrap();
    let symmetric = heuristics::symmetric(|state: &Packed| ready.value(state), transposed);
    assert!(boards.iter().any(|state| reflected.value(state) > ready.value(state)));
    for state in &boards {
        assert_eq!(symmetric(state), reflected.value(state));
    }
}

#[test]
fn groups_that_are_symmetric_share_a_database() {
    for (partition, patterns) in [
        (Partition::six_six_three(), 3),
        (Partition::seven_eight(), 2),
        (Partition::six_six_six_six(), 2),
        (Partition::parse("1,2/4,5", 3, 3).unwrap(), 2),
        (Partition::parse("5,8/7,6", 3, 3).unwrap(), 1),
    ] {
        assert_eq!(partition.patterns().len(), patterns, "{partition}");
        let (width, height) = (partition.width(), partition.height());
        assert_eq!(Partition::parse(&partition.to_string(), width, height), Ok(partition));
    }
}

/// Half of all boards cannot be solved. Databases of all tiles know that; engines end at once.
#[test]
fn boards_without_a_solution_are_dead_ends_where_the_databases_know() {
    let partition = Partition::parse("1,2,3,4,5", 3, 2).unwrap();
    let databases = TileDatabases::build(&partition).unwrap();
    let puzzle = SlidingTiles::<Packed>::new(3, 2).unwrap();
    let board = Board::new(3, 2, &[0, 1, 2, 3, 5, 4]).unwrap();
    let state = puzzle.state(&board).unwrap();
    assert_eq!(databases.value(&state), u16::MAX);
    let in_place = WithIncremental::new(&puzzle, &databases);
    let report = IdaStar::new(&in_place).in_place().search(in_place.state(state)).run().unwrap();
    assert_eq!((report.outcome, report.stats.expanded), (Outcome::Exhausted, 0));
}

/// States that are too large to be copied are changed and restored.
#[test]
fn arrays_of_tiles_are_as_good_as_words() {
    let partition = Partition::parse("1,2,3,4/5,6,7,8", 3, 3).unwrap();
    let databases = TileDatabases::build(&partition).unwrap();
    let board: Board = "8 7 6 5 4 3 2 1 0".parse().unwrap();
    macro_rules! layers {
        ($($cells:ty)*) => {[$({
            let puzzle = SlidingTiles::<Packed<$cells>>::new(3, 3).unwrap();
            let start = puzzle.state(&board).unwrap();
            let in_place = WithIncremental::new(&puzzle, &databases);
            let search = IdaStar::new(&in_place).in_place();
            let report = search.search(in_place.state(start)).run().unwrap();
            report.path().unwrap().verify(&in_place).unwrap();
            assert_eq!(report.cost(), Some(28));
            report.layers
        }),*]};
    }
    let [first, others @ ..] = layers!(u64 u128 [u8; 9] [u8; 64]);
    assert!(others.iter().all(|layers| *layers == first));
}

#[test]
fn searches_in_place_allocate_nothing() {
    let partition = Partition::parse("1,2,3,4/5,6,7,8/9,10,11", 4, 4).unwrap();
    let databases = TileDatabases::build(&partition).unwrap().reflected().unwrap();
    let puzzle = SlidingTiles::<Packed>::new(4, 4).unwrap();
    let board: Board = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0".parse().unwrap();
    let in_place = WithIncremental::new(&puzzle, &databases);
    let start = in_place.state(puzzle.state(&board).unwrap());
    let limits = |most| Limits::new().expansions(most);
    let mut search = IdaStar::new(&in_place).in_place().limits(limits(10_000)).search(start);
    drop(search.run());
    search.set_limits(limits(80_000));
    let before = crate::counting::calls();
    let report = search.run().unwrap();
    let calls = crate::counting::calls() - before;
    assert_eq!(report.stats.expanded, 80_000);
    assert!(calls <= 16, "{calls}");
}

#[test]
fn wrong_partitions_say_where() {
    let message =
        |text: &str, width, height| Partition::parse(text, width, height).unwrap_err().to_string();
    assert_eq!(message("1,2/2", 3, 3), "column 5: tile 2 occurs twice");
    assert_eq!(
        message("1, 0", 3, 3),
        "column 4: there is no tile 0; tiles are numbered from 1 to 8"
    );
    assert_eq!(message("1/", 3, 3), "column 3: a group has no tiles");
    assert!(message("1,x", 3, 3).starts_with("column 3: `x` is not the number of a tile"));
    assert!(message("1,", 3, 3).starts_with("column 3: `` is not the number of a tile"));
    let other = "this partition is for boards of 5×5";
    assert_eq!(message("6-6-6-6", 4, 4), other);
    assert!(message("1", 9, 9).starts_with("a board of 9×9 cannot have pattern databases"));
    assert!(message("1", usize::MAX, 2).starts_with("a board of "));
    assert!(message("1,2,3,4,5,6,7,8,9,10,11,12,13", 4, 4).starts_with("column 28: the group has"));
    let many: Vec<String> = (1..13).map(|tile| tile.to_string()).collect();
    assert!(message(&many.join(","), 8, 8).starts_with("column 1: the group has too many"));
    let many: Vec<String> = (1..18).map(|tile| tile.to_string()).collect();
    assert!(message(&many.join("/"), 5, 5).starts_with("found 17 groups, expected at most 16"));
    let fault = Partition::new(3, 3, &[&[1, 2], &[3, 9]]).unwrap_err().to_string();
    assert!(fault.starts_with("column 4: there is no tile 9"), "{fault}");

    let many: Vec<String> = (1..10).map(|tile| tile.to_string()).collect();
    let databases = |text: &str, width, height| {
        TileDatabases::build(&Partition::parse(text, width, height).unwrap()).unwrap()
    };
    let fault = databases(&many.join("/"), 4, 4).reflected().unwrap_err().to_string();
    assert_eq!(fault, "found 9 groups, expected at most 8 (16 without reflection)");
    let fault = databases("1", 3, 2).reflected().unwrap_err().to_string();
    assert_eq!(fault, "a board of 3×2 has no reflection; it must be square");
}

#[test]
fn the_database_of_another_pattern_is_refused() {
    let built = |tiles: &[u8]| Arc::new(TilePattern::new(3, 3, tiles).unwrap().build().unwrap());
    let partition = Partition::new(3, 3, &[&[1, 2]]).unwrap();
    let given = |database: &Arc<PatternDatabase>| {
        let _ = TileDatabases::from_fn(&partition, |_| Ok::<_, ()>(Arc::clone(database)));
    };
    given(&Arc::new(partition.patterns()[0].build().unwrap()));
    // One of the group itself, of which another pattern is the image, of other tiles, of fewer and of more.
    for tiles in [&[1, 2][..], &[2, 3], &[1], &[1, 2, 3]] {
        assert!(panics(|| given(&built(tiles))), "{tiles:?}");
    }
    // Where not all arrangements can be reached, the last ones may be missing.
    for (width, height, tiles) in [(2, 2, &[1, 2][..]), (2, 2, &[1, 2, 3]), (6, 1, &[1, 3])] {
        TileDatabases::build(&Partition::new(width, height, &[tiles]).unwrap()).unwrap();
    }
}
