//! [`Movement`]: which cells are neighbours and what steps cost, and [`TerrainCost`].

use crate::cost::{Cost, HalvableCost};

/// The steps on a [`TerrainMap`](super::TerrainMap), their costs, and the size of the agent.
///
/// A step costs the cost of the cell that it enters, times a factor: `straight`, or `diagonal` for a diagonal step.
///
/// ```
/// use bestfirst::problems::grid_map::{Corners, Movement};
///
/// let puzzle = Movement::four(1_u32);
/// let game = Movement::eight(1.0, std::f64::consts::SQRT_2).corners(Corners::OneFree);
/// let whole = Movement::eight(5_u32, 7); // in fifths
/// let king = Movement::eight(1_u32, 1).corners(Corners::Cut);
/// let hexagons = Movement::six(1_u32);
/// let tank = Movement::four(1.0_f32).size(3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Movement<C> {
    pub(super) shape: Shape,
    pub(super) straight: C,
    pub(super) diagonal: C,
    pub(super) corners: Corners,
    pub(super) takes_mean: bool,
    pub(super) size: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Four,
    Six,
    Eight,
}

/// When a diagonal step is allowed, by the two cells beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Corners {
    /// Only if both are free: no corner is cut. This is the rule of the `MovingAI` maps.
    #[default]
    BothFree,
    /// If at least one is free: around a corner, but not between two blocked cells.
    OneFree,
    /// Always.
    Cut,
}

impl<C: Cost> Movement<C> {
    /// To the four neighbours of a square.
    pub fn four(straight: C) -> Self {
        Self::of(Shape::Four, straight, straight)
    }

    /// To the six neighbours of a hexagon. Rows are horizontal, and those with an odd number are shifted by half a
    /// cell to the right.
    #[doc(alias = "hex")]
    pub fn six(straight: C) -> Self {
        Self::of(Shape::Six, straight, straight)
    }

    /// To the eight neighbours of a square.
    pub fn eight(straight: C, diagonal: C) -> Self {
        Self::of(Shape::Eight, straight, diagonal)
    }

    fn of(shape: Shape, straight: C, diagonal: C) -> Self {
        let corners = Corners::BothFree;
        Self { shape, straight, diagonal, corners, takes_mean: false, size: 1 }
    }

    /// Sets when diagonal steps are allowed; [`Corners::BothFree`] by default.
    pub fn corners(mut self, corners: Corners) -> Self {
        self.corners = corners;
        self
    }

    /// Makes a step cost the mean of the cells that it touches, times its factor: of two cells, or of four if it is
    /// diagonal (of two if one of the cells beside it is blocked). Means of integers are rounded down. This is the rule
    /// of the weighted `MovingAI` maps.
    pub fn mean(mut self) -> Self {
        self.takes_mean = true;
        self
    }

    /// Sets the side of the square of cells that the agent occupies, 1 by default and 16 at most. Its position is the
    /// upper left cell. All of its cells must be free, and it pays for the most expensive of them.
    pub fn size(mut self, size: u8) -> Self {
        self.size = size;
        self
    }
}

/// A [`Cost`] of cells: it can be multiplied.
///
/// Implemented for all primitive numbers that are a [`Cost`].
pub trait TerrainCost: Cost {
    /// Returns the product, or `None` if it does not fit into the type. For floats, an infinite product is `None`, too.
    #[must_use]
    fn times(self, factor: Self) -> Option<Self>;

    /// Returns the mean of two costs, rounded down.
    #[must_use]
    fn mean(self, other: Self) -> Self;

    /// Returns a lower bound on the sum of `count` times this cost; less than [`Cost::INFINITY`] if the cost is. For
    /// floats it is slightly less than the product, because sums are rounded.
    #[must_use]
    fn repeated(self, count: u32) -> Self;
}

macro_rules! terrain_integers {
    ($($int:ty)*) => {$(
        impl TerrainCost for $int {
            #[inline]
            fn times(self, factor: Self) -> Option<Self> {
                self.checked_mul(factor)
            }

            #[inline]
            fn mean(self, other: Self) -> Self {
                HalvableCost::mean(self, other).0
            }

            #[inline]
            fn repeated(self, count: u32) -> Self {
                let count = Self::try_from(count).unwrap_or(Self::MAX);
                self.saturating_mul(count).min(Self::MAX - 1)
            }
        }
    )*};
}

macro_rules! terrain_floats {
    ($($float:ty, $slack:literal;)*) => {$(
        impl TerrainCost for $float {
            #[inline]
            fn times(self, factor: Self) -> Option<Self> {
                Some(self * factor).filter(|product| product.is_finite())
            }

            #[inline]
            fn mean(self, other: Self) -> Self {
                HalvableCost::mean(self, other).0
            }

            #[inline]
            #[allow(clippy::cast_lossless, clippy::cast_precision_loss, reason = "a lower bound")]
            fn repeated(self, count: u32) -> Self {
                let count = count as $float;
                // Each addition rounds, in the worst case always down.
                let slack = <$float>::max($slack, count * <$float>::EPSILON);
                (self * count * <$float>::max(1.0 - slack, 0.0)).min(<$float>::MAX)
            }
        }
    )*};
}

terrain_integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
terrain_floats!(f32, 1e-4; f64, 1e-9;);

/// Returns the least numbers of straight and diagonal steps between two cells, for a lower bound on the cost.
pub(super) fn least_steps(shape: Shape, from: (u16, u16), to: (u16, u16)) -> (u32, u32) {
    let (dx, dy) = (u32::from(from.0.abs_diff(to.0)), u32::from(from.1.abs_diff(to.1)));
    match shape {
        Shape::Four => (dx + dy, 0),
        Shape::Eight => (dx.max(dy) - dx.min(dy), dx.min(dy)),
        Shape::Six => {
            // The column along a slanted axis: a step to another row takes half a column with it.
            let slanted = |(x, y): (u16, u16)| i32::from(x) - i32::from(y / 2);
            let (p, q) = (i32::from(from.1) - i32::from(to.1), slanted(from) - slanted(to));
            // In axial coordinates, the greatest of the three differences.
            (p.unsigned_abs().max(q.unsigned_abs()).max((p + q).unsigned_abs()), 0)
        }
    }
}
