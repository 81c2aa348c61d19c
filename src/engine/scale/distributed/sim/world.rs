//! [`World`]: the processes and what passes between them.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::Shutdown;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use super::super::heart::{Heart, Pulse};
use super::super::wire::{Network, Nonce, Turn, Turns, Wire};
use super::Random;

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
    pub(super) is_dead: bool,
    /// Nothing happens in it or to it until then.
    pub(super) stopped_until: u64,
    nonces: u64,
}

/// A thread that goes on when it is its turn.
pub(super) struct Actor {
    pub(super) at: At,
    random: Random,
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
    fn absent(seed: u64, stream: u64) -> Self {
        Self { at: At::Absent, random: Random::of(seed, stream), turn: Arc::default() }
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
pub(super) struct Pipe {
    pub(super) to: usize,
    pub(super) flight: VecDeque<(u64, Item)>,
    last_at: u64,
    inbox: VecDeque<u8>,
    end: Option<Item>,
    /// Whether who receives waits for something to come.
    waits: bool,
    /// Whether timely sends through it.
    is_link: bool,
    pub(super) parked: bool,
    pub(super) pulse_at: u64,
    has_pulsed: bool,
    pub(super) read_closed: bool,
    pub(super) write_closed: bool,
    /// Nothing that is sent arrives any more.
    pub(super) is_cut: bool,
    /// The thread of timely that sends has sent all, and does not look for more until it is told to.
    pub(super) sender_parked: bool,
    go_on: Arc<Condvar>,
    arrival: Arc<Condvar>,
    random: Random,
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
                random: Random::of(seed, 1),
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
        state.send_all(process);
        self.settled.notify_all();
    }

    /// A new connection: the pipes there and back.
    pub(super) fn wire(self: &Arc<Self>, process: usize, send: usize, receive: usize) -> SimWire {
        SimWire { world: Arc::clone(self), process, send, receive }
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

    /// Has the threads that send go on, when no worker gives them more.
    fn send_all(&mut self, process: usize) {
        let process = &self.processes[process];
        if process.workers.iter().any(|worker| matches!(worker.at, At::Absent | At::Runs)) {
            return;
        }
        for &(send, _) in &process.links {
            self.pipes[send].sender_parked = false;
            self.pipes[send].go_on.notify_all();
        }
    }

    /// Threads that send flush once more when all workers have ended, before they close the connection.
    pub(super) fn let_senders_end(&mut self, process: usize) {
        if self.processes[process].workers.iter().all(|worker| worker.at == At::Ended) {
            self.send_all(process);
        }
    }

    /// A connection from one process to another: the pipe there; the way back follows.
    pub(super) fn connect(&mut self, from: usize, to: usize) -> usize {
        let first = self.pipes.len();
        for to in [to, from] {
            let random = Random::of(self.seed, 1000 + self.pipes.len() as u64);
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
            At::Ended => return true,
            At::Absent => return false,
            At::Waits { .. } => return true,
            At::Runs if !process.is_launched => return false,
            At::Runs => {}
        }
        let have_ended = process.workers.iter().all(|worker| worker.at == At::Ended);
        let waits = |at| matches!(at, At::Waits { .. } | At::Ended);
        let is_read = |&(_, receive): &(usize, usize)| {
            self.pipes[receive].parked || self.pipes[receive].read_closed
        };
        let is_sent = |&(send, _): &(usize, usize)| {
            let pipe = &self.pipes[send];
            pipe.write_closed || !have_ended && pipe.sender_parked
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

/// One end of a connection.
pub(super) struct SimWire {
    world: Arc<World>,
    process: usize,
    send: usize,
    receive: usize,
}

impl Wire for SimWire {
    fn set_waiting(&self, waits: bool) -> io::Result<()> {
        let mut state = self.world.state();
        state.pipes[self.receive].waits = waits;
        if waits {
            state.pipes[self.send].is_link = true;
            state.processes[self.process].links.push((self.send, self.receive));
        }
        Ok(())
    }

    fn receive(&self, out: &mut [u8]) -> io::Result<usize> {
        let mut state = self.world.state();
        loop {
            let is_dead = state.processes[self.process].is_dead;
            let now = state.now;
            let pipe = &mut state.pipes[self.receive];
            if is_dead {
                return Err(ErrorKind::ConnectionReset.into());
            }
            if !pipe.inbox.is_empty() {
                let count = out.len().min(pipe.inbox.len());
                for (to, byte) in out.iter_mut().zip(pipe.inbox.drain(..count)) {
                    *to = byte;
                }
                return Ok(count);
            }
            match pipe.end {
                Some(Item::Reset) => return Err(ErrorKind::ConnectionReset.into()),
                Some(_) => return Ok(0),
                None if pipe.read_closed => return Ok(0),
                None if !pipe.waits => return Err(ErrorKind::WouldBlock.into()),
                None => {}
            }
            if std::mem::take(&mut pipe.has_pulsed) {
                return Err(ErrorKind::TimedOut.into());
            }
            pipe.parked = true;
            pipe.pulse_at = now + SECOND;
            let arrival = Arc::clone(&pipe.arrival);
            self.world.settled.notify_all();
            state = arrival.wait(state).unwrap();
        }
    }

    fn send(&self, head: &[u8], body: &[u8]) -> io::Result<usize> {
        let mut state = self.world.state();
        let State { now, most_delay, pipes, processes, .. } = &mut *state;
        let pipe = &mut pipes[self.send];
        if processes[self.process].is_dead || pipe.is_cut || pipe.write_closed {
            return Err(ErrorKind::BrokenPipe.into());
        }
        let mut bytes = [head, body].concat();
        // Now and then a part is taken. The start, which cannot send the rest, sends little.
        if pipe.is_link && pipe.random.below(32) == 0 {
            bytes.truncate(1 + pipe.random.index(bytes.len()));
        }
        let count = bytes.len();
        pipe.push(*now, *most_delay, Item::Bytes(bytes));
        Ok(count)
    }

    fn close(&self, how: Shutdown) {
        let mut state = self.world.state();
        let State { now, most_delay, pipes, processes, .. } = &mut *state;
        if how != Shutdown::Write {
            pipes[self.receive].read_closed = true;
            pipes[self.receive].wake();
        }
        let pipe = &mut pipes[self.send];
        if how != Shutdown::Read && !pipe.write_closed {
            pipe.write_closed = true;
            if !pipe.is_cut && !processes[self.process].is_dead {
                pipe.push(*now, *most_delay, Item::End);
            }
        }
        self.world.settled.notify_all();
    }

    fn flushed(&self) {
        let mut state = self.world.state();
        let go_on = Arc::clone(&state.pipes[self.send].go_on);
        state.pipes[self.send].sender_parked = true;
        self.world.settled.notify_all();
        while state.pipes[self.send].sender_parked {
            state = go_on.wait(state).unwrap();
        }
        // It does not sleep next.
        thread::current().unpark();
    }

    fn now(&self) -> Duration {
        self.world.state().now_of(self.process)
    }
}

impl State {
    fn now_of(&self, process: usize) -> Duration {
        // For one that was killed, all time is over.
        let more = if self.processes[process].is_dead { 1000 * SECOND } else { 0 };
        Duration::from_micros(self.now + more)
    }
}

impl Drop for SimWire {
    fn drop(&mut self) {
        self.close(Shutdown::Both);
    }
}

/// The network, as a process sees it.
pub(super) struct SimNetwork {
    pub(super) world: Arc<World>,
    pub(super) process: usize,
}

impl Network for SimNetwork {
    type Wire = SimWire;

    fn accept(&mut self) -> Option<SimWire> {
        let mut state = self.world.state();
        let now = state.now;
        let process = &mut state.processes[self.process];
        let (_, pipe) = process.calls.pop_front_if(|(at, _)| *at <= now && !process.is_dead)?;
        drop(state);
        Some(self.world.wire(self.process, pipe + 1, pipe))
    }

    fn call(&mut self, process: usize) -> Option<SimWire> {
        let mut state = self.world.state();
        let other = &state.processes[process];
        let listens =
            matches!(other.main.at, At::Waits { .. }) && !other.is_launched && !other.is_dead;
        if !listens || state.processes[self.process].is_dead {
            return None;
        }
        let pipe = state.connect(self.process, process);
        drop(state);
        Some(self.world.wire(self.process, pipe, pipe + 1))
    }

    fn pause(&mut self) {
        self.world.wait_for_turn(self.process, None, SECOND / 50);
    }

    fn now(&self) -> Duration {
        self.world.state().now_of(self.process)
    }

    fn nonce(&mut self) -> io::Result<Nonce> {
        let mut state = self.world.state();
        let process = &mut state.processes[self.process];
        process.nonces += 1;
        let mut nonce = Nonce::default();
        nonce[..8].copy_from_slice(&process.nonces.to_le_bytes());
        nonce[8..16].copy_from_slice(&(self.process as u64).to_le_bytes());
        Ok(nonce)
    }

    fn start_heart(&mut self, pulses: Vec<Pulse<SimWire>>) -> io::Result<Heart> {
        let mut state = self.world.state();
        let now = state.now;
        let process = &mut state.processes[self.process];
        process.pulses = Arc::new(pulses);
        process.next_beat = now;
        process.is_launched = true;
        Ok(Heart::none(Some(Box::new(NoPulses(Arc::clone(&self.world), self.process)))))
    }

    fn turns(&mut self) -> Option<Turns> {
        let (world, process) = (Arc::clone(&self.world), self.process);
        Some(Arc::new(move |worker| {
            Box::new(SimTurn { world: Arc::clone(&world), process, worker }) as Box<dyn Turn>
        }))
    }
}

/// Forgets what sends the heartbeats.
struct NoPulses(Arc<World>, usize);

impl Drop for NoPulses {
    fn drop(&mut self) {
        let pulses = std::mem::take(&mut self.0.state().processes[self.1].pulses);
        drop(pulses);
    }
}

struct SimTurn {
    world: Arc<World>,
    process: usize,
    worker: usize,
}

impl Turn for SimTurn {
    fn wait(&self, sleep: Duration) {
        let pause = match u64::try_from(sleep.as_micros()).unwrap() {
            0 => {
                let mut state = self.world.state();
                let process = &mut state.processes[self.process];
                // Workers may come here at the same time.
                process.wakes = 3 * process.workers.len();
                10 + process.workers[self.worker].random.below(300)
            }
            sleep => sleep,
        };
        self.world.wait_for_turn(self.process, Some(self.worker), pause);
    }
}

impl Drop for SimTurn {
    fn drop(&mut self) {
        self.world.end(self.process, Some(self.worker));
    }
}
