//! The drawing of a burrow, its forms, and the types that hold it: for the programs `amphipod` and `check`, which must choose the
//! same.

use std::io::Read;
use std::path::Path;

use bestfirst::problems::amphipod::{
    Burrow, BurrowError, Energy, FitError, Frame, Literal, Reduced, Rules,
};
use bestfirst::{Encode, PathOf, ScalableCost, SearchProblem};
use clap::ValueEnum;
use program::Fault;

/// Reads the drawing of a burrow.
///
/// # Errors
///
/// [`Fault::Input`] if it cannot be read, or is none.
pub fn read(file: &Path, input: &mut impl Read) -> Result<Burrow, Fault> {
    let place = |fault: &BurrowError| {
        let at = fault.position();
        Some((at.line, at.column))
    };
    program::parse(file, input, Burrow::parse, place)
}

/// The form of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// only the decisions: which amphipod waits where in the hallway
    Reduced,
    /// every cell and every legal move
    Literal,
}

/// The problem of a burrow, in one of the forms.
pub trait BurrowProblem:
    SearchProblem<State: Encode, Cost: Energy + Encode + ScalableCost> + Sized
{
    /// The arrangement at the beginning, and the energy that every solution needs besides.
    fn start(&self) -> (Self::State, Self::Cost);

    /// Every arrangement on a path.
    fn frames(&self, path: &PathOf<Self>) -> Vec<Frame>;
}

impl<const N: usize, C: Energy + Encode + ScalableCost> BurrowProblem for Reduced<N, C> {
    fn start(&self) -> (Self::State, C) {
        Self::start(self)
    }

    fn frames(&self, path: &PathOf<Self>) -> Vec<Frame> {
        self.replay(path)
    }
}

impl<const N: usize, C: Energy + Encode + ScalableCost> BurrowProblem for Literal<N, C> {
    fn start(&self) -> (Self::State, C) {
        (Self::start(self), C::ZERO)
    }

    fn frames(&self, path: &PathOf<Self>) -> Vec<Frame> {
        self.replay(path)
    }
}

/// What is done with the problem of a burrow, whatever its types.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<P: BurrowProblem>(self, problem: &P) -> Self::Output;
}

/// Has the visitor come to the problem of a burrow, with the first of these types that hold it. What visits is compiled
/// for each: they are few, the last holds all burrows, and the others those that are usual.
///
/// # Errors
///
/// A [`FitError`] if no type holds the burrow.
pub fn with_smallest<V: Visitor>(
    burrow: &Burrow,
    form: Form,
    rules: Rules,
    visitor: V,
) -> Result<V::Output, FitError> {
    macro_rules! first_fit {
        ($new:expr, $($types:ty),*; $last:ty) => {{
            $(match $new as Result<$types, FitError> {
                Ok(problem) => return Ok(visitor.visit(&problem)),
                Err(FitError::Words { .. } | FitError::Energy { .. }) => {}
                Err(other) => return Err(other),
            })*
            let problem: $last = $new?;
            Ok(visitor.visit(&problem))
        }};
    }
    match form {
        Form::Reduced => {
            first_fit!(Reduced::new(burrow), Reduced<1, u32>, Reduced<2, u64>; Reduced<32, u128>)
        }
        Form::Literal => {
            first_fit!(Literal::new(burrow, rules), Literal<2, u32>, Literal<4, u64>; Literal<32, u128>)
        }
    }
}
