//! The example program `check`, on what the programs `amphipod` and `crucible` write.

#[path = "../../../tests/support/built.rs"]
mod built;
#[path = "../../../tests/support/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use built::build;
use program::{Ran, run};

const BURROW: &str = "#############\n#...........#\n###B#C#B#D###\n  #A#D#C#A#\n  #########\n";
const HOPELESS: &str = "#####\n#...#\n#B#A#\n#####\n";
const MAP: &str = "2413432311323\n3215453535623\n3255245654254\n3446585845452\n";

/// A new folder with the inputs.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in [("burrow", BURROW), ("hopeless", HOPELESS), ("map", MAP)] {
        fs::write(folder.join(name), text).unwrap();
    }
    folder
}

/// The path of the program `check`.
fn checker() -> PathBuf {
    env!("CARGO_BIN_EXE_check").into()
}

/// Runs a program with arguments in which `@` stands for the folder.
fn ran(program: &Path, arguments: &str, folder: &Path) -> Ran {
    run(program, &arguments.replace('@', &format!("{}/", folder.display())), "")
}

fn is(ran: &Ran, status: i32, output: &str) {
    assert_eq!((ran.status, ran.output.as_str()), (Some(status), output), "{}", ran.errors);
}

#[test]
fn certificates_of_burrows_are_checked() {
    let (amphipod, check, at) = (build("amphipod"), checker(), folder("burrows"));
    for (engine, form, proof) in [
        ("astar", "reduced", "; if the heuristic never overestimates"),
        ("dijkstra", "reduced", ""),
        ("astar", "literal", "; if the heuristic never overestimates"),
    ] {
        let options = format!("--part 2 --form {form}");
        let made = format!("-q --engine {engine} {options} --certificate @cert @burrow");
        is(&ran(&amphipod, &made, &at), 0, "44169\n");
        is(&ran(&check, &format!("-q {options} amphipod @burrow @cert"), &at), 0, "44169\n");
        let told = ran(&check, &format!("{options} amphipod @burrow @cert"), &at);
        assert!(told.output.starts_with("no solution costs less than 44169 (listed states: "));
        assert!(told.output.ends_with(&format!("{proof})\n")), "{}", told.output);
    }
    let other = ran(&check, "--form literal amphipod @burrow @cert", &at);
    is(&other, 1, "");
    assert!(other.errors.starts_with("check: not proved: "), "{}", other.errors);
    let made = ran(&amphipod, "-q --form literal --certificate @cert @hopeless", &at);
    is(&made, 1, "no solution\n");
    is(&ran(&check, "-q --form literal amphipod @hopeless @cert", &at), 0, "no solution\n");

    for arguments in ["@burrow", "--part 1 --engine idastar @burrow"] {
        let refused = ran(&amphipod, &format!("--certificate @none {arguments}"), &at);
        is(&refused, 2, "");
        assert!(refused.errors.contains("--engine astar or dijkstra"), "{}", refused.errors);
    }
}

#[test]
fn certificates_of_crucibles_are_checked() {
    let (crucible, check, at) = (build("crucible"), checker(), folder("crucibles"));
    for engine in ["astar", "dijkstra"] {
        let made = format!("-q --min 1 --max 3 --engine {engine} --certificate @cert @map");
        let made = ran(&crucible, &made, &at);
        assert_eq!(made.status, Some(0), "{}", made.errors);
        is(&ran(&check, "-q crucible @map @cert", &at), 0, &made.output);
    }
    let whole = fs::read(at.join("cert")).unwrap();
    let mut damaged = whole.clone();
    damaged[60] ^= 1;
    fs::write(at.join("cert"), &damaged).unwrap();
    let refused = ran(&check, "crucible @map @cert", &at);
    is(&refused, 1, "");
    assert!(refused.errors.contains("the checksum of the bytes before it"), "{}", refused.errors);
    for arguments in
        ["crucible @none @cert", "crucible @map @none", "crucible @burrow @cert", "map"]
    {
        assert_eq!(ran(&check, arguments, &at).status, Some(2), "{arguments}");
    }
    let refused = ran(&crucible, "--certificate @none @map", &at);
    is(&refused, 2, "");
    assert!(refused.errors.contains("give --min and --max"), "{}", refused.errors);
}

/// Only a certificate that can be read and proves nothing is not proved.
#[test]
fn what_cannot_be_read_or_written_is_a_fault() {
    let (amphipod, check, at) = (build("amphipod"), checker(), folder("unreadable"));
    let certificate = at.join("cert");
    let _ = fs::remove_file(&certificate);
    is(&ran(&amphipod, "-q --part 1 --certificate @cert @burrow", &at), 0, "12521\n");
    // Its folder is no file.
    let refused = ran(&check, "amphipod @burrow @", &at);
    is(&refused, 2, "");
    let says = format!("check: {}/: ", at.display());
    assert!(refused.errors.starts_with(&says), "{}", refused.errors);
    assert!(!refused.errors.contains("not proved"), "{}", refused.errors);
    let refused = ran(&check, "amphipod @cert @cert", &at);
    is(&refused, 2, "");
    assert!(refused.errors.contains("line 1, column 1: "), "{}", refused.errors);
    let refused = ran(&check, "amphipod @burrow @burrow", &at);
    is(&refused, 1, "");
    assert!(refused.errors.contains(": not proved: "), "{}", refused.errors);
    for (arguments, says) in [
        ("amphipod - -", "the certificate: the standard input is read for the input"),
        ("amphipod @burrow @cert --max 4", "--max is for crucible, not for amphipod"),
        ("crucible @map @cert --part 1", "--part is for amphipod, not for crucible"),
        ("crucible @map @cert --min -1", "invalid value '-1'"),
    ] {
        let refused = ran(&check, arguments, &at);
        is(&refused, 2, "");
        assert!(refused.errors.contains(says), "{arguments}: {}", refused.errors);
    }
    let read = program::run(&check, &format!("-q amphipod - {}", certificate.display()), BURROW);
    is(&read, 0, "12521\n");
    // A certificate replaces what was there only if the search ends.
    fs::write(&certificate, "what was there").unwrap();
    is(&ran(&amphipod, "-q --part 1 --certificate @cert @map", &at), 2, "");
    assert_eq!(fs::read_to_string(&certificate).unwrap(), "what was there");
    let refused = ran(&amphipod, "-q --part 1 --certificate @burrow @burrow", &at);
    is(&refused, 2, "");
    assert!(refused.errors.contains("is also the input; name another file"), "{}", refused.errors);
    assert_eq!(fs::read_to_string(at.join("burrow")).unwrap(), BURROW);
}

/// It panicked.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_full_or_closed_is_no_panic() {
    use std::process::{Command, Stdio};

    let (amphipod, check, at) = (build("amphipod"), checker(), folder("full"));
    is(&ran(&amphipod, "-q --part 1 --certificate @cert @burrow", &at), 0, "12521\n");
    let (burrow, certificate) = (at.join("burrow"), at.join("cert"));
    let end = |out: Stdio| {
        let mut command = Command::new(&check);
        command.arg("amphipod").args([&burrow, &certificate]).stdout(out);
        let output = command.stderr(Stdio::piped()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (status, errors) = end(full.into());
    assert_eq!(status, Some(2), "{errors}");
    assert!(errors.starts_with("check: cannot write the output: "), "{errors}");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    assert_eq!(end(writer.into()), (Some(0), String::new()));
}
