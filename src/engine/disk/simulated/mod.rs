//! Whole searches on a simulated disk, by simulated threads: everything that goes wrong does so at a place that the seed
//! says, and every search ends with the right report or with an error that names what went wrong.

mod disk;
mod forged;
mod graph;
mod workers;

use std::io::ErrorKind;
use std::path::PathBuf;

use super::checkpoint::Checkpoints;
use super::engine::{DiskEngine, Settings};
use super::files::Folder;
use crate::Search;
use crate::disk_fault::{DiskFault, DiskFaultKind, DiskFile};
use crate::engine::random::Random;
use crate::limits::Limits;
use crate::report::{Outcome, Report, SearchError, StopReason};
use disk::{Disk, Trouble};
use graph::{Graph, Node};
use workers::Shuffled;

type Engine<'p> = DiskEngine<&'p Graph, Shuffled>;

/// A search that does more is taken for one that never ends.
const MOST_OPERATIONS: u64 = 4_000_000;
const MOST_ROUNDS: u32 = 20_000;

/// A search, and what may go wrong in it.
struct Run<'p> {
    graph: &'p Graph,
    random: Random,
    disk: Disk,
    settings: Settings,
    threads: usize,
    every: Option<u64>,
    memory: usize,
    disk_limit: Option<u64>,
    capacity: u64,
    /// What a run may expand at one time.
    slice: Option<u64>,
    is_watched: bool,
    /// Whether bits may flip on the disk.
    rots: bool,
    has_gone_wrong: bool,
}

/// What was met on the way, to see that it is met at all.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    troubles: u64,
    resumed: u64,
    errors: u64,
    stops: u64,
    found: u64,
    written: u64,
}

impl<'p> Run<'p> {
    fn new(graph: &'p Graph, seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0xD15C);
        let disk = Disk::new(seed);
        let memory = (2000 << random.below(6)) + random.index(2000);
        let step = 1 << random.below(8);
        let part = 1 << random.below(10);
        // The budget is set by the limit, which can be raised.
        let settings = Settings { memory: usize::MAX, step, part };
        let threads = 1 + random.index(4);
        let every = (!random.one_in(3)).then(|| random.below(60));
        let disk_limit = random.one_in(4).then(|| random.below(10_000));
        let capacity = if random.one_in(4) { random.below(20_000) } else { u64::MAX / 8 };
        disk.set_capacity(capacity);
        let slice = random.one_in(3).then(|| 1 + random.below(300));
        let is_watched = random.one_in(2);
        let rots = false;
        let has_gone_wrong = false;
        let mut run = Self {
            graph,
            random,
            disk,
            settings,
            threads,
            every,
            memory,
            disk_limit,
            capacity,
            slice,
            is_watched,
            rots,
            has_gone_wrong,
        };
        if run.random.one_in(3) {
            run.disk.set_short();
        }
        run
    }

    fn engine(&self) -> Engine<'p> {
        let folder = match self.every {
            Some(_) => Folder::kept(self.disk.shared(), PathBuf::from("kept")),
            None => Folder::fresh(self.disk.shared(), Some(PathBuf::from("parent"))),
        };
        let checkpoints = self.every.map(|every| Checkpoints::new(every, String::new()));
        let workers = Shuffled::new(self.random.clone(), self.threads);
        DiskEngine::new(self.graph, workers, self.settings, folder, checkpoints)
    }

    fn limits(&self) -> Limits<u32> {
        let limits = Limits::new().memory(self.memory);
        let limits = if self.is_watched { limits.time(std::time::Duration::MAX) } else { limits };
        self.disk_limit.iter().fold(limits, |limits, &bytes| limits.disk(bytes))
    }

    fn begin(&self) -> Search<Engine<'p>> {
        let mut engine = self.engine();
        engine.starts = vec![(self.graph.start, 0)];
        Search::new(engine, self.limits(), ())
    }

    /// A search that goes on where the last one was lost, or begins anew.
    fn go_on(&mut self, met: &mut Met) -> Option<Search<Engine<'p>>> {
        let loses = self.random.one_in(2);
        self.disk.revive(loses);
        self.plan();
        if self.every.is_none() {
            return Some(self.begin());
        }
        let mut engine = self.engine();
        match engine.read_checkpoint() {
            Ok(tally) => {
                met.resumed += 1;
                Some(Search::from_tally(engine, self.limits(), (), tally))
            }
            Err(DiskFault {
                file: DiskFile::Manifest,
                kind: DiskFaultKind::Io(ErrorKind::NotFound),
                ..
            }) => {
                drop(engine);
                Some(self.begin())
            }
            Err(fault) => {
                self.check_fault(fault);
                None
            }
        }
    }

    /// Only what was planned goes wrong.
    fn check_fault(&self, fault: DiskFault) {
        assert_ne!(fault.kind, DiskFaultKind::NoProgress);
        assert_ne!(fault.kind, DiskFaultKind::Used);
        assert!(!matches!(fault.kind, DiskFaultKind::InUse(_)), "{fault}");
        assert!(self.has_gone_wrong || self.disk.met() > 0, "{fault:?}");
    }

    fn plan(&mut self) {
        let kinds = [
            ErrorKind::Other,
            ErrorKind::PermissionDenied,
            ErrorKind::StorageFull,
            ErrorKind::Interrupted,
        ];
        for _ in 0..self.random.below(4) {
            let most = 16 << self.random.below(8);
            let after = 1 + self.random.below(most);
            let trouble = match self.random.below(5) {
                0 => Trouble::Fails(kinds[self.random.index(kinds.len())]),
                1..4 => Trouble::Dies,
                _ => Trouble::FlipsABit,
            };
            self.rots |= trouble == Trouble::FlipsABit;
            self.disk.plan(after, trouble);
        }
    }

    /// What a stop asks for is given.
    fn give(&mut self, reason: StopReason) {
        match reason {
            StopReason::Memory => self.memory += self.memory / 4 + 1000,
            StopReason::Disk => {
                self.disk_limit = self.disk_limit.map(|bytes| bytes + bytes / 4 + 1000);
                self.capacity = self.capacity.saturating_add(self.capacity / 4 + 1000);
                self.disk.set_capacity(self.capacity);
            }
            other => panic!("{other}"),
        }
    }

    fn search(&mut self) -> Met {
        let mut met = Met::default();
        self.plan();
        let mut search = self.begin();
        for _ in 0..MOST_ROUNDS {
            assert!(self.disk.operations() < MOST_OPERATIONS);
            let answer = match self.slice {
                Some(most) => search.run_for(most),
                None => search.run().map(Some),
            };
            met.written = met.written.max(search.engine().bytes_in_files());
            match answer {
                Ok(None) => {}
                Ok(Some(Report {
                    outcome: Outcome::Stopped(reason), lower_bound, stats, ..
                })) => {
                    assert!(self.graph.cost.is_none_or(|cost| lower_bound <= cost));
                    assert!(stats.peak_bytes <= self.memory as u64, "{stats:?}");
                    met.stops += 1;
                    self.give(reason);
                    search.set_limits(self.limits());
                }
                Ok(Some(report)) => {
                    self.check_end(&report);
                    met.found += u64::from(report.cost().is_some());
                    met.troubles = self.disk.met();
                    drop(search);
                    self.check_left();
                    return met;
                }
                Err(SearchError::Disk(fault)) => {
                    met.errors += 1;
                    self.check_fault(fault);
                    self.has_gone_wrong = true;
                    self.disk.kill();
                    drop(search);
                    match self.go_on(&mut met) {
                        Some(next) => search = next,
                        None if self.rots => return met,
                        None => loop {
                            self.disk.kill();
                            met.troubles = self.disk.met();
                            match self.go_on(&mut met) {
                                Some(next) => break search = next,
                                None => assert!(self.disk.operations() < MOST_OPERATIONS),
                            }
                        },
                    }
                }
                Err(other) => panic!("{other}"),
            }
        }
        panic!("it never ends: {met:?}");
    }

    fn check_end(&self, report: &Report<Node, (), u32>) {
        assert_eq!(report.cost(), self.graph.cost);
        match &report.outcome {
            Outcome::Found(path) => assert_eq!(path.verify(&self.graph), Ok(())),
            outcome => assert_eq!(*outcome, Outcome::Exhausted),
        }
        assert!(report.stats.peak_bytes <= self.memory as u64, "{:?}", report.stats);
    }

    /// No file is left, but those of a checkpoint.
    fn check_left(&self) {
        assert!(!self.disk.is_locked() || self.disk.met() > 0);
        if self.every.is_none() && !self.has_gone_wrong && self.disk.met() == 0 {
            assert_eq!(self.disk.names(), Vec::<PathBuf>::new());
        }
    }
}

/// A second search in the folder of one that is still there is refused, and does it no harm.
fn check_second(seed: u64) -> u64 {
    let mut random = Random::new(seed);
    let graph = Graph::random(&mut random, 3000);
    let mut run = Run::new(&graph, seed);
    (run.memory, run.disk_limit, run.capacity) = (1 << 20, None, u64::MAX / 8);
    run.disk.set_capacity(run.capacity);
    let is_in_use = |fault: DiskFault| matches!(fault.kind, DiskFaultKind::InUse(Some(_)));
    run.every = Some(random.below(20));
    let mut search = run.begin();
    let mut refused = 0;
    loop {
        let answer = search.run_for(1 + random.below(10)).unwrap();
        match run.begin().run() {
            Err(SearchError::Disk(fault)) if is_in_use(fault) => refused += 1,
            other => panic!("{other:?}"),
        }
        assert!(run.engine().read_checkpoint().is_err_and(is_in_use));
        if let Some(report) = answer {
            run.check_end(&report);
            break;
        }
    }
    drop(search);
    assert!(!run.disk.is_locked());
    assert!(matches!(
        run.begin().run(),
        Err(SearchError::Disk(DiskFault { kind: DiskFaultKind::Used, .. }))
    ));
    assert!(run.engine().read_checkpoint().is_ok());
    refused
}

#[test]
fn a_second_search_on_a_simulated_disk_is_refused() {
    let refused: u64 = (0..60).map(check_second).sum();
    assert!(refused > 200, "{refused}");
}

#[test]
fn a_search_that_comes_no_further_ends_with_an_error() {
    let mut ended = 0;
    for seed in 0..20 {
        let graph = Graph::random(&mut Random::new(seed), 10_000);
        let disk = Disk::new(seed);
        let folder = Folder::fresh(disk.shared(), None);
        let settings = Settings { memory: 100_000, step: 64, part: 16 };
        let mut engine = DiskEngine::new(&graph, Shuffled::idle(), settings, folder, None);
        engine.starts = vec![(graph.start, 0)];
        let answer = Search::new(engine, Limits::new(), ()).run();
        assert!(disk.operations() < MOST_OPERATIONS);
        match answer {
            Err(SearchError::Disk(DiskFault { kind: DiskFaultKind::NoProgress, .. })) => ended += 1,
            Ok(report) => assert!(report.cost().is_some() || graph.cost.is_none()),
            Err(other) => panic!("{other}"),
        }
    }
    assert!(ended > 0);
}

fn check(seed: u64) -> Met {
    let mut random = Random::new(seed);
    let most = 200 << random.below(8);
    let graph = Graph::random(&mut random, most);
    Run::new(&graph, seed).search()
}

fn check_all(seeds: std::ops::Range<u64>) -> Met {
    let mut all = Met::default();
    let mut failed = Vec::new();
    for seed in seeds {
        let Ok(met) = std::panic::catch_unwind(|| check(seed)) else {
            failed.push(seed);
            continue;
        };
        all.troubles += met.troubles;
        all.resumed += met.resumed;
        all.errors += met.errors;
        all.stops += met.stops;
        all.found += met.found;
        all.written += met.written;
    }
    assert!(failed.is_empty(), "these seeds fail: {failed:?}");
    all
}

/// Searches in these never ended: in the first three a part was written to a file while it was compared, in the next three the
/// successors of a state had just no room beside empty lists, in the last one where their lists were those of another shard.
const NEVER_ENDED: [u64; 7] = [819, 1649, 1656, 827, 1429, 2166, 5619];

#[test]
fn searches_that_never_ended_end() {
    for seed in NEVER_ENDED {
        let _ = check(seed);
    }
}

#[test]
fn searches_on_a_simulated_disk_end_right_or_with_an_error() {
    let met = check_all(0..200);
    println!("{met:?}");
    assert!(met.troubles > 60 && met.resumed >= 15 && met.errors > 40 && met.stops > 100);
    assert!(met.found > 50 && met.written > 50_000);
}

#[test]
#[ignore = "the long form"]
fn ten_thousand_searches_on_a_simulated_disk_end_right_or_with_an_error() {
    // Of one that fails, the number may be given.
    let seed = std::env::var("BESTFIRST_SEED").ok().and_then(|seed| seed.parse().ok());
    let seeds = seed.map_or(0..10_000, |seed: u64| seed..seed + 1);
    println!("{:?}", check_all(seeds));
}
