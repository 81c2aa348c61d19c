//! [`AnyAngleRoute`]: routes that turn anywhere, not only from cell to cell.

mod sight;

use std::borrow::Borrow;
use std::fmt;

use super::{Cell, GridMap};
use crate::encode::encode_as;
use crate::problem::{SearchProblem, Successors};

/// A point on a map where a route with any angle may turn: the corner of a blocked cell, or the centre of a cell.
///
/// The cell in column *x* of row *y* covers the points from (*x*, *y*) to (*x* + 1, *y* + 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "StoredWaypoint")
)]
pub struct Waypoint {
    /// Twice the coordinates: even at corners, odd at centres.
    x: u32,
    y: u32,
}

impl Waypoint {
    /// Returns the centre of a cell.
    #[must_use]
    pub fn centre(cell: Cell) -> Self {
        Self { x: 2 * u32::from(cell.x) + 1, y: 2 * u32::from(cell.y) + 1 }
    }

    /// Twice the largest coordinate: that of the lower right corner of the largest map.
    const MOST: u32 = 2 * u16::MAX as u32;

    /// Returns the point of which these are twice the coordinates, if it is on a map or its border.
    fn at_halves(x: u32, y: u32) -> Option<Self> {
        (x.max(y) <= Self::MOST).then_some(Self { x, y })
    }

    /// Returns the cell of which this is the centre; `None` for a corner.
    #[must_use]
    pub fn cell(self) -> Option<Cell> {
        if self.x.is_multiple_of(2) || self.y.is_multiple_of(2) {
            return None;
        }
        let (x, y) = (u16::try_from(self.x / 2), u16::try_from(self.y / 2));
        Some(Cell { x: x.ok()?, y: y.ok()? })
    }

    /// Returns the column, from the left border of the map.
    #[must_use]
    pub fn x(self) -> f64 {
        f64::from(self.x) / 2.0
    }

    /// Returns the row, from the upper border of the map.
    #[must_use]
    pub fn y(self) -> f64 {
        f64::from(self.y) / 2.0
    }

    /// Returns the length of the straight line to another point.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        let (dx, dy) = (u64::from(self.x.abs_diff(other.x)), u64::from(self.y.abs_diff(other.y)));
        // Exact below 2⁵³: the root is that of the true sum.
        #[expect(clippy::cast_precision_loss, reason = "coordinates have at most 18 bits")]
        let square = (dx * dx + dy * dy) as f64;
        square.sqrt() / 2.0
    }
}

encode_as! {
    [] Waypoint as (u32, u32): |point| (point.x, point.y), |read| Self::at_halves(read.0, read.1), "a point on a map";
}

/// A point as it is stored, which may be nowhere.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct StoredWaypoint {
    x: u32,
    y: u32,
}

#[cfg(feature = "serde")]
impl TryFrom<StoredWaypoint> for Waypoint {
    type Error = String;

    fn try_from(StoredWaypoint { x, y }: StoredWaypoint) -> Result<Self, String> {
        let most = Self::MOST;
        let fault = || format!("a point has coordinates of at most {most}, not ({x}, {y})");
        Self::at_halves(x, y).ok_or_else(fault)
    }
}

impl fmt::Display for Waypoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x(), self.y())
    }
}

/// The problem of reaching one of several cells of a [`GridMap`] by straight lines of any angle.
///
/// States are points: the centres of the start and of the goals, and corners of blocked cells. A step is a straight
/// line between two points that see each other; it costs its length. A line may touch blocked cells and follow their borders. It
/// may not pass between two blocked cells that touch in a corner or along a side, nor leave the map. A shortest path for
/// a point turns only at corners of blocked cells (Lozano-Pérez and Wesley, An Algorithm for Planning Collision-Free
/// Paths Among Polyhedral Obstacles, 1979), so A\* on this problem finds a shortest of all paths, up to the rounding of
/// `f64`. It is never longer than the one of [`EightWay`](super::EightWay) moves.
///
/// A point expands to the corners that it sees and at which a shortest path may turn. They are found row by row, by the intervals
/// of directions that are free up to there; in time proportional to the cells in sight. (Harabor, Grastien, Öz and Aksakalli,
/// Optimal Any-Angle Pathfinding in Practice, 2016, search the intervals themselves.) Nothing is prepared, so the map may change
/// between searches. The heuristic is the straight line to the nearest goal. It is consistent.
///
/// ```
/// use bestfirst::AStar;
/// use bestfirst::problems::grid_map::{Cell, GridMap, Waypoint};
///
/// let map = GridMap::from_rows("\
/// .......
/// ..@@...
/// ..@@...
/// .......
/// ")?;
/// let (start, goal) = (Cell::new(0, 1), Cell::new(5, 1));
/// let route = map.any_angle_to([goal]);
/// let report = AStar::new(&route).search(Waypoint::centre(start)).run()?;
/// let path = report.path().expect("there is a path");
/// let points: Vec<_> = path.states().iter().map(|point| (point.x(), point.y())).collect();
/// assert_eq!(points, [(0.5, 1.5), (2.0, 1.0), (4.0, 1.0), (5.5, 1.5)]);
/// assert_eq!(format!("{:.3}", path.cost()), "5.162"); // by eight-way moves 5.828
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnyAngleRoute<G> {
    map: G,
    /// Only those that are free.
    goals: Vec<Waypoint>,
}

/// Rounding must not lift a heuristic value above a sum of lengths: these are rounded by less than this part of them.
const ROUNDING: f64 = 1e-9;

impl<G: Borrow<GridMap>> AnyAngleRoute<G> {
    /// Returns the problem of reaching one of the cells `goals` on a map, which may be owned, borrowed or shared. Goals that are
    /// blocked or not on the map cannot be reached.
    #[must_use]
    pub fn new(map: G, goals: impl IntoIterator<Item = Cell>) -> Self {
        let free = goals.into_iter().filter(|&goal| map.borrow().is_free(goal));
        let goals = free.map(Waypoint::centre).collect();
        Self { map, goals }
    }

    /// Returns the map.
    #[must_use]
    pub fn map(&self) -> &GridMap {
        self.map.borrow()
    }
}

impl<G: Borrow<GridMap>> SearchProblem for AnyAngleRoute<G> {
    type State = Waypoint;
    type Action = ();
    type Cost = f64;

    fn successors(&self, &point: &Waypoint, next: &mut Successors<Self>) {
        let Some(sight) = sight::Sight::new(self.map(), point) else { return };
        for &goal in &self.goals {
            if goal != point && sight.sees(goal) {
                next.push((), goal, point.distance(goal));
            }
        }
        sight.corners(|corner| next.push((), corner, point.distance(corner)));
    }

    fn heuristic(&self, &point: &Waypoint) -> f64 {
        let distances = self.goals.iter().map(|&goal| point.distance(goal));
        distances.fold(f64::INFINITY, f64::min) * (1.0 - ROUNDING)
    }

    fn is_goal(&self, point: &Waypoint) -> bool {
        self.goals.contains(point)
    }
}

impl GridMap {
    /// Returns the problem of reaching one of the cells `goals` by straight lines of any angle.
    #[must_use]
    pub fn any_angle_to(&self, goals: impl IntoIterator<Item = Cell>) -> AnyAngleRoute<&Self> {
        AnyAngleRoute::new(self, goals)
    }

    /// Whether a straight line leads from the centre of one free cell to that of another. See [`AnyAngleRoute`] for what
    /// a line may touch. Takes time in proportion to the cells on the line.
    #[must_use]
    pub fn sees(&self, from: Cell, to: Cell) -> bool {
        self.is_free(to)
            && sight::Sight::new(self, Waypoint::centre(from))
                .is_some_and(|sight| from == to || sight.sees(Waypoint::centre(to)))
    }

    /// Leaves out the cells of a path without which it leads along straight lines: of each run of cells that the first one
    /// sees, only the last is kept. For paths that exist; they become shorter, but not the shortest: see [`AnyAngleRoute`].
    ///
    /// Takes time in proportion to the number of cells and the length of the lines.
    ///
    /// ```
    /// use bestfirst::AStar;
    /// use bestfirst::problems::grid_map::{Cell, GridMap};
    ///
    /// let map = GridMap::from_rows(".....\n.....\n..@..\n")?;
    /// let (start, goal) = (Cell::new(0, 2), Cell::new(4, 1));
    /// let path = AStar::new(map.route_to(goal)).search(start).run()?.into_path().unwrap();
    /// let straight = map.straighten(path.states());
    /// assert_eq!((path.states().len(), straight.len()), (5, 3));
    /// assert_eq!((straight[0], straight[2]), (start, goal));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn straighten(&self, path: &[Cell]) -> Vec<Cell> {
        let mut kept: Vec<Cell> = path.first().copied().into_iter().collect();
        let mut last = 0;
        for (nth, &cell) in path.iter().enumerate().skip(1) {
            let from = kept[kept.len() - 1];
            if last + 1 < nth && !self.sees(from, cell) {
                kept.push(path[nth - 1]);
                last = nth - 1;
            }
            if nth == path.len() - 1 {
                kept.push(cell);
            }
        }
        kept
    }
}
