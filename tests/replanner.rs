//! Replanning, compared with a fresh search after every change.

#[path = "oracle/random.rs"]
mod random;

use std::cell::Cell as Shared;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bestfirst::problems::grid_map::{
    Cell, EightWay, EightWayFloat, FourWay, GridMap, GridRoute, Moves,
};
use bestfirst::{
    AStar, CancelToken, Cost, DenseStates, Dijkstra, Limits, Outcome, Replanner, ReplannerSearch,
    Reversible, SearchError, SearchProblem, StopReason, Successors,
};

use random::{Random, Scale, Units, bellman_ford};

/// Expansions in all, by replanning and by fresh searches.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    first: u64,
    replanned: u64,
    fresh: u64,
    replanned_generated: u64,
    fresh_generated: u64,
}

fn random_cell(random: &mut Random, map: &GridMap) -> Cell {
    let column = u16::try_from(random.index(map.width().into())).unwrap();
    let row = u16::try_from(random.index(map.height().into())).unwrap();
    Cell::new(column, row)
}

/// Changes one cell in a hundred along the path, again and again, and walks if `walks`. After each change, compares
/// with A* on a copy of the map.
fn check_grid<M: Moves>(
    map: GridMap,
    (start, goal): (Cell, Cell),
    is_consistent: bool,
    walks: bool,
    changes: usize,
    seed: u64,
) -> Work
where
    GridRoute<GridMap, M>: Clone,
{
    let mut random = Random::new(seed);
    let mut blocked: Vec<Cell> = Vec::new();
    let mut at = start;
    let builder = Replanner::new(GridRoute::<_, M>::new(map, goal)).dense();
    let builder = if is_consistent { builder.consistent() } else { builder };
    let mut search = builder.search(start);
    let mut path = search.run().unwrap().into_path();
    let mut work = Work { first: search.stats().expanded, ..Work::default() };
    for change in 0..changes {
        // Where there was no path, cells are freed until there is one again.
        let cells = path.as_ref().map_or(&[][..], |path| path.states());
        let count = (cells.len() / 100).max(1);
        if walks && cells.len() > 1 {
            at = cells[1];
            search.moved_to(&at);
        }
        if at == goal {
            at = start;
            search.moved_to(&at);
        }
        let mut chosen = Vec::new();
        for _ in 0..count {
            // As many are freed as are blocked, so that the map stays as it is on the whole.
            if blocked.len() > 3 * count || cells.len() < 3 {
                if blocked.is_empty() {
                    continue;
                }
                let cell = blocked.swap_remove(random.index(blocked.len()));
                chosen.push((cell, true));
            } else {
                let cell = cells[1 + random.index(cells.len() - 2)];
                if cell != at && cell != goal && cell != start {
                    chosen.push((cell, false));
                }
            }
        }
        for (cell, free) in chosen {
            if !free && search.problem().map().is_free(cell) {
                blocked.push(cell);
            }
            for near in search.problem_mut().set_free(cell, free) {
                search.changed(&near);
            }
        }
        let report = search.run().unwrap();
        let route = search.problem();
        let fresh = AStar::new(route).dense().search(at).run().unwrap();
        assert_eq!(report.cost().is_some(), fresh.cost().is_some(), "change {change}");
        if let (Some(path), Some(cost)) = (report.path(), fresh.cost()) {
            assert_eq!(path.start(), &at);
            path.verify(route).unwrap();
            let differs = path.cost().exceeds(cost) || cost.exceeds(path.cost());
            assert!(!differs, "change {change}: {:?}, and afresh {cost:?}", path.cost());
            assert!(report.is_optimal());
        } else {
            assert_eq!(report.outcome, Outcome::Exhausted);
        }
        work.replanned += report.stats.expanded;
        work.replanned_generated += report.stats.generated;
        work.fresh += fresh.stats.expanded;
        work.fresh_generated += fresh.stats.generated;
        path = report.into_path();
    }
    work
}

/// A map of which one cell in `one_in` is blocked.
fn strewn(width: u16, height: u16, percent: u64, seed: u64) -> GridMap {
    let mut random = Random::new(seed);
    GridMap::new(width, height, |cell| {
        let is_end = cell == Cell::new(1, 1) || cell == Cell::new(width - 2, height - 2);
        is_end || random.below(100) >= percent
    })
    .unwrap()
}

#[test]
fn a_thousand_changes_along_the_path_cost_the_same_as_afresh() {
    for percent in [0, 10, 20, 30, 35] {
        for walks in [false, true] {
            for consistent in [false, true] {
                let map = || strewn(120, 80, percent, percent);
                let ends = (Cell::new(1, 1), Cell::new(118, 78));
                let a = check_grid::<FourWay>(map(), ends, consistent, walks, 1000, 1);
                let b = check_grid::<EightWay>(map(), ends, consistent, walks, 1000, 2);
                let c = check_grid::<EightWayFloat>(map(), ends, consistent, walks, 1000, 3);
                println!("{percent} {walks} {consistent}:\n   {a:?}\n   {b:?}\n   {c:?}");
            }
        }
    }
}
