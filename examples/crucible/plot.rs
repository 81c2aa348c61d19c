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

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontTransform, TextStyle, register_font};

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
const NO_VALUE: RGBColor = RGBColor(226, 226, 226);
const INK: RGBColor = RGBColor(38, 38, 38);

const FONT: &str = "sans-serif";
const TITLE: i32 = 17;
const LABEL: i32 = 12;
const LEFT: i32 = 44;
const TOP: i32 = 54;
const BOTTOM: i32 = 34;
const BAR_GAP: i32 = 12;
const BAR: i32 = 14;
const BAR_LABELS: i32 = 58;

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

/// Writes the panels side by side into one picture; the file's ending says which kind.
///
/// # Errors
///
/// An unknown ending, or a file that cannot be written.
pub fn save(file: &Path, panels: &[Panel]) -> Result<(), Box<dyn Error>> {
    register_font(FONT, FontStyle::Normal, dejavu::sans::regular())
        .map_err(|_| "the font of the program cannot be read")?;
    let longest = if panels.len() > 1 { IN_A_ROW } else { ALONE };
    let mut frames = Vec::new();
    let (mut right, mut bottom) = (0, 0);
    for panel in panels {
        let (width, height) = map_size(panel, longest);
        frames.push(Frame { left: right + LEFT, top: TOP, width, height });
        let map = LEFT + width + BAR_GAP + BAR + BAR_LABELS;
        right += map.max(LEFT + text_width(&panel.title, TITLE) + 8);
        bottom = bottom.max(TOP + height + BOTTOM);
    }
    let size = (u32::try_from(right)?, u32::try_from(bottom)?);
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("png") => draw(&BitMapBackend::new(file, size).into_drawing_area(), panels, &frames),
        Some("svg") => draw(&SVGBackend::new(file, size).into_drawing_area(), panels, &frames),
        _ => Err("the name of a picture must end in .png or .svg".into()),
    }
}

/// Blocks are squares of whole pixels where they fit; larger maps are scaled down.
fn map_size(panel: &Panel, longest: i32) -> (i32, i32) {
    let side = panel.rows.max(panel.columns);
    let side_pixels = i32::try_from(side).unwrap_or(i32::MAX);
    let block = longest / side_pixels.max(1);
    let scaled = |n: usize| {
        if block > 0 {
            i32::try_from(n).unwrap_or(longest) * block
        } else {
            i32::try_from(n * longest.unsigned_abs() as usize / side).unwrap_or(longest).max(1)
        }
    };
    (scaled(panel.columns), scaled(panel.rows))
}

fn text_width(text: &str, size: i32) -> i32 {
    let style = (FONT, size).into_font();
    style.layout_box(text).map_or(0, |((left, _), (right, _))| right - left)
}

fn draw<B: DrawingBackend>(
    area: &Area<B>,
    panels: &[Panel],
    frames: &[Frame],
) -> Result<(), Box<dyn Error>>
where
    B::ErrorType: 'static,
{
    area.fill(&WHITE)?;
    for (panel, &frame) in panels.iter().zip(frames) {
        draw_values(area, panel, frame)?;
        draw_path(area, panel, frame)?;
        draw_axes(area, panel, frame)?;
        draw_bar(area, panel, frame)?;
    }
    area.present()?;
    Ok(())
}

type Area<B> = DrawingArea<B, plotters::coord::Shift>;
type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// Fills the pixels from `(left, top)` up to, but without, `(right, bottom)`.
fn fill<B: DrawingBackend>(
    area: &Area<B>,
    (left, top): (i32, i32),
    (right, bottom): (i32, i32),
    colour: RGBColor,
) -> Drawn<B> {
    area.draw(&Rectangle::new([(left, top), (right, bottom)], colour.filled()))
}

fn draw_values<B: DrawingBackend>(area: &Area<B>, panel: &Panel, frame: Frame) -> Drawn<B> {
    let top_value = largest(panel);
    // Where blocks are smaller than pixels, a pixel shows the mean of what lies under it.
    let down = usize::try_from(frame.height).unwrap_or(1).min(panel.rows);
    let across = usize::try_from(frame.width).unwrap_or(1).min(panel.columns);
    for y in 0..down {
        let rows = y * panel.rows / down..(y + 1) * panel.rows / down;
        let (top, bottom) =
            (frame.top + at(y, down, frame.height), frame.top + at(y + 1, down, frame.height));
        let colour = |x: usize| {
            let columns = x * panel.columns / across..(x + 1) * panel.columns / across;
            let under = rows.clone().flat_map(|row| {
                columns.clone().filter_map(move |column| panel.values[row * panel.columns + column])
            });
            let (sum, count) =
                under.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
            if count > 0.0 { shade(panel.scale, sum / count / top_value) } else { NO_VALUE }
        };
        // Neighbours of one colour are one rectangle.
        let mut from = 0;
        while from < across {
            let paint = colour(from);
            let mut to = from + 1;
            while to < across && colour(to) == paint {
                to += 1;
            }
            let left = frame.left + at(from, across, frame.width);
            let right = frame.left + at(to, across, frame.width);
            fill(area, (left, top), (right, bottom), paint)?;
            from = to;
        }
    }
    Ok(())
}

/// The pixel where block `index` of `count` begins.
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
    let place = value.clamp(0.0, 1.0) * (colours.len() - 1) as f64;
    let low = place.floor().min((colours.len() - 2) as f64);
    let part = place - low;
    let (a, b) = (colours[low as usize], colours[low as usize + 1]);
    let mix = |a: u8, b: u8| (f64::from(a) * (1.0 - part) + f64::from(b) * part).round() as u8;
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// The path as a line through the middles of its blocks, with a dark casing; a dot where it starts,
/// a square where it ends.
fn draw_path<B: DrawingBackend>(area: &Area<B>, panel: &Panel, frame: Frame) -> Drawn<B> {
    let middle = |(row, column): (usize, usize)| {
        let x = frame.left + at(2 * column + 1, 2 * panel.columns, frame.width);
        let y = frame.top + at(2 * row + 1, 2 * panel.rows, frame.height);
        (x, y)
    };
    let block = frame.width / i32::try_from(panel.columns).unwrap_or(i32::MAX).max(1);
    let half = (block / 10).clamp(1, 4);
    let colour = match panel.scale {
        Scale::Heat => RGBColor(120, 225, 255),
        Scale::Order => WHITE,
    };
    let corners = corners(&panel.path);
    for (grow, colour) in [((half + 1) / 2 + half, INK), (half - 1, colour)] {
        for pair in corners.windows(2) {
            let (a, b) = (middle(pair[0]), middle(pair[1]));
            let from = (a.0.min(b.0) - grow, a.1.min(b.1) - grow);
            let to = (a.0.max(b.0) + grow + 1, a.1.max(b.1) + grow + 1);
            fill(area, from, to, colour)?;
        }
    }
    if let (Some(&start), Some(&end)) = (panel.path.first(), panel.path.last()) {
        let size = (block / 4).clamp(3, 9);
        area.draw(&Circle::new(middle(start), size + 1, INK.filled()))?;
        area.draw(&Circle::new(middle(start), size - 1, colour.filled()))?;
        let (x, y) = middle(end);
        fill(area, (x - size, y - size), (x + size, y + size), INK)?;
        fill(area, (x - size + 2, y - size + 2), (x + size - 2, y + size - 2), colour)?;
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

fn style<'a>(size: i32, h: HPos, v: VPos) -> TextStyle<'a> {
    (FONT, size).into_font().color(&INK).pos(Pos::new(h, v))
}

fn draw_axes<B: DrawingBackend>(area: &Area<B>, panel: &Panel, frame: Frame) -> Drawn<B> {
    let (right, bottom) = (frame.left + frame.width, frame.top + frame.height);
    outline(area, (frame.left - 1, frame.top - 1), (right, bottom))?;
    let title = style(TITLE, HPos::Left, VPos::Bottom);
    area.draw(&Text::new(panel.title.as_str(), (frame.left, frame.top - 25), title))?;
    let subtitle = style(LABEL, HPos::Left, VPos::Bottom);
    area.draw(&Text::new(panel.subtitle.as_str(), (frame.left, frame.top - 8), subtitle))?;

    let below = style(LABEL, HPos::Center, VPos::Top);
    for column in ticks(panel.columns, 60.0 / f64::from(frame.width)) {
        let x = frame.left + at(2 * column + 1, 2 * panel.columns, frame.width);
        area.draw(&PathElement::new([(x, bottom), (x, bottom + 4)], INK))?;
        area.draw(&Text::new(column.to_string(), (x, bottom + 7), below.clone()))?;
    }
    let beside = style(LABEL, HPos::Right, VPos::Center);
    for row in ticks(panel.rows, 40.0 / f64::from(frame.height)) {
        let y = frame.top + at(2 * row + 1, 2 * panel.rows, frame.height);
        area.draw(&PathElement::new([(frame.left - 5, y), (frame.left - 1, y)], INK))?;
        area.draw(&Text::new(row.to_string(), (frame.left - 8, y), beside.clone()))?;
    }
    Ok(())
}

fn outline<B: DrawingBackend>(area: &Area<B>, from: (i32, i32), to: (i32, i32)) -> Drawn<B> {
    area.draw(&Rectangle::new([from, to], INK))
}

fn draw_bar<B: DrawingBackend>(area: &Area<B>, panel: &Panel, frame: Frame) -> Drawn<B> {
    let left = frame.left + frame.width + BAR_GAP;
    let (right, bottom) = (left + BAR, frame.top + frame.height);
    let top_value = largest(panel);
    let tick = |area: &Area<B>, y: i32, text: String| {
        area.draw(&PathElement::new([(right, y), (right + 4, y)], INK))?;
        area.draw(&Text::new(text, (right + 7, y), style(LABEL, HPos::Left, VPos::Center)))
    };
    match panel.scale {
        Scale::Heat => {
            for digit in 0..10_usize {
                let top = bottom - at(digit + 1, 10, frame.height);
                let end = bottom - at(digit, 10, frame.height);
                fill(area, (left, top), (right, end), shade(panel.scale, digit as f64 / 9.0))?;
            }
            let every = if frame.height < 150 { 3 } else { 1 };
            for digit in (0..10_usize).step_by(every) {
                tick(area, bottom - at(2 * digit + 1, 20, frame.height), digit.to_string())?;
            }
        }
        Scale::Order => {
            for line in 0..frame.height {
                let value = f64::from(line) / f64::from(frame.height - 1).max(1.0);
                let y = bottom - 1 - line;
                fill(area, (left, y), (right, y + 1), shade(panel.scale, value))?;
            }
            let last = top_value as usize;
            for value in ticks(last + 1, 40.0 / f64::from(frame.height)) {
                tick(area, bottom - 1 - at(value, last, frame.height - 1), thousands(value))?;
            }
        }
    }
    outline(area, (left - 1, frame.top - 1), (right, bottom))?;
    let text = match panel.scale {
        Scale::Heat => "heat lost on entering",
        Scale::Order => "expanded as number",
    };
    let turned = (FONT, LABEL).into_font().transform(FontTransform::Rotate270).color(&INK);
    let place = (right + BAR_LABELS - 18, frame.top + frame.height / 2);
    if frame.height > 140 && panel.scale == Scale::Heat {
        let turned = turned.pos(Pos::new(HPos::Center, VPos::Center));
        area.draw(&Text::new(text, place, turned))?;
    }
    Ok(())
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
