//! Distances on the surface of the Earth.

/// The mean radius of the Earth in metres.
pub(super) const EARTH: f64 = 6_371_000.0;

/// Returns the direction from the centre of the Earth, for coordinates in millionths of a degree.
pub(super) fn unit_vector(longitude: i32, latitude: i32) -> [f64; 3] {
    let (east, along) = (f64::from(longitude) * 1e-6).to_radians().sin_cos();
    let (north, across) = (f64::from(latitude) * 1e-6).to_radians().sin_cos();
    [across * along, across * east, north]
}

/// Returns a lower bound on the distance over the surface between two directions, in metres.
///
/// The chord c between them gives the angle, 2 asin(c / 2). All terms of the series of asin are positive,
/// so its first terms are a lower bound, accurate to a millimetre over a hundred kilometres, and cheap.
/// Its slope is at most 1 in the angle, so the triangle inequality holds as for the angle.
#[inline]
pub(super) fn great_circle(from: &[f64; 3], to: &[f64; 3]) -> f64 {
    let [x, y, z] = [from[0] - to[0], from[1] - to[1], from[2] - to[2]];
    let square = (x * x + y * y + z * z) / 4.0; // of half the chord
    let series = 1.0 + square * (1.0 / 6.0 + square * (3.0 / 40.0 + square * (15.0 / 336.0)));
    2.0 * EARTH * square.sqrt() * series
}
