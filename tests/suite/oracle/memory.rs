//! What a search with wide states holds at its peak: never more than the limit, lists that are copied when
//! they grow included, and the account says so.

use bestfirst::{
    DenseStates, InPlaceProblem, Layer, Limits, Outcome, SearchProblem, StopReason, Successors,
};

use support::engines::{Needs, few_engines};

/// A number, in a state of 512 bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Wide([u64; 64]);

impl Wide {
    fn new(number: u64) -> Self {
        Self([number; 64])
    }
}

/// A binary tree of so many states, one after the other, whose leaves are no goals; or, without branches, a
/// line, which leads depth-first engines deep down.
struct Tree {
    states: u64,
    branches: u64,
}

impl Tree {
    fn children(&self, state: &Wide) -> std::ops::Range<u64> {
        let first = state.0[0] * self.branches + 1;
        first.min(self.states)..(first + self.branches).min(self.states)
    }
}

impl SearchProblem for Tree {
    type State = Wide;
    type Action = u64;
    type Cost = u32;

    fn successors(&self, state: &Wide, next: &mut Successors<Self>) {
        for child in self.children(state) {
            next.push(child, Wide::new(child), 1);
        }
    }
    fn is_goal(&self, _: &Wide) -> bool {
        false
    }
    fn heuristic(&self, state: &Wide) -> u32 {
        // Along a line, one iteration of depth-first search is enough.
        if self.branches == 1 { u32::try_from(self.states - state.0[0]).unwrap() } else { 0 }
    }
}

impl DenseStates for Tree {
    fn state_count(&self) -> usize {
        usize::try_from(self.states).unwrap()
    }
    fn state_index(&self, state: &Wide) -> usize {
        usize::try_from(state.0[0]).unwrap()
    }
    fn state_at(&self, index: usize) -> Wide {
        Wide::new(index as u64)
    }
}

impl InPlaceProblem for Tree {
    type Actions = std::ops::Range<u64>;
    type Undo = u64;

    fn actions(&self, state: &Wide) -> std::ops::Range<u64> {
        self.children(state)
    }
    fn apply(&self, state: &mut Wide, &child: &u64) -> (u32, u64) {
        (1, std::mem::replace(state, Wide::new(child)).0[0])
    }
    fn undo(&self, state: &mut Wide, undo: u64) {
        *state = Wide::new(undo);
    }
}

/// What is not in the account: lists of successors while the problem fills them, copies of those that grow
/// included, the starts, and the search itself.
fn not_counted(branches: u64) -> usize {
    let list = usize::try_from(branches).unwrap().next_power_of_two() * (size_of::<Wide>() + 32);
    3 * list + (8 << 10)
}

/// Searches with every limit from nearly nothing to `most`; at each stop, the peak must be within the limit.
fn check(tree: &Tree, most: usize, is_wanted: impl Fn(Needs) -> bool) {
    let mut stops = 0;
    for engine in few_engines().into_iter().filter(|engine| is_wanted(engine.needs)) {
        let (name, mut limit) = (engine.name, 20_000);
        while limit < most {
            let starts = vec![(Wide::new(0), 0)];
            let before = crate::counting::held();
            crate::counting::forget_peak();
            let limits = Limits::new().memory(limit).expansions(100_000);
            let mut search = (engine.search)(tree, limits, starts);
            let report = search.run().unwrap();
            let peak = (crate::counting::peak() - before).cast_unsigned();
            let said = usize::try_from(report.stats.peak_bytes).unwrap();
            // The report has the path to the closest state, and a copy of it while it is replayed.
            let closest = report.closest().map_or(0, |path| path.len() + 1);
            let reported = report.layers.capacity() * size_of::<Layer<u32>>();
            let replayed = closest * (size_of::<Wide>() + 64) * 3;
            let slack = limit / 100 + not_counted(tree.branches) + reported + replayed;
            assert!(peak <= limit + slack, "{name}: {peak} held at {limit} allowed");
            assert!(said <= limit, "{name}: {said} said at {limit} allowed");
            assert!(peak <= said + slack, "{name}: {peak} held, {said} said");
            if report.outcome != Outcome::Stopped(StopReason::Memory) {
                break;
            }
            stops += 1;
            limit += limit / 3;
        }
    }
    assert!(stops > 50, "{stops}");
}

/// A table that grew was copied, and only the new one was in the account.
#[test]
fn the_peak_of_wide_states_is_within_the_limit() {
    let remembers = |needs| !matches!(needs, Needs::Goal | Needs::Small);
    check(&Tree { states: 40_000, branches: 2 }, 1 << 22, remembers);
    check(&Tree { states: 40_000, branches: 20 }, 1 << 22, remembers);
}

#[test]
fn the_peak_of_wide_states_on_a_path_is_within_the_limit() {
    let is_depth_first = |needs| matches!(needs, Needs::Goal | Needs::Small);
    check(&Tree { states: 40_000, branches: 1 }, 1 << 22, is_depth_first);
}
