//! What the program sees of a search while it runs: a progress line, the order of expansions, and
//! the events for a trace.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use bestfirst::Observer;
use bestfirst::problems::crucible::{Crucible, State};
use bestfirst::trace::Recorder;
use indicatif::{ProgressBar, ProgressStyle};

use super::plot::thousands;

/// A search that takes less than this shows no progress.
const PATIENCE: Duration = Duration::from_millis(500);

/// How many expansions pass between two looks at the clock.
const BETWEEN_LOOKS: u64 = 1 << 12;

/// The most events that a trace keeps.
const MOST_EVENTS: usize = 1_000_000;

pub struct Watch<'a> {
    crucible: &'a Crucible,
    name: String,
    began: Instant,
    expanded: u64,
    bar: Option<ProgressBar>,
    show_progress: bool,
    /// By block: as which number it was first expanded, counted from 1; 0 for never.
    order: Option<Vec<u64>>,
    recorder: Option<Recorder<State, u32>>,
}

impl<'a> Watch<'a> {
    pub fn new(crucible: &'a Crucible, name: String) -> Self {
        Self {
            crucible,
            name,
            began: Instant::now(),
            expanded: 0,
            bar: None,
            show_progress: false,
            order: None,
            recorder: None,
        }
    }

    /// Shows a progress line, if there is a terminal to show it on.
    pub fn show_progress(&mut self) {
        self.show_progress = stderr().is_terminal();
    }

    pub fn record_order(&mut self) {
        self.order = Some(vec![0; self.crucible.map().rows() * self.crucible.map().columns()]);
    }

    pub fn record_trace(&mut self) {
        self.recorder = Some(Recorder::new(MOST_EVENTS));
    }

    /// Whether there is any reason to be told.
    pub fn listens(&self) -> bool {
        self.show_progress || self.order.is_some() || self.recorder.is_some()
    }

    /// The search is over.
    pub fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// By block, row after row: as which number it was first expanded.
    #[expect(clippy::cast_precision_loss, reason = "it becomes a colour")]
    pub fn order(&self) -> Vec<Option<f64>> {
        let order = self.order.iter().flatten();
        order.map(|&number| (number > 0).then_some(number as f64)).collect()
    }

    pub fn into_recorder(self) -> Option<Recorder<State, u32>> {
        self.recorder
    }

    fn look_at_the_clock(&mut self, f: u32) {
        if self.bar.is_none() && self.began.elapsed() > PATIENCE {
            let style = ProgressStyle::with_template("{spinner} {prefix}: {msg}, {elapsed}");
            let bar = ProgressBar::new_spinner().with_prefix(self.name.clone());
            self.bar =
                Some(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner())));
        }
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{} expanded, now at a loss of {f}", thousands(self.expanded)));
            bar.tick();
        }
    }
}

impl Observer<State, u32> for Watch<'_> {
    fn expanded(&mut self, state: &State, g: u32, h: u32) {
        self.expanded += 1;
        if let Some(order) = &mut self.order {
            let (row, column) = self.crucible.block(*state);
            let block = row * self.crucible.map().columns() + column;
            if let Some(number) = order.get_mut(block).filter(|number| **number == 0) {
                *number = self.expanded;
            }
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.expanded(state, g, h);
        }
        if self.show_progress && self.expanded.is_multiple_of(BETWEEN_LOOKS) {
            self.look_at_the_clock(g.saturating_add(h));
        }
    }

    fn generated(&mut self, parent: Option<&State>, state: &State, g: u32) {
        if let Some(recorder) = &mut self.recorder {
            recorder.generated(parent, state, g);
        }
    }

    fn layer(&mut self, layer: &bestfirst::Layer<u32>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.layer(layer);
        }
    }

    fn incumbent(&mut self, cost: u32) {
        if let Some(recorder) = &mut self.recorder {
            recorder.incumbent(cost);
        }
    }
}
