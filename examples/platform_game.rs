//! A platform game: which keys lead a figure from `S` to `E`. It walks, climbs ladders (`H`), jumps and falls; each frame
//! goes on for ten expansions, and an order may take a thousand.
//!
//! ```text
//! cargo run --example platform_game
//! ```

use bestfirst::{AStar, Limits, Outcome, SearchProblem, Successors};

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

struct Platforms {
    goal: Cell,
}

impl SearchProblem for Platforms {
    type State = Cell;
    type Action = &'static str;
    /// Ticks of the game.
    type Cost = usize;

    fn successors(&self, &(x, y): &Cell, next: &mut Successors<Self>) {
        let free = |cell| at(cell) != b'#';
        let below = (x, y + 1);
        if free(below) && at(below) != b'H' && at((x, y)) != b'H' {
            return next.push("fall", below, 1);
        }
        for (key, jump, side, far) in
            [("left", "jump left", x - 1, x.wrapping_sub(2)), ("right", "jump right", x + 1, x + 2)]
        {
            if free((side, y)) {
                next.push(key, (side, y), 2);
                if free((far, y)) && free((x, y - 1)) && free((side, y - 1)) {
                    next.push(jump, (far, y), 5);
                }
            }
        }
        if at((x, y)) == b'H' && free((x, y - 1)) {
            next.push("up", (x, y - 1), 3);
        }
        if at(below) == b'H' {
            next.push("down", below, 3);
        }
    }

    fn heuristic(&self, &(x, y): &Cell) -> usize {
        2 * x.abs_diff(self.goal.0) + y.abs_diff(self.goal.1)
    }

    fn is_goal(&self, &cell: &Cell) -> bool {
        cell == self.goal
    }
}

fn main() -> Result<(), bestfirst::SearchError<usize>> {
    let limits = Limits::new().expansions(1000).memory(1 << 20);
    let mut search = AStar::new(Platforms { goal: find(b'E') }).limits(limits).search(find(b'S'));
    let report = loop {
        match search.run_for(10)? {
            Some(report) => break report,
            None => println!("a frame: it takes {} ticks or more", search.report()?.lower_bound),
        }
    };
    match report.outcome {
        Outcome::Found(path) => {
            println!("{}", path.actions().copied().collect::<Vec<_>>().join(", "));
            println!("{} ticks", path.cost());
            assert_eq!(path.cost(), 50);
        }
        Outcome::Exhausted => println!("no keys lead there"),
        Outcome::Stopped(why) => println!("{why}: {} ticks or more", report.lower_bound),
    }
    Ok(())
}
