//! All shortest ways through a maze: how many there are, and which cells they use.
//!
//! ```text
//! cargo run --example all_ways
//! ```

use bestfirst::problems::grid_map::{Cell, FourWay, GridMap};
use bestfirst::{PathCount, all_optimal};

const MAZE: &str = "
......#.........
.####...#####.#.
.#..........#.#.
.#.####.###.#.#.
.......#......#.
.#.#.####.#.###.
...#.#..........
.#.#.#######..#.
................
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let maze = GridMap::from_rows(MAZE)?;
    let (start, goal) = (Cell::new(0, 0), Cell::new(15, 8));
    let route = maze.route_by::<FourWay>(goal);
    let ways = all_optimal(&route, start)?;
    let used: Vec<_> = ways.states().map(|(cell, _)| cell).collect();
    print!("{}", maze.draw_path(&used));
    println!(
        "{} ways of {} steps, on {} cells",
        ways.count(),
        ways.cost().unwrap_or(0),
        used.len()
    );
    for way in ways.paths() {
        let way = way?;
        way.verify(&&route)?;
        let turns = way
            .states()
            .windows(3)
            .filter(|cells| cells[0].x != cells[2].x && cells[0].y != cells[2].y);
        println!("turns: {}", turns.count());
    }
    assert_eq!((ways.count(), ways.cost()), (PathCount::Finite(16), Some(23)));
    Ok(())
}
