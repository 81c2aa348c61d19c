//! A game loop: every frame gives a search two milliseconds, and the best path so far is there after each. The
//! search goes on in the next frame where it stopped.
//!
//! ```text
//! cargo run --release --example game_loop
//! ```

use std::time::{Duration, Instant};

use bestfirst::problems::grid_map::{Cell, GridMap};
use bestfirst::{AnytimeAStar, Limits, Outcome};

const SIZE: u16 = 900;
const BUDGET: Duration = Duration::from_millis(2);

/// An open field with walls, each with a gap at one end, so that the way winds.
fn map() -> String {
    let rows = (0..SIZE).map(|y| {
        let is_free = |x| y % 12 != 6 || (x % 97 == 0) || (y % 24 == 6) == (x < SIZE / 3);
        (0..SIZE).map(|x| if is_free(x) { '.' } else { '@' }).collect::<String>()
    });
    let rows: Vec<_> = rows.collect();
    format!("type octile\nheight {SIZE}\nwidth {SIZE}\nmap\n{}\n", rows.join("\n"))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map: GridMap = map().parse()?;
    let (start, goal) = (Cell::new(0, 0), Cell::new(SIZE - 1, SIZE - 1));
    let mut search = AnytimeAStar::new(map.route_to(goal)).dense().search(start);
    let mut slowest = Duration::ZERO;
    for frame in 1.. {
        let began = Instant::now();
        // The limit counts the time inside the search, over all frames.
        search.set_limits(Limits::new().time(search.elapsed() + BUDGET));
        let report = search.run()?;
        slowest = slowest.max(began.elapsed());
        match (report.path(), report.suboptimality()) {
            (Some(path), Some(factor)) => println!(
                "frame {frame:3}: {} steps, length {:.1}, at most {factor:.3} times the least",
                path.len(),
                path.cost().to_f64(),
            ),
            _ => println!(
                "frame {frame:3}: no path yet; walk towards {:?}",
                report.closest().map(bestfirst::Path::end)
            ),
        }
        // Here the game would be drawn, and walk a step along the path.
        if !matches!(report.outcome, Outcome::Stopped(_)) {
            break;
        }
    }
    println!("the slowest frame took {slowest:.1?} with its report");
    Ok(())
}
