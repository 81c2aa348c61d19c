//! Runs an example program.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The path of an example program. It is built here, so that it is up to date whichever tests run.
pub fn build(name: &str) -> PathBuf {
    // This test is `target/<profile>/deps/…`.
    let mut profile = std::env::current_exe().expect("this program has a path");
    profile.pop();
    profile.pop();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--example", name]);
    if let Some(target) = profile.parent() {
        cargo.arg("--target-dir").arg(target);
    }
    // As this test was built, so that nothing is compiled a second time.
    cargo.args(["--profile", if profile.ends_with("release") { "release" } else { "test" }]);
    if cfg!(feature = "parallel") {
        cargo.arg("--all-features");
    }
    // The packages that `cargo test` selects in the root folder, so that they have the same features.
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let built = cargo.current_dir(root).status();
    assert!(built.expect("cargo runs").success(), "the example builds");
    profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

pub struct Ran {
    pub status: Option<i32>,
    pub output: String,
    pub errors: String,
}

/// Runs a program with these arguments, separated by blanks, and this input.
pub fn run(program: &PathBuf, arguments: &str, input: &str) -> Ran {
    let mut child = Command::new(program)
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
    Ran {
        status: output.status.code(),
        output: String::from_utf8(output.stdout).expect("text"),
        errors: String::from_utf8(output.stderr).expect("text"),
    }
}
