//! The bound of the next iteration of IDA*, and how many expansions the iteration may take.

use std::mem::take;

use crate::cost::{Cost, bucket_of, smaller};

/// How the bound of IDA* grows from iteration to iteration.
///
/// Either way the path that is found is a cheapest one, and the lower bound in the report is proved.
///
/// ```
/// use bestfirst::{Deepening, FnProblem, IdaStar};
///
/// // Two steps that cost 997 and 1009: nearly every path has a cost of its own.
/// let stairs = FnProblem::new(
///     |&n: &u32| [(n + 1, 997_u32), (n + 2, 2 * 1009)],
///     |&n: &u32| 16_u32.saturating_sub(n) * 997,
///     |&n: &u32| n == 16,
/// );
/// let budgeted = IdaStar::new(&stairs).search(0).run()?;
/// let plain = IdaStar::new(&stairs).deepening(Deepening::ByNextValue).search(0).run()?;
/// assert_eq!(budgeted.cost(), plain.cost());
/// assert!(budgeted.is_optimal() && plain.is_optimal());
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Deepening {
    /// The next bound is the smallest *f* that was pruned: IDA* as it was published. It takes time in
    /// proportion to the number of values of *f* times the size of the last iteration.
    ByNextValue,
    /// The same while iterations grow. When the expansions of all iterations are more than two and a half
    /// times those of the last one, and more than `free` besides, the next bound is chosen so that the
    /// iteration is expected to be two to three times as large, and the iteration is given up after a
    /// budget of expansions. Then the bound is lowered by bisection until the iteration fits, down to the
    /// smallest *f* that was pruned, which needs no budget. The default, with 100 for `free`.
    ///
    /// Bounds are chosen among the [buckets](Cost::to_bucket) of the costs. Costs without buckets can only be
    /// compared, and the next bound is the smallest *f* that was pruned.
    Budgeted {
        /// How many expansions may be repeated without a gain before bounds are chosen.
        free: u64,
    },
}

impl Default for Deepening {
    fn default() -> Self {
        Self::Budgeted { free: 100 }
    }
}

/// The iterations so far, and what they say about the next.
#[derive(Clone, Debug)]
pub(super) struct Schedule<C> {
    deepening: Deepening,
    /// No solution costs less.
    pub(super) lower: C,
    /// Whether bounds are chosen.
    is_choosing: bool,
    /// The last iteration that was finished.
    last: Iteration,
    /// Earlier ones, each at most half as large as the one after it; the latest first.
    earlier: [Option<Iteration>; 2],
    /// The distance of the last bound from the one before.
    step: usize,
    /// Whether the last iteration was hardly larger than the one before.
    is_flat: bool,
    /// The smallest bound that was too large, and how many expansions were not enough for it.
    too_large: Option<Iteration>,
    /// The expansions of all iterations up to the last one that was finished.
    expanded: u64,
    /// Those of the iterations that were given up since.
    given_up: u64,
}

/// An iteration: the bucket of its bound, and its expansions.
#[derive(Clone, Copy, Debug, Default)]
struct Iteration {
    bucket: usize,
    expanded: u64,
}

/// What is to be searched next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan<C> {
    pub(super) bound: C,
    /// How many expansions it may take.
    pub(super) budget: Option<u64>,
}

/// Bounds are chosen when the expansions of all iterations are more than this many times those of the last.
const MOST_REPEATED: f64 = 2.5;

/// An iteration is to be this many times as large as the last.
const GROWTH: f64 = 2.5;

/// It may be this many times as large.
const MOST_GROWTH: u64 = 6;

/// An iteration is hardly larger than the last below this ratio.
const LEAST_GROWTH: f64 = 1.4;

impl<C: Cost> Schedule<C> {
    pub(super) fn new(deepening: Deepening) -> Self {
        Self {
            deepening,
            lower: C::ZERO,
            is_choosing: false,
            last: Iteration::default(),
            earlier: [None; 2],
            step: 0,
            is_flat: false,
            too_large: None,
            expanded: 0,
            given_up: 0,
        }
    }

    /// Begins anew.
    pub(super) fn reset(&mut self) {
        *self = Self::new(self.deepening);
    }

    /// What to search next: at least the states with an f of `lower`, and none above `most` or as
    /// expensive as the solution so far.
    pub(super) fn next(&mut self, most: Option<C>, incumbent: Option<C>) -> Plan<C> {
        let plain = Plan { bound: self.lower, budget: None };
        if !self.is_choosing {
            return plain;
        }
        let Some(bucket) = self.choose() else { return plain };
        let highest = incumbent.and_then(below);
        let capped = [most, highest].into_iter().flatten();
        let Some(bound) = C::from_bucket(bucket).map(|bound| capped.fold(bound, smaller)) else {
            return plain;
        };
        // Both comparisons also fail for costs that contradict themselves.
        if bound > self.lower && bound < C::INFINITY {
            Plan { bound, budget: Some(self.budget()) }
        } else {
            plain
        }
    }

    /// At least as much as has been expanded in all, so that few iterations are given up in vain.
    fn budget(&self) -> u64 {
        self.last.expanded.saturating_mul(MOST_GROWTH).max(self.expanded)
    }

    /// The bucket of the next bound; `None` for the lower bound itself.
    fn choose(&mut self) -> Option<usize> {
        let lower = bucket_of(self.lower)?;
        let Iteration { bucket: from, expanded } = self.last;
        let budget = self.budget();
        // What was too large may be within a budget that has grown.
        let is_valid = |it: &Iteration| it.expanded >= budget && it.bucket > lower;
        self.too_large = self.too_large.filter(is_valid);
        let bucket = match self.too_large {
            None => from.saturating_add(self.extrapolated()),
            // Growth says nothing where the last iteration was hardly larger.
            Some(Iteration { bucket, .. }) if self.is_flat => lower.midpoint(bucket.max(lower)),
            Some(Iteration { bucket, expanded: least }) => {
                let growth = ratio(least, expanded).max(2.0 * GROWTH);
                from + scaled(bucket.saturating_sub(from), GROWTH.ln() / growth.ln())
            }
        };
        if bucket <= lower {
            // Where the values of f are this far apart, there is nothing to choose.
            self.is_choosing = self.too_large.is_some();
            return None;
        }
        Some(bucket)
    }

    /// How far from the last bound the next should be, if iterations grow as they did.
    fn extrapolated(&self) -> usize {
        let Self { last, earlier, step, is_flat, .. } = self;
        let is_smaller = |base: &&Iteration| ratio(last.expanded, base.expanded) >= LEAST_GROWTH;
        let base = earlier.iter().flatten().find(is_smaller);
        let by_growth = base.map_or(0, |base| {
            let growth = ratio(last.expanded, base.expanded);
            scaled(last.bucket.saturating_sub(base.bucket), GROWTH.ln() / growth.ln())
        });
        if *is_flat || base.is_none() {
            by_growth.max(step.saturating_mul(2)).max(1)
        } else {
            by_growth
        }
    }

    /// An iteration is finished: no solution is within `bound`.
    pub(super) fn finish(&mut self, bound: C, expanded: u64) {
        self.expanded += expanded + take(&mut self.given_up);
        let Deepening::Budgeted { free } = self.deepening else { return };
        let Some(bucket) = bucket_of(bound) else { return };
        let before = self.last;
        self.last = Iteration { bucket, expanded };
        self.step = bucket.saturating_sub(before.bucket);
        self.is_flat = ratio(expanded, before.expanded) < LEAST_GROWTH;
        let [latest, _] = self.earlier;
        if before.expanded > 0 && latest.is_none_or(|it| before.expanded / 2 >= it.expanded) {
            self.earlier = [Some(before), latest];
        }
        let most = ratio(self.expanded.saturating_sub(free), expanded);
        self.is_choosing |= most > MOST_REPEATED;
    }

    /// An iteration was given up after `expanded` expansions. They do not raise the budget of the next, lower bound: else the same
    /// bound would be tried again, with a budget that grows, and it may have infinitely many paths.
    pub(super) fn give_up(&mut self, bound: C, expanded: u64) {
        self.given_up += expanded;
        let Some(bucket) = bucket_of(bound) else { return };
        self.too_large = Some(Iteration { bucket, expanded });
    }
}

/// The next smaller cost.
pub(super) fn below<C: Cost>(cost: C) -> Option<C> {
    bucket_of(cost)?.checked_sub(1).and_then(C::from_bucket).filter(|below| *below < cost)
}

#[expect(clippy::cast_precision_loss, reason = "bounds are only guessed by it")]
fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b.max(1) as f64
}

#[expect(clippy::cast_precision_loss, reason = "bounds are only guessed by it")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
fn scaled(distance: usize, by: f64) -> usize {
    (distance as f64 * by) as usize
}
