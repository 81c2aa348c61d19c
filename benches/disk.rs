//! Search on disk beside A* with a table.

use std::time::Instant;

use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles, Tracked};
use bestfirst::{AStar, DiskSearch};

mod support {
    pub mod data;
}
use support::data;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let memory: usize = args.first().map_or(60, |m| m.parse().unwrap());
    let wanted: Vec<u32> = args[1..].iter().map(|a| a.parse().unwrap()).collect();
    let Some(instances) = data::korf() else { return };
    let puzzle = SlidingTiles::<Packed>::new(4, 4).unwrap();
    let tracked = SlidingTiles::<Tracked>::new(4, 4).unwrap();
    let _ = &tracked;
    for number in wanted {
        let instance = &instances[number as usize - 1];
        let board = Board::new(4, 4, &instance.tiles).unwrap();
        let start = puzzle.state(&board).unwrap();
        let began = Instant::now();
        let disk = DiskSearch::new(&puzzle).memory(memory << 20).search(start).run().unwrap();
        let time = began.elapsed();
        println!(
            "disk {number} {:.3} s, {:.0} ns/exp",
            time.as_secs_f64(),
            time.as_nanos() as f64 / disk.stats.expanded as f64
        );
        println!("  {}", disk.stats);
        assert_eq!(disk.cost(), Some(instance.optimal));
        if std::env::var("ASTAR").is_ok() {
            let began = Instant::now();
            let astar = AStar::new(&puzzle).search(start).run().unwrap();
            let time = began.elapsed();
            println!(
                "A*   {number} {:.3} s, {:.0} ns/exp",
                time.as_secs_f64(),
                time.as_nanos() as f64 / astar.stats.expanded as f64
            );
            println!("  {}", astar.stats);
            for (a, d) in astar.layers.iter().zip(&disk.layers) {
                println!("  {a:?} {d:?}");
            }
        }
    }
}
