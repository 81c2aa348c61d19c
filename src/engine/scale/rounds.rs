//! The engine of best-first search on shards, which are worked in rounds by several threads.

use std::fmt;
use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::horizon::{Horizon, Span};
use super::ids::Place;
use super::shard::{Arrival, Ended};
use super::station::{Pacer, Station};
use crate::clock::Stopwatch;
use crate::cost::{Cost, larger};
use crate::engine::best_first::{Id, Order};
use crate::engine::depth_first::HaltOnPanic;
use crate::engine::limit_check::LimitCheck;
use crate::engine::{Engine, Progress, Run};
use crate::frontier::{Frontier, Key};
use crate::limits::Limits;
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::SearchProblem;
use crate::report::{SearchError, Stats, StopReason};
use crate::table::{Full, Record, StateId, TableFor};

/// The engine of best-first search on several threads, in any [`Order`]: what
/// [`AStar::threads`](crate::AStar::threads) and [`Dijkstra::threads`](crate::Dijkstra::threads) build.
///
/// Every state belongs to one of a fixed number of shards, by its hash. Each shard has a table and an open list of its own. The search goes
/// in rounds: each shard takes in the states that were sent to it in the last round, in the order of the senders, and then
/// expands the best of its open states, a limited number, whose successors it sends to their owners. What a shard
/// does in a round does not depend on the others, so any number of threads do the same, each taking the next shard that
/// is left.
///
/// A goal that is expanded ends the search when no open state, nor any on its way, precedes it in the order.
pub struct ShardedEngine<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
{
    pub(super) problem: Arc<P>,
    pub(super) stations: Vec<Station<Arc<P>, R, T, F>>,
    /// Starts that no shard has yet.
    pub(super) starts: Vec<(P::State, P::Cost)>,
    pool: Pool,
    span: Span,
    /// The round that is under way.
    round: Option<Horizon<R::Key>>,
    /// The number of states that were sent in the last round.
    under_way: u64,
    /// What had been counted when the round began.
    before: Stats,
    /// The largest f of the round.
    largest_f: Option<P::Cost>,
    /// The bytes of the shards in the account of the search.
    bytes: usize,
    /// The largest lower bound so far.
    pub(super) lower_bound: P::Cost,
    /// The goal that is the answer, or the best so far, with the number of its shard.
    pub(super) goal: Option<(usize, Id<P, T>)>,
    /// How many of the successors in each outbox of each shard the observer was told of.
    pub(super) told: Vec<usize>,
}

/// The number of shards, whatever the number of threads.
pub(super) const SHARDS: u32 = 16;

/// A round need not have more expansions, of all shards together.
const ENOUGH: u64 = 64;

/// The threads.
struct Pool {
    count: usize,
    /// The other threads, from when they are needed first.
    pool: Option<ThreadPool>,
    /// Whether the system has no threads to give.
    is_alone: bool,
    /// How long the last round would have taken one thread.
    work: Duration,
}

/// More threads are not started.
const MOST_THREADS: usize = 1024;

/// A round that takes longer is worth waking other threads.
const LONG: Duration = Duration::from_micros(40);

impl Pool {
    fn new(count: usize) -> Self {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let count = if count == 0 { processors() } else { count.min(MOST_THREADS) };
        // There is nothing to do for more threads than shards.
        let count = count.min(SHARDS as usize);
        Self { count, pool: None, is_alone: count == 1, work: Duration::ZERO }
    }

    /// The threads, if the next round is worth it.
    fn wake(&mut self) -> Option<&ThreadPool> {
        if self.is_alone || self.work < LONG {
            return None;
        }
        if self.pool.is_none() {
            self.pool = ThreadPoolBuilder::new().num_threads(self.count - 1).build().ok();
            self.is_alone = self.pool.is_none();
        }
        self.pool.as_ref()
    }
}

impl<P, R, T, F> ShardedEngine<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost> + Clone,
    T: TableFor<P::State, P::Cost> + Clone,
    F: Frontier<Id<P, T>, R::Key> + Clone,
{
    pub(super) fn new(
        problem: P,
        (order, table, frontier): (&R, &T, &F),
        threads: usize,
        starts: Vec<(P::State, P::Cost)>,
    ) -> Self {
        let problem = Arc::new(problem);
        let station = |shard| {
            let place = Place { shard, shards: SHARDS };
            let (order, table, frontier) = (order.clone(), table.clone(), frontier.clone());
            Station::new(Arc::clone(&problem), order, table, frontier, place)
        };
        Self {
            stations: (0..SHARDS).map(station).collect(),
            problem,
            starts,
            pool: Pool::new(threads),
            span: Span::new(ENOUGH),
            round: None,
            under_way: 0,
            before: Stats::default(),
            largest_f: None,
            bytes: 0,
            lower_bound: P::Cost::ZERO,
            goal: None,
            told: vec![0; (SHARDS * SHARDS) as usize],
        }
    }
}

/// How the search ends, or that it goes on.
type Next<C> = Result<ControlFlow<Progress>, SearchError<C>>;

impl<P, R, T, F> ShardedEngine<P, R, T, F>
where
    P: SearchProblem<State: Send, Action: Send, Cost: Send> + Send + Sync,
    R: Order<P::Cost, Key: Send + Sync> + Send,
    T: TableFor<P::State, P::Cost> + Send,
    F: Frontier<Id<P, T>, R::Key> + Send,
{
    /// Sends the starts to their owners. If there is no room, the search stops before the first that has none.
    fn send_starts<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Result<(), OutOfMemory>, SearchError<P::Cost>> {
        self.stations[0].shard.states().order().validate()?;
        self.share_memory(run.memory());
        let mut sent = Ok(());
        // They are taken from the end; the shards take them in from the end, too.
        while let Some((state, g)) = self.starts.pop() {
            let Station { shard, inboxes, .. } =
                &mut self.stations[super::owner_of(&state, SHARDS) as usize];
            sent = shard.run().memory().reserve(&mut inboxes[0], 1);
            if sent.is_err() {
                self.starts.push((state, g));
                break;
            }
            let Some(g) = shard.states_mut().cost_behind(P::Cost::ZERO, g)? else { continue };
            if O::LISTENS {
                run.observer.generated(None, &state, g);
            }
            inboxes[0].push(Arrival { state, g, parent: StateId::NONE });
            self.under_way += 1;
        }
        self.count(run);
        Ok(sent)
    }

    /// Begins the next round, unless the search ends.
    fn begin_round<O>(&mut self, run: &mut Run<P::Cost, O>) -> Next<P::Cost> {
        let (mut least, mut can_go_on, mut is_barred) = (None, self.under_way > 0, false);
        let mut goal: Option<(usize, (Id<P, T>, R::Key))> = None;
        for (number, Station { shard, .. }) in self.stations.iter().enumerate() {
            if let Some((id, key)) = shard.goal()
                && goal.is_none_or(|(_, (_, best))| key.precedes(&best))
            {
                goal = Some((number, (id, key)));
            }
        }
        self.goal = goal.map(|(number, (id, _))| (number, id));
        let goal = goal.map(|(_, (_, key))| key);
        for Station { shard, .. } in &mut self.stations {
            let Ok(bound) = shard.bound() else {
                return Ok(ControlFlow::Break(Progress::Stopped(StopReason::Memory)));
            };
            can_go_on |= shard.states().has_waiting();
            if let Some(bound) = bound
                && goal.is_none_or(|goal| bound.precedes(&goal))
            {
                let barred = shard.is_barred();
                is_barred |= barred;
                can_go_on |= !barred;
                if least.is_none_or(|least| bound.precedes(&least)) {
                    least = Some(bound);
                }
            }
        }
        if !can_go_on && let Some(end) = self.end(is_barred, run)? {
            return Ok(ControlFlow::Break(end));
        }
        if let Err(full) = run.make_room_for_layer() {
            return Ok(ControlFlow::Break(Progress::Stopped(full.into())));
        }
        let expanded = run.stats.expanded;
        let layer = self.span.next_round(least, self.under_way > 0, expanded);
        // At first the starts are taken in.
        let quota = if layer.is_some() || least.is_some() || expanded > 0 {
            Span::quota(expanded, SHARDS.into())
        } else {
            0
        };
        for station in &mut self.stations {
            station.begin_round(quota);
            station.shard.run().memory().forget_peak();
        }
        self.before = run.stats;
        self.largest_f = None;
        self.round = Some(Horizon { layer, goal });
        Ok(ControlFlow::Continue(()))
    }

    /// Called when no state is left to be expanded within the limit on the cost: how the search ends, unless states that
    /// were set aside are within that limit now.
    fn end<O>(
        &mut self,
        is_barred: bool,
        run: &Run<P::Cost, O>,
    ) -> Result<Option<Progress>, SearchError<P::Cost>> {
        let too_dear = Ok(Some(Progress::Stopped(StopReason::Cost)));
        if let Some((shard, id)) = self.goal {
            let cost = self.stations[shard].shard.states().record(id).g();
            return if run.exceeds_cost_limit(cost) { too_dear } else { Ok(Some(Progress::Found)) };
        }
        if is_barred {
            return too_dear;
        }
        let (mut has_aside, mut recalled) = (false, false);
        for Station { shard, .. } in &mut self.stations {
            let (states, shard_run) = shard.states_and_run();
            if states.sift_aside(|_| true) {
                has_aside = true;
                match states.recall_aside(shard_run) {
                    Ok(is_any) => recalled |= is_any,
                    Err(full) => return Ok(Some(Progress::Stopped(full.into()))),
                }
            }
        }
        if recalled {
            return Ok(None);
        }
        if has_aside {
            return too_dear;
        }
        let overflow = self.stations.iter().find_map(|station| station.shard.states().overflow());
        overflow.map_or(Ok(Some(Progress::Exhausted)), Err)
    }

    /// Has the shards go on with the round, for at most `most` expansions.
    fn work<O: Observer<P::State, P::Cost>>(
        &mut self,
        horizon: &Horizon<R::Key>,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Next<P::Cost> {
        let limits = LimitCheck::new(run);
        let is_watched = run.budget.is_watched();
        let halt = AtomicBool::new(false);
        self.share_memory(run.memory());
        let quota: u64 = self.stations.iter().map(|station| station.quota).sum();
        let stations = &mut self.stations;
        let began = Stopwatch::start();
        let mut threads = 1;
        if quota > most {
            // Which shards expand what is left must not depend on the threads.
            let (mut pacer, mut left) = (Pacer::new(limits, is_watched, &halt), most);
            for station in stations {
                let before = station.quota;
                station.work(left, horizon, &mut pacer);
                left -= before - station.quota;
                station.ended?;
            }
        } else {
            let queue = Mutex::new(stations.iter_mut());
            let work = |limits| {
                let _guard = HaltOnPanic(&halt);
                let mut pacer = Pacer::new(limits, is_watched, &halt);
                loop {
                    // No one panics while it is locked.
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(station) = next else { return };
                    station.work(u64::MAX, horizon, &mut pacer);
                }
            };
            let count = self.pool.count;
            if let Some(pool) = self.pool.wake() {
                threads = count;
                pool.in_place_scope(|scope| {
                    for _ in 1..count {
                        let limits = limits.clone();
                        scope.spawn(|_| work(limits));
                    }
                    work(limits.clone());
                });
            } else {
                work(limits);
            }
        }
        self.pool.work = began.elapsed().saturating_mul(u32::try_from(threads).unwrap_or(1));
        self.judge(horizon, most, run)
    }

    /// Called when the shards have worked: sees to those that had too little memory; whether the round goes on.
    fn judge<O: Observer<P::State, P::Cost>>(
        &mut self,
        horizon: &Horizon<R::Key>,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Next<P::Cost> {
        let before = run.stats.expanded;
        let mut end = None;
        for number in 0..self.stations.len() {
            let station = &mut self.stations[number];
            if let Ended::Full(Full::Memory) = station.ended? {
                // It may have what is left to all.
                let held =
                    Memory::sum(self.stations.iter().map(|station| station.shard.memory_account()));
                let left =
                    run.memory().left().saturating_add(self.bytes).saturating_sub(held.held());
                let left_to_expand = most.saturating_sub(self.expanded() - before);
                let station = &mut self.stations[number];
                let memory = station.shard.run().memory();
                memory.set_most(memory.held().saturating_add(left));
                let halt = AtomicBool::new(false);
                let mut pacer = Pacer::new(LimitCheck::new(run), run.budget.is_watched(), &halt);
                station.work(left_to_expand, horizon, &mut pacer);
            }
            let ended = match self.stations[number].ended? {
                Ended::Done => continue,
                Ended::Cut => Progress::Going,
                Ended::Halted => Progress::Paused,
                Ended::Full(full) => Progress::Stopped(full.into()),
            };
            // Whatever else there is to do: there is no room.
            if end.is_none() || matches!(ended, Progress::Stopped(_)) {
                end = end.filter(|end| matches!(end, Progress::Stopped(_))).or(Some(ended));
            }
        }
        self.count(run);
        self.tell(run);
        if let Some(end) = end {
            return Ok(ControlFlow::Break(end));
        }
        self.end_round(run);
        Ok(ControlFlow::Continue(()))
    }

    /// Divides the memory that is left among the shards.
    fn share_memory(&mut self, memory: &Memory) {
        let left = memory.left() / self.stations.len();
        for station in &mut self.stations {
            let memory = station.shard.run().memory();
            memory.set_most(memory.held().saturating_add(left));
        }
    }

    fn expanded(&self) -> u64 {
        self.stations.iter().map(|station| station.shard.counts().expanded).sum()
    }

    /// Brings the counts and the account of memory up to date.
    fn count<O: Observer<P::State, P::Cost>>(&mut self, run: &mut Run<P::Cost, O>) {
        for station in &mut self.stations {
            if self.before.expanded == 0 {
                // Starts are given, not generated.
                station.shard.run().stats.duplicates = 0;
            }
            if let Some(f) = station.shard.take_largest_f() {
                self.largest_f = Some(self.largest_f.map_or(f, |largest| larger(largest, f)));
            }
        }
        if let Some(f) = self.largest_f
            && run.is_new_layer(f)
        {
            // The whole round belongs to the layer.
            run.stats = self.before;
            run.enter_layer(f);
        }
        let peak_frontier = run.stats.peak_frontier;
        run.stats = Stats { peak_frontier, ..Stats::default() };
        for station in &self.stations {
            let counts = station.shard.counts();
            run.stats.expanded += counts.expanded;
            run.stats.generated += counts.generated;
            run.stats.duplicates += counts.duplicates;
            run.stats.dead_ends += counts.dead_ends;
            run.stats.evaluated += counts.evaluated;
            run.stats.reopened += counts.reopened;
        }
        let memory = run.memory();
        memory.release(self.bytes);
        let all = Memory::sum(self.stations.iter().map(|station| station.shard.memory_account()));
        self.bytes = all.held();
        memory.absorb(&all);
    }

    /// Delivers what the shards have sent.
    fn end_round<O>(&mut self, run: &mut Run<P::Cost, O>) {
        self.under_way = 0;
        let mut open = 0;
        for from in 0..self.stations.len() {
            open += self.stations[from].shard.states().open_states();
            for to in 0..self.stations.len() {
                let sent = self.stations[from].shard.outboxes()[to].len();
                if sent > 0 {
                    self.under_way += sent as u64;
                    let mut list = mem::take(&mut self.stations[to].inboxes[from]);
                    self.stations[from].shard.swap_outbox(to, &mut list);
                    self.stations[to].inboxes[from] = list;
                }
            }
        }
        run.stats.peak_frontier = run.stats.peak_frontier.max(open);
        self.told.fill(0);
        self.round = None;
    }
}

impl<P, R, T, F> Engine for ShardedEngine<P, R, T, F>
where
    P: SearchProblem<State: Send, Action: Send, Cost: Send> + Send + Sync,
    R: Order<P::Cost, Key: Send + Sync> + Send,
    T: TableFor<P::State, P::Cost> + Send,
    F: Frontier<Id<P, T>, R::Key> + Send,
{
    type Problem = P;
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn advance<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        if !self.starts.is_empty()
            && let Err(full) = self.send_starts(run)?
        {
            return Ok(Progress::Stopped(full.into()));
        }
        for Station { shard, .. } in &mut self.stations {
            let limits = Limits::new();
            let limits = match run.budget.limits().cost_limit() {
                Some(most) => limits.cost(most),
                None => limits,
            };
            shard.run().budget.set_limits(limits);
            shard.list_expanded(O::LISTENS);
        }
        let until = run.stats.expanded.saturating_add(most);
        loop {
            let horizon = match self.round {
                Some(horizon) => horizon,
                None => match self.begin_round(run)? {
                    ControlFlow::Break(end) => return Ok(end),
                    ControlFlow::Continue(()) => continue,
                },
            };
            let left = until.saturating_sub(run.stats.expanded);
            if let ControlFlow::Break(end) = self.work(&horizon, left, run)? {
                return Ok(end);
            }
        }
    }

    fn watches_clock(&self) -> bool {
        true
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        self.proved()
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.best_goal().map_or(Ok(None), |goal| self.path_to(goal))
    }

    fn closest(&self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.closest_state().map_or(Ok(None), |id| self.path_to(id))
    }

    fn stored(&self) -> usize {
        self.stations.iter().map(|station| station.shard.states().table().len()).sum()
    }

    fn keeps_closed(&self) -> bool {
        true
    }

    fn closed_cost(&self, state: &P::State) -> Option<P::Cost> {
        let owner = super::owner_of(state, SHARDS) as usize;
        self.stations[owner].shard.states().closed_cost(state)
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.stations.iter_mut().for_each(Station::clear);
        self.starts.clear();
        self.starts.extend(starts);
        self.span = Span::new(ENOUGH);
        (self.round, self.under_way, self.goal) = (None, 0, None);
        self.before = Stats::default();
        self.largest_f = None;
        self.lower_bound = P::Cost::ZERO;
        self.told.fill(0);
    }

    fn set_problem(&mut self, problem: P) {
        self.problem = Arc::new(problem);
        for station in &mut self.stations {
            station.shard.set_problem(Arc::clone(&self.problem));
        }
    }
}

impl<P, R, T, F> fmt::Debug for ShardedEngine<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShardedEngine")
            .field("shards", &self.stations.len())
            .field("threads", &self.pool.count)
            .field("lower_bound", &self.lower_bound)
            .finish_non_exhaustive()
    }
}
