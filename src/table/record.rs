//! [`Record`]: the data of a reached state; [`StateId`]: the number of a state.

use std::cell::Cell;
use std::fmt::Debug;
use std::hash::Hash;
use std::mem::take;

use super::Full;
use super::coordinates::Point;
use super::hashed::{Group, Groups, KEPT};
use super::numbers::Numbers;
use crate::cost::{Cost, PackedCost};
use crate::frontier::Rank;
use crate::memory::{Memory, OutOfMemory};

/// The number of a state in a table: `u32` (the default: up to 2³¹ − 1 states) or `u64`.
///
/// A record holds the id of its parent, so the width of the ids is a type parameter of the record. This
/// trait is sealed.
pub trait StateId: Copy + Ord + Hash + Debug + Send + Sync + 'static + sealed::Sealed {
    /// No state: the parent of a start. Ids are smaller.
    const NONE: Self;

    /// The parent that marks the record of a state that is not stored. Tables that use it have no state with this id:
    /// a [`DenseTable`](super::DenseTable) has fewer states.
    const VACANT: Self;

    /// Returns the id with this index, which must be below that of [`NONE`](Self::NONE).
    fn from_index(index: usize) -> Self;

    /// Returns the id as an index.
    fn index(self) -> usize;

    /// Returns the id as a `u64`.
    fn to_u64(self) -> u64;

    /// The inverse of `to_u64`.
    fn from_u64(number: u64) -> Self;
}

pub(crate) mod sealed {
    use super::{Full, Group, Groups, Memory, Numbers, Point, Rank, StateId};

    /// What the frontiers and tables of this crate do with ids.
    pub trait Sealed: Sized {
        /// An entry of a [`BucketQueue`](crate::frontier::BucketQueue): a rank and an id in one integer.
        type Ranked: Rank;

        fn with_rank(self, rank: u32) -> Self::Ranked;

        fn of_ranked(ranked: Self::Ranked) -> Self;

        /// Returns the id with a mark in its highest bit.
        #[must_use]
        fn marked(self) -> Self;

        fn is_marked(&self) -> bool;

        #[must_use]
        fn without_mark(self) -> Self;

        /// The parent from how it is stored in a record, and the other way round: so that no bit is set for
        /// [`VACANT`](super::StateId::VACANT).
        #[must_use]
        fn linked(self) -> Self;

        /// Makes at least `needed` vacant groups for a [`HashedTable`](crate::table::HashedTable). It is compiled once for
        /// each width, in this crate.
        fn make_vacant(
            groups: &mut Groups<Self>,
            needed_and_known: (usize, usize),
            memory: &mut Memory,
        ) -> Option<Result<(), Full>>
        where
            Self: StateId;

        /// Keeps these groups for the next table of this thread, if they are as many as a new table has. Or, if it `takes`, returns
        /// those that are kept; there may be none. As it is a function of C, the compiler knows that it does not unwind, and the
        /// code that drops a search needs nothing for that.
        extern "C" fn exchange_groups(groups: &mut Vec<Group<Self>>, takes: bool)
        where
            Self: StateId;

        /// Keeps at most `most` groups, without ids. It is compiled once for each width, too.
        fn vacate(groups: &mut Vec<Group<Self>>, most: usize)
        where
            Self: StateId;

        /// Puts the ids from `next` on into the groups of their hashes. It is compiled once for each width, too.
        fn fill_groups(groups: &mut [Group<Self>], hashes: &[u64], shift_and_next: (u32, usize))
        where
            Self: StateId;

        /// See [`Numbers::include_all`]. It is compiled once for each width, too.
        fn include_all(
            numbers: &mut Numbers<Self>,
            states: usize,
            number_at: &dyn Fn(usize) -> Option<usize>,
            memory: &mut Memory,
        ) -> bool
        where
            Self: StateId;

        /// See [`Numbers::include_points`]. It is compiled once for each width, too.
        fn include_points(
            numbers: &mut Numbers<Self>,
            states_and_most_others: (usize, usize),
            has_short_steps: bool,
            point_at: &dyn Fn(usize) -> Option<Point>,
            memory: &mut Memory,
        ) -> bool
        where
            Self: StateId;
    }
}

macro_rules! state_ids {
    ($($id:ty, $ranked:ty;)*) => {$(
        #[expect(clippy::cast_possible_truncation, reason = "the parts of a number that was put together")]
        #[allow(clippy::cast_lossless, clippy::unnecessary_cast, reason = "the macro serves several widths")]
        impl StateId for $id {
            const NONE: Self = <$id>::MAX >> 1;

            const VACANT: Self = Self::NONE - 1;

            #[inline]
            fn from_index(index: usize) -> Self {
                index as Self
            }

            #[inline]
            fn index(self) -> usize {
                self as usize
            }

            #[inline]
            fn to_u64(self) -> u64 {
                self as u64
            }

            #[inline]
            fn from_u64(number: u64) -> Self {
                number as Self
            }
        }

        #[expect(clippy::cast_possible_truncation, reason = "the parts of a number that was put together")]
        #[allow(clippy::cast_lossless, clippy::unnecessary_cast, reason = "the macro serves several widths")]
        impl sealed::Sealed for $id {
            type Ranked = $ranked;

            #[inline]
            fn with_rank(self, rank: u32) -> $ranked {
                (rank as $ranked) << <$id>::BITS | self as $ranked
            }

            #[inline]
            fn of_ranked(ranked: $ranked) -> Self {
                ranked as Self
            }

            #[inline]
            fn marked(self) -> Self {
                self | !Self::NONE
            }

            #[inline]
            fn is_marked(&self) -> bool {
                self & !Self::NONE != 0
            }

            #[cold]
            #[inline(never)]
            fn make_vacant(
                groups: &mut Groups<Self>,
                needed_and_known: (usize, usize),
                memory: &mut Memory,
            ) -> Option<Result<(), Full>> {
                super::hashed::make_vacant(groups, needed_and_known, memory)
            }

            #[inline(never)]
            extern "C" fn exchange_groups(groups: &mut Vec<Group<Self>>, takes: bool) {
                thread_local! {
                    static KEPT_GROUPS: Cell<Vec<Group<$id>>> = const { Cell::new(Vec::new()) };
                }
                if takes || groups.capacity() == KEPT {
                    groups.clear();
                    // While a thread ends, it keeps nothing any more.
                    let _ = KEPT_GROUPS.try_with(|kept| *groups = kept.replace(take(groups)));
                }
            }

            #[cold]
            #[inline(never)]
            fn vacate(groups: &mut Vec<Group<Self>>, most: usize) {
                super::hashed::vacate(groups, most);
            }

            #[cold]
            #[inline(never)]
            fn fill_groups(
                groups: &mut [Group<Self>],
                hashes: &[u64],
                shift_and_next: (u32, usize),
            ) {
                super::hashed::fill_groups(groups, hashes, shift_and_next);
            }

            #[cold]
            #[inline(never)]
            fn include_all(
                numbers: &mut Numbers<Self>,
                states: usize,
                number_at: &dyn Fn(usize) -> Option<usize>,
                memory: &mut Memory,
            ) -> bool {
                numbers.include_all(states, number_at, memory)
            }

            #[cold]
            #[inline(never)]
            fn include_points(
                numbers: &mut Numbers<Self>,
                states_and_most_others: (usize, usize),
                has_short_steps: bool,
                point_at: &dyn Fn(usize) -> Option<Point>,
                memory: &mut Memory,
            ) -> bool {
                numbers.include_points(states_and_most_others, has_short_steps, point_at, memory)
            }

            #[inline]
            fn without_mark(self) -> Self {
                self & Self::NONE
            }

            #[inline]
            fn linked(self) -> Self {
                self ^ Self::VACANT
            }
        }
    )*};
}

state_ids! { u32, u64; u64, u128; }

/// The data of a reached state: its cost, its parent, and whether it is closed.
///
/// [`CostRecord`] has the cost and the parent; [`EstimateRecord`] also stores *h*, so that the heuristic is computed only
/// once for a state; [`BareRecord`] has the cost alone, and no parent.
///
/// ```
/// use bestfirst::table::{BareRecord, CostRecord, EstimateRecord, Record, StateId};
///
/// assert_eq!(size_of::<BareRecord<u32>>(), 4);
/// assert_eq!(size_of::<CostRecord<u32>>(), 8);
/// assert_eq!(size_of::<EstimateRecord<u32>>(), 12);
///
/// let mut record = EstimateRecord::<u32>::new(3, 4, u32::NONE);
/// assert_eq!((record.g(), record.h()), (3, 4));
/// record.close();
/// record.reach(2, 17); // a cheaper path is found, through state 17
/// assert!(!record.is_closed());
/// assert_eq!((record.g(), record.parent()), (2, 17));
/// ```
///
/// Pass your own record to a table, and the table to a builder. This one also counts how often a
/// cheaper path to the state was found:
///
/// ```
/// use bestfirst::table::{EstimateRecord, HashedTable, Record};
/// use bestfirst::{AStar, FnProblem};
///
/// #[derive(Clone, Copy, Debug)]
/// struct Counting {
///     record: EstimateRecord<u32>,
///     improved: u32,
/// }
///
/// impl Record for Counting {
///     type Cost = u32;
///     type Id = u32;
///     const KEEPS_H: bool = true;
///
///     fn new(g: u32, h: u32, parent: u32) -> Self {
///         Self { record: EstimateRecord::new(g, h, parent), improved: 0 }
///     }
///     fn g(&self) -> u32 {
///         self.record.g()
///     }
///     fn h(&self) -> u32 {
///         self.record.h()
///     }
///     fn parent(&self) -> u32 {
///         self.record.parent()
///     }
///     fn is_closed(&self) -> bool {
///         self.record.is_closed()
///     }
///     fn close(&mut self) {
///         self.record.close();
///     }
///     fn reach(&mut self, g: u32, parent: u32) {
///         self.record.reach(g, parent);
///         self.improved += 1;
///     }
/// }
///
/// let problem = FnProblem::new(
///     |&n: &u64| [(n + 1, 1_u32), (n * 2, 3)], |&n: &u64| u32::from(n != 40), |&n: &u64| n == 40,
/// );
/// let table = HashedTable::<u64, Counting>::default();
/// let report = AStar::new(&problem).table(table).search(1).run()?;
/// assert_eq!(report.cost(), Some(13));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub trait Record: Copy + Debug {
    /// The costs.
    type Cost: Cost;

    /// The ids of states.
    type Id: StateId;

    /// Whether the heuristic value is stored, so that [`h`](Self::h) is that of the state. Otherwise
    /// the engine takes it from the key of the state, or computes it again.
    const KEEPS_H: bool;

    /// Whether the parent is stored. True by default. Otherwise [`parent`](Self::parent) is always
    /// [`StateId::NONE`], as if each state were a start: the path to a state has no steps. Only
    /// [`Dijkstra`](crate::Dijkstra), [`AStar`](crate::AStar) and [`Greedy`](crate::Greedy) take such records; with any
    /// other engine they do not compile.
    const KEEPS_PARENT: bool = true;

    /// Whether the record can store this cost, which is that of a path. True by default. A path whose cost it cannot
    /// store is skipped like one whose cost does not fit into its type: the search ends with
    /// [`SearchError::Overflow`](crate::SearchError::Overflow) where that matters.
    #[inline]
    #[must_use]
    fn holds(g: Self::Cost) -> bool {
        let _ = g;
        true
    }

    /// Creates the record of an open state, reached from `parent` at cost `g`, with heuristic value `h`.
    fn new(g: Self::Cost, h: Self::Cost, parent: Self::Id) -> Self;

    /// Creates the record of a state that is not stored, for a dense table: [`is_vacant`](Self::is_vacant) must be true of it. If
    /// this is not implemented, it is one of infinite costs and the parent [`StateId::VACANT`]; a record that cannot hold these
    /// needs one of its own.
    #[inline]
    #[must_use]
    fn vacant() -> Self {
        let infinity = Self::Cost::INFINITY;
        Self::new(infinity, infinity, Self::Id::VACANT)
    }

    /// Creates a list of `len` [vacant](Self::vacant) records. For the records of this crate, much memory that is fresh from the
    /// system takes no time until it is written, if costs are primitive numbers: no bit is set in them.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the limit does not allow it or the system has no memory.
    fn vacant_list(len: usize, memory: &mut Memory) -> Result<Vec<Self>, OutOfMemory> {
        memory.list(len, Self::vacant())
    }

    /// Returns the cost of the cheapest path found so far.
    fn g(&self) -> Self::Cost;

    /// Returns the heuristic value; zero if it is not stored.
    fn h(&self) -> Self::Cost;

    /// Returns the parent on the cheapest path found so far, or [`StateId::NONE`]: exactly the value that was last
    /// passed, if it is [stored](Self::KEEPS_PARENT). (A dense table recognizes the records of states that are not
    /// stored by it.)
    fn parent(&self) -> Self::Id;

    /// Whether the state of this record is not stored: it is [`vacant`](Self::vacant), or was created with infinite costs and the
    /// parent [`StateId::VACANT`].
    #[inline]
    fn is_vacant(&self) -> bool {
        self.parent() == Self::Id::VACANT
    }

    /// Whether the state was expanded since its g was last improved.
    fn is_closed(&self) -> bool;

    /// Marks the state as expanded.
    fn close(&mut self);

    /// Records a cheaper path, from `parent`; the state is open again.
    fn reach(&mut self, g: Self::Cost, parent: Self::Id);
}

/// The [`Record`] that stores *h*: for slow heuristics, which are then computed once for a state.
///
/// Create it and read it by the methods of [`Record`]: the last part of the tuple is not the id of the parent.
// These are tuples, because the standard library asks the system for zeroed memory, which costs nothing until it is written,
// where it knows that a value has no bit set. It knows that of tuples and arrays of numbers, and not of structs.
pub type EstimateRecord<C, I = u32> = (C, C, I);

/// The [`Record`] without *h*: for Dijkstra's algorithm, which needs none, and for fast heuristics. The engine takes *h*
/// from the key of an open state, and computes it again when it finds a cheaper path to a state.
///
/// Create it and read it by the methods of [`Record`]: the second part of the tuple is not the id of the parent.
pub type CostRecord<C, I = u32> = (C, I);

/// The [`Record`] of the cost alone, without a parent: half the memory of a [`CostRecord`], for searches of which only
/// the costs are wanted. [`Dijkstra::costs_only`](crate::Dijkstra::costs_only) chooses it.
///
/// It holds the cost and the mark of a closed state in one value of the cost's type, so costs must be
/// [`PackedCost`]s, and the largest cost is about half of what the type of an unsigned integer holds (see
/// [`Record::holds`]). The second part of the tuple takes no memory: it says the type of the ids.
///
/// Source: the way back by the costs alone is that of Lee, *An Algorithm for Path Connections and Its Applications*, 1961.
///
/// ```
/// use bestfirst::table::{BareRecord, Record, StateId};
///
/// let mut record = BareRecord::<u32>::new(3, 0, 17);
/// record.close();
/// assert_eq!((record.g(), record.is_closed(), record.parent()), (3, true, u32::NONE));
/// assert!(BareRecord::<u32>::holds((1 << 31) - 2) && !BareRecord::<u32>::holds((1 << 31) - 1));
/// ```
pub type BareRecord<C, I = u32> = (C, [I; 0]);

impl<C: Cost, I: StateId> Record for EstimateRecord<C, I> {
    type Cost = C;
    type Id = I;
    const KEEPS_H: bool = true;

    #[inline]
    fn new(g: C, h: C, parent: I) -> Self {
        (g, h, parent.linked())
    }

    #[inline]
    fn vacant() -> Self {
        Self::new(C::ZERO, C::ZERO, I::VACANT)
    }

    fn vacant_list(len: usize, memory: &mut Memory) -> Result<Vec<Self>, OutOfMemory> {
        memory.lazy_list(len, Self::vacant())
    }

    #[inline]
    fn g(&self) -> C {
        self.0
    }

    #[inline]
    fn h(&self) -> C {
        self.1
    }

    #[inline]
    fn parent(&self) -> I {
        self.2.without_mark().linked()
    }

    #[inline]
    fn is_vacant(&self) -> bool {
        // A vacant record is never closed, so there is no mark to remove.
        self.2 == I::VACANT.linked()
    }

    #[inline]
    fn is_closed(&self) -> bool {
        self.2.is_marked()
    }

    #[inline]
    fn close(&mut self) {
        self.2 = self.2.marked();
    }

    #[inline]
    fn reach(&mut self, g: C, parent: I) {
        (self.0, self.2) = (g, parent.linked());
    }
}

impl<C: Cost, I: StateId> Record for CostRecord<C, I> {
    type Cost = C;
    type Id = I;
    const KEEPS_H: bool = false;

    #[inline]
    fn new(g: C, _h: C, parent: I) -> Self {
        (g, parent.linked())
    }

    #[inline]
    fn vacant() -> Self {
        Self::new(C::ZERO, C::ZERO, I::VACANT)
    }

    fn vacant_list(len: usize, memory: &mut Memory) -> Result<Vec<Self>, OutOfMemory> {
        memory.lazy_list(len, Self::vacant())
    }

    #[inline]
    fn g(&self) -> C {
        self.0
    }

    #[inline]
    fn h(&self) -> C {
        C::ZERO
    }

    #[inline]
    fn parent(&self) -> I {
        self.1.without_mark().linked()
    }

    #[inline]
    fn is_vacant(&self) -> bool {
        // A vacant record is never closed, so there is no mark to remove.
        self.1 == I::VACANT.linked()
    }

    #[inline]
    fn is_closed(&self) -> bool {
        self.1.is_marked()
    }

    #[inline]
    fn close(&mut self) {
        self.1 = self.1.marked();
    }

    #[inline]
    fn reach(&mut self, g: C, parent: I) {
        *self = (g, parent.linked());
    }
}

impl<C: PackedCost, I: StateId> Record for BareRecord<C, I> {
    type Cost = C;
    type Id = I;
    const KEEPS_H: bool = false;
    const KEEPS_PARENT: bool = false;

    #[inline]
    fn holds(g: C) -> bool {
        g.can_be_packed()
    }

    #[inline]
    fn new(g: C, _h: C, _parent: I) -> Self {
        (g.packed(), [])
    }

    fn vacant_list(len: usize, memory: &mut Memory) -> Result<Vec<Self>, OutOfMemory> {
        memory.lazy_list(len, Self::vacant())
    }

    #[inline]
    fn g(&self) -> C {
        self.0.unpacked()
    }

    #[inline]
    fn h(&self) -> C {
        C::ZERO
    }

    #[inline]
    fn parent(&self) -> I {
        I::NONE
    }

    #[inline]
    fn is_vacant(&self) -> bool {
        self.0.is_vacant()
    }

    #[inline]
    fn is_closed(&self) -> bool {
        self.0.is_marked()
    }

    #[inline]
    fn close(&mut self) {
        self.0 = self.0.marked();
    }

    #[inline]
    fn reach(&mut self, g: C, _parent: I) {
        self.0 = g.packed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conforms<R: Record<Cost = u32>>() {
        let parent = R::Id::from_index(7);
        let mut record = R::new(3, 4, parent);
        let h = if R::KEEPS_H { 4 } else { 0 };
        let kept = if R::KEEPS_PARENT { parent } else { R::Id::NONE };
        assert_eq!((record.g(), record.h()), (3, h));
        assert_eq!((record.parent(), record.is_closed()), (kept, false));
        record.close();
        assert_eq!((record.g(), record.parent(), record.is_closed()), (3, kept, true));
        record.reach(2, R::Id::NONE);
        assert_eq!((record.g(), record.h(), record.is_closed()), (2, h, false));
        assert_eq!(record.parent(), R::Id::NONE);
        record.close();
        assert_eq!((record.parent(), record.is_closed()), (R::Id::NONE, true));
        assert!(R::holds(0) && !record.is_vacant() && !R::new(0, 0, parent).is_vacant());
        let infinity = u32::INFINITY;
        assert!(R::new(infinity, infinity, R::Id::VACANT).is_vacant() && R::vacant().is_vacant());
    }

    /// Otherwise a dense table of them is written before the first expansion.
    #[test]
    fn no_bit_is_set_in_vacant_records() {
        assert_eq!(CostRecord::<u32>::vacant(), (0, 0));
        assert_eq!(EstimateRecord::<u32, u64>::vacant(), (0, 0, 0));
        assert_eq!(BareRecord::<u32>::vacant(), (0, []));
        assert_eq!(CostRecord::<f64>::vacant().0.to_bits(), 0);
    }

    #[test]
    fn records_conform() {
        conforms::<EstimateRecord<u32>>();
        conforms::<EstimateRecord<u32, u64>>();
        conforms::<CostRecord<u32>>();
        conforms::<CostRecord<u32, u64>>();
        conforms::<BareRecord<u32>>();
        conforms::<BareRecord<u32, u64>>();
    }

    fn ranks_come_first<I: StateId>() {
        let id = |index| I::from_index(index);
        assert!(id(900).with_rank(3) < id(2).with_rank(4));
        assert!(id(2).with_rank(4) < id(3).with_rank(4));
        let ranked = id(77).with_rank(1 << 16);
        assert_eq!((I::of_ranked(ranked), ranked.rank()), (id(77), 1 << 16));
        assert_eq!((I::from_u64(id(5).to_u64()), id(5).index()), (id(5), 5));
    }

    #[test]
    fn ids_of_both_widths_conform() {
        ranks_come_first::<u32>();
        ranks_come_first::<u64>();
    }
}
