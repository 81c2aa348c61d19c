//! What pages and sources must say: TESTING.md names tests that exist, the README is short and names the engines of the
//! book, and engines call a problem from one place.

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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("TESTING.md")).unwrap();
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

/// The engines in a list of a page, one after the other: code that is the name of a type or of the call for all costs.
fn engines<'p>(page: &'p str, from: &str, to: &str) -> Vec<&'p str> {
    let (_, list) = page.split_once(from).expect("the page has a list");
    let (list, _) = list.split_once(to).expect("the list ends");
    let code = list.split('`').skip(1).step_by(2);
    let names = code.map(|name| name.split("::").next().expect("a part"));
    let is_engine = |name: &&str| name.starts_with(char::is_uppercase) || *name == "solve_all";
    let names = names.filter(is_engine).filter(|&name| name != "Search");
    names.collect()
}

#[test]
fn the_readme_names_the_engines_of_the_book() {
    let readme = engines(include_str!("../README.md"), "## Which engine", "## Limits");
    let chapter = include_str!("../src/docs/ch2_engine.md");
    let chapter = engines(chapter, "Take the first line that fits", "When two seem to fit");
    assert!(readme.len() > 15, "{readme:?}");
    assert_eq!(readme, chapter);
}

#[test]
fn the_readme_is_short() {
    let readme = include_str!("../README.md");
    let (lines, words) = (readme.lines().count(), readme.split_whitespace().count());
    assert!(lines <= 150 && words <= 1200, "{lines} lines, {words} words");
}

/// Whether a line of the sources calls `SearchProblem::successors`.
fn asks_for_successors(line: &str) -> bool {
    let code = line.trim_start();
    !code.starts_with("//") && code.contains("problem") && code.contains(".successors(")
}

#[test]
fn engines_of_one_driver_call_the_problem_from_one_place() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src");
    let engine = sources.join("engine");
    let mut folders = vec![engine.clone()];
    for folder in ["best_first", "paths", "policy", "pareto", "relaxation"] {
        folders.push(engine.join(folder));
    }
    let mut files = vec![sources.join("path.rs"), engine.join("incumbent/search.rs")];
    for folder in folders {
        let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|end| end == "rs")));
    }
    assert!(files.len() > 40, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        // The tests of a file come last.
        let code = text.split("#[cfg(test)]").next().unwrap();
        let found = code.lines().find(|line| asks_for_successors(line));
        assert_eq!(found, None, "in {}: use `generate`", file.display());
    }
}
