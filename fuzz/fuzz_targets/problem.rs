//! Bytes choose a problem; every engine must agree with the oracle on it.

#![no_main]


use bestfirst::{Limits, PackedCost};
use libfuzzer_sys::fuzz_target;

use support::engines::all_engines;
use support::judge::{PATIENCE, Tally, check};
use support::random::{Clashing, Name, Problem, Units};

fn judge_bytes<C: Units + PackedCost, S: Name>(bytes: &[u8]) {
    let problem = Problem::<C, S>::of_bytes(bytes, 8);
    let is_infinite = problem.graph.chain.is_some();
    for engine in all_engines::<Problem<C, S>>() {
        // Searches without parents report no steps, and hold half of the costs: the oracle has them.
        if engine.is_dense() && is_infinite || !engine.keeps_parents() {
            continue;
        }
        let may_stop = is_infinite || engine.may_repeat();
        let limits = if may_stop { Limits::new().expansions(PATIENCE) } else { Limits::new() };
        let answer = (engine.search)(&problem, limits, problem.starts()).run();
        check(&problem, &answer, engine.factor, may_stop, &mut Tally::default());
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    match kind % 5 {
        0 => judge_bytes::<u8, u16>(bytes),
        1 => judge_bytes::<u64, Clashing>(bytes),
        2 => judge_bytes::<i32, u16>(bytes),
        3 => judge_bytes::<f32, u16>(bytes),
        _ => judge_bytes::<f64, Clashing>(bytes),
    }
});
