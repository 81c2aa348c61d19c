//! [`Policy`]: what differs between the engines of one driver.
//!
//! - `best_first`: the first goal that is taken out of the frontier is the answer;
//! - `improving`: goes on from a first solution to better ones, in rounds;
//! - `list_expanded`: lists the states that it expands, for engines of more than one path;
//! - `partial_expansion`: stores only the successors that are needed next.
//!
//! Policies of one engine are in its folder: labels of several criteria in `pareto`, the meeting of two halves in
//! `bidirectional`, pruning by a best solution in `incumbent`.

mod best_first;
mod improving;
mod list_expanded;
mod partial_expansion;

pub use best_first::BestFirst;
pub(in crate::engine) use improving::admits;
pub use improving::{Improving, Rounds};
pub use list_expanded::ListExpanded;
pub use partial_expansion::{
    ByStoredF, PartialExpansion, PartialExpansionSearch, StoredF, partial_expansion,
};

use super::checked::sound_heuristic;
use super::core::Core;
use super::relaxation::{HeadOf, Known, Relaxation, Trail};
use super::{Order, Progress, Run};
use crate::cost::Cost;
use crate::engine::parts::{Parts, TableKey};
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::report::{SearchError, Stats, StopReason};
use crate::table::{Full, Record, Table};

/// The defaults of [`Policy`]: nothing is pruned. It is for the loops of shards and of half searches, which decide about
/// goals themselves.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct StoreAll;

impl<S: Parts> Policy<S> for StoreAll {}

/// What becomes of an open state that was taken out of the frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is expanded.
    Expand,
    /// It is a goal, and the answer. It is held.
    Answer,
    /// It is set aside, until it is recalled.
    SetAside,
    /// It is not needed; the policy has closed it.
    Drop,
    /// The round ends with it. It is held, and [`emptied`](Policy::emptied) says what follows.
    EndRound,
    /// It is held, and the search stops.
    Stop(StopReason),
}

/// What follows when nothing is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// States that were set aside are put into the frontier again.
    Recall,
    /// The frontier has begun its next layer, or the search begins again at the starts.
    GoOn,
    /// The search ends.
    End(Progress),
}

/// What differs between the engines of one driver: what happens to a state that is reached, taken out of the
/// frontier, or expanded, and what follows when nothing is open.
///
/// Every method has the answer of best-first search, in which the first goal that is taken out is the answer. What
/// the constants exclude is not asked, and costs nothing.
pub trait Policy<S: Parts>: Sized {
    /// How the steps of a path are found from the states on it.
    const TRAIL: Trail = Trail::Costs;

    /// Whether [`opens`](Self::opens) is to be asked.
    const ASKS_OPENS: bool = false;

    /// Whether states may be set aside, to be recalled: where this is false, the code for it is not compiled. In the
    /// order of *f* there are none: all that are left cost as much as the first that is beyond the limit.
    const SETS_ASIDE: bool = !S::Order::IS_BY_F;

    /// Whether the search needs the parents of states for more than paths. Where this is true, a record without
    /// parents does not compile.
    const NEEDS_PARENTS: bool = true;

    // When a state is reached.

    /// Whether a state of this g may be stored, whatever its h.
    #[inline]
    fn may_admit(&mut self, g: S::Cost) -> bool {
        self.admits(g, S::Cost::ZERO)
    }

    /// Whether a state with this g and h is stored, or a cheaper path to it.
    #[inline]
    fn admits(&mut self, g: S::Cost, h: S::Cost) -> bool {
        let _ = (g, h);
        true
    }

    /// Whether a path that costs `g` improves on one to the same state that costs `known`.
    #[inline]
    fn improves(&self, g: S::Cost, known: S::Cost) -> bool {
        g < known
    }

    /// The heuristic value of a state that was reached at cost `g` and is not stored.
    ///
    /// # Errors
    ///
    /// [`SearchError::NotANumber`].
    #[inline]
    fn heuristic(
        &mut self,
        problem: &S::Problem,
        state: &S::State,
        g: S::Cost,
    ) -> Result<S::Cost, SearchError<S::Cost>> {
        sound_heuristic(problem, state, g)
    }

    /// Whether a stored state that was reached at cost `g` has to be expanded. `key` is that of the table;
    /// `closed_at` is the cost before, if the state was closed.
    #[inline]
    fn opens(
        &mut self,
        key: TableKey<S>,
        state: &S::State,
        id: S::Id,
        g: S::Cost,
        closed_at: Option<S::Cost>,
    ) -> bool {
        let _ = (key, state, id, g, closed_at);
        true
    }

    /// The key of a stored state in the frontier.
    #[inline]
    fn key(
        &mut self,
        known: Known<'_, S>,
        id: S::Id,
        (g, h, f): (S::Cost, S::Cost, S::Cost),
        stats: &mut Stats,
    ) -> S::Key {
        let _ = (id, stats);
        known.order.key(g, h, f)
    }

    /// A state has become open.
    #[inline]
    fn opened(&mut self, known: Known<'_, S>, id: S::Id, h: S::Cost, f: S::Cost) {
        let _ = (known, id, h, f);
    }

    /// Whether a closed state to which a cheaper path was found is set aside, and not expanded again at once. There
    /// must be [room](Self::make_room) for it.
    #[inline]
    fn is_delayed(&self, order: &S::Order, id: S::Id) -> bool {
        let _ = (order, id);
        false
    }

    /// A path was left out because its type cannot hold `g + added`. Says whether the state is to be looked at again
    /// where nothing is open.
    #[inline]
    fn overflowed(&mut self, g: S::Cost, added: S::Cost) -> bool {
        let _ = (g, added);
        true
    }

    // When a state is taken out of the frontier.

    /// The f of the state of an entry of the frontier, unless the entry is stale: it is if a cheaper path was found
    /// after it was pushed, or the state was expanded.
    #[inline]
    fn current_f(&self, known: Known<'_, S>, id: S::Id, key: S::Key) -> Option<S::Cost> {
        let Known { table, order, .. } = known;
        let record = table.load(id);
        if record.is_closed() {
            return None;
        }
        let h = order.h_of(key).unwrap_or_else(|| known.h_of(id, &record));
        let f = record.g().checked_add(h)?;
        order.is_current(key, record.g(), h, f).then_some(f)
    }

    /// Whether solutions of that cost are within the limit on the cost.
    #[inline]
    fn is_affordable<O>(&self, order: &S::Order, cost: S::Cost, run: &Run<S::Cost, O>) -> bool {
        let _ = order;
        !run.exceeds_cost_limit(cost)
    }

    /// Whether a state of that f, which was set aside, is still to be expanded.
    fn is_worth(&self, f: S::Cost) -> bool {
        let _ = f;
        true
    }

    /// What becomes of the open state with the least key.
    #[inline]
    fn taken<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        head: &HeadOf<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Taken {
        core.judge(self, head, true, run)
    }

    // When a state is expanded.

    /// Expands an open state, wholly or, if there is no room, not at all.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop of each engine")]
    fn expand<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        head: &HeadOf<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Result<(), Full>, SearchError<S::Cost>> {
        core.expand(head, self, run)
    }

    /// Makes room for what is kept of a state that is expanded, beside its successors.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is none; nothing has changed then.
    #[inline]
    fn make_room(
        &mut self,
        states: &mut Relaxation<S>,
        id: S::Id,
        successors: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let _ = (states, id, successors, memory);
        Ok(())
    }

    /// The layer of the report that a state of that f is counted in.
    #[inline]
    fn layer(&self, f: S::Cost) -> S::Cost {
        f
    }

    /// A state is expanded; there is room for it and its successors.
    #[inline]
    fn expands(&mut self, order: &S::Order, head: &HeadOf<S>) {
        let _ = (order, head);
    }

    /// A state was expanded, and its successors are stored.
    #[inline]
    fn expanded<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        head: &HeadOf<S>,
        run: &mut Run<S::Cost, O>,
    ) {
        let _ = (core, head, run);
    }

    // When the search begins, goes on, or has nothing left.

    /// Stores the next start. If there is no room for all that are left, nothing is done.
    fn begin<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Result<(), Full>, SearchError<S::Cost>> {
        core.begin(self, run)
    }

    /// All starts were stored.
    fn started<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        run: &mut Run<S::Cost, O>,
    ) {
        let _ = (core, run);
    }

    /// Makes room in the frontier for so many states that were set aside, as far as it needs more than its pushes ask for.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is none; nothing is put into the frontier then.
    fn make_room_to_recall(
        &self,
        frontier: &mut S::Frontier,
        states: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let _ = (frontier, states, memory);
        Ok(())
    }

    /// States that were set aside were put into the frontier again.
    fn recalled(&mut self, core: &mut Core<S>) {
        let _ = core;
    }

    /// The search is told to go on, perhaps with other limits. Says how it ends if it ends at once.
    #[inline]
    fn resumed<O>(&mut self, core: &mut Core<S>, run: &mut Run<S::Cost, O>) -> Option<Progress> {
        let _ = (core, run);
        None
    }

    /// Nothing is open but states that were set aside, or the round has ended with the state that is held.
    ///
    /// # Errors
    ///
    /// [`SearchError::Overflow`], where a path that was left out may be a solution.
    #[cold]
    fn emptied<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Next, SearchError<S::Cost>> {
        let states = &mut core.states;
        let aside = if Self::SETS_ASIDE { states.sift_aside(self, |_| true, run) } else { None };
        match aside {
            Some(true) => {
                states.begin_recall();
                Ok(Next::Recall)
            }
            Some(false) => Ok(Next::End(Progress::Stopped(StopReason::Cost))),
            None => states.exhausted(run).map(Next::End),
        }
    }

    /// What is proved: no solution costs less.
    fn lower_bound<O>(&mut self, core: &mut Core<S>, run: &mut Run<S::Cost, O>) -> S::Cost {
        core.bound(self, true, run)
    }

    /// The best solution so far.
    ///
    /// # Errors
    ///
    /// [`SearchError::Path`] if the problem does not push the same successors as before.
    fn path(&self, core: &Core<S>) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        core.path_to_goal(core.held.map(|head| head.id), Self::TRAIL)
    }

    /// Forgets everything, before another search.
    fn restart(&mut self, core: &mut Core<S>) {
        let _ = core;
    }
}
