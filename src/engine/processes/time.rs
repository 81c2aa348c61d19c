//! [`Time`], the timestamps of the dataflow: (*f*, round), in lexicographic order.

use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use timely::order::{PartialOrder, TotalOrder};
use timely::progress::Timestamp;
use timely::progress::timestamp::{PathSummary, Refines};

use crate::cost::Cost;
use crate::encode::Encode;

/// A round of a layer, or one of the rounds after the last layer, in which the results are put together.
///
/// The least time of all messages and of all workers is the frontier of timely's progress tracking, so the *f* in
/// it is a proved lower bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time<C> {
    /// The value of *f*; `None` after the search.
    pub(super) layer: Option<C>,
    pub(super) round: u64,
}

impl<C> Time<C> {
    pub(super) fn at(layer: C) -> Self {
        Self { layer: Some(layer), round: 0 }
    }

    /// The first time after the search.
    pub(super) fn end() -> Self {
        Self { layer: None, round: 0 }
    }

    pub(super) fn next_round(self) -> Self {
        Self { round: self.round + 1, ..self }
    }
}

impl<C: Cost> Ord for Time<C> {
    fn cmp(&self, other: &Self) -> Ordering {
        let layers = match (self.layer, other.layer) {
            // Costs are ordered: the search rejects what is not a number.
            (Some(own), Some(other)) => own.partial_cmp(&other).unwrap_or(Ordering::Equal),
            (own, other) => own.is_none().cmp(&other.is_none()),
        };
        layers.then(self.round.cmp(&other.round))
    }
}

impl<C: Cost> PartialOrd for Time<C> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<C: Cost> PartialEq for Time<C> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<C: Cost> Eq for Time<C> {}

impl<C: Cost> PartialOrder for Time<C> {
    fn less_equal(&self, other: &Self) -> bool {
        self <= other
    }
}

impl<C: Cost> TotalOrder for Time<C> {}

impl<C: Cost + Encode + Send + 'static> Timestamp for Time<C> {
    type Summary = Rounds;

    fn minimum() -> Self {
        Self::at(C::ZERO)
    }
}

/// Every dataflow is nested in one without times.
impl<C: Cost + Encode + Send + 'static> Refines<()> for Time<C> {
    fn to_inner((): ()) -> Self {
        Self::minimum()
    }

    fn to_outer(self) {}

    fn summarize(_: Rounds) {}
}

/// This many rounds later in the same layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rounds(pub(super) u64);

impl PartialOrder for Rounds {
    fn less_equal(&self, other: &Self) -> bool {
        self <= other
    }
}

impl<C: Cost> PathSummary<Time<C>> for Rounds {
    fn results_in(&self, time: &Time<C>) -> Option<Time<C>> {
        Some(Time { round: time.round.checked_add(self.0)?, ..*time })
    }

    fn followed_by(&self, other: &Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }
}

/// The encoding of (layer, round).
impl<C: Cost + Encode> Serialize for Time<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = vec![0; <(Option<C>, u64)>::BYTES];
        (self.layer, self.round).encode(&mut bytes);
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de, C: Cost + Encode> Deserialize<'de> for Time<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(TimeVisitor(PhantomData))
    }
}

struct TimeVisitor<C>(PhantomData<C>);

impl<C: Cost + Encode> Visitor<'_> for TimeVisitor<C> {
    type Value = Time<C>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes of a layer and a round", <(Option<C>, u64)>::BYTES)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Time<C>, E> {
        if bytes.len() != <(Option<C>, u64)>::BYTES {
            return Err(E::invalid_length(bytes.len(), &self));
        }
        let (layer, round) = Encode::decode(bytes).map_err(E::custom)?;
        Ok(Time { layer, round })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_ordered_by_layer_then_by_round_and_the_end_is_last() {
        let times = [
            Time::minimum(),
            Time { layer: Some(0_u32), round: 7 },
            Time::at(3),
            Time { layer: Some(3), round: 1 },
            Time::at(u32::MAX),
            Time::end(),
            Time::end().next_round(),
        ];
        assert!(times.is_sorted() && times.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn a_loop_takes_a_round() {
        let time = Time::at(5_u8);
        assert_eq!(Rounds(1).results_in(&time), Some(time.next_round()));
        let twice = PathSummary::<Time<u8>>::followed_by(&Rounds(1), &Rounds(1));
        assert_eq!(twice.unwrap().results_in(&time), Some(time.next_round().next_round()));
        let last = Time { layer: Some(5_u8), round: u64::MAX };
        assert_eq!(Rounds(1).results_in(&last), None);
    }
}
