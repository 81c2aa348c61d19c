//! The loop of IDA* as a recursion, which is faster than the stack: the processor predicts where a call
//! returns to, and what is known of a state stays in registers.
//!
//! The stack remains the form in which a search is held between calls. A recursion that must end early,
//! because a goal or a limit is reached or it has gone deep enough, says by which successors it came to
//! where it is, and the stack follows it there.

use super::Stack;
use crate::budget::Budget;
use crate::cost::Cost;
use crate::engine::Run;
use crate::engine::checked::{sound_heuristic, sum_of_step};
use crate::engine::depth_first::bounds::Bounds;
use crate::engine::depth_first::{Descend, Expander};
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::problem::{SearchProblem, UnrolledSuccessors};
use crate::report::SearchError;

/// The recursion goes so many states deep before the stack takes over: some tens of kilobytes of the
/// thread's stack.
const MOST_DEPTH: u32 = 200;

impl<P: SearchProblem, W: Expander<P>> Stack<P, W> {
    /// Whether it searches by recursion, if there is no observer.
    pub(in crate::engine::depth_first) fn recurses(&self) -> bool {
        W::RECURSES && !self.is_unsuited && self.table_bytes == 0 && !self.avoids_cycles
    }

    /// Whether the stack has not followed a recursion yet, for want of room.
    pub(in crate::engine::depth_first) fn is_behind(&self) -> bool {
        !self.trail.is_empty()
    }

    /// Whether a recursion can note how it came to where it ends.
    #[inline]
    pub(super) fn has_room_for_trail(&self) -> bool {
        !self.recurses() || self.trail.capacity() >= MOST_DEPTH as usize
    }

    /// Makes room for that.
    pub(super) fn make_room_for_trail(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.has_room_for_trail() {
            return Ok(());
        }
        let missing = MOST_DEPTH as usize - self.trail.len();
        memory.reserve(&mut self.trail, missing)
    }

    /// As [`search`](Self::search), by recursion. It looks at the clock.
    pub(super) fn search_by_recursion<O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        bounds: &mut Bounds<P::Cost>,
        most: u64,
        steps: &mut u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<bool, SearchError<P::Cost>> {
        let until = run.stats.expanded.saturating_add(most);
        while run.stats.expanded < until && !self.is_unsuited {
            if self.search_loop::<true, false, O>(problem, bounds, 0, steps, run)? {
                return Ok(true);
            }
            if !self.has_entered {
                return Ok(false);
            }
            let goes_on = self.descend(problem, bounds, until, run);
            self.follow_trail(problem, bounds, steps, run)?;
            if !goes_on || !self.trail.is_empty() {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Searches below the state that was entered last. If it ends early, it leaves the trail that leads to
    /// the next state. False if the time is up.
    fn descend<O>(
        &mut self,
        problem: &P,
        bounds: &mut Bounds<P::Cost>,
        until: u64,
        run: &mut Run<P::Cost, O>,
    ) -> bool {
        let entry = &self.slots[self.top as usize];
        let (mut state, step, g) = (entry.state.clone(), entry.step.clone(), entry.g);
        let (depth, backtrack_to) = (entry.depth, entry.backtrack_to);
        let most = until - run.stats.expanded;
        let mut descent: Descent<'_, P, W> = Descent {
            problem,
            budget: &mut run.budget,
            trail: &mut self.trail,
            expander: &self.expander,
            bound: bounds.bound,
            next_bound: bounds.next_bound.unwrap_or(P::Cost::INFINITY),
            generated: 0,
            dead_ends: 0,
            left: most,
            granted: 0,
            quota: 0,
            deepest: depth,
            most_depth: depth.saturating_add(MOST_DEPTH),
            is_unsuited: false,
            is_time_up: false,
        };
        let ended_early = descent.descend(&mut state, step, g, depth);
        let Descent { next_bound, generated, dead_ends, left, quota, deepest, .. } = descent;
        let (is_unsuited, is_time_up) = (descent.is_unsuited, descent.is_time_up);
        self.is_unsuited |= is_unsuited;
        if next_bound < P::Cost::INFINITY {
            bounds.next_bound = Some(next_bound);
        }
        // States on the trail are counted when the stack follows.
        run.stats.expanded += most - left - quota - self.trail.len() as u64;
        run.stats.generated += generated;
        run.stats.evaluated += generated;
        run.stats.dead_ends += dead_ends;
        run.stats.peak_frontier = run.stats.peak_frontier.max(u64::from(deepest));
        if !ended_early {
            (self.top, self.has_entered) = (backtrack_to, false);
        }
        !is_time_up
    }

    /// Puts on the stack what the recursion came by, as far as there is room: expands the states on its
    /// trail, one after the other, and counts them.
    #[cold]
    pub(super) fn follow_trail<O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        bounds: &mut Bounds<P::Cost>,
        steps: &mut u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        while let Some(&finished) = self.trail.last() {
            let place = self.top;
            let backtrack_to = self.slots[place as usize].backtrack_to;
            self.search_loop::<true, true, O>(problem, bounds, 1, steps, run)?;
            if self.has_entered {
                // There is no room for its successors.
                break;
            }
            self.trail.pop();
            // Successors are on the stack from the last to the first. Those searched are left out.
            let kept = if self.top == backtrack_to { 0 } else { self.top - place };
            if finished < kept {
                self.top -= finished;
                self.has_entered = !self.trail.is_empty();
                self.end = if self.has_entered { self.top } else { place };
            } else {
                // None is left. (The trail ends here, unless the problem contradicts itself.)
                self.trail.clear();
                self.top = backtrack_to;
            }
        }
        Ok(())
    }
}

/// A search below one state.
struct Descent<'a, P: SearchProblem, W: Expander<P>> {
    problem: &'a P,
    budget: &'a mut Budget<P::Cost>,
    /// Where it ended early: of each state on the path how many of the successors within the bound were
    /// searched, the last state first.
    trail: &'a mut Vec<u32>,
    expander: &'a W,
    bound: P::Cost,
    next_bound: P::Cost,
    generated: u64,
    dead_ends: u64,
    /// How many expansions it may make apart from those that were granted.
    left: u64,
    granted: u64,
    /// How many of the expansions granted are left until it must look at the clock.
    quota: u64,
    deepest: u32,
    most_depth: u32,
    /// Whether something was met that is left to the loop over the stack.
    is_unsuited: bool,
    is_time_up: bool,
}

impl<'a, P: SearchProblem, W: Expander<P>> Descent<'a, P, W> {
    /// Searches below a state that is within the bound and no goal; true if it ended early.
    fn descend(&mut self, state: &mut P::State, step: W::Step, g: P::Cost, depth: u32) -> bool {
        self.expand(state, step, g, depth)
    }

    /// The same with a state of its own, which may fit into registers.
    fn descend_to(&mut self, mut state: P::State, step: W::Step, g: P::Cost, depth: u32) -> bool {
        self.expand(&mut state, step, g, depth)
    }

    /// The same where it is known how its successors are written out.
    #[expect(clippy::needless_pass_by_value, reason = "values are passed in registers")]
    fn descend_known<N: UnrolledSuccessors<P::State, P::Action, P::Cost>>(
        &mut self,
        next: N,
        state: P::State,
        step: W::Step,
        (g, depth): (P::Cost, u32),
    ) -> bool {
        self.expand_by(g, depth, |frame| W::expand_known(&next, &state, &step, frame))
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from two places, each hot in its own case")]
    #[expect(clippy::needless_pass_by_value, reason = "values are passed in registers")]
    fn expand(&mut self, state: &mut P::State, step: W::Step, g: P::Cost, depth: u32) -> bool {
        let (problem, expander) = (self.problem, self.expander);
        self.expand_by(g, depth, |frame| expander.expand_forwards(problem, state, &step, frame))
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn expand_by<'s>(
        &'s mut self,
        g: P::Cost,
        depth: u32,
        expand: impl FnOnce(&mut Frame<'s, 'a, P, W>),
    ) -> bool {
        if (self.quota == 0 && !self.renew()) || depth >= self.most_depth {
            return true;
        }
        self.quota -= 1;
        if depth > self.deepest {
            self.deepest = depth;
        }
        let mut frame =
            Frame { descent: self, g, depth, generated: 0, dead_ends: 0, kept: 0, is_over: false };
        expand(&mut frame);
        let Frame { descent, generated, dead_ends, kept, is_over, .. } = frame;
        if is_over {
            descent.trail.push(kept);
            return true;
        }
        descent.generated += generated;
        descent.dead_ends += dead_ends;
        false
    }

    /// Whether more expansions may be made: looks at the clock.
    #[cold]
    #[inline(never)]
    fn renew(&mut self) -> bool {
        if self.granted > 0 {
            self.budget.look_at_clock(self.granted);
        }
        self.is_time_up = self.budget.check_clock().is_err();
        if self.is_time_up || self.left == 0 {
            return false;
        }
        self.granted = self.budget.allowed(self.left);
        self.left -= self.granted;
        self.quota = self.granted;
        true
    }
}

/// A state that is being expanded.
struct Frame<'d, 'a, P: SearchProblem, W: Expander<P>> {
    descent: &'d mut Descent<'a, P, W>,
    g: P::Cost,
    depth: u32,
    generated: u64,
    dead_ends: u64,
    /// How many successors within the bound were searched.
    kept: u32,
    /// Whether the search ended early below a successor, or before it.
    is_over: bool,
}

impl<P: SearchProblem, W: Expander<P>> Frame<'_, '_, P, W> {
    /// Leaves what comes to the loop over the stack.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call would keep all fields in memory")]
    fn hand_over(&mut self) {
        self.descent.is_unsuited = true;
        self.is_over = true;
    }
}

impl<P: SearchProblem, W: Expander<P>> Descend<P, W::Step> for Frame<'_, '_, P, W> {
    #[inline]
    fn is_over(&self) -> bool {
        self.is_over
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn visit(&mut self, state: &mut P::State, step: W::Step, cost: P::Cost) {
        if let Some(g) = self.test(state, cost) {
            let depth = self.depth + 1;
            let is_over = self.descent.descend(state, step, g, depth);
            self.leave(is_over);
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn visit_copy(&mut self, state: P::State, step: W::Step, cost: P::Cost) {
        if let Some(g) = self.test(&state, cost) {
            let depth = self.depth + 1;
            let is_over = self.descent.descend_to(state, step, g, depth);
            self.leave(is_over);
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn visit_known<N: UnrolledSuccessors<P::State, P::Action, P::Cost>>(
        &mut self,
        next: N,
        state: P::State,
        step: W::Step,
        cost: P::Cost,
    ) {
        if let Some(g) = self.test(&state, cost) {
            let is_over = self.descent.descend_known(next, state, step, (g, self.depth + 1));
            self.leave(is_over);
        }
    }
}

impl<P: SearchProblem, W: Expander<P>> Frame<'_, '_, P, W> {
    /// The g of a successor below which is to be searched. The search is over if it is a goal.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn test(&mut self, state: &P::State, cost: P::Cost) -> Option<P::Cost> {
        if self.is_over {
            return None;
        }
        self.generated += 1;
        let Some(g) = sum_of_step(self.g, cost) else {
            self.hand_over();
            return None;
        };
        let Ok(h) = sound_heuristic(self.descent.problem, state, g) else {
            self.hand_over();
            return None;
        };
        match g.checked_add(h) {
            Some(f) if f <= self.descent.bound => {}
            Some(f) if f < self.descent.next_bound => {
                self.descent.next_bound = f;
                return None;
            }
            Some(f) if f < P::Cost::INFINITY => return None,
            _ if h >= P::Cost::INFINITY => {
                self.dead_ends += 1;
                return None;
            }
            _ => {
                self.hand_over();
                return None;
            }
        }
        // A cycle of steps that cost nothing has no end, and the stack knows the states on the path.
        if g <= self.g {
            self.hand_over();
            return None;
        }
        // The h of a goal is zero.
        if h <= P::Cost::ZERO && self.descent.problem.is_goal(state) {
            self.is_over = true;
            return None;
        }
        Some(g)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn leave(&mut self, is_over: bool) {
        self.is_over = is_over;
        self.kept += u32::from(!is_over);
    }
}
