//! [`Sight`]: what is seen from a point: other points, and the corners of blocked cells.
//!
//! All coordinates are doubled, so that centres of cells are whole numbers. All comparisons are exact.

use std::cell::Cell as Slot;
use std::cmp::Ordering;

use super::Waypoint;
use crate::problems::grid_map::{Cell, GridMap};

/// What is seen from a point.
pub(super) struct Sight<'m> {
    map: &'m GridMap,
    x: i64,
    y: i64,
    /// At a corner, the direction of the blocked cell.
    blocked: Option<(i64, i64)>,
}

/// A direction: columns for each row.
#[derive(Clone, Copy)]
struct Slope {
    columns: i64,
    /// Positive.
    rows: i64,
}

/// Directions from the first to the second; the second is greater.
type Interval = (Slope, Slope);

/// Steeper than every direction to a point on a map.
const STEEPEST: i64 = 1 << 20;

impl Slope {
    fn new(columns: i64, rows: i64) -> Self {
        Self { columns, rows }
    }

    /// The column of the ray after `rows` rows, rounded down.
    fn floor(self, rows: i64) -> i64 {
        (self.columns * rows).div_euclid(self.rows)
    }

    fn ceil(self, rows: i64) -> i64 {
        -(-self.columns * rows).div_euclid(self.rows)
    }
}

impl PartialEq for Slope {
    fn eq(&self, other: &Self) -> bool {
        self.columns * other.rows == other.columns * self.rows
    }
}

impl PartialOrd for Slope {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (self.columns * other.rows).partial_cmp(&(other.columns * self.rows))
    }
}

fn greater(a: Slope, b: Slope) -> Slope {
    if a < b { b } else { a }
}

fn less(a: Slope, b: Slope) -> Slope {
    if b < a { b } else { a }
}

/// The intervals that are free in one row and in the next.
type Rows = (Vec<Interval>, Vec<Interval>);

thread_local! {
    /// Used again by the next point, so that an expansion allocates nothing.
    static SCRATCH: Slot<Rows> = const { Slot::new((Vec::new(), Vec::new())) };
}

impl<'m> Sight<'m> {
    /// `None` if there is no such point: it is the centre of a blocked cell, or a corner at which no path turns.
    pub(super) fn new(map: &'m GridMap, point: Waypoint) -> Option<Self> {
        let (x, y) = (i64::from(point.x), i64::from(point.y));
        let blocked = match (x % 2, y % 2) {
            (0, 0) => Some(corner(map, x / 2, y / 2)?),
            (1, 1) if is_free(map, x / 2, y / 2) => None,
            _ => return None,
        };
        Some(Self { map, x, y, blocked })
    }

    /// Whether a path that turns here may go on in this direction: a shortest one turns towards the blocked cell.
    fn may_leave(&self, dx: i64, dy: i64) -> bool {
        self.blocked.is_none_or(|blocked| turns_at(blocked, (dx, dy)))
    }

    /// Whether a straight line leads to the centre of a free cell, and a shortest path may go along it.
    pub(super) fn sees(&self, centre: Waypoint) -> bool {
        let (dx, dy) = (i64::from(centre.x) - self.x, i64::from(centre.y) - self.y);
        if !self.may_leave(dx, dy) {
            return false;
        }
        if dy == 0 {
            // Both are centres.
            let (first, last) = (self.x.min(self.x + dx) / 2, self.x.max(self.x + dx) / 2);
            return (first..=last).all(|column| is_free(self.map, column, self.y / 2));
        }
        let (slope, down) = (Slope::new(dx, dy.abs()), dy.signum());
        let mut from = 0;
        while from < dy.abs() {
            let to = (from + 2 - (self.y + from) % 2).min(dy.abs());
            let row = self.row(from, down);
            let (near, far) = if dx < 0 { (to, from) } else { (from, to) };
            // The cells that the open line crosses, or the one that it goes through from top to bottom.
            let first = (self.x + slope.floor(near)).div_euclid(2);
            let last = (self.x + slope.ceil(far) - 1).div_euclid(2).max(first);
            if !(first..=last).all(|column| is_free(self.map, column, row)) {
                return false;
            }
            let x = self.x + slope.floor(to);
            let is_corner = x % 2 == 0 && slope.floor(to) == slope.ceil(to) && to < dy.abs();
            if is_corner && self.is_closed(x / 2, self.line(to, down), dx * down > 0) {
                return false;
            }
            from = to;
        }
        true
    }

    /// The line between two rows at this distance.
    fn line(&self, distance: i64, down: i64) -> i64 {
        let doubled = self.y + distance * down;
        doubled / 2
    }

    /// The row between the line at this distance and the next one.
    fn row(&self, distance: i64, down: i64) -> i64 {
        let line = self.y + distance * down;
        if down < 0 { (line - 1).div_euclid(2) } else { line.div_euclid(2) }
    }

    /// Whether the two cells beside a diagonal line through a corner are blocked; it leads down to the right or to the left.
    fn is_closed(&self, column: i64, row: i64, to_the_right: bool) -> bool {
        let (above, below) = if to_the_right { (column, column - 1) } else { (column - 1, column) };
        !is_free(self.map, above, row - 1) && !is_free(self.map, below, row)
    }

    /// Calls `push` with each corner that is seen from here, and at which a shortest path from here may turn.
    pub(super) fn corners(&self, mut push: impl FnMut(Waypoint)) {
        SCRATCH.with(|slot| {
            let (mut open, mut next) = slot.take();
            for down in [-1, 1] {
                self.corners_towards(down, &mut open, &mut next, &mut push);
            }
            slot.set((open, next));
        });
        if self.y % 2 == 0 {
            for right in [-1, 1] {
                self.corner_beside(right, &mut push);
            }
        }
    }

    /// Goes over the rows above or below, with the intervals of directions that are free up to there.
    fn corners_towards(
        &self,
        down: i64,
        open: &mut Vec<Interval>,
        next: &mut Vec<Interval>,
        push: &mut impl FnMut(Waypoint),
    ) {
        let (mut least, mut most) = (Slope::new(-STEEPEST, 1), Slope::new(STEEPEST, 1));
        if let Some((right, below)) = self.blocked {
            // One half is blocked at once, or no path that turns here goes there.
            let keeps_right = (below == down) != (right > 0);
            let end = if keeps_right { &mut least } else { &mut most };
            *end = Slope::new(0, 1);
        }
        open.clear();
        open.push((least, most));
        let mut from = 0;
        while !open.is_empty() {
            let to = from + 2 - (self.y + from) % 2;
            let row = self.row(from, down);
            next.clear();
            for &interval in &*open {
                self.clip(interval, row, (from, to), next);
            }
            let line = self.line(to, down);
            for &(least, most) in &*next {
                let leftmost = (self.x + least.ceil(to) + 1).div_euclid(2);
                let rightmost = (self.x + most.floor(to)).div_euclid(2);
                for column in leftmost..=rightmost {
                    self.push_corner(column, line, push);
                }
            }
            std::mem::swap(open, next);
            from = to;
        }
    }

    /// Adds to `next` the parts of an interval in which no blocked cell of a row is crossed, from one distance to another.
    /// Parts of one direction are left out: a path along them touches two corners, and turns at the first by no angle.
    fn clip(
        &self,
        (least, most): Interval,
        row: i64,
        (from, to): (i64, i64),
        next: &mut Vec<Interval>,
    ) {
        let width = i64::from(self.map.width());
        let at = |slope: Slope, is_least: bool| {
            let column =
                |rows| self.x + if is_least { slope.floor(rows) } else { slope.ceil(rows) };
            let (near, far) = (column(from), column(to));
            if is_least { near.min(far) } else { near.max(far) }
        };
        let leftmost = at(least, true).div_euclid(2).max(-1);
        let rightmost = (at(most, false) - 1).div_euclid(2).min(width);
        let mut free = least;
        for column in leftmost..=rightmost {
            if is_free(self.map, column, row) {
                continue;
            }
            let (left, right) = (2 * column - self.x, 2 * column + 2 - self.x);
            // The directions between these cross the cell.
            let begin = if left >= 0 { Slope::new(left, to) } else { steep(left, from) };
            let end = if right <= 0 { Slope::new(right, to) } else { steep(right, from) };
            if free < begin {
                next.push((free, less(begin, most)));
            }
            free = greater(free, end);
            if free >= most {
                return;
            }
        }
        if free < most {
            next.push((free, most));
        }
    }

    /// Pushes the next corner to the right or to the left on the line between two rows.
    fn corner_beside(&self, right: i64, push: &mut impl FnMut(Waypoint)) {
        let (mut corner, row) = (self.x / 2, self.y / 2);
        let (mut is_free_above, mut is_free_below) = (true, true);
        loop {
            let column = if right < 0 { corner - 1 } else { corner };
            is_free_above &= is_free(self.map, column, row - 1);
            is_free_below &= is_free(self.map, column, row);
            if !is_free_above && !is_free_below {
                return;
            }
            corner += right;
            if self.push_corner(corner, row, push) {
                return;
            }
        }
    }

    /// Pushes a corner if there is one at which a path from here may turn. Returns whether there is a corner.
    fn push_corner(&self, column: i64, line: i64, push: &mut impl FnMut(Waypoint)) -> bool {
        let Some(blocked) = corner(self.map, column, line) else { return false };
        let (dx, dy) = (self.x - 2 * column, self.y - 2 * line);
        if turns_at(blocked, (dx, dy)) && self.may_leave(-dx, -dy) {
            let double = |number: i64| u32::try_from(2 * number).expect("corners are on the map");
            push(Waypoint { x: double(column), y: double(line) });
        }
        true
    }
}

/// The direction of `columns` columns in `rows` rows; the steepest one if `rows` is 0.
fn steep(columns: i64, rows: i64) -> Slope {
    if rows == 0 { Slope::new(columns.signum() * STEEPEST, 1) } else { Slope::new(columns, rows) }
}

/// Whether a shortest path that turns at a corner may touch a point in this direction from it. From the quadrant opposite to
/// the blocked cell, a path would run into the cell or turn away from it.
fn turns_at((right, below): (i64, i64), (dx, dy): (i64, i64)) -> bool {
    dx * right >= 0 || dy * below >= 0
}

/// The direction of the one blocked cell of the four around a point. Where two or more are blocked, no shortest path turns.
fn corner(map: &GridMap, column: i64, line: i64) -> Option<(i64, i64)> {
    let mut blocked = None;
    for (right, below) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
        if !is_free(map, column + (right - 1) / 2, line + (below - 1) / 2)
            && blocked.replace((right, below)).is_some()
        {
            return None;
        }
    }
    blocked
}

fn is_free(map: &GridMap, column: i64, row: i64) -> bool {
    match (u16::try_from(column), u16::try_from(row)) {
        (Ok(x), Ok(y)) => map.is_free(Cell { x, y }),
        _ => false,
    }
}
