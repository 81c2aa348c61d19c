//! What the builders of the engines have in common. Each is a struct of a problem, limits, an observer, and what its
//! engine is made of; a method that replaces one of these changes the type of the builder.

/// The methods `limits` and `observer` of `$Builder<P, …, O>`, a struct with the fields `limits`, `observer` and
/// `$field`s. What else is to be said of them comes after `limits` and `observer`.
macro_rules! run_settings {
    (
        $Builder:ident<P $(, $A:ident)*; O> { $($field:ident),* }
        $(, limits: $limits:literal)?
        $(, observer: $listens:literal)?
        $(, where Cost: $Criteria:ident)?
    ) => {
        impl<P: SearchProblem $(<Cost: $Criteria>)? $(, $A)*, O> $Builder<P $(, $A)*, O> {
            #[doc = concat!("Sets the limits." $(, " ", $limits)?)]
            pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
                self.limits = limits;
                self
            }

            #[doc = concat!("Sets the observer, by value or as `&mut`." $(, " ", $listens)?)]
            pub fn observer<N: crate::observer::Observer<P::State, P::Cost>>(
                self,
                observer: N,
            ) -> $Builder<P $(, $A)*, N> {
                let Self { $($field,)* limits, .. } = self;
                $Builder { $($field,)* limits, observer }
            }
        }
    };
}

/// The methods of a builder `$Builder<P, …, T, …, O>` that choose its table, the field `table`: with `hasher`, of
/// `$Record`s, with `dense`, of `$DenseRecord`s. And those of [`run_settings`].
macro_rules! table_settings {
    (
        $Builder:ident<P $(, $A:ident)*; T $(, $B:ident)*; O> { $($field:ident),* },
        record: $Record:ident,
        dense: $DenseRecord:ident
        $(, table: $ids:literal)?
        $(, dense_table: $recomputes:literal)?
        $(, limits: $limits:literal)?
        $(, where Cost: $Criteria:ident)?
    ) => {
        $crate::engine::builder::run_settings!(
            $Builder<P $(, $A)*, T $(, $B)*; O> { $($field,)* table }
            $(, limits: $limits)?
            $(, where Cost: $Criteria)?
        );

        impl<P: SearchProblem $(<Cost: $Criteria>)? $(, $A)*, T $(, $B)*, O>
            $Builder<P $(, $A)*, T $(, $B)*, O>
        {
            /// Uses this table: [`HashedTable`](crate::table::HashedTable) (the default),
            /// [`DenseTable`](crate::table::DenseTable), or [one of your own](crate::table::Table).
            $(#[doc = $ids])?
            pub fn table<N: crate::table::TableFor<P::State, P::Cost>>(
                self,
                table: N,
            ) -> $Builder<P $(, $A)*, N $(, $B)*, O> {
                let Self { $($field,)* limits, observer, .. } = self;
                $Builder { $($field,)* table, limits, observer }
            }

            /// Uses a [`HashedTable`](crate::table::HashedTable) with this hasher instead of that of rustc-hash.
            pub fn hasher<H: std::hash::BuildHasher>(
                self,
                hasher: H,
            ) -> $Builder<
                P $(, $A)*,
                crate::table::HashedTable<P::State, crate::table::$Record<P::Cost>, H>
                $(, $B)*,
                O,
            > {
                self.table(crate::table::HashedTable::with_hasher(hasher))
            }

            /// Uses a [`DenseTable`](crate::table::DenseTable): states are numbered by
            /// [`DenseStates`](crate::DenseStates) and not hashed. It is cleared in proportion to what was reached when
            /// the search is restarted. The table keeps a clone of the problem for its numbering, so make the builder
            /// of a reference where a clone is expensive.
            $(#[doc = $recomputes])?
            pub fn dense(
                self,
            ) -> $Builder<
                P $(, $A)*,
                crate::table::DenseTable<P, crate::table::$DenseRecord<P::Cost>>
                $(, $B)*,
                O,
            >
            where
                P: crate::DenseStates + Clone,
            {
                let table = crate::table::DenseTable::new(self.problem.clone());
                self.table(table)
            }
        }
    };
}

/// The method `dominance` of such a builder.
macro_rules! dominance_setting {
    ($Builder:ident<P $(, $A:ident)*; T $(, $B:ident)*; O>, record: $Record:ident) => {
        impl<P: SearchProblem $(, $A)*, T $(, $B)*, O> $Builder<P $(, $A)*, T $(, $B)*, O> {
            /// Does not expand states that another makes needless: a state with the same key that
            /// [dominates](crate::Dominance::dominates) it and was reached at no greater cost. They count as duplicates.
            ///
            /// Uses a [`DominanceTable`](crate::table::DominanceTable), which keeps a clone of the problem, so make the
            /// builder of a reference where a clone is expensive. It takes one more lookup for each successor, and as
            /// many comparisons as there are states with its key that do not dominate each other.
            ///
            /// A needless state is closed without being expanded. So the costs that
            /// [`reach_all`](crate::DijkstraSearch::reach_all) gives of such states need not be the smallest, and a
            /// [certificate](crate::Search::certificate) proves less than the search did.
            pub fn dominance(
                self,
            ) -> $Builder<
                P $(, $A)*,
                crate::table::DominanceTable<P, crate::table::$Record<P::Cost>>
                $(, $B)*,
                O,
            >
            where
                P: crate::Dominance + Clone,
            {
                let table = crate::table::DominanceTable::new(self.problem.clone());
                self.table(table)
            }
        }
    };
}

/// The methods `frontier` and `wide_ids` of a builder with the fields `table` and `frontier`, and those of
/// [`table_settings`]. Its open states have keys of `$Order` and are in a `$Frontier` where it is not chosen.
macro_rules! frontier_settings {
    (
        $Builder:ident<P $(, $R:ident)?>,
        $(where Cost: $Criteria:ident,)?
        order: $Order:ty,
        frontier: $Frontier:ident,
        record: $Record:ident
    ) => {
        $crate::engine::builder::table_settings!(
            $Builder<P $(, $R)?; T, F; O> { problem, order, frontier },
            record: $Record,
            dense: CostRecord,
            dense_table: "\n\nIts records are [`CostRecord`](crate::table::CostRecord)s, which do not keep *h*: where a \
                heuristic is used, it is asked again when a cheaper path to a state is found, and with floats when a state \
                is expanded. Where that takes long, pass \
                `DenseTable::<_, EstimateRecord<_>>::new(&problem)` to [`table`](Self::table)."
            $(, where Cost: $Criteria)?
        );

        impl<P: SearchProblem $(<Cost: $Criteria>)? $(, $R)?, T: Default, F: Default>
            $Builder<P $(, $R)?, T, F>
        {
            /// A builder in this order, with the defaults of everything else.
            fn of(problem: P, order: $Order) -> Self {
                let (table, frontier) = (T::default(), F::default());
                Self { problem, order, table, frontier, limits: Limits::new(), observer: () }
            }
        }

        impl<P: SearchProblem $(<Cost: $Criteria>)? $(, $R)?, T, F, O> $Builder<P $(, $R)?, T, F, O> {
            /// Uses this frontier: [`LazyHeap`](crate::frontier::LazyHeap),
            /// [`BucketQueue`](crate::frontier::BucketQueue) (the default),
            /// `IndexedQueue` (feature `indexed-queue`), or [one of your own](crate::frontier::Frontier).
            pub fn frontier<N>(self, frontier: N) -> $Builder<P $(, $R)?, T, N, O> {
                let Self { problem, order, table, limits, observer, .. } = self;
                $Builder { problem, order, table, frontier, limits, observer }
            }
        }

        impl<P, $($R,)? T, F, O> $Builder<P $(, $R)?, T, F, O>
        where
            P: SearchProblem $(<Cost: $Criteria>)?,
            $Order: crate::engine::Order<P::Cost>,
        {
            /// Numbers the states with 63 bits instead of 31: for more than 2³¹ − 1 states, where the narrow
            /// ids stop the search with [`StopReason::States`](crate::StopReason::States). It takes some
            /// 30 bytes more for each state, and is slower.
            ///
            #[doc = concat!(
                "This sets the table to a [`HashedTable`](crate::table::HashedTable) and the frontier to a [`",
                stringify!($Frontier), "`](crate::frontier::", stringify!($Frontier), ").",
            )]
            /// For others with wide ids, pass to [`table`](Self::table) one whose record has ids of type `u64`, and to
            /// [`frontier`](Self::frontier) one of such ids.
            pub fn wide_ids(
                self,
            ) -> $Builder<
                P,
                $($R,)?
                crate::table::HashedTable<P::State, crate::table::$Record<P::Cost, u64>>,
                crate::frontier::$Frontier<<$Order as crate::engine::Order<P::Cost>>::Key, u64>,
                O,
            > {
                self.table(crate::table::HashedTable::default())
                    .frontier(crate::frontier::$Frontier::new())
            }
        }
    };
}

/// The methods `search` and `search_from` of a builder with the fields `$field`: they make a `$Search`, by an engine that
/// is made of the fields and `$starts`. What else is to be said of them comes after `search` and `search_from`.
macro_rules! search_methods {
    (
        $Builder:ident<P $(, $A:ident)*; O> -> $Search:ident { $($field:ident),* },
        where { $($bounds:tt)* },
        engine: |$starts:ident| $engine:expr
        $(, search: $of_one:literal)?
        $(, search_from: $of_several:literal)?
    ) => {
        impl<P $(, $A)*, O> $Builder<P $(, $A)*, O>
        where
            $($bounds)*
            O: crate::observer::Observer<P::State, P::Cost>,
        {
            #[doc = concat!("Creates the search from one start." $(, " ", $of_one)?)]
            #[must_use = "a search does nothing until it is run"]
            pub fn search(self, start: P::State) -> $Search<P $(, $A)*, O> {
                self.begin_at(vec![(start, crate::cost::Cost::ZERO)])
            }

            #[doc = concat!(
                "Creates the search from several starts, each with its initial cost *g*." $(, " ", $of_several)?
            )]
            #[must_use = "a search does nothing until it is run"]
            pub fn search_from(
                self,
                starts: impl IntoIterator<Item = (P::State, P::Cost)>,
            ) -> $Search<P $(, $A)*, O> {
                self.begin_at(starts.into_iter().collect())
            }

            fn begin_at(self, $starts: Vec<(P::State, P::Cost)>) -> $Search<P $(, $A)*, O> {
                let Self { $($field,)* limits, observer } = self;
                Search::new($engine, limits, observer)
            }
        }
    };
}

/// Without the feature `parallel`, a method `threads` that cannot be called: the error says which feature it needs.
macro_rules! threads_need_feature {
    ($Builder:ident<P $(, $A:ident)*>) => {
        #[cfg(not(feature = "parallel"))]
        impl<P: SearchProblem $(, $A)*> $Builder<P $(, $A)*> {
            #[doc(hidden)]
            pub fn threads(self, _count: usize) -> Self
            where
                P: crate::feature::Parallel,
            {
                self
            }
        }
    };
}

pub(crate) use {
    dominance_setting, frontier_settings, run_settings, search_methods, table_settings,
    threads_need_feature,
};
