//! Pancakes: the gaps, the longest solutions, search from both ends, and what cannot be read.

use bestfirst::problems::pancake::{PancakePuzzle, Stack};
use bestfirst::{Dijkstra, Reversed, SearchProblem, astar, bidirectional, check};

/// All stacks of this number of pancakes.
fn stacks(puzzle: PancakePuzzle) -> Vec<Stack> {
    let mut stacks = Vec::new();
    let reached = Dijkstra::new(puzzle).search(puzzle.goal()).reach_all().unwrap();
    reached.for_each(|&stack, _| stacks.push(stack));
    stacks
}

#[test]
fn heuristics_are_consistent_in_both_directions() {
    for k in 0..4 {
        let puzzle = PancakePuzzle::new(6).unwrap().gap(k);
        let stacks = stacks(puzzle);
        assert_eq!(stacks.len(), 720);
        assert!(check::reversible(&puzzle, stacks.iter().copied()).is_ok());
        assert!(check::consistent(&puzzle, stacks.iter().copied()).is_ok());
        for start in [stacks[0], stacks[100], stacks[719]] {
            let backwards = Reversed::new(&puzzle, start);
            assert!(check::consistent(&backwards, stacks.iter().copied()).is_ok());
        }
    }
}

#[test]
fn the_longest_solutions_are_the_pancake_numbers() {
    for (pancakes, longest) in [(2, 1), (3, 3), (4, 4), (5, 5), (6, 7)] {
        let puzzle = PancakePuzzle::new(pancakes).unwrap();
        let costs = stacks(puzzle).into_iter().map(|stack| astar(&puzzle, stack).unwrap().cost());
        assert_eq!(costs.max().flatten(), Some(longest));
    }
}

#[test]
fn both_ends_find_what_one_end_finds() {
    let puzzle = PancakePuzzle::new(6).unwrap().gap(1);
    for stack in stacks(puzzle) {
        let report = bidirectional(&puzzle, stack).unwrap();
        assert_eq!(report.cost(), astar(&puzzle, stack).unwrap().cost());
        assert!(report.is_optimal());
    }
}

#[test]
fn gaps_are_counted() {
    let puzzle = PancakePuzzle::new(5).unwrap();
    let stack = puzzle.stack(&[3, 0, 1, 4, 2]).unwrap();
    // 3 and 0, 1 and 4, 4 and 2, 2 and the plate.
    assert_eq!(puzzle.heuristic(&stack), 4);
    assert_eq!(puzzle.gap(1).heuristic(&stack), 3);
    assert_eq!(puzzle.gap(3).heuristic(&stack), 0);
    assert_eq!(puzzle.heuristic(&puzzle.goal()), 0);
    assert!(puzzle.pancakes(stack).eq([3, 0, 1, 4, 2]));
    let largest: Vec<u8> = (0..16).rev().collect();
    let puzzle = PancakePuzzle::new(16).unwrap();
    assert_eq!(puzzle.heuristic(&puzzle.stack(&largest).unwrap()), 1);
    assert_eq!(astar(&puzzle, puzzle.stack(&largest).unwrap()).unwrap().cost(), Some(1));
}

#[test]
fn errors_say_what_is_wrong() {
    let size = |pancakes| PancakePuzzle::new(pancakes).unwrap_err().to_string();
    assert_eq!(size(1), "1 pancakes: there must be 2 to 16");
    assert_eq!(size(17), "17 pancakes: there must be 2 to 16");
    let puzzle = PancakePuzzle::new(3).unwrap();
    let stack = |pancakes: &[u8]| puzzle.stack(pancakes).unwrap_err().to_string();
    assert_eq!(stack(&[0, 1]), "the stack has 2 pancakes, but the puzzle has 3");
    assert_eq!(stack(&[0, 3, 1]), "place 1 has the pancake 3, but the largest one is 2");
    assert_eq!(stack(&[0, 1, 1]), "place 2 has the pancake 1, which is also further up");
}
