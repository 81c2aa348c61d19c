//! [`forward!`]: forwards the traits of a problem to the problem inside an adapter or a pointer.
//!
//! This is the one place that lists the methods of [`SearchProblem`](super::SearchProblem),
//! [`DenseStates`](super::DenseStates), [`InPlaceProblem`](super::InPlaceProblem),
//! [`Reversible`](super::Reversible) and [`Dominance`](super::Dominance) for forwarding. Add a new method of these traits
//! here as well; then every adapter and every pointer forwards it.

/// Implements `SearchProblem`, `DenseStates`, `InPlaceProblem`, `Reversible` and `Dominance` for an adapter or a
/// pointer, as far as the problem `P` inside implements them.
///
/// The first line states the type parameters (the first one is `P`), the type, and how to get a
/// reference to the problem inside. After that, the adapter implements the methods that it changes,
/// trait by trait in the order above. All other methods call those of `P`. If the adapter requires more of
/// `P` than `SearchProblem`, `where [P: …]` follows the first line.
///
/// ```text
/// forward! {
///     [P] IgnoreGoal<P>, |adapter| &adapter.problem;
///     SearchProblem {
///         fn is_goal(&self, _state: &Self::State) -> bool {
///             false
///         }
///     }
/// }
/// ```
macro_rules! forward {
    (
        [P $(: ?$sized:ident)? $(, $($parameters:tt)*)?] $adapter:ty, |$this:ident| $problem:expr;
        $(where [$($bounds:tt)*])?
        $(SearchProblem { $($search:tt)* })?
        $(DenseStates { $($dense:tt)* })?
        $(InPlaceProblem { $($in_place:tt)* })?
        $(Reversible { $($reversible:tt)* })?
    ) => {
        impl<P: $crate::problem::SearchProblem $(+ ?$sized)? $(, $($parameters)*)?>
            $crate::problem::SearchProblem for $adapter
        $(where $($bounds)*)?
        {
            type State = P::State;
            type Action = P::Action;
            type Cost = P::Cost;

            $crate::problem::forward::search_problem! { |$this| $problem; $($($search)*)? }
        }

        impl<P: $crate::problem::DenseStates $(+ ?$sized)? $(, $($parameters)*)?>
            $crate::problem::DenseStates for $adapter
        $(where $($bounds)*)?
        {
            $crate::problem::forward::dense_states! { |$this| $problem; $($($dense)*)? }
        }

        impl<P: $crate::problem::InPlaceProblem $(+ ?$sized)? $(, $($parameters)*)?>
            $crate::problem::InPlaceProblem for $adapter
        $(where $($bounds)*)?
        {
            type Actions = P::Actions;
            type Undo = P::Undo;

            $crate::problem::forward::in_place_problem! { |$this| $problem; $($($in_place)*)? }
            $crate::problem::forward::unrolled_heuristic! { [$($($search)*)?] |$this| $problem }
        }

        impl<P: $crate::problem::Reversible $(+ ?$sized)? $(, $($parameters)*)?>
            $crate::problem::Reversible for $adapter
        $(where $($bounds)*)?
        {
            $crate::problem::forward::reversible! { |$this| $problem; $($($reversible)*)? }
        }

        // No adapter changes the dominance relation.
        impl<P: $crate::problem::Dominance $(+ ?$sized)? $(, $($parameters)*)?>
            $crate::problem::Dominance for $adapter
        $(where $($bounds)*)?
        {
            type Key = P::Key;

            #[inline]
            fn key(&self, state: &Self::State) -> Self::Key {
                let $this = self;
                P::key($problem, state)
            }

            #[inline]
            fn dominates(&self, state: &Self::State, other: &Self::State) -> bool {
                let $this = self;
                P::dominates($problem, state, other)
            }
        }
    };
}

/// The methods of `SearchProblem`: the given ones; the others are forwarded.
macro_rules! search_problem {
    (
        |$this:ident| $problem:expr;
        $($(#[$attribute:meta])* fn $name:ident($($arguments:tt)*) $(-> $output:ty)? $body:block)*
    ) => {
        $($(#[$attribute])* fn $name($($arguments)*) $(-> $output)? $body)*

        $crate::problem::forward::unless_given! { successors [$($name)*] {
            #[inline]
            fn successors(&self, state: &Self::State, next: &mut $crate::problem::Successors<Self>) {
                let $this = self;
                P::successors($problem, state, next);
            }
        } }
        $crate::problem::forward::unless_given! { heuristic [$($name)*] {
            #[inline]
            fn heuristic(&self, state: &Self::State) -> Self::Cost {
                let $this = self;
                P::heuristic($problem, state)
            }
        } }
        $crate::problem::forward::unless_given! { steps_left [$($name)*] {
            #[inline]
            fn steps_left(&self, state: &Self::State) -> Option<u32> {
                let $this = self;
                P::steps_left($problem, state)
            }
        } }
        $crate::problem::forward::unless_given! { is_goal [$($name)*] {
            #[inline]
            fn is_goal(&self, state: &Self::State) -> bool {
                let $this = self;
                P::is_goal($problem, state)
            }
        } }
        $crate::problem::forward::unless_given! { prefetch [$($name)*] {
            #[inline]
            fn prefetch(&self, state: &Self::State) {
                let $this = self;
                P::prefetch($problem, state);
            }
        } }
    };
}

/// The methods of `DenseStates`. No adapter changes any.
macro_rules! dense_states {
    (|$this:ident| $problem:expr;) => {
        #[inline]
        fn state_count(&self) -> usize {
            let $this = self;
            P::state_count($problem)
        }

        #[inline]
        fn state_index(&self, state: &Self::State) -> usize {
            let $this = self;
            P::state_index($problem, state)
        }

        #[inline]
        fn state_at(&self, index: usize) -> Self::State {
            let $this = self;
            P::state_at($problem, index)
        }
    };
}

/// The methods of `InPlaceProblem`: the given ones; the others are forwarded.
macro_rules! in_place_problem {
    (
        |$this:ident| $problem:expr;
        $($(#[$attribute:meta])* fn $name:ident($($arguments:tt)*) $(-> $output:ty)? $body:block)*
    ) => {
        $($(#[$attribute])* fn $name($($arguments)*) $(-> $output)? $body)*

        $crate::problem::forward::unless_given! { actions [$($name)*] {
            #[inline]
            fn actions(&self, state: &Self::State) -> Self::Actions {
                let $this = self;
                P::actions($problem, state)
            }
        } }
        $crate::problem::forward::unless_given! { unrolled [$($name)*] {
            // The code of the problem must be inlined into the loop of an engine.
            #[inline(always)]
            fn unrolled(
                &self,
            ) -> impl $crate::problem::UnrolledSuccessors<Self::State, Self::Action, Self::Cost>
            {
                let $this = self;
                P::unrolled($problem)
            }
        } }
        $crate::problem::forward::unless_given! { apply [$($name)*] {
            #[inline]
            fn apply(
                &self,
                state: &mut Self::State,
                action: &Self::Action,
            ) -> (Self::Cost, Self::Undo) {
                let $this = self;
                P::apply($problem, state, action)
            }
        } }
        $crate::problem::forward::unless_given! { undo [$($name)*] {
            #[inline]
            fn undo(&self, state: &mut Self::State, undo: Self::Undo) {
                let $this = self;
                P::undo($problem, state, undo);
            }
        } }
        $crate::problem::forward::unless_given! { inverse [$($name)*] {
            #[inline]
            fn inverse(&self, state: &Self::State, action: &Self::Action) -> Option<Self::Action> {
                let $this = self;
                P::inverse($problem, state, action)
            }
        } }
    };
}

/// The method of `InPlaceProblem` that is forwarded only where nothing is changed, by pointers: an adapter may have
/// another heuristic.
macro_rules! unrolled_heuristic {
    ([] |$this:ident| $problem:expr) => {
        #[inline(always)]
        fn unrolled_heuristic(
            &self,
            successors: &impl $crate::problem::UnrolledSuccessors<
                Self::State,
                Self::Action,
                Self::Cost,
            >,
        ) -> Option<Self::Cost> {
            let $this = self;
            P::unrolled_heuristic($problem, successors)
        }
    };
    ([$($changed:tt)+] |$this:ident| $problem:expr) => {};
}

/// The methods of `Reversible`: the given ones; the others are forwarded.
macro_rules! reversible {
    (
        |$this:ident| $problem:expr;
        $($(#[$attribute:meta])* fn $name:ident($($arguments:tt)*) $(-> $output:ty)? $body:block)*
    ) => {
        $($(#[$attribute])* fn $name($($arguments)*) $(-> $output)? $body)*

        $crate::problem::forward::unless_given! { predecessors [$($name)*] {
            #[inline]
            fn predecessors(
                &self,
                state: &Self::State,
                previous: &mut $crate::problem::Successors<Self>,
            ) {
                let $this = self;
                P::predecessors($problem, state, previous);
            }
        } }
        $crate::problem::forward::unless_given! { goals [$($name)*] {
            #[inline]
            fn goals(&self) -> impl Iterator<Item = Self::State> {
                let $this = self;
                P::goals($problem)
            }
        } }
        $crate::problem::forward::unless_given! { heuristic_from [$($name)*] {
            #[inline]
            fn heuristic_from(&self, start: &Self::State, state: &Self::State) -> Self::Cost {
                let $this = self;
                P::heuristic_from($problem, start, state)
            }
        } }
    };
}

/// `unless_given! { name [names] { code } }`: expands to the code, unless the name is among the names.
///
/// Every method that an adapter may implement needs an arm. Without it, the method is defined twice, which does not
/// compile.
macro_rules! unless_given {
    (successors [successors $($rest:ident)*] $code:tt) => {};
    (heuristic [heuristic $($rest:ident)*] $code:tt) => {};
    (steps_left [steps_left $($rest:ident)*] $code:tt) => {};
    (is_goal [is_goal $($rest:ident)*] $code:tt) => {};
    (prefetch [prefetch $($rest:ident)*] $code:tt) => {};
    (actions [actions $($rest:ident)*] $code:tt) => {};
    (unrolled [unrolled $($rest:ident)*] $code:tt) => {};
    (apply [apply $($rest:ident)*] $code:tt) => {};
    (undo [undo $($rest:ident)*] $code:tt) => {};
    (inverse [inverse $($rest:ident)*] $code:tt) => {};
    (predecessors [predecessors $($rest:ident)*] $code:tt) => {};
    (goals [goals $($rest:ident)*] $code:tt) => {};
    (heuristic_from [heuristic_from $($rest:ident)*] $code:tt) => {};
    ($name:ident [$other:ident $($rest:ident)*] $code:tt) => {
        $crate::problem::forward::unless_given! { $name [$($rest)*] $code }
    };
    ($name:ident [] { $($code:tt)* }) => { $($code)* };
}

pub(crate) use {
    dense_states, forward, in_place_problem, reversible, search_problem, unless_given,
    unrolled_heuristic,
};
