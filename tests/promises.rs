//! The table in TESTING.md says which test holds which promise: the tests that it names must exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The names behind `#[test]`, with attributes between them or not.
fn tests(source: &str) -> impl Iterator<Item = &str> {
    source.split("#[test]").skip(1).filter_map(|rest| {
        let (_, rest) = rest.split_once("fn ")?;
        Some(rest.split_once('(')?.0)
    })
}

#[test]
fn every_test_that_is_named_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(page) = fs::read_to_string(root.join("TESTING.md")) else {
        println!("skipped: the published package has no TESTING.md");
        return;
    };
    let mut files = Vec::new();
    for folder in ["tests", "src", "examples", "benches"] {
        collect(&root.join(folder), &mut files);
    }
    let sources: Vec<_> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let existing: BTreeSet<_> = sources.iter().flat_map(|source| tests(source)).collect();
    let (table, _) = page.split_once("\n## ").unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| "));
    let named: Vec<_> = rows
        .filter_map(|row| row.split('|').nth(2))
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    assert!(named.len() > 40, "{named:?}");
    for name in named {
        let is_file = name.contains(['/', '.']);
        let exists = if is_file { root.join(name).exists() } else { existing.contains(name) };
        assert!(exists, "there is no {name}");
    }
}

/// The engines in the table of a page, in order; the lines of the page may be comments.
fn engines(page: &str) -> Vec<&str> {
    let rows = page.lines().map(|line| line.trim_start_matches("//! "));
    let rows = rows.skip_while(|row| !row.starts_with("| engine |")).skip(2);
    let names = rows.take_while(|row| row.starts_with('|')).map(|row| row.split('`').nth(1));
    names.map(|name| name.expect("an engine in each row")).collect()
}

#[test]
fn both_tables_of_engines_agree() {
    let [readme, crate_page] =
        [include_str!("../README.md"), include_str!("../src/lib.rs")].map(engines);
    assert!(readme.len() > 15, "{readme:?}");
    assert_eq!(readme, crate_page);
}
