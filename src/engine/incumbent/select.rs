//! The best of a list of open states.

use crate::cost::Cost;

/// An open state that may be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<C, I> {
    pub(super) f: C,
    pub(super) h: C,
    pub(super) id: I,
}

impl<C: Cost, I: Ord> Candidate<C, I> {
    /// Whether it is better than `other`: by the smaller f, then the smaller h, then the state stored first.
    /// So no two are equally good.
    #[inline]
    pub(super) fn precedes(&self, other: &Self) -> bool {
        if self.f < other.f {
            true
        } else if self.f > other.f {
            false
        } else if self.h < other.h {
            true
        } else if self.h > other.h {
            false
        } else {
            self.id < other.id
        }
    }
}

/// Moves the best `count` entries to the front, in no particular order. Takes time linear in the list, on
/// average. The selection of the standard library may panic where costs have no total order; this one ends
/// with some entries in front.
pub(super) fn select<C: Cost, I: Copy + Ord>(list: &mut [Candidate<C, I>], count: usize) {
    let (mut list, mut count) = (list, count);
    while count > 0 && count < list.len() {
        let pivot = median(list);
        let mut better = 0;
        for i in 0..list.len() {
            if list[i].precedes(&pivot) {
                list.swap(i, better);
                better += 1;
            }
        }
        if better >= count {
            // At least the pivot is left out.
            let end = better.min(list.len() - 1);
            list = &mut list[..end];
        } else {
            // The pivot, and what equals it, comes next.
            let mut end = better;
            for i in better..list.len() {
                if !pivot.precedes(&list[i]) {
                    list.swap(i, end);
                    end += 1;
                }
            }
            // At least the pivot is put in front.
            end = end.max(better + 1);
            if end >= count {
                return;
            }
            list = &mut list[end..];
            count -= end;
        }
    }
}

/// The median of three entries.
fn median<C: Cost, I: Copy + Ord>(list: &[Candidate<C, I>]) -> Candidate<C, I> {
    let [a, b, c] = [list[0], list[list.len() / 2], list[list.len() - 1]];
    let (low, high) = if b.precedes(&a) { (b, a) } else { (a, b) };
    if c.precedes(&low) {
        low
    } else if high.precedes(&c) {
        high
    } else {
        c
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        *seed >> 33
    }

    #[test]
    fn the_best_come_to_the_front() {
        let mut seed = 7;
        for len in (0..40_u32).chain([100, 1000, 1025]) {
            for values in [1, 3, 1000] {
                let mut list: Vec<_> = (0..len)
                    .map(|id| Candidate {
                        f: random(&mut seed) % values,
                        h: random(&mut seed) % 3,
                        id,
                    })
                    .collect();
                let mut expected: Vec<_> = list.iter().map(|it| (it.f, it.h, it.id)).collect();
                expected.sort_unstable();
                let count = usize::try_from(random(&mut seed) % (u64::from(len) + 1)).unwrap();
                select(&mut list, count);
                let mut best: Vec<_> = list[..count].iter().map(|it| (it.f, it.h, it.id)).collect();
                best.sort_unstable();
                assert_eq!(best, expected[..count], "{count} of {len}");
            }
        }
    }

    /// What the selection is measured against: queues that evict the worst entry as soon as there are too many.
    /// `cargo test --profile dev --test units selection_beside -- --ignored --nocapture`
    #[test]
    #[ignore = "a measurement"]
    #[expect(clippy::disallowed_methods, reason = "a measurement needs the clock")]
    fn selection_beside_queues_that_evict() {
        use priority_queue::DoublePriorityQueue;
        use std::collections::BinaryHeap;
        use std::time::Instant;

        type Entry = (u32, u32, u32);
        let mut seed = 7;
        println!(
            "| width | layer | selection | double queue | binary heap |\n|---:|---:|---:|---:|---:|"
        );
        for (width, branching) in [(10, 3), (100, 3), (1000, 3), (1000, 15), (100_000, 3)] {
            let len = u32::try_from(width * branching).unwrap();
            // Few values of f and h, as in puzzles: one entry is an id that comes again for less.
            let layer: Vec<Entry> = (0..len)
                .map(|id| {
                    let [f, h] =
                        [20, 40].map(|most| u32::try_from(random(&mut seed) % most).unwrap());
                    (f, h, if id % 20 == 19 { id - 10 } else { id })
                })
                .collect();
            let repeats = (1_000_000 / len).max(1);
            let mut nanoseconds = [Vec::new(), Vec::new(), Vec::new()];
            let mut candidates = Vec::new();
            let mut queue =
                DoublePriorityQueue::<_, _, rustc_hash::FxBuildHasher>::with_default_hasher();
            let mut heap = BinaryHeap::new();
            let mut best = [0_u64; 3];
            for _ in 0..5 {
                let mut began = Instant::now();
                let mut lap = |which: usize| {
                    let taken = began.elapsed().as_secs_f64() * 1e9;
                    nanoseconds[which].push(taken / f64::from(repeats) / f64::from(len));
                    began = Instant::now();
                };
                for _ in 0..repeats {
                    candidates.clear();
                    candidates.extend(layer.iter().map(|&(f, h, id)| Candidate { f, h, id }));
                    select(&mut candidates, width);
                    best[0] = candidates[..width].iter().map(|it| u64::from(it.f)).sum();
                }
                lap(0);
                for _ in 0..repeats {
                    queue.clear();
                    for &(f, h, id) in &layer {
                        if queue.len() < width {
                            queue.push_decrease(id, (f, h, id));
                        } else if queue.peek_max().is_some_and(|(_, worst)| (f, h, id) < *worst) {
                            queue.push_decrease(id, (f, h, id));
                            if queue.len() > width {
                                queue.pop_max();
                            }
                        }
                    }
                    best[1] = queue.iter().map(|(_, it): (&u32, &Entry)| u64::from(it.0)).sum();
                }
                lap(1);
                for _ in 0..repeats {
                    heap.clear();
                    for &entry in &layer {
                        if heap.len() < width {
                            heap.push(entry);
                        } else if let Some(mut worst) = heap.peek_mut()
                            && entry < *worst
                        {
                            *worst = entry;
                        }
                    }
                    best[2] = heap.iter().map(|it| u64::from(it.0)).sum();
                }
                lap(2);
            }
            // The queue has one entry for each id, the others one for each time that it was reached.
            assert_eq!(best[0], best[2]);
            assert!(best[1] >= best[0]);
            let [selection, double, binary] = nanoseconds.map(|mut times| {
                times.sort_by(f64::total_cmp);
                times[2]
            });
            println!("| {width} | {len} | {selection:.1} | {double:.1} | {binary:.1} |");
        }
    }

    #[test]
    fn costs_without_an_order_do_no_harm() {
        for count in 0..=50 {
            let value =
                |id: u32| if id.is_multiple_of(3) { f64::NAN } else { f64::from(id * 7 % 10) };
            let mut list: Vec<_> =
                (0..50_u32).map(|id| Candidate { f: value(id), h: value(id + 1), id }).collect();
            select(&mut list, count);
            let mut ids: Vec<_> = list.iter().map(|it| it.id).collect();
            ids.sort_unstable();
            assert!(ids.into_iter().eq(0..50), "none is lost");
        }
    }
}
