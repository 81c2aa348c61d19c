//! The example program `amphipod`: its output and its exit status.

#[path = "../../../tests/support/built.rs"]
mod built;
#[path = "../../../tests/support/program.rs"]
mod program;

use std::path::PathBuf;
use std::sync::OnceLock;

use program::Ran;

/// Runs the program.
fn amphipod(arguments: &str, input: &str) -> Ran {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    program::run(PROGRAM.get_or_init(|| built::build("amphipod")), arguments, input)
}

/// Whether more is asked for than by `cargo test`, as the gate does.
fn has_more_rounds() -> bool {
    std::env::var("BESTFIRST_ROUNDS").is_ok_and(|times| times != "1")
}

const UNSOLVABLE: &str = "#####\n#...#\n#B#A#\n#####";

#[test]
fn without_a_file_it_solves_the_public_example() {
    let ran = amphipod("--quiet", "");
    assert_eq!((ran.status, ran.output.as_str()), (Some(0), "12521\n44169\n"));
    assert_eq!(ran.errors, "");
    let ran = amphipod("", "");
    assert_eq!(ran.status, Some(0));
    assert!(ran.output.starts_with("part 1: least energy 12521 in "), "{}", ran.output);
    assert!(ran.output.contains("part 2: least energy 44169 in "), "{}", ran.output);
}

#[test]
fn every_engine_and_form_gives_the_same_answers() {
    const ENGINES: [&str; 8] = [
        "dijkstra",
        "astar",
        "idastar",
        "branch-and-bound",
        "breadth-first",
        "anytime",
        "beam",
        "rectangle",
    ];
    for form in ["reduced", "literal"] {
        for engine in ENGINES {
            let ran = amphipod(&format!("-q --part 1 --form {form} --engine {engine}"), "");
            assert_eq!((ran.status, ran.output.as_str()), (Some(0), "12521\n"), "{engine}");
        }
        // All of them, and both parts: in the literal form, the second has very many states.
        let is_short = form == "literal" && !has_more_rounds();
        let (parts, energies) =
            if is_short { ("1", &["12521"][..]) } else { ("both", &["12521", "44169"][..]) };
        let ran = amphipod(&format!("--compare --form {form} --part {parts}"), "");
        assert_eq!(ran.status, Some(0));
        for engine in ENGINES {
            for energy in energies {
                let says = |line: &str| {
                    let mut words = line.split_whitespace();
                    words.next() == Some(engine) && words.next() == Some(*energy)
                };
                assert!(ran.output.lines().any(says), "{engine}: {}", ran.output);
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
    let ran = amphipod("-q - --part both", two);
    assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""));
    assert!(ran.errors.contains("only a burrow of 4 rooms can be unfolded"), "{}", ran.errors);
}

#[test]
fn no_solution_is_printed_in_words() {
    let ran = amphipod("-", UNSOLVABLE);
    assert_eq!((ran.status, ran.errors.as_str()), (Some(1), ""));
    assert!(ran.output.contains("no solution"), "{}", ran.output);
    let ran = amphipod("--quiet -", UNSOLVABLE);
    assert_eq!((ran.status, ran.output.as_str()), (Some(1), "no solution\n"));
}

#[test]
fn errors_in_the_input_have_positions() {
    let ran = amphipod("-", "#######\r\n#.....#\r\n##A#B##\r\n #A#A#\r\n #####\r\n");
    assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""));
    assert_eq!(
        ran.errors,
        "amphipod: standard input: line 4, column 5: one A too many; there must be as many as its \
         room holds, 2\n\n     #A#A#\n        ^\n"
    );
    let ran = amphipod("no-such-file.txt", "");
    assert_eq!(ran.status, Some(2));
    assert!(ran.errors.contains("no-such-file.txt"), "{}", ran.errors);
}

#[test]
fn a_byte_order_mark_before_a_burrow_is_ignored() {
    let ran = amphipod("-q -", "\u{FEFF}#######\r\n#.....#\r\n##B#A##\r\n #####\r\n");
    assert_eq!((ran.status, ran.output.as_str()), (Some(0), "46\n"));
}

#[test]
fn invalid_usage_is_an_error() {
    for arguments in ["--part 3", "--engine best", "--form reduced --rules stop-at-doors", "a b"] {
        let ran = amphipod(arguments, "");
        assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""), "{arguments}");
        assert!(!ran.errors.is_empty(), "{arguments}");
    }
    for arguments in ["--time -1", "--memory -1", "--best -1"] {
        let ran = amphipod(arguments, "");
        assert_eq!(ran.status, Some(2), "{arguments}");
        assert!(ran.errors.contains("invalid value '-1'"), "{}", ran.errors);
    }
    let ran = amphipod("--help", "");
    assert_eq!(ran.status, Some(0));
    for engine in [
        "dijkstra",
        "astar",
        "idastar",
        "branch-and-bound",
        "breadth-first",
        "anytime",
        "beam",
        "rectangle",
        "weighted:W",
        "focal:W",
        "beam:N",
    ] {
        assert!(ran.output.contains(engine), "{engine}: {}", ran.output);
    }
    assert!(ran.output.contains("--replay"));
}

#[test]
fn rules_make_a_difference() {
    let stuck = "#######\n#.....#\n#B#A#C#\n#B#A#C#\n#######";
    assert_eq!(amphipod("-q -", stuck).status, Some(1));
    let ran = amphipod("-q - --rules stop-at-doors", stuck);
    assert_eq!(ran.status, Some(0), "{}{}", ran.output, ran.errors);
    let ran = amphipod("-q - --rules stop-at-doors,walk-along-hallway", stuck);
    assert_eq!(ran.status, Some(0), "{}{}", ran.output, ran.errors);
}

/// The burrow comes from a pipe, the keys from the terminal that `script` makes.
#[cfg(target_os = "linux")]
#[test]
fn a_replay_of_a_burrow_from_a_pipe_reads_keys_from_the_terminal() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let program = built::build("amphipod");
    let line = format!("echo '#####\n#...#\n##A##\n#####' | '{}' - --replay", program.display());
    let started = Command::new("script")
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut script) = started else {
        println!("skipped: there is no program `script`");
        return;
    };
    let mut keys = script.stdin.take().expect("it is piped");
    let mut tries = 0;
    while script.try_wait().expect("it was started").is_none() {
        // It has ended if nobody reads any more.
        let _ = keys.write_all(b"q").and_then(|()| keys.flush());
        std::thread::sleep(Duration::from_millis(50));
        tries += 1;
        assert!(tries < 1200 || script.kill().is_err(), "the key q did not end the film");
    }
    let output = script.wait_with_output().expect("it has ended");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains("\u{1b}[?1049h") && shown.contains("q: quit"), "{shown}");
}

#[test]
fn a_replay_is_plain_text_without_a_terminal() {
    let ran = amphipod("--replay --part 1", "");
    assert_eq!(ran.status, Some(0));
    assert!(ran.output.contains("so far 440\n"), "{}", ran.output);
    assert!(ran.output.trim_end().ends_with("so far 12521"), "{}", ran.output);
    assert!(!ran.output.contains('\x1b'));
}

#[test]
fn a_memory_limit_stops_the_search() {
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
    let ran = amphipod("--memory 1 --engine dijkstra -", &drawing);
    assert_eq!(ran.status, Some(3), "{}{}", ran.output, ran.errors);
    assert!(ran.output.contains("stopped: there is no more memory"), "{}", ran.output);
    // With --compare, each stopped engine is listed with its lower bound.
    let ran = amphipod("--memory 1 --compare -", &drawing);
    assert_eq!(ran.status, Some(3), "{}{}", ran.output, ran.errors);
    for engine in ["dijkstra", "astar", "idastar", "branch-and-bound", "breadth-first"] {
        let words = format!(
            "\n{engine}: there is no more memory, or the limit on it is reached; at least energy "
        );
        assert!(ran.output.contains(&words), "{}", ran.output);
    }
}

/// Engines that improve on a first solution tell of each on standard error, with its factor; those that need not
/// find the least energy do not claim that they have.
#[test]
fn better_solutions_are_shown_with_their_factors() {
    let ran = amphipod("--part 2 --engine anytime", "");
    assert!(ran.output.starts_with("part 2: least energy 44169 in "), "{}", ran.output);
    let lines: Vec<_> = ran.errors.lines().collect();
    assert!(lines.len() > 1, "{}", ran.errors);
    assert!(lines.iter().all(|line| line.starts_with("anytime: ") && line.contains(" s: energy ")));
    assert!(lines[lines.len() - 1].contains(" s: energy 44169, at most "), "{}", ran.errors);
    assert_eq!(amphipod("-q --engine anytime", "").errors, "");

    for (engine, most) in [("weighted:1.5", 44169 * 3 / 2), ("focal:1.2", 44169 * 6 / 5)] {
        let ran = amphipod(&format!("--part 2 -q --engine {engine}"), "");
        let energy: u32 = ran.output.trim().parse().unwrap();
        assert_eq!(ran.status, Some(0));
        assert!((44169..=most).contains(&energy), "{engine}: {energy}");
        let ran = amphipod(&format!("--part 2 --engine {engine}"), "");
        assert!(energy == 44169 || ran.output.contains(" times the least\n"), "{}", ran.output);
    }
    let ran = amphipod("--engine anytime --time 0.0", "");
    assert_eq!(ran.status, Some(3), "{}", ran.output);
    for arguments in
        ["--engine weighted", "--engine focal:0.5", "--engine astar:2", "--time -1", "--time x"]
    {
        let ran = amphipod(arguments, "");
        assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""), "{arguments}");
    }
}

#[test]
fn ways_are_counted_and_listed() {
    for engine in ["astar", "dijkstra"] {
        assert_eq!(amphipod(&format!("-q --all --engine {engine}"), "").output, "7\n2\n");
        let best = amphipod(&format!("-q --best 4 --part 2 --engine {engine}"), "").output;
        assert_eq!(best, "44169\n44169\n46169\n46171\n", "{engine}");
    }
    assert!(amphipod("--all --part 1", "").output.contains("7 ways of the least energy 12521"));
    // Ways of the same energy are told apart.
    let list = amphipod("--best 20 --part 1", "").output;
    let mut ways: Vec<_> = list.lines().filter_map(|line| line.split_once(": energy ")).collect();
    assert!(ways.len() == 20 && !ways[0].1.contains("parts"), "{list}");
    assert!(ways[1].1.starts_with("12521 in 9 moves; parts from 1 at move "), "{list}");
    ways.sort_unstable_by_key(|&(_, way)| way);
    assert!(ways.windows(2).all(|pair| pair[0].1 != pair[1].1), "{list}");
    // The same costs, with and without the orders of moves that make no difference.
    let least = |form: &str| amphipod(&format!("-q --best 2 --part 1 --form {form}"), "").output;
    assert_eq!(least("literal"), least("reduced"));
    for arguments in ["- --all", "- --best 3"] {
        let ran = amphipod(arguments, UNSOLVABLE);
        assert_eq!((ran.status, ran.errors.as_str()), (Some(1), ""), "{arguments}");
        assert!(ran.output.contains("no solution"), "{arguments}: {}", ran.output);
        let ran = amphipod(&format!("{arguments} --engine idastar"), UNSOLVABLE);
        assert_eq!(ran.status, Some(2), "{arguments}");
    }
    let ran = amphipod("-q --all --time 0", "");
    assert_eq!((ran.status, ran.output.as_str()), (Some(3), "stopped\nstopped\n"));
    // A way home, and no other.
    let ran = amphipod("-q - --best 9", "#####\n#...#\n#A#B#\n#####\n");
    assert_eq!((ran.status, ran.output.as_str()), (Some(0), "0\n"));
}

/// An answer that cannot be written is a fault, also if it is the help.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    use std::process::{Command, Stdio};

    let program = built::build("amphipod");
    for arguments in ["--help", "-q"] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("it is there");
        let mut command = Command::new(&program);
        command.arg(arguments).stdout(full).stderr(Stdio::piped());
        let output = command.output().expect("it runs");
        let says = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {says}");
        assert!(says.starts_with("amphipod: cannot write the output: "), "{arguments}: {says}");
    }
}
