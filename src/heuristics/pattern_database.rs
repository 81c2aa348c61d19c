//! [`PatternDatabase`]: the costs of an abstraction, one byte for each key.

use num_traits::PrimInt;

use super::builder::PatternDatabaseBuilder;
use super::error::BuildError;
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::problem::Reversible;

/// The cost to a goal in an abstraction of a problem, for every key: one byte each.
///
/// A *key* is a number that the caller computes from an abstract state. If several abstract states have the
/// same key, the smallest of their costs is stored, a lower bound for each of them. This can compress a database, for
/// example by leaving the blank of a sliding-tile puzzle out of the key.
///
/// - A cost above [`MOST`](Self::MOST) is stored as `MOST`, which is a lower bound, too.
/// - If no abstract state with a key can reach a goal, the key has no cost: its [`value`](Self::value)
///   is [`Cost::INFINITY`], a dead end.
///
/// The heuristic is **admissible** if the abstraction is valid: for every step of the problem, the abstract states must
/// be equal, or have a step between them that costs no more, and the abstraction of every
/// goal must be among the goals from which the database was built. It is consistent if, in addition, abstract states
/// with the same key have the same cost.
///
/// # Example
///
/// A machine with two dials of 60 and 35 positions, and a step that turns both. The abstraction has only the
/// first dial.
///
/// ```
/// use bestfirst::heuristics::PatternDatabase;
/// use bestfirst::{Reversible, SearchProblem, Successors, WithHeuristic};
///
/// struct Dials { sizes: [usize; 2] }
///
/// impl SearchProblem for Dials {
///     type State = [usize; 2];
///     type Action = &'static str;
///     type Cost = u32;
///
///     fn successors(&self, &[a, b]: &[usize; 2], next: &mut Successors<Self>) {
///         let [m, n] = self.sizes;
///         next.push("first", [(a + 7) % m, b], 2);
///         next.push("both", [(a + 1) % m, (b + 3) % n], 1);
///     }
///
///     fn is_goal(&self, state: &[usize; 2]) -> bool {
///         *state == [0, 0]
///     }
/// }
///
/// impl Reversible for Dials {
///     fn predecessors(&self, &[a, b]: &[usize; 2], previous: &mut Successors<Self>) {
///         let [m, n] = self.sizes;
///         previous.push("first", [(a + m - 7 % m) % m, b], 2);
///         previous.push("both", [(a + m - 1) % m, (b + n - 3 % n) % n], 1);
///     }
///
///     fn goals(&self) -> impl Iterator<Item = [usize; 2]> {
///         [[0, 0]].into_iter()
///     }
/// }
///
/// let machine = Dials { sizes: [60, 35] };
/// let first_alone = Dials { sizes: [60, 1] };
/// let database = PatternDatabase::build(&first_alone, [[0, 0]], |&[a, _]| a)?;
/// assert_eq!(database.len(), 60);
///
/// let informed = WithHeuristic::new(&machine, |&[a, _]: &[usize; 2]| database.value(a));
/// let report = bestfirst::astar(&informed, [17, 5])?;
/// let blind = bestfirst::dijkstra(&machine, [17, 5])?;
/// assert_eq!(report.cost(), blind.cost());
/// assert!(report.stats.expanded < blind.stats.expanded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct PatternDatabase {
    values: Vec<u8>,
}

impl PatternDatabase {
    /// The largest cost that an entry holds. Larger ones are stored as this value.
    pub const MOST: u8 = u8::MAX - 1;

    /// The entry of a key from which no goal can be reached.
    pub(super) const NONE: u8 = u8::MAX;

    pub(super) fn from_values(values: Vec<u8>) -> Self {
        Self { values }
    }

    /// Searches `abstraction` completely, backwards from `goals`, and stores for every key the smallest cost
    /// to a goal of its states.
    ///
    /// The keys should be small numbers: the database has one byte for each from 0 to the largest. For limits, an
    /// observer, or abstractions too large for a list of their states, use the
    /// [builder](Self::builder).
    ///
    /// Takes one expansion of Dijkstra's algorithm for each abstract state, and the memory for all of them
    /// during the build.
    ///
    /// # Errors
    ///
    /// A [`BuildError`]: a negative step, a cost too large for its type, or no memory.
    pub fn build<P>(
        abstraction: &P,
        goals: impl IntoIterator<Item = P::State>,
        key: impl Fn(&P::State) -> usize,
    ) -> Result<Self, BuildError<P::Cost>>
    where
        P: Reversible<Cost: PrimInt>,
    {
        Self::builder(abstraction).build(goals, key)
    }

    /// Creates a builder for a database of `abstraction` (owned or borrowed).
    pub fn builder<P: Reversible>(abstraction: P) -> PatternDatabaseBuilder<P> {
        PatternDatabaseBuilder::new(abstraction)
    }

    /// Returns the cost stored for a key: a lower bound on the cost of every state with that key.
    /// [`Cost::INFINITY`] if no goal can be reached, and for keys beyond the largest.
    ///
    /// For `i8`, whose infinity is 127, larger entries are returned as 126.
    #[inline]
    #[must_use]
    pub fn value<C: Cost + PrimInt>(&self, key: usize) -> C {
        match self.get(key) {
            Some(value) => C::from(value).filter(|&value| value < C::INFINITY).unwrap_or_else(most),
            None => C::INFINITY,
        }
    }

    /// Returns the entry of a key, or `None` if no goal can be reached.
    #[inline]
    #[must_use]
    pub fn get(&self, key: usize) -> Option<u8> {
        self.values.get(key).copied().filter(|&value| value != Self::NONE)
    }

    /// Returns the number of keys, one more than the largest. The database takes as many bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the number of keys with each cost, from 0 to [`MOST`](Self::MOST); the last number counts keys from
    /// which no goal can be reached.
    #[must_use]
    pub fn histogram(&self) -> [u64; 256] {
        let mut counts = [0; 256];
        for &value in &self.values {
            counts[usize::from(value)] += 1;
        }
        counts
    }

    /// Returns the stored entries: 255 if no goal can be reached.
    #[inline]
    #[must_use]
    pub fn entries(&self) -> &[u8] {
        &self.values
    }
}

/// Returns the largest cost of a type that is not infinity.
#[cold]
fn most<C: Cost + PrimInt>() -> C {
    C::INFINITY - C::one()
}

show_fields! { [] PatternDatabase, "PatternDatabase" (this) { keys = this.values.len() } }
