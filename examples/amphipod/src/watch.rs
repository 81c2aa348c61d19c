//! An observer that shows every better solution, and the progress of a long search in one line.

use std::fmt;
use std::time::{Duration, Instant};

use bestfirst::{Observer, ScalableCost};
use indicatif::{ProgressBar, ProgressStyle};
use program::thousands;

use crate::solve::Engine;

/// A search shows progress after this time.
const DELAY: Duration = Duration::from_millis(500);

/// The number of expansions between two readings of the clock.
const CLOCK_INTERVAL: u64 = 1 << 12;

/// Removes the line when it is dropped.
pub struct Watch {
    engine: Engine,
    shows_progress: bool,
    shows_solutions: bool,
    began: Instant,
    expanded: u64,
    best: String,
    bar: Option<ProgressBar>,
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
            bar: None,
        }
    }

    /// Whether anything is shown.
    pub fn is_needed(&self) -> bool {
        self.shows_progress || self.shows_solutions
    }

    #[cold]
    fn update(&mut self, g: &dyn fmt::Debug) {
        let taken = self.began.elapsed();
        if taken < DELAY {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            // Drawn on standard error if that is a terminal.
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        bar.set_message(format!(
            "{:.1} s, {} expanded, now at energy {g:?}{}",
            taken.as_secs_f64(),
            thousands(self.expanded),
            self.best,
        ));
        bar.tick();
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
            match &self.bar {
                Some(bar) => bar.println(line),
                None => anstream::eprintln!("{line}"),
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
