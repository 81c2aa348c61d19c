//! Pictures of heat maps with paths on them, and of maps of roads, as PNG or SVG.
//!
//! But for roads, everything is axis-parallel and drawn as rectangles on whole pixels, which gives sharp edges and small
//! files. The font is part of the program.

#[cfg(feature = "draw")]
mod drawing;

#[cfg(not(feature = "draw"))]
use std::error::Error;
#[cfg(not(feature = "draw"))]
use std::io::Write;
use std::path::Path;

#[cfg(feature = "draw")]
pub use drawing::{EXPANDED, Layer, NETWORK, ROUTES, RoadMap, write, write_map};
#[cfg(feature = "draw")]
pub use png;

/// One heat map with its title and colour bar.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The first line above the map.
    pub title: String,
    /// The second line, in smaller letters.
    pub subtitle: String,
    /// The number of rows of the map.
    pub rows: usize,
    /// The number of blocks in a row.
    pub columns: usize,
    /// Row after row; blocks without a value are grey, in the scale of the order those of minus infinity dark.
    pub values: Vec<Option<f64>>,
    /// How the values are mapped to colours.
    pub scale: Scale,
    /// The blocks of the path in order, as (row, column).
    pub path: Vec<(usize, usize)>,
    /// Other paths, drawn below it in a thinner line.
    pub others: Vec<Vec<(usize, usize)>>,
}

/// How values are mapped to colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Digits, one colour each, from dark to bright.
    Heat,
    /// Numbers from zero up, from dark blue to yellow.
    Order,
}

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Pixels.
    Png,
    /// Shapes.
    Svg,
}

impl Format {
    /// That which the ending of the name stands for.
    ///
    /// # Errors
    ///
    /// What would be right.
    pub fn of(file: &Path) -> Result<Self, String> {
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let known = [("png", Self::Png), ("svg", Self::Svg)];
        let format = known.into_iter().find(|(name, _)| ending.eq_ignore_ascii_case(name));
        let name = file.display();
        Ok(format.ok_or_else(|| format!("{name}: the name must end in .png or .svg"))?.1)
    }
}

/// Draws nothing: a program without plots does not compile what draws them.
///
/// # Errors
///
/// The feature that is missing.
#[cfg(not(feature = "draw"))]
pub fn write(_: Format, _: &[Panel], _: impl Write) -> Result<(), Box<dyn Error>> {
    Err("pictures are drawn with the feature `draw` of this package".into())
}
