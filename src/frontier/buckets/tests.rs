use super::layers::{FEW, SMALL};
use super::*;
use crate::frontier::Priority;

type Queue64 = BucketQueue<Priority<u64>>;

fn key(first: u64, second: u64) -> Priority<u64> {
    Priority { first, second }
}

fn push(queue: &mut Queue64, id: u32, first: u64, second: u64, memory: &mut Memory) {
    queue.push(id, key(first, second), memory).unwrap();
}

/// A queue that uses buckets from the first entry on.
fn grown() -> Queue64 {
    let mut queue = Queue64::new();
    grow(&mut queue);
    queue
}

/// Makes a cleared queue use buckets.
fn grow(queue: &mut Queue64) {
    queue.has_buckets = true;
}

#[test]
fn a_young_queue_is_a_heap_and_grows_up_into_buckets_if_its_keys_are_dense() {
    // The first numbers span 30, 291 or 29,001.
    for (scale, grown_up, is_dense) in [(1, FEW, true), (10, SMALL, true), (1000, SMALL, false)] {
        let mut memory = Memory::new(usize::MAX);
        let mut queue = Queue64::new();
        let mut entries = Vec::new();
        for id in (0..).take(SMALL + 20) {
            let (first, second) = (u64::from(id * 37 % 30) * scale, u64::from(id % 7));
            if entries.len() == grown_up {
                // Without memory for buckets, nothing changes.
                memory.set_most(memory.held() + 2600);
                assert_eq!(queue.push(id, key(first, second), &mut memory).is_err(), is_dense);
                assert!(!queue.has_buckets && queue.len() >= grown_up);
                memory.set_most(usize::MAX);
                if !is_dense {
                    entries.push((first, second));
                    continue;
                }
            }
            push(&mut queue, id, first, second, &mut memory);
            entries.push((first, second));
            let is_young = entries.len() <= grown_up;
            assert_eq!(queue.has_buckets, !is_young && is_dense);
            assert_eq!(queue.is_heap(), !is_young && !is_dense);
            assert_eq!(queue.len(), entries.len());
            let mut visited = 0;
            queue.for_each(|_, _| visited += 1);
            assert_eq!(visited, entries.len());
        }
        entries.sort_unstable();
        let mut copy = queue.clone();
        let order = std::iter::from_fn(|| pop(&mut copy, &mut memory));
        assert!(order.map(|(_, first, second)| (first, second)).eq(entries));
        queue.clear();
        assert!(!queue.has_buckets && !queue.is_heap() && queue.is_empty());
    }
}

fn pop(queue: &mut Queue64, memory: &mut Memory) -> Option<(u32, u64, u64)> {
    let popped = queue.pop(memory).unwrap();
    popped.map(|(id, key)| (id, key.first, key.second))
}

#[test]
fn the_largest_numbers_do_not_hide_the_smallest() {
    let mut memory = Memory::new(usize::MAX);
    let mut queue = grown();
    for (id, first) in [(1, u64::MAX - 1), (2, 3), (3, u64::MAX), (4, 0)] {
        push(&mut queue, id, first, 0, &mut memory);
    }
    let order: Vec<_> = std::iter::from_fn(|| pop(&mut queue, &mut memory)).collect();
    assert!(order.iter().map(|&(id, ..)| id).eq([4, 2, 1, 3]));

    // The same after pops have advanced the queue to the largest numbers.
    queue.clear();
    grow(&mut queue);
    push(&mut queue, 1, u64::MAX - 9, 0, &mut memory);
    push(&mut queue, 2, u64::MAX, 0, &mut memory);
    assert_eq!(pop(&mut queue, &mut memory), Some((1, u64::MAX - 9, 0)));
    push(&mut queue, 3, 5, 0, &mut memory);
    assert_eq!(pop(&mut queue, &mut memory), Some((3, 5, 0)));
    assert_eq!(pop(&mut queue, &mut memory), Some((2, u64::MAX, 0)));
    assert_eq!(pop(&mut queue, &mut memory), None);

    // The same without a heap: numbers do not wrap around to small ones.
    queue.clear();
    grow(&mut queue);
    push(&mut queue, 1, u64::MAX, 7, &mut memory);
    push(&mut queue, 2, u64::MAX - 3, 0, &mut memory);
    assert_eq!(pop(&mut queue, &mut memory), Some((2, u64::MAX - 3, 0)));
    assert_eq!(pop(&mut queue, &mut memory), Some((1, u64::MAX, 7)));
    push(&mut queue, 3, u64::MAX, 5, &mut memory);
    push(&mut queue, 4, u64::MAX, 6, &mut memory);
    assert!(!queue.is_heap());
    assert_eq!(pop(&mut queue, &mut memory), Some((3, u64::MAX, 5)));
    push(&mut queue, 5, 0, 0, &mut memory);
    assert_eq!(pop(&mut queue, &mut memory), Some((5, 0, 0)));
    assert_eq!(pop(&mut queue, &mut memory), Some((4, u64::MAX, 6)));

    // And with nothing in between.
    queue.clear();
    grow(&mut queue);
    push(&mut queue, 1, 10, 0, &mut memory);
    assert_eq!(pop(&mut queue, &mut memory), Some((1, 10, 0)));
    for (id, first) in [(2, u64::MAX), (3, u64::MAX - 2000)] {
        push(&mut queue, id, first, 0, &mut memory);
    }
    assert_eq!(pop(&mut queue, &mut memory), Some((3, u64::MAX - 2000, 0)));
    assert_eq!(pop(&mut queue, &mut memory), Some((2, u64::MAX, 0)));
}

#[test]
fn layers_keep_their_numbers_when_the_ring_grows() {
    let mut memory = Memory::new(usize::MAX);
    let mut queue = grown();
    // 70 and 100 are behind the end of a ring of 32 or 64 slots, and each time at another place of a longer one.
    let firsts = [60, 70, 100, 123, 190, 400, 900];
    for (id, first) in (0..).zip(firsts) {
        push(&mut queue, id, first, 0, &mut memory);
    }
    assert!(!queue.is_heap());
    let order = std::iter::from_fn(|| pop(&mut queue, &mut memory));
    assert!(order.map(|(_, first, _)| first).eq(firsts));
}

/// The bytes of all lists of a queue.
fn bytes(queue: &Queue64) -> usize {
    fn of<T>(list: &Vec<T>) -> usize {
        list.capacity() * size_of::<T>()
    }
    let layers = of(&queue.layers.ring) + queue.layers.ring.iter().map(of).sum::<usize>();
    let lists = of(&queue.layers.lists.0) + queue.layers.lists.0.iter().map(of).sum::<usize>();
    let mut late = queue.layers.late.clone();
    let exact = queue.layers.late.len() * 8;
    late.list().shrink_to_fit();
    assert_eq!(of(late.list()), exact);
    layers
        + of(&queue.layers.filled)
        + lists
        + of(&queue.layers.current)
        + queue.layers.sorter.bytes()
}

#[test]
fn the_heap_takes_three_words_for_an_entry_and_no_more() {
    for missing in [1, 0] {
        let mut memory = Memory::new(usize::MAX);
        let mut queue = grown();
        for id in 0..300 {
            push(&mut queue, (1 << 30) + id, id.into(), 1001, &mut memory);
        }
        let before = memory.held();
        memory.set_most(before + 301 * (8 + 16) - missing);
        // 24 bits, 10 bits and 31 bits: too much for 8 bytes an entry, which are freed when there are 16.
        let outcome = queue.push(0, key(1 << 24, 1001), &mut memory);
        assert_eq!((outcome.is_ok(), queue.is_heap()), (missing == 0, true));
        let last = (missing == 0).then_some(0);
        assert_eq!(memory.held(), before + (300 + last.iter().len()) * 16);
        let order = std::iter::from_fn(|| pop(&mut queue, &mut memory));
        assert!(order.map(|(id, ..)| id).eq((0..300).map(|id| (1 << 30) + id).chain(last)));
    }
}

#[test]
fn the_account_knows_every_list() {
    for second in [0, 63, 64, 128, 300] {
        let mut memory = Memory::new(usize::MAX);
        let mut queue = grown();
        // Six layers, last to first, each with a late entry.
        for first in (0..6).rev() {
            for id in 0..300 {
                push(&mut queue, id, first, second, &mut memory);
                let late = queue.layers.late.list().capacity() * 8;
                assert_eq!(memory.held(), bytes(&queue) + late);
            }
            assert!(pop(&mut queue, &mut memory).is_some_and(|(_, lowest, _)| lowest == first));
            for more in [1, 65, 64, 700] {
                push(&mut queue, 300, first, second + more, &mut memory);
                let late = queue.layers.late.list().capacity() * 8;
                assert_eq!(memory.held(), bytes(&queue) + late, "after {more} more");
            }
        }
        assert_eq!(queue.len(), 6 * 303);
    }
}

#[test]
fn entries_that_come_late_come_out_in_order() {
    let mut memory = Memory::new(usize::MAX);
    let mut queue = grown();
    let mut expected = Vec::new();
    for id in 0..100 {
        push(&mut queue, id, 5, 10, &mut memory);
        expected.push(10);
    }
    assert_eq!(pop(&mut queue, &mut memory), Some((99, 5, 10)));
    expected.pop();
    for (id, second) in (200..300).zip((0..40).cycle()) {
        push(&mut queue, id, 5, second, &mut memory);
        expected.push(second);
    }
    assert!(!queue.layers.late.is_empty());
    expected.sort_unstable();
    let mut copy = queue.clone();
    let order = std::iter::from_fn(|| pop(&mut copy, &mut memory)).map(|(_, _, second)| second);
    assert!(order.eq(expected.iter().copied()));
    // An entry of a smaller layer puts all of them back into the ring.
    push(&mut queue, 1000, 4, 0, &mut memory);
    assert_eq!(pop(&mut queue, &mut memory), Some((1000, 4, 0)));
    let order = std::iter::from_fn(|| pop(&mut queue, &mut memory)).map(|(_, _, second)| second);
    assert!(order.eq(expected));
}

#[test]
fn least_is_what_pop_returns() {
    let mut memory = Memory::new(usize::MAX);
    let mut queue = grown();
    let mut random = 1_u64;
    for scale in [1, 4000] {
        for round in 0..2000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            let (first, second) = ((random >> 50) % 90 * scale + round / 9, (random >> 40) % 50);
            push(&mut queue, (random >> 44) as u32, first, second, &mut memory);
            if round % 3 == 0 {
                let least = queue.least(&mut memory).unwrap();
                let mut smallest = None;
                queue.for_each(|_, key| {
                    let key = (key.first, key.second);
                    smallest = Some(smallest.map_or(key, |smallest| key.min(smallest)));
                });
                let popped = queue.pop(&mut memory).unwrap().map(|(_, key)| key);
                assert_eq!(popped, least);
                assert_eq!(popped.map(|key| (key.first, key.second)), smallest);
            }
        }
        assert_eq!(queue.is_heap(), scale > 1);
        queue.clear();
        grow(&mut queue);
    }
}

#[test]
fn some_entries_are_removed_and_the_others_stay() {
    let mut memory = Memory::new(usize::MAX);
    let mut queue = grown();
    for id in 0..1000_u32 {
        push(&mut queue, id, u64::from(id) * 7 % 90, u64::from(id) % 5, &mut memory);
    }
    assert!(pop(&mut queue, &mut memory).is_some_and(|(_, first, _)| first == 0));
    for id in 1000..1100 {
        push(&mut queue, id, 0, u64::from(id) * 37 % 41, &mut memory);
    }
    assert!(queue.layers.late.len() > 20);
    queue.retain(|id, key| id % 2 == 0 && key.first != 63);
    let mut rest: Vec<u32> = Vec::new();
    queue.for_each(|id, _| rest.push(id));
    assert_eq!(queue.len(), rest.len());
    assert!(rest.iter().all(|id| id % 2 == 0) && rest.len() > 500);
    push(&mut queue, 1, 63, 0, &mut memory);
    let order: Vec<_> = std::iter::from_fn(|| pop(&mut queue, &mut memory)).collect();
    assert_eq!(order.len(), rest.len() + 1);
    assert!(order.is_sorted_by_key(|&(_, first, second)| (first, second)));
}

#[test]
fn the_order_of_equals_does_not_depend_on_capacity() {
    for entries in [1, 2, 5, 17, 40] {
        let mut memory = Memory::new(usize::MAX);
        let mut queue = grown();
        (0..entries).for_each(|id| push(&mut queue, id, 7, 3, &mut memory));
        assert!(pop(&mut queue, &mut memory).is_some());
        // A copy has no spare capacity.
        let orders = [queue.clone(), queue].map(|mut queue| {
            for id in 101..120 {
                push(&mut queue, id, 7, 3, &mut memory);
            }
            std::iter::from_fn(|| pop(&mut queue, &mut memory)).collect::<Vec<_>>()
        });
        assert_eq!(orders[0], orders[1], "{entries}");
    }
}

#[test]
fn a_cleared_queue_is_as_good_as_new() {
    for queue in [Queue64::new(), Queue64::sorting_large_layers()] {
        let mut memory = Memory::new(usize::MAX);
        // Equal keys, a layer beyond the ring, more equal keys: where the ring is long enough, it is not made anew in between.
        let mut order = |queue: &mut Queue64| {
            (0..400).for_each(|id| push(queue, id, 5, 0, &mut memory));
            assert!(pop(queue, &mut memory).is_some());
            push(queue, 400, 300, 0, &mut memory);
            (401..420).for_each(|id| push(queue, id, 5, 0, &mut memory));
            std::iter::from_fn(|| pop(queue, &mut memory)).collect::<Vec<_>>()
        };
        let fresh = order(&mut queue.clone());
        let mut used = queue;
        for _ in 0..3 {
            assert_eq!(order(&mut used), fresh);
            used.clear();
            assert_eq!((used.len(), used.is_heap()), (0, false));
        }
    }
}
