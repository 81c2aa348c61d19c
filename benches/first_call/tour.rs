//! A travelling salesman who visits all places and returns.

use bestfirst::problems::crucible::HeatMap;
use rpid::prelude::*;
use rpid::solvers;

use crate::support::contest::{Answer, Bench, Case, Side};

/// The distance between each pair of places.
#[derive(Clone)]
struct Tour {
    distance: Vec<Vec<u32>>,
    /// The least distance from each place to another.
    least: Vec<u32>,
}

/// The salesman's place, and one bit for each place still to be visited. The first place is the start and is visited
/// last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Stop {
    at: usize,
    left: u32,
}

impl Tour {
    /// Places on a square. Distances are rounded up, so that no detour is shorter.
    fn random(places: usize) -> Self {
        let digits = HeatMap::random(4 * places, 1, 3).expect("it is not too large").to_string();
        let digits: Vec<u32> = digits.chars().filter_map(|digit| digit.to_digit(10)).collect();
        let places: Vec<_> = digits
            .chunks(4)
            .map(|digits| {
                (f64::from(digits[0] * 10 + digits[1]), f64::from(digits[2] * 10 + digits[3]))
            })
            .collect();
        let distance = |a: &(f64, f64), b: &(f64, f64)| -> u32 {
            format!("{:.0}", ((a.0 - b.0).hypot(a.1 - b.1) * 10.0).ceil()).parse().expect("small")
        };
        let distance: Vec<Vec<_>> =
            places.iter().map(|a| places.iter().map(|b| distance(a, b)).collect()).collect();
        let least = |(place, row): (usize, &Vec<u32>)| {
            let others = row.iter().enumerate().filter(|&(other, _)| other != place);
            others.map(|(_, &distance)| distance).min().expect("there is another place")
        };
        let least = distance.iter().enumerate().map(least).collect();
        Self { distance, least }
    }

    fn start(&self) -> Stop {
        Stop { at: 0, left: (1 << self.distance.len()) - 1 }
    }

    /// The next stops, each with its distance. The first place comes when no other is left.
    fn successors(&self, stop: &Stop) -> Vec<(Stop, u32)> {
        let is_next = |place: &usize| match stop.left {
            0 => false,
            1 => *place == 0,
            left => *place > 0 && left >> place & 1 != 0,
        };
        let visit = |place: usize| {
            let next = Stop { at: place, left: stop.left & !(1 << place) };
            (next, self.distance[stop.at][place])
        };
        (0..self.distance.len()).filter(is_next).map(visit).collect()
    }

    /// A lower bound: the current place and each unvisited place but the last must be left.
    fn estimate(&self, stop: &Stop) -> u32 {
        if stop.left == 0 {
            return 0;
        }
        let left = (1..self.least.len()).filter(|place| stop.left >> place & 1 != 0);
        self.least[stop.at] + left.map(|place| self.least[place]).sum::<u32>()
    }
}

impl Dp for Tour {
    type State = Stop;
    type CostType = i32;
    type Label = usize;

    fn get_target(&self) -> Stop {
        self.start()
    }

    fn get_successors(&self, stop: &Stop) -> impl IntoIterator<Item = (Stop, i32, usize)> {
        self.successors(stop)
            .into_iter()
            .map(|(next, distance)| (next, distance.cast_signed(), next.at))
    }

    fn get_base_cost(&self, stop: &Stop) -> Option<i32> {
        (stop.left == 0).then_some(0)
    }
}

impl Dominance for Tour {
    type State = Stop;
    type Key = Stop;

    fn get_key(&self, stop: &Stop) -> Stop {
        *stop
    }
}

impl Bound for Tour {
    type State = Stop;
    type CostType = i32;

    fn get_dual_bound(&self, stop: &Stop) -> Option<i32> {
        Some(self.estimate(stop).cast_signed())
    }
}

/// One tour by our A*, and by the two solvers that the documentation of `rpid` shows first.
pub fn tour(bench: &mut Bench) {
    let places = if bench.options.quick { 12 } else { 17 };
    let name = format!("first call: a tour of {places} places, A*");
    if !bench.wants(&name) {
        return;
    }
    let tour = Tour::random(places);
    let by_rpid = |search: &mut dyn Search<CostType = i32, Label = usize>| {
        let solution = search.search();
        assert!(solution.is_optimal, "it is to search to the end");
        let mut answer = Answer::default();
        let cost = solution.cost.and_then(|cost| u64::try_from(cost).ok());
        answer.add(cost, solution.expanded.try_into().unwrap_or(0), 0);
        answer
    };
    let quiet = || SearchParameters { quiet: true, ..SearchParameters::default() };
    let case = Case::new(name)
        .contestant(Side::Ours, "solve", |_| {
            let mut answer = Answer::default();
            let report = bestfirst::solve(
                tour.start(),
                |stop| tour.successors(stop),
                |stop| tour.estimate(stop),
                |stop| stop.left == 0,
            );
            let report = report.expect("the length fits");
            answer.add_ours(report.cost(), &report.stats);
            answer
        })
        .contestant(Side::Rival, "pathfinding", |_| {
            let mut answer = Answer::default();
            let found = pathfinding::prelude::astar(
                &tour.start(),
                |stop| tour.successors(stop),
                |stop| tour.estimate(stop),
                |stop| stop.left == 0,
            );
            let (path, length) = found.expect("there is a tour");
            std::hint::black_box(path);
            answer.add(Some(length.into()), 0, 0);
            answer
        })
        .contestant(Side::Rival, "rpid, A*", |_| {
            by_rpid(&mut solvers::create_astar(tour.clone(), quiet()))
        })
        .contestant(Side::Rival, "rpid, CABS", |_| {
            let beams = CabsParameters::default();
            by_rpid(&mut solvers::create_cabs(tour.clone(), quiet(), beams))
        });
    bench.run(case);
}
