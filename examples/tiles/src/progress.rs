//! A progress bar for the building of a database.

use std::time::Instant;

use bestfirst::problems::sliding_tiles::{PatternState, TilePattern};
use bestfirst::{Layer, Observer};
use program::{ProgressLine, bar, thousands};

/// How many states are expanded between two changes of the bar.
const INTERVAL: u64 = 1 << 18;

/// Counts states. Draws a bar on standard error, if it is shown.
pub struct Progress {
    /// In this layer, and in those before it.
    in_layer: u64,
    before: u64,
    all: u64,
    /// The number of moves of the last layer.
    moves: u16,
    began: Instant,
    bar: Option<ProgressLine>,
}

impl Progress {
    pub fn new(pattern: &TilePattern, is_shown: bool) -> Self {
        let bar = is_shown.then(ProgressLine::new);
        Self {
            in_layer: 0,
            before: 0,
            // Only the bar needs the number, which takes a while for a large pattern.
            all: if is_shown { pattern.states().max(1) } else { 1 },
            moves: 0,
            began: Instant::now(),
            bar,
        }
    }

    /// Removes the bar. Returns the number of states.
    pub fn finish(self) -> u64 {
        self.before
    }

    fn draw(&mut self) {
        let Some(line) = &mut self.bar else { return };
        let (done, all, moves) =
            ((self.before + self.in_layer).min(self.all), self.all, self.moves);
        let taken = self.began.elapsed().as_secs();
        line.show(|| {
            let about = taken.saturating_mul(all).checked_div(done).unwrap_or(0);
            format!(
                "{}  {} states  {taken} s of about {about} s  {moves} moves",
                bar(done, all),
                thousands(done),
            )
        });
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
        self.moves = layer.bound;
        self.draw();
    }
}
