//! States that are several whole numbers, such as the cells of a grid, found by these.

use std::hash::{Hash, Hasher};

use super::StateId;
use super::numbers::{FEWEST, Numbers, OneNumber, Places, SPARSE};
use crate::memory::Memory;

/// A state has at most so many numbers.
const MOST: usize = 4;

/// A box of integers: the least value of each and the number of its values. States that hash as two to four integers in it, or
/// as one `u32` or `usize`, have places, in the order of the first integer, then of the second, and so on.
///
/// To the sides where states are outside, the box grows by half of its extent, or by an eighth if it would be too sparse, so that
/// it seldom grows.
#[derive(Clone, Copy, Debug)]
pub struct Coordinates {
    least: [i64; MOST],
    /// All are 0 in an empty box.
    extent: [u64; MOST],
    /// The number of places.
    len: usize,
}

impl Places for Coordinates {
    const NONE: Self = Self { least: [0; MOST], extent: [0; MOST], len: 0 };

    const MOST: usize = MOST;

    type At = Point;

    /// The numbers of a state that hashes as two to four integers, or is one [number](OneNumber).
    #[inline]
    fn at<S: Hash>(state: &S) -> Option<Point> {
        let mut point = Point { values: [0; MOST], count: 0 };
        state.hash(&mut point);
        match point.count {
            1 if OneNumber::at(state).is_some() => Some(point),
            2..=MOST => Some(point),
            _ => None,
        }
    }

    #[inline]
    fn place(&self, point: &Point) -> Option<usize> {
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

    fn include_all<I: StateId>(
        numbers: &mut Numbers<I, Self>,
        states: usize,
        point_at: &dyn Fn(usize) -> Option<Point>,
        memory: &mut Memory,
    ) -> bool {
        if states < FEWEST {
            return false;
        }
        let most = (SPARSE * states) as u64;
        let points = || (0..states).map(point_at);
        let Some(places) = numbers.places.around(points(), most) else { return false };
        let mut ids = Vec::new();
        if memory.grow_to(&mut ids, places.len, I::NONE).is_err() {
            return false;
        }
        for (index, point) in points().enumerate() {
            let place = point.and_then(|point| places.place(&point));
            match place.and_then(|place| ids.get_mut(place)) {
                Some(id) if *id == I::NONE => *id = I::from_index(index),
                // Another state has these numbers, or the hash of a state has changed.
                _ => {
                    memory.free(ids);
                    return false;
                }
            }
        }
        memory.free(numbers.take());
        *numbers = Numbers { ids, count: states, places };
        true
    }
}

/// The numbers of a state.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    values: [i64; MOST],
    /// How many they are; more than `MOST` if the state is not only whole numbers.
    count: usize,
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
    /// The box between two corners, if it has at most so many places.
    fn between(least: [i64; MOST], largest: [i64; MOST], most: u64) -> Option<Self> {
        let (mut extent, mut len) = ([0; MOST], 1_u64);
        for axis in 0..MOST {
            let span = largest[axis].wrapping_sub(least[axis]).cast_unsigned();
            extent[axis] = span.saturating_add(1);
            len = len.saturating_mul(extent[axis]);
        }
        let len = usize::try_from(len).ok()?;
        (len as u64 <= most).then_some(Self { least, extent, len })
    }

    /// Returns a box around these points, with at most so many places; it contains this one. `None` if they are not close enough to
    /// each other, or have not equally many numbers.
    fn around(&self, mut points: impl Iterator<Item = Option<Point>>, most: u64) -> Option<Self> {
        let first = points.next()??;
        let (mut least, mut largest) = (first.values, first.values);
        for point in points {
            let Point { values, count } = point?;
            if count != first.count {
                return None;
            }
            let mut is_outside = false;
            for axis in 0..count {
                is_outside |= values[axis] < least[axis] || values[axis] > largest[axis];
                least[axis] = least[axis].min(values[axis]);
                largest[axis] = largest[axis].max(values[axis]);
            }
            if is_outside {
                Self::between(least, largest, most)?;
            }
        }
        [if self.len == 0 { 4 } else { 2 }, 8].into_iter().find_map(|part| {
            let (mut least, mut largest) = (least, largest);
            for axis in 0..first.count {
                self.add_margin(axis, part, &mut least[axis], &mut largest[axis]);
            }
            Self::between(least, largest, most)
        })
    }

    /// Adds a margin, this part of the extent, to a box of points on an axis, at the sides where points are outside of this box, and
    /// includes this box. A first box gets a margin on both sides.
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

    fn around(bounds: &Coordinates, points: &[&[i64]], most: u64) -> Option<Coordinates> {
        bounds.around(points.iter().map(|values| Some(point(values))), most)
    }

    #[test]
    fn what_states_hash_as_is_found_out() {
        fn point_of<S: Hash>(state: &S) -> Option<Point> {
            Coordinates::at(state)
        }
        let values = |point: Option<Point>| point.map(|point| point.values[..point.count].to_vec());
        assert_eq!(values(point_of(&(-3_i32, 7_u8))), Some(vec![-3, 7]));
        assert_eq!(values(point_of(&(1_usize, 2_i8, 'c', true))), Some(vec![1, 2, 99, 1]));
        assert_eq!(values(point_of(&5_u32)), Some(vec![5]));
        assert!(point_of(&5_u64).is_none());
        assert!(point_of(&(1, 2, 3, 4, 5)).is_none());
        assert!(point_of(&[1_u8, 2]).is_none() && point_of(&()).is_none());
        assert!(point_of(&(1, "one")).is_none() && point_of(&(1_u128, 2)).is_none());
    }

    #[test]
    fn a_box_has_a_place_for_each_point() {
        let bounds = around(&Coordinates::NONE, &[&[3, -5], &[10, 4]], 1000).unwrap();
        // A margin of a quarter on each side.
        assert_eq!((bounds.least, bounds.extent), ([2, -7, 0, 0], [10, 14, 1, 1]));
        let mut places: Vec<_> = (2..12)
            .flat_map(|x| (-7..7).map(move |y| point(&[x, y])))
            .map(|point| bounds.place(&point).unwrap())
            .collect();
        places.dedup();
        assert!(places.iter().copied().eq(0..bounds.len) && bounds.len == 140);
        for outside in [[1, 0], [12, 0], [3, -8], [3, 7], [i64::MIN, 0], [0, i64::MAX]] {
            assert_eq!(bounds.place(&point(&outside)), None);
        }
    }

    #[test]
    fn a_box_grows_where_points_are_outside() {
        let bounds = Coordinates::between([2, -7, 0, 0], [11, 6, 0, 0], 1000).unwrap();
        let grown = around(&bounds, &[&[5, 0], &[15, 0]], 1000).unwrap();
        assert_eq!((grown.least, grown.extent), ([2, -7, 0, 0], [19, 14, 1, 1]));
        let grown = around(&bounds, &[&[0, 0], &[5, 9]], 1000).unwrap();
        assert_eq!((grown.least, grown.extent), ([0, -7, 0, 0], [12, 21, 1, 1]));
        // Half of the extent would be too much, an eighth is not; it is one at least.
        let grown = around(&bounds, &[&[0, 0], &[5, 9]], 251).unwrap();
        assert_eq!((grown.least, grown.extent), ([0, -7, 0, 0], [12, 18, 1, 1]));
        assert!(around(&bounds, &[&[0, 0], &[5, 9]], 215).is_none());
        assert!(around(&bounds, &[&[0, 0], &[5]], 1000).is_none());
    }

    #[test]
    fn numbers_that_are_far_apart_have_no_box() {
        let ends = [i64::MIN, -1, 0, i64::MAX];
        for (a, b) in ends.iter().flat_map(|&a| ends.iter().map(move |&b| (a, b))) {
            let bounds = around(&Coordinates::NONE, &[&[a, a], &[b, b]], 1 << 40);
            assert_eq!(bounds.is_some(), a.abs_diff(b) <= 1, "{a}, {b}");
            let grown = bounds.and_then(|bounds| around(&bounds, &[&[0, 0], &[a, b]], 1 << 40));
            assert_eq!(grown.is_some(), a.abs_diff(b) <= 1 && a.abs_diff(0) <= 1, "{a}, {b}");
        }
    }
}
