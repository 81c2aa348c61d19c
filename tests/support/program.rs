//! Runs a program.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

pub struct Ran {
    pub status: Option<i32>,
    pub output: String,
    pub errors: String,
}

/// Runs a program with these arguments, separated by blanks, and this input.
pub fn run(program: &Path, arguments: &str, input: &str) -> Ran {
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
