//! Rectangles and text on a bitmap or in an SVG.

use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont, point};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::colour::INK;

/// A drawing area with a font.
pub struct Canvas<'a, B: DrawingBackend> {
    pub area: &'a DrawingArea<B, Shift>,
    /// For bitmaps, whose text is drawn glyph by glyph.
    pub font: &'a FontRef<'static>,
    /// Whether the backend draws text itself, as SVG does.
    pub own_text: bool,
}

pub type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// A text and its position.
pub struct Label<'a> {
    pub text: &'a str,
    pub at: (i32, i32),
    pub size: i32,
    pub h: HPos,
    pub v: VPos,
    pub upwards: bool,
}

impl<B: DrawingBackend> Canvas<'_, B> {
    /// Fills the pixels from `from` up to, but without, `to`.
    pub fn fill(&self, from: (i32, i32), to: (i32, i32), colour: RGBColor) -> Drawn<B> {
        self.area.draw(&Rectangle::new([from, to], colour.filled()))
    }

    pub fn frame(&self, from: (i32, i32), to: (i32, i32)) -> Drawn<B> {
        self.area.draw(&Rectangle::new([from, to], INK))
    }

    pub fn label(&self, label: &Label<'_>) -> Drawn<B> {
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
        // Text is aligned by the height of digits and capitals.
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
                // Quantised, so that the picture has few colours.
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

/// The width of a text in pixels.
pub fn text_width(font: &FontRef<'_>, text: &str, size: i32) -> i32 {
    let scaled = font.as_scaled(scale(font, size));
    let last = glyphs(font, text, size, 0.0, 0.0).pop();
    last.map_or(0, |glyph| (glyph.position.x + scaled.h_advance(glyph.id)).ceil() as i32)
}
