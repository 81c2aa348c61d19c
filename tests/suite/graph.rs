//! Random graphs for tests of engines that return more than one path.

use bestfirst::{SearchProblem, Successors};

/// A random graph. Steps between the same states are told apart by their actions.
#[derive(Clone, Debug)]
pub struct Graph {
    pub steps: Vec<Vec<(u16, u32)>>,
    pub goals: Vec<bool>,
    pub h: Vec<u32>,
}

impl SearchProblem for Graph {
    type State = u16;
    type Action = u32;
    type Cost = u32;

    fn successors(&self, &state: &u16, next: &mut Successors<Self>) {
        for (action, &(to, cost)) in
            (u32::from(state) * 1000..).zip(&self.steps[usize::from(state)])
        {
            next.push(action, to, cost);
        }
    }

    fn heuristic(&self, &state: &u16) -> u32 {
        self.h[usize::from(state)]
    }

    fn is_goal(&self, &state: &u16) -> bool {
        self.goals[usize::from(state)]
    }
}

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// A graph with cycles, loops, parallel steps, several goals, and a heuristic that is admissible and not consistent. It
    /// has at most `states` states, at most `most` different steps from each, and at most `costs` costs, from `least` on.
    pub fn graph_within(&mut self, [states, most, costs]: [u64; 3], least: u32) -> Graph {
        let states = 1 + self.below(states);
        let most = 1 + self.below(most);
        let highest = 1 + self.below(costs);
        let mut steps = vec![Vec::new(); usize::try_from(states).unwrap()];
        for from in &mut steps {
            for _ in 0..self.below(most + 1) {
                let to = u16::try_from(self.below(states)).unwrap();
                let cost = least + u32::try_from(self.below(highest)).unwrap();
                from.push((to, cost));
                if self.below(4) == 0 {
                    from.push((to, cost));
                }
            }
        }
        let goals = (0..states).map(|_| self.below(4) == 0).collect();
        let mut graph = Graph { steps, goals, h: Vec::new() };
        let to_go = graph.to_go();
        graph.h = to_go
            .iter()
            .map(|&to_go| match to_go {
                u32::MAX => [0, 5, u32::MAX][usize::try_from(self.below(3)).unwrap()],
                to_go => u32::try_from(self.below(u64::from(to_go) + 1)).unwrap(),
            })
            .collect();
        graph
    }
}

impl Graph {
    /// The least cost from each state to a goal.
    pub fn to_go(&self) -> Vec<u32> {
        let mut to_go: Vec<u32> =
            self.goals.iter().map(|&goal| if goal { 0 } else { u32::MAX }).collect();
        for _ in 0..self.steps.len() {
            for (from, steps) in self.steps.iter().enumerate() {
                for &(to, cost) in steps {
                    to_go[from] = to_go[from].min(to_go[usize::from(to)].saturating_add(cost));
                }
            }
        }
        to_go
    }
}
