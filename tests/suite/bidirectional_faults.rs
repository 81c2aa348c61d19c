//! Search from both ends where something goes wrong outside of it, what it allocates and holds, and that it can
//! be begun anew: what other tests ask of all engines that need not know predecessors.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bestfirst::Search;
use bestfirst::clock::Clock;
use bestfirst::engine::Engine;
use bestfirst::{
    Bidirectional, CancelToken, DenseStates, Layer, Limits, Outcome, PathError, Report, Reversible,
    SearchError, SearchProblem, StopReason, Successors,
};
use support::erased::reversing;
use support::panics::panics;

/// A graph with four arcs from each node, which lead anywhere.
struct Mesh {
    arcs: Vec<(u32, u32)>,
    /// The arcs to each node: where its list begins in `back`, and where the next one does.
    first: Vec<usize>,
    back: Vec<(u32, u32)>,
    goal: u32,
    /// The problem panics when it has been asked for the neighbours of this many states.
    fuse: Cell<u32>,
    /// How long it takes to find them.
    labour: Duration,
}

const ARCS: usize = 4;

impl Mesh {
    fn new(nodes: u32, goal: u32) -> Self {
        Self::with(nodes, goal, false)
    }

    /// If it is split, no arc leads from an odd node to an even one, or back.
    fn with(nodes: u32, goal: u32, is_split: bool) -> Self {
        let mut random = 7_u64;
        let mut below = |end: u32| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            u32::try_from((random >> 33) % u64::from(end)).unwrap()
        };
        let count = nodes as usize;
        let mut arcs: Vec<_> = (0..count * ARCS).map(|_| (below(nodes), below(20))).collect();
        for (at, (to, _)) in arcs.iter_mut().enumerate().filter(|_| is_split) {
            *to = (*to & !1) + u32::from(at / ARCS % 2 == 1);
        }
        let mut lists = vec![Vec::new(); count];
        for (at, &(to, cost)) in arcs.iter().enumerate() {
            lists[to as usize].push((u32::try_from(at / ARCS).unwrap(), cost));
        }
        let lengths = lists.iter().scan(0, |sum, list| {
            *sum += list.len();
            Some(*sum)
        });
        let first = std::iter::once(0).chain(lengths).collect();
        let (back, fuse) = (lists.concat(), Cell::new(u32::MAX));
        Self { arcs, first, back, goal, fuse, labour: Duration::ZERO }
    }

    /// Lists neighbours. What the problem allocates is not the search's to answer for.
    fn list(&self, neighbours: &[(u32, u32)], list: &mut Successors<&Self>) {
        if self.labour > Duration::ZERO {
            std::thread::sleep(self.labour);
        }
        let left = crate::counting::fail_at(0);
        for &(node, cost) in neighbours {
            list.push((), node, cost);
        }
        crate::counting::fail_at(left);
        assert!(self.fuse.get() > 0, "as planned");
        self.fuse.set(self.fuse.get() - 1);
    }
}

impl SearchProblem for &Mesh {
    type State = u32;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &node: &u32, next: &mut Successors<Self>) {
        self.list(&self.arcs[node as usize * ARCS..][..ARCS], next);
    }

    fn is_goal(&self, &node: &u32) -> bool {
        node == self.goal
    }
}

impl Reversible for &Mesh {
    fn predecessors(&self, &node: &u32, previous: &mut Successors<Self>) {
        let list = self.first[node as usize]..self.first[node as usize + 1];
        self.list(&self.back[list], previous);
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        [self.goal].into_iter()
    }
}

impl DenseStates for &Mesh {
    fn state_count(&self) -> usize {
        self.arcs.len() / ARCS
    }

    fn state_index(&self, &node: &u32) -> usize {
        node as usize
    }

    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

/// Does the same with each algorithm: a block with a builder by the name that is given.
macro_rules! with_each {
    ($mesh:expr, |$name:ident, $builder:ident| $body:block) => {{
        let mesh: &Mesh = $mesh;
        let mesh = reversing(&mesh);
        with_each!(@ "BAE*", Bidirectional::new(mesh), $name, $builder, $body);
        with_each!(@ "NBS", Bidirectional::new(mesh).nbs(), $name, $builder, $body);
        with_each!(@ "Dijkstra", Bidirectional::new(mesh).dijkstra(), $name, $builder, $body);
        with_each!(@ "BAE*, dense", Bidirectional::new(mesh).dense(), $name, $builder, $body);
    }};
    (@ $text:literal, $make:expr, $name:ident, $builder:ident, $body:block) => {{
        let ($name, $builder) = ($text, || $make);
        $body
    }};
}

type Answer = Result<Report<u32, (), u32>, SearchError<u32>>;

fn but_bytes(mut answer: Answer) -> Answer {
    if let Ok(report) = &mut answer {
        report.stats.peak_bytes = 0;
    }
    answer
}

/// Lets the first growth fail, and the second, and so on: the search stops for memory, and ends with the same
/// answer when it goes on.
#[test]
fn every_growth_of_a_search_from_both_ends_may_fail() {
    fn check<E>(name: &str, begin: impl Fn() -> Search<E>) -> u32
    where
        E: Engine<State = u32, Action = (), Cost = u32>,
    {
        let expected = begin().run().unwrap();
        for nth in 1.. {
            let mut search = begin();
            let before = crate::counting::failed();
            crate::counting::fail_at(nth);
            let report = loop {
                // One step at a time: no report is made in between, which would allocate.
                match search.step().unwrap() {
                    Some(report) if report.outcome == Outcome::Stopped(StopReason::Memory) => {
                        assert!(crate::counting::failed() > before, "{name}");
                    }
                    Some(report) => break report,
                    // The report at the end is not the search's.
                    None if search.stats().expanded + 1 >= expected.stats.expanded => {
                        crate::counting::fail_at(0);
                    }
                    None => {}
                }
            };
            crate::counting::fail_at(0);
            assert_eq!(report.cost(), expected.cost(), "{name}, growth {nth}");
            assert_eq!(report.lower_bound, expected.lower_bound, "{name}, growth {nth}");
            if crate::counting::failed() == before {
                return u32::try_from(nth).unwrap();
            }
        }
        unreachable!("it grows only so often");
    }
    let mut growths = 0;
    for (nodes, goal) in [(6_000, 1234), (300, 77)] {
        with_each!(&Mesh::new(nodes, goal), |name, builder| {
            growths += check(name, || builder().search(1));
        });
    }
    assert!(growths > 60, "{growths}");
}

#[test]
fn no_memory_at_all_is_an_answer_from_both_ends() {
    with_each!(&Mesh::new(1000, 7), |name, builder| {
        let mut search = builder().limits(Limits::new().memory(0)).search(1);
        for _ in 0..3 {
            let report = search.run().unwrap();
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory), "{name}");
            assert_eq!(report.stats.expanded, 0);
        }
    });
}

/// After a panic a search from both ends says so, gives its memory back, and can be begun anew.
#[test]
fn a_panic_leaves_a_search_from_both_ends_sound() {
    let mesh = Mesh::new(3000, 1234);
    for fuse in [0, 1, 2, 7, 20] {
        with_each!(&mesh, |name, builder| {
            let fresh = but_bytes(builder().search(1).run());
            let before = crate::counting::held();
            let mut search = builder().search(1);
            mesh.fuse.set(fuse);
            assert!(panics(|| drop(search.run())), "{name}");
            mesh.fuse.set(u32::MAX);
            assert_eq!(search.run(), Err(SearchError::Panicked), "{name}");
            search.restart(1);
            assert_eq!(but_bytes(search.run()), fresh, "{name}");
            drop(search);
            assert!(crate::counting::held() - before < 4096, "{name} gave all back");
        });
    }
}

/// Whatever happened before, a search that is begun anew has the report of a new one.
#[test]
fn a_search_from_both_ends_restarts_as_if_it_were_new() {
    let mesh = Mesh::new(3000, 1234);
    with_each!(&mesh, |name, builder| {
        let fresh = but_bytes(builder().search(1).run());
        let stops =
            [Limits::new().expansions(9), Limits::new().memory(3000), Limits::new().cost(1)];
        for limits in stops {
            let mut search = builder().limits(limits).search(1);
            assert!(matches!(search.run().unwrap().outcome, Outcome::Stopped(_)), "{name}");
            search.set_limits(Limits::new());
            for start in [5, 1] {
                search.restart(start);
                assert_eq!(but_bytes(search.run()), but_bytes(builder().search(start).run()));
            }
            search.restart(1);
            assert_eq!(but_bytes(search.run()), fresh, "{name}");
        }
    });
}

/// A second search with the same memory allocates its report and no more.
#[test]
fn a_search_from_both_ends_allocates_nothing_when_begun_anew() {
    with_each!(&Mesh::with(8_000, 8, true), |name, builder| {
        let mut search = builder().search(1);
        let first = search.run().unwrap();
        assert_eq!(first.outcome, Outcome::Exhausted);
        assert!(first.stats.expanded > 3_000, "{name}: {}", first.stats.expanded);
        search.restart(1);
        let before = crate::counting::calls();
        let second = search.run().unwrap();
        let calls = crate::counting::calls() - before;
        assert!(calls <= 40, "{name}: {calls} for {}", second.stats.expanded);
    });
}

/// What it holds is what it says, and within the limit at its peak.
#[test]
fn the_memory_of_a_search_from_both_ends_is_what_it_says() {
    let mesh = Mesh::with(8_000, 7_998, true);
    let mut stops = 0;
    with_each!(&mesh, |name, builder| {
        let mut limit = 30_000;
        while limit < 1 << 25 {
            let before = crate::counting::held();
            crate::counting::forget_peak();
            let mut search = builder().limits(Limits::new().memory(limit)).search(1);
            let report = search.run().unwrap();
            let peak = (crate::counting::peak() - before).cast_unsigned();
            let reported = report.layers.capacity() * size_of::<Layer<u32>>();
            let slack = limit / 100 + reported + (4 << 10);
            let said = usize::try_from(report.stats.peak_bytes).unwrap();
            assert!(said <= limit && search.bytes() <= said, "{name}");
            assert!(peak <= said + slack, "{name}: {peak} held, {said} said, {limit} allowed");
            if report.outcome != Outcome::Stopped(StopReason::Memory) {
                break;
            }
            stops += 1;
            limit += limit / 3;
        }
    });
    assert!(stops > 20, "{stops}");
}

/// Whether a try of many was within 5 ms: the machine may have other things to do.
fn is_prompt(mut try_once: impl FnMut() -> Duration) -> bool {
    let began = Instant::now();
    let mut tries = 0;
    while tries < 60 || began.elapsed() < Duration::from_secs(20) {
        if try_once() < Duration::from_millis(5) {
            return true;
        }
        tries += 1;
    }
    false
}

#[test]
fn a_search_from_both_ends_stops_in_time() {
    let mut mesh = Mesh::with(50_000, 49_998, true);
    for labour in [Duration::ZERO, Duration::from_micros(100)] {
        mesh.labour = labour;
        with_each!(&mesh, |name, builder| {
            let is_in_time = is_prompt(|| {
                let most = Duration::from_millis(1);
                let mut search = builder().limits(Limits::new().time(most)).search(1);
                let began = Instant::now();
                let report = search.run().unwrap();
                let took = began.elapsed();
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time), "{name}");
                took.checked_sub(most).expect("not before the time is up")
            });
            assert!(is_in_time, "{name}");
        });
    }
    let mesh = Mesh::new(1000, 7);
    with_each!(&mesh, |name, builder| {
        let token = CancelToken::new();
        token.cancel();
        let mut search = builder().limits(Limits::new().cancel(&token)).search(1);
        let report = search.run().unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled), "{name}");
        assert_eq!(report.stats.expanded, 0);
        search.set_limits(Limits::new());
        assert_eq!(but_bytes(search.run()), but_bytes(builder().search(1).run()));
    });
}

/// Two lists of numbers with steps between neighbours: from the first number of `there` on, and to the last of `back`.
struct Apart {
    there: Vec<u8>,
    back: Vec<u8>,
}

/// States of the second list have numbers from here on.
const BACK: u32 = 1000;

impl Apart {
    /// Lists the neighbours of a state.
    fn push(&self, state: u32, is_forward: bool, next: &mut Successors<Self>) {
        let (costs, first) = if state < BACK { (&self.there, 0) } else { (&self.back, BACK) };
        let at = state - first;
        let (step, to) =
            if is_forward { (Some(at), at + 1) } else { (at.checked_sub(1), at.wrapping_sub(1)) };
        if let Some(&cost) = step.and_then(|step| costs.get(step as usize)) {
            next.push(0, first + to, cost);
        }
    }

    fn end(&self) -> u32 {
        BACK + u32::try_from(self.back.len()).unwrap()
    }
}

impl SearchProblem for Apart {
    type State = u32;
    type Action = u32;
    type Cost = u8;

    fn successors(&self, &state: &u32, next: &mut Successors<Self>) {
        self.push(state, true, next);
    }

    fn is_goal(&self, &state: &u32) -> bool {
        state == self.end()
    }
}

impl Reversible for Apart {
    fn predecessors(&self, &state: &u32, next: &mut Successors<Self>) {
        self.push(state, false, next);
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        [self.end()].into_iter()
    }
}

impl DenseStates for Apart {
    fn state_count(&self) -> usize {
        self.end() as usize + 1
    }

    fn state_index(&self, &state: &u32) -> usize {
        state as usize
    }

    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

/// Whether there is no path, or none whose cost fits, does not depend on which half comes to its end first.
#[test]
fn one_half_without_an_overflow_proves_that_there_is_no_path() {
    let short = vec![200, 200];
    for length in 0..40 {
        let long = vec![1; length];
        for (there, back, fits) in [
            (short.clone(), long.clone(), true),
            (long, short.clone(), true),
            (short.clone(), vec![250, u8::try_from(length).unwrap() + 6], false),
        ] {
            let apart = Apart { there, back };
            let apart = reversing(&apart);
            let ends = [
                Bidirectional::new(apart).search(0).run(),
                Bidirectional::new(apart).nbs().search(0).run(),
                Bidirectional::new(apart).dijkstra().search(0).run(),
            ];
            for end in ends {
                let is_right = match &end {
                    Ok(report) => fits && report.outcome == Outcome::Exhausted,
                    Err(error) => !fits && matches!(error, SearchError::Overflow { .. }),
                };
                assert!(is_right, "{length}: {end:?}");
            }
        }
    }
}

/// The start leads to many states with an *f* each of their own, all below that of the last step before the goal.
struct Fan;

impl Fan {
    const LAST: u32 = 1000;
    const GOAL: u32 = 1001;
}

impl SearchProblem for Fan {
    type State = u32;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
        match n {
            0 => next.extend((1..Self::LAST).map(|n| ((), n, 1))),
            Self::LAST => next.push((), Self::GOAL, 5000),
            Self::GOAL => {}
            _ => next.push((), Self::LAST, 1000),
        }
    }

    fn heuristic(&self, &n: &u32) -> u32 {
        if n < Self::LAST { n } else { 0 }
    }

    fn is_goal(&self, &n: &u32) -> bool {
        n == Self::GOAL
    }
}

impl Reversible for Fan {
    fn predecessors(&self, &n: &u32, previous: &mut Successors<Self>) {
        match n {
            0 => {}
            Self::LAST => previous.extend((1..Self::LAST).map(|n| ((), n, 1000))),
            Self::GOAL => previous.push((), Self::LAST, 5000),
            _ => previous.push((), 0, 1),
        }
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        [Self::GOAL].into_iter()
    }
}

/// The bound rises a thousand times between the second expansion and the third.
#[test]
fn nbs_stops_in_time_while_its_bound_rises() {
    // The clock advances each time that it is read.
    let readings = Arc::new(AtomicU64::new(0));
    let clock = Clock::new(move || Duration::from_secs(readings.fetch_add(1, Ordering::Relaxed)));
    let limits = Limits::new().time(Duration::from_secs(500)).clock(clock);
    let mut search = Bidirectional::new(&Fan).nbs().limits(limits).search(0);
    let report = search.run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
    assert_eq!(report.stats.expanded, 2);
    // For the report it does not rise to the end.
    assert!(report.lower_bound > 400 && report.lower_bound < 600, "{}", report.lower_bound);
    search.set_limits(Limits::new());
    assert_eq!(search.run().unwrap().cost(), Some(6001));
}

/// The outcome and the lower bound of a search.
type End = Result<(Outcome<u32, (), u32>, u32), SearchError<u32>>;

/// Six states, of which 5 is the only goal.
struct Six {
    /// From, to, and the cost of each step.
    steps: &'static [(u32, u32, u32)],
    heuristics: [[u32; 6]; 2],
    /// What is said to be goals.
    listed: &'static [u32],
}

impl SearchProblem for Six {
    type State = u32;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
        let steps = self.steps.iter().filter(|(from, ..)| *from == n);
        next.extend(steps.map(|&(_, to, cost)| ((), to, cost)));
    }

    fn heuristic(&self, &n: &u32) -> u32 {
        self.heuristics[0][n as usize]
    }

    fn is_goal(&self, &n: &u32) -> bool {
        n == 5
    }
}

impl Reversible for Six {
    fn predecessors(&self, &n: &u32, previous: &mut Successors<Self>) {
        let steps = self.steps.iter().filter(|(_, to, _)| *to == n);
        previous.extend(steps.map(|&(from, _, cost)| ((), from, cost)));
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        self.listed.iter().copied()
    }

    fn heuristic_from(&self, _: &u32, &n: &u32) -> u32 {
        self.heuristics[1][n as usize]
    }
}

impl Six {
    /// What all ways to search from both ends come to.
    fn ends(&self) -> [End; 3] {
        let search = Bidirectional::new(self);
        [
            search.clone().search(0).run(),
            search.clone().nbs().search(0).run(),
            search.dijkstra().search(0).run(),
        ]
        .map(|end| end.map(|report| (report.outcome, report.lower_bound)))
    }
}

#[test]
fn a_path_to_a_listed_goal_that_is_none_is_an_error() {
    let steps = &[(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 4, 1), (4, 5, 1)];
    let line = Six { steps, heuristics: [[0; 6]; 2], listed: &[5, 2] };
    for end in line.ends() {
        assert_eq!(end, Err(SearchError::Path(PathError::NotAGoal)));
    }
}

#[test]
fn what_is_exhausted_has_no_path_whatever_the_heuristic_said() {
    // State 2 is reached at 8 and expanded before it is reached at 5, as the heuristic is not consistent.
    let no_way = Six {
        steps: &[(0, 2, 8), (0, 3, 1), (3, 2, 4), (1, 4, 3), (4, 5, 1)],
        heuristics: [[0, 17, 0, 14, 0, 14], [0, 0, 6, 0, 0, 15]],
        listed: &[5],
    };
    for end in no_way.ends() {
        assert_eq!(end, Ok((Outcome::Exhausted, u32::MAX)));
    }
}
