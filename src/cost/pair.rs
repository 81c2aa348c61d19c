//! Pairs of costs in lexicographic order.

use super::Cost;

/// Costs in lexicographic order: the second part decides between equal first parts. With costs `(u32, Duration)`, a
/// cheapest path is the fastest among those with the fewest transfers. For more than two parts, nest pairs:
/// `((A, B), C)`.
///
/// - A step is negative if it is less than `(ZERO, ZERO)`; so the second part may be negative if the first is positive.
/// - NaN in either part is an error. The sum of two pairs fits if both sums fit. **The second part must hold every sum**, or
///   a path that is not cheapest may be reported as optimal; see [your own cost type](Cost#your-own-cost-type).
/// - If the first part is a float, rounding can make different sums equal. Prefer integers there.
/// - Pairs have no buckets, so the open list is a heap.
///
/// ```
/// use bestfirst::FnProblem;
///
/// // From 0 to 6 by one or three at a time: the path with the fewest steps among the cheapest.
/// let problem = FnProblem::new(
///     |&n: &u32| [(n + 1, (2_u32, 1_u32)), (n + 3, (6, 1))],
///     |&n| (2 * 6_u32.saturating_sub(n), 0),
///     |&n| n == 6,
/// );
/// let report = bestfirst::astar(&problem, 0)?;
/// assert_eq!(report.cost(), Some((12, 2)));
/// # Ok::<(), bestfirst::SearchError<(u32, u32)>>(())
/// ```
impl<A: Cost, B: Cost> Cost for (A, B) {
    const ZERO: Self = (A::ZERO, B::ZERO);
    const INFINITY: Self = (A::INFINITY, B::INFINITY);

    #[inline]
    fn checked_add(self, other: Self) -> Option<Self> {
        Some((self.0.checked_add(other.0)?, self.1.checked_add(other.1)?))
    }

    #[inline]
    fn checked_sub(self, other: Self) -> Option<Self> {
        Some((self.0.checked_sub(other.0)?, self.1.checked_sub(other.1)?))
    }

    #[inline]
    fn exceeds(self, other: Self) -> bool {
        self.0.exceeds(other.0) || (!other.0.exceeds(self.0) && self.1.exceeds(other.1))
    }

    // Comparing pairs ignores the second parts unless the first parts are equal.
    #[inline]
    fn is_number(self) -> bool {
        self.0.is_number() && self.1.is_number()
    }

    #[inline]
    fn is_step(self) -> bool {
        self >= Self::ZERO && self.is_number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sums_must_fit() {
        assert_eq!(Cost::checked_add((1_u8, 2_u8), (3, 4)), Some((4, 6)));
        assert_eq!(Cost::checked_add((1_u8, 255_u8), (3, 1)), None);
        assert_eq!(Cost::checked_add((255_u8, 2_u8), (1, 4)), None);
        assert!((1_u8, 0.5).is_step() && (1_u8, -0.5).is_step() && !(0_u8, -0.5).is_step());
        assert!(!(1_u8, f64::NAN).is_step() && !(f64::NAN, 1_u8).is_step());
        assert_eq!(Cost::checked_sub((4_u8, 6_u8), (1, 2)), Some((3, 4)));
        assert_eq!(
            Cost::checked_sub((4_u8, 1.5), (1, 0.5)),
            None,
            "floats have no exact difference"
        );
    }

    #[test]
    fn the_first_counts_and_the_second_among_equals() {
        assert!((2_u8, 0_u8).exceeds((1, 9)) && !(1_u8, 9_u8).exceeds((2, 0)));
        assert!((1_u8, 2_u8).exceeds((1, 1)) && !(1_u8, 1_u8).exceeds((1, 1)));
        let (sum, rounded) = (0.1 + 0.2, 0.3);
        assert!(!(sum, 1_u8).exceeds((rounded, 1)) && (rounded, 2_u8).exceeds((sum, 1)));
        assert!(<(u8, f32)>::INFINITY >= (255, f32::MAX));
    }
}
