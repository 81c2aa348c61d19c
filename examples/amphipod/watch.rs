//! An observer that shows the progress of a long search in one line.

use std::fmt;
use std::time::{Duration, Instant};

use bestfirst::{Layer, Observer};
use indicatif::{ProgressBar, ProgressStyle};

use crate::thousands;

/// A search shows progress after this time.
const DELAY: Duration = Duration::from_millis(500);

/// The number of expansions between two readings of the clock.
const CLOCK_INTERVAL: u64 = 1 << 12;

/// Removes the line when it is dropped.
pub struct Watch {
    began: Instant,
    expanded: u64,
    best: String,
    bar: Option<ProgressBar>,
}

impl Watch {
    pub fn new() -> Self {
        Self { began: Instant::now(), expanded: 0, best: String::new(), bar: None }
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

impl<S, C: fmt::Debug> Observer<S, C> for Watch {
    #[inline]
    fn expanded(&mut self, _state: &S, g: C, _h: C) {
        self.expanded += 1;
        if self.expanded.is_multiple_of(CLOCK_INTERVAL) {
            self.update(&g);
        }
    }

    fn layer(&mut self, _layer: &Layer<C>) {}

    fn incumbent(&mut self, cost: C) {
        self.best = format!(", best so far {cost:?}");
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
