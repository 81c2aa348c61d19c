//! The quickest route of an electric car: its battery must last, and charging takes time.
//!
//! `cargo run --example resource_route`

use bestfirst::{AStar, Dominance, SearchProblem, Successors};

/// From, to, minutes, and what it takes of the battery in percent.
const ROADS: [(usize, usize, u32, u32); 9] = [
    (0, 1, 30, 55),
    (0, 1, 50, 35),
    (1, 2, 25, 50),
    (1, 3, 40, 30),
    (2, 4, 20, 40),
    (3, 4, 35, 35),
    (2, 3, 10, 10),
    (3, 5, 60, 65),
    (4, 5, 25, 45),
];

/// Minutes for ten percent; towns without a charger have none.
const CHARGERS: [Option<u32>; 6] = [None, None, Some(4), Some(9), Some(5), None];

/// A town and what is left in the battery.
type Car = (usize, u32);

struct Trip;

impl SearchProblem for Trip {
    type State = Car;
    type Action = String;
    type Cost = u32;

    fn successors(&self, &(town, battery): &Car, next: &mut Successors<Self>) {
        for (_, to, minutes, takes) in ROADS.into_iter().filter(|road| road.0 == town) {
            if takes <= battery {
                next.push(format!("drive to {to}"), (to, battery - takes), minutes);
            }
        }
        if let Some(minutes) = CHARGERS[town].filter(|_| battery < 100) {
            next.push("charge".to_owned(), (town, (battery + 10).min(100)), minutes);
        }
    }

    fn is_goal(&self, &(town, _): &Car) -> bool {
        town == 5
    }
}

/// In the same town at the same time, more in the battery is better.
impl Dominance for Trip {
    type Key = usize;

    fn key(&self, &(town, _): &Car) -> usize {
        town
    }

    fn dominates(&self, car: &Car, other: &Car) -> bool {
        car.1 >= other.1
    }
}

fn main() -> Result<(), bestfirst::SearchError<u32>> {
    let report = AStar::new(&Trip).dominance().search((0, 100)).run()?;
    let Some(path) = report.path() else { return Ok(()) };
    for step in path.steps() {
        println!("{:10} {:2} min, {:3} % left", step.action, step.cost, step.to.1);
    }
    let all = AStar::new(&Trip).search((0, 100)).run()?;
    let (some, all) = (report.stats.expanded, all.stats.expanded);
    println!("{} minutes; {some} expansions, {all} without dominance", path.cost());
    Ok(())
}
