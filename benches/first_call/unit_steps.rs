//! Breadth-first search where every step costs 1: a million words of six digits, and a million cells of a grid.

use std::hint::black_box;

use bestfirst::FnProblem;

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

/// Our breadth-first search against that of the rival, and against our own Dijkstra.
macro_rules! compare {
    ($bench:ident, $name:literal, $start:expr, $next:ident, $is_goal:expr) => {
        $bench.run(
            Case::new($name)
                .contestant(Side::Ours, "bfs", |_| {
                    let mut answer = Answer::default();
                    let report = bestfirst::bfs($start, $next::<0>, $is_goal);
                    let report = report.expect("the length fits");
                    answer.add_ours(report.cost(), &report.stats);
                    answer
                })
                .contestant(Side::Rival, "pathfinding", |_| {
                    let mut answer = Answer::default();
                    let path = pathfinding::prelude::bfs(&$start, $next::<1>, $is_goal);
                    let steps = path.expect("there is a path").len() - 1;
                    answer.add(Some(black_box(steps) as u64), 0, 0);
                    answer
                })
                .contestant(Side::Rival, "our dijkstra", |_| {
                    let mut answer = Answer::default();
                    let steps = |word: &_| $next::<2>(word).map(|next| (next, 1_u32));
                    let problem = FnProblem::new(steps, |_: &_| 0, $is_goal);
                    let report = bestfirst::dijkstra(&problem, $start);
                    let report = report.expect("the length fits");
                    answer.add_ours(report.cost(), &report.stats);
                    answer
                }),
        );
    };
}

pub fn bytes(bench: &mut Bench) {
    compare!(
        bench,
        "first call: a million words of bytes, breadth first",
        [b'0'; 6],
        next_bytes,
        |word: &[u8; 6]| *word == FARTHEST
    );
}

pub fn strings(bench: &mut Bench) {
    compare!(
        bench,
        "first call: a million words, strings, breadth first",
        "0".repeat(6),
        next_strings,
        |word: &String| word.as_bytes() == FARTHEST
    );
}

pub fn cells(bench: &mut Bench) {
    compare!(
        bench,
        "first call: a million cells, breadth first",
        (0, 0),
        next_cells,
        |&cell: &(i32, i32)| cell == (SIDE - 1, SIDE - 1)
    );
}
