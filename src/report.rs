//! What a search reports at its end: [`Report`], [`Outcome`], [`Stats`], [`StopReason`], [`SearchError`].

use std::fmt;

use crate::cost::Cost;
use crate::cost::ScalableCost;
use crate::engine::DiskFault;
use crate::path::{Path, PathError, write_values};
use crate::problem::SearchProblem;

/// All that a search found and proved.
///
/// The same problem gives the same report, bit for bit: it holds no times. (A search that is stopped by a
/// time limit or a token is the exception: its report depends on when it was stopped.)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        deserialize = "S: serde::Deserialize<'de>, A: serde::Deserialize<'de>, C: Cost + serde::Deserialize<'de>"
    ))
)]
#[non_exhaustive]
#[must_use]
pub struct Report<S, A, C> {
    /// How it ended.
    pub outcome: Outcome<S, A, C>,
    /// Of a search that was stopped: the best path so far. Only engines that improve on a first solution have
    /// one: [`AnytimeAStar`](crate::AnytimeAStar), [`Focal`](crate::Focal),
    /// [`BranchAndBound`](crate::BranchAndBound), [`BreadthFirst`](crate::BreadthFirst),
    /// [`Beam`](crate::Beam), [`Rectangle`](crate::Rectangle), [`DiskSearch`](crate::DiskSearch), and, where there are many values of *f*,
    /// [`IdaStar`](crate::IdaStar).
    pub incumbent: Option<Path<S, A, C>>,
    pub(crate) closest: Option<Path<S, A, C>>,
    /// No solution costs less, if the heuristic never overestimates. After
    /// [`Outcome::Found`] by an optimal engine it is the cost of the path; after
    /// [`Outcome::Exhausted`] it is [`Cost::INFINITY`].
    pub lower_bound: C,
    /// What was counted.
    pub stats: Stats,
    /// One entry for each value of *f*, in order: an f-layer of a best-first engine, an iteration of
    /// IDA* (with those that were given up before it), a layer of breadth-first or beam search (at the
    /// smallest *f* in it, if that has risen). Branch and bound and rectangle search have no layers, and one
    /// entry for everything. In orders that are not by *f* (weighted and anytime A*, focal, greedy
    /// search), an entry begins whenever an *f* larger than all before is expanded. Long lists are merged.
    pub layers: Vec<Layer<C>>,
}

/// The report of a search of `P`.
pub type ReportOf<P> =
    Report<<P as SearchProblem>::State, <P as SearchProblem>::Action, <P as SearchProblem>::Cost>;

impl<S, A, C: Cost> Report<S, A, C> {
    /// The path found, or the best so far of a search that was stopped.
    #[must_use]
    pub fn path(&self) -> Option<&Path<S, A, C>> {
        match &self.outcome {
            Outcome::Found(path) => Some(path),
            _ => self.incumbent.as_ref(),
        }
    }

    /// The path found, or the best so far, by value.
    #[must_use]
    pub fn into_path(self) -> Option<Path<S, A, C>> {
        match self.outcome {
            Outcome::Found(path) => Some(path),
            _ => self.incumbent,
        }
    }

    /// The cost of [`path`](Self::path).
    #[must_use]
    pub fn cost(&self) -> Option<C> {
        self.path().map(Path::cost)
    }

    /// Of a search that was stopped or found no path: the path to the state that is closest to a goal. That
    /// is the one with the least *h* of all that were open at some time, among equals the one with the
    /// least *g*.
    ///
    /// Engines that keep the states they have reached and use a heuristic have one: A*, greedy search,
    /// branch and bound, breadth-first search. For Dijkstra's algorithm, or for a key of yours, ask the
    /// search itself: [`closest_by`](crate::Search::closest_by).
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
    /// be `true` for a path that is not a cheapest one; it is `false` only if a state on the path itself shows
    /// the overestimate. To search faster at the price of a longer path, do not scale the heuristic: use
    /// [`AStar::weight`](crate::AStar::weight), whose bound stays true. To test a heuristic, use
    /// [`check::admissible`](crate::check::admissible).
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.path().is_some_and(|path| path.cost() <= self.lower_bound)
    }
}

impl<S, A, C: ScalableCost> Report<S, A, C> {
    /// The proven suboptimality factor: the cost of the path divided by the lower bound. The path costs at
    /// most that many times the least cost. It is 1 for an optimal path, infinite if nothing is proved, and
    /// `None` without a path.
    ///
    /// Like [`is_optimal`](Self::is_optimal) it presumes that the heuristic is admissible. It does not need
    /// a weight: the path of greedy search, and an incumbent at a stop, have a factor, too.
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

/// How a search ended. These three are all, now and later: a `match` needs no other arm. (Reasons to stop may be
/// added.)
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

/// Which limit ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StopReason {
    /// As many states as allowed have been expanded.
    Expansions,
    /// The disk, or the part of it that a [search on disk](crate::DiskSearch) may use, is full.
    Disk,
    /// More memory would be needed than is allowed, or than there is.
    Memory,
    /// The table can number no more states. [`wide_ids`](crate::AStar::wide_ids) number more.
    States {
        /// How many states it can number.
        most: u64,
    },
    /// The time is up.
    Time,
    /// There is a limit on the time and no clock to keep it: on `wasm32-unknown-unknown` without the feature
    /// `web-time` and without a [clock of yours](crate::Limits::clock). See [`clock`](crate::clock).
    NoClock,
    /// Every solution left costs more than allowed.
    Cost,
    /// The width of a beam left out states, and no path was found. No limit can be raised: search with a larger
    /// [width](crate::Beam::width).
    Width,
    /// A [`CancelToken`](crate::CancelToken) was cancelled.
    Cancelled,
    /// No limit: the search is between two [slices](crate::Search::run_for), and its
    /// [report](crate::Search::report) was asked for.
    Slice,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::States { most } => {
                return write!(f, "the table can number {most} states and no more");
            }
            Self::Disk => "the disk is full, or the limit on it is reached",
            Self::Expansions => "the limit on expansions is reached",
            Self::Memory => "the limit on memory is reached",
            Self::Time => "the time is up",
            Self::NoClock => {
                "there is no clock to keep the limit on the time: enable the feature `web-time`, or give the \
                 limits a clock"
            }
            Self::Cost => "every solution left costs more than allowed",
            Self::Width => "the beam was too narrow to find a path",
            Self::Slice => "the search was asked between two slices, and can go on",
            Self::Cancelled => "the search was cancelled",
        })
    }
}

/// What a search counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Stats {
    /// States whose successors were asked for; a state expanded twice counts twice.
    pub expanded: u64,
    /// Successors that were pushed, useful or not.
    pub generated: u64,
    /// Successors that were reached before, as far as the engine stores states.
    pub duplicates: u64,
    /// How often a cheaper path was found to a state that was expanded before. (Engines with an incumbent
    /// count pruned states, too.)
    pub reopened: u64,
    /// States whose heuristic value says that no goal can be reached.
    pub dead_ends: u64,
    /// How often the heuristic was asked: once for a state, and again for a cheaper path to it where the
    /// table keeps no *h*.
    pub evaluated: u64,
    /// States that are stored.
    pub stored: u64,
    /// The most states that were open (of IDA*: on the path) at one time.
    pub peak_frontier: u64,
    /// The most bytes that the search held at one time. (IDA\* may hold some more if it is stopped in between, because it
    /// puts on a stack then what it has come to by recursion.)
    pub peak_bytes: u64,
    /// Expansions before the last f-layer. How many states of the last layer are expanded before the goal is
    /// found depends on the order among equals; this number does not.
    pub expanded_before_last_layer: u64,
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

/// What was done at one value of *f*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Layer<C> {
    /// The value of *f*; the largest where layers were merged to keep the list short.
    pub bound: C,
    /// States expanded in it.
    pub expanded: u64,
    /// Successors generated in it.
    pub generated: u64,
}

/// Invalid input. Statistics gathered so far remain available.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SearchError<C> {
    /// A step, or a start, costs less than nothing.
    NegativeCost {
        /// The cost of the state from which the step leads.
        g: C,
        /// The cost of the step.
        step: C,
    },
    /// A step, a start, a heuristic value or the bound of [`BoundedCost`](crate::BoundedCost) is not a number.
    NotANumber {
        /// The cost of the state that it belongs to.
        g: C,
        /// The value.
        value: C,
    },
    /// All remaining paths cost more than the cost type can hold. (Such paths are skipped; this error is
    /// returned only if nothing cheaper is found.)
    ///
    /// A search that keeps its states says so if a state was never reached, or never open, for that reason only, whatever
    /// the order of its expansions; IDA*, [`Replanner`](crate::Replanner) and [`Bidirectional`](crate::Bidirectional), if a sum
    /// on any path did not fit.
    Overflow {
        /// The first term of a sum that was too large.
        g: C,
        /// The second: a step or a heuristic value.
        added: C,
    },
    /// A [`DenseStates`](crate::DenseStates) problem gave a state a number that is out of range.
    StateIndex {
        /// The number.
        index: usize,
        /// How many states the problem says that it has.
        count: usize,
    },
    /// The problem or the observer panicked in the middle of an expansion, and the panic was caught:
    /// the search cannot go on. It can be restarted.
    Panicked,
    /// The weight of weighted A* or focal search is negative or not finite, or the weights of anytime A* do not
    /// fall or are less than 1.
    Weight {
        /// The weight.
        weight: InvalidWeight,
    },
    /// The path to a state is longer than there are states: the parents form a cycle. Then the cost type is
    /// not totally ordered, or its sums wrap around.
    ParentCycle {
        /// How many states are stored.
        states: usize,
    },
    /// The path to the goal could not be replayed: the problem did not push the same successors
    /// when it was asked about a state again.
    Path(PathError<C>),
    /// A file of a [search on disk](crate::DiskSearch) cannot be used.
    Disk(DiskFault),
}

/// A weight that is negative or not finite.
///
/// It brings the code with it that writes it: a program whose searches have no weights need not hold the
/// 20 KB that writing floating-point numbers takes, although their errors have the same type.
#[derive(Clone, Copy)]
pub struct InvalidWeight {
    weight: f64,
    write: fn(f64, &mut fmt::Formatter<'_>) -> fmt::Result,
}

impl InvalidWeight {
    /// The weight.
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
                &["a step from cost ", " costs ", "; costs must not be negative"],
                &[g, step],
            ),
            Self::NotANumber { g, value } => write_values(
                f,
                &["at cost ", " a step, the heuristic or a bound is ", ", which is no number"],
                &[g, value],
            ),
            Self::Overflow { g, added } => write_values(
                f,
                &["", " + ", " is more than the cost type can hold, and nothing cheaper is left"],
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
