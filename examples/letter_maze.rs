//! A maze of letters as puzzles on the web have them: from `S` to the nearest `E`, around `#`; a digit is what it costs
//! to enter its cell, and a slope (`<`, `>`, `^`, `v`) can be left in its direction only.
//!
//! ```text
//! cargo run --release --example letter_maze [-- my.txt]
//! ```

use bestfirst::AStar;
use bestfirst::problems::grid_map::{Cell, Movement, Terrain, TerrainMap};

const MAZE: &str = "\
#########################
#S....#.....9.....#....E#
#.###.#.###.#.###.#.###.#
#.#.......#.#...#...#.>.#
#.#.#####.#.###.#####.#.#
#...#...#..2..#.....#.#.#
###.#.#.###.#.#####.<.#.#
#.....#.....#...3.....#E#
#########################
";

fn terrain(letter: char) -> Terrain<u32> {
    match letter {
        '#' => Terrain::Blocked,
        '.' | 'S' | 'E' | '<' | '>' | '^' | 'v' => Terrain::Cost(1),
        '1'..='9' => Terrain::Cost(letter as u32 - '0' as u32),
        _ => Terrain::Unknown, // an error that names line and column
    }
}

/// Whether a slope leads from its cell to that neighbour.
fn leads(slope: char, from: Cell, to: Cell) -> bool {
    match slope {
        '<' => to.x < from.x,
        '>' => to.x > from.x,
        '^' => to.y < from.y,
        _ => to.y > from.y,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1) {
        Some(file) => std::fs::read_to_string(&file).map_err(|fault| format!("{file}: {fault}"))?,
        None => MAZE.to_owned(),
    };
    let mut map = TerrainMap::from_rows(&text, terrain).map_err(|fault| fault.to_string())?;
    for letter in ['<', '>', '^', 'v'] {
        for slope in map.places_of(letter).collect::<Vec<_>>() {
            map.set_exits(slope, |to| leads(letter, slope, to));
        }
    }
    let start = map.find('S')?;
    let route = map.route_to(map.places_of('E'), Movement::four(1))?;
    let report = AStar::new(&route).search(start).run()?;
    let path = report.path().ok_or("there is no way out")?;
    print!("{}", map.draw_path(path.states()));
    println!("{} steps that cost {}, {}", path.len(), path.cost(), report.stats);
    Ok(())
}
