//! What the builders of the best-first engines have in common.

/// Implements the methods of a best-first builder `$Builder<P, R, T, F, O>`: a struct with the fields
/// `problem`, `order`, `table`, `frontier`, `limits` and `observer`. The records of its tables are `$Record`, and
/// its frontier is a `$Frontier` where it is not chosen.
macro_rules! best_first_builder {
    (
        $Builder:ident<P $(, $R:ident)?>,
        order: $Order:ty,
        frontier: $Frontier:ident,
        record: $Record:ident,
        search: $Search:ident
        $(, cost: $Cost:ident)?
    ) => {
        $crate::engine::builder::frontier_settings!(
            $Builder<P $(, $R)?>,
            order: $Order,
            frontier: $Frontier,
            record: $Record
        );

        $crate::engine::builder::dominance_setting!($Builder<P $(, $R)?; T, F; O>, record: $Record);

        $crate::engine::builder::search_methods!(
            $Builder<P $(, $R)?, T, F; O> -> $Search { problem, order, table, frontier },
            where {
                P: SearchProblem $(<Cost: $Cost>)?,
                $($R: crate::engine::Order<P::Cost>,)?
                T: crate::table::TableFor<P::State, P::Cost>,
                F: crate::frontier::Frontier<
                    crate::table::IdOf<T, P::State>,
                    <$Order as crate::engine::Order<P::Cost>>::Key,
                >,
            },
            engine: |starts| {
                let parts = (problem, order, Default::default());
                $crate::engine::driver::Driver::new(parts, table, frontier, starts)
            }
        );
    };
}

pub(in crate::engine) use best_first_builder;
