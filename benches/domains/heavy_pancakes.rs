//! Pancakes whose turns cost the larger of the numbers at both ends of what is turned.

use bestfirst::{SearchProblem, Successors};

use super::Random;

/// At most 16 pancakes.
#[derive(Clone, Debug)]
pub struct HeavyPancakes {
    count: u8,
}

/// The numbers of the pancakes from top to bottom, from 1 on; zeros behind them.
pub type Stack = [u8; 16];

impl HeavyPancakes {
    pub fn new(count: u8) -> Self {
        assert!(count <= 16);
        Self { count }
    }

    /// A random stack.
    pub fn random(&self, random: &mut Random) -> Stack {
        let mut stack = [0; 16];
        for number in 1..=self.count {
            stack[usize::from(number) - 1] = number;
        }
        for last in (1..usize::from(self.count)).rev() {
            stack.swap(last, random.below(last as u64 + 1) as usize);
        }
        stack
    }
}

impl SearchProblem for HeavyPancakes {
    type State = Stack;
    /// How many are turned.
    type Action = u8;
    type Cost = u32;

    fn successors(&self, stack: &Stack, next: &mut Successors<Self>) {
        for count in 2..=self.count {
            let mut turned = *stack;
            turned[..usize::from(count)].reverse();
            let ends = stack[0].max(stack[usize::from(count) - 1]);
            next.push(count, turned, u32::from(ends));
        }
    }

    /// Each gap is closed by a turn that costs the smaller of its two numbers at least.
    fn heuristic(&self, stack: &Stack) -> u32 {
        let below = |place: usize| match stack.get(place + 1) {
            Some(&number) if number > 0 => number,
            _ => self.count + 1,
        };
        let gaps = stack.iter().take(self.count.into()).enumerate();
        let gaps = gaps.map(|(place, &number)| (number, below(place)));
        gaps.filter(|(a, b)| a.abs_diff(*b) != 1).map(|(a, b)| u32::from(a.min(b))).sum()
    }

    fn is_goal(&self, stack: &Stack) -> bool {
        stack.iter().take(self.count.into()).is_sorted()
    }
}
