//! What a process is resident with while it searches on disk. It has a process of its own, as it is the most that the process
//! ever was; where the system tells it: on Linux.
#![cfg(target_os = "linux")]

use bestfirst::ExternalAStar;
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};

/// More than the budget: the program, its stacks, and what the allocator of the system leaves unused.
const BESIDE: u64 = 10_000_000;

/// The most bytes that this process was resident with.
fn most_resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix("kB").unwrap().trim().parse::<u64>().unwrap() * 1024
}

#[test]
fn a_process_is_resident_with_little_more_than_the_budget() {
    let memory = 15_000_000;
    let puzzle = SlidingTiles::<Packed>::new(4, 4).unwrap();
    // The 74th of Korf's hundred: most of its 3.6 million states are in files in the end.
    let board: Board = "14 13 4 11  15 8 6 9  0 7 3 1  2 10 12 5".parse().unwrap();
    let builder = ExternalAStar::new(&puzzle).memory(memory);
    #[cfg(feature = "parallel")]
    let builder = builder.threads(2);
    let mut search = builder.search(puzzle.state(&board).unwrap());
    let report = search.run().unwrap();
    assert_eq!(report.cost(), Some(56));
    let (peak, resident) = (report.stats.peak_bytes, most_resident());
    println!(
        "{peak} bytes held, {resident} resident, {} in files",
        search.engine().bytes_in_files()
    );
    assert!(search.engine().bytes_in_files() > 20_000_000);
    assert!(peak <= memory as u64 && resident <= memory as u64 + BESIDE, "{peak}, {resident}");
}
