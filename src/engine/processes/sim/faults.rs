//! What breaks.

use super::stream;
use super::world::{At, Item, SECOND, State};

#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    /// A connection ends, after what is on its way or without it.
    Cut { resets: bool, loses: bool },
    /// A process ends.
    Kill,
    /// A process does nothing for so long.
    Stop { time: u64 },
    /// A bit of what is on its way changes.
    Flip,
    /// The last bytes of something are lost, and the connection ends.
    Truncate,
    /// Something in the middle is lost.
    Lose,
    /// Something comes twice.
    Repeat,
    /// Somebody else calls.
    Stranger,
}

/// What breaks, and from which event on; some of it may never be possible.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) faults: Vec<(u64, Fault)>,
}

impl Plan {
    pub(super) fn of(seed: u64) -> Self {
        let mut random = stream(seed, 2);
        let count = [0, 1, 1, 1, 1, 2, 2, 3][random.index(8)];
        let fault = |_| {
            let range = 1 << (3 + random.below(10));
            let event = random.below(range);
            let fault = match random.below(12) {
                0 | 1 => Fault::Cut { resets: random.below(2) == 0, loses: random.below(2) == 0 },
                2 | 3 => Fault::Kill,
                4 => Fault::Stop { time: u64::MAX / 4 },
                5 | 6 => Fault::Stop { time: (SECOND / 100) << random.below(12) },
                7 | 8 => Fault::Flip,
                9 => Fault::Truncate,
                10 => {
                    if random.below(2) == 0 {
                        Fault::Lose
                    } else {
                        Fault::Repeat
                    }
                }
                _ => Fault::Stranger,
            };
            (event, fault)
        };
        Self { faults: (0..count).map(fault).collect() }
    }

    /// After this many microseconds all processes that can end have ended: they start within a second and connect within five,
    /// a search takes less than twenty, and each fault is noticed within ten, or when what was stopped goes on.
    pub(super) fn most_time(&self) -> u64 {
        let time = |(_, fault): &(u64, Fault)| match fault {
            Fault::Stop { time } if *time < 1000 * SECOND => 10 * SECOND + *time,
            _ => 10 * SECOND,
        };
        26 * SECOND + self.faults.iter().map(time).sum::<u64>()
    }

    /// Whether all processes must get the right report nevertheless.
    pub(super) fn is_harmless(&self) -> bool {
        self.faults.iter().all(|(_, fault)| match fault {
            Fault::Stop { time } => *time < SECOND,
            Fault::Stranger => true,
            _ => false,
        }) && self.faults.len() < 3
    }
}

impl Fault {
    /// Lets it happen, if it is possible now.
    pub(super) fn happen(self, state: &mut State) -> bool {
        let now = state.now;
        match self {
            Self::Kill => {
                let alive = state.pick_process();
                alive.map(|process| state.kill(process)).is_some()
            }
            Self::Stop { time } => {
                let alive = state.pick_process();
                alive.map(|process| state.stop(process, now.saturating_add(time))).is_some()
            }
            Self::Stranger => state.call_by_stranger(),
            Self::Cut { resets, loses } => {
                let Some(pipe) = state.pick_pipe(false) else { return false };
                for pipe in [pipe & !1, pipe | 1] {
                    state.cut(pipe, resets, loses);
                }
                true
            }
            Self::Flip | Self::Truncate | Self::Lose | Self::Repeat => {
                let Some(pipe) = state.pick_pipe(true) else { return false };
                state.damage(pipe, self)
            }
        }
    }
}

impl State {
    fn pick_process(&mut self) -> Option<usize> {
        let is_alive = |&process: &usize| {
            let process = &self.processes[process];
            !process.is_dead && process.main.at != At::Ended
        };
        let alive: Vec<_> = (0..self.processes.len()).filter(is_alive).collect();
        (!alive.is_empty()).then(|| alive[self.random.index(alive.len())])
    }

    fn pick_pipe(&mut self, has_flight: bool) -> Option<usize> {
        let is_open = |&pipe: &usize| {
            let pipe = &self.pipes[pipe];
            !pipe.is_cut && !pipe.read_closed && (!has_flight || !pipe.flight.is_empty())
        };
        let open: Vec<_> = (0..self.pipes.len()).filter(is_open).collect();
        (!open.is_empty()).then(|| open[self.random.index(open.len())])
    }

    pub(super) fn kill(&mut self, process: usize) {
        self.processes[process].is_dead = true;
        // What it has sent arrives, and then nothing more.
        for pipe in 0..self.pipes.len() {
            if self.pipes[pipe].to == process {
                self.pipes[pipe].flight.clear();
                self.pipes[pipe].wake();
                let resets = self.random.below(2) == 0;
                self.cut(pipe ^ 1, resets, false);
            }
        }
        // One that was stopped is no longer.
        self.processes[process].stopped_until = 0;
    }

    fn cut(&mut self, pipe: usize, resets: bool, loses: bool) {
        let State { now, most_delay, pipes, .. } = self;
        let pipe = &mut pipes[pipe];
        if pipe.is_cut {
            return;
        }
        pipe.is_cut = true;
        if loses {
            pipe.flight.clear();
        }
        pipe.push(*now, *most_delay, if resets { Item::Reset } else { Item::End });
    }

    /// What would happen in a process or to it happens later.
    fn stop(&mut self, process: usize, until: u64) {
        let stopped = &mut self.processes[process].stopped_until;
        *stopped = until.max(*stopped);
    }

    pub(super) fn stopped_until(&self, process: usize) -> u64 {
        self.processes[process].stopped_until
    }

    fn damage(&mut self, pipe: usize, fault: Fault) -> bool {
        let nth = self.random.index(self.pipes[pipe].flight.len());
        let bit = self.random.next();
        let (at, item) = &mut self.pipes[pipe].flight[nth];
        let Item::Bytes(bytes) = item else { return false };
        let place = usize::try_from(bit >> 3).unwrap() % bytes.len();
        match fault {
            Fault::Flip => bytes[place] ^= 1 << (bit & 7),
            Fault::Repeat => {
                let twice = (*at, item.clone());
                self.pipes[pipe].flight.insert(nth, twice);
            }
            Fault::Truncate => {
                bytes.truncate(place);
                self.pipes[pipe].flight.truncate(nth + 1);
                self.cut(pipe, false, false);
            }
            _ => {
                self.pipes[pipe].flight.remove(nth);
            }
        }
        true
    }

    /// Somebody calls who does not know the secret, or what is to be said.
    fn call_by_stranger(&mut self) -> bool {
        let Some(to) = self.pick_process() else { return false };
        let pipe = self.connect(to, to);
        let mut bytes: Vec<u8> = (0..200).collect();
        bytes.truncate(self.random.index(200));
        if self.random.below(2) == 0 {
            bytes.splice(0..0, *b"bestfst2");
        }
        let State { now, most_delay, pipes, .. } = self;
        // Nobody hears the answer.
        pipes[pipe + 1].read_closed = true;
        pipes[pipe].push(*now, *most_delay, Item::Bytes(bytes));
        if self.random.below(2) == 0 {
            self.cut(pipe, false, false);
        }
        true
    }
}
