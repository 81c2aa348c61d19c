//! Costs that break every rule: only a part of them can be compared, and their sums may wrap around.

use std::cmp::Ordering;

use bestfirst::DecodeError;
use bestfirst::{Cost, Encode, HalvableCost, ScalableCost};

use crate::case::Price;

/// Floats in lexicographic order: a NaN in the second place can be compared sometimes. Two numbers there that differ by
/// 2 cannot, although each can be compared with itself. Sums of the first wrap around at 256.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odd(pub f64, pub f64);

impl PartialOrd for Odd {
    #[expect(clippy::float_cmp, reason = "the numbers are whole")]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match self.0.partial_cmp(&other.0)? {
            Ordering::Equal if (self.1 - other.1).abs() == 2.0 => None,
            Ordering::Equal => self.1.partial_cmp(&other.1),
            first => Some(first),
        }
    }
}

impl Cost for Odd {
    const ZERO: Self = Self(0.0, 0.0);
    const INFINITY: Self = Self(f64::INFINITY, f64::INFINITY);

    fn checked_add(self, other: Self) -> Option<Self> {
        let sum = self.0 + other.0;
        let wrapped = if sum.is_finite() { sum % 256.0 } else { sum };
        Some(Self(wrapped, self.1 + other.1))
    }
}

impl ScalableCost for Odd {
    fn scale(self, weight: f64) -> Option<Self> {
        Some(Self(self.0 * weight, self.1 * weight))
    }

    fn to_f64(self) -> f64 {
        self.0
    }
}

impl HalvableCost for Odd {
    const GRAIN: Self = Self::ZERO;

    fn mean(self, other: Self) -> (Self, bool) {
        (Self(f64::midpoint(self.0, other.0), f64::midpoint(self.1, other.1)), false)
    }

    fn minus(self, other: Self) -> Self {
        Self((self.0 - other.0).max(0.0), self.1 - other.1)
    }
}

impl Encode for Odd {
    const BYTES: usize = <(f64, f64)>::BYTES;

    fn encode(&self, bytes: &mut [u8]) {
        (self.0, self.1).encode(bytes);
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (first, second) = Encode::decode(bytes)?;
        Ok(Self(first, second))
    }
}

impl Price for Odd {
    #[expect(clippy::cast_precision_loss, reason = "the units are few")]
    fn of(units: u64) -> Self {
        Self(units as f64, 0.0)
    }
}
