//! Cases, contestants and the table of who was how fast.

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bestfirst::Stats;

use super::load::Watch;
use super::median::median;
use super::rival::{self, Found};
use super::{clock, memory, page};

/// The options of the command line.
#[derive(Clone)]
pub struct Options {
    pub filter: String,
    pub quick: bool,
    pub markdown: bool,
    pub rounds: Option<usize>,
}

/// Whose code runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Ours,
    Rival,
    Handwritten,
}

/// The result of one run. Expansions and stored states are valid only for a counting run.
#[derive(Clone, Copy, Default)]
pub struct Answer {
    /// The sum over all its searches: it must be the same for all contestants.
    pub cost: u64,
    pub expanded: u64,
    /// The stored states of the search that stored the most.
    pub stored: u64,
    /// The processor time, if another process did the work.
    pub elsewhere: Option<Duration>,
}

impl Answer {
    pub fn add(&mut self, cost: Option<u64>, expanded: u64, stored: u64) {
        self.cost += cost.unwrap_or(0);
        self.expanded += expanded;
        self.stored = self.stored.max(stored);
    }

    pub fn add_ours(&mut self, cost: Option<impl Into<u64>>, stats: &Stats) {
        self.add(cost.map(Into::into), stats.expanded, stats.stored);
    }

    pub fn add_rival(&mut self, found: Found<impl Into<u64>>) {
        self.add(found.cost.map(Into::into), found.expanded, found.stored);
    }
}

pub type Work<'c> = Box<dyn FnMut(bool) -> Answer + 'c>;

pub struct Contestant<'c> {
    name: &'static str,
    side: Side,
    /// Runs once, with or without counting.
    work: Work<'c>,
    answer: Answer,
    peak: usize,
    /// How many runs make one sample.
    batch: u32,
    samples: Vec<f64>,
}

/// One problem, or several that are timed together.
pub struct Case<'c> {
    name: String,
    contestants: Vec<Contestant<'c>>,
}

impl<'c> Case<'c> {
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), contestants: Vec::new() }
    }

    pub fn contestant(
        mut self,
        side: Side,
        name: &'static str,
        work: impl FnMut(bool) -> Answer + 'c,
    ) -> Self {
        let (answer, samples) = (Answer::default(), Vec::new());
        let work = Box::new(work);
        self.contestants.push(Contestant { name, side, work, answer, peak: 0, batch: 1, samples });
        self
    }
}

/// One line of the table: one way of ours, or code written by hand, against one other.
pub struct Row {
    case: String,
    one: &'static str,
    other: &'static str,
    /// In which mean it counts.
    group: String,
    ratio: f64,
    cells: Vec<String>,
}

pub struct Bench {
    pub options: Options,
    rows: Vec<Row>,
    pub notes: Vec<String>,
}

const HEADING: [&str; 11] = [
    "case",
    "one ms",
    "other ms",
    "ratio",
    "least",
    "one expanded",
    "other expanded",
    "one ns/exp",
    "other ns/exp",
    "one bytes",
    "other bytes",
];

impl Bench {
    pub fn new(options: Options) -> Self {
        Self { options, rows: Vec::new(), notes: Vec::new() }
    }

    /// Whether the case with this name is selected.
    pub fn wants(&self, name: &str) -> bool {
        name.contains(&self.options.filter)
    }

    pub fn run(&mut self, mut case: Case<'_>) {
        if !self.wants(&case.name) {
            return;
        }
        let mut longest = Duration::ZERO;
        for contestant in &mut case.contestants {
            let ((answer, peak), time) =
                clock::cpu_time(|| memory::peak_of(|| (contestant.work)(true)));
            (contestant.answer, contestant.peak) = (answer, peak);
            let time = answer.elsewhere.unwrap_or(time);
            longest = longest.max(time);
            // The clock is exact to a microsecond or so.
            let sample = if self.options.quick { 10.0 } else { 50.0 };
            let runs = (sample / 1000.0 / time.as_secs_f64().max(1e-6)).ceil();
            contestant.batch = format!("{runs}").parse().unwrap_or(1).clamp(1, 10_000);
        }
        let cost = case.contestants[0].answer.cost;
        for other in &case.contestants {
            assert_eq!(other.answer.cost, cost, "{}: {} disagrees", case.name, other.name);
        }
        let usual = if longest > Duration::from_secs(15) { 3 } else { 5 };
        let rounds = self.options.rounds.unwrap_or(if self.options.quick { 1 } else { usual });
        for _ in 0..rounds {
            for contestant in &mut case.contestants {
                let (elsewhere, time) = clock::cpu_time(|| {
                    let mut elsewhere = None;
                    for _ in 0..contestant.batch {
                        if let Some(time) = black_box((contestant.work)(false)).elsewhere {
                            *elsewhere.get_or_insert(Duration::ZERO) += time;
                        }
                    }
                    elsewhere
                });
                let time = elsewhere.unwrap_or(time);
                contestant.samples.push(time.as_secs_f64() / f64::from(contestant.batch));
            }
        }
        self.compare(&case);
    }

    /// Our engines against all others, and the code written by hand against the rivals: no search can be much
    /// faster than that.
    fn compare(&mut self, case: &Case<'_>) {
        for one in &case.contestants {
            for other in &case.contestants {
                let group = match (one.side, other.side) {
                    (Side::Ours, Side::Rival) => other.name.to_owned(),
                    (Side::Ours, Side::Handwritten) if are_alike(one.name, other.name) => {
                        "code written by hand".to_owned()
                    }
                    (Side::Handwritten, Side::Rival) => {
                        format!("code written by hand / {}", other.name)
                    }
                    _ => continue,
                };
                self.note_row(case, one, other, group);
            }
        }
    }

    fn note_row(
        &mut self,
        case: &Case<'_>,
        one: &Contestant<'_>,
        other: &Contestant<'_>,
        group: String,
    ) {
        let (one_time, other_time) = (median(&one.samples), median(&other.samples));
        let name = format!("{}, {} / {}", case.name, one.name, other.name);
        let each = |contestant: &Contestant<'_>, time: f64| match contestant.answer.expanded {
            0 => "–".to_owned(),
            expanded => format!("{:.1}", time * 1e9 / count(expanded)),
        };
        let bytes = |contestant: &Contestant<'_>| match contestant.answer.stored {
            0 => "–".to_owned(),
            stored => format!("{:.1}", count(contestant.peak as u64) / count(stored)),
        };
        let expanded = |contestant: &Contestant<'_>| match contestant.answer.expanded {
            0 => "–".to_owned(),
            expanded => page::thousands(expanded),
        };
        let ratio = other_time / one_time;
        // The contestants ran in turn, so the samples of a round had the same load.
        let rounds = one.samples.iter().zip(&other.samples).map(|(one, other)| other / one);
        let least = rounds.fold(f64::INFINITY, f64::min);
        let cells = vec![
            name,
            format!("{:.3}", one_time * 1e3),
            format!("{:.3}", other_time * 1e3),
            format!("{ratio:.2}"),
            format!("{least:.2}"),
            expanded(one),
            expanded(other),
            each(one, one_time),
            each(other, other_time),
            bytes(one),
            bytes(other),
        ];
        println!("{}", cells.join("  "));
        let case = case.name.clone();
        self.rows.push(Row { case, one: one.name, other: other.name, group, ratio, cells });
    }

    /// The table, and what follows from it.
    /// `section` is where it goes in BENCHMARKS.md.
    pub fn finish(self, section: &str, watch: &Watch) {
        if self.rows.is_empty() {
            println!(
                "nothing was measured: no case has `{}` in its name, or its data is missing",
                self.options.filter
            );
            return;
        }
        let mut groups: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !groups.contains(&&*row.group) {
                groups.push(&row.group);
            }
        }
        let mut rows: Vec<Vec<String>> = self.rows.iter().map(|row| row.cells.clone()).collect();
        let mut summary = String::new();
        for group in groups {
            let rows_of = || self.rows.iter().filter(move |row| row.group == group);
            let logs: Vec<f64> = rows_of().map(|row| row.ratio.ln()).collect();
            let mean = (logs.iter().sum::<f64>() / count(logs.len() as u64)).exp();
            let Some(least) = rows_of().min_by(|a, b| a.ratio.total_cmp(&b.ratio)) else {
                continue;
            };
            rows.push(vec![
                format!("**geometric mean, {group}** ({} rows)", logs.len()),
                String::new(),
                String::new(),
                format!("**{mean:.2}**"),
            ]);
            let _ = writeln!(
                summary,
                "{group}: geometric mean {mean:.2}, least {:.2} ({}, {} / {})",
                least.ratio, least.case, least.one, least.other
            );
        }
        let table = page::Table { heading: HEADING.to_vec(), rows };
        let notes = self.notes.join("\n");
        println!("\n{}\n{notes}\n{summary}", aligned(&table));
        if self.options.markdown {
            let summary = summary.trim_end().replace('\n', "\n- ");
            let notes = if notes.is_empty() {
                notes
            } else {
                format!("\n- {}", notes.replace('\n', "\n- "))
            };
            let head = format!("{}; {}", page::circumstances("peers"), watch.note());
            if rival::GETS_LISTS.load(Relaxed) {
                page::publish(&format!("{section}-lists"), &format!("{head}\n\n- {summary}"));
            } else {
                let text = format!("{head}\n\n{}\n- {summary}{notes}", table.markdown());
                page::publish(section, &text);
            }
        }
    }
}

/// Whether our engine and the code written by hand store their states in the same way: both hash them, or
/// neither does.
fn are_alike(ours: &str, by_hand: &str) -> bool {
    ours.contains("hashed") == by_hand.contains("hashed")
}

/// The table for the terminal.
fn aligned(table: &page::Table) -> String {
    let heading = table.heading.iter().map(ToString::to_string).collect();
    let rows: Vec<&Vec<String>> = std::iter::once(&heading).chain(&table.rows).collect();
    let cell = |row: &Vec<String>, n: usize| row.get(n).cloned().unwrap_or_default();
    let width = |n| rows.iter().map(|row| cell(row, n).chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..table.heading.len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = format!("{:<1$}", cell(row, 0), widths[0]);
        for (n, width) in widths.iter().enumerate().skip(1) {
            let _ = write!(line, "  {:>width$}", cell(row, n));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

pub fn count(number: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2⁵²")]
    let number = number as f64;
    number
}
