//! Programs in C and C++, compiled when a bench runs. They run as processes that wait while others have their
//! turn, and measure their processor time themselves.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use super::load;

/// A compiled program that answers requests, one a line.
pub struct Program {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// The searches that it offers.
    pub searches: Vec<String>,
}

/// The result of a program, and its processor time.
pub struct Found {
    pub time: Duration,
    pub numbers: Vec<u64>,
}

impl Program {
    /// Compiles `benches/cpp/{source}` with these flags and starts it. Where there is no compiler, says so
    /// in one line.
    pub fn start(source: &str, flags: &[&str], arguments: &[&Path]) -> Option<Self> {
        let program = compiled(source, flags)?;
        let mut child = Command::new(&program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|fault| panic!("{}: {fault}", program.display()));
        load::count_as_own(child.id());
        let requests = child.stdin.take();
        let mut answers = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        answers.read_line(&mut line).expect("it says what it can do");
        let searches = line.split_whitespace().map(ToOwned::to_owned).collect();
        Some(Self { child, requests, answers, searches })
    }

    /// One run of one of its searches.
    pub fn ask(&mut self, search: &str) -> Found {
        let mut requests = self.requests.as_ref().expect("it is asked until it is dropped");
        writeln!(requests, "{search}").expect("it reads requests");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("it answers");
        let number = |word: &str| word.parse().unwrap_or_else(|_| panic!("{search}: `{line}`"));
        let mut numbers = line.split_whitespace().map(number);
        let time = Duration::from_nanos(numbers.next().expect("the time"));
        Found { time, numbers: numbers.collect() }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // At the end of its input it ends.
        self.requests = None;
        let _ = self.child.wait();
    }
}

/// The program, compiled now or by an earlier run.
fn compiled(source: &str, flags: &[&str]) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp").join(source);
    let (compiler, standard) = if path.extension().is_some_and(|kind| kind == "c") {
        ("cc", "-std=c11")
    } else {
        ("c++", "-std=c++17")
    };
    let name = format!("{source}{}", flags.concat());
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    if changed(&program) > changed(&path) {
        return Some(program);
    }
    let status =
        Command::new(compiler).arg(standard).args(flags).arg("-o").args([&program, &path]).status();
    match status {
        Ok(status) if status.success() => Some(program),
        Ok(status) => {
            println!("skipped: {source} does not compile ({status})");
            None
        }
        Err(fault) => {
            println!("skipped: {source} needs `{compiler}` ({fault})");
            None
        }
    }
}
