//! Two jugs and a tap: measure four litres with as little water as possible, and among those ways with the fewest
//! actions. The cost has two parts, which are compared one after the other.
//!
//! ```text
//! cargo run --example water_jugs
//! ```

use bestfirst::{Cost, SearchProblem, Successors, dijkstra};

/// Ordered by the water first, by the number of actions among equals.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Effort {
    litres: u32,
    actions: u32,
}

impl Cost for Effort {
    const ZERO: Self = Effort { litres: 0, actions: 0 };
    const INFINITY: Self = Effort { litres: u32::MAX, actions: u32::MAX };

    fn checked_add(self, other: Self) -> Option<Self> {
        let litres = self.litres.checked_add(other.litres)?;
        Some(Effort { litres, actions: self.actions.checked_add(other.actions)? })
    }
}

/// How much the jugs hold.
const LARGE: u32 = 5;
const SMALL: u32 = 3;

struct Jugs;

impl SearchProblem for Jugs {
    /// The litres in the large jug and in the small one.
    type State = (u32, u32);
    type Action = &'static str;
    type Cost = Effort;

    fn successors(&self, &(large, small): &(u32, u32), next: &mut Successors<Self>) {
        let water = |litres| Effort { litres, actions: 1 };
        let to_small = large.min(SMALL - small);
        let to_large = small.min(LARGE - large);
        next.push("fill the large jug", (LARGE, small), water(LARGE - large));
        next.push("fill the small jug", (large, SMALL), water(SMALL - small));
        next.push("empty the large jug", (0, small), water(0));
        next.push("empty the small jug", (large, 0), water(0));
        next.push(
            "pour the large jug into the small one",
            (large - to_small, small + to_small),
            water(0),
        );
        next.push(
            "pour the small jug into the large one",
            (large + to_large, small - to_large),
            water(0),
        );
    }

    fn is_goal(&self, &(large, _): &(u32, u32)) -> bool {
        large == 4
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let report = dijkstra(&Jugs, (0, 0))?;
    let path = report.path().ok_or("it is impossible")?;
    for step in path.steps() {
        println!("{}: {} and {} litres", step.action, step.to.0, step.to.1);
    }
    println!("{:?}", path.cost());
    assert_eq!(path.cost(), Effort { litres: 9, actions: 8 });
    Ok(())
}
