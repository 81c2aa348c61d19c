//! One machine and jobs with due dates: the order with the least weighted tardiness.

use bestfirst::{SearchProblem, Successors};

use super::Random;

/// At most 64 jobs.
#[derive(Clone, Debug)]
pub struct Schedule {
    jobs: Vec<Job>,
}

#[derive(Clone, Copy, Debug)]
struct Job {
    hours: u32,
    due: u32,
    weight: u32,
}

impl Schedule {
    /// Random jobs, due within the first six tenths of the time that all take.
    pub fn random(count: usize, random: &mut Random) -> Self {
        let mut number = || 1 + random.below(9) as u32;
        let mut jobs: Vec<Job> =
            (0..count).map(|_| Job { hours: number(), due: 0, weight: number() }).collect();
        let total: u32 = jobs.iter().map(|job| job.hours).sum();
        for job in &mut jobs {
            job.due = job.hours + random.below(u64::from(total) * 6 / 10) as u32;
        }
        Self { jobs }
    }

    /// The cost of each job that is not done if it is the next one.
    fn next_jobs(&self, done: u64) -> impl Iterator<Item = (usize, u32)> {
        let is_done = move |job: &usize| done >> job & 1 == 1;
        let jobs = || 0..self.jobs.len();
        let now: u32 = jobs().filter(is_done).map(|job| self.jobs[job].hours).sum();
        jobs().filter(move |job| !is_done(job)).map(move |job| {
            let Job { hours, due, weight } = self.jobs[job];
            (job, weight * (now + hours).saturating_sub(due))
        })
    }
}

impl SearchProblem for Schedule {
    /// A bit for each job that is done.
    type State = u64;
    type Action = usize;
    type Cost = u32;

    fn successors(&self, &done: &u64, next: &mut Successors<Self>) {
        for (job, cost) in self.next_jobs(done) {
            next.push(job, done | 1 << job, cost);
        }
    }

    /// No job that is left ends earlier than if it were the next one.
    fn heuristic(&self, &done: &u64) -> u32 {
        self.next_jobs(done).map(|(_, cost)| cost).sum()
    }

    fn is_goal(&self, &done: &u64) -> bool {
        done.count_ones() as usize == self.jobs.len()
    }
}
