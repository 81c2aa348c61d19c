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
            /// Sets the limits. A highest cost is more than a limit here: states that cost more are set
            /// aside, so it prunes as well as a solution of that cost would. If it is raised, the search
            /// goes on with what was set aside, and proves the same; its counts may differ.
            pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
                self.limits = limits;
                self
            }

            /// Reports to `observer` (owned, or a `&mut`) what happens in the search.
            pub fn observer<N: Observer<P::State, P::Cost>>(
                self,
                observer: N,
            ) -> $Builder<P $(, $Ranking)?, W, T, N> {
                let Self { problem, ranking, expander, sieves, table, limits, .. } = self;
                $Builder { problem, ranking, expander, sieves, table, limits, observer }
            }

            /// Applies and undoes actions instead of generating copies, and copies only the successors
            /// that are new or reached at a lower cost: for large states, most of whose successors are
            /// duplicates. The report is the same, but for the bytes.
            pub fn in_place(self) -> $Builder<P $(, $Ranking)?, InPlace<P>, T, O>
            where
                P: InPlaceProblem,
            {
                let Self { problem, ranking, table, limits, observer, .. } = self;
                let expander = InPlace::new();
                $Builder { problem, ranking, expander, sieves: true, table, limits, observer }
            }

            /// Uses this table: [`HashedTable`](crate::table::HashedTable) (the default),
            /// [`DenseTable`](crate::table::DenseTable), or [one of your own](crate::table::Table).
            pub fn table<N: TableFor<P::State, P::Cost>>(self, table: N) -> $Builder<P $(, $Ranking)?, W, N, O> {
                let Self { problem, ranking, expander, sieves, limits, observer, .. } = self;
                $Builder { problem, ranking, expander, sieves, table, limits, observer }
            }

            /// Uses this hasher instead of the one of rustc-hash.
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

            /// Numbers the states by [`DenseStates`] instead of hashing them. The table keeps a copy of
            /// the problem for its numbering, so pass a reference where a copy is expensive.
            pub fn dense(
                self,
            ) -> $Builder<P $(, $Ranking)?, W, DenseTable<P, EstimateRecord<P::Cost>>, O>
            where
                P: DenseStates + Clone,
            {
                let table = DenseTable::new(self.problem.clone());
                self.table(table)
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
            /// A search from one start.
            #[must_use = "a search does nothing until it is run"]
            pub fn search(self, start: P::State) -> $Search<P $(, $Ranking)?, W, T, O> {
                self.search_from([(start, P::Cost::ZERO)])
            }

            /// A search from several starts, each with what it costs to get there.
            #[must_use = "a search does nothing until it is run"]
            pub fn search_from(
                self,
                starts: impl IntoIterator<Item = (P::State, P::Cost)>,
            ) -> $Search<P $(, $Ranking)?, W, T, O> {
                let Self { problem, ranking, expander, sieves, table, limits, observer } = self;
                let starts = starts.into_iter().collect();
                let open_list: $list = $make(ranking);
                let engine =
                    IncumbentEngine::new(problem, table, open_list, (expander, sieves), starts);
                Search::new(engine, limits, observer)
            }
        }
    };
}

pub(super) use incumbent_builder;
