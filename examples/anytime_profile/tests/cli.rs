//! The example program `anytime_profile`: its output and its exit status.

#[path = "../../../tests/support/program.rs"]
mod program;

use std::fs;
use std::path::Path;

use program::run;

#[test]
fn a_profile_is_plotted() {
    let program = Path::new(env!("CARGO_BIN_EXE_anytime_profile"));
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("profile.svg");
    let _ = fs::remove_file(&file);
    let stopped = run(program, &format!("{} --time 0", file.display()), "");
    assert_eq!((stopped.status, stopped.output.as_str()), (Some(3), ""), "{}", stopped.errors);
    assert!(stopped.errors.contains("no solution was found"), "{}", stopped.errors);
    assert!(!file.exists());
    let ran = run(program, &format!("{} --time 1 --memory 200", file.display()), "");
    assert_eq!((ran.status, ran.errors.as_str()), (Some(0), ""));
    let moves = ran.output.split_whitespace().next().and_then(|word| word.parse::<u32>().ok());
    assert!(moves.is_some_and(|moves| moves >= 40), "{}", ran.output);
    assert!(!ran.output.contains("Some"), "{}", ran.output);
    let picture = fs::read_to_string(&file).unwrap();
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
}

#[test]
fn usage_is_explained() {
    let program = Path::new(env!("CARGO_BIN_EXE_anytime_profile"));
    let ran = run(program, "--help", "");
    assert_eq!(ran.status, Some(0));
    assert!(ran.output.contains("Usage: anytime_profile") && ran.output.contains("Exit status"));
    for arguments in ["--no-such-option", "a b", "--time -1", "there/is/no/such/folder.svg"] {
        let ran = run(program, arguments, "");
        assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""), "{arguments}");
    }
    assert!(!Path::new("--no-such-option").exists());
    for (file, expected) in [
        ("a.gif", "FILE: a.gif: the name must end in .svg"),
        ("-", "FILE: the standard output is for the answers"),
    ] {
        let ran = run(program, &format!("{file} --time 1"), "");
        assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""), "{file}");
        assert!(ran.errors.contains(expected) && !Path::new(file).exists(), "{}", ran.errors);
    }
}
