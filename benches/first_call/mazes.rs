//! Mazes where every step costs 1, so that many open states are equal: to a goal, to all cells, and to the nearest
//! ones; and a knight on a board.

use std::hint::black_box;

use bestfirst::problems::crucible::HeatMap;
use bestfirst::{Dijkstra, FnProblem};

use crate::support::contest::{Answer, Bench, Case, Side};

/// The length of the sides of a maze.
const SIDE: usize = 300;

const EXIT: Cell = (SIDE - 1, SIDE - 1);

type Cell = (usize, usize);

/// Its rows; a cell is a `#` or a `.`.
struct Maze(Vec<Vec<char>>);

impl Maze {
    /// A maze with about 28 walls in a hundred cells, the exit of which can be reached.
    fn all() -> Vec<Self> {
        let mazes = (1..).map(|seed| {
            // Of two digits from 1 to 9 each.
            let [first, second] = [2 * seed, 2 * seed + 1].map(|seed| {
                HeatMap::random(SIDE, SIDE, seed).expect("it is not too large").to_string()
            });
            let row = |(first, second): (&str, &str)| {
                let cells = first.bytes().zip(second.bytes());
                cells.map(|(a, b)| if a > b'8' || b > b'7' { '#' } else { '.' }).collect()
            };
            let mut rows: Vec<Vec<char>> = first.lines().zip(second.lines()).map(row).collect();
            (rows[0][0], rows[SIDE - 1][SIDE - 1]) = ('.', '.');
            Self(rows)
        });
        let is_open = |maze: &Self| {
            bestfirst::bfs((0, 0), |&c| maze.cells(c), |&c| c == EXIT)
                .is_ok_and(|r| r.cost().is_some())
        };
        mazes.filter(is_open).take(10).collect()
    }

    /// The free cells beside one.
    fn cells(&self, (x, y): Cell) -> Vec<Cell> {
        let mut next = Vec::new();
        if x > 0 && self.0[y][x - 1] != '#' {
            next.push((x - 1, y));
        }
        if y > 0 && self.0[y - 1][x] != '#' {
            next.push((x, y - 1));
        }
        if x + 1 < SIDE && self.0[y][x + 1] != '#' {
            next.push((x + 1, y));
        }
        if y + 1 < SIDE && self.0[y + 1][x] != '#' {
            next.push((x, y + 1));
        }
        next
    }

    fn steps(&self, from: Cell) -> Vec<(Cell, u32)> {
        self.cells(from).into_iter().map(|to| (to, 1)).collect()
    }
}

fn distance(&(x, y): &Cell) -> u32 {
    u32::try_from(SIDE - 1 - x + SIDE - 1 - y).expect("a small maze")
}

pub fn to_the_exit(bench: &mut Bench) {
    let mazes = Maze::all();
    bench.run(
        Case::new("first call: ten mazes, A*")
            .contestant(Side::Ours, "solve", |_| {
                let mut answer = Answer::default();
                for maze in &mazes {
                    let report =
                        bestfirst::solve((0, 0), |&c| maze.steps(c), distance, |&c| c == EXIT);
                    let report = report.expect("the length fits");
                    answer.add_ours(report.cost(), &report.stats);
                }
                answer
            })
            .contestant(Side::Rival, "pathfinding", |_| {
                let mut answer = Answer::default();
                for maze in &mazes {
                    let path = pathfinding::prelude::astar(
                        &(0, 0),
                        |&c| maze.steps(c),
                        distance,
                        |&c| c == EXIT,
                    );
                    answer.add(black_box(path).map(|(_, cost)| u64::from(cost)), 0, 0);
                }
                answer
            }),
    );
}

pub fn to_all(bench: &mut Bench) {
    let mazes = Maze::all();
    bench.run(
        Case::new("first call: ten mazes, to all cells, breadth first")
            .contestant(Side::Ours, "bfs_all", |_| {
                let mut answer = Answer::default();
                for maze in &mazes {
                    let reached = bestfirst::bfs_all((0, 0), |&c| maze.cells(c));
                    answer.add(Some(reached.len() as u64), 0, 0);
                }
                answer
            })
            .contestant(Side::Rival, "pathfinding", |_| {
                let mut answer = Answer::default();
                for maze in &mazes {
                    let reached = pathfinding::prelude::bfs_reach((0, 0), |&c| maze.cells(c));
                    answer.add(Some(reached.count() as u64), 0, 0);
                }
                answer
            }),
    );
}

pub fn nearest(bench: &mut Bench) {
    const NEAREST: usize = 500;
    let mazes = Maze::all();
    bench.run(
        Case::new("first call: ten mazes, the 500 nearest cells, Dijkstra")
            .contestant(Side::Ours, "settled", |_| {
                let mut answer = Answer::default();
                for maze in &mazes {
                    let problem =
                        FnProblem::new(|&c: &Cell| maze.steps(c), |_: &Cell| 0, |_: &Cell| false);
                    let mut search = Dijkstra::new(&problem).search((0, 0));
                    let last = search.settled().take(NEAREST).last();
                    let cost = last.map(|last| u64::from(last.expect("the length fits").1));
                    answer.add(black_box(cost), 0, 0);
                }
                answer
            })
            .contestant(Side::Rival, "pathfinding", |_| {
                let mut answer = Answer::default();
                for maze in &mazes {
                    let reach =
                        pathfinding::prelude::dijkstra_reach(&(0, 0), |&c: &Cell| maze.steps(c));
                    let last = reach.take(NEAREST).last();
                    answer.add(black_box(last).map(|last| u64::from(last.total_cost)), 0, 0);
                }
                answer
            }),
    );
}

/// The length of the sides of the board.
const BOARD: i32 = 400;

/// Where a knight may go; each contestant has its own function, as it would have in its own program.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "it gets a reference to the state")]
fn jumps<const CONTESTANT: u8>(
    &(x, y): &(i32, i32),
) -> impl Iterator<Item = (i32, i32)> + use<CONTESTANT> {
    let jumps = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)];
    jumps
        .into_iter()
        .map(move |(right, down)| (x + right, y + down))
        .filter(|(x, y)| (0..BOARD).contains(x) && (0..BOARD).contains(y))
}

pub fn knight(bench: &mut Bench) {
    let is_goal = |&cell: &(i32, i32)| cell == (BOARD - 1, BOARD - 1);
    bench.run(
        Case::new("first call: a knight on 160,000 cells, breadth first")
            .contestant(Side::Ours, "bfs", |_| {
                let mut answer = Answer::default();
                let report = bestfirst::bfs((0, 0), jumps::<0>, is_goal).expect("the length fits");
                answer.add_ours(report.cost(), &report.stats);
                answer
            })
            .contestant(Side::Rival, "pathfinding", |_| {
                let mut answer = Answer::default();
                let path = pathfinding::prelude::bfs(&(0, 0), jumps::<1>, is_goal);
                let steps = path.expect("there is a path").len() - 1;
                answer.add(Some(black_box(steps) as u64), 0, 0);
                answer
            }),
    );
}
