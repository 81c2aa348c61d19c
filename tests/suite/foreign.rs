//! States, actions and maps that were read without their problem: every one that serde or [`Encode`] lets through can be
//! searched and replayed on any ready problem, and on maps of any size, without a panic.

use std::fmt::Debug;

use bestfirst::Encode;
use bestfirst::problems::amphipod::{self, Burrow, Literal, Place, Reduced, Rules};
use bestfirst::problems::crucible::{Crucible, HeatMap, LossBound};
use bestfirst::problems::grid_map::{Cell, FourWay, GridMap, Length, Movement, TerrainMap};
use bestfirst::problems::pancake::PancakePuzzle;
use bestfirst::problems::road_network::RoadNetwork;
use bestfirst::problems::sliding_tiles::{self, SlidingTiles, TileState, Tracked};
use bestfirst::{
    AStar, Bidirectional, DenseStates, Dijkstra, HalvableCost, IdaStar, InPlaceProblem, Limits,
    PathOf, Reversible, SearchProblem,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use support::random::rounds;

/// Numbers that depend on the seed alone (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u16) -> u16 {
        u16::try_from(self.next() % u64::from(end)).unwrap_or(0)
    }

    /// A number of `bits` bits, of any size: often small, near a power of two, or with nearly all bits alike.
    fn number(&mut self, bits: u32) -> u64 {
        let mask = u64::MAX >> (64 - bits);
        let number = match self.below(6) {
            0 => self.below(30).into(),
            1 => (1 << self.below(64)) - u64::from(self.below(2)),
            2 => self.next() & self.next() & self.next(),
            3 => !(self.next() & self.next() & self.next()),
            4 => u64::MAX - u64::from(self.below(3)),
            _ => self.next(),
        };
        number & mask
    }

    /// `words`, some of them with other bits.
    fn near(&mut self, words: &[u64]) -> Vec<u64> {
        words
            .iter()
            .map(|&word| word ^ (self.next() & self.next() & self.next() & self.next()))
            .collect()
    }
}

fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

/// Searches from a state that may be foreign. Any end is right, but a panic.
fn search<P>(problem: &P, start: &P::State)
where
    P: SearchProblem<State: Clone + Debug + Eq + std::hash::Hash>,
{
    let _ = (problem.heuristic(start), problem.is_goal(start), format!("{start:?}"));
    let limits = || Limits::new().expansions(12);
    let _ = AStar::new(problem).limits(limits()).search(start.clone()).run();
    let _ = IdaStar::new(problem).limits(limits()).search(start.clone()).run();
}

/// The same from both ends.
fn search_backwards<P: Reversible<Cost: HalvableCost>>(problem: &P, start: &P::State) {
    let limits = Limits::new().expansions(12);
    let _ = Bidirectional::new(problem).limits(limits).search(start.clone()).run();
}

/// The same with the states numbered.
fn search_dense<P: DenseStates + Clone>(problem: &P, start: &P::State) {
    let limits = Limits::new().expansions(12);
    let _ = Dijkstra::new(problem.clone()).dense().limits(limits).search(start.clone()).run();
}

/// The same in place.
fn search_in_place<P: InPlaceProblem>(problem: &P, start: &P::State) {
    let limits = Limits::new().expansions(12);
    let _ = IdaStar::new(problem).in_place().limits(limits).search(start.clone()).run();
}

/// A path of states and actions that have nothing to do with each other, checked and shown.
fn replay<P>(problem: &P, states: &[Value], mut actions: Vec<Value>, show: impl FnOnce(&PathOf<P>))
where
    P: SearchProblem<
            State: DeserializeOwned + PartialEq,
            Action: DeserializeOwned,
            Cost: DeserializeOwned,
        >,
{
    actions.truncate(states.len() - 1);
    let costs = vec![1; actions.len()];
    let path =
        json!({ "start_cost": 0, "states": states, "actions": actions, "step_costs": costs });
    if let Some(path) = read::<PathOf<P>>(path) {
        let _ = path.verify(problem);
        show(&path);
    }
}

/// Reads a state from bytes.
fn decode<S: Encode>(random: &mut Random) -> Option<S> {
    let mut bytes = vec![0; S::BYTES];
    for part in bytes.chunks_mut(8) {
        let word = random.number(64).to_le_bytes();
        part.copy_from_slice(&word[..part.len()]);
    }
    S::decode(&bytes).ok()
}

fn burrows() -> Vec<Burrow> {
    let mut burrows = vec![Burrow::example(), Burrow::example().unfolded().unwrap()];
    for drawing in [
        "#####\n#...#\n#B#A#\n#####",
        "###\n#.#\n#A#\n###",
        "#########\n#.......#\n##B#.#A##\n #A#C#C#\n ###B####",
        "#######\n#A....#\n#B#.#C#\n#B#A#C#\n#######",
        "###########\n#.........#\n#E#D#C#B#A#\n###########",
    ] {
        burrows.extend(Burrow::parse(drawing));
    }
    burrows
}

fn amphipods<const N: usize, C: amphipod::Energy + DeserializeOwned>(random: &mut Random) {
    for burrow in burrows() {
        let Ok(reduced) = Reduced::<N, C>::new(&burrow) else { continue };
        let forms =
            [Rules::new(), Rules::new().stop_at_doors().walk_along_hallway().rest_in_any_room()];
        let literals: Vec<_> =
            forms.iter().filter_map(|&rules| Literal::<N, C>::new(&burrow, rules).ok()).collect();
        let bounded =
            reduced.clone().with_bound(amphipod::DetourBound::DoorToDoor).without_dead_end_test();
        for _ in 0..rounds(15) {
            let words = |random: &mut Random, near: [u64; N]| {
                let words = match random.below(2) {
                    0 => random.near(&near),
                    _ => (0..N).map(|_| random.number(64)).collect(),
                };
                json!(words)
            };
            let number = |random: &mut Random, bits| random.number(bits);
            let start = reduced.start().0.words();
            let states: Vec<Value> = (0..3).map(|_| words(random, start)).collect();
            for state in states.iter().filter_map(|words| read(words.clone())).chain(decode(random))
            {
                search(&reduced, &state);
                search(&bounded, &state);
            }
            let decisions = (0..2)
                .map(|_| json!({ "room": number(random, 3), "spot": number(random, 4) }))
                .collect();
            replay(&reduced, &states, decisions, |path| drop(reduced.replay(path)));
            for literal in &literals {
                let states: Vec<Value> =
                    (0..3).map(|_| words(random, literal.start().words())).collect();
                for state in
                    states.iter().filter_map(|words| read(words.clone())).chain(decode(random))
                {
                    search(literal, &state);
                    if let Some(burrow) = literal.unpack(&state) {
                        assert_eq!(literal.pack(&burrow), Some(state));
                        let _ = (burrow.is_solved(), burrow.to_string());
                        let _ = (
                            Reduced::<N, C>::new(&burrow),
                            Literal::<N, C>::new(&burrow, Rules::new()),
                        );
                    }
                }
                let walks = (0..2)
                    .map(|_| json!({ "from": number(random, 5), "to": number(random, 5) }))
                    .collect();
                replay(literal, &states, walks, |path| drop(literal.replay(path)));
            }
        }
    }
}

#[test]
fn moves_of_no_burrow() {
    let mut random = Random(7);
    let burrow = Burrow::example();
    for _ in 0..3000 {
        let mut number = |bits| random.number(bits);
        let room = json!({ "Room": { "room": number(64), "depth": number(64) } });
        let hallway = json!({ "Hallway": { "column": number(64) } });
        let from: Place = read(room).unwrap();
        let to: Place = read(hallway).unwrap();
        let moved = json!({ "kind": "Z", "from": from, "to": to, "steps": number(64) });
        let moved: amphipod::Move = read(moved).unwrap();
        let _ = (moved.to_string(), moved.energy(), burrow.distance(from, to), burrow.at(from));
        let decision = json!({ "room": number(8), "spot": number(16) });
        let _ = read::<amphipod::Decision>(decision).unwrap().to_string();
    }
}

#[test]
fn amphipods_of_no_burrow() {
    let mut random = Random(1);
    amphipods::<1, u32>(&mut random);
    amphipods::<2, u32>(&mut random);
    amphipods::<2, u64>(&mut random);
    amphipods::<8, u128>(&mut random);
}

fn tiles<S: TileState + DeserializeOwned + Encode>(
    mut read_state: impl FnMut(&mut Random) -> Value,
) {
    let mut random = Random(2);
    for (width, height) in [(4, 4), (3, 3), (2, 5), (1, 4), (5, 5)] {
        let Ok(puzzle) = SlidingTiles::<S>::new(width, height) else { continue };
        for _ in 0..rounds(100) {
            let values: Vec<Value> = (0..2).map(|_| read_state(&mut random)).collect();
            let states = values.iter().filter_map(|value| read(value.clone()));
            for state in states.chain(decode(&mut random)) {
                search(&puzzle, &state);
                search_in_place(&puzzle, &state);
                search_backwards(&puzzle, &state);
                let board = puzzle.board(&state);
                let _ = (board.is_solvable(), board.manhattan(), board.to_string());
                let _ = puzzle.state(&board);
            }
            let ways = vec![json!(["Up", "Left", "Right", "Down"][usize::from(random.below(4))])];
            replay(&puzzle, &values, ways, |_| ());
        }
    }
}

#[test]
fn tiles_of_no_board() {
    let big =
        |random: &mut Random| u128::from(random.number(64)) << 64 | u128::from(random.number(64));
    let noted = |tiles: Value, random: &mut Random| json!({ "tiles": tiles, "manhattan": random.number(16), "blank": random.number(8) });
    tiles::<sliding_tiles::Packed>(|random| json!({ "tiles": random.number(64) }));
    tiles::<Tracked>(|random| noted(json!(random.number(64)), random));
    tiles::<Tracked<u128>>(|random| {
        let tiles: Value = serde_json::from_str(&big(random).to_string()).unwrap();
        noted(tiles, random)
    });
}

#[test]
fn pancakes_of_no_puzzle() {
    let mut random = Random(3);
    for count in [2, 6, 15, 16] {
        let puzzle = PancakePuzzle::new(count).unwrap();
        for _ in 0..rounds(300) {
            let mut stack = 0xFEDC_BA98_7654_3210_u64;
            for _ in 0..random.below(5) {
                let (a, b) = (4 * random.below(16), 4 * random.below(16));
                let change = (stack >> a ^ stack >> b) & 15;
                stack ^= if a == b { 0 } else { change << a | change << b };
            }
            let stack = if random.below(4) == 0 { random.number(64) } else { stack };
            for state in read(json!(stack)).into_iter().chain(decode(&mut random)) {
                search(&puzzle, &state);
                search_backwards(&puzzle, &state);
                let _ = puzzle.pancakes(state).len();
            }
            replay(&puzzle, &[json!(stack), json!(stack)], vec![json!(random.number(8))], |_| ());
        }
    }
}

#[test]
fn blocks_of_no_map() {
    let mut random = Random(4);
    for (map, run) in
        [("2413\n3215\n3255", 1..=3), ("9", 1..=1), ("99\n99\n99", 2..=10), ("9\n9\n9\n9", 1..=2)]
    {
        let map: HeatMap = map.parse().unwrap();
        for bound in [LossBound::WithoutTurns, LossBound::Manhattan, LossBound::NextRun] {
            let crucible = Crucible::new(&map, run.clone()).unwrap().bound(bound);
            for _ in 0..rounds(100) {
                let states: Vec<Value> = (0..3).map(|_| json!(random.number(32))).collect();
                for state in
                    states.iter().filter_map(|state| read(state.clone())).chain(decode(&mut random))
                {
                    search(&crucible, &state);
                    search_backwards(&crucible, &state);
                    search_dense(&crucible, &state);
                    let _ = (crucible.block(state), crucible.axis(state));
                }
                let way = ["Up", "Left", "Right", "Down"][usize::from(random.below(4))];
                let run = json!({ "direction": way, "length": random.number(32) });
                replay(&crucible, &states, vec![run; 2], |path| {
                    let _ = crucible.draw(path).to_string();
                });
            }
        }
    }
}

#[test]
fn nodes_and_cells_of_no_map() {
    let mut random = Random(5);
    let mut roads = RoadNetwork::new(3, &[(1, 2, 7), (2, 3, u32::MAX), (3, 1, 0)]).unwrap();
    roads.read_places("p aux sp co 3\nv 1 0 0\nv 2 1000000 0\nv 3 2000000 0\n".as_bytes()).unwrap();
    let grid = GridMap::from_rows("..@\n...\n").unwrap();
    for _ in 0..rounds(400) {
        let [node, other]: [Value; 2] = std::array::from_fn(|_| json!(random.number(32)));
        for node in read(node.clone()).into_iter().chain(decode(&mut random)) {
            for goal in [node, roads.node(2).unwrap()] {
                let route = roads.route_to(goal).great_circle(1.0);
                search(&route, &node);
                search_backwards(&route, &node);
                search_dense(&route, &node);
            }
            let _ = (node.number(), node.to_string(), roads.arcs(node).count());
        }
        replay(&roads.route_to(roads.node(1).unwrap()), &[node, other], vec![json!(null)], |_| ());

        let [cell, other] =
            std::array::from_fn(|_| json!({ "x": random.number(16), "y": random.number(16) }));
        for cell in read(cell.clone()).into_iter().chain(decode::<Cell>(&mut random)) {
            for goal in [cell, Cell::new(1, 1)] {
                let route = grid.route_to(goal);
                search(&route, &cell);
                search_backwards(&route, &cell);
                search_dense(&route, &cell);
                search(&grid.route_by::<FourWay>(goal), &cell);
            }
        }
        replay(&grid.route_to(Cell::new(1, 1)), &[cell, other], vec![json!(null)], |_| ());
        if let Some(length) = read::<Length>(json!(random.number(32))) {
            let _ = (length.to_f64(), length.to_string());
        }
    }
}

/// A map with terrain is checked itself when it is read: what is let through leads to no cell off the map.
#[test]
fn terrain_of_any_shape() {
    let mut random = Random(6);
    let (mut maps, mut refused) = (0, 0);
    for _ in 0..rounds(3000) {
        let (width, height) = (1 + random.below(4), 1 + random.below(3));
        let cells = usize::from(width * height);
        let costs: Vec<Option<u64>> =
            (0..cells).map(|_| (random.below(5) > 0).then(|| random.number(32))).collect();
        let exits: Vec<u64> = (0..cells).map(|_| random.number(8)).collect();
        let stored = json!({
            "width": width, "height": height, "letters": "x".repeat(cells), "costs": costs, "exits": exits,
        });
        let Some(map) = read::<TerrainMap<u32>>(stored) else {
            refused += 1;
            continue;
        };
        maps += 1;
        for steps in [Movement::four(1), Movement::eight(5, 7), Movement::six(1)] {
            let cell = |random: &mut Random| Cell::new(random.below(6), random.below(5));
            let (start, goal) = (cell(&mut random), cell(&mut random));
            if let Ok(route) = map.route_to([goal], steps) {
                search(&route, &start);
                search_dense(&route, &start);
            }
        }
    }
    assert!(maps > 100 && refused > 100, "{maps} maps, {refused} refused");
}
