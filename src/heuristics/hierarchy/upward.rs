//! [`Upward`]: the hierarchy as a graph, and [`Half`]: searches in it that only go up.

use super::graph::{BACKWARD, FORWARD, NO_MIDDLE};
use crate::cost::Cost;
use crate::frontier::heap::{Entry, Heap};
use crate::memory::{Memory, OutOfMemory};
use crate::prefetch::prefetch;

/// An arc from a state to one of higher rank, or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arc<C> {
    /// The rank of the other state.
    pub(super) other: u32,
    /// The rank of the state that a shortcut leads over, or [`NO_MIDDLE`]; above it two bits for the directions.
    pub(super) link: u32,
    pub(super) cost: C,
}

const WAYS_AT: u32 = 30;

impl<C: Copy> Arc<C> {
    pub(super) fn new(other: u32, middle: u32, ways: u8, cost: C) -> Self {
        Self { other, link: middle | u32::from(ways) << WAYS_AT, cost }
    }

    /// The same with the ranks of states instead of their numbers.
    pub(super) fn renamed(self, ranks: &[u32]) -> Self {
        let middle = self.link & NO_MIDDLE;
        let rank = ranks.get(middle as usize).copied().unwrap_or(NO_MIDDLE);
        Self { other: ranks[self.other as usize], link: self.link - middle + rank, ..self }
    }

    #[inline]
    pub(super) fn leads(&self, way: Way) -> bool {
        self.link & way as u32 != 0
    }

    /// The rank of the state that it leads over, unless it is a step of the problem.
    #[inline]
    pub(super) fn middle(&self) -> Option<u32> {
        let middle = self.link & NO_MIDDLE;
        (middle != NO_MIDDLE).then_some(middle)
    }
}

/// Forwards or backwards, as the bit of [`Arc::link`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Way {
    Forwards = (FORWARD as u32) << WAYS_AT,
    Backwards = (BACKWARD as u32) << WAYS_AT,
}

impl Way {
    #[inline]
    pub(super) fn opposite(self) -> Self {
        match self {
            Self::Forwards => Self::Backwards,
            Self::Backwards => Self::Forwards,
        }
    }
}

/// The states by their ranks, each with its arcs to states of higher rank.
#[derive(Clone, Debug)]
pub(super) struct Upward<C> {
    /// For each rank the number of arcs before; the number of all arcs at the end.
    pub(super) first: Vec<u32>,
    pub(super) arcs: Vec<Arc<C>>,
}

impl<C: Cost> Upward<C> {
    #[inline]
    pub(super) fn arcs(&self, rank: u32) -> &[Arc<C>] {
        let rank = rank as usize;
        &self.arcs[self.first[rank] as usize..self.first[rank + 1] as usize]
    }

    fn count(&self) -> usize {
        self.first.len() - 1
    }

    /// Whether every arc leads up, and every shortcut over a state below both of its ends: so that nothing that is read
    /// from a file leads out of the lists, or has no end.
    pub(super) fn is_valid(&self) -> bool {
        let is_list = self.first.first() == Some(&0)
            && self.first.last().is_some_and(|&last| last as usize == self.arcs.len())
            && self.first.is_sorted();
        is_list
            && (0..).zip(self.first.windows(2)).all(|(rank, ends)| {
                let mut arcs = self.arcs[ends[0] as usize..ends[1] as usize].iter();
                arcs.all(|arc| {
                    let leads_up = arc.other > rank && (arc.other as usize) < self.count();
                    leads_up && arc.middle().is_none_or(|middle| middle < rank)
                })
            })
    }

    /// A path with more states is none of the cheapest, even where it comes twice to a state on cycles without cost: in a file,
    /// shortcuts may be nested such that there are more than could be held.
    pub(super) fn most_on_path(&self) -> usize {
        2 * self.count()
    }

    /// The states on a path, of which the ranks of some are given: each is joined by an arc with the next one. With each
    /// state what the step to it costs.
    ///
    /// Shortcuts are unpacked in rounds, not one within the other: what a round needs is known before, and loaded into the
    /// cache meanwhile. If they give [too many](Self::most_on_path) states, those that are left stay.
    pub(super) fn unpack(&self, given: &[u32]) -> Vec<(u32, C)> {
        let none = Part { middle: NO_MIDDLE, cost: C::ZERO };
        // Each state, and the arc to it.
        let mut path: Vec<(u32, Part<C>)> = given.iter().map(|&rank| (rank, none)).collect();
        for (place, ends) in (1..).zip(given.windows(2)) {
            path[place].1 = self.between(ends[0], ends[1]).unwrap_or(none);
        }
        let mut next = Vec::new();
        let mut is_done = false;
        while !is_done && path.len() <= self.most_on_path() {
            is_done = true;
            next.clear();
            let mut from = NO_MIDDLE;
            for (place, &(to, part)) in path.iter().enumerate() {
                let ahead = path.get(place + AHEAD).map_or(NO_MIDDLE, |(_, part)| part.middle);
                if let Some(&first) = self.first.get(ahead as usize) {
                    prefetch(&self.arcs, first as usize);
                }
                if part.middle == NO_MIDDLE {
                    next.push((to, part));
                } else {
                    let parts = self.parts(part.middle, from, to).map(|part| part.unwrap_or(none));
                    for over in parts {
                        prefetch(&self.first, over.middle as usize);
                    }
                    next.extend([(part.middle, parts[0]), (to, parts[1])]);
                    is_done = false;
                }
                from = to;
            }
            std::mem::swap(&mut path, &mut next);
        }
        path.into_iter().map(|(rank, part)| (rank, part.cost)).collect()
    }

    /// The arc from one state to another.
    fn between(&self, from: u32, to: u32) -> Option<Part<C>> {
        let (low, high, way) =
            if from < to { (from, to, Way::Forwards) } else { (to, from, Way::Backwards) };
        let arc = self.arcs(low).iter().find(|arc| arc.other == high && arc.leads(way));
        arc.map(Part::of)
    }

    /// The two arcs that a shortcut over `middle` stands for.
    #[inline]
    fn parts(&self, middle: u32, from: u32, to: u32) -> [Option<Part<C>>; 2] {
        let mut parts = [None; 2];
        for arc in self.arcs(middle) {
            if arc.other == from && arc.leads(Way::Backwards) {
                parts[0] = Some(Part::of(arc));
            }
            if arc.other == to && arc.leads(Way::Forwards) {
                parts[1] = Some(Part::of(arc));
            }
        }
        parts
    }
}

/// What an arc on a path leads over, or [`NO_MIDDLE`], and its cost.
#[derive(Clone, Copy)]
struct Part<C> {
    middle: u32,
    cost: C,
}

impl<C: Copy> Part<C> {
    #[inline]
    fn of(arc: &Arc<C>) -> Self {
        Self { middle: arc.link & NO_MIDDLE, cost: arc.cost }
    }
}

/// Shortcuts that are so far ahead on a path are loaded into the cache.
const AHEAD: usize = 4;

/// An open state. That with the least key comes first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open<C> {
    pub(super) key: C,
    pub(super) state: u32,
}

impl<C: Cost> Entry for Open<C> {
    #[inline]
    fn precedes(self, other: Self) -> bool {
        self.key < other.key
    }
}

/// What a search knows of a state.
#[derive(Clone, Copy, Debug)]
struct Label<C> {
    cost: C,
    /// The number of the search that reached the state.
    search: u32,
    /// The rank of the state before it on the path, or [`NO_PARENT`].
    parent: u32,
}

const NO_PARENT: u32 = u32::MAX;

impl<C: Cost> Label<C> {
    /// Of a state that no search has reached.
    const NONE: Self = Self { cost: C::ZERO, search: 0, parent: NO_PARENT };
}

/// A search by Dijkstra's algorithm from states to those of higher rank: one half of a query.
#[derive(Debug)]
pub(super) struct Half<C> {
    labels: Vec<Label<C>>,
    open: Heap<Open<C>>,
    search: u32,
    way: Way,
    /// A sum that did not fit.
    pub(super) overflow: Option<[C; 2]>,
}

impl<C: Cost> Half<C> {
    pub(super) fn new() -> Self {
        Self {
            labels: Vec::new(),
            open: Heap::new(),
            search: 0,
            way: Way::Forwards,
            overflow: None,
        }
    }

    /// Makes the labels of `count` states, within a limit on the memory.
    pub(super) fn prepare(&mut self, count: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.labels.len() < count {
            (self.labels, self.search) = (memory.list(count, Label::NONE)?, 0);
        }
        Ok(())
    }

    /// Makes the labels of `count` states.
    pub(super) fn grow(&mut self, count: usize) {
        if self.labels.len() < count {
            (self.labels, self.search) = (vec![Label::NONE; count], 0);
        }
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&mut self) -> usize {
        let open = self.open.list().capacity() * size_of::<Open<C>>();
        self.labels.capacity() * size_of::<Label<C>>() + open
    }

    /// Frees the list of open states: how long it has become depends on earlier searches.
    pub(super) fn shrink(&mut self) {
        self.open = Heap::new();
    }

    /// Begins anew, in this direction.
    pub(super) fn begin(&mut self, way: Way) {
        if self.search == u32::MAX {
            self.labels.iter_mut().for_each(|label| label.search = 0);
            self.search = 0;
        }
        self.search += 1;
        self.open.clear();
        (self.way, self.overflow) = (way, None);
    }

    /// Begins at a state, too.
    pub(super) fn start(&mut self, rank: u32, cost: C) {
        self.improve(rank, cost, NO_PARENT);
    }

    /// Makes room to open `more` states.
    #[inline]
    pub(super) fn reserve(&mut self, more: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(self.open.list(), more)
    }

    /// The cost at which a state was reached.
    #[inline]
    pub(super) fn cost(&self, rank: u32) -> Option<C> {
        let label = &self.labels[rank as usize];
        (label.search == self.search).then_some(label.cost)
    }

    /// The state before a state that was reached.
    pub(super) fn parent(&self, rank: u32) -> Option<u32> {
        let parent = self.labels[rank as usize].parent;
        (parent != NO_PARENT).then_some(parent)
    }

    /// No state that is yet to be expanded costs less.
    #[inline]
    pub(super) fn least(&self) -> Option<C> {
        self.open.peek().map(|open| open.key)
    }

    /// How many states are open.
    pub(super) fn open_count(&self) -> usize {
        self.open.len()
    }

    #[inline]
    fn improve(&mut self, rank: u32, cost: C, parent: u32) {
        let label = &mut self.labels[rank as usize];
        if label.search != self.search || cost < label.cost {
            *label = Label { cost, search: self.search, parent };
            self.open.push(Open { key: cost, state: rank });
        }
    }

    /// The next state to be expanded. Entries of states that were reached on a cheaper path since are dropped.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Open<C>> {
        loop {
            let next = self.open.peek()?;
            if next.key <= self.labels[next.state as usize].cost {
                return Some(next);
            }
            self.open.pop();
        }
    }

    /// Takes out the next state and expands it, unless the path to it is none of the cheapest: there is a cheaper one
    /// by way of a state of higher rank. Returns it in that case, too. (Stall-on-demand.)
    #[inline]
    pub(super) fn expand(&mut self, graph: &Upward<C>) -> Option<(u32, C)> {
        let Open { key, state } = self.next()?;
        self.open.pop();
        let arcs = graph.arcs(state);
        let back = self.way.opposite();
        let is_stalled = arcs.iter().any(|arc| {
            let above = &self.labels[arc.other as usize];
            arc.leads(back)
                && above.search == self.search
                && above.cost.checked_add(arc.cost).is_some_and(|cost| cost < key)
        });
        if !is_stalled {
            let way = self.way;
            for arc in arcs.iter().filter(|arc| arc.leads(way)) {
                match key.checked_add(arc.cost) {
                    Some(cost) => self.improve(arc.other, cost, state),
                    None => self.overflow = Some([key, arc.cost]),
                }
            }
        }
        Some((state, key))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Hierarchy;
    use super::*;
    use crate::path::PathError;
    use crate::problem::{DenseStates, Reversible, SearchProblem, Successors};
    use crate::report::SearchError;

    /// A path of states, on which each step costs 1.
    struct Line(usize);

    impl SearchProblem for Line {
        type State = usize;
        type Action = ();
        type Cost = u32;

        fn successors(&self, &state: &usize, next: &mut Successors<Self>) {
            if state + 1 < self.0 {
                next.push((), state + 1, 1);
            }
        }

        fn is_goal(&self, &state: &usize) -> bool {
            state + 1 == self.0
        }
    }

    impl Reversible for Line {
        fn predecessors(&self, &state: &usize, previous: &mut Successors<Self>) {
            if state > 0 {
                previous.push((), state - 1, 1);
            }
        }

        fn goals(&self) -> impl Iterator<Item = usize> {
            [self.0 - 1].into_iter()
        }
    }

    impl DenseStates for Line {
        fn state_count(&self) -> usize {
            self.0
        }

        fn state_index(&self, &state: &usize) -> usize {
            state
        }

        fn state_at(&self, index: usize) -> usize {
            index
        }
    }

    #[test]
    fn shortcuts_that_are_nested_without_end_are_no_path() {
        // From each rank to all above it, over the rank below: twice as many steps from one to the next. (With 40 ranks, they
        // would take terabytes.)
        let count = 22;
        let problem = Line(count as usize);
        let mut hierarchy = Hierarchy::of(&problem).build().unwrap();
        let both = FORWARD | BACKWARD;
        let arcs = |rank: u32| {
            let middle = rank.checked_sub(1).unwrap_or(NO_MIDDLE);
            (rank + 1..count).map(move |other| Arc::new(other, middle, both, 0))
        };
        let mut first = vec![0];
        first.extend((0..count).scan(0, |sum, rank| {
            *sum += count - 1 - rank;
            Some(*sum)
        }));
        hierarchy.graph = Upward { first, arcs: (0..count).flat_map(arcs).collect() };
        assert!(hierarchy.graph.is_valid());
        assert!(hierarchy.graph.unpack(&[count - 2, count - 1]).len() < 100);
        (hierarchy.states, hierarchy.ranks) = ((0..count).collect(), (0..count).collect());
        let found = hierarchy.query(&problem).unwrap().search(count as usize - 2).run();
        assert!(matches!(found, Err(SearchError::Path(PathError::NoSuchStep { .. }))), "{found:?}");
    }
}
