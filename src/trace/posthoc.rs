//! The format of Posthoc.

use std::io::{self, Write};

use rustc_hash::FxHashMap;

use super::text::{push_flow, push_string};
use super::{Event, TraceWriter, sum};
use crate::cost::Cost;

impl<S, C: Cost> TraceWriter<'_, S, C> {
    /// Writes a search trace for Posthoc, in YAML.
    ///
    /// The event types are those of Posthoc: `source` and `destination` (the ends of the solution, if one
    /// was given), `generating`, `expanding`, `closing` when the next state is expanded, and `solution`
    /// for each state on the path. Layers and incumbents are `message`s. With
    /// [`coordinates`](Self::coordinates), the trace has a view that draws the states as squares, coloured
    /// by event; without them, Posthoc shows the search as a tree.
    ///
    /// # Errors
    ///
    /// All errors of `out`.
    pub fn posthoc(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(b"version: 1.4.0\n")?;
        if self.place.is_some() {
            out.write_all(SQUARES.as_bytes())?;
        }
        let mut line = String::new();
        let mut parents = Parents::default();
        let mut open: Option<String> = None;
        let mut messages = 0_u64;
        if self.recorder.events.is_empty() && self.solution.is_empty() {
            return out.write_all(b"events: []\n");
        }
        out.write_all(b"events:\n")?;
        for (kind, state) in
            [("source", self.solution.first()), ("destination", self.solution.last())]
        {
            if let Some(state) = state {
                self.begin(&mut line, kind, state, None);
                self.end(out, &mut line, state)?;
            }
        }
        for event in &self.recorder.events {
            match event {
                Event::Generated { parent, state, g } => {
                    let parent = parent.as_ref().map(|parent| (self.id)(parent));
                    self.begin(&mut line, "generating", state, parent.as_deref());
                    push_flow(&mut line, "g", *g);
                    self.end(out, &mut line, state)?;
                    parents.set((self.id)(state), *g, parent);
                }
                Event::Expanded { state, g, h } => {
                    let parent = parents.get(&(self.id)(state), *g);
                    let mut rest = String::new();
                    push_flow(&mut rest, "g", *g);
                    push_flow(&mut rest, "h", *h);
                    push_flow(&mut rest, "f", sum(*g, *h));
                    self.begin(&mut line, "expanding", state, parent);
                    line.push_str(&rest);
                    self.push_place(&mut line, state, ", x: ", ", y: ");
                    line.push_str("}\n");
                    // The previously expanded state is closed now.
                    if let Some(closing) = open.replace(line.replacen("expanding", "closing", 1)) {
                        out.write_all(closing.as_bytes())?;
                    }
                    out.write_all(line.as_bytes())?;
                }
                Event::Layer(layer) => {
                    let text = format!(
                        "{:?} done: {} expanded, {} generated",
                        layer.bound, layer.expanded, layer.generated
                    );
                    message(out, &mut messages, &text)?;
                }
                Event::Incumbent { cost, .. } => {
                    message(out, &mut messages, &format!("a solution of cost {cost:?}"))?;
                }
            }
        }
        if let Some(closing) = open {
            out.write_all(closing.as_bytes())?;
        }
        if self.recorder.dropped > 0 {
            let text = format!("{} more events were not stored", self.recorder.dropped);
            message(out, &mut messages, &text)?;
        }
        let mut parent: Option<String> = None;
        for state in self.solution {
            self.begin(&mut line, "solution", state, parent.as_deref());
            self.end(out, &mut line, state)?;
            parent = Some((self.id)(state));
        }
        Ok(())
    }

    fn begin(&self, line: &mut String, kind: &str, state: &S, parent: Option<&str>) {
        line.clear();
        line.push_str("- {type: ");
        line.push_str(kind);
        line.push_str(", id: ");
        self.push_id(line, state);
        line.push_str(", pId: ");
        match parent {
            Some(parent) => push_string(line, parent),
            None => line.push_str("null"),
        }
    }

    fn end(&self, out: &mut impl Write, line: &mut String, state: &S) -> io::Result<()> {
        self.push_place(line, state, ", x: ", ", y: ");
        line.push_str("}\n");
        out.write_all(line.as_bytes())
    }
}

/// How Posthoc draws states that have coordinates: a square stays until the next event of its state is
/// drawn over it.
const SQUARES: &str = r#"views:
  main:
    - $: rect
      width: 1
      height: 1
      x: ${{ $.x }}
      y: ${{ $.y }}
      fill: "${{ $.type === 'source' ? color.green : $.type === 'destination' ? color.red : $.type === 'solution' ? color.amber : $.type === 'expanding' ? color.deepOrange : $.type === 'closing' ? color.blue : color.lightBlue }}"
      $if: ${{ $.x != null }}
      clear: false
pivot:
  x: ${{ $.x + 0.5 }}
  y: ${{ $.y + 0.5 }}
  scale: 1
"#;

/// For each state and cost, the parent from which the state was last generated at that cost.
#[derive(Default)]
struct Parents(FxHashMap<(String, String), Option<String>>);

impl Parents {
    fn set<C: Cost>(&mut self, state: String, g: C, parent: Option<String>) {
        self.0.insert((state, format!("{g:?}")), parent);
    }

    fn get<C: Cost>(&self, state: &str, g: C) -> Option<&str> {
        self.0.get(&(state.to_owned(), format!("{g:?}")))?.as_deref()
    }
}

fn message(out: &mut impl Write, count: &mut u64, text: &str) -> io::Result<()> {
    *count += 1;
    let mut line = format!("- {{type: message, id: \"message {count}\", pId: null, message: ");
    push_string(&mut line, text);
    line.push_str("}\n");
    out.write_all(line.as_bytes())
}
