//! The ready problems, each by itself: what they read, their steps, heuristics and bounds.

mod amphipod;
mod crucible;
mod grid_map;
mod pancakes;
mod roads;
mod text;
mod tiles;
