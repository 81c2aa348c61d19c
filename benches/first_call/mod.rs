//! The time of a user's first call: own state types, closures and lists, and `solve` or `dijkstra` with the defaults.
//!
//! There is no ready problem, no `.dense()` and no builder. The other crates are called with the same closures, as in
//! the first example of their documentation.

mod boards;
mod ends;
mod grids;
mod mazes;
mod roads;
mod short;
mod tour;
mod unit_steps;

use crate::support::contest::Bench;

/// All cases.
pub fn cases(bench: &mut Bench) {
    grids::crucibles(bench);
    boards::tiles(bench);
    boards::tiles_by_idastar(bench);
    boards::nearly_solved(bench);
    short::graph(bench);
    short::yard(bench);
    short::names(bench);
    short::complete(bench);
    short::levels(bench);
    grids::arena(bench);
    grids::lazy_arena(bench);
    grids::floats(bench);
    grids::lazy_floats(bench);
    grids::doubles(bench);
    grids::lazy_doubles(bench);
    roads::new_york(bench);
    tour::tour(bench);
    unit_steps::bytes(bench);
    unit_steps::strings(bench);
    unit_steps::cells(bench);
    unit_steps::knights(bench);
    unit_steps::jugs(bench);
    mazes::to_the_exit(bench);
    mazes::to_all(bench);
    mazes::nearest(bench);
    mazes::listed(bench);
    ends::locks(bench);
    ends::ways(bench);
}
