//! Problems of the benches, each written once for all engines and rivals.
#![allow(dead_code, reason = "each bench that takes this module in uses a part of it")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the numbers of the instances are small"
)]

pub mod heavy_pancakes;
pub mod heavy_tiles;
pub mod round_trip;
pub mod schedule;
pub mod weighted_grid;

/// Numbers that are the same everywhere.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = self.0.rotate_left(29).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((u128::from(mixed) * u128::from(end)) >> 64) as u64
    }
}
