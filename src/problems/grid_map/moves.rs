//! How one may move on a map, and what it costs: [`Moves`], [`Length`].

use std::f64::consts::SQRT_2;
use std::fmt;

use crate::cost::Cost;

/// A kind of moves on a [`GridMap`](super::GridMap): what steps cost, and a lower bound on the rest of
/// the way. Open for kinds of your own.
///
/// ```
/// use bestfirst::problems::grid_map::{Cell, GridMap, Moves};
///
/// /// A king's moves: a diagonal step is as good as any.
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
/// let map = GridMap::new(8, 8, |_| true);
/// let route = map.route_by::<King>(Cell::new(7, 5));
/// assert_eq!(bestfirst::astar(&route, Cell::new(0, 0))?.cost(), Some(7));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub trait Moves {
    /// What steps cost.
    type Cost: Cost;
    /// The cost of a step along a row or a column.
    const STRAIGHT: Self::Cost;
    /// The cost of a diagonal step; `None` where there are none.
    const DIAGONAL: Option<Self::Cost>;

    /// A lower bound on the cost of getting `dx` columns and `dy` rows away.
    fn estimate(dx: u16, dy: u16) -> Self::Cost;
}

/// Straight steps at 1 and diagonal ones at √2, in whole numbers: [`Length`].
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

/// Straight steps at 1 and diagonal ones at √2, as `f64`. For ways longer than a [`Length`] can be.
///
/// Sums of square roots are rounded, in a different order in a path and in an estimate; so the
/// estimate is shortened by a billionth, far more than the rounding amounts to.
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

/// Straight steps alone, at 1.
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

/// The length of a way of straight and diagonal steps, as a whole number: a straight step is 5,741
/// units and a diagonal one 8,119.
///
/// The quotient of these two is √2 but for one part in 10⁸, so a length is right to 0.00000001 for
/// each diagonal step; and there is nothing to round, so sums do not depend on their order and the
/// octile distance is a consistent heuristic exactly. The longest way that it can hold is 748,000
/// straight steps long; a search that meets a longer one says so, as
/// [`SearchError::Overflow`](crate::SearchError::Overflow).
///
/// ```
/// use bestfirst::problems::grid_map::Length;
///
/// assert_eq!(Length::octile(3, 1).to_string(), "3.414213551646055");
/// assert!((Length::octile(300, 1000).to_f64() - (700.0 + 300.0 * 2_f64.sqrt())).abs() < 1e-5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Length(u32);

impl Length {
    /// The length of a straight step.
    pub const STRAIGHT: Self = Self(5741);

    /// The length of a diagonal step.
    pub const DIAGONAL: Self = Self(8119);

    /// The length of the shortest way `dx` columns and `dy` rows away on a map without obstacles.
    #[inline]
    #[must_use]
    pub fn octile(dx: u16, dy: u16) -> Self {
        // At most 65,535 steps, each of at most 8,119: far below the limit.
        let (straight, diagonal) = (dx.abs_diff(dy), dx.min(dy));
        Self(u32::from(straight) * Self::STRAIGHT.0 + u32::from(diagonal) * Self::DIAGONAL.0)
    }

    /// The length, with a straight step for the unit.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Self::STRAIGHT.0)
    }
}

impl Cost for Length {
    const ZERO: Self = Self(0);
    const INFINITY: Self = Self(u32::MAX);

    #[inline]
    fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    #[inline]
    fn to_bucket(self) -> Option<usize> {
        self.0.to_bucket()
    }

    #[inline]
    fn from_bucket(bucket: usize) -> Option<Self> {
        u32::from_bucket(bucket).map(Self)
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
    fn lengths_are_close_to_what_they_stand_for() {
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
