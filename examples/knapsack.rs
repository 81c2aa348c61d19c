//! The knapsack: items of the largest total value that fit. A search minimises, so the cost is the value of what is left
//! behind.
//!
//! ```text
//! cargo run --example knapsack
//! ```

use bestfirst::{SearchProblem, Successors, astar};

/// Weight and value (Kreher and Stinson, *Combinatorial Algorithms*, 1999).
const ITEMS: [(u32, u32); 15] = [
    (70, 135),
    (73, 139),
    (77, 149),
    (80, 150),
    (82, 156),
    (87, 163),
    (90, 173),
    (94, 184),
    (98, 192),
    (106, 201),
    (110, 210),
    (113, 214),
    (115, 221),
    (118, 229),
    (120, 240),
];
const ROOM: u32 = 750;

/// Items by value for their weight.
struct Knapsack(Vec<(u32, u32)>);

impl SearchProblem for Knapsack {
    /// The next item to decide on, and the room that is left.
    type State = (usize, u32);
    /// Whether it is taken.
    type Action = bool;
    type Cost = u32;

    fn successors(&self, &(item, room): &(usize, u32), next: &mut Successors<Self>) {
        let Some(&(weight, value)) = self.0.get(item) else { return };
        if weight <= room {
            next.push(true, (item + 1, room - weight), 0);
        }
        next.push(false, (item + 1, room), value);
    }

    /// The value that is left behind if items could be cut: fill the room with the best, then count the rest.
    fn heuristic(&self, &(item, mut room): &(usize, u32)) -> u32 {
        let mut left_behind = 0;
        for &(weight, value) in &self.0[item..] {
            let taken = weight.min(room);
            room -= taken;
            // Rounded down, so that it is never too large.
            left_behind += value * (weight - taken) / weight;
        }
        left_behind
    }

    fn is_goal(&self, &(item, _): &(usize, u32)) -> bool {
        item == self.0.len()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut items = ITEMS.to_vec();
    items.sort_by_key(|&(weight, value)| std::cmp::Reverse(value * 10_000 / weight));
    let knapsack = Knapsack(items);
    let report = astar(&knapsack, (0, ROOM))?;
    let path = report.path().ok_or("nothing always fits")?;
    let taken = path.steps().filter(|step| *step.action).map(|step| knapsack.0[step.from.0]);
    let taken: Vec<_> = taken.collect();
    let (weight, value) = taken.iter().fold((0, 0), |sum, item| (sum.0 + item.0, sum.1 + item.1));
    for (weight, value) in &taken {
        println!("weight {weight:3}, value {value}");
    }
    println!("weight {weight} of {ROOM}, value {value}; {} states expanded", report.stats.expanded);
    assert_eq!((weight, value), (749, 1458));
    Ok(())
}
