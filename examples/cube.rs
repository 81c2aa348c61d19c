//! The 2×2×2 cube, solved from both ends: the fewest turns to the solved cube.
//!
//! ```text
//! cargo run --example cube
//! ```

use bestfirst::{Bidirectional, Reversible, SearchProblem, Successors};

/// For each place of a corner: which corner is there, and how often it is twisted clockwise (0 to 2).
type Cube = [(u8, u8); 8];

/// A quarter turn of a face: from which place the corner of each place comes, and by how much it is twisted. One corner
/// (place 6) never moves, so three faces are enough.
const TURNS: [(char, Cube); 3] = [
    ('U', [(3, 0), (0, 0), (1, 0), (2, 0), (4, 0), (5, 0), (6, 0), (7, 0)]),
    ('R', [(4, 2), (1, 0), (2, 0), (0, 1), (7, 1), (5, 0), (6, 0), (3, 2)]),
    ('F', [(1, 1), (5, 2), (2, 0), (3, 0), (0, 2), (4, 1), (6, 0), (7, 0)]),
];

const SOLVED: Cube = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0)];

/// The cube after a quarter turn.
fn turn(cube: &Cube, face: &Cube) -> Cube {
    face.map(|(from, twist)| {
        let (corner, before) = cube[usize::from(from)];
        (corner, (before + twist) % 3)
    })
}

struct Pocket;

impl SearchProblem for Pocket {
    type State = Cube;
    /// The face, and by how many quarters it is turned.
    type Action = (char, u8);
    type Cost = u32;

    fn successors(&self, cube: &Cube, next: &mut Successors<Self>) {
        for (name, face) in &TURNS {
            let mut turned = *cube;
            for quarters in 1..=3 {
                turned = turn(&turned, face);
                next.push((*name, quarters), turned, 1);
            }
        }
    }

    fn is_goal(&self, cube: &Cube) -> bool {
        *cube == SOLVED
    }
}

impl Reversible for Pocket {
    /// The cubes that lead here: those that the turns back lead to.
    fn predecessors(&self, cube: &Cube, previous: &mut Successors<Self>) {
        for (name, face) in &TURNS {
            let mut turned = *cube;
            for quarters in 1..=3 {
                turned = turn(&turned, face);
                previous.push((*name, 4 - quarters), turned, 1);
            }
        }
    }

    fn goals(&self) -> impl Iterator<Item = Cube> {
        [SOLVED].into_iter()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut start = SOLVED;
    for letter in "URFURRFUURFFURUFRUFURF".chars() {
        for (_, face) in TURNS.iter().filter(|(name, _)| *name == letter) {
            start = turn(&start, face);
        }
    }
    let report = Bidirectional::new(&Pocket).dijkstra().least_step(1).search(start).run()?;
    let path = report.path().ok_or("this cube cannot be solved")?;
    let turns = path
        .actions()
        .map(|(face, quarters)| format!("{face}{}", ["", "2", "'"][usize::from(quarters - 1)]));
    println!("{}", turns.collect::<Vec<_>>().join(" "));
    println!("{} turns, {} cubes expanded", path.cost(), report.stats.expanded);
    // No position needs more than 11.
    assert_eq!(path.cost(), 9);
    Ok(())
}
