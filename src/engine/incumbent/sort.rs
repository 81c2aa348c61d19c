//! A stable sort that ends and does not panic, whatever the comparison returns.
//!
//! The sorts of the standard library may panic if the order is not total. Here the order is that of the
//! user's types.

use crate::memory::{Memory, OutOfMemory};

/// Sorts lists, with buffers that are reused: at once, or in steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorter {
    /// The indices of the list, in sorted runs of `width`; of the first entries only, until all are in runs.
    order: Vec<usize>,
    /// The first runs of twice the width, of which the last may not be whole.
    buffer: Vec<usize>,
    width: usize,
    /// How far the first of the two runs is merged of which the last one in the buffer is made.
    merged: usize,
}

/// The length of the runs that are sorted by insertion.
const RUN: usize = 8;

impl Sorter {
    /// Makes room for lists of `entries` entries; there is no list yet.
    pub(super) fn reserve(
        &mut self,
        entries: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.order, entries)?;
        memory.reserve(&mut self.buffer, entries)
    }

    /// Forgets the list.
    pub(super) fn clear(&mut self) {
        self.order.clear();
        self.buffer.clear();
    }

    /// The indices of the entries of `list` in order; equal entries stay in the order of the list. There
    /// must be room. Takes n log n comparisons, fewer by the steps that were done. The list must be the same until
    /// [`clear`](Self::clear).
    pub(super) fn sort<T: PartialOrd>(&mut self, list: &[T]) -> &[usize] {
        self.step(list, usize::MAX & !(RUN - 1));
        &self.order
    }

    /// Does a part of the work: moves at most `most` indices, a multiple of [`RUN`]. Returns whether all is done.
    #[inline]
    pub(super) fn step<T: PartialOrd>(&mut self, list: &[T], mut most: usize) -> bool {
        let Self { order, buffer, width, merged } = self;
        let begin = order.len();
        if begin < list.len() {
            let end = list.len().min(begin.saturating_add(most));
            order.extend(begin..end);
            for run in order[begin..].chunks_mut(RUN) {
                for end in 1..run.len() {
                    let mut at = end;
                    while at > 0 && list[run[at]] < list[run[at - 1]] {
                        run.swap(at, at - 1);
                        at -= 1;
                    }
                }
            }
            most -= end - begin;
            *width = RUN;
        }
        while *width < list.len() {
            while buffer.len() < list.len() {
                if most == 0 {
                    return false;
                }
                let begin = buffer.len() & !(2 * *width - 1);
                if buffer.len() == begin {
                    *merged = begin;
                }
                let middle = list.len().min(begin + *width);
                let end = list.len().min(begin + 2 * *width);
                let (mut left, mut right) = (*merged, middle + buffer.len() - *merged);
                let stop = end.min(buffer.len().saturating_add(most));
                most -= stop - buffer.len();
                while left < middle && right < end && buffer.len() < stop {
                    let (first, second) = (order[left], order[right]);
                    if list[second] < list[first] {
                        buffer.push(second);
                        right += 1;
                    } else {
                        buffer.push(first);
                        left += 1;
                    }
                }
                // One of both is at its end, or nothing more is to be done.
                let rest = stop - buffer.len();
                let from_left = rest.min(middle - left);
                buffer.extend_from_slice(&order[left..left + from_left]);
                buffer.extend_from_slice(&order[right..right + rest - from_left]);
                *merged = left + from_left;
            }
            std::mem::swap(order, buffer);
            buffer.clear();
            *width *= 2;
        }
        order.len() == list.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts_and_keeps_the_order_of_equals() {
        let mut sorter = Sorter::default();
        let mut random = 7_u64;
        for len in (0..40).chain([100, 1000, 1025]) {
            let list: Vec<u64> = (0..len)
                .map(|_| {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (random >> 33) % (len / 3 + 1)
                })
                .collect();
            let mut expected: Vec<usize> = (0..list.len()).collect();
            expected.sort_by_key(|&index| list[index]);
            for most in [0, RUN, 3 * RUN] {
                // In steps, or some steps and the rest at once.
                for _ in 0..len {
                    let is_done = most > 0 && sorter.step(&list, most);
                    if is_done || (random >> 33).is_multiple_of(60) {
                        break;
                    }
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                }
                assert_eq!(sorter.sort(&list), expected, "{len} entries");
                sorter.clear();
            }
        }
    }

    #[test]
    fn orders_that_contradict_themselves_do_no_harm() {
        let list: Vec<f64> = (0..500_u16)
            .map(|n| if n % 3 == 0 { f64::NAN } else { f64::from(n * 7 % 100) })
            .collect();
        let mut order = Sorter::default().sort(&list).to_vec();
        order.sort_unstable();
        assert!(order.into_iter().eq(0..500));
    }
}
