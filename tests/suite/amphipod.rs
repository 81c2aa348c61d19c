//! The two forms of the burrow against each other, and the literal form against brute force.

use std::collections::BinaryHeap;
use std::time::Duration;

use bestfirst::problems::amphipod::{Burrow, DetourBound, Frame, Literal, Reduced, Rules};
use bestfirst::{
    AStar, BranchAndBound, BreadthFirst, Dijkstra, IdaStar, Limits, Outcome, SearchProblem,
    StopReason, SuccessorBuffer,
};
use cpu_time::ProcessTime;
use rustc_hash::FxHashMap;
use support::random::{every, rounds};

/// A xorshift generator, so that the tests are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

fn draw(left: usize, right: usize, hallway: &str, rooms: &[Vec<char>]) -> String {
    let width = left + 2 * rooms.len() - 1 + right;
    let hallway = if hallway.is_empty() { ".".repeat(width) } else { hallway.to_owned() };
    let wall = "#".repeat(width + 2);
    let mut lines = vec![wall, format!("#{hallway}#")];
    for depth in 0..rooms[0].len() {
        let outside = if depth == 0 { "#" } else { " " };
        let cells: Vec<String> = rooms.iter().map(|room| room[depth].to_string()).collect();
        let (left, right) = (outside.repeat(left), outside.repeat(right));
        lines.push(format!("{left}#{}#{right}", cells.join("#")));
    }
    lines.push(" ".repeat(left) + &"#".repeat(2 * rooms.len() + 1));
    lines.join(
        "
",
    )
}

/// A random burrow with at most `outside` amphipods in the hallway.
fn random_burrow(random: &mut Random, rooms: usize, depth: usize, outside: usize) -> Burrow {
    let (left, right) = (random.below(4), random.below(4));
    let mut all: Vec<char> =
        ('A'..).take(rooms).flat_map(|kind| std::iter::repeat_n(kind, depth)).collect();
    for i in (1..all.len()).rev() {
        all.swap(i, random.below(i + 1));
    }
    let width = left + 2 * rooms - 1 + right;
    let mut hallway = vec!['.'; width];
    let mut spots: Vec<usize> = (0..width)
        .filter(|&x| x < left || (x - left) % 2 == 1 || x > left + 2 * rooms - 2)
        .collect();
    let mut cells: Vec<Vec<char>> = all.chunks(depth).map(<[char]>::to_vec).collect();
    for _ in 0..outside {
        if spots.is_empty() {
            break;
        }
        let spot = spots.swap_remove(random.below(spots.len()));
        let room = random.below(rooms);
        // Mostly the topmost leaves the room; sometimes another one, which leaves a gap.
        let first = cells[room].iter().position(|&c| c != '.');
        let depth = if random.below(8) == 0 { Some(random.below(depth)) } else { first };
        if let Some(depth) = depth.filter(|&depth| cells[room][depth] != '.') {
            hallway[spot] = std::mem::replace(&mut cells[room][depth], '.');
        }
    }
    let text = draw(left, right, &hallway.iter().collect::<String>(), &cells);
    Burrow::parse(&text).unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

/// Checks that the moves between the frames are legal in the literal form and cost `energy` in total.
fn check_replay(literal: &Literal<4, u64>, frames: &[Frame], energy: u64) {
    let mut next = SuccessorBuffer::new();
    assert_eq!(frames[0].burrow, *literal.burrow());
    for pair in frames.windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        let (before, after) =
            (literal.pack(&from.burrow).unwrap(), literal.pack(&to.burrow).unwrap());
        assert_eq!(literal.unpack(&after).as_ref(), Some(&to.burrow));
        next.clear();
        literal.successors(&before, &mut next);
        let step = next.as_slice().iter().find(|step| step.state == after);
        let step = step.unwrap_or_else(|| panic!("not legal:\n{from}\n{to}"));
        assert_eq!(u128::from(step.cost), to.energy - from.energy);
        assert_eq!(u128::from(step.cost), to.moved.unwrap().energy());
    }
    let last = frames.last().unwrap();
    assert!(last.burrow.is_solved());
    assert_eq!(last.energy, u128::from(energy));
}

/// Solves the burrow in both forms, with several engines and bounds. All costs must be equal.
fn agree(burrow: &Burrow, thorough: bool) -> Option<u64> {
    let literal: Literal<4, u64> = Literal::new(burrow, Rules::new()).unwrap();
    let by_astar = AStar::new(&literal).search(literal.start()).run().unwrap();
    let energy = by_astar.cost();
    if thorough {
        let by_dijkstra = Dijkstra::new(&literal).search(literal.start()).run().unwrap();
        assert_eq!(by_dijkstra.cost(), energy, "literal, A* against Dijkstra\n{burrow}");
    }
    if let Some(path) = by_astar.path() {
        path.verify(&literal).unwrap();
        check_replay(&literal, &literal.replay(path), path.cost());
    }

    let reduced: Reduced<2, u64> = Reduced::new(burrow).unwrap();
    for problem in [
        reduced.clone(),
        reduced.clone().with_bound(DetourBound::DoorToDoor),
        reduced.clone().without_dead_end_test(),
    ]
    .into_iter()
    .take(if thorough { 3 } else { 1 })
    {
        for report in [
            AStar::new(&problem).search_from([problem.start()]).run().unwrap(),
            Dijkstra::new(&problem).search_from([problem.start()]).run().unwrap(),
        ] {
            assert_eq!(report.cost(), energy, "{problem:?}\n{burrow}");
            match &report.outcome {
                Outcome::Found(path) => {
                    path.verify(&problem).unwrap();
                    check_replay(&literal, &problem.replay(path), path.cost());
                }
                outcome => assert_eq!(*outcome, Outcome::Exhausted),
            }
        }
    }
    energy
}

/// All permutations of the letters.
fn arrangements(letters: &mut [char; 8], from: usize, found: &mut Vec<[char; 8]>) {
    if from == letters.len() {
        found.push(*letters);
        return;
    }
    for i in from..letters.len() {
        if letters[from..i].contains(&letters[i]) {
            continue;
        }
        letters.swap(from, i);
        let mut rest = *letters;
        rest[from + 1..].sort_unstable();
        arrangements(&mut rest, from + 1, found);
        letters.swap(from, i);
    }
}

/// One in `step` of all starts.
fn both_forms_agree_on_starts(step: usize) {
    let mut all = Vec::new();
    arrangements(&mut ['A', 'A', 'B', 'B', 'C', 'C', 'D', 'D'], 0, &mut all);
    assert_eq!(all.len(), 2520);
    let mut solved = 0;
    for (i, letters) in all.into_iter().enumerate().step_by(step) {
        let rooms: Vec<Vec<char>> = letters.chunks(2).map(<[char]>::to_vec).collect();
        let burrow = Burrow::parse(&draw(2, 2, "", &rooms)).unwrap();
        solved += u32::from(agree(&burrow, i % 60 == 0).is_some());
    }
    println!("{solved} solved");
}

#[test]
fn both_forms_agree_on_starts_of_the_puzzles_first_part() {
    both_forms_agree_on_starts(every(220));
}

#[test]
#[ignore = "takes half a minute where nothing is optimised: cargo test --release --test suite -- --ignored both_forms"]
fn both_forms_agree_on_every_start_of_the_puzzles_first_part() {
    both_forms_agree_on_starts(1);
}

/// Rooms and depth.
const SIZES: [(usize, usize); 10] =
    [(1, 1), (1, 4), (2, 1), (2, 2), (2, 3), (2, 5), (3, 1), (3, 2), (3, 3), (5, 1)];

#[test]
fn both_forms_agree_on_random_burrows() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut solved = 0_u64;
    for (_, i) in (0..rounds(200)).zip(0..) {
        let (rooms, depth) = SIZES[i % SIZES.len()];
        let outside = random.below(5);
        let burrow = random_burrow(&mut random, rooms, depth, outside);
        solved += u64::from(agree(&burrow, true).is_some());
    }
    println!("{solved} solved");
    assert!(
        (rounds(33)..rounds(167)).contains(&solved),
        "{solved} solved: too one-sided to mean much"
    );
}

#[test]
fn the_public_example() {
    let burrow = Burrow::example();
    assert_eq!(agree(&burrow, true), Some(12521));
    assert_eq!(agree(&burrow.unfolded().unwrap(), false), Some(44169));
}

#[test]
fn stronger_bounds_expand_fewer_states() {
    let burrow = Burrow::example().unfolded().unwrap();
    let problem: Reduced = Reduced::new(&burrow).unwrap();
    let expanded = |problem: &Reduced| {
        let report = AStar::new(problem).search_from([problem.start()]).run().unwrap();
        report.stats.expanded
    };
    let blind = Dijkstra::new(&problem).search_from([problem.start()]).run().unwrap();
    let plain = problem.clone().with_bound(DetourBound::DoorToDoor);
    let untested = plain.clone().without_dead_end_test();
    let counts = [expanded(&problem), expanded(&plain), blind.stats.expanded, expanded(&untested)];
    // A* may differ by some expansions within its last layer, hence the margin.
    assert!(counts.is_sorted(), "{counts:?}");
    assert!(counts[0] < 4_500 && counts[2] < 5_700 && counts[3] > 30_000, "{counts:?}");
}

/// Dijkstra's algorithm on the drawing as a grid of letters. It shares no code with the crate: it finds all
/// reachable cells by breadth-first search, and then those in which an amphipod may stop.
fn brute_force(drawing: &str, at_doors: bool, along: bool, anywhere: bool) -> Option<u64> {
    // All rows are of one length, one after the other.
    let width = drawing.lines().map(str::len).max()?;
    let row = |line: &str| line.bytes().chain(std::iter::repeat(b'#')).take(width).collect();
    let start: Vec<u8> = drawing.lines().flat_map::<Vec<u8>, _>(row).collect();
    let doors: Vec<usize> = (0..width).filter(|&x| start[2 * width + x] != b'#').collect();
    let bottom = start.len() / width - 2;
    let home = |c: u8| doors[usize::from(c - b'A')];
    let mut best: FxHashMap<Vec<u8>, u64> = FxHashMap::default();
    best.insert(start.clone(), 0);
    let mut open = BinaryHeap::from([(std::cmp::Reverse(0), start)]);
    let mut reached: Vec<(usize, u64)> = Vec::new();
    while let Some((std::cmp::Reverse(g), grid)) = open.pop() {
        if best[&grid] < g {
            continue;
        }
        let is_in = |x: usize, y: usize, c: u8| grid[y * width + x] == c;
        let mut kinds = (b'A'..).take(doors.len());
        if kinds.all(|c| (2..=bottom).all(|y| is_in(home(c), y, c))) {
            return Some(g);
        }
        for from in (0..grid.len()).filter(|&cell| grid[cell].is_ascii_uppercase()) {
            let (c, x, y) = (grid[from], from % width, from / width);
            reached.clear();
            reached.push((from, 0));
            let mut next = 0;
            while let Some(&(cell, far)) = reached.get(next) {
                next += 1;
                for near in [cell - width, cell + width, cell - 1, cell + 1] {
                    if grid[near] == b'.' && reached.iter().all(|&(known, _)| known != near) {
                        reached.push((near, far + 1));
                    }
                }
            }
            for &(to, far) in &reached[1..] {
                let (tx, ty) = (to % width, to / width);
                let rests = ty == bottom || !is_in(tx, ty + 1, b'.');
                let is_clean = || (2..=bottom).all(|d| is_in(tx, d, b'.') || is_in(tx, d, c));
                let legal = if ty == 1 {
                    (at_doors || !doors.contains(&tx)) && (y > 1 || along)
                } else if tx == x && y > 1 {
                    // Down in the same room, where that closes a gap.
                    tx == home(c) && ty > y && rests && is_clean()
                } else {
                    rests && (anywhere || tx == home(c) && is_clean())
                };
                if legal {
                    let cost = g + far * 10_u64.pow(u32::from(c - b'A'));
                    let mut successor = grid.clone();
                    (successor[from], successor[to]) = (b'.', c);
                    let known = best.entry(successor.clone()).or_insert(u64::MAX);
                    if cost < *known {
                        *known = cost;
                        open.push((std::cmp::Reverse(cost), successor));
                    }
                }
            }
        }
    }
    None
}

#[test]
fn every_set_of_rules_agrees_with_brute_force() {
    let mut random = Random(13);
    let mut differ = [0; 8];
    for (_, i) in (0..rounds(24)).zip(0..) {
        let (rooms, depth) = [(1, 2), (2, 1), (2, 2), (3, 1)][i % 4];
        let outside = random.below(3);
        let burrow = random_burrow(&mut random, rooms, depth, outside);
        let text = burrow.to_string();
        let mut by_the_rules = None;
        for (variant, differ) in differ.iter_mut().enumerate() {
            let (at_doors, along, anywhere) =
                (variant & 1 != 0, variant & 2 != 0, variant & 4 != 0);
            let mut rules = Rules::new();
            if at_doors {
                rules = rules.stop_at_doors();
            }
            if along {
                rules = rules.walk_along_hallway();
            }
            if anywhere {
                rules = rules.rest_in_any_room();
            }
            let problem: Literal = Literal::new(&burrow, rules).unwrap();
            let report = bestfirst::astar(&problem, problem.start()).unwrap();
            let expected = brute_force(&text, at_doors, along, anywhere);
            assert_eq!(report.cost().map(u64::from), expected, "{rules:?}\n{burrow}");
            if variant == 0 {
                by_the_rules = expected;
            }
            *differ += u32::from(expected != by_the_rules);
        }
    }
    // Each variant changes some cost; stopping at doors does in the next test.
    assert!(differ[2..].iter().all(|&differing| differing > 0), "{differ:?}");
}

#[test]
fn amphipods_wait_at_doors_if_the_rules_allow_it() {
    // Both B, or both A, have to stand right of room B at one time, and there is only one spot.
    let drawing = draw(0, 0, "", &[vec!['B', 'B'], vec!['A', 'A'], vec!['C', 'C']]);
    let burrow = Burrow::parse(&drawing).unwrap();
    let energy = |rules| {
        let problem: Literal = Literal::new(&burrow, rules).unwrap();
        bestfirst::astar(&problem, problem.start()).unwrap().cost().map(u64::from)
    };
    assert_eq!(energy(Rules::new()), None);
    assert_eq!(brute_force(&drawing, false, false, false), None);
    let with_doors = energy(Rules::new().stop_at_doors());
    assert!(with_doors.is_some());
    assert_eq!(with_doors, brute_force(&drawing, true, false, false));
}

/// The heuristics never decrease by more than the cost of a step.
#[test]
fn the_bounds_are_consistent() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut next = SuccessorBuffer::new();
    for i in 0..300 {
        let (rooms, depth) = [(2, 3), (3, 2), (4, 2), (3, 3), (4, 3)][i % 5];
        let burrow = random_burrow(&mut random, rooms, depth, 0);
        let problem: Reduced = Reduced::new(&burrow).unwrap();
        let mut state = problem.start().0;
        loop {
            next.clear();
            problem.successors(&state, &mut next);
            let h = problem.heuristic(&state);
            for step in next.as_slice() {
                let successor = problem.heuristic(&step.state).saturating_add(step.cost);
                assert!(h <= successor, "{h} > {successor} in {problem:?} at {state:?}");
            }
            if next.is_empty() {
                break;
            }
            state = next.as_slice()[random.below(next.len())].state;
        }
    }
}

/// Runs one search of a burrow. Returns `None` if it takes a minute of processor time or 2 GB.
fn timed<const N: usize>(name: &str, burrow: &Burrow) -> Option<Timed> {
    macro_rules! run {
        ($builder:expr, $problem:ident) => {{
            let began = ProcessTime::now();
            let mut search = $builder.search_from([$problem.start()]);
            let mut most = 0;
            loop {
                most += 2_000_000;
                search.set_limits(Limits::new().memory(2 << 30).expansions(most));
                let report = search.run().unwrap();
                let time = began.elapsed();
                match report.outcome {
                    Outcome::Stopped(StopReason::Expansions) if time < Duration::from_secs(60) => {}
                    Outcome::Stopped(_) => return None,
                    _ => {
                        let (cost, expanded) = (report.cost(), report.stats.expanded);
                        return Some(Timed { time: time.as_secs_f64(), cost, expanded });
                    }
                }
            }
        }};
    }
    let problem = Reduced::<N, u64>::new(burrow).expect("it fits");
    match name {
        "Dijkstra" => run!(Dijkstra::new(&problem), problem),
        "A*" => run!(AStar::new(&problem), problem),
        "IDA*" => run!(IdaStar::new(&problem).transposition_table(1 << 30), problem),
        "branch and bound" => run!(BranchAndBound::new(&problem), problem),
        _ => run!(BreadthFirst::new(&problem), problem),
    }
}

#[derive(Clone, Copy, Debug)]
struct Timed {
    time: f64,
    cost: Option<u64>,
    expanded: u64,
}

/// Measures the table in the documentation of `problems::amphipod`: the burrows that each engine solves in
/// one minute of processor time and 2 GB. Prints the median and the maximum of five random burrows in
/// seconds, and the states expanded for the maximum.
#[test]
#[ignore = "takes minutes: cargo test --test suite -- --ignored how_large --nocapture"]
fn how_large_a_burrow_can_be() {
    const SIZES: [(usize, usize); 10] =
        [(4, 4), (6, 2), (5, 4), (4, 8), (8, 2), (6, 4), (10, 2), (5, 8), (7, 4), (12, 2)];
    let mut costs = FxHashMap::default();
    let mut lost = Vec::new();
    for (rooms, depth) in SIZES {
        for engine in ["Dijkstra", "A*", "IDA*", "branch and bound", "breadth first"] {
            if lost.iter().any(|&(e, r, d)| e == engine && r <= rooms && d <= depth) {
                continue;
            }
            let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (rooms * 100 + depth) as u64);
            let mut all = Vec::new();
            for nth in 0..5 {
                let mut kinds: Vec<char> =
                    ('A'..).take(rooms).flat_map(|kind| [kind].repeat(depth)).collect();
                for i in (1..kinds.len()).rev() {
                    kinds.swap(i, random.below(i + 1));
                }
                let cells: Vec<Vec<char>> = kinds.chunks(depth).map(<[char]>::to_vec).collect();
                let burrow = Burrow::parse(&draw(2, 2, "", &cells)).unwrap();
                let timed = if Reduced::<1, u64>::new(&burrow).is_ok() {
                    timed::<1>(engine, &burrow)
                } else {
                    timed::<2>(engine, &burrow)
                };
                let Some(timed) = timed else { break };
                let known = costs.entry((rooms, depth, nth)).or_insert(timed.cost);
                assert_eq!(*known, timed.cost, "{engine}, {rooms} × {depth}, burrow {nth}");
                all.push(timed);
            }
            if all.len() < 5 {
                println!("{engine}: {rooms} × {depth}: stopped at burrow {}", all.len() + 1);
                lost.push((engine, rooms, depth));
                continue;
            }
            all.sort_by(|a, b| a.time.total_cmp(&b.time));
            let solvable = all.iter().filter(|timed| timed.cost.is_some()).count();
            let (median, worst) = (all[2].time, all[4]);
            println!(
                "{engine}: {rooms} × {depth}: {median:.2} / {:.2} s, {} expanded, {solvable} solvable",
                worst.time, worst.expanded
            );
        }
    }
}
