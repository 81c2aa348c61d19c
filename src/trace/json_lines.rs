//! The format of JSON lines.

use std::io::{self, Write};

use super::text::{push_member, push_text};
use super::{Event, TraceWriter, sum};
use crate::cost::Cost;

impl<S, C: Cost> TraceWriter<'_, S, C> {
    /// Writes one JSON object a line.
    ///
    /// Each has a member `event` and others:
    ///
    /// | `event` | other members |
    /// |---|---|
    /// | `generated` | `id`, `parent` (`null` for a start), `g`, and `x`, `y` if known |
    /// | `expanded` | `id`, `g`, `h`, `f`, and `x`, `y` if known |
    /// | `layer` | `bound`, `expanded`, `generated` |
    /// | `incumbent` | `cost`, `bound` |
    /// | `dropped` | `events`: the number of events that the recorder did not store |
    /// | `solution` | `id`, and `x`, `y` if known; one object for each state on the path |
    ///
    /// # Errors
    ///
    /// All errors of `out`.
    pub fn json_lines(&self, out: &mut impl Write) -> io::Result<()> {
        let mut line = String::new();
        for event in &self.recorder.events {
            line.clear();
            match event {
                Event::Generated { parent, state, g } => {
                    line.push_str(r#"{"event":"generated","id":"#);
                    self.push_id(&mut line, state);
                    line.push_str(r#","parent":"#);
                    match parent {
                        Some(parent) => self.push_id(&mut line, parent),
                        None => line.push_str("null"),
                    }
                    push_member(&mut line, "g", *g);
                    self.push_place(&mut line, state, r#","x":"#, r#","y":"#);
                }
                Event::Expanded { state, g, h } => {
                    line.push_str(r#"{"event":"expanded","id":"#);
                    self.push_id(&mut line, state);
                    push_member(&mut line, "g", *g);
                    push_member(&mut line, "h", *h);
                    push_member(&mut line, "f", sum(*g, *h));
                    self.push_place(&mut line, state, r#","x":"#, r#","y":"#);
                }
                Event::Layer(layer) => {
                    line.push_str(r#"{"event":"layer""#);
                    push_member(&mut line, "bound", layer.bound);
                    push_text(
                        &mut line,
                        format_args!(
                            r#","expanded":{},"generated":{}"#,
                            layer.expanded, layer.generated
                        ),
                    );
                }
                Event::Incumbent { cost, bound } => {
                    line.push_str(r#"{"event":"incumbent""#);
                    push_member(&mut line, "cost", *cost);
                    push_member(&mut line, "bound", *bound);
                }
            }
            line.push_str("}\n");
            out.write_all(line.as_bytes())?;
        }
        if self.recorder.dropped > 0 {
            writeln!(out, r#"{{"event":"dropped","events":{}}}"#, self.recorder.dropped)?;
        }
        for state in self.solution {
            line.clear();
            line.push_str(r#"{"event":"solution","id":"#);
            self.push_id(&mut line, state);
            self.push_place(&mut line, state, r#","x":"#, r#","y":"#);
            line.push_str("}\n");
            out.write_all(line.as_bytes())?;
        }
        Ok(())
    }
}
