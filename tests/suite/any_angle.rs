//! Routes of any angle, compared with Dijkstra's algorithm on all corners and centres of small maps, between which a line
//! is free by the definition.

use std::fs;

use bestfirst::problems::grid_map::{
    AnyAngleRoute, Cell, EightWayFloat, GridMap, Scenario, Waypoint,
};
use bestfirst::{AStar, FnProblem, Outcome, astar, dijkstra};
use support::random::{Random, is_enough, rounds};

/// In halves of cells.
type Point = (i64, i64);

fn random_map(random: &mut Random) -> GridMap {
    let (width, height) = (1 + random.below(9), 1 + random.below(9));
    let dense = 2 + random.below(6);
    let blocked: Vec<bool> = (0..width * height).map(|_| random.one_in(dense)).collect();
    let side = |length| u16::try_from(length).unwrap();
    let index = |cell: Cell| usize::from(cell.y) * usize::from(side(width)) + usize::from(cell.x);
    GridMap::new(side(width), side(height), |cell| !blocked[index(cell)]).unwrap()
}

fn cells(map: &GridMap) -> impl Iterator<Item = Cell> {
    let (width, height) = (map.width(), map.height());
    (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
}

fn is_blocked(map: &GridMap, x: i64, y: i64) -> bool {
    let cell = u16::try_from(x).ok().zip(u16::try_from(y).ok());
    !cell.is_some_and(|(x, y)| map.is_free(Cell::new(x, y)))
}

/// Whether the open line between two points crosses the inside of a blocked cell, or passes between two that touch.
fn is_free(map: &GridMap, a: Point, b: Point) -> bool {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let overlap = |p: i64, q: i64, low: i64| {
        let (least, most) = (p.min(q), p.max(q));
        least < low + 2 && most > low
    };
    let side = |x: i64, y: i64| (dx * (y - a.1) - dy * (x - a.0)).signum();
    for y in -1..=i64::from(map.height()) {
        for x in -1..=i64::from(map.width()) {
            let (left, top) = (2 * x, 2 * y);
            let corners = [(left, top), (left + 2, top), (left, top + 2), (left + 2, top + 2)];
            let sides = corners.map(|(x, y)| side(x, y));
            let is_crossed = sides.contains(&1)
                && sides.contains(&-1)
                && overlap(a.0, b.0, left)
                && overlap(a.1, b.1, top);
            if is_crossed && is_blocked(map, x, y) {
                return false;
            }
            // Its left upper corner inside of the line, and the four cells around that.
            let product = (left - a.0) * (b.0 - left) + (top - a.1) * (b.1 - top);
            if side(left, top) == 0 && product > 0 && (left, top) != a && (left, top) != b {
                let [nw, ne, sw, se] = [(-1, -1), (0, -1), (-1, 0), (0, 0)]
                    .map(|(right, down)| is_blocked(map, x + right, y + down));
                if dx * dy > 0 && ne && sw || dx * dy < 0 && nw && se {
                    return false;
                }
                if dx * dy == 0 && (nw && se && !ne && !sw || ne && sw && !nw && !se) {
                    return false;
                }
            }
            // The side above or to the left of it, as a part of the line.
            let lies_on = |p: i64, q: i64, low: i64| p.min(q) <= low && low + 2 <= p.max(q);
            let above = dy == 0 && a.1 == top && lies_on(a.0, b.0, left);
            let beside = dx == 0 && a.0 == left && lies_on(a.1, b.1, top);
            if (above && is_blocked(map, x, y - 1) || beside && is_blocked(map, x - 1, y))
                && is_blocked(map, x, y)
            {
                return false;
            }
        }
    }
    true
}

#[expect(clippy::cast_precision_loss, reason = "maps are small")]
fn length(a: Point, b: Point) -> f64 {
    let square = |number: i64| number * number;
    ((square(a.0 - b.0) + square(a.1 - b.1)) as f64).sqrt() / 2.0
}

fn centre(cell: Cell) -> Point {
    (2 * i64::from(cell.x) + 1, 2 * i64::from(cell.y) + 1)
}

/// The shortest length through all corners of all cells, but those between two blocked cells, and all centres of free cells.
fn shortest(map: &GridMap, start: Cell, goal: Cell) -> Option<f64> {
    let mut points: Vec<Point> = cells(map).filter(|&c| map.is_free(c)).map(centre).collect();
    for y in 0..=i64::from(map.height()) {
        for x in 0..=i64::from(map.width()) {
            let [nw, ne, sw, se] = [(-1, -1), (0, -1), (-1, 0), (0, 0)]
                .map(|(right, down)| is_blocked(map, x + right, y + down));
            if !(nw && se || ne && sw) {
                points.push((2 * x, 2 * y));
            }
        }
    }
    let next = |&from: &Point| {
        let points = points.iter().filter(move |&&to| to != from && is_free(map, from, to));
        points.map(|&to| (to, length(from, to))).collect::<Vec<_>>()
    };
    let problem = FnProblem::new(next, |_: &Point| 0.0, |&point: &Point| point == centre(goal));
    dijkstra(&problem, centre(start)).unwrap().cost()
}

#[expect(clippy::cast_possible_truncation, reason = "they are whole numbers")]
fn point(waypoint: Waypoint) -> Point {
    ((waypoint.x() * 2.0) as i64, (waypoint.y() * 2.0) as i64)
}

#[test]
fn routes_of_any_angle_are_shortest() {
    let (mut found, mut shorter) = (0, 0);
    for seed in 0..rounds(50) {
        let mut random = Random::new(seed);
        let map = random_map(&mut random);
        let free: Vec<Cell> = cells(&map).filter(|&cell| map.is_free(cell)).collect();
        if free.is_empty() {
            continue;
        }
        let (start, goal) = (free[random.index(free.len())], free[random.index(free.len())]);
        let path = astar(&map.any_angle_to([goal]), Waypoint::centre(start)).unwrap().into_path();
        let expected = shortest(&map, start, goal);
        let Some(path) = path else {
            assert_eq!(expected, None, "seed {seed}: {map}{start} {goal}");
            continue;
        };
        let expected = expected.unwrap_or_else(|| panic!("seed {seed}: {map}{start} {goal}"));
        let cost = path.cost();
        assert!(
            (cost - expected).abs() < 1e-9,
            "seed {seed}: {cost} {expected}\n{map}{start} {goal}"
        );
        let points: Vec<Point> = path.states().iter().copied().map(point).collect();
        assert!(points.windows(2).all(|step| is_free(&map, step[0], step[1])), "seed {seed}");

        let steps = AStar::new(map.route_by::<EightWayFloat>(goal)).search(start).run().unwrap();
        if let Some(by_steps) = steps.path() {
            assert!(cost <= by_steps.cost() + 1e-9, "seed {seed}");
            let straight = map.straighten(by_steps.states());
            let ends = (straight.first(), straight.last());
            assert_eq!(ends, (Some(&start), Some(&goal)), "seed {seed}");
            let lengths = straight.windows(2).map(|line| length(centre(line[0]), centre(line[1])));
            let smoothed: f64 = lengths.sum();
            assert!(cost <= smoothed + 1e-9 && smoothed <= by_steps.cost() + 1e-9, "seed {seed}");
            assert!(straight.windows(2).all(|line| is_free(
                &map,
                centre(line[0]),
                centre(line[1])
            )));
            shorter += u32::from(cost < by_steps.cost() - 1e-9);
        }
        found += 1;
    }
    assert!(is_enough(found, 25) && is_enough(shorter, 12), "{found} {shorter}");
}

#[test]
fn cells_see_each_other_along_free_lines() {
    let mut seen = [0; 2];
    for seed in 0..rounds(40) {
        let map = random_map(&mut Random::new(seed));
        for from in cells(&map) {
            for to in cells(&map) {
                let ends = map.is_free(from) && map.is_free(to);
                let expected = ends && is_free(&map, centre(from), centre(to));
                assert_eq!(map.sees(from, to), expected, "seed {seed}: {map}{from} {to}");
                seen[usize::from(expected)] += 1;
            }
        }
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "{seen:?}");
}

#[test]
fn points_that_are_none_lead_nowhere() {
    let map = GridMap::from_rows("..#\n...\n").unwrap();
    let goal = Cell::new(0, 0);
    let search = |start: Waypoint, goals: &[Cell]| {
        let route = AnyAngleRoute::new(&map, goals.iter().copied());
        AStar::new(route).search(start).run().unwrap()
    };
    for start in [Cell::new(2, 0), Cell::new(3, 0), Cell::new(0, u16::MAX)] {
        let report = search(Waypoint::centre(start), &[goal]);
        assert_eq!(report.outcome, Outcome::Exhausted);
    }
    let start = Waypoint::centre(Cell::new(2, 1));
    assert_eq!(search(start, &[Cell::new(2, 0), Cell::new(9, 9)]).outcome, Outcome::Exhausted);
    assert_eq!(search(start, &[]).outcome, Outcome::Exhausted);
    // The nearer of two, around the corner.
    let report = search(Waypoint::centre(Cell::new(1, 0)), &[Cell::new(2, 1), Cell::new(0, 1)]);
    assert!((report.cost().unwrap() - 2_f64.sqrt()).abs() < 1e-9);
}

/// Every free cell of a map that is one side of 65,535 cells can be a goal.
#[test]
fn the_longest_map_has_routes() {
    let map = GridMap::new(u16::MAX, 3, |cell| cell.y != 1 || cell.x + 1 == u16::MAX).unwrap();
    let goal = map.any_angle_to([Cell::new(0, 2)]);
    let path = astar(&goal, Waypoint::centre(Cell::new(0, 0))).unwrap().into_path().unwrap();
    assert_eq!(path.states().len(), 4);
    assert!((path.cost() - (1.0 + 2.0 * (65_533.5_f64.powi(2) + 0.25).sqrt())).abs() < 1e-6);
}

#[test]
fn routes_of_any_angle_on_maps_of_games_are_shorter() {
    for (name, stride) in [("arena", 10), ("den312d", 40)] {
        let Some(map) = support::data::data(&format!("movingai/{name}.map")) else { return };
        let Some(scenario) = support::data::data(&format!("movingai/{name}.map.scen")) else {
            return;
        };
        let map: GridMap = fs::read_to_string(map).unwrap().parse().unwrap();
        let scenario: Scenario = fs::read_to_string(scenario).unwrap().parse().unwrap();
        for query in scenario.queries.iter().step_by(stride) {
            let route = map.any_angle_to([query.goal]);
            let path = astar(&route, Waypoint::centre(query.start)).unwrap().into_path().unwrap();
            let least = Waypoint::centre(query.start).distance(Waypoint::centre(query.goal));
            assert!(path.cost() <= query.length + 1e-4 && path.cost() >= least - 1e-9, "{query:?}");
        }
    }
}
