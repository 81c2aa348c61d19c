//! Paths of problems whose actions tell nothing are built from the costs of their states. They must be the
//! paths that the successors allow, also where a state on the way became cheaper after it was left.

use bestfirst::{
    AStar, AnytimeAStar, Bidirectional, BreadthFirst, DenseStates, Dijkstra, Greedy, Limits,
    Outcome, Path, Report, Reversible, SearchProblem, Successors,
};
use support::erased::{problem, reversing};
use support::random::rounds;

/// A random graph: of each node the arcs, and a heuristic value that may be anything.
struct Graph {
    arcs: Vec<Vec<(u32, u32)>>,
    estimates: Vec<u32>,
}

impl Graph {
    fn random(seed: u64) -> Self {
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut below = |end: u32| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            u32::try_from(random >> 33).unwrap() % end
        };
        let count = 5 + below(30);
        let arcs = (0..count)
            .map(|_| (0..=below(4)).map(|_| (below(count), below(40))).collect())
            .collect();
        let estimates = (0..count).map(|_| below(40)).collect();
        Self { arcs, estimates }
    }

    fn last(&self) -> u32 {
        u32::try_from(self.arcs.len()).unwrap() - 1
    }

    fn problem(&self) -> Box<dyn SearchProblem<State = u32, Action = (), Cost = u32> + '_> {
        let last = self.last();
        problem(
            |&node: &u32| self.arcs[node as usize].iter().copied(),
            |&node: &u32| self.estimates[node as usize],
            move |&node: &u32| node == last,
        )
    }
}

/// The graph as a problem that knows its predecessors.
impl SearchProblem for &Graph {
    type State = u32;
    type Action = ();
    type Cost = u32;

    fn successors(&self, node: &u32, next: &mut Successors<Self>) {
        for &(to, cost) in &self.arcs[*node as usize] {
            next.push((), to, cost);
        }
    }

    fn heuristic(&self, node: &u32) -> u32 {
        self.estimates[*node as usize]
    }

    fn is_goal(&self, node: &u32) -> bool {
        *node == self.last()
    }
}

impl Reversible for &Graph {
    fn predecessors(&self, node: &u32, previous: &mut Successors<Self>) {
        for (from, arcs) in (0..).zip(&self.arcs) {
            for &(_, cost) in arcs.iter().filter(|(to, _)| to == node) {
                previous.push((), from, cost);
            }
        }
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        [self.last()].into_iter()
    }
}

impl DenseStates for &Graph {
    fn state_count(&self) -> usize {
        self.arcs.len()
    }

    fn state_index(&self, node: &u32) -> usize {
        *node as usize
    }

    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

fn check<P>(problem: &P, path: &Path<u32, (), u32>)
where
    P: SearchProblem<State = u32, Action = (), Cost = u32>,
{
    let mut sum = path.start_cost();
    for step in path.steps() {
        let mut next = Successors::<P>::new();
        problem.successors(step.from, &mut next);
        let costs = next.as_slice().iter().filter(|next| next.state == *step.to);
        assert_eq!(costs.map(|next| next.cost).min(), Some(step.cost), "{path:?}");
        sum += step.cost;
    }
    assert_eq!(sum, path.cost());
}

#[test]
fn paths_are_what_the_successors_allow() {
    let (mut found, mut closest) = (0, 0);
    for seed in 0..rounds(120) {
        let graph = Graph::random(seed);
        let problem = &graph.problem();
        let mut judge = |report: Report<u32, (), u32>| {
            if let Some(path) = report.path() {
                found += 1;
                check(problem, path);
                assert_eq!(path.verify(problem), Ok(()));
            }
            if let Some(path) = report.closest() {
                closest += 1;
                check(problem, path);
            }
        };
        // Stopped after every expansion, with starts that cost something.
        macro_rules! judge {
            ($($builder:expr),*) => {$(
                for most in 0.. {
                    let limits = Limits::new().expansions(most);
                    let report = $builder.limits(limits).search_from([(0, 3), (1, 5)]).run().unwrap();
                    let is_over = !matches!(report.outcome, Outcome::Stopped(_));
                    judge(report);
                    if is_over {
                        break;
                    }
                }
            )*};
        }
        judge!(AStar::new(problem), AStar::new(problem).weight(3.0), Greedy::new(problem));
        judge!(AnytimeAStar::new(problem), BreadthFirst::new(problem));
        let graph = &graph;
        let both_ways = reversing(&graph);
        judge!(Bidirectional::new(both_ways), Bidirectional::new(both_ways).nbs());
        let report = Dijkstra::new(problem).search_from([(0, 3), (1, 5)]).run().unwrap();
        judge(report);
    }
    assert!(found > 144 && closest > 1440, "{found} {closest}");
}
