//! A stable sort that ends and does not panic, whatever the comparison returns.
//!
//! The sorts of the standard library may panic if the order is not total. Here the order is that of the
//! user's types.

use crate::memory::{Memory, OutOfMemory};

/// Sorts lists, with buffers that are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorter {
    order: Vec<usize>,
    buffer: Vec<usize>,
}

/// The length of the runs that are sorted by insertion.
const RUN: usize = 8;

impl Sorter {
    /// Makes room for lists of `entries` entries.
    pub(super) fn reserve(
        &mut self,
        entries: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.order.clear();
        self.buffer.clear();
        memory.reserve(&mut self.order, entries)?;
        memory.reserve(&mut self.buffer, entries)
    }

    /// The indices of the entries of `list` in order; equal entries stay in the order of the list. There
    /// must be room. Takes n log n comparisons.
    pub(super) fn sort<T: PartialOrd>(&mut self, list: &[T]) -> &[usize] {
        let Self { order, buffer } = self;
        order.clear();
        order.extend(0..list.len());
        for run in order.chunks_mut(RUN) {
            for end in 1..run.len() {
                let mut at = end;
                while at > 0 && list[run[at]] < list[run[at - 1]] {
                    run.swap(at, at - 1);
                    at -= 1;
                }
            }
        }
        let mut width = RUN;
        while width < list.len() {
            buffer.clear();
            for pair in order.chunks(2 * width) {
                let (mut left, mut right) = pair.split_at(width.min(pair.len()));
                while let (Some((&first, left_rest)), Some((&second, right_rest))) =
                    (left.split_first(), right.split_first())
                {
                    if list[second] < list[first] {
                        buffer.push(second);
                        right = right_rest;
                    } else {
                        buffer.push(first);
                        left = left_rest;
                    }
                }
                buffer.extend_from_slice(left);
                buffer.extend_from_slice(right);
            }
            std::mem::swap(order, buffer);
            width *= 2;
        }
        order
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
            assert_eq!(sorter.sort(&list), expected, "{len} entries");
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
