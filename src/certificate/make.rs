//! Makes a certificate from the closed states of a search.

use std::collections::VecDeque;
use std::io::{self, Write};

use rustc_hash::FxHashMap;

use super::format::{MAGIC, Sink, VERSION};
use super::{Claim, Level, NoCertificate};
use crate::Search;
use crate::cost::{Cost, smaller};
use crate::encode::Encode;
use crate::engine::Engine;
use crate::engine::checked::not_negative;
use crate::observer::Observer;
use crate::problem::{SearchProblem, Successors};
use crate::report::SearchError;

/// The proof of a search, as a list of states for [`check`](super::check()); see the [module](super).
#[derive(Clone, Debug)]
#[must_use]
pub struct Certificate<S, C> {
    claim: Claim<C>,
    level: Level,
    entries: Vec<Entry<S, C>>,
    listed: usize,
}

/// The certificate type of a search by the engine `E`.
pub type CertificateBy<E> = Certificate<<E as Engine>::State, <E as Engine>::Cost>;

#[derive(Clone, Debug)]
struct Entry<S, C> {
    state: S,
    /// `None` if the entry only gives the h of its state.
    label: Option<C>,
    h: C,
}

impl<S, C: Cost> Certificate<S, C> {
    /// Returns the claim.
    pub fn claim(&self) -> Claim<C> {
        self.claim
    }

    /// Returns the level: what must be trusted.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Returns the number of states with a label.
    #[must_use]
    pub fn listed(&self) -> usize {
        self.listed
    }

    /// Writes the certificate in the format that the [module](super) describes. It makes many small writes: use a
    /// [`BufWriter`](std::io::BufWriter).
    ///
    /// # Errors
    ///
    /// All errors of `file`.
    pub fn write(&self, file: impl Write) -> io::Result<()>
    where
        S: Encode,
        C: Encode,
    {
        let mut sink = Sink::new(file);
        let (bound, is_unsolvable) = match self.claim {
            Claim::AtLeast(bound) => (bound, false),
            Claim::Unsolvable => (C::INFINITY, true),
        };
        sink.put(&(*MAGIC, VERSION, self.level, is_unsolvable))?;
        sink.put(&(S::BYTES as u64, C::BYTES as u64))?;
        sink.put(&(self.listed, self.entries.len() - self.listed, bound))?;
        let (listed, trusted): (Vec<_>, Vec<_>) =
            self.entries.iter().partition(|entry| entry.label.is_some());
        for Entry { state, label, h } in listed.into_iter().chain(trusted) {
            sink.put(state)?;
            if let Some(label) = label {
                sink.put(label)?;
            }
            if self.level == Level::Consistent {
                sink.put(h)?;
            }
        }
        sink.end()
    }
}

impl<E: Engine, O: Observer<E::State, E::Cost>> Search<E, O> {
    /// Returns a [`Certificate`] of the lower bound that this search has proved so far, whether it has ended or not.
    /// `problem` and `starts` must be those of the search.
    ///
    /// It claims the lower bound of the report; after [`Outcome::Exhausted`](crate::Outcome::Exhausted), that
    /// there is no solution. On the level [`NoHeuristic`](Level::NoHeuristic) it claims the largest bound that the
    /// closed states prove without the heuristic, which is smaller if the search used one. At a stop of a search
    /// with an inconsistent heuristic, some of the states that proved the bound may have been reopened since. They
    /// are listed at their new costs, at most as many as are stored; if that is not enough, the claim is weaker than
    /// that of the report. [`Certificate::claim`] returns the claim.
    ///
    /// Takes about as long as [`check`](super::check()), and memory for all listed states. The limits of the
    /// search do not apply.
    ///
    /// # Errors
    ///
    /// [`NoCertificate`] if the engine does not store closed states, if the search ended with an error, or if the
    /// level requires a consistent heuristic and it is not.
    ///
    /// # Example
    ///
    /// ```
    /// use bestfirst::certificate::{self, Claim, Level};
    /// use bestfirst::{AStar, FnProblem};
    ///
    /// let problem = FnProblem::new(
    ///     |&n: &u32| [(n + 1, 1_u32), (n * 3, 4)], |&n: &u32| u32::from(n != 20), |&n: &u32| n == 20,
    /// );
    /// let mut search = AStar::new(&problem).search(1);
    /// assert_eq!(search.run()?.cost(), Some(11));
    ///
    /// let certificate = search.certificate(&problem, [(1, 0)], Level::Admissible)?;
    /// let mut file = Vec::new();
    /// certificate.write(&mut file)?;
    ///
    /// let proved = certificate::check(&problem, [(1, 0)], file.as_slice())?;
    /// assert_eq!(proved.claim, Claim::AtLeast(11));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certificate<P>(
        &mut self,
        problem: &P,
        starts: impl IntoIterator<Item = (E::State, E::Cost)>,
        level: Level,
    ) -> Result<CertificateBy<E>, NoCertificate<E::Cost>>
    where
        P: SearchProblem<State = E::State, Cost = E::Cost> + ?Sized,
    {
        let (bound, is_unsolvable) = self.proved().map_err(NoCertificate::Search)?;
        if !self.engine().keeps_closed() {
            return Err(NoCertificate::NoTable);
        }
        let claim = if is_unsolvable { Claim::Unsolvable } else { Claim::AtLeast(bound) };
        // Without the heuristic, reopened states cannot be distinguished from those never expanded.
        let most_added =
            if level == Level::NoHeuristic { 0 } else { self.engine().stored().max(LEAST_ADDED) };
        let starts: Vec<_> = starts.into_iter().collect();
        let closed = &|state: &E::State| self.engine().closed_cost(state);
        let mut maker = Maker {
            problem,
            closed,
            level,
            claim,
            entries: Vec::new(),
            index: FxHashMap::default(),
            todo: VecDeque::new(),
            may_add: most_added,
        };
        // A weaker claim needs fewer states, so the list is made again for it.
        while maker.list(&starts)? {
            maker.may_add = 0;
        }
        let Maker { claim, entries, .. } = maker;
        let listed = entries.iter().filter(|entry| entry.label.is_some()).count();
        Ok(Certificate { claim, level, entries, listed })
    }
}

/// The number of states that may always be listed although they are not closed.
const LEAST_ADDED: usize = 1 << 10;

/// Collects the states that the proof needs, from the starts on.
struct Maker<'p, P: SearchProblem + ?Sized> {
    problem: &'p P,
    /// The cost of a closed state.
    closed: &'p dyn Fn(&P::State) -> Option<P::Cost>,
    level: Level,
    claim: Claim<P::Cost>,
    /// Each is a start or comes after a predecessor.
    entries: Vec<Entry<P::State, P::Cost>>,
    index: FxHashMap<P::State, usize>,
    /// Listed states whose successors are not yet covered.
    todo: VecDeque<usize>,
    /// The number of states that may still be listed, or relabelled, although they are not closed at that cost.
    may_add: usize,
}

impl<P: SearchProblem + ?Sized> Maker<'_, P> {
    /// Makes the list. Returns whether the claim was weakened.
    fn list(&mut self, starts: &[(P::State, P::Cost)]) -> Result<bool, NoCertificate<P::Cost>> {
        self.entries.clear();
        self.index.clear();
        let claim = self.claim;
        for (state, cost) in starts {
            self.cover(state.clone(), Some(*cost), None)?;
        }
        let mut next = Successors::<P>::new();
        while let Some(at) = self.todo.pop_front() {
            let Entry { state, label: Some(g), h } = self.entries[at].clone() else { continue };
            next.clear();
            self.problem.successors(&state, &mut next);
            for step in next.drain() {
                let cost = step.cost;
                if !cost.is_number() {
                    return Err(NoCertificate::Search(SearchError::NotANumber { g, value: cost }));
                }
                if !cost.is_step() {
                    return Err(NoCertificate::Search(SearchError::NegativeCost { g, step: cost }));
                }
                self.cover(step.state, g.checked_add(cost), Some((h, cost)))?;
            }
        }
        Ok(self.claim != claim)
    }

    /// Lists a state with a path of cost `g` to it, if the claim needs it.
    fn cover(
        &mut self,
        state: P::State,
        g: Option<P::Cost>,
        step: Option<(P::Cost, P::Cost)>,
    ) -> Result<(), NoCertificate<P::Cost>> {
        let needs_h = self.level == Level::Consistent;
        if !needs_h && self.claim.holds_at(g) {
            return Ok(());
        }
        let known = self.index.get(&state).copied();
        let label = known.and_then(|at| self.entries[at].label);
        let is_covered = label.is_some_and(|label| g.is_none_or(|g| label <= g));
        if !needs_h && is_covered {
            return Ok(());
        }
        let is_goal = self.problem.is_goal(&state);
        let h = match known {
            Some(at) => self.entries[at].h,
            None if self.level == Level::NoHeuristic || is_goal => P::Cost::ZERO,
            // NaN proves nothing.
            None => not_negative(self.problem.heuristic(&state)).unwrap_or(P::Cost::ZERO),
        };
        if needs_h {
            if let Some((before, cost)) = step
                && cost.checked_add(h).is_some_and(|sum| before.exceeds(sum))
            {
                return Err(NoCertificate::Inconsistent { h: before, cost, next: h });
            }
            if known.is_none() {
                self.enter(state.clone(), None, h);
            }
        }
        let f = g.and_then(|g| g.checked_add(h));
        if is_covered || h >= P::Cost::INFINITY || self.claim.holds_at(f) {
            return Ok(());
        }
        let closed = (self.closed)(&state).filter(|closed| g.is_none_or(|g| *closed <= g));
        let label = if is_goal { None } else { closed.or(g.filter(|_| self.may_add > 0)) };
        let Some(label) = label else {
            let f = f.unwrap_or(P::Cost::INFINITY);
            self.claim = Claim::AtLeast(match self.claim {
                Claim::AtLeast(bound) => smaller(bound, f),
                Claim::Unsolvable => f,
            });
            return Ok(());
        };
        self.may_add -= usize::from(closed.is_none());
        self.enter(state, Some(label), h);
        Ok(())
    }

    /// Sets the label of a state. If there is one, its successors will be covered.
    fn enter(&mut self, state: P::State, label: Option<P::Cost>, h: P::Cost) {
        let new = self.entries.len();
        let at = *self.index.entry(state.clone()).or_insert(new);
        if at == new {
            self.entries.push(Entry { state, label, h });
        } else {
            self.entries[at].label = label;
        }
        if label.is_some() {
            self.todo.push_back(at);
        }
    }
}
