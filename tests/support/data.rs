//! What several tests need.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The file at `path` inside the folder of benchmark data: the one that the environment variable
/// `BESTFIRST_DATA` names, or `../shared/data` beside the checkout. Where there is none, says so in
/// one line and returns `None`; the test is then to be skipped.
pub fn data(path: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("BESTFIRST_DATA")
        .map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let file = folder.join(path);
    if file.exists() {
        return Some(file);
    }
    // Past the capture of the test harness: that a test was skipped is worth knowing.
    let _ = writeln!(std::io::stderr(), "skipped: no {} (set BESTFIRST_DATA)", file.display());
    None
}

/// The folder of the crate, also for the tests of the programs, which are packages inside of it.
fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("Cargo.lock").exists()).unwrap_or(package)
}
