//! The clock of a search: [`Clock`]. Only this file reads it.
//!
//! A search reads it at the beginning and at the end of each run, for [`Search::elapsed`](crate::Search::elapsed);
//! [`settled`](crate::DijkstraSearch::settled) does so for one of 16 to 128 states.
//! In between, it reads it only with a limit on the time or a token; [`Budget`](crate::budget::Budget) describes how
//! often.
//!
//! # WebAssembly
//!
//! The standard library has no clock for `wasm32-unknown-unknown`: there, its `Instant::now()` panics. So on that
//! target:
//!
//! - with the feature `web-time`, the clock is that of the crate of this name: the browser's `performance.now()`;
//! - with [your own clock](crate::Limits::clock) in the limits, it is that one, on any target;
//! - without either, the clock is not read. Searches run, and [`elapsed`](crate::Search::elapsed) is zero. A search
//!   with a limit on the time ends at once with [`StopReason::NoClock`](crate::StopReason::NoClock). Limits on
//!   expansions and [`run_for`](crate::Search::run_for) need no clock.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The type of the deadline of [`run_until`](crate::Search::run_until): `std::time::Instant`, or, on
/// `wasm32-unknown-unknown` with the feature `web-time`, `web_time::Instant`.
#[cfg(not(all(target_family = "wasm", target_os = "unknown", feature = "web-time")))]
pub use std::time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown", feature = "web-time"))]
pub use web_time::Instant;

/// The clock that a search reads: by default the system clock.
///
/// Your own clock is for targets without one (see the [module](self)), for simulated time, and for
/// tests that must not depend on the real time.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use std::time::Duration;
///
/// use bestfirst::clock::Clock;
/// use bestfirst::{AStar, FnProblem, Limits, Outcome, StopReason};
///
/// // A clock that advances by one second at each expansion.
/// let seconds = Arc::new(AtomicU64::new(0));
/// let clock = Clock::new({
///     let seconds = Arc::clone(&seconds);
///     move || Duration::from_secs(seconds.load(Ordering::Relaxed))
/// });
/// let line = FnProblem::new(
///     |&n: &u32| {
///         seconds.fetch_add(1, Ordering::Relaxed);
///         [(n + 1, 1_u32)]
///     },
///     |_: &u32| 0,
///     |_: &u32| false,
/// );
/// let limits = Limits::new().time(Duration::from_secs(10)).clock(clock);
/// let report = AStar::new(&line).limits(limits).search(0).run()?;
/// assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
/// assert_eq!(report.stats.expanded, 10);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Default)]
pub struct Clock {
    source: Source,
}

#[derive(Clone, Default)]
enum Source {
    #[default]
    System,
    Given(Arc<dyn Fn() -> Duration + Send + Sync>),
    /// As on a target without a clock.
    #[cfg(test)]
    None,
}

/// A moment on a [`Clock`]. Only differences of moments on the same clock are meaningful.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum Moment {
    System(Instant),
    Given(Duration),
}

impl Clock {
    /// Creates a clock that is read by `now`, which returns the time since a fixed moment. It should not go backwards;
    /// if it does, no time has passed. A run that has seen its limit on the time reached ends, whatever is read after that.
    #[must_use]
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self { source: Source::Given(Arc::new(now)) }
    }

    /// Returns the system clock.
    #[must_use]
    pub fn system() -> Self {
        Self::default()
    }

    /// Whether the clock can be read: false only for the system clock on targets without one.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        match self.source {
            Source::System => {
                !cfg!(all(target_family = "wasm", target_os = "unknown", not(feature = "web-time")))
            }
            Source::Given(_) => true,
            #[cfg(test)]
            Source::None => false,
        }
    }

    /// Returns a clock that cannot be read, as on a target without one.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Self { source: Source::None }
    }

    /// Returns the current moment; `None` if the clock cannot be read.
    pub(crate) fn now(&self) -> Option<Moment> {
        match &self.source {
            Source::System => system_now().map(Moment::System),
            Source::Given(_) => self.given_now(),
            #[cfg(test)]
            Source::None => None,
        }
    }

    /// Returns the current moment on the user's clock; `None` on another.
    pub(crate) fn given_now(&self) -> Option<Moment> {
        match &self.source {
            Source::Given(now) => Some(Moment::Given(now())),
            Source::System => None,
            #[cfg(test)]
            Source::None => None,
        }
    }
}

impl Moment {
    /// Returns the moment later by `time`; `None` if it cannot be represented.
    pub(crate) fn after(self, time: Duration) -> Option<Self> {
        match self {
            Self::System(now) => now.checked_add(time).map(Self::System),
            Self::Given(now) => now.checked_add(time).map(Self::Given),
        }
    }

    /// Returns the time from `earlier` to this moment; zero if `earlier` is later, or on another clock.
    pub(crate) fn since(self, earlier: Self) -> Duration {
        match (self, earlier) {
            (Self::System(now), Self::System(then)) => now.saturating_duration_since(then),
            (Self::Given(now), Self::Given(then)) => now.saturating_sub(then),
            _ => Duration::ZERO,
        }
    }
}

/// Measures time on the system clock, for work whose amount depends on the time it takes.
#[cfg(feature = "parallel")]
#[derive(Clone, Copy)]
pub(crate) struct Stopwatch {
    began: Option<Moment>,
}

#[cfg(feature = "parallel")]
impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { began: system_now().map(Moment::System) }
    }

    /// Returns the time since the start; zero without a clock.
    pub(crate) fn elapsed(self) -> Duration {
        let now = system_now().map(Moment::System);
        now.zip(self.began).map_or(Duration::ZERO, |(now, began)| now.since(began))
    }
}

/// Returns the time from now to `deadline`; zero if that has passed.
pub(crate) fn time_until(deadline: Instant) -> Duration {
    system_now().map_or(Duration::ZERO, |now| deadline.saturating_duration_since(now))
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown", not(feature = "web-time"))))]
#[cfg_attr(
    not(target_family = "wasm"),
    expect(clippy::disallowed_methods, reason = "this is the one place where the clock is read")
)]
#[expect(clippy::unnecessary_wraps, reason = "on other targets there is no clock")]
fn system_now() -> Option<Instant> {
    Some(Instant::now())
}

#[cfg(all(target_family = "wasm", target_os = "unknown", not(feature = "web-time")))]
fn system_now() -> Option<Instant> {
    None
}

/// Returns the seconds since 1970-01-01 00:00 UTC, if there is a clock and until the year 2106.
#[cfg(feature = "disk")]
#[expect(clippy::disallowed_methods, reason = "this is the one place where the clock is read")]
pub(crate) fn seconds_since_1970() -> Option<u32> {
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        return None;
    }
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
    u32::try_from(since.as_secs()).ok()
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.source {
            Source::System => "Clock(system)",
            Source::Given(_) => "Clock(given)",
            #[cfg(test)]
            Source::None => "Clock(none)",
        })
    }
}

impl PartialEq for Clock {
    /// Clocks are equal if they are clones of each other, or both the system clock.
    fn eq(&self, other: &Self) -> bool {
        match (&self.source, &other.source) {
            (Source::System, Source::System) => true,
            (Source::Given(now), Source::Given(other)) => Arc::ptr_eq(now, other),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_passes_between_different_clocks_or_backwards() {
        let (system, given) = (Clock::system(), Clock::new(|| Duration::from_secs(7)));
        let (then, now) = (system.now().unwrap(), given.now().unwrap());
        assert_eq!((now.since(then), then.since(now)), (Duration::ZERO, Duration::ZERO));
        let earlier = Moment::Given(Duration::from_secs(5));
        assert_eq!(now.since(earlier), Duration::from_secs(2));
        assert_eq!(earlier.since(now), Duration::ZERO);
        assert!(system.now().unwrap() >= then);
    }

    #[test]
    fn a_clock_is_equal_to_its_clones() {
        let (one, other) = (Clock::new(|| Duration::ZERO), Clock::new(|| Duration::ZERO));
        assert!(one == one.clone() && one != other && one != Clock::system());
        assert_eq!(Clock::system(), Clock::default());
        assert_eq!(format!("{one:?} {:?}", Clock::system()), "Clock(given) Clock(system)");
        assert!(one.is_readable() && Clock::system().is_readable());
    }
}
