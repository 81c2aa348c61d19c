//! The thirty easiest of Korf's hundred random 15-puzzles.
//!
//! Source: Korf, *Depth-first iterative-deepening: an optimal admissible tree search*, Artificial
//! Intelligence 27, 1985, table 1. Its node counts have misprints at 22, 88 and 89, none of which is
//! among the easiest. The counts here are those of IDA* with the Manhattan distance when the blank
//! moves up, left, right, down and never straight back: every state generated counts one, those beyond
//! the bound as well, and the root counts one once; it ends when the goal is generated.

use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles, Tracked};
use bestfirst::{AStar, IdaStar};
use support::random::rounds;

/// Number, length of a shortest solution, nodes of IDA*, tiles.
const EASIEST: [(u32, u16, u64, &str); 30] = [
    (79, 42, 540_860, "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"),
    (12, 45, 546_344, "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15"),
    (42, 42, 877_823, "4 5 7 2 9 14 12 13 0 3 6 11 8 1 15 10"),
    (55, 41, 927_212, "13 8 14 3 9 1 0 7 15 5 4 10 12 2 6 11"),
    (97, 44, 1_002_927, "9 14 5 7 8 15 1 2 10 4 13 6 12 0 11 3"),
    (19, 46, 1_280_495, "7 11 8 3 14 0 6 15 1 4 13 9 5 12 2 10"),
    (94, 53, 1_337_340, "5 7 11 8 0 14 9 13 10 12 3 15 6 1 4 2"),
    (47, 47, 1_411_294, "6 10 1 14 15 8 3 5 13 0 2 7 4 9 11 12"),
    (93, 46, 1_599_909, "13 9 14 6 12 8 1 2 3 4 0 7 5 10 11 15"),
    (9, 46, 1_650_696, "3 14 9 11 5 4 8 2 13 12 6 7 10 1 15 0"),
    (74, 56, 1_897_728, "14 13 4 11 15 8 6 9 0 7 3 1 2 10 12 5"),
    (48, 49, 1_905_023, "8 11 4 6 7 3 10 9 2 12 15 13 0 1 5 14"),
    (30, 47, 2_196_593, "12 15 2 6 1 14 4 8 5 3 7 0 10 13 9 11"),
    (86, 45, 2_304_426, "6 0 5 10 11 12 9 2 1 7 4 3 14 8 13 15"),
    (31, 50, 2_351_811, "12 8 15 13 1 0 5 4 6 3 2 11 9 7 14 10"),
    (85, 44, 2_725_456, "4 7 13 10 1 2 9 6 12 8 14 5 3 0 11 15"),
    (73, 49, 3_222_276, "6 14 10 5 15 8 7 1 3 4 2 0 12 9 11 13"),
    (28, 52, 5_934_442, "13 14 6 12 4 5 1 0 9 3 10 2 15 11 8 7"),
    (45, 51, 6_158_733, "3 14 9 7 12 15 0 4 1 8 5 6 11 10 2 13"),
    (61, 45, 7_096_850, "6 13 3 2 11 9 5 10 1 7 12 14 8 4 0 15"),
    (95, 50, 7_115_967, "4 3 6 13 7 15 9 0 10 5 8 11 2 12 1 14"),
    (90, 50, 7_171_137, "5 4 7 1 11 12 14 15 10 13 8 6 2 0 9 3"),
    (57, 50, 8_841_527, "5 11 6 9 4 13 12 0 8 2 15 10 1 7 3 14"),
    (71, 44, 8_885_972, "5 7 0 11 12 1 9 10 15 6 2 3 8 4 13 14"),
    (81, 53, 9_982_569, "13 0 9 12 11 6 3 5 15 8 1 10 4 14 2 7"),
    (78, 53, 10_907_150, "3 14 13 6 4 15 8 9 5 12 10 0 2 7 1 11"),
    (5, 56, 11_020_325, "4 7 14 13 10 3 9 12 11 5 6 15 1 2 8 0"),
    (13, 46, 11_861_705, "3 6 5 2 10 0 15 14 1 4 13 12 9 8 11 7"),
    (96, 49, 12_808_564, "1 7 15 14 2 6 4 9 12 11 13 3 0 8 5 10"),
    (58, 51, 12_955_404, "5 0 15 8 4 6 1 14 10 11 3 9 7 12 2 13"),
];

fn board(tiles: &str) -> Board {
    let board: Board = tiles.parse().unwrap();
    assert!(board.is_solvable());
    board
}

#[test]
fn ida_star_in_place_finds_shortest_solutions_with_known_node_counts() {
    check_node_counts((0..rounds(2)).zip(&EASIEST).map(|(_, puzzle)| puzzle));
}

#[test]
#[ignore = "takes half a minute where nothing is optimised: cargo test --release --test suite -- --ignored korf15"]
fn thirty_puzzles_have_their_known_node_counts() {
    check_node_counts(&EASIEST);
}

fn check_node_counts<'p>(puzzles: impl IntoIterator<Item = &'p (u32, u16, u64, &'p str)>) {
    let puzzle = SlidingTiles::<Tracked>::new(4, 4).unwrap();
    for &(number, optimal, nodes, tiles) in puzzles {
        let start = puzzle.state(&board(tiles)).unwrap();
        let report = IdaStar::new(&puzzle).in_place().search(start).run().unwrap();
        assert_eq!(report.cost(), Some(optimal), "instance {number}");
        assert!(report.is_optimal(), "instance {number}");
        let path = report.path().unwrap();
        assert_eq!(path.len(), usize::from(optimal), "instance {number}");
        path.verify(&puzzle).unwrap();
        // The root is given, not generated.
        assert_eq!(report.stats.generated + 1, nodes, "instance {number}");
    }
}

/// Four representations of the state, in place and with a buffer of successors: the same search. (The nodes of the first puzzle were
/// counted by a program of their own, which counts those of Korf's easiest, too. The second one is for the gate.)
#[test]
fn ida_star_is_the_same_for_every_representation() {
    let (_, optimal, nodes, tiles) = EASIEST[0];
    let puzzles = [(34, 121_806, "0 1 2 5 4 10 6 3 11 13 12 7 9 8 14 15"), (optimal, nodes, tiles)];
    for (_, (optimal, nodes, tiles)) in (0..rounds(2)).zip(puzzles) {
        let board = board(tiles);
        macro_rules! check {
            ($form:ty) => {
                let puzzle = SlidingTiles::<$form>::new(4, 4).unwrap();
                let start = puzzle.state(&board).unwrap();
                let in_place = IdaStar::new(&puzzle).in_place().search(start).run().unwrap();
                for report in [in_place, IdaStar::new(&puzzle).search(start).run().unwrap()] {
                    assert_eq!(report.cost(), Some(optimal));
                    assert_eq!(report.stats.generated + 1, nodes);
                    report.path().unwrap().verify(&puzzle).unwrap();
                }
            };
        }
        check!(Packed);
        check!(Tracked);
        check!(Packed<u128>);
        check!(Tracked<[u8; 16]>);
    }
}

#[test]
fn a_star_solves_the_three_easiest() {
    let puzzle = SlidingTiles::<Packed>::new(4, 4).unwrap();
    for (_, (number, optimal, nodes, tiles)) in (0..rounds(3)).zip(&EASIEST) {
        let start = puzzle.state(&board(tiles)).unwrap();
        let report = AStar::new(&puzzle).search(start).run().unwrap();
        assert_eq!(report.cost(), Some(*optimal), "instance {number}");
        report.path().unwrap().verify(&puzzle).unwrap();
        assert!(report.stats.generated < *nodes, "no state is stored twice");
        assert_eq!(report.stats.reopened, 0, "the heuristic is consistent");
    }
}
