//! Maps of roads: lines in layers, with a legend.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write;

use ab_glyph::FontRef;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::canvas::{Canvas, Drawn, Label};
use super::colour::INK;
use super::{BYTES_PER_PIXEL, Format, LABEL, TITLE, has_room, write_png};

/// A map of roads.
#[derive(Clone, Debug)]
pub struct RoadMap {
    /// The line above the map.
    pub title: String,
    /// What is drawn first is below the rest.
    pub layers: Vec<Layer>,
}

/// Lines of one colour.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The line of the legend.
    pub name: String,
    /// Red, green and blue.
    pub colour: (u8, u8, u8),
    /// The width of its lines in pixels.
    pub width: u32,
    /// The ends of each line, as longitude and latitude in degrees.
    pub lines: Vec<[[f64; 2]; 2]>,
}

/// The network.
pub const NETWORK: (u8, u8, u8) = (215, 215, 215);
/// What was expanded.
pub const EXPANDED: (u8, u8, u8) = (160, 205, 235);
/// Colours that colour-blind people can tell apart, for routes. Source: Okabe and Ito, *Color Universal Design*, 2008.
pub const ROUTES: [(u8, u8, u8); 6] =
    [(0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (230, 159, 0), (0, 0, 0)];

/// The longest side of the map in pixels, and the space around it.
const LONGEST: f64 = 1000.0;
const MARGIN: i32 = 16;
const TOP: i32 = 44;
const LINE: i32 = 20;

/// The ends of a line in pixels.
type Pixels = [(i32, i32); 2];

impl RoadMap {
    /// The size of the map in pixels, and each layer in pixels: each line once, and none that is a single pixel.
    fn in_pixels(&self) -> ((i32, i32), Vec<Vec<Pixels>>) {
        let ends = || self.layers.iter().flat_map(|layer| &layer.lines).flatten();
        let least = |axis: usize| ends().map(|end| end[axis]).fold(f64::INFINITY, f64::min);
        let most = |axis: usize| ends().map(|end| end[axis]).fold(f64::NEG_INFINITY, f64::max);
        let (west, east, south, north) = (least(0), most(0), least(1), most(1));
        // A degree of longitude is shorter than one of latitude.
        let narrow = (f64::midpoint(south, north)).to_radians().cos();
        let (wide, high) = ((east - west) * narrow, north - south);
        let scale = LONGEST / wide.max(high).max(1e-9);
        let pixel = |end: [f64; 2]| {
            let x = ((end[0] - west) * narrow * scale).round() as i32;
            let y = ((north - end[1]) * scale).round() as i32;
            (MARGIN + x, TOP + y)
        };
        let layers = self.layers.iter().map(|layer| {
            let mut seen = HashSet::new();
            let lines = layer.lines.iter().map(|line| line.map(pixel));
            let sorted = |[a, b]: Pixels| if a <= b { [a, b] } else { [b, a] };
            lines.filter(|&[a, b]| a != b).filter(|&line| seen.insert(sorted(line))).collect()
        });
        let size = ((wide * scale).round() as i32, (high * scale).round() as i32);
        ((size.0.max(200), size.1.max(1)), layers.collect())
    }
}

/// Writes a map.
///
/// # Errors
///
/// An error of `out`, or too little memory.
pub fn write_map(format: Format, map: &RoadMap, mut out: impl Write) -> Result<(), Box<dyn Error>> {
    let ((width, height), layers) = map.in_pixels();
    let entries = map.layers.iter().filter(|layer| !layer.name.is_empty()).count();
    let bottom = TOP + height + MARGIN;
    let size = (
        u32::try_from(width + 2 * MARGIN)?,
        u32::try_from(bottom + LINE * i32::try_from(entries)? + MARGIN)?,
    );
    if !has_room(size.0 as usize * size.1 as usize * BYTES_PER_PIXEL) {
        return Err("there is not enough memory for the picture; raise the memory limit".into());
    }
    match format {
        Format::Png => {
            let font = FontRef::try_from_slice(dejavu::sans::regular())?;
            let mut pixels = vec![0; size.0 as usize * size.1 as usize * 3];
            let area = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
            draw(&Canvas { area: &area, font: &font, own_text: false }, map, &layers, bottom)?;
            drop(area);
            write_png(&pixels, size, out)
        }
        Format::Svg => Ok(out.write_all(svg(map, &layers, size, bottom).as_bytes())?),
    }
}

fn draw<B: DrawingBackend>(
    canvas: &Canvas<'_, B>,
    map: &RoadMap,
    layers: &[Vec<Pixels>],
    bottom: i32,
) -> Drawn<B> {
    canvas.area.fill(&WHITE)?;
    let label = |text: &str, at, size, v| {
        canvas.label(&Label { text, at, size, h: HPos::Left, v, upwards: false })
    };
    let mut y = bottom;
    for (layer, lines) in map.layers.iter().zip(layers) {
        let (red, green, blue) = layer.colour;
        let colour = RGBColor(red, green, blue);
        let style = colour.stroke_width(layer.width);
        for &line in lines {
            canvas.area.draw(&PathElement::new(line, style))?;
        }
        if !layer.name.is_empty() {
            canvas.fill((MARGIN, y + 4), (MARGIN + 24, y + 9), colour)?;
            label(&layer.name, (MARGIN + 32, y + 7), LABEL, VPos::Center)?;
            y += LINE;
        }
    }
    label(&map.title, (MARGIN, TOP - 16), TITLE, VPos::Bottom)?;
    canvas.area.present()
}

/// The same as shapes: one path for each layer, which keeps the file small.
fn svg(map: &RoadMap, layers: &[Vec<Pixels>], (width, height): (u32, u32), bottom: i32) -> String {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"DejaVu Sans, Verdana, sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let ink = format!("rgb({},{},{})", INK.0, INK.1, INK.2);
    let mut y = bottom;
    let mut legend = String::new();
    for (layer, lines) in map.layers.iter().zip(layers) {
        let (red, green, blue) = layer.colour;
        let colour = format!("rgb({red},{green},{blue})");
        // Writing to a text cannot fail.
        let _ = write!(
            text,
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linecap=\"round\" d=\"",
            layer.width
        );
        for [(x, y), to] in lines {
            let _ = write!(text, "M{x} {y}l{} {}", to.0 - x, to.1 - y);
        }
        text.push_str("\"/>\n");
        if !layer.name.is_empty() {
            let (name, middle) = (escaped(&layer.name), y + 7);
            let _ = writeln!(
                legend,
                "<rect x=\"{MARGIN}\" y=\"{}\" width=\"24\" height=\"5\" fill=\"{colour}\"/>\n\
                 <text x=\"{}\" y=\"{}\" font-size=\"{LABEL}\" fill=\"{ink}\">{name}</text>",
                y + 4,
                MARGIN + 32,
                middle + 4
            );
            y += LINE;
        }
    }
    let _ = write!(
        text,
        "{legend}<text x=\"{MARGIN}\" y=\"{}\" font-size=\"{TITLE}\" fill=\"{ink}\">{}</text>\n</svg>\n",
        TOP - 16,
        escaped(&map.title)
    );
    text
}
