//! Converts a search into a panel of a picture.

use std::collections::TryReserveError;
use std::ops::RangeInclusive;

use bestfirst::PathOf;
use bestfirst::problems::crucible::Crucible;
use pictures::{Panel, Scale};
use program::thousands;

use super::solvers::Run;
use super::text::range_text;
use super::watch::Watch;

/// The panel of a search: the map, or with `expansions` the order of the expansions.
pub fn panel(
    crucible: &Crucible,
    range: &RangeInclusive<u32>,
    run: &Run,
    watch: &Watch<'_>,
    expansions: bool,
) -> Result<Panel, TryReserveError> {
    let map = crucible.map();
    let loss = run.report.cost().map_or_else(|| "no way".to_owned(), |loss| format!("loss {loss}"));
    let range = range_text(range);
    let expanded = thousands(run.report.stats.expanded);
    let (title, scale) = if expansions {
        (run.title.clone(), Scale::Order)
    } else {
        (format!("runs of {range}: {loss}"), Scale::Heat)
    };
    let values = if expansions {
        let mut values = Vec::new();
        values.try_reserve_exact(map.rows() * map.columns())?;
        values.extend(watch.order());
        values
    } else {
        heat_map(crucible)?
    };
    let subtitle = if expansions {
        format!("{expanded} expanded; {loss}")
    } else {
        format!("{}: {expanded} expanded", run.title)
    };
    let path = run.report.path().map_or_else(Vec::new, |path| entered_blocks(crucible, path));
    let (rows, columns) = (map.rows(), map.columns());
    Ok(Panel { title, subtitle, rows, columns, values, scale, path, others: Vec::new() })
}

/// The losses of all blocks.
pub fn heat_map(crucible: &Crucible) -> Result<Vec<Option<f64>>, TryReserveError> {
    let map = crucible.map();
    let mut values = Vec::new();
    values.try_reserve_exact(map.rows() * map.columns())?;
    values.extend(map.rows_iter().flatten().map(|&loss| Some(f64::from(loss))));
    Ok(values)
}

/// The blocks of a path, the first one included.
pub fn entered_blocks(crucible: &Crucible, path: &PathOf<Crucible>) -> Vec<(usize, usize)> {
    let entered = crucible.blocks(path).map(|(row, column, _)| (row, column));
    std::iter::once((0, 0)).chain(entered).collect()
}
