//! [`PatternDatabase`]: the costs of an abstraction, one byte a key.

use std::fmt;

use num_traits::PrimInt;

use super::builder::PatternDatabaseBuilder;
use super::error::BuildError;
use crate::cost::Cost;
use crate::problem::Reversible;

/// The cost to a goal in an abstraction of a problem, for every key: one byte each.
///
/// A *key* is a number that the caller computes of an abstract state. Where several abstract states have the
/// same key, the smallest of their costs is stored: so a database can be compressed, for example by leaving
/// the blank of a sliding-tile puzzle out of the key. The smallest is a lower bound for each of them.
///
/// - A cost above [`MOST`](Self::MOST) is stored as `MOST`, which is a lower bound, too.
/// - A key that no abstract state has from which a goal can be reached has no cost: [`value`](Self::value)
///   is [`Cost::INFINITY`], a dead end.
///
/// The heuristic is **admissible** if the abstraction is one: for every step of the problem there must be a
/// step between the abstract states that costs no more, or these must be equal, and the abstraction of every
/// goal must be among the goals that the database was built from. It is consistent if in addition no two
/// abstract states with different costs have the same key.
///
/// # Example
///
/// A machine with two dials of 60 and 35 positions, and a step that turns both. The abstraction knows the
/// first dial only.
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
    /// The largest cost that an entry holds. Larger ones are stored as this.
    pub const MOST: u8 = u8::MAX - 1;

    /// The entry of a key from which no goal can be reached.
    pub(super) const NONE: u8 = u8::MAX;

    pub(super) fn from_values(values: Vec<u8>) -> Self {
        Self { values }
    }

    /// Searches `abstraction` backwards from `goals`, completely, and stores for every key the smallest cost
    /// to a goal of the states that have it.
    ///
    /// The keys should be small numbers: there is a byte for each from 0 to the largest. To set limits, to
    /// watch it, or for abstractions too large for a list of their states, use the
    /// [builder](Self::builder).
    ///
    /// Takes one expansion of Dijkstra's algorithm for each abstract state, and the memory for all of them
    /// until it is done.
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

    /// The cost that is stored for a key: a lower bound on the cost of every state with that key.
    /// [`Cost::INFINITY`] if no goal can be reached, and for keys beyond the largest.
    ///
    /// Costs of an `i8` go up to 127, which is infinity: larger entries are 126 there.
    #[inline]
    #[must_use]
    pub fn value<C: Cost + PrimInt>(&self, key: usize) -> C {
        match self.get(key) {
            Some(value) => C::from(value).filter(|&value| value < C::INFINITY).unwrap_or_else(most),
            None => C::INFINITY,
        }
    }

    /// The entry of a key, or `None` if no goal can be reached.
    #[inline]
    #[must_use]
    pub fn get(&self, key: usize) -> Option<u8> {
        self.values.get(key).copied().filter(|&value| value != Self::NONE)
    }

    /// The number of keys: the largest, and one more. The database takes as many bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// How many keys have each cost, from 0 to [`MOST`](Self::MOST); the last number is that of keys from
    /// which no goal can be reached.
    #[must_use]
    pub fn histogram(&self) -> [u64; 256] {
        let mut counts = [0; 256];
        for &value in &self.values {
            counts[usize::from(value)] += 1;
        }
        counts
    }

    /// The entries as they are stored: 255 where no goal can be reached.
    #[inline]
    #[must_use]
    pub fn entries(&self) -> &[u8] {
        &self.values
    }
}

/// The largest cost of a type that is not infinity.
#[cold]
fn most<C: Cost + PrimInt>() -> C {
    C::INFINITY - C::one()
}

impl fmt::Debug for PatternDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PatternDatabase").field("keys", &self.values.len()).finish_non_exhaustive()
    }
}
