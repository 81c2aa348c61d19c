//! The engine of best-first search on shards, which are worked in rounds by several threads.

use std::mem;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use super::horizon::{Horizon, Span};
use super::ids::Place;
use super::round_threads::RoundThreads;
use super::shard::{Arrival, Ended};
use super::station::{Pacer, Station};
use super::workers::{End, Workers};
use crate::clock::Stopwatch;
use crate::cost::{Cost, larger};
use crate::debug::show_fields;
use crate::engine::depth_first::HaltOnPanic;
use crate::engine::halt::Halt;
use crate::engine::limit_check::LimitCheck;
use crate::engine::parts::{Parts, With};
use crate::engine::{Engine, Order, Progress, Run};
use crate::frontier::Key;
use crate::limits::Limits;
use crate::memory::Memory;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::report::{SearchError, Stats, StopReason};
use crate::table::{Full, Record, StateId, Table};

/// The engine of best-first search on several threads, in any [`Order`]: what
/// [`AStar::threads`](crate::AStar::threads) and [`Dijkstra::threads`](crate::Dijkstra::threads) build.
///
/// Every state belongs to one of a fixed number of shards, by its hash. Each shard has a table and an open list of its
/// own. The search goes in rounds: each shard takes in the states that were sent to it in the last round, in the order of
/// the senders, and then expands the best of its open states, a limited number, whose successors it sends to their
/// owners. What a shard does in a round does not depend on the others, so any number of threads do the same, each
/// taking the next shard that is left.
///
/// A goal that is expanded ends the search when no open state, nor any on its way, precedes it in the order.
pub type ShardedEngine<P, R, T, F> = ShardedDriver<With<P, R, T, F>>;

/// The same, as a type of its parts.
pub struct ShardedDriver<S: Parts> {
    pub(super) problem: Arc<S::Problem>,
    pub(super) stations: Vec<Box<StationOf<S>>>,
    /// Starts that no shard has yet.
    pub(super) starts: Vec<(S::State, S::Cost)>,
    threads: RoundThreads,
    span: Span,
    /// Whether a round is under way.
    is_in_round: bool,
    /// The number of states that were sent in the last round.
    under_way: u64,
    /// What had been counted when the round began.
    before: Stats,
    /// How far the shards had come then: see [`moves`](super::shard::Shard::moves).
    moves_before: u64,
    /// The largest f of the round, and whether it has begun a layer.
    largest_f: Option<S::Cost>,
    has_new_layer: bool,
    /// The limit on the cost when it was looked at last, and whether states that were set aside may be within it now.
    most_cost: Option<S::Cost>,
    must_recall: bool,
    /// The bytes of the shards in the account of the search.
    bytes: usize,
    /// The largest lower bound that was reported.
    pub(super) lower_bound: S::Cost,
    /// The goal that is the answer, or the best so far, with the number of its shard.
    pub(super) goal: Option<(usize, S::Id)>,
    /// How many of the successors in each outbox of each shard the observer was told of.
    pub(super) told: Vec<usize>,
}

/// A station of a search: all share the problem.
pub(super) type StationOf<S> = Station<
    With<
        Arc<<S as Parts>::Problem>,
        <S as Parts>::Order,
        <S as Parts>::Table,
        <S as Parts>::Frontier,
    >,
>;

/// The number of shards, whatever the number of threads.
pub(super) const SHARDS: u32 = 16;

/// In one call, some thousand states are recalled fewer than this many times; then the limits are checked.
const MOST_RECALLED: u32 = 8;

/// A round need not have more expansions, of all shards together.
const ENOUGH: u64 = 64;

impl<S: Parts<Order: Clone, Table: Clone, Frontier: Clone>> ShardedDriver<S> {
    pub(super) fn new(
        problem: S::Problem,
        (order, table, frontier): (&S::Order, &S::Table, &S::Frontier),
        threads: usize,
        starts: Vec<(S::State, S::Cost)>,
    ) -> Self {
        let problem = Arc::new(problem);
        let station = |shard| {
            let place = Place { shard, shards: SHARDS };
            let (order, table, frontier) = (order.clone(), table.clone(), frontier.clone());
            Box::new(Station::new(Arc::clone(&problem), order, table, frontier, place))
        };
        Self {
            stations: (0..SHARDS).map(station).collect(),
            problem,
            starts,
            threads: RoundThreads::new(threads),
            span: Span::new(ENOUGH),
            is_in_round: false,
            under_way: 0,
            before: Stats::default(),
            moves_before: 0,
            largest_f: None,
            has_new_layer: false,
            most_cost: None,
            must_recall: false,
            bytes: 0,
            lower_bound: S::Cost::ZERO,
            goal: None,
            told: vec![0; (SHARDS * SHARDS) as usize],
        }
    }
}

/// That the search goes on, or how it ends.
type Next<C> = Result<(), Halt<C>>;

impl<S: Parts<Cost: Send>> ShardedDriver<S>
where
    StationOf<S>: Send,
{
    /// Sends the starts to their owners. If there is no room, the search stops before the first that has none.
    fn send_starts<O: Observer<S::State, S::Cost>>(
        &mut self,
        run: &mut Run<S::Cost, O>,
    ) -> Next<S::Cost> {
        self.stations[0].shard.states().order().validate()?;
        self.share_memory(run.memory());
        let mut sent = Ok(());
        // They are taken from the end; the shards take them in from the end, too.
        while let Some((state, g)) = self.starts.pop() {
            let Station { shard, inboxes, .. } =
                &mut *self.stations[super::owner_of(&state, SHARDS) as usize];
            sent = shard.run().memory().reserve(&mut inboxes[0], 1);
            if sent.is_err() {
                self.starts.push((state, g));
                break;
            }
            let Some(g) = shard.states_mut().cost_after(S::Cost::ZERO, g)? else { continue };
            if O::LISTENS {
                run.observer.generated(None, &state, g);
            }
            inboxes[0].push(Arrival { state, g, parent: StateId::NONE });
            self.under_way += 1;
        }
        self.count(run);
        Ok(sent?)
    }

    /// Begins the next round, unless the search ends.
    fn begin_round<O>(&mut self, run: &mut Run<S::Cost, O>) -> Next<S::Cost> {
        self.share_memory(run.memory());
        if self.must_recall {
            // Before a goal is an answer: one of these states may lead to a better one.
            self.recall_aside(run)?;
            self.must_recall = false;
            self.goal = None;
        }
        let (mut least, mut can_go_on, mut is_barred) = (None, self.under_way > 0, false);
        let mut goal: Option<S::Key> = None;
        for (number, station) in self.stations.iter().enumerate() {
            if let Some((id, key)) = station.shard.goal()
                && goal.is_none_or(|best| key.precedes(&best))
            {
                goal = Some(key);
                self.goal = Some((number, id));
            }
        }
        for station in &mut self.stations {
            let shard = &mut station.shard;
            if let Some(bound) = shard.bound()?
                && goal.is_none_or(|goal| bound.precedes(&goal))
            {
                if shard.is_barred() {
                    is_barred = true;
                    continue;
                }
                can_go_on = true;
                if least.is_none_or(|least| bound.precedes(&least)) {
                    least = Some(bound);
                }
            }
        }
        if !can_go_on {
            self.end(is_barred, run)?;
        }
        self.account(run.memory());
        run.make_room_for_layer()?;
        let expanded = run.stats.expanded;
        let layer = self.span.next_round(least, self.under_way > 0, expanded);
        // At first the starts are taken in.
        let quota = if layer.is_some() || least.is_some() || expanded > 0 {
            Span::quota(expanded, SHARDS.into())
        } else {
            0
        };
        for station in &mut self.stations {
            station.begin_round(quota, Horizon { layer, goal });
            station.shard.run().memory().forget_peak();
        }
        (self.before, self.moves_before) = (run.stats, self.moves());
        (self.largest_f, self.has_new_layer) = (None, false);
        self.is_in_round = true;
        Ok(())
    }

    /// Called when no state is left to be expanded within the limit on the cost: how the search ends, unless states that
    /// were set aside are within that limit now.
    fn end<O>(&mut self, is_barred: bool, run: &mut Run<S::Cost, O>) -> Next<S::Cost> {
        let too_dear = Err(StopReason::Cost.into());
        if let Some((shard, id)) = self.goal {
            let cost = self.stations[shard].shard.states().record(id).g();
            return Err(Halt::At(run.found(cost)));
        }
        if is_barred {
            return too_dear;
        }
        match self.recall_aside(run) {
            // The bounds of the next round are those of what is open now.
            Ok(Some(true)) => Err(Halt::PAUSED),
            Ok(Some(false)) => too_dear,
            Ok(None) => Err(Halt::At(self.exhausted(run)?)),
            Err(halt) => {
                // The rest is recalled when there is room, or time.
                self.must_recall = true;
                Err(halt)
            }
        }
    }

    /// Puts the states that were set aside back if they are within the limit on the cost; whether any was. `None` if none
    /// are aside.
    fn recall_aside<O>(
        &mut self,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Option<bool>, Halt<S::Cost>> {
        let (mut recalled, mut left) = (None, MOST_RECALLED);
        for number in 0..self.stations.len() {
            let mut goes_on = || {
                left -= 1;
                left > 0 && run.budget.goes_on()
            };
            let is_any = match self.stations[number].shard.recall_aside(&mut goes_on) {
                Err(halt) if halt.lacks_memory() => {
                    self.give_what_is_left(number, run.memory());
                    let again = self.stations[number].shard.recall_aside(|| false);
                    self.share_memory(run.memory());
                    again
                }
                other => other,
            };
            if let Some(is_any) = is_any? {
                recalled = Some(recalled.unwrap_or(false) | is_any);
            }
        }
        Ok(recalled)
    }

    /// Expands at most `most` states, the starts first, on all threads if that is worth it.
    fn go_on_from_start<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Next<S::Cost> {
        if !self.starts.is_empty() {
            self.send_starts(run)?;
        }
        let most_cost = run.budget.limits().cost_limit();
        self.must_recall |= most_cost != self.most_cost;
        self.most_cost = most_cost;
        for station in &mut self.stations {
            let shard = &mut station.shard;
            let limits = Limits::new();
            let limits = match most_cost {
                Some(most) => limits.cost(most),
                None => limits,
            };
            shard.run().budget.set_limits(limits);
            shard.list_expanded(O::LISTENS);
        }
        let until = run.stats.expanded.saturating_add(most);
        let halt = AtomicBool::new(false);
        let mut pacer = Pacer::new(LimitCheck::new(run), run.budget.is_watched(), &halt);
        self.go_on(until, None, &mut pacer, run)?;
        let others = self.threads.pool.others();
        let template = Mutex::new(pacer.clone());
        let workers: Workers<StationOf<S>> =
            Workers::new(self.stations.len(), self.threads.are_crowded());
        match &others {
            Some(others) => others.in_place_scope(|scope| {
                let _guards = (HaltOnPanic(&halt), End(&workers));
                // Once on each thread: a thread that waits for another inside of the problem takes no second one.
                scope.spawn_broadcast(|_, _| {
                    let _guard = HaltOnPanic(&halt);
                    let mut pacer = template.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    workers.run_helper(|station| station.work(u64::MAX, &mut pacer));
                });
                self.go_on(until, Some(&workers), &mut pacer, run)
            }),
            None => self.go_on(until, None, &mut pacer, run),
        }
    }

    /// Goes on with the round, and then from round to round, up to `until` expansions: until it ends, or until a round is
    /// worth other threads and there are none yet.
    fn go_on<O: Observer<S::State, S::Cost>>(
        &mut self,
        until: u64,
        workers: Option<&Workers<StationOf<S>>>,
        pacer: &mut Pacer<S::Cost>,
        run: &mut Run<S::Cost, O>,
    ) -> Next<S::Cost> {
        loop {
            if !self.is_in_round {
                self.begin_round(run)?;
            }
            let left = until.saturating_sub(run.stats.expanded);
            let quota: u64 = self.stations.iter().map(|station| station.quota).sum();
            let is_worth_threads = quota <= left && self.threads.are_worth_it();
            if is_worth_threads && workers.is_none() {
                return Ok(());
            }
            self.share_memory(run.memory());
            let began = Stopwatch::start();
            match workers {
                Some(workers) if is_worth_threads => {
                    let work = |station: &mut StationOf<S>| station.work(u64::MAX, pacer);
                    if !workers.run_round(&mut self.stations, work) {
                        // Another thread has panicked, and that panic is on its way.
                        return Err(Halt::At(Progress::Going));
                    }
                    self.threads.took(began.elapsed(), true);
                }
                _ => {
                    self.work_alone(left, pacer);
                    self.threads.took(began.elapsed(), false);
                }
            }
            self.judge(left, pacer, run)?;
        }
    }

    /// Has one shard after the other go on with the round, all together for at most `most` expansions: which of
    /// them expand what is left must not depend on threads.
    fn work_alone(&mut self, most: u64, pacer: &mut Pacer<S::Cost>) {
        let mut left = most;
        for station in &mut self.stations {
            let before = station.quota;
            station.work(left, pacer);
            left -= before - station.quota;
        }
    }

    /// Called when the shards have worked: sees to those that had too little memory; whether the round goes on.
    fn judge<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        pacer: &mut Pacer<S::Cost>,
        run: &mut Run<S::Cost, O>,
    ) -> Next<S::Cost> {
        let before = run.stats.expanded;
        let mut end = None;
        for number in 0..self.stations.len() {
            let station = &mut self.stations[number];
            if let Ended::Full(Full::Memory) = station.ended? {
                self.give_what_is_left(number, run.memory());
                let left_to_expand = most.saturating_sub(self.expanded() - before);
                self.stations[number].work(left_to_expand, pacer);
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
            return Err(Halt::At(end));
        }
        if self.moves() == self.moves_before {
            return Err(self.disorder().into());
        }
        self.end_round(run);
        Ok(())
    }

    fn moves(&self) -> u64 {
        self.stations.iter().map(|station| station.shard.moves()).sum()
    }

    /// Why a round has ended in which no shard did anything, as all others would: with keys in a total order, the
    /// shard with the least one expands it.
    #[cold]
    fn disorder(&self) -> SearchError<S::Cost> {
        let cost_of = |(shard, id): (usize, _)| {
            let station: &StationOf<S> = &self.stations[shard];
            station.shard.states().record(id).g()
        };
        let g = self.goal.map_or(self.lower_bound, cost_of);
        SearchError::NotANumber { g, value: g }
    }

    /// Brings the account of the search up to date with those of the shards.
    fn account(&mut self, memory: &mut Memory) {
        memory.release(self.bytes);
        let all = Memory::sum(self.stations.iter().map(|station| station.shard.memory_account()));
        self.bytes = all.held();
        // The shards need not have held their most at the same time.
        memory.absorb(&all.with_peak_within(memory.left()));
    }

    /// Lets one shard have what is left to all. The others may take nothing until it is shared again.
    fn give_what_is_left(&mut self, number: usize, memory: &mut Memory) {
        self.account(memory);
        let left = memory.left();
        let memory = self.stations[number].shard.run().memory();
        memory.set_most(memory.held().saturating_add(left));
    }

    /// Divides the memory that is left among the shards.
    fn share_memory(&mut self, memory: &mut Memory) {
        self.account(memory);
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
    fn count<O: Observer<S::State, S::Cost>>(&mut self, run: &mut Run<S::Cost, O>) {
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
            // The whole round belongs to the layer. It may have begun it before it was cut short.
            if mem::replace(&mut self.has_new_layer, true) {
                run.rename_layer(f);
            } else {
                run.stats = self.before;
                run.enter_layer(f);
            }
        }
        let peak_frontier = run.stats.peak_frontier;
        run.stats = Stats { peak_frontier, ..Stats::default() };
        for station in &self.stations {
            run.stats.add(station.shard.counts());
        }
        self.account(run.memory());
    }

    /// Delivers what the shards have sent.
    fn end_round<O>(&mut self, run: &mut Run<S::Cost, O>) {
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
        self.is_in_round = false;
    }
}

impl<S: Parts<Cost: Send>> Engine for ShardedDriver<S>
where
    StationOf<S>: Send,
{
    type Problem = S::Problem;
    type State = S::State;
    type Action = S::Action;
    type Cost = S::Cost;

    fn advance<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        let end = self.go_on_from_start(most, run);
        if let Err(Halt::Failed(_)) = end {
            // The round has ended early.
            self.count(run);
        }
        // Also after an error, and after a stop between two rounds.
        self.account(run.memory());
        end.map_or_else(Halt::progress, |()| Ok(Progress::Going))
    }

    fn watches_clock(&self) -> bool {
        true
    }

    fn lower_bound<O>(&mut self, run: &mut Run<S::Cost, O>) -> S::Cost {
        // The report is not to come late, either.
        self.proved(!run.budget.goes_on())
    }

    fn path(&mut self) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        self.best_goal().map_or(Ok(None), |goal| self.path_to(goal))
    }

    fn closest(&self) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        self.closest_state().map_or(Ok(None), |id| self.path_to(id))
    }

    fn stored(&self) -> usize {
        self.stations.iter().map(|station| station.shard.states().table().len()).sum()
    }

    fn keeps_closed(&self) -> bool {
        true
    }

    fn closed_cost(&self, state: &S::State) -> Option<S::Cost> {
        let owner = super::owner_of(state, SHARDS) as usize;
        self.stations[owner].shard.states().closed_cost(state)
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (S::State, S::Cost)>) {
        self.stations.iter_mut().for_each(|station| station.clear());
        self.starts.clear();
        self.starts.extend(starts);
        self.span = Span::new(ENOUGH);
        (self.is_in_round, self.under_way, self.goal) = (false, 0, None);
        self.before = Stats::default();
        (self.largest_f, self.has_new_layer) = (None, false);
        self.must_recall = false;
        self.lower_bound = S::Cost::ZERO;
        self.told.fill(0);
        self.threads.pool.ask_again();
    }

    fn set_problem(&mut self, problem: S::Problem) {
        self.problem = Arc::new(problem);
        for station in &mut self.stations {
            station.shard.set_problem(Arc::clone(&self.problem));
        }
    }
}

show_fields! {
    [S: Parts] ShardedDriver<S>,
    "ShardedEngine" (this) { shards = this.stations.len(), threads = this.threads.pool.count() }
}
