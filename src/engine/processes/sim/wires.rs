//! The network as the processes see it.

use std::io::{self, ErrorKind};
use std::net::Shutdown;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::super::heart::{Heart, Pulse};
use super::super::wire::{Network, Nonce, Turn, Turns, Wire};
use super::world::{At, Item, SECOND, State, World};

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
            if state.pipes[self.receive].waits && !state.have_begun(self.process) {
                // What it finds out at once would be known to some workers when they begin, and not to others.
                let arrival = Arc::clone(&state.pipes[self.receive].arrival);
                state = arrival.wait(state).unwrap();
                continue;
            }
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
            if !pipe.parked {
                pipe.parked = true;
                pipe.pulse_at = now + SECOND;
            }
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

impl SimNetwork {
    fn wire(&self, send: usize, receive: usize) -> SimWire {
        SimWire { world: Arc::clone(&self.world), process: self.process, send, receive }
    }
}

impl Network for SimNetwork {
    type Wire = SimWire;

    fn accept(&mut self) -> Option<SimWire> {
        let mut state = self.world.state();
        let now = state.now;
        let process = &mut state.processes[self.process];
        let (_, pipe) = process.calls.pop_front_if(|(at, _)| *at <= now && !process.is_dead)?;
        drop(state);
        Some(self.wire(pipe + 1, pipe))
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
        Some(self.wire(pipe, pipe + 1))
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
