//! Checkpoints whose checksum is right and whose contents are not.

use std::path::Path;

use support::random::rounds;

use super::graph::Graph;
use super::{MOST_OPERATIONS, Run};
use crate::Search;
use crate::checksum::{Checksum, checksum};
use crate::disk_fault::DiskFaultKind;
use crate::engine::disk::checkpoint::BLOCK;
use crate::engine::disk::storage::{Storage, read_all, write_all};
use crate::engine::random::Random;
use crate::report::SearchError;

/// Changes some bytes of the manifest, and its checksum with them.
fn forge(storage: &dyn Storage, random: &mut Random) {
    let path = Path::new("kept/manifest");
    let mut file = storage.open_or_create(path).unwrap();
    let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
    read_all(file.as_mut(), 0, &mut bytes).unwrap();
    let content = bytes.len() - 8;
    // The counts and the list of files are at the beginning, and most bytes are entries.
    let end = if random.one_in(2) { content } else { content.min(512) };
    let at = 16 + random.index(end - 16);
    let len = (1 + random.index(8)).min(content - at);
    let value = random.next();
    let value = [0, 1, u64::MAX, value, value % 256, value % 65_536][random.index(6)];
    bytes[at..at + len].copy_from_slice(&value.to_le_bytes()[..len]);
    let mut sum = Checksum::new();
    bytes[..content].chunks(BLOCK).for_each(|block| sum.add(checksum(block)));
    bytes[content..].copy_from_slice(&sum.value().to_le_bytes());
    write_all(file.as_mut(), 0, &bytes).unwrap();
}

/// What became of a search that went on from a forged checkpoint: whether it was refused at once.
fn check(seed: u64) -> bool {
    let mut random = Random::new(seed);
    let graph = Graph::random(&mut random, 1000);
    let mut run = Run::new(&graph, seed);
    (run.every, run.disk_limit, run.capacity) = (Some(10), None, u64::MAX / 8);
    run.disk.set_capacity(run.capacity);
    run.memory = run.memory.max(1 << 14);
    let mut search = run.begin();
    let _ = search.run_for(1 + random.below(300)).unwrap();
    drop(search);
    forge(run.disk.shared().as_ref(), &mut random);

    let mut engine = run.engine();
    let tally = match engine.read_checkpoint() {
        Ok(tally) => tally,
        Err(fault) => {
            assert_ne!(fault.kind, DiskFaultKind::Checksum);
            return true;
        }
    };
    let limits =
        run.limits().memory(1 << 22).expansions(tally.stats.expanded.saturating_add(20_000));
    let mut search = Search::from_tally(engine, limits, (), tally);
    match search.run() {
        // What it says may be wrong, but a path is one.
        Ok(report) => {
            assert_eq!(report.path().map_or(Ok(()), |path| path.verify(&graph)), Ok(()));
        }
        Err(SearchError::Disk(_) | SearchError::Overflow { .. } | SearchError::Path(_)) => {}
        Err(other) => panic!("{other}"),
    }
    assert!(run.disk.operations() < MOST_OPERATIONS);
    false
}

#[test]
fn a_forged_checkpoint_is_an_error_or_is_searched() {
    let (mut refused, mut searched, mut failed) = (0, 0, Vec::new());
    for seed in 0..rounds(2000) {
        match std::panic::catch_unwind(|| check(seed)) {
            Ok(true) => refused += 1,
            Ok(false) => searched += 1,
            Err(_) => failed.push(seed),
        }
    }
    assert!(failed.is_empty(), "{} seeds fail: {failed:?}", failed.len());
    assert!(refused > rounds(600) && searched > rounds(400), "{refused} and {searched}");
}
