//! Maps, paths, axes and colour bars.

use ab_glyph::FontRef;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use program::thousands;

use super::canvas::{Canvas, Drawn, Label, text_width};
use super::colour::{INK, NO_VALUE, OTHERS, largest, shade};
use super::{BAR, BAR_GAP, BAR_HEIGHT, Frame, LABEL, Panel, Scale, TITLE};

/// Draws all panels.
pub fn draw<B: DrawingBackend>(
    canvas: &Canvas<'_, B>,
    panels: &[Panel],
    frames: &[Frame],
) -> Drawn<B> {
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
    // If blocks are smaller than pixels, a pixel shows their mean.
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
        // Adjacent blocks of the same colour are one rectangle.
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

/// The first pixel of part `index` of `count` parts.
fn at(index: usize, count: usize, pixels: i32) -> i32 {
    let pixels = usize::try_from(pixels).unwrap_or(0);
    i32::try_from(index * pixels / count.max(1)).unwrap_or(0)
}

/// Draws the path as a line through the centres of its blocks, with a dark outline; a dot at the start, a
/// square at the end.
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
    let line = |path: &[(usize, usize)], grow: i32, colour: RGBColor| {
        for pair in corners(path).windows(2) {
            let (a, b) = (middle(pair[0]), middle(pair[1]));
            let from = (a.0.min(b.0) - grow, a.1.min(b.1) - grow);
            let to = (a.0.max(b.0) + grow + 1, a.1.max(b.1) + grow + 1);
            canvas.fill(from, to, colour)?;
        }
        Ok(())
    };
    for (grow, colour) in [(half / 2 + 1, INK), (half / 2, OTHERS)] {
        panel.others.iter().rev().try_for_each(|path| line(path, grow, colour))?;
    }
    for (grow, colour) in [(casing, INK), (half, colour)] {
        line(&panel.path, grow, colour)?;
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

/// The ends of the straight parts of a path.
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
    // As high as the map, or higher where the map is of few rows.
    let frame = Frame { height: frame.height.max(BAR_HEIGHT), ..frame };
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

/// The width of the numbers beside the colour bar.
pub fn bar_labels(font: &FontRef<'_>, panel: &Panel) -> i32 {
    let longest = match panel.scale {
        Scale::Heat => "9".to_owned(),
        Scale::Order => thousands(largest(panel)),
    };
    8 + text_width(font, &longest, LABEL)
}

/// Round numbers from 0 to `count - 1`. Their distance is at least the part `gap` of the range.
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
