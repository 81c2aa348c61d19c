//! Processor time, which does not include the time of other processes.

use std::time::Duration;

use cpu_time::ProcessTime;

/// What `work` returns, and the processor time that this process, with all its threads and what the
/// system did for it, spent on it.
pub fn cpu_time<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let began = ProcessTime::now();
    let result = work();
    (result, began.elapsed())
}
