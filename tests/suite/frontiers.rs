//! The three frontiers against a plain list, and against each other: random pushes, improvements,
//! pops and clears, with and without room.

use std::collections::BTreeSet;

use bestfirst::frontier::{BucketQueue, Frontier, IndexedQueue, LazyHeap, Priority};
use bestfirst::memory::{Memory, OutOfMemory};
use bestfirst::problems::crucible::{Crucible, HeatMap, LossBound};
use bestfirst::problems::sliding_tiles::{Packed, SlidingTiles};
use bestfirst::{AStar, Cost, SearchProblem};

use support::random::{Random, Scale, Units, rounds};

/// What is open: the f and h of each state, in units.
#[derive(Default)]
struct Model {
    open: Vec<Option<(u64, u64)>>,
    /// The same in order.
    order: BTreeSet<(u64, u64, u32)>,
}

impl Model {
    fn insert(&mut self, id: u32, (f, h): (u64, u64)) {
        self.remove(id);
        let at = id as usize;
        self.open.resize(self.open.len().max(at + 1), None);
        self.open[at] = Some((f, h));
        self.order.insert((f, h, id));
    }

    fn remove(&mut self, id: u32) -> Option<(u64, u64)> {
        let (f, h) = self.open.get_mut(id as usize)?.take()?;
        assert!(self.order.remove(&(f, h, id)));
        Some((f, h))
    }

    fn get(&self, id: u32) -> Option<(u64, u64)> {
        *self.open.get(id as usize)?
    }

    fn least(&self) -> Option<(u64, u64)> {
        self.order.first().map(|&(f, h, _)| (f, h))
    }

    /// Whether this is the f of a state that is open.
    fn is_current<C: Units>(&self, id: u32, f: C) -> bool {
        self.get(id).is_some_and(|(open, _)| of::<C>(open) == f)
    }
}

fn of<C: Units>(units: u64) -> C {
    C::of(units, Scale::Plain)
}

/// A frontier in the order of f and then of h.
trait Queue<C: Cost>: Frontier<u32, Priority<C>> {
    fn add(&mut self, id: u32, f: C, h: C, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.push(id, Priority { first: f, second: h }, memory)
    }

    /// The next entry and its f, after it was compared with what `least` says.
    fn take(&mut self, memory: &mut Memory) -> Result<Option<(u32, C)>, OutOfMemory> {
        let least = self.least(memory)?;
        let popped = self.pop(memory)?;
        assert_eq!(popped.map(|(_, key)| key), least);
        Ok(popped.map(|(id, key)| (id, key.first)))
    }
}

impl<C: Cost, F: Frontier<u32, Priority<C>>> Queue<C> for F {}

/// The shape of a sequence of calls.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// How far apart values of f may lie.
    spread: u64,
    /// Values of h are below this.
    h: u64,
    /// Whether f may become smaller than what was popped.
    falls: bool,
    /// Whether memory runs out now and then.
    is_tight: bool,
    /// Whether there are many more pushes than pops, so that thousands have the same f.
    is_crowded: bool,
}

/// Pops until an entry is up to date, as engines do.
fn pop<C: Units, F: Queue<C>>(
    frontier: &mut F,
    model: &Model,
    memory: &mut Memory,
) -> Option<(u32, C)> {
    loop {
        let before = frontier.len();
        let (id, f) = frontier.take(memory).unwrap()?;
        assert_eq!(frontier.len(), before - 1);
        if model.is_current(id, f) {
            return Some((id, f));
        }
    }
}

fn conform<C: Units, F: Queue<C> + Default>(seed: u64, shape: Shape) -> F {
    let mut random = Random::new(seed);
    let mut frontier = F::default();
    let mut model = Model::default();
    let mut memory = Memory::new(usize::MAX);
    let mut low = 0;
    let mut next_id = 0;
    // The h of a state never changes.
    let mut known: Vec<Option<u64>> = Vec::new();
    let (rounds, pushes, clears) = if shape.is_crowded { (5000, 80, 12) } else { (1500, 49, 4) };
    for _ in 0..rounds {
        let is_short = shape.is_tight && random.one_in(4);
        if is_short {
            // Not a byte more: a push then succeeds only if there is room already.
            let held = memory.held();
            let mut tight = Memory::new(0);
            std::mem::swap(&mut memory, &mut tight);
            let (id, f, h) = (next_id, low + random.below(shape.spread), random.below(shape.h));
            next_id += 1;
            known.push(None);
            let before = frontier.len();
            if frontier.add(id, of(f), of(h), &mut memory).is_ok() {
                model.insert(id, (f, h));
                known[id as usize] = Some(h);
            } else {
                assert_eq!(frontier.len(), before, "a push without room changes nothing");
            }
            if let Ok(Some((id, f))) = frontier.take(&mut memory)
                && model.is_current(id, f)
            {
                assert_eq!(model.least().map(|(least, _)| of(least)), Some(f));
                model.remove(id);
            }
            assert_eq!(memory.held(), 0);
            std::mem::swap(&mut memory, &mut tight);
            assert_eq!(memory.held(), held);
            continue;
        }
        match random.below(100) {
            0 if random.one_in(clears) => {
                frontier.clear();
                model = Model::default();
                assert!(frontier.is_empty() && frontier.len() == 0);
                assert_eq!(frontier.take(&mut memory), Ok(None));
                low = 0;
            }
            chance if (1..=pushes).contains(&chance) => {
                let (f, h) = (low + random.below(shape.spread), random.below(shape.h));
                frontier.add(next_id, of(f), of(h), &mut memory).unwrap();
                model.insert(next_id, (f, h));
                known.push(Some(h));
                next_id += 1;
            }
            chance if (pushes..pushes + 10).contains(&chance) && next_id > 0 => {
                // Improve a state that is open, or reopen one.
                let id = u32::try_from(random.below(u64::from(next_id))).unwrap();
                let Some(h) = known[id as usize] else { continue };
                let f = low + random.below(shape.spread);
                if model.get(id).is_none_or(|(old, _)| f < old) {
                    frontier.add(id, of(f), of(h), &mut memory).unwrap();
                    model.insert(id, (f, h));
                }
            }
            _ => {
                let popped = pop(&mut frontier, &model, &mut memory);
                let smallest = model.least();
                assert_eq!(popped.and_then(|(id, _)| model.get(id)), smallest, "{shape:?}");
                if let Some((id, f)) = popped {
                    model.remove(id);
                    if !shape.falls {
                        while of::<C>(low) < f {
                            low += 1 + (shape.spread >> 6);
                        }
                    } else if random.one_in(10) {
                        low = random.below(shape.spread * 2);
                    }
                }
            }
        }
        assert!(frontier.len() >= model.order.len());
        assert_eq!(frontier.is_empty(), frontier.len() == 0);
        // A guess names a state that was pushed.
        for ahead in [0, 1, 2, 3, 1 << 20] {
            assert!(frontier.peek_hint(ahead).is_none_or(|id| known[id as usize].is_some()));
        }
    }
    // Nothing is lost: all that is open comes out, in order.
    let mut last = None;
    while let Some((id, f)) = pop(&mut frontier, &model, &mut memory) {
        let entry = model.remove(id).unwrap();
        assert_eq!(of::<C>(entry.0), f);
        assert!(last.is_none_or(|last| last <= entry), "in order");
        last = Some(entry);
    }
    assert!(model.order.is_empty(), "{} are lost, {shape:?}", model.order.len());
    frontier
}

const SHAPES: [Shape; 11] = [
    Shape { spread: 3, h: 3, falls: false, is_tight: false, is_crowded: false },
    Shape { spread: 100, h: 10, falls: false, is_tight: true, is_crowded: false },
    Shape { spread: 100, h: 200, falls: true, is_tight: true, is_crowded: false },
    // Far apart: buckets turn into a heap.
    Shape { spread: 1 << 20, h: 10, falls: true, is_tight: true, is_crowded: false },
    Shape { spread: 4200, h: 50, falls: true, is_tight: true, is_crowded: false },
    // More values of h than buckets are made for.
    Shape { spread: 50, h: 1 << 20, falls: false, is_tight: true, is_crowded: false },
    Shape { spread: 50, h: (1 << 16) + 1, falls: true, is_tight: false, is_crowded: false },
    Shape { spread: 1000, h: 70_000, falls: true, is_tight: true, is_crowded: false },
    // So many entries in a layer that those that come late are put in their place with care.
    Shape { spread: 2, h: 40, falls: false, is_tight: false, is_crowded: true },
    Shape { spread: 3, h: 300, falls: true, is_tight: true, is_crowded: true },
    Shape { spread: 1, h: 9000, falls: true, is_tight: true, is_crowded: true },
];

fn conform_all<C: Units, F: Queue<C> + Default>() {
    for shape in SHAPES {
        for seed in 0..rounds(if shape.is_crowded { 1 } else { 4 }) {
            conform::<C, F>(seed, shape);
        }
    }
}

#[test]
fn lazy_heap_conforms() {
    conform_all::<u32, LazyHeap<Priority<u32>>>();
    conform_all::<f64, LazyHeap<Priority<f64>>>();
}

/// Entries of 8 bytes, of 16, and what does not fit into those either.
#[test]
fn frontiers_conform_where_costs_are_large() {
    for (spread, h) in [(1 << 24, 1 << 20), (1 << 40, 1 << 30), (1 << 52, 1 << 62)] {
        for (seed, falls) in (0..rounds(8)).zip([false, true].into_iter().cycle()) {
            let shape = Shape { spread, h, falls, is_tight: falls, is_crowded: false };
            conform::<u64, LazyHeap<Priority<u64>>>(seed, shape);
            conform::<u64, BucketQueue<Priority<u64>>>(seed, shape);
            conform::<u64, IndexedQueue<Priority<u64>>>(seed, shape);
        }
    }
}

#[test]
fn indexed_queue_conforms() {
    conform_all::<u32, IndexedQueue<Priority<u32>>>();
    conform_all::<f64, IndexedQueue<Priority<f64>>>();
}

#[test]
fn bucket_queue_conforms() {
    conform_all::<u32, BucketQueue<Priority<u32>>>();
    conform_all::<i32, BucketQueue<Priority<i32>>>();
    conform_all::<u64, BucketQueue<Priority<u64>>>();
    conform_all::<f64, BucketQueue<Priority<f64>>>();
}

#[test]
fn buckets_turn_into_a_heap_where_values_are_sparse() {
    let is_heap = |step: u32| {
        let mut queue = BucketQueue::<Priority<u32>>::new();
        for id in 0..400 {
            queue.add(id, id * step, 0, &mut Memory::new(usize::MAX)).unwrap();
        }
        queue.is_heap()
    };
    assert!(!is_heap(1) && !is_heap(2) && is_heap(1000));
    let mut floats: BucketQueue<Priority<f32>> = BucketQueue::new();
    for id in 0..300 {
        floats.add(id, 1.0, 0.5, &mut Memory::new(usize::MAX)).unwrap();
    }
    assert!(floats.is_heap());
    floats.clear();
    assert!(!floats.is_heap());
}

/// Values of f at the end of what their type can hold.
#[test]
fn the_largest_values_are_no_trouble() {
    fn check<F: Queue<u64> + Default>() {
        let mut frontier = F::default();
        let mut memory = Memory::new(usize::MAX);
        for (id, below) in [(0, 5), (1, 0), (2, 70)] {
            frontier.add(id, u64::MAX - below, below, &mut memory).unwrap();
        }
        assert!(!format!("{frontier:?}").is_empty());
        for (id, below) in [(2, 70), (0, 5), (1, 0)] {
            assert_eq!(frontier.take(&mut memory), Ok(Some((id, u64::MAX - below))));
        }
        frontier.add(3, 0, 0, &mut memory).unwrap();
        frontier.add(4, u64::MAX, 0, &mut memory).unwrap();
        assert_eq!(frontier.take(&mut memory), Ok(Some((3, 0))));
        assert_eq!(frontier.take(&mut memory), Ok(Some((4, u64::MAX))));
        assert_eq!(frontier.take(&mut memory), Ok(None));
        // What was emptied at small values stands for none that is too large.
        frontier.clear();
        frontier.add(7, 1, 0, &mut memory).unwrap();
        assert_eq!(frontier.take(&mut memory), Ok(Some((7, 1))));
        for (id, below) in [(8, 0), (9, 5), (10, 3), (11, 63), (12, 64)] {
            frontier.add(id, u64::MAX - below, 0, &mut memory).unwrap();
        }
        for (id, below) in [(12, 64), (11, 63), (9, 5), (10, 3), (8, 0)] {
            assert_eq!(frontier.take(&mut memory), Ok(Some((id, u64::MAX - below))));
        }
        // Values that lie close together only where numbers wrap around.
        frontier.clear();
        for (id, f) in [(5, u64::MAX - 2), (6, 3)] {
            frontier.add(id, f, 0, &mut memory).unwrap();
        }
        assert_eq!(frontier.take(&mut memory), Ok(Some((6, 3))));
        assert_eq!(frontier.take(&mut memory), Ok(Some((5, u64::MAX - 2))));
    }
    check::<LazyHeap<Priority<u64>>>();
    check::<IndexedQueue<Priority<u64>>>();
    check::<BucketQueue<Priority<u64>>>();
}

/// Among equals, the same calls give the same order.
#[test]
fn the_order_among_equals_is_always_the_same() {
    fn check<F: Queue<u32> + Default>() {
        let order = || {
            let mut frontier = F::default();
            let mut memory = Memory::new(usize::MAX);
            for id in 0..1000 {
                frontier.add(id, id % 3, id % 2, &mut memory).unwrap();
            }
            let order: Vec<_> =
                std::iter::from_fn(|| frontier.take(&mut memory).unwrap()).collect();
            order
        };
        assert_eq!(order(), order());
        assert_eq!(order().len(), 1000);
    }
    check::<LazyHeap<Priority<u32>>>();
    check::<IndexedQueue<Priority<u32>>>();
    check::<BucketQueue<Priority<u32>>>();
}

/// What is guessed to come next comes next, if nothing else is pushed.
#[test]
fn buckets_know_what_comes_next() {
    let mut queue = BucketQueue::<Priority<u32>>::new();
    let mut memory = Memory::new(usize::MAX);
    // A layer in a list; then with an entry that belongs before so many that it is kept apart.
    for late in [false, true] {
        for id in 0..1000 {
            queue.add(id, 5, 100 + id % 7, &mut memory).unwrap();
        }
        assert!(queue.take(&mut memory).unwrap().is_some());
        if late {
            queue.add(1000, 5, 106, &mut memory).unwrap();
        }
        while queue.len() > 0 {
            // What was kept apart comes in between, so that only the first is certain.
            let known = if late { 1 } else { 4 };
            let hints: Vec<_> = (0..known).map_while(|ahead| queue.peek_hint(ahead)).collect();
            assert_eq!(hints.len(), queue.len().min(known));
            for id in hints {
                assert_eq!(queue.take(&mut memory), Ok(Some((id, 5))));
            }
        }
        assert_eq!(queue.peek_hint(0), None);
    }
}

/// A layer of thousands takes every h, in whatever order, and leaves nothing behind when it is cleared.
#[test]
fn large_layers_are_begun_anew() {
    fn check<F: Queue<u32> + Default>() {
        let mut frontier = F::default();
        let mut memory = Memory::new(usize::MAX);
        for lowest in [3, 300, 0] {
            let mut next_id = 0;
            let mut push = |frontier: &mut F, h| {
                frontier.add(next_id, 7, h, &mut memory).unwrap();
                next_id += 1;
            };
            for _ in 0..3000 {
                push(&mut frontier, lowest + 1);
            }
            for h in (lowest..lowest + 400).chain([lowest + 5000]) {
                push(&mut frontier, h);
            }
            assert_eq!(frontier.len(), 3401);
            assert_eq!(frontier.take(&mut memory), Ok(Some((3000, 7))));
            for _ in 0..3001 {
                assert!(frontier.take(&mut memory).unwrap().is_some_and(|(id, _)| id < 3002));
            }
            for id in 3002..3300 {
                assert_eq!(frontier.take(&mut memory), Ok(Some((id, 7))));
            }
            frontier.clear();
            assert_eq!((frontier.len(), frontier.take(&mut memory)), (0, Ok(None)));
        }
        // All of a large layer goes along where an f so far away comes up that there is no layer for it.
        for id in 0..3000 {
            frontier.add(id, 7, id % 5, &mut memory).unwrap();
        }
        frontier.add(3000, 1 << 30, 0, &mut memory).unwrap();
        let order = std::iter::from_fn(|| frontier.take(&mut memory).unwrap());
        let mut all: Vec<_> = order.map(|(id, _)| id).collect();
        assert_eq!(all.last(), Some(&3000));
        all.sort_unstable();
        assert!(all.into_iter().eq(0..=3000));
    }
    check::<LazyHeap<Priority<u32>>>();
    check::<IndexedQueue<Priority<u32>>>();
    check::<BucketQueue<Priority<u32>>>();
}

/// A layer with at most a 64th of the entries before it comes last in, first out, if the queue sorts only large layers.
#[test]
fn small_layers_need_not_be_sorted() {
    let mut queue = BucketQueue::<Priority<u32>>::sorting_large_layers();
    let mut memory = Memory::new(usize::MAX);
    for _ in 0..2 {
        let mut add = |queue: &mut BucketQueue<_>, id, f| {
            queue.add(id, f, id * 37 % 101, &mut memory).unwrap();
        };
        // 6,400 / 64 = 100 and 6,501 / 64 = 101.
        (0..6400).for_each(|id| add(&mut queue, id, 1));
        (6400..6500).for_each(|id| add(&mut queue, id, 2));
        (6500..6602).for_each(|id| add(&mut queue, id, 3));
        let take = |queue: &mut BucketQueue<Priority<u32>>, count| {
            let mut memory = Memory::new(usize::MAX);
            let mut next = || queue.pop(&mut memory).unwrap();
            (0..count).map_while(|_| next()).collect::<Vec<_>>()
        };
        assert!(take(&mut queue, 6400).is_sorted_by_key(|(_, key)| (key.first, key.second)));
        let mut second = take(&mut queue, 50);
        add(&mut queue, 7000, 2);
        second.extend(take(&mut queue, 51));
        let expected = (6450..6500).rev().chain([7000]).chain((6400..6450).rev());
        assert!(second.iter().map(|&(id, _)| id).eq(expected));
        let third = take(&mut queue, 1000);
        assert!(third.len() == 102 && third.is_sorted_by_key(|(_, key)| (key.first, key.second)));
        queue.clear();
    }
}

/// By a consistent heuristic, A* expands at most a 64th more than where it sorts all layers.
#[test]
fn unsorted_layers_cost_few_expansions() {
    /// Returns whether there is any difference.
    fn check<P: SearchProblem>(problem: &P, start: &P::State) -> bool {
        let sorted = AStar::new(problem).frontier(BucketQueue::new());
        let sorted = sorted.search(start.clone()).run().unwrap();
        let report = AStar::new(problem).search(start.clone()).run().unwrap();
        assert_eq!(report.cost(), sorted.cost());
        let (expanded, least) = (report.stats.expanded, sorted.stats.expanded);
        assert!(expanded <= least + least / 64 + 1, "{expanded}, {least} if sorted");
        expanded != least
    }
    // Small layers, and large ones.
    let different = (0..rounds(12)).filter(|&seed| {
        let map = HeatMap::random(60, 60, seed).unwrap();
        let city = Crucible::new(&map, 1..=3).unwrap().bound(LossBound::Manhattan);
        check(&city, &city.start())
    });
    assert!(different.count() > 0, "no layer was left unsorted");
    let puzzle = SlidingTiles::<Packed>::new(3, 3).unwrap();
    for board in ["8 6 7  2 5 4  3 0 1", "6 4 7  8 5 0  3 2 1", "0 8 7  6 5 4  3 1 2"] {
        check(&puzzle, &puzzle.state(&board.parse().unwrap()).unwrap());
    }
}

/// Of equals in a layer that states are taken from already, the newest two come first, that with the even id before the
/// other: the search goes on where it is, and equal successors take turns. Of few, in a heap, even ids come first, and the
/// oldest of these.
#[test]
fn equals_take_turns() {
    let order = |equals: u32| {
        let mut memory = Memory::new(usize::MAX);
        let mut queue = BucketQueue::<Priority<u32>>::new();
        for id in 0..equals {
            queue.add(id, 7, 3, &mut memory).unwrap();
        }
        let first = queue.take(&mut memory).unwrap();
        assert!(first.is_some_and(|(id, _)| id < equals));
        queue.add(1008, 7, 3, &mut memory).unwrap();
        queue.add(1009, 7, 3, &mut memory).unwrap();
        queue.add(1010, 7, 4, &mut memory).unwrap();
        let all = std::iter::from_fn(|| queue.take(&mut memory).unwrap());
        all.map(|(id, _)| id).collect::<Vec<_>>()
    };
    let in_layers = order(1000);
    assert_eq!(in_layers[..2], [1008, 1009]);
    assert!(in_layers[2] < 1000);
    assert_eq!(order(5), [2, 4, 1008, 1, 3, 1009, 1010]);
}

/// Layers in buckets go along when a queue turns into a heap.
#[test]
fn what_is_in_buckets_goes_into_the_heap() {
    let mut queue = BucketQueue::<Priority<u32>>::new();
    let mut memory = Memory::new(usize::MAX);
    for id in 0..1000 {
        queue.add(id, 7, 5, &mut memory).unwrap();
    }
    assert!(queue.take(&mut memory).unwrap().is_some_and(|(id, _)| id < 1000));
    // It belongs after so many that the layer is put into buckets.
    queue.add(1000, 7, 6, &mut memory).unwrap();
    queue.add(1001, 1 << 30, 0, &mut memory).unwrap();
    assert!(queue.is_heap());
    assert_eq!(queue.len(), 1001);
    for _ in 0..999 {
        assert!(queue.take(&mut memory).unwrap().is_some_and(|(id, f)| id < 1000 && f == 7));
    }
    assert_eq!(queue.take(&mut memory), Ok(Some((1000, 7))));
    assert_eq!(queue.take(&mut memory), Ok(Some((1001, 1 << 30))));
    assert_eq!(queue.take(&mut memory), Ok(None));
}

/// Buckets span 1024 values of f, or as many as there are entries. (With fewer than 256 there are none.)
#[test]
fn buckets_span_as_many_values_as_there_are_entries() {
    let is_heap = |entries: u32, span: u32| {
        let mut queue = BucketQueue::<Priority<u32>>::new();
        let mut memory = Memory::new(usize::MAX);
        for id in 0..entries {
            queue.add(id, 3, 0, &mut memory).unwrap();
        }
        queue.add(entries, 3 + span, 0, &mut memory).unwrap();
        queue.is_heap()
    };
    for (entries, most) in [(300, 1023), (1000, 1023), (1500, 1499), (5000, 4999)] {
        assert!(!is_heap(entries, most), "{entries} entries");
        assert!(is_heap(entries, most + 1), "{entries} entries");
    }
}

/// What a heap guesses is right for the next two, and a queue knows the next.
#[test]
fn heaps_know_what_comes_next() {
    fn check<F: Queue<u32> + Default>(known: usize) {
        let mut frontier = F::default();
        let mut memory = Memory::new(usize::MAX);
        for id in 0..200 {
            // All different, in no order.
            frontier.add(id, id * 112 % 211, 0, &mut memory).unwrap();
        }
        while frontier.len() > 5 {
            for ahead in known..2 {
                assert_eq!(frontier.peek_hint(ahead), None);
            }
            let hints: Vec<_> =
                (0..known).map(|ahead| frontier.peek_hint(ahead).unwrap()).collect();
            let next = frontier.take(&mut memory).unwrap().unwrap();
            assert_eq!(next.0, hints[0]);
            assert!(hints.get(1).is_none_or(|&id| frontier.peek_hint(0) == Some(id)));
        }
    }
    check::<LazyHeap<Priority<u32>>>(2);
    check::<IndexedQueue<Priority<u32>>>(1);
}

/// The first entry takes memory, too, whether its costs are packed or not.
#[test]
fn a_heap_accounts_for_its_first_entry() {
    for f in [7, 1 << 40] {
        let mut memory = Memory::new(usize::MAX);
        LazyHeap::<Priority<u64>>::new().add(0, f, 0, &mut memory).unwrap();
        assert!(memory.held() >= 12, "{} for an f of {f}", memory.held());
    }
}
