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

use crate::engine::random::Random;

/// One of several streams of numbers that a seed decides.
fn stream(seed: u64, number: u64) -> Random {
    let mut random = Random::new(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
    random.next();
    random
}
