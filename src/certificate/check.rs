//! The checker. It shares no code with the engines, makes one pass over the list, and has no queue.

use std::cell::Cell;
use std::collections::HashMap;
use std::io::Read;

use super::format::Source;
use super::{CertificateFault, CheckError, Level, Proved, Where};
use crate::cost::Cost;
use crate::encode::Encode;
use crate::problem::{SearchProblem, Successors};

/// Checks that the certificate in `file` proves its claim, for `problem` from `starts`. The
/// [module](super) describes the checks, and why they are a proof.
///
/// Only states that the problem generated are passed to it, so the file cannot make it
/// process an invalid state. Takes one lookup for each successor of each listed state, and memory for
/// the listed states.
///
/// # Errors
///
/// A [`CheckError`] with the error, its place, and the expected value.
pub fn check<P: SearchProblem<State: Encode, Cost: Encode> + ?Sized>(
    problem: &P,
    starts: impl IntoIterator<Item = (P::State, P::Cost)>,
    file: impl Read,
) -> Result<Proved<P::Cost>, CheckError<P::Cost>> {
    let mut checker = Checker::read(problem, &mut Source::new(file))?;
    for (start, (state, cost)) in starts.into_iter().enumerate() {
        let covered = checker.cover(&state, Some(cost), None);
        covered.map_err(|fault| CheckError { place: Where::Start(start), fault })?;
    }
    let (claim, mut next) = (checker.proof.claim, Successors::<P>::new());
    for (entry, (state, byte)) in std::mem::take(&mut checker.states).into_iter().enumerate() {
        let at =
            |step| move |fault| CheckError { place: Where::Entry { entry, byte, step }, fault };
        let known = checker.known.get(&state).filter(|known| known.is_named.get());
        let &Known { label, h, .. } =
            known.ok_or(CertificateFault::NotReached).map_err(at(None))?;
        let Some(label) = label else { continue };
        if problem.is_goal(&state) && !claim.holds_at(Some(label)) {
            return Err(at(None)(CertificateFault::Goal { label, claim }));
        }
        next.clear();
        problem.successors(&state, &mut next);
        for (step, to) in next.drain().enumerate() {
            let covered = checker.cover(&to.state, label.checked_add(to.cost), Some((h, to.cost)));
            covered.map_err(at(Some(step)))?;
        }
    }
    Ok(checker.proof)
}

/// The data of a state in the file, and whether it was already generated.
struct Known<C> {
    /// `None` if the file has only its h.
    label: Option<C>,
    h: C,
    is_named: Cell<bool>,
}

struct Checker<'p, P: SearchProblem + ?Sized> {
    problem: &'p P,
    /// The result if all checks pass.
    proof: Proved<P::Cost>,
    known: HashMap<P::State, Known<P::Cost>>,
    /// In the order of the file, each with the byte where its entry begins.
    states: Vec<(P::State, u64)>,
    /// Two states as bytes.
    bytes: [Vec<u8>; 2],
}

impl<'p, P: SearchProblem<State: Encode, Cost: Encode> + ?Sized> Checker<'p, P> {
    fn read(
        problem: &'p P,
        file: &mut Source<P::Cost, impl Read>,
    ) -> Result<Self, CheckError<P::Cost>> {
        let proof = file.head::<P::State>()?;
        let (mut known, mut states) = (HashMap::new(), Vec::new());
        for entry in 0..proof.listed.saturating_add(proof.trusted) {
            let (byte, state) = (file.at(), file.take::<P::State>()?);
            let label = if entry < proof.listed { Some(file.take_cost()?) } else { None };
            let h =
                if proof.level == Level::Consistent { file.take_cost()? } else { P::Cost::ZERO };
            let fact = Known { label, h, is_named: Cell::new(false) };
            if known.insert(state.clone(), fact).is_some() {
                let place = Where::Entry { entry, byte, step: None };
                return Err(CheckError { place, fault: CertificateFault::Twice });
            }
            states.push((state, byte));
        }
        file.end()?;
        let bytes = [vec![0; P::State::BYTES], vec![0; P::State::BYTES]];
        Ok(Self { problem, proof, known, states, bytes })
    }

    /// Checks that a path to `state` is covered. Its cost is `g`, or `None` if the type cannot
    /// hold it; `step` is the h of the state before its last step and the cost of that step, if it has one.
    fn cover(
        &mut self,
        state: &P::State,
        g: Option<P::Cost>,
        step: Option<(P::Cost, P::Cost)>,
    ) -> Result<(), CertificateFault<P::Cost>> {
        let Proved { claim, level, .. } = self.proof;
        let needs_h = level == Level::Consistent;
        if let Some((_, cost)) = step.filter(|(_, cost)| !cost.is_step()) {
            return Err(CertificateFault::Step { cost });
        }
        if !needs_h && claim.holds_at(g) {
            return Ok(());
        }
        let known = self.known.get_key_value(state).map(|(stored, known)| {
            if !known.is_named.get() {
                // Equal states may still differ in data that determine their successors.
                let [a, b] = &mut self.bytes;
                stored.encode(a);
                state.encode(b);
                known.is_named.set(a == b);
            }
            known
        });
        let is_goal = self.problem.is_goal(state);
        if needs_h {
            let h = known.ok_or(CertificateFault::NoValue)?.h;
            if is_goal && h > P::Cost::ZERO {
                return Err(CertificateFault::GoalValue { h });
            }
            if let Some((before, cost)) = step
                && cost.checked_add(h).is_some_and(|sum| before.exceeds(sum))
            {
                return Err(CertificateFault::Inconsistent { h: before, cost, next: h });
            }
        }
        let label = known.and_then(|known| known.label);
        if claim.holds_at(g) || label.is_some_and(|label| g.is_none_or(|g| label <= g)) {
            return Ok(());
        }
        let h = match (level, known) {
            // NaN proves nothing.
            (Level::Admissible, _) if !is_goal => Some(self.problem.heuristic(state))
                .filter(|h| h.is_number())
                .unwrap_or(P::Cost::ZERO),
            (Level::Consistent, Some(known)) => known.h,
            _ => P::Cost::ZERO,
        };
        if h >= P::Cost::INFINITY || claim.holds_at(g.and_then(|g| g.checked_add(h))) {
            return Ok(());
        }
        Err(CertificateFault::Uncovered { g, h, label, claim })
    }
}
