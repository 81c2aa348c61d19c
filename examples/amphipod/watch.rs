//! A line that says how a long search is getting on.

use std::fmt;
use std::time::{Duration, Instant};

use bestfirst::{Layer, Observer};
use indicatif::{ProgressBar, ProgressStyle};

use crate::thousands;

/// A search that takes less than this shows no progress.
const PATIENCE: Duration = Duration::from_millis(500);

/// How many expansions pass between two looks at the clock.
const BETWEEN_LOOKS: u64 = 1 << 12;

/// Shows nothing unless the search takes long, and cleans up when it is dropped.
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
    fn look(&mut self, g: &dyn fmt::Debug) {
        let taken = self.began.elapsed();
        if taken < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            // Draws on standard error, and only if that is a terminal.
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
        if self.expanded.is_multiple_of(BETWEEN_LOOKS) {
            self.look(&g);
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
