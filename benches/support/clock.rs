//! Time that others who use the machine do not take away.

use std::time::Duration;

use cpu_time::ProcessTime;

/// What `work` returns, and the processor time that this process, with all its threads and what the
/// system did for it, spent on it.
pub fn cpu_time<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let began = ProcessTime::now();
    let result = work();
    (result, began.elapsed())
}

/// The one in the middle; the mean of the two there if the count is even.
pub fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    match times.len() {
        0 => f64::NAN,
        n => f64::midpoint(times[(n - 1) / 2], times[n / 2]),
    }
}
