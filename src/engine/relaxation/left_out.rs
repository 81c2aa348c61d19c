//! States that were left out because a sum did not fit into its type, and whether that matters in the end.

use super::Relaxation;
use crate::callback::Callback;
use crate::cost::Cost;
use crate::engine::parts::Parts;
use crate::engine::{Progress, Run};
use crate::indexed::push;
use crate::memory::Memory;
use crate::problem::{Successor, Successors, generate};
use crate::report::SearchError;
use crate::table::{Lookup, Record, StateId, Table};

/// Where sums did not fit.
pub(in crate::engine) struct LeftOut<C> {
    places: Places,
    /// The smallest sum that mattered, among those that were looked at again.
    mattered: Option<(C, C)>,
}

/// The states at which sums did not fit. Its functions are compiled once, in this crate.
struct Places {
    /// The ids of stored states at which one did: that of a step to a successor, or its own f.
    at: Vec<u64>,
    /// Whether some are not in the list, because there was no room: then all states are looked at.
    is_incomplete: bool,
    /// Whether one mattered that belongs to no stored state.
    is_certain: bool,
}

/// How many states may be looked at again before the limits are checked.
const MOST_LOOKED_AT: usize = 1 << 8;

impl Places {
    const NONE: Self = Self { at: Vec::new(), is_incomplete: false, is_certain: false };

    /// Takes note of one at the state with that id, if it is stored.
    #[cold]
    #[inline(never)]
    fn note(&mut self, id: Option<u64>, memory: &mut Memory) {
        let Self { at, is_incomplete, is_certain } = self;
        match id {
            None => *is_certain = true,
            Some(id) if at.last() == Some(&id) => {}
            Some(_) if memory.reserve(at, 1).is_err() => *is_incomplete = true,
            Some(id) => push(at, id),
        }
    }

    /// Calls `look_at` with some of the states, as long as `goes_on`. Returns whether none is left.
    #[cold]
    #[inline(never)]
    fn look_at_some(
        &mut self,
        look_at: &mut dyn Callback<u64>,
        goes_on: &mut dyn Callback<(), bool>,
    ) -> bool {
        for _ in 0..MOST_LOOKED_AT {
            if !goes_on.call(()) {
                break;
            }
            let Some(&id) = self.at.last() else { return true };
            look_at.call(id);
            self.at.pop();
        }
        false
    }
}

impl<C> LeftOut<C> {
    pub(in crate::engine) fn new() -> Self {
        Self { places: Places::NONE, mattered: None }
    }

    pub(in crate::engine) fn clear(&mut self) {
        let Places { at, is_incomplete, is_certain } = &mut self.places;
        at.clear();
        (*is_incomplete, *is_certain, self.mattered) = (false, false, None);
    }

    /// Takes note of one at the state with that id, or of one that belongs to no stored state.
    pub(in crate::engine) fn note_at(&mut self, id: Option<u64>, memory: &mut Memory) {
        self.places.note(id, memory);
    }

    /// Looks at all states, if there was no room to note some at which a sum did not fit: `look_at_all` passes on the sum
    /// that does not fit at each.
    pub(in crate::engine) fn complete(
        &mut self,
        look_at_all: impl FnOnce(&mut dyn Callback<Option<(C, C)>>),
    ) where
        C: Cost,
    {
        let Self { places, mattered } = self;
        if !std::mem::take(&mut places.is_incomplete) {
            return;
        }
        look_at_all(&mut |sum: Option<(C, C)>| {
            if let Some(sum) = sum {
                Self::note(mattered, sum);
            }
        });
        places.at.clear();
    }

    /// Takes note of one that belongs to no stored state.
    #[cfg(feature = "parallel")]
    pub(super) fn lose(&mut self) {
        self.places.is_certain = true;
    }

    /// Takes note of a sum that mattered.
    fn note(mattered: &mut Option<(C, C)>, sum: (C, C))
    where
        C: Cost,
    {
        match mattered {
            Some(least) if *least <= sum => {}
            _ => *mattered = Some(sum),
        }
    }

    /// Looks again at some of the states, by `sum_at`, as long as `goes_on`: how the search ends where no state is open.
    /// `first` is the first sum that did not fit.
    pub(in crate::engine) fn settle<I: StateId>(
        &mut self,
        first: Option<SearchError<C>>,
        sum_at: &mut dyn Callback<I, Option<(C, C)>>,
        goes_on: &mut dyn Callback<(), bool>,
    ) -> Result<Progress, SearchError<C>>
    where
        C: Cost,
    {
        let Some(first) = first else { return Ok(Progress::Exhausted) };
        let Self { places, mattered } = self;
        if places.is_certain {
            return Err(first);
        }
        let mut look_at = |id: u64| {
            if let Some(sum) = sum_at.call(I::from_u64(id)) {
                Self::note(mattered, sum);
            }
        };
        if !places.look_at_some(&mut look_at, goes_on) {
            return Ok(Progress::Paused);
        }
        match *mattered {
            Some((g, added)) => Err(SearchError::Overflow { g, added }),
            None => Ok(Progress::Exhausted),
        }
    }
}

/// The one with the smaller terms.
#[cfg(feature = "parallel")]
pub(in crate::engine) fn smaller_sum<C: Cost>(
    a: SearchError<C>,
    b: SearchError<C>,
) -> SearchError<C> {
    let terms = |sum| match sum {
        SearchError::Overflow { g, added } => Some((g, added)),
        _ => None,
    };
    if terms(b) < terms(a) { b } else { a }
}

/// Tells whether a state is stored.
type IsStored<'f, S> = &'f mut dyn for<'s> Callback<&'s <S as Parts>::State, bool>;

impl<S: Parts> Relaxation<S> {
    /// Takes note that a sum did not fit at a state.
    #[cold]
    #[inline(never)]
    pub(super) fn note_left_out<O>(&mut self, id: S::Id, run: &mut Run<S::Cost, O>) {
        let id = if id == StateId::NONE { None } else { Some(id.to_u64()) };
        self.left_out.note_at(id, run.memory());
    }

    /// How the search ends where no state is open and there is no solution: an error if a state was never
    /// reached, or never open, only because its cost does not fit into its type.
    ///
    /// Each state is expanded at its smallest cost by then, so this does not depend on the order of expansions. Where
    /// the account of memory had no room to note such a state, all are looked at.
    #[cold]
    pub(in crate::engine) fn exhausted<O>(
        &mut self,
        run: &Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        let mut left_out = self.take_left_out();
        let mut successors = Successors::<S::Problem>::new();
        let table = &self.table;
        let is_stored = &mut |state: &S::State| {
            if S::Table::CLOSES {
                // One that a stored state dominates is needless.
                let found = table.find(table.key(state), state, |_| false);
                return !matches!(found, Lookup::Vacant(_) | Lookup::OutOfRange { .. });
            }
            table.id_of(state).is_some()
        };
        self.complete_left_out(&mut left_out, is_stored, &mut successors);
        let sum_at = &mut |id: S::Id| self.sum_left_out(id, is_stored, &mut successors);
        let goes_on = &mut |()| run.budget.goes_on();
        let end = left_out.settle(self.overflow, sum_at, goes_on);
        self.left_out = left_out;
        end
    }

    /// Looks at all states, if there was no room to note some at which a sum did not fit.
    pub(in crate::engine) fn complete_left_out(
        &self,
        left_out: &mut LeftOut<S::Cost>,
        is_stored: IsStored<'_, S>,
        successors: &mut Successors<S::Problem>,
    ) {
        left_out.complete(|look_at| {
            self.table.for_each(|id, _, _| {
                look_at.call(self.sum_left_out(id, is_stored, successors));
            });
        });
    }

    /// Where sums did not fit, to be put back.
    pub(in crate::engine) fn take_left_out(&mut self) -> LeftOut<S::Cost> {
        std::mem::replace(&mut self.left_out, LeftOut::new())
    }

    pub(in crate::engine) fn put_left_out(&mut self, left_out: LeftOut<S::Cost>) {
        self.left_out = left_out;
    }

    /// The smallest sum that still does not fit at a state, and leaves one out that is not stored.
    #[cold]
    #[inline(never)]
    pub(in crate::engine) fn sum_left_out(
        &self,
        id: S::Id,
        is_stored: IsStored<'_, S>,
        successors: &mut Successors<S::Problem>,
    ) -> Option<(S::Cost, S::Cost)> {
        let record = self.record(id);
        let g = record.g();
        if !record.is_closed() {
            let h = self.h_of(id, &record);
            let is_left_out = h < S::Cost::INFINITY && g.checked_add(h).is_none();
            return is_left_out.then_some((g, h));
        }
        successors.clear();
        self.table.with_state(id, |state| generate(&self.problem, state, successors));
        let least = least_left_out(successors.as_slice(), g, S::Record::holds, is_stored)?;
        Some((g, least))
    }
}

/// The smallest cost of a step to a state that is not stored, if the sum with `g` fits into no record.
fn least_left_out<S, A, C: Cost>(
    successors: &[Successor<S, A, C>],
    g: C,
    holds: fn(C) -> bool,
    is_stored: &mut dyn for<'s> Callback<&'s S, bool>,
) -> Option<C> {
    let mut least: Option<C> = None;
    for Successor { state, cost, .. } in successors {
        let fits = match g.checked_add(*cost) {
            Some(sum) => holds(sum),
            None => false,
        };
        let is_least = match least {
            Some(least) => *cost < least,
            None => true,
        };
        if is_least && cost.is_step() && !fits && !is_stored.call(state) {
            least = Some(*cost);
        }
    }
    least
}
