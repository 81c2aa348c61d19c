//! The stack of IDA*: the path, and the successors of its states that are still to be entered.

mod descent;
mod duplicates;
mod room;
mod search;
mod solution;
#[cfg(feature = "parallel")]
mod subtree;
mod successors;

pub(super) use solution::Solution;

use super::Expander;
use super::bounds::{BoundTest, Bounds};
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::engine::Run;
use crate::problem::SearchProblem;
use crate::report::SearchError;
use duplicates::{Backup, DuplicateDetection};

/// The states on the path, and the generated states that are still to be entered.
///
/// A state is expanded at once: those of its successors that are within the bound are put on the stack
/// above it, the first successor on top. Each entry has the place of the entry that is entered next
/// when its subtree is finished. So nothing is done on backtracking: finished states of the path are
/// left when the next state is entered.
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct Stack<P: SearchProblem, W: Expander<P>> {
    expander: W,
    /// The states on the path, and above each of them those of its successors that are still to be
    /// entered. Slots above both `top` and `end` hold stale entries.
    slots: Vec<Entry<P, W>>,
    /// The place of the state that is entered next, or `NOWHERE` if none is left.
    top: u32,
    /// The place of the last state of the path, or `NOWHERE`. It is above `top` if the last states of
    /// the path are finished.
    end: u32,
    /// Whether the state at `top` was entered, so that it is the end of the path, but not yet expanded.
    has_entered: bool,
    table_bytes: usize,
    /// The loop runs while this many slots are free: as many as any state has had successors.
    spare: usize,
    /// How many successors of the next state to expand the observer was told of: there was no room for
    /// all of them, and the state is expanded again.
    observed: u64,
    avoids_cycles: bool,
    /// Where a recursion ended early: of each state from the last of the path on how many successors it
    /// generated; the last entry belongs to that state. Empty once the stack has followed.
    trail: Vec<u32>,
    /// Whether something was met that recursion leaves to the loop over the stack.
    is_unsuited: bool,
    /// How many expansions the loop over the stack makes before there is a recursion.
    left_to_loop: u64,
    /// Whether the last recursion has ended because the time was up.
    was_cut: bool,
    /// The bytes of the expander that the memory account knows of.
    expander_bytes: usize,
    duplicates: DuplicateDetection<P>,
}

/// A state on the stack.
pub(super) struct Entry<P: SearchProblem, W: Expander<P>> {
    pub(super) state: P::State,
    pub(super) step: W::Step,
    pub(super) g: P::Cost,
    /// The place of its parent; with `TRACKED` if it belongs into the set of states on the path.
    pub(super) parent: u32,
    /// The number of states on the path that ends with it.
    pub(super) depth: u32,
    /// The place of the entry that is entered next when the subtree of this one is finished.
    pub(super) backtrack_to: u32,
    /// How many successors of its parent come after it.
    pub(super) behind: u32,
}

impl<P: SearchProblem, W: Expander<P>> Clone for Entry<P, W> {
    fn clone(&self) -> Self {
        let Self { state, step, g, parent, depth, backtrack_to, behind } = self;
        Self {
            state: state.clone(),
            step: step.clone(),
            g: *g,
            parent: *parent,
            depth: *depth,
            backtrack_to: *backtrack_to,
            behind: *behind,
        }
    }
}

/// No place on the stack.
pub(super) const NOWHERE: u32 = TRACKED - 1;

/// A flag of [`Entry::parent`]: while the state is on the path, it is in the set of such states.
pub(super) const TRACKED: u32 = 1 << 31;

impl<P: SearchProblem, W: Expander<P>> Stack<P, W> {
    pub(super) fn new(expander: W, table_bytes: usize, avoids_cycles: bool) -> Self {
        Self {
            expander,
            slots: Vec::new(),
            top: NOWHERE,
            end: NOWHERE,
            has_entered: false,
            table_bytes,
            spare: LEAST_SPARE,
            observed: 0,
            avoids_cycles,
            trail: Vec::new(),
            is_unsuited: false,
            left_to_loop: FIRST_EXPANSIONS,
            was_cut: false,
            expander_bytes: 0,
            duplicates: DuplicateDetection::new(),
        }
    }

    /// The number of states on it.
    pub(super) fn len(&self) -> usize {
        // `NOWHERE` is no place; the others begin at 0.
        let above = |place: u32| if place == NOWHERE { 0 } else { place as usize + 1 };
        above(self.top).max(above(self.end))
    }

    pub(super) fn begin_iteration(&mut self) {
        self.duplicates.begin_iteration();
        self.observed = 0;
    }

    /// Puts a start on the stack if it is within the bound. There must be room for it.
    pub(super) fn push_start<O>(
        &mut self,
        problem: &P,
        (state, cost): &(P::State, P::Cost),
        bounds: &mut Bounds<P::Cost>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        let (mut test, mut rare) = BoundTest::begin(bounds);
        let costs = (P::Cost::ZERO, *cost);
        if let Some((g, h)) = test.test(&mut rare, problem, state, costs, |_| ()) {
            let is_tracked = g <= P::Cost::ZERO || self.avoids_cycles;
            let parent = if is_tracked { NOWHERE | TRACKED } else { NOWHERE };
            let (step, place) = (self.expander.no_step(), self.len());
            let (state, backtrack_to) = (state.clone(), self.top);
            self.slots[place] = Entry { state, step, g, parent, depth: 1, backtrack_to, behind: 0 };
            if self.duplicates.has_table() {
                self.duplicates.backups[place] = Backup::new(*cost, h);
            }
            self.top = place_of(place);
        }
        rare.settle();
        // Starts are given, not generated.
        run.stats.evaluated += test.generated - rare.unevaluated;
        (test.generated, rare.unevaluated) = (0, 0);
        test.finish(&rare, bounds, run)
    }

    /// Whether the last state of the path is still to be expanded.
    pub(super) fn has_entered(&self) -> bool {
        self.has_entered
    }

    /// Removes all states.
    pub(super) fn clear(&mut self) {
        (self.top, self.end, self.has_entered) = (NOWHERE, NOWHERE, false);
        self.trail.clear();
        self.duplicates.clear_path();
    }

    /// Removes all states and clears the table. Allocated memory is kept.
    pub(super) fn reset(&mut self) {
        self.clear();
        self.duplicates.reset();
        (self.observed, self.spare) = (0, LEAST_SPARE);
        (self.is_unsuited, self.left_to_loop) = (false, FIRST_EXPANSIONS);
        self.expander.keep_within(self.expander_bytes);
    }
}

/// A search that ends within this many expansions makes nothing that a recursion needs.
const FIRST_EXPANSIONS: u64 = 128;

/// There are at least this many free slots before a state is expanded.
const LEAST_SPARE: usize = 4;

/// A place on the stack in the form in which entries hold it.
#[expect(clippy::cast_possible_truncation, reason = "make_room() keeps it below NOWHERE")]
fn place_of(place: usize) -> u32 {
    place as u32
}

show_fields! { [P: SearchProblem, W: Expander<P>] Stack<P, W>, "Stack" { top, end } }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::depth_first::Buffered;
    use crate::problem::FnProblem;

    #[test]
    fn debug_output_names_the_type() {
        fn shown<P: SearchProblem>(_: &P) -> String {
            format!("{:?}", Stack::<P, _>::new(Buffered::new(), 0, false))
        }
        let problem = FnProblem::new(|&n: &u32| [(n, 1_u32)], |_: &u32| 0, |_: &u32| false);
        assert!(shown(&problem).starts_with("Stack {"));
    }
}
