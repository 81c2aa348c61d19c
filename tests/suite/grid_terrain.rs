//! Maps with terrain: every step compared with its definition, searches with the map after changes, what is read.

use std::f64::consts::SQRT_2;
use std::sync::Arc;

use bestfirst::problems::grid_map::{
    Cell, Corners, GridMap, GridRoute, MapError, Movement, Scenario, Terrain, TerrainCost,
    TerrainCosts, TerrainMap, TerrainRoute,
};
use bestfirst::{
    AStar, AStarSearch, Bidirectional, Cost, DenseStates, Dijkstra, Outcome, Replanner, Reversible,
    SearchProblem, Successors, check,
};
use support::erased::boxed;
use support::random::{every, rounds};

use support::random::Random;

/// The rules of a route, as the test understands them.
#[derive(Clone, Copy, Debug)]
struct Rules {
    neighbours: u8,
    corners: Corners,
    is_mean: bool,
    size: u16,
    straight: u64,
    diagonal: u64,
}

impl Rules {
    fn random(random: &mut Random) -> Self {
        let neighbours = [4, 6, 8][random.index(3)];
        Self {
            neighbours,
            corners: [Corners::BothFree, Corners::OneFree, Corners::Cut][random.index(3)],
            is_mean: random.one_in(3),
            size: if neighbours == 6 { 1 } else { 1 + u16::try_from(random.below(3)).unwrap() },
            straight: 4 * random.below(4),
            diagonal: 4 * random.below(6),
        }
    }

    fn steps<C: TerrainCost>(&self, cost: impl Fn(u64) -> C) -> Movement<C> {
        let (straight, diagonal) = (cost(self.straight), cost(self.diagonal));
        let steps = match self.neighbours {
            4 => Movement::four(straight),
            6 => Movement::six(straight),
            _ => Movement::eight(straight, diagonal),
        };
        let steps = steps.corners(self.corners).size(u8::try_from(self.size).unwrap());
        if self.is_mean { steps.mean() } else { steps }
    }
}

/// A map, as the test understands it.
#[derive(Clone)]
struct Model {
    width: i32,
    height: i32,
    /// In multiples of 4, so that means are whole.
    costs: Vec<Option<u64>>,
    closed: Vec<(Cell, Cell)>,
}

impl Model {
    fn random(random: &mut Random) -> Self {
        let (width, height) = (1 + random.index(9), 1 + random.index(7));
        let free = 1 + random.below(5);
        let costs = (0..width * height)
            .map(|_| (!random.one_in(free + 1)).then(|| 4 * random.below(9)))
            .collect();
        let (width, height) = (i32::try_from(width).unwrap(), i32::try_from(height).unwrap());
        Self { width, height, costs, closed: Vec::new() }
    }

    fn size(&self) -> (u16, u16) {
        (u16::try_from(self.width).unwrap(), u16::try_from(self.height).unwrap())
    }

    fn cells(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    fn cost(&self, (x, y): (i32, i32)) -> Option<u64> {
        let is_inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        is_inside.then(|| self.costs[usize::try_from(y * self.width + x).unwrap()])?
    }

    /// What an agent pays for being here, if it fits in.
    fn of_agent(&self, (x, y): (i32, i32), rules: Rules) -> Option<u64> {
        let size = i32::from(rules.size);
        let cells = (0..size).flat_map(|dy| (0..size).map(move |dx| (x + dx, y + dy)));
        cells.map(|cell| self.cost(cell)).try_fold(0, |most, cost| Some(most.max(cost?)))
    }

    /// The cost of the step, if there is one.
    fn step(&self, from: (i32, i32), to: (i32, i32), rules: Rules) -> Option<u64> {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        if dx.abs().max(dy.abs()) != 1 || self.closed.contains(&(cell(from), cell(to))) {
            return None;
        }
        let (here, there) = (self.of_agent(from, rules)?, self.of_agent(to, rules)?);
        let is_diagonal = dx != 0 && dy != 0;
        let mean = here.midpoint(there);
        match rules.neighbours {
            4 if is_diagonal => return None,
            // Rows with odd numbers are shifted to the right.
            6 if is_diagonal && (from.1 % 2 == 0) != (dx < 0) => return None,
            8 if is_diagonal => {
                let beside = [(to.0, from.1), (from.0, to.1)];
                let beside = beside.map(|cell| self.of_agent(cell, rules));
                match rules.corners {
                    Corners::BothFree if beside.contains(&None) => return None,
                    Corners::OneFree if beside == [None; 2] => return None,
                    _ => {}
                }
                let cost = match beside {
                    _ if !rules.is_mean => there,
                    // Rounded down at each mean.
                    [Some(a), Some(b)] => mean.midpoint(a.midpoint(b)),
                    _ => mean,
                };
                return Some(cost * rules.diagonal);
            }
            _ => {}
        }
        Some(if rules.is_mean { mean } else { there } * rules.straight)
    }

    fn map<C: TerrainCost>(&self, of: impl Fn(u64) -> C) -> TerrainMap<C> {
        let (width, height) = self.size();
        let at = |cell: Cell| self.cost((cell.x.into(), cell.y.into())).map(&of);
        let mut map = TerrainMap::new(width, height, at).unwrap();
        self.close(&mut map);
        map
    }

    fn close<C: TerrainCost>(&self, map: &mut TerrainMap<C>) {
        for from in map.cells() {
            map.set_exits(from, |to| !self.closed.contains(&(from, to)));
        }
    }

    /// Changes a cell or what leads from it, and returns the cell.
    fn change(&mut self, random: &mut Random) -> Cell {
        let index = random.index(self.costs.len());
        let at = cell(self.cells().nth(index).unwrap());
        if random.one_in(4) {
            self.closed.retain(|&(from, _)| from != at);
            for to in self.cells().map(cell) {
                if random.one_in(3) {
                    self.closed.push((at, to));
                }
            }
        } else {
            self.costs[index] = (!random.one_in(2)).then(|| 4 * random.below(9));
        }
        at
    }
}

fn cell((x, y): (i32, i32)) -> Cell {
    Cell::new(u16::try_from(x).unwrap(), u16::try_from(y).unwrap())
}

fn random_cell(random: &mut Random, model: &Model) -> Cell {
    cell(model.cells().nth(random.index(model.costs.len())).unwrap())
}

fn sorted<C: TerrainCost>(steps: &Successors<TerrainRoute<TerrainMap<C>, C>>) -> Vec<(Cell, C)> {
    let mut steps: Vec<_> = steps.as_slice().iter().map(|step| (step.state, step.cost)).collect();
    steps.sort_by(|a, b| a.partial_cmp(b).unwrap());
    steps
}

/// All steps from and to every cell, and the heuristic.
fn check_steps<C: TerrainCost>(
    route: &TerrainRoute<TerrainMap<C>, C>,
    model: &Model,
    rules: Rules,
    of: impl Fn(u64) -> C,
) {
    let mut next = Successors::<TerrainRoute<TerrainMap<C>, C>>::new();
    for here in model.cells() {
        let steps = |back: bool| {
            let all = model.cells().filter_map(|there| {
                let (from, to) = if back { (there, here) } else { (here, there) };
                Some((cell(there), of(model.step(from, to, rules)?)))
            });
            let mut all: Vec<_> = all.collect();
            all.sort_by(|a, b| a.partial_cmp(b).unwrap());
            all
        };
        next.clear();
        route.successors(&cell(here), &mut next);
        assert_eq!(sorted(&next), steps(false), "from {here:?} by {rules:?}");
        next.clear();
        route.predecessors(&cell(here), &mut next);
        assert_eq!(sorted(&next), steps(true), "to {here:?} by {rules:?}");
        let index = route.state_index(&cell(here));
        assert_eq!(route.state_at(index), cell(here));
        assert_eq!(route.can_be_at(cell(here)), model.of_agent(here, rules).is_some());
    }
    let cells = || model.cells().map(cell);
    check::reversible(route, cells()).unwrap();
    check::consistent(route, cells()).unwrap();
    for start in cells().step_by(5) {
        let all = boxed(route);
        let reached = Dijkstra::new(&all).search(start).reach_all().unwrap();
        reached.for_each(|state, cost| {
            assert!(!route.heuristic_from(&start, state).exceeds(cost), "{rules:?}");
        });
    }
}

fn check_random<C: TerrainCost>(seed: u64, of: impl Fn(u64) -> C + Copy) {
    let mut random = Random::new(seed);
    let mut model = Model::random(&mut random);
    for _ in 0..random.below(4) {
        model.change(&mut random);
    }
    let rules = Rules::random(&mut random);
    let goals: Vec<_> = (0..random.below(4)).map(|_| random_cell(&mut random, &model)).collect();
    let steps = rules.steps(of);
    let route = TerrainRoute::new(model.map(of), goals.clone(), steps).unwrap();
    check_steps(&route, &model, rules, of);
    // Changes in place: the same as a map that is made anew; and a search that replans.
    let mut start = random_cell(&mut random, &model);
    let mut search = Replanner::new(route).search(start);
    for _ in 0..12 {
        for _ in 0..random.below(4) {
            let at = model.change(&mut random);
            let problem = search.problem_mut();
            let cost = model.cost((at.x.into(), at.y.into())).map(of);
            let around = problem.set_cost(at, cost).unwrap();
            let closed = &model.closed;
            assert_eq!(problem.set_exits(at, |to| !closed.contains(&(at, to))), around);
            around.for_each(|cell| search.changed(&cell));
        }
        if random.one_in(2) {
            start = random_cell(&mut random, &model);
            search.moved_to(&start);
        }
        let report = search.run().unwrap();
        let fresh = TerrainRoute::new(model.map(of), goals.clone(), steps).unwrap();
        let expected = Dijkstra::new(&boxed(&fresh)).search(start).run().unwrap();
        assert_eq!(report.cost().is_some(), expected.cost().is_some());
        if let (Some(path), Some(cost)) = (report.path(), expected.cost()) {
            path.verify(&fresh).unwrap();
            assert!(!path.cost().exceeds(cost) && !cost.exceeds(path.cost()));
        }
    }
    check_steps(search.problem(), &model, rules, of);
    for cell in search.problem().map().cells() {
        assert_eq!(search.problem().map().clearance(cell), model.map(of).clearance(cell));
    }
}

#[test]
fn steps_are_as_they_are_defined_and_changes_are_as_made_anew() {
    for seed in 0..rounds(60) {
        match seed % 3 {
            0 => check_random(seed, |units| u32::try_from(units).unwrap()),
            1 => check_random(seed, |units| f64::from(u32::try_from(units).unwrap())),
            _ => check_random(seed, |units| i64::try_from(units).unwrap()),
        }
    }
}

#[test]
fn sums_of_floats_keep_the_heuristic_below_them() {
    let mut random = Random::new(5);
    let costs: Vec<f32> = (0..3000)
        .map(|_| f32::from(u8::try_from(random.below(99)).unwrap()) / 10.0 + 0.1)
        .collect();
    let at = |cell: Cell| Some(costs[usize::from(cell.y) * 60 + usize::from(cell.x)]);
    let map = TerrainMap::new(60, 50, at).unwrap();
    for steps in [Movement::eight(1.0, std::f32::consts::SQRT_2).mean(), Movement::six(0.3)] {
        let route = map.route_to([Cell::new(59, 49)], steps).unwrap();
        assert!(check::consistent(&route, route.map().cells()).is_ok());
        let fresh = Dijkstra::new(&route).search(Cell::new(0, 0)).run().unwrap();
        let report = AStar::new(&route).dense().search(Cell::new(0, 0)).run().unwrap();
        let (cost, expected) = (report.cost().unwrap(), fresh.cost().unwrap());
        assert!(!cost.exceeds(expected) && !expected.exceeds(cost));
        assert!(report.stats.expanded <= fresh.stats.expanded);
    }
}

const MAZE: &str = "\
###########
#S..#...9E#
#.#.#.##.E#
#.#...##.##
###########
";

fn maze(letter: char) -> Terrain<u32> {
    match letter {
        '#' => Terrain::Blocked,
        '.' | 'S' | 'E' => Terrain::Cost(1),
        '1'..='9' => Terrain::Cost(letter as u32 - '0' as u32),
        _ => Terrain::Unknown,
    }
}

#[test]
fn letters_are_read_and_found() {
    let map = TerrainMap::from_rows(MAZE, maze).unwrap();
    assert_eq!(map.to_string(), MAZE);
    assert_eq!((map.width(), map.height()), (11, 5));
    assert_eq!(format!("{map:?}"), "TerrainMap(11×5)");
    assert_eq!(map.find('S'), Ok(Cell::new(1, 1)));
    assert_eq!(map.find('E'), Err(MapError::Letter { letter: 'E', found: 2 }));
    assert_eq!(
        map.find('X').unwrap_err().to_string(),
        "found `X` 0 times on the map, expected it once"
    );
    let ends: Vec<_> = map.places_of('E').collect();
    assert_eq!(ends, [Cell::new(9, 1), Cell::new(9, 2)]);
    assert_eq!((map.cost(Cell::new(8, 1)), map.cost(Cell::new(0, 0))), (Some(9), None));
    assert_eq!((map.letter(Cell::new(8, 1)), map.letter(Cell::new(11, 0))), (Some('9'), None));
    assert!(map.is_free(Cell::new(9, 2)) && !map.is_free(Cell::new(2, 2)));
    // The nearer of two ends.
    let route = map.route_to(ends, Movement::four(1)).unwrap();
    assert_eq!(route.goals().len(), 2);
    let report = AStar::new(&boxed(&route)).search(Cell::new(1, 1)).run().unwrap();
    assert_eq!(report.cost(), Some(2 + 2 + 2 + 2 + 2 + 9 + 1));
    // Letters outside of ASCII, carriage returns and empty rows.
    let map = TerrainMap::from_rows("\n░▒\r\n▒░  \r\n\n", |letter| match letter {
        '░' => Terrain::Cost(1.5),
        '▒' => Terrain::Blocked,
        _ => Terrain::Unknown,
    })
    .unwrap();
    assert_eq!(map.to_string(), "░▒\n▒░\n");
    assert_eq!(map.draw_path(&[Cell::new(1, 1), Cell::new(7, 7)]), "░▒\n▒*\n");
}

#[test]
fn maps_are_equal_if_their_cells_are() {
    let map = || TerrainMap::new(2, 2, |_| Some(5_u32)).unwrap();
    let mut changed = map();
    for cost in [1, 9] {
        changed.set_cost(Cell::new(1, 1), Some(cost)).unwrap();
        assert_ne!(changed, map());
    }
    changed.set_cost(Cell::new(1, 1), Some(5)).unwrap();
    assert_eq!(changed, map());
    changed.set_exits(Cell::new(0, 0), |_| false);
    assert_ne!(changed, map());
    assert_ne!(TerrainMap::new(4, 1, |_| Some(5_u32)).unwrap(), map());
    let rows = |rows: &str| TerrainMap::from_rows(rows, |_| Terrain::Cost(1_u8)).unwrap();
    assert_ne!(rows("ab"), rows("ba"), "letters belong to the map");
    // A map without columns has rows.
    let narrow = TerrainMap::from_file("height 2\nwidth 0\nmap\n\n\n", maze).unwrap();
    assert_eq!((narrow.height(), narrow.to_string()), (2, "\n\n".to_owned()));
}

#[test]
fn bad_maps_are_told_with_line_and_column() {
    let message = |rows: &str| TerrainMap::from_rows(rows, maze).unwrap_err().to_string();
    assert_eq!(message("..\n.é"), "line 2, column 2: found `é`, expected a letter of this map");
    assert_eq!(message("..\n\n.\n"), "line 3, column 2: found a row of 1 cells, expected 2");
    let wide = ".".repeat(65_536);
    assert_eq!(message(&wide), "line 1, column 1: a map has at most 65535 rows and 65535 columns");
    let tall = ".\n".repeat(65_536);
    assert_eq!(
        message(&tall),
        "line 65536, column 1: a map has at most 65535 rows and 65535 columns"
    );
    for cost in [-1.0, f64::NAN, f64::INFINITY] {
        let error = TerrainMap::from_rows("..x", |letter| {
            Terrain::Cost(if letter == 'x' { cost } else { 1.0 })
        });
        assert_eq!(
            error.unwrap_err().to_string(),
            "line 1, column 3: found `x`, expected a letter whose cost is a number, not negative, and less than the \
             largest of its type"
        );
        let error = TerrainMap::new(2, 2, |cell| Some(if cell.x == 1 { cost } else { 1.0 }));
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with(&format!("the cost of the cell (1, 0) is {cost:?};")), "{error}");
        let mut map = TerrainMap::new(2, 2, |_| Some(1.0)).unwrap();
        assert!(matches!(map.set_cost(Cell::new(0, 0), Some(cost)), Err(MapError::Cost { .. })));
        assert_eq!(map.cost(Cell::new(0, 0)), Some(1.0), "nothing changes");
    }
    let file = |text: &str| TerrainMap::from_file(text, maze).unwrap_err().to_string();
    assert_eq!(file("height 1\nmap\n."), "line 2, column 1: `width N` above `map` is missing");
    assert_eq!(
        file("height 1\nwidth 2\nmap\n.x\n"),
        "line 4, column 2: found `x`, expected a letter of this map"
    );
    let rows = "line 1, column 8: found 1 rows, expected 3";
    assert_eq!(file("height 3\nwidth 1\nmap\n.\n"), rows);
    let empty = TerrainMap::from_rows("", maze).unwrap();
    assert_eq!((empty.to_string(), empty.cells().count()), (String::new(), 0));
    let nowhere = Cell::new(0, 0);
    let route = empty.route_to([nowhere], Movement::four(1)).unwrap();
    assert_eq!(
        Dijkstra::new(&boxed(&route)).search(Cell::new(1, 0)).run().unwrap().outcome,
        Outcome::Exhausted
    );
}

/// The distance is exactly the largest value of the type of costs.
#[test]
fn a_distance_of_the_largest_cost_is_no_dead_end() {
    let map = TerrainMap::new(255, 2, |_| Some(1_u8)).unwrap();
    let route = map.route_to([Cell::new(254, 1)], Movement::eight(1, 2)).unwrap();
    let start = Cell::new(0, 0);
    assert!(route.heuristic(&start) < u8::MAX);
    let outcome = AStar::new(&boxed(&route)).search(start).run().map(|report| report.outcome);
    assert!(!matches!(outcome, Ok(Outcome::Exhausted)), "{outcome:?}");
}

#[test]
fn steps_that_cannot_be_are_errors() {
    let map = TerrainMap::new(3, 3, |_| Some(100_u8)).unwrap();
    let goal = [Cell::new(2, 2)];
    let error = |steps| map.route_to(goal, steps).unwrap_err().to_string();
    assert_eq!(
        error(Movement::four(1).size(0)),
        "an agent has the size 0, but sizes are 1 to 16 here"
    );
    assert_eq!(
        error(Movement::four(1).size(17)),
        "an agent has the size 17, but sizes are 1 to 16 here"
    );
    assert_eq!(
        error(Movement::six(1).size(2)),
        "an agent has the size 2, but sizes are 1 to 1 here"
    );
    assert_eq!(
        error(Movement::eight(2, 3)),
        "a step costs 3 times the cost of a cell, which is up to 100; factors must not be negative, and \
         products must fit into the type of the costs"
    );
    assert!(map.route_to(goal, Movement::eight(2, 2)).is_ok());
    let floats = TerrainMap::new(3, 3, |_| Some(1.0)).unwrap();
    for factor in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(floats.route_to(goal, Movement::eight(1.0, factor)).is_err());
    }
    // Only costs that a cell still has count.
    let mut changed = map.clone();
    changed.set_cost(Cell::new(0, 1), Some(200)).unwrap();
    let fault = changed.route_to(goal, Movement::four(2)).unwrap_err();
    assert!(fault.to_string().contains("up to 200"), "{fault}");
    changed.set_cost(Cell::new(0, 1), Some(90)).unwrap();
    let fault = changed.route_to(goal, Movement::four(3)).unwrap_err();
    assert!(fault.to_string().contains("up to 100"), "{fault}");
    assert!(changed.route_to(goal, Movement::four(2)).is_ok());
    // A cell may not become too dear for the steps of its route.
    let mut route = TerrainRoute::new(map, goal, Movement::four(2)).unwrap();
    let cell = Cell::new(1, 1);
    assert!(matches!(route.set_cost(cell, Some(128)), Err(MapError::Factor { .. })));
    assert_eq!(route.map().cost(cell), Some(100));
    assert_eq!(route.set_cost(cell, Some(127)).map(Iterator::count), Ok(9));
    assert_eq!(route.set_cost(Cell::new(9, 9), None).map(Iterator::count), Ok(0));
    // Costs near the largest: sums overflow, steps do not.
    let error = AStar::new(&boxed(&route)).search(Cell::new(0, 0)).run();
    assert!(error.is_err(), "four steps of 200");
}

#[test]
fn a_map_may_become_cheaper_than_it_ever_was() {
    let map = TerrainMap::new(9, 1, |_| Some(5_u32)).unwrap();
    let mut route = TerrainRoute::new(map, [Cell::new(8, 0)], Movement::four(1)).unwrap();
    assert_eq!(route.heuristic(&Cell::new(0, 0)), 40);
    let _ = route.set_cost(Cell::new(4, 0), Some(0)).unwrap();
    assert_eq!(route.heuristic(&Cell::new(0, 0)), 0);
    assert!(check::consistent(&route, route.map().cells()).is_ok());
    let report = AStar::new(&boxed(&route)).search(Cell::new(0, 0)).run().unwrap();
    assert_eq!(report.cost(), Some(35));
    let blocked = TerrainMap::new(2, 1, |_| None::<u32>).unwrap();
    let mut route = TerrainRoute::new(blocked, [Cell::new(1, 0)], Movement::four(1)).unwrap();
    assert_eq!(route.heuristic(&Cell::new(0, 0)), u32::MAX);
    for x in 0..2 {
        let _ = route.set_cost(Cell::new(x, 0), Some(3)).unwrap();
    }
    assert_eq!(route.heuristic(&Cell::new(0, 0)), 3);
}

/// A search beside its map, in one struct, of both kinds of maps.
#[test]
fn a_search_lives_beside_its_map() {
    struct Unit {
        map: Arc<TerrainMap<f32>>,
        search: AStarSearch<TerrainRoute<Arc<TerrainMap<f32>>, f32>>,
        grid: Arc<GridMap>,
        grid_search: AStarSearch<GridRoute<Arc<GridMap>>>,
    }
    let map = Arc::new(TerrainMap::new(20, 20, |_| Some(1.0_f32)).unwrap());
    let grid = Arc::new(GridMap::new(20, 20, |_| true).unwrap());
    let (start, goal) = (Cell::new(0, 0), Cell::new(19, 0));
    let route = TerrainRoute::new(Arc::clone(&map), [goal], Movement::four(1.0)).unwrap();
    let grid_route = GridRoute::new(Arc::clone(&grid), goal);
    let search = AStar::new(route).search(start);
    let mut unit = Unit { map, search, grid_search: AStar::new(grid_route).search(start), grid };
    assert_eq!(unit.search.run().unwrap().cost(), Some(19.0));
    assert_eq!(unit.grid_search.run().unwrap().cost().unwrap().to_string(), "19");
    // The map of the next frame.
    Arc::make_mut(&mut unit.map).set_cost(Cell::new(5, 0), None).unwrap();
    let _ = Arc::make_mut(&mut unit.grid).set_free(Cell::new(5, 0), false);
    let route = TerrainRoute::new(Arc::clone(&unit.map), [goal], Movement::four(1.0)).unwrap();
    unit.search.restart_with(route, start);
    assert_eq!(unit.search.run().unwrap().cost(), Some(21.0));
    unit.grid_search.restart_with(GridRoute::new(Arc::clone(&unit.grid), goal), start);
    assert!(unit.grid_search.run().unwrap().cost().unwrap().to_f64() > 19.5);
    let report = std::thread::spawn(move || unit.search.run()).join().unwrap().unwrap();
    assert_eq!(report.cost(), Some(21.0));
}

/// A `GridMap` on which cells are freed and blocked is the same as one that is made so.
#[test]
fn cells_of_a_uniform_map_are_set() {
    let mut random = Random::new(9);
    for _ in 0..50 {
        let (width, height) = (1 + random.below(8), 1 + random.below(8));
        let (width, height) = (u16::try_from(width).unwrap(), u16::try_from(height).unwrap());
        let mut map = GridMap::new(width, height, |_| true).unwrap();
        for _ in 0..60 {
            let x = u16::try_from(random.below(9)).unwrap();
            let cell = Cell::new(x, u16::try_from(random.below(9)).unwrap());
            let free = random.one_in(2);
            let before = map.is_free(cell);
            let around = map.set_free(cell, free);
            assert_eq!(around.len() > 0, map.contains(cell) && before != free);
            let rows = GridMap::from_rows(&map.to_string()).unwrap();
            assert!(map == rows, "{map}");
        }
    }
}

#[test]
fn costs_of_letters_are_read() {
    let costs: TerrainCosts = ". 1\n\nG 2.5\r\n@ 0\n".parse().unwrap();
    assert_eq!(costs.terrain('.'), Terrain::Cost(1.0));
    assert_eq!(costs.terrain('G'), Terrain::Cost(2.5));
    assert_eq!((costs.terrain('@'), costs.terrain('x')), (Terrain::Blocked, Terrain::Unknown));
    let message = |text: &str| text.parse::<TerrainCosts>().unwrap_err().to_string();
    assert_eq!(message("ab 1"), "line 1, column 1: found `ab`, expected a letter");
    assert_eq!(
        message(". 1\n. 2"),
        "line 2, column 1: found `.`, expected another letter; this line is a duplicate"
    );
    assert_eq!(message(". 1 2"), "line 1, column 5: found `2`, expected the end of the line");
    for cost in ["-1", "x", "inf", "NaN"] {
        assert_eq!(
            message(&format!("\n. {cost}")),
            format!("line 2, column 3: found `{cost}`, expected a cost, 0 for a blocked cell")
        );
    }
    assert_eq!(
        message("."),
        "line 1, column 2: found the end of the line, expected a cost, 0 for a blocked cell"
    );
}

/// Where all cells cost 1, terrain is the uniform map: the queries of a `MovingAI` map by it.
#[test]
fn uniform_queries_have_the_same_lengths() {
    let Some(map) = support::data::data("movingai/den312d.map") else { return };
    let Some(scenario) = support::data::data("movingai/den312d.map.scen") else { return };
    let costs: TerrainCosts = ". 1\nG 1\nS 1\n@ 0\nO 0\nT 0\nW 0\n".parse().unwrap();
    let text = std::fs::read_to_string(map).unwrap();
    let scenario = std::fs::read_to_string(scenario).unwrap();
    check_queries(&text, &scenario, &costs, every(4));
}

/// The weighted queries: for each `NAME.map` in `movingai/weighted` with its `NAME.map.scen`, the costs of its letters
/// are in `NAME.map.costs` or, for all maps, in `costs`.
#[test]
fn weighted_queries_have_the_same_lengths() {
    let Some(folder) = support::data::data("movingai/weighted") else { return };
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "map") {
            continue;
        }
        let read = |ending: &str| std::fs::read_to_string(format!("{}{ending}", path.display()));
        let costs = read(".costs").or_else(|_| std::fs::read_to_string(folder.join("costs")));
        let costs: TerrainCosts = costs.unwrap().parse().unwrap();
        count += check_queries(&read("").unwrap(), &read(".scen").unwrap(), &costs, 1);
    }
    assert!(count > 0, "there are no maps in {}", folder.display());
    println!("{count} weighted queries");
}

/// Answers every `stride`-th query of a map and returns how many there are.
fn check_queries(map: &str, scenario: &str, costs: &TerrainCosts, stride: usize) -> usize {
    let map = TerrainMap::from_file(map, |letter| costs.terrain(letter)).unwrap();
    let scenario: Scenario = scenario.parse().unwrap();
    let steps = Movement::eight(1.0, SQRT_2).mean();
    let anywhere = Cell::new(0, 0);
    let first = map.route_to([anywhere], steps).unwrap();
    let mut search = AStar::new(first).dense().search(anywhere);
    for query in scenario.queries.iter().step_by(stride) {
        assert_eq!((map.width(), map.height()), (query.width, query.height));
        let route = map.route_to([query.goal], steps).unwrap();
        search.restart_with(route, query.start);
        let cost = search.run().unwrap().cost().expect("there is a path");
        let off = (cost - query.length).abs();
        assert!(off <= 0.0051 + 1e-6 * cost, "{query:?} is off by {off}");
    }
    scenario.queries.len()
}

/// A blocked start was found at no cost, because it was a goal.
#[test]
fn a_blocked_start_is_no_goal() {
    let mut map = TerrainMap::new(4, 1, |_| Some(1_u32)).unwrap();
    let blocked = Cell::new(1, 0);
    map.set_cost(blocked, None).unwrap();
    let off = Cell::new(9, 9);
    let goals = [blocked, off, Cell::new(3, 0)];
    let route = TerrainRoute::new(map, goals, Movement::four(1)).unwrap();
    for start in [blocked, off] {
        let report = AStar::new(&boxed(&route)).search(start).run().unwrap();
        assert_eq!(report.outcome, Outcome::Exhausted);
        let report = Bidirectional::new(&route).search(start).run().unwrap();
        assert_eq!(report.outcome, Outcome::Exhausted);
        let report = Replanner::new(route.clone()).search(start).run().unwrap();
        assert_eq!(report.outcome, Outcome::Exhausted);
    }
    assert_eq!(AStar::new(&boxed(&route)).search(Cell::new(2, 0)).run().unwrap().cost(), Some(1));
    assert!(check::reversible(&route, (0..4).map(|x| Cell::new(x, 0))).is_ok());
}

/// A step may cost the largest value of its type, as in any problem.
#[test]
fn a_step_of_the_largest_cost_is_a_step() {
    let map = TerrainMap::new(2, 1, |_| Some(51_u8)).unwrap();
    let route = map.route_to([Cell::new(1, 0)], Movement::four(5)).unwrap();
    let report = AStar::new(&boxed(&route)).search(Cell::new(0, 0)).run().unwrap();
    assert_eq!(report.cost(), Some(u8::MAX));
    assert!(map.route_to([Cell::new(1, 0)], Movement::four(6)).is_err());
}

/// The slack of floats was a fixed part, and a sum of many equal costs may be wrong by more.
#[test]
fn a_repeated_cost_is_no_more_than_the_sum() {
    fn check<C: TerrainCost>(cost: C) {
        let mut sum = C::ZERO;
        for count in 1..=131_070 {
            sum = sum.checked_add(cost).unwrap();
            let bound = cost.repeated(count);
            assert!(
                C::ZERO <= bound && bound <= sum,
                "{bound:?} for {count} times {cost:?}: {sum:?}"
            );
        }
        assert!(cost.repeated(u32::MAX) >= C::ZERO);
    }
    for cost in [0.1, 0.2, 0.3, 0.544_676_66, 0.598_51, 0.7, 0.8, 1.1, 3.0_f32, f32::MIN_POSITIVE] {
        check(cost);
        check(f64::from(cost));
    }
}
