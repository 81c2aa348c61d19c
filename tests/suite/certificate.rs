//! Certificates: every engine that keeps a table can make one at any time, the checker accepts it, and rejects
//! what proves nothing.

use std::fmt::Debug;

use bestfirst::certificate::{
    self, CertificateFault, CheckError, Claim, Level, NoCertificate, Proved, Where,
};
use bestfirst::engine::Engine;
use bestfirst::frontier::LazyHeap;
use bestfirst::problems::amphipod::{Burrow, BurrowState, Literal, Reduced, Rules};
use bestfirst::problems::crucible::{Crucible, HeatMap};
use bestfirst::problems::sliding_tiles::{self, Board, SlidingTiles, Tracked};
use bestfirst::{
    AStar, BranchAndBound, BreadthFirst, Cost, Dijkstra, Encode, FnProblem, Greedy, IdaStar,
    Limits, Outcome, Search, SearchError, SearchProblem, WithHeuristic,
};
use cpu_time::ProcessTime;
use support::engines::erased;
use support::erased::problem;
use support::random::{Problem, Random, Truth, Units};
use support::random::{every, is_enough, rounds};

const LEVELS: [Level; 3] = [Level::NoHeuristic, Level::Admissible, Level::Consistent];

/// A certificate as bytes, in the parts that the documentation names.
#[derive(Clone, Debug)]
struct File {
    /// The mark, the version, the level, the claim, and the sizes.
    head: Vec<u8>,
    bound: Vec<u8>,
    listed: Vec<Vec<u8>>,
    trusted: Vec<Vec<u8>>,
}

/// Where the byte is that says that there is no solution.
const CLAIM: usize = 17;

impl File {
    fn parse<S: Encode, C: Encode>(bytes: &[u8]) -> Self {
        let (head, rest) = bytes.split_at(34);
        let h = if head[16] == 2 { C::BYTES } else { 0 };
        let (counts, rest) = rest.split_at(16);
        let (listed, trusted) = <(usize, usize)>::decode(counts).unwrap();
        let (bound, mut rest) = rest.split_at(C::BYTES);
        let mut take = |bytes: usize| {
            let (entry, after) = rest.split_at(bytes);
            rest = after;
            entry.to_vec()
        };
        let listed = (0..listed).map(|_| take(S::BYTES + C::BYTES + h)).collect();
        let trusted = (0..trusted).map(|_| take(S::BYTES + h)).collect();
        assert_eq!(rest.len(), 8, "the checksum is left");
        Self { head: head.to_vec(), bound: bound.to_vec(), listed, trusted }
    }

    /// The bytes, with the right counts and checksum.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.clone();
        bytes.extend((self.listed.len() as u64).to_le_bytes());
        bytes.extend((self.trusted.len() as u64).to_le_bytes());
        bytes.extend(&self.bound);
        bytes.extend(self.listed.iter().chain(&self.trusted).flatten());
        let mut sum = 0xCBF2_9CE4_8422_2325_u64;
        for &byte in &bytes {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    fn entry<S: Encode, C: Encode>(&self, entry: usize) -> (S, C) {
        <(S, C)>::decode(&self.listed[entry][..<(S, C)>::BYTES]).unwrap()
    }

    fn set_label<S: Encode, C: Encode>(&mut self, entry: usize, label: &C) {
        label.encode(&mut self.listed[entry][S::BYTES..<(S, C)>::BYTES]);
    }
}

fn encoded<T: Encode>(value: &T) -> Vec<u8> {
    let mut bytes = vec![0; T::BYTES];
    value.encode(&mut bytes);
    bytes
}

type Certified<C> = Result<(Claim<C>, Vec<u8>), NoCertificate<C>>;

/// The certificate of a search as bytes.
fn certified<E: Engine<State: Encode, Cost: Encode>, P>(
    search: &mut Search<E>,
    problem: &P,
    starts: &[(E::State, E::Cost)],
    level: Level,
) -> Certified<E::Cost>
where
    P: SearchProblem<State = E::State, Cost = E::Cost>,
{
    let certificate = search.certificate(problem, starts.iter().cloned(), level)?;
    assert_eq!(certificate.level(), level);
    let mut file = Vec::new();
    certificate.write(&mut file).unwrap();
    Ok((certificate.claim(), file))
}

#[derive(Debug, Default)]
struct Tally {
    certificates: u64,
    stopped: u64,
    unsolvable: u64,
    /// Claims that are weaker than the report.
    weaker: u64,
    inconsistent: u64,
    /// Certificates of the last level where nothing had to be trusted.
    certain: u64,
    raised: u64,
    errors: u64,
}

/// Runs a search, and checks its certificates on all levels.
fn examine<C: Units + Encode, E>(
    problem: &Problem<C, u32>,
    search: &mut Search<E>,
    uses_h: bool,
    tally: &mut Tally,
) where
    E: Engine<State = u32, Cost = C>,
{
    let starts = problem.starts();
    let report = match search.run() {
        Ok(report) => report,
        Err(error) => {
            let none = certified(search, problem, &starts, Level::Admissible).unwrap_err();
            assert_eq!(none, NoCertificate::Search(error));
            tally.errors += 1;
            return;
        }
    };
    let expected = match report.outcome {
        Outcome::Exhausted => Claim::Unsolvable,
        _ => Claim::AtLeast(report.lower_bound),
    };
    tally.stopped += u64::from(matches!(report.outcome, Outcome::Stopped(_)));
    tally.unsolvable += u64::from(expected == Claim::Unsolvable);
    for level in LEVELS {
        let (claim, file) = match certified(search, problem, &starts, level) {
            Ok(certificate) => certificate,
            Err(NoCertificate::Inconsistent { h, cost, next }) if level == Level::Consistent => {
                assert!(h.exceeds(cost.checked_add(next).unwrap()));
                tally.inconsistent += 1;
                continue;
            }
            Err(none) => panic!("{none}"),
        };
        tally.certificates += 1;
        let is_whole = level != Level::NoHeuristic || !uses_h;
        if is_whole && claim != expected {
            let (Claim::AtLeast(weaker), Claim::AtLeast(bound)) = (claim, expected) else {
                panic!("{claim:?}, not {expected:?}")
            };
            assert!(weaker < bound, "{claim:?}, not {expected:?}");
            tally.weaker += 1;
        }
        match (claim, problem.graph.truth) {
            (Claim::AtLeast(bound), Truth::Costs(units)) => {
                assert!(!bound.exceeds(C::of(units, problem.graph.scale)), "{level:?} {claim:?}");
            }
            (Claim::Unsolvable, truth) => assert_eq!(truth, Truth::Unreachable),
            _ => {}
        }
        let proved = if level == Level::Admissible {
            certificate::check(problem, starts.clone(), file.as_slice())
        } else {
            // The heuristic is not asked.
            let without = WithHeuristic::new(problem, |_: &u32| -> C { panic!("asked for h") });
            certificate::check(&without, starts.clone(), file.as_slice())
        };
        let proved: Proved<C> = proved.unwrap_or_else(|error| panic!("{level:?}: {error}"));
        assert_eq!((proved.claim, proved.level), (claim, level));
        if level == Level::Consistent {
            tally.certain += u64::from(proved.trusted == 0);
        } else {
            assert_eq!(proved.trusted, 0);
        }
        // No list of states proves what is not true. (Costs above the type are no solutions for it.)
        if let Truth::Costs(units) = problem.graph.truth {
            let mut damaged = File::parse::<u32, C>(&file);
            if units < problem.graph.most {
                damaged.bound = encoded(&C::of(units + 1, problem.graph.scale));
                assert!(
                    is_rejected(problem, &starts, &damaged.bytes()),
                    "a bound above the optimum"
                );
                tally.raised += 1;
            }
            damaged.head[CLAIM] = 1;
            assert!(is_rejected(problem, &starts, &damaged.bytes()), "no solution");
        }
    }
}

fn is_rejected<P: SearchProblem<State: Encode, Cost: Encode>>(
    problem: &P,
    starts: &[(P::State, P::Cost)],
    file: &[u8],
) -> bool {
    certificate::check(problem, starts.iter().cloned(), file).is_err()
}

/// A search may not end where a chain is endless.
const PATIENCE: u64 = 300;

fn examine_all<C: Units + Encode>(seeds: std::ops::Range<u64>, nodes: usize) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let problem = &Problem::<C, u32>::random(seed, nodes);
        let p = erased(problem);
        let dense = problem.graph.chain.is_none();
        // At the end, and at every stop.
        for limit in [PATIENCE].into_iter().chain(0..20) {
            let limits = || Limits::new().expansions(limit);
            macro_rules! engines {
                ($($uses_h:literal $if:expr => $builder:expr;)*) => {$(
                    if $if {
                        let mut search = $builder.limits(limits()).search_from(problem.starts());
                        examine(problem, &mut search, $uses_h, &mut tally);
                    }
                )*};
            }
            engines! {
                false true => Dijkstra::new(p);
                true true => AStar::new(p);
                true dense => AStar::new(p).dense().frontier(LazyHeap::new());
                true true => AStar::new(p).weight(1.5);
                true true => Greedy::new(p);
                true true => BreadthFirst::new(p);
                true dense => BranchAndBound::new(p).dense();
                true true => BranchAndBound::new(p);
            }
        }
        // Bounds that were reported before count, too.
        let mut search = AStar::new(p).search_from(problem.starts());
        for limit in 0..30 {
            search.set_limits(Limits::new().expansions(limit));
            examine(problem, &mut search, true, &mut tally);
        }
    }
    tally
}

#[test]
fn every_search_has_a_certificate_at_every_stop() {
    let tally = examine_all::<i32>(0..rounds(48), 12);
    println!("{tally:?}");
    assert!(
        is_enough(tally.stopped, 240)
            && is_enough(tally.unsolvable, 1_200)
            && is_enough(tally.raised, 10_000),
        "{tally:?}"
    );
    assert!(
        is_enough(tally.inconsistent, 240) && is_enough(tally.certain, 240) && tally.weaker == 0,
        "{tally:?}"
    );
}

#[test]
fn costs_near_the_maximum_have_certificates() {
    let tally = examine_all::<u8>(125..125 + rounds(100), 8);
    println!("{tally:?}");
    assert!(is_enough(tally.errors, 66) && is_enough(tally.raised, 6_600), "{tally:?}");
}

#[test]
fn sums_of_floats_have_certificates() {
    let tally = examine_all::<f64>(0..rounds(15), 10);
    println!("{tally:?}");
    assert!(is_enough(tally.raised, 3_000), "{tally:?}");
}

/// A way in which a certificate is damaged so that it proves nothing any more.
#[derive(Clone, Copy, Debug)]
enum Damage {
    /// An entry is left out. Every listed state is needed: at the cost at which the first entry that leads to it
    /// does so, it is covered by nothing else.
    Dropped,
    /// The label of a state is raised above the cost of a path to it that nothing else covers.
    Raised,
    /// Two states change places, so that one of them gets such a label.
    Swapped,
    /// The bound is raised above the optimum: no list proves that.
    Bound,
    /// The same, and the goal is listed.
    Goal,
    /// The claim is that there is no solution, where there is one.
    Claim,
    /// An entry is moved to the front, where nothing has led to its state.
    Moved,
    /// An entry is there twice.
    Doubled,
    /// Some bits of one byte are changed, and the checksum is not.
    Flipped,
    /// The end is missing.
    Cut,
    /// Something follows the end.
    Longer,
}

const DAMAGES: [Damage; 11] = [
    Damage::Dropped,
    Damage::Raised,
    Damage::Swapped,
    Damage::Bound,
    Damage::Goal,
    Damage::Claim,
    Damage::Moved,
    Damage::Doubled,
    Damage::Flipped,
    Damage::Cut,
    Damage::Longer,
];

/// A problem with a certificate that is to be damaged.
struct Patient<'p, P: SearchProblem> {
    problem: &'p P,
    start: (P::State, P::Cost),
    goal: Option<(P::State, P::Cost)>,
    file: Vec<u8>,
}

impl<'p, P> Patient<'p, P>
where
    P: SearchProblem<State: Encode + Debug, Cost: Encode>,
{
    fn new(problem: &'p P, start: (P::State, P::Cost)) -> Self {
        let mut search = AStar::new(problem).search_from([start.clone()]);
        let path = search.run().unwrap().into_path();
        let goal = path.map(|path| (path.end().clone(), path.cost()));
        let starts = [start.clone()];
        let (_, file) = certified(&mut search, problem, &starts, Level::Admissible).unwrap();
        assert!(!is_rejected(problem, &starts, &file));
        Self { problem, start, goal, file }
    }

    /// The number of an entry, and the cost of a path to its state that only its label covers.
    fn needed(&self, file: &File, random: &mut Random) -> (usize, P::Cost) {
        let number = |state: &P::State| {
            (0..file.listed.len()).find(|&entry| file.entry::<P::State, P::Cost>(entry).0 == *state)
        };
        let bound = P::Cost::decode(&file.bound).unwrap();
        let is_unsolvable = file.head[CLAIM] == 1;
        loop {
            let (state, label) = file.entry::<P::State, P::Cost>(random.index(file.listed.len()));
            let mut next = bestfirst::Successors::<P>::new();
            self.problem.successors(&state, &mut next);
            if next.is_empty() {
                continue;
            }
            let step = &next.as_slice()[random.index(next.len())];
            let g = label.checked_add(step.cost).unwrap();
            let h = self.problem.heuristic(&step.state);
            let is_far = g.checked_add(h).is_none_or(|f| f >= bound) && !is_unsolvable;
            if h < P::Cost::INFINITY
                && !is_far
                && let Some(entry) = number(&step.state)
            {
                return (entry, g);
            }
        }
    }

    /// A damaged copy, or `None` where this damage is not possible.
    fn damaged(
        &self,
        damage: Damage,
        raise: impl Fn(P::Cost) -> P::Cost,
        random: &mut Random,
    ) -> Option<Vec<u8>> {
        let mut file = File::parse::<P::State, P::Cost>(&self.file);
        let mut bytes = self.file.clone();
        match damage {
            Damage::Dropped => {
                file.listed.remove(random.index(file.listed.len()));
            }
            Damage::Raised => {
                let (entry, g) = self.needed(&file, random);
                file.set_label::<P::State, _>(entry, &raise(g));
            }
            Damage::Swapped => {
                let (entry, g) = self.needed(&file, random);
                let larger = |&other: &usize| file.entry::<P::State, P::Cost>(other).1 > g;
                let others: Vec<_> = (0..file.listed.len()).filter(larger).collect();
                let other = *others.get(random.index(others.len().max(1)))?;
                let [a, b] = [entry, other].map(|entry| file.listed[entry].clone());
                let size = P::State::BYTES;
                file.listed[entry][..size].copy_from_slice(&b[..size]);
                file.listed[other][..size].copy_from_slice(&a[..size]);
            }
            Damage::Bound => file.bound = encoded(&raise(self.goal.as_ref()?.1)),
            Damage::Goal => {
                let (goal, cost) = self.goal.as_ref()?;
                file.bound = encoded(&raise(*cost));
                file.listed.push([encoded(goal), encoded(cost)].concat());
            }
            Damage::Claim => {
                self.goal.as_ref()?;
                file.head[CLAIM] = 1;
            }
            Damage::Moved => {
                if file.listed.len() < 2 {
                    return None;
                }
                let entry = file.listed.remove(1 + random.index(file.listed.len() - 1));
                file.listed.insert(0, entry);
            }
            Damage::Doubled => {
                let entry = file.listed[random.index(file.listed.len())].clone();
                file.listed.push(entry);
            }
            Damage::Flipped => {
                let at = random.index(bytes.len());
                bytes[at] ^= 1 + u8::try_from(random.below(255)).unwrap();
                return Some(bytes);
            }
            Damage::Cut => {
                bytes.truncate(random.index(bytes.len()));
                return Some(bytes);
            }
            Damage::Longer => {
                bytes.push(0);
                return Some(bytes);
            }
        }
        Some(file.bytes())
    }

    /// Damages it `times` times. Returns how many were tried and how many rejected, by damage.
    fn damage(
        &self,
        times: u64,
        raise: impl Fn(P::Cost) -> P::Cost,
        random: &mut Random,
    ) -> [(u32, u32); 11] {
        let mut counts = [(0, 0); 11];
        let starts = [self.start.clone()];
        for _ in 0..times {
            let which = random.index(DAMAGES.len());
            if let Some(file) = self.damaged(DAMAGES[which], &raise, random) {
                counts[which].0 += 1;
                counts[which].1 += u32::from(is_rejected(self.problem, &starts, &file));
            }
        }
        counts
    }
}

const HOPELESS: &str = "#########\n#.......#\n#C#B#A#D#\n#D#A#B#C#\n#########";

fn map() -> HeatMap {
    HeatMap::random(12, 12, 3).unwrap()
}

#[test]
fn every_damage_is_rejected() {
    let random = &mut Random::new(5);
    let above = |cost: u32, random: u32| cost + 1 + random;
    let mut sums = [(0, 0); 11];
    let mut add = |counts: [(u32, u32); 11]| {
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum = (sum.0 + count.0, sum.1 + count.1);
        }
    };
    let solvable: Reduced = Reduced::new(&Burrow::example()).unwrap();
    let hopeless: Reduced = Reduced::new(&HOPELESS.parse().unwrap()).unwrap();
    for problem in [&solvable, &hopeless] {
        let patient = Patient::new(problem, problem.start());
        add(patient.damage(rounds(400), |cost| above(cost, 7), random));
    }
    let crucible = Crucible::new(&map(), 1..=3).unwrap();
    add(Patient::new(&crucible, (crucible.start(), 0)).damage(
        rounds(400),
        |cost| above(cost, 0),
        random,
    ));
    let tiles = SlidingTiles::<sliding_tiles::Packed>::new(3, 3).unwrap();
    let start = tiles.state(&"8 6 7 2 5 4 3 . 1".parse::<Board>().unwrap()).unwrap();
    add(Patient::new(&tiles, (start, 0)).damage(rounds(100), |cost| cost + 1, random));
    println!("{DAMAGES:?}\n{sums:?}");
    let (tried, rejected) = sums.iter().fold((0, 0), |all, sum| (all.0 + sum.0, all.1 + sum.1));
    assert_eq!(rejected, tried, "{sums:?}");
    assert!(is_enough(tried, 999) && sums.iter().all(|sum| is_enough(sum.0, 20)), "{sums:?}");
}

/// Every entry of a certificate is needed.
#[test]
fn no_state_can_be_left_out() {
    for seed in 0..100 {
        let problem = Problem::<i32, u32>::random(seed, 12);
        let Ok((_, file)) = certified(
            &mut {
                let mut search = AStar::new(erased(&problem))
                    .limits(Limits::new().expansions(50))
                    .search_from(problem.starts());
                let _ = search.run();
                search
            },
            &problem,
            &problem.starts(),
            Level::Admissible,
        ) else {
            continue;
        };
        let whole = File::parse::<u32, i32>(&file);
        for entry in 0..whole.listed.len() {
            let mut file = whole.clone();
            file.listed.remove(entry);
            assert!(is_rejected(&problem, &problem.starts(), &file.bytes()), "{seed}: {entry}");
        }
    }
}

fn verified<P>(problem: &P, start: (P::State, P::Cost)) -> Claim<P::Cost>
where
    P: SearchProblem<State: Encode, Cost: Encode>,
{
    let mut search = AStar::new(problem).search_from([start.clone()]);
    let report = search.run().unwrap();
    let (claim, file) =
        certified(&mut search, problem, std::slice::from_ref(&start), Level::Admissible).unwrap();
    let proved = certificate::check(problem, [start], file.as_slice()).unwrap();
    assert_eq!(proved.claim, claim);
    match report.path() {
        Some(path) => {
            path.verify(problem).unwrap();
            assert_eq!(claim, Claim::AtLeast(path.cost()));
        }
        None => assert_eq!(claim, Claim::Unsolvable),
    }
    claim
}

#[test]
fn the_examples_have_certificates() {
    let burrow = Burrow::example();
    let [one, two]: [Reduced; 2] =
        [&burrow, &burrow.unfolded().unwrap()].map(|burrow| Reduced::new(burrow).unwrap());
    assert_eq!(verified(&one, one.start()), Claim::AtLeast(12521));
    assert_eq!(verified(&two, two.start()), Claim::AtLeast(44169));
    let literal: Literal<2, u32> = Literal::new(&burrow, Rules::new()).unwrap();
    assert_eq!(verified(&literal, (literal.start(), 0)), Claim::AtLeast(12521));
    let hopeless: Burrow = HOPELESS.parse().unwrap();
    let literal: Literal<2, u32> = Literal::new(&hopeless, Rules::new()).unwrap();
    assert_eq!(verified(&literal, (literal.start(), 0)), Claim::Unsolvable);
    let reduced: Reduced = Reduced::new(&hopeless).unwrap();
    assert_eq!(verified(&reduced, reduced.start()), Claim::Unsolvable);
    for range in [1..=3, 4..=10] {
        let crucible = Crucible::new(&map(), range).unwrap();
        verified(&crucible, (crucible.start(), 0));
    }
}

/// Runs a search, makes its certificate and checks it; prints the processor time of each.
fn timed<E, P>(
    name: &str,
    mut search: Search<E>,
    problem: &P,
    start: (E::State, E::Cost),
) -> Claim<E::Cost>
where
    E: Engine<State: Encode, Cost: Encode>,
    P: SearchProblem<State = E::State, Cost = E::Cost>,
{
    let mut now = ProcessTime::now();
    let mut lap = || std::mem::replace(&mut now, ProcessTime::now()).elapsed();
    let report = search.run().unwrap();
    let searched = lap();
    let certificate = search.certificate(problem, [start.clone()], Level::Admissible).unwrap();
    let made = lap();
    let (mut file, listed) = (Vec::new(), certificate.listed());
    certificate.write(&mut file).unwrap();
    drop((search, certificate));
    lap();
    let proved = certificate::check(problem, [start], file.as_slice()).unwrap();
    let checked = lap();
    let (expanded, bytes) = (report.stats.expanded, file.len());
    println!(
        "| {name} | {expanded} | {searched:.2?} | {listed} | {made:.2?} | {bytes} | {checked:.2?} |"
    );
    proved.claim
}

#[test]
#[ignore = "takes half a gigabyte and, not optimised, ten seconds"]
fn korf_2_has_a_certificate() {
    println!("| case | expanded | search | listed | making | bytes | checking |");
    let burrow = Burrow::example().unfolded().unwrap();
    let reduced: Reduced = Reduced::new(&burrow).unwrap();
    let search = AStar::new(&reduced).search_from([reduced.start()]);
    let claim = timed("amphipod, part 2, reduced", search, &reduced, reduced.start());
    assert_eq!(claim, Claim::AtLeast(44169));
    let literal: Literal<2, u32> = Literal::new(&burrow, Rules::new()).unwrap();
    let start = literal.start();
    let search = AStar::new(&literal).search(start);
    let claim = timed("amphipod, part 2, literal", search, &literal, (start, 0));
    assert_eq!(claim, Claim::AtLeast(44169));
    let map = HeatMap::random(141, 141, 1).unwrap();
    let crucible = Crucible::new(&map, 4..=10).unwrap();
    let search = AStar::new(&crucible).dense().search(crucible.start());
    timed("crucible, 141×141, runs of 4 to 10, dense", search, &crucible, (crucible.start(), 0));

    let Some(file) = support::data::data("korf15/korf100.csv") else { return };
    let lines = std::fs::read_to_string(file).unwrap();
    let tiles = lines.lines().find_map(|line| line.strip_prefix("2,43,55,15300442,")).unwrap();
    let puzzle = SlidingTiles::<sliding_tiles::Packed>::new(4, 4).unwrap();
    let start = puzzle.state(&tiles.parse::<Board>().unwrap()).unwrap();
    let claim = timed("15-puzzle, Korf 2", AStar::new(&puzzle).search(start), &puzzle, (start, 0));
    assert_eq!(claim, Claim::AtLeast(55));
}

#[test]
fn an_engine_without_a_table_says_so() {
    let problem = problem(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 3);
    let mut search = IdaStar::new(&problem).search(0);
    assert_eq!(search.run().unwrap().cost(), Some(3));
    let none = search.certificate(&problem, [(0, 0)], Level::Admissible).unwrap_err();
    assert_eq!(none, NoCertificate::NoTable);
    assert!(none.to_string().contains("A*"), "{none}");
}

#[test]
fn a_search_with_an_error_has_none() {
    let negative = problem(|&n: &u32| [(n + 1, -1_i32)], |_: &u32| 0, |&n: &u32| n == 3);
    let mut search = AStar::new(&negative).search(0);
    let error = search.run().unwrap_err();
    let none = search.certificate(&negative, [(0, 0)], Level::Admissible).unwrap_err();
    assert_eq!(none, NoCertificate::Search(error));
    // A search that has not begun has proved nothing; the problem is looked at no further.
    let mut search = AStar::new(&negative).search(0);
    let certificate = search.certificate(&negative, [(0, 0)], Level::Admissible).unwrap();
    assert_eq!((certificate.claim(), certificate.listed()), (Claim::AtLeast(0), 0));
    // Nor is another problem than the one that was searched.
    let other = problem(|&n: &u32| [(n + 1, 1_i32)], |_: &u32| 0, |&n: &u32| n == 3);
    let mut search = AStar::new(&other).search(0);
    assert_eq!(search.run().unwrap().cost(), Some(3));
    let none = search.certificate(&negative, [(0, 0)], Level::Admissible).unwrap_err();
    assert_eq!(none, NoCertificate::Search(SearchError::NegativeCost { g: 0, step: -1 }));
}

/// A line of numbers with a certificate at 5, and what is wrong with it.
fn line() -> Box<dyn SearchProblem<State = u8, Action = (), Cost = u16>> {
    problem(
        |&n: &u8| [(n + 1, 1_u16), (n, 0)],
        |&n: &u8| u16::from(5_u8.saturating_sub(n)).min(2),
        |&n: &u8| n == 5,
    )
}

fn line_file(level: Level) -> Vec<u8> {
    let problem = line();
    let mut search = Dijkstra::new(&problem).search(0);
    assert_eq!(search.run().unwrap().cost(), Some(5));
    certified(&mut search, &problem, &[(0, 0)], level).unwrap().1
}

fn error_of(file: &[u8]) -> CheckError<u16> {
    certificate::check(&line(), [(0, 0)], file).unwrap_err()
}

/// A file that cannot be read.
struct Broken;
impl std::io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::ConnectionReset.into())
    }
}

/// One of which every second reading is interrupted.
struct Interrupted<'a>(&'a [u8], bool);
impl std::io::Read for Interrupted<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        self.1 = !self.1;
        if self.1 { Err(std::io::ErrorKind::Interrupted.into()) } else { self.0.read(bytes) }
    }
}

#[test]
fn readings_of_a_file_may_be_interrupted() {
    let file = line_file(Level::NoHeuristic);
    for is_first in [false, true] {
        assert!(certificate::check(&line(), [(0, 0)], Interrupted(&file, is_first)).is_ok());
    }
}

#[test]
fn a_file_that_is_none_is_told_with_its_place() {
    let file = line_file(Level::NoHeuristic);
    let whole = File::parse::<u8, u16>(&file);
    assert_eq!(whole.listed.len(), 5);
    let byte = |byte, fault| CheckError { place: Where::Byte(byte), fault };
    assert_eq!(error_of(&[]), byte(0, CertificateFault::Short));
    assert_eq!(
        error_of(b"certificate"),
        byte(
            0,
            CertificateFault::Number {
                what: "the mark of a certificate at the beginning of the file",
                found: u64::from_le_bytes(*b"certific"),
                expected: u64::from_le_bytes(*b"bestcert"),
            }
        )
    );
    let changed = |at: usize, to: u8| {
        let mut file = file.clone();
        file[at] = to;
        error_of(&file)
    };
    let what = "the version of the format";
    assert_eq!(changed(8, 2), byte(8, CertificateFault::Number { what, found: 2, expected: 1 }));
    assert_eq!(
        changed(16, 3),
        byte(16, CertificateFault::Bytes { expected: "a level: 0, 1 or 2" })
    );
    assert_eq!(changed(17, 2), byte(17, CertificateFault::Bytes { expected: "0 or 1" }));
    let what = "the number of bytes of a state of this problem";
    assert_eq!(changed(18, 8), byte(18, CertificateFault::Number { what, found: 8, expected: 1 }));
    let what = "the number of bytes of a cost of this problem";
    assert_eq!(changed(26, 8), byte(26, CertificateFault::Number { what, found: 8, expected: 2 }));
    let error = changed(27, 1);
    assert_eq!(
        error.to_string(),
        "byte 26: the number of bytes of a cost of this problem is 0x102; it must be 0x2"
    );
    // More entries than there are bytes.
    let error = changed(40, 0xFF);
    assert_eq!(error.fault, CertificateFault::Short);
    let (mut long, last) = (file.clone(), file.len() as u64);
    long.push(1);
    assert_eq!(error_of(&long), byte(last, CertificateFault::Long));
    assert!(matches!(changed(file.len() - 1, 0x55).fault, CertificateFault::Number { .. }));

    let error = certificate::check(&line(), [(0, 0)], Broken).unwrap_err();
    assert_eq!(error, byte(0, CertificateFault::Read(std::io::ErrorKind::ConnectionReset)));
}

#[test]
fn a_list_that_proves_nothing_is_told_with_its_entry() {
    let whole = File::parse::<u8, u16>(&line_file(Level::NoHeuristic));
    let at = |entry, step| Where::Entry { entry, byte: 52 + 3 * entry as u64, step };
    let claim = Claim::AtLeast(5);
    let error = |change: &dyn Fn(&mut File)| {
        let mut file = whole.clone();
        change(&mut file);
        error_of(&file.bytes())
    };
    let dropped = error(&|file| drop(file.listed.remove(3)));
    let fault = CertificateFault::Uncovered { g: Some(3), h: 0, label: None, claim };
    assert_eq!(dropped, CheckError { place: at(2, Some(0)), fault });
    assert_eq!(
        dropped.to_string(),
        "entry 2 (byte 58), successor 0: a path to this state costs 3, and its h is 0; it must be listed with \
         a label of no more than that cost. Otherwise the claim does not follow: no solution costs less than 5"
    );
    let raised = error(&|file| file.set_label::<u8, u16>(3, &4));
    let fault = CertificateFault::Uncovered { g: Some(3), h: 0, label: Some(4), claim };
    assert_eq!(raised, CheckError { place: at(2, Some(0)), fault });
    let unlisted = error(&|file| file.listed.clear());
    let fault = CertificateFault::Uncovered { g: Some(0), h: 0, label: None, claim };
    assert_eq!(unlisted, CheckError { place: Where::Start(0), fault });
    let moved = error(&|file| file.listed.swap(2, 3));
    assert_eq!(moved, CheckError { place: at(2, None), fault: CertificateFault::NotReached });
    let doubled = error(&|file| file.listed.push(file.listed[1].clone()));
    assert_eq!(doubled, CheckError { place: at(5, None), fault: CertificateFault::Twice });
    let goal = error(&|file| {
        file.bound = encoded(&6_u16);
        file.listed.push(encoded(&(5_u8, 5_u16)));
    });
    let fault = CertificateFault::Goal { label: 5, claim: Claim::AtLeast(6) };
    assert_eq!(goal, CheckError { place: at(5, None), fault });
    // No value is trusted on this level.
    let trusting = error(&|file| file.trusted.push(encoded(&5_u8)));
    let what = "the number of states without a label";
    let fault = CertificateFault::Number { what, found: 1, expected: 0 };
    assert_eq!(trusting, CheckError { place: Where::Byte(42), fault });
    // What is not reached is never asked about: n + 1 would overflow.
    let foreign = error(&|file| file.listed.push(encoded(&(255_u8, 0_u16))));
    assert_eq!(foreign, CheckError { place: at(5, None), fault: CertificateFault::NotReached });

    let negative = FnProblem::new(|&n: &u8| [(n + 1, -1_i16)], |_: &u8| 0, |&n: &u8| n == 5);
    let error = certificate::check(&negative, [(0, 0)], whole.bytes().as_slice()).unwrap_err();
    assert_eq!(
        error,
        CheckError { place: at(0, Some(0)), fault: CertificateFault::Step { cost: -1 } }
    );
    let mut file = whole.clone();
    file.bound = encoded(&-1_i16);
    let error = certificate::check(&negative, [(0, 0)], file.bytes().as_slice()).unwrap_err();
    assert_eq!(error.fault, CertificateFault::Bytes { expected: "a cost of at least zero" });
}

#[test]
fn listed_heuristic_values_are_checked() {
    let file = line_file(Level::Consistent);
    let whole = File::parse::<u8, u16>(&file);
    // Two steps before the goal h alone excuses a state.
    assert_eq!((whole.listed.len(), whole.trusted.len()), (3, 1));
    let error = |change: &dyn Fn(&mut File)| {
        let mut file = whole.clone();
        change(&mut file);
        error_of(&file.bytes()).fault
    };
    assert_eq!(error(&|file| file.trusted.clear()), CertificateFault::NoValue);
    let fault = CertificateFault::Inconsistent { h: 4, cost: 1, next: 2 };
    assert_eq!(error(&|file| file.listed[2][3] = 4), fault);
    assert_eq!(error(&|file| file.trusted.push(vec![9, 0, 0])), CertificateFault::NotReached);
    let low = error(&|file| file.trusted[0][1] = 1);
    assert!(matches!(low, CertificateFault::Uncovered { h: 1, .. }), "{low}");
    // A goal whose value is not zero.
    let problem = problem(|&n: &u8| [(n + 1, 3_u16)], |_: &u8| 0, |&n: &u8| n == 1);
    let mut search = Dijkstra::new(&problem).search(0);
    assert_eq!(search.run().unwrap().cost(), Some(3));
    let (_, file) = certified(&mut search, &problem, &[(0, 0)], Level::Consistent).unwrap();
    let mut file = File::parse::<u8, u16>(&file);
    file.trusted[0][1] = 1;
    let error = certificate::check(&problem, [(0, 0)], file.bytes().as_slice()).unwrap_err();
    assert_eq!(error.fault, CertificateFault::GoalValue { h: 1 });
}

/// States that are equal may differ in what their successors are made of: the file's must be the problem's.
#[test]
fn what_equality_does_not_see_is_checked() {
    let puzzle = SlidingTiles::<Tracked>::new(3, 3).unwrap();
    let start = puzzle.state(&"8 6 7 2 5 4 3 . 1".parse::<Board>().unwrap()).unwrap();
    let mut search = AStar::new(&puzzle).search(start);
    assert!(search.run().unwrap().is_optimal());
    let (_, file) = certified(&mut search, &puzzle, &[(start, 0)], Level::Admissible).unwrap();
    assert!(!is_rejected(&puzzle, &[(start, 0)], &file));
    let whole = File::parse::<Tracked, u16>(&file);
    assert!(whole.listed.len() > 100);
    for entry in (0..100).step_by(every(1)) {
        for at in [8, 10] {
            let mut file = whole.clone();
            file.listed[entry][at] ^= 1;
            let error = certificate::check(&puzzle, [(start, 0)], file.bytes().as_slice());
            assert_eq!(error.unwrap_err().fault, CertificateFault::NotReached, "entry {entry}");
        }
    }
}

#[test]
fn states_of_the_ready_problems_come_back_from_their_bytes() {
    fn check<T: Encode + PartialEq + Debug>(value: &T) {
        assert_eq!(T::decode(&encoded(value)).as_ref(), Ok(value));
    }
    let reduced: Reduced = Reduced::new(&Burrow::example()).unwrap();
    check::<BurrowState<1>>(&reduced.start().0);
    check(&Crucible::new(&map(), 1..=3).unwrap().start());
    let board: Board = "1 4 2 6 3 5 7 . 8".parse().unwrap();
    check(&SlidingTiles::<sliding_tiles::Packed<u128>>::new(3, 3).unwrap().state(&board).unwrap());
    check(&SlidingTiles::<Tracked<[u8; 9]>>::new(3, 3).unwrap().state(&board).unwrap());
    check(&bestfirst::problems::grid_map::Cell::new(3, 700));
    check(&bestfirst::problems::grid_map::Length::octile(3, 7));
    let graph = "p sp 2 1\na 1 2 5\n";
    let network = bestfirst::problems::road_network::RoadNetwork::read(graph.as_bytes()).unwrap();
    check(&network.node(2).unwrap());
    assert!(bestfirst::problems::road_network::NodeId::decode(&[0xFF; 4]).is_err());
}
