//! Saving and loading: what is not the file that was asked for is an error, and says why.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Barrier;

use bestfirst::heuristics::{FileError, PatternDatabase};

use super::graph::Graph;

const LABEL: &str = "a ring";

/// A ring of 200 nodes, and one from which there is no way.
fn database() -> PatternDatabase {
    let edges = (0..200).map(|n| (n, (n + 1) % 200, 2)).collect();
    let ring = Graph { nodes: 202, edges, goals: vec![0] };
    PatternDatabase::build(&ring, [0], |&n| n).unwrap()
}

fn file() -> Vec<u8> {
    let mut bytes = Vec::new();
    database().write_to(&mut bytes, LABEL).unwrap();
    bytes
}

#[test]
fn what_is_written_is_read() {
    let bytes = file();
    assert_eq!(bytes.len(), 40 + LABEL.len() + 200);
    assert_eq!(PatternDatabase::read_from(&bytes[..], LABEL).unwrap(), database());
    let empty =
        PatternDatabase::build(&Graph { nodes: 0, edges: vec![], goals: vec![] }, [], |&n| n);
    let mut bytes = Vec::new();
    empty.as_ref().unwrap().write_to(&mut bytes, "").unwrap();
    assert_eq!(PatternDatabase::read_from(&bytes[..], "").unwrap(), empty.unwrap());
}

#[test]
fn damaged_files_are_rejected() {
    let mut bytes = file();
    for at in 0..bytes.len() {
        for change in [1, 0x10, 0xFF] {
            bytes[at] ^= change;
            let fault = PatternDatabase::read_from(&bytes[..], LABEL).unwrap_err();
            let is_named = match at {
                0..8 => matches!(fault, FileError::NotADatabase),
                8..12 => matches!(fault, FileError::Version { expected: 1, .. }),
                _ => matches!(fault, FileError::Checksum { .. }),
            };
            assert!(is_named, "byte {at}: {fault:?}");
            bytes[at] ^= change;
        }
    }
}

#[test]
fn files_that_are_cut_off_or_too_long_are_rejected() {
    let mut bytes = file();
    for len in 0..bytes.len() {
        let fault = PatternDatabase::read_from(&bytes[..len], LABEL).unwrap_err();
        let is_named = match len {
            0..40 => matches!(fault, FileError::NotADatabase),
            40..46 => matches!(fault, FileError::Checksum { .. }),
            _ => {
                matches!(fault, FileError::Length { found, expected: 200 } if found == len as u64 - 46)
            }
        };
        assert!(is_named, "{len} bytes: {fault:?}");
    }
    bytes.push(0);
    let fault = PatternDatabase::read_from(&bytes[..], LABEL).unwrap_err();
    assert!(matches!(fault, FileError::Length { found: 201, expected: 200 }), "{fault:?}");
}

#[test]
fn files_of_something_else_are_rejected() {
    let fault = PatternDatabase::read_from(&file()[..], "another ring").unwrap_err();
    assert_eq!(
        fault.to_string(),
        "this is a pattern database of `a ring`, expected `another ring`"
    );
    let fault = PatternDatabase::read_from(&b"1 2 3 4 5"[..], LABEL).unwrap_err();
    assert_eq!(fault.to_string(), "this is not a pattern database");
    // A database that says that it is larger than any memory.
    let mut bytes = file();
    bytes[16..24].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(PatternDatabase::read_from(&bytes[..], LABEL).is_err());
}

/// A writer that has room for this many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = bytes.len().min(self.0);
        self.0 -= written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error_and_leaves_nothing_behind() {
    for room in [0, 39, 100] {
        let fault = database().write_to(Full(room), LABEL).unwrap_err();
        assert!(matches!(fault, FileError::Io(_)), "{fault:?}");
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pattern_databases_files");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("is-a-folder.pdb")).unwrap();
    assert!(database().save(folder.join("is-a-folder.pdb"), LABEL).is_err());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    let path = folder.join("ring.pdb");
    let fault = PatternDatabase::load(&path, LABEL).unwrap_err();
    assert!(matches!(&fault, FileError::Io(e) if e.kind() == io::ErrorKind::NotFound), "{fault:?}");
    database().save(&path, LABEL).unwrap();
    assert_eq!(PatternDatabase::load(&path, LABEL).unwrap(), database());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

/// While it is written, each has a file of its own.
#[test]
fn databases_are_saved_by_several_threads_at_the_same_time() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pattern_databases_threads");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let database = &database();
    let (names, barrier) = (["tiles.left", "tiles.right", "tiles.right"], &Barrier::new(3));
    for _ in 0..10 {
        std::thread::scope(|scope| {
            let savers = names.map(|name| {
                let path = folder.join(name);
                scope.spawn(move || {
                    barrier.wait();
                    database.save(path, name)
                })
            });
            for saver in savers {
                saver.join().unwrap().unwrap();
            }
        });
        for name in names {
            assert_eq!(PatternDatabase::load(folder.join(name), name).unwrap(), *database);
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    }
}

#[test]
fn the_label_of_a_file_is_cut_and_without_control_characters() {
    let mut bytes = Vec::new();
    let label = format!("\u{1b}[31m\n{}", "x".repeat(1000));
    database().write_to(&mut bytes, &label).unwrap();
    let says = PatternDatabase::read_from(&bytes[..], LABEL).unwrap_err().to_string();
    assert!(says.starts_with(r"this is a pattern database of `\u{1b}[31m\nxxx"), "{says}");
    assert!(says.len() < 200 && says.ends_with("x…`, expected `a ring`"), "{says}");
}
