//! The 15-puzzle.

use std::hint::black_box;

use bestfirst::FnProblem;

use crate::handwritten::closures;
use crate::support::contest::{Answer, Bench, Case, Side};
use crate::support::data;

/// The tiles row by row; 0 is the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Board([u8; 16]);

impl Board {
    fn successors(&self) -> Vec<(Self, u32)> {
        let blank = self.0.iter().position(|&tile| tile == 0).expect("there is a blank");
        let (row, column) = (blank / 4, blank % 4);
        let mut next = Vec::new();
        let mut slide = |from: usize| {
            let mut board = *self;
            board.0.swap(blank, from);
            next.push((board, 1));
        };
        if row > 0 {
            slide(blank - 4);
        }
        if row < 3 {
            slide(blank + 4);
        }
        if column > 0 {
            slide(blank - 1);
        }
        if column < 3 {
            slide(blank + 1);
        }
        next
    }

    /// The Manhattan distance of all tiles from their goal cells.
    fn distance(&self) -> u32 {
        let of = |(place, &tile): (usize, &u8)| {
            let home = usize::from(tile);
            (place / 4).abs_diff(home / 4) + (place % 4).abs_diff(home % 4)
        };
        let sum: usize = self.0.iter().enumerate().filter(|(_, tile)| **tile != 0).map(of).sum();
        u32::try_from(sum).expect("at most 80")
    }

    fn is_solved(&self) -> bool {
        (0..).zip(self.0).all(|(place, tile)| tile == place)
    }
}

pub fn tiles(bench: &mut Bench) {
    let number = if bench.options.quick { 79 } else { 2 };
    let name = format!("first call: Korf {number}, A*");
    if !bench.wants(&name) {
        return;
    }
    let Some(instances) = data::korf() else { return };
    let start = Board(instances[number - 1].tiles);
    let case = Case::new(name)
        .contestant(Side::Ours, "solve", |_| {
            let mut answer = Answer::default();
            let report =
                bestfirst::solve(start, Board::successors, Board::distance, Board::is_solved);
            let report = report.expect("the length fits");
            answer.add_ours(report.cost(), &report.stats);
            answer
        })
        .contestant(Side::Rival, "pathfinding", |_| {
            let mut answer = Answer::default();
            let found = pathfinding::prelude::astar(
                &start,
                Board::successors,
                Board::distance,
                Board::is_solved,
            );
            add_path(&mut answer, found);
            answer
        })
        .contestant(Side::Handwritten, "by hand", |_| {
            let mut answer = Answer::default();
            let found =
                closures::astar(start, Board::successors, Board::distance, Board::is_solved);
            let (path, length, [expanded, stored]) = found.expect("it can be solved");
            black_box(path);
            answer.add(Some(length.into()), expanded, stored);
            answer
        });
    bench.run(case);
}

pub fn tiles_by_idastar(bench: &mut Bench) {
    let number = if bench.options.quick { 79 } else { 2 };
    let name = format!("first call: Korf {number}, IDA*");
    if bench.wants(&name)
        && let Some(instances) = data::korf()
    {
        by_idastar(bench, name, &[Board(instances[number - 1].tiles)]);
    }
}

/// Boards that a few moves solve: the time to begin and to end a search counts.
pub fn nearly_solved(bench: &mut Bench) {
    let mut boards = vec![Board([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])];
    for moves in 1..=20 {
        let last = boards[moves - 1];
        let mut next = last.successors();
        next.retain(|(board, _)| !boards.contains(board));
        boards.push(next[moves * 7 % next.len()].0);
    }
    by_idastar(bench, "first call: 21 boards of at most 20 moves, IDA*", &boards);
}

fn by_idastar(bench: &mut Bench, name: impl Into<String>, starts: &[Board]) {
    let case = Case::new(name)
        .contestant(Side::Ours, "idastar", |_| {
            let mut answer = Answer::default();
            for &start in starts {
                let problem = FnProblem::new(Board::successors, Board::distance, Board::is_solved);
                let report = bestfirst::idastar(&problem, start).expect("the length fits");
                answer.add(report.cost().map(u64::from), report.stats.expanded, 0);
            }
            answer
        })
        .contestant(Side::Rival, "pathfinding", |_| {
            let mut answer = Answer::default();
            for start in starts {
                let found = pathfinding::prelude::idastar(
                    start,
                    Board::successors,
                    Board::distance,
                    Board::is_solved,
                );
                add_path(&mut answer, found);
            }
            answer
        });
    bench.run(case);
}

fn add_path(answer: &mut Answer, found: Option<(Vec<Board>, u32)>) {
    let (path, length) = found.expect("it can be solved");
    black_box(path);
    answer.add(Some(length.into()), 0, 0);
}
