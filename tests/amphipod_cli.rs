//! The amphipod example as a program: what it says, and with which exit status.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The example's program. It is built here, so that it is there and up to date whichever tests run.
fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        // This test is `target/<profile>/deps/amphipod_cli-…`.
        let mut profile = std::env::current_exe().expect("this program has a path");
        profile.pop();
        profile.pop();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--example", "amphipod"]);
        if let Some(target) = profile.parent() {
            cargo.arg("--target-dir").arg(target);
        }
        if profile.ends_with("release") {
            cargo.arg("--release");
        }
        let built = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status();
        assert!(built.expect("cargo runs").success(), "the example builds");
        profile.join("examples").join(format!("amphipod{}", std::env::consts::EXE_SUFFIX))
    })
}

struct Said {
    status: Option<i32>,
    output: String,
    errors: String,
}

fn amphipod(arguments: &str, input: &str) -> Said {
    let mut child = Command::new(program())
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the example runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A program that does not read its input closes it early.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the example ends");
    Said {
        status: output.status.code(),
        output: String::from_utf8(output.stdout).expect("text"),
        errors: String::from_utf8(output.stderr).expect("text"),
    }
}

const UNSOLVABLE: &str = "#####\n#...#\n#B#A#\n#####";

#[test]
fn without_a_file_it_solves_the_public_example() {
    let said = amphipod("--quiet", "");
    assert_eq!((said.status, said.output.as_str()), (Some(0), "12521\n44169\n"));
    assert_eq!(said.errors, "");
    let said = amphipod("", "");
    assert_eq!(said.status, Some(0));
    assert!(said.output.starts_with("part 1: least energy 12521 in "), "{}", said.output);
    assert!(said.output.contains("part 2: least energy 44169 in "), "{}", said.output);
}

#[test]
fn every_engine_and_form_gives_the_same_answers() {
    const ENGINES: [&str; 5] =
        ["dijkstra", "astar", "idastar", "branch-and-bound", "breadth-first"];
    for form in ["reduced", "literal"] {
        for engine in ENGINES {
            let said = amphipod(&format!("-q --form {form} --engine {engine}"), "");
            assert_eq!(
                (said.status, said.output.as_str()),
                (Some(0), "12521\n44169\n"),
                "{engine}"
            );
        }
        let said = amphipod(&format!("--compare --form {form}"), "");
        assert_eq!(said.status, Some(0));
        for engine in ENGINES {
            for energy in ["12521", "44169"] {
                let says = |line: &str| {
                    let mut words = line.split_whitespace();
                    words.next() == Some(engine) && words.next() == Some(energy)
                };
                assert!(said.output.lines().any(says), "{engine}: {}", said.output);
            }
        }
    }
}

#[test]
fn parts_are_chosen() {
    assert_eq!(amphipod("-q --part 1", "").output, "12521\n");
    assert_eq!(amphipod("-q --part 2", "").output, "44169\n");
    let two = "#######\n#.....#\n##B#A##\n #####";
    // Two rooms cannot be unfolded, so there is one part unless another is asked for.
    assert_eq!(amphipod("-q -", two).output, "46\n");
    let said = amphipod("-q - --part both", two);
    assert_eq!((said.status, said.output.as_str()), (Some(2), ""));
    assert!(said.errors.contains("only a burrow of 4 rooms can be unfolded"), "{}", said.errors);
}

#[test]
fn no_solution_is_said_in_words() {
    let said = amphipod("-", UNSOLVABLE);
    assert_eq!((said.status, said.errors.as_str()), (Some(1), ""));
    assert!(said.output.contains("no solution"), "{}", said.output);
    let said = amphipod("--quiet -", UNSOLVABLE);
    assert_eq!((said.status, said.output.as_str()), (Some(1), "no solution\n"));
}

#[test]
fn bad_input_is_named_with_its_place() {
    let said = amphipod("-", "#######\r\n#.....#\r\n##A#B##\r\n #A#A#\r\n #####\r\n");
    assert_eq!((said.status, said.output.as_str()), (Some(2), ""));
    assert_eq!(
        said.errors,
        "amphipod: standard input: line 4, column 5: one A too many; there must be as many as its \
         room holds, 2\n\n     #A#A#\n        ^\n"
    );
    let said = amphipod("no-such-file.txt", "");
    assert_eq!(said.status, Some(2));
    assert!(said.errors.contains("no-such-file.txt"), "{}", said.errors);
}

#[test]
fn bad_usage_is_refused() {
    for arguments in ["--part 3", "--engine best", "--form reduced --rules stop-at-doors", "a b"] {
        let said = amphipod(arguments, "");
        assert_eq!((said.status, said.output.as_str()), (Some(2), ""), "{arguments}");
        assert!(!said.errors.is_empty(), "{arguments}");
    }
    let said = amphipod("--help", "");
    assert_eq!(said.status, Some(0));
    assert!(said.output.contains("--replay"));
}

#[test]
fn rules_make_a_difference() {
    let stuck = "#######\n#.....#\n#B#A#C#\n#B#A#C#\n#######";
    assert_eq!(amphipod("-q -", stuck).status, Some(1));
    let said = amphipod("-q - --rules stop-at-doors", stuck);
    assert_eq!(said.status, Some(0), "{}{}", said.output, said.errors);
    let said = amphipod("-q - --rules stop-at-doors,walk-along-hallway", stuck);
    assert_eq!(said.status, Some(0), "{}{}", said.output, said.errors);
}

#[test]
fn a_replay_is_plain_text_where_there_is_no_terminal() {
    let said = amphipod("--replay --part 1", "");
    assert_eq!(said.status, Some(0));
    assert!(said.output.contains("so far 440\n"), "{}", said.output);
    assert!(said.output.trim_end().ends_with("so far 12521"), "{}", said.output);
    assert!(!said.output.contains('\x1b'));
}

#[test]
fn a_limit_stops_it() {
    // Nine kinds, each in the neighbour's room.
    let rooms = |shift: u8| {
        let kinds = (0..9).map(|room| char::from(b'A' + (room + shift) % 9).to_string());
        kinds.collect::<Vec<_>>().join("#")
    };
    let (wall, hallway) = ("#".repeat(23), ".".repeat(21));
    let drawing = format!(
        "{wall}\n#{hallway}#\n###{}###\n  #{}#\n  #{}#\n  #{}#\n  #{}#",
        rooms(1),
        rooms(4),
        rooms(7),
        rooms(2),
        "#".repeat(17),
    );
    let said = amphipod("--memory 1 --engine dijkstra -", &drawing);
    assert_eq!(said.status, Some(3), "{}{}", said.output, said.errors);
    assert!(said.output.contains("stopped: the limit on memory"), "{}", said.output);
    // Comparing, each engine that gave up says so, and what it has proved.
    let said = amphipod("--memory 1 --compare -", &drawing);
    assert_eq!(said.status, Some(3), "{}{}", said.output, said.errors);
    for engine in ["dijkstra", "astar", "idastar", "branch-and-bound", "breadth-first"] {
        let words = format!("\n{engine}: the limit on memory is reached; at least energy ");
        assert!(said.output.contains(&words), "{}", said.output);
    }
}
