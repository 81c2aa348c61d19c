//! Problems and tables that do not fit into memory: constructors and searches return errors.
//!
//! Each test runs itself again in a process of its own whose address space is limited.

#![cfg(target_os = "linux")]

use std::process::Command;
use std::thread;

use bestfirst::problems::crucible::{Crucible, HeatMap, HeatMapError, RunError};
use bestfirst::problems::grid_map::{GridMap, MapError};
use bestfirst::problems::road_network::{RoadError, RoadNetwork};
use bestfirst::problems::{ParseErrorKind, Position};
use bestfirst::{Dijkstra, Outcome, StopReason};

/// Set in the processes with a limit.
const LIMITED: &str = "BESTFIRST_LIMITED_MEMORY";

/// Runs `body`, the body of `test`, in a process of its own with at most 300 MB of address space.
fn limited(test: &str, body: impl FnOnce()) {
    if std::env::var_os(LIMITED).is_some() {
        return body();
    }
    let program = std::env::current_exe().expect("this program has a path");
    let script = "ulimit -v 300000 && exec \"$0\" --exact --test-threads 1 \"$1\"";
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(program).arg(test).env(LIMITED, "1");
    // Otherwise each thread takes 64 MB of address space.
    command.env("MALLOC_ARENA_MAX", "1");
    let output = command.output().expect("sh runs");
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{test}: {}\n{printed}", output.status);
    assert!(printed.contains("1 passed"), "{test} did not run:\n{printed}");
}

#[test]
fn large_heat_maps_are_errors() {
    limited("large_heat_maps_are_errors", limited_heat_maps);
}

fn limited_heat_maps() {
    let error = HeatMap::random(20_000, 20_000, 1).unwrap_err();
    let (rows, columns) = (20_000, 20_000);
    assert_eq!(error, HeatMapError::OutOfMemory { rows, columns, bytes: 400_000_000 });
    assert_eq!(
        error.to_string(),
        "a map of 20000 rows and 20000 columns (400000000 blocks) is too large for the available \
         memory: 400000000 bytes cannot be allocated; use a smaller map or raise the memory limit"
    );
    // The map takes 128 MB, its table 256 MB.
    let map = HeatMap::random(8000, 8000, 1).unwrap();
    let (rows, columns) = (8000, 8000);
    let error = Crucible::new(&map, 1..=3).unwrap_err();
    assert_eq!(error, RunError::OutOfMemory { rows, columns, bytes: 256_000_000 });
    let error = map.loss_without_turns().unwrap_err();
    assert_eq!(error, HeatMapError::OutOfMemory { rows, columns, bytes: 256_000_000 });
    drop(map);
    // The text and the map are the same size.
    let text = "1".repeat(200_000_000);
    let error = text.parse::<HeatMap>().unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::OutOfMemory { bytes: 200_000_000 });
}

#[test]
fn large_grid_maps_are_errors() {
    limited("large_grid_maps_are_errors", limited_grid_maps);
}

fn limited_grid_maps() {
    let error = GridMap::new(u16::MAX, u16::MAX, |_| true).unwrap_err();
    let (rows, columns, bytes) = (65_535, 65_535, 4_294_836_225);
    assert_eq!(error, MapError::OutOfMemory { rows, columns, bytes });
    assert_eq!(
        error.to_string(),
        "65535 rows of 65535 columns are too large for the available memory: 4294836225 bytes cannot \
         be allocated; use a smaller file or map, or raise the memory limit"
    );
}

#[test]
fn large_road_networks_are_errors() {
    limited("large_road_networks_are_errors", limited_road_networks);
}

fn limited_road_networks() {
    let error = RoadNetwork::new(4_000_000_000, &[(1, 2, 3)]).unwrap_err();
    assert!(matches!(error, RoadError::OutOfMemory { nodes: 4_000_000_000, arcs: 1, .. }));
    assert_eq!(
        error.to_string(),
        "a network of 4000000000 nodes and 1 arcs is too large for the available memory: \
         16000000008 bytes cannot be allocated; use a smaller network or raise the memory limit"
    );
    // A line without an end is refused before it takes much memory.
    let error = RoadNetwork::read(std::io::BufReader::new(std::io::repeat(b' '))).unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::Io(std::io::ErrorKind::InvalidData));
    assert_eq!(error.position(), Position { line: 1, column: 1 });
}

#[test]
fn dense_searches_that_share_too_little_memory_stop() {
    limited("dense_searches_that_share_too_little_memory_stop", limited_dense_searches);
}

fn limited_dense_searches() {
    // A table of 64 MB.
    let roads = RoadNetwork::new(8_000_000, &[(1, 2, 3), (2, 3, 1)]).unwrap();
    let [from, to] = [1, 3].map(|number| roads.node(number).unwrap());
    let route = roads.route_to(to);
    let some = || {
        for _ in 0..80 {
            let report = Dijkstra::new(&route).dense().search(from).run().unwrap();
            let is_stopped = report.outcome == Outcome::Stopped(StopReason::Memory);
            assert!(is_stopped || report.cost() == Some(4));
        }
    };
    thread::scope(|scope| (0..8).for_each(|_| drop(scope.spawn(some))));
}
