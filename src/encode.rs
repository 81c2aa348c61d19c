//! [`Encode`]: a fixed-size binary encoding of states and costs, for files and other machines.

use std::fmt;

/// A type with a fixed-size binary encoding, the same on every machine.
///
/// Each value has exactly one encoding, and `decode` is the inverse of `encode`. It rejects all bytes that `encode` never writes, but
/// for the states of amphipods, tiles and the crucible: which bytes these have depends on their problem. Numbers are little-endian.
/// Equal values may have different encodings only if they differ in data that `==` ignores.
///
/// Implemented for integers (`usize` and `isize` take 8 bytes), floats, `bool`, `char`, `()`, arrays, tuples of
/// up to eight, and `Option`; and for the states of all [ready problems](crate::problems).
///
/// # Example
///
/// With the feature `derive`, structs and enums of such types need one line. (A crate that has renamed this one, to `bf` for example,
/// needs another at its root: `extern crate bf as bestfirst;`.)
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use bestfirst::Encode;
///
/// #[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
/// enum Robot {
///     Parked,
///     At { x: u16, y: u16 },
/// }
///
/// let mut bytes = [0; Robot::BYTES];
/// Robot::At { x: 260, y: 7 }.encode(&mut bytes);
/// assert_eq!(bytes, [1, 4, 1, 7, 0]);
/// assert_eq!(Robot::decode(&bytes), Ok(Robot::At { x: 260, y: 7 }));
/// let fault = Robot::decode(&[0, 4, 1, 7, 0]).unwrap_err();
/// assert_eq!(fault.to_string(), "byte 1 is not 0");
/// # }
/// ```
///
/// Without it, a tuple of the fields does the work:
///
/// ```
/// use bestfirst::{DecodeError, Encode};
///
/// #[derive(Debug, PartialEq)]
/// struct Place {
///     room: u16,
///     is_lit: bool,
/// }
///
/// impl Encode for Place {
///     const BYTES: usize = <(u16, bool)>::BYTES;
///
///     fn encode(&self, bytes: &mut [u8]) {
///         (self.room, self.is_lit).encode(bytes);
///     }
///
///     fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
///         let (room, is_lit) = Encode::decode(bytes)?;
///         Ok(Self { room, is_lit })
///     }
/// }
///
/// let mut bytes = [0; Place::BYTES];
/// Place { room: 260, is_lit: true }.encode(&mut bytes);
/// assert_eq!(bytes, [4, 1, 1]);
/// assert_eq!(Place::decode(&bytes), Ok(Place { room: 260, is_lit: true }));
/// let fault = Place::decode(&[4, 1, 7]).unwrap_err();
/// assert_eq!(fault.to_string(), "byte 2 is not 0 or 1");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a fixed number of bytes",
    label = "this type does not implement `Encode`",
    note = "for a struct or an enum of your own, write `#[derive(bestfirst::Encode)]`, with the feature `derive`; or implement `bestfirst::Encode` by a tuple of its fields, of up to eight, as `(u16, bool)`: `BYTES` is that of the tuple, `encode` encodes the tuple, `decode` decodes it and makes the struct; the page of `Encode` has this as an example",
    note = "integers, floats, `bool`, `char`, arrays, tuples, and `Option` of these are encoded already; a `Vec` or a `String` has no fixed size: use an array"
)]
pub trait Encode: Sized {
    /// The number of bytes of each value.
    const BYTES: usize;

    /// Writes the value into `bytes`, all [`BYTES`](Self::BYTES) of them.
    ///
    /// # Panics
    ///
    /// May panic if `bytes` has another length.
    fn encode(&self, bytes: &mut [u8]);

    /// Reads the value that was written into `bytes`.
    ///
    /// # Errors
    ///
    /// A [`DecodeError`] for bytes that `encode` never writes, as far as the type alone says which these are.
    ///
    /// # Panics
    ///
    /// May panic if `bytes` has another length than [`BYTES`](Self::BYTES).
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError>;
}

/// The error of decoding: bytes that do not encode a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The first byte of the part that is wrong, counted from 0.
    pub at: usize,
    /// The expected value.
    pub expected: &'static str,
}

impl DecodeError {
    /// Returns the error for a part that begins `bytes` later.
    #[must_use]
    pub fn after(self, bytes: usize) -> Self {
        Self { at: self.at.saturating_add(bytes), ..self }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {} is not {}", self.at, self.expected)
    }
}

impl std::error::Error for DecodeError {}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Encode for $number {
            const BYTES: usize = size_of::<$number>();

            #[inline]
            fn encode(&self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
                let mut own = [0; size_of::<$number>()];
                own.copy_from_slice(bytes);
                Ok(<$number>::from_le_bytes(own))
            }
        }
    )*};
}

numbers! { u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64 }

/// Implements [`Encode`] for a type by conversion to an equivalent type that implements it.
macro_rules! encode_as {
    ($(
        [$($generics:tt)*] $type:ty as $other:ty:
            |$value:ident| $into:expr, |$read:pat_param| $from:expr, $expected:expr;
    )*) => {$(
        impl<$($generics)*> $crate::encode::Encode for $type {
            const BYTES: usize = <$other as $crate::encode::Encode>::BYTES;

            #[inline]
            fn encode(&self, bytes: &mut [u8]) {
                let $value = self;
                <$other as $crate::encode::Encode>::encode(&$into, bytes);
            }

            #[inline]
            fn decode(bytes: &[u8]) -> Result<Self, $crate::encode::DecodeError> {
                let $read = <$other as $crate::encode::Encode>::decode(bytes)?;
                let fault = $crate::encode::DecodeError { at: 0, expected: $expected };
                $from.ok_or(fault)
            }
        }
    )*};
}

pub(crate) use encode_as;

encode_as! {
    [] usize as u64: |value| *value as u64, |read| Self::try_from(read).ok(), "a number that fits into a usize";
    [] isize as i64: |value| *value as i64, |read| Self::try_from(read).ok(), "a number that fits into an isize";
    [] char as u32: |value| *value as u32, |read| Self::from_u32(read), "a character of Unicode";
    [] std::time::Duration as (u64, u32):
        |value| (value.as_secs(), value.subsec_nanos()),
        |read| (read.1 < 1_000_000_000).then(|| Self::new(read.0, read.1)),
        "a time: seconds, and less than a second in nanoseconds";
    [] bool as u8: |value| u8::from(*value), |read| (read < 2).then_some(read == 1), "0 or 1";
}

impl Encode for () {
    const BYTES: usize = 0;

    #[inline]
    fn encode(&self, _: &mut [u8]) {}

    #[inline]
    fn decode(_: &[u8]) -> Result<Self, DecodeError> {
        Ok(())
    }
}

impl<T: Encode, const N: usize> Encode for [T; N] {
    const BYTES: usize = T::BYTES * N;

    #[inline]
    fn encode(&self, bytes: &mut [u8]) {
        for (i, value) in self.iter().enumerate() {
            value.encode(&mut bytes[i * T::BYTES..(i + 1) * T::BYTES]);
        }
    }

    #[inline]
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut fault = None;
        let values = std::array::from_fn(|i| {
            let value = T::decode(&bytes[i * T::BYTES..(i + 1) * T::BYTES]);
            value.map_err(|other| *fault.get_or_insert(other.after(i * T::BYTES))).ok()
        });
        match fault {
            Some(fault) => Err(fault),
            None => Ok(values.map(|value: Option<T>| value.unwrap_or_else(|| unreachable!()))),
        }
    }
}

/// 0 and zeros, or 1 and the value.
impl<T: Encode> Encode for Option<T> {
    const BYTES: usize = 1 + T::BYTES;

    #[inline]
    fn encode(&self, bytes: &mut [u8]) {
        bytes[0] = u8::from(self.is_some());
        match self {
            Some(value) => value.encode(&mut bytes[1..]),
            None => bytes[1..].fill(0),
        }
    }

    #[inline]
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        if bool::decode(&bytes[..1])? {
            return T::decode(&bytes[1..]).map(Some).map_err(|fault| fault.after(1));
        }
        match bytes.iter().position(|&byte| byte != 0) {
            Some(at) => Err(DecodeError { at, expected: "0, as the value is absent" }),
            None => Ok(None),
        }
    }
}

macro_rules! tuples {
    ($(($($type:ident $field:tt),*))*) => {$(
        impl<$($type: Encode),*> Encode for ($($type,)*) {
            const BYTES: usize = 0 $(+ $type::BYTES)*;

            #[inline]
            fn encode(&self, bytes: &mut [u8]) {
                let mut rest = bytes;
                $(
                    let (own, after) = rest.split_at_mut($type::BYTES);
                    self.$field.encode(own);
                    rest = after;
                )*
                let _ = rest;
            }

            #[inline]
            fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
                let mut at = 0;
                Ok(($({
                    let begin = at;
                    at += $type::BYTES;
                    $type::decode(&bytes[begin..at]).map_err(|fault| fault.after(begin))?
                },)*))
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}
