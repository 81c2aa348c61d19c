//! Successors in the form that closures return them, without an allocation for each state: the ratios
//! are to be those of the searches, not of how a list is handed over.

use std::cell::Cell;

use bestfirst::{SearchProblem, Successors};

/// Asks a problem for successors, always in the same buffer.
pub struct Lender<'p, P: SearchProblem> {
    problem: &'p P,
    /// Lent to the iterator that the rival gets, and given back by it.
    buffer: Cell<Successors<P>>,
}

impl<'p, P: SearchProblem> Lender<'p, P> {
    pub fn new(problem: &'p P) -> Self {
        Self { problem, buffer: Cell::default() }
    }

    #[inline]
    pub fn next(&self, state: &P::State) -> Lent<'_, P> {
        let mut buffer = self.buffer.take();
        buffer.clear();
        self.problem.successors(state, &mut buffer);
        Lent { owner: &self.buffer, buffer, next: 0 }
    }
}

/// The successors of one state, in a buffer that is returned after use.
pub struct Lent<'b, P: SearchProblem> {
    owner: &'b Cell<Successors<P>>,
    buffer: Successors<P>,
    next: usize,
}

impl<P: SearchProblem> Iterator for Lent<'_, P> {
    type Item = (P::State, P::Cost);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let successor = self.buffer.as_slice().get(self.next)?;
        self.next += 1;
        Some((successor.state.clone(), successor.cost))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.buffer.len() - self.next;
        (left, Some(left))
    }
}

impl<P: SearchProblem> Drop for Lent<'_, P> {
    #[inline]
    fn drop(&mut self) {
        self.owner.set(std::mem::take(&mut self.buffer));
    }
}
