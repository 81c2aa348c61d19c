//! Grid maps, and routes between their cells, as in games and puzzles.
//!
//! | map | cells | use it for |
//! |---|---|---|
//! | [`GridMap`] | free or blocked; all cost the same | `MovingAI` maps, large maps of games, jump points |
//! | [`TerrainMap`] | have integer or float costs | puzzles of letters, terrain, hexagons, corners that may be cut, agents of several sizes, one-way steps |
//!
//! They are two types because a uniform map takes two bytes for each cell, stores the exits of every cell, and can be
//! searched by jump points, which a map with costs cannot.
//!
//! # Uniform maps
//!
//! [`GridMap`] reads the `.map` files of the `MovingAI` benchmarks, [`Scenario`] their `.scen` files.
//! [`GridMap::route_to`] returns the problem of reaching a cell, a [`GridRoute`], that borrows the map;
//! [`GridRoute::new`] creates one that owns or shares it, in constant time. Its states are numbered densely, so one
//! search can be restarted for thousands of queries with the same memory.
//!
//! The moves are a parameter of the route, a type that implements [`Moves`]:
//!
//! | moves | steps | costs | heuristic |
//! |---|---|---|---|
//! | [`EightWay`], the default | straight 1, diagonal √2 | [`Length`], a fixed-point number | octile distance |
//! | [`EightWayFloat`] | the same | `f64` | octile distance |
//! | [`FourWay`] | straight 1 | `u32` | Manhattan distance |
//!
//! A diagonal step is allowed only if both cells beside it are free: no corner is cut. All three
//! heuristics are consistent.
//!
//! [`AnyAngleRoute`] turns at corners of blocked cells, by any angle: the shortest of all routes.
//!
//! [`JumpPoints`] find the same routes with far fewer and longer steps. For many queries on one map,
//! [landmarks](crate::heuristics::Landmarks) give better heuristics.
//!
//! # Example
//!
//! ```
//! use bestfirst::AStar;
//! use bestfirst::problems::grid_map::{Cell, FourWay, GridMap};
//!
//! let map: GridMap = "\
//! type octile
//! height 4
//! width 6
//! map
//! ......
//! .@@@..
//! ...@..
//! ......
//! ".parse()?;
//! let (start, goal) = (Cell::new(2, 2), Cell::new(5, 2));
//!
//! let report = AStar::new(map.route_to(goal)).dense().search(start).run()?;
//! let path = report.path().expect("there is a path");
//! assert_eq!(format!("{:.3}", path.cost()), "4.414"); // three straight steps, one diagonal
//! assert_eq!(map.draw_path(path.states()), "\
//! ......
//! .@@@..
//! ..*@.*
//! ..***.
//! ");
//!
//! let route = map.route_by::<FourWay>(goal);
//! assert_eq!(AStar::new(route).dense().search(start).run()?.cost(), Some(5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any_angle;
mod around;
mod error;
mod jumps;
mod map;
mod moves;
mod parse;
mod route;
mod scenario;
mod terrain;

use std::fmt;

pub use any_angle::{AnyAngleRoute, Waypoint};
pub use around::CellsAround;
pub use error::MapError;
pub use jumps::{JumpMoves, JumpPoint, JumpPoints, JumpRoute};
pub use map::GridMap;
pub use moves::{EightWay, EightWayFloat, FourWay, Length, Moves};
pub use route::GridRoute;
pub use scenario::{Query, Scenario};
pub use terrain::{
    Corners, Movement, Terrain, TerrainCost, TerrainCosts, TerrainMap, TerrainRoute,
};

use crate::encode::encode_as;

/// A cell of a map: its column and its row, both from 0 at the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// The column, from the left.
    pub x: u16,
    /// The row, from the top.
    pub y: u16,
}

impl Cell {
    /// Returns the cell in column `x` of row `y`.
    #[must_use]
    pub fn new(x: u16, y: u16) -> Self {
        Self { x, y }
    }
}

encode_as! {
    [] Cell as (u16, u16): |cell| (cell.x, cell.y), |read| Some(Self { x: read.0, y: read.1 }), "a cell";
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}
