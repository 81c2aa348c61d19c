//! [`Criteria`]: costs of several criteria, as arrays.

use super::{Cost, larger, smaller};

/// A cost of several criteria: an array of costs, such as `[u32; 2]` for distance and time.
///
/// Arrays are added criterion by criterion and compared lexicographically. So on a problem whose costs are arrays,
/// every engine finds a path that is cheapest by the first criterion, among those by the second, and so on;
/// [`Pareto`](crate::Pareto) finds all Pareto-optimal paths. **For other engines, all criteria but the first must hold every
/// sum**, or a path that is not cheapest may be reported as optimal; see [your own cost type](Cost#your-own-cost-type).
///
/// A step is negative if it is negative in any criterion. Two floats that differ by rounding are not equal, so
/// a later criterion decides only where the earlier ones are exactly equal. A heuristic value must not exceed
/// the cost of a cheapest path in any criterion; if that is [infinite](Cost::INFINITY) in all of them, the
/// state is a dead end.
///
/// The trait is sealed.
///
/// ```
/// use bestfirst::Criteria;
///
/// assert!([3, 7].dominates([3, 9]) && [3, 7].dominates([3, 7]));
/// assert!(![3, 7].dominates([5, 6]) && ![5, 6].dominates([3, 7]));
/// assert!([3, 7] < [5, 6]); // the first criterion decides
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a cost of several criteria",
    label = "this cost has only one criterion",
    note = "for several criteria, let the cost be an array of costs, such as `[u32; 2]`; for one, use another engine, such as `AStar`"
)]
pub trait Criteria: Cost + sealed::Sealed {
    /// The cost by one criterion.
    type Each: Cost;

    /// The number of criteria.
    const COUNT: usize;

    /// Returns the cost by criterion `number`, counted from 0.
    #[must_use]
    fn criterion(self, number: usize) -> Self::Each;

    /// Returns the same cost with criterion `number` replaced.
    #[must_use]
    fn with_criterion(self, number: usize, cost: Self::Each) -> Self;

    /// Whether this cost is at most `other` by every criterion. Equal costs dominate each other.
    #[must_use]
    fn dominates(self, other: Self) -> bool;

    /// Returns the minimum by each criterion.
    #[must_use]
    fn least(self, other: Self) -> Self;
}

pub(crate) mod sealed {
    /// What search by several criteria does with costs.
    pub trait Sealed: Sized {
        /// Like `Criteria::dominates`, without the first criterion.
        #[must_use]
        fn dominates_after_first(self, other: Self) -> bool;

        /// Returns the sum, with `Cost::INFINITY` in each criterion that overflows.
        #[must_use]
        fn saturating_add(self, other: Self) -> Self;
    }
}

impl<C: Cost, const N: usize> sealed::Sealed for [C; N] {
    #[inline]
    fn dominates_after_first(self, other: Self) -> bool {
        self.into_iter().zip(other).skip(1).all(|(cost, other)| cost <= other)
    }

    fn saturating_add(self, other: Self) -> Self {
        let mut sum = self;
        for (sum, other) in sum.iter_mut().zip(other) {
            // Negative costs are reported elsewhere; here they must not make the sum smaller.
            *sum = sum.checked_add(larger(other, C::ZERO)).unwrap_or(C::INFINITY);
        }
        sum
    }
}

/// Fails to compile for an array of no criteria.
const fn some(count: usize) {
    assert!(count > 0, "a cost has at least one criterion");
}

impl<C: Cost, const N: usize> Cost for [C; N] {
    const ZERO: Self = {
        some(N);
        [C::ZERO; N]
    };
    const INFINITY: Self = [C::INFINITY; N];

    #[inline]
    fn checked_add(self, other: Self) -> Option<Self> {
        let mut sum = self;
        for (sum, other) in sum.iter_mut().zip(other) {
            *sum = sum.checked_add(other)?;
        }
        Some(sum)
    }

    #[inline]
    fn checked_sub(self, other: Self) -> Option<Self> {
        let mut rest = self;
        for (rest, other) in rest.iter_mut().zip(other) {
            *rest = rest.checked_sub(other)?;
        }
        Some(rest)
    }

    #[inline]
    fn exceeds(self, other: Self) -> bool {
        for (cost, other) in self.into_iter().zip(other) {
            if cost.exceeds(other) {
                return true;
            }
            if other.exceeds(cost) {
                return false;
            }
        }
        false
    }

    #[inline]
    fn is_number(self) -> bool {
        self.into_iter().all(Cost::is_number)
    }

    #[inline]
    fn is_step(self) -> bool {
        self.into_iter().all(Cost::is_step)
    }
}

impl<C: Cost, const N: usize> Criteria for [C; N] {
    type Each = C;
    const COUNT: usize = N;

    #[inline]
    fn criterion(self, number: usize) -> C {
        self[number]
    }

    #[inline]
    fn with_criterion(mut self, number: usize, cost: C) -> Self {
        self[number] = cost;
        self
    }

    #[inline]
    fn dominates(self, other: Self) -> bool {
        self.into_iter().zip(other).all(|(cost, other)| cost <= other)
    }

    #[inline]
    fn least(self, other: Self) -> Self {
        let mut least = self;
        for (least, other) in least.iter_mut().zip(other) {
            *least = smaller(*least, other);
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::sealed::Sealed;
    use super::*;

    #[test]
    fn arrays_are_added_and_compared_by_each_criterion() {
        assert_eq!([3_u8, 250].checked_add([1, 5]), Some([4, 255]));
        assert_eq!([3_u8, 250].checked_add([1, 6]), None);
        assert_eq!([3_u8, 250].saturating_add([1, 6]), [4, 255]);
        assert_eq!([4_u8, 9].checked_sub([1, 9]), Some([3, 0]));
        assert_eq!([4_u8, 9].checked_sub([1, 10]), None);
        assert_eq!([4_u8, 9].least([5, 1]), [4, 1]);
        assert_eq!([4_u8, 9].with_criterion(1, 3).criterion(1), 3);
        assert!([1.0, 3.0].exceeds([1.0 + 1e-12, 2.0]) && ![1.0, 3.0].exceeds([1.1, 2.0]));
        assert!(![1.0, 3.0].exceeds([1.0, 3.0]));
    }

    #[test]
    fn a_step_is_negative_if_it_is_so_in_any_criterion() {
        assert!([0, 0].is_step() && [2, 3].is_step() && [2.5, 0.0].is_step());
        assert!(![2, -3].is_step() && ![-2, 3].is_step());
        assert!(![2.0, f64::NAN].is_step() && ![f64::NAN, 2.0].is_step());
    }

    #[test]
    fn dominance_is_by_every_criterion() {
        assert!([1, 2, 3].dominates([1, 2, 3]) && [1, 2, 3].dominates([9, 2, 3]));
        assert!(![1, 2, 3].dominates([9, 1, 3]) && ![1, 2, 3].dominates([0, 9, 9]));
        assert!([1, 2, 3].dominates_after_first([0, 9, 9]));
        assert!(![1, 2, 3].dominates_after_first([2, 2, 2]));
        assert!([1].dominates_after_first([0]) && ![f64::NAN].dominates([1.0]));
    }
}
