//! An experiment: random stacks of pancakes by several engines, each with the same limit; what each found and proved, and
//! what it took.
//!
//! ```text
//! cargo run --release --example experiment
//! ```

use bestfirst::{
    AStar, BoxedSearch, Dijkstra, IdaStar, Limits, SearchError, SearchProblem, Stats, Successors,
};

const SIZE: usize = 9;

type Stack = [usize; SIZE];

struct Pancakes;

impl SearchProblem for Pancakes {
    type State = Stack;
    /// How many are turned over.
    type Action = usize;
    type Cost = usize;

    fn successors(&self, stack: &Stack, next: &mut Successors<Self>) {
        for count in 2..=SIZE {
            let mut turned = *stack;
            turned[..count].reverse();
            next.push(count, turned, 1);
        }
    }

    /// The pairs of neighbours that must be parted (Helmert, *Landmark heuristics for the pancake problem*, 2010).
    fn heuristic(&self, stack: &Stack) -> usize {
        let plate = [stack[SIZE - 1], SIZE];
        let gaps = stack.windows(2).chain([&plate[..]]);
        gaps.filter(|pair| pair[0].abs_diff(pair[1]) > 1).count()
    }

    fn is_goal(&self, stack: &Stack) -> bool {
        stack.is_sorted()
    }
}

/// Turns over a hundred times, by a linear congruential generator.
fn random(seed: &mut usize) -> Stack {
    let mut stack = std::array::from_fn(|at| at);
    for _ in 0..100 {
        *seed = *seed * 16807 % 0x7FFF_FFFF;
        stack[..*seed % (SIZE + 1)].reverse();
    }
    stack
}

fn main() -> Result<(), SearchError<usize>> {
    let limits = Limits::new().expansions(40_000).memory(1 << 28);
    let mut seed = 1;
    println!("{:>13}  cost  bound  expanded  generated     bytes  first", "");
    for _ in 0..5 {
        let start = random(&mut seed);
        let searches: [(&str, BoxedSearch<'_, Pancakes>); 4] = [
            ("Dijkstra", Box::new(Dijkstra::new(Pancakes).search(start))),
            ("A*", Box::new(AStar::new(Pancakes).search(start))),
            ("A*, weight 1.5", Box::new(AStar::new(Pancakes).weight(1.5).search(start))),
            ("IDA*", Box::new(IdaStar::new(Pancakes).search(start))),
        ];
        let mut optima = vec![];
        for (name, mut search) in searches {
            search.set_limits(limits.clone());
            let report = search.run()?;
            let Stats { expanded, generated, peak_bytes, .. } = report.stats;
            let cost = report.cost().map_or("-".to_owned(), |cost| cost.to_string());
            let first = report.path().and_then(|path| path.actions().next());
            let first = first.map_or("-".to_owned(), ToString::to_string);
            println!(
                "{name:>14}  {cost:>4}  {:5}  {expanded:8}  {generated:9}  {peak_bytes:8}  {first:>5}",
                report.lower_bound,
            );
            optima.extend(report.cost().filter(|_| report.is_optimal()));
        }
        assert!(optima.windows(2).all(|pair| pair[0] == pair[1]), "engines disagree");
    }
    Ok(())
}
