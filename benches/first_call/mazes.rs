//! Mazes where every step costs 1, so that many open states are equal: to a goal, to all cells, and to the nearest
//! ones.

use std::hint::black_box;

use bestfirst::problems::crucible::HeatMap;
use bestfirst::{AllOptimal, Dijkstra, FnProblem};

use crate::handwritten::closures;
use crate::support::contest::{Answer, Bench, Case, Side};

type Cell = (usize, usize);

/// Its rows; a cell is a `#` or a `.`.
struct Maze(Vec<Vec<char>>);

impl Maze {
    /// Mazes of this width and height with about 28 walls in a hundred cells, the exits of which can be reached.
    fn some(side: usize, count: usize) -> Vec<Self> {
        let mazes = (1..).map(|seed| {
            // Of two digits from 1 to 9 each.
            let [first, second] = [2 * seed, 2 * seed + 1].map(|seed| {
                HeatMap::random(side, side, seed).expect("it is not too large").to_string()
            });
            let row = |(first, second): (&str, &str)| {
                let cells = first.bytes().zip(second.bytes());
                cells.map(|(a, b)| if a > b'8' || b > b'7' { '#' } else { '.' }).collect()
            };
            let mut rows: Vec<Vec<char>> = first.lines().zip(second.lines()).map(row).collect();
            (rows[0][0], rows[side - 1][side - 1]) = ('.', '.');
            Self(rows)
        });
        let is_open = |maze: &Self| {
            bestfirst::bfs((0, 0), |&c| maze.cells(c), |&c| c == maze.exit())
                .is_ok_and(|r| r.cost().is_some())
        };
        mazes.filter(is_open).take(count).collect()
    }

    /// Without walls.
    fn empty(side: usize) -> Self {
        Self(vec![vec!['.'; side]; side])
    }

    fn exit(&self) -> Cell {
        (self.0.len() - 1, self.0.len() - 1)
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
        if x + 1 < self.0.len() && self.0[y][x + 1] != '#' {
            next.push((x + 1, y));
        }
        if y + 1 < self.0.len() && self.0[y + 1][x] != '#' {
            next.push((x, y + 1));
        }
        next
    }

    fn steps(&self, from: Cell) -> Vec<(Cell, u32)> {
        self.cells(from).into_iter().map(|to| (to, 1)).collect()
    }

    fn distance(&self, (x, y): Cell) -> u32 {
        let (right, bottom) = self.exit();
        u32::try_from(right - x + bottom - y).expect("a small maze")
    }
}

/// Searches a maze and adds what it finds to the answer.
type Contestant = dyn Fn(&Maze, &mut Answer);

/// Each contestant searches every maze.
fn compare(
    bench: &mut Bench,
    name: &str,
    mazes: &[Maze],
    (ours, ours_in): (&'static str, impl Fn(&Maze, &mut Answer)),
    rival_in: impl Fn(&Maze, &mut Answer),
    by_hand_in: Option<&Contestant>,
) {
    fn each<'m>(
        mazes: &'m [Maze],
        search: impl Fn(&Maze, &mut Answer) + 'm,
    ) -> impl FnMut(bool) -> Answer + 'm {
        move |_| {
            let mut answer = Answer::default();
            for maze in mazes {
                search(maze, &mut answer);
            }
            answer
        }
    }
    let case = Case::new(format!("first call: {name}"))
        .contestant(Side::Ours, ours, each(mazes, ours_in))
        .contestant(Side::Rival, "pathfinding", each(mazes, rival_in));
    bench.run(match by_hand_in {
        Some(by_hand_in) => case.contestant(Side::Handwritten, "by hand", each(mazes, by_hand_in)),
        None => case,
    });
}

pub fn to_the_exit(bench: &mut Bench) {
    for (name, side, count) in [("ten mazes", 300, 10), ("a hundred small mazes", 40, 100)] {
        let mazes = Maze::some(side, count);
        let ours = |maze: &Maze, answer: &mut Answer| {
            let report = bestfirst::solve(
                (0, 0),
                |&c| maze.steps(c),
                |&c| maze.distance(c),
                |&c| c == maze.exit(),
            );
            let report = report.expect("the length fits");
            answer.add_ours(report.cost(), &report.stats);
        };
        let rival = |maze: &Maze, answer: &mut Answer| {
            let path = pathfinding::prelude::astar(
                &(0, 0),
                |&c| maze.steps(c),
                |&c| maze.distance(c),
                |&c| c == maze.exit(),
            );
            answer.add(black_box(path).map(|(_, cost)| u64::from(cost)), 0, 0);
        };
        let by_hand = |maze: &Maze, answer: &mut Answer| {
            let found = closures::astar(
                (0, 0),
                |&c| maze.steps(c),
                |&c| maze.distance(c),
                |&c| c == maze.exit(),
            );
            let (path, cost, [expanded, stored]) = found.expect("there is a way");
            black_box(path);
            answer.add(Some(cost.into()), expanded, stored);
        };
        let name_of_case = format!("{name}, A*");
        compare(bench, &name_of_case, &mazes, ("solve", ours), rival, Some(&by_hand));
        let ours = |maze: &Maze, answer: &mut Answer| {
            let report = bestfirst::bfs((0, 0), |&c| maze.cells(c), |&c| c == maze.exit());
            let report = report.expect("the length fits");
            answer.add_ours(report.cost(), &report.stats);
        };
        let rival = |maze: &Maze, answer: &mut Answer| {
            let is_exit = |&c: &Cell| c == maze.exit();
            let path = pathfinding::prelude::bfs(&(0, 0), |&c| maze.cells(c), is_exit);
            answer.add(black_box(path).map(|path| path.len() as u64 - 1), 0, 0);
        };
        let by_hand = |maze: &Maze, answer: &mut Answer| {
            let is_exit = |&c: &Cell| c == maze.exit();
            let found = closures::breadth_first((0, 0), |&c| maze.cells(c), is_exit);
            let (path, [expanded, stored]) = found.expect("there is a way");
            answer.add(Some(black_box(path).len() as u64 - 1), expanded, stored);
        };
        let name_of_case = format!("{name}, breadth first");
        compare(bench, &name_of_case, &mazes, ("bfs", ours), rival, Some(&by_hand));
    }
}

pub fn to_all(bench: &mut Bench) {
    let ours = |maze: &Maze, answer: &mut Answer| {
        let reached = bestfirst::bfs_all((0, 0), |&c| maze.cells(c));
        answer.add(Some(reached.len() as u64), 0, 0);
    };
    let rival = |maze: &Maze, answer: &mut Answer| {
        let reached = pathfinding::prelude::bfs_reach((0, 0), |&c| maze.cells(c));
        answer.add(Some(reached.count() as u64), 0, 0);
    };
    let name = "ten mazes, to all cells, breadth first";
    compare(bench, name, &Maze::some(300, 10), ("bfs_all", ours), rival, None);
}

pub fn nearest(bench: &mut Bench) {
    const NEAREST: usize = 500;
    let ours = |maze: &Maze, answer: &mut Answer| {
        let problem = FnProblem::new(|&c: &Cell| maze.steps(c), |_: &Cell| 0, |_: &Cell| false);
        let mut search = Dijkstra::new(&problem).search((0, 0));
        let last = search.settled().take(NEAREST).last();
        let cost = last.map(|last| u64::from(last.expect("the length fits").1));
        answer.add(black_box(cost), 0, 0);
    };
    let rival = |maze: &Maze, answer: &mut Answer| {
        let reach = pathfinding::prelude::dijkstra_reach(&(0, 0), |&c: &Cell| maze.steps(c));
        let last = reach.take(NEAREST).last();
        answer.add(black_box(last).map(|last| u64::from(last.total_cost)), 0, 0);
    };
    let by_hand = |maze: &Maze, answer: &mut Answer| {
        let settled = std::cell::Cell::new(0);
        let is_last = |_: &Cell| settled.replace(settled.get() + 1) + 1 == NEAREST;
        let found = closures::astar((0, 0), |&c| maze.steps(c), |_| 0, is_last);
        answer.add(black_box(found).map(|(_, cost, _)| u64::from(cost)), 0, 0);
    };
    let name = "ten mazes, the 500 nearest cells, Dijkstra";
    compare(bench, name, &Maze::some(300, 10), ("settled", ours), rival, Some(&by_hand));
}

/// The cells of all cheapest paths are counted, so that each path is listed.
pub fn listed(bench: &mut Bench) {
    let ours = |maze: &Maze, answer: &mut Answer| {
        let problem = FnProblem::new(
            |&c: &Cell| maze.steps(c),
            |&c: &Cell| maze.distance(c),
            |&c: &Cell| c == maze.exit(),
        );
        let all = AllOptimal::new(&problem).search((0, 0)).find_all().expect("the length fits");
        let cells = all.paths().map(|path| path.expect("it fits").states().len() as u64);
        answer.add(Some(cells.sum()), 0, 0);
    };
    let rival = |maze: &Maze, answer: &mut Answer| {
        let all = pathfinding::prelude::astar_bag(
            &(0, 0),
            |&c| maze.steps(c),
            |&c| maze.distance(c),
            |&c| c == maze.exit(),
        );
        let cells = all.map(|(paths, _)| paths.map(|path| path.len() as u64).sum());
        answer.add(cells, 0, 0);
    };
    let name = "all 48,620 cheapest paths of a grid of 10×10 cells, listed";
    compare(bench, name, &[Maze::empty(10)], ("AllOptimal", ours), rival, None);
}
