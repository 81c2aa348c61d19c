//! A simulator: whole searches by several processes in one, over a network and on a clock that are not real.
//!
//! Real is all that runs in a process: the start, the codes, the frames, timely with its threads, the workers. One thing happens at a
//! time, in an order that a seed decides: a worker makes a step, some bytes arrive, a heartbeat is sent, a second passes for
//! one that waits, something breaks. Then the simulator waits until all threads have done what follows from it. The threads of timely
//! that send are held when they have nothing left to send, until the workers of the process have ended their turns.
//!
//! - `world`: what there is.
//! - `wires`: the [`Wire`](super::wire::Wire)s and [`Network`](super::wire::Network)s of the processes.
//! - `driver`: what happens next.
//! - `faults`: what breaks.
//! - `searches`: the tests.

mod driver;
mod faults;
mod searches;
mod wires;
mod world;

/// The generator `SplitMix64` (Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn of(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn index(&mut self, end: usize) -> usize {
        usize::try_from(self.below(end as u64)).unwrap()
    }
}
