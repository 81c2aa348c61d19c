use std::collections::HashSet;

use super::*;
use crate::problem::{SearchProblem, Successors};
use crate::problems::amphipod::energy::FitError;

/// A burrow without dead ends in which every amphipod is one room left of its home.
fn shifted(rooms: u8, depth: usize) -> Burrow {
    let kinds: Vec<String> =
        (0..rooms).map(|room| char::from(b'A' + (room + 1) % rooms).to_string()).collect();
    let (wall, hallway) = ("#".repeat(kinds.len() * 2 + 1), ".".repeat(kinds.len() * 2 - 1));
    let row = format!("#{}#\n", kinds.join("#"));
    format!("{wall}\n#{hallway}#\n{}{wall}", row.repeat(depth)).parse().unwrap()
}

#[test]
fn a_state_of_the_puzzle_takes_33_bits() {
    let drawing = "#############\n#...........#\n###D#A#B#C###\n  #D#A#B#C#\n  #D#A#B#C#\n  \
                   #D#A#B#C#\n  #########";
    let problem: Reduced = Reduced::new(&drawing.parse().unwrap()).unwrap();
    let mut all = problem.hallway;
    for room in &problem.rooms {
        all.fill(room.left_it);
    }
    assert_eq!(all.words()[0].count_ones(), 33);
}

#[test]
fn burrows_that_do_not_fit_are_errors() {
    let largest = shifted(26, 4);
    assert!(Reduced::<8, u128>::new(&largest).is_ok());
    let needed = |fault| match fault {
        FitError::Words { needed, available: 1 } => needed,
        other => panic!("{other}"),
    };
    assert_eq!(needed(Reduced::<1, u128>::new(&largest).unwrap_err()), 4);
    let fault = Reduced::<8, u64>::new(&largest).unwrap_err();
    assert!(matches!(fault, FitError::Energy { most: Some(_), bits: 64 }), "{fault}");
    let fault = Reduced::<1, u32>::new(&shifted(9, 1)).unwrap_err();
    assert!(matches!(fault, FitError::Energy { most: Some(_), bits: 32 }), "{fault}");
    assert!(Reduced::<1, u64>::new(&shifted(9, 1)).is_ok());
    let long = format!(
        "{0}\n#{1}#\n##A{2}\n ###",
        "#".repeat(70_002),
        ".".repeat(70_000),
        "#".repeat(69_999)
    );
    let fault = Reduced::<1, u64>::new(&long.parse().unwrap()).unwrap_err();
    assert!(matches!(fault, FitError::Length { .. }), "{fault}");
}

#[test]
fn a_solved_burrow_is_a_goal_of_cost_zero() {
    let solved = "#######\n#.....#\n##A#B##\n #A#B#\n #####".parse().unwrap();
    let problem: Reduced = Reduced::new(&solved).unwrap();
    assert_eq!(problem.fixed_energy(), 0);
    assert!(problem.is_goal(&problem.start().0));
}

#[test]
fn amphipods_that_block_each_other_are_a_dead_end() {
    let burrow = "#########\n#.B.A...#\n###.#.###\n  #####".parse::<Burrow>();
    // B, left of room A, goes right; A stands between the rooms.
    let problem: Reduced = Reduced::new(&burrow.unwrap()).unwrap();
    assert!(problem.is_goal(&problem.start().0), "both rooms are open, so both go home");
    let blocked = "#########\n#...B...#\n###B#A###\n  #A#.#\n  #####".parse().unwrap();
    let problem: Reduced = Reduced::new(&blocked).unwrap();
    assert!(problem.heuristic(&problem.start().0) < u32::MAX);
    // The B in the hallway waits for room B, and the A in that room has to get past it.
    let blocked = "#####\n#.B.#\n#B#A#\n#A#.#\n#####".parse::<Burrow>();
    assert!(blocked.is_ok());
    let problem: Reduced = Reduced::new(&blocked.unwrap()).unwrap();
    assert_eq!(problem.heuristic(&problem.start().0), u32::MAX);
}

#[test]
fn gaps_are_part_of_the_fixed_energy() {
    // The A in the room goes down one step, then the other comes in: 1 + 2.
    let gap = "#####\n#A..#\n##.##\n #.#\n ###".parse::<Burrow>();
    assert!(gap.is_err(), "one A is missing");
    let gap = "#####\n#A..#\n##A##\n #.#\n ###".parse().unwrap();
    let problem: Reduced = Reduced::new(&gap).unwrap();
    assert_eq!(problem.start(), (problem.goal, 3));
    let frames = problem.replay(&Path::at(problem.start().0, 3));
    assert_eq!(frames.iter().map(|frame| frame.energy).collect::<Vec<_>>(), [0, 1, 3]);
}

#[test]
fn the_short_test_for_dead_ends_leaves_out_the_same_states_as_the_full_one() {
    let mut left_out = 0;
    for burrow in [Burrow::example(), Burrow::example().unfolded().unwrap(), shifted(5, 2)] {
        let problem: Reduced = Reduced::new(&burrow).unwrap();
        let all = Reduced::<1, u32>::new(&burrow).unwrap().without_dead_end_test();
        let mut states = vec![problem.start().0];
        let mut known = HashSet::from([problem.start().0]);
        let (mut found, mut expected) =
            (Successors::<Reduced>::new(), Successors::<Reduced>::new());
        while let Some(state) = states.pop() {
            found.clear();
            expected.clear();
            problem.successors(&state, &mut found);
            all.successors(&state, &mut expected);
            left_out += expected.len();
            expected.retain(|successor| !problem.is_dead_end(&successor.state));
            left_out -= expected.len();
            assert_eq!(found.as_slice(), expected.as_slice());
            let next = found.as_slice().iter().map(|successor| successor.state);
            states.extend(next.filter(|&state| known.len() < 20_000 && known.insert(state)));
        }
    }
    assert!(left_out > 1000, "only {left_out} dead ends");
}
