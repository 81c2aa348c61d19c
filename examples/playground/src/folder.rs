//! Writes the page as a folder of files, for any web server: its searches run in the browser.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::page::{FILES, Searches, WORKER, choices};

const TARGET: &str = "wasm32-unknown-unknown";

/// Why the folder cannot be written.
#[derive(Debug)]
pub enum BuildError {
    /// The standard library of the target is not installed.
    NoTarget,
    /// A program of Rust cannot be started.
    NoProgram {
        /// Its name.
        program: OsString,
        /// What the system says.
        fault: io::Error,
    },
    /// The compiler has said why.
    NotCompiled,
    /// A file cannot be written or read.
    File {
        /// The file.
        file: PathBuf,
        /// What the system says.
        fault: io::Error,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTarget => write!(
                f,
                "the target {TARGET} is not installed, which runs searches in browsers; with rustup, `rustup target \
                 add {TARGET}` installs it"
            ),
            Self::NoProgram { program, fault } => {
                write!(f, "cannot start {}: {fault}", program.display())
            }
            Self::NotCompiled => f.write_str("the searches could not be compiled; see above"),
            Self::File { file, fault } => write!(f, "{}: {fault}", file.display()),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoTarget | Self::NotCompiled => None,
            Self::NoProgram { fault, .. } | Self::File { fault, .. } => Some(fault),
        }
    }
}

/// Compiles the searches and writes the page into a folder, which is made if it is not there. Returns the bytes of all files.
///
/// # Errors
///
/// [`BuildError`], also if the target is not installed.
pub fn build(folder: &Path) -> Result<u64, BuildError> {
    let module = compile()?;
    let at = |file: &Path| {
        let file = file.to_owned();
        |fault| BuildError::File { file, fault }
    };
    fs::create_dir_all(folder).map_err(at(folder))?;
    let choices = choices(Searches::Workers).to_string();
    let own = [
        ("worker.js", without_comments(WORKER)),
        ("choices.json", choices.into_bytes()),
        ("playground.wasm", fs::read(&module).map_err(at(&module))?),
    ];
    let page = FILES.iter().map(|&(name, content_type, text)| {
        let is_script = content_type.starts_with("text/javascript");
        (name, if is_script { without_comments(text) } else { text.as_bytes().to_vec() })
    });
    let mut bytes = 0;
    for (name, content) in page.chain(own) {
        let file = folder.join(name);
        fs::write(&file, &content).map_err(at(&file))?;
        bytes += content.len() as u64;
    }
    Ok(bytes)
}

/// A script without its indentation and the lines that are comments, which browsers need not load.
fn without_comments(script: &str) -> Vec<u8> {
    let lines = script.lines().map(str::trim_start).filter(|line| !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect::<String>().into_bytes()
}

/// Compiles this package for browsers, and returns the file.
fn compile() -> Result<PathBuf, BuildError> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let library =
        output(Command::new(&rustc).args(["--print", "target-libdir", "--target", TARGET]))?;
    let is_installed =
        String::from_utf8(library).is_ok_and(|folder| Path::new(folder.trim()).is_dir());
    if !is_installed {
        return Err(BuildError::NoTarget);
    }
    // Set by `cargo run` and `cargo test`.
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command.args(["rustc", "--package", "playground", "--lib", "--crate-type", "cdylib"]);
    command.args(["--profile", "page", "--target", TARGET]);
    command.arg("--message-format=json-render-diagnostics");
    // A page may not take all memory of the machine.
    command.args(["--", "-Clink-arg=--max-memory=1073741824"]);
    let messages = output(&mut command)?;
    // This package is the last that is compiled.
    let module = String::from_utf8_lossy(&messages).lines().rev().find_map(module_in);
    module.ok_or(BuildError::NotCompiled)
}

/// Runs a program in the folder of this package; what it says goes to the user.
fn output(command: &mut Command) -> Result<Vec<u8>, BuildError> {
    command.current_dir(env!("CARGO_MANIFEST_DIR")).stderr(Stdio::inherit());
    let output = command.output().map_err(|fault| {
        let program = command.get_program().to_owned();
        BuildError::NoProgram { program, fault }
    })?;
    if output.status.success() { Ok(output.stdout) } else { Err(BuildError::NotCompiled) }
}

/// The module that a message of cargo names.
fn module_in(message: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(message).ok()?;
    let files = message["filenames"].as_array()?.iter().filter_map(Value::as_str);
    files.map(PathBuf::from).find(|file| file.extension().is_some_and(|end| end == "wasm"))
}
