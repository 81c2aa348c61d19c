//! What the builders of all engines with an incumbent have in common.

/// Implements the methods of a builder `$Builder<P, R, W, T, O>`: a struct with the fields `problem`,
/// `ranking`, `expander`, `sieves`, `table`, `limits` and `observer`. Its open list is made of the ranking by
/// `$make`.
macro_rules! incumbent_builder {
    (
        $Builder:ident<P $(, $Ranking:ident)?>,
        open_list: $list:ty, by $make:expr
        $(, where $bounded:ident: $bound:path)?,
        search: $Search:ident
    ) => {
        impl<P: SearchProblem $(, $Ranking)?, W, T, O> $Builder<P $(, $Ranking)?, W, T, O> {
            /// Sets the limits. A limit on the cost prunes here, as a solution of that cost would: states
            /// whose *f* is larger are set aside. If the limit is raised, the search continues with them. It
            /// finds the same cost and proves the same bound as without the limit; its counts may differ.
            pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
                self.limits = limits;
                self
            }

            /// Sets the observer, by value or as `&mut`.
            pub fn observer<N: Observer<P::State, P::Cost>>(
                self,
                observer: N,
            ) -> $Builder<P $(, $Ranking)?, W, T, N> {
                let Self { problem, ranking, expander, sieves, table, limits, .. } = self;
                $Builder { problem, ranking, expander, sieves, table, limits, observer }
            }

            /// Uses this table: [`HashedTable`](crate::table::HashedTable) (the default),
            /// [`DenseTable`](crate::table::DenseTable), or [one of your own](crate::table::Table). For more
            /// than 2³¹ − 1 states, its record must have ids of type `u64`:
            /// `HashedTable::<_, EstimateRecord<_, u64>>::default()`.
            pub fn table<N: TableFor<P::State, P::Cost>>(self, table: N) -> $Builder<P $(, $Ranking)?, W, N, O> {
                let Self { problem, ranking, expander, sieves, limits, observer, .. } = self;
                $Builder { problem, ranking, expander, sieves, table, limits, observer }
            }

            /// Uses a [`HashedTable`] with this hasher instead of that of rustc-hash.
            pub fn hasher<B: BuildHasher>(
                self,
                hasher: B,
            ) -> $Builder<
                P $(, $Ranking)?,
                W,
                HashedTable<P::State, EstimateRecord<P::Cost>, B>,
                O,
            > {
                self.table(HashedTable::with_hasher(hasher))
            }

            /// Uses a [`DenseTable`]: states are numbered by [`DenseStates`] and not hashed. The table keeps a
            /// clone of the problem for its numbering, so make the builder of a reference where a clone is
            /// expensive.
            pub fn dense(
                self,
            ) -> $Builder<P $(, $Ranking)?, W, DenseTable<P, EstimateRecord<P::Cost>>, O>
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
            /// where a clone is expensive.
            pub fn dominance(
                self,
            ) -> $Builder<P $(, $Ranking)?, W, DominanceTable<P, EstimateRecord<P::Cost>>, O>
            where
                P: Dominance + Clone,
            {
                let table = DominanceTable::new(self.problem.clone());
                self.table(table)
            }
        }

        impl<P: SearchProblem $(, $Ranking)?, T, O> $Builder<P $(, $Ranking)?, Buffered<P>, T, O> {
            /// Applies and undoes actions instead of generating copies, and copies only the successors
            /// that are new or reached at a smaller *g*. It is for large states with many duplicates among
            /// their successors. The report is the same, except for the bytes.
            pub fn in_place(self) -> $Builder<P $(, $Ranking)?, InPlace<P>, T, O>
            where
                P: InPlaceProblem,
            {
                let Self { problem, ranking, table, limits, observer, .. } = self;
                let expander = InPlace::new();
                $Builder { problem, ranking, expander, sieves: true, table, limits, observer }
            }
        }

        impl<P $(, $Ranking)?, W, T, O> $Builder<P $(, $Ranking)?, W, T, O>
        where
            P: SearchProblem,
            $($bounded: $bound,)?
            W: Expander<P>,
            T: TableFor<P::State, P::Cost>,
            O: Observer<P::State, P::Cost>,
        {
            /// Creates the search, from one start.
            #[must_use = "a search does nothing until it is run"]
            pub fn search(self, start: P::State) -> $Search<P $(, $Ranking)?, W, T, O> {
                self.search_from([(start, P::Cost::ZERO)])
            }

            /// Creates the search, from several starts, each with its initial cost *g*.
            #[must_use = "a search does nothing until it is run"]
            pub fn search_from(
                self,
                starts: impl IntoIterator<Item = (P::State, P::Cost)>,
            ) -> $Search<P $(, $Ranking)?, W, T, O> {
                let Self { problem, ranking, expander, sieves, table, limits, observer } = self;
                let starts = starts.into_iter().collect();
                let open_list: $list = $make(ranking);
                let policy = Pruning::new(expander, sieves);
                let engine =
                    IncumbentEngine::new((problem, ByArrival, policy), table, open_list, starts);
                Search::new(engine, limits, observer)
            }
        }
    };
}

pub(super) use incumbent_builder;
