//! All ways over a hill that are worth choosing from: the shorter, the steeper.
//!
//! `cargo run --example pareto_front`

use bestfirst::{Reversible, SearchProblem, Successors, pareto};

/// The height of every place, in a grid of digits.
const HILL: [&[u8; 10]; 7] = [
    b"0000000000",
    b"0112222110",
    b"0123333210",
    b"0134554310",
    b"0123443210",
    b"0112222110",
    b"0001111000",
];

/// From one side to the other, with two costs: steps, and metres of climbing.
struct Hill;

fn neighbours((x, y): (usize, usize)) -> impl Iterator<Item = (&'static str, (usize, usize))> {
    let [left, up] = [x, y].map(|at| at.wrapping_sub(1));
    let all =
        [("west", (left, y)), ("east", (x + 1, y)), ("north", (x, up)), ("south", (x, y + 1))];
    all.into_iter().filter(|&(_, (x, y))| y < HILL.len() && x < HILL[0].len())
}

fn cost(from: (usize, usize), to: (usize, usize)) -> [u32; 2] {
    let height = |(x, y): (usize, usize)| u32::from(HILL[y][x]);
    [1, height(to).saturating_sub(height(from))]
}

impl SearchProblem for Hill {
    type State = (usize, usize);
    type Action = &'static str;
    type Cost = [u32; 2];

    fn successors(&self, &place: &(usize, usize), next: &mut Successors<Self>) {
        next.extend(neighbours(place).map(|(action, to)| (action, to, cost(place, to))));
    }

    fn is_goal(&self, &place: &(usize, usize)) -> bool {
        place == (9, 3)
    }
}

impl Reversible for Hill {
    fn predecessors(&self, &place: &(usize, usize), previous: &mut Successors<Self>) {
        let back = |action| match action {
            "west" => "east",
            "east" => "west",
            "north" => "south",
            _ => "north",
        };
        previous.extend(
            neighbours(place).map(|(action, from)| (back(action), from, cost(from, place))),
        );
    }

    fn goals(&self) -> impl Iterator<Item = (usize, usize)> {
        std::iter::once((9, 3))
    }
}

fn main() -> Result<(), bestfirst::SearchError<[u32; 2]>> {
    let front = pareto(&Hill, (0, 3))?;
    for path in front.paths() {
        let [steps, climb] = path.cost();
        let way: String = path.actions().map(|action| &action[..1]).collect();
        println!("{steps:2} steps, {climb} up: {way}");
    }
    println!("{} ways that no other beats, {} expansions", front.len(), front.stats().expanded);
    Ok(())
}
