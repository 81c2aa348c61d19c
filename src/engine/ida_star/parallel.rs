//! IDA* on several threads: the top of the tree is cut into pieces, which the threads take in order.
//!
//! Whatever the threads do and in whichever order, the pieces are put together again from left to
//! right, up to the first in which there is a goal. So counts are those of one thread.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::Walk;
use super::crew::{Crew, Errand, Team};
use super::stack::{Entry, Horizon, MARKED, NOWHERE, Solution, Stack};
use crate::cost::{Cost, smaller};
use crate::engine::Run;
use crate::limits::{Limits, Memory, Meter, OutOfMemory};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::SearchProblem;
use crate::report::{SearchError, Stats, StopReason};

/// Several threads share the work: what [`IdaStar::threads`](super::IdaStar::threads) makes.
#[derive(Clone, Copy, Debug)]
pub struct Threads {
    count: usize,
}

impl Threads {
    pub(super) fn new(count: usize) -> Self {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        Self { count: if count == 0 { processors() } else { count.min(MOST) } }
    }
}

/// Nobody has more.
const MOST: usize = 1024;

/// The tree is cut into so many pieces for each thread, as some are much larger than others.
const PIECES: usize = 256;

/// A piece is to have so large a part of the expansions that there are between two looks at the
/// clock, if the tree is as large as the last: then it takes about ten times as long as to cut it off.
const WORTHWHILE: u64 = 128;

/// The tree is cut so many steps below the starts, at most.
const MOST_STEPS: u32 = 64;

/// So long the calling thread works alone: others take a while to wake up.
const ALONE: Duration = Duration::from_micros(100);

/// No piece.
const NONE: usize = usize::MAX;

impl<P, W> Crew<P, W> for Threads
where
    P: SearchProblem<State: Send, Action: Send, Cost: Send> + Sync,
    W: Walk<P, Step: Send> + Clone + Send,
{
    type Team = Workers<P, W>;

    fn team(self, walk: &W, table_bytes: usize, avoids_cycles: bool) -> Workers<P, W> {
        // The smallest of tables takes a byte to ask for.
        let share = if table_bytes == 0 { 0 } else { (table_bytes / self.count).max(1) };
        let hand = || Hand::new(Stack::new(walk.clone(), share, avoids_cycles));
        Workers {
            hands: if self.count > 1 {
                (0..self.count).map(|_| hand()).collect()
            } else {
                Vec::new()
            },
            tree: Tree::new(),
            scout: Stack::new(walk.clone(), 0, avoids_cycles),
            pool: None,
            is_alone: false,
            first_end: NONE,
            before: Stats::default(),
            pace: WORTHWHILE * 64,
            path: 0,
        }
    }
}

/// The threads, and the tree of the iteration.
pub struct Workers<P: SearchProblem, W: Walk<P>> {
    /// One for each thread, none if there is but one.
    hands: Vec<Hand<P, W>>,
    tree: Tree<P, W>,
    /// Expands the states at the top of the tree, one at a time.
    scout: Stack<P, W>,
    /// The threads but the calling one, once they were needed.
    pool: Option<ThreadPool>,
    /// There are no threads to have.
    is_alone: bool,
    /// The leftmost piece in which a goal or an error was found, or `NONE`.
    first_end: usize,
    /// What had been counted when the iteration began.
    before: Stats,
    /// How many expansions there were between two looks at the clock.
    pace: u64,
    /// How many states the path to the goal has, once it is found.
    path: usize,
}

/// What one thread works on.
struct Hand<P: SearchProblem, W: Walk<P>> {
    stack: Stack<P, W>,
    horizon: Horizon<P::Cost>,
    /// Counts what is done in the piece.
    run: Run<P::Cost, ()>,
    /// The rank of the piece, or `NONE`.
    piece: usize,
    /// What ended the piece before all of it was searched.
    end: Option<End<P::Cost>>,
}

#[derive(Clone, Copy)]
enum End<C> {
    Goal,
    Error(SearchError<C>),
}

/// What all threads see.
struct Shared<'s, P: SearchProblem, W: Walk<P>> {
    problem: &'s P,
    tree: Mutex<&'s mut Tree<P, W>>,
    /// Locked after the tree where both are.
    memory: Mutex<&'s mut Memory>,
    /// How many expansions are left.
    budget: AtomicU64,
    first_end: AtomicUsize,
    /// All are to stop.
    halt: AtomicBool,
    is_out_of_memory: AtomicBool,
}

impl<P: SearchProblem, W: Walk<P>> Shared<'_, P, W> {
    fn run_out(&self) {
        self.is_out_of_memory.store(true, Ordering::Relaxed);
        self.halt.store(true, Ordering::Relaxed);
    }

    fn make_room(&self, stack: &mut Stack<P, W>) -> Result<(), OutOfMemory> {
        let filler = stack.above(0).first().map(|entry| entry.state.clone());
        // Another thread has panicked: nothing that is done now matters.
        let mut memory = self.memory.lock().map_err(|_| OutOfMemory)?;
        stack.make_room(0, filler.as_ref(), &mut memory)
    }

    /// Takes at most `most` expansions off the budget.
    fn draw(&self, most: u64) -> u64 {
        let mut drawn = 0;
        // It never fails, as the closure always gives a number.
        let _ = self.budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            drawn = left.min(most);
            Some(left - drawn)
        });
        drawn
    }
}

/// Has the others stop if this thread panics.
struct Alarm<'s>(&'s AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Looks at the clock and the token now and then.
#[derive(Clone)]
struct Watch<C> {
    limits: Limits<C>,
    meter: Meter,
    /// When it last looked, and how many expansions it has allowed since.
    last: Instant,
    allowed: u64,
}

impl<C: Cost> Watch<C> {
    fn new<O>(run: &Run<C, O>) -> Self {
        let (limits, meter) = (run.limits.clone(), run.meter.clone());
        Self { limits, meter, last: run.began, allowed: 1 }
    }

    /// How many expansions may follow.
    fn look(&mut self) -> Result<u64, StopReason> {
        self.meter.account(self.last, self.allowed);
        self.last = Instant::now();
        self.allowed = self.meter.look(&self.limits)?;
        Ok(self.allowed)
    }
}

impl<P: SearchProblem, W: Walk<P>> Hand<P, W> {
    fn new(stack: Stack<P, W>) -> Self {
        Self {
            stack,
            horizon: Horizon { bound: P::Cost::ZERO, next_bound: None, overflow: None },
            run: Run::new(Limits::new(), ()),
            piece: NONE,
            end: None,
        }
    }

    fn begin_iteration(&mut self, bound: P::Cost) {
        self.stack.clear();
        self.stack.begin_iteration();
        self.horizon = Horizon { bound, next_bound: None, overflow: None };
        self.run.stats = Stats::default();
        (self.piece, self.end) = (NONE, None);
    }

    /// Works on pieces until there are none left, or it is time to stop; or until `deadline`.
    fn work(
        &mut self,
        shared: &Shared<P, W>,
        watch: &mut Watch<P::Cost>,
        deadline: Option<Instant>,
    ) {
        let _alarm = Alarm(&shared.halt);
        while self.end.is_none() && !shared.halt.load(Ordering::Relaxed) {
            if self.piece != NONE && self.piece > shared.first_end.load(Ordering::Relaxed) {
                self.stack.clear();
            }
            if self.stack.len() == 0 && !self.next_piece(shared) {
                return;
            }
            let Ok(allowed) = watch.look() else {
                return shared.halt.store(true, Ordering::Relaxed);
            };
            if deadline.is_some_and(|deadline| watch.last >= deadline) {
                return;
            }
            let drawn = shared.draw(allowed);
            if drawn == 0 {
                return;
            }
            let most = self.run.stats.expanded + drawn;
            while self.run.stats.expanded < most && self.stack.len() > 0 && self.end.is_none() {
                if !self.stack.has_room() && shared.make_room(&mut self.stack).is_err() {
                    shared.run_out();
                    break;
                }
                let left = most - self.run.stats.expanded;
                let Self { stack, horizon, run, .. } = self;
                self.end = match stack.deepen(shared.problem, horizon, left, run) {
                    Ok(false) => None,
                    Ok(true) => Some(End::Goal),
                    Err(error) => Some(End::Error(error)),
                };
            }
            if self.end.is_some() {
                shared.first_end.fetch_min(self.piece, Ordering::Relaxed);
            }
            shared.budget.fetch_add(most - self.run.stats.expanded, Ordering::Relaxed);
        }
    }

    /// Puts the piece that is done with back, and takes the next; false if there is none.
    fn next_piece(&mut self, shared: &Shared<P, W>) -> bool {
        let Ok(mut tree) = shared.tree.lock() else { return false };
        if self.piece != NONE {
            tree.put_back(
                self.piece,
                std::mem::take(&mut self.run.stats),
                self.horizon.overflow.take(),
            );
            self.piece = NONE;
        }
        let Some((piece, node)) = tree.next_leaf() else { return false };
        if piece > shared.first_end.load(Ordering::Relaxed) {
            return false;
        }
        let Ok(mut memory) = shared.memory.lock() else { return false };
        if self.stack.load(tree.path_to(node), &mut memory).is_err() {
            self.stack.clear();
            shared.run_out();
            return false;
        }
        tree.next += 1;
        self.piece = piece;
        true
    }
}

impl<P, W> Workers<P, W>
where
    P: SearchProblem<State: Send, Action: Send, Cost: Send> + Sync,
    W: Walk<P, Step: Send> + Clone + Send,
{
    /// Takes over the starts.
    fn take_over<O>(
        &mut self,
        stack: &mut Stack<P, W>,
        bound: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        let last = run.last_layer().map_or(0, |layer| layer.expanded);
        let worthwhile = (self.pace / WORTHWHILE).max(1);
        let pieces = usize::try_from(last / worthwhile).unwrap_or(usize::MAX);
        let pieces = pieces.min(self.hands.len() * PIECES);
        self.tree.begin(stack.above(0), bound, pieces, run.memory())?;
        stack.clear();
        for hand in &mut self.hands {
            hand.begin_iteration(bound);
        }
        self.first_end = NONE;
        self.before = run.stats;
        Ok(())
    }

    /// Has the pieces worked on, for at most `most` expansions; false if there is no more memory.
    fn share_out<O>(&mut self, problem: &P, most: u64, run: &mut Run<P::Cost, O>) -> bool {
        let mut watch = Watch::new(run);
        let shared = Shared {
            problem,
            tree: Mutex::new(&mut self.tree),
            memory: Mutex::new(run.memory()),
            budget: AtomicU64::new(most),
            first_end: AtomicUsize::new(self.first_end),
            halt: AtomicBool::new(false),
            is_out_of_memory: AtomicBool::new(false),
        };
        let Some((own, others)) = self.hands.split_first_mut() else { return true };
        // What takes no longer is not worth waking anybody up.
        let deadline = Instant::now().checked_add(ALONE).filter(|_| !self.is_alone);
        own.work(&shared, &mut watch, deadline);
        let is_late = deadline.is_some_and(|deadline| watch.last >= deadline);
        if is_late && !shared.halt.load(Ordering::Relaxed) {
            if self.pool.is_none() {
                self.pool = ThreadPoolBuilder::new().num_threads(others.len()).build().ok();
                self.is_alone = self.pool.is_none();
            }
            if let Some(pool) = &self.pool {
                pool.in_place_scope(|scope| {
                    for hand in &mut *others {
                        let (shared, mut watch) = (&shared, watch.clone());
                        scope.spawn(move |_| hand.work(shared, &mut watch, None));
                    }
                    own.work(&shared, &mut watch, None);
                });
            } else {
                own.work(&shared, &mut watch, None);
            }
        }
        // Pieces that others have begun, if they were not called.
        for hand in others {
            hand.work(&shared, &mut watch, None);
        }
        self.pace = watch.allowed;
        self.first_end = shared.first_end.into_inner();
        !shared.is_out_of_memory.into_inner()
    }

    /// Whether all pieces up to the first in which something was found are done with.
    fn is_done(&mut self) -> bool {
        let end = self.first_end;
        self.tree.next_leaf().is_none_or(|(rank, _)| rank > end)
            && self
                .hands
                .iter()
                .all(|hand| hand.piece == NONE || hand.piece > end || hand.end.is_some())
    }

    /// What is found and counted in all, put together from left to right.
    fn bring_together<O>(
        &mut self,
        problem: &P,
        horizon: &mut Horizon<P::Cost>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Errand<PathOf<P>>, SearchError<P::Cost>> {
        let winner =
            self.hands.iter_mut().find(|hand| hand.piece == self.first_end && hand.piece != NONE);
        let mut stats = self.before;
        for node in self.tree.in_order().take(self.first_end.saturating_add(1)) {
            add(&mut stats, &node.stats);
            horizon.overflow = horizon.overflow.or(node.overflow);
        }
        let mut outcome = Ok(Errand::Done);
        if let Some(winner) = winner {
            add(&mut stats, &winner.run.stats);
            outcome = match winner.end {
                Some(End::Error(error)) => Err(error),
                _ => winner.stack.solution(problem).map(|Solution { path, beyond }| {
                    stats.generated -= beyond;
                    self.path = path.as_ref().map_or(0, |path| path.len() + 1);
                    Errand::Found(path)
                }),
            };
        }
        run.stats = stats;
        let seen = self.hands.iter().map(|hand| &hand.horizon).chain([&self.tree.horizon]);
        for bound in seen.filter_map(|seen| seen.next_bound) {
            horizon.next_bound =
                Some(horizon.next_bound.map_or(bound, |next| smaller(next, bound)));
        }
        for hand in &mut self.hands {
            hand.stack.clear();
        }
        self.tree.clear();
        outcome
    }
}

impl<P, W> Team<P, W> for Workers<P, W>
where
    P: SearchProblem<State: Send, Action: Send, Cost: Send> + Sync,
    W: Walk<P, Step: Send> + Clone + Send,
{
    fn takes_over(&self) -> bool {
        !self.hands.is_empty()
    }

    fn deepen<O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        stack: &mut Stack<P, W>,
        horizon: &mut Horizon<P::Cost>,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Errand<PathOf<P>>, SearchError<P::Cost>> {
        if !self.tree.is_begun && self.take_over(stack, horizon.bound, run).is_err() {
            return Ok(Errand::OutOfMemory);
        }
        let until = run.stats.expanded.saturating_add(most);
        let mut has_memory = true;
        if self.tree.grow(problem, &mut self.scout, most, run) {
            let left = until - self.count(run);
            has_memory = left == 0 || self.share_out(problem, left, run);
        }
        self.count(run);
        if self.tree.is_grown && self.is_done() {
            self.bring_together(problem, horizon, run)
        } else if has_memory {
            Ok(Errand::Underway)
        } else {
            Ok(Errand::OutOfMemory)
        }
    }

    fn stored(&self) -> usize {
        let stacks = self.hands.iter().map(|hand| hand.stack.len()).sum::<usize>();
        stacks + self.tree.nodes.len() + self.path
    }
}

impl<P: SearchProblem, W: Walk<P>> Workers<P, W> {
    /// Counts all that was done so far in this iteration; returns the expansions of the search.
    fn count<O>(&self, run: &mut Run<P::Cost, O>) -> u64 {
        let mut stats = self.before;
        add(&mut stats, &self.tree.done);
        for hand in &self.hands {
            add(&mut stats, &hand.run.stats);
        }
        run.stats = stats;
        stats.expanded
    }
}

/// Adds what was done in one part of a tree.
fn add(sum: &mut Stats, part: &Stats) {
    sum.expanded += part.expanded;
    sum.generated += part.generated;
    sum.duplicates += part.duplicates;
    sum.dead_ends += part.dead_ends;
    sum.evaluated += part.evaluated;
    sum.peak_frontier = sum.peak_frontier.max(part.peak_frontier);
}

/// The top of the tree of an iteration. Its leaves are the pieces.
struct Tree<P: SearchProblem, W: Walk<P>> {
    nodes: Vec<Node<P, W>>,
    /// The first node from the left, by its number.
    first: u32,
    /// All nodes from left to right, a state before its successors, once it is grown: a node's place
    /// is its rank.
    order: Vec<u32>,
    /// The first in that order of which nobody has thought yet.
    next: usize,
    horizon: Horizon<P::Cost>,
    /// Counts what is done in one node.
    run: Run<P::Cost, ()>,
    /// The leaves are expanded in the order of their numbers, that is, those above first; this is the
    /// next to be.
    next_to_grow: usize,
    leaves: usize,
    /// How many leaves there are to be.
    target: usize,
    is_begun: bool,
    is_grown: bool,
    /// What was counted in the nodes that are done with.
    done: Stats,
}

struct Node<P: SearchProblem, W: Walk<P>> {
    /// Its link is the number of the node before it.
    entry: Entry<P, W>,
    /// The number of the next node from left to right, or `NOWHERE`.
    next: u32,
    /// How many states there are on the path to it.
    depth: u32,
    /// Whether it is still to be searched.
    is_leaf: bool,
    /// What was counted in it; in a leaf, in the whole tree below it.
    stats: Stats,
    overflow: Option<SearchError<P::Cost>>,
}

impl<P: SearchProblem, W: Walk<P>> Tree<P, W> {
    fn new() -> Self {
        Self {
            nodes: Vec::new(),
            first: NOWHERE,
            order: Vec::new(),
            next: 0,
            horizon: Horizon { bound: P::Cost::ZERO, next_bound: None, overflow: None },
            run: Run::new(Limits::new(), ()),
            next_to_grow: 0,
            leaves: 0,
            target: 0,
            is_begun: false,
            is_grown: false,
            done: Stats::default(),
        }
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.order.clear();
        self.first = NOWHERE;
        (self.next, self.next_to_grow, self.leaves) = (0, 0, 0);
        (self.is_begun, self.is_grown) = (false, false);
        self.done = Stats::default();
    }

    /// Begins with the states of a stack; it is to have so many leaves.
    fn begin(
        &mut self,
        roots: &[Entry<P, W>],
        bound: P::Cost,
        target: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.clear();
        self.insert(None, roots, memory)?;
        self.horizon = Horizon { bound, next_bound: None, overflow: None };
        self.target = target;
        self.is_begun = true;
        Ok(())
    }

    /// Puts leaves into it, the last first: behind the node that they are successors of.
    fn insert(
        &mut self,
        before: Option<u32>,
        entries: &[Entry<P, W>],
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        if self.nodes.len() + entries.len() >= NOWHERE as usize {
            return Err(OutOfMemory);
        }
        memory.reserve(&mut self.nodes, entries.len())?;
        // So that all of them can be put in order.
        let all = self.nodes.len() + entries.len();
        memory.reserve(&mut self.order, all)?;
        let link = before.unwrap_or(NOWHERE);
        let depth = 1 + before.map_or(0, |before| self.nodes[before as usize].depth);
        let mut place = before;
        for entry in entries.iter().rev() {
            let next = place.map_or(self.first, |place| self.nodes[place as usize].next);
            #[expect(clippy::cast_possible_truncation, reason = "it was compared with NOWHERE")]
            let number = self.nodes.len() as u32;
            let mut entry = entry.clone();
            entry.link = link | entry.link & MARKED;
            let (is_leaf, stats, overflow) = (true, Stats::default(), None);
            self.nodes.push(Node { entry, next, depth, is_leaf, stats, overflow });
            match place {
                Some(place) => self.nodes[place as usize].next = number,
                None => self.first = number,
            }
            place = Some(number);
        }
        self.leaves += entries.len();
        Ok(())
    }

    /// The states from a node up to a start.
    fn path_to(&self, number: u32) -> impl ExactSizeIterator<Item = &Entry<P, W>> + Clone {
        let depth = self.nodes[number as usize].depth as usize;
        let mut next = number;
        (0..depth).map(move |_| {
            let entry = &self.nodes[next as usize].entry;
            next = entry.link & !MARKED;
            entry
        })
    }

    /// Expands leaves until there are enough, for at most `most` expansions; whether it is grown then.
    fn grow<O>(
        &mut self,
        problem: &P,
        scout: &mut Stack<P, W>,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> bool {
        let mut watch = Watch::new(run);
        let (mut left, mut unseen) = (most, 0);
        while !self.is_grown {
            let is_high =
                self.nodes.get(self.next_to_grow).is_some_and(|node| node.depth <= MOST_STEPS);
            if self.leaves >= self.target || !is_high {
                self.put_in_order();
                break;
            }
            if unseen == 0 {
                let Ok(allowed) = watch.look() else { return false };
                unseen = allowed;
            }
            if left == 0 {
                return false;
            }
            unseen -= 1;
            match self.open(problem, scout, run.memory()) {
                Ok(expanded) => left -= expanded,
                // The tree is cut where it is; no more memory is needed for that.
                Err(OutOfMemory) => self.put_in_order(),
            }
        }
        true
    }

    /// Expands the next leaf; returns how many expansions that took, one or none. Where there is no
    /// memory, nothing has happened.
    fn open(
        &mut self,
        problem: &P,
        scout: &mut Stack<P, W>,
        memory: &mut Memory,
    ) -> Result<u64, OutOfMemory> {
        #[expect(clippy::cast_possible_truncation, reason = "insert() keeps it below NOWHERE")]
        let number = self.next_to_grow as u32;
        scout.load(self.path_to(number), memory)?;
        let mut horizon = self.horizon;
        let counts = &mut self.run;
        counts.stats = Stats::default();
        while counts.stats.expanded == 0 && scout.len() > 0 {
            if !scout.has_room() {
                scout.make_room(0, Some(&self.nodes[number as usize].entry.state), memory)?;
            }
            if !matches!(scout.deepen(problem, &mut horizon, 1, counts), Ok(false)) {
                // A goal, or an error: that is for whoever comes to it.
                self.next_to_grow += 1;
                return Ok(0);
            }
        }
        let stats = counts.stats;
        let depth = self.nodes[number as usize].depth as usize;
        self.insert(Some(number), scout.above(depth), memory)?;
        let node = &mut self.nodes[number as usize];
        (node.is_leaf, node.stats, node.overflow) = (false, stats, horizon.overflow.take());
        self.horizon = horizon;
        add(&mut self.done, &stats);
        self.leaves -= 1;
        self.next_to_grow += 1;
        Ok(stats.expanded)
    }

    fn put_in_order(&mut self) {
        let mut number = self.first;
        while let Some(node) = self.nodes.get(number as usize) {
            self.order.push(number);
            number = node.next;
        }
        self.is_grown = true;
    }

    fn in_order(&self) -> impl Iterator<Item = &Node<P, W>> {
        self.order.iter().map(|&number| &self.nodes[number as usize])
    }

    /// The rank of the next leaf that nobody has taken, and its number.
    fn next_leaf(&mut self) -> Option<(usize, u32)> {
        while let Some(&number) = self.order.get(self.next) {
            if self.nodes[number as usize].is_leaf {
                return Some((self.next, number));
            }
            self.next += 1;
        }
        None
    }

    /// A piece is done with.
    fn put_back(&mut self, rank: usize, stats: Stats, overflow: Option<SearchError<P::Cost>>) {
        add(&mut self.done, &stats);
        if let Some(&number) = self.order.get(rank) {
            let node = &mut self.nodes[number as usize];
            (node.stats, node.overflow) = (stats, overflow);
        }
    }
}

impl<P: SearchProblem, W: Walk<P>> fmt::Debug for Workers<P, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workers")
            .field("threads", &self.hands.len())
            .field("pieces", &self.tree.leaves)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ida_star::Buffered;
    use crate::problem::FnProblem;

    fn grow_and_put_in_order<P: SearchProblem<State = u32, Cost = u32>>(_: &P) {
        let entry =
            |state| Entry { state, step: (), g: 0, link: NOWHERE, depth: 1, resume: NOWHERE };
        let mut memory = Memory::new(usize::MAX);
        let mut tree: Tree<P, Buffered<P>> = Tree::new();
        for number in 0..100_u32 {
            tree.insert(number.checked_sub(1), &[entry(number)], &mut memory).unwrap();
            let nodes = tree.nodes.len();
            assert!((nodes..4 * nodes + 4).contains(&tree.order.capacity()));
        }
        let many: Vec<_> = (100..200).map(entry).collect();
        tree.insert(Some(7), &many, &mut memory).unwrap();
        assert!((200..800).contains(&tree.order.capacity()));
        let room = tree.order.capacity();
        tree.put_in_order();
        assert_eq!((tree.order.len(), tree.order.capacity()), (200, room));
        // What was put in last comes right behind the node that it belongs to.
        let behind: Vec<_> = tree.in_order().skip(7).map(|node| node.entry.state).collect();
        assert_eq!([behind[0], behind[1], behind[100], behind[101]], [7, 199, 100, 8]);
    }

    /// When the tree is cut, no more memory needs to be asked for.
    #[test]
    fn there_is_always_room_to_put_a_tree_in_order() {
        let problem = FnProblem::new(|&n: &u32| [(n, 1_u32)], |_: &u32| 0, |_: &u32| false);
        grow_and_put_in_order(&problem);
    }

    #[test]
    fn workers_are_shown_by_their_number() {
        fn shown<P>(_: &P) -> String
        where
            P: SearchProblem<State: Send, Action: Send, Cost: Send> + Sync,
        {
            let workers: Workers<P, _> = Threads::new(3).team(&Buffered::<P>::new(), 0, false);
            format!("{workers:?}")
        }
        let problem = FnProblem::new(|&n: &u32| [(n, 1_u32)], |_: &u32| 0, |_: &u32| false);
        assert_eq!(shown(&problem), "Workers { threads: 3, pieces: 0, .. }");
    }
}
