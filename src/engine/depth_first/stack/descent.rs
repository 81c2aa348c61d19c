//! The loop of IDA* as a recursion, which is faster than the stack: the processor predicts where a call
//! returns to, and what is known of a state stays in registers.
//!
//! The stack remains the form in which a search is held between calls. A recursion that must end early,
//! because a goal or a limit is reached or it has gone deep enough, says by which successors it came to
//! where it is, and the stack follows it there.

#![expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::ptr;

use super::{Stack, TRACKED};
use crate::budget::Budget;
use crate::cost::Cost;
use crate::engine::Run;
use crate::engine::checked::{heuristic_value, sound_heuristic, sum_of_step};
use crate::engine::depth_first::bounds::Bounds;
use crate::engine::depth_first::{Descend, Expander};
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::problem::{SearchProblem, UnrolledSuccessors};
use crate::report::SearchError;

/// The recursion goes at most this many states deep before the stack takes over.
const MOST_DEPTH: u32 = 200;

/// It takes no more bytes of the thread's stack than these.
const MOST_BYTES: usize = 1 << 15;

/// If that is not enough for this many states, recursion is not worth it.
const LEAST_DEPTH: u32 = 8;

/// For fewer expansions than these it is not worth it either: each state on the path at the end is expanded
/// twice.
pub(super) const LEAST_EXPANSIONS: u64 = 8;

impl<P: SearchProblem, W: Expander<P>> Stack<P, W> {
    /// Whether it searches by recursion, if there is no observer.
    pub(in crate::engine::depth_first) fn recurses(&self) -> bool {
        W::RECURSES
            && self.left_to_loop == 0
            && !self.is_unsuited
            && self.table_bytes == 0
            && !self.avoids_cycles
    }

    /// Whether the stack has not followed a recursion yet, for want of room or of time.
    pub(in crate::engine::depth_first) fn is_behind(&self) -> bool {
        !self.trail.is_empty()
    }

    /// The same where the recursion has ended because the time was up: what comes next is an expansion.
    pub(in crate::engine::depth_first) fn is_cut(&self) -> bool {
        self.is_behind() && self.was_cut
    }

    /// The recursion goes at most this many states deep.
    const MOST_DEPTH: u32 = if W::MOST_DEPTH < MOST_DEPTH { W::MOST_DEPTH } else { MOST_DEPTH };

    /// Whether there is room for a recursion: to note how it came to where it ends, and for what the
    /// expander needs.
    #[inline]
    pub(super) fn has_room_to_recurse(&self) -> bool {
        !self.recurses()
            || self.trail.capacity() >= Self::MOST_DEPTH as usize
                && self.expander.has_room_to_recurse()
    }

    /// Makes room for that. If the expander gets none, there is no recursion.
    pub(super) fn make_room_to_recurse(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.has_room_to_recurse() {
            return Ok(());
        }
        if self.expander.make_room_to_recurse(memory).is_err() {
            self.is_unsuited = true;
            return Ok(());
        }
        let missing = (Self::MOST_DEPTH as usize).saturating_sub(self.trail.len());
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
        // What the expander has taken must be in the account of memory.
        while run.stats.expanded < until
            && !self.is_unsuited
            && self.expander.has_room_to_recurse()
            && self.expander.bytes() <= self.expander_bytes
        {
            if self.search_loop::<true, O>(problem, bounds, 0, steps, run)? {
                return Ok(true);
            }
            if !self.has_entered {
                return Ok(false);
            }
            let goes_on = self.descend(problem, bounds, until, run);
            // Later, where the time is up: it expands as many states as the path has.
            if goes_on {
                self.follow_trail(problem, bounds, steps, run)?;
            }
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
        let before = self.slots.get((entry.parent & !TRACKED) as usize).map(|entry| &entry.state);
        let (mut state, reached, g) =
            (entry.state.clone(), W::reached(&entry.step, before), entry.g);
        let (depth, backtrack_to) = (entry.depth, entry.backtrack_to);
        let most = until - run.stats.expanded;
        let mut descent: Descent<'_, P, W> = Descent {
            problem,
            budget: &mut run.budget,
            trail: &mut self.trail,
            expander: &mut self.expander,
            bound: bounds.bound,
            next_bound: bounds.next_bound.unwrap_or(P::Cost::INFINITY),
            generated: 0,
            dead_ends: 0,
            left: most,
            granted: 0,
            quota: 0,
            deepest: depth,
            root_depth: depth,
            most_depth: depth.saturating_add(Self::MOST_DEPTH),
            frames: Frames::Unknown,
            is_unsuited: false,
            is_time_up: false,
        };
        let ended_early = descent.descend(&mut state, reached, g, depth);
        let quota = descent.quota_left();
        let Descent { next_bound, generated, dead_ends, left, deepest, .. } = descent;
        let (is_unsuited, is_time_up) = (descent.is_unsuited, descent.is_time_up);
        self.is_unsuited |= is_unsuited;
        self.was_cut = is_time_up;
        if next_bound < P::Cost::INFINITY {
            bounds.next_bound = Some(next_bound);
        }
        // What states on the trail generated is counted when the stack follows.
        run.stats.expanded += most - left - quota;
        run.stats.generated += generated;
        run.stats.evaluated += generated;
        run.stats.dead_ends += dead_ends;
        run.stats.peak_frontier = run.stats.peak_frontier.max(u64::from(deepest));
        if !ended_early {
            (self.top, self.has_entered) = (backtrack_to, false);
        }
        !is_time_up
    }

    /// Puts on the stack what the recursion came by, as far as there is room and time: expands the states on its
    /// trail once more, one after the other.
    #[cold]
    pub(super) fn follow_trail<O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        bounds: &mut Bounds<P::Cost>,
        steps: &mut u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        while let Some(&generated) = self.trail.last() {
            let place = self.top;
            let backtrack_to = self.slots[place as usize].backtrack_to;
            let (finished, dead_ends) = self.recount(problem, bounds.bound, generated);
            let expanded = run.stats.expanded;
            let ended = self.search_loop::<true, O>(problem, bounds, 1, steps, run);
            // It was counted before, also where it ends with an error.
            run.stats.expanded = expanded;
            ended?;
            if self.has_entered {
                // There is no room for its successors.
                break;
            }
            self.trail.pop();
            // The recursion has counted them as well.
            run.stats.dead_ends = run.stats.dead_ends.saturating_sub(dead_ends);
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
            if run.is_interrupted() {
                break;
            }
        }
        Ok(())
    }
}

impl<P: SearchProblem, W: Expander<P>> Stack<P, W> {
    /// How many of the successors of the state on top that the recursion generated before the last one were
    /// searched, and how many were dead ends.
    fn recount(&mut self, problem: &P, bound: P::Cost, generated: u32) -> (u32, u64) {
        let entry = &self.slots[self.top as usize];
        let before = self.slots.get((entry.parent & !TRACKED) as usize).map(|entry| &entry.state);
        let mut recount = Recount {
            problem,
            expander: &mut self.expander,
            bound,
            g: entry.g,
            left: generated.saturating_sub(1),
            searched: 0,
            dead_ends: 0,
        };
        if recount.left > 0 {
            let reached = W::reached(&entry.step, before);
            let _ = W::expand_forwards(problem, &mut entry.state.clone(), &reached, &mut recount);
        }
        (recount.searched, recount.dead_ends)
    }
}

/// Counts successors that a recursion has generated.
struct Recount<'a, P: SearchProblem, W: Expander<P>> {
    problem: &'a P,
    expander: &'a mut W,
    bound: P::Cost,
    g: P::Cost,
    /// How many are left to be seen.
    left: u32,
    /// How many of them are within the bound, so that the recursion has searched below them.
    searched: u32,
    dead_ends: u64,
}

impl<P: SearchProblem, W: Expander<P>> Descend<P, W> for Recount<'_, P, W> {
    fn expander(&mut self) -> &mut W {
        self.expander
    }

    fn visit(
        &mut self,
        state: &mut P::State,
        _reached: W::Reached<'_>,
        cost: P::Cost,
    ) -> ControlFlow<()> {
        let h = sum_of_step(self.g, cost)
            .and_then(|g| Some((g, sound_heuristic(self.problem, state, g).ok()?)));
        if let Some((g, h)) = h {
            let is_within = g.checked_add(h).is_some_and(|f| f <= self.bound);
            self.searched += u32::from(is_within);
            self.dead_ends += u64::from(!is_within && h >= P::Cost::INFINITY);
        }
        self.left -= 1;
        if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Above all numbers of expansions: see the quota of a [`Descent`].
const WATCHED: u64 = 1 << 63;

/// A search below one state.
struct Descent<'a, P: SearchProblem, W: Expander<P>> {
    problem: &'a P,
    budget: &'a mut Budget<P::Cost>,
    /// Where it ended early: of each state on the path how many successors were generated, the last state
    /// first. The last of them is the next on the path, or the one that it ended before.
    trail: &'a mut Vec<u32>,
    expander: &'a mut W,
    bound: P::Cost,
    next_bound: P::Cost,
    generated: u64,
    dead_ends: u64,
    /// How many expansions it may make apart from those that were granted.
    left: u64,
    granted: u64,
    /// How many of the expansions granted are left until it must look at the clock. Where it must look at a flag
    /// before each of them, [`WATCHED`] and one more are added.
    quota: u64,
    deepest: u32,
    root_depth: u32,
    most_depth: u32,
    frames: Frames,
    /// Whether something was met that is left to the loop over the stack.
    is_unsuited: bool,
    is_time_up: bool,
}

impl<'a, P: SearchProblem, W: Expander<P>> Descent<'a, P, W> {
    /// Searches below a state that is within the bound and no goal; true if it ended early.
    fn descend(
        &mut self,
        state: &mut P::State,
        reached: W::Reached<'_>,
        g: P::Cost,
        depth: u32,
    ) -> bool {
        self.expand(state, reached, g, depth)
    }

    /// The same with a state of its own, which may fit into registers.
    fn descend_to(
        &mut self,
        mut state: P::State,
        reached: W::Reached<'_>,
        g: P::Cost,
        depth: u32,
    ) -> bool {
        self.expand(&mut state, reached, g, depth)
    }

    /// The same where it is known how its successors are written out.
    #[expect(clippy::needless_pass_by_value, reason = "values are passed in registers")]
    fn descend_known<N: UnrolledSuccessors<P::State, P::Action, P::Cost>>(
        &mut self,
        next: N,
        state: P::State,
        reached: W::Reached<'_>,
        (g, depth): (P::Cost, u32),
    ) -> bool {
        let Some(mut frame) = self.enter(g, depth) else { return true };
        let result = W::expand_known(&next, &state, &reached, &mut frame);
        frame.leave(result)
    }

    #[inline(always)]
    // Called from two places, each hot in its own case.
    #[expect(clippy::needless_pass_by_value, reason = "values are passed in registers")]
    fn expand(
        &mut self,
        state: &mut P::State,
        reached: W::Reached<'_>,
        g: P::Cost,
        depth: u32,
    ) -> bool {
        let problem = self.problem;
        let Some(mut frame) = self.enter(g, depth) else { return true };
        let result = W::expand_forwards(problem, state, &reached, &mut frame);
        frame.leave(result)
    }

    /// Begins an expansion, if it may be made.
    #[inline(always)]
    fn enter<'d>(&'d mut self, g: P::Cost, depth: u32) -> Option<Frame<'d, 'a, P, W>> {
        self.quota = self.quota.wrapping_sub(1);
        // One test for both, as most searches have no flag to look at.
        if self.quota >= WATCHED && !self.may_go_on() {
            return None;
        }
        if depth > self.deepest {
            // It never goes deeper than the most, so that this is a new depth as well.
            if depth >= self.most_depth {
                self.quota += 1;
                return None;
            }
            self.deepest = depth;
        }
        Some(Frame { descent: self, g, depth, generated: 0 })
    }

    /// Whether the expansion that was begun may be made, where the quota is used up or there may be a flag.
    #[inline(never)]
    fn may_go_on(&mut self) -> bool {
        let is_used_up = self.quota == u64::MAX || self.quota == WATCHED;
        !is_used_up && !self.budget.interrupt().has_flag() || self.renew(is_used_up)
    }

    fn quota_left(&self) -> u64 {
        if self.quota > WATCHED { self.quota - WATCHED - 1 } else { self.quota }
    }

    /// Whether more expansions may be made: looks at the clock.
    #[cold]
    #[inline(never)]
    fn renew(&mut self, is_used_up: bool) -> bool {
        self.quota = if is_used_up { 0 } else { self.quota + 1 };
        if self.granted > 0 {
            self.budget.look_at_clock(self.granted);
        }
        self.is_time_up = self.budget.check_clock().is_err() || self.budget.interrupt().is_raised();
        if self.is_time_up || self.left == 0 && is_used_up {
            return false;
        }
        if !is_used_up {
            // A cancellation was revoked.
            self.quota -= 1;
            return true;
        }
        self.granted = match self.frames {
            // One alone, so that the next call comes from the state below.
            Frames::Unknown => {
                self.frames = Frames::FirstAt(address());
                1
            }
            Frames::FirstAt(first) => {
                self.frames = Frames::Known;
                if !self.limit_depth(address().abs_diff(first)) {
                    return false;
                }
                self.allowed()
            }
            Frames::Known => self.allowed(),
        };
        self.left -= self.granted;
        let is_watched = self.budget.interrupt().is_armed();
        self.quota = if is_watched { WATCHED + self.granted } else { self.granted - 1 };
        true
    }

    /// How many expansions may be made until the next look at the clock.
    fn allowed(&self) -> u64 {
        let most = self.left.min(WATCHED / 2);
        if self.budget.interrupt().reads_clock() { 1 } else { self.budget.allowed(most) }
    }

    /// Limits the depth if a state takes this many bytes of the thread's stack: the code of the problem is
    /// part of the recursion. False if they are too many.
    fn limit_depth(&mut self, bytes: usize) -> bool {
        let depth = u32::try_from(MOST_BYTES / bytes.max(1)).unwrap_or(u32::MAX);
        self.most_depth = self.most_depth.min(self.root_depth.saturating_add(depth));
        self.is_unsuited |= depth < LEAST_DEPTH;
        !self.is_unsuited
    }
}

/// What is known of the bytes that a state takes of the thread's stack.
#[derive(Clone, Copy)]
enum Frames {
    Unknown,
    /// The end of the stack at the first state.
    FirstAt(usize),
    /// The depth is limited by it.
    Known,
}

/// Where the thread's stack ends now.
#[inline(never)]
fn address() -> usize {
    let local = 0_u8;
    ptr::from_ref(black_box(&local)).addr()
}

/// A state that is being expanded.
struct Frame<'d, 'a, P: SearchProblem, W: Expander<P>> {
    descent: &'d mut Descent<'a, P, W>,
    g: P::Cost,
    depth: u32,
    generated: u32,
}

impl<P: SearchProblem, W: Expander<P>> Descend<P, W> for Frame<'_, '_, P, W> {
    #[inline]
    fn expander(&mut self) -> &mut W {
        self.descent.expander
    }

    #[inline(always)]
    fn visit(
        &mut self,
        state: &mut P::State,
        reached: W::Reached<'_>,
        cost: P::Cost,
    ) -> ControlFlow<()> {
        let h = heuristic_value(self.descent.problem, state);
        let Some(g) = self.test(state, h, cost)? else { return ControlFlow::Continue(()) };
        let depth = self.depth + 1;
        let has_ended = self.descent.descend(state, reached, g, depth);
        if has_ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline(always)]
    fn visit_copy(
        &mut self,
        state: P::State,
        reached: W::Reached<'_>,
        cost: P::Cost,
    ) -> ControlFlow<()> {
        let h = heuristic_value(self.descent.problem, &state);
        let Some(g) = self.test(&state, h, cost)? else { return ControlFlow::Continue(()) };
        let depth = self.depth + 1;
        let has_ended = self.descent.descend_to(state, reached, g, depth);
        if has_ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline(always)]
    fn visit_known<N: UnrolledSuccessors<P::State, P::Action, P::Cost>>(
        &mut self,
        next: N,
        state: P::State,
        reached: W::Reached<'_>,
        cost: P::Cost,
    ) -> ControlFlow<()> {
        let h = W::heuristic_known(self.descent.problem, &next, &state);
        let Some(g) = self.test(&state, h, cost)? else { return ControlFlow::Continue(()) };
        let has_ended = self.descent.descend_known(next, state, reached, (g, self.depth + 1));
        if has_ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<P: SearchProblem, W: Expander<P>> Frame<'_, '_, P, W> {
    /// The g of a successor with the heuristic value `h`, if it is to be searched below. Breaks if it is a goal, or is left to the loop over
    /// the stack.
    #[inline(always)]
    fn test(
        &mut self,
        state: &P::State,
        h: Result<P::Cost, P::Cost>,
        cost: P::Cost,
    ) -> ControlFlow<(), Option<P::Cost>> {
        self.generated += 1;
        let Some(g) = sum_of_step(self.g, cost) else { return self.hand_over() };
        let Ok(h) = h else { return self.hand_over() };
        match g.checked_add(h) {
            Some(f) if f <= self.descent.bound => {}
            Some(f) if f < self.descent.next_bound => {
                self.descent.next_bound = f;
                return ControlFlow::Continue(None);
            }
            Some(f) if f < P::Cost::INFINITY => return ControlFlow::Continue(None),
            _ if h >= P::Cost::INFINITY => {
                self.descent.dead_ends += 1;
                return ControlFlow::Continue(None);
            }
            _ => return self.hand_over(),
        }
        // A cycle of steps that cost nothing has no end, and the stack knows the states on the path.
        if g <= self.g {
            return self.hand_over();
        }
        // The h of a goal is zero.
        if h <= P::Cost::ZERO && self.descent.problem.is_goal(state) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(Some(g))
    }

    /// Leaves what comes to the loop over the stack.
    #[inline(always)]
    // A call would keep all fields in memory.
    fn hand_over(&mut self) -> ControlFlow<(), Option<P::Cost>> {
        self.descent.is_unsuited = true;
        ControlFlow::Break(())
    }

    /// Ends the expansion; true if the search ended early.
    #[inline(always)]
    fn leave(self, result: ControlFlow<()>) -> bool {
        if result.is_break() {
            self.descent.trail.push(self.generated);
            return true;
        }
        self.descent.generated += u64::from(self.generated);
        false
    }
}
