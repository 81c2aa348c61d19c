//! The external data of the benches, if it is present.
#![allow(dead_code, reason = "each bench that takes this module in uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};

/// The file at `path` inside the folder of benchmark data: the one that the environment variable
/// `BESTFIRST_DATA` names, or `../shared/data` beside the checkout. Where there is none, says so in
/// one line.
pub fn file(path: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("BESTFIRST_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"),
        PathBuf::from,
    );
    let file = folder.join(path);
    if file.exists() {
        return Some(file);
    }
    eprintln!("skipped: no {} (set BESTFIRST_DATA)", file.display());
    None
}

/// The text of that file.
pub fn text(path: &str) -> Option<String> {
    let file = file(path)?;
    Some(fs::read_to_string(&file).unwrap_or_else(|fault| panic!("{}: {fault}", file.display())))
}

/// One of Korf's hundred random 15-puzzles.
#[derive(Clone, Debug)]
pub struct Korf {
    pub number: u32,
    /// The length of a shortest solution.
    pub optimal: u16,
    /// The nodes that IDA* generates; the root counts once.
    pub nodes: u64,
    pub tiles: [u8; 16],
}

/// All hundred of them, in order.
pub fn korf() -> Option<Vec<Korf>> {
    let text = text("korf15/korf100.csv")?;
    let instance = |line: &str| {
        let mut fields = line.split(',').map(str::trim);
        let number = fields.next()?.parse().ok()?;
        let optimal = fields.nth(1)?.parse().ok()?;
        let nodes = fields.next()?.parse().ok()?;
        let tiles =
            fields.next()?.split_whitespace().map(str::parse).collect::<Result<Vec<_>, _>>();
        Some(Korf { number, optimal, nodes, tiles: tiles.ok()?.try_into().ok()? })
    };
    let read = |line| instance(line).unwrap_or_else(|| panic!("korf100.csv: cannot read `{line}`"));
    Some(text.lines().skip(1).map(read).collect())
}
