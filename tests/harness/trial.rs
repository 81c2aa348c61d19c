//! [`Trial`]: one engine on one problem, stopped in every way.

use std::time::Duration;

use bestfirst::{CancelToken, Outcome, StopReason};

use crate::case::{Case, Price};
use crate::judge::{Answer, Verdict, check, compare, ensure, has_ended};
use crate::list::{Entry, Kind};
use crate::stop::{Had, Stop};
use crate::watch::{Label, watched};
use support::engines::BoxedSearch;
use support::random::Random;

/// A search that needs more expansions is none of those to be stopped everywhere: depth-first search may have no end.
const MOST: u64 = 1500;

pub struct Trial<'a, C: Price> {
    pub case: &'a Case<C>,
    pub entry: &'a Entry<C>,
    pub label: Label,
    /// The answer without a stop.
    pub expected: Answer<C>,
    /// The expansions, and the most bytes, that it took.
    pub expanded: u64,
    pub peak: usize,
    token: CancelToken,
}

/// A search that is stopped and goes on.
struct Run<'a, C: Price> {
    trial: &'a Trial<'a, C>,
    search: BoxedSearch<'a, Case<C>>,
    had: Had,
    proved: Option<C>,
    /// The most that was allowed so far; nothing if there was a run without a limit on memory.
    most_bytes: Option<usize>,
    /// How many expansions the last run has begun after its time was up or it was cancelled.
    late: u64,
    history: Vec<Stop>,
}

impl<'a, C: Price> Trial<'a, C> {
    /// The undisturbed search of the problem, and whether its answer is right; `None` if the engine is not for it, or
    /// takes too long.
    pub fn new(
        case: &'a Case<C>,
        entry: &'a Entry<C>,
        test: &'static str,
    ) -> Result<Option<Self>, String> {
        if !entry.takes(case) {
            return Ok(None);
        }
        let label = Label { engine: entry.name(), test, seed: case.graph.seed };
        let stop = Stop::expansions(MOST);
        let token = CancelToken::new();
        let limits = stop.limits(case, Some(&token), Duration::ZERO);
        let mut search = entry.search(case, limits);
        let expected = watched(&label, stop, Some(&token), || search.run());
        check(case, entry, &stop, &expected)?;
        if !has_ended(entry, &stop, &expected) {
            ensure!(entry.engine.may_repeat(), "no end: after {MOST} expansions");
            return Ok(None);
        }
        let stats = search.stats();
        let peak = usize::try_from(stats.peak_bytes).unwrap_or(usize::MAX);
        Ok(Some(Self { case, entry, label, expected, expanded: stats.expanded, peak, token }))
    }

    fn begin(&self) -> Run<'_, C> {
        let limits = Stop::default().limits(self.case, None, Duration::ZERO);
        let search = self.entry.search(self.case, limits);
        Run {
            trial: self,
            search,
            had: Had::default(),
            proved: None,
            most_bytes: Some(0),
            late: 0,
            history: Vec::new(),
        }
    }

    /// One search that is stopped at the first of these limits, then at the next, and then goes on without limits.
    pub fn stop_at(&self, stops: &[Stop]) -> Verdict {
        let mut run = self.begin();
        for &stop in stops {
            if let Some(answer) = run.to(stop)? {
                return compare(self.entry, run.had, &answer, &self.expected);
            }
        }
        run.end()
    }

    /// A limit on memory of `most` bytes; then some more, then twice as many, then none.
    pub fn stop_for_memory(&self, most: usize) -> Verdict {
        let some = most + 1 + most % 13;
        self.stop_at(&[Stop::memory(most), Stop::memory(some), Stop::memory(2 * some)])
    }

    /// A limit on expansions, which must be kept exactly where more are needed.
    pub fn stop_at_expansion(&self, most: u64) -> Verdict {
        self.stop_at(&[Stop::expansions(most), Stop::expansions(most + most % 3)])
    }

    /// One expansion after the other.
    pub fn stop_at_all_expansions(&self) -> Verdict {
        let stops: Vec<_> = (0..self.expanded).map(Stop::expansions).collect();
        self.stop_at(&stops)
    }

    pub fn stop_at_cost(&self, most: u64) -> Verdict {
        let more = (most + 1 + most % 3).min(255);
        self.stop_at(&[Stop::cost(most), Stop::cost(more), Stop::expansions(1)])
    }

    /// Any limits, one after the other; begun anew in between.
    pub fn stop_at_random(&self, random: &mut Random) -> Verdict {
        let mut run = self.begin();
        run.at_random(random).map_err(|fault| format!("{fault}: after {:?}", run.history))
    }
}

impl<C: Price> Run<'_, C> {
    /// Runs to these limits; the answer if that is the end.
    fn to(&mut self, stop: Stop) -> Result<Option<Answer<C>>, String> {
        let answer = self.run(stop)?;
        Ok(has_ended(self.trial.entry, &stop, &answer).then_some(answer))
    }

    fn at_random(&mut self, random: &mut Random) -> Verdict {
        let Trial { case, entry, expected, .. } = self.trial;
        let dearest = case.optimum().map_or(20, |optimum| optimum + 3);
        for _ in 0..random.below(12) {
            let (expanded, bytes) = (self.search.stats().expanded, self.search.bytes());
            let stop = Stop::random(random, expanded, bytes, dearest);
            let answer = match random.below(8) {
                0 => self.restart(random),
                1 => self.step(stop)?,
                _ => self.to(stop)?,
            };
            if let Some(answer) = answer {
                compare(entry, self.had, &answer, expected)?;
                // The same again.
                let again = self.to(Stop::default())?.ok_or("an end that was none: again")?;
                return compare(entry, self.had, &again, &answer);
            }
        }
        self.end()
    }

    /// Expands one state, within these limits.
    fn step(&mut self, stop: Stop) -> Result<Option<Answer<C>>, String> {
        if self.trial.entry.kind == Kind::Afresh {
            return Ok(None);
        }
        let before = self.search.stats().expanded;
        let bytes = self.search.bytes();
        let answer = self.watched(stop, |search| search.step().transpose());
        // Only where it finds a goal, what threads have expanded beyond is taken back.
        let more = self.search.stats().expanded.saturating_sub(before);
        ensure!(more <= 1, "a step of several expansions: {more}");
        let Some(answer) = answer else {
            ensure!(more == 1, "a step of no expansion: {stop:?}");
            return Ok(None);
        };
        self.check(stop.after(before), bytes, &answer)?;
        Ok(has_ended(self.trial.entry, &stop, &answer).then_some(answer))
    }

    fn run(&mut self, stop: Stop) -> Result<Answer<C>, String> {
        let bytes = self.search.bytes();
        let stop = stop.after(self.search.stats().expanded);
        let answer = self.watched(stop, |search| search.run());
        self.check(stop, bytes, &answer)?;
        Ok(answer)
    }

    fn watched<T>(
        &mut self,
        stop: Stop,
        run: impl FnOnce(&mut BoxedSearch<'_, Case<C>>) -> T,
    ) -> T {
        let Trial { case, label, token, .. } = self.trial;
        // A search without a token goes other ways.
        let token = (stop.is_cancelled || self.had_token(stop)).then_some(token);
        self.search.set_limits(stop.limits(case, token, self.search.elapsed()));
        self.had.note(&stop);
        self.history.push(stop);
        self.most_bytes = self.most_bytes.zip(stop.memory).map(|(most, more)| most.max(more));
        let before = self.search.stats().expanded;
        case.time.begin(stop.time);
        let end = watched(label, stop, token, || run(&mut self.search));
        let in_time = if stop.is_cancelled { 0 } else { case.time.in_time() };
        self.late = self.search.stats().expanded.saturating_sub(before).saturating_sub(in_time);
        end
    }

    /// Checks an answer, and that no more was held than before or than is allowed.
    fn check(&mut self, stop: Stop, before: usize, answer: &Answer<C>) -> Verdict {
        let Trial { case, entry, .. } = self.trial;
        check(case, entry, &stop, answer)?;
        if stop.time.is_some() || stop.is_cancelled {
            // What is generated ahead was perhaps generated in the run before; with two threads, an expansion is under way
            // on the other when the time is up.
            let ahead = if entry.is(&["A*, far"]) { 2 } else { 0 };
            let is_late = self.late > ahead + u64::from(entry.is_slow);
            ensure!(!is_late || entry.kind == Kind::Afresh, "late expansions: {}", self.late);
        }
        let bytes = self.search.bytes();
        let most = stop.memory.unwrap_or(usize::MAX).max(before);
        ensure!(bytes <= most, "too many bytes: {bytes} of {most}");
        if let Ok(report) = answer {
            let peak = report.stats.peak_bytes;
            let most = self.most_bytes.map_or(u64::MAX, |most| most as u64);
            ensure!(peak <= most, "a peak beyond the limit: {peak} of {most}");
            let bound = report.lower_bound;
            let is_kept = entry.kind == Kind::Afresh || self.proved.is_none_or(|old| bound >= old);
            ensure!(is_kept, "a bound falls: {bound:?} after {:?}", self.proved);
            self.proved = Some(bound);
        }
        Ok(())
    }

    fn had_token(&self, stop: Stop) -> bool {
        stop.memory.map_or(self.trial.case.graph.seed, |bytes| bytes as u64 / 4).is_multiple_of(2)
    }

    /// Runs without limits, which must be the end, and the right one.
    fn end(&mut self) -> Verdict {
        let answer = self.run(Stop::default())?;
        if let Ok(report) = &answer
            && let Outcome::Stopped(reason) = report.outcome
            && !matches!(reason, StopReason::Width | StopReason::Cost)
        {
            return Err(format!("no end without limits: {reason}"));
        }
        compare(self.trial.entry, self.had, &answer, &self.trial.expected)
    }

    fn restart(&mut self, random: &mut Random) -> Option<Answer<C>> {
        if random.one_in(2) {
            let elsewhere = self.trial.case.starts().into_iter().take(1).collect();
            self.search.restart_from(elsewhere);
            let _ = self.search.step();
        }
        self.search.restart_from(self.trial.case.starts());
        (self.had, self.proved, self.most_bytes) = (Had::default(), None, None);
        self.history.clear();
        None
    }
}
