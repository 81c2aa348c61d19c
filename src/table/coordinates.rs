//! States that are several whole numbers, such as the cells of a grid: a box of these.

use std::hash::{Hash, Hasher};
use std::iter::StepBy;
use std::ops::Range;

use super::numbers::SPARSE;

/// A state has at most this many numbers.
pub const MOST: usize = 6;

/// About this many states are asked how many numbers they have.
const SAMPLE: usize = 64;

/// A short step changes no integer by more.
const SHORT: u64 = 16;

/// A box has at most this many places if steps are long: what is looked up next may be anywhere in it, so the caches should hold
/// it. A larger one has half as many places for each state.
const SCATTERED: usize = 1 << 19;

/// A box of integers: the least value of each and the number of its values. States that hash as that many integers in it have
/// places, in the order of the first integer, then of the second, and so on.
///
/// On the sides where states are outside, the box grows by half of its extent, or by an eighth if it would be too sparse, so that
/// it seldom grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// How many integers the states in it are; 0 in an empty box.
    count: usize,
    least: [i64; MOST],
    extent: [u64; MOST],
    /// The number of places.
    len: usize,
}

/// The numbers of a state.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    values: [i64; MOST],
    /// How many they are; more than `MOST` if the state is not only whole numbers.
    count: usize,
}

impl Point {
    /// The numbers of a state that hashes as two to six integers.
    #[inline]
    pub fn of<S: Hash>(state: &S) -> Option<Self> {
        let mut point = Self { values: [0; MOST], count: 0 };
        state.hash(&mut point);
        matches!(point.count, 2..=MOST).then_some(point)
    }

    /// Whether the state is two numbers, as a cell is.
    pub fn is_two(&self) -> bool {
        self.count == 2
    }

    /// Whether a step from one to the other is short.
    pub fn is_near(&self, other: &Self) -> bool {
        (self.values.iter().zip(&other.values))
            .all(|(one, other)| one.wrapping_sub(*other).unsigned_abs() <= SHORT)
    }
}

macro_rules! write_numbers {
    ($($write:ident: $number:ty;)*) => {$(
        #[inline]
        #[allow(clippy::cast_lossless, clippy::cast_possible_wrap, clippy::unnecessary_cast, reason = "one macro serves all")]
        fn $write(&mut self, number: $number) {
            if let Some(value) = self.values.get_mut(self.count) {
                // Different numbers stay different, also if they wrap.
                *value = number as i64;
                self.count += 1;
            } else {
                self.count = MOST + 1;
            }
        }
    )*};
}

/// Finds out what a state hashes as. The compiler knows how often a type writes, so nothing is left of it in types that are no
/// numbers.
impl Hasher for Point {
    write_numbers! {
        write_u8: u8; write_u16: u16; write_u32: u32; write_u64: u64; write_usize: usize;
        write_i8: i8; write_i16: i16; write_i32: i32; write_i64: i64; write_isize: isize;
    }

    #[inline]
    fn write(&mut self, _: &[u8]) {
        self.count = MOST + 1;
    }

    fn finish(&self) -> u64 {
        0
    }
}

impl Coordinates {
    pub const NONE: Self = Self { count: 0, least: [0; MOST], extent: [0; MOST], len: 0 };

    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether a box of so few states may have as many places if steps are long as if they are short.
    pub fn is_small(states: usize) -> bool {
        SPARSE * states <= SCATTERED
    }

    /// Returns the place of a state with these numbers; `None` if it has none.
    #[inline]
    pub fn place(&self, point: &Point) -> Option<usize> {
        if point.count != self.count {
            return None;
        }
        let mut place = 0;
        for axis in 0..point.count {
            let offset = point.values[axis].wrapping_sub(self.least[axis]).cast_unsigned();
            if offset >= self.extent[axis] {
                return None;
            }
            place = place * self.extent[axis] + offset;
        }
        usize::try_from(place).ok()
    }

    /// The same, in a function of its own.
    #[inline(never)]
    pub fn place_of(&self, point: &Point) -> Option<usize> {
        self.place(point)
    }

    /// The box between two corners, of `count` integers, if it has at most `most` places.
    #[inline(never)]
    fn between(count: usize, (least, largest): Corners, most: u64) -> Option<Self> {
        let (mut extent, mut len) = ([0; MOST], 1_u64);
        for axis in 0..MOST {
            let span = largest[axis].wrapping_sub(least[axis]).cast_unsigned();
            extent[axis] = span.saturating_add(1);
            len = len.saturating_mul(extent[axis]);
        }
        let len = usize::try_from(len).ok()?;
        (len as u64 <= most).then_some(Self { count, least, extent, len })
    }

    /// Returns a box around the points of these states, with few enough places; it contains this one, in which the first
    /// `included` have a place, except those that are left out. `None` if they are not close enough to each other. Those that are
    /// not points, or do not have as many numbers as most have, are left out, at most `most_others` of the rest.
    pub fn around(
        &self,
        (included, states, most_others): (usize, usize, usize),
        has_short_steps: bool,
        point_at: &dyn Fn(usize) -> Option<Point>,
    ) -> Option<Self> {
        let count = usual_count(states, point_at)?;
        if self.count != 0 && self.count != count {
            return None;
        }
        let few = (SPARSE * states).min(SCATTERED);
        let most = (if has_short_steps { few.max(SPARSE / 2 * states) } else { few }) as u64;
        // A sample first: those that are far apart need not all be looked at.
        let sample = corners(count, (0..states).step_by(stride(states)), usize::MAX, point_at)?;
        Self::between(count, sample, most)?;
        // The first of them are in this box, if they are in any.
        let rest = corners(count, (included..states).step_by(1), most_others, point_at)?;
        let corners = self.with(rest);
        let part = if self.len == 0 { 4 } else { 2 };
        let spacious = self.widened(count, corners, part, most);
        if spacious.is_some() { spacious } else { self.widened(count, corners, 8, most) }
    }

    /// The box between two corners with margins of this part of the extent, if it has at most `most` places.
    #[inline(never)]
    fn widened(
        &self,
        count: usize,
        (mut least, mut largest): Corners,
        part: i64,
        most: u64,
    ) -> Option<Self> {
        for axis in 0..count {
            self.add_margin(axis, part, &mut least[axis], &mut largest[axis]);
        }
        Self::between(count, (least, largest), most)
    }

    /// The corners of a box around this one, if it is one, and these.
    fn with(&self, (mut least, mut largest): Corners) -> Corners {
        for axis in 0..self.count {
            let end = self.least[axis].wrapping_add_unsigned(self.extent[axis] - 1);
            least[axis] = least[axis].min(self.least[axis]);
            largest[axis] = largest[axis].max(end);
        }
        (least, largest)
    }

    /// Adds a margin, this part of the extent, to a box of points on an axis, at the sides where points are outside of this box, and
    /// includes this box. A first box gets a margin on both sides.
    #[inline(never)]
    fn add_margin(&self, axis: usize, part: i64, least: &mut i64, largest: &mut i64) {
        let margin = largest.wrapping_sub(*least) / part;
        let (margin, before) = if self.len == 0 {
            (margin, None)
        } else {
            let end = self.least[axis].wrapping_add_unsigned(self.extent[axis] - 1);
            (margin.max(1), Some((self.least[axis], end)))
        };
        // Most numbers have no negative values.
        let lowest = if *least < 0 { i64::MIN } else { 0 };
        if before.is_none_or(|(before, _)| *least < before) {
            *least = least.saturating_sub(margin).max(lowest);
        }
        if before.is_none_or(|(_, before)| *largest > before) {
            *largest = largest.saturating_add(margin);
        }
        if let Some(before) = before {
            (*least, *largest) = (before.0.min(*least), before.1.max(*largest));
        }
    }
}

/// How many numbers most states have, by a sample of them.
fn usual_count(states: usize, point_at: &dyn Fn(usize) -> Option<Point>) -> Option<usize> {
    let mut counts = [0; MOST + 1];
    for index in (0..states).step_by(stride(states)) {
        if let Some(point) = point_at(index) {
            counts[point.count] += 1;
        }
    }
    (2..=MOST).filter(|&count| counts[count] > 0).max_by_key(|&count| counts[count])
}

/// The distance between the states of a sample.
fn stride(states: usize) -> usize {
    (states / SAMPLE) | 1
}

/// The corners of the box around these states, except at most `most_others` that have another count of numbers.
#[inline(never)]
fn corners(
    count: usize,
    states: StepBy<Range<usize>>,
    most_others: usize,
    point_at: &dyn Fn(usize) -> Option<Point>,
) -> Option<Corners> {
    let (mut least, mut largest, mut others) = ([0; MOST], [0; MOST], 0);
    least[..count].fill(i64::MAX);
    largest[..count].fill(i64::MIN);
    for index in states {
        match point_at(index) {
            Some(point) if point.count == count => {
                for axis in 0..count {
                    let value = point.values[axis];
                    least[axis] = least[axis].min(value);
                    largest[axis] = largest[axis].max(value);
                }
            }
            _ => others += 1,
        }
        if others > most_others {
            return None;
        }
    }
    Some((least, largest))
}

/// The least and the largest value of each integer.
type Corners = ([i64; MOST], [i64; MOST]);

#[cfg(test)]
mod tests {
    use super::*;

    fn point(values: &[i64]) -> Point {
        let mut point = Point { values: [0; MOST], count: 0 };
        for &value in values {
            point.write_i64(value);
        }
        point
    }

    /// A box around these points, each of which is there `times` times, so that it may have eight times as many places.
    fn around(bounds: &Coordinates, points: &[&[i64]], times: usize) -> Option<Coordinates> {
        let point_at = |index: usize| Some(point(points[index % points.len()]));
        bounds.around((0, points.len() * times, 0), true, &point_at)
    }

    #[test]
    fn what_states_hash_as_is_found_out() {
        fn values<S: Hash>(state: S) -> Option<Vec<i64>> {
            Point::of(&state).map(|point| point.values[..point.count].to_vec())
        }
        assert_eq!(values((-3_i32, 7_u8)), Some(vec![-3, 7]));
        assert_eq!(values((1_usize, 2_i8, 'c', true)), Some(vec![1, 2, 99, 1]));
        assert_eq!(values((1, 2, 3, 4, 5, 6)), Some(vec![1, 2, 3, 4, 5, 6]));
        assert_eq!(values((5, Some(7_u64))), Some(vec![5, 1, 7]));
        assert!(values(5_u32).is_none() && values((1, 2, 3, 4, 5, 6, 7)).is_none());
        assert!(values([1_u8, 2]).is_none() && values(()).is_none());
        assert!(values((1, "one")).is_none() && values((1_u128, 2)).is_none());
    }

    #[test]
    fn a_box_has_a_place_for_each_point() {
        let bounds = around(&Coordinates::NONE, &[&[3, -5], &[10, 4]], 60).unwrap();
        // A margin of a quarter on each side.
        assert_eq!((&bounds.least[..2], &bounds.extent[..2]), (&[2, -7][..], &[10, 14][..]));
        let mut places: Vec<_> = (2..12)
            .flat_map(|x| (-7..7).map(move |y| point(&[x, y])))
            .map(|point| bounds.place(&point).unwrap())
            .collect();
        places.dedup();
        assert!(places.iter().copied().eq(0..bounds.len) && bounds.len == 140);
        for outside in [[1, 0], [12, 0], [3, -8], [3, 7], [i64::MIN, 0], [0, i64::MAX]] {
            assert_eq!(bounds.place(&point(&outside)), None);
        }
        assert!(bounds.place(&point(&[5, 0, 0])).is_none());
    }

    #[test]
    fn a_box_grows_where_points_are_outside() {
        let corners = ([2, -7, 0, 0, 0, 0], [11, 6, 0, 0, 0, 0]);
        let bounds = Coordinates::between(2, corners, 1000).unwrap();
        let grown = |points: &[&[i64]], times| {
            around(&bounds, points, times).map(|grown| {
                let [x, y, ..] = grown.least;
                let [width, height, ..] = grown.extent;
                ((x, y), (width, height))
            })
        };
        assert_eq!(grown(&[&[5, 0], &[15, 0]], 60), Some(((2, -7), (20, 14))));
        assert_eq!(grown(&[&[0, 0], &[5, 9]], 60), Some(((0, -7), (12, 25))));
        // Half of the extent would be too much, an eighth is not; it is one at least.
        assert_eq!(grown(&[&[0, 0], &[5, 9]], 15), Some(((0, -7), (12, 19))));
        assert_eq!(grown(&[&[0, 0], &[5, 9]], 13), None);
        assert_eq!(grown(&[&[5, 0, 0]], 60), None);
    }

    #[test]
    fn a_large_box_is_for_short_steps() {
        let around = |has_short_steps, spread: usize| {
            let point_at = |index: usize| {
                let number = i64::try_from(index * spread).unwrap();
                Some(point(&[number % 1000, number / 1000]))
            };
            Coordinates::NONE.around((0, 1_000_000, 0), has_short_steps, &point_at)
        };
        assert!(around(true, 1).is_some_and(|bounds| bounds.len > SCATTERED));
        assert!(
            around(true, 3).is_some() && around(true, 5).is_none() && around(false, 1).is_none()
        );
        let near = |other: &[i64]| point(&[5, -100]).is_near(&point(other));
        assert!(near(&[21, -116]) && near(&[-11, -84]) && !near(&[22, -100]) && !near(&[5, 100]));
    }

    #[test]
    fn some_states_may_have_no_place() {
        let point_at = |index: usize| match index % 10 {
            0 => None,
            1 => Some(point(&[1, 2, 3])),
            _ => Some(point(&[i64::try_from(index / 10).unwrap(), 7])),
        };
        let around =
            |most_others| Coordinates::NONE.around((0, 1000, most_others), true, &point_at);
        assert!(around(199).is_none() && around(200).is_some_and(|bounds| bounds.count == 2));
    }

    #[test]
    fn numbers_that_are_far_apart_have_no_box() {
        let ends = [i64::MIN, -1, 0, i64::MAX];
        for (a, b) in ends.iter().flat_map(|&a| ends.iter().map(move |&b| (a, b))) {
            let bounds = around(&Coordinates::NONE, &[&[a, a], &[b, b]], 100);
            assert_eq!(bounds.is_some(), a.abs_diff(b) <= 1, "{a}, {b}");
            let grown = bounds.and_then(|bounds| around(&bounds, &[&[0, 0], &[a, b]], 100));
            assert_eq!(grown.is_some(), a.abs_diff(b) <= 1 && a.abs_diff(0) <= 1, "{a}, {b}");
        }
    }
}
