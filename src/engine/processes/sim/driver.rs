//! What happens next.

use std::hash::Hasher;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use rustc_hash::FxHasher;

use super::super::heart::Pulse;
use super::faults::Plan;
use super::world::{Actor, At, Item, Process, SECOND, State, World};

/// A search must have ended after this many events.
const MOST_EVENTS: u64 = 60_000;

/// However busy the machine is, threads have done after so long what follows from an event.
const WATCHDOG: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Main(usize),
    Worker(usize, usize),
    Arrival(usize),
    Pulse(usize),
    Beat(usize),
}

/// What has happened in a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trace {
    pub(super) events: u64,
    /// Of all events, and when they were.
    pub(super) hash: u64,
    /// Microseconds, until all processes had ended that were neither killed nor stopped for ever.
    pub(super) took: u64,
    /// How many faults there were.
    pub(super) faults: usize,
    /// The first process that was killed.
    pub(super) killed: Option<usize>,
}

/// Lets one event happen after another until all processes have ended.
pub(super) fn drive(world: &Arc<World>, mut plan: Plan) -> Trace {
    let mut trace = FxHasher::default();
    let (mut events, mut faults) = (0, 0);
    let mut state = settle_all(world, world.state());
    loop {
        if state.processes.iter().all(|process| process.main.at == At::Ended) {
            let alive = state.processes.iter().filter(|process| !process.is_dead);
            let took = alive.map(|process| process.ended_at).max().unwrap_or(0);
            let killed = state.processes.iter().position(|process| process.is_dead);
            return Trace { events, hash: trace.finish(), took, faults, killed };
        }
        events += 1;
        assert!(events < MOST_EVENTS, "it does not end: {}", show(&state));
        let count = plan.faults.len();
        plan.faults.retain(|(event, fault)| *event >= events || !fault.happen(&mut state));
        if plan.faults.len() < count {
            faults += count - plan.faults.len();
            state = settle_all(world, state);
        }
        let next = state.events().min();
        let (at, event) = next.unwrap_or_else(|| panic!("nothing happens: {}", show(&state)));
        if at > state.now.saturating_add(10_000 * SECOND) {
            // Only those that were stopped for ever are left.
            (0..state.processes.len()).for_each(|process| state.kill(process));
            state = settle_all(world, state);
            continue;
        }
        state.now = state.now.max(at);
        trace.write_u64(state.now);
        let (kind, length) = match event {
            Event::Main(process) => (process, 0),
            Event::Worker(process, worker) => (100 + process, worker),
            Event::Arrival(pipe) => match &state.pipes[pipe].flight[0].1 {
                Item::Bytes(bytes) => (1000 + pipe, bytes.len()),
                _ => (2000 + pipe, 0),
            },
            Event::Pulse(pipe) => (3000 + pipe, 0),
            Event::Beat(process) => (200 + process, 0),
        };
        trace.write_usize(kind);
        trace.write_usize(length);
        state = happen(world, state, event);
    }
}

fn happen<'a>(
    world: &'a World,
    mut state: MutexGuard<'a, State>,
    event: Event,
) -> MutexGuard<'a, State> {
    match event {
        Event::Main(process) => {
            let actor = state.actor(process, None);
            actor.at = At::Runs;
            actor.turn.notify_all();
            settle(world, state, process)
        }
        Event::Worker(process, worker) => {
            let actor = state.actor(process, Some(worker));
            actor.at = At::Runs;
            actor.turn.notify_all();
            let mut state = settle(world, state, process);
            let wakes = &mut state.processes[process].wakes;
            *wakes = wakes.saturating_sub(1);
            if *wakes > 0 {
                state.wake_workers(process, Some(worker));
            }
            state
        }
        Event::Arrival(pipe) => {
            let to = state.pipes[pipe].to;
            let Some((_, item)) = state.pipes[pipe].flight.pop_front() else { return state };
            state.pipes[pipe].arrive(item);
            let mut state = settle(world, state, to);
            state.processes[to].wakes = 3 * state.processes[to].workers.len();
            state.wake_workers(to, None);
            state
        }
        Event::Pulse(pipe) => {
            state.pipes[pipe].pulse();
            let to = state.pipes[pipe].to;
            settle(world, state, to)
        }
        Event::Beat(process) => {
            state.processes[process].next_beat = state.now + SECOND;
            let pulses = Arc::clone(&state.processes[process].pulses);
            drop(state);
            pulses.iter().for_each(Pulse::beat);
            drop(pulses);
            settle(world, world.state(), process)
        }
    }
}

/// Waits until the threads of a process have done what they have to do.
fn settle<'a>(
    world: &'a World,
    mut state: MutexGuard<'a, State>,
    process: usize,
) -> MutexGuard<'a, State> {
    while !state.is_settled(process) {
        state.let_one_send(process);
        let (again, timeout) = world.settled.wait_timeout(state, WATCHDOG).unwrap();
        state = again;
        assert!(!timeout.timed_out(), "process {process} hangs: {}", show(&state));
    }
    state
}

fn settle_all<'a>(world: &'a World, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    for process in 0..state.processes.len() {
        state = settle(world, state, process);
    }
    state
}

impl State {
    /// Workers that sleep wake up soon, as something may have come for them.
    fn wake_workers(&mut self, process: usize, but: Option<usize>) {
        let soon = self.now + 10 + self.random.below(150);
        for (nth, worker) in self.processes[process].workers.iter_mut().enumerate() {
            if let At::Waits { until } = &mut worker.at
                && Some(nth) != but
            {
                *until = soon.min(*until);
            }
        }
    }

    /// What can happen, and when.
    fn events(&self) -> impl Iterator<Item = (u64, Event)> {
        let of_processes = self.processes.iter().enumerate().flat_map(|(nth, process)| {
            let main = (process.main.at, Event::Main(nth));
            let worker =
                move |(worker, actor): (usize, &Actor)| (actor.at, Event::Worker(nth, worker));
            let actors = process.workers.iter().enumerate().map(worker).chain([main]);
            let actors = actors.filter_map(|(at, event)| match at {
                At::Waits { until } => Some((until, event)),
                _ => None,
            });
            let beat = (!process.pulses.is_empty() && !process.is_dead)
                .then_some((process.next_beat, Event::Beat(nth)));
            actors.chain(beat)
        });
        let of_pipes = self.pipes.iter().enumerate().flat_map(|(nth, pipe)| {
            let arrival = pipe.flight.front().map(|(at, _)| (*at, Event::Arrival(nth)));
            let pulse =
                (pipe.parked && pipe.has_reader()).then_some((pipe.pulse_at, Event::Pulse(nth)));
            arrival.into_iter().chain(pulse)
        });
        of_processes.chain(of_pipes).map(|(at, event)| {
            let process = match event {
                Event::Main(process) | Event::Worker(process, _) | Event::Beat(process) => process,
                Event::Arrival(pipe) | Event::Pulse(pipe) => self.pipes[pipe].to,
            };
            (at.max(self.stopped_until(process)), event)
        })
    }
}

/// For messages of tests that fail.
fn show(state: &State) -> String {
    let process = |process: &Process| {
        let workers: Vec<_> = process.workers.iter().map(|worker| worker.at).collect();
        let pipe = |pipe: usize| {
            let pipe = &state.pipes[pipe];
            (
                pipe.parked,
                pipe.read_closed,
                pipe.write_closed,
                pipe.sender_parked,
                pipe.flight.len(),
            )
        };
        let links: Vec<_> =
            process.links.iter().map(|&(send, receive)| (pipe(send), pipe(receive))).collect();
        format!(
            "{:?} {:?} {workers:?} {links:?} dead {}\n",
            process.main.at, process.is_launched, process.is_dead
        )
    };
    let processes: String = state.processes.iter().map(process).collect();
    format!("seed {} at {}: {processes}", state.seed, state.now)
}
