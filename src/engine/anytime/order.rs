//! The order of the weighted part of anytime search.

use crate::cost::Cost;
use crate::engine::Order;
use crate::engine::policy::Rounds;
use crate::frontier::Priority;

/// By *n·f + m·h* in rounds of falling *m / n*: as by *g + w·h* with *w* = 1 + *m / n*. Only whole multiples, so that every
/// type of costs will do. A key that does not fit into its type is infinite.
#[derive(Clone, Debug, Default)]
pub struct ByFallingMultiples {
    round: usize,
}

/// *n* and *m* of each round: the weights 5, 3, 2, 1.5, 1.2, 1.1 and 1.
const ROUNDS: [(u32, u32); 7] = [(1, 4), (1, 2), (1, 1), (2, 1), (5, 1), (10, 1), (1, 0)];

impl<C: Cost> Order<C> for ByFallingMultiples {
    type Key = Priority<C>;

    #[inline]
    fn key(&self, _g: C, h: C, f: C) -> Priority<C> {
        let (n, m) = ROUNDS[self.round];
        let first = multiple(n, f).checked_add(multiple(m, h)).unwrap_or(C::INFINITY);
        Priority { first, second: h }
    }

    #[inline]
    fn h_of(&self, key: Priority<C>) -> Option<C> {
        Some(key.second)
    }
}

impl<C: Cost> Rounds<C> for ByFallingMultiples {
    #[inline]
    fn ends_round(&self, key: Priority<C>, cost: C) -> bool {
        key.first >= multiple(ROUNDS[self.round].0, cost)
    }

    fn next_round(&mut self) -> bool {
        let follows = !self.is_last();
        self.round += usize::from(follows);
        follows
    }

    #[inline]
    fn delays_reopened(&self) -> bool {
        !self.is_last()
    }

    fn restart(&mut self) {
        self.round = 0;
    }
}

impl ByFallingMultiples {
    /// Whether the order is that of *f*.
    #[inline]
    fn is_last(&self) -> bool {
        self.round + 1 == ROUNDS.len()
    }
}

/// *times · cost*, or infinity if it does not fit into its type.
#[inline]
fn multiple<C: Cost>(times: u32, cost: C) -> C {
    (0..times).try_fold(C::ZERO, |sum, _| sum.checked_add(cost)).unwrap_or(C::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_fall_from_round_to_round() {
        let mut order = ByFallingMultiples::default();
        let mut keys = Vec::new();
        loop {
            keys.push(Order::<u32>::key(&order, 20, 10, 30).first);
            if !Rounds::<u32>::next_round(&mut order) {
                break;
            }
        }
        assert_eq!(keys, [70, 50, 40, 70, 160, 310, 30]);
        Rounds::<u32>::restart(&mut order);
        assert_eq!(Order::<u32>::key(&order, 20, 10, 30).first, 70);
    }

    #[test]
    fn keys_that_do_not_fit_come_last() {
        let key = |g: u8, h, f| ByFallingMultiples::default().key(g, h, f);
        assert_eq!(key(5, 10, 15).first, 55);
        assert_eq!(key(5, 100, 105).first, u8::MAX);
        let wide = ByFallingMultiples::default().key(0.0, f64::MAX, f64::MAX);
        assert!(wide.first >= f64::INFINITY);
    }

    #[test]
    fn a_round_ends_where_no_key_is_less_than_the_multiple_of_the_cost() {
        let mut order = ByFallingMultiples::default();
        for cost in [31_u32, 30] {
            let mut ends = Vec::new();
            loop {
                ends.push(order.ends_round(order.key(20, 10, 30), cost));
                if !Rounds::<u32>::next_round(&mut order) {
                    break;
                }
            }
            assert_eq!(ends, [true, true, true, true, true, true, cost == 30]);
            Rounds::<u32>::restart(&mut order);
        }
    }
}
