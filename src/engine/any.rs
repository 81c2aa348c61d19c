//! [`AnySearch`]: the search of any engine, behind one trait.

use std::time::Duration;

use super::search::{Engine, ErrorOf, PathBy, ReportBy, Search};
use crate::certificate::{Certificate, CertificateBy, Level, NoCertificate};
use crate::clock::Instant;
use crate::cost::Cost;
use crate::limits::Limits;
use crate::observer::Observer;
use crate::path::Path;
use crate::problem::SearchProblem;
use crate::report::{Report, SearchError, Stats};

/// A [`Search`] by any engine, for trait objects, so that the engine can be chosen at run time.
///
/// It is implemented for every [`Search`] and cannot be implemented outside of this crate; its methods are those of
/// [`Search`]. [`BoxedSearch`] is the usual type. A call through it costs one indirect jump for the whole run or slice, and nothing in the loop of
/// the engine.
///
/// ```
/// use bestfirst::{AStar, BoxedSearch, FnProblem, IdaStar, SearchProblem};
///
/// fn search<'a, P: SearchProblem + 'a>(problem: P, start: P::State, in_little_memory: bool) -> BoxedSearch<'a, P> {
///     if in_little_memory {
///         Box::new(IdaStar::new(problem).search(start))
///     } else {
///         Box::new(AStar::new(problem).search(start))
///     }
/// }
///
/// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 100);
/// for in_little_memory in [false, true] {
///     let mut search = search(&line, 0, in_little_memory);
///     assert!(search.run_for(10)?.is_none());
///     assert_eq!(search.run()?.cost(), Some(100));
/// }
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub trait AnySearch<S, A, C: Cost>: sealed::Sealed {
    /// See [`Search::run`].
    ///
    /// # Errors
    ///
    /// As there.
    fn run(&mut self) -> Result<Report<S, A, C>, SearchError<C>>;

    /// See [`Search::step`].
    ///
    /// # Errors
    ///
    /// As there.
    fn step(&mut self) -> Result<Option<Report<S, A, C>>, SearchError<C>>;

    /// See [`Search::run_for`].
    ///
    /// # Errors
    ///
    /// As there.
    fn run_for(&mut self, most: u64) -> Result<Option<Report<S, A, C>>, SearchError<C>>;

    /// See [`Search::run_within`].
    ///
    /// # Errors
    ///
    /// As there.
    fn run_within(&mut self, time: Duration) -> Result<Option<Report<S, A, C>>, SearchError<C>>;

    /// See [`Search::run_until`].
    ///
    /// # Errors
    ///
    /// As there.
    fn run_until(&mut self, deadline: Instant) -> Result<Option<Report<S, A, C>>, SearchError<C>>;

    /// See [`Search::report`].
    ///
    /// # Errors
    ///
    /// As there.
    fn report(&mut self) -> Result<Report<S, A, C>, SearchError<C>>;

    /// See [`Search::stats`].
    fn stats(&self) -> Stats;

    /// See [`Search::elapsed`].
    fn elapsed(&self) -> Duration;

    /// See [`Search::bytes`].
    fn bytes(&self) -> usize;

    /// See [`Search::limits`].
    fn limits(&self) -> &Limits<C>;

    /// See [`Search::set_limits`].
    fn set_limits(&mut self, limits: Limits<C>);

    /// See [`Search::restart`].
    fn restart(&mut self, start: S);

    /// See [`Search::restart_from`].
    fn restart_from(&mut self, starts: Vec<(S, C)>);

    /// See [`Search::closest_by`].
    ///
    /// # Errors
    ///
    /// As there.
    fn closest_by(
        &self,
        key: &mut dyn FnMut(&S) -> f64,
    ) -> Result<Option<Path<S, A, C>>, SearchError<C>>;

    /// See [`Search::certificate`].
    ///
    /// # Errors
    ///
    /// As there.
    fn certificate(
        &mut self,
        problem: &dyn SearchProblem<State = S, Action = A, Cost = C>,
        starts: Vec<(S, C)>,
        level: Level,
    ) -> Result<Certificate<S, C>, NoCertificate<C>>;
}

mod sealed {
    pub trait Sealed {}
    impl<E: super::Engine, O> Sealed for super::Search<E, O> {}
}

/// A search of the problem `P` by any engine, in a box. To send it to another thread, write
/// `Box<dyn AnySearch<S, A, C> + Send>` with the states, actions and costs of the problem.
///
/// The type of a problem made of closures cannot be written, and `BoxedSearch<'_, _>` does not determine it
/// (error E0284). In this case, write `Box<dyn AnySearch<_, _, _>>`:
///
/// ```
/// use bestfirst::{AStar, AnySearch, FnProblem, IdaStar};
///
/// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
/// let searches: [Box<dyn AnySearch<_, _, _>>; 2] =
///     [Box::new(AStar::new(&line).search(0)), Box::new(IdaStar::new(&line).search(0))];
/// for mut search in searches {
///     assert_eq!(search.run()?.cost(), Some(9));
/// }
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub type BoxedSearch<'a, P> = Box<
    dyn AnySearch<
            <P as SearchProblem>::State,
            <P as SearchProblem>::Action,
            <P as SearchProblem>::Cost,
        > + 'a,
>;

impl<E, O> AnySearch<E::State, E::Action, E::Cost> for Search<E, O>
where
    E: Engine,
    O: Observer<E::State, E::Cost>,
{
    fn run(&mut self) -> Result<ReportBy<E>, ErrorOf<E>> {
        self.run()
    }

    fn step(&mut self) -> Result<Option<ReportBy<E>>, ErrorOf<E>> {
        self.step()
    }

    fn run_for(&mut self, most: u64) -> Result<Option<ReportBy<E>>, ErrorOf<E>> {
        self.run_for(most)
    }

    fn run_within(&mut self, time: Duration) -> Result<Option<ReportBy<E>>, ErrorOf<E>> {
        self.run_within(time)
    }

    fn run_until(&mut self, deadline: Instant) -> Result<Option<ReportBy<E>>, ErrorOf<E>> {
        self.run_until(deadline)
    }

    fn report(&mut self) -> Result<ReportBy<E>, ErrorOf<E>> {
        self.report()
    }

    fn stats(&self) -> Stats {
        self.stats()
    }

    fn elapsed(&self) -> Duration {
        self.elapsed()
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn limits(&self) -> &Limits<E::Cost> {
        self.limits()
    }

    fn set_limits(&mut self, limits: Limits<E::Cost>) {
        self.set_limits(limits);
    }

    fn restart(&mut self, start: E::State) {
        self.restart(start);
    }

    fn restart_from(&mut self, starts: Vec<(E::State, E::Cost)>) {
        self.restart_from(starts);
    }

    fn closest_by(
        &self,
        key: &mut dyn FnMut(&E::State) -> f64,
    ) -> Result<Option<PathBy<E>>, ErrorOf<E>> {
        self.closest_by(key)
    }

    fn certificate(
        &mut self,
        problem: &dyn SearchProblem<State = E::State, Action = E::Action, Cost = E::Cost>,
        starts: Vec<(E::State, E::Cost)>,
        level: Level,
    ) -> Result<CertificateBy<E>, NoCertificate<E::Cost>> {
        self.certificate(problem, starts, level)
    }
}
