//! A progress bar for the building of a database.

use bestfirst::problems::sliding_tiles::{PatternState, TilePattern};
use bestfirst::{Layer, Observer};
use indicatif::{ProgressBar, ProgressStyle};

/// So many states are expanded between two changes of the bar.
const INTERVAL: u64 = 1 << 18;

/// Counts states. Draws a bar on standard error, if it is shown.
pub struct Progress {
    /// In this layer, and in those before it.
    in_layer: u64,
    before: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub fn new(pattern: &TilePattern, is_shown: bool) -> Self {
        let bar = is_shown.then(|| {
            let bar = ProgressBar::new(pattern.states());
            let template =
                "{bar:40} {percent:>3} %  {human_pos} states  {elapsed} of about {duration}  {msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar
        });
        Self { in_layer: 0, before: 0, bar }
    }

    /// Removes the bar. Returns the number of states.
    pub fn finish(self) -> u64 {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.before
    }

    fn draw(&self) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.before + self.in_layer);
        }
    }
}

impl Observer<PatternState, u16> for Progress {
    #[inline]
    fn expanded(&mut self, _state: &PatternState, _g: u16, _h: u16) {
        self.in_layer += 1;
        if self.in_layer.is_multiple_of(INTERVAL) {
            self.draw();
        }
    }

    // On several threads it is told of layers only.
    fn layer(&mut self, layer: &Layer<u16>) {
        self.before += layer.expanded;
        self.in_layer = 0;
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{} moves", layer.bound));
        }
        self.draw();
    }
}
