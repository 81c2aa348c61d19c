//! [`Sidetracks`]: paths in the order of their costs, represented by their steps outside a tree of cheapest paths.

use super::explorer::Explored;
use super::heap::{Heap, Heaps, NONE};
use crate::cost::Cost;
use crate::engine::halt::Halt;
use crate::frontier::{Frontier, Key, LazyHeap};
use crate::memory::Memory;
use crate::path::PathError;
use crate::report::{SearchError, StopReason};
use crate::table::StateId;

/// Lists the paths to the goals in the order of their costs.
///
/// Every state has one step by which it was reached at its cost *g*: these form a tree. All other steps are
/// *sidetracks*. A path is determined by its goal and its sidetracks: from the goal, it follows the tree backwards to
/// the head of a sidetrack, takes the sidetrack, follows the tree from its tail, and so on. So each
/// path except the best to its goal extends another path, which costs no more, by one sidetrack. The sidetracks that lead
/// to a path in the tree are in a heap that is shared by all paths with this prefix, so the next path takes
/// a few heap operations and the time to write it.
pub(super) struct Sidetracks<I, C> {
    heaps: Heaps<C>,
    /// The states on the needed paths in the tree, each after its parent.
    places: Vec<Place<I, C>>,
    /// The place of each state, or `NONE`.
    place_of: Vec<u32>,
    /// States that need a place, the first one last.
    missing: Vec<I>,
    /// The place under construction: its step and heap so far, and the next step to process.
    building: Option<(u32, Heap<C>, u32)>,
    contexts: Vec<Context<C>>,
    candidates: Vec<Candidate<C>>,
    queue: LazyHeap<Turn<C>>,
    /// The candidate that was popped, and its cost.
    taken: Option<(Candidate<C>, C)>,
    /// The context made from it, and its cost.
    made: Option<(u32, C)>,
    /// Whether the paths that branch off it were pushed.
    has_branched: bool,
    /// Candidates that are not yet pushed.
    unpushed: Vec<Candidate<C>>,
    /// The first sum that did not fit.
    overflow: Option<SearchError<C>>,
}

/// A state on a path in the tree.
#[derive(Clone, Copy, Debug)]
struct Place<I, C> {
    id: I,
    /// The step by which it was reached.
    step: u32,
    /// The place of its parent, or `NONE`.
    up: u32,
    /// The sidetracks to the path to it.
    heap: Heap<C>,
}

/// A path from its first sidetrack on; the part before it is in the tree.
#[derive(Clone, Copy, Debug)]
struct Context<C> {
    /// The context of the following sidetracks; `NONE` if there are none.
    parent: u32,
    /// The sidetrack; the number of the goal, if there are none.
    step: u32,
    /// The cost from the tail of the sidetrack on.
    tail: C,
}

/// A path that is not yet listed. It also represents those with its context that cost at least as much.
#[derive(Clone, Copy, Debug)]
struct Candidate<C> {
    parent: u32,
    /// The heap whose first step it takes; for the best path to a goal, the number of the goal.
    heap: Heap<C>,
}

/// The key of the queue: the least cost first, and among equal costs the first pushed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn<C> {
    pub(super) cost: C,
    pub(super) nth: u32,
}

impl<C: Cost> Key for Turn<C> {
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        self.cost < other.cost || (self.cost == other.cost && self.nth < other.nth)
    }
}

/// There are no more numbers for entries.
pub(super) const FULL: StopReason = StopReason::States { most: NONE as u64 };

impl<I: StateId, C: Cost> Sidetracks<I, C> {
    pub(super) fn new() -> Self {
        Self {
            heaps: Heaps::new(),
            places: Vec::new(),
            place_of: Vec::new(),
            missing: Vec::new(),
            building: None,
            contexts: Vec::new(),
            candidates: Vec::new(),
            queue: LazyHeap::new(),
            taken: None,
            made: None,
            has_branched: false,
            unpushed: Vec::new(),
            overflow: None,
        }
    }

    /// Clears the list: the steps or the costs of states have changed.
    pub(super) fn clear(&mut self) {
        self.heaps.clear();
        for place in self.places.drain(..) {
            self.place_of[place.id.index()] = NONE;
        }
        self.missing.clear();
        self.building = None;
        self.contexts.clear();
        self.candidates.clear();
        Frontier::<u32, Turn<C>>::clear(&mut self.queue);
        (self.taken, self.made, self.has_branched) = (None, None, false);
        self.unpushed.clear();
        self.overflow = None;
    }

    /// Returns the error of the first sum that did not fit into its type, if any.
    pub(super) fn overflow(&self) -> Option<SearchError<C>> {
        let left_out = self.heaps.left_out();
        self.overflow.or(left_out.map(|(g, added)| SearchError::Overflow { g, added }))
    }

    /// Adds the best path to the goal with this number and cost.
    pub(super) fn add_goal(
        &mut self,
        number: u32,
        cost: C,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        let heap = Heap { entry: number, added: C::ZERO };
        self.push(Candidate { parent: NONE, heap }, cost, memory)
    }

    #[expect(clippy::cast_possible_truncation, reason = "checked")]
    fn push(
        &mut self,
        candidate: Candidate<C>,
        cost: C,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        let nth = self.candidates.len();
        if nth >= NONE as usize {
            return Err(FULL.into());
        }
        memory.reserve(&mut self.candidates, 1)?;
        self.queue.push(nth as u32, Turn { cost, nth: nth as u32 }, memory)?;
        self.candidates.push(candidate);
        Ok(())
    }

    /// Returns the cost of the next path along known steps.
    pub(super) fn next_cost(&mut self, memory: &mut Memory) -> Result<Option<C>, Halt<C>> {
        let held = self.made.map(|(_, cost)| cost).or(self.taken.map(|(_, cost)| cost));
        if held.is_some() {
            return Ok(held);
        }
        let least = Frontier::<u32, Turn<C>>::least(&mut self.queue, memory)?;
        Ok(least.map(|turn| turn.cost))
    }

    /// Returns the context of the next path, which remains the next one until [`done`](Self::done). If it is held, the
    /// next call continues.
    pub(super) fn take(
        &mut self,
        known: &impl Explored<I, C>,
        work: &mut u32,
        memory: &mut Memory,
    ) -> Result<Option<u32>, Halt<C>> {
        loop {
            self.place_missing(known, work, memory)?;
            if let Some((context, _)) = self.made {
                if !self.has_branched {
                    self.push_branches(context, known, memory)?;
                    self.has_branched = true;
                }
                return Ok(Some(context));
            }
            let (candidate, cost) = match self.taken {
                Some(taken) => taken,
                None => match self.queue.pop(memory)? {
                    Some((nth, Turn { cost, .. })) => {
                        *self.taken.insert((self.candidates[nth as usize], cost))
                    }
                    None => return Ok(None),
                },
            };
            self.make_context(candidate, cost, known, memory)?;
        }
    }

    /// Advances past the current path.
    pub(super) fn done(&mut self) {
        (self.made, self.has_branched) = (None, false);
    }

    /// Makes the context of a path, and lists the states that need places.
    #[expect(clippy::cast_possible_truncation, reason = "checked")]
    fn make_context(
        &mut self,
        Candidate { parent, heap }: Candidate<C>,
        cost: C,
        known: &impl Explored<I, C>,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        memory.reserve(&mut self.contexts, 1)?;
        memory.reserve(&mut self.missing, 1)?;
        memory.reserve(&mut self.unpushed, 3)?;
        if self.contexts.len() >= NONE as usize {
            return Err(FULL.into());
        }
        let (context, end) = if parent == NONE {
            let context = Context { parent, step: heap.entry, tail: C::ZERO };
            (context, known.goals()[heap.entry as usize])
        } else {
            let Some(least) = self.heaps.least(heap) else {
                self.taken = None;
                return Ok(());
            };
            let below = least.below.iter().filter(|heap| !heap.is_empty());
            self.unpushed.extend(below.map(|&heap| Candidate { parent, heap }));
            let context = Context { parent, step: least.step, tail: least.tail };
            (context, known.steps().get(least.step).from)
        };
        self.taken = None;
        self.made = Some((self.contexts.len() as u32, cost));
        self.contexts.push(context);
        if end != StateId::NONE {
            self.missing.push(end);
        }
        Ok(())
    }

    /// Pushes the paths that branch off the current one.
    fn push_branches(
        &mut self,
        number: u32,
        known: &impl Explored<I, C>,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        let context = self.contexts[number as usize];
        let end = match context.parent {
            NONE => known.goals()[context.step as usize],
            _ => known.steps().get(context.step).from,
        };
        while let Some(&candidate) = self.unpushed.last() {
            self.push_if_it_fits(candidate, memory)?;
            self.unpushed.pop();
        }
        if end == StateId::NONE {
            return Ok(());
        }
        let place = self.places[self.place_of[end.index()] as usize];
        let heap = self.heaps.moved(place.heap, context.tail);
        if heap.is_empty() {
            return Ok(());
        }
        self.push_if_it_fits(Candidate { parent: number, heap }, memory)
    }

    fn push_if_it_fits(
        &mut self,
        candidate: Candidate<C>,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        match self.heaps.least_key(candidate.heap) {
            Some(cost) => self.push(candidate, cost, memory),
            None => Ok(()),
        }
    }

    fn note_overflow(&mut self, g: C, added: C) {
        self.overflow.get_or_insert(SearchError::Overflow { g, added });
    }

    /// Makes places for the states that need one, and for all their ancestors.
    fn place_missing(
        &mut self,
        known: &impl Explored<I, C>,
        work: &mut u32,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        while let Some(&id) = self.missing.last() {
            if *work == 0 {
                return Err(Halt::PAUSED);
            }
            *work -= 1;
            self.make_room_for(id, memory)?;
            let (g, parent) = known.reached(id);
            if self.place_of[id.index()] != NONE {
                self.missing.pop();
            } else if parent != StateId::NONE && self.place_or_none(parent) == NONE {
                if self.missing.len() > known.steps().len() {
                    let states = self.missing.len();
                    return Err(Halt::Failed(SearchError::ParentCycle { states }));
                }
                memory.reserve(&mut self.missing, 1)?;
                self.missing.push(parent);
            } else {
                self.place(id, g, parent, known, work, memory)?;
                self.missing.pop();
            }
        }
        Ok(())
    }

    fn make_room_for(&mut self, id: I, memory: &mut Memory) -> Result<(), Halt<C>> {
        memory.grow_to(&mut self.place_of, id.index() + 1, NONE)?;
        memory.reserve(&mut self.places, 1)?;
        Ok(())
    }

    #[inline]
    fn place_or_none(&self, id: I) -> u32 {
        self.place_of.get(id.index()).copied().unwrap_or(NONE)
    }

    /// Makes a place for a state whose parent has one.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are no more places than states with steps"
    )]
    fn place(
        &mut self,
        id: I,
        g: C,
        parent: I,
        known: &impl Explored<I, C>,
        work: &mut u32,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        let up = if parent == StateId::NONE { NONE } else { self.place_of[parent.index()] };
        #[expect(clippy::single_match_else, reason = "two cases of equal rank")]
        let (step, mut heap, mut next) = match self.building {
            Some(building) => building,
            None => {
                let step = tree_step(id, g, parent, known, work)?;
                let heap = match up {
                    NONE => Heap::EMPTY,
                    _ => self.places[up as usize].heap,
                };
                let moved = self.heaps.moved(heap, known.steps().get(step).cost);
                (step, moved, known.steps().first_to(id))
            }
        };
        while next != NONE {
            let room = if *work == 0 {
                Err(Halt::PAUSED)
            } else if self.heaps.is_full() {
                Err(FULL.into())
            } else {
                self.heaps.make_room(memory).map_err(Halt::from)
            };
            if room.is_err() {
                self.building = Some((step, heap, next));
                return room;
            }
            *work -= 1;
            let link = known.steps().get(next);
            if next != step {
                match known.reached(link.from).0.checked_add(link.cost) {
                    Some(key) => heap = self.heaps.insert(heap, next, key, link.cost),
                    None => self.note_overflow(known.reached(link.from).0, link.cost),
                }
            }
            next = known.steps().next_to(next);
        }
        self.building = None;
        self.place_of[id.index()] = self.places.len() as u32;
        self.places.push(Place { id, step, up, heap });
        Ok(())
    }

    /// Writes the steps of a path into a list, last to first.
    pub(super) fn write_steps(
        &self,
        context: u32,
        known: &impl Explored<I, C>,
        list: &mut Vec<u32>,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        list.clear();
        // The sidetracks from the last one on the path to the first, in front of the steps.
        let mut at = self.contexts[context as usize];
        while at.parent != NONE {
            memory.reserve(list, 1)?;
            list.push(at.step);
            at = self.contexts[at.parent as usize];
        }
        let sidetracks = list.len();
        let mut place = self.place_or_none(known.goals()[at.step as usize]);
        for nth in (0..sidetracks).rev() {
            let sidetrack = list[nth];
            let link = known.steps().get(sidetrack);
            let target = self.place_or_none(link.to);
            while place != target && place != NONE {
                memory.reserve(list, 1)?;
                let Place { step, up, .. } = self.places[place as usize];
                list.push(step);
                place = up;
            }
            memory.reserve(list, 1)?;
            list.push(sidetrack);
            place = if link.from == StateId::NONE { NONE } else { self.place_or_none(link.from) };
        }
        while place != NONE {
            memory.reserve(list, 1)?;
            let Place { step, up, .. } = self.places[place as usize];
            list.push(step);
            place = up;
        }
        list.drain(..sidetracks);
        Ok(())
    }
}

/// Returns the step by which a state was reached at cost `g` from its parent, the first among equals.
pub(super) fn tree_step<I: StateId, C: Cost>(
    id: I,
    g: C,
    parent: I,
    known: &impl Explored<I, C>,
    work: &mut u32,
) -> Result<u32, Halt<C>> {
    let before = known.reached(parent).0;
    step_between((parent, before), (id, g), known, work)
        .ok_or(Halt::Failed(SearchError::Path(PathError::NoSuchStep { step: 0 })))
}

/// Returns the cheapest step from one state to another that accounts for their costs, the first among equals. Where sums
/// are rounded, several may.
pub(super) fn step_between<I: StateId, C: Cost>(
    (parent, before): (I, C),
    (id, g): (I, C),
    known: &impl Explored<I, C>,
    work: &mut u32,
) -> Option<u32> {
    let leads_here = |&step: &u32| {
        *work = work.saturating_sub(1);
        let link = known.steps().get(step);
        link.from == parent && before.checked_add(link.cost) == Some(g)
    };
    // The list is in reverse order.
    let cost = |step| known.steps().get(step).cost;
    let steps = known.steps().to(id).filter(leads_here);
    steps.reduce(|best, step| if cost(best) < cost(step) { best } else { step })
}
