//! [`PancakePuzzle`]: the search problem.

use super::StackError;
use super::stack::{MOST, SORTED, Stack};
use crate::problem::{Reversible, SearchProblem, Successors};

/// The pancake puzzle with 2 to 16 pancakes.
///
/// An action is the number of pancakes that are turned over.
#[derive(Clone, Copy, Debug)]
pub struct PancakePuzzle {
    pancakes: u8,
    /// Gaps beside pancakes below this one are not counted.
    ignored: u8,
}

impl PancakePuzzle {
    /// Creates the puzzle with this number of pancakes and the GAP heuristic.
    ///
    /// # Errors
    ///
    /// [`StackError::Size`] if there are fewer than two, or more than 16.
    pub fn new(pancakes: usize) -> Result<Self, StackError> {
        match u8::try_from(pancakes) {
            Ok(number) if (2..=MOST).contains(&pancakes) => {
                Ok(Self { pancakes: number, ignored: 0 })
            }
            _ => Err(StackError::Size { pancakes }),
        }
    }

    /// Sets the heuristic to GAP-*k*: gaps beside one of the `k` smallest pancakes are not counted.
    #[must_use]
    pub fn gap(mut self, k: u8) -> Self {
        self.ignored = k;
        self
    }

    /// Returns the stack of these pancakes, from top to bottom; 0 is the smallest.
    ///
    /// # Errors
    ///
    /// A [`StackError`] if these are not all pancakes of the puzzle, each once.
    pub fn stack(&self, pancakes: &[u8]) -> Result<Stack, StackError> {
        if pancakes.len() != usize::from(self.pancakes) {
            let (pancakes, expected) = (pancakes.len(), self.pancakes.into());
            return Err(StackError::OtherSize { pancakes, expected });
        }
        let mut seen = 0_u16;
        let mut bits = SORTED;
        for (place, &pancake) in pancakes.iter().enumerate() {
            if pancake >= self.pancakes {
                let largest = self.pancakes - 1;
                return Err(StackError::TooLarge { place, pancake, largest });
            }
            if seen >> pancake & 1 != 0 {
                return Err(StackError::Twice { place, pancake });
            }
            seen |= 1 << pancake;
            bits = bits & !(15 << (4 * place)) | u64::from(pancake) << (4 * place);
        }
        Ok(Stack(bits))
    }

    /// Returns the pancakes of a stack, from top to bottom.
    #[must_use]
    pub fn pancakes(&self, stack: Stack) -> impl ExactSizeIterator<Item = u8> + use<> {
        (0..usize::from(self.pancakes)).map(move |place| stack.pancake(place))
    }

    /// Returns the goal: all pancakes in order.
    #[must_use]
    pub fn goal(&self) -> Stack {
        Stack(SORTED)
    }
}

impl SearchProblem for PancakePuzzle {
    type State = Stack;
    type Action = u8;
    type Cost = u16;

    #[inline]
    fn successors(&self, stack: &Stack, next: &mut Successors<Self>) {
        next.extend((2..=self.pancakes).map(|count| (count, stack.turned(count.into()), 1)));
    }

    #[inline]
    fn heuristic(&self, stack: &Stack) -> u16 {
        stack.gaps(self.ignored)
    }

    #[inline]
    fn is_goal(&self, stack: &Stack) -> bool {
        stack.0 == SORTED
    }
}

/// A move is undone by the same move. The heuristic from a start is that to the goal, with the pancakes renamed
/// so that the start is in order.
impl Reversible for PancakePuzzle {
    #[inline]
    fn predecessors(&self, stack: &Stack, previous: &mut Successors<Self>) {
        self.successors(stack, previous);
    }

    fn goals(&self) -> impl Iterator<Item = Stack> {
        [Stack(SORTED)].into_iter()
    }

    #[inline]
    fn heuristic_from(&self, start: &Stack, stack: &Stack) -> u16 {
        stack.renamed(start.places()).gaps(self.ignored)
    }
}
