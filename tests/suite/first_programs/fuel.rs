//! Units on a map of hexagons. Each has points for a turn, and what is left at its end is lost. Where is a unit soonest, what
//! can it reach in this turn, how near does it come, and which way do all units go?

use std::collections::HashMap;
use std::error::Error;

use bestfirst::problems::grid_map::{Cell, Movement, Terrain, TerrainMap};
use bestfirst::{AStar, Cost, Dijkstra, Dominance, Limits, Reversed, SearchProblem, Successors};

#[derive(Clone, Copy)]
struct Kind {
    points: u32,
    road: u32,
    wood: Option<u32>,
    water: Option<u32>,
}

const KINDS: [Kind; 3] = [
    Kind { points: 4, road: 1, wood: Some(2), water: None },
    Kind { points: 7, road: 1, wood: None, water: None },
    Kind { points: 5, road: 2, wood: Some(4), water: Some(1) },
];

/// Turns that begin on the way, then points.
type Price = (u32, u32);

/// Where a unit is, and how many points it has left in this turn.
type Unit = (Cell, u32);

struct March<'a, F> {
    map: &'a TerrainMap<u32>,
    points: u32,
    goal: Cell,
    /// The points from a cell to the goal.
    to_goal: F,
}

fn around(Cell { x, y }: Cell) -> [Cell; 6] {
    let (left, right) = if y % 2 == 0 { (x.wrapping_sub(1), x) } else { (x, x + 1) };
    let above = y.wrapping_sub(1);
    let cells = [
        (x.wrapping_sub(1), y),
        (x + 1, y),
        (left, above),
        (right, above),
        (left, y + 1),
        (right, y + 1),
    ];
    cells.map(|(x, y)| Cell::new(x, y))
}

impl<F: Fn(Cell) -> Option<u32>> SearchProblem for March<'_, F> {
    type State = Unit;
    type Action = ();
    type Cost = Price;

    fn successors(&self, &(cell, left): &Unit, next: &mut Successors<Self>) {
        for to in around(cell) {
            let Some(cost) = self.map.cost(to) else { continue };
            if cost <= left {
                next.push((), (to, left - cost), (0, cost));
            } else if cost <= self.points {
                next.push((), (to, self.points - cost), (1, cost));
            }
        }
    }

    fn heuristic(&self, &(cell, left): &Unit) -> Price {
        (self.to_goal)(cell).map_or(Price::INFINITY, |points| {
            (points.saturating_sub(left).div_ceil(self.points), points)
        })
    }

    fn is_goal(&self, &(cell, _): &Unit) -> bool {
        cell == self.goal
    }
}

impl<F: Fn(Cell) -> Option<u32>> Dominance for March<'_, F> {
    type Key = Cell;

    fn key(&self, &(cell, _): &Unit) -> Cell {
        cell
    }

    fn dominates(&self, &(_, left): &Unit, &(_, other): &Unit) -> bool {
        left >= other
    }
}

/// The least prices from a unit to all states, until nothing changes.
fn all_prices(map: &TerrainMap<u32>, points: u32, start: Unit) -> HashMap<Unit, Price> {
    let mut prices = HashMap::from([(start, (0, 0))]);
    loop {
        let before = prices.clone();
        for (&(cell, left), &(turns, paid)) in &before {
            for to in around(cell) {
                let Some(cost) = map.cost(to).filter(|cost| *cost <= points) else { continue };
                let (rest, turn) = if cost <= left { (left - cost, 0) } else { (points - cost, 1) };
                let price = prices.entry((to, rest)).or_insert((u32::MAX, 0));
                *price = (*price).min((turns + turn, paid + cost));
            }
        }
        if prices == before {
            return prices;
        }
    }
}

#[test]
fn units_with_points_for_a_turn() -> Result<(), Box<dyn Error>> {
    const SIZE: u16 = 10;
    let mut random = super::numbers(11);
    for round in 0..12 {
        let mut rows = String::new();
        for _ in 0..SIZE {
            rows.extend((0..SIZE).map(|_| ['.', '.', '.', 'w', '~', '#'][random(6)]));
            rows.push('\n');
        }
        let kind = KINDS[round % KINDS.len()];
        let map = TerrainMap::from_rows(&rows, |letter| {
            let cost = match letter {
                '.' => Some(kind.road),
                'w' => kind.wood,
                '~' => kind.water,
                '#' => None,
                _ => return Terrain::Unknown,
            };
            cost.map_or(Terrain::Blocked, Terrain::Cost)
        })?;
        let free: Vec<_> = map.cells().filter(|&cell| map.is_free(cell)).collect();
        let (from, goal) = (free[random(free.len())], free[random(free.len())]);
        let start = (from, kind.points);
        let prices = all_prices(&map, kind.points, start);

        // One field for all units of this kind, made from the goal.
        let route = map.route_to([goal], Movement::six(1))?;
        let backwards = Reversed::new(&route, goal);
        let field = Dijkstra::new(&backwards).search_from(backwards.starts()).reach_all()?;
        for &cell in &free {
            if let Some(next) = field.parent_of(&cell) {
                assert!(around(cell).contains(&next));
                let rest = field.cost_of(&next).expect("the next cell has a way, too");
                assert_eq!(field.cost_of(&cell), map.cost(next).map(|cost| cost + rest));
            }
        }

        // The fewest turns of one unit, and of these the fewest points.
        let march =
            March { map: &map, points: kind.points, goal, to_goal: |cell| field.cost_of(&cell) };
        let expected =
            prices.iter().filter(|((cell, _), _)| *cell == goal).map(|(_, price)| *price).min();
        let report = AStar::new(&march).search(start).run()?;
        let pruned = AStar::new(&march).dominance().search(start).run()?;
        assert_eq!(report.cost(), expected);
        assert_eq!(pruned.cost(), expected);

        // The reach of this turn, and the cell in it that is nearest to the goal.
        let this_turn = Limits::new().cost((0, u32::MAX));
        let reach = Dijkstra::new(&march).limits(this_turn).search(start).reach_all()?;
        let mut cells: Vec<_> = reach.states().map(|((cell, _), _)| cell).collect();
        cells.sort();
        cells.dedup();
        let mut expected: Vec<_> =
            prices.iter().filter(|(_, price)| price.0 == 0).map(|((cell, _), _)| *cell).collect();
        expected.sort();
        expected.dedup();
        assert_eq!(cells, expected);
        let nearest = reach
            .closest_by(|&(cell, _)| field.cost_of(&cell).unwrap_or(u32::MAX))?
            .map(|path| path.end().0);
        let least = |cell: &Cell| field.cost_of(cell).unwrap_or(u32::MAX);
        assert_eq!(nearest.as_ref().map(least), cells.iter().map(least).min());
    }
    Ok(())
}
