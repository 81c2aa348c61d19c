//! The method of [several threads](crate::feature::Parallel), where the feature is off.

use super::Bits;
use crate::feature::Parallel;
use crate::heuristics::PatternDatabaseBuilder;
use crate::problem::SearchProblem;
use crate::threads::SingleThreaded;

impl<P: SearchProblem, O> PatternDatabaseBuilder<P, Bits<SingleThreaded>, O> {
    #[doc(hidden)]
    pub fn threads(self, _count: usize) -> Self
    where
        P: Parallel,
    {
        self
    }
}
