//! What the builders of all best-first engines, and of search from both ends, have in common.

/// Implements the methods of a best-first builder `$Builder<P, R, T, F, O>`: a struct with the fields
/// `problem`, `order`, `table`, `frontier`, `limits` and `observer`. The records of its tables are `$Record`, and
/// its frontier is a `$Frontier` where it is not chosen.
macro_rules! best_first_builder {
    (
        $Builder:ident<P $(, $Order:ident)?>,
        order: $OrderType:ty,
        frontier: $Frontier:ident,
        record: $Record:ident,
        search: $Search:ident
        $(, cost: $Cost:ident)?
    ) => {
        $crate::engine::best_first::builder::builder_of_parts!(
            $Builder<P $(, $Order)?>,
            order: $OrderType,
            frontier: $Frontier,
            record: $Record
        );

        impl<P: SearchProblem $(, $Order)?, T, F, O> $Builder<P $(, $Order)?, T, F, O> {
            /// Does not expand states that another makes needless: a state with the same key that
            /// [dominates](Dominance::dominates) it and was reached at no greater cost. They count as duplicates.
            ///
            /// Uses a [`DominanceTable`], which keeps a clone of the problem, so make the builder of a reference
            /// where a clone is expensive. It takes one more lookup for each successor, and as many comparisons
            /// as there are states with its key that do not dominate each other.
            ///
            /// A needless state is closed without being expanded. So the costs that
            /// [`reach_all`](crate::DijkstraSearch::reach_all) gives of such states need not be the smallest, and a
            /// [certificate](crate::Search::certificate) proves less than the search did.
            pub fn dominance(
                self,
            ) -> $Builder<P $(, $Order)?, DominanceTable<P, $Record<P::Cost>>, F, O>
            where
                P: Dominance + Clone,
            {
                let table = DominanceTable::new(self.problem.clone());
                self.table(table)
            }
        }

        impl<P $(, $Order)?, T, F, O> $Builder<P $(, $Order)?, T, F, O>
        where
            P: SearchProblem $(<Cost: $Cost>)?,
            $($Order: Order<P::Cost>,)?
            T: TableFor<P::State, P::Cost>,
            F: Frontier<IdOf<T, P::State>, <$OrderType as Order<P::Cost>>::Key>,
            O: Observer<P::State, P::Cost>,
        {
            /// Creates the search, from one start.
            #[must_use = "a search does nothing until it is run"]
            pub fn search(self, start: P::State) -> $Search<P $(, $Order)?, T, F, O> {
                self.begin_at(vec![(start, P::Cost::ZERO)])
            }

            /// Creates the search, from several starts, each with its initial cost *g*.
            #[must_use = "a search does nothing until it is run"]
            pub fn search_from(
                self,
                starts: impl IntoIterator<Item = (P::State, P::Cost)>,
            ) -> $Search<P $(, $Order)?, T, F, O> {
                self.begin_at(starts.into_iter().collect())
            }

            fn begin_at(self, starts: Vec<(P::State, P::Cost)>) -> $Search<P $(, $Order)?, T, F, O> {
                let Self { problem, order, table, frontier, limits, observer } = self;
                let parts = (problem, order, Default::default());
                let engine = $crate::engine::driver::Driver::new(parts, table, frontier, starts);
                Search::new(engine, limits, observer)
            }
        }
    };
}

/// The methods of such a builder that choose its parts. Its costs may have to be of a certain kind.
macro_rules! builder_of_parts {
    (
        $Builder:ident<P $(, $Order:ident)?>,
        $(where Cost: $Criteria:ident,)?
        order: $OrderType:ty,
        frontier: $Frontier:ident,
        record: $Record:ident
    ) => {
        impl<P: SearchProblem $(<Cost: $Criteria>)? $(, $Order)?, T, F, O> $Builder<P $(, $Order)?, T, F, O> {
            /// Sets the limits.
            pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
                self.limits = limits;
                self
            }

            /// Sets the observer, by value or as `&mut`.
            pub fn observer<N: Observer<P::State, P::Cost>>(
                self,
                observer: N,
            ) -> $Builder<P $(, $Order)?, T, F, N> {
                let Self { problem, order, table, frontier, limits, .. } = self;
                $Builder { problem, order, table, frontier, limits, observer }
            }

            /// Uses this frontier: [`LazyHeap`](crate::frontier::LazyHeap),
            /// [`IndexedQueue`](crate::frontier::IndexedQueue),
            /// [`BucketQueue`](crate::frontier::BucketQueue) (the default), or
            /// [one of your own](crate::frontier::Frontier).
            pub fn frontier<N>(self, frontier: N) -> $Builder<P $(, $Order)?, T, N, O> {
                let Self { problem, order, table, limits, observer, .. } = self;
                $Builder { problem, order, table, frontier, limits, observer }
            }

            /// Uses this table: [`HashedTable`](crate::table::HashedTable) (the default),
            /// [`DenseTable`](crate::table::DenseTable), or [one of your own](crate::table::Table).
            pub fn table<N: TableFor<P::State, P::Cost>>(
                self,
                table: N,
            ) -> $Builder<P $(, $Order)?, N, F, O> {
                let Self { problem, order, frontier, limits, observer, .. } = self;
                $Builder { problem, order, table, frontier, limits, observer }
            }

            /// Uses a [`HashedTable`] with this hasher instead of that of rustc-hash.
            pub fn hasher<B: BuildHasher>(
                self,
                hasher: B,
            ) -> $Builder<P $(, $Order)?, HashedTable<P::State, $Record<P::Cost>, B>, F, O> {
                self.table(HashedTable::with_hasher(hasher))
            }

            /// Uses a [`DenseTable`]: states are numbered by [`DenseStates`] and not hashed. It is cleared in
            /// proportion to what was reached when the search is restarted. The table keeps a clone of the
            /// problem for its numbering, so make the builder of a reference where a clone is expensive.
            ///
            /// Its records are [`CostRecord`]s, which do not keep *h*: where a heuristic is used, it is asked
            /// again when a cheaper path to a state is found. Where that takes long, pass
            /// `DenseTable::<_, EstimateRecord<_>>::new(&problem)` to [`table`](Self::table).
            pub fn dense(
                self,
            ) -> $Builder<P $(, $Order)?, DenseTable<P, CostRecord<P::Cost>>, F, O>
            where
                P: DenseStates + Clone,
            {
                let table = DenseTable::new(self.problem.clone());
                self.table(table)
            }
        }

        impl<P $(, $Order)?, T, F, O> $Builder<P $(, $Order)?, T, F, O>
        where
            P: SearchProblem $(<Cost: $Criteria>)?,
            $OrderType: Order<P::Cost>,
        {
            /// Numbers the states with 63 bits instead of 31: for more than 2³¹ − 1 states, where the narrow
            /// ids stop the search with [`StopReason::States`](crate::StopReason::States). It takes some
            /// 30 bytes more for each state, and is slower.
            ///
            #[doc = concat!("This sets the table to a [`HashedTable`] and the frontier to a [`", stringify!($Frontier), "`].")]
            /// For others with wide ids, pass to [`table`](Self::table) one whose record has ids of type `u64`, and to
            /// [`frontier`](Self::frontier) one of such ids.
            pub fn wide_ids(
                self,
            ) -> $Builder<
                P $(, $Order)?,
                HashedTable<P::State, $Record<P::Cost, u64>>,
                $Frontier<<$OrderType as Order<P::Cost>>::Key, u64>,
                O,
            > {
                self.table(HashedTable::default()).frontier($Frontier::new())
            }
        }
    };
}

/// The same for a builder `$Builder<P, T, O>` whose frontier is part of the algorithm: `$make` makes it of the
/// order.
macro_rules! best_first_builder_with_own_frontier {
    (
        $Builder:ident<P>,
        order: $OrderType:ty,
        frontier: |$order:ident| $make:expr,
        record: $Record:ident,
        search: $Search:ident
    ) => {
        impl<P: SearchProblem, T, O> $Builder<P, T, O> {
            /// Sets the limits.
            pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
                self.limits = limits;
                self
            }

            /// Sets the observer, by value or as `&mut`.
            pub fn observer<N: Observer<P::State, P::Cost>>(
                self,
                observer: N,
            ) -> $Builder<P, T, N> {
                let Self { problem, order, table, limits, .. } = self;
                $Builder { problem, order, table, limits, observer }
            }

            /// Uses this table: [`HashedTable`](crate::table::HashedTable) (the default),
            /// [`DenseTable`](crate::table::DenseTable), or [one of your own](crate::table::Table).
            pub fn table<N: TableFor<P::State, P::Cost>>(self, table: N) -> $Builder<P, N, O> {
                let Self { problem, order, limits, observer, .. } = self;
                $Builder { problem, order, table, limits, observer }
            }

            /// Uses a [`HashedTable`] with this hasher instead of that of rustc-hash.
            pub fn hasher<B: BuildHasher>(
                self,
                hasher: B,
            ) -> $Builder<P, HashedTable<P::State, $Record<P::Cost>, B>, O> {
                self.table(HashedTable::with_hasher(hasher))
            }

            /// Uses a [`DenseTable`]: states are numbered by [`DenseStates`] and not hashed. The table keeps a
            /// clone of the problem for its numbering, so make the builder of a reference where a clone is
            /// expensive.
            pub fn dense(self) -> $Builder<P, DenseTable<P, $Record<P::Cost>>, O>
            where
                P: DenseStates + Clone,
            {
                let table = DenseTable::new(self.problem.clone());
                self.table(table)
            }

            /// Does not expand states that another makes needless: a state with the same key that
            /// [dominates](Dominance::dominates) it and was reached at no greater cost. They count as duplicates.
            ///
            /// Uses a [`DominanceTable`], which keeps a clone of the problem, so make the builder of a reference
            /// where a clone is expensive. It takes one more lookup for each successor, and as many comparisons
            /// as there are states with its key that do not dominate each other.
            ///
            /// A needless state is closed without being expanded. So the costs that
            /// [`reach_all`](crate::DijkstraSearch::reach_all) gives of such states need not be the smallest, and a
            /// [certificate](crate::Search::certificate) proves less than the search did.
            pub fn dominance(self) -> $Builder<P, DominanceTable<P, $Record<P::Cost>>, O>
            where
                P: Dominance + Clone,
            {
                let table = DominanceTable::new(self.problem.clone());
                self.table(table)
            }

            /// Numbers the states with 63 bits instead of 31: for more than 2³¹ − 1 states, where the narrow
            /// ids stop the search with [`StopReason::States`](crate::StopReason::States). This sets the
            /// table to a [`HashedTable`].
            pub fn wide_ids(self) -> $Builder<P, HashedTable<P::State, $Record<P::Cost, u64>>, O> {
                self.table(HashedTable::default())
            }
        }

        impl<P, T, O> $Builder<P, T, O>
        where
            P: SearchProblem<Cost: ScalableCost>,
            T: TableFor<P::State, P::Cost>,
            O: Observer<P::State, P::Cost>,
        {
            /// Creates the search, from one start.
            #[must_use = "a search does nothing until it is run"]
            pub fn search(self, start: P::State) -> $Search<P, T, O> {
                self.begin_at(vec![(start, P::Cost::ZERO)])
            }

            /// Creates the search, from several starts, each with its initial cost *g*.
            #[must_use = "a search does nothing until it is run"]
            pub fn search_from(
                self,
                starts: impl IntoIterator<Item = (P::State, P::Cost)>,
            ) -> $Search<P, T, O> {
                self.begin_at(starts.into_iter().collect())
            }

            fn begin_at(self, starts: Vec<(P::State, P::Cost)>) -> $Search<P, T, O> {
                let Self { problem, order: $order, table, limits, observer } = self;
                let frontier = $make;
                let parts = (problem, $order, Default::default());
                let engine = $crate::engine::driver::Driver::new(parts, table, frontier, starts);
                Search::new(engine, limits, observer)
            }
        }
    };
}

pub(super) use best_first_builder_with_own_frontier;
pub(in crate::engine) use {best_first_builder, builder_of_parts};
