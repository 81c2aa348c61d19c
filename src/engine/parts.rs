//! [`Parts`]: what a search is made of.

use std::hash::Hash;
use std::marker::PhantomData;

use super::Order;
use crate::cost::Cost;
use crate::frontier::{Frontier, Key};
use crate::problem::SearchProblem;
use crate::table::{Record, StateId, Table, TableFor};

/// What a search is made of: the problem, the order, the table and the frontier, and the types that follow from these.
///
/// What is generic over a search is generic over this alone. The one implementation is [`With`].
pub trait Parts {
    /// The states of the problem.
    type State: Clone + Eq + Hash;

    /// The actions of the problem.
    type Action: Clone;

    /// The costs of the problem.
    type Cost: Cost;

    /// The ids of the states in the table.
    type Id: StateId;

    /// The keys of the states in the frontier.
    type Key: Key;

    /// What the table keeps of a state.
    type Record: Record<Id = Self::Id, Cost = Self::Cost>;

    /// What is searched.
    type Problem: SearchProblem<State = Self::State, Action = Self::Action, Cost = Self::Cost>;

    /// In which order states are expanded.
    type Order: Order<Self::Cost, Key = Self::Key>;

    /// The states that were reached.
    type Table: Table<Self::State, Record = Self::Record>;

    /// The open states.
    type Frontier: Frontier<Self::Id, Self::Key>;
}

/// A search of `P` in the order `R`, with the table `T` and the frontier `F`. It has no values.
#[derive(Debug)]
pub struct With<P, R, T, F>(PhantomData<(P, R, T, F)>);

impl<P, R, T, F> Parts for With<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<<T::Record as Record>::Id, R::Key>,
{
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;
    type Id = <T::Record as Record>::Id;
    type Key = R::Key;
    type Record = T::Record;
    type Problem = P;
    type Order = R;
    type Table = T;
    type Frontier = F;
}

/// The key of a state in the table, such as its hash.
pub type TableKey<S> = <<S as Parts>::Table as Table<<S as Parts>::State>>::Key;
