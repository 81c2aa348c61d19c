//! Jump points: their routes are as long as those of single steps, and can be taken apart into them.

use bestfirst::problems::grid_map::{
    Cell, EightWayFloat, GridMap, JumpMoves, JumpPoint, JumpPoints, Length, Moves,
};
use bestfirst::{AStar, DenseStates, Dijkstra};

/// A map that depends on the seed; one cell in `one_in` is blocked, in blocks of `size` cells squared.
fn random_map(seed: u64, width: u16, height: u16, one_in: u64, size: u16) -> GridMap {
    GridMap::new(width, height, |cell| {
        let block = u64::from(cell.y / size) << 16 | u64::from(cell.x / size);
        let mixed = (seed << 32 ^ block).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        !(mixed >> 32).is_multiple_of(one_in)
    })
    .unwrap()
}

fn cells(map: &GridMap) -> impl Iterator<Item = Cell> + use<> {
    let (width, height) = (map.width(), map.height());
    (0..height).flat_map(move |y| (0..width).map(move |x| Cell { x, y }))
}

/// Compares the routes between every pair of cells with the exact lengths, and follows their steps.
fn check_all_pairs(map: &GridMap) {
    let jumps = JumpPoints::new(map).unwrap();
    let corner = Cell::new(0, 0);
    let mut search = AStar::new(jumps.route_to(corner)).dense().search(JumpPoint::start(corner));
    for goal in cells(map) {
        // Every step can be taken back: these are the lengths to the goal as well.
        let exact = Dijkstra::new(map.route_to(goal)).dense().search(goal).reach_all().unwrap();
        let route = jumps.route_to(goal);
        for start in cells(map) {
            search.restart_with(route, JumpPoint::start(start));
            let report = search.run().unwrap();
            let length = exact.cost_of(&start).filter(|_| start == goal || map.is_free(goal));
            assert_eq!(report.cost(), length, "from {start} to {goal}\n{map}");
            assert_eq!(report.stats.reopened, 0, "the heuristic is consistent");
            let Some(path) = report.path() else { continue };
            path.verify(&route).unwrap();
            let steps = route.cell_path(path).unwrap();
            assert_eq!(Some(steps.cost()), length);
            assert_eq!((steps.start(), steps.end()), (&start, &goal));
            steps.verify(&map.route_to(goal)).unwrap();
        }
    }
}

#[test]
fn jumps_between_all_cells_of_random_maps_have_exact_lengths() {
    for (seed, number) in (0..49).zip(0_u16..) {
        let (width, height) = (2 + number % 7, 1 + number / 5);
        let forms = [(2, 1), (3, 1), (5, 1), (12, 1), (3, 2), (6, 3), (40, 1)];
        // Each with every width.
        let (one_in, size) = forms[usize::from(number / 7)];
        check_all_pairs(&random_map(seed, width, height, one_in, size));
    }
}

#[test]
fn jumps_over_many_words_have_exact_lengths() {
    for seed in 0..6 {
        for (width, height) in [(200, 3), (3, 200), (131, 70), (64, 64), (65, 2), (63, 5)] {
            let map = random_map(seed, width, height, 4 + seed * 5, 1 + (seed % 4) as u16);
            let jumps = JumpPoints::new(&map).unwrap();
            let corners = [(0, 0), (width - 1, height - 1), (width / 2, 0), (0, height / 2)];
            for goal in corners.map(|(x, y)| Cell::new(x, y)) {
                let exact = Dijkstra::new(map.route_to(goal)).dense().search(goal).reach_all();
                let exact = exact.unwrap();
                let route = jumps.route_to(goal);
                for start in cells(&map).step_by(17) {
                    let report = AStar::new(route).search(JumpPoint::start(start)).run().unwrap();
                    let length =
                        exact.cost_of(&start).filter(|_| map.is_free(goal) || start == goal);
                    assert_eq!(report.cost(), length, "from {start} to {goal}\n{map}");
                }
            }
        }
    }
}

#[test]
fn float_costs_and_chess_kings_jump_as_well() {
    struct King;
    impl Moves for King {
        type Cost = u32;
        const STRAIGHT: u32 = 1;
        const DIAGONAL: Option<u32> = Some(1);
        fn estimate(dx: u16, dy: u16) -> u32 {
            dx.max(dy).into()
        }
    }
    impl JumpMoves for King {
        fn run(straight: u16, diagonal: u16) -> u32 {
            u32::from(straight) + u32::from(diagonal)
        }
    }
    for seed in 0..15 {
        let map = random_map(seed, 9, 8, 3, 1);
        let jumps = JumpPoints::new(&map).unwrap();
        for goal in cells(&map).step_by(5) {
            for start in cells(&map).step_by(3) {
                let point = JumpPoint::start(start);
                let plain = AStar::new(map.route_by::<King>(goal)).search(start).run().unwrap();
                let king = AStar::new(jumps.route_by::<King>(goal)).search(point).run().unwrap();
                assert_eq!(king.cost(), plain.cost(), "from {start} to {goal}\n{map}");
                let plain = AStar::new(map.route_by::<EightWayFloat>(goal)).search(start).run();
                let float = AStar::new(jumps.route_by::<EightWayFloat>(goal)).search(point).run();
                let (plain, float) = (plain.unwrap().cost(), float.unwrap().cost());
                assert_eq!(plain.is_some(), float.is_some());
                assert!(plain.zip(float).is_none_or(|(a, b)| (a - b).abs() < 1e-9));
            }
        }
    }
}

#[test]
fn jump_points_are_numbered() {
    let map = random_map(1, 7, 5, 4, 1);
    let jumps = JumpPoints::new(&map).unwrap();
    let route = jumps.route_to(Cell::new(3, 3));
    assert!(route.state_count() > 35 && route.route().goal() == Cell::new(3, 3));
    for index in 0..route.state_count() {
        assert_eq!(route.state_index(&route.state_at(index)), index);
    }
    for outside in [Cell::new(7, 0), Cell::new(0, 5), Cell::new(u16::MAX, u16::MAX)] {
        assert!(route.state_index(&JumpPoint::start(outside)) >= route.state_count());
    }
}

#[test]
fn starts_and_goals_off_the_map_are_no_trouble() {
    for (width, height) in [(0, 0), (5, 0), (0, 3), (4, 3)] {
        let map = GridMap::new(width, height, |_| true).unwrap();
        let jumps = JumpPoints::new(&map).unwrap();
        for (start, goal) in
            [((0, 0), (9, 9)), ((9, 9), (0, 0)), ((9, 1), (9, 1)), ((3, 2), (3, 9))]
        {
            let (start, goal) = (Cell::new(start.0, start.1), Cell::new(goal.0, goal.1));
            let report = AStar::new(jumps.route_to(goal)).search(JumpPoint::start(start)).run();
            assert_eq!(report.unwrap().cost().is_some(), start == goal);
        }
    }
    let largest = GridMap::new(u16::MAX, 1, |_| true).unwrap();
    let jumps = JumpPoints::new(&largest).unwrap();
    let (first, last) = (Cell::new(0, 0), Cell::new(u16::MAX - 1, 0));
    for (start, goal) in [(first, last), (last, first)] {
        let route = jumps.route_to(goal);
        let report = AStar::new(route).search(JumpPoint::start(start)).run().unwrap();
        assert_eq!(report.cost(), Some(Length::octile(u16::MAX - 1, 0)));
        let steps = route.cell_path(report.path().unwrap()).unwrap();
        assert_eq!(steps.len(), usize::from(u16::MAX - 1));
    }
}
