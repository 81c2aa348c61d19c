//! [`Order`]: in which order states are expanded.

use std::fmt::{self, Debug};

use crate::cost::{Cost, ScalableCost};
use crate::frontier::{ByOrd, Key, Priority, Single};
use crate::report::SearchError;

/// The order of expansion of a best-first search.
///
/// Whatever the order, the engine stores the cheapest path to every state, reopens closed states, and
/// proves the least *f = g + h* of the open states as its lower bound. The order decides which solution
/// is found, and after how many expansions.
///
/// # Example
///
/// An order of your own: by *f*, and among equals the states that are farther from the goal first.
///
/// ```
/// use bestfirst::frontier::ByOrd;
/// use bestfirst::engine::Order;
/// use bestfirst::{AStar, FnProblem};
/// use std::cmp::Reverse;
///
/// #[derive(Debug)]
/// struct LargeHFirst;
///
/// impl Order<u32> for LargeHFirst {
///     type Key = ByOrd<(u32, Reverse<u32>)>;
///     const IS_BY_F: bool = true;
///
///     fn key(&self, _g: u32, h: u32, f: u32) -> Self::Key {
///         ByOrd((f, Reverse(h)))
///     }
/// }
///
/// let problem = FnProblem::new(
///     |&n: &u32| [(n + 1, 1_u32), (n + 5, 5)], |&n: &u32| 20_u32.saturating_sub(n), |&n: &u32| n >= 20,
/// );
/// let report = AStar::new(&problem).order(LargeHFirst).search(0).run()?;
/// assert_eq!(report.cost(), Some(20));
/// assert!(report.is_optimal());
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub trait Order<C: Cost>: Debug {
    /// What states are compared by; the least comes first.
    type Key: Key;

    /// Whether a state with a smaller key never has a larger *f*. The first goal is then a cheapest one,
    /// the least key gives the lower bound, and a limit on the cost ends the search at once.
    const IS_BY_F: bool = false;

    /// Whether the heuristic matters at all. Where it does not, it is never asked, and every *h* is zero.
    const USES_H: bool = true;

    /// The key of a state that was reached at cost `g` and is estimated to be `h` from a goal; `f` is
    /// `g + h`. For the same state it must not grow when `g` falls.
    fn key(&self, g: C, h: C, f: C) -> Self::Key;

    /// Whether an entry of the frontier with that key is current: whether the state still has it.
    #[inline]
    fn is_current(&self, key: Self::Key, g: C, h: C, f: C) -> bool {
        self.key(g, h, f) == key
    }

    /// The *h* of a state, if it can be told from its key: then tables need not keep it.
    #[inline]
    fn h_of(&self, key: Self::Key) -> Option<C> {
        let _ = key;
        None
    }

    /// Whether the order can be used at all. The search asks before its first expansion.
    ///
    /// # Errors
    ///
    /// The [`SearchError`] that the search is to end with.
    fn validate(&self) -> Result<(), SearchError<C>> {
        Ok(())
    }
}

/// The order of Dijkstra's algorithm: the smallest *g* first. The heuristic is never asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByG;

impl<C: Cost> Order<C> for ByG {
    type Key = Single<C>;
    const IS_BY_F: bool = true;
    const USES_H: bool = false;

    #[inline]
    fn key(&self, g: C, _h: C, _f: C) -> Single<C> {
        Single(g)
    }

    #[inline]
    fn is_current(&self, key: Single<C>, g: C, _h: C, _f: C) -> bool {
        key.0 == g
    }
}

/// The order of A*: the smallest *f = g + h* first, among equals the smallest *h* (that is, the largest *g*), rounded
/// where it is taken as a [part of *f*](Cost::part_of).
#[derive(Clone, Copy, Debug, Default)]
pub struct ByF;

impl<C: Cost> Order<C> for ByF {
    type Key = Priority<C>;
    const IS_BY_F: bool = true;

    #[inline]
    fn key(&self, _g: C, h: C, f: C) -> Priority<C> {
        Priority { first: f, second: h.part_of(f).unwrap_or(h) }
    }

    #[inline]
    fn is_current(&self, key: Priority<C>, _g: C, _h: C, f: C) -> bool {
        // The h of a state never changes.
        key.first == f
    }

    #[inline]
    fn h_of(&self, key: Priority<C>) -> Option<C> {
        C::ZERO.part_of(C::ZERO).is_none().then_some(key.second)
    }
}

/// The order of greedy best-first search: the smallest *h* first, among equals the smallest *g*.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByH;

impl<C: Cost> Order<C> for ByH {
    type Key = Priority<C>;

    #[inline]
    fn key(&self, g: C, h: C, _f: C) -> Priority<C> {
        Priority { first: h, second: g }
    }

    #[inline]
    fn h_of(&self, key: Priority<C>) -> Option<C> {
        Some(key.first)
    }
}

/// The order of weighted A*: the smallest *g + w·h* first, among equals the smallest *h*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByWeightedF {
    weight: f64,
}

impl ByWeightedF {
    /// The order with that weight. A weight that is negative or not finite is an error of the search.
    #[must_use]
    pub fn new(weight: f64) -> Self {
        Self { weight }
    }
}

impl<C: ScalableCost> Order<C> for ByWeightedF {
    type Key = Priority<C>;

    #[inline]
    fn key(&self, g: C, h: C, _f: C) -> Priority<C> {
        // A sum that does not fit into the type comes last; f is less and still fits.
        let sum = h.scale(self.weight).and_then(|weighted| g.checked_add(weighted));
        Priority { first: sum.unwrap_or(C::INFINITY), second: h }
    }

    #[inline]
    fn h_of(&self, key: Priority<C>) -> Option<C> {
        Some(key.second)
    }

    fn validate(&self) -> Result<(), SearchError<C>> {
        if self.weight.is_finite() && self.weight >= 0.0 {
            Ok(())
        } else {
            Err(SearchError::Weight { weight: self.weight.into() })
        }
    }
}

/// The order by a function of *g* and *h*.
#[derive(Clone, Copy)]
pub struct ByKey<F>(pub F);

impl<C: Cost, K: Ord + Copy + Debug, F: Fn(C, C) -> K> Order<C> for ByKey<F> {
    type Key = ByOrd<K>;

    #[inline]
    fn key(&self, g: C, h: C, _f: C) -> ByOrd<K> {
        ByOrd((self.0)(g, h))
    }
}

impl<F> Debug for ByKey<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_apply_to_h() {
        let key = |weight, g: u32, h| ByWeightedF::new(weight).key(g, h, g + h);
        assert_eq!(key(1.5, 10, 7), Priority { first: 20, second: 7 });
        assert_eq!(key(1.0, 10, 7), ByF.key(10, 7, 17));
        assert_eq!(key(2.0, 10, u32::MAX - 10).first, u32::MAX);
        for weight in [-1.0, f64::NAN, f64::INFINITY] {
            let error = Order::<u32>::validate(&ByWeightedF::new(weight)).unwrap_err();
            assert!(matches!(error, SearchError::Weight { .. }));
        }
        assert_eq!(Order::<u32>::validate(&ByWeightedF::new(0.0)), Ok(()));
    }

    #[test]
    fn h_is_rounded_to_a_part_of_f() {
        let part = |h: f32, f: f32| ByF.key(f - h, h, f).second.to_bits();
        assert_eq!([0.0, 100.0, 200.0, 400.0].map(|h| part(h, 400.0)), [0, 8191, 16383, 32767]);
        // The steps are small enough for whole numbers.
        assert!((1..=20_000_u16).map(|h| part(h.into(), 20_000.0)).is_sorted_by(|a, b| a < b));
        // What is no cost has none.
        assert_eq!([(0.0, 0.0), (-1.5, 2.0), (f32::NAN, 1.0)].map(|(h, f)| part(h, f)), [0; 3]);
        let current = ByF.key(99.25, 300.75, 400.0_f32);
        assert!(ByF.is_current(current, 99.25, 300.75, 400.0) && ByF.h_of(current).is_none());
        let long = ByF.key(99.25, 300.75, 400.0_f64);
        assert_eq!((long.first, long.second.to_bits()), (400.0, 24_636));
        assert!(ByF.is_current(long, 99.25, 300.75, 400.0) && ByF.h_of(long).is_none());
        assert_eq!(ByF.h_of(ByF.key(1, 301, 302)), Some(301_u32));
    }

    #[test]
    fn entries_of_an_older_g_are_stale() {
        assert!(
            ByF.is_current(ByF.key(3, 4, 7), 3, 4, 7) && !ByF.is_current(ByF.key(3, 4, 7), 2, 4, 6)
        );
        let key = ByH.key(3_u32, 4, 7);
        assert!(ByH.is_current(key, 3, 4, 7) && !ByH.is_current(key, 2, 4, 6));
        let by_g = ByKey(|g: u32, _h: u32| g);
        assert_eq!(by_g.key(3, 4, 7), ByOrd(3));
        assert_eq!(format!("{by_g:?}"), "ByKey");
    }
}
