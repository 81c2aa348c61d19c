//! [`Energy`]: the cost of moves, and [`FitError`]: a burrow too large for its types.

use std::fmt;
use std::hash::Hash;
use std::ops::{Add, Mul};

use super::burrow::Burrow;
use super::place::Kind;
use crate::cost::Cost;
use crate::problems::memory::OutOfMemory;

/// An integer type for energy: `u32` for the puzzle's own size, `u64` for up to about fifteen rooms,
/// `u128` for all sizes.
pub trait Energy:
    Cost + Ord + Hash + Add<Output = Self> + Mul<Output = Self> + From<u16> + fmt::Display + Send + Sync
{
    /// Returns the number in this type; `None` if it does not fit or is the maximum, which means infinity.
    #[must_use]
    fn from_u128(energy: u128) -> Option<Self>;

    /// Returns the number as a `u128`.
    #[must_use]
    fn to_u128(self) -> u128;
}

macro_rules! energies {
    ($($int:ty)*) => {$(
        impl Energy for $int {
            #[inline]
            fn from_u128(energy: u128) -> Option<Self> {
                Self::try_from(energy).ok().filter(|&energy| energy != Self::MAX)
            }

            #[inline]
            fn to_u128(self) -> u128 {
                u128::from(self)
            }
        }
    )*};
}

energies!(u32 u64);

impl Energy for u128 {
    #[inline]
    fn from_u128(energy: u128) -> Option<Self> {
        (energy != Self::MAX).then_some(energy)
    }

    #[inline]
    fn to_u128(self) -> u128 {
        self
    }
}

/// A burrow is too large for the types of its problem, or for the available memory. Each form takes the
/// number of words and the type of the energy as parameters, so larger ones can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FitError {
    /// A state needs more machine words.
    Words {
        /// The number of words needed.
        needed: usize,
        /// The number of words of the type.
        available: usize,
    },
    /// The moves can cost more than the type of the energy can hold.
    Energy {
        /// An upper bound on the cost of a solution; `None` if `u128` cannot hold it.
        most: Option<u128>,
        /// The number of bits of the type.
        bits: u32,
    },
    /// The hallway is too long or the rooms are too deep: steps are counted in 16 bits.
    Length {
        /// The length of the hallway plus twice the depth of the rooms.
        steps: usize,
    },
    /// There is not enough memory for the tables of the problem.
    OutOfMemory {
        /// The size in bytes of the allocation that failed.
        bytes: u64,
    },
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words { needed, available } => write!(
                f,
                "a state of this burrow needs {needed} words of 64 bits, and the type has {available}"
            ),
            Self::Energy { most: Some(most), bits } => write!(
                f,
                "the moves of this burrow can cost up to {most}, which a number of {bits} bits \
                 cannot hold"
            ),
            Self::Energy { most: None, bits } => write!(
                f,
                "the moves of this burrow can cost more than a number of 128 bits can hold, and the \
                 type has {bits} bits"
            ),
            Self::Length { steps } => write!(
                f,
                "the length of the hallway plus twice the depth of the rooms is {steps}; it must be at \
                 most {LONGEST}"
            ),
            Self::OutOfMemory { bytes } => write!(
                f,
                "the tables of this burrow are too large for the available memory: {bytes} bytes \
                 cannot be allocated; use a smaller burrow or raise the memory limit"
            ),
        }
    }
}

impl std::error::Error for FitError {}

impl From<OutOfMemory> for FitError {
    fn from(OutOfMemory { bytes }: OutOfMemory) -> Self {
        Self::OutOfMemory { bytes }
    }
}

/// Converts a number that is known to be small: [`energy_fits`] has checked the width and the depth.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "it is known to be small")]
pub(super) fn narrow(number: usize) -> u16 {
    debug_assert!(u16::try_from(number).is_ok());
    number as u16
}

/// Checks that no sum of moves in a search of this burrow is too large. No amphipod crosses the hallway
/// more than `crossings` times.
pub(super) fn energy_fits<C: Energy>(burrow: &Burrow, crossings: u128) -> Result<(), FitError> {
    let steps = burrow.depth().saturating_mul(2).saturating_add(burrow.width());
    if steps > LONGEST {
        return Err(FitError::Length { steps });
    }
    let most = most_energy(burrow, crossings);
    let bits = u32::try_from(8 * size_of::<C>()).unwrap_or(u32::MAX);
    match most {
        Some(energy) if C::from_u128(energy).is_some() => Ok(()),
        _ => Err(FitError::Energy { most, bits }),
    }
}

/// The maximum of the length of the hallway plus twice the depth of the rooms.
const LONGEST: usize = 30_000;

fn most_energy(burrow: &Burrow, crossings: u128) -> Option<u128> {
    let far = u128::try_from(burrow.width() + 2 * burrow.depth()).ok()?;
    let each = far.checked_mul(crossings)?.checked_mul(u128::try_from(burrow.depth()).ok()?)?;
    (0..burrow.rooms())
        .filter_map(Kind::of_room)
        .try_fold(0_u128, |sum, kind| sum.checked_add(each.checked_mul(kind.step_energy())?))
}
