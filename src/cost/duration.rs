//! Times as costs.

use std::time::Duration;

use super::{Cost, HalvableCost, ScalableCost};

const SECOND: u128 = 1_000_000_000;

/// Returns the duration of `nanos` nanoseconds.
fn from_nanos(nanos: u128) -> Option<Duration> {
    let seconds = u64::try_from(nanos / SECOND).ok()?;
    Some(Duration::new(seconds, u32::try_from(nanos % SECOND).ok()?))
}

/// Exact, in nanoseconds.
impl Cost for Duration {
    const ZERO: Self = Self::ZERO;
    const INFINITY: Self = Self::MAX;

    #[inline]
    fn checked_add(self, other: Self) -> Option<Self> {
        Self::checked_add(self, other)
    }

    #[inline]
    fn checked_sub(self, other: Self) -> Option<Self> {
        Self::checked_sub(self, other)
    }

    #[inline]
    fn to_bucket(self) -> Option<usize> {
        usize::try_from(self.as_nanos()).ok()
    }

    #[inline]
    fn from_bucket(bucket: usize) -> Option<Self> {
        u64::try_from(bucket).ok().map(Self::from_nanos)
    }
}

impl ScalableCost for Duration {
    #[inline]
    fn scale(self, weight: f64) -> Option<Self> {
        from_nanos(self.as_nanos().scale(weight)?)
    }

    /// Returns the seconds.
    #[inline]
    fn to_f64(self) -> f64 {
        self.as_secs_f64()
    }
}

impl HalvableCost for Duration {
    const GRAIN: Self = Self::from_nanos(1);

    #[inline]
    fn mean(self, other: Self) -> (Self, bool) {
        let (mean, is_rounded) = self.as_nanos().mean(other.as_nanos());
        // The mean is at most the larger one, so it fits.
        (from_nanos(mean).unwrap_or(Self::MAX), is_rounded)
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        self.saturating_sub(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact() {
        let (long, nano) = (Duration::MAX, Duration::from_nanos(1));
        assert_eq!(Cost::checked_add(long, nano), None);
        assert_eq!(Cost::checked_sub(nano, long), None);
        assert_eq!(long.to_bucket(), None);
        let time = Duration::new(3, 7);
        assert_eq!(time.to_bucket().and_then(Duration::from_bucket), Some(time));
        assert!(time.to_bucket() < Duration::new(3, 8).to_bucket());
    }

    #[test]
    fn times_are_scaled_and_halved() {
        let time = Duration::from_nanos(7);
        assert_eq!(time.scale(1.5), Some(Duration::from_nanos(10)));
        assert_eq!(Duration::MAX.scale(2.0), None);
        assert_eq!(time.mean(Duration::from_nanos(10)), (Duration::from_nanos(8), true));
        assert_eq!(Duration::MAX.mean(Duration::MAX), (Duration::MAX, false));
        assert_eq!(HalvableCost::minus(time, Duration::MAX), Duration::ZERO);
    }
}
