//! IDA* on several threads has the same nodes as on one: puzzles of some length.
#![cfg(feature = "parallel")]

#[path = "../suite/parallel/korf.rs"]
mod korf;

use std::fmt::Debug;

use bestfirst::{IdaStar, Report, SearchError};

use korf::{KORF, korf};

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
        let (puzzle, start) = korf(tiles);
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
    let (puzzle, start) = korf(KORF[0].2);
    let one = IdaStar::new(&puzzle).search(start).run();
    let many = IdaStar::new(&puzzle).threads(2).search(start).run();
    assert_eq!(whatever_threads(many), whatever_threads(one));
}
