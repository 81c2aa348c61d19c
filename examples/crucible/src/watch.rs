//! An observer of a search: a progress line, the order of expansions, and the events for a trace.

use std::collections::TryReserveError;
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use bestfirst::Observer;
use bestfirst::problems::crucible::{Crucible, State};
use bestfirst::trace::Recorder;
use program::{ProgressLine, thousands};

/// A search shows progress after this time.
const DELAY: Duration = Duration::from_millis(500);

/// The number of expansions between two readings of the clock.
const CLOCK_INTERVAL: u64 = 1 << 12;

/// The maximum number of events in a trace.
const MOST_EVENTS: usize = 1_000_000;

pub struct Watch<'a> {
    crucible: &'a Crucible,
    name: String,
    began: Instant,
    expanded: u64,
    line: ProgressLine,
    show_progress: bool,
    show_solutions: bool,
    /// For each block, the number of its first expansion, counted from 1; 0 if it was not expanded.
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
            line: ProgressLine::new(),
            show_progress: false,
            show_solutions: false,
            order: None,
            recorder: None,
        }
    }

    /// Shows a progress line if standard error is a terminal.
    pub fn show_progress(&mut self) {
        self.show_progress = stderr().is_terminal();
    }

    /// Shows every better solution in a line on standard error.
    pub fn show_solutions(&mut self) {
        self.show_solutions = true;
    }

    /// Records the order in which blocks are expanded.
    pub fn record_order(&mut self) -> Result<(), TryReserveError> {
        let blocks = self.crucible.map().rows() * self.crucible.map().columns();
        let mut order = Vec::new();
        order.try_reserve_exact(blocks)?;
        order.resize(blocks, 0);
        self.order = Some(order);
        Ok(())
    }

    /// Records the events of the search.
    pub fn record_trace(&mut self) {
        self.recorder = Some(Recorder::new(MOST_EVENTS));
    }

    /// Removes the progress line.
    pub fn finish(&mut self) {
        self.line.clear();
    }

    /// For each block, row after row, the number of its first expansion.
    #[expect(clippy::cast_precision_loss, reason = "it becomes a colour")]
    pub fn order(&self) -> impl Iterator<Item = Option<f64>> {
        let order = self.order.iter().flatten();
        order.map(|&number| (number > 0).then_some(number as f64))
    }

    pub fn into_recorder(self) -> Option<Recorder<State, u32>> {
        self.recorder
    }

    fn update_progress(&mut self, f: u32) {
        let taken = self.began.elapsed();
        if taken > DELAY {
            let (name, expanded) = (&self.name, thousands(self.expanded));
            self.line.show(|| {
                let seconds = taken.as_secs_f64();
                format!("{name}: {expanded} expanded, now at a loss of {f}, {seconds:.1} s")
            });
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
        if self.show_progress && self.expanded.is_multiple_of(CLOCK_INTERVAL) {
            self.update_progress(g.saturating_add(h));
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

    fn incumbent(&mut self, cost: u32, bound: u32) {
        if let Some(recorder) = &mut self.recorder {
            recorder.incumbent(cost, bound);
        }
        if self.show_solutions {
            let (name, seconds) = (&self.name, self.began.elapsed().as_secs_f64());
            let factor = if cost <= bound { 1.0 } else { f64::from(cost) / f64::from(bound) };
            let line =
                format!("{name}: {seconds:.4} s: loss {cost}, at most {factor:.3} times the least");
            self.line.print(&line);
        }
    }
}
