//! A maze of letters as puzzles on the web have them: from `S` to the nearest `E`, around `#`; a digit is what it costs
//! to enter its cell, and a slope (`<`, `>`, `^`, `v`) can be left in its direction only.
//!
//! ```text
//! cargo run --release --example letter_maze [-- my.txt]
//! ```

use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

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

fn main() -> ExitCode {
    let Err(fault) = solve() else { return ExitCode::SUCCESS };
    if fault.downcast_ref().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS; // nobody reads on
    }
    eprintln!("{fault}");
    ExitCode::from(2)
}

fn solve() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).map(PathBuf::from);
    let name = file.as_deref().unwrap_or("maze".as_ref()).display();
    let in_file = |fault: &dyn Display| format!("{name}: {fault}");
    let text = match &file {
        Some(file) => std::fs::read_to_string(file).map_err(|fault| in_file(&fault))?,
        None => MAZE.to_owned(),
    };
    let mut map = TerrainMap::from_rows(&text, terrain).map_err(|fault| in_file(&fault))?;
    for letter in ['<', '>', '^', 'v'] {
        for slope in map.places_of(letter).collect::<Vec<_>>() {
            map.set_exits(slope, |to| leads(letter, slope, to));
        }
    }
    let start = map.find('S').map_err(|fault| in_file(&fault))?;
    let route = map.route_to(map.places_of('E'), Movement::four(1))?;
    let report = AStar::new(&route).search(start).run()?;
    let path = report.path().ok_or_else(|| in_file(&"there is no way from `S` to an `E`"))?;
    let mut out = io::stdout().lock();
    write!(out, "{}", map.draw_path(path.states()))?;
    writeln!(out, "{} steps that cost {}, {}", path.len(), path.cost(), report.stats)?;
    Ok(())
}
