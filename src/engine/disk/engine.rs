//! [`DiskEngine`]: which bucket is expanded next, what is kept in memory, and when the search ends.

use std::cmp::Reverse;
use std::io::ErrorKind;
use std::vec;

use super::checkpoint::Checkpoints;
use super::closed::Closed;
use super::entries::EmptyChunks;
use super::files::{FileId, Folder};
use super::open::Open;
use super::visit::Visit;
use super::work::{Goal, Left, Stage, Work};
use super::workers::{UNSEEN, Workers};
use crate::cost::{Cost, larger, smaller};
use crate::debug::show_fields;
use crate::disk_fault::{DiskFault, DiskFaultKind, DiskFile};
use crate::encode::Encode;
use crate::engine::halt::Halt;
use crate::engine::{Engine, Progress, Run};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::SearchProblem;
use crate::report::{SearchError, StopReason};

/// The engine of best-first search on disk: what [`ExternalAStar`](crate::ExternalAStar) builds.
pub struct DiskEngine<P: SearchProblem, W> {
    pub(super) problem: P,
    pub(super) starts: Vec<(P::State, P::Cost)>,
    /// While the starts are opened, those that are left, each state once.
    pub(super) unopened: Option<vec::IntoIter<(P::State, P::Cost)>>,
    /// Whether the starts are open.
    pub(super) has_begun: bool,
    pub(super) open: Open<P::State, P::Cost>,
    pub(super) closed: Closed<P::State, P::Cost>,
    pub(super) folder: Folder,
    /// Where closed states are written.
    pub(super) closed_file: Option<FileId>,
    pub(super) settings: Settings,
    pub(super) checkpoints: Option<Checkpoints>,
    pub(super) visit: Option<Visit<P::State, P::Cost>>,
    /// The shards of the visit that are worked on, in order.
    pub(super) works: Vec<Work<P>>,
    /// Those that were worked on, whose memory is used again.
    pub(super) spare: Vec<Work<P>>,
    pub(super) workers: W,
    /// The cheapest goal that was generated.
    pub(super) incumbent: Option<Goal<P::State, P::Cost>>,
    pub(super) overflow: Option<SearchError<P::Cost>>,
    pub(super) lower_bound: P::Cost,
    /// How many closed states may be compared with buckets that are too small to be worth it.
    pub(super) credit: u64,
    pub(super) is_solved: bool,
    /// Chunks that lists take before they allocate others. They are held only as long as there is room for them.
    pub(super) empty: EmptyChunks<P::State>,
    /// What entries are encoded into before they are written.
    pub(super) buffer: Vec<u8>,
    /// The bytes that the account of memory knows of.
    pub(super) accounted: usize,
    /// How far it has come, and for how many turns it has come no further.
    mark: Mark,
    idle: u32,
    /// How many visits were left, one after the other, before a shard was worked on.
    pub(super) idle_visits: u64,
}

/// What the builder sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// How many bytes are held in memory before entries are written.
    pub(super) memory: usize,
    /// How many entries are compared before the limits are checked.
    pub(super) step: usize,
    /// A part of a run has at least about this many entries, so that reading it is worth the way.
    pub(super) part: usize,
}

impl Settings {
    pub(super) fn new(memory: usize) -> Self {
        Self { memory, step: 4096, part: 512 }
    }
}

/// How far a search has come, in an order in which it only gets further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mark {
    visit: u64,
    sorted: Reverse<usize>,
    shard: usize,
    stage: Stage,
    allowance: usize,
}

impl Default for Mark {
    fn default() -> Self {
        let sorted = Reverse(usize::MAX);
        Self { visit: 0, sorted, shard: 0, stage: Stage::Read { run: 0, part: 0 }, allowance: 0 }
    }
}

/// How many turns may pass in which a search gets no further.
const MOST_IDLE: u32 = 16;

/// Runs are in no more than two to the power of this many parts.
pub(super) const RUN_BITS: u32 = 12;

impl<C> From<DiskFault> for Halt<C> {
    fn from(fault: DiskFault) -> Self {
        match fault.kind {
            DiskFaultKind::Io(
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge,
            ) => StopReason::Disk.into(),
            _ => SearchError::Disk(fault).into(),
        }
    }
}

pub(super) type Halted<P, T = ()> = Result<T, Halt<<P as SearchProblem>::Cost>>;

impl<P, W> DiskEngine<P, W>
where
    P: SearchProblem<State: Encode, Cost: Encode>,
    W: Workers<P>,
{
    pub(super) fn new(
        problem: P,
        workers: W,
        settings: Settings,
        folder: Folder,
        checkpoints: Option<Checkpoints>,
    ) -> Self {
        Self {
            problem,
            starts: Vec::new(),
            unopened: None,
            has_begun: false,
            open: Open::new(),
            closed: Closed::new(),
            folder,
            closed_file: None,
            settings,
            checkpoints,
            visit: None,
            works: Vec::new(),
            spare: Vec::new(),
            workers,
            incumbent: None,
            overflow: None,
            lower_bound: P::Cost::ZERO,
            credit: 0,
            is_solved: false,
            empty: EmptyChunks::new(),
            buffer: Vec::new(),
            accounted: 0,
            mark: Mark::default(),
            idle: 0,
            idle_visits: 0,
        }
    }

    fn search<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Halted<P, Progress> {
        if !self.has_begun
            && let Some(paused) = self.begin(run)?
        {
            return Ok(paused);
        }
        // The limit on the cost may have been lowered in the middle of a bucket, or after it.
        let solved = self.incumbent.as_ref().filter(|_| self.is_solved).map(|goal| goal.g);
        let least = solved.or(self.visit.as_ref().map(|visit| visit.bucket.f));
        if least.is_some_and(|least| run.exceeds_cost_limit(least)) {
            return Err(StopReason::Cost.into());
        }
        let is_watched = run.budget().allowed(u64::MAX) != u64::MAX;
        let mut left = most;
        loop {
            if let Some(progress) = self.turn(&mut left, is_watched, run)? {
                return Ok(progress);
            }
            self.check_progress()?;
            if is_watched && run.budget().check_now().is_err() {
                return Ok(Progress::Paused);
            }
        }
    }

    /// Does the next piece of work; returns what ends it, if anything does.
    fn turn<O: Observer<P::State, P::Cost>>(
        &mut self,
        left: &mut u64,
        is_watched: bool,
        run: &mut Run<P::Cost, O>,
    ) -> Halted<P, Option<Progress>> {
        if self.is_solved {
            if let Some(goal) = &self.incumbent {
                Self::enter_layer(goal.g, run)?;
            }
            return Ok(Some(Progress::Found));
        }
        let Some(visit) = &mut self.visit else { return self.begin_visit(run) };
        if visit.unsorted() > 0 {
            let watched = is_watched.then_some(run.budget.interrupt());
            self.workers.sort(&mut visit.sortings, watched);
            if visit.unsorted() == 0 {
                visit.sortings.iter_mut().for_each(|part| part.give_empty(&mut self.empty));
            }
            return Ok(None);
        }
        if self.works.is_empty() {
            // Only now: a shard that joined others that are done would keep one thread busy alone.
            self.begin_works(run)?;
        }
        if self.works.is_empty() {
            self.leave_visit(run)?;
            return Ok(None);
        }
        if let Some(first) = self.works.first_mut()
            && first.counts.expanded > *left
        {
            // It was worked on along with one before it, when more states might be expanded.
            first.rewind();
        }
        let all: u64 = self.works.iter().map(|work| work.expected).sum();
        let first = if self.works.first().is_some_and(|work| work.stage == Stage::Done) {
            // It was done along with one before it.
            Left::Done
        } else if self.works.len() > 1 && *left >= all && !O::LISTENS {
            self.work_on_all(is_watched, run.budget.interrupt())
        } else {
            self.works.iter_mut().skip(1).for_each(Work::rewind);
            let most = if is_watched { (*left).min(UNSEEN) } else { *left };
            let Run { budget, observer, .. } = run;
            self.work_on_first(most, (is_watched, budget.interrupt()), observer)
        };
        self.count(left, run)?;
        match first {
            Left::Done if self.is_solved => {}
            Left::Done => {
                self.absorb(run)?;
                self.close_first();
            }
            Left::Full { bytes } => {
                self.absorb(run)?;
                self.allow(bytes, run)?;
            }
            Left::Crowded { entries } => self.enlarge(entries, run)?,
            Left::Spent if *left == 0 => return Ok(Some(Progress::Going)),
            Left::Spent | Left::Busy => {}
        }
        Ok(None)
    }

    /// Makes sure that the search comes further with every turn but a few, whatever goes wrong.
    fn check_progress(&mut self) -> Result<(), DiskFault> {
        let first = self.works.first();
        let mark = match &self.visit {
            Some(visit) => Mark {
                visit: visit.number,
                sorted: Reverse(visit.unsorted()),
                shard: first.map_or(visit.next, |work| work.shard),
                stage: first.map_or(Stage::Read { run: 0, part: 0 }, |work| work.stage),
                allowance: first.map_or(0, |work| work.allowance),
            },
            None => Mark { visit: self.closed.next, ..Mark::default() },
        };
        self.idle = if mark > self.mark { 0 } else { self.idle + 1 };
        self.mark = mark;
        // A visit is left before it begins only for a deeper bucket.
        if self.idle > MOST_IDLE || self.idle_visits > self.open.buckets().count() as u64 + 1 {
            return Err(DiskFault::new(DiskFile::Folder, 0, DiskFaultKind::NoProgress));
        }
        Ok(())
    }
}

impl<P, W> Engine for DiskEngine<P, W>
where
    P: SearchProblem<State: Encode, Cost: Encode>,
    W: Workers<P>,
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
        let progress = self.search(most, run).or_else(Halt::progress)?;
        if progress != Progress::Paused {
            // It is not the engine that stops here again and again.
            self.idle = 0;
        }
        Ok(progress)
    }

    fn watches_clock(&self) -> bool {
        self.workers.threads() > 1
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        if !self.has_begun {
            return P::Cost::ZERO;
        }
        let visit = self.visit.as_ref().map(|visit| visit.bucket.f);
        let goal = self.incumbent.as_ref().map(|goal| goal.g);
        let waiting = self.works.iter().filter_map(|work| work.out.least());
        let least = waiting.chain(self.open.least()).chain(visit).chain(goal).reduce(smaller);
        larger(self.lower_bound, least.unwrap_or(P::Cost::INFINITY))
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.path_to_goal()
    }

    fn stored(&self) -> usize {
        let visit = self.visit.as_ref().map_or(0, Visit::listed);
        // One thread would not have begun the others.
        let others: usize = self.works.iter().skip(1).map(|work| work.listed).sum();
        let works = self.works.first().map_or(0, Work::len) + others;
        let listed = usize::try_from(self.open.len + self.closed.len + visit);
        listed.unwrap_or(usize::MAX).saturating_add(works)
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.starts = starts.into_iter().collect();
        (self.unopened, self.has_begun) = (None, false);
        (self.open, self.closed) = (Open::new(), Closed::new());
        self.folder.clear();
        self.closed_file = None;
        self.visit = None;
        (self.works, self.spare) = (Vec::new(), Vec::new());
        (self.empty, self.buffer) = (EmptyChunks::new(), Vec::new());
        (self.incumbent, self.overflow) = (None, None);
        (self.lower_bound, self.is_solved, self.credit) = (P::Cost::ZERO, false, 0);
        (self.mark, self.idle, self.idle_visits) = (Mark::default(), 0, 0);
    }

    fn set_problem(&mut self, problem: P) {
        self.problem = problem;
    }
}

impl<P: SearchProblem, W> DiskEngine<P, W> {
    /// The bytes of all files that there are now.
    pub fn bytes_in_files(&self) -> u64 {
        self.folder.bytes()
    }
}

show_fields! {
    [P: SearchProblem, W] DiskEngine<P, W>,
    "DiskEngine" (this) { open = this.open.len, closed = this.closed.len, bytes_in_files = this.folder.bytes() }
}
