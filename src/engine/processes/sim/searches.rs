//! Whole searches on a network that breaks: every one ends with the right report or a named error, in bounded steps.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::super::{Cluster, ClusterError, Distributed, DistributedError, Secret};
use super::driver::{Trace, drive};
use super::faults::{Fault, Plan};
use super::stream;
use super::wires::SimNetwork;
use super::world::World;
use crate::limits::Limits;
use crate::problem::{FnProblem, SearchProblem};

/// What is searched, and by whom.
#[derive(Clone, Debug)]
struct Scene {
    seed: u64,
    processes: usize,
    workers: usize,
    states: u32,
    has_goal: bool,
    most: Option<u64>,
    most_delay: u64,
    /// When each process starts.
    starts: Vec<u64>,
}

impl Scene {
    fn of(seed: u64) -> Self {
        let mut random = stream(seed, 3);
        let processes = 2 + random.index(4);
        let workers = if processes < 4 { 1 + random.index(2) } else { 1 };
        let states = 20 + u32::try_from(random.below(400)).unwrap();
        let late = [1, 1, 1000, 100_000, 1_000_000][random.index(5)];
        Self {
            seed,
            processes,
            workers,
            states,
            has_goal: random.below(8) > 0,
            most: (random.below(6) == 0).then(|| random.below(200)),
            most_delay: [500, 5000, 50_000, 300_000][random.index(4)],
            starts: (0..processes).map(|_| 1 + random.below(late)).collect(),
        }
    }

    fn problem(
        &self,
    ) -> impl SearchProblem<State = u32, Action = (), Cost = u32> + Send + Sync + 'static {
        let (seed, states, has_goal) = (self.seed, self.states, self.has_goal);
        let successors = move |&state: &u32| {
            let mut random = stream(seed, u64::from(state) << 32);
            [(); 3].map(|()| {
                let to = u32::try_from(random.below(u64::from(states))).unwrap();
                (to, 1 + u32::try_from(random.below(4)).unwrap())
            })
        };
        FnProblem::new(successors, |_: &u32| 0, move |&state: &u32| has_goal && state + 1 == states)
    }

    fn limits(&self) -> Limits<u32> {
        match self.most {
            Some(most) => Limits::new().expansions(most),
            None => Limits::new(),
        }
    }

    fn expected(&self) -> String {
        let workers = self.processes * self.workers;
        let search = Distributed::new(self.problem()).workers(workers).limits(self.limits());
        format!("{:?}", search.run(0).unwrap())
    }

    fn cluster(&self, process: usize) -> Cluster {
        let addresses = (0..self.processes).map(|process| format!("127.0.0.1:{}", 2101 + process));
        Cluster::processes_at(addresses, process, self.workers)
            .unwrap()
            .secret(Secret::from_bytes("a secret of the simulator").unwrap())
            .connect_timeout(Duration::from_secs(5))
    }

    /// How each process ended: with a report, or an error.
    fn simulate(&self, plan: Plan) -> (Vec<Result<String, ClusterError>>, Trace) {
        let world = World::new(self.seed, self.processes, self.workers, self.most_delay);
        let start = |process: usize| {
            let (scene, world) = (self.clone(), Arc::clone(&world));
            thread::spawn(move || {
                world.wait_for_turn(process, None, scene.starts[process]);
                let network = SimNetwork { world: Arc::clone(&world), process };
                let search = Distributed::new(scene.problem());
                let search = search.cluster(scene.cluster(process)).limits(scene.limits());
                let run = AssertUnwindSafe(|| search.run_over(&[(0, 0)], Some(network)));
                let end = catch_unwind(run);
                world.end(process, None);
                end
            })
        };
        let threads: Vec<_> = (0..self.processes).map(start).collect();
        let trace = drive(&world, plan);
        let end = |(process, thread): (usize, thread::JoinHandle<_>)| {
            let end: Result<Result<_, _>, _> = thread.join().unwrap();
            match end {
                Ok(Ok(report)) => Ok(format!("{report:?}")),
                Ok(Err(DistributedError::Cluster(error))) => Err(error),
                Ok(Err(DistributedError::Search(error))) => panic!("{self:?}: {process}: {error}"),
                Err(panic) => resume_unwind(panic),
            }
        };
        (threads.into_iter().enumerate().map(end).collect(), trace)
    }
}

#[derive(Debug, Default)]
struct Tally {
    searches: u64,
    processes: u64,
    events: u64,
    longest: u64,
    faults: usize,
    reports: u64,
    lost: u64,
    missing: u64,
    confused: u64,
}

fn judge(seed: u64, tally: &mut Tally) {
    let (scene, plan) = (Scene::of(seed), Plan::of(seed));
    let expected = scene.expected();
    let (ends, trace) = scene.simulate(plan.clone());
    assert!(trace.took <= plan.most_time(), "{scene:?} {plan:?}: {} µs", trace.took);
    tally.searches += 1;
    tally.longest = tally.longest.max(trace.took);
    tally.events += trace.events;
    tally.faults += trace.faults;
    for (process, end) in ends.iter().enumerate() {
        tally.processes += 1;
        match end {
            Ok(report) => {
                assert_eq!(*report, expected, "{scene:?} {plan:?}: process {process}");
                tally.reports += 1;
            }
            Err(error) => {
                assert!(!plan.is_harmless(), "{scene:?} {plan:?}: process {process}: {error}");
                match error {
                    ClusterError::Lost { .. } => tally.lost += 1,
                    ClusterError::Missing { .. } => tally.missing += 1,
                    ClusterError::Confused => tally.confused += 1,
                    error => panic!("{scene:?} {plan:?}: process {process}: {error}"),
                }
            }
        }
    }
}

fn judge_all(seeds: u64) {
    let mut tally = Tally::default();
    for seed in 0..seeds {
        judge(seed, &mut tally);
        // The long form says how far it is, with `--nocapture`.
        if tally.searches.is_multiple_of(500) || tally.searches == seeds {
            println!("{tally:?}");
        }
    }
    assert!(tally.reports > seeds && tally.lost > seeds / 2 && tally.missing > 0, "{tally:?}");
}

#[test]
fn searches_on_a_network_that_breaks_end_with_the_report_or_a_named_error() {
    judge_all(80);
}

#[test]
#[ignore = "takes minutes"]
fn many_searches_on_a_network_that_breaks_end_with_the_report_or_a_named_error() {
    judge_all(10_000);
}

#[test]
fn a_seed_decides_all_that_happens() {
    for seed in 0..12 {
        let (scene, plan) = (Scene::of(seed), Plan::of(seed));
        let first = scene.simulate(plan.clone()).1;
        assert_eq!(scene.simulate(plan).1, first, "{scene:?}");
    }
}

/// The others see its end at different times, and the first of them gives up, too.
#[test]
fn who_was_killed_is_named_by_all() {
    let mut lost = 0;
    for seed in 0..60 {
        let scene = Scene { processes: 3, workers: 1, most_delay: 300_000, ..Scene::of(seed) };
        let scene = Scene { starts: vec![1; 3], most: None, ..scene };
        let (ends, trace) = scene.simulate(Plan { faults: vec![(50 + seed, Fault::Kill)] });
        for (nth, end) in ends.into_iter().enumerate() {
            if let Err(ClusterError::Lost { process, loss, .. }) = end
                && Some(nth) != trace.killed
            {
                assert_eq!(Some(process), trace.killed, "{scene:?}: process {nth}: {loss}");
                lost += 1;
            }
        }
    }
    assert!(lost > 60, "{lost}");
}
