//! Anytime search: a path soon, better ones while there is time, and always how good they are.

use super::builder::incumbent_builder;
use super::queues::{ORDERS, Queues};
use super::rectangle::Rounds;
use super::select::Candidate;
use super::{ByArrival, IncumbentEngine, OpenList, Pruning, open_list};
use crate::Search;
use crate::cost::{Cost, smaller};
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
///   prune, in four queues (64 bytes for an open state with costs of 32 bits): [`Beam`](crate::Beam) keeps those of one pass only.
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
/// taken from one is removed from all. Stale are the entries of states that were reached again at less cost.
pub struct SeveralOrders<C, I = u32> {
    queues: Queues<C, I>,
    /// From which depth a state is taken when it is the turn of rectangle search, which is 0.
    rounds: Rounds,
    turn: usize,
    /// The states pushed since the last [`arrange`](OpenList::arrange), each with its f.
    new: Vec<(I, C)>,
}

/// The aspect of the rectangle: that of [`Rectangle`](crate::Rectangle).
const ASPECT: usize = 500;

/// The most stale entries that are skipped before the limits are looked at.
const MOST_STALE: usize = 1 << 10;

/// So many states are taken by turns.
const TURNS: usize = 1 + ORDERS;

impl<C: Cost, I: StateId> SeveralOrders<C, I> {
    fn new((): ()) -> Self {
        Self { queues: Queues::new(), rounds: Rounds::new(ASPECT), turn: 0, new: Vec::new() }
    }

    /// Makes room for so many more states at the depth of those that are pushed.
    #[inline]
    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.new, states)?;
        self.queues.reserve(self.rounds.depth_of_new(), self.new.len() + states, memory)
    }

    /// Takes the first state of the queue whose turn it is out of all queues.
    #[inline]
    fn take(&mut self) -> Option<(I, Single<C>)> {
        if self.queues.len() == 0 {
            return None;
        }
        let best = match self.turn.checked_sub(1) {
            None => self.rounds.take_next(&mut self.queues),
            Some(order) => {
                let (best, depth) = self.queues.pop_in(order)?;
                self.rounds.take(depth);
                best
            }
        };
        Some((best.id, Single(best.f)))
    }
}

impl<C: Cost, I: StateId> Frontier<I, Single<C>> for SeveralOrders<C, I> {
    const SKIPS_STALE: bool = true;

    #[inline]
    fn push(
        &mut self,
        id: I,
        Single(f): Single<C>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.make_room(1, memory)?;
        self.new.push((id, f));
        Ok(())
    }

    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(I, Single<C>)>, OutOfMemory> {
        self.pop_current(|_, _| true, memory)
    }

    #[inline]
    fn pop_current(
        &mut self,
        mut is_current: impl FnMut(I, Single<C>) -> bool,
        _: &mut Memory,
    ) -> Result<Option<(I, Single<C>)>, OutOfMemory> {
        let mut last = None;
        for _ in 0..MOST_STALE {
            last = self.take();
            match last {
                Some((id, key)) if !is_current(id, key) => {}
                Some(_) => {
                    self.turn = (self.turn + 1) % TURNS;
                    break;
                }
                None => break,
            }
        }
        Ok(last)
    }

    fn least(&mut self, _: &mut Memory) -> Result<Option<Single<C>>, OutOfMemory> {
        let mut least = None;
        self.for_each(|_, Single(f)| least = Some(least.map_or(f, |least| smaller(least, f))));
        Ok(least.map(Single))
    }

    fn for_each(&self, mut visit: impl FnMut(I, Single<C>)) {
        self.queues.iter().for_each(|it| visit(it.id, Single(it.f)));
        self.new.iter().for_each(|&(id, f)| visit(id, Single(f)));
    }

    fn retain(&mut self, mut keep: impl FnMut(I, Single<C>) -> bool) {
        self.queues.retain(|it| keep(it.id, Single(it.f)));
        self.new.retain(|&(id, f)| keep(id, Single(f)));
    }

    #[inline]
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        match (self.turn + ahead) % TURNS {
            0 => self.queues.first_at(self.rounds.hint(0)),
            turn => self.queues.first_in(turn - 1),
        }
    }

    fn len(&self) -> usize {
        self.queues.len() + self.new.len()
    }

    fn clear(&mut self) {
        self.queues.clear();
        self.new.clear();
        self.rounds.clear();
        self.turn = 0;
    }
}

impl<C, I> open_list::sealed::Sealed for SeveralOrders<C, I> {}

impl<P: SearchProblem, T: TableFor<P::State, P::Cost>> OpenList<P, T>
    for SeveralOrders<P::Cost, Id<P, T>>
{
    #[inline]
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.make_room(additional, memory)
    }

    #[inline]
    fn new_entries(&self) -> &[(Id<P, T>, P::Cost)] {
        &self.new
    }

    #[inline]
    fn arrange(&mut self, table: &T) {
        let depth = self.rounds.depth_of_new();
        for (id, f) in self.new.drain(..) {
            let record = table.load(id);
            let h = if T::Record::KEEPS_H { record.h() } else { P::Cost::ZERO };
            self.queues.push(depth, Candidate { f, h, id });
            self.rounds.push(depth);
        }
    }

    #[inline]
    fn next_layer(&mut self, _: &T, _: Option<P::Cost>) -> Option<P::Cost> {
        None
    }
}

show_fields! {
    [C: Cost, I: StateId] SeveralOrders<C, I>,
    "SeveralOrders" (this) { entries = this.queues.len(), turn = this.turn }
}
