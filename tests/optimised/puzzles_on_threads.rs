//! IDA* on several threads has the same nodes as on one: puzzles of some length.
#![cfg(feature = "parallel")]

use std::fmt::Debug;

use bestfirst::{IdaStar, Report, SearchError};

use support::fifteen::fifteen;

/// Some of Korf's hundred random 15-puzzles: length of a shortest solution, nodes, tiles.
const KORF: [(u16, u64, &str); 5] = [
    (42, 540_860, "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"),
    (41, 927_212, "13 8 14 3 9 1 0 7 15 5 4 10 12 2 6 11"),
    (56, 1_897_728, "14 13 4 11 15 8 6 9 0 7 3 1 2 10 12 5"),
    (52, 5_934_442, "13 14 6 12 4 5 1 0 9 3 10 2 15 11 8 7"),
    (51, 12_955_404, "5 0 15 8 4 6 1 14 10 11 3 9 7 12 2 13"),
];

/// All of a report that must not depend on how many threads there were.
fn whatever_threads<S: Debug, A: Debug, C: Debug>(
    answer: Result<Report<S, A, C>, SearchError<C>>,
) -> Report<S, A, C> {
    let mut report = answer.unwrap();
    (report.stats.peak_bytes, report.stats.stored) = (0, 0);
    report
}

#[test]
fn puzzles_have_the_same_nodes_in_every_iteration() {
    for (optimal, nodes, tiles) in KORF {
        let (puzzle, start) = fifteen(tiles);
        let one = IdaStar::new(&puzzle).in_place().search(start).run();
        assert_eq!(one.as_ref().unwrap().stats.generated + 1, nodes);
        let one = whatever_threads(one);
        for threads in [0, 1, 2, 3, 7] {
            let many = IdaStar::new(&puzzle).in_place().threads(threads).search(start).run();
            assert_eq!(many.as_ref().unwrap().cost(), Some(optimal));
            assert_eq!(whatever_threads(many), one, "{threads} threads, {tiles}");
        }
    }
    // By buffers of successors, where the way back is told by the state before.
    let (puzzle, start) = fifteen(KORF[0].2);
    let one = IdaStar::new(&puzzle).search(start).run();
    let many = IdaStar::new(&puzzle).threads(2).search(start).run();
    assert_eq!(whatever_threads(many), whatever_threads(one));
}
