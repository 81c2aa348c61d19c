//! The fewest steps between two known states, searched from both, and the number of paths.

use std::hint::black_box;

use bestfirst::{PathCount, bfs_bidirectional, count_paths};

use crate::support::contest::{Answer, Bench, Case, Side};

type Word = [u8; 6];

/// The words in which one digit is changed by one; 9 and 0 are beside each other. All steps lead both ways.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "it gets a reference to the state")]
fn turned<const CONTESTANT: u8>(&word: &Word) -> Vec<Word> {
    let mut next = Vec::new();
    for place in 0..word.len() {
        for by in [1, 9] {
            let mut turned = word;
            turned[place] = (turned[place] + by) % 10;
            next.push(turned);
        }
    }
    next
}

/// From one number on a lock of six wheels to another.
pub fn locks(bench: &mut Bench) {
    let numbers: [Word; 3] = [[9, 2, 3, 1, 7, 6], [5, 5, 4, 6, 5, 4], [0, 9, 1, 0, 3, 8]];
    let case = Case::new("first call: a lock of six wheels, from both ends")
        .contestant(Side::Ours, "bfs_bidirectional", |_| {
            let mut answer = Answer::default();
            for &to in &numbers {
                let report = bfs_bidirectional([0; 6], to, turned::<0>, turned::<0>);
                let report = report.expect("the steps lead both ways");
                answer.add_ours(report.cost(), &report.stats);
            }
            answer
        })
        .contestant(Side::Rival, "pathfinding", |_| {
            let mut answer = Answer::default();
            for to in &numbers {
                let path =
                    pathfinding::prelude::bfs_bidirectional(&[0; 6], to, turned::<1>, turned::<1>);
                let steps = path.expect("every number is reached").len() as u64 - 1;
                answer.add(Some(steps), 0, 0);
            }
            answer
        });
    bench.run(case);
}

/// The cells below and to the right.
fn onward<const CONTESTANT: u8>(
    (x, y): (u32, u32),
    side: u32,
) -> impl Iterator<Item = (u32, u32)> + use<CONTESTANT> {
    [(x + 1, y), (x, y + 1)].into_iter().filter(move |&(x, y)| x < side && y < side)
}

/// The devices that a device is connected to, by names, in layers of 17.
fn connected<const CONTESTANT: u8>(device: &str) -> Vec<String> {
    if device == "you" {
        return (0..3).map(|place| format!("{place}/0")).collect();
    }
    let (place, layer) = device.split_once('/').expect("each but the first and the last has both");
    let [place, layer] = [place, layer].map(|part| part.parse::<u32>().expect("a number"));
    if layer == 12 {
        return vec!["out".to_owned()];
    }
    (0..3).map(|by| format!("{}/{}", (place + by * 2) % 17, layer + 1)).collect()
}

/// How many ways there are across lattices, and through devices with names.
pub fn ways(bench: &mut Bench) {
    let finite = |count: PathCount| count.get().and_then(|count| u64::try_from(count).ok());
    let lattices = [9_u32, 17, 33];
    let case = Case::new("first call: ways across three lattices")
        .contestant(Side::Ours, "count_paths", |_| {
            let mut answer = Answer::default();
            for side in lattices {
                let end = (side - 1, side - 1);
                let count =
                    count_paths((0, 0), |&cell| onward::<0>(cell, side), |&cell| cell == end);
                answer.add(finite(count), 0, 0);
            }
            answer
        })
        .contestant(Side::Rival, "pathfinding", |_| {
            let mut answer = Answer::default();
            for side in lattices {
                let end = (side - 1, side - 1);
                let count = pathfinding::prelude::count_paths(
                    (0, 0),
                    |&cell| onward::<1>(cell, side),
                    |&cell| cell == end,
                );
                answer.add(Some(count as u64), 0, 0);
            }
            answer
        });
    bench.run(case);

    let case = Case::new("first call: ways through devices with names")
        .contestant(Side::Ours, "count_paths", |_| {
            let count =
                count_paths("you".to_owned(), |name| connected::<0>(name), |name| name == "out");
            let mut answer = Answer::default();
            answer.add(finite(black_box(count)), 0, 0);
            answer
        })
        .contestant(Side::Rival, "pathfinding", |_| {
            let count = pathfinding::prelude::count_paths(
                "you".to_owned(),
                |name| connected::<1>(name),
                |name| name == "out",
            );
            let mut answer = Answer::default();
            answer.add(Some(black_box(count) as u64), 0, 0);
            answer
        });
    bench.run(case);
}
