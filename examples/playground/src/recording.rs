//! Runs a search in slices and writes its events as they happen: the JSON lines of `bestfirst::trace`, and between
//! them what is proved so far.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::Duration;

use bestfirst::clock::Clock;
use bestfirst::trace::Recorder;
use bestfirst::{Layer, Limits, Observer, Outcome, ReportOf};
use serde_json::{Value, json};

use crate::board::{Board, State, View};
use crate::engine::{Engine, search};

/// What one search may use.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// The number of expansions.
    pub expansions: u64,
    /// The time inside of the search.
    pub time: Duration,
    /// The bytes that the search holds.
    pub memory: usize,
    /// The length of the recording in bytes.
    pub length: u64,
}

/// What the searches of the page may use: more steps than anybody watches, in a moment.
pub const ALLOWANCE: Allowance = Allowance {
    expansions: 20_000,
    time: Duration::from_secs(5),
    memory: 256 << 20,
    length: 48 << 20,
};

/// Counts what is written.
struct Counted<'a> {
    out: &'a mut dyn Write,
    written: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Searches the board and writes the recording: a line `setup`, events, a line `bound` after each slice, the states of
/// the path, and a line `report`.
///
/// # Errors
///
/// All errors of `out`: where nobody reads on, the search ends.
pub(crate) fn record(
    board: &Board,
    engine: Engine,
    title: &str,
    allowance: Allowance,
    clock: Clock,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = Counted { out, written: 0 };
    let limits = Limits::new()
        .expansions(allowance.expansions)
        .time(allowance.time)
        .memory(allowance.memory)
        .clock(clock);
    let mut setup = board.setup();
    setup["event"] = json!("setup");
    setup["title"] = json!(title);
    setup["from_both_ends"] = json!(engine.needs_predecessors());
    line(&mut out, &setup)?;
    // The board is there to be drawn, whatever becomes of the search.
    out.flush()?;

    let jump_points = match board.jump_points() {
        Ok(points) => points,
        Err(fault) => {
            return line(&mut out, &json!({ "event": "fault", "message": fault.to_string() }));
        }
    };
    let board = &View::new(board, jump_points.as_ref());
    let recorder = SharedRecorder::default();
    let mut search = search(engine, board, limits, recorder.clone());
    let (report, is_full) = loop {
        // Short slices at first; later they grow with the search, so that asking for the bound takes little time.
        let slice = 1 + search.stats().expanded / 64;
        let answer = search.run_for(slice).and_then(|report| match report {
            Some(report) => Ok((report, true)),
            None => Ok((search.report()?, false)),
        });
        let (report, is_last) = match answer {
            Ok(answer) => answer,
            Err(fault) => {
                return line(&mut out, &json!({ "event": "fault", "message": fault.to_string() }));
            }
        };
        events(board, &recorder, None, &mut out)?;
        let is_full = out.written >= allowance.length;
        if is_last || is_full {
            break (report, is_full && !is_last);
        }
        line(&mut out, &json!({ "event": "bound", "bound": number(report.lower_bound) }))?;
    };
    events(board, &recorder, Some(&report), &mut out)?;
    line(&mut out, &summary(&report, is_full, search.elapsed()))?;
    out.flush()
}

/// Writes the events since the last call, and the states on the path.
fn events(
    board: &View<'_>,
    recorder: &SharedRecorder,
    report: Option<&ReportOf<View<'_>>>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut recorder = recorder.0.borrow_mut();
    let mut writer = recorder.writer(|state| board.id(state));
    if board.start().cell().is_some() {
        writer = writer.coordinates(|state| {
            state.cell().map_or((0.0, 0.0), |cell| (cell.x.into(), cell.y.into()))
        });
    }
    writer.solution(report.and_then(|report| report.path())).json_lines(out)?;
    recorder.clear();
    Ok(())
}

/// A recorder that a search tells its events, and that is emptied in the meantime.
#[derive(Clone)]
struct SharedRecorder(Rc<RefCell<Recorder<State, u64>>>);

impl Default for SharedRecorder {
    fn default() -> Self {
        Self(Rc::new(RefCell::new(Recorder::new(usize::MAX))))
    }
}

impl Observer<State, u64> for SharedRecorder {
    fn expanded(&mut self, state: &State, g: u64, h: u64) {
        self.0.borrow_mut().expanded(state, g, h);
    }

    fn generated(&mut self, parent: Option<&State>, state: &State, g: u64) {
        self.0.borrow_mut().generated(parent, state, g);
    }

    fn layer(&mut self, layer: &Layer<u64>) {
        self.0.borrow_mut().layer(layer);
    }

    fn incumbent(&mut self, cost: u64, bound: u64) {
        self.0.borrow_mut().incumbent(cost, bound);
    }
}

fn summary(report: &ReportOf<View<'_>>, is_full: bool, time: Duration) -> Value {
    let (outcome, reason) = match &report.outcome {
        Outcome::Found(_) => ("found", None),
        Outcome::Exhausted => ("exhausted", None),
        Outcome::Stopped(_) if is_full => ("stopped", Some("the recording is full".to_owned())),
        Outcome::Stopped(reason) => ("stopped", Some(reason.to_string())),
    };
    let factor = report.suboptimality().filter(|factor| factor.is_finite());
    json!({
        "event": "report",
        "outcome": outcome,
        "reason": reason,
        "cost": report.cost().map(number),
        "bound": number(report.lower_bound),
        "factor": factor,
        "optimal": report.is_optimal(),
        "expanded": report.stats.expanded,
        "generated": report.stats.generated,
        "reopened": report.stats.reopened,
        "stored": report.stats.stored,
        "bytes": report.stats.peak_bytes,
        "milliseconds": time.as_secs_f64() * 1e3,
    })
}

/// A cost; `null` if it is infinite.
fn number(cost: u64) -> Value {
    if cost < u64::MAX { json!(cost) } else { Value::Null }
}

fn line(out: &mut impl Write, value: &Value) -> io::Result<()> {
    writeln!(out, "{value}")
}
