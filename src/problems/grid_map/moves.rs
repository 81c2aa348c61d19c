//! [`Moves`]: the kinds of moves on a map and their costs, [`Length`] among them.

use std::f64::consts::SQRT_2;
use std::fmt;

use crate::cost::{Cost, HalvableCost, ScalableCost};
use crate::encode::encode_as;

/// A kind of moves on a [`GridMap`](super::GridMap): the costs of the steps and a heuristic. It can be
/// implemented by users.
///
/// ```
/// use bestfirst::problems::grid_map::{Cell, GridMap, Moves};
///
/// /// The moves of a king in chess: a diagonal step costs the same as a straight one.
/// #[derive(Debug)]
/// struct King;
///
/// impl Moves for King {
///     type Cost = u32;
///     const STRAIGHT: u32 = 1;
///     const DIAGONAL: Option<u32> = Some(1);
///
///     fn estimate(dx: u16, dy: u16) -> u32 {
///         dx.max(dy).into()
///     }
/// }
///
/// let map = GridMap::new(8, 8, |_| true)?;
/// let route = map.route_by::<King>(Cell::new(7, 5));
/// assert_eq!(bestfirst::astar(&route, Cell::new(0, 0))?.cost(), Some(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Moves {
    /// The type of the costs.
    type Cost: Cost;
    /// The cost of a step along a row or a column.
    const STRAIGHT: Self::Cost;
    /// The cost of a diagonal step; `None` if there are no diagonal steps.
    const DIAGONAL: Option<Self::Cost>;

    /// Returns a lower bound on the cost of a path over `dx` columns and `dy` rows.
    fn estimate(dx: u16, dy: u16) -> Self::Cost;
}

/// Straight steps of cost 1 and diagonal steps of cost √2, in fixed point: [`Length`].
#[derive(Clone, Copy, Debug)]
pub struct EightWay;

impl Moves for EightWay {
    type Cost = Length;
    const STRAIGHT: Length = Length::STRAIGHT;
    const DIAGONAL: Option<Length> = Some(Length::DIAGONAL);

    #[inline]
    fn estimate(dx: u16, dy: u16) -> Length {
        Length::octile(dx, dy)
    }
}

/// Straight steps of cost 1 and diagonal steps of cost √2, as `f64`, for paths longer than a [`Length`]
/// can hold.
///
/// A path and an estimate add up the same terms in a different order, and so round differently. The
/// estimate is therefore reduced by a factor of 10⁻⁹, far more than the rounding errors.
#[derive(Clone, Copy, Debug)]
pub struct EightWayFloat;

impl Moves for EightWayFloat {
    type Cost = f64;
    const STRAIGHT: f64 = 1.0;
    const DIAGONAL: Option<f64> = Some(SQRT_2);

    #[inline]
    fn estimate(dx: u16, dy: u16) -> f64 {
        let (straight, diagonal) = (dx.abs_diff(dy), dx.min(dy));
        (f64::from(straight) + f64::from(diagonal) * SQRT_2) * (1.0 - 1e-9)
    }
}

/// Straight steps of cost 1, no diagonal steps.
#[derive(Clone, Copy, Debug)]
pub struct FourWay;

impl Moves for FourWay {
    type Cost = u32;
    const STRAIGHT: u32 = 1;
    const DIAGONAL: Option<u32> = None;

    #[inline]
    fn estimate(dx: u16, dy: u16) -> u32 {
        u32::from(dx) + u32::from(dy)
    }
}

/// The length of a path of straight and diagonal steps, as an integer: a straight step has 5,741 units
/// and a diagonal step 8,119.
///
/// The quotient of these two differs from √2 by one part in 10⁸, so the error of a length is 10⁻⁸ for each
/// diagonal step. Integers are not rounded, so sums do not depend on their order, and the octile distance
/// is exactly consistent. The largest length is 748,000 straight steps; a search that finds a longer
/// path ends with [`SearchError::Overflow`](crate::SearchError::Overflow).
///
/// ```
/// use bestfirst::problems::grid_map::Length;
///
/// assert_eq!(Length::octile(3, 1).to_string(), "3.414213551646055");
/// assert!((Length::octile(300, 1000).to_f64() - (700.0 + 300.0 * 2_f64.sqrt())).abs() < 1e-5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Length(u32);

impl Length {
    /// The length of a straight step.
    pub const STRAIGHT: Self = Self(5741);

    /// The length of a diagonal step.
    pub const DIAGONAL: Self = Self(8119);

    /// Returns the length of a shortest path over `dx` columns and `dy` rows on a map without obstacles.
    #[inline]
    #[must_use]
    pub fn octile(dx: u16, dy: u16) -> Self {
        Self::run(dx.abs_diff(dy), dx.min(dy))
    }

    /// Returns the length of these numbers of straight and diagonal steps.
    #[inline]
    pub(super) fn run(straight: u16, diagonal: u16) -> Self {
        // At most 65,535 of each, together at most 13,860 long: far below the limit.
        Self(u32::from(straight) * Self::STRAIGHT.0 + u32::from(diagonal) * Self::DIAGONAL.0)
    }

    /// Returns the length in straight steps.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Self::STRAIGHT.0)
    }
}

encode_as! {
    [] Length as u32: |length| length.0, |units| Some(Self(units)), "a length";
}

impl Cost for Length {
    const ZERO: Self = Self(0);
    const INFINITY: Self = Self(u32::MAX);

    #[inline]
    fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    #[inline]
    fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    #[inline]
    fn to_bucket(self) -> Option<usize> {
        self.0.to_bucket()
    }

    #[inline]
    fn from_bucket(bucket: usize) -> Option<Self> {
        u32::from_bucket(bucket).map(Self)
    }

    #[inline]
    fn restored(bucket: usize) -> Self {
        Self(u32::restored(bucket))
    }
}

impl ScalableCost for Length {
    #[inline]
    fn scale(self, weight: f64) -> Option<Self> {
        self.0.scale(weight).map(Self)
    }

    #[inline]
    fn to_f64(self) -> f64 {
        Length::to_f64(self)
    }
}

impl HalvableCost for Length {
    const GRAIN: Self = Self(1);

    #[inline]
    fn mean(self, other: Self) -> (Self, bool) {
        let (mean, is_rounded) = self.0.mean(other.0);
        (Self(mean), is_rounded)
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        Self(self.0.minus(other.0))
    }
}

/// As [`Length::to_f64`].
impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_f64().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_close_to_the_exact_values() {
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1), (123, 456), (u16::MAX, u16::MAX)] {
            let exact = f64::from(dx.abs_diff(dy)) + f64::from(dx.min(dy)) * SQRT_2;
            let diagonal = f64::from(dx.min(dy));
            let length = Length::octile(dx, dy);
            assert!((length.to_f64() - exact).abs() <= diagonal * 1.1e-8, "{dx} {dy}");
        }
        assert_eq!(format!("{:.2}", Length::DIAGONAL), "1.41");
        assert_eq!(Length::INFINITY.checked_add(Length::STRAIGHT), None);
        assert_eq!(Length::ZERO.checked_add(Length::STRAIGHT), Some(Length::STRAIGHT));
    }
}
