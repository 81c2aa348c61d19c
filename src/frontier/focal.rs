//! The open list of focal search: three queues of the same states, used in turn.

use super::{Frontier, Key, LazyHeap, Priority, Ratio};
use crate::cost::ScalableCost;
use crate::memory::{Memory, OutOfMemory};
use crate::table::StateId;

/// The open list of [`Focal`](crate::Focal) search. It holds every open state in three queues, and pops from each in
/// turn:
///
/// - the *focal list*, by the estimated number of steps left: it holds only states whose *f* is at most *w* times the
///   least *f* of all; the others join it when that bound has risen;
/// - by *f̂ = f + ε·d*, an estimate of the cost of a solution through the state, where *d* is the estimated number of
///   steps left, and *ε* is the mean increase of *f* per step so far;
/// - by *f*.
///
/// A state that is popped from one queue remains in the others as a stale entry. Stale entries are removed when they
/// outnumber the open states, so an open state takes 24 to 48 bytes.
#[derive(Clone, Debug)]
pub struct FocalQueue<C, I = u32> {
    weight: f64,
    by_f: LazyHeap<Priority<C>, I>,
    by_estimate: LazyHeap<Ratio<C>, I>,
    focal: LazyHeap<Ratio<C>, I>,
    /// The states whose f is too large for the focal list, by f.
    beyond: LazyHeap<Beyond<C>, I>,
    turn: Turn,
    /// The largest f in the focal list; `None` before the first pop.
    threshold: Option<C>,
    /// An upper bound on the number of stale entries.
    stale: usize,
}

/// The key of a state in a [`FocalQueue`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FocalKey<C> {
    /// The f of the state.
    pub(crate) f: C,
    /// The estimated cost of a solution through the state; zero in popped keys.
    pub(crate) estimate: f64,
    /// The estimated number of steps left; zero in popped keys.
    pub(crate) steps: f64,
    /// The least f of all open states when the key was popped.
    pub(crate) least_f: C,
}

impl<C: ScalableCost> Key for FocalKey<C> {
    fn precedes(&self, other: &Self) -> bool {
        self.f < other.f
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Focal,
    Estimate,
    F,
}

/// The key of a state outside the focal list: its f and its key in that list.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Beyond<C> {
    f: C,
    steps: f32,
}

impl<C: ScalableCost> Key for Beyond<C> {
    fn precedes(&self, other: &Self) -> bool {
        self.f < other.f || (self.f == other.f && self.steps < other.steps)
    }

    #[inline]
    fn to_buckets(self) -> Option<(usize, usize)> {
        let key = Priority { first: self.f, second: self.f };
        let (f, _) = key.to_buckets()?;
        Some((f, self.steps.to_bits() as usize))
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the bits came from an f32")]
    fn from_buckets(first: usize, second: usize) -> Option<Self> {
        Some(Self { f: C::restored(first), steps: f32::from_bits(second as u32) })
    }
}

/// Stale entries are removed when they may outnumber the others by this number.
const SLACK: usize = 1 << 10;

impl<C: ScalableCost, I: StateId> FocalQueue<C, I> {
    pub(crate) fn new(weight: f64) -> Self {
        Self {
            weight,
            by_f: LazyHeap::new(),
            by_estimate: LazyHeap::new(),
            focal: LazyHeap::new(),
            beyond: LazyHeap::new(),
            turn: Turn::Focal,
            threshold: None,
            stale: 0,
        }
    }

    /// Returns the key of a popped entry.
    fn key(f: C, least_f: C) -> FocalKey<C> {
        FocalKey { f, estimate: 0.0, steps: 0.0, least_f }
    }

    /// Removes stale entries at the front of the queue by f, and returns the f of the first current one.
    fn clean(&mut self, is_current: &mut impl FnMut(I, FocalKey<C>) -> bool) -> Option<C> {
        while let Some((id, key)) = self.by_f.peek() {
            if is_current(id, Self::key(key.first, key.first)) {
                return Some(key.first);
            }
            self.by_f.take();
            self.stale = self.stale.saturating_sub(1);
        }
        None
    }

    /// Moves the states that belong there now into the focal list.
    fn widen(&mut self, least_f: C, memory: &mut Memory) -> Result<(), OutOfMemory> {
        // A product that overflows is above every f.
        let threshold = within(self.weight, least_f).unwrap_or(C::INFINITY);
        while let Some((id, key)) = self.beyond.peek().filter(|(_, key)| key.f <= threshold) {
            self.focal.push(id, Ratio::new(f64::from(key.steps), key.f), memory)?;
            self.beyond.take();
        }
        self.threshold = Some(threshold);
        Ok(())
    }

    /// Removes all stale entries if there may be too many.
    fn compact(&mut self, mut is_current: impl FnMut(I, FocalKey<C>) -> bool) {
        if self.stale > self.by_f.len() / 2 + SLACK {
            self.retain(&mut is_current);
            self.stale = 0;
        }
    }
}

/// Returns the cost times the weight: the largest admitted solution cost, if no solution costs less than `cost`. `None`
/// if it does not fit into the type.
#[inline]
pub(crate) fn within<C: ScalableCost>(weight: f64, cost: C) -> Option<C> {
    if weight > 1.0 { cost.scale(weight) } else { Some(cost) }
}

impl<C: ScalableCost, I: StateId> Frontier<I, FocalKey<C>> for FocalQueue<C, I> {
    const SKIPS_STALE: bool = true;

    fn push(&mut self, id: I, key: FocalKey<C>, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let FocalKey { f, estimate, steps, .. } = key;
        // If one queue has no memory, the state will be pushed again; its entries in the others are then duplicates.
        let steps = Ratio::new(steps, f);
        self.by_estimate.push(id, Ratio::new(estimate, f), memory)?;
        if self.threshold.is_some_and(|threshold| f <= threshold) {
            self.focal.push(id, steps, memory)?;
        } else {
            self.beyond.push(id, Beyond { f, steps: steps.estimate() }, memory)?;
        }
        self.by_f.push(id, Priority { first: f, second: f }, memory)
    }

    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(I, FocalKey<C>)>, OutOfMemory> {
        self.pop_current(|_, _| true, memory)
    }

    fn pop_current(
        &mut self,
        mut is_current: impl FnMut(I, FocalKey<C>) -> bool,
        memory: &mut Memory,
    ) -> Result<Option<(I, FocalKey<C>)>, OutOfMemory> {
        self.compact(&mut is_current);
        let Some(least_f) = self.clean(&mut is_current) else {
            self.clear();
            return Ok(None);
        };
        self.widen(least_f, memory)?;
        loop {
            let taken = match self.turn {
                Turn::Focal => self.focal.take().map(|(id, key)| (id, key.second)),
                Turn::Estimate => self.by_estimate.take().map(|(id, key)| (id, key.second)),
                Turn::F => self.by_f.take().map(|(id, key)| (id, key.first)),
            };
            if let Some((id, f)) = taken {
                let key = Self::key(f, least_f);
                if !is_current(id, key) {
                    self.stale = self.stale.saturating_sub(1);
                    continue;
                }
                // The state's entries in the other two queues are stale now.
                self.stale += 2;
                self.turn = self.turn.next();
                return Ok(Some((id, key)));
            }
            // The queue by f has a current entry.
            self.turn = self.turn.next();
        }
    }

    fn least(&mut self, _: &mut Memory) -> Result<Option<FocalKey<C>>, OutOfMemory> {
        Ok(self.by_f.peek().map(|(_, key)| Self::key(key.first, key.first)))
    }

    /// Visits the queue by f, which holds every open state that was not popped from it.
    fn for_each(&self, mut visit: impl FnMut(I, FocalKey<C>)) {
        self.by_f.for_each(|id, key| visit(id, Self::key(key.first, key.first)));
    }

    fn retain(&mut self, mut keep: impl FnMut(I, FocalKey<C>) -> bool) {
        let Self { by_f, by_estimate, focal, beyond, .. } = self;
        let mut keeps = |id, f| keep(id, Self::key(f, f));
        by_f.retain(|id, key| keeps(id, key.first));
        by_estimate.retain(|id, key| keeps(id, key.second));
        focal.retain(|id, key| keeps(id, key.second));
        beyond.retain(|id, key| keeps(id, key.f));
    }

    fn len(&self) -> usize {
        self.by_f.len()
    }

    fn clear(&mut self) {
        self.by_f.clear();
        self.by_estimate.clear();
        self.focal.clear();
        self.beyond.clear();
        (self.turn, self.threshold, self.stale) = (Turn::Focal, None, 0);
    }
}

impl Turn {
    fn next(self) -> Self {
        match self {
            Self::Focal => Self::Estimate,
            Self::Estimate => Self::F,
            Self::F => Self::Focal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queues_take_turns_and_skip_what_another_has_taken() {
        let mut queue = FocalQueue::<u32>::new(1.5);
        let mut memory = Memory::new(usize::MAX);
        let states =
            [(10, 40.0, 9.0), (12, 30.0, 8.0), (15, 20.0, 7.0), (16, 10.0, 1.0), (11, 50.0, 9.5)];
        for (id, (f, estimate, steps)) in (0_u32..).zip(states) {
            let key = FocalKey { f, estimate, steps, least_f: f };
            queue.push(id, key, &mut memory).unwrap();
        }
        let mut taken = Vec::new();
        while let Some((id, key)) = queue
            .pop_current(|id, _| !taken.iter().any(|&(other, _)| other == id), &mut memory)
            .unwrap()
        {
            taken.push((id, key.least_f));
        }
        // By steps, f at most 15; by the estimate; by f; and again: now 16 is within 1.5 times 11.
        assert_eq!(taken, [(2, 10), (3, 10), (0, 10), (1, 11), (4, 11)]);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn stale_entries_do_not_pile_up() {
        let mut queue = FocalQueue::<u32>::new(2.0);
        let mut memory = Memory::new(usize::MAX);
        let mut last = None;
        for id in 0..100_000_u32 {
            let key =
                FocalKey { f: 100, estimate: 1.0, steps: f64::from(100_000 - id), least_f: 0 };
            queue.push(id, key, &mut memory).unwrap();
            // Only the last few are current.
            let is_current = |other, _| other + 10 > id && last.is_none_or(|last| other > last);
            last = queue.pop_current(is_current, &mut memory).unwrap().map(|(id, _)| id);
            assert!(queue.by_estimate.len() + queue.focal.len() <= 4 * SLACK + 100);
        }
    }
}
