//! A platform game with `pathfinding`: the path of a figure from `S` to `E`.

use pathfinding::prelude::astar;

const LEVEL: [&[u8]; 9] = [
    b"########################",
    b"#......................#",
    b"#S....H..............E.#",
    b"####..H####.######.#####",
    b"#.....H................#",
    b"#..H######..##.H####...#",
    b"#..H...........H.......#",
    b"#..H...........H.......#",
    b"########################",
];

type Cell = (usize, usize);

fn find(what: u8) -> Cell {
    let cells = (0..LEVEL.len()).flat_map(|y| (0..LEVEL[y].len()).map(move |x| (x, y)));
    cells.into_iter().find(|&cell| at(cell) == what).expect("the level has it")
}

fn at((x, y): Cell) -> u8 {
    LEVEL[y][x]
}

fn successors(&(x, y): &Cell) -> Vec<(Cell, usize)> {
    let free = |cell| at(cell) != b'#';
    let below = (x, y + 1);
    if free(below) && at(below) != b'H' && at((x, y)) != b'H' {
        return vec![(below, 1)];
    }
    let mut next = vec![];
    for (side, far) in [(x - 1, x.wrapping_sub(2)), (x + 1, x + 2)] {
        if free((side, y)) {
            next.push(((side, y), 2));
            if free((far, y)) && free((x, y - 1)) && free((side, y - 1)) {
                next.push(((far, y), 5));
            }
        }
    }
    if at((x, y)) == b'H' && free((x, y - 1)) {
        next.push(((x, y - 1), 3));
    }
    if at(below) == b'H' {
        next.push((below, 3));
    }
    next
}

/// Runs it.
pub fn main() {
    let goal = find(b'E');
    let heuristic = |&(x, y): &Cell| 2 * x.abs_diff(goal.0) + y.abs_diff(goal.1);
    match astar(&find(b'S'), successors, heuristic, |&cell| cell == goal) {
        Some((path, cost)) => {
            println!("{path:?}");
            println!("{cost} ticks");
            assert_eq!(cost, 50);
        }
        None => println!("no cells lead there"),
    }
}
