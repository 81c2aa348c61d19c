//! A game loop: every frame gives a search one millisecond, or as many as the argument says, and the best path so far is there
//! after each. The unit keeps its search beside the map, which all units share; the search goes on in the next frame where it
//! stopped. At the end it says how long the slowest frames took.
//!
//! ```text
//! cargo run --release --example game_loop -- 1
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bestfirst::problems::grid_map::{Cell, GridMap, GridRoute};
use bestfirst::{AnySearch, Anytime, ReportOf, SearchProblem};

/// Without optimisation, a smaller map: a frame that takes ten times as long needs ten times as many frames.
const SIZE: u16 = if cfg!(debug_assertions) { 300 } else { 900 };

type Route = GridRoute<Arc<GridMap>>;
type Cost = <Route as SearchProblem>::Cost;

/// A unit that looks for its way. Which engine does it, is nobody's business.
struct Unit {
    search: Box<dyn AnySearch<Cell, <Route as SearchProblem>::Action, Cost> + Send>,
}

impl Unit {
    fn new(map: &Arc<GridMap>, from: Cell, to: Cell) -> Self {
        let route = Route::new(Arc::clone(map), to);
        Self { search: Box::new(Anytime::new(route).dense().search(from)) }
    }

    /// Searches until `deadline`. Returns what is known by then, whether that is all there is to know, and when the search
    /// stopped: a report takes time, too.
    fn think(
        &mut self,
        deadline: Instant,
    ) -> Result<(ReportOf<Route>, bool, Instant), bestfirst::SearchError<Cost>> {
        let ended = self.search.run_until(deadline)?;
        let stopped = Instant::now();
        match ended {
            Some(report) => Ok((report, true, stopped)),
            None => Ok((self.search.report()?, false, stopped)),
        }
    }
}

/// An open field with walls, each with a gap at one end, so that the way winds.
fn is_free(Cell { x, y }: Cell) -> bool {
    y % 12 != 6 || x % 97 == 0 || (y % 24 == 6) == (x < SIZE / 3)
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
    let map = Arc::new(GridMap::new(SIZE, SIZE, is_free)?);
    let mut unit = Unit::new(&map, Cell::new(0, 0), Cell::new(SIZE - 1, SIZE - 1));
    let word = std::env::args_os().nth(1).unwrap_or("1".into());
    let budget = word.to_str().and_then(|word| word.parse().ok());
    let wrong = || format!("`{}`: give a number of milliseconds from 1 on", word.display());
    let budget = budget.filter(|&budget| budget > 0).ok_or_else(wrong)?;
    let budget = Duration::from_millis(budget);
    let mut out = io::stdout().lock();
    let (mut latest, mut slowest) = (Duration::ZERO, Duration::ZERO);
    for frame in 1.. {
        let began = Instant::now();
        let (report, is_done, stopped) = unit.think(began + budget)?;
        if !is_done {
            latest = latest.max(stopped.saturating_duration_since(began + budget));
        }
        slowest = slowest.max(began.elapsed());
        match (report.path(), report.suboptimality()) {
            (Some(path), Some(factor)) => writeln!(
                out,
                "frame {frame:3}: {} steps, length {:.1}, at most {factor:.3} times the least",
                path.len(),
                path.cost().to_f64(),
            )?,
            _ => writeln!(
                out,
                "frame {frame:3}: no path yet; walk towards {:?}",
                report.closest().map(bestfirst::Path::end)
            )?,
        }
        // Here the game would be drawn, and the unit walk a step along the path.
        if is_done {
            break;
        }
    }
    writeln!(
        out,
        "no search stopped more than {latest:.1?} late; the slowest frame took {slowest:.1?} with its report"
    )?;
    Ok(())
}
