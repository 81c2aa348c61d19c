//! What a search with wide states holds at its peak: never more than the limit, lists that are copied when
//! they grow included, and the account says so.

use bestfirst::{
    DenseStates, InPlaceProblem, Layer, Limits, Outcome, SearchProblem, StopReason, Successors,
};

use support::engines::{Needs, engines};
use support::random::{Edge, Name, Wide, rounds};

/// A binary tree of `states` states, one after the other, whose leaves are not goals; or, without branches, a
/// line, which leads depth-first engines deep down.
struct Tree {
    states: u32,
    branches: u32,
}

impl Tree {
    fn children(&self, state: &Wide) -> std::ops::Range<Edge> {
        let first = Edge::try_from(state.node()).unwrap() * self.branches + 1;
        first.min(self.states)..(first + self.branches).min(self.states)
    }
}

impl SearchProblem for Tree {
    type State = Wide;
    type Action = Edge;
    type Cost = f32;

    fn successors(&self, state: &Wide, next: &mut Successors<Self>) {
        for child in self.children(state) {
            next.push(child, Wide::new(child as usize), 1.0);
        }
    }
    fn is_goal(&self, _: &Wide) -> bool {
        false
    }
    #[expect(clippy::cast_precision_loss, reason = "the states are few")]
    fn heuristic(&self, state: &Wide) -> f32 {
        // Along a line, one iteration of depth-first search is enough.
        if self.branches == 1 { (self.states as usize - state.node()) as f32 } else { 0.0 }
    }
}

impl DenseStates for Tree {
    fn state_count(&self) -> usize {
        self.states as usize
    }
    fn state_index(&self, state: &Wide) -> usize {
        state.node()
    }
    fn state_at(&self, index: usize) -> Wide {
        Wide::new(index)
    }
}

impl InPlaceProblem for Tree {
    type Actions = std::ops::Range<Edge>;
    type Undo = Wide;

    fn actions(&self, state: &Wide) -> std::ops::Range<Edge> {
        self.children(state)
    }
    fn apply(&self, state: &mut Wide, &child: &Edge) -> (f32, Wide) {
        (1.0, std::mem::replace(state, Wide::new(child as usize)))
    }
    fn undo(&self, state: &mut Wide, undo: Wide) {
        *state = undo;
    }
}

/// What is not in the account: lists of successors while the problem fills them, copies of those that grow
/// included, the starts, and the search itself.
fn not_counted(branches: u32) -> usize {
    let list = usize::try_from(branches).unwrap().next_power_of_two() * (size_of::<Wide>() + 32);
    3 * list + (8 << 10)
}

/// Searches with every limit from nearly nothing to `most`; at each stop, the peak must be within the limit.
fn check(tree: &Tree, most: usize, is_wanted: impl Fn(Needs) -> bool) {
    let mut stops = 0;
    for engine in engines().into_iter().filter(|engine| is_wanted(engine.needs)) {
        let (name, mut limit) = (engine.name, 20_000);
        while limit < most {
            let starts = vec![(Wide::new(0), 0.0)];
            let before = crate::counting::held();
            crate::counting::forget_peak();
            let limits = Limits::new().memory(limit).expansions(100_000);
            let mut search = (engine.search)(tree, limits, starts);
            let report = search.run().unwrap();
            let peak = (crate::counting::peak() - before).cast_unsigned();
            let said = usize::try_from(report.stats.peak_bytes).unwrap();
            // The report has the path to the closest state, and a copy of it while it is replayed.
            let closest = report.closest().map_or(0, |path| path.len() + 1);
            let reported = report.layers.capacity() * size_of::<Layer<f32>>();
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
    for (_, branches) in (0..rounds(2)).zip([20, 2]) {
        check(&Tree { states: 1_500, branches }, 1 << 20, remembers);
    }
}

#[test]
fn the_peak_of_wide_states_on_a_path_is_within_the_limit() {
    let is_depth_first = |needs| matches!(needs, Needs::Goal | Needs::Small);
    check(&Tree { states: 20_000, branches: 1 }, 1 << 21, is_depth_first);
}
