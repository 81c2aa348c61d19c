//! Searches that store a few states each: the time to begin and to end one counts.

use std::hint::black_box;

use rustc_hash::FxHashMap;

use crate::support::contest::{Answer, Bench, Case, Side};

/// A small graph by numbers: two nodes and the length of the edge between them.
const EDGES: [(u32, u32, u32); 17] = [
    (0, 1, 7),
    (0, 2, 9),
    (0, 5, 14),
    (1, 2, 10),
    (1, 3, 15),
    (2, 3, 11),
    (2, 5, 2),
    (3, 4, 6),
    (4, 5, 9),
    (4, 6, 3),
    (6, 7, 4),
    (7, 8, 8),
    (8, 9, 5),
    (9, 10, 6),
    (10, 11, 2),
    (6, 11, 20),
    (5, 9, 17),
];

const NODES: u32 = 12;

/// The rows of a small yard; a `#` is a wall.
const YARD: [&str; 5] = ["..#..", ".#...", ".....", ".##.#", "....."];

type Cell = (i32, i32);

/// Each contestant searches from every start to every goal, with functions of its own, as it would have in its own program.
macro_rules! compare {
    ($bench:ident, $name:literal, $places:expr, $ours:expr, $rival:expr) => {
        let places: Vec<_> = $places.collect();
        $bench.run(
            Case::new(concat!("first call: ", $name))
                .contestant(Side::Ours, "solve", |_| {
                    let mut answer = Answer::default();
                    for start in &places {
                        for goal in &places {
                            let report = $ours(start.clone(), goal);
                            let report = report.expect("the length fits");
                            answer.add_ours(report.cost(), &report.stats);
                        }
                    }
                    answer
                })
                .contestant(Side::Rival, "pathfinding", |_| {
                    let mut answer = Answer::default();
                    for start in &places {
                        for goal in &places {
                            let path = black_box($rival(start, goal));
                            answer.add(path.map(|(_, cost)| u64::from(cost)), 0, 0);
                        }
                    }
                    answer
                }),
        );
    };
}

/// All pairs of nodes of a graph by its lists of edges.
pub fn graph(bench: &mut Bench) {
    let mut lists = vec![Vec::new(); NODES as usize];
    for (from, to, length) in EDGES {
        lists[from as usize].push((to, length));
        lists[to as usize].push((from, length));
    }
    let our_next = |&node: &u32| lists[node as usize].iter().copied();
    let next = |&node: &u32| lists[node as usize].iter().copied();
    compare!(
        bench,
        "all pairs of a graph of 12 nodes, Dijkstra",
        (0..NODES),
        |start, goal: &u32| bestfirst::solve(start, our_next, |_| 0, |node| node == goal),
        |start, goal: &u32| pathfinding::prelude::dijkstra(start, next, |node| node == goal)
    );
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "it gets a reference to the state")]
fn steps<const CONTESTANT: u8>(&(x, y): &Cell) -> Vec<(Cell, u32)> {
    let around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)];
    around.into_iter().filter(|&cell| is_free(cell)).map(|cell| (cell, 1)).collect()
}

fn is_free((x, y): Cell) -> bool {
    let index = |n: i32| usize::try_from(n).ok();
    let row = index(y).and_then(|y| YARD.get(y));
    row.zip(index(x)).is_some_and(|(row, x)| row.as_bytes().get(x) == Some(&b'.'))
}

/// All pairs of cells of a small yard.
pub fn yard(bench: &mut Bench) {
    let cells = (0..5).flat_map(|y| (0..5).map(move |x| (x, y)));
    let far = |&(x, y): &Cell, goal: &Cell| x.abs_diff(goal.0) + y.abs_diff(goal.1);
    compare!(
        bench,
        "all pairs of a yard of 5×5 cells, A*",
        cells.filter(|&cell| is_free(cell)),
        |start, goal: &Cell| bestfirst::solve(
            start,
            steps::<0>,
            |at| far(at, goal),
            |at| at == goal
        ),
        |start, goal: &Cell| pathfinding::prelude::astar(
            start,
            steps::<1>,
            |at| far(at, goal),
            |at| at == goal
        )
    );
}

/// Between some nodes of a complete graph, given by a matrix.
pub fn complete(bench: &mut Bench) {
    const NODES: usize = 1000;
    let length = |from: usize, to: usize| u32::try_from(1 + (from * 7919 + to * 104_729) % 9973);
    let row = |from| (0..NODES).map(move |to| length(from, to).expect("it is short")).collect();
    let matrix: Vec<Vec<u32>> = (0..NODES).map(row).collect();
    let our_next = |&node: &usize| matrix[node].iter().copied().enumerate();
    let next = |&node: &usize| matrix[node].iter().copied().enumerate();
    compare!(
        bench,
        "between 5 nodes of a complete graph of 1,000, Dijkstra",
        (0..NODES).step_by(200),
        |start, goal: &usize| bestfirst::solve(start, our_next, |_| 0, |node| node == goal),
        |start, goal: &usize| pathfinding::prelude::dijkstra(start, next, |node| node == goal)
    );
}

/// Between the corners of a square whose cells cost from 1 to 9 to enter.
pub fn levels(bench: &mut Bench) {
    const SIDE: usize = 40;
    let level = |x: usize, y: usize| u32::try_from(1 + (x * 7919 + y * 104_729) % 97 % 9);
    let row = |y| (0..SIDE).map(move |x| level(x, y).expect("it is small")).collect();
    let levels: Vec<Vec<u32>> = (0..SIDE).map(row).collect();
    macro_rules! next {
        () => {
            |&(x, y): &(usize, usize)| {
                let mut next = Vec::with_capacity(4);
                if x > 0 {
                    next.push(((x - 1, y), levels[y][x - 1]));
                }
                if y > 0 {
                    next.push(((x, y - 1), levels[y - 1][x]));
                }
                if x + 1 < SIDE {
                    next.push(((x + 1, y), levels[y][x + 1]));
                }
                if y + 1 < SIDE {
                    next.push(((x, y + 1), levels[y + 1][x]));
                }
                next
            }
        };
    }
    let (our_next, next) = (next!(), next!());
    compare!(
        bench,
        "between the corners of 40×40 cells with levels, Dijkstra",
        [(0, 0), (SIDE - 1, 0), (0, SIDE - 1), (SIDE - 1, SIDE - 1)].into_iter(),
        |start, goal: &(usize, usize)| bestfirst::solve(start, our_next, |_| 0, |at| at == goal),
        |start, goal: &(usize, usize)| pathfinding::prelude::dijkstra(start, next, |at| at == goal)
    );
}

/// All pairs of stops of a small network by their names.
pub fn names(bench: &mut Bench) {
    const STOPS: u32 = 20;
    let name = |stop: u32| {
        format!("{} street", ["north", "south", "east", "west"][stop as usize % 4])
            + &stop.to_string()
    };
    let mut lines: FxHashMap<String, Vec<(String, u32)>> = FxHashMap::default();
    for stop in 0..STOPS {
        // A ring, and some ways across.
        let across = (stop % 5 == 0).then_some((stop + 7) % STOPS);
        for other in [Some((stop + 1) % STOPS), across].into_iter().flatten() {
            let length = 50 + stop * 37 % 90;
            lines.entry(name(stop)).or_default().push((name(other), length));
            lines.entry(name(other)).or_default().push((name(stop), length));
        }
    }
    let our_next = |stop: &String| lines[stop].iter().cloned();
    let next = |stop: &String| lines[stop].iter().cloned();
    compare!(
        bench,
        "all pairs of 20 stops by their names, Dijkstra",
        (0..STOPS).map(name),
        |start, goal: &String| bestfirst::solve(start, our_next, |_| 0, |stop| stop == goal),
        |start, goal: &String| pathfinding::prelude::dijkstra(start, next, |stop| stop == goal)
    );
}
