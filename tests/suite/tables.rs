//! Both tables against a plain map: fetched, found, inserted, changed, cleared and used again, with
//! good hashers, bad ones and one that says nothing at all.
#![expect(clippy::cast_possible_truncation, reason = "all numbers here are small")]

use std::cell::Cell;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, Hasher};

use bestfirst::memory::Memory;
use bestfirst::table::{
    BareRecord, CacheResidency, CostRecord, DenseTable, EstimateRecord, Full, HashedTable, Lookup,
    Record, StateId, Table,
};
use bestfirst::{
    AStar, BreadthFirst, DenseStates, Dijkstra, EqualSteps, FnProblem, Limits, Outcome, Search,
    SearchProblem, StopReason, Successors,
};

use rustc_hash::{FxHashMap, FxHashSet};
use support::random::{Random, rounds};

/// This many states, and nothing else.
struct States(Cell<usize>);

impl States {
    fn new(count: usize) -> Self {
        Self(Cell::new(count))
    }
}

impl SearchProblem for States {
    type State = u64;
    type Action = ();
    type Cost = u32;
    fn successors(&self, _: &u64, _: &mut Successors<Self>) {}
    fn is_goal(&self, _: &u64) -> bool {
        false
    }
}

impl DenseStates for States {
    fn state_count(&self) -> usize {
        self.0.get()
    }
    fn state_index(&self, &state: &u64) -> usize {
        state as usize
    }
    fn state_at(&self, index: usize) -> u64 {
        index as u64
    }
}

/// Hashers that a user might come by: one that says nothing, one that knows few values, one that
/// leaves the number as it is, and one that fills the upper bits alone.
#[derive(Default)]
struct Poor<const KIND: u8>(u64);

impl<const KIND: u8> Hasher for Poor<KIND> {
    fn finish(&self) -> u64 {
        match KIND {
            0 => 0,
            1 => self.0 % 7,
            2 => self.0,
            _ => self.0 << 48,
        }
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 << 8) | u64::from(byte);
        }
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }
}

/// What the tables here keep of a state.
type Kept = EstimateRecord<u32>;

fn conform<S, T, R>(
    mut table: T,
    state_at: impl Fn(u64) -> S,
    (states, rounds): (u64, u64),
    seed: u64,
) where
    S: Copy + Eq + Hash,
    T: Table<S, Record = R>,
    R: Record<Cost = u32, Id = u32> + PartialEq,
{
    let mut random = Random::new(seed);
    let mut memory = Memory::new(usize::MAX);
    for round in 0..rounds {
        let (mut model, mut ids) = (FxHashMap::<S, (u32, u32)>::default(), FxHashSet::default());
        // Rounds differ in length, so that some leave few states behind and some many.
        for _ in 0..=random.below(1 + states / (1 + round % 5)) {
            let batch: Vec<_> =
                (0..random.below(6)).map(|_| state_at(random.below(states))).collect();
            table.reserve(batch.len(), &mut memory).unwrap();
            let before = memory.held();
            let keys: Vec<_> = batch.iter().map(|state| table.key(state)).collect();
            for &key in &keys {
                table.prefetch_slot(key);
            }
            for &key in &keys {
                table.prefetch_entry(key);
            }
            for (state, &key) in batch.iter().zip(&keys) {
                let known = model.get(state).copied();
                // So few that equal costs come up.
                let g = random.below(30) as u32;
                match table.find(key, state, |record| g < record.g()) {
                    Lookup::OutOfRange { index, .. } => panic!("{index} is in range"),
                    Lookup::NotImproved => {
                        assert!(known.unwrap().1 <= g, "{g} is cheaper");
                    }
                    Lookup::Improved(id) => {
                        let mut record = table.load(id);
                        assert_eq!(known, Some((id, record.g())));
                        assert!(g < record.g(), "{g} is no cheaper");
                        record.reach(g, 3);
                        if g.is_multiple_of(2) {
                            table.store(id, record);
                        } else {
                            table.update(id, |stored| stored.reach(g, 3));
                        }
                        assert_eq!(table.load(id), record);
                        model.insert(*state, (id, g));
                    }
                    Lookup::Vacant(place) => {
                        assert_eq!(known, None, "a state is lost");
                        let id = table.insert(key, place, *state, R::new(g, 7, u32::NONE));
                        assert!(ids.insert(id), "an id twice");
                        table.prefetch(id);
                        model.insert(*state, (id, g));
                    }
                }
            }
            assert_eq!(memory.held(), before, "only reserve() takes memory");
            assert_eq!(table.len(), model.len());
            assert_eq!(table.is_empty(), model.is_empty());
        }
        assert!(!format!("{table:?}").is_empty());
        for state in (0..states).map(&state_at) {
            assert_eq!(table.id_of(&state), model.get(&state).map(|&(id, _)| id));
        }
        let mut visited = Vec::new();
        table.for_each(|id, &state, record| visited.push((id, state, record.g())));
        assert_eq!(visited.len(), model.len());
        for (id, state, g) in visited {
            assert_eq!((id, g), model[&state]);
            assert_eq!(table.load(id).h(), if R::KEEPS_H { 7 } else { 0 });
            assert!(table.with_state(id, |&stored| stored == state));
        }
        table.clear();
        assert!(table.is_empty());
        assert!((0..states).map(&state_at).all(|state| table.id_of(&state).is_none()));
    }
}

fn conform_with<B: BuildHasher + Default>(states: u64) {
    for seed in 0..2 {
        let size = (states, rounds(40));
        conform(HashedTable::<u64, Kept, B>::default(), |n| n, size, seed);
        conform(HashedTable::<u64, BareRecord<u32>, B>::default(), |n| n, size, seed);
    }
}

#[test]
fn hashed_table_conforms() {
    for states in [1, 63, 64, 65, 700] {
        conform_with::<rustc_hash::FxBuildHasher>(states);
        conform_with::<BuildHasherDefault<DefaultHasher>>(states);
    }
}

#[test]
fn hashed_table_conforms_with_poor_hashers() {
    for states in [1, 100, 300] {
        conform_with::<BuildHasherDefault<Poor<0>>>(states);
        conform_with::<BuildHasherDefault<Poor<1>>>(states);
        conform_with::<BuildHasherDefault<Poor<2>>>(states);
        conform_with::<BuildHasherDefault<Poor<3>>>(states);
    }
}

/// States that are numbers are not found by their hashes, if there are many and they are close together.
#[test]
fn hashed_table_of_numbers_conforms() {
    fn check(state_at: impl Fn(u64) -> usize + Copy, states: u64) {
        conform(HashedTable::<usize, Kept>::default(), state_at, (states, 3), states);
        if rounds(2) > 1 {
            let table = HashedTable::<usize, BareRecord<u32>>::default();
            conform(table, state_at, (states, 3), states);
        }
    }
    check(|n| n as usize, 10_000);
    check(|n| 7 * n as usize, 10_000);
    // Some are too large, and then most.
    check(|n| n as usize * if n % 64 == 0 { 1 << 40 } else { 1 }, 20_000);
    check(|n| if n < 9000 { n as usize } else { usize::MAX - n as usize }, 18_000);
}

#[test]
fn dense_table_conforms() {
    for states in [1, 50, 700] {
        for seed in 0..2 {
            let numbering = || States::new(states as usize);
            let size = (states, rounds(100));
            conform(DenseTable::<_, Kept>::new(numbering()), |n| n, size, seed);
            conform(DenseTable::<_, BareRecord<u32>>::new(numbering()), |n| n, size, seed);
        }
    }
}

/// Nothing changes where there is no room, and all is as it should be when there is.
#[test]
fn a_table_without_room_keeps_what_it_has() {
    const STATES: u64 = 9000;
    fn check<S, T, R>(mut table: T, state_at: impl Fn(u64) -> S)
    where
        T: Table<S, Record = R>,
        R: Record<Cost = u32>,
    {
        let mut memory = Memory::new(0);
        let mut limit = 0;
        let mut refused = 0;
        for state in 0..STATES {
            while table.reserve(1, &mut memory) == Err(Full::Memory) {
                refused += 1;
                assert_eq!(table.len() as u64, state);
                for known in (0..state).step_by(97) {
                    assert!(table.id_of(&state_at(known)).is_some());
                }
                limit += 1000;
                let mut more = Memory::new(limit);
                more.claim(memory.held()).unwrap();
                memory = more;
            }
            assert!(memory.held() <= limit);
            let stored = state_at(state);
            let key = table.key(&stored);
            let Lookup::Vacant(place) = table.find(key, &stored, |_| true) else {
                panic!("{state} is known")
            };
            table.insert(key, place, stored, R::new(state as u32, 0, R::Id::NONE));
        }
        assert!(refused > 5, "{refused}");
        assert!((0..STATES).all(|state| {
            table.id_of(&state_at(state)).is_some_and(|id| table.load(id).g() == state as u32)
        }));
    }
    check(HashedTable::<u64, Kept>::default(), |n| n);
    check(DenseTable::<_, Kept>::new(States::new(STATES as usize)), |n| n);
    check(HashedTable::<u64, BareRecord<u32>>::default(), |n| n);
    check(HashedTable::<u64, BareRecord<u32, u64>>::default(), |n| n);
    check(HashedTable::<usize, Kept>::default(), |n| n as usize);
    check(DenseTable::<_, BareRecord<u32>>::new(States::new(STATES as usize)), |n| n);
}

#[test]
fn a_number_out_of_range_is_reported() {
    let mut table: DenseTable<_, Kept> = DenseTable::new(States::new(10));
    table.reserve(2, &mut Memory::new(usize::MAX)).unwrap();
    let find = |state| table.find(table.key(&state), &state, |_| true);
    assert_eq!(find(9), Lookup::Vacant(9));
    assert_eq!(find(10), Lookup::OutOfRange { index: 10, count: 10 });
    assert_eq!(table.id_of(&u64::MAX), None);
}

/// This many states, and more later.
#[derive(Default)]
struct Growing(Cell<usize>);

impl SearchProblem for Growing {
    type State = u64;
    type Action = ();
    type Cost = u32;
    fn successors(&self, _: &u64, _: &mut Successors<Self>) {}
    fn is_goal(&self, _: &u64) -> bool {
        false
    }
}

impl DenseStates for Growing {
    fn state_count(&self) -> usize {
        self.0.get()
    }
    fn state_index(&self, &state: &u64) -> usize {
        state as usize
    }
    fn state_at(&self, index: usize) -> u64 {
        index as u64
    }
}

/// A map may grow between two searches, or in the middle of one; the memory is that of its places.
#[test]
fn a_dense_table_grows_with_its_problem() {
    let problem = Growing::default();
    let mut memory = Memory::new(usize::MAX);
    let mut table: DenseTable<_, Kept> = DenseTable::new(&problem);
    let store_all = |table: &mut DenseTable<_, Kept>, count: u64, memory: &mut Memory| {
        problem.0.set(count as usize);
        for state in 0..count {
            table.reserve(1, memory).unwrap();
            let key = table.key(&state);
            if let Lookup::Vacant(place) = table.find(key, &state, |_| true) {
                table.insert(key, place, state, Kept::new(1, 0, u32::NONE));
            }
        }
        assert!((0..count).all(|state| table.id_of(&state).is_some()));
        table.len()
    };
    assert_eq!(store_all(&mut table, 10, &mut memory), 10);
    // The records, and a few bytes for each block of 64 of them.
    let holds = |memory: &Memory, states: usize| {
        let records = states * size_of::<Kept>();
        (records..records + 64).contains(&memory.held())
    };
    assert!(holds(&memory, 10));
    // What is stored stays stored.
    assert_eq!(store_all(&mut table, 35, &mut memory), 35);
    assert!(holds(&memory, 35));
    assert_eq!(store_all(&mut table, 5, &mut memory), 35);
    table.clear();
    assert_eq!(store_all(&mut table, 5, &mut memory), 5);
    assert!(holds(&memory, 35));
    table.clear();
    assert_eq!(store_all(&mut table, 40, &mut memory), 40);
    assert!(holds(&memory, 40));
}

#[test]
fn a_cleared_table_is_as_good_as_new() {
    let mut table: DenseTable<_, CostRecord<u8>> = DenseTable::new(States::new(200));
    let mut memory = Memory::new(usize::MAX);
    for reached in [vec![3, 63, 64, 199], vec![], vec![5], (0..200).collect()] {
        table.reserve(1, &mut memory).unwrap();
        let held = memory.held();
        // A cost of 255 equals that of a vacant record.
        for &state in &reached {
            let index = state as usize;
            assert_eq!(table.find(index, &state, |_| false), Lookup::Vacant(index));
            table.insert(index, index, state, CostRecord::new(255, 0, u32::NONE));
            assert_eq!(table.find(index, &state, |_| false), Lookup::NotImproved);
        }
        let stored: Vec<_> = (0..200).filter(|state| table.id_of(state).is_some()).collect();
        assert_eq!((stored, table.len(), memory.held()), (reached.clone(), reached.len(), held));
        table.clear();
        assert!(table.is_empty() && (0..200).all(|state| table.id_of(&state).is_none()));
    }
}

/// Where a block is the first of its neighbours that is written, their pages are written, too.
#[test]
fn what_is_stored_in_other_pages_stays() {
    let count = 1 << 17;
    let mut table: DenseTable<_, CostRecord<u32>> = DenseTable::new(States::new(1 << 17));
    let mut memory = Memory::new(usize::MAX);
    for step in [40_503, 1, 4_097] {
        table.reserve(1, &mut memory).unwrap();
        let stored = || (0..count / 3).map(|nth| (nth * step) % count);
        for state in stored() {
            let index = usize::try_from(state).unwrap();
            assert_eq!(table.find(index, &state, |_| false), Lookup::Vacant(index));
            let cost = u32::try_from(state).unwrap();
            table.insert(index, index, state, CostRecord::new(cost, 0, cost / 2));
        }
        for state in stored() {
            let record = table.load(table.id_of(&state).unwrap());
            assert_eq!((u64::from(record.g()), u64::from(record.parent())), (state, state / 2));
        }
        assert_eq!(table.len() as u64, count / 3);
        table.clear();
        assert!((0..count).all(|state| table.id_of(&state).is_none()));
    }
}

#[test]
fn a_table_that_found_no_memory_serves_a_smaller_problem() {
    let states = States::new(1000);
    let mut table: DenseTable<_, CostRecord<u8>> = DenseTable::new(&states);
    let mut memory = Memory::new(10_000);
    table.reserve(1, &mut memory).unwrap();
    states.0.set(5000);
    assert_eq!(table.reserve(1, &mut memory), Err(Full::Memory));
    states.0.set(10);
    table.reserve(1, &mut memory).unwrap();
    table.insert(9, 9, 9, CostRecord::new(1, 0, u32::NONE));
    assert_eq!(table.id_of(&9), Some(9));
}

#[test]
fn a_table_is_cached_while_it_has_few_places() {
    let mut memory = Memory::new(usize::MAX);
    for (count, residency) in [
        (1 << 10, CacheResidency::Cached),
        (1 << 16, CacheResidency::Cached),
        ((1 << 16) + 1, CacheResidency::Local),
    ] {
        let mut table: DenseTable<_, CostRecord<u8>> = DenseTable::new(States::new(count));
        table.reserve(1, &mut memory).unwrap();
        assert_eq!(table.residency(), residency);
    }
}

#[test]
fn more_states_than_ids_are_refused_by_number() {
    let mut table: DenseTable<_, CostRecord<u8>> = DenseTable::new(States::new((1 << 31) - 1));
    let full = table.reserve(1, &mut Memory::new(usize::MAX));
    assert_eq!(full, Err(Full::Ids { most: (1 << 31) - 2 }));
}

/// A cell of a grid, or what comes before any; it hashes as two or four integers, or as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place<const AS_TEXT: bool>(Option<(i32, i32)>);

impl<const AS_TEXT: bool> Hash for Place<AS_TEXT> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        if AS_TEXT { format!("{:?}", self.0).hash(hasher) } else { (self.0, 7_u8).hash(hasher) }
    }
}

/// What the searches of a grid with walls, on three engines, found and counted.
#[derive(Debug, PartialEq)]
struct Course {
    path: Option<Vec<Option<(i32, i32)>>>,
    cost: Option<u32>,
    counts: [u64; 5],
}

fn courses<const AS_TEXT: bool>(side: i32, long: i32, seed: u64, memory: usize) -> [Course; 3] {
    let mut random = Random::new(seed);
    let cells = (side * side).cast_unsigned() as usize;
    let costs: Vec<u32> = (0..cells).map(|_| (random.next() % 9) as u32).collect();
    let goal = (side - 2, side - 3);
    let steps = |&Place(from): &Place<AS_TEXT>| {
        let near = [(1, 0), (0, 1), (-1, 0), (0, -1), (long, 1)];
        let costs = &costs;
        near.into_iter().filter_map(move |(right, down)| {
            let Some((x, y)) = from else { return Some((Place(Some((0, 0))), 1)) };
            let to = (x + right, y + down);
            let is_inside = (0..side).contains(&to.0) && (0..side).contains(&to.1);
            let cost =
                costs[if is_inside { (to.1 * side + to.0).cast_unsigned() as usize } else { 0 }];
            (is_inside && (cost > 1 || to == goal)).then_some((Place(Some(to)), cost))
        })
    };
    let rest = |&Place(from): &Place<AS_TEXT>| {
        from.map_or(0, |(x, y)| (goal.1 - y).unsigned_abs().max((goal.0 - x).unsigned_abs() / 90))
    };
    let problem = FnProblem::new(steps, rest, |&Place(from): &Place<AS_TEXT>| from == Some(goal));
    let limits = || Limits::new().memory(memory);
    let equal = EqualSteps::new(&problem, 1);
    [
        course(Dijkstra::new(&problem).limits(limits()).search(Place(None))),
        course(AStar::new(&problem).limits(limits()).search(Place(None))),
        course(BreadthFirst::new(&equal).limits(limits()).search(Place(None))),
    ]
}

/// Searches to the end, with more memory each time that it runs out.
fn course<const AS_TEXT: bool, P, E>(mut search: Search<E>) -> Course
where
    P: SearchProblem<State = Place<AS_TEXT>, Cost = u32>,
    E: bestfirst::engine::Engine<
            Problem = P,
            State = Place<AS_TEXT>,
            Action = P::Action,
            Cost = u32,
        >,
{
    for more in (1..).map(|times| times * 400_000) {
        let report = search.run().unwrap();
        if matches!(report.outcome, Outcome::Stopped(StopReason::Memory)) {
            search.set_limits(Limits::new().memory(more));
            continue;
        }
        let stats = &report.stats;
        let path = report.path().map(|path| path.states().iter().map(|place| place.0).collect());
        return Course {
            path,
            cost: report.cost(),
            counts: [
                stats.expanded,
                stats.generated,
                stats.duplicates,
                stats.stored,
                stats.peak_frontier,
            ],
        };
    }
    unreachable!("there is no end of memory");
}

#[test]
fn searches_find_the_same_by_numbers_as_by_hashes() {
    let mut found = 0;
    for (seed, (side, long, memory)) in
        (1..).zip([(200, 9, usize::MAX), (200, 9, 100_000), (190, 77, usize::MAX), (40, 3, 9000)])
    {
        let by_numbers = courses::<false>(side, long, seed, memory);
        assert_eq!(by_numbers, courses::<true>(side, long, seed, memory), "seed {seed}");
        let stored = by_numbers.iter().map(|course| course.counts[3]).min().unwrap();
        assert!(stored > 20_000 || side == 40, "{stored}");
        found += by_numbers.iter().filter(|course| course.path.is_some()).count();
    }
    assert!(found > 6, "{found}");
}
