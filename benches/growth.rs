//! The time of an expansion while the table grows from ten thousand states to ten million.
//!
//! ```text
//! cargo bench --bench growth                     three runs of each search
//! cargo bench --bench growth -- --quick          one, up to a million states
//! cargo bench --bench growth -- --markdown       puts table and plot into BENCHMARKS.md and docs/
//! cargo bench --bench growth -- --busy           also where others use the machine
//! ```
//!
//! One search is stopped repeatedly while it grows. The report is the processor time of each
//! interval divided by the number of states expanded in it, the median of all runs. So a point is the
//! cost *at* that size, not the average up to it. The growth of a table counts in the interval in
//! which it happens.
//!
//! After that, the cache misses in each interval are counted, up to a few hundred thousand expansions: by the
//! processor if the system allows it, otherwise by valgrind. For this, every search runs in a separate process,
//! once up to each mark; counts before the first mark are in no interval.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use bestfirst::engine::Engine;
use bestfirst::problems::crucible::{Crucible, HeatMap, LossBound};
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{AStar, Cost, Dijkstra, Limits, Search, SearchProblem, SuccessorBuffer};
use cpu_time::ProcessTime;
use num_traits::Zero;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use rustc_hash::FxBuildHasher;

use support::lender::Lender;
use support::load::Watch;
use support::median::median;
use support::misses::Counter;
use support::page;

mod support {
    pub mod lender;
    pub mod load;
    pub mod median;
    pub mod misses;
    pub mod page;
}

/// Instance 88 of Korf's hundred, the hardest: A* stores far more than ten million states for it.
const HARD: [u8; 16] = [15, 2, 12, 11, 14, 13, 9, 5, 1, 3, 8, 7, 0, 10, 6, 4];

fn main() {
    let (mut is_bench, mut quick, mut markdown, mut is_busy) = (false, false, false, false);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--child" => return child(&words.collect::<Vec<_>>()),
            "--bench" => is_bench = true,
            "--quick" => quick = true,
            "--markdown" => markdown = true,
            "--busy" => is_busy = true,
            unknown => {
                eprintln!("unknown option {unknown}; known: --quick --markdown --busy");
                std::process::exit(2);
            }
        }
    }
    if !is_bench {
        println!("a benchmark: run it by `cargo bench --bench growth`");
        return;
    }
    let watch = Watch::begin(is_busy);
    let (most, rounds) = if quick { (1_000_000, 1) } else { (10_000_000, 3) };
    let panels = [crossing(most, rounds), tiles(most, rounds)];
    for panel in &panels {
        println!("{}: ns per expansion at so many stored states", panel.title);
        for curve in &panel.curves {
            let points = curve
                .points
                .iter()
                .map(|(stored, ns)| format!("{}: {ns:.1}", page::thousands(*stored)));
            println!("  {:<12} {}", curve.name, points.collect::<Vec<_>>().join("  "));
        }
    }
    let misses = misses(quick);
    println!("{misses}");
    if markdown {
        let mut text = format!("{}; {}", page::circumstances("growth"), watch.note());
        let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/growth.svg"));
        plot(file, &panels).unwrap_or_else(|fault| panic!("{}: {fault}", file.display()));
        text.push_str("\n\n![Nanoseconds an expansion takes, by states stored](docs/growth.svg)\n");
        for panel in &panels {
            let table = table(panel).markdown();
            let _ = write!(text, "\n{}, nanoseconds an expansion:\n\n{table}", panel.title);
        }
        text.push_str(&misses);
        page::publish("growth", &text);
    }
}

/// One problem, and those who search it.
struct Panel {
    title: &'static str,
    curves: Vec<Curve>,
}

/// States stored, and nanoseconds an expansion took on the way there.
struct Curve {
    name: &'static str,
    points: Vec<(u64, f64)>,
}

/// A stretch of a search: states expanded and stored at its end, time until then.
#[derive(Clone, Copy)]
struct Mark {
    expanded: u64,
    stored: u64,
    time: Duration,
}

/// The number of expansions before the first reading of the time; it doubles each time.
fn marks() -> impl Iterator<Item = u64> {
    (0..30).map(|n| 2_500 << n)
}

fn crossing(most: u64, rounds: usize) -> Panel {
    let map = map(most);
    let crucible = crucible(&map);
    let start = crucible.start();
    let curves = vec![
        curve("hashed", rounds, || grow(Dijkstra::new(&crucible).search(start), most)),
        curve("dense", rounds, || grow(Dijkstra::new(&crucible).dense().search(start), most)),
        rival(&crucible, &start, false, most, rounds),
    ];
    Panel { title: "Crucible 1..3, Dijkstra", curves }
}

fn tiles(most: u64, rounds: usize) -> Panel {
    let puzzle = SlidingTiles::<Packed>::new(4, 4).expect("16 cells fit");
    let board = Board::new(4, 4, &HARD).expect("it is a board");
    let start = puzzle.state(&board).expect("it is 4×4");
    let curves = vec![
        curve("hashed", rounds, || grow(AStar::new(&puzzle).search(start), most)),
        rival(&puzzle, &start, true, most, rounds),
    ];
    Panel { title: "15-puzzle, A*", curves }
}

/// A map with two states for every block, large enough for a search that stores this number of states.
fn map(most: u64) -> HeatMap {
    let side = if most > 1_000_000 { 2300 } else { 730 };
    HeatMap::random(side, side, 23).expect("it is not too large")
}

fn crucible(map: &HeatMap) -> Crucible {
    Crucible::new(map, 1..=3).expect("min is not above max").bound(LossBound::Manhattan)
}

/// The searches whose misses are counted, by the names of their problems and of their curves.
const COUNTED: [(&str, &[&str]); 2] = [
    ("Crucible 1..3, Dijkstra", &["hashed", "dense", "pathfinding"]),
    ("15-puzzle, A*", &["hashed", "pathfinding"]),
];

/// The misses of the cache by expansion, as text for the page.
fn misses(quick: bool) -> String {
    let Some(counter) = Counter::first() else { return String::new() };
    let program = std::env::current_exe().expect("this program has a path");
    let program = program.to_str().expect("the path is text");
    let mut text = String::new();
    for (title, curves) in COUNTED {
        let marks: Vec<u64> = marks().take(if quick { 5 } else { 9 }).collect();
        let count = |curve: &&str, mark: u64| {
            counter.count(&["--child", title, curve, &mark.to_string()], program).map(count)
        };
        let counts: Vec<Vec<Option<f64>>> = curves
            .iter()
            .map(|curve| marks.iter().map(|&mark| count(curve, mark)).collect())
            .collect();
        let rows = (1..marks.len()).map(|n| {
            let mut row = vec![page::thousands(marks[n])];
            row.extend(counts.iter().map(|counts| match (counts[n - 1], counts[n]) {
                (Some(before), Some(after)) => {
                    format!("{:.2}", (after - before) / self::count(marks[n] - marks[n - 1]))
                }
                _ => String::new(),
            }));
            row
        });
        let heading = std::iter::once("expansions").chain(curves.iter().copied()).collect();
        let table = page::Table { heading, rows: rows.collect() }.markdown();
        let _ = write!(text, "\n{title}, misses an expansion, by {}:\n\n{table}", counter.name());
    }
    text
}

/// One search up to this number of expansions.
fn child(arguments: &[String]) {
    let [title, curve, most] = arguments else { panic!("--child needs three arguments") };
    let most: u64 = most.parse().expect("a number of expansions");
    if *title == COUNTED[0].0 {
        let map = map(0);
        let crucible = crucible(&map);
        let (start, limits) = (crucible.start(), Limits::new().expansions(most));
        let report = match curve.as_str() {
            "hashed" => Dijkstra::new(&crucible).limits(limits).search(start).run(),
            "dense" => Dijkstra::new(&crucible).dense().limits(limits).search(start).run(),
            _ => return watch(&crucible, &start, false, |_, expanded| expanded < most),
        };
        assert_eq!(report.expect("the loss fits").stats.expanded, most);
    } else {
        let puzzle = SlidingTiles::<Packed>::new(4, 4).expect("16 cells fit");
        let board = Board::new(4, 4, &HARD).expect("it is a board");
        let start = puzzle.state(&board).expect("it is 4×4");
        if curve == "pathfinding" {
            return watch(&puzzle, &start, true, |_, expanded| expanded < most);
        }
        let limits = Limits::new().expansions(most);
        let report = AStar::new(&puzzle).limits(limits).search(start).run();
        assert_eq!(report.expect("the length fits").stats.expanded, most);
    }
}

/// The median of each stretch over several runs.
fn curve(name: &'static str, rounds: usize, mut run: impl FnMut() -> Vec<Mark>) -> Curve {
    let runs: Vec<Vec<Mark>> = (0..rounds).map(|_| run()).collect();
    let stretches = runs.iter().map(Vec::len).min().unwrap_or(0);
    let point = |n: usize| {
        let nanoseconds = |marks: &Vec<Mark>| {
            let (from, to) = (marks[n - 1], marks[n]);
            (to.time.saturating_sub(from.time)).as_secs_f64() * 1e9
                / count(to.expanded - from.expanded)
        };
        let times: Vec<f64> = runs.iter().map(nanoseconds).collect();
        (runs[0][n].stored, median(&times))
    };
    Curve { name, points: (1..stretches).map(point).collect() }
}

/// Lets one of our searches grow until it stores `most` states, or ends.
fn grow<E: Engine>(mut search: Search<E>, most: u64) -> Vec<Mark> {
    let began = ProcessTime::now();
    let mut list = Vec::new();
    for expanded in marks() {
        search.set_limits(Limits::new().expansions(expanded));
        let _ = search.run().unwrap_or_else(|fault| panic!("{fault}"));
        let stats = search.stats();
        if stats.expanded < expanded {
            break; // the last stretch was not completed
        }
        list.push(Mark { expanded, stored: stats.stored, time: began.elapsed() });
        if stats.stored >= most {
            break;
        }
    }
    list
}

/// Measures the rival. The number of states that it has stored at each mark is counted in a separate run.
fn rival<P>(problem: &P, start: &P::State, informed: bool, most: u64, rounds: usize) -> Curve
where
    P: SearchProblem<Cost: Zero + Ord + Cost>,
{
    let mut seen: HashSet<P::State, FxBuildHasher> = HashSet::default();
    let mut buffer = SuccessorBuffer::new();
    let mut list: Vec<Mark> = Vec::new();
    watch(problem, start, informed, |state, expanded| {
        if marks().any(|mark| mark == expanded) {
            let stored = seen.len() as u64;
            list.push(Mark { expanded, stored, time: Duration::ZERO });
        }
        buffer.clear();
        problem.successors(state, &mut buffer);
        seen.extend(buffer.drain().map(|next| next.state));
        (seen.len() as u64) < most || marks().all(|mark| mark != expanded + 1)
    });
    drop(seen);
    curve("pathfinding", rounds, || {
        let mut marked = Vec::with_capacity(list.len());
        let began = ProcessTime::now();
        watch(problem, start, informed, |_, expanded| {
            let next = list[marked.len()];
            if expanded == next.expanded {
                marked.push(Mark { time: began.elapsed(), ..next });
            }
            marked.len() < list.len()
        });
        marked
    })
}

/// Lets the rival search as long as `goes_on`, which is given each state expanded and how many were
/// before it, says so.
fn watch<P>(
    problem: &P,
    start: &P::State,
    informed: bool,
    mut goes_on: impl FnMut(&P::State, u64) -> bool,
) where
    P: SearchProblem<Cost: Zero + Ord + Cost>,
{
    let lender = Lender::new(problem);
    let stop = std::cell::Cell::new(false);
    let mut expanded = 0;
    let next = |state: &P::State| {
        stop.set(!goes_on(state, expanded));
        expanded += 1;
        lender.next(state)
    };
    let ends = |state: &P::State| stop.get() || problem.is_goal(state);
    let found = if informed {
        pathfinding::prelude::astar(start, next, |state| problem.heuristic(state), ends).is_some()
    } else {
        pathfinding::prelude::dijkstra(start, next, ends).is_some()
    };
    assert!(found, "it was stopped, or got there");
}

fn count(number: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2⁵²")]
    let number = number as f64;
    number
}

/// A row for each stretch; the curves may have different numbers of stored states in it.
fn table(panel: &Panel) -> page::Table {
    let mut heading = vec!["stored states"];
    heading.extend(panel.curves.iter().map(|curve| curve.name));
    let stretches = panel.curves.iter().map(|curve| curve.points.len()).max().unwrap_or(0);
    let row = |n: usize| {
        let stored = panel.curves.iter().find_map(|curve| Some(curve.points.get(n)?.0));
        let mut row = vec![page::thousands(stored.unwrap_or(0))];
        row.extend(panel.curves.iter().map(|curve| {
            curve.points.get(n).map_or_else(String::new, |point| format!("{:.1}", point.1))
        }));
        row
    };
    page::Table { heading, rows: (0..stretches).map(row).collect() }
}

const INK: RGBColor = RGBColor(38, 38, 38);
const GRID: RGBColor = RGBColor(225, 225, 225);
const COLOURS: [RGBColor; 3] =
    [RGBColor(187, 55, 84), RGBColor(33, 144, 141), RGBColor(110, 110, 110)];
const FONT: &str = "DejaVu Sans, Verdana, sans-serif";

/// All panels side by side on the same scale.
fn plot(file: &Path, panels: &[Panel]) -> Result<(), Box<dyn Error>> {
    let all = || panels.iter().flat_map(|panel| &panel.curves).flat_map(|curve| &curve.points);
    let highest = all().map(|point| point.1).fold(1.0, f64::max);
    let most = all().map(|point| count(point.0)).fold(1e6, f64::max);
    let (states, cost): (Range<f64>, Range<f64>) = (9e3..most * 1.1, 0.0..highest * 1.15);
    let area = SVGBackend::new(file, (920, 380)).into_drawing_area();
    area.fill(&WHITE)?;
    for (area, panel) in area.split_evenly((1, panels.len())).iter().zip(panels) {
        let mut chart = ChartBuilder::on(area)
            .margin(14)
            .caption(panel.title, (FONT, 17).into_font().color(&INK))
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(states.clone().log_scale(), cost.clone())?;
        chart
            .configure_mesh()
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .axis_style(INK)
            .label_style((FONT, 12).into_font().color(&INK))
            .axis_desc_style((FONT, 13).into_font().color(&INK))
            .x_labels(4)
            .x_label_formatter(&|states| match *states {
                states if states >= 1e6 => format!("{:.0} million", states / 1e6),
                states => format!("{states:.0}"),
            })
            .y_label_formatter(&|cost| format!("{cost:.0}"))
            .x_desc("states stored")
            .y_desc("ns per expansion")
            .draw()?;
        for (curve, colour) in panel.curves.iter().zip(colours(panel)) {
            let points = || {
                let points = curve.points.iter().map(|&(stored, cost)| (count(stored), cost));
                points.filter(|point| states.contains(&point.0))
            };
            let line: Vec<_> = points().collect();
            chart.draw_series([PathElement::new(line, colour.stroke_width(2))])?;
            chart.draw_series(points().map(|point| Circle::new(point, 3, colour.filled())))?;
            if let Some(last) = points().next_back() {
                let style = (FONT, 13).into_font().color(&colour);
                let style = style.pos(Pos::new(HPos::Right, VPos::Bottom));
                let place = (last.0, last.1 + highest * 0.02);
                chart.draw_series([Text::new(curve.name, place, style)])?;
            }
        }
    }
    area.present()?;
    Ok(())
}

/// The rival is grey in every panel.
fn colours(panel: &Panel) -> impl Iterator<Item = RGBColor> {
    let ours = panel.curves.len() - 1;
    COLOURS[..ours].iter().chain(&COLOURS[COLOURS.len() - 1..]).copied()
}
