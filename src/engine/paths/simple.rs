//! [`SimplePaths`]: paths without repeated states, in the order of their costs.

use super::explorer::Explored;
use super::heap::NONE;
use super::sidetracks::{FULL, Turn, tree_step};
use crate::cost::{Cost, smaller};
use crate::engine::halt::Halt;
use crate::frontier::{Frontier, LazyHeap};
use crate::memory::Memory;
use crate::report::SearchError;
use crate::table::StateId;

/// Lists the simple paths to the goals in the order of their costs.
///
/// The paths that are not yet listed are divided into spaces. A space is given by a suffix of its paths
/// and by the steps that must not precede it. When a path is listed, the other paths of its space are divided into
/// one space for each of its states: those with the same suffix from that state on, but another step before it.
///
/// The costs *g* of the search are lower bounds for the part before a suffix. So the least cost in a space is
/// estimated from the steps before the suffix alone. Only when the space is the first in the queue, its cheapest path is
/// searched for: backwards by A\* with these bounds, which are exact unless the path in the search tree meets the suffix.
///
/// Source: Yen, *Finding the K Shortest Loopless Paths in a Network*, 1971; Lawler, *A Procedure for Computing the K
/// Best Solutions to Discrete Optimization Problems*, 1972 (the spaces).
pub(super) struct SimplePaths<I, C> {
    suffixes: Vec<Suffix<C>>,
    spaces: Vec<Space>,
    /// Steps that must not be taken, each with the next in the same space.
    excluded: Vec<(u32, u32)>,
    queue: LazyHeap<Turn<C>>,
    /// The number of goals that have spaces.
    goals: u32,
    current: Option<Current<C>>,
    /// The states of the current suffix.
    marked: Vec<I>,
    is_marked: Vec<bool>,
    /// States of the current search below a state of the suffix in the tree, as far as they were looked at.
    behind: Vec<I>,
    is_behind: Vec<bool>,
    search: Backwards<I, C>,
    /// The excluded steps of the current space, sorted.
    forbidden: Vec<u32>,
    /// The steps of the found path before its suffix, last to first.
    prefix: Vec<u32>,
    /// The state up to which the tree was followed to write them, if that has been held.
    written_to: Option<I>,
    /// The number of its steps at which spaces must be added next, and the suffix there.
    branching: Option<(usize, u32)>,
    /// The suffix of the found path.
    found: u32,
    /// Spaces in which no path was found, though a sum did not fit: whether there is one is looked for at the end.
    left_out: Vec<u32>,
    /// Whether the current space is one of these.
    is_left_out: bool,
    /// The first sum that did not fit on a path of the current space, which need not be simple.
    noted: Option<SearchError<C>>,
    /// The same of a simple path.
    overflow: Option<SearchError<C>>,
}

/// The end of a path.
#[derive(Clone, Copy, Debug)]
struct Suffix<C> {
    /// The suffix after the first step; `NONE` if there are no steps.
    behind: u32,
    /// The first step; the number of the goal, if there are none.
    step: u32,
    cost: C,
}

#[derive(Clone, Copy, Debug)]
struct Space {
    suffix: u32,
    excluded: u32,
}

/// The space whose cheapest path is searched for.
#[derive(Clone, Copy, Debug)]
struct Current<C> {
    space: u32,
    key: C,
    /// Whether the search has begun.
    has_begun: bool,
    /// The result of the search: the label from which the path follows the tree, and its cost.
    #[expect(clippy::option_option, reason = "a verdict that may not be there")]
    verdict: Option<Option<(u32, C)>>,
}

/// A backward search from the front of a suffix to the starts.
struct Backwards<I, C> {
    labels: Vec<Label<I, C>>,
    /// The label of each state, or `NONE`.
    label_of: Vec<u32>,
    queue: LazyHeap<Turn<C>>,
    /// Whether a state was closed.
    has_closed: bool,
}

/// A state reached by the backward search.
#[derive(Clone, Copy, Debug)]
struct Label<I, C> {
    id: I,
    /// The cost from the state on.
    cost: C,
    /// The step from it.
    step: u32,
    is_closed: bool,
}

/// The next entry of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Listed<C> {
    /// A path of this cost.
    Path(C),
    /// A path that costs more than the least f of the open states: the search must continue.
    Open,
    /// No path.
    Nothing,
}

impl<I: StateId, C: Cost> SimplePaths<I, C> {
    pub(super) fn new() -> Self {
        let search = Backwards {
            labels: Vec::new(),
            label_of: Vec::new(),
            queue: LazyHeap::new(),
            has_closed: false,
        };
        Self {
            suffixes: Vec::new(),
            spaces: Vec::new(),
            excluded: Vec::new(),
            queue: LazyHeap::new(),
            goals: 0,
            current: None,
            marked: Vec::new(),
            is_marked: Vec::new(),
            behind: Vec::new(),
            is_behind: Vec::new(),
            search,
            forbidden: Vec::new(),
            prefix: Vec::new(),
            written_to: None,
            branching: None,
            found: NONE,
            left_out: Vec::new(),
            is_left_out: false,
            noted: None,
            overflow: None,
        }
    }

    /// Clears the list and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.suffixes.clear();
        self.spaces.clear();
        self.excluded.clear();
        Frontier::<u32, Turn<C>>::clear(&mut self.queue);
        self.goals = 0;
        self.leave();
        (self.branching, self.found) = (None, NONE);
        self.prefix.clear();
        self.left_out.clear();
        (self.is_left_out, self.noted, self.overflow) = (false, None, None);
    }

    /// Clears the current space.
    fn leave(&mut self) {
        (self.current, self.written_to) = (None, None);
        self.unmark();
        self.search.clear();
    }

    fn unmark(&mut self) {
        for id in self.marked.drain(..) {
            self.is_marked[id.index()] = false;
        }
        for id in self.behind.drain(..) {
            self.is_behind[id.index()] = false;
        }
    }

    /// Returns the error of a sum that did not fit into its type, if there is a simple path with such a cost.
    pub(super) fn overflow(&self) -> Option<SearchError<C>> {
        self.overflow
    }

    /// Returns the number of goals that have spaces.
    pub(super) fn goals(&self) -> u32 {
        self.goals
    }

    /// Adds the paths to the next goal; the cheapest has this cost.
    pub(super) fn add_goal(&mut self, cost: C, memory: &mut Memory) -> Result<(), Halt<C>> {
        let root = Suffix { behind: NONE, step: self.goals, cost: C::ZERO };
        let suffix = self.add_suffix(root, memory)?;
        self.add_space(Space { suffix, excluded: NONE }, Some(cost), memory)?;
        self.goals += 1;
        Ok(())
    }

    fn add_suffix(&mut self, suffix: Suffix<C>, memory: &mut Memory) -> Result<u32, Halt<C>> {
        memory.reserve(&mut self.suffixes, 1)?;
        self.suffixes.push(suffix);
        last_of(self.suffixes.len())
    }

    /// Adds a space with this lower bound on its costs; without one, a sum did not fit.
    fn add_space(
        &mut self,
        space: Space,
        key: Option<C>,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        memory.reserve(&mut self.spaces, 1)?;
        let nth = last_of(self.spaces.len() + 1)?;
        match key {
            Some(key) => self.push_space(nth, key, memory)?,
            None => self.leave_out(nth, memory)?,
        }
        self.spaces.push(space);
        Ok(())
    }

    /// Puts a space into the queue.
    fn push_space(&mut self, nth: u32, key: C, memory: &mut Memory) -> Result<(), Halt<C>> {
        Ok(self.queue.push(nth, Turn { cost: key, nth }, memory)?)
    }

    /// Returns the cost of the next path, whose steps can be written until the next call. `open` is the least f of the
    /// open states, if there are any. If it is held, the next call continues.
    pub(super) fn next(
        &mut self,
        open: Option<C>,
        known: &impl Explored<I, C>,
        work: &mut u32,
        memory: &mut Memory,
    ) -> Result<Listed<C>, Halt<C>> {
        loop {
            if *work == 0 {
                return Err(Halt::PAUSED);
            }
            *work -= 1;
            if let Some((nth, suffix)) = self.branching {
                self.branch(nth, suffix, open, known, work, memory)?;
                continue;
            }
            let Some(current) = self.current else {
                let Some(Turn { cost, .. }) = Frontier::<u32, _>::least(&mut self.queue, memory)?
                else {
                    if open.is_some() {
                        return Ok(Listed::Open);
                    }
                    match self.left_out.pop() {
                        Some(space) if self.overflow.is_none() => self.look_again(space),
                        _ => return Ok(Listed::Nothing),
                    }
                    continue;
                };
                if open.is_some_and(|open| open < cost) {
                    return Ok(Listed::Open);
                }
                if let Some((space, Turn { cost: key, .. })) = self.queue.pop(memory)? {
                    self.current = Some(Current { space, key, has_begun: false, verdict: None });
                }
                continue;
            };
            if !current.has_begun {
                if self.is_left_out || !self.defer(current, open, known, work, memory)? {
                    self.begin(current, known, work, memory)?;
                }
                continue;
            }
            let Some(verdict) = current.verdict else {
                let verdict = self.search_step(current, open, known, work, memory)?;
                self.current = Some(Current { verdict, ..current });
                continue;
            };
            let listed = self.conclude(current, verdict, open, known, work, memory)?;
            *work = charged(*work, self.prefix.len());
            if let Some(listed) = listed {
                return Ok(listed);
            }
        }
    }

    /// Turns to a space in which no path was found, to see whether there is one whose cost does not fit.
    fn look_again(&mut self, space: u32) {
        (self.is_left_out, self.noted) = (true, None);
        self.current = Some(Current { space, key: C::ZERO, has_begun: false, verdict: None });
    }

    /// Leaves out a space that has no path whose cost fits, for now if a sum did not fit.
    fn leave_out(&mut self, space: u32, memory: &mut Memory) -> Result<(), Halt<C>> {
        if self.noted.is_some() && !self.is_left_out {
            memory.reserve(&mut self.left_out, 1)?;
            self.left_out.push(space);
        }
        Ok(())
    }

    /// Whether all paths to a goal are in a space.
    fn is_whole(&self, space: u32) -> bool {
        let Space { suffix, excluded } = self.spaces[space as usize];
        excluded == NONE && self.suffixes[suffix as usize].behind == NONE
    }

    /// Returns the state at the front of a suffix.
    fn front(&self, suffix: u32, known: &impl Explored<I, C>) -> I {
        let Suffix { behind, step, .. } = self.suffixes[suffix as usize];
        if behind == NONE { known.goals()[step as usize] } else { known.steps().get(step).from }
    }

    fn mark(&mut self, id: I, memory: &mut Memory) -> Result<(), Halt<C>> {
        memory.grow_to(&mut self.is_marked, id.index() + 1, false)?;
        if !self.is_marked[id.index()] {
            memory.reserve(&mut self.marked, 1)?;
            self.marked.push(id);
            self.is_marked[id.index()] = true;
        }
        Ok(())
    }

    fn is_free(&self, id: I) -> bool {
        id == StateId::NONE || !self.is_marked.get(id.index()).copied().unwrap_or(false)
    }

    /// Collects the excluded steps of a space.
    fn forbid(
        &mut self,
        mut list: u32,
        work: &mut u32,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        self.forbidden.clear();
        while list != NONE {
            let (step, next) = self.excluded[list as usize];
            memory.reserve(&mut self.forbidden, 1)?;
            self.forbidden.push(step);
            list = next;
        }
        self.forbidden.sort_unstable();
        *work = charged(*work, self.forbidden.len());
        Ok(())
    }

    /// Whether a step may precede the suffix: it does not lead from a marked state, and is not excluded.
    fn may_come(&self, step: u32, from: I) -> bool {
        self.is_free(from) && self.forbidden.binary_search(&step).is_err()
    }

    /// Returns a lower bound on the cost of a path that ends with a step to `front` and then costs `tail`, by the g of
    /// the states before it. The step is neither excluded nor `left_out`.
    fn least_before(
        &mut self,
        (front, tail): (I, C),
        left_out: u32,
        known: &impl Explored<I, C>,
        work: &mut u32,
    ) -> Option<C> {
        let mut least: Option<C> = None;
        self.noted = None;
        for step in known.steps().to(front) {
            *work = charged(*work, 1);
            let link = known.steps().get(step);
            if step == left_out || !self.may_come(step, link.from) {
                continue;
            }
            let g = known.reached(link.from).0;
            match g.checked_add(link.cost).and_then(|before| before.checked_add(tail)) {
                Some(cost) => least = Some(least.map_or(cost, |least| smaller(least, cost))),
                None => {
                    self.noted.get_or_insert(SearchError::Overflow { g, added: link.cost });
                }
            }
        }
        least
    }

    /// Puts the current space back into the queue if the steps before its suffix show that it has no path
    /// at its cost. Returns whether it did.
    fn defer(
        &mut self,
        current: Current<C>,
        open: Option<C>,
        known: &impl Explored<I, C>,
        work: &mut u32,
        memory: &mut Memory,
    ) -> Result<bool, Halt<C>> {
        let Space { suffix, excluded } = self.spaces[current.space as usize];
        // It may have been held after some of its states were marked.
        self.unmark();
        self.forbid(excluded, work, memory)?;
        let (front, Suffix { behind, cost, .. }) =
            (self.front(suffix, known), self.suffixes[suffix as usize]);
        // A step back need not be tried. To mark all states takes as long as the suffix.
        if behind != NONE {
            self.mark(self.front(behind, known), memory)?;
        }
        let least = self.least_before((front, cost), NONE, known, work);
        let key = [least, open].into_iter().flatten().reduce(smaller);
        if key.is_some_and(|key| key <= current.key) {
            return Ok(false);
        }
        match key {
            Some(key) => self.push_space(current.space, key, memory)?,
            None => self.leave_out(current.space, memory)?,
        }
        self.current = None;
        Ok(true)
    }

    /// Marks the states of the current suffix, and begins the search with the steps that may precede it.
    fn begin(
        &mut self,
        current: Current<C>,
        known: &impl Explored<I, C>,
        work: &mut u32,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        let Space { suffix, excluded } = self.spaces[current.space as usize];
        self.forbid(excluded, work, memory)?;
        let mut at = suffix;
        while at != NONE {
            *work = charged(*work, 1);
            self.mark(self.front(at, known), memory)?;
            at = self.suffixes[at as usize].behind;
        }
        let front = self.front(suffix, known);
        let tail = self.suffixes[suffix as usize].cost;
        self.search.make_room(front, known, memory)?;
        // Among equal paths to a goal, that in the tree comes first.
        let only = if self.is_whole(current.space) {
            let (g, parent) = known.reached(front);
            Some(tree_step(front, g, parent, known, work)?)
        } else {
            None
        };
        for step in known.steps().to(front) {
            let link = known.steps().get(step);
            *work = charged(*work, 1);
            if only.is_none_or(|only| step == only) && self.may_come(step, link.from) {
                let overflow = (&mut self.noted, self.is_left_out);
                self.search.reach(link.from, step, (tail, link.cost), known, overflow, memory)?;
            }
        }
        self.current = Some(Current { has_begun: true, ..current });
        Ok(())
    }

    /// Makes one step of the backward search. Returns the verdict, if there is one.
    #[expect(clippy::option_option, reason = "a verdict that may not be there")]
    fn search_step(
        &mut self,
        current: Current<C>,
        open: Option<C>,
        known: &impl Explored<I, C>,
        work: &mut u32,
        memory: &mut Memory,
    ) -> Result<Option<Option<(u32, C)>>, Halt<C>> {
        let Some(Turn { cost, .. }) = Frontier::<u32, _>::least(&mut self.search.queue, memory)?
        else {
            return Ok(Some(None));
        };
        // If another space may have a cheaper path, the cost is recorded as a lower bound and the space put back: before
        // the search, because it may take long, or after it.
        let next = Frontier::<u32, Turn<C>>::least(&mut self.queue, memory)?;
        let waits = cost > current.key && next.is_some_and(|next| next.cost < cost);
        let too_expensive = Ok(Some(Some((NONE, cost))));
        if open.is_some_and(|open| open < cost) || (waits && !self.search.has_closed) {
            return too_expensive;
        }
        let Some((number, _)) = self.search.queue.pop(memory)? else { return Ok(Some(None)) };
        let label = self.search.labels[number as usize];
        if label.is_closed {
            return Ok(None);
        }
        if label.id == StateId::NONE || self.is_tree_free(label.id, known, work, memory) {
            return if waits { too_expensive } else { Ok(Some(Some((number, cost)))) };
        }
        if let Err(hold) = self.search.make_room(label.id, known, memory) {
            // It will be popped again.
            self.search.push_again(number, cost);
            return Err(hold);
        }
        self.search.has_closed = true;
        for step in known.steps().to(label.id) {
            *work = charged(*work, 1);
            let link = known.steps().get(step);
            if self.is_free(link.from) {
                let overflow = (&mut self.noted, self.is_left_out);
                let costs = (label.cost, link.cost);
                if let Err(hold) =
                    self.search.reach(link.from, step, costs, known, overflow, memory)
                {
                    // It will be popped again.
                    self.search.push_again(number, cost);
                    return Err(hold);
                }
            }
        }
        self.search.labels[number as usize].is_closed = true;
        Ok(None)
    }

    /// Whether neither this state nor its ancestors in the tree belong to the suffix. No state is looked at twice that is
    /// below one of the suffix.
    fn is_tree_free(
        &mut self,
        first: I,
        known: &impl Explored<I, C>,
        work: &mut u32,
        memory: &mut Memory,
    ) -> bool {
        let is_behind = |list: &[bool], id: I| list.get(id.index()).copied().unwrap_or(false);
        let mut id = first;
        while id != StateId::NONE && self.is_free(id) && !is_behind(&self.is_behind, id) {
            *work = charged(*work, 1);
            id = known.reached(id).1;
        }
        if id == StateId::NONE {
            return true;
        }
        let end = std::mem::replace(&mut id, first);
        while id != end {
            *work = charged(*work, 1);
            let room = memory.grow_to(&mut self.is_behind, id.index() + 1, false);
            if room.and_then(|()| memory.reserve(&mut self.behind, 1)).is_err() {
                // Then they are looked at again.
                break;
            }
            self.behind.push(id);
            self.is_behind[id.index()] = true;
            id = known.reached(id).1;
        }
        false
    }

    /// Applies the verdict on the current space.
    fn conclude(
        &mut self,
        current: Current<C>,
        verdict: Option<(u32, C)>,
        open: Option<C>,
        known: &impl Explored<I, C>,
        work: &mut u32,
        memory: &mut Memory,
    ) -> Result<Option<Listed<C>>, Halt<C>> {
        if let Some((label, cost)) = verdict
            && label != NONE
        {
            if self.is_left_out {
                self.overflow = self.noted;
                self.leave();
                return Ok(Some(Listed::Nothing));
            }
            self.write_prefix(label, known, work, memory)?;
            self.found = self.spaces[current.space as usize].suffix;
            self.branching = Some((0, self.found));
            return Ok(Some(Listed::Path(cost)));
        }
        // Steps from states that are not yet expanded may lead to a cheaper path, which costs at least their f.
        let cost = verdict.map(|(_, cost)| cost);
        let key = [cost, open].into_iter().flatten().reduce(smaller);
        match key {
            Some(key) => self.push_space(current.space, key, memory)?,
            None => self.leave_out(current.space, memory)?,
        }
        self.leave();
        let must_open = key.is_some_and(|key| key <= current.key) && cost != key;
        Ok(must_open.then_some(Listed::Open))
    }

    /// Writes the steps from a start to the front of the suffix, last to first. If it is held, the next call continues.
    fn write_prefix(
        &mut self,
        label: u32,
        known: &impl Explored<I, C>,
        work: &mut u32,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        let mut id = match self.written_to {
            Some(id) => id,
            None => self.write_labels(label, known, memory)?,
        };
        while id != StateId::NONE {
            self.written_to = Some(id);
            if *work == 0 {
                return Err(Halt::PAUSED);
            }
            let (g, parent) = known.reached(id);
            memory.reserve(&mut self.prefix, 1)?;
            self.prefix.push(tree_step(id, g, parent, known, work)?);
            id = parent;
        }
        self.written_to = None;
        Ok(())
    }

    /// Writes the steps of the backward search. Returns the state before them.
    fn write_labels(
        &mut self,
        label: u32,
        known: &impl Explored<I, C>,
        memory: &mut Memory,
    ) -> Result<I, Halt<C>> {
        self.prefix.clear();
        // The steps of the backward search are in forward order.
        let mut number = label;
        loop {
            let Label { step, .. } = self.search.labels[number as usize];
            memory.reserve(&mut self.prefix, 1)?;
            self.prefix.push(step);
            let to = known.steps().get(step).to;
            if !self.is_free(to) {
                break;
            }
            number = self.search.label_of[to.index()];
        }
        self.prefix.reverse();
        Ok(self.search.labels[label as usize].id)
    }

    /// Adds the space of the paths that deviate from the found one before this step of its prefix.
    fn branch(
        &mut self,
        nth: usize,
        suffix: u32,
        open: Option<C>,
        known: &impl Explored<I, C>,
        work: &mut u32,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        let Some(&step) = self.prefix.get(nth) else {
            self.branching = None;
            self.leave();
            return Ok(());
        };
        let front = self.front(suffix, known);
        self.mark(front, memory)?;
        let next = match self.current {
            Some(current) if nth == 0 => self.spaces[current.space as usize].excluded,
            _ => NONE,
        };
        let tail = self.suffixes[suffix as usize].cost;
        let link = known.steps().get(step);
        memory.reserve(&mut self.excluded, 1)?;
        memory.reserve(&mut self.suffixes, 1)?;
        self.forbid(next, work, memory)?;
        let least = self.least_before((front, tail), step, known, work);
        let key = [least, open].into_iter().flatten().reduce(smaller);
        if key.is_some() || self.noted.is_some() {
            self.excluded.push((step, next));
            let excluded = last_of(self.excluded.len())?;
            if let Err(hold) = self.add_space(Space { suffix, excluded }, key, memory) {
                self.excluded.pop();
                return Err(hold);
            }
        }
        let cost = tail.checked_add(link.cost);
        let behind = Suffix { behind: suffix, step, cost: cost.unwrap_or(C::INFINITY) };
        self.branching = Some(match (link.from == StateId::NONE, cost) {
            (false, Some(_)) => (nth + 1, self.add_suffix(behind, memory)?),
            _ => (usize::MAX, suffix),
        });
        Ok(())
    }

    /// Writes the steps of the found path into a list, last to first.
    pub(super) fn write_steps(
        &self,
        list: &mut Vec<u32>,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        list.clear();
        let mut at = self.suffixes[self.found as usize];
        while at.behind != NONE {
            memory.reserve(list, 1)?;
            list.push(at.step);
            at = self.suffixes[at.behind as usize];
        }
        list.reverse();
        memory.reserve(list, self.prefix.len())?;
        list.extend_from_slice(&self.prefix);
        Ok(())
    }
}

impl<I: StateId, C: Cost> Backwards<I, C> {
    fn clear(&mut self) {
        for label in self.labels.drain(..) {
            if label.id != StateId::NONE {
                self.label_of[label.id.index()] = NONE;
            }
        }
        Frontier::<u32, Turn<C>>::clear(&mut self.queue);
        self.has_closed = false;
    }

    /// Reserves memory for the predecessors of a state, so that all of them are reached or none: otherwise the path
    /// could depend on where the search was held.
    fn make_room(
        &mut self,
        id: I,
        known: &impl Explored<I, C>,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        let mut count = 0;
        for step in known.steps().to(id) {
            let from = known.steps().get(step).from;
            if from != StateId::NONE {
                memory.grow_to(&mut self.label_of, from.index() + 1, NONE)?;
            }
            count += 1;
        }
        memory.reserve(&mut self.labels, count)?;
        Ok(self.queue.reserve(count, memory)?)
    }

    /// Reaches a state by a step backwards; `costs` are the cost after the step and the cost of the step. If a sum does not
    /// fit, the state is reached at the largest cost if it `counts`, and not at all otherwise.
    fn reach(
        &mut self,
        id: I,
        step: u32,
        (tail, cost): (C, C),
        known: &impl Explored<I, C>,
        (overflow, counts): (&mut Option<SearchError<C>>, bool),
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        let g = known.reached(id).0;
        let sums = tail.checked_add(cost).and_then(|cost| Some((cost, g.checked_add(cost)?)));
        let (cost, key) = if let Some(sums) = sums {
            sums
        } else {
            overflow.get_or_insert(SearchError::Overflow { g, added: cost });
            if !counts {
                return Ok(());
            }
            (C::INFINITY, C::INFINITY)
        };
        let number = if id == StateId::NONE {
            NONE
        } else {
            memory.grow_to(&mut self.label_of, id.index() + 1, NONE)?;
            self.label_of[id.index()]
        };
        if number != NONE && self.labels[number as usize].cost <= cost {
            return Ok(());
        }
        memory.reserve(&mut self.labels, 1)?;
        // An improved state gets a new label; the old entry of the queue becomes stale.
        let nth = last_of(self.labels.len() + 1)?;
        self.queue.push(nth, Turn { cost: key, nth }, memory)?;
        if number != NONE {
            self.labels[number as usize].is_closed = true;
        }
        self.labels.push(Label { id, cost, step, is_closed: false });
        if id != StateId::NONE {
            self.label_of[id.index()] = nth;
        }
        Ok(())
    }

    /// Pushes a label that was just popped, which needs no memory.
    fn push_again(&mut self, number: u32, cost: C) {
        let room = &mut Memory::new(usize::MAX);
        let _ = self.queue.push(number, Turn { cost, nth: number }, room);
    }
}

/// Returns the quota of work after `steps` more small steps.
fn charged(work: u32, steps: usize) -> u32 {
    work.saturating_sub(u32::try_from(steps).unwrap_or(u32::MAX))
}

/// Returns the index of the last of `len` entries.
fn last_of<C>(len: usize) -> Result<u32, Halt<C>> {
    u32::try_from(len - 1).ok().filter(|&last| last != NONE).ok_or(FULL.into())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::engine::paths::steps::Steps;

    /// States in a line, each with a dear step to every other one; counts how often a step is looked at.
    struct Known {
        steps: Steps<u32, u32>,
        goals: [u32; 1],
        looks: Cell<u32>,
    }

    impl Explored<u32, u32> for Known {
        fn steps(&self) -> &Steps<u32, u32> {
            self.looks.set(self.looks.get() + 1);
            &self.steps
        }

        fn goals(&self) -> &[u32] {
            &self.goals
        }

        fn reached(&self, id: u32) -> (u32, u32) {
            if id == u32::NONE { (0, id) } else { (id, id.checked_sub(1).unwrap_or(u32::NONE)) }
        }
    }

    #[test]
    fn a_path_is_written_within_the_quota_of_work() {
        const STATES: u32 = 200;
        const QUOTA: u32 = 1000;
        let (mut steps, mut memory) = (Steps::new(), Memory::new(usize::MAX));
        steps.make_room((STATES * STATES) as usize, &mut memory).unwrap();
        steps.make_room_for(STATES, &mut memory).unwrap();
        steps.add(u32::NONE, 0, 0, 0);
        for from in 0..STATES {
            for to in (0..STATES).filter(|&to| to != from) {
                steps.add(from, to, if to == from + 1 { 1 } else { 1000 }, to);
            }
        }
        let known = Known { steps, goals: [STATES - 1], looks: Cell::new(0) };
        let mut paths = SimplePaths::new();
        paths.add_goal(STATES - 1, &mut memory).unwrap();
        let mut costs = Vec::new();
        while costs.len() < 3 {
            known.looks.set(0);
            match paths.next(None, &known, &mut QUOTA.clone(), &mut memory) {
                Ok(Listed::Path(cost)) => costs.push(cost),
                Ok(end) => panic!("no path: {end:?}"),
                Err(halt) => assert!(matches!(halt, Halt::At(_)), "{halt:?}"),
            }
            // The steps to one state are looked at without a halt, and each step a few times.
            let most = 4 * (QUOTA + 2 * STATES);
            assert!(known.looks.get() < most, "{} looks of {most}", known.looks.get());
        }
        assert_eq!(costs, [STATES - 1, 1000, 1001]);
    }
}
