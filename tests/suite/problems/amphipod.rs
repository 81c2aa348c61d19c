//! Amphipods: drawings that are read, burrows that fit and those that do not, dead ends, and the energy that is fixed.

use bestfirst::problems::amphipod::{Burrow, FitError, Reduced};
use bestfirst::problems::{ParseErrorKind, Position};
use bestfirst::{Path, SearchProblem};

const EXAMPLE: &str = "#############\n#...........#\n###B#C#B#D###\n  #A#D#C#A#\n  #########";

/// A burrow without dead ends in which every amphipod is one room left of its home.
fn shifted(rooms: u8, depth: usize) -> Burrow {
    let kinds: Vec<String> =
        (0..rooms).map(|room| char::from(b'A' + (room + 1) % rooms).to_string()).collect();
    let (wall, hallway) = ("#".repeat(kinds.len() * 2 + 1), ".".repeat(kinds.len() * 2 - 1));
    let row = format!("#{}#\n", kinds.join("#"));
    format!("{wall}\n#{hallway}#\n{}{wall}", row.repeat(depth)).parse().unwrap()
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
    let (start, energy) = problem.start();
    assert!(problem.is_goal(&start) && energy == 3);
    let frames = problem.replay(&Path::at(problem.start().0, 3));
    assert_eq!(frames.iter().map(|frame| frame.energy).collect::<Vec<_>>(), [0, 1, 3]);
}

#[test]
fn the_example_is_parsed_and_drawn() {
    assert_eq!(EXAMPLE.parse(), Ok(Burrow::example()));
    assert_eq!(Burrow::example().to_string(), EXAMPLE);
}

#[test]
fn blanks_around_a_drawing_are_ignored() {
    let variants = [
        EXAMPLE.replace('\n', "\r\n") + "\r\n",
        EXAMPLE.replace('\n', "  \n") + " \n\n  \n",
        format!("\n\n{EXAMPLE}\n"),
        EXAMPLE.lines().map(|line| ["    ", line, "\n"].concat()).collect(),
        EXAMPLE.replace("  #A#D#C#A#", "###A#D#C#A###").replace("  #########", "#############"),
    ];
    for text in variants {
        assert_eq!(Burrow::parse(&text), Ok(Burrow::example()), "{text}");
    }
}

#[test]
fn positions_count_blanks_before_the_drawing() {
    let text = format!("\n\n{}", EXAMPLE.replace("...........", "...x......."));
    let fault = Burrow::parse(&text).unwrap_err();
    let at = Position { line: 4, column: 5 };
    assert_eq!(fault.position(), at);
    assert!(fault.to_string().contains("'x' is not allowed"), "{fault}");
    let text: String = EXAMPLE
        .replace("C#A#", "C#Q#")
        .lines()
        .fold(String::new(), |all, line| all + "   " + line + "\n");
    let fault = Burrow::parse(&text).unwrap_err();
    assert_eq!(fault.position(), Position { line: 4, column: 13 });
    assert!(fault.to_string().contains("no room for Q"), "{fault}");
}

#[test]
fn at_most_26_rooms_are_read() {
    let drawing = |rooms: u8| {
        let kinds: Vec<String> =
            (0..rooms).map(|room| char::from(b'A' + room % 26).to_string()).collect();
        let (wall, hallway) = ("#".repeat(kinds.len() * 2 + 1), ".".repeat(kinds.len() * 2 - 1));
        format!("{wall}\n#{hallway}#\n#{}#\n{wall}", kinds.join("#"))
    };
    let largest = Burrow::parse(&drawing(26)).unwrap();
    assert_eq!((largest.rooms(), largest.width(), largest.dead_ends()), (26, 51, (0, 0)));
    assert!(largest.is_solved());
    let at = Position { line: 3, column: 54 };
    let fault = Burrow::parse(&drawing(27)).unwrap_err();
    assert_eq!((fault.position(), fault.kind()), (at, ParseErrorKind::TooLarge));
}

#[test]
fn every_prefix_and_every_change_of_a_character_is_read_or_rejected() {
    let mut read = 0;
    for end in 0..=EXAMPLE.len() {
        read += u32::from(Burrow::parse(&EXAMPLE[..end]).is_ok());
    }
    // Only the whole drawing is complete.
    assert_eq!(read, 1);
    for at in 0..EXAMPLE.len() {
        for change in ["", "#", ".", " ", "A", "B", "E", "\n", "\t", "é", "##", "\u{0}"] {
            let text = format!("{}{change}{}", &EXAMPLE[..at], &EXAMPLE[at + 1..]);
            match Burrow::parse(&text) {
                Ok(burrow) => assert_eq!(burrow.to_string().parse(), Ok(burrow)),
                Err(fault) => {
                    let Position { line, column } = fault.position();
                    let source = text.lines().nth(line - 1).unwrap_or("");
                    let short = fault.kind() == ParseErrorKind::Missing;
                    assert!(short || column <= source.chars().count() + 1, "{fault}\n{text}");
                }
            }
        }
    }
}
