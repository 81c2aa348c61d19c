//! Sokoban: push all boxes onto the goals, in as few steps as possible, by A* in at most a gigabyte.
//!
//! ```text
//! cargo run --example sokoban
//! ```

use std::collections::HashMap;

use bestfirst::{AStar, Limits, Outcome, SearchProblem, Successors};

/// `@` the player, `$` a box, `.` a goal, `*` a box on a goal.
const LEVEL: &str = "
####
# .#
#  ###
#*@  #
#  $ #
#  ###
####";

type Cell = (i32, i32);

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
}

impl SearchProblem for Sokoban {
    /// The player and the boxes, which are sorted: equal boxes in equal places are one state.
    type State = (Cell, Vec<Cell>);
    /// A letter for each step, a capital for a push.
    type Action = char;
    type Cost = u32;

    fn successors(&self, (player, boxes): &Self::State, next: &mut Successors<Self>) {
        for (letter, dx, dy) in [('u', 0, -1), ('l', -1, 0), ('r', 1, 0), ('d', 0, 1)] {
            let to = (player.0 + dx, player.1 + dy);
            let beyond = (to.0 + dx, to.1 + dy);
            if self.is_free(to, boxes) {
                next.push(letter, (to, boxes.clone()), 1);
            } else if boxes.contains(&to) && self.is_free(beyond, boxes) {
                let mut boxes = boxes.clone();
                boxes.iter_mut().filter(|cell| **cell == to).for_each(|cell| *cell = beyond);
                boxes.sort_unstable();
                next.push(letter.to_ascii_uppercase(), (to, boxes), 1);
            }
        }
    }

    /// Each box needs as many steps as it is away from the nearest goal.
    fn heuristic(&self, (_, boxes): &Self::State) -> u32 {
        let goals = self.cells(".*");
        let away = |a: &Cell| goals.iter().map(|b| a.0.abs_diff(b.0) + a.1.abs_diff(b.1)).min();
        boxes.iter().filter_map(away).sum()
    }

    fn is_goal(&self, (_, boxes): &Self::State) -> bool {
        *boxes == self.cells(".*")
    }
}

fn main() -> Result<(), bestfirst::SearchError<u32>> {
    let rows = (0..).zip(LEVEL.trim_start().lines());
    let cells =
        rows.flat_map(|(y, row)| (0..).zip(row.chars()).map(move |(x, kind)| ((x, y), kind)));
    let sokoban = Sokoban { level: cells.collect() };
    let start = (sokoban.cells("@")[0], sokoban.cells("$*"));
    let limits = Limits::new().memory(1 << 30);
    let report = AStar::new(&sokoban).limits(limits).search(start).run()?;
    match &report.outcome {
        Outcome::Found(path) => println!("{}", path.actions().collect::<String>()),
        Outcome::Exhausted => println!("this level cannot be solved"),
        Outcome::Stopped(why) => println!("{why}"),
    }
    println!("{} steps or more, {} states expanded", report.lower_bound, report.stats.expanded);
    assert_eq!(report.cost(), Some(33));
    Ok(())
}
