//! Peg solitaire on a triangle of fifteen holes: the fewest moves that leave one peg, where jumps of one peg in a row are one
//! move.

use std::collections::HashMap;
use std::error::Error;

use bestfirst::{AStar, AllOptimal, Outcome, PathCount, SearchProblem, Successors, check};
use support::random::{is_enough, rounds};

struct Triangle {
    /// The holes from which, over which and to which a peg jumps.
    jumps: Vec<[u8; 3]>,
}

/// Which holes have a peg, and which peg has jumped last.
type Board = (u16, u8);

const NOBODY: u8 = 15;
const CORNERS: [u8; 3] = [0, 10, 14];

impl Triangle {
    fn new() -> Self {
        let hole = |row: i8, column: i8| {
            let inside = (0..5).contains(&row) && (0..=row).contains(&column);
            inside.then(|| (row * (row + 1) / 2 + column).cast_unsigned())
        };
        let mut jumps = vec![];
        for (row, column) in (0..5).flat_map(|row| (0..=row).map(move |column| (row, column))) {
            for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)] {
                let line = [0, 1, 2].map(|step| hole(row + step * down, column + step * right));
                if let [Some(from), Some(over), Some(to)] = line {
                    jumps.push([from, over, to]);
                }
            }
        }
        Self { jumps }
    }
}

impl SearchProblem for Triangle {
    type State = Board;
    type Action = (u8, u8);
    type Cost = u32;

    fn successors(&self, &(pegs, last): &Board, next: &mut Successors<Self>) {
        for &[from, over, to] in &self.jumps {
            let (taken, put) = (1 << from | 1 << over, 1 << to);
            if pegs & (taken | put) == taken {
                next.push((from, to), (pegs ^ taken ^ put, to), u32::from(from != last));
            }
        }
    }

    /// Nobody can jump over a peg in a corner: all of them must move but the last one, and the one that is moving is free.
    fn heuristic(&self, &(pegs, last): &Board) -> u32 {
        let stuck = CORNERS.into_iter().filter(|&corner| corner != last && pegs >> corner & 1 == 1);
        stuck.map(|_| 1_u32).sum::<u32>().saturating_sub(1)
    }

    fn is_goal(&self, &(pegs, _): &Board) -> bool {
        pegs.is_power_of_two()
    }
}

/// The fewest moves and the number of ways to play them, by recursion over all plays.
fn fewest(
    triangle: &Triangle,
    board: Board,
    known: &mut HashMap<Board, Option<(u32, u128)>>,
) -> Option<(u32, u128)> {
    if board.0.is_power_of_two() {
        return Some((0, 1));
    }
    if let Some(known) = known.get(&board) {
        return *known;
    }
    let mut best: Option<(u32, u128)> = None;
    for &[from, over, to] in &triangle.jumps {
        let has = |hole: u8| board.0 >> hole & 1 == 1;
        if has(from) && has(over) && !has(to) {
            let after = board.0 & !(1 << from) & !(1 << over) | 1 << to;
            if let Some((moves, ways)) = fewest(triangle, (after, to), known) {
                let moves = moves + u32::from(board.1 != from);
                best = match best {
                    Some((least, _)) if least < moves => best,
                    Some((least, sum)) if least == moves => Some((least, sum + ways)),
                    _ => Some((moves, ways)),
                };
            }
        }
    }
    known.insert(board, best);
    best
}

#[test]
fn pegs_on_a_triangle() -> Result<(), Box<dyn Error>> {
    let triangle = Triangle::new();
    let mut known = HashMap::new();
    let mut solved = 0;
    let mut random = super::numbers(7);
    let full = (1 << 15) - 1;
    let boards = (0..rounds(3)).zip([0, 4, 12]).map(|(_, hole)| full ^ 1_u16 << hole);
    let random_boards = (0..rounds(60)).map(|_| u16::try_from(random(1 << 15)).unwrap());
    for pegs in boards.chain(random_boards) {
        let start = (pegs, NOBODY);
        let expected = fewest(&triangle, start, &mut known);
        let report = AStar::new(&triangle).search(start).run()?;
        assert_eq!(report.cost(), expected.map(|(moves, _)| moves), "{pegs:015b}");
        assert_eq!(report.outcome == Outcome::Exhausted, expected.is_none());
        let all = AllOptimal::new(&triangle).search(start).find_all()?;
        assert_eq!(
            all.count(),
            PathCount::Finite(expected.map_or(0, |(_, ways)| ways)),
            "{pegs:015b}"
        );
        check::admissible(&triangle, start, 1_000_000)?;
        solved += u32::from(expected.is_some());
    }
    assert!(is_enough(solved, 20), "{solved}");
    Ok(())
}
