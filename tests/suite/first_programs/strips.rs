//! A planner: facts are bits, actions have preconditions, and add and delete facts. Here parcels are brought by trucks. The
//! heuristic is that of the costliest goal when nothing is deleted.

use std::collections::{HashMap, VecDeque};
use std::error::Error;

use bestfirst::{AStar, Anytime, Cost, KBest, Limits, SearchProblem, Successors, check};
use support::random::{is_enough, rounds};

type Facts = u64;

struct Operator {
    name: String,
    needs: Facts,
    adds: Facts,
    deletes: Facts,
    cost: u32,
}

struct Task {
    operators: Vec<Operator>,
    goal: Facts,
    facts: u32,
}

impl SearchProblem for Task {
    type State = Facts;
    /// The number of the operator.
    type Action = usize;
    type Cost = u32;

    fn successors(&self, &facts: &Facts, next: &mut Successors<Self>) {
        for (number, operator) in self.operators.iter().enumerate() {
            if facts & operator.needs == operator.needs {
                next.push(number, facts & !operator.deletes | operator.adds, operator.cost);
            }
        }
    }

    fn heuristic(&self, &facts: &Facts) -> u32 {
        let mut costs = [u32::INFINITY; 64];
        let bits = |set: Facts| (0..self.facts as usize).filter(move |fact| set >> fact & 1 == 1);
        bits(facts).for_each(|fact| costs[fact] = 0);
        let dearest = |costs: &[u32; 64], set| bits(set).map(|fact| costs[fact]).max().unwrap_or(0);
        loop {
            let before = costs;
            for operator in &self.operators {
                let needs = dearest(&costs, operator.needs);
                if needs < u32::INFINITY {
                    bits(operator.adds)
                        .for_each(|fact| costs[fact] = costs[fact].min(needs + operator.cost));
                }
            }
            if costs == before {
                return dearest(&costs, self.goal);
            }
        }
    }

    fn is_goal(&self, facts: &Facts) -> bool {
        facts & self.goal == self.goal
    }
}

const TOWNS: u32 = 4;

/// Parcels, trucks and one-way roads at random, and where everything is at first.
fn task(random: &mut impl FnMut(usize) -> usize, parcels: u32, trucks: u32) -> (Task, Facts) {
    let mut below = |bound: u32| u32::try_from(random(bound as usize)).unwrap();
    let (truck_at, parcel_at) = (
        |truck: u32, town: u32| 1 << (truck * TOWNS + town),
        |parcel: u32, place: u32| 1 << (trucks * TOWNS + parcel * (TOWNS + trucks) + place),
    );
    let mut operators = vec![];
    for (from, to) in (0..TOWNS).flat_map(|from| (0..TOWNS).map(move |to| (from, to))) {
        if from != to && below(3) > 0 {
            let cost = 1 + below(5);
            for truck in 0..trucks {
                let (needs, adds) = (truck_at(truck, from), truck_at(truck, to));
                let name = format!("drive {truck} {from} {to}");
                operators.push(Operator { name, needs, adds, deletes: needs, cost });
            }
        }
    }
    for parcel in 0..parcels {
        for (truck, town) in (0..trucks).flat_map(|truck| (0..TOWNS).map(move |town| (truck, town)))
        {
            let (here, in_town, in_truck) =
                (truck_at(truck, town), parcel_at(parcel, town), parcel_at(parcel, TOWNS + truck));
            for (verb, from, to) in [("load", in_town, in_truck), ("unload", in_truck, in_town)] {
                let name = format!("{verb} {parcel} {truck} {town}");
                operators.push(Operator {
                    name,
                    needs: here | from,
                    adds: to,
                    deletes: from,
                    cost: 1,
                });
            }
        }
    }
    let mut start = 0;
    (0..trucks).for_each(|truck| start |= truck_at(truck, below(TOWNS)));
    (0..parcels).for_each(|parcel| start |= parcel_at(parcel, below(TOWNS)));
    let goal = (0..parcels).fold(0, |goal, parcel| goal | parcel_at(parcel, below(TOWNS)));
    (Task { operators, goal, facts: trucks * TOWNS + parcels * (TOWNS + trucks) }, start)
}

/// The least cost of a plan, by all states.
fn least_cost(task: &Task, start: Facts) -> Option<u32> {
    let mut known = HashMap::from([(start, 0)]);
    let mut changed = VecDeque::from([start]);
    while let Some(facts) = changed.pop_front() {
        let cost = known[&facts];
        for operator in task.operators.iter().filter(|it| facts & it.needs == it.needs) {
            let (next, through) = (facts & !operator.deletes | operator.adds, cost + operator.cost);
            if known.get(&next).is_none_or(|&known| known > through) {
                known.insert(next, through);
                changed.push_back(next);
            }
        }
    }
    known
        .into_iter()
        .filter(|(facts, _)| facts & task.goal == task.goal)
        .map(|(_, cost)| cost)
        .min()
}

#[test]
fn plans_for_trucks() -> Result<(), Box<dyn Error>> {
    let mut random = super::numbers(3);
    let mut solved = 0;
    for _ in 0..rounds(12) {
        let (task, start) = task(&mut random, 2, 2);
        let expected = least_cost(&task, start);
        let report = AStar::new(&task).search(start).run()?;
        assert_eq!(report.cost(), expected);
        check::admissible(&task, start, 100_000)?;

        // A plan while there is time, and how good it is.
        let mut search = Anytime::new(&task).limits(Limits::new().expansions(20)).search(start);
        let soon = search.run()?;
        assert!(Some(soon.lower_bound) <= expected || expected.is_none());
        assert!(soon.cost().is_none_or(|cost| Some(cost) >= expected));
        search.set_limits(Limits::new());
        assert_eq!(search.run()?.cost(), expected);

        let Some(path) = report.path() else { continue };
        solved += 1;
        let mut facts = start;
        for &action in path.actions() {
            let operator = &task.operators[action];
            assert_eq!(facts & operator.needs, operator.needs, "{}", operator.name);
            facts = facts & !operator.deletes | operator.adds;
        }
        assert_eq!(facts & task.goal, task.goal);

        // The three best plans.
        let plans = KBest::new(&task).search(start).take(3).collect::<Result<Vec<_>, _>>()?;
        assert_eq!(plans.first().map(bestfirst::Path::cost), expected);
        assert!(plans.is_sorted_by_key(bestfirst::Path::cost));
    }
    assert!(is_enough(solved, 4));
    Ok(())
}
