//! Klotski, the sliding-block puzzle: bring the large block to the middle of the bottom row, in as few steps as
//! possible.
//!
//! ```text
//! cargo run --example sliding_blocks
//! ```

use bestfirst::{SearchProblem, Successors, astar};

const WIDTH: i8 = 4;
const HEIGHT: i8 = 5;

/// Blocks of the same shape are alike: blocks are ordered by shape and place, so that a board is one state, whichever
/// of them is where.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Block {
    width: i8,
    height: i8,
    x: i8,
    y: i8,
}

impl Block {
    fn overlaps(self, other: Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}

type Board = [Block; 10];

/// The large block is the last in the order.
fn large(board: &Board) -> Block {
    board[9]
}

struct Klotski;

impl SearchProblem for Klotski {
    type State = Board;
    type Action = ();
    type Cost = u32;

    fn successors(&self, board: &Board, next: &mut Successors<Self>) {
        for (i, block) in board.iter().enumerate() {
            for (dx, dy) in [(0, -1), (-1, 0), (1, 0), (0, 1)] {
                let moved = Block { x: block.x + dx, y: block.y + dy, ..*block };
                let is_inside = (0..=WIDTH - moved.width).contains(&moved.x)
                    && (0..=HEIGHT - moved.height).contains(&moved.y);
                let mut others = board.iter().enumerate().filter(|&(j, _)| j != i);
                if is_inside && others.all(|(_, &other)| !moved.overlaps(other)) {
                    let mut after = *board;
                    after[i] = moved;
                    after.sort_unstable();
                    next.push((), after, 1);
                }
            }
        }
    }

    fn heuristic(&self, board: &Board) -> u32 {
        (large(board).x.abs_diff(1) + large(board).y.abs_diff(3)).into()
    }

    fn is_goal(&self, board: &Board) -> bool {
        self.heuristic(board) == 0
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let block = |width, height, x, y| Block { width, height, x, y };
    let mut start = [
        block(1, 2, 0, 0),
        block(2, 2, 1, 0),
        block(1, 2, 3, 0),
        block(1, 2, 0, 2),
        block(2, 1, 1, 2),
        block(1, 2, 3, 2),
        block(1, 1, 1, 3),
        block(1, 1, 2, 3),
        block(1, 1, 0, 4),
        block(1, 1, 3, 4),
    ];
    start.sort_unstable();
    let report = astar(&Klotski, start)?;
    let path = report.path().ok_or("this board cannot be solved")?;
    for step in path.steps().filter(|step| large(step.from) != large(step.to)) {
        println!("the large block moves to column {}, row {}", large(step.to).x, large(step.to).y);
    }
    println!("{} steps, {} boards expanded", path.cost(), report.stats.expanded);
    assert_eq!(path.cost(), 116);
    Ok(())
}
