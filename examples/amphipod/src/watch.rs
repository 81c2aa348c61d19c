//! An observer that shows every better solution, and the progress of a long search in one line.

use std::fmt;
use std::time::{Duration, Instant};

use bestfirst::{Observer, ScalableCost};
use program::{ProgressLine, thousands};

use crate::solve::Engine;

/// A search shows progress after this time.
const DELAY: Duration = Duration::from_millis(500);

/// The number of expansions between two readings of the clock.
const CLOCK_INTERVAL: u64 = 1 << 12;

pub struct Watch {
    engine: Engine,
    shows_progress: bool,
    shows_solutions: bool,
    began: Instant,
    expanded: u64,
    best: String,
    line: ProgressLine,
}

impl Watch {
    pub fn new(engine: Engine, shows_progress: bool, shows_solutions: bool) -> Self {
        Self {
            engine,
            shows_progress,
            shows_solutions,
            began: Instant::now(),
            expanded: 0,
            best: String::new(),
            line: ProgressLine::new(),
        }
    }

    #[cold]
    fn update(&mut self, g: &dyn fmt::Debug) {
        let taken = self.began.elapsed();
        if taken < DELAY {
            return;
        }
        let (expanded, best) = (self.expanded, &self.best);
        self.line.show(|| {
            let (seconds, expanded) = (taken.as_secs_f64(), thousands(expanded));
            format!("{seconds:.1} s, {expanded} expanded, now at energy {g:?}{best}")
        });
    }
}

impl<S, C: ScalableCost> Observer<S, C> for Watch {
    #[inline]
    fn expanded(&mut self, _state: &S, g: C, _h: C) {
        self.expanded += 1;
        if self.shows_progress && self.expanded.is_multiple_of(CLOCK_INTERVAL) {
            self.update(&g);
        }
    }

    fn incumbent(&mut self, cost: C, bound: C) {
        // Both are zero where everything is at home.
        let factor = if cost <= bound { 1.0 } else { cost.to_f64() / bound.to_f64() };
        self.best = format!(", best so far {cost:?}, at most {factor:.3} times the least");
        if self.shows_solutions {
            let (engine, seconds) = (self.engine, self.began.elapsed().as_secs_f64());
            let line = format!(
                "{engine}: {seconds:.4} s: energy {cost:?}, at most {factor:.3} times the least"
            );
            self.line.print(&line);
        }
    }
}
