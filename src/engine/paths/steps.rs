//! [`Steps`]: the steps between expanded states, by the states that they lead to.

use super::heap::NONE;
use crate::cost::Cost;
use crate::memory::{Memory, OutOfMemory};
use crate::table::{Full, StateId};

/// A step from a state, or to a start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<I, C> {
    pub(super) from: I,
    pub(super) to: I,
    pub(super) cost: C,
    /// The number of the successor, or of the start, that it leads to.
    pub(super) nth: u32,
    /// The next step to the same state.
    next: u32,
}

/// Steps, with a linked list for each state of those that lead to it.
#[derive(Debug)]
pub(super) struct Steps<I, C> {
    links: Vec<Link<I, C>>,
    /// The first step to each state.
    first: Vec<u32>,
}

impl<I: StateId, C: Cost> Steps<I, C> {
    pub(super) fn new() -> Self {
        Self { links: Vec::new(), first: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.links.clear();
        self.first.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    /// Reserves memory for more steps.
    pub(super) fn make_room(&mut self, steps: usize, memory: &mut Memory) -> Result<(), Full> {
        if steps >= NONE as usize - self.links.len() {
            return Err(Full::Ids { most: u64::from(NONE) });
        }
        Ok(memory.reserve(&mut self.links, steps)?)
    }

    /// Reserves memory for the lists of states up to this one.
    #[inline]
    pub(super) fn make_room_for(&mut self, id: I, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.grow_to(&mut self.first, id.index() + 1, NONE)
    }

    /// Adds a step; memory must have been reserved.
    #[expect(clippy::cast_possible_truncation, reason = "`make_room` has checked it")]
    #[inline]
    pub(super) fn add(&mut self, from: I, to: I, cost: C, nth: u32) {
        let first = &mut self.first[to.index()];
        let next = std::mem::replace(first, self.links.len() as u32);
        self.links.push(Link { from, to, cost, nth, next });
    }

    /// Adds a step, or puts it in place of a dearer one between the same states; memory must have been reserved. All steps
    /// from one state are added one after the other.
    pub(super) fn add_cheapest(&mut self, from: I, to: I, cost: C, nth: u32) {
        let last = self.first_to(to) as usize;
        let parallel = self.links.get_mut(last).filter(|link| link.from == from);
        match parallel {
            Some(link) if cost < link.cost => (link.cost, link.nth) = (cost, nth),
            Some(_) => {}
            None => self.add(from, to, cost, nth),
        }
    }

    #[inline]
    pub(super) fn get(&self, step: u32) -> Link<I, C> {
        self.links[step as usize]
    }

    /// Returns the first step to a state, or `NONE`.
    #[inline]
    pub(super) fn first_to(&self, id: I) -> u32 {
        self.first.get(id.index()).copied().unwrap_or(NONE)
    }

    /// Returns the next step to the same state, or `NONE`.
    #[inline]
    pub(super) fn next_to(&self, step: u32) -> u32 {
        self.links[step as usize].next
    }

    /// Returns the steps to a state.
    pub(super) fn to(&self, id: I) -> impl Iterator<Item = u32> + '_ {
        let first = self.first_to(id);
        std::iter::successors((first != NONE).then_some(first), |&step| {
            let next = self.next_to(step);
            (next != NONE).then_some(next)
        })
    }
}
