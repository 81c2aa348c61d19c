//! The colours of values.

use plotters::prelude::*;

use super::{Panel, Scale};

/// Equidistant colours of a scale, between which others are interpolated.
const HEAT: [(u8, u8, u8); 10] = [
    (24, 15, 61),
    (54, 15, 95),
    (87, 16, 110),
    (120, 28, 109),
    (153, 40, 100),
    (187, 55, 84),
    (216, 77, 61),
    (238, 105, 37),
    (251, 146, 20),
    (252, 194, 54),
];
const ORDER: [(u8, u8, u8); 9] = [
    (68, 1, 84),
    (71, 44, 122),
    (59, 81, 139),
    (44, 113, 142),
    (33, 144, 141),
    (39, 173, 129),
    (92, 200, 99),
    (170, 220, 50),
    (253, 231, 37),
];
/// The total number of shades: few enough for a PNG with a palette.
const SHADES: f64 = 128.0;
pub const NO_VALUE: RGBColor = RGBColor(226, 226, 226);
/// The line of a path that is not the best.
pub const OTHERS: RGBColor = RGBColor(190, 190, 190);
pub const INK: RGBColor = RGBColor(38, 38, 38);

/// The largest value of a panel, at least 1.
pub fn largest(panel: &Panel) -> f64 {
    match panel.scale {
        Scale::Heat => 9.0,
        Scale::Order => {
            panel.values.iter().flatten().fold(1.0, |most: f64, &value| most.max(value))
        }
    }
}

/// The colour of a value between 0 and 1.
pub fn shade(scale: Scale, value: f64) -> RGBColor {
    let colours: &[(u8, u8, u8)] = match scale {
        Scale::Heat => &HEAT,
        Scale::Order => &ORDER,
    };
    let value = match scale {
        // The mean of blocked blocks and others.
        Scale::Order if value == f64::NEG_INFINITY => return INK,
        Scale::Heat => value,
        Scale::Order => (value * SHADES).round() / SHADES,
    };
    let place = value.clamp(0.0, 1.0) * (colours.len() - 1) as f64;
    let low = place.floor().min((colours.len() - 2) as f64);
    let part = place - low;
    let (a, b) = (colours[low as usize], colours[low as usize + 1]);
    let mix = |a: u8, b: u8| (f64::from(a) * (1.0 - part) + f64::from(b) * part).round() as u8;
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}
