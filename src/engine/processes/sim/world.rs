//! [`World`]: the processes and what passes between them.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use super::super::heart::Pulse;
use super::wires::SimWire;
use super::{Random, stream};

/// Microseconds.
pub(super) const SECOND: u64 = 1_000_000;

pub(super) struct World {
    state: Mutex<State>,
    /// A thread has done what it had to do.
    pub(super) settled: Condvar,
}

pub(super) struct State {
    pub(super) now: u64,
    pub(super) seed: u64,
    /// No delay is longer, but for faults.
    pub(super) most_delay: u64,
    pub(super) processes: Vec<Process>,
    /// The pipes from the process that calls have even numbers; the way back follows.
    pub(super) pipes: Vec<Pipe>,
    pub(super) random: Random,
}

pub(super) struct Process {
    pub(super) main: Actor,
    pub(super) is_launched: bool,
    pub(super) workers: Vec<Actor>,
    /// So often the workers wake each other up until something happens.
    pub(super) wakes: usize,
    /// Calls that are to be accepted: when, and the pipe from the caller.
    pub(super) calls: VecDeque<(u64, usize)>,
    /// The pipes of its links: to send, and to receive.
    pub(super) links: Vec<(usize, usize)>,
    pub(super) pulses: Arc<Vec<Pulse<SimWire>>>,
    pub(super) next_beat: u64,
    /// When it has ended, or the last of its workers.
    pub(super) ended_at: u64,
    pub(super) is_dead: bool,
    /// Nothing happens in it or to it until then.
    pub(super) stopped_until: u64,
    pub(super) nonces: u64,
}

/// A thread that goes on when it is its turn.
pub(super) struct Actor {
    pub(super) at: At,
    pub(super) random: Random,
    pub(super) turn: Arc<Condvar>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum At {
    Absent,
    Waits { until: u64 },
    Runs,
    Ended,
}

impl Actor {
    fn absent(seed: u64, number: u64) -> Self {
        Self { at: At::Absent, random: stream(seed, number), turn: Arc::default() }
    }
}

/// What is on its way.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    Bytes(Vec<u8>),
    End,
    Reset,
}

/// One direction of a connection.
#[expect(clippy::struct_excessive_bools, reason = "they change one by one")]
pub(super) struct Pipe {
    pub(super) to: usize,
    pub(super) flight: VecDeque<(u64, Item)>,
    last_at: u64,
    pub(super) inbox: VecDeque<u8>,
    pub(super) end: Option<Item>,
    /// Whether who receives waits for something to come.
    pub(super) waits: bool,
    /// Whether timely sends through it.
    pub(super) is_link: bool,
    pub(super) parked: bool,
    pub(super) pulse_at: u64,
    pub(super) has_pulsed: bool,
    pub(super) read_closed: bool,
    pub(super) write_closed: bool,
    /// Nothing that is sent arrives any more.
    pub(super) is_cut: bool,
    /// The thread of timely that sends has sent all, and does not look for more until it is told to.
    pub(super) sender_parked: bool,
    /// It is to look, when it is its turn.
    pub(super) is_due: bool,
    pub(super) go_on: Arc<Condvar>,
    pub(super) arrival: Arc<Condvar>,
    pub(super) random: Random,
}

impl World {
    pub(super) fn new(seed: u64, processes: usize, workers: usize, most_delay: u64) -> Arc<Self> {
        let process = |nth: usize| Process {
            main: Actor::absent(seed, 0),
            is_launched: false,
            workers: (0..workers)
                .map(|worker| Actor::absent(seed, 100 + (nth * workers + worker) as u64))
                .collect(),
            wakes: 0,
            calls: VecDeque::new(),
            links: Vec::new(),
            pulses: Arc::default(),
            next_beat: 0,
            ended_at: 0,
            is_dead: false,
            stopped_until: 0,
            nonces: 0,
        };
        let processes = (0..processes).map(process).collect();
        Arc::new(Self {
            state: Mutex::new(State {
                now: 0,
                seed,
                most_delay,
                processes,
                pipes: Vec::new(),
                random: stream(seed, 1),
            }),
            settled: Condvar::new(),
        })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Waits until it is the turn of the main thread, or of a worker. All that the worker has left to be sent is sent first.
    pub(super) fn wait_for_turn(&self, process: usize, worker: Option<usize>, pause: u64) {
        let mut state = self.state();
        let until = state.now + pause;
        state.actor(process, worker).at = At::Waits { until };
        state.send_all(process);
        self.settled.notify_all();
        let turn = Arc::clone(&state.actor(process, worker).turn);
        while state.actor(process, worker).at != At::Runs {
            state = turn.wait(state).unwrap();
        }
    }

    pub(super) fn end(&self, process: usize, worker: Option<usize>) {
        let mut state = self.state();
        state.actor(process, worker).at = At::Ended;
        let now = state.now;
        state.processes[process].ended_at = now;
        state.send_all(process);
        self.settled.notify_all();
    }
}

impl State {
    pub(super) fn actor(&mut self, process: usize, worker: Option<usize>) -> &mut Actor {
        let process = &mut self.processes[process];
        match worker {
            None => &mut process.main,
            Some(nth) => &mut process.workers[nth],
        }
    }

    /// Whether all workers of a process have come to their first turn.
    pub(super) fn have_begun(&self, process: usize) -> bool {
        self.processes[process].workers.iter().all(|worker| worker.at != At::Absent)
    }

    /// Lets the threads that send go on soon, when no worker gives them more; those that receive begin with the workers.
    fn send_all(&mut self, process: usize) {
        let process = &self.processes[process];
        if process.workers.iter().any(|worker| matches!(worker.at, At::Absent | At::Runs)) {
            return;
        }
        for &(send, receive) in &process.links {
            self.pipes[send].is_due = true;
            self.pipes[receive].arrival.notify_all();
        }
    }

    /// Lets the next thread that is to send go on. One after another does, as what one finds out concerns all.
    pub(super) fn let_one_send(&mut self, process: usize) {
        let process = &self.processes[process];
        // Threads that send flush once more before they close the connection.
        let have_ended = process.workers.iter().all(|worker| worker.at == At::Ended);
        for &(send, _) in &process.links {
            let pipe = &mut self.pipes[send];
            if !pipe.write_closed && !pipe.sender_parked {
                return;
            }
            pipe.is_due |= have_ended;
            if pipe.is_due && !pipe.write_closed {
                (pipe.is_due, pipe.sender_parked) = (false, false);
                pipe.go_on.notify_all();
                return;
            }
        }
    }

    /// A connection from one process to another: the pipe there; the way back follows.
    pub(super) fn connect(&mut self, from: usize, to: usize) -> usize {
        let first = self.pipes.len();
        for to in [to, from] {
            let random = stream(self.seed, 1000 + self.pipes.len() as u64);
            self.pipes.push(Pipe {
                to,
                flight: VecDeque::new(),
                last_at: 0,
                inbox: VecDeque::new(),
                end: None,
                waits: false,
                is_link: false,
                parked: false,
                pulse_at: 0,
                has_pulsed: false,
                read_closed: false,
                write_closed: false,
                is_cut: false,
                sender_parked: false,
                is_due: false,
                go_on: Arc::default(),
                arrival: Arc::default(),
                random,
            });
        }
        let at = self.now + 50 + self.random.below(500);
        self.processes[to].calls.push_back((at, first));
        first
    }

    pub(super) fn is_settled(&self, process: usize) -> bool {
        let process = &self.processes[process];
        match process.main.at {
            At::Ended | At::Waits { .. } => return true,
            At::Runs if process.is_launched => {}
            At::Absent | At::Runs => return false,
        }
        let have_ended = process.workers.iter().all(|worker| worker.at == At::Ended);
        let waits = |at| matches!(at, At::Waits { .. } | At::Ended);
        let is_read = |&(_, receive): &(usize, usize)| {
            self.pipes[receive].parked || self.pipes[receive].read_closed
        };
        let is_sent = |&(send, _): &(usize, usize)| {
            let pipe = &self.pipes[send];
            pipe.write_closed || !have_ended && !pipe.is_due && pipe.sender_parked
        };
        let links = &process.links;
        let all_closed = links.iter().all(|&(send, receive)| {
            self.pipes[send].write_closed && self.pipes[receive].read_closed
        });
        links.len() + 1 == self.processes.len()
            && process.workers.iter().all(|worker| waits(worker.at))
            && links.iter().all(is_read)
            && links.iter().all(is_sent)
            && !(have_ended && all_closed)
    }
}

impl Pipe {
    /// Sends something that arrives after a while, and after all that was sent before.
    pub(super) fn push(&mut self, now: u64, most_delay: u64, item: Item) {
        let most = if self.random.below(16) == 0 { most_delay } else { most_delay.min(400) };
        self.last_at = self.last_at.max(now + 20 + self.random.below(most));
        self.flight.push_back((self.last_at, item));
    }

    /// Something arrives.
    pub(super) fn arrive(&mut self, item: Item) {
        match item {
            Item::Bytes(bytes) => self.inbox.extend(bytes),
            end => self.end = Some(end),
        }
        self.wake();
    }

    /// A second has passed.
    pub(super) fn pulse(&mut self) {
        self.has_pulsed = true;
        self.wake();
    }

    /// Who waits for something to come looks again.
    pub(super) fn wake(&mut self) {
        self.parked = false;
        self.arrival.notify_all();
    }

    /// The other end goes on with what is new.
    pub(super) fn has_reader(&self) -> bool {
        self.waits && !self.read_closed
    }
}
