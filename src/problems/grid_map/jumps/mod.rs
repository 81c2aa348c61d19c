//! Jump points: routes on a map by long steps.

mod bits;
mod numbers;
mod route;

use std::marker::PhantomData;

use self::bits::BlockedBits;
use self::numbers::Numbers;
use super::{Cell, EightWay, EightWayFloat, GridMap, Length, MapError, Moves};

pub use route::{JumpPoint, JumpRoute};

/// The jump points of a [`GridMap`]: the turns of routes, with straight runs between them.
///
/// Many shortest paths between two cells differ only in the order of their steps. One of them
/// is enough: with diagonal steps first, and turns only where an obstacle ends. [`route_to`](Self::route_to) returns the
/// problem whose steps are whole runs, from one turn of such paths to the next. Its cheapest paths cost the same as
/// those of [`GridMap::route_to`], and it has far fewer states. All engines run on it;
/// [`cell_path`](JumpRoute::cell_path) converts its paths to paths of single steps.
///
/// It pays on maps with wide open spaces, but not with many scattered blocked cells. An expansion
/// takes longer than on the plain map: runs are computed on demand, 64 cells at a time. Preparing a map takes time
/// linear in the number of its cells, about 10 bits for each, and 6 bytes for each turn.
///
/// # The rule of diagonals
///
/// A diagonal step requires both cells beside it to be free. Therefore turns are not beside the last cell of an obstacle
/// but one cell after it, and a diagonal run has no turns of its own.
///
/// # Sources
///
/// Harabor and Grastien, *Online Graph Pruning for Pathfinding on Grid Maps*, 2011 (jump points); *Improving Jump
/// Point Search*, 2014 (scanning by blocks, and no states in the middle of diagonal runs).
///
/// # Example
///
/// ```
/// use bestfirst::AStar;
/// use bestfirst::problems::grid_map::{Cell, GridMap, JumpPoint, JumpPoints};
///
/// let map = GridMap::new(300, 200, |cell| cell.x != 150 || cell.y > 180)?;
/// let (start, goal) = (Cell::new(20, 30), Cell::new(280, 40));
/// let plain = AStar::new(map.route_to(goal)).dense().search(start).run()?;
///
/// let jumps = JumpPoints::new(&map)?;
/// let route = jumps.route_to(goal);
/// let report = AStar::new(route).dense().search(JumpPoint::start(start)).run()?;
/// assert_eq!(report.cost(), plain.cost());
/// assert!(report.stats.expanded < 10 && plain.stats.expanded > 10_000);
///
/// let steps = route.cell_path(report.path().unwrap())?;
/// assert_eq!(steps.cost(), plain.cost().unwrap());
/// steps.verify(&map.route_to(goal))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct JumpPoints<'m> {
    map: &'m GridMap,
    rows: BlockedBits,
    columns: BlockedBits,
    numbers: Numbers,
}

impl<'m> JumpPoints<'m> {
    /// Prepares a map for jumps.
    ///
    /// # Errors
    ///
    /// [`MapError::OutOfMemory`] if there is not enough memory.
    pub fn new(map: &'m GridMap) -> Result<Self, MapError> {
        let too_large = |fault| MapError::out_of_memory(map.height(), map.width(), fault);
        let rows = BlockedBits::rows(map).map_err(too_large)?;
        let columns = BlockedBits::columns(map).map_err(too_large)?;
        let numbers = Numbers::new(map, &rows, &columns).map_err(too_large)?;
        Ok(Self { map, rows, columns, numbers })
    }

    /// Returns the map.
    #[must_use]
    pub fn map(&self) -> &'m GridMap {
        self.map
    }

    /// Returns the problem of reaching `goal` by jumps, with the costs of [`EightWay`] moves.
    #[must_use]
    pub fn route_to(&self, goal: Cell) -> JumpRoute<'_> {
        self.route_by(goal)
    }

    /// Returns the problem of reaching `goal` by jumps, with the costs of the moves `M`.
    #[must_use]
    pub fn route_by<M: JumpMoves>(&self, goal: Cell) -> JumpRoute<'_, M> {
        JumpRoute { jumps: self, route: self.map.route_by(goal), moves: PhantomData }
    }
}

/// [`Moves`] whose steps can be combined to runs.
///
/// There must be diagonal steps. A diagonal step must cost at least one straight step and at most two.
pub trait JumpMoves: Moves {
    /// Returns the cost of these numbers of straight and diagonal steps.
    fn run(straight: u16, diagonal: u16) -> Self::Cost;
}

impl JumpMoves for EightWay {
    #[inline]
    fn run(straight: u16, diagonal: u16) -> Length {
        Length::run(straight, diagonal)
    }
}

impl JumpMoves for EightWayFloat {
    #[inline]
    fn run(straight: u16, diagonal: u16) -> f64 {
        f64::from(straight) + f64::from(diagonal) * std::f64::consts::SQRT_2
    }
}
