//! The median.

/// The one in the middle; the mean of the two there if the count is even.
pub fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    match times.len() {
        0 => f64::NAN,
        n => f64::midpoint(times[(n - 1) / 2], times[n / 2]),
    }
}
