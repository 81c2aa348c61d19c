//! [`ReplanRecord`]: the record of a state; [`ReplanKey`]: the key of an open state.

use crate::cost::{Cost, bucket_of};
use crate::frontier::Key;
use crate::table::{Record, StateId};

/// The cost from a state to a goal, and the number of steps on that path.
///
/// Compared in lexicographic order, they grow with every step, even if a step costs nothing or too little to change a
/// float. Otherwise, states on a cycle of cost zero could support each other's cost after the path out is gone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToGo<C> {
    pub(super) cost: C,
    pub(super) steps: u32,
}

impl<C: Cost> ToGo<C> {
    /// No path is known.
    pub(super) const UNREACHED: Self = Self { cost: C::INFINITY, steps: u32::MAX };

    /// The state is a goal.
    pub(super) const GOAL: Self = Self { cost: C::ZERO, steps: 0 };

    /// Returns the value of a predecessor: one step more, at `cost`.
    #[inline]
    pub(super) fn behind(self, cost: C) -> Self {
        Self { cost, steps: self.steps.saturating_add(1).min(u32::MAX - 1) }
    }

    #[inline]
    pub(super) fn is_reached(self) -> bool {
        self.steps != u32::MAX
    }

    #[inline]
    pub(super) fn is_less(self, other: Self) -> bool {
        self.cost < other.cost || (self.cost == other.cost && self.steps < other.steps)
    }

    #[inline]
    pub(super) fn min(self, other: Self) -> Self {
        if other.is_less(self) { other } else { self }
    }
}

/// The record of a state in [`Replanner`](crate::Replanner): the cost to a goal at which it was last expanded (*g*),
/// the cost through its best successor (*rhs*), the numbers of steps on these paths, that successor, and the key of the
/// state in the open list.
///
/// [`Record::g`] and [`Record::parent`] are *rhs* and the successor. It takes 28 bytes for costs of 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplanRecord<C, I = u32> {
    g: ToGo<C>,
    rhs: ToGo<C>,
    key: ReplanKey<C>,
    next: I,
}

impl<C: Cost, I: StateId> Record for ReplanRecord<C, I> {
    type Cost = C;
    type Id = I;
    const KEEPS_H: bool = false;

    fn new(g: C, _h: C, parent: I) -> Self {
        let rhs = ToGo { cost: g, steps: 0 };
        Self { g: ToGo::UNREACHED, rhs, key: ReplanKey::NONE, next: parent }
    }

    #[inline]
    fn g(&self) -> C {
        self.rhs.cost
    }

    #[inline]
    fn h(&self) -> C {
        C::ZERO
    }

    #[inline]
    fn parent(&self) -> I {
        self.next
    }

    #[inline]
    fn is_closed(&self) -> bool {
        self.g == self.rhs
    }

    #[inline]
    fn close(&mut self) {
        self.g = self.rhs;
    }

    #[inline]
    fn reach(&mut self, g: C, parent: I) {
        (self.rhs, self.next) = (ToGo { cost: g, steps: 0 }, parent);
    }
}

/// A [`Record`] with both costs of a state. This trait is sealed: [`ReplanRecord`] is the only one.
pub trait ReplanningRecord: Record + sealed::BothCosts<Self::Cost, Self::Id> {}

impl<C: Cost, I: StateId> ReplanningRecord for ReplanRecord<C, I> {}

pub(super) mod sealed {
    use super::{Cost, ReplanKey, ReplanRecord, StateId, ToGo};

    /// The two costs of a state.
    pub trait BothCosts<C, I>: Sized {
        /// Creates the record of a state that was not expanded.
        fn open(rhs: ToGo<C>, next: I) -> Self;
        /// Returns *g* and *rhs*.
        fn both(&self) -> (ToGo<C>, ToGo<C>);
        /// Sets *g*.
        fn set_g(&mut self, g: ToGo<C>);
        /// Sets *rhs* and the best successor.
        fn set_rhs(&mut self, rhs: ToGo<C>, next: I);
        /// Returns the key in the open list.
        fn key(&self) -> ReplanKey<C>;
        fn set_key(&mut self, key: ReplanKey<C>);
    }

    impl<C: Cost, I: StateId> BothCosts<C, I> for ReplanRecord<C, I> {
        fn open(rhs: ToGo<C>, next: I) -> Self {
            Self { g: ToGo::UNREACHED, rhs, key: ReplanKey::NONE, next }
        }

        #[inline]
        fn both(&self) -> (ToGo<C>, ToGo<C>) {
            (self.g, self.rhs)
        }

        #[inline]
        fn set_g(&mut self, g: ToGo<C>) {
            self.g = g;
        }

        #[inline]
        fn set_rhs(&mut self, rhs: ToGo<C>, next: I) {
            (self.rhs, self.next) = (rhs, next);
        }

        #[inline]
        fn key(&self) -> ReplanKey<C> {
            self.key
        }

        #[inline]
        fn set_key(&mut self, key: ReplanKey<C>) {
            self.key = key;
        }
    }
}

/// The key of an open state of [`Replanner`](crate::Replanner): *f*, the estimated cost of a path from the start
/// through the state, and then the number of steps from the state to the goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplanKey<C> {
    pub(super) f: C,
    pub(super) steps: u32,
}

impl<C: Cost> ReplanKey<C> {
    /// The largest key: of a state that need not be expanded, and of a start that is not reached.
    pub(super) const NEVER: Self = Self { f: C::INFINITY, steps: u32::MAX };

    /// Marks a state outside the open list. (Only [`NEVER`](Self::NEVER) has as many steps.)
    pub(super) const NONE: Self = Self { f: C::ZERO, steps: u32::MAX };
}

impl<C: Cost> Key for ReplanKey<C> {
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        self.f < other.f || (self.f == other.f && self.steps < other.steps)
    }

    #[inline]
    fn to_buckets(self) -> Option<(usize, usize)> {
        Some((bucket_of(self.f)?, self.steps as usize))
    }

    #[inline]
    fn from_buckets(first: usize, second: usize) -> Option<Self> {
        Some(Self { f: C::restored(first), steps: u32::try_from(second).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_cost_nothing_count() {
        let here = ToGo { cost: 5.0, steps: 3 };
        let behind = here.behind(5.0);
        assert!(here.is_less(behind) && !behind.is_less(here));
        assert_eq!(here.min(behind), here);
        assert!(behind.is_less(ToGo::UNREACHED) && !ToGo::<f64>::UNREACHED.is_reached());
        let largest = ToGo { cost: u8::MAX, steps: u32::MAX - 1 };
        assert!(largest.is_less(ToGo::UNREACHED) && largest.behind(u8::MAX).is_reached());
    }

    #[test]
    fn keys_compare_f_and_then_steps() {
        let key = |f: u32, steps| ReplanKey { f, steps };
        assert!(key(3, 9).precedes(&key(4, 0)) && key(3, 1).precedes(&key(3, 2)));
        assert!(!key(3, 1).precedes(&key(3, 1)));
        assert!(key(u32::MAX, u32::MAX - 1).precedes(&ReplanKey::NEVER));
        for key in [key(3, 9), ReplanKey::NEVER] {
            let (first, second) = key.to_buckets().unwrap();
            assert_eq!(ReplanKey::from_buckets(first, second), Some(key));
        }
    }

    #[test]
    fn a_record_is_vacant_only_where_its_table_says_so() {
        let vacant = ReplanRecord::<u32>::new(u32::MAX, u32::MAX, u32::VACANT);
        assert!(vacant.is_vacant());
        let mut record = ReplanRecord::<u32>::new(7, 0, u32::NONE);
        assert!(!record.is_vacant() && !record.is_closed() && !ReplanRecord::<u32>::KEEPS_H);
        record.close();
        assert!(record.is_closed());
        record.reach(5, 3);
        assert!(!record.is_closed());
        assert_eq!((Record::g(&record), record.h(), record.parent()), (5, 0, 3));
    }
}
