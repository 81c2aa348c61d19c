//! [`Run`]: the counts, the budget and the observer of a search, passed to the engine with every call.

#[cfg(any(feature = "disk", doc))]
pub(crate) mod tally;

use std::mem::take;

use crate::budget::Budget;
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::engine::Progress;
use crate::indexed::{at, at_mut, push};
use crate::limits::Limits;
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::report::{Layer, Stats, StopReason};

/// The counts of a running search, its [`Budget`] and its observer, passed to the engine with every call.
///
/// Only this type holds the statistics, for all engines.
pub struct Run<C, O> {
    pub(crate) stats: Stats,
    pub(crate) budget: Budget<C>,
    pub(crate) observer: O,
    /// The completed layers, merged if there are many.
    layers: Vec<Layer<C>>,
    /// The number of layers merged in each entry of the list.
    merged: u64,
    /// The layers that have ended since the last entry, fewer than `merged`.
    group: Group<C>,
    /// The current value of f, and the counts when it was reached.
    open_layer: Option<Layer<C>>,
}

/// The layers of the next entry of the list.
struct Group<C> {
    layers: u64,
    /// The value of f of the last of them, and the counts when the first of them began.
    begun: Layer<C>,
}

/// The capacity of the first allocation of the list of layers.
const FIRST_LAYERS: usize = 16;

/// The maximum length of the list of layers.
const MOST_LAYERS: usize = 4096;

impl<C: Cost, O> Run<C, O> {
    pub(crate) fn new(limits: Limits<C>, observer: O) -> Self {
        let stats = Stats::default();
        Self {
            stats,
            budget: Budget::new(limits),
            observer,
            layers: Vec::new(),
            merged: 1,
            group: Group::begin(&stats),
            open_layer: None,
        }
    }

    pub(crate) fn begin_anew(&mut self) {
        self.stats = Stats::default();
        self.budget.begin_anew();
        self.layers.clear();
        (self.merged, self.group) = (1, Group::begin(&self.stats));
        self.open_layer = None;
    }

    /// Frees the list of layers that an earlier search has left, and forgets how much was held then.
    #[cfg(feature = "disk")]
    pub(crate) fn forget_earlier(&mut self) {
        self.budget.memory().free(take(&mut self.layers));
        self.budget.memory().forget_peak();
    }

    /// Returns the counts. An engine must count at least its expansions: the limit on them depends on it.
    #[inline]
    pub fn stats_mut(&mut self) -> &mut Stats {
        &mut self.stats
    }

    /// Returns the memory account. Every data structure that grows with the search should allocate through it.
    #[inline]
    pub fn memory(&mut self) -> &mut Memory {
        self.budget.memory()
    }

    /// Returns the budget. The engine must enforce two of its limits: memory and cost.
    pub fn budget(&mut self) -> &mut Budget<C> {
        &mut self.budget
    }

    /// Returns the observer.
    #[inline]
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.observer
    }

    /// Whether the time is up or the search is cancelled, so that no more states should be expanded. An engine calls
    /// this after each expansion, and if it is true returns [`Progress::Going`]. It
    /// takes about a nanosecond, unless the [user's clock](crate::Limits::clock) is read.
    #[inline]
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.budget.interrupt().is_raised()
    }

    /// Whether `cost` exceeds the limit on the cost.
    #[inline]
    #[must_use]
    pub fn exceeds_cost_limit(&self, cost: C) -> bool {
        self.budget.limits().cost_limit().is_some_and(|most| cost > most)
    }

    /// How a search ends with a cheapest path of this cost, which the limit may not allow.
    pub(crate) fn found(&self, cost: C) -> Progress {
        let is_too_dear = self.exceeds_cost_limit(cost);
        if is_too_dear { Progress::Stopped(StopReason::Cost) } else { Progress::Found }
    }

    /// Whether `f` is beyond the current layer, so that
    /// [`enter_layer`](Self::enter_layer) must be called.
    #[inline]
    #[must_use]
    pub fn is_new_layer(&self, f: C) -> bool {
        self.open_layer.as_ref().is_none_or(|layer| f > layer.bound)
    }

    pub(crate) fn stats(&self, stored: usize) -> Stats {
        Stats {
            stored: stored as u64,
            peak_bytes: self.budget.memory_account().peak() as u64,
            expanded_before_last_layer: match &self.open_layer {
                Some(layer) => layer.expanded,
                None => 0,
            },
            ..self.stats
        }
    }

    /// Returns all layers, with the current one so far.
    pub(crate) fn layers(&self) -> Vec<Layer<C>> {
        let mut layers = Vec::with_capacity(self.layers.len() + 2);
        layers.extend_from_slice(&self.layers);
        self.with_current(layers)
    }

    /// The same at the end of the run: the list is not copied.
    pub(crate) fn take_layers(&mut self) -> Vec<Layer<C>> {
        let layers = take(&mut self.layers);
        self.with_current(layers)
    }

    /// Adds the layers that are not in the list.
    fn with_current(&self, mut layers: Vec<Layer<C>>) -> Vec<Layer<C>> {
        layers.reserve(2);
        let now = begin(C::ZERO, &self.stats);
        let begun = self.open_layer.as_ref();
        if self.group.layers > 0 {
            push(&mut layers, since(&self.group.begun, begun.unwrap_or(&now)));
        }
        if let Some(begun) = begun {
            push(&mut layers, since(begun, &now));
        }
        layers
    }

    /// Returns the number of expansions in the layer before the current one. If layers were merged, this is the mean of
    /// the layers in the last entry of the list.
    #[cfg(feature = "parallel")]
    pub(crate) fn expanded_in_last_layer(&self) -> u64 {
        self.layers.last().map_or(0, |layer| layer.expanded / self.merged)
    }
}

impl<C: Cost, O> Run<C, O> {
    /// Ends the current layer and begins that of `bound`: all further counts
    /// belong to it in [`Report::layers`](crate::Report::layers).
    #[inline]
    pub fn enter_layer<S>(&mut self, bound: C)
    where
        O: Observer<S, C>,
    {
        self.end_layer::<S>();
        self.open_layer = Some(begin(bound, &self.stats));
    }

    /// Begins `layer`, if it is a new one, before a state of it is expanded.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop of each engine")]
    pub(crate) fn begin_layer<S>(&mut self, layer: C) -> Result<(), OutOfMemory>
    where
        O: Observer<S, C>,
    {
        if self.is_new_layer(layer) {
            self.make_room_for_layer()?;
            self.enter_layer(layer);
        }
        Ok(())
    }

    /// Ends the current layer.
    #[inline]
    pub(crate) fn end_layer<S>(&mut self)
    where
        O: Observer<S, C>,
    {
        if let Some(open) = self.open_layer.take() {
            if O::LISTENS {
                self.observer.layer(&since(&open, &begin(C::ZERO, &self.stats)));
            }
            self.group.layers += 1;
            self.group.begun.bound = open.bound;
            if self.group.layers >= self.merged {
                self.end_group();
            }
        }
    }

    /// Changes the bound of the current layer.
    pub(crate) fn rename_layer(&mut self, bound: C) {
        if let Some(layer) = &mut self.open_layer {
            layer.bound = bound;
        }
    }

    /// Reserves memory for [`enter_layer`](Self::enter_layer) to record the layer before. After an error, an engine stops
    /// for memory, or goes on: then `enter_layer` merges layers.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the list cannot grow.
    #[inline]
    pub fn make_room_for_layer(&mut self) -> Result<(), OutOfMemory> {
        if self.layers.len() == MOST_LAYERS {
            Ok(())
        } else {
            self.budget.memory().reserve_from(&mut self.layers, 1, FIRST_LAYERS)
        }
    }

    /// Adds the layers since the last entry to the list. A list that is too long, or cannot grow, is halved first: from
    /// then on, an entry has twice as many layers.
    #[inline(never)]
    fn end_group(&mut self) {
        let entries = self.layers.len();
        if entries == MOST_LAYERS || entries == self.layers.capacity() {
            self.halve();
        }
        if self.group.layers >= self.merged {
            push(&mut self.layers, since(&self.group.begun, &begin(C::ZERO, &self.stats)));
            self.group = Group::begin(&self.stats);
        }
    }

    /// Merges adjacent pairs of entries of the list.
    fn halve(&mut self) {
        let pairs = self.layers.len() / 2;
        // An entry without a neighbour is part of the next one.
        if self.layers.len() > 2 * pairs
            && let Some(single) = self.layers.pop()
        {
            self.group.layers += self.merged;
            self.group.begun.expanded -= single.expanded;
            self.group.begun.generated -= single.generated;
        }
        for i in 0..pairs {
            *at_mut(&mut self.layers, i) =
                merge(at(&self.layers, 2 * i), at(&self.layers, 2 * i + 1));
        }
        self.layers.truncate(pairs);
        self.merged *= 2;
    }
}

impl<C: Cost> Group<C> {
    fn begin(stats: &Stats) -> Self {
        Self { layers: 0, begun: begin(C::ZERO, stats) }
    }
}

/// Returns the counts when a layer begins.
#[inline]
fn begin<C>(bound: C, stats: &Stats) -> Layer<C> {
    Layer { bound, expanded: stats.expanded, generated: stats.generated }
}

/// Returns the layer that began at the counts of `begun` and ended at those of `ended`.
#[inline]
fn since<C: Cost>(begun: &Layer<C>, ended: &Layer<C>) -> Layer<C> {
    Layer {
        bound: begun.bound,
        expanded: ended.expanded.saturating_sub(begun.expanded),
        generated: ended.generated.saturating_sub(begun.generated),
    }
}

/// Merges two consecutive layers.
fn merge<C: Cost>(first: &Layer<C>, second: &Layer<C>) -> Layer<C> {
    Layer {
        bound: second.bound,
        expanded: first.expanded + second.expanded,
        generated: first.generated + second.generated,
    }
}

show_fields! {
    [C: Cost, O] Run<C, O>,
    "Run" (this) { stats, memory = this.budget.memory_account() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_of_layers_is_merged_and_loses_no_count() {
        let mut run = Run::new(Limits::<u64>::new(), ());
        for bound in 0..10_000 {
            run.make_room_for_layer().unwrap();
            run.enter_layer::<u8>(bound);
            run.stats.expanded += bound;
            run.stats.generated += 2 * bound;
        }
        let layers = run.layers();
        assert_eq!(run.layers.capacity(), MOST_LAYERS);
        // Four to an entry, from when there were as many as two in each of 4096; the last is open.
        assert_eq!(layers.len(), 2500 + 1);
        assert!((0..).zip(&layers[..2499]).all(|(nth, layer)| layer.bound == 4 * nth + 3));
        // Each layer has the counts since the one before it in the list.
        let mut first = 0;
        for layer in &layers {
            let expected: u64 = (first..=layer.bound).sum();
            assert_eq!((layer.expanded, layer.generated), (expected, 2 * expected));
            first = layer.bound + 1;
        }
        assert_eq!(first, 10_000);
        assert_eq!(run.stats(0).expanded_before_last_layer, (0..9_999).sum::<u64>());
        // The last entry of the list has the layers 9992 to 9995.
        #[cfg(feature = "parallel")]
        assert_eq!(run.expanded_in_last_layer(), 9993);
        // A new search begins with one layer in each entry.
        run.begin_anew();
        for bound in 0..100 {
            run.enter_layer::<u8>(bound);
        }
        assert!((0..100).eq(run.layers().iter().map(|layer| layer.bound)));
    }

    #[test]
    fn layers_for_which_there_is_no_room_make_one_entry() {
        let mut run = Run::new(Limits::<u64>::new(), ());
        for bound in 0..3 {
            run.enter_layer::<u8>(bound);
            run.stats.expanded += 1;
        }
        assert_eq!(run.layers.capacity(), 0);
        let layers = run.layers();
        let found: Vec<_> = layers.iter().map(|layer| (layer.bound, layer.expanded)).collect();
        assert_eq!(found, [(1, 2), (2, 1)]);
    }

    #[test]
    fn where_there_is_no_more_room_layers_are_merged() {
        let mut run = Run::new(Limits::<u64>::new(), ());
        run.make_room_for_layer().unwrap();
        let room = run.layers.capacity() as u64;
        assert!(room < 20);
        for bound in 0..100 {
            run.enter_layer::<u8>(bound);
            run.stats.expanded += bound;
        }
        let layers = run.layers();
        assert!(layers.len() as u64 <= room + 2);
        assert_eq!(layers.iter().map(|layer| layer.expanded).sum::<u64>(), (0..100).sum::<u64>());
    }

    #[test]
    fn what_is_counted_elsewhere_is_in_the_counts() {
        let mut run = Run::new(Limits::<u64>::new(), ());
        run.memory().claim(77).unwrap();
        run.memory().release(70);
        assert!(run.is_new_layer(0));
        run.enter_layer::<u8>(4);
        assert!(!run.is_new_layer(3) && !run.is_new_layer(4) && run.is_new_layer(5));
        let stats = run.stats(5);
        assert_eq!((stats.stored, stats.peak_bytes), (5, 77));
        run.stats.expanded = 9;
        run.begin_anew();
        assert_eq!((run.stats(0).peak_bytes, run.stats(0).expanded), (7, 0));
        assert!(run.layers().is_empty());
    }

    #[test]
    fn a_run_is_shown_with_its_counts() {
        let mut run = Run::new(Limits::<u64>::new(), ());
        run.stats.expanded = 77;
        let shown = format!("{run:?}");
        assert!(shown.starts_with("Run {") && shown.contains("expanded: 77"), "{shown}");
    }
}
