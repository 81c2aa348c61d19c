//! What the builders of all engines with an incumbent have in common.

/// Implements the methods of a builder `$Builder<P, R, W, T, O>`: a struct with the fields `problem`,
/// `ranking`, `expander`, `sieves`, `table`, `limits` and `observer`. Its open list is made of the ranking by
/// `$make`.
macro_rules! incumbent_builder {
    (
        $Builder:ident<P $(, $Ranking:ident)?>,
        ranking: $Kind:ty,
        open_list: $list:ty, by $make:expr
        $(, where $bounded:ident: $bound:path)?,
        search: $Search:ident
    ) => {
        $crate::engine::builder::table_settings!(
            $Builder<P $(, $Ranking)?, W; T; O> { problem, ranking, expander, sieves },
            record: EstimateRecord,
            dense: EstimateRecord,
            table: "For more than 2³¹ − 1 states, its record must have ids of type `u64`: \
                `HashedTable::<_, EstimateRecord<_, u64>>::default()`.",
            limits: "A limit on the cost prunes here, as a solution of that cost would: states \
                whose *f* is larger are set aside. If the limit is raised, the search continues with them. It \
                finds the same cost and proves the same bound as without the limit; its counts may differ."
        );

        $crate::engine::builder::dominance_setting!(
            $Builder<P $(, $Ranking)?, W; T; O>,
            record: EstimateRecord
        );

        impl<P: SearchProblem $(, $Ranking)?, T: Default> $Builder<P $(, $Ranking)?, Buffered<P>, T> {
            /// A builder with the defaults of everything else.
            fn of(problem: P, ranking: $Kind) -> Self {
                let (expander, table) = (Buffered::new(), T::default());
                let limits = Limits::new();
                Self { problem, ranking, expander, sieves: false, table, limits, observer: () }
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

        $crate::engine::builder::search_methods!(
            $Builder<P $(, $Ranking)?, W, T; O> -> $Search { problem, ranking, expander, sieves, table },
            where {
                P: SearchProblem,
                $($bounded: $bound,)?
                W: Expander<P>,
                T: TableFor<P::State, P::Cost>,
            },
            engine: |starts| {
                let open_list: $list = $make(ranking);
                let parts = (problem, ByArrival, Pruning::new(expander, sieves));
                IncumbentEngine::new(parts, table, open_list, starts)
            }
        );
    };
}

pub(super) use incumbent_builder;
