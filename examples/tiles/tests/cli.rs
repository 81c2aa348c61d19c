//! The example program `tiles`: its output and its exit status.

#[path = "../../../tests/support/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use program::Ran;

/// Runs the program.
fn tiles(arguments: &str, input: &str) -> Ran {
    program::run(Path::new(env!("CARGO_BIN_EXE_tiles")), arguments, input)
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

const EIGHT: &str = "8 7 6 5 4 3 2 1 0\n\n# a comment\n1 . 2 3 4 5 6 7 8\n0 1 2 3 4 5 6 7 8\n";

/// The lengths of the solutions: the first words of all lines.
fn lengths(ran: &Ran) -> Vec<&str> {
    ran.output.lines().filter_map(|line| line.split_whitespace().next()).collect()
}

#[test]
fn without_a_file_it_solves_an_example() {
    let ran = tiles("", "");
    assert_eq!((ran.status, ran.output.as_str()), (Some(0), "42 540860\n"));
    assert_eq!(ran.errors, "");
}

#[test]
fn every_engine_and_heuristic_finds_the_same_lengths() {
    for engine in ["astar", "idastar", "breadth-first", "bidirectional"] {
        for heuristic in
            ["manhattan", "1,2,3,4/5,6,7,8", "1,2/3,4", "1,2,3,4/5,6,7,8 --no-reflection"]
        {
            let ran = tiles(&format!("- --quiet --engine {engine} --heuristic {heuristic}"), EIGHT);
            assert_eq!((ran.status, ran.errors.as_str()), (Some(0), ""), "{engine} {heuristic}");
            assert_eq!(lengths(&ran), ["28", "1", "0"], "{engine} {heuristic}");
        }
    }
    let ran = tiles("- -q --heuristic 1,2,5/3,4/6,7 --size 4x2", "7 6 5 4 3 2 1 0");
    assert_eq!((ran.status, lengths(&ran)), (Some(0), vec!["28"]), "{}", ran.errors);
}

#[test]
fn databases_are_saved_and_loaded() {
    let folder = folder("tiles_cli_cache");
    let arguments =
        format!("- --heuristic 1,2,3/4,5,6 --stats --cache {}", folder.join("new").display());
    let first = tiles(&arguments, EIGHT);
    assert_eq!(first.status, Some(0), "{}", first.errors);
    assert_eq!(first.errors.matches("built sliding tiles 3x3").count(), 2, "{}", first.errors);
    assert_eq!(first.errors.matches("saved ").count(), 2, "{}", first.errors);
    assert!(first.output.contains("3 boards, 29 moves, "), "{}", first.output);
    let second = tiles(&arguments, EIGHT);
    assert_eq!((second.status, second.errors.as_str()), (Some(0), ""));
    assert_eq!(lengths(&second)[..3], lengths(&first)[..3]);

    // A folder that cannot be written is found out before anything is built.
    let file = folder.join("file");
    fs::write(&file, "").unwrap();
    let ran = tiles(&arguments.replace("new", "file"), EIGHT);
    assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""));
    assert!(ran.errors.starts_with("tiles: ") && !ran.errors.contains("built"), "{}", ran.errors);

    // A damaged file is an error, and so is that of another pattern.
    let files = fs::read_dir(folder.join("new")).unwrap();
    let mut files: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut bytes = fs::read(&files[0]).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&files[0], &bytes).unwrap();
    let ran = tiles(&arguments, EIGHT);
    assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""));
    assert!(ran.errors.contains("the pattern database is damaged"), "{}", ran.errors);
    fs::copy(&files[1], &files[0]).unwrap();
    let ran = tiles(&arguments, EIGHT);
    assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""));
    assert!(ran.errors.contains("this is a pattern database of `sliding tiles"), "{}", ran.errors);
}

#[test]
fn no_solution_is_printed_in_words() {
    let ran = tiles("-", "1 2 3 4 5 6 8 7 0\n0 1 2 3 4 5 6 7 8");
    assert_eq!((ran.status, ran.output.as_str()), (Some(1), "no solution 1\n0 1\n"));
}

#[test]
fn a_byte_order_mark_before_boards_is_ignored() {
    for first in ["# a comment\n", ""] {
        let ran = tiles("- -q", &format!("\u{FEFF}{first}{EIGHT}"));
        assert_eq!((ran.status, ran.errors.as_str()), (Some(0), ""));
        assert_eq!(lengths(&ran), ["28", "1", "0"]);
    }
}

#[test]
fn errors_in_the_input_have_positions() {
    for (input, error) in [
        ("0 1 2 3\n\n0 1 1 3", "standard input: line 3, column 5: tile 1 occurs twice"),
        ("0 1 2 3\n0 1 x 3", "standard input: line 2, column 5: `x` is not the number of a tile"),
        ("0 1 2 4", "standard input: line 1, column 7: there is no tile 4"),
        (
            "0 1 2 3\n0 1 2",
            "standard input: line 2: 3 numbers are not a square board; write all rows of a board in one line",
        ),
        ("\n", "standard input: there are no boards"),
    ] {
        let ran = tiles("-", input);
        assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""), "{input}");
        assert!(ran.errors.starts_with(&format!("tiles: {error}")), "{}", ran.errors);
    }
    let ran = tiles("-", "0 1 2");
    assert!(ran.errors.contains("not square, use --size WIDTHxHEIGHT"), "{}", ran.errors);
    let ran = tiles("- --size 3x2", "0 1 2 3 4");
    assert!(ran.errors.contains("line 1, column 1: found 5 numbers, expected 6"), "{}", ran.errors);
    let ran = tiles("no-such-file.txt", "");
    assert_eq!(ran.status, Some(2));
    assert!(ran.errors.contains("no-such-file.txt"), "{}", ran.errors);
}

#[test]
fn invalid_usage_is_an_error() {
    for arguments in ["--engine best", "--size 4", "--size 1x1", "a b", "--stats --quiet"] {
        let ran = tiles(arguments, "");
        assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""), "{arguments}");
        assert!(!ran.errors.is_empty(), "{arguments}");
    }
    for (heuristic, error) in [
        ("7-8", "for boards of 3×3: this partition is for boards of 4×4"),
        ("1,2/2", "column 5: tile 2 occurs twice"),
        ("1,9", "column 3: there is no tile 9; tiles are numbered from 1 to 8"),
        ("1,2//3", "column 5: a group has no tiles"),
    ] {
        let ran = tiles(&format!("- --heuristic {heuristic}"), EIGHT);
        assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""), "{heuristic}");
        assert!(ran.errors.contains(error), "{}", ran.errors);
    }
    for option in ["--cache folder", "--threads 2", "--no-reflection"] {
        let ran = tiles(option, "");
        assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""), "{option}");
        assert!(ran.errors.contains(" is for databases: give --heuristic"), "{}", ran.errors);
    }
    for option in ["--time -1", "--memory -1", "--threads -1"] {
        let ran = tiles(&format!("--heuristic 6-6-3 {option}"), "");
        assert_eq!(ran.status, Some(2), "{option}");
        assert!(ran.errors.contains("invalid value '-1'"), "{}", ran.errors);
    }
    let ran = tiles("--help", "");
    assert_eq!(ran.status, Some(0));
    assert!(ran.output.contains("--cache"));
}

#[test]
fn limits_stop_the_building_and_the_search() {
    let ran =
        tiles("- --heuristic 1,2,3,4,5,6 --memory 1", "1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
    assert_eq!((ran.status, ran.output.as_str()), (Some(3), ""));
    assert!(ran.errors.contains(
        "there is no more memory, or the limit on it is reached; it has 5765760 entries"
    ));
    // The time is that of all databases together.
    let ran = tiles("- --heuristic 1,2,3,4/5,6,7,8 --time 0", EIGHT);
    assert_eq!((ran.status, ran.output.as_str()), (Some(3), ""), "{}", ran.errors);
    assert!(ran.errors.contains("building the database of sliding tiles 3x3"), "{}", ran.errors);
    assert!(ran.errors.contains("the time is up"), "{}", ran.errors);
    let hard = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0";
    let ran = tiles("- --engine astar --memory 4", hard);
    assert_eq!(ran.status, Some(3), "{}", ran.errors);
    assert!(ran.output.starts_with("stopped "), "{}", ran.output);
    let ran = tiles("- --time 0", hard);
    assert_eq!(ran.status, Some(3));
    assert!(ran.output.contains("the time is up; at least "), "{}", ran.output);
}
