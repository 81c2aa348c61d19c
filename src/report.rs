//! The result of a search: [`Report`], [`Outcome`], [`Stats`], [`StopReason`], [`SearchError`].

mod display;
mod row;
#[cfg(feature = "serde")]
pub(crate) mod stored;

use std::fmt;

pub use row::ReportRow;

use crate::cost::Cost;
use crate::cost::ScalableCost;
use crate::disk_fault::DiskFault;
use crate::path::{Path, PathError, write_values};
use crate::problem::SearchProblem;

/// The result of a search: what it found and proved.
///
/// The same problem gives the same report, bit for bit: a report contains no times. (The report of a search that is
/// stopped by a time limit or a token depends on the moment of the stop. Searches on threads have the exceptions that
/// [chapter 7](crate::docs::ch7_scale) lists.)
///
/// With the feature `serde`, an infinite lower bound is stored as `None`: JSON has no infinity. Costs that are floats are the same when
/// they are read by `serde_json` only with its feature `float_roundtrip`; without it, the last bits may differ, and a cost that was
/// proved to be optimal may lie above its lower bound.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "S: serde::Serialize, A: serde::Serialize, C: Cost + serde::Serialize",
        deserialize = "S: serde::Deserialize<'de>, A: serde::Deserialize<'de>, C: Cost + serde::Deserialize<'de>"
    ))
)]
#[non_exhaustive]
#[must_use]
pub struct Report<S, A, C> {
    /// How the search ended.
    pub outcome: Outcome<S, A, C>,
    /// The best path so far, if the search was stopped and has found one. Engines that improve on a first solution
    /// usually have one: [`Anytime`](crate::Anytime), [`AnytimeAStar`](crate::AnytimeAStar), [`Focal`](crate::Focal),
    /// [`BoundedCost`](crate::BoundedCost), [`BranchAndBound`](crate::BranchAndBound),
    /// [`BreadthFirst`](crate::BreadthFirst), [`Beam`](crate::Beam), [`Rectangle`](crate::Rectangle),
    /// [`Bidirectional`](crate::Bidirectional), [`ExternalAStar`](crate::ExternalAStar), and, with many values of *f*,
    /// [`IdaStar`](crate::IdaStar). The others have one only if a goal had been reached when they stopped.
    pub incumbent: Option<Path<S, A, C>>,
    pub(crate) closest: Option<Path<S, A, C>>,
    /// A lower bound on the cost of every solution, if the heuristic is admissible; with float costs, up to rounding errors. After
    /// [`Outcome::Found`] by an optimal engine it is the cost of the path; after
    /// [`Outcome::Exhausted`] it is [`Cost::INFINITY`].
    #[cfg_attr(feature = "serde", serde(with = "stored"))]
    pub lower_bound: C,
    /// The counts.
    pub stats: Stats,
    /// One entry for each value of *f*, in order: an f-layer of a best-first engine, an iteration of
    /// IDA* (with the abandoned ones before it), a layer of breadth-first or beam search (with the
    /// smallest *f* in it, if that has risen). Branch and bound, rectangle search, anytime search and queries of a
    /// hierarchy have no layers, but one entry for everything. In orders that are not by *f* (weighted and anytime A*, focal, greedy
    /// search), an entry begins whenever an *f* larger than all before is expanded. Long lists are merged.
    pub layers: Vec<Layer<C>>,
}

/// The report of a search of `P`.
pub type ReportOf<P> =
    Report<<P as SearchProblem>::State, <P as SearchProblem>::Action, <P as SearchProblem>::Cost>;

impl<S, A, C: Cost> Report<S, A, C> {
    /// Returns the path found, or the best so far of a search that was stopped.
    #[must_use]
    pub fn path(&self) -> Option<&Path<S, A, C>> {
        match &self.outcome {
            Outcome::Found(path) => Some(path),
            _ => self.incumbent.as_ref(),
        }
    }

    /// Returns the path found, or the best so far, by value.
    #[must_use]
    pub fn into_path(self) -> Option<Path<S, A, C>> {
        match self.outcome {
            Outcome::Found(path) => Some(path),
            _ => self.incumbent,
        }
    }

    /// Returns the cost of [`path`](Self::path).
    #[must_use]
    pub fn cost(&self) -> Option<C> {
        self.path().map(Path::cost)
    }

    /// Returns the path to the state closest to a goal, if the search was stopped or found no path. That
    /// is the state with the least *h* of all that were ever open, and among equals the one with the
    /// least *g*.
    ///
    /// Engines that store the reached states and use a heuristic have one, for example A*, focal search and beams;
    /// [`IdaStar`](crate::IdaStar), [`ExternalAStar`](crate::ExternalAStar), [`Alternatives`](crate::Alternatives),
    /// [`Replanner`](crate::Replanner) and [`Pareto`](crate::Pareto) have none. For Dijkstra's algorithm, or for your own key, use
    /// [`closest_by`](crate::Search::closest_by) of the search. Two know less:
    /// [`Anytime`](crate::Anytime) has the states of weighted A*, those of the last pass of its beams, and the end of its best
    /// path; with [`AStar::threads`](crate::AStar::threads), states that are under way to another thread at a stop do not count.
    ///
    /// ```
    /// use bestfirst::{AStar, FnProblem, Limits};
    ///
    /// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |&n: &u32| 100_u32.saturating_sub(n), |&n| n == 100);
    /// let report = AStar::new(&line).limits(Limits::new().expansions(10)).search(0).run()?;
    /// assert!(report.path().is_none());
    /// assert_eq!(report.closest().map(|path| *path.end()), Some(10));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    #[doc(alias = "nearest")]
    #[must_use]
    pub fn closest(&self) -> Option<&Path<S, A, C>> {
        self.closest.as_ref()
    }

    /// Whether the path found costs no more than the lower bound.
    ///
    /// **This presumes that the heuristic is admissible**: that it never exceeds the cost of a cheapest
    /// path to a goal. No engine can check that. With a heuristic of, say, twice the true distance this may
    /// be `true` for a path that is not a cheapest one; it is `false` only if a state on the path itself reveals
    /// the overestimate. To search faster at the price of a longer path, do not scale the heuristic: use
    /// [`AStar::weight`](crate::AStar::weight), whose bound stays valid. To test a heuristic, use
    /// [`check::admissible`](crate::check::admissible).
    ///
    /// It also presumes that no sum of a pair or an array overflows in a later part;
    /// see [your own cost type](Cost#your-own-cost-type).
    ///
    /// With float costs, a heuristic whose value is too large by a rounding error alone can make the search miss a path that is
    /// cheaper by as much: this is then `true` up to [rounding errors](Cost#floats).
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.path().is_some_and(|path| path.cost() <= self.lower_bound)
    }
}

impl<S, A, C: ScalableCost> Report<S, A, C> {
    /// Returns the proved suboptimality bound: the cost of the path divided by the lower bound. The path costs at
    /// most this factor times the least cost. It is 1 for an optimal path, infinite if nothing is proved, and
    /// `None` without a path.
    ///
    /// Like [`is_optimal`](Self::is_optimal), it presumes that the heuristic is admissible. It does not require
    /// a weight: the path of greedy search, and an incumbent at a stop, have a bound, too.
    #[must_use]
    pub fn suboptimality(&self) -> Option<f64> {
        let cost = self.path()?.cost();
        if cost <= self.lower_bound {
            return Some(1.0);
        }
        let factor = cost.to_f64() / self.lower_bound.to_f64();
        Some(if factor.is_nan() { f64::INFINITY } else { factor.max(1.0) })
    }
}

/// How a search ended. The three variants are final: a `match` needs no wildcard arm. (Stop reasons may be added.)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        deserialize = "S: serde::Deserialize<'de>, A: serde::Deserialize<'de>, C: Cost + serde::Deserialize<'de>"
    ))
)]
pub enum Outcome<S, A, C> {
    /// With a path to a goal.
    Found(Path<S, A, C>),
    /// With the proof that no goal can be reached.
    Exhausted,
    /// At a limit. The limit can be raised and the search resumed.
    Stopped(StopReason),
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StopReason {
    /// The limit on expansions.
    Expansions,
    /// The disk, or the part of it that a [search on disk](crate::ExternalAStar) may use, is full.
    Disk,
    /// The search needs more memory than allowed or available.
    Memory,
    /// The table has no more ids for states. [`wide_ids`](crate::AStar::wide_ids) has more.
    States {
        /// The number of states that it can hold.
        most: u64,
    },
    /// The time is up.
    Time,
    /// There is a limit on the time but no clock: on `wasm32-unknown-unknown` without the feature
    /// `web-time` and without [your own clock](crate::Limits::clock). See [`clock`](crate::clock).
    NoClock,
    /// Every remaining solution costs more than allowed.
    Cost,
    /// The beam discarded states and found no path. There is no limit to raise: search with a larger
    /// [width](crate::Beam::width).
    Width,
    /// A [`CancelToken`](crate::CancelToken) was cancelled.
    Cancelled,
    /// No limit: the [report](crate::Search::report) was made between two [slices](crate::Search::run_for) of the
    /// search.
    Slice,
}

impl StopReason {
    /// Returns the reason in one word.
    fn word(self) -> &'static str {
        match self {
            Self::Expansions => "expansions",
            Self::Disk => "disk",
            Self::Memory => "memory",
            Self::States { .. } => "states",
            Self::Time => "time",
            Self::NoClock => "clock",
            Self::Cost => "cost",
            Self::Width => "width",
            Self::Cancelled => "cancelled",
            Self::Slice => "slice",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::States { most } => {
                return write!(f, "the table can hold at most {most} states");
            }
            Self::Disk => "the disk is full, or the limit on it is reached",
            Self::Expansions => "the limit on expansions is reached",
            Self::Memory => "there is no more memory, or the limit on it is reached",
            Self::Time => "the time is up",
            Self::NoClock => {
                "there is no clock to keep the limit on the time: enable the feature `web-time`, or give the \
                 limits a clock"
            }
            Self::Cost => "every solution left costs more than allowed",
            Self::Width => "the beam was too narrow to find a path",
            Self::Slice => "the report was made between two slices; the search can continue",
            Self::Cancelled => "the search was cancelled",
        })
    }
}

/// The counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Stats {
    /// Expanded states; a state expanded twice counts twice.
    pub expanded: u64,
    /// Generated successors, duplicates included.
    pub generated: u64,
    /// Successors that had been reached before, as far as the engine stores states.
    pub duplicates: u64,
    /// Cheaper paths found to states that had been expanded before. (Engines with an incumbent
    /// count pruned states, too.)
    pub reopened: u64,
    /// States with an infinite heuristic value: no goal can be reached from them.
    pub dead_ends: u64,
    /// Calls of the heuristic: one for each state, and another for a cheaper path to it if the
    /// table does not store *h*.
    pub evaluated: u64,
    /// Stored states. (IDA\*: those on its stack, where it does not recurse; not those in a
    /// [transposition table](crate::IdaStar::transposition_table).)
    pub stored: u64,
    /// The largest number of states that were open (IDA*: on the path) at one time.
    pub peak_frontier: u64,
    /// The largest number of bytes that the search held at one time. (If IDA\* is stopped, it may hold some more,
    /// because it copies its recursion to an explicit stack.)
    pub peak_bytes: u64,
    /// Expansions before the last f-layer. The expansions in the last layer depend on the order among equals;
    /// this number does not.
    pub expanded_before_last_layer: u64,
}

impl Stats {
    /// Adds what was counted in a part of the search. What is stored, and how much at most, is not.
    #[cfg(any(feature = "disk", feature = "parallel"))]
    #[inline]
    pub(crate) fn add(&mut self, part: &Self) {
        self.expanded += part.expanded;
        self.generated += part.generated;
        self.duplicates += part.duplicates;
        self.reopened += part.reopened;
        self.dead_ends += part.dead_ends;
        self.evaluated += part.evaluated;
    }
}

/// What comes from a file or from another process can be anything.
#[cfg(any(feature = "disk", feature = "distributed"))]
impl Stats {
    /// No search counts this many of anything.
    pub(crate) const MOST: u64 = 1 << 62;

    /// Whether nothing was counted more than `most` times.
    pub(crate) fn is_within(&self, most: u64) -> bool {
        let Self { expanded, generated, duplicates, reopened, dead_ends, evaluated, .. } = *self;
        let Self { stored, peak_frontier, peak_bytes, .. } = *self;
        let all = [expanded, generated, duplicates, reopened, dead_ends, evaluated];
        all.into_iter().chain([stored, peak_frontier, peak_bytes]).all(|count| count <= most)
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} expanded ({} before the last layer), {} generated, {} duplicates, {} reopened, \
             {} dead ends, {} stored, {} open at most, {} bytes at most",
            self.expanded,
            self.expanded_before_last_layer,
            self.generated,
            self.duplicates,
            self.reopened,
            self.dead_ends,
            self.stored,
            self.peak_frontier,
            self.peak_bytes
        )
    }
}

/// The counts at one value of *f*. Printed, they are a line of progress:
///
/// ```
/// use bestfirst::FnProblem;
///
/// let line = FnProblem::new(|&n: &u32| [(n + 1, 2_u32)], |_: &u32| 0, |&n: &u32| n == 9);
/// let report = bestfirst::astar(&line, 0)?;
/// assert_eq!(report.layers[3].to_string(), "f = 6: 1 expanded, 1 generated");
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
///
/// With the feature `serde`, an infinite bound is stored as `None`, as that of a [`Report`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "C: Cost + serde::Serialize",
        deserialize = "C: Cost + serde::Deserialize<'de>"
    ))
)]
#[non_exhaustive]
pub struct Layer<C> {
    /// The value of *f*; the largest if layers were merged to keep the list short.
    #[cfg_attr(feature = "serde", serde(with = "stored"))]
    pub bound: C,
    /// States expanded in it.
    pub expanded: u64,
    /// Successors generated in it.
    pub generated: u64,
}

impl<C: fmt::Debug> fmt::Display for Layer<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bound, expanded, generated } = self;
        write!(f, "f = {bound:?}: {expanded} expanded, {generated} generated")
    }
}

/// Invalid input. The statistics up to the error remain available.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SearchError<C> {
    /// A step or a start has a negative cost.
    NegativeCost {
        /// The cost of the state from which the step leads.
        g: C,
        /// The cost of the step.
        step: C,
    },
    /// A step, a start, a heuristic value, the limit on the cost or the bound of [`BoundedCost`](crate::BoundedCost) is not a number.
    NotANumber {
        /// The cost of the state that it belongs to.
        g: C,
        /// The value.
        value: C,
    },
    /// All remaining paths cost more than the cost type can hold. (Such paths are skipped; this error is
    /// returned only if nothing cheaper is found. Of pairs and arrays, some may fit; see
    /// [your own cost type](Cost#your-own-cost-type).)
    ///
    /// A search that stores its states returns it if a state was never reached, or never open, for this reason only,
    /// whatever the order of its expansions. So does IDA* with a transposition table: if it has found no path
    /// and met such a sum, it reaches all states once more and stores them, within its limits on memory and expansions.
    /// IDA* otherwise, [`Replanner`](crate::Replanner), [`Bidirectional`](crate::Bidirectional),
    /// [`ExternalAStar`](crate::ExternalAStar) and `Distributed` return it if a sum
    /// on any path did not fit. [`KBest`](crate::KBest) may end with it though no path of the kind that is asked for leads through the
    /// state that was left out.
    Overflow {
        /// The first term of the sum.
        g: C,
        /// The second term: the cost of a step or a heuristic value.
        added: C,
    },
    /// A [`DenseStates`](crate::DenseStates) problem returned an index out of range.
    StateIndex {
        /// The index.
        index: usize,
        /// The number of states that the problem reported.
        count: usize,
    },
    /// The problem or the observer panicked in an expansion or in a report, and the panic was caught.
    /// The search cannot continue, but it can be restarted.
    Panicked,
    /// The weight of weighted A* or focal search is negative or not finite, or the weights of anytime A* do not
    /// fall or are less than 1.
    Weight {
        /// The weight.
        weight: InvalidWeight,
    },
    /// The path to a state is longer than the number of states: the parents form a cycle. The cost type is
    /// not totally ordered, or its sums wrap around.
    ParentCycle {
        /// The number of stored states.
        states: usize,
    },
    /// The path to the goal could not be replayed: the problem did not push the same successors
    /// when a state was expanded again. Or a search backwards came from a state that is listed among the goals and is none.
    Path(PathError<C>),
    /// A file of a [search on disk](crate::ExternalAStar) cannot be used.
    Disk(DiskFault),
}

/// A weight that is negative or not finite.
///
/// It contains a pointer to its formatting code. So a program whose searches have no weights does not contain the
/// 20 KB that formats floating-point numbers, although the error type is the same.
#[derive(Clone, Copy)]
pub struct InvalidWeight {
    weight: f64,
    write: fn(f64, &mut fmt::Formatter<'_>) -> fmt::Result,
}

impl InvalidWeight {
    /// Returns the weight.
    #[must_use]
    pub fn get(self) -> f64 {
        self.weight
    }
}

impl From<f64> for InvalidWeight {
    #[inline]
    fn from(weight: f64) -> Self {
        Self { weight, write: |weight, f| fmt::Debug::fmt(&weight, f) }
    }
}

impl PartialEq for InvalidWeight {
    fn eq(&self, other: &Self) -> bool {
        self.weight == other.weight
    }
}

impl fmt::Debug for InvalidWeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.write)(self.weight, f)
    }
}

impl fmt::Display for InvalidWeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.write)(self.weight, f)
    }
}

impl<C: fmt::Debug> fmt::Display for SearchError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NegativeCost { g, step } => write_values(
                f,
                &[
                    "at cost ",
                    ", a step or a start costs ",
                    "; costs must not be negative (`check::consistent` finds the state)",
                ],
                &[g, step],
            ),
            Self::NotANumber { g, value } => write_values(
                f,
                &[
                    "at cost ",
                    ", a step, a start, the heuristic or a limit is ",
                    ", which is not a number (`check::consistent` finds the state)",
                ],
                &[g, value],
            ),
            Self::Overflow { g, added } => write_values(
                f,
                &["", " + ", " is infinite or more than the cost type can hold, and nothing cheaper is left"],
                &[g, added],
            ),
            Self::StateIndex { index, count } => write_values(
                f,
                &["a state has the index ", ", but there are only ", " states"],
                &[index, count],
            ),
            Self::Panicked => f.write_str(
                "the problem or the observer panicked in the middle of an expansion; the search cannot \
                 go on",
            ),
            Self::Weight { weight } => write_values(
                f,
                &[
                    "the weight is ",
                    "; it must be finite and not negative (of anytime A*, at least 1 and less than the \
                     one before)",
                ],
                &[weight],
            ),
            Self::ParentCycle { states } => write_values(
                f,
                &[
                    "the path to a state is longer than the ",
                    " states that are stored; the costs must be totally ordered, and adding to them must \
                     not make them smaller",
                ],
                &[states],
            ),
            Self::Path(fault) => {
                f.write_str("the path cannot be replayed: ")?;
                fault.fmt(f)
            }
            Self::Disk(fault) => fault.fmt(f),
        }
    }
}

impl<C: fmt::Debug + 'static> std::error::Error for SearchError<C> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Path(fault) => Some(fault),
            Self::Disk(fault) => Some(fault),
            _ => None,
        }
    }
}

impl<C> From<PathError<C>> for SearchError<C> {
    fn from(fault: PathError<C>) -> Self {
        Self::Path(fault)
    }
}
