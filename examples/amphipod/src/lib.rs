//! The drawing of a burrow, its forms, and the types that hold it: for the programs `amphipod` and `check`, which must choose the
//! same.

use std::cell::RefCell;
use std::io::Read;

use bestfirst::problems::ParseError;
use bestfirst::problems::amphipod::{
    Burrow, BurrowState, Decision, Energy, FitError, Frame, Literal, Reduced, Rules, Walk,
};
use bestfirst::{Encode, Path, PathOf, ScalableCost, SearchProblem, SuccessorBuffer, Successors};
use program::Fault;

/// Reads the drawing of a burrow.
///
/// # Errors
///
/// [`Fault::Input`] if it cannot be read, or is none.
pub fn read(file: &std::path::Path, input: &mut impl Read) -> Result<Burrow, Fault> {
    program::parse(file, input, Burrow::parse, ParseError::position)
}

program::choices! {
    /// The form of the problem.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Form {
        /// only the decisions: which amphipod waits where in the hallway
        Reduced = "reduced",
        /// every cell and every legal move
        Literal = "literal",
    }
}

/// The problem of a burrow in one of its forms. Both have one type of states and actions, so that every engine is compiled
/// once for each size of burrows.
#[derive(Debug)]
pub struct BurrowProblem<const N: usize, C: Energy> {
    form: Forms<N, C>,
}

#[derive(Debug)]
enum Forms<const N: usize, C: Energy> {
    Reduced(Reduced<N, C>, RefCell<SuccessorBuffer<BurrowState<N>, Decision, C>>),
    Literal(Literal<N, C>, RefCell<SuccessorBuffer<BurrowState<N>, Walk, C>>),
}

/// What an amphipod does, in one of the forms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// In the reduced form.
    Decision(Decision),
    /// In the literal form.
    Walk(Walk),
}

/// Adds the successors that `fill` makes to those of the problem of both forms.
fn push<const N: usize, C, A>(
    buffer: &RefCell<SuccessorBuffer<BurrowState<N>, A, C>>,
    fill: impl FnOnce(&mut SuccessorBuffer<BurrowState<N>, A, C>),
    action: impl Fn(A) -> Action,
    next: &mut SuccessorBuffer<BurrowState<N>, Action, C>,
) {
    let mut buffer = buffer.borrow_mut();
    fill(&mut buffer);
    next.extend(buffer.drain().map(|step| (action(step.action), step.state, step.cost)));
}

impl<const N: usize, C: Energy> SearchProblem for BurrowProblem<N, C> {
    type State = BurrowState<N>;
    type Action = Action;
    type Cost = C;

    fn successors(&self, state: &BurrowState<N>, next: &mut Successors<Self>) {
        match &self.form {
            Forms::Reduced(problem, buffer) => {
                push(buffer, |steps| problem.successors(state, steps), Action::Decision, next);
            }
            Forms::Literal(problem, buffer) => {
                push(buffer, |steps| problem.successors(state, steps), Action::Walk, next);
            }
        }
    }

    fn heuristic(&self, state: &BurrowState<N>) -> C {
        match &self.form {
            Forms::Reduced(problem, _) => problem.heuristic(state),
            Forms::Literal(problem, _) => problem.heuristic(state),
        }
    }

    fn is_goal(&self, state: &BurrowState<N>) -> bool {
        match &self.form {
            Forms::Reduced(problem, _) => problem.is_goal(state),
            Forms::Literal(problem, _) => problem.is_goal(state),
        }
    }
}

impl<const N: usize, C: Energy> BurrowProblem<N, C> {
    fn new(burrow: &Burrow, form: Form, rules: Rules) -> Result<Self, FitError> {
        let form = match form {
            Form::Reduced => Forms::Reduced(Reduced::new(burrow)?, RefCell::default()),
            Form::Literal => Forms::Literal(Literal::new(burrow, rules)?, RefCell::default()),
        };
        Ok(Self { form })
    }

    /// The arrangement at the beginning, and the energy that every solution needs besides.
    #[must_use]
    pub fn start(&self) -> (BurrowState<N>, C) {
        match &self.form {
            Forms::Reduced(problem, _) => problem.start(),
            Forms::Literal(problem, _) => (problem.start(), C::ZERO),
        }
    }

    /// Every arrangement on a path.
    #[must_use]
    pub fn frames(&self, path: &PathOf<Self>) -> Vec<Frame> {
        // The path of this form. The frames are of its actions only.
        fn of<const N: usize, C: Energy, A>(
            path: &Path<BurrowState<N>, Action, C>,
            action: impl Fn(&Action) -> Option<A>,
        ) -> Path<BurrowState<N>, A, C> {
            let mut own = Path::at(*path.start(), path.start_cost());
            for step in path.steps() {
                let pushed =
                    action(step.action).map(|own_action| own.push(own_action, *step.to, step.cost));
                if !matches!(pushed, Some(Ok(()))) {
                    break;
                }
            }
            own
        }
        match &self.form {
            Forms::Reduced(problem, _) => problem.replay(&of(path, |action| match action {
                Action::Decision(decision) => Some(*decision),
                Action::Walk(_) => None,
            })),
            Forms::Literal(problem, _) => problem.replay(&of(path, |action| match action {
                Action::Walk(walk) => Some(*walk),
                Action::Decision(_) => None,
            })),
        }
    }
}

/// What is done with the problem of a burrow, whatever its size.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<const N: usize, C: Energy + Encode + ScalableCost>(
        self,
        problem: &BurrowProblem<N, C>,
    ) -> Self::Output;
}

/// Has the visitor come to the problem of a burrow, in the smaller of two sizes that holds it. What visits is compiled
/// for each: the second holds all burrows, and the first those that are usual.
///
/// # Errors
///
/// A [`FitError`] if none holds the burrow.
pub fn with_smallest<V: Visitor>(
    burrow: &Burrow,
    form: Form,
    rules: Rules,
    visitor: V,
) -> Result<V::Output, FitError> {
    match BurrowProblem::<2, u64>::new(burrow, form, rules) {
        Err(FitError::Words { .. } | FitError::Energy { .. }) => {
            Ok(visitor.visit(&BurrowProblem::<32, u128>::new(burrow, form, rules)?))
        }
        small => Ok(visitor.visit(&small?)),
    }
}
