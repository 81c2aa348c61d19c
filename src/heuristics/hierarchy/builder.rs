//! [`HierarchyBuilder`]: makes a hierarchy of a problem.

use super::contraction::{Contracted, contract};
use super::graph::{NO_MIDDLE, Remaining};
use super::pool::Pool;
use super::upward::Upward;
use super::{DistanceError, Hierarchy};
use crate::budget::Budget;
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::engine::checked::checked_step;
use crate::heuristics::stored::Steps;
use crate::limits::Limits;
use crate::memory::Memory;
use crate::problem::DenseStates;
use crate::report::StopReason;

/// What is told of the progress: how many states of how many are contracted.
type Progress<'p> = Box<dyn FnMut(usize, usize) + 'p>;

/// Makes a [`Hierarchy`] of a problem: what [`Hierarchy::of`] returns.
#[must_use]
pub struct HierarchyBuilder<'p, P: DenseStates> {
    problem: &'p P,
    limits: Limits<P::Cost>,
    progress: Option<Progress<'p>>,
}

show_fields! { [P: DenseStates] HierarchyBuilder<'_, P>, "HierarchyBuilder" { limits } }

impl<'p, P: DenseStates> HierarchyBuilder<'p, P> {
    pub(super) fn new(problem: &'p P) -> Self {
        Self { problem, limits: Limits::new(), progress: None }
    }

    /// Sets the limits: on the time, on memory and by a token. If one is reached, the hierarchy is not made. Time and
    /// token are looked at for each state; to take memory or to give it back takes up to a fifth of a second for a million states.
    pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
        self.limits = limits;
        self
    }

    /// Calls a function with the number of states that are contracted and the number of all states: at the beginning,
    /// after every hundredth part, and at the end. The last states take far longer than the first.
    ///
    /// ```
    /// use bestfirst::heuristics::Hierarchy;
    /// use bestfirst::problems::grid_map::{Cell, GridMap};
    ///
    /// let map = GridMap::new(20, 10, |_| true)?;
    /// let mut last = (0, 0);
    /// let route = map.route_to(Cell::new(0, 0));
    /// Hierarchy::of(&route).progress(|done, all| last = (done, all)).build()?;
    /// assert_eq!(last, (200, 200));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn progress(mut self, progress: impl FnMut(usize, usize) + 'p) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Makes the hierarchy, on one thread: which state is contracted next depends on those before, and what could be
    /// done at a time would have to be done more often (BENCHMARKS.md has the counts).
    ///
    /// # Errors
    ///
    /// A [`DistanceError`] if a step is not valid, if there are too many states, or at a limit.
    pub fn build(self) -> Result<Hierarchy<P::Cost>, DistanceError<P::Cost>> {
        let Self { problem, limits, mut progress } = self;
        let states = problem.state_count();
        let count = u32::try_from(states).ok().filter(|&count| count < NO_MIDDLE);
        let count = count.ok_or(DistanceError::TooManyStates { count: states })?;
        let mut budget = Budget::new(limits);
        budget.start_clock();
        let mut memory = Memory::new(budget.limits().memory_limit().unwrap_or(usize::MAX));
        let (remaining, fingerprint, too_large) = read(problem, &budget, &mut memory)?;
        let mut tell = |done| {
            if let Some(progress) = &mut progress {
                progress(done, states);
            }
        };
        tell(0);
        let mut told = 0;
        let mut check = |done: u32| {
            if u64::from(done) * 100 / u64::from(count.max(1)) > told {
                told += 1;
                tell(done as usize);
            }
            Ok(budget.check_now()?)
        };
        let contracted = contract(remaining, count, &mut memory, &mut check)?;
        let Contracted { order, graph, overflows } = contracted;
        let (order, ranks, graph) = renumbered(&order, &graph, &budget, &mut memory)?;
        tell(states);
        Ok(Hierarchy {
            fingerprint,
            ranks,
            states: order,
            graph,
            overflows: overflows || too_large,
            meetings: Pool::default(),
            memos: Pool::default(),
        })
    }
}

/// The graph of a problem, its fingerprint, and whether a step was left out because its cost does not fit.
type Read<C> = (Remaining<C>, u64, bool);

/// Reads all steps.
fn read<P: DenseStates>(
    problem: &P,
    budget: &Budget<P::Cost>,
    memory: &mut Memory,
) -> Result<Read<P::Cost>, DistanceError<P::Cost>> {
    let mut graph = Remaining::new(problem.state_count(), memory)?;
    let mut steps = Steps::new();
    let mut overflow = None;
    for index in 0..problem.state_count() {
        budget.check_state(index)?;
        steps.ask(problem, index, memory)?;
        for &(other, cost) in &steps.found {
            if let Some(cost) = checked_step(P::Cost::ZERO, cost, &mut overflow)? {
                #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2³⁰")]
                graph.add_step([index as u32, other as u32], cost, memory)?;
            }
        }
    }
    graph.finish(&mut |state| budget.check_state(state))?;
    Ok((graph, steps.finish(memory), overflow.is_some()))
}

/// The states by their ranks, the ranks of the states, and the graph, in which arcs have ranks.
type Renumbered<C> = (Vec<u32>, Vec<u32>, Upward<C>);

/// Gives the states other ranks, by which arcs still lead up, such that states are near those above them in memory: the
/// last ranks to the first state and all above it, the next ones to the second state and those that are left, and so on.
fn renumbered<C: Cost>(
    order: &[u32],
    graph: &Upward<C>,
    budget: &Budget<C>,
    memory: &mut Memory,
) -> Result<Renumbered<C>, StopReason> {
    const NONE: u32 = u32::MAX;
    let count = order.len();
    let mut places = memory.list(count, 0)?;
    for (place, &state) in (0..).zip(order) {
        budget.check_state(place as usize)?;
        places[state as usize] = place;
    }
    let (mut states, mut ranks) = (memory.list(count, 0)?, memory.list(count, NONE)?);
    let (mut left, mut waiting) = (count, Vec::new());
    for first in 0..count {
        budget.check_state(first)?;
        // Each waits with the number of those above it that are done.
        memory.reserve(&mut waiting, 1)?;
        waiting.push((places[first], 0));
        while let Some((place, done)) = waiting.last_mut() {
            let state = order[*place as usize];
            let above = graph.arcs(*place).get(*done..).unwrap_or(&[]);
            *done += 1;
            if ranks[state as usize] != NONE {
                waiting.pop();
            } else if let Some(arc) = above.first() {
                budget.check_state(waiting.len())?;
                memory.reserve(&mut waiting, 1)?;
                waiting.push((places[arc.other as usize], 0));
            } else {
                budget.check_state(left)?;
                left -= 1;
                states[left] = state;
                #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2³⁰")]
                let rank = left as u32;
                ranks[state as usize] = rank;
            }
        }
    }
    let (mut first, mut arcs) = (Vec::new(), Vec::new());
    memory.reserve(&mut first, count + 1)?;
    memory.reserve(&mut arcs, graph.arcs.len())?;
    first.push(0);
    let mut end = 0;
    for (rank, &state) in states.iter().enumerate() {
        budget.check_state(rank)?;
        let list = graph.arcs(places[state as usize]);
        arcs.extend(list.iter().map(|arc| arc.renamed(&ranks)));
        end += u32::try_from(list.len()).unwrap_or(u32::MAX);
        first.push(end);
    }
    memory.free(places);
    memory.free(waiting);
    Ok((states, ranks, Upward { first, arcs }))
}
