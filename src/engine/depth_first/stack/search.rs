//! The loop of IDA*.

use super::descent::LEAST_EXPANSIONS;
use super::successors::StackFilter;
use super::{Entry, NOWHERE, Stack, TRACKED};
use crate::engine::Run;
use crate::engine::depth_first::Expander;
use crate::engine::depth_first::bounds::{BoundTest, Bounds};
use crate::observer::Observer;
use crate::problem::SearchProblem;
use crate::report::SearchError;

impl<P: SearchProblem, W: Expander<P>> Stack<P, W> {
    /// Searches on, for at most `most` expansions, and until at most `steps` states were pruned when
    /// they were to be entered; the rest is stored in `steps`, which is 0 where the limits must be
    /// checked. With `most` = 0 it stops before the next expansion. True if a goal is on top now.
    pub(in crate::engine::depth_first) fn search<O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        bounds: &mut Bounds<P::Cost>,
        most: u64,
        steps: &mut u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<bool, SearchError<P::Cost>> {
        let until = run.stats.expanded.saturating_add(most);
        if self.is_behind() {
            self.follow_trail(problem, bounds, steps, run)?;
            if self.is_behind() || run.stats.expanded >= until {
                return Ok(false);
            }
        }
        let most = until - run.stats.expanded;
        if most >= LEAST_EXPANSIONS && !O::LISTENS && self.recurses() {
            return self.search_by_recursion(problem, bounds, most, steps, run);
        }
        let most = if self.left_to_loop > 0 { most.min(self.left_to_loop) } else { most };
        let before = run.stats.expanded;
        let found = if O::LISTENS || self.duplicates.has_table() || self.avoids_cycles {
            self.search_loop::<false, O>(problem, bounds, most, steps, run)
        } else {
            self.search_loop::<true, O>(problem, bounds, most, steps, run)
        };
        self.left_to_loop = self.left_to_loop.saturating_sub(run.stats.expanded - before);
        found
    }

    /// Searches for at most `most` expansions, and up to the next expansion if that is none.
    /// `PLAIN` says that there is neither a table nor an observer and that cycles are not avoided: the
    /// compiler leaves out what they need.
    #[inline(never)]
    pub(super) fn search_loop<const PLAIN: bool, O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        bounds: &mut Bounds<P::Cost>,
        most: u64,
        steps: &mut u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<bool, SearchError<P::Cost>> {
        let (mut test, mut rare) = BoundTest::begin(bounds);
        // With `most` = 0, one turn ends before the expansion.
        let turns = most.max(1);
        let mut left = turns;
        let (mut top, mut end, mut has_entered) = (self.top, self.end, self.has_entered);
        let (mut is_found, mut deepest) = (false, 0);
        let Self { expander, slots, duplicates, .. } = self;
        let slots = slots.as_mut_slice();
        // Below this place there is room for the successors of a state; `NOWHERE` is never below.
        let room = slots.len().saturating_sub(self.spare);
        while left > 0 && (top as usize) < room {
            let place = top as usize;
            if !has_entered {
                let Entry { parent, depth, .. } = slots[place];
                // The path continues from the parent; states beyond it are finished.
                let before = parent & !TRACKED;
                let is_left = if PLAIN { depth <= duplicates.tracked_depth } else { end != before };
                if is_left {
                    end = duplicates.leave(slots, end, depth, steps);
                    if *steps == 0 {
                        break;
                    }
                }
                end = before;
                if problem.is_goal(&slots[place].state) {
                    is_found = true;
                    break;
                }
                let is_tracked = parent & TRACKED != 0;
                if is_tracked && duplicates.on_path.len() == duplicates.on_path.capacity() {
                    duplicates.is_full = true;
                    break;
                }
                if !PLAIN && !duplicates.look_up(slots, place, &mut test, &mut rare, run)
                    || is_tracked && !duplicates.track(slots, place, run)
                {
                    top = slots[place].backtrack_to;
                    *steps = steps.saturating_sub(1);
                    if *steps == 0 {
                        break;
                    }
                    continue;
                }
                if !PLAIN {
                    duplicates.enter(slots, problem, place, run);
                }
                end = top;
                deepest = deepest.max(depth);
            }
            has_entered = true;
            if most == 0 {
                break;
            }
            let (path, free) = slots.split_at_mut(place + 1);
            let Some((expanded, above)) = path.split_last_mut() else { break };
            let Entry { state, step, g, parent, depth, backtrack_to, .. } = expanded;
            let before = above.get((*parent & !TRACKED) as usize).map(|entry| &entry.state);
            let has_table = !PLAIN && duplicates.has_table();
            let observed_parent = O::LISTENS.then(|| state.clone());
            let mut filter = StackFilter {
                problem,
                g: *g,
                generated: test.generated,
                test: &mut test,
                rare: &mut rare,
                free: free.iter_mut(),
                parent: top,
                last: top,
                top: *backtrack_to,
                depth: *depth + 1,
                avoids_cycles: !PLAIN && self.avoids_cycles,
                backups: if has_table { duplicates.backups.split_at_mut(place).1 } else { &mut [] },
                observed_parent,
                observer: &mut run.observer,
                seen: 0,
                observed: self.observed,
            };
            // The lower bound of a state must hold for every path to it. So with a table, the successor
            // that leads straight back is a successor like any other.
            expander.expand(problem, state, (step, before), has_table, &mut filter);
            let StackFilter { last, top: next, seen, generated, .. } = filter;
            if rare.is_due && !rare.settle() && rare.lacking > 0 {
                // More successors than any state had before. The state is expanded again when there is
                // room for them.
                self.spare = (last - top) as usize + rare.lacking;
                self.observed = seen;
                test.generated = generated;
                break;
            }
            if O::LISTENS {
                self.observed = 0;
            }
            (top, has_entered) = (next, false);
            left -= 1;
            let is_full = expander.bytes() > self.expander_bytes;
            if rare.error.is_some() || is_full || run.budget.interrupt().is_raised() {
                break;
            }
        }
        if top == NOWHERE && left > 0 {
            // Everything is searched.
            end = duplicates.leave_all(slots, end, steps);
        }
        (self.top, self.end, self.has_entered) = (top, end, has_entered);
        run.stats.expanded += turns - left;
        run.stats.peak_frontier = run.stats.peak_frontier.max(u64::from(deepest));
        test.finish(&rare, bounds, run)?;
        Ok(is_found)
    }
}
