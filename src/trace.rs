//! Records a search and writes it down: as JSON lines, or for the Posthoc visualiser.
//!
//! A [`Recorder`] is an [`Observer`] that keeps what it is told. A [`TraceWriter`] then writes it to
//! anything that takes bytes, in one of two forms:
//!
//! - [`json_lines`](TraceWriter::json_lines): one JSON object a line, for scripts and notebooks;
//! - [`posthoc`](TraceWriter::posthoc): a search trace in YAML, version 1.4.0 of the format that
//!   Posthoc reads, the visualiser of the path-finding community (<https://github.com/ShortestPathLab/posthoc-app>).
//!   Save it as `something.trace.yaml` and open it there.
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

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use rustc_hash::FxHashMap;

use crate::cost::Cost;
use crate::observer::Observer;
use crate::path::Path;
use crate::report::Layer;

/// What happened in a search, one thing at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<S, C> {
    /// A state was generated; see [`Observer::generated`].
    Generated {
        /// The state that it follows; `None` for a start.
        parent: Option<S>,
        /// The state.
        state: S,
        /// What the way to it costs.
        g: C,
    },
    /// A state was expanded; see [`Observer::expanded`].
    Expanded {
        /// The state.
        state: S,
        /// What the way to it costs.
        g: C,
        /// What its heuristic value is.
        h: C,
    },
    /// A value of *f* was done with; see [`Observer::layer`].
    Layer(Layer<C>),
    /// A better solution was found; see [`Observer::incumbent`].
    Incumbent {
        /// What it costs.
        cost: C,
    },
}

/// An [`Observer`] that keeps every event, up to a number of them.
///
/// Each event takes as much memory as two states and two costs; the recorder never holds more than
/// it was allowed. What comes later is counted, not kept, and the search goes on undisturbed.
#[derive(Clone, Debug)]
pub struct Recorder<S, C> {
    events: Vec<Event<S, C>>,
    most: usize,
    dropped: u64,
}

impl<S, C> Recorder<S, C> {
    /// A recorder that keeps the first `most` events.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { events: Vec::new(), most, dropped: 0 }
    }

    /// The events kept, in order.
    #[must_use]
    pub fn events(&self) -> &[Event<S, C>] {
        &self.events
    }

    /// How many events came after the last one kept.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Forgets everything, to record another search.
    pub fn clear(&mut self) {
        self.events.clear();
        self.dropped = 0;
    }

    fn keep(&mut self, event: impl FnOnce() -> Event<S, C>) {
        if self.events.len() < self.most {
            self.events.push(event());
        } else {
            self.dropped += 1;
        }
    }

    /// Writes the events down. `id` turns a state into a text that no other state has.
    pub fn writer<'a>(&'a self, id: impl Fn(&S) -> String + 'a) -> TraceWriter<'a, S, C> {
        TraceWriter { recorder: self, id: Box::new(id), place: None, solution: &[] }
    }
}

impl<S: Clone, C: Cost> Observer<S, C> for Recorder<S, C> {
    fn expanded(&mut self, state: &S, g: C, h: C) {
        self.keep(|| Event::Expanded { state: state.clone(), g, h });
    }

    fn generated(&mut self, parent: Option<&S>, state: &S, g: C) {
        self.keep(|| Event::Generated { parent: parent.cloned(), state: state.clone(), g });
    }

    fn layer(&mut self, layer: &Layer<C>) {
        self.keep(|| Event::Layer(*layer));
    }

    fn incumbent(&mut self, cost: C) {
        self.keep(|| Event::Incumbent { cost });
    }
}

/// Where a state lies.
type PlaceOf<'a, S> = dyn Fn(&S) -> (f64, f64) + 'a;

/// Writes the events of a [`Recorder`]; made by [`Recorder::writer`].
///
/// Costs are written as numbers where their `Debug` form is one, [`Cost::INFINITY`] as `null`, any
/// other cost as a text in its `Debug` form.
#[must_use]
pub struct TraceWriter<'a, S, C> {
    recorder: &'a Recorder<S, C>,
    id: Box<dyn Fn(&S) -> String + 'a>,
    place: Option<Box<PlaceOf<'a, S>>>,
    solution: &'a [S],
}

impl<S, C> fmt::Debug for TraceWriter<'_, S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TraceWriter")
            .field("events", &self.recorder.events.len())
            .finish_non_exhaustive()
    }
}

impl<'a, S, C: Cost> TraceWriter<'a, S, C> {
    /// Says where a state lies: x to the right, y downwards, a unit for each cell of a grid. With
    /// it, Posthoc draws every state as a square in its place.
    pub fn coordinates(mut self, place: impl Fn(&S) -> (f64, f64) + 'a) -> Self {
        self.place = Some(Box::new(place));
        self
    }

    /// Adds the states of a solution at the end.
    pub fn solution<A>(mut self, path: Option<&'a Path<S, A, C>>) -> Self {
        self.solution = path.map_or(&[], Path::states);
        self
    }

    /// Writes one JSON object a line.
    ///
    /// Each has an `event`, and what belongs to it:
    ///
    /// | `event` | other members |
    /// |---|---|
    /// | `generated` | `id`, `parent` (`null` for a start), `g`, and `x`, `y` if known |
    /// | `expanded` | `id`, `g`, `h`, `f`, and `x`, `y` if known |
    /// | `layer` | `bound`, `expanded`, `generated` |
    /// | `incumbent` | `cost` |
    /// | `dropped` | `events`: how many more there were than the recorder kept |
    /// | `solution` | `id`, and `x`, `y` if known; one for each state on the path |
    ///
    /// # Errors
    ///
    /// Whatever `out` fails with.
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
                Event::Incumbent { cost } => {
                    line.push_str(r#"{"event":"incumbent""#);
                    push_member(&mut line, "cost", *cost);
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

    /// Writes a search trace for Posthoc, in YAML.
    ///
    /// The types of its events are Posthoc's own: `source` and `destination` (the ends of the
    /// solution, if one was given), `generating`, `expanding`, `closing` when the next state is
    /// expanded, and `solution` for each state on the path. Layers and incumbents are `message`s.
    /// With [`coordinates`](Self::coordinates) it has a view that draws the states as squares,
    /// coloured by event; without them, Posthoc shows the search as a tree.
    ///
    /// # Errors
    ///
    /// Whatever `out` fails with.
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
                    // What was expanded before is done with now.
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
                Event::Incumbent { cost } => {
                    message(out, &mut messages, &format!("a solution of cost {cost:?}"))?;
                }
            }
        }
        if let Some(closing) = open {
            out.write_all(closing.as_bytes())?;
        }
        if self.recorder.dropped > 0 {
            let text = format!("{} more events were not kept", self.recorder.dropped);
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

/// How Posthoc draws states that have coordinates: the squares of one event stay until the state is
/// generated, expanded or closed again, and are then painted over.
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

/// From which state another was generated at which cost; the last time counts.
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

/// *f*, or infinity where it is too large.
fn sum<C: Cost>(g: C, h: C) -> C {
    g.checked_add(h).unwrap_or(C::INFINITY)
}

fn push_member<C: Cost>(line: &mut String, key: &str, cost: C) {
    push_text(line, format_args!(",\"{key}\":"));
    push_cost(line, cost);
}

fn push_flow<C: Cost>(line: &mut String, key: &str, cost: C) {
    push_text(line, format_args!(", {key}: "));
    push_cost(line, cost);
}

fn push_text(line: &mut String, text: fmt::Arguments<'_>) {
    // Writing to a string does not fail; what a `Debug` of the user's fails with is left out.
    let _ = line.write_fmt(text);
}

fn push_cost<C: Cost>(line: &mut String, cost: C) {
    if cost >= C::INFINITY {
        line.push_str("null");
        return;
    }
    let text = format!("{cost:?}");
    if is_number(&text) {
        line.push_str(&text);
    } else {
        push_string(line, &text);
    }
}

/// Whether a text is a number in JSON, and then in YAML too.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, part) = match mantissa.split_once('.') {
        Some((whole, part)) => (whole, Some(part)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && part.is_none_or(digits)
        && exponent.is_none_or(|text| digits(text.strip_prefix(['-', '+']).unwrap_or(text)))
}

/// A text in double quotes, which JSON and YAML read alike: what either does not print is escaped.
fn push_string(line: &mut String, text: &str) {
    line.push('"');
    for character in text.chars() {
        match character {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            '\t' => line.push_str("\\t"),
            '\r' => line.push_str("\\r"),
            _ if character.is_control()
                || matches!(
                    character,
                    '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}'
                ) =>
            {
                // All of these lie in the basic plane: four digits are enough.
                push_text(line, format_args!("\\u{:04x}", u32::from(character)));
            }
            _ => line.push(character),
        }
    }
    line.push('"');
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use serde_json::{Value, json};

    use super::*;
    use crate::problem::FnProblem;
    use crate::problem::SearchProblem;
    use crate::{AStar, Dijkstra};

    fn numbers() -> impl SearchProblem<State = u32, Action = (), Cost = u32> {
        let next = |&n: &u32| [(n + 1, 1), (n * 2, 2)];
        FnProblem::new(next, |&n: &u32| u32::from(n < 9), |&n: &u32| n == 9)
    }

    fn lines(writer: &TraceWriter<'_, u32, u32>) -> Vec<Value> {
        let mut text = Vec::new();
        writer.json_lines(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn yaml<S, C: Cost>(writer: &TraceWriter<'_, S, C>) -> Value {
        let mut text = Vec::new();
        writer.posthoc(&mut text).unwrap();
        serde_norway::from_slice(&text).unwrap()
    }

    #[test]
    fn json_lines_say_what_happened() {
        let problem = numbers();
        let mut recorder = Recorder::new(1000);
        let report = AStar::new(&problem).observer(&mut recorder).search(1).run().unwrap();
        let writer = recorder
            .writer(u32::to_string)
            .coordinates(|&n| (f64::from(n), 0.5))
            .solution(report.path());
        let lines = lines(&writer);
        let of = |kind: &str| lines.iter().filter(|line| line["event"] == kind).collect::<Vec<_>>();
        assert_eq!(of("expanded").len() as u64, report.stats.expanded);
        assert_eq!(of("generated").len() as u64, report.stats.generated + 1);
        assert_eq!(
            *lines[0].as_object().unwrap(),
            *json!({"event": "generated", "id": "1", "parent": null, "g": 0, "x": 1, "y": 0.5})
                .as_object()
                .unwrap()
        );
        assert_eq!(
            lines[1],
            json!({"event": "expanded", "id": "1", "g": 0, "h": 1, "f": 1, "x": 1, "y": 0.5})
        );
        assert_eq!(lines[2]["parent"], "1");
        // The layer in which the goal was found is not done with.
        let layers = of("layer");
        assert!(layers.len() + 1 >= report.layers.len());
        for (line, layer) in layers.iter().zip(&report.layers) {
            assert_eq!(line["bound"], layer.bound);
            assert_eq!(line["expanded"], layer.expanded);
            assert_eq!(line["generated"], layer.generated);
        }
        let path = of("solution").iter().map(|line| line["id"].clone()).collect::<Vec<_>>();
        let expected: Vec<_> =
            report.path().unwrap().states().iter().map(|n| json!(n.to_string())).collect();
        assert_eq!(path, expected);
    }

    #[test]
    fn no_more_is_kept_than_allowed() {
        let problem = numbers();
        let mut all = Recorder::new(usize::MAX);
        let mut some = Recorder::new(5);
        let mut none = Recorder::new(0);
        for recorder in [&mut all, &mut some, &mut none] {
            let _ = Dijkstra::new(&problem).observer(recorder).search(1).run().unwrap();
        }
        assert_eq!(all.dropped(), 0);
        assert_eq!(some.events(), &all.events()[..5]);
        assert_eq!(some.dropped(), all.events().len() as u64 - 5);
        let last = lines(&some.writer(u32::to_string)).pop().unwrap();
        assert_eq!(last, json!({"event": "dropped", "events": some.dropped()}));
        let told = yaml(&some.writer(u32::to_string));
        let told = told["events"].as_array().unwrap().last().unwrap()["message"].clone();
        assert_eq!(told, format!("{} more events were not kept", some.dropped()));
        assert!(none.events().is_empty());
        none.clear();
        assert_eq!(none.dropped(), 0);
        assert_eq!(yaml(&none.writer(u32::to_string))["events"], json!([]));
    }

    #[test]
    fn posthoc_gets_a_tree() {
        let problem = numbers();
        let mut recorder = Recorder::new(1000);
        let report = AStar::new(&problem).observer(&mut recorder).search(1).run().unwrap();
        let writer = recorder
            .writer(u32::to_string)
            .coordinates(|&n| (f64::from(n), 2.0))
            .solution(report.path());
        let trace = yaml(&writer);
        assert_eq!(trace["version"], "1.4.0");
        assert_eq!(trace["views"]["main"][0]["$"], "rect");
        let events = trace["events"].as_array().unwrap();
        assert_eq!((&events[0]["type"], &events[0]["id"]), (&json!("source"), &json!("1")));
        assert_eq!((&events[1]["type"], &events[1]["id"]), (&json!("destination"), &json!("9")));
        // Every parent has been expanded before; every expansion closes once.
        let mut expanded = HashSet::new();
        let mut closed = 0;
        for event in events {
            let (kind, id) = (event["type"].as_str().unwrap(), event["id"].as_str().unwrap());
            if kind == "expanding" {
                expanded.insert(id);
                assert_eq!(event["pId"].is_null(), id == "1", "{event}");
                let [g, h, f] = ["g", "h", "f"].map(|key| event[key].as_u64().unwrap());
                assert_eq!(g + h, f);
            }
            if kind == "closing" {
                closed += 1;
            }
            if let Some(parent) = event["pId"].as_str() {
                assert!(kind == "solution" || expanded.contains(parent), "{event}");
            }
            if kind != "message" {
                assert_eq!(event["x"], json!(id.parse::<u64>().unwrap()));
            }
        }
        assert_eq!(closed, report.stats.expanded);
        // Without coordinates there is nothing to draw squares by.
        let plain = yaml(&recorder.writer(u32::to_string));
        assert!(plain["views"].is_null() && plain["events"][0]["x"].is_null());
    }

    #[test]
    fn hostile_names_come_back_unharmed() {
        let names = [
            "",
            " ",
            "\"",
            "\\",
            "a\nb\tc\rd",
            "\0\u{1}\u{7f}\u{85}\u{9f}",
            "\u{2028}\u{2029}\u{feff}",
            "\u{fffe}\u{ffff}",
            "{a: b}",
            "- x # y",
            "${{ 1 }}",
            "null",
            "ß → 🦀 \u{10ffff}",
            "'%@`",
        ];
        let mut recorder = Recorder::new(100);
        for (at, _) in names.iter().enumerate() {
            recorder.generated(at.checked_sub(1).as_ref(), &at, 0_u32);
        }
        let writer = recorder.writer(|&at: &usize| names[at].to_owned());
        let mut text = Vec::new();
        writer.json_lines(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.lines().count(), names.len());
        let trace = yaml(&writer);
        for (at, (line, name)) in text.lines().zip(names).enumerate() {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["id"], name);
            assert_eq!(trace["events"][at]["id"], name);
            assert_eq!(trace["events"][at]["pId"], line["parent"]);
        }
    }

    #[test]
    fn costs_are_numbers_where_they_can_be() {
        let written = |cost: f64| {
            let mut recorder = Recorder::new(9);
            recorder.expanded(&0_u8, cost, 0.5);
            let mut text = Vec::new();
            recorder.writer(u8::to_string).json_lines(&mut text).unwrap();
            let json: Value = serde_json::from_slice(&text).unwrap();
            let yaml = yaml(&recorder.writer(u8::to_string));
            assert_eq!(yaml["events"][0]["g"].as_f64(), json["g"].as_f64());
            json["g"].clone()
        };
        assert_eq!(written(2.0), json!(2.0));
        assert_eq!(written(-1.25), json!(-1.25));
        assert_eq!(written(1e300), json!(1e300));
        assert_eq!(written(1e-7), json!(1e-7));
        assert_eq!(written(f64::INFINITY), Value::Null);
        assert_eq!(written(f64::NAN), json!("NaN"));

        let mut recorder = Recorder::new(9);
        recorder.expanded(&0_u8, u64::MAX - 1, 2);
        let mut text = Vec::new();
        recorder.writer(u8::to_string).json_lines(&mut text).unwrap();
        let json: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(json["g"], json!(u64::MAX - 1));
        assert_eq!(json["f"], Value::Null); // more than can be said

        for (text, number) in [
            ("0", true),
            ("-0", true),
            ("10", true),
            ("0.5", true),
            ("1e21", true),
            ("1.5e-7", true),
            ("01", false),
            ("", false),
            ("-", false),
            ("1.", false),
            (".5", false),
            ("1e", false),
            ("0x1", false),
            ("Pair(1, 2)", false),
            ("1_000", false),
            ("+1", false),
        ] {
            assert_eq!(is_number(text), number, "{text:?}");
        }
    }

    #[test]
    fn a_cost_that_is_no_number_is_a_text() {
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        struct Pair(u8, u8);
        impl Cost for Pair {
            const ZERO: Self = Self(0, 0);
            const INFINITY: Self = Self(u8::MAX, u8::MAX);
            fn checked_add(self, other: Self) -> Option<Self> {
                Some(Self(self.0.checked_add(other.0)?, self.1.checked_add(other.1)?))
            }
        }
        let mut recorder = Recorder::new(9);
        recorder.expanded(&0_u8, Pair(1, 2), Pair(3, 4));
        recorder.incumbent(Pair(5, 6));
        let trace = yaml(&recorder.writer(u8::to_string));
        assert_eq!(trace["events"][0]["f"], "Pair(4, 6)");
        assert_eq!(trace["events"][1]["message"], "a solution of cost Pair(5, 6)");
    }

    #[test]
    fn a_writer_that_fails_is_reported() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut recorder = Recorder::new(9);
        recorder.expanded(&0_u8, 1_u8, 1);
        let writer = recorder.writer(u8::to_string);
        assert_eq!(writer.json_lines(&mut Full).unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(writer.posthoc(&mut Full).unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
