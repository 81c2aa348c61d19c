//! The eight-puzzle by `solve`, without a type of one's own: a start, the successors, a heuristic and a goal test.
//!
//! ```text
//! cargo run --example eight_puzzle
//! ```

const GOAL: [u8; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let report = bestfirst::solve(
        [7, 2, 4, 5, 0, 6, 8, 3, 1],
        moves,
        |board| {
            (0..9).map(|at| if board[at] > 0 { distance(at, board[at].into()) } else { 0 }).sum()
        },
        |board| *board == GOAL,
    )?;
    let path = report.path().ok_or("this board cannot be solved")?;
    for board in path.states() {
        println!("{:?}  {:?}  {:?}", &board[0..3], &board[3..6], &board[6..9]);
    }
    println!("{} moves, the fewest; {} boards expanded", path.cost(), report.stats.expanded);
    assert_eq!(path.cost(), 26);
    Ok(())
}

/// The boards after a tile beside the blank has moved into it, each at cost 1.
fn moves(board: &[u8; 9]) -> Vec<([u8; 9], usize)> {
    let blank = (0..9).find(|&at| board[at] == 0).unwrap_or(0);
    let moved = |tile| {
        let mut next = *board;
        next.swap(blank, tile);
        (next, 1)
    };
    (0..9).filter(|&tile| distance(blank, tile) == 1).map(moved).collect()
}

/// How many rows and columns two cells are apart.
fn distance(a: usize, b: usize) -> usize {
    (a / 3).abs_diff(b / 3) + (a % 3).abs_diff(b % 3)
}
