//! Grids: the crucible, and maps of games.

use std::hint::black_box;

use bestfirst::problems::crucible::HeatMap;
use bestfirst::problems::grid_map::{Cell, GridMap, Scenario};
use ordered_float::OrderedFloat;

use crate::handwritten::closures;
use crate::support::contest::{Answer, Bench, Case, Side};
use crate::support::data;

/// A crucible with at most three blocks in one direction.
struct City {
    heat: Vec<Vec<u32>>,
}

/// The position of a crucible and its last run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Crucible {
    row: usize,
    column: usize,
    heading: Option<Heading>,
    /// The number of blocks it has moved in that direction.
    blocks: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Heading {
    North,
    East,
    South,
    West,
}

impl Heading {
    const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    fn is_back(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::North, Self::South)
                | (Self::South, Self::North)
                | (Self::East, Self::West)
                | (Self::West, Self::East)
        )
    }
}

impl City {
    fn new(size: usize) -> Self {
        let map = HeatMap::random(size, size, 17).expect("it is not too large");
        let text = map.to_string();
        let row = |line: &str| line.chars().filter_map(|digit| digit.to_digit(10)).collect();
        Self { heat: text.lines().map(row).collect() }
    }

    fn successors(&self, at: &Crucible) -> Vec<(Crucible, u32)> {
        let mut next = Vec::new();
        for heading in Heading::ALL {
            let is_straight = at.heading == Some(heading);
            if is_straight && at.blocks == 3 || at.heading.is_some_and(|old| old.is_back(heading)) {
                continue;
            }
            let (row, column) = match heading {
                Heading::North => (at.row.wrapping_sub(1), at.column),
                Heading::East => (at.row, at.column + 1),
                Heading::South => (at.row + 1, at.column),
                Heading::West => (at.row, at.column.wrapping_sub(1)),
            };
            let Some(&loss) = self.heat.get(row).and_then(|row| row.get(column)) else { continue };
            let blocks = if is_straight { at.blocks + 1 } else { 1 };
            next.push((Crucible { row, column, heading: Some(heading), blocks }, loss));
        }
        next
    }

    fn distance(&self, at: &Crucible) -> u32 {
        let blocks = self.heat.len() - 1 - at.row + self.heat[0].len() - 1 - at.column;
        u32::try_from(blocks).expect("a small map")
    }

    fn is_end(&self, at: &Crucible) -> bool {
        at.row + 1 == self.heat.len() && at.column + 1 == self.heat[0].len()
    }
}

const START: Crucible = Crucible { row: 0, column: 0, heading: None, blocks: 0 };

pub fn crucibles(bench: &mut Bench) {
    let sizes = if bench.options.quick { vec![141] } else { vec![141, 300, 600] };
    for size in sizes {
        let name = format!("first call: crucible {size}×{size}, A*");
        if !bench.wants(&name) {
            continue;
        }
        let city = City::new(size);
        let case = Case::new(name)
            .contestant(Side::Ours, "solve", |_| {
                let mut answer = Answer::default();
                let report = bestfirst::solve(
                    START,
                    |at| city.successors(at),
                    |at| city.distance(at),
                    |at| city.is_end(at),
                );
                let report = report.expect("the loss fits");
                answer.add_ours(report.cost(), &report.stats);
                answer
            })
            .contestant(Side::Rival, "pathfinding", |_| {
                let mut answer = Answer::default();
                let found = pathfinding::prelude::astar(
                    &START,
                    |at| city.successors(at),
                    |at| city.distance(at),
                    |at| city.is_end(at),
                );
                let (path, loss) = found.expect("there is a way");
                black_box(path);
                answer.add(Some(loss.into()), 0, 0);
                answer
            })
            .contestant(Side::Handwritten, "by hand", |_| {
                let mut answer = Answer::default();
                let found = closures::astar(
                    START,
                    |at| city.successors(at),
                    |at| city.distance(at),
                    |at| city.is_end(at),
                );
                let (path, loss, [expanded, stored]) = found.expect("there is a way");
                black_box(path);
                answer.add(Some(loss.into()), expanded, stored);
                answer
            });
        bench.run(case);
    }
}

/// A map with moves in eight directions.
///
/// Each contestant has its own type, as it would have in its own program, so that the compiler inlines for each
/// separately.
struct WalkableMap<const CONTESTANT: u8> {
    is_free: Vec<Vec<bool>>,
}

type Place = (i32, i32);

impl<const CONTESTANT: u8> WalkableMap<CONTESTANT> {
    /// The map, and the queries of its scenario.
    fn read(name: &str) -> Option<(Self, Vec<(Place, Place)>)> {
        let map: GridMap = data::text(&format!("movingai/{name}.map"))?.parse().expect("a map");
        let scenario: Scenario =
            data::text(&format!("movingai/{name}.map.scen"))?.parse().expect("a scenario");
        let (width, height) = (map.width(), map.height());
        let row = |y| (0..width).map(|x| map.is_free(Cell::new(x, y))).collect();
        let is_free = (0..height).map(row).collect();
        let place = |cell: Cell| (i32::from(cell.x), i32::from(cell.y));
        let queries =
            scenario.queries.iter().map(|query| (place(query.start), place(query.goal))).collect();
        Some((Self { is_free }, queries))
    }

    fn is_free(&self, (x, y): Place) -> bool {
        let row = usize::try_from(y).ok().and_then(|y| self.is_free.get(y));
        let cell = usize::try_from(x).ok().and_then(|x| row?.get(x));
        cell.copied().unwrap_or(false)
    }

    /// Returns the free neighbours of a place without cutting corners, and whether each step is diagonal.
    fn neighbours(&self, (x, y): Place) -> impl Iterator<Item = (Place, bool)> + '_ {
        let around = (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| (dx, dy)));
        around.filter(|&step| step != (0, 0)).filter_map(move |(dx, dy)| {
            let is_open = self.is_free((x + dx, y + dy))
                && self.is_free((x + dx, y))
                && self.is_free((x, y + dy));
            is_open.then_some(((x + dx, y + dy), dx != 0 && dy != 0))
        })
    }
}

impl<const CONTESTANT: u8> WalkableMap<CONTESTANT> {
    /// The same map for another contestant.
    fn of<const OTHER: u8>(&self) -> WalkableMap<OTHER> {
        WalkableMap { is_free: self.is_free.clone() }
    }

    /// Returns the free neighbours of a place and the lengths of the steps.
    fn list<L: Length>(&self, place: Place) -> Vec<(Place, L)> {
        self.lazy(place).collect()
    }

    fn lazy<L: Length>(&self, place: Place) -> impl Iterator<Item = (Place, L)> {
        let length = |is_diagonal| if is_diagonal { L::DIAGONAL } else { L::STRAIGHT };
        self.neighbours(place).map(move |(place, is_diagonal)| (place, length(is_diagonal)))
    }

    fn wrapped_list<L: Length>(&self, place: Place) -> Vec<(Place, OrderedFloat<L>)> {
        self.lazy_wrapped(place).collect()
    }

    fn lazy_wrapped<L: Length>(
        &self,
        place: Place,
    ) -> impl Iterator<Item = (Place, OrderedFloat<L>)> {
        self.lazy(place).map(|(place, length)| (place, OrderedFloat(length)))
    }
}

/// The length of a step: in hundredths if it is a whole number.
trait Length: Copy {
    const STRAIGHT: Self;
    const DIAGONAL: Self;
}

impl Length for u32 {
    const STRAIGHT: Self = 100;
    const DIAGONAL: Self = 141;
}

impl Length for f32 {
    const STRAIGHT: Self = 1.0;
    const DIAGONAL: Self = std::f32::consts::SQRT_2;
}

impl Length for f64 {
    const STRAIGHT: Self = 1.0;
    const DIAGONAL: Self = std::f64::consts::SQRT_2;
}

/// Returns the numbers of straight and diagonal steps between two places on an empty map.
fn steps(from: Place, to: Place) -> (u32, u32) {
    let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
    (dx.abs_diff(dy), dx.min(dy))
}

/// Searches so short that the setup before the first expansion dominates. Successors are lists, or iterators.
macro_rules! arena {
    ($name:ident, $case:literal, $first:literal, $second:literal, $third:literal, $successors:ident) => {
        pub fn $name(bench: &mut Bench) {
            const NAME: &str = $case;
            if !bench.wants(NAME) {
                return;
            }
            let Some((map, queries)) = WalkableMap::<$first>::read("arena") else { return };
            let (of_rival, by_hand) = (map.of::<$second>(), map.of::<$third>());
            let queries = &queries[..queries.len().min(160)];
            let estimate = |from, to| {
                let (straight, diagonal) = steps(from, to);
                straight * 100 + diagonal * 141
            };
            let case = Case::new(NAME)
                .contestant(Side::Ours, "solve", |_| {
                    let mut answer = Answer::default();
                    for &(start, end) in queries {
                        let report = bestfirst::solve(
                            start,
                            |&at| map.$successors(at),
                            |&at| estimate(at, end),
                            |&at| at == end,
                        );
                        let report = report.expect("the length fits");
                        answer.add_ours(report.cost(), &report.stats);
                    }
                    answer
                })
                .contestant(Side::Rival, "pathfinding", |_| {
                    let mut answer = Answer::default();
                    for &(start, end) in queries {
                        let found = pathfinding::prelude::astar(
                            &start,
                            |&at| of_rival.$successors(at),
                            |&at| estimate(at, end),
                            |&at| at == end,
                        );
                        let (path, length) = found.expect("there is a way");
                        black_box(path);
                        answer.add(Some(length.into()), 0, 0);
                    }
                    answer
                })
                .contestant(Side::Handwritten, "by hand", |_| {
                    let mut answer = Answer::default();
                    for &(start, end) in queries {
                        let found = closures::astar(
                            start,
                            |&at| by_hand.$successors(at),
                            |&at| estimate(at, end),
                            |&at| at == end,
                        );
                        let (path, length, [expanded, stored]) = found.expect("there is a way");
                        black_box(path);
                        answer.add(Some(length.into()), expanded, stored);
                    }
                    answer
                });
            bench.run(case);
        }
    };
}

arena! { arena, "first call: 160 tiny queries on the map arena, A*", 0, 1, 2, list }
arena! {
    lazy_arena, "first call: 160 tiny queries on the map arena, by iterators, A*", 6, 7, 8, lazy
}

/// A map with lengths that are floats. The rival needs a total order, so its lengths are wrapped.
macro_rules! floats {
    (
        $name:ident: $float:ty, $case:literal, $first:literal, $second:literal, $third:literal,
        $successors:ident, $wrapped:ident
    ) => {
        pub fn $name(bench: &mut Bench) {
            const NAME: &str = $case;
            if !bench.wants(NAME) {
                return;
            }
            let Some((map, queries)) = WalkableMap::<$first>::read("brc202d") else { return };
            let (of_rival, by_hand) = (map.of::<$second>(), map.of::<$third>());
            let count = if bench.options.quick { 4 } else { 30 };
            let queries: Vec<_> = queries.into_iter().rev().step_by(20).take(count).collect();
            // Slightly below the distance, whose sums round differently.
            let estimate = |from, to| {
                let (straight, diagonal) = steps(from, to);
                let number = |steps| <$float>::from(u16::try_from(steps).expect("a small map"));
                (number(straight) + number(diagonal) * <$float>::DIAGONAL) * 0.9999
            };
            // The sums of rounded numbers differ, so only whole steps are compared.
            let whole = |length: f64| Some(format!("{length:.0}").parse().expect("a whole number"));
            let case = Case::new(NAME)
                .contestant(Side::Ours, "solve", |_| {
                    let mut answer = Answer::default();
                    let mut sum = 0.0;
                    for &(start, end) in &queries {
                        let report = bestfirst::solve(
                            start,
                            |&at| map.$successors(at),
                            |&at| estimate(at, end),
                            |&at| at == end,
                        );
                        let report = report.expect("the length fits");
                        sum += Into::<f64>::into(report.cost().expect("there is a way"));
                        answer.add_ours(None::<u64>, &report.stats);
                    }
                    answer.add(whole(sum), 0, 0);
                    answer
                })
                .contestant(Side::Rival, "pathfinding", |_| {
                    let mut answer = Answer::default();
                    let mut sum = 0.0;
                    for &(start, end) in &queries {
                        let found = pathfinding::prelude::astar(
                            &start,
                            |&at| of_rival.$wrapped(at),
                            |&at| OrderedFloat(estimate(at, end)),
                            |&at| at == end,
                        );
                        let (path, length) = found.expect("there is a way");
                        black_box(path);
                        sum += Into::<f64>::into(length.0);
                    }
                    answer.add(whole(sum), 0, 0);
                    answer
                })
                .contestant(Side::Handwritten, "by hand", |_| {
                    let mut answer = Answer::default();
                    let mut sum = 0.0;
                    for &(start, end) in &queries {
                        let found = closures::astar(
                            start,
                            |&at| by_hand.$successors(at),
                            |&at| estimate(at, end),
                            |&at| at == end,
                        );
                        let (path, length, [expanded, stored]) = found.expect("there is a way");
                        black_box(path);
                        sum += Into::<f64>::into(length);
                        answer.add(None, expanded, stored);
                    }
                    answer.add(whole(sum), 0, 0);
                    answer
                });
            bench.run(case);
        }
    };
}

floats! {
    floats: f32, "first call: long queries on the map brc202d, costs f32, A*", 3, 4, 5, list, wrapped_list
}
floats! {
    lazy_floats: f32, "first call: long queries on the map brc202d, costs f32, by iterators, A*", 9, 10, 11,
    lazy, lazy_wrapped
}
floats! {
    doubles: f64, "first call: long queries on the map brc202d, costs f64, A*", 12, 13, 14, list, wrapped_list
}
floats! {
    lazy_doubles: f64, "first call: long queries on the map brc202d, costs f64, by iterators, A*", 15, 16, 17,
    lazy, lazy_wrapped
}
