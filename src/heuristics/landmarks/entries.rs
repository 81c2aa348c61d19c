//! [`Entries`]: distances in 16 or 32 bits, from which bounds on both sides are restored.

use super::DistanceError;
use super::searches::filled;
use crate::budget::Budget;
use crate::cost::Cost;
use crate::memory::Memory;

/// The stored distances, in 16 or 32 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entries {
    Wide(Vec<u32>),
    Narrow(Vec<u16>),
}

/// An entry: 0 for the distance zero, the largest value for "no path", and otherwise one more than the number of
/// the interval of [`Scale`] in which the distance is.
pub(super) trait Entry: Copy + Eq {
    const UNREACHED: Self;
    const LARGEST: usize;
    fn to_usize(self) -> usize;
    fn from_usize(code: usize) -> Self;
}

macro_rules! entries {
    ($($int:ty)*) => {$(
        impl Entry for $int {
            const UNREACHED: Self = Self::MAX;
            const LARGEST: usize = Self::MAX as usize - 1;

            #[inline]
            fn to_usize(self) -> usize {
                self as usize
            }

            #[inline]
            fn from_usize(code: usize) -> Self {
                Self::try_from(code).unwrap_or(Self::MAX - 1)
            }
        }
    )*};
}

entries!(u16 u32);

/// How the buckets of distances are divided into intervals of equal size.
///
/// Buckets are in the order of the costs, so the two ends of the interval of a distance are bounds on it. A heuristic
/// needs no more, for any cost type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    /// The first bucket of the first interval.
    pub(super) base: usize,
    /// The size of an interval, at least 1.
    pub(super) unit: usize,
    /// The largest bucket.
    pub(super) largest: usize,
}

impl Scale {
    /// Returns a scale for buckets from `least`, which is above 0, to `largest`. Intervals have the size 1 if there are
    /// enough entries.
    pub(super) fn new<E: Entry>(least: usize, largest: usize) -> Self {
        if largest <= E::LARGEST {
            return Self { base: 1, unit: 1, largest };
        }
        let unit = ((largest - least) / E::LARGEST).saturating_add(1);
        Self { base: least, unit, largest }
    }

    /// Whether entries are the buckets themselves.
    pub(super) fn is_exact(self) -> bool {
        (self.base, self.unit) == (1, 1)
    }

    #[inline]
    pub(super) fn encode<E: Entry>(self, bucket: usize) -> E {
        E::from_usize(if bucket == 0 { 0 } else { 1 + (bucket - self.base) / self.unit })
    }

    /// Returns the largest cost known to be at most the distance.
    #[inline]
    pub(super) fn lower<C: Cost>(self, code: usize) -> C {
        let bucket = match code.checked_sub(1) {
            None => 0,
            Some(interval) => self.base.saturating_add(interval.saturating_mul(self.unit)),
        };
        C::from_bucket(bucket.min(self.largest)).unwrap_or(C::ZERO)
    }

    /// Returns the smallest cost known to be at least the distance.
    #[inline]
    pub(super) fn upper<C: Cost>(self, code: usize) -> C {
        let bucket = match code {
            0 => 0,
            _ => (self.base - 1).saturating_add(code.saturating_mul(self.unit)),
        };
        C::from_bucket(bucket.min(self.largest)).unwrap_or(C::INFINITY)
    }
}

/// The table of entries, with a row for each state, built from columns of costs.
pub(super) struct Layout<'c, C> {
    pub(super) states: usize,
    pub(super) width: usize,
    pub(super) columns: Vec<Column<'c, C>>,
}

/// The distances of some states from or to one landmark.
pub(super) struct Column<'c, C> {
    /// The place in a row.
    pub(super) place: usize,
    /// The states.
    pub(super) members: &'c [u32],
    /// Their distances; [`Cost::INFINITY`] where there is no path.
    pub(super) costs: Vec<C>,
    /// The states whose distance is just [`Cost::INFINITY`].
    pub(super) farthest: Vec<u32>,
}

impl<C: Cost> Layout<'_, C> {
    /// Returns the entries and their scale.
    pub(super) fn entries(
        &self,
        is_narrow: bool,
        budget: &Budget<C>,
        memory: &mut Memory,
    ) -> Result<(Entries, Scale), DistanceError<C>> {
        let (mut least, mut largest) = (usize::MAX, 0);
        let mut include = |bucket: usize| {
            if bucket > 0 {
                (least, largest) = (least.min(bucket), largest.max(bucket));
            }
        };
        for column in &self.columns {
            budget.check_now()?;
            column.costs.iter().filter_map(|&cost| bucket(cost)).for_each(&mut include);
            if !column.farthest.is_empty() {
                C::INFINITY.to_bucket().into_iter().for_each(&mut include);
            }
        }
        if is_narrow {
            let scale = Scale::new::<u16>(least, largest);
            Ok((Entries::Narrow(self.table(scale, budget, memory)?), scale))
        } else {
            let scale = Scale::new::<u32>(least, largest);
            Ok((Entries::Wide(self.table(scale, budget, memory)?), scale))
        }
    }

    fn table<E: Entry>(
        &self,
        scale: Scale,
        budget: &Budget<C>,
        memory: &mut Memory,
    ) -> Result<Vec<E>, DistanceError<C>> {
        let len = self.states.saturating_mul(self.width);
        let mut table = filled(len, E::UNREACHED, memory)?;
        for Column { place, members, costs, farthest } in &self.columns {
            budget.check_now()?;
            let mut put = |state: u32, bucket: usize| {
                table[state as usize * self.width + place] = scale.encode(bucket);
            };
            for (&state, &cost) in members.iter().zip(costs) {
                if let Some(bucket) = bucket(cost) {
                    put(state, bucket);
                }
            }
            if let Some(bucket) = C::INFINITY.to_bucket() {
                for &state in farthest {
                    put(state, bucket);
                }
            }
        }
        Ok(table)
    }
}

/// Returns the bucket of a distance below the largest cost; `None` at that, and if there is no path.
fn bucket<C: Cost>(cost: C) -> Option<usize> {
    if cost < C::INFINITY { cost.to_bucket() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_an_entry_hold_the_bucket() {
        let cases: [(usize, usize); 6] = [
            (1, 9),
            (1, 65_534),
            (1, 65_535),
            (40_000, 200_000),
            (5, usize::MAX - 1),
            (usize::MAX - 70_000, usize::MAX - 1),
        ];
        for (least, largest) in cases {
            let scale = Scale::new::<u16>(least, largest);
            let step = ((largest - least) / 1000).max(1);
            let buckets = (least..largest).step_by(step).take(1100).chain([0, least, largest]);
            for bucket in buckets {
                let code = scale.encode::<u16>(bucket).to_usize();
                assert!(code <= u16::LARGEST);
                let (lower, upper) = (scale.lower::<usize>(code), scale.upper::<usize>(code));
                assert!(lower <= bucket && bucket <= upper, "{bucket} in {lower}..={upper}");
                assert!(upper - lower < scale.unit);
            }
            assert_eq!(scale.lower::<usize>(0), 0);
            assert_eq!(scale.is_exact(), largest <= 65_534);
        }
    }
}
