//! [`Tally`]: the counts of a run, for checkpoints.

use super::{FIRST_LAYERS, Group, MOST_LAYERS, Run};
use crate::cost::Cost;
use crate::report::{Layer, Stats};

/// The counts of a run, for checkpoints.
pub(crate) struct Tally<C> {
    pub(crate) stats: Stats,
    /// The largest number of bytes that were held.
    pub(crate) peak: usize,
    pub(crate) layers: Vec<Layer<C>>,
    pub(crate) merged: u64,
    /// The number of layers of the next entry, and the counts when the first of them began.
    pub(crate) group: (u64, Layer<C>),
    pub(crate) open_layer: Option<Layer<C>>,
}

impl<C> Tally<C> {
    /// Whether a search can go on from these counts, which may come from a file.
    pub(crate) fn is_sound(&self) -> bool {
        let Stats { expanded, generated, .. } = self.stats;
        let (layers, begun) = (self.group.0, &self.group.1);
        let within = |layer: &Layer<C>| layer.expanded <= expanded && layer.generated <= generated;
        let sum = |count: fn(&Layer<C>) -> u64| {
            self.layers.iter().try_fold(0_u64, |sum, layer| sum.checked_add(count(layer)))
        };
        self.stats.is_within(Stats::MOST)
            && self.layers.len() <= MOST_LAYERS
            && self.merged.is_power_of_two()
            && self.merged < Stats::MOST
            && layers < self.merged
            && within(begun)
            && self.open_layer.as_ref().is_none_or(within)
            && sum(|layer| layer.expanded).is_some_and(|sum| sum <= begun.expanded)
            && sum(|layer| layer.generated).is_some_and(|sum| sum <= begun.generated)
    }
}

impl<C: Cost, O> Run<C, O> {
    /// Returns all counts.
    pub(crate) fn tally(&self) -> Tally<C> {
        Tally {
            stats: self.stats,
            peak: self.budget.memory_account().peak(),
            layers: self.layers.clone(),
            merged: self.merged,
            group: (self.group.layers, self.group.begun),
            open_layer: self.open_layer,
        }
    }

    /// Continues from these counts.
    pub(crate) fn go_on_from(&mut self, tally: Tally<C>) {
        self.begin_anew();
        self.stats = tally.stats;
        for layer in tally.layers {
            // Without memory the layers are merged, as they would be while counting.
            if self.make_room_for_layer().is_ok() {
                self.layers.push(layer);
            }
        }
        // The list takes as much as before, so that the search has as much for all else. Where it cannot, it is as short.
        let begins = tally.open_layer.is_some() && self.layers.is_empty();
        let room = if tally.merged > 1 { MOST_LAYERS - self.layers.len() } else { begins.into() };
        let _ = self.budget.memory().reserve_from(&mut self.layers, room, FIRST_LAYERS);
        self.budget.memory().set_peak(tally.peak);
        self.merged = tally.merged;
        self.group = Group { layers: tally.group.0, begun: tally.group.1 };
        self.open_layer = tally.open_layer;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn a_run_that_goes_on_holds_what_it_held() {
        for layers in [0, 1, 2, 16, 17, 18, 100, 4096, 4097, 4098, 9000] {
            let mut run = Run::new(Limits::<u64>::new(), ());
            for bound in 0..layers {
                run.make_room_for_layer().unwrap();
                run.enter_layer::<u8>(bound);
                run.stats.expanded += 1;
            }
            let mut other = Run::new(Limits::<u64>::new(), ());
            other.go_on_from(run.tally());
            assert_eq!(other.memory().held(), run.memory().held(), "{layers}");
            assert_eq!(other.layers(), run.layers());
        }
    }

    #[test]
    fn counts_that_no_search_has_are_not_sound() {
        let mut run = Run::new(Limits::<u64>::new(), ());
        for bound in 0..10_000 {
            run.make_room_for_layer().unwrap();
            run.enter_layer::<u8>(bound);
            run.stats.expanded += 2;
            run.stats.generated += 3;
            assert!(bound % 99 > 0 || run.tally().is_sound());
        }
        let forgeries: [fn(&mut Tally<u64>); 10] = [
            |tally| tally.stats.expanded = u64::MAX,
            |tally| tally.stats.evaluated = u64::MAX,
            |tally| tally.stats.generated = 1,
            |tally| tally.merged = 0,
            |tally| tally.merged = 1 << 63,
            |tally| tally.group.0 = tally.merged,
            |tally| tally.group.1.expanded = 1,
            |tally| tally.layers[0].generated = u64::MAX,
            |tally| tally.layers = vec![tally.layers[0]; MOST_LAYERS + 1],
            |tally| tally.open_layer = tally.open_layer.map(|it| Layer { expanded: 1 << 40, ..it }),
        ];
        for (nth, forge) in forgeries.into_iter().enumerate() {
            let mut tally = run.tally();
            forge(&mut tally);
            assert!(!tally.is_sound(), "{nth}");
        }
    }
}
