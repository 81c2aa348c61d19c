//! [`OpenList`]: the order in which an engine with an incumbent expands open states.

use crate::cost::Cost;
use crate::engine::Order;
use crate::engine::relaxation::Id;
use crate::frontier::{Frontier, Single};
use crate::memory::{Memory, OutOfMemory};
use crate::problem::SearchProblem;
use crate::table::TableFor;

/// The order of open lists that sort by something else than a key: the key is *f*, for the pruning.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByArrival;

impl<C: Cost> Order<C> for ByArrival {
    type Key = Single<C>;

    #[inline]
    fn key(&self, _g: C, _h: C, f: C) -> Single<C> {
        Single(f)
    }

    /// No entry of an open state is stale: the state is expanded where it was pushed first, even if a
    /// cheaper path to it was found since.
    #[inline]
    fn is_current(&self, _key: Single<C>, _g: C, _h: C, _f: C) -> bool {
        true
    }
}

/// The open list of an [`IncumbentEngine`](super::IncumbentEngine): a frontier with an order of its own.
/// This trait is sealed.
pub trait OpenList<P: SearchProblem, T: TableFor<P::State, P::Cost>>:
    Frontier<Id<P, T>, Single<P::Cost>> + sealed::Sealed
{
    /// Makes room for this many more entries, and for [`arrange`](Self::arrange) to sort them.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is none; nothing changes.
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), OutOfMemory>;

    /// The entries that were pushed since `arrange` was called last: each state with its f.
    fn new_entries(&self) -> &[(Id<P, T>, P::Cost)];

    /// Does a part of what [`arrange`](Self::arrange) has to do: of many entries each, and then until it returns true if no
    /// other comes before it is called. Limits are looked at between.
    fn arrange_some(&mut self, are_all_new: bool, table: &T) -> bool {
        let _ = (are_all_new, table);
        true
    }

    /// Sorts the new entries.
    fn arrange(&mut self, table: &T);

    /// Called when nothing is left to be popped: begins the next layer and returns the smallest f in it, if
    /// there is one; a list without layers has none. `table` has the states, and only solutions that cost less than `incumbent` matter.
    fn next_layer(&mut self, table: &T, incumbent: Option<P::Cost>) -> Option<P::Cost> {
        let _ = (table, incumbent);
        None
    }

    /// Whether it may leave states out, so that the search begins again with more of them.
    const WIDENS: bool = false;

    /// The smallest f of the open states that it has left out.
    fn least_left_out(&self) -> Option<P::Cost> {
        None
    }

    /// Leaves out fewer states from now on. False if it may not.
    fn widen(&mut self) -> bool {
        false
    }

    /// Forgets what it has learnt, before another search.
    fn restart(&mut self) {}
}

/// Removes entries, of which the first `arranged` are arranged. Returns how many of these are left: what is new stays new.
pub(super) fn retain<I: Copy, C: Copy>(
    entries: &mut Vec<(I, C)>,
    arranged: usize,
    mut keep: impl FnMut(I, Single<C>) -> bool,
) -> usize {
    let (mut at, mut left) = (0, 0);
    entries.retain(|&(id, f)| {
        let is_kept = keep(id, Single(f));
        left += usize::from(is_kept && at < arranged);
        at += 1;
        is_kept
    });
    left
}

pub(super) mod sealed {
    pub trait Sealed {}
}
