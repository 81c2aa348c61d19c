//! The travelling salesman: the shortest tour through all towns and back, by A*.
//!
//! ```text
//! cargo run --example salesman
//! ```

use bestfirst::{SearchProblem, Successors, astar};

/// Towns on a map, in kilometres from its corner.
const TOWNS: [(&str, i32, i32); 12] = [
    ("Aston", 12, 87),
    ("Brook", 91, 10),
    ("Crewe", 45, 52),
    ("Derby", 77, 66),
    ("Elton", 20, 15),
    ("Fleet", 60, 95),
    ("Grays", 5, 48),
    ("Hythe", 88, 38),
    ("Irvin", 38, 80),
    ("Judge", 55, 22),
    ("Kells", 30, 34),
    ("Leeds", 97, 90),
];

fn kilometres(from: usize, to: usize) -> f64 {
    let ((_, x1, y1), (_, x2, y2)) = (TOWNS[from], TOWNS[to]);
    f64::from(x1 - x2).hypot(f64::from(y1 - y2))
}

struct Tour;

impl SearchProblem for Tour {
    /// A bit for each town that was visited, and the town where we are. The tour begins at town 0, but does not count
    /// it as visited until it is back.
    type State = (u32, usize);
    type Action = ();
    type Cost = f64;

    fn successors(&self, &(visited, here): &(u32, usize), next: &mut Successors<Self>) {
        let is_last = visited.count_ones() as usize == TOWNS.len() - 1;
        for there in
            (0..TOWNS.len()).filter(|&town| (town == 0) == is_last && visited >> town & 1 == 0)
        {
            next.push((), (visited | 1 << there, there), kilometres(here, there));
        }
    }

    /// Every town that is left will be entered, from its nearest neighbour at best.
    fn heuristic(&self, &(visited, _): &(u32, usize)) -> f64 {
        let left = (0..TOWNS.len()).filter(|town| visited >> town & 1 == 0);
        let nearest = |town| {
            let others = (0..TOWNS.len()).filter(|&from| from != town);
            others.map(|from| kilometres(from, town)).fold(f64::INFINITY, f64::min)
        };
        left.map(nearest).sum()
    }

    fn is_goal(&self, &(visited, _): &(u32, usize)) -> bool {
        visited.count_ones() as usize == TOWNS.len()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let report = astar(&Tour, (0, 0))?;
    let path = report.path().ok_or("there is always a tour")?;
    let names: Vec<_> = path.states().iter().map(|&(_, town)| TOWNS[town].0).collect();
    println!("{}", names.join(" - "));
    println!("{:.1} km, {} states expanded", path.cost(), report.stats.expanded);
    assert!((path.cost() - 370.7).abs() < 0.1);
    Ok(())
}
