//! Records the events of a search and writes them as JSON lines, or for the Posthoc visualiser.
//!
//! A [`Recorder`] is an [`Observer`](crate::Observer) that stores the events. A [`TraceWriter`] writes
//! them in one of two formats:
//!
//! - [`json_lines`](TraceWriter::json_lines): one JSON object a line, for scripts and notebooks;
//! - [`posthoc`](TraceWriter::posthoc): a search trace in YAML for Posthoc, a visualiser of path finding
//!   (<https://github.com/ShortestPathLab/posthoc-app>), in version 1.4.0 of its format. Save it as
//!   `something.trace.yaml` and open it there.
//!
//! # Example
//!
//! ```
//! use bestfirst::trace::Recorder;
//! use bestfirst::{AStar, FnProblem};
//!
//! // From one corner of a board to the other.
//! let board = FnProblem::new(
//!     |&(x, y): &(u8, u8)| [((x + 1, y), 1_u32), ((x, y + 1), 1)].into_iter().filter(|s| s.0.0 < 4 && s.0.1 < 4),
//!     |&(x, y)| u32::from(6 - x - y),
//!     |&place| place == (3, 3),
//! );
//! let mut recorder = Recorder::new(10_000);
//! let report = AStar::new(&board).observer(&mut recorder).search((0, 0)).run()?;
//!
//! let mut file = Vec::new(); // or std::fs::File::create("board.trace.yaml")?
//! recorder
//!     .writer(|(x, y)| format!("{x} {y}"))
//!     .coordinates(|&(x, y)| (x.into(), y.into()))
//!     .solution(report.path())
//!     .posthoc(&mut file)?;
//!
//! let text = String::from_utf8(file)?;
//! assert!(text.starts_with("version: 1.4.0\n"));
//! assert!(text.contains(r#"{type: expanding, id: "0 0", pId: null, g: 0, h: 6, f: 6, x: 0, y: 0}"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod json_lines;
mod posthoc;
mod recorder;
mod text;

use text::{push_string, push_text};

use crate::cost::Cost;
use crate::debug::show_fields;
use crate::path::Path;

pub use recorder::{Event, Recorder};

/// Returns the coordinates of a state.
type PlaceOf<'a, S> = dyn Fn(&S) -> (f64, f64) + 'a;

/// Writes the events of a [`Recorder`]; created by [`Recorder::writer`].
///
/// Costs are written as numbers if their `Debug` form is a number, [`Cost::INFINITY`] as `null`, any other
/// cost as a string in its `Debug` form.
#[must_use]
pub struct TraceWriter<'a, S, C> {
    recorder: &'a Recorder<S, C>,
    id: Box<dyn Fn(&S) -> String + 'a>,
    place: Option<Box<PlaceOf<'a, S>>>,
    solution: &'a [S],
}

show_fields! {
    [S, C] TraceWriter<'_, S, C>,
    "TraceWriter" (this) { events = this.recorder.events.len() }
}

impl<'a, S, C: Cost> TraceWriter<'a, S, C> {
    /// Sets the coordinates of the states: x to the right, y downwards, one unit for each cell of a grid.
    /// Posthoc then draws every state as a square.
    pub fn coordinates(mut self, place: impl Fn(&S) -> (f64, f64) + 'a) -> Self {
        self.place = Some(Box::new(place));
        self
    }

    /// Adds the states of a solution at the end of the trace.
    pub fn solution<A>(mut self, path: Option<&'a Path<S, A, C>>) -> Self {
        self.solution = path.map_or(&[], Path::states);
        self
    }

    fn push_id(&self, line: &mut String, state: &S) {
        push_string(line, &(self.id)(state));
    }

    fn push_place(&self, line: &mut String, state: &S, x_key: &str, y_key: &str) {
        if let Some(place) = &self.place {
            let (x, y) = place(state);
            for (key, value) in [(x_key, x), (y_key, y)] {
                line.push_str(key);
                if value.is_finite() {
                    push_text(line, format_args!("{value}"));
                } else {
                    line.push_str("null");
                }
            }
        }
    }
}

/// Returns *f*, or infinity if the sum does not fit.
fn sum<C: Cost>(g: C, h: C) -> C {
    g.checked_add(h).unwrap_or(C::INFINITY)
}
