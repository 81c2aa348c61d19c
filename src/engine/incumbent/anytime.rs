//! Anytime search: a path soon, better ones while there is time, and always how good they are.

use super::builder::incumbent_builder;
use super::pairing_heaps::PairingHeaps;
use super::select::Candidate;
use super::{ByArrival, Depths, IncumbentEngine, OpenList, Pruning, open_list};
use crate::Search;
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::engine::best_first::{CostOf, Hashed};
use crate::engine::depth_first::{Buffered, Expander, InPlace};
use crate::engine::relaxation::Id;
use crate::frontier::{Frontier, Single};
use crate::limits::Limits;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::{InPlaceProblem, SearchProblem};
use crate::report::{ReportOf, SearchError};
use crate::table::{Record, StateId, TableFor};

/// Anytime search: the first choice where a cheapest path may take too long, and a good one is wanted soon. On one table
/// it expands states in four orders by turns, one state each: that of [`Rectangle`](crate::Rectangle) search, which
/// begins with a dive and goes on as beams of growing width; by *g + 5h* and by *g + 2h*, as weighted A* does; and by
/// *f = g + h*, as A* does, which raises the lower bound.
///
/// - **Finds** a first path soon, then better ones, and a cheapest path when it ends, for every heuristic that never
///   overestimates, consistent or not. An [`Observer`](crate::Observer) is called for each, with its cost and the lower
///   bound. States whose *f* is no less than the cost of the best path so far (the incumbent) are pruned in all orders.
/// - **Stopped** before its end, its report has the [best path so far](crate::Report::incumbent), the lower bound, and
///   the [factor](crate::Report::suboptimality) of the optimum that is proved. Told to go on, it ends as if it had not been
///   stopped.
/// - **Lower bound**: the smallest *f* of the open states. Nothing is left out.
/// - **Compared with one engine**: in a domain where one order is best, it is at most about four times as late as an
///   engine of that order alone, and mostly less, because the paths that the others find prune. Which order that is
///   differs: on schedules weighted A* may find no path for a long time where a dive has one at once, and on puzzles
///   it is the other way round.
/// - **Duplicates**: no state is expanded twice at the same cost, whichever order took it first.
/// - **Takes** four operations on heaps per generated state, and memory for all states that it generates and does not
///   prune, in four queues: [`Beam`](crate::Beam) keeps those of one pass only.
/// - **Infinite spaces**: every state within the cost of the incumbent is reached at some time, if each step costs something.
///
/// Sources: Lemons, Ruml, Holte and Linares López, *Rectangle Search: An Anytime Beam Search*, 2024; Hansen and Zhou,
/// *Anytime Heuristic Search*, 2007; several open lists by turns: Röger and Helmert, *The More, the Merrier: Combining
/// Heuristic Estimators for Satisficing Planning*, 2010.
///
/// # Example
///
/// Six jobs on one machine, each with its hours, when it is due, and what an hour of delay costs:
///
/// ```
/// use bestfirst::{Anytime, Limits, SearchProblem, Successors};
///
/// struct Machine([(u32, u32, u32); 6]);
///
/// impl Machine {
///     /// The jobs that are left, and what each costs if it is the next one.
///     fn next(&self, done: u32) -> impl Iterator<Item = (usize, u32)> {
///         let is_done = move |job: &usize| done >> job & 1 == 1;
///         let now: u32 = (0..6).filter(is_done).map(|job| self.0[job].0).sum();
///         (0..6).filter(move |job| !is_done(job)).map(move |job| {
///             let (hours, due, weight) = self.0[job];
///             (job, weight * (now + hours).saturating_sub(due))
///         })
///     }
/// }
///
/// impl SearchProblem for Machine {
///     type State = u32; // a bit for each job that is done
///     type Action = usize;
///     type Cost = u32;
///
///     fn successors(&self, &done: &u32, next: &mut Successors<Self>) {
///         next.extend(self.next(done).map(|(job, cost)| (job, done | 1 << job, cost)));
///     }
///     fn heuristic(&self, &done: &u32) -> u32 {
///         self.next(done).map(|(_, cost)| cost).sum()
///     }
///     fn is_goal(&self, &done: &u32) -> bool {
///         done == 0b11_1111
///     }
/// }
///
/// let machine = Machine([(5, 6, 4), (3, 6, 2), (8, 10, 7), (2, 9, 1), (6, 8, 5), (4, 5, 3)]);
/// let limits = Limits::new().expansions(25);
/// let mut search = Anytime::new(&machine).limits(limits).search(0);
///
/// let report = search.run()?; // stopped early: a path, and how good it is
/// assert!(report.incumbent.is_some());
/// let factor = report.suboptimality().expect("a path is found");
/// println!("cost {:?}, at most {factor:.2} times the least", report.cost());
///
/// search.set_limits(Limits::new());
/// let report = search.run()?; // with time enough, a cheapest path
/// assert!(report.is_optimal());
/// # let exact = bestfirst::dijkstra(&machine, 0)?;
/// # assert_eq!(report.cost(), exact.cost());
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Anytime<P: SearchProblem, W = Buffered<P>, T = Hashed<P>, O = ()> {
    problem: P,
    /// There is nothing to choose.
    ranking: (),
    expander: W,
    /// Whether successors are looked up before they are copied.
    sieves: bool,
    table: T,
    limits: Limits<P::Cost>,
    observer: O,
}

/// An anytime search of the problem `P`: what [`Anytime::search`] makes.
pub type AnytimeSearch<P, W = Buffered<P>, T = Hashed<P>, O = ()> =
    Search<IncumbentEngine<P, SeveralOrders<CostOf<P>, Id<P, T>>, W, T>, O>;

impl<P: SearchProblem> Anytime<P> {
    /// Creates a builder for an anytime search of `problem` (owned or borrowed) with a [`HashedTable`](crate::table::HashedTable), no limits and no
    /// observer.
    pub fn new(problem: P) -> Self {
        Self::of(problem, ())
    }
}

incumbent_builder!(
    Anytime<P>,
    ranking: (),
    open_list: SeveralOrders<P::Cost, Id<P, T>>, by SeveralOrders::new,
    search: AnytimeSearch
);

/// Finds a cheapest path from `start` to a goal by [`Anytime`] search, without limits. For the best path within a time,
/// use the builder.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, anytime};
///
/// let stairs = FnProblem::new(
///     |&n: &u32| [(n + 1, 3_u32), (n + 2, 5), (n + 5, 11)],
///     |&n: &u32| if n > 19 { u32::MAX } else { 19 - n },
///     |&n: &u32| n == 19,
/// );
/// assert_eq!(anytime(&stairs, 0)?.cost(), Some(43)); // 5 + 5 + 5 + 2 + 2
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn anytime<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    Anytime::new(problem).search(start).run()
}

/// The open states of [`Anytime`] search: each is in several queues, from which states are taken by turns. A state that is
/// taken from one remains in the others as a stale entry. Stale entries are removed when they outnumber the others.
pub struct SeveralOrders<C, I = u32> {
    /// The queues of rectangle search, whose turn is 0.
    depths: Depths<C, I>,
    /// A queue for each of the [`WEIGHTS`], with the depths of the states.
    orders: PairingHeaps<C, (I, u32)>,
    turn: usize,
    /// An upper bound on the number of stale entries.
    stale: usize,
}

/// The aspect of the rectangle: that of [`Rectangle`](crate::Rectangle).
const ASPECT: usize = 500;

/// The weights of *h* in the orders that are not that of rectangle search. Whole numbers, so that every type of costs will do.
const WEIGHTS: [u32; 3] = [5, 2, 1];

/// Stale entries are removed when they may outnumber the others by this number.
const SLACK: usize = 1 << 10;

impl<C: Cost, I: StateId> SeveralOrders<C, I> {
    fn new((): ()) -> Self {
        let (depths, orders) = (Depths::new(ASPECT), PairingHeaps::new());
        Self { depths, orders, turn: 0, stale: 0 }
    }

    /// Makes room for so many more states in the queues that are not those of the depths.
    #[inline]
    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let states = self.depths.new_entries().len() + states;
        self.orders.reserve(WEIGHTS.len() - 1, WEIGHTS.len() * states, memory)
    }

    /// Takes the first entry of the queue whose turn it is.
    #[inline]
    fn take(&mut self, memory: &mut Memory) -> Result<Option<(I, Single<C>)>, OutOfMemory> {
        let Some(order) = self.turn.checked_sub(1) else { return self.depths.pop(memory) };
        Ok(self.orders.pop(order).map(|best| {
            let (id, depth) = best.id;
            self.depths.take_elsewhere(depth as usize);
            (id, Single(best.f))
        }))
    }
}

/// *g + w·h*, or infinity if it does not fit into its type.
#[inline]
fn weighted<C: Cost>(weight: u32, f: C, h: C) -> C {
    (1..weight).try_fold(f, |sum, _| sum.checked_add(h)).unwrap_or(C::INFINITY)
}

impl<C: Cost, I: StateId> Frontier<I, Single<C>> for SeveralOrders<C, I> {
    const SKIPS_STALE: bool = true;

    #[inline]
    fn push(&mut self, id: I, f: Single<C>, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.make_room(1, memory)?;
        self.depths.push(id, f, memory)
    }

    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(I, Single<C>)>, OutOfMemory> {
        self.pop_current(|_, _| true, memory)
    }

    #[inline]
    fn pop_current(
        &mut self,
        mut is_current: impl FnMut(I, Single<C>) -> bool,
        memory: &mut Memory,
    ) -> Result<Option<(I, Single<C>)>, OutOfMemory> {
        let entries = self.depths.len() + self.orders.len();
        if self.stale > entries / 2 + SLACK {
            self.retain(&mut is_current);
        }
        while let Some((id, key)) = self.take(memory)? {
            if is_current(id, key) {
                // The state's entries in the other queues are stale now.
                self.stale += WEIGHTS.len();
                self.turn = (self.turn + 1) % (WEIGHTS.len() + 1);
                return Ok(Some((id, key)));
            }
            self.stale = self.stale.saturating_sub(1);
        }
        // Every open state is in every queue, so what is left in the others is stale.
        self.clear();
        Ok(None)
    }

    fn least(&mut self, memory: &mut Memory) -> Result<Option<Single<C>>, OutOfMemory> {
        self.depths.least(memory)
    }

    fn for_each(&self, visit: impl FnMut(I, Single<C>)) {
        self.depths.for_each(visit);
    }

    fn retain(&mut self, mut keep: impl FnMut(I, Single<C>) -> bool) {
        self.stale = 0;
        self.orders.retain(|it| keep(it.id.0, Single(it.f)));
        self.depths.retain(keep);
    }

    #[inline]
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        match (self.turn + ahead) % (WEIGHTS.len() + 1) {
            0 => self.depths.peek_hint(0),
            turn => self.orders.peek(turn - 1).map(|best| best.id.0),
        }
    }

    fn len(&self) -> usize {
        self.depths.len()
    }

    fn clear(&mut self) {
        self.depths.clear();
        self.orders.clear();
        (self.turn, self.stale) = (0, 0);
    }
}

impl<C, I> open_list::sealed::Sealed for SeveralOrders<C, I> {}

impl<P: SearchProblem, T: TableFor<P::State, P::Cost>> OpenList<P, T>
    for SeveralOrders<P::Cost, Id<P, T>>
{
    #[inline]
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.make_room(additional, memory)?;
        OpenList::<P, T>::reserve(&mut self.depths, additional, memory)
    }

    #[inline]
    fn new_entries(&self) -> &[(Id<P, T>, P::Cost)] {
        self.depths.new_entries()
    }

    #[inline]
    fn arrange(&mut self, table: &T) {
        let depth = u32::try_from(self.depths.depth_of_new()).unwrap_or(u32::MAX);
        for &(id, f) in self.depths.new_entries() {
            let record = table.load(id);
            let h = if T::Record::KEEPS_H { record.h() } else { P::Cost::ZERO };
            for (order, weight) in WEIGHTS.into_iter().enumerate() {
                let key = weighted(weight, f, h);
                self.orders.push(order, Candidate { f: key, h, id: (id, depth) });
            }
        }
        OpenList::<P, T>::arrange(&mut self.depths, table);
    }

    #[inline]
    fn next_layer(&mut self, _: &T, _: Option<P::Cost>) -> Option<P::Cost> {
        None
    }
}

show_fields! { [C: Cost, I: StateId] SeveralOrders<C, I>, "SeveralOrders" { depths, turn } }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_do_not_fit_come_last() {
        assert_eq!(weighted(5, 10_u32, 3), 22);
        assert_eq!(weighted(1, 10_u32, 3), 10);
        assert_eq!(weighted(5, 10_u8, 100), u8::MAX);
        assert!(weighted(2, f64::MAX, f64::MAX) >= f64::INFINITY);
    }
}
