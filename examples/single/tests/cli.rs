//! The short examples that read arguments or files: what they say of wrong ones, and how they end where nobody reads on.

#[path = "../../../tests/support/built.rs"]
mod built;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs an example. Returns its exit status and what it writes to the standard error.
fn ended(example: &Path, arguments: &[&OsStr], output: impl Into<Stdio>) -> (Option<i32>, String) {
    let ran = Command::new(example).args(arguments).stdout(output).output().expect("it runs");
    (ran.status.code(), String::from_utf8(ran.stderr).expect("text"))
}

/// Words that are wrong for an example, and what it says of them.
const WRONG: [(&str, &str, &str); 10] = [
    ("alignment", "A C", "give three sequences of at most 10,000 letters, or none\n"),
    ("distributed", "1 2 x", "the board `1 2 x`: line 1, column 5: "),
    ("distributed", "-w 0", "-w"),
    ("game_loop", "0", "`0`: give a number of milliseconds from 1 on\n"),
    ("game_loop", "x", "`x`: give a number of milliseconds from 1 on\n"),
    ("hanoi", "x", "`x`: give a number of discs from 1 to 31\n"),
    ("hanoi", "32", "`32`: give a number of discs from 1 to 31\n"),
    ("letter_maze", "no/such/file", "no/such/file: "),
    ("n_puzzle", "no/such/file", "no/such/file: "),
    ("word_ladder", "cold x", "there is no ladder from `cold` to `x` by these words\n"),
];

/// Texts that are wrong for an example, and what it says of them after the name of the file.
const WRONG_TEXTS: [(&str, &[u8], &str); 7] = [
    ("letter_maze", b"", "found `S` 0 times on the map, expected it once\n"),
    ("letter_maze", b"SE\n.?", "line 2, column 2: "),
    ("letter_maze", b"S#E", "there is no way from `S` to an `E`\n"),
    ("letter_maze", b"\xFF", "stream did not contain valid UTF-8\n"),
    ("n_puzzle", b"\n", "there are no boards; write one a line\n"),
    ("n_puzzle", b"1 0 2 3 4 5 6 7 8\n\n1 x", "line 3, column 3: "),
    ("n_puzzle", b"\xFF", "stream did not contain valid UTF-8\n"),
];

#[test]
fn wrong_input_is_a_line_that_says_where_and_what() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("short_examples_wrong");
    let mut examples =
        vec!["alignment", "game_loop", "hanoi", "letter_maze", "n_puzzle", "word_ladder"];
    if cfg!(all(feature = "distributed", feature = "parallel")) {
        examples.push("distributed");
    }
    for name in examples {
        let example = built::build(name);
        let is_told = |arguments: &[&OsStr], says: &str| {
            let (status, errors) = ended(&example, arguments, Stdio::null());
            assert_eq!((status, errors.lines().count()), (Some(2), 1), "{name}: {errors}");
            assert!(errors.starts_with(says), "{name}: {errors}");
        };
        for (_, words, says) in WRONG.iter().filter(|wrong| wrong.0 == name) {
            is_told(&words.split(' ').map(OsStr::new).collect::<Vec<_>>(), says);
        }
        for (_, text, says) in WRONG_TEXTS.iter().filter(|wrong| wrong.0 == name) {
            fs::write(&file, text).unwrap();
            is_told(&[file.as_os_str()], &format!("{}: {says}", file.display()));
        }
        #[cfg(unix)]
        is_told(&[std::os::unix::ffi::OsStrExt::from_bytes(b"\xFF")], "");

        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(ended(&example, &[], writer), (Some(0), String::new()), "{name}");
    }
    let _ = fs::remove_file(&file);
}

#[test]
fn a_letter_of_several_bytes_is_one() {
    let ran = Command::new(built::build("alignment")).args(["é", "ü", "日本"]).output().unwrap();
    let printed = String::from_utf8(ran.stdout).unwrap();
    assert!(printed.contains("日本\n") && printed.ends_with("cost 7\n"), "{printed}");
}
