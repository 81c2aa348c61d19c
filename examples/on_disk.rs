//! The puzzle of eight tiles in a third of the memory that its states take: the others are in files. In the middle the process
//! is gone, and another goes on from the last checkpoint.
//!
//! ```text
//! cargo run --example on_disk
//! ```

use std::fs;

use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{ExternalAStar, IgnoreHeuristic, Limits};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tiles = SlidingTiles::<Packed>::new(3, 3)?;
    let board: Board = "5 4 8  2 6 0  3 1 7".parse()?;
    let start = tiles.state(&board)?;
    // With a heuristic few of these states would be needed.
    let puzzle = IgnoreHeuristic::new(tiles);
    let folder = std::env::temp_dir().join(format!("bestfirst-on-disk-{}", std::process::id()));

    let builder = || ExternalAStar::new(&puzzle).memory(400_000).checkpoint_every(10_000);
    let limits = Limits::new().expansions(40_000);
    let report = builder().checkpoints(&folder).limits(limits).search(start).run()?;
    println!("stopped: {}; no path is shorter than {}", report.stats, report.lower_bound);

    // The search is dropped; its files are not.
    let mut search = builder().resume(&folder)?;
    println!("goes on after {} expansions", search.stats().expanded);
    let report = search.run()?;
    println!("{}; {} bytes in files", report.stats, search.engine().bytes_in_files());
    let path = report.path().ok_or("this board can be solved")?;
    println!("{} moves, the fewest", path.len());
    assert_eq!(path.cost(), 21);
    fs::remove_dir_all(folder)?;
    Ok(())
}
