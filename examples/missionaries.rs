//! Missionaries and cannibals: all cross a river in a boat for two, and nowhere may missionaries be outnumbered.
//! Every crossing costs the same, so breadth-first search finds the fewest.
//!
//! ```text
//! cargo run --example missionaries
//! ```

use bestfirst::{SearchProblem, Successors, breadth_first};

/// How many of each there are.
const ALL: u32 = 3;

struct River;

/// Who is on the left bank.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Left {
    missionaries: u32,
    cannibals: u32,
    boat: bool,
}

impl Left {
    fn is_safe(&self) -> bool {
        let (m, c) = (self.missionaries, self.cannibals);
        (m == 0 || m >= c) && (m == ALL || ALL - m >= ALL - c)
    }
}

impl SearchProblem for River {
    type State = Left;
    /// The missionaries and the cannibals in the boat.
    type Action = (u32, u32);
    type Cost = u32;

    fn successors(&self, left: &Left, next: &mut Successors<Self>) {
        for (m, c) in [(1, 0), (2, 0), (0, 1), (0, 2), (1, 1)] {
            // Those who leave a bank must be there.
            let (missionaries, cannibals) = if left.boat {
                (left.missionaries.checked_sub(m), left.cannibals.checked_sub(c))
            } else {
                (Some(left.missionaries + m), Some(left.cannibals + c))
            };
            let (Some(missionaries), Some(cannibals)) = (missionaries, cannibals) else { continue };
            let after = Left { missionaries, cannibals, boat: !left.boat };
            if missionaries <= ALL && cannibals <= ALL && after.is_safe() {
                next.push((m, c), after, 1);
            }
        }
    }

    fn is_goal(&self, left: &Left) -> bool {
        *left == Left { missionaries: 0, cannibals: 0, boat: false }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Left { missionaries: ALL, cannibals: ALL, boat: true };
    let report = breadth_first(&River, start)?;
    let path = report.path().ok_or("it is impossible")?;
    for step in path.steps() {
        let (m, c) = step.action;
        let arrow = if step.from.boat { "->" } else { "<-" };
        println!("{arrow} {m} missionaries, {c} cannibals");
    }
    println!("{} crossings", path.cost());
    assert_eq!(path.cost(), 11);
    Ok(())
}
