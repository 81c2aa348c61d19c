//! The crates that are built, how long that takes, and what comes out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate that depends on a library.
pub struct Consumer {
    pub name: &'static str,
    program: &'static str,
    /// To build it from nothing as a release and for debugging; and after a touch of `main.rs`.
    pub seconds: [Vec<f64>; 4],
}

/// What does not depend on the time.
#[derive(Clone, Copy)]
pub struct Counts {
    /// Of the program as a release, without symbols.
    pub bytes: u64,
    /// That are compiled beside it.
    pub crates: u64,
    pub lines: u64,
    pub functions: u64,
    /// The most places from which a closure of `main` is called, or the method that calls it.
    pub sites: u64,
}

impl Counts {
    pub fn named(&self) -> [(&'static str, u64); 4] {
        [
            ("bytes above empty", self.bytes),
            ("crates", self.crates),
            ("lines of LLVM", self.lines),
            ("functions", self.functions),
        ]
    }
}

/// The link to this library, in the folder of a crate that depends on it.
const LINK: &str = "bestfirst";

/// The name of the program that prints a number.
pub const EMPTY: &str = "empty";
const DIJKSTRA: &str = include_str!("dijkstra.rs");
const SOLVE: &str = include_str!("solve.rs");

/// The folder of this library.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the benches are in a folder of it")
}

/// What `Cargo.toml` calls features.
fn all_features() -> String {
    let manifest = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"));
    let manifest = manifest.unwrap_or_else(|fault| panic!("Cargo.toml: {fault}"));
    let lines = manifest.lines().skip_while(|line| *line != "[features]").skip(1);
    let names = lines.take_while(|line| !line.starts_with('[')).filter_map(|line| {
        let (name, _) = line.split_once(" = [")?;
        (!name.starts_with('#')).then(|| format!("\"{name}\""))
    });
    names.collect::<Vec<_>>().join(", ")
}

impl Consumer {
    /// An empty program, and what calls this library as it is by default.
    pub fn of_default_features() -> Vec<Self> {
        vec![
            Self::new(EMPTY, include_str!("empty.rs"), ""),
            Self::of_source("bestfirst: `solve`", SOLVE, root(), ""),
            Self::of_source("bestfirst: `dijkstra`", DIJKSTRA, root(), ""),
        ]
    }

    pub fn ours() -> Vec<Self> {
        let mut consumers = Self::of_default_features();
        let name = "bestfirst: `solve`, ready problems";
        consumers.push(Self::of_source(name, SOLVE, root(), "\"problems\""));
        let name = "bestfirst: `solve`, all features";
        consumers.push(Self::of_source(name, SOLVE, root(), &all_features()));
        consumers
    }

    pub fn rivals() -> Vec<Self> {
        let pathfinding = include_str!("pathfinding.rs");
        let petgraph = include_str!("petgraph.rs");
        vec![
            Self::new("pathfinding: `astar`", pathfinding, "pathfinding = \"4.16\""),
            Self::new("petgraph: `astar`", petgraph, "petgraph = \"0.8\""),
        ]
    }

    /// Another version of this library.
    pub fn of_checkout(path: &str) -> Vec<Self> {
        let path = fs::canonicalize(path).unwrap_or_else(|fault| panic!("{path}: {fault}"));
        vec![
            Self::of_source("other version: `solve`", SOLVE, &path, ""),
            Self::of_source("other version: `dijkstra`", DIJKSTRA, &path, ""),
        ]
    }

    /// Writes a crate that depends on a version of this library, with the features named.
    fn of_source(name: &'static str, program: &'static str, source: &Path, features: &str) -> Self {
        let dependency = format!("bestfirst = {{ path = \"{LINK}\", features = [{features}] }}");
        let consumer = Self::new(name, program, &dependency);
        // A program holds the paths of its sources, for panics, and the order of its functions depends on them. The path
        // of a link in its own folder is the same wherever the library is.
        let link = consumer.folder().join(LINK);
        if fs::read_link(&link).ok().as_deref() != Some(source) {
            // What was built of other sources may be newer than these.
            let _ = fs::remove_dir_all(consumer.target());
            let _ = fs::remove_file(&link);
            let linked = std::os::unix::fs::symlink(source, &link);
            linked.unwrap_or_else(|fault| panic!("{}: {fault}", link.display()));
        }
        consumer
    }

    /// Writes the crate.
    fn new(name: &'static str, program: &'static str, dependency: &str) -> Self {
        let consumer = Self { name, program, seconds: Default::default() };
        let folder = consumer.folder();
        // Of a path, cargo stores what it compiled in pieces, to change it later; not of what comes from crates.io.
        let profile = if dependency.contains("path = ") {
            "[profile.dev.package.bestfirst]\nincremental = false\n\n"
        } else {
            ""
        };
        let manifest = format!(
            "[package]\nname = \"consumer\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependency}\n\n{profile}[workspace]\nexclude = [\"{LINK}\"]\n",
        );
        let lock = root().join("Cargo.lock");
        let written = fs::create_dir_all(folder.join("src"))
            .and_then(|()| fs::write(folder.join("Cargo.toml"), manifest))
            .and_then(|()| fs::write(folder.join("src/main.rs"), program))
            // The same versions of what both depend on.
            .and_then(|()| fs::copy(lock, folder.join("Cargo.lock")));
        written.unwrap_or_else(|fault| panic!("{}: {fault}", folder.display()));
        consumer
    }

    fn folder(&self) -> PathBuf {
        let name = self.name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("consumers").join(name)
    }

    fn target(&self) -> PathBuf {
        self.folder().join("target")
    }

    /// Writes the program once more, so that it is compiled again.
    fn touch(&self) {
        let main = self.folder().join("src/main.rs");
        fs::write(&main, self.program)
            .unwrap_or_else(|fault| panic!("{}: {fault}", main.display()));
    }

    /// Runs cargo, and returns what it wrote to standard output.
    fn cargo(&self, arguments: &[&str]) -> String {
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .current_dir(self.folder())
            .env("CARGO_TARGET_DIR", self.target())
            // As a new crate is built.
            .env_remove("CARGO_INCREMENTAL")
            .env_remove("RUSTFLAGS")
            .output()
            .unwrap_or_else(|fault| panic!("cargo: {fault}"));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {errors}", self.name);
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Builds it from nothing, and once more after a touch, as a release and for debugging.
    pub fn time(&mut self) {
        let profiles = [&["build", "--release"][..], &["build"]];
        for (at, arguments) in profiles.into_iter().enumerate() {
            let _ = fs::remove_dir_all(self.target());
            let before = time_of_children();
            self.cargo(arguments);
            let cold = time_of_children();
            self.touch();
            let touched = time_of_children();
            self.cargo(arguments);
            self.seconds[at].push(cold - before);
            self.seconds[at + 2].push(time_of_children() - touched);
        }
        let _ = fs::remove_dir_all(self.target());
    }

    /// Builds it as a release, twice: to measure the program, and to count what the compiler makes.
    pub fn count(&self) -> Counts {
        let target = self.target();
        self.touch();
        let said = self.cargo(&["build", "--release", "--message-format=json"]);
        let crates = crates_in(&said);
        let stripped = target.join("stripped");
        let program = target.join("release/consumer");
        let status = Command::new("strip").arg("-o").args([&stripped, &program]).status();
        assert!(status.is_ok_and(|status| status.success()), "`strip` is needed");
        let bytes = fs::metadata(&stripped).map_or(0, |data| data.len());
        self.touch();
        self.cargo(&["rustc", "--release", "--", "--emit=llvm-ir", "-Cno-prepopulate-passes"]);
        let code = take_code(&target.join("release/deps"));
        let (lines, functions) = lines_and_functions(&code);
        Counts { bytes, crates, lines, functions, sites: most_call_sites(&code) }
    }
}

/// Compiled beside the program, by the messages of cargo.
fn crates_in(messages: &str) -> u64 {
    let mut crates = BTreeSet::new();
    for message in messages.lines() {
        let message: serde_json::Value = serde_json::from_str(message).unwrap_or_default();
        if message["reason"] == "compiler-artifact" {
            crates.insert(message["package_id"].as_str().unwrap_or_default().to_owned());
        }
    }
    // But for the program itself.
    crates.len().saturating_sub(1) as u64
}

/// What was handed to LLVM. Removes the file that it was written to.
fn take_code(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap_or_else(|fault| panic!("no builds: {fault}"));
    let is_code = |path: &PathBuf| path.extension().is_some_and(|name| name == "ll");
    let mut files = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_code);
    let file = files.next().expect("the compiler has written it");
    assert!(files.next().is_none(), "the code is in one file");
    let code = fs::read_to_string(&file).and_then(|code| fs::remove_file(&file).map(|()| code));
    code.unwrap_or_else(|fault| panic!("{}: {fault}", file.display()))
}

/// The lines in the bodies of functions, and the functions.
fn lines_and_functions(code: &str) -> (u64, u64) {
    let (mut lines, mut functions, mut is_inside) = (0, 0, false);
    for line in code.lines() {
        if line.starts_with("define ") {
            functions += 1;
            is_inside = true;
        } else if line == "}" {
            is_inside = false;
        } else if is_inside && !line.is_empty() {
            lines += 1;
        }
    }
    (lines, functions)
}

/// The most places from which a closure of `main` is called, or `successors` of the problem that is made of closures.
fn most_call_sites(code: &str) -> u64 {
    let mut sites = BTreeMap::new();
    for line in code.lines().filter(|line| line.contains("call ") || line.contains("invoke ")) {
        // The function that is called is the first name in the line.
        let Some((_, rest)) = line.split_once('@') else { continue };
        let name = rest.split('(').next().unwrap_or_default();
        let is_closure = name.contains("8consumer4main") && name.contains("closure");
        if is_closure || name.contains("..FnProblem$LT$") && name.contains("10successors17h") {
            *sites.entry(name).or_insert(0) += 1;
        }
    }
    sites.into_values().max().unwrap_or(0)
}

/// The processor time, in seconds, of all processes that this one has started and that have ended.
fn time_of_children() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, may hold anything.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    // In hundredths of a second.
    fields.skip(13).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}
