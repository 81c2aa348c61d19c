//! Sokoban with `pathfinding`: the positions of the player and the boxes after each step.

use std::collections::HashMap;

use pathfinding::prelude::astar;

const LEVEL: &str = "
####
# .#
#  ###
#*@  #
#  $ #
#  ###
####";

type Cell = (i32, i32);
type State = (Cell, Vec<Cell>);

struct Sokoban {
    level: HashMap<Cell, char>,
}

impl Sokoban {
    fn cells(&self, kinds: &str) -> Vec<Cell> {
        let cells = self.level.iter().filter(|(_, kind)| kinds.contains(**kind));
        let mut cells: Vec<Cell> = cells.map(|(&cell, _)| cell).collect();
        cells.sort_unstable();
        cells
    }

    fn is_free(&self, cell: Cell, boxes: &[Cell]) -> bool {
        self.level.get(&cell).is_some_and(|&kind| kind != '#') && !boxes.contains(&cell)
    }

    fn successors(&self, (player, boxes): &State) -> Vec<(State, u32)> {
        let mut next = vec![];
        for (dx, dy) in [(0, -1), (-1, 0), (1, 0), (0, 1)] {
            let to = (player.0 + dx, player.1 + dy);
            let beyond = (to.0 + dx, to.1 + dy);
            if self.is_free(to, boxes) {
                next.push(((to, boxes.clone()), 1));
            } else if boxes.contains(&to) && self.is_free(beyond, boxes) {
                let mut boxes = boxes.clone();
                boxes.iter_mut().filter(|cell| **cell == to).for_each(|cell| *cell = beyond);
                boxes.sort_unstable();
                next.push(((to, boxes), 1));
            }
        }
        next
    }

    fn heuristic(&self, (_, boxes): &State) -> u32 {
        let goals = self.cells(".*");
        let away = |a: &Cell| goals.iter().map(|b| a.0.abs_diff(b.0) + a.1.abs_diff(b.1)).min();
        boxes.iter().filter_map(away).sum()
    }
}

/// Runs it.
pub fn main() {
    let rows = (0..).zip(LEVEL.trim_start().lines());
    let cells =
        rows.flat_map(|(y, row)| (0..).zip(row.chars()).map(move |(x, kind)| ((x, y), kind)));
    let sokoban = Sokoban { level: cells.collect() };
    let start = (sokoban.cells("@")[0], sokoban.cells("$*"));
    let solution = astar(
        &start,
        |state| sokoban.successors(state),
        |state| sokoban.heuristic(state),
        |(_, boxes)| *boxes == sokoban.cells(".*"),
    );
    match &solution {
        Some((path, _)) => println!("{path:?}"),
        None => println!("this level cannot be solved"),
    }
    assert_eq!(solution.map(|(_, cost)| cost), Some(33));
}
