//! An experiment with `pathfinding`: random stacks of pancakes by several engines.

use std::cell::Cell;

use pathfinding::prelude::{astar, dijkstra, fringe, idastar};

const SIZE: usize = 9;

type Stack = [usize; SIZE];
type Solution = Option<(Vec<Stack>, usize)>;

fn successors(stack: &Stack) -> Vec<(Stack, usize)> {
    let turned = |count| {
        let mut turned = *stack;
        turned[..count].reverse();
        (turned, 1)
    };
    (2..=SIZE).map(turned).collect()
}

/// The gap heuristic: pairs of neighbours that must be separated (Helmert, *Landmark heuristics for the pancake
/// problem*, 2010).
fn heuristic(stack: &Stack) -> usize {
    let plate = [stack[SIZE - 1], SIZE];
    let gaps = stack.windows(2).chain([&plate[..]]);
    gaps.filter(|pair| pair[0].abs_diff(pair[1]) > 1).count()
}

fn is_goal(stack: &Stack) -> bool {
    stack.is_sorted()
}

/// Flips a hundred times at random, by a linear congruential generator.
fn random(seed: &mut usize) -> Stack {
    let mut stack = std::array::from_fn(|at| at);
    for _ in 0..100 {
        *seed = *seed * 16807 % 0x7FFF_FFFF;
        stack[..*seed % (SIZE + 1)].reverse();
    }
    stack
}

/// Runs it.
pub fn main() {
    let mut seed = 1;
    println!("{:>8}  cost  expanded  generated", "");
    for _ in 0..5 {
        let start = random(&mut seed);
        let (expanded, generated) = (Cell::new(0), Cell::new(0));
        let counted = |stack: &Stack| {
            let next = successors(stack);
            expanded.set(expanded.get() + 1);
            generated.set(generated.get() + next.len());
            next
        };
        let engines: [(&str, &dyn Fn() -> Solution); 4] = [
            ("Dijkstra", &|| dijkstra(&start, counted, is_goal)),
            ("A*", &|| astar(&start, counted, heuristic, is_goal)),
            ("fringe", &|| fringe(&start, counted, heuristic, is_goal)),
            ("IDA*", &|| idastar(&start, counted, heuristic, is_goal)),
        ];
        let mut optima = vec![];
        for (name, run) in engines {
            expanded.set(0);
            generated.set(0);
            let cost = run().map(|(_, cost)| cost);
            let shown = cost.map_or("-".to_owned(), |cost| cost.to_string());
            println!("{name:>8}  {shown:>4}  {:8}  {:9}", expanded.get(), generated.get());
            optima.extend(cost);
        }
        assert!(optima.windows(2).all(|pair| pair[0] == pair[1]), "engines disagree");
    }
}
