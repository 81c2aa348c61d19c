//! Anytime profiles: the engines that find better and better paths, beside the CABS of `rpid`, on the same problems.
//!
//! ```text
//! cargo bench --bench beam                    five instances of each domain, one second each
//! cargo bench --bench beam -- --seconds 0.2   shorter
//! cargo bench --bench beam -- --markdown      puts the table into BENCHMARKS.md
//! ```
//!
//! All run the same successor code and the same heuristic, on one thread. The *area* is the mean, over the
//! time, of the cost of the best path so far, divided by the best cost known; no path, or one that costs more
//! than twice the best, counts as twice the best. 1 would be a best path at once. Both are on the clock of the
//! system, so nothing else should run: to read the processor time is a call of the system, and engines read a clock of one's own
//! after every expansion.

#![expect(clippy::cast_precision_loss, reason = "costs are small")]

use std::time::{Duration, Instant};

use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{
    Anytime, AnytimeAStar, Beam, Limits, Observer, Rectangle, ScalableCost, SearchProblem,
};
use rpid::prelude::*;
use rpid::solvers::create_cabs;

use domains::Random;
use domains::heavy_pancakes::HeavyPancakes;
use domains::heavy_tiles::HeavyTiles;
use domains::round_trip::RoundTrip;
use domains::schedule::Schedule;
use domains::weighted_grid::{InThousandths, WeightedGrid};
use support::lender::Lender;
use support::{data, page};

mod domains;
#[allow(dead_code, reason = "other benches use the rest of it")]
mod support {
    pub mod data;
    pub mod lender;
    pub mod page;
}

/// The same instances of each domain.
const INSTANCES: usize = 5;

fn main() {
    let (mut is_bench, mut markdown, mut seconds) = (false, false, 1.0);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bench" => is_bench = true,
            "--markdown" => markdown = true,
            "--seconds" => {
                seconds =
                    words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| usage());
            }
            _ => usage(),
        }
    }
    if !is_bench {
        println!("a benchmark: run it by `cargo bench --bench beam`");
        return;
    }
    let time = Duration::from_secs_f64(seconds);
    let run = move || publish(&measure(time), markdown);
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    thread.join().expect("no panic");
}

/// `rpid` drops the states of a path recursively, and a beam of width 1 revisits states.
const STACK: usize = 4 << 30;

/// The rows of the table.
fn measure(time: Duration) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    if let Some(instances) = data::korf() {
        let puzzle = SlidingTiles::<Packed>::new(4, 4).expect("16 cells fit");
        let mut domain = Domain::new("15-puzzle");
        for instance in &instances[..INSTANCES] {
            let board = Board::new(4, 4, &instance.tiles).expect("a board");
            let start = puzzle.state(&board).expect("it fits");
            domain.run(&puzzle, &start, time, Some(f64::from(instance.optimal)));
        }
        rows.extend(domain.rows());
    }
    if let Some(text) = data::text("puzzle24/korf_felner50.csv") {
        let puzzle = SlidingTiles::<Packed<u128>>::new(5, 5).expect("25 cells fit");
        let mut domain = Domain::new("24-puzzle");
        for line in text.lines().skip(1).take(INSTANCES) {
            let fields: Vec<_> = line.split(',').collect();
            let board: Board = fields[3].parse().expect("a board");
            let start = puzzle.state(&board).expect("it fits");
            domain.run(&puzzle, &start, time, fields[2].parse().ok());
        }
        rows.extend(domain.rows());
    }
    for (cities, name) in [(20, "round trip of 20 cities"), (40, "round trip of 40 cities")] {
        let mut domain = Domain::new(name);
        for seed in 0..INSTANCES as u64 {
            let problem = RoundTrip::random(cities, &mut Random(seed));
            domain.run(&problem, &problem.start(), time, None);
        }
        rows.extend(domain.rows());
    }
    let mut domain = Domain::new("26 jobs, weighted tardiness");
    for seed in 0..INSTANCES as u64 {
        domain.run(&Schedule::random(26, &mut Random(seed)), &0, time, None);
    }
    rows.extend(domain.rows());
    let puzzle = HeavyPancakes::new(14);
    let mut domain = Domain::new("14 pancakes that cost their number");
    for seed in 0..INSTANCES as u64 {
        domain.run(&puzzle, &puzzle.random(&mut Random(seed)), time, None);
    }
    rows.extend(domain.rows());
    let mut domain = Domain::new("grid, 500 × 500, random costs");
    for seed in 0..INSTANCES as u64 {
        let grid = InThousandths(WeightedGrid::random(500, &mut Random(seed)));
        domain.run(&grid, &(0, 0), time, None);
    }
    rows.extend(domain.rows());
    let puzzle = HeavyTiles::new(4);
    let mut domain = Domain::new("15-puzzle, tiles cost their number");
    for seed in 0..INSTANCES as u64 {
        domain.run(&puzzle, &puzzle.scrambled(1000, &mut Random(seed)), time, None);
    }
    rows.extend(domain.rows());
    rows
}

fn publish(rows: &[Vec<String>], markdown: bool) {
    let heading =
        vec!["domain", "engine", "area", "first path, ms", "first / best", "last / best", "proved"];
    let table = page::Table { heading, rows: rows.to_vec() };
    println!("{}", table.markdown());
    if markdown {
        page::publish("beam", &format!("{}\n\n{}", page::circumstances("beam"), table.markdown()));
    }
}

fn usage() -> ! {
    eprintln!("options: --seconds S, --markdown");
    std::process::exit(2);
}

/// The paths that a search found: when, and what they cost.
#[derive(Clone, Debug)]
struct Profile {
    began: Instant,
    paths: Vec<(Duration, f64)>,
    is_proved: bool,
}

impl Profile {
    fn new() -> Self {
        Self { began: Instant::now(), paths: Vec::new(), is_proved: false }
    }

    fn add(&mut self, cost: f64) {
        self.paths.push((self.began.elapsed(), cost));
    }

    /// The mean of cost / best over the time.
    fn area(&self, time: Duration, best: f64) -> f64 {
        let (mut since, mut ratio, mut area) = (0.0, 2.0, 0.0);
        for &(at, cost) in &self.paths {
            let at = at.min(time).as_secs_f64();
            area += ratio * (at - since);
            (since, ratio) = (at, (cost / best).min(2.0));
        }
        (area + ratio * (time.as_secs_f64() - since)) / time.as_secs_f64()
    }
}

impl<S, C: Into<i64>> Observer<S, C> for Profile {
    fn incumbent(&mut self, cost: C, _: C) {
        let cost: i64 = cost.into();
        self.add(cost as f64);
    }
}

const ENGINES: [&str; 6] = [
    "`Anytime`",
    "`Beam`",
    "`Rectangle`",
    "`AnytimeAStar`",
    "`rpid` CABS",
    "`rpid` CABS, keep_all_layers",
];

/// These engines are those of this crate.
const OURS: usize = 4;

fn limits<C: bestfirst::Cost>(time: Duration) -> Limits<C> {
    Limits::new().time(time)
}

/// The measurements in a domain.
struct Domain {
    name: &'static str,
    sums: [Sums; ENGINES.len()],
    instances: f64,
}

#[derive(Default)]
struct Sums {
    area: f64,
    first_time: f64,
    first: f64,
    last: f64,
    proved: u32,
    /// On how many instances there was no path.
    without: u32,
}

impl Domain {
    fn new(name: &'static str) -> Self {
        Self { name, sums: Default::default(), instances: 0.0 }
    }

    fn run<P>(&mut self, problem: &P, start: &P::State, time: Duration, optimum: Option<f64>)
    where
        P: SearchProblem<Cost: ScalableCost + Into<i64>>,
    {
        let mut profiles = [const { None }; ENGINES.len()];
        macro_rules! run {
            ($engine:expr, $builder:expr) => {{
                let mut profile = Profile::new();
                let search = $builder.limits(limits(time)).observer(&mut profile);
                let report = search.search(start.clone()).run().expect("costs are sound");
                profile.is_proved = report.is_optimal();
                profiles[$engine] = Some(profile);
            }};
        }
        run!(0, Anytime::new(problem));
        run!(1, Beam::new(problem));
        run!(2, Rectangle::new(problem));
        run!(3, AnytimeAStar::new(problem));
        for (engine, keep_all_layers) in [(OURS, false), (OURS + 1, true)] {
            profiles[engine] = Some(cabs(problem, start, time, keep_all_layers));
        }
        let profiles: Vec<_> = profiles.into_iter().flatten().collect();
        let last = profiles.iter().filter_map(|profile| Some(profile.paths.last()?.1));
        let best = optimum.unwrap_or_else(|| last.fold(f64::INFINITY, f64::min));
        for (sums, profile) in self.sums.iter_mut().zip(&profiles) {
            sums.area += profile.area(time, best);
            let Some((&first, &last)) = profile.paths.first().zip(profile.paths.last()) else {
                sums.without += 1;
                continue;
            };
            sums.first_time += first.0.as_secs_f64() * 1000.0;
            sums.first += first.1 / best;
            sums.last += last.1 / best;
            sums.proved += u32::from(profile.is_proved);
        }
        self.instances += 1.0;
        eprintln!("{}: {} instances", self.name, self.instances);
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |(name, sums): (&&str, &Sums)| {
            let with = self.instances - f64::from(sums.without);
            let mean = |sum: f64, digits| match with {
                0.0 => "–".to_owned(),
                with => format!("{:.digits$}", sum / with),
            };
            let without = match sums.without {
                0 => String::new(),
                count => format!(" ({count} without)"),
            };
            vec![
                self.name.to_owned(),
                format!("{name}{without}"),
                format!("{:.3}", sums.area / self.instances),
                mean(sums.first_time, 2),
                mean(sums.first, 3),
                mean(sums.last, 3),
                sums.proved.to_string(),
            ]
        };
        ENGINES.iter().zip(&self.sums).map(row).collect()
    }
}

/// A problem as `rpid` sees it.
struct Model<'p, P: SearchProblem> {
    problem: &'p P,
    lender: Lender<'p, P>,
    start: P::State,
}

impl<P: SearchProblem<Cost: Into<i64>>> Dp for Model<'_, P> {
    type State = P::State;
    type CostType = i64;
    type Label = ();

    fn get_target(&self) -> P::State {
        self.start.clone()
    }

    fn get_successors(&self, state: &P::State) -> impl IntoIterator<Item = (P::State, i64, ())> {
        self.lender.next(state).map(|(state, cost)| (state, cost.into(), ()))
    }

    fn get_base_cost(&self, state: &P::State) -> Option<i64> {
        self.problem.is_goal(state).then_some(0)
    }
}

impl<P: SearchProblem> Dominance for Model<'_, P> {
    type State = P::State;
    type Key = P::State;

    fn get_key(&self, state: &P::State) -> P::State {
        state.clone()
    }
}

impl<P: SearchProblem<Cost: Into<i64>>> Bound for Model<'_, P> {
    type State = P::State;
    type CostType = i64;

    fn get_dual_bound(&self, state: &P::State) -> Option<i64> {
        Some(self.problem.heuristic(state).into())
    }
}

fn cabs<P>(problem: &P, start: &P::State, time: Duration, keep_all_layers: bool) -> Profile
where
    P: SearchProblem<Cost: Into<i64>>,
{
    let mut profile = Profile::new();
    let model = Model { problem, lender: Lender::new(problem), start: start.clone() };
    let parameters = SearchParameters {
        quiet: true,
        time_limit: Some(time.as_secs_f64()),
        ..SearchParameters::default()
    };
    let beams = CabsParameters { keep_all_layers, ..CabsParameters::default() };
    let mut search = create_cabs(model, parameters, beams);
    loop {
        let (solution, is_over) = search.search_next();
        if let Some(cost) = solution.cost
            && profile.paths.last().is_none_or(|&(_, last)| (cost as f64) < last)
        {
            profile.add(cost as f64);
        }
        if is_over {
            profile.is_proved = solution.is_optimal;
            return profile;
        }
    }
}
