//! Problems as a user would first write them: own types of states, closures, lists; no ready problem, no
//! `.dense()`, no builder. The rivals are called as the first example of their documentation calls them,
//! with the same closures.

mod boards;
mod grids;
mod roads;
mod tour;

use crate::support::contest::Bench;

/// All cases.
pub fn cases(bench: &mut Bench) {
    grids::crucibles(bench);
    boards::tiles(bench);
    boards::tiles_by_idastar(bench);
    grids::arena(bench);
    grids::floats(bench);
    roads::new_york(bench);
    tour::tour(bench);
}
