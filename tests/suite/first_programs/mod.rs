//! Programs as new users of four kinds write them, from the documentation alone: a puzzle, a game, a plan, an experiment.
//! Each answer is compared with brute force.

mod fuel;
mod genome;
mod pegs;
mod strips;

use std::collections::{HashMap, VecDeque};
use std::error::Error;
use std::fmt::Write;

use bestfirst::certificate::{self, Level};
use bestfirst::heuristics::PatternDatabase;
use bestfirst::problems::grid_map::{Cell, Movement, TerrainMap};
use bestfirst::{
    AStar, AnySearch, AnytimeAStar, Beam, BranchAndBound, Dijkstra, IdaStar, Limits, Outcome,
    Reversed, Reversible, SearchProblem, Successors, WithHeuristic, bfs, solve,
};
use support::random::rounds;

/// Numbers below a bound, by a linear congruential generator.
fn numbers(mut seed: usize) -> impl FnMut(usize) -> usize {
    move |below| {
        seed = seed * 16807 % 0x7FFF_FFFF;
        seed % below
    }
}

/// Sixteen lamps: to press one switches it and its neighbours. All are to be off.
#[test]
fn a_puzzle_of_lamps() -> Result<(), Box<dyn Error>> {
    let pressed: [u16; 16] = std::array::from_fn(|lamp| {
        let near = (0..16_usize)
            .filter(|other| (lamp % 4).abs_diff(other % 4) + (lamp / 4).abs_diff(other / 4) <= 1);
        near.fold(0, |lamps, other| lamps | 1 << other)
    });

    // What is lit after all lamps of a set were pressed, for all sets: each is one without its last lamp, and that.
    let mut lit = vec![0_u16];
    for set in 1..=u16::MAX {
        let others = lit[usize::from(set & (set - 1))];
        lit.push(others ^ pressed[set.trailing_zeros() as usize]);
    }
    let mut fewest = vec![None; lit.len()];
    for (set, &lit) in (0..=u16::MAX).zip(&lit) {
        let count = set.count_ones();
        let known = &mut fewest[usize::from(lit)];
        *known = Some(known.map_or(count, |known: u32| known.min(count)));
    }

    // Some that can be switched off, and some of which most cannot.
    let some =
        (0..rounds(17)).zip((1..u16::MAX).step_by(4001)).map(|(_, set)| lit[usize::from(set)]);
    let others = (0..rounds(8)).zip((1..u16::MAX).step_by(9001)).map(|(_, lamps)| lamps);
    for lamps in some.chain(others) {
        let by_steps = bfs(lamps, |lamps| pressed.map(|mask| lamps ^ mask), |&lamps| lamps == 0)?;
        assert_eq!(by_steps.cost(), fewest[usize::from(lamps)]);
        assert_eq!(by_steps.path().is_none(), by_steps.outcome == Outcome::Exhausted);
        // A press switches five lamps at most.
        let informed = solve(
            lamps,
            |lamps| pressed.map(|mask| (lamps ^ mask, 1_u32)),
            |lamps| lamps.count_ones().div_ceil(5),
            |&lamps| lamps == 0,
        )?;
        assert_eq!(informed.cost(), by_steps.cost());
    }
    Ok(())
}

/// The neighbours of a hexagon: odd rows are half a cell further right.
fn around(x: usize, y: usize) -> impl Iterator<Item = (usize, usize)> {
    let (left, right) = if y.is_multiple_of(2) { (x.wrapping_sub(1), x) } else { (x, x + 1) };
    let above = y.wrapping_sub(1);
    let beside = [(x.wrapping_sub(1), y), (x + 1, y)];
    beside.into_iter().chain([above, y + 1].into_iter().flat_map(move |y| [(left, y), (right, y)]))
}

/// A map of hexagons with hills: many units walk to the nearest of two camps by one field, made once and without a start; and
/// one unit goes as near as it can to a place that is walled in.
#[test]
fn a_game_on_hexagons() -> Result<(), Box<dyn Error>> {
    const SIZE: usize = 14;
    for (_, seed) in (0..rounds(20)).zip(1..) {
        let mut random = numbers(seed);
        let mut costs = [[Some(1_u32); SIZE]; SIZE];
        for cost in costs.iter_mut().flatten() {
            *cost = [None, Some(3), Some(2), Some(1), Some(1)][random(5)];
        }
        let (camps, fort) = ([(1, 1), (12, 9)], (6, 6));
        camps.iter().chain([&fort]).for_each(|&(x, y)| costs[y][x] = Some(1));
        around(fort.0, fort.1).for_each(|(x, y)| costs[y][x] = None);
        let cell = |(x, y): (usize, usize)| {
            Cell::new(u16::try_from(x).unwrap(), u16::try_from(y).unwrap())
        };
        let at = |cell: Cell| costs[usize::from(cell.y)][usize::from(cell.x)];
        let size = u16::try_from(SIZE)?;
        let map = TerrainMap::new(size, size, at)?;

        // What a walk costs from each cell to the nearest camp, until nothing changes.
        let mut left = [[u32::MAX; SIZE]; SIZE];
        for (x, y) in camps {
            left[y][x] = 0;
        }
        let cells = || (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)));
        for _ in cells() {
            for (x, y) in cells().filter(|&(x, y)| costs[y][x].is_some()) {
                for (to_x, to_y) in around(x, y).filter(|&(x, y)| x < SIZE && y < SIZE) {
                    if let Some(cost) = costs[to_y][to_x] {
                        left[y][x] = left[y][x].min(left[to_y][to_x].saturating_add(cost));
                    }
                }
            }
        }

        let route = map.route_to(camps.map(cell), Movement::six(1))?;
        let backwards = Reversed::new(&route, cell(camps[0]));
        let field = Dijkstra::new(&backwards).search_from(backwards.starts()).reach_all()?;
        for (x, y) in cells().filter(|&(x, y)| costs[y][x].is_some()) {
            let expected = Some(left[y][x]).filter(|&cost| cost < u32::MAX);
            assert_eq!(field.cost_of(&cell((x, y))), expected, "{x}, {y}");
            // A unit takes the step that the field names.
            if let Some(next) = field.parent_of(&cell((x, y))) {
                assert_eq!(
                    expected,
                    field.cost_of(&next).zip(at(next)).map(|(rest, step)| rest + step)
                );
            }
        }

        let (unit, inside) = (cell(camps[0]), map.route_to([cell(fort)], Movement::six(1))?);
        let report = AStar::new(&inside).search(unit).run()?;
        assert_eq!(report.outcome, Outcome::Exhausted);
        let nearest = report.closest().expect("the unit itself is reached");
        let from_unit = Dijkstra::new(&inside).search(unit).reach_all()?;
        let least = from_unit.states().map(|(cell, _)| inside.heuristic(&cell)).min();
        assert_eq!(Some(inside.heuristic(nearest.end())), least);
    }
    Ok(())
}

/// Seven workers, a job for each, and what each would earn: the most in all. Or the best plan so far, and how good it is.
#[test]
fn a_plan_that_earns_most() -> Result<(), Box<dyn Error>> {
    const WORKERS: usize = 7;

    fn most(earns: &[[u32; WORKERS]], taken: u32) -> u32 {
        let Some((worker, rest)) = earns.split_first() else { return 0 };
        let free = (0..WORKERS).filter(|job| taken >> job & 1 == 0);
        free.map(|job| worker[job] + most(rest, taken | 1 << job)).max().unwrap_or(0)
    }

    for seed in 1..10 {
        let mut random = numbers(seed);
        let earns: [[u32; WORKERS]; WORKERS] =
            [(); WORKERS].map(|()| [(); WORKERS].map(|()| u32::try_from(random(90)).unwrap()));
        let best = |worker: usize| earns[worker].iter().copied().max().unwrap_or(0);
        // The state: how many workers have a job, and which jobs are taken. The cost: what is lost.
        let free = |taken: u32| (0..WORKERS).filter(move |job| taken >> job & 1 == 0);
        let choices = |&(worker, taken): &(usize, u32)| {
            let choices = free(taken)
                .map(|job| ((worker + 1, taken | 1 << job), best(worker) - earns[worker][job]));
            choices.collect::<Vec<_>>()
        };
        let lost_at_least = |&(worker, taken): &(usize, u32)| {
            let left =
                |worker: usize| free(taken).map(|job| best(worker) - earns[worker][job]).min();
            (worker..WORKERS).filter_map(left).sum()
        };
        let everybody = |&(worker, _): &(usize, u32)| worker == WORKERS;
        let plan = bestfirst::FnProblem::new(choices, lost_at_least, everybody);

        let expected = most(&earns, 0);
        let whole: u32 = (0..WORKERS).map(best).sum();
        let report = AStar::new(&plan).search((0, 0)).run()?;
        assert!(report.is_optimal());
        assert_eq!(whole - report.cost().expect("everybody can work"), expected);

        for expansions in [8, 20, 60] {
            let searches: [Box<dyn AnySearch<_, _, _>>; 3] = [
                Box::new(AnytimeAStar::new(&plan).search((0, 0))),
                Box::new(Beam::new(&plan).search((0, 0))),
                Box::new(BranchAndBound::new(&plan).search((0, 0))),
            ];
            for mut search in searches {
                search.set_limits(Limits::new().expansions(expansions));
                let report = search.run()?;
                let earned = report.cost().map_or(0, |lost| whole - lost);
                assert!(earned <= expected && expected <= whole - report.lower_bound);
            }
        }
    }
    Ok(())
}

/// Eight numbers on a ring, of which the first four can be reversed, and the ring turned.
struct Ring;

const RING: usize = 8;

impl SearchProblem for Ring {
    type State = [u8; RING];
    type Action = &'static str;
    type Cost = u32;

    fn successors(&self, ring: &Self::State, next: &mut Successors<Self>) {
        let (mut turned, mut reversed) = (*ring, *ring);
        turned.rotate_left(1);
        next.push("left", turned, 1);
        turned.rotate_right(2);
        next.push("right", turned, 1);
        reversed[..4].reverse();
        next.push("reverse", reversed, 1);
    }

    fn is_goal(&self, ring: &Self::State) -> bool {
        ring.is_sorted()
    }
}

impl Reversible for Ring {
    fn predecessors(&self, ring: &Self::State, previous: &mut Successors<Self>) {
        let (mut turned, mut reversed) = (*ring, *ring);
        turned.rotate_right(1);
        previous.push("left", turned, 1);
        turned.rotate_left(2);
        previous.push("right", turned, 1);
        reversed[..4].reverse();
        previous.push("reverse", reversed, 1);
    }

    fn goals(&self) -> impl Iterator<Item = Self::State> {
        [[0, 1, 2, 3, 4, 5, 6, 7]].into_iter()
    }
}

/// The ring with all numbers but 0 to 2 made equal.
fn pattern(ring: [u8; RING]) -> [u8; RING] {
    ring.map(|number| number.min(3))
}

/// Where the numbers of the pattern are.
fn key(ring: [u8; RING]) -> usize {
    let place = |number| ring.iter().position(|at| *at == number).unwrap_or(0);
    (0..3).fold(0, |key, number| key * RING + place(number))
}

/// A table of engines and heuristics on random rings, as comma-separated values, and a certificate of each optimum.
#[test]
fn an_experiment_on_rings() -> Result<(), Box<dyn Error>> {
    // The distances of all rings from the goal: each action is undone by another or itself.
    let goal = [0, 1, 2, 3, 4, 5, 6, 7];
    let mut distances = HashMap::from([(goal, 0_u32)]);
    let mut queue = VecDeque::from([goal]);
    while let Some(ring) = queue.pop_front() {
        let (mut left, mut right, mut reversed) = (ring, ring, ring);
        left.rotate_left(1);
        right.rotate_right(1);
        reversed[..4].reverse();
        for next in [left, right, reversed] {
            if !distances.contains_key(&next) {
                distances.insert(next, distances[&ring] + 1);
                queue.push_back(next);
            }
        }
    }

    let database = PatternDatabase::build(&Ring, [pattern(goal)], |&ring| key(ring))?;
    let informed = WithHeuristic::new(&Ring, |&ring: &[u8; RING]| database.value(key(ring)));
    let mut random = numbers(5);
    let mut table = String::from("engine,cost,bound,expanded,layers\n");
    for _ in 0..rounds(8) {
        let mut start = goal;
        for last in (1..RING).rev() {
            start.swap(last, random(last + 1));
        }
        let expected = distances.get(&start).copied();
        let limits = Limits::new().expansions(1_000_000).memory(1 << 28);
        let searches: [(&str, Box<dyn AnySearch<_, _, _>>); 4] = [
            ("dijkstra", Box::new(Dijkstra::new(&Ring).search(start))),
            ("astar", Box::new(AStar::new(&informed).search(start))),
            ("weighted:1.5", Box::new(AStar::new(&informed).weight(1.5).search(start))),
            ("idastar", Box::new(IdaStar::new(&informed).search(start))),
        ];
        let mut expanded = vec![];
        for (name, mut search) in searches {
            search.set_limits(limits.clone());
            let report = search.run()?;
            let cost = report.cost().map_or(String::new(), |cost| cost.to_string());
            let (bound, count) = (report.lower_bound, report.stats.expanded);
            writeln!(table, "{name},{cost},{bound},{count},{}", report.layers.len())?;
            if report.is_optimal() {
                assert_eq!(report.cost(), expected);
            }
            assert!(Some(bound) <= expected && expected <= report.cost(), "{table}");
            report.path().expect("a permutation of the goal").verify(&informed)?;
            expanded.push(count);
        }
        assert!(expanded[1] <= expanded[0], "{table}");

        let mut search = AStar::new(&informed).search(start);
        assert!(search.run()?.is_optimal());
        let mut file = Vec::new();
        search.certificate(&informed, [(start, 0)], Level::Admissible)?.write(&mut file)?;
        let proved = certificate::check(&informed, [(start, 0)], file.as_slice())?;
        assert_eq!(Some(proved.claim), expected.map(certificate::Claim::AtLeast));
    }
    assert_eq!(table.lines().count() as u64, 1 + rounds(8) * 4);
    Ok(())
}
