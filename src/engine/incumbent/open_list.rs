//! [`OpenList`]: the order in which an engine with an incumbent expands open states.

use crate::cost::Cost;
use crate::engine::Order;
use crate::engine::best_first::Id;
use crate::frontier::{Frontier, Single};
use crate::memory::{Memory, OutOfMemory};
use crate::problem::SearchProblem;
use crate::table::TableFor;

/// The order of an open list that goes by when states arrive: the key is *f*, which nothing is sorted by.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByArrival;

impl<C: Cost> Order<C> for ByArrival {
    type Key = Single<C>;

    #[inline]
    fn key(&self, _g: C, _h: C, f: C) -> Single<C> {
        Single(f)
    }

    /// Every entry of an open state counts: the state is expanded where it was pushed first, even if a
    /// cheaper path to it was found since.
    #[inline]
    fn is_current(&self, _key: Single<C>, _g: C, _h: C, _f: C) -> bool {
        true
    }
}

/// The open list of an [`IncumbentEngine`](super::IncumbentEngine): a frontier that gives out its entries
/// in an order of its own. This trait is sealed.
pub trait OpenList<P: SearchProblem, T: TableFor<P::State, P::Cost>>:
    Frontier<Id<P, T>, Single<P::Cost>> + sealed::Sealed
{
    /// Makes room for so many more entries, and for [`arrange`](Self::arrange) to put them in order.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is none; nothing changes.
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), OutOfMemory>;

    /// The entries that were pushed since `arrange` was called last: each state with its f.
    fn new_entries(&self) -> &[(Id<P, T>, P::Cost)];

    /// Puts the new entries in order.
    fn arrange(&mut self, table: &T);

    /// When nothing is left to be popped: begins the next layer and returns the smallest f in it, if there
    /// is one.
    fn next_layer(&mut self) -> Option<P::Cost>;
}

pub(super) mod sealed {
    pub trait Sealed {}
}
