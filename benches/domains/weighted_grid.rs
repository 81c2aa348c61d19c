//! Grids whose cells cost a random float to enter.

use bestfirst::{SearchProblem, Successors};

use super::Random;

/// A square grid; from corner to corner.
#[derive(Clone, Debug)]
pub struct WeightedGrid {
    side: usize,
    costs: Vec<f64>,
}

impl WeightedGrid {
    /// Each cell costs between 1 and 2.
    pub fn random(side: usize, random: &mut Random) -> Self {
        let cost = |_| 1.0 + random.below(1 << 30) as f64 / f64::from(1 << 30);
        Self { side, costs: (0..side * side).map(cost).collect() }
    }
}

impl SearchProblem for WeightedGrid {
    type State = (u16, u16);
    type Action = ();
    type Cost = f64;

    fn successors(&self, &(row, column): &(u16, u16), next: &mut Successors<Self>) {
        let last = self.side as u16 - 1;
        let down = (row < last).then(|| (row + 1, column));
        let right = (column < last).then(|| (row, column + 1));
        let up = (row > 0).then(|| (row - 1, column));
        let left = (column > 0).then(|| (row, column - 1));
        for (row, column) in [down, right, up, left].into_iter().flatten() {
            let cost = self.costs[usize::from(row) * self.side + usize::from(column)];
            next.push((), (row, column), cost);
        }
    }

    fn heuristic(&self, &(row, column): &(u16, u16)) -> f64 {
        let last = self.side as u16 - 1;
        f64::from(last - row) + f64::from(last - column)
    }

    fn is_goal(&self, &(row, column): &(u16, u16)) -> bool {
        usize::from(row) + 1 == self.side && usize::from(column) + 1 == self.side
    }
}

/// The same with integers: costs in thousandths, rounded down, and so is the heuristic.
#[derive(Clone, Debug)]
pub struct InThousandths(pub WeightedGrid);

impl SearchProblem for InThousandths {
    type State = (u16, u16);
    type Action = ();
    type Cost = u32;

    fn successors(&self, cell: &(u16, u16), next: &mut Successors<Self>) {
        let mut steps = Successors::<WeightedGrid>::new();
        self.0.successors(cell, &mut steps);
        for step in steps.drain() {
            next.push((), step.state, (step.cost * 1000.0) as u32);
        }
    }

    fn heuristic(&self, cell: &(u16, u16)) -> u32 {
        (self.0.heuristic(cell) * 1000.0) as u32
    }

    fn is_goal(&self, cell: &(u16, u16)) -> bool {
        self.0.is_goal(cell)
    }
}
