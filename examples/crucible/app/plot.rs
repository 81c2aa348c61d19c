//! Pictures of heat maps with paths on them, as PNG or SVG.
//!
//! Everything is axis-parallel, so it is drawn as rectangles on whole pixels: sharp, small files, no
//! seams between blocks. The font comes with the program; nothing need be installed.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "pixels, shades and labels need no more than floats and bytes hold"
)]

use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont, point};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// One heat map with its title and colour bar.
pub struct Panel {
    pub title: String,
    pub subtitle: String,
    pub rows: usize,
    pub columns: usize,
    /// Row after row; what has no value is grey.
    pub values: Vec<Option<f64>>,
    pub scale: Scale,
    /// The blocks of the path in order, as (row, column).
    pub path: Vec<(usize, usize)>,
}

/// How values become colours.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Digits, each with its own colour; from dark to glowing.
    Heat,
    /// Anything from zero up; from dark blue to yellow.
    Order,
}

/// Colours at equal distances; between them it is interpolated.
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
/// How many shades there are in all: few enough for a PNG with a palette.
const SHADES: f64 = 128.0;
const NO_VALUE: RGBColor = RGBColor(226, 226, 226);
const INK: RGBColor = RGBColor(38, 38, 38);

const TITLE: i32 = 18;
const LABEL: i32 = 13;
const LEFT: i32 = 44;
const TOP: i32 = 52;
const BOTTOM: i32 = 32;
const BAR_GAP: i32 = 12;
const BAR: i32 = 14;
const BAR_TEXT: i32 = 26;

/// The longest side of a map in pixels, when it stands alone and when it has neighbours.
const ALONE: i32 = 720;
const IN_A_ROW: i32 = 300;

/// Where a panel's map lies, in pixels.
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

/// Whether a picture's name has an ending that [`save`] knows.
pub fn can_save(file: &Path) -> bool {
    kind(file).is_some()
}

fn kind(file: &Path) -> Option<&'static str> {
    let ending = file.extension()?.to_str()?;
    ["png", "svg"].into_iter().find(|known| ending.eq_ignore_ascii_case(known))
}

/// Writes the panels side by side into one picture; the file's ending says which kind.
///
/// # Errors
///
/// An unknown ending, or a file that cannot be written.
pub fn save(file: &Path, panels: &[Panel]) -> Result<(), Box<dyn Error>> {
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
        bottom = bottom.max(TOP + height + BOTTOM);
    }
    let (width, height) = (u32::try_from(right)?, u32::try_from(bottom)?);
    match kind(file) {
        Some("png") => {
            let mut pixels = vec![0; width as usize * height as usize * 3];
            let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
            draw(&Canvas { area: &area, font: &font, own_text: false }, panels, &frames)?;
            drop(area);
            save_png(file, &pixels, width, height)
        }
        Some(_) => {
            let mut text = String::new();
            let area = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
            draw(&Canvas { area: &area, font: &font, own_text: true }, panels, &frames)?;
            drop(area);
            Ok(std::fs::write(file, text)?)
        }
        None => Err("the name of a picture must end in .png or .svg".into()),
    }
}

/// Writes a PNG, with a palette if there are few colours.
fn save_png(file: &Path, pixels: &[u8], width: u32, height: u32) -> Result<(), Box<dyn Error>> {
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
    let mut out = BufWriter::new(File::create(file)?);
    let mut encoder = png::Encoder::new(&mut out, width, height);
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
    out.flush()?;
    Ok(())
}

/// Blocks are squares of whole pixels where they fit; larger maps are scaled down.
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

/// Something to draw on. Bitmaps get their text from `font`, glyph by glyph.
struct Canvas<'a, B: DrawingBackend> {
    area: &'a DrawingArea<B, Shift>,
    font: &'a FontRef<'static>,
    /// SVG brings its own text.
    own_text: bool,
}

type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// A text and where it goes.
struct Label<'a> {
    text: &'a str,
    at: (i32, i32),
    size: i32,
    h: HPos,
    v: VPos,
    upwards: bool,
}

impl<B: DrawingBackend> Canvas<'_, B> {
    /// Fills the pixels from `(left, top)` up to, but without, `(right, bottom)`.
    fn fill(&self, from: (i32, i32), to: (i32, i32), colour: RGBColor) -> Drawn<B> {
        self.area.draw(&Rectangle::new([from, to], colour.filled()))
    }

    fn frame(&self, from: (i32, i32), to: (i32, i32)) -> Drawn<B> {
        self.area.draw(&Rectangle::new([from, to], INK))
    }

    fn label(&self, label: &Label<'_>) -> Drawn<B> {
        let font = self.font;
        if self.own_text {
            let style = ("DejaVu Sans, Verdana, sans-serif", label.size).into_font();
            let turn = if label.upwards { FontTransform::Rotate270 } else { FontTransform::None };
            let style = style.transform(turn).color(&INK).pos(Pos::new(label.h, label.v));
            return self.area.draw(&Text::new(label.text, label.at, style));
        }
        let width = text_width(font, label.text, label.size) as f32;
        let x = match label.h {
            HPos::Left => 0.0,
            HPos::Center => -width / 2.0,
            HPos::Right => -width,
        };
        // The height of digits and capitals is what meets the eye.
        let capitals = label.size as f32 * 0.72;
        let y = match label.v {
            VPos::Top => capitals,
            VPos::Center => capitals / 2.0,
            VPos::Bottom => 0.0,
        };
        for glyph in glyphs(font, label.text, label.size, x, y.round()) {
            let Some(outline) = font.outline_glyph(glyph) else { continue };
            let corner = outline.px_bounds().min;
            let mut pixels = Vec::new();
            outline.draw(|x, y, cover| pixels.push((x.cast_signed(), y.cast_signed(), cover)));
            for (x, y, cover) in pixels {
                let (x, y) = (corner.x as i32 + x, corner.y as i32 + y);
                let (x, y) = if label.upwards { (y, -x) } else { (x, y) };
                // In steps, so that the picture has few colours.
                let cover = f64::from((cover * 16.0).round() / 16.0);
                if cover > 0.0 {
                    let place = (label.at.0 + x, label.at.1 + y);
                    self.area.draw_pixel(place, &INK.mix(cover.min(1.0)))?;
                }
            }
        }
        Ok(())
    }
}

/// The pixel size of a font with an em of `size` pixels.
fn scale(font: &FontRef<'_>, size: i32) -> PxScale {
    let em = font.units_per_em().unwrap_or(1000.0);
    PxScale::from(size as f32 * 0.95 * font.height_unscaled() / em)
}

/// The glyphs of a text whose base line begins at `(x, y)`.
fn glyphs(font: &FontRef<'_>, text: &str, size: i32, x: f32, y: f32) -> Vec<Glyph> {
    let scale = scale(font, size);
    let scaled = font.as_scaled(scale);
    let mut at = x;
    let mut before = None;
    let mut glyphs = Vec::new();
    for character in text.chars() {
        let id = font.glyph_id(character);
        at += before.map_or(0.0, |before| scaled.kern(before, id));
        glyphs.push(id.with_scale_and_position(scale, point(at, y)));
        at += scaled.h_advance(id);
        before = Some(id);
    }
    glyphs
}

fn text_width(font: &FontRef<'_>, text: &str, size: i32) -> i32 {
    let scaled = font.as_scaled(scale(font, size));
    let last = glyphs(font, text, size, 0.0, 0.0).pop();
    last.map_or(0, |glyph| (glyph.position.x + scaled.h_advance(glyph.id)).ceil() as i32)
}

/// How much room the numbers beside the colour bar take.
fn bar_labels(font: &FontRef<'_>, panel: &Panel) -> i32 {
    let longest = match panel.scale {
        Scale::Heat => "9".to_owned(),
        Scale::Order => thousands(largest(panel)),
    };
    8 + text_width(font, &longest, LABEL)
}

fn draw<B: DrawingBackend>(canvas: &Canvas<'_, B>, panels: &[Panel], frames: &[Frame]) -> Drawn<B> {
    canvas.area.fill(&WHITE)?;
    for (panel, &frame) in panels.iter().zip(frames) {
        draw_values(canvas, panel, frame)?;
        draw_path(canvas, panel, frame)?;
        draw_axes(canvas, panel, frame)?;
        draw_bar(canvas, panel, frame)?;
    }
    canvas.area.present()
}

fn draw_values<B: DrawingBackend>(canvas: &Canvas<'_, B>, panel: &Panel, frame: Frame) -> Drawn<B> {
    let most = largest(panel);
    // Where blocks are smaller than pixels, a pixel shows the mean of what lies under it.
    let down = usize::try_from(frame.height).unwrap_or(1).min(panel.rows);
    let across = usize::try_from(frame.width).unwrap_or(1).min(panel.columns);
    for y in 0..down {
        let rows = y * panel.rows / down..(y + 1) * panel.rows / down;
        let top = frame.top + at(y, down, frame.height);
        let bottom = frame.top + at(y + 1, down, frame.height);
        let colour = |x: usize| {
            let columns = x * panel.columns / across..(x + 1) * panel.columns / across;
            let (mut sum, mut count) = (0.0, 0.0);
            for row in rows.clone() {
                let line = &panel.values[row * panel.columns..][columns.clone()];
                for value in line.iter().flatten() {
                    sum += value;
                    count += 1.0;
                }
            }
            if count > 0.0 { shade(panel.scale, sum / count / most) } else { NO_VALUE }
        };
        // Neighbours of one colour are one rectangle.
        let colours: Vec<RGBColor> = (0..across).map(colour).collect();
        let mut from = 0;
        for same in colours.chunk_by(|a, b| a == b) {
            let to = from + same.len();
            let left = frame.left + at(from, across, frame.width);
            let right = frame.left + at(to, across, frame.width);
            canvas.fill((left, top), (right, bottom), same[0])?;
            from = to;
        }
    }
    Ok(())
}

/// The pixel where part `index` of `count` begins.
fn at(index: usize, count: usize, pixels: i32) -> i32 {
    let pixels = usize::try_from(pixels).unwrap_or(0);
    i32::try_from(index * pixels / count.max(1)).unwrap_or(0)
}

fn largest(panel: &Panel) -> f64 {
    match panel.scale {
        Scale::Heat => 9.0,
        Scale::Order => {
            panel.values.iter().flatten().fold(1.0, |most: f64, &value| most.max(value))
        }
    }
}

/// The colour of a value between 0 and 1.
fn shade(scale: Scale, value: f64) -> RGBColor {
    let colours: &[(u8, u8, u8)] = match scale {
        Scale::Heat => &HEAT,
        Scale::Order => &ORDER,
    };
    let value = match scale {
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

/// The path as a line through the middles of its blocks, with a dark casing; a dot where it starts,
/// a square where it ends.
fn draw_path<B: DrawingBackend>(canvas: &Canvas<'_, B>, panel: &Panel, frame: Frame) -> Drawn<B> {
    let middle = |(row, column): (usize, usize)| {
        let x = frame.left + at(2 * column + 1, 2 * panel.columns, frame.width);
        let y = frame.top + at(2 * row + 1, 2 * panel.rows, frame.height);
        (x, y)
    };
    let block = frame.width / i32::try_from(panel.columns).unwrap_or(i32::MAX).max(1);
    let half = (block / 10).max(frame.width / 360).clamp(0, 4);
    let casing = half + if half > 1 { 2 } else { 1 };
    let colour = match panel.scale {
        Scale::Heat => RGBColor(120, 225, 255),
        Scale::Order => WHITE,
    };
    let corners = corners(&panel.path);
    for (grow, colour) in [(casing, INK), (half, colour)] {
        for pair in corners.windows(2) {
            let (a, b) = (middle(pair[0]), middle(pair[1]));
            let from = (a.0.min(b.0) - grow, a.1.min(b.1) - grow);
            let to = (a.0.max(b.0) + grow + 1, a.1.max(b.1) + grow + 1);
            canvas.fill(from, to, colour)?;
        }
    }
    if let (Some(&start), Some(&end)) = (panel.path.first(), panel.path.last()) {
        let size = (block / 4).clamp(3 + half, 9);
        let (x, y) = middle(start);
        canvas.area.draw(&Circle::new((x, y), size + 1, INK.filled()))?;
        canvas.area.draw(&Circle::new((x, y), size - 1, colour.filled()))?;
        let (x, y) = middle(end);
        canvas.fill((x - size - 1, y - size - 1), (x + size + 2, y + size + 2), INK)?;
        canvas.fill((x - size + 1, y - size + 1), (x + size, y + size), colour)?;
    }
    Ok(())
}

/// The ends of the straight pieces of a path.
fn corners(path: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let straight = |a: (usize, usize), b: (usize, usize), c: (usize, usize)| {
        (a.0 == b.0 && b.0 == c.0) || (a.1 == b.1 && b.1 == c.1)
    };
    let mut corners: Vec<(usize, usize)> = Vec::new();
    for &block in path {
        if let [.., a, b] = corners[..]
            && straight(a, b, block)
        {
            corners.pop();
        }
        corners.push(block);
    }
    corners
}

fn draw_axes<B: DrawingBackend>(canvas: &Canvas<'_, B>, panel: &Panel, frame: Frame) -> Drawn<B> {
    let label = |text: &str, at: (i32, i32), size, h, v| {
        canvas.label(&Label { text, at, size, h, v, upwards: false })
    };
    canvas.frame((frame.left - 1, frame.top - 1), (frame.right(), frame.bottom()))?;
    let (left, top) = (frame.left - 1, frame.top);
    label(&panel.title, (left, top - 27), TITLE, HPos::Left, VPos::Bottom)?;
    label(&panel.subtitle, (left, top - 9), LABEL, HPos::Left, VPos::Bottom)?;
    for column in ticks(panel.columns, 60.0 / f64::from(frame.width)) {
        let x = frame.left + at(2 * column + 1, 2 * panel.columns, frame.width);
        canvas.fill((x, frame.bottom()), (x + 1, frame.bottom() + 5), INK)?;
        let place = (x, frame.bottom() + 9);
        label(&column.to_string(), place, LABEL, HPos::Center, VPos::Top)?;
    }
    for row in ticks(panel.rows, 40.0 / f64::from(frame.height)) {
        let y = frame.top + at(2 * row + 1, 2 * panel.rows, frame.height);
        canvas.fill((frame.left - 5, y), (frame.left, y + 1), INK)?;
        let place = (frame.left - 8, y);
        label(&row.to_string(), place, LABEL, HPos::Right, VPos::Center)?;
    }
    Ok(())
}

fn draw_bar<B: DrawingBackend>(canvas: &Canvas<'_, B>, panel: &Panel, frame: Frame) -> Drawn<B> {
    let left = frame.right() + BAR_GAP;
    let (right, bottom) = (left + BAR, frame.bottom());
    let tick = |y: i32, text: &str| {
        canvas.fill((right, y), (right + 5, y + 1), INK)?;
        let at = (right + 8, y);
        canvas.label(&Label {
            text,
            at,
            size: LABEL,
            h: HPos::Left,
            v: VPos::Center,
            upwards: false,
        })
    };
    match panel.scale {
        Scale::Heat => {
            for digit in 0..10_usize {
                let top = bottom - at(digit + 1, 10, frame.height);
                let end = bottom - at(digit, 10, frame.height);
                canvas.fill((left, top), (right, end), shade(panel.scale, digit as f64 / 9.0))?;
            }
            let every = if frame.height < 150 { 3 } else { 1 };
            for digit in (0..10_usize).step_by(every) {
                tick(bottom - at(2 * digit + 1, 20, frame.height), &digit.to_string())?;
            }
        }
        Scale::Order => {
            for line in 0..frame.height {
                let value = f64::from(line) / f64::from(frame.height - 1).max(1.0);
                let y = bottom - 1 - line;
                canvas.fill((left, y), (right, y + 1), shade(panel.scale, value))?;
            }
            let last = largest(panel) as usize;
            for value in ticks(last + 1, 40.0 / f64::from(frame.height)) {
                tick(bottom - 1 - at(value, last, frame.height - 1), &short(value))?;
            }
        }
    }
    if frame.height > 140 {
        let text = match panel.scale {
            Scale::Heat => "heat lost on entering",
            Scale::Order => "expanded as number",
        };
        let at = (right + bar_labels(canvas.font, panel) + 12, frame.top + frame.height / 2);
        let (h, v) = (HPos::Center, VPos::Center);
        canvas.label(&Label { text, at, size: LABEL, h, v, upwards: true })?;
    }
    canvas.frame((left - 1, frame.top - 1), (right, bottom))
}

/// Round numbers from 0 to `count - 1`, not closer together than a part `gap` of all.
fn ticks(count: usize, gap: f64) -> impl Iterator<Item = usize> {
    let least = (count as f64 * gap).ceil();
    let mut step = 1_usize;
    let mut factors = [2.0, 2.5, 2.0].iter().cycle();
    while (step as f64) < least {
        step = (step as f64 * factors.next().copied().unwrap_or(2.0)) as usize;
    }
    (0..count).step_by(step)
}

/// A round number in few characters.
fn short(number: usize) -> String {
    match number {
        1_000_000.. if number.is_multiple_of(100_000) => format!("{}M", number as f64 / 1e6),
        _ => thousands(number),
    }
}

/// 12,345 as it is read.
pub fn thousands(number: impl std::fmt::Display) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
