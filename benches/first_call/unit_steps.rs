//! Breadth-first search where every step costs 1: a million words of six digits, a million cells of a grid, a knight on a
//! large and on a small board, and three jugs of water.

use std::hint::black_box;

use bestfirst::{BreadthFirst, FnProblem};

use crate::handwritten::closures;
use crate::support::contest::{Answer, Bench, Case, Side};

/// The word that is found last.
const FARTHEST: [u8; 6] = [b'9'; 6];

/// The digits before and after a digit.
fn next_digits(digit: u8) -> impl Iterator<Item = u8> {
    [(digit > b'0').then(|| digit - 1), (digit < b'9').then(|| digit + 1)].into_iter().flatten()
}

/// The words in which one digit is changed by one.
///
/// Each contestant has its own function, as it would have in its own program.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "it gets a reference to the state")]
fn next_bytes<const CONTESTANT: u8>(
    &word: &[u8; 6],
) -> impl Iterator<Item = [u8; 6]> + use<CONTESTANT> {
    (0..word.len()).flat_map(move |place| {
        next_digits(word[place]).map(move |digit| {
            let mut next = word;
            next[place] = digit;
            next
        })
    })
}

#[expect(clippy::ptr_arg, reason = "it gets a reference to the state")]
fn next_strings<const CONTESTANT: u8>(
    word: &String,
) -> impl Iterator<Item = String> + use<CONTESTANT> {
    let mut next = Vec::new();
    for (place, digit) in word.bytes().enumerate() {
        for digit in next_digits(digit) {
            let mut changed = word.clone();
            changed.replace_range(place..=place, char::from(digit).encode_utf8(&mut [0]));
            next.push(changed);
        }
    }
    next.into_iter()
}

/// The length of the sides of the grid.
const SIDE: i32 = 1000;

/// The cells beside one.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "it gets a reference to the state")]
fn next_cells<const CONTESTANT: u8>(
    &(x, y): &(i32, i32),
) -> impl Iterator<Item = (i32, i32)> + use<CONTESTANT> {
    let around = [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter();
    around
        .map(move |(right, down)| (x + right, y + down))
        .filter(|(x, y)| (0..SIDE).contains(x) && (0..SIDE).contains(y))
}

/// Where a knight may go on a square board.
fn jumps<const SIDE: i32>((x, y): (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    let jumps = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)];
    jumps
        .into_iter()
        .map(move |(right, down)| (x + right, y + down))
        .filter(|(x, y)| (0..SIDE).contains(x) && (0..SIDE).contains(y))
}

/// The length of the sides of a large board, and of a small one.
const LARGE: i32 = 400;
const SMALL: i32 = 8;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "it gets a reference to the state")]
fn far_jumps<const CONTESTANT: u8>(
    &cell: &(i32, i32),
) -> impl Iterator<Item = (i32, i32)> + use<CONTESTANT> {
    jumps::<LARGE>(cell)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "it gets a reference to the state")]
fn near_jumps<const CONTESTANT: u8>(
    &cell: &(i32, i32),
) -> impl Iterator<Item = (i32, i32)> + use<CONTESTANT> {
    jumps::<SMALL>(cell)
}

/// How much goes into each jug.
const JUGS: [u32; 3] = [97, 61, 31];

/// To pour from one jug into another, to empty one, or to fill it.
fn poured<const CONTESTANT: u8>(
    &jugs: &[u32; 3],
) -> impl Iterator<Item = [u32; 3]> + use<CONTESTANT> {
    let mut next = Vec::new();
    for from in 0..3 {
        for to in 0..3 {
            let moved = jugs[from].min(JUGS[to] - jugs[to]);
            if from != to && moved > 0 {
                let mut poured = jugs;
                poured[from] -= moved;
                poured[to] += moved;
                next.push(poured);
            }
        }
        for content in [0, JUGS[from]] {
            if jugs[from] != content {
                let mut changed = jugs;
                changed[from] = content;
                next.push(changed);
            }
        }
    }
    next.into_iter()
}

/// Our breadth-first search from each of these starts against that of the rival, against our own Dijkstra, against the engine for
/// any costs, and against code by hand.
macro_rules! compare {
    ($bench:ident, $name:literal, $starts:expr, $next:ident, $is_goal:expr) => {
        $bench.run(
            Case::new($name)
                .contestant(Side::Ours, "bfs", |_| {
                    let mut answer = Answer::default();
                    for start in $starts {
                        let report = bestfirst::bfs(start, $next::<0>, $is_goal);
                        let report = report.expect("the length fits");
                        answer.add_ours(report.cost(), &report.stats);
                    }
                    answer
                })
                .contestant(Side::Rival, "pathfinding", |_| {
                    let mut answer = Answer::default();
                    for start in $starts {
                        let path = pathfinding::prelude::bfs(&start, $next::<1>, $is_goal);
                        let steps = path.map(|path| path.len() as u64 - 1);
                        answer.add(black_box(steps), 0, 0);
                    }
                    answer
                })
                .contestant(Side::Rival, "our dijkstra", |_| {
                    let mut answer = Answer::default();
                    for start in $starts {
                        let steps = |from: &_| $next::<2>(from).map(|next| (next, 1_u32));
                        let problem = FnProblem::new(steps, |_: &_| 0, $is_goal);
                        let report = bestfirst::dijkstra(&problem, start);
                        let report = report.expect("the length fits");
                        answer.add_ours(report.cost(), &report.stats);
                    }
                    answer
                })
                .contestant(Side::Rival, "our BreadthFirst", |_| {
                    let mut answer = Answer::default();
                    for start in $starts {
                        let steps = |from: &_| $next::<3>(from).map(|next| (next, 1_u32));
                        let problem = FnProblem::new(steps, |_: &_| 0, $is_goal);
                        let report = BreadthFirst::new(&problem).search(start).run();
                        let report = report.expect("the length fits");
                        answer.add_ours(report.cost(), &report.stats);
                    }
                    answer
                })
                .contestant(Side::Handwritten, "by hand", |_| {
                    let mut answer = Answer::default();
                    for start in $starts {
                        let found = closures::breadth_first(start, $next::<4>, $is_goal);
                        let (path, [expanded, stored]) = found.expect("there is a way");
                        answer.add(Some(black_box(path).len() as u64 - 1), expanded, stored);
                    }
                    answer
                }),
        );
    };
}

pub fn bytes(bench: &mut Bench) {
    compare!(
        bench,
        "first call: a million words of bytes, breadth first",
        [[b'0'; 6]],
        next_bytes,
        |word: &[u8; 6]| *word == FARTHEST
    );
}

pub fn strings(bench: &mut Bench) {
    compare!(
        bench,
        "first call: a million words, strings, breadth first",
        ["0".repeat(6)],
        next_strings,
        |word: &String| word.as_bytes() == FARTHEST
    );
}

pub fn cells(bench: &mut Bench) {
    compare!(
        bench,
        "first call: a million cells, breadth first",
        [(0, 0)],
        next_cells,
        |&cell: &(i32, i32)| cell == (SIDE - 1, SIDE - 1)
    );
}

pub fn knights(bench: &mut Bench) {
    compare!(
        bench,
        "first call: a knight on 160,000 cells, breadth first",
        [(0, 0)],
        far_jumps,
        |&cell: &(i32, i32)| cell == (LARGE - 1, LARGE - 1)
    );
    compare!(
        bench,
        "first call: a knight on 64 cells, from each, breadth first",
        (0..SMALL).flat_map(|y| (0..SMALL).map(move |x| (x, y))),
        near_jumps,
        |&cell: &(i32, i32)| cell == (SMALL - 1, SMALL - 1)
    );
}

pub fn jugs(bench: &mut Bench) {
    compare!(
        bench,
        "first call: three jugs, breadth first",
        [[0; 3]],
        poured,
        |jugs: &[u32; 3]| jugs[0] == 50 && jugs[1] == 23
    );
}
