//! What workers tell each other, as bytes.
//!
//! A batch begins with its kind and its sender. States are written one after the other, each with its *g* and the
//! global id of its parent, so nothing is allocated for a state, and large batches are copied at once.

use crate::cost::Cost;
use crate::encode::{DecodeError, Encode, encode_as};
use crate::report::{SearchError, Stats, StopReason};

/// What a batch holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// States for the shard of the receiver.
    Arrivals,
    /// What the sender did in a round: a [`RoundReport`].
    Round,
    /// What the sender knows at the end: a [`FinalReport`].
    Final,
    /// A part of a path: a [`Section`], and the states.
    Section,
}

type Head = (u8, u32);

/// The bytes before the content of a batch.
pub(super) const HEAD: usize = Head::BYTES;

impl Kind {
    const ALL: [Self; 4] = [Self::Arrivals, Self::Round, Self::Final, Self::Section];
}

/// Begins a batch in an empty list.
pub(super) fn begin(bytes: &mut Vec<u8>, kind: Kind, sender: u32) {
    bytes.resize(HEAD, 0);
    (kind as u8, sender).encode(bytes);
}

/// The kind, the sender and the content of a batch.
pub(super) fn open(bytes: &[u8]) -> Result<(Kind, u32, &[u8]), DecodeError> {
    let fault = DecodeError { at: 0, expected: "the beginning of a batch" };
    let (head, content) = bytes.split_at_checked(HEAD).ok_or(fault)?;
    let (kind, sender) = Head::decode(head)?;
    let kind = Kind::ALL.into_iter().find(|&other| other as u8 == kind).ok_or(fault)?;
    Ok((kind, sender, content))
}

/// Appends the encoding of a value.
#[inline]
pub(super) fn append<T: Encode>(bytes: &mut Vec<u8>, value: &T) {
    let begin = bytes.len();
    bytes.resize(begin + T::BYTES, 0);
    value.encode(&mut bytes[begin..]);
}

/// The value whose encoding is all of `bytes`.
pub(super) fn read<T: Encode>(bytes: &[u8]) -> Result<T, DecodeError> {
    if bytes.len() == T::BYTES {
        T::decode(bytes)
    } else {
        Err(DecodeError { at: bytes.len(), expected: "the end of a message" })
    }
}

/// A state of a shard: its cost, its *h*, and its id there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found<C> {
    pub(super) g: C,
    pub(super) h: C,
    pub(super) id: u64,
}

/// What a worker did in a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RoundReport<C> {
    pub(super) counts: Stats,
    /// Its best goal so far.
    pub(super) goal: Option<Found<C>>,
    /// A limit that it has reached.
    pub(super) stop: Option<StopReason>,
    /// A fault of the problem.
    pub(super) error: Option<SearchError<C>>,
}

/// What a worker knows at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FinalReport<C> {
    pub(super) counts: Stats,
    /// The least *f* of its open states.
    pub(super) least_open: Option<C>,
    /// Whether it has taken in all states that were sent to it.
    pub(super) is_complete: bool,
    /// Whether open states cost more than is allowed.
    pub(super) is_barred: bool,
    /// The first sum that did not fit into its type.
    pub(super) overflow: Option<SearchError<C>>,
    /// The state with the least *h* that was ever open, among equals with the least *g*.
    pub(super) closest: Option<Found<C>>,
}

/// A part of a path, from the end towards the start; its states follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Section<C> {
    /// The global id of the state before; `None` if the start is reached.
    pub(super) next: Option<u64>,
    /// The number of states.
    pub(super) states: u64,
    /// The *g* of the start, if it is reached.
    pub(super) start_cost: C,
    /// The *f* of one of the states exceeds the cost of the path.
    pub(super) overestimates: bool,
}

type RoundParts<C> = ([u64; 9], Option<Found<C>>, Option<(u8, u64)>, Fault<C>);
type FinalParts<C> = ([u64; 9], Option<C>, (bool, bool), Fault<C>, Option<Found<C>>);

encode_as! {
    [C: Encode + Copy] Found<C> as (C, C, u64):
        |own| (own.g, own.h, own.id),
        |(g, h, id)| Some(Self { g, h, id }),
        "a state";
    [C: Cost + Encode] RoundReport<C> as RoundParts<C>:
        |own| (numbers_of(own.counts), own.goal, own.stop.map(number_of), own.error.map(parts_of)),
        |(counts, goal, stop, error)| Some(Self {
            counts: counts_of(counts), goal, stop: stop.map(stop_of), error: error.map(error_of),
        }),
        "a report of a round";
    [C: Cost + Encode] FinalReport<C> as FinalParts<C>:
        |own| (
            numbers_of(own.counts), own.least_open, (own.is_complete, own.is_barred), own.overflow.map(parts_of),
            own.closest,
        ),
        |(counts, least_open, (is_complete, is_barred), overflow, closest)| Some(Self {
            counts: counts_of(counts), least_open, is_complete, is_barred, overflow: overflow.map(error_of), closest,
        }),
        "a last report";
    [C: Encode + Copy] Section<C> as (Option<u64>, u64, C, bool):
        |own| (own.next, own.states, own.start_cost, own.overestimates),
        |(next, states, start_cost, overestimates)| Some(Self { next, states, start_cost, overestimates }),
        "a part of a path";
}

fn numbers_of(counts: Stats) -> [u64; 9] {
    let Stats { expanded, generated, duplicates, reopened, dead_ends, evaluated, .. } = counts;
    let Stats { stored, peak_frontier: open, peak_bytes: bytes, .. } = counts;
    [expanded, generated, duplicates, reopened, dead_ends, evaluated, stored, open, bytes]
}

fn counts_of(numbers: [u64; 9]) -> Stats {
    let [expanded, generated, duplicates, reopened, dead_ends, evaluated, rest @ ..] = numbers;
    let [stored, peak_frontier, peak_bytes] = rest;
    let held = Stats { stored, peak_frontier, peak_bytes, ..Stats::default() };
    Stats { expanded, generated, duplicates, reopened, dead_ends, evaluated, ..held }
}

/// The kind of an error, and its values.
type Fault<C> = Option<(u8, C, C)>;

/// The reasons for which a worker stops the search.
fn number_of(stop: StopReason) -> (u8, u64) {
    match stop {
        StopReason::Expansions => (0, 0),
        StopReason::States { most } => (1, most),
        StopReason::Time => (2, 0),
        StopReason::NoClock => (3, 0),
        StopReason::Cancelled => (4, 0),
        _ => (5, 0),
    }
}

fn stop_of((number, most): (u8, u64)) -> StopReason {
    match number {
        0 => StopReason::Expansions,
        1 => StopReason::States { most },
        2 => StopReason::Time,
        3 => StopReason::NoClock,
        4 => StopReason::Cancelled,
        _ => StopReason::Memory,
    }
}

/// The errors that a shard can meet.
fn parts_of<C: Cost>(error: SearchError<C>) -> (u8, C, C) {
    match error {
        SearchError::NegativeCost { g, step } => (0, g, step),
        SearchError::NotANumber { g, value } => (1, g, value),
        SearchError::Overflow { g, added } => (2, g, added),
        _ => (3, C::ZERO, C::ZERO),
    }
}

fn error_of<C: Cost>((number, g, other): (u8, C, C)) -> SearchError<C> {
    match number {
        0 => SearchError::NegativeCost { g, step: other },
        1 => SearchError::NotANumber { g, value: other },
        2 => SearchError::Overflow { g, added: other },
        _ => SearchError::Panicked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;

    fn check<T: Encode + PartialEq + Debug>(message: &T) {
        let mut bytes = Vec::new();
        begin(&mut bytes, Kind::Final, 7);
        append(&mut bytes, message);
        let (kind, sender, content) = open(&bytes).unwrap();
        assert_eq!((kind, sender), (Kind::Final, 7));
        assert_eq!(&read::<T>(content).unwrap(), message);
        assert!(read::<T>(&content[1..]).is_err());
    }

    #[test]
    fn messages_come_back_from_their_bytes() {
        let counts = Stats {
            expanded: 1,
            generated: 2,
            duplicates: 3,
            reopened: 4,
            dead_ends: 5,
            evaluated: 6,
            stored: 7,
            peak_frontier: 8,
            peak_bytes: 9,
            ..Stats::default()
        };
        let stops = [
            StopReason::Expansions,
            StopReason::States { most: 99 },
            StopReason::Time,
            StopReason::NoClock,
            StopReason::Cancelled,
            StopReason::Memory,
        ];
        let errors = [
            SearchError::NegativeCost { g: 1_i64, step: -2 },
            SearchError::NotANumber { g: 3, value: 4 },
            SearchError::Overflow { g: 5, added: 6 },
        ];
        for (stop, error) in stops.map(Some).into_iter().zip(errors.map(Some).into_iter().cycle()) {
            let goal = Some(Found { g: 5, h: 6, id: 7 });
            check(&RoundReport { counts, goal, stop, error });
            check(&RoundReport { counts, goal: None, stop: None, error });
            check(&FinalReport {
                counts,
                least_open: Some(4),
                is_complete: true,
                is_barred: false,
                overflow: error,
                closest: goal,
            });
        }
        check(&Section { next: Some(8), states: 2, start_cost: 0.5, overestimates: true });
    }

    #[test]
    fn what_is_no_batch_is_an_error() {
        assert!(open(&[0, 0]).is_err());
        assert!(open(&[9, 0, 0, 0, 0]).is_err());
    }
}
