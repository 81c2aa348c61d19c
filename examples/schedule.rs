//! One machine, and jobs with due dates and weights: the order with the least weighted tardiness, by anytime search. Better
//! orders are printed as they are found, each with the factor that it is proved to be within.
//!
//! ```text
//! cargo run --example schedule
//! ```

use bestfirst::{Anytime, Observer, SearchProblem, Successors};

/// The hour when the machine is free.
const FREE_AT: u32 = 12;

/// Hours that a job takes, the hour when it is due, and what an hour of delay costs.
const JOBS: [(u32, u32, u32); 14] = [
    (5, 12, 4),
    (3, 6, 2),
    (8, 30, 7),
    (2, 40, 1),
    (6, 18, 5),
    (4, 9, 3),
    (7, 55, 8),
    (1, 22, 2),
    (9, 48, 6),
    (3, 35, 9),
    (5, 20, 1),
    (2, 14, 6),
    (6, 60, 4),
    (4, 27, 5),
];

struct Machine;

impl Machine {
    /// The cost of each job that is not done if it is the next one.
    fn next_jobs(done: u32) -> impl Iterator<Item = (usize, u32)> {
        let bits = move |job: usize| done >> job & 1;
        let worked: u32 = (0..JOBS.len()).map(|job| bits(job) * JOBS[job].0).sum();
        let now = FREE_AT + worked;
        (0..JOBS.len()).filter(move |&job| bits(job) == 0).map(move |job| {
            let (hours, due, weight) = JOBS[job];
            (job, weight * (now + hours).saturating_sub(due))
        })
    }
}

impl SearchProblem for Machine {
    /// A bit for each job that is done. Their order does not matter for the others.
    type State = u32;
    type Action = usize;
    type Cost = u32;

    fn successors(&self, &done: &u32, next: &mut Successors<Self>) {
        for (job, cost) in Self::next_jobs(done) {
            next.push(job, done | 1 << job, cost);
        }
    }

    /// No job that is left ends earlier than if it were the next one.
    fn heuristic(&self, &done: &u32) -> u32 {
        Self::next_jobs(done).map(|(_, cost)| cost).sum()
    }

    fn is_goal(&self, &done: &u32) -> bool {
        done.count_ones() as usize == JOBS.len()
    }
}

struct Print;

impl Observer<u32, u32> for Print {
    fn incumbent(&mut self, cost: u32, bound: u32) {
        println!("cost {cost}, at most {:.3} times the least", f64::from(cost) / f64::from(bound));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let report = Anytime::new(Machine).observer(Print).search(0).run()?;
    let path = report.path().ok_or("any order is a solution")?;
    println!("order {:?}", path.actions().collect::<Vec<_>>());
    println!("cost {} is the least; {} states expanded", path.cost(), report.stats.expanded);
    assert!(report.is_optimal());
    assert_eq!(path.cost(), 573);
    Ok(())
}
