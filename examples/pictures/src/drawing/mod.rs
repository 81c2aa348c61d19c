//! What draws: with the feature `draw`.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "pixels, shades and labels need no more than floats and bytes hold"
)]

mod canvas;
mod colour;
mod draw;
mod map;

use std::collections::HashMap;
use std::error::Error;
use std::io::Write;

use ab_glyph::FontRef;
use plotters::prelude::*;

pub use map::{EXPANDED, Layer, NETWORK, ROUTES, RoadMap, write_map};

use self::canvas::{Canvas, text_width};
use self::draw::{bar_labels, draw};
use super::{Format, Panel, Scale};

const TITLE: i32 = 18;
const LABEL: i32 = 13;
const LEFT: i32 = 44;
const TOP: i32 = 52;
const BOTTOM: i32 = 32;
const BAR_GAP: i32 = 12;
const BAR: i32 = 14;
const BAR_TEXT: i32 = 26;
/// The least height of the colour bar: below it, its numbers would overlap, or be too few.
const BAR_HEIGHT: i32 = 120;

/// What drawing and writing takes at most: the text of an SVG can have a rectangle for every pixel, in a list that doubles.
const BYTES_PER_PIXEL: usize = 64;

/// The longest side in pixels of a single map, and of one of several maps.
const ALONE: i32 = 720;
const IN_A_ROW: i32 = 300;

/// The position of a panel's map, in pixels.
#[derive(Clone, Copy)]
struct Frame {
    left: i32,
    top: i32,
    width: i32,
    height: i32,
}

impl Frame {
    fn right(self) -> i32 {
        self.left + self.width
    }

    fn bottom(self) -> i32 {
        self.top + self.height
    }
}

/// Writes the panels side by side into one picture.
///
/// # Errors
///
/// An error of `out`, or too little memory.
pub fn write(format: Format, panels: &[Panel], mut out: impl Write) -> Result<(), Box<dyn Error>> {
    let font = FontRef::try_from_slice(dejavu::sans::regular())?;
    let longest = if panels.len() > 1 { IN_A_ROW } else { ALONE };
    let mut frames = Vec::new();
    let (mut right, mut bottom) = (0, 0);
    for panel in panels {
        let (width, height) = map_size(panel, longest);
        frames.push(Frame { left: right + LEFT, top: TOP, width, height });
        let title = text_width(&font, &panel.title, TITLE);
        let subtitle = text_width(&font, &panel.subtitle, LABEL);
        let bar = BAR_GAP + BAR + bar_labels(&font, panel) + BAR_TEXT;
        right += LEFT + (width + bar).max(title + 8).max(subtitle + 8);
        bottom = bottom.max(TOP + height.max(BAR_HEIGHT) + BOTTOM);
    }
    let (width, height) = (u32::try_from(right)?, u32::try_from(bottom)?);
    if !has_room(width as usize * height as usize * BYTES_PER_PIXEL) {
        return Err("there is not enough memory for the picture; raise the memory limit".into());
    }
    match format {
        Format::Png => {
            let mut pixels = vec![0; width as usize * height as usize * 3];
            let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
            draw(&Canvas { area: &area, font: &font, own_text: false }, panels, &frames)?;
            drop(area);
            write_png(&pixels, (width, height), out)
        }
        Format::Svg => {
            let mut text = String::new();
            let area = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
            draw(&Canvas { area: &area, font: &font, own_text: true }, panels, &frames)?;
            drop(area);
            Ok(out.write_all(text.as_bytes())?)
        }
    }
}

/// Whether this many bytes can be allocated. The crates that draw and compress end the program if they cannot.
fn has_room(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// Writes a PNG, with a palette if there are few colours.
fn write_png(
    pixels: &[u8],
    (width, height): (u32, u32),
    out: impl Write,
) -> Result<(), Box<dyn Error>> {
    let mut numbers = HashMap::new();
    let mut palette = Vec::new();
    let mut indices = Vec::with_capacity(pixels.len() / 3);
    for pixel in pixels.chunks_exact(3) {
        let number = *numbers.entry(pixel).or_insert_with(|| {
            palette.extend_from_slice(pixel);
            palette.len() / 3 - 1
        });
        let Ok(number) = u8::try_from(number) else { break };
        indices.push(number);
    }
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_compression(png::Compression::Best);
    if indices.len() == pixels.len() / 3 {
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(palette);
        encoder.write_header()?.write_image_data(&indices)?;
    } else {
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
        encoder.write_header()?.write_image_data(pixels)?;
    }
    Ok(())
}

/// The size of a map. Blocks are squares of whole pixels if they fit; larger maps are scaled down.
fn map_size(panel: &Panel, longest: i32) -> (i32, i32) {
    let side = panel.rows.max(panel.columns);
    let block = longest / i32::try_from(side).unwrap_or(i32::MAX).max(1);
    let scaled = |n: usize| {
        if block > 0 {
            i32::try_from(n).unwrap_or(longest) * block
        } else {
            i32::try_from(n * longest.unsigned_abs() as usize / side).unwrap_or(longest).max(1)
        }
    };
    (scaled(panel.columns), scaled(panel.rows))
}
