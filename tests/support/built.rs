//! Builds an example program.

use std::path::PathBuf;
use std::process::Command;

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
    // The packages that were selected in the root folder, so that they have the same features.
    if cfg!(feature = "parallel") {
        cargo.args(["--workspace", "--all-features"]);
    }
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let built = cargo.current_dir(root).status();
    assert!(built.expect("cargo runs").success(), "the example builds");
    profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
