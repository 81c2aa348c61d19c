//! `bfs` of closures, beside a queue and a set.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt::Debug;
use std::hash::Hash;
use std::mem::needs_drop;

use bestfirst::{Outcome, PathError, SearchError, bfs, bfs_all, bfs_bidirectional};
use support::random::{Random, is_enough, rounds};

/// What a breadth-first search comes to that ends with the first goal that it generates.
#[derive(Debug, Default, PartialEq)]
struct Course {
    path: Option<Vec<u32>>,
    expanded: u64,
    generated: u64,
    duplicates: u64,
    stored: u64,
    most_open: u64,
    /// Expansions by depth.
    layers: Vec<u64>,
}

fn by_queue(edges: &[Vec<u32>], goals: &[u32]) -> Course {
    let mut course = Course { stored: 1, ..Course::default() };
    let mut depths = vec![None; edges.len()];
    let mut parents = vec![0; edges.len()];
    let mut queue = VecDeque::from([0]);
    depths[0] = Some(0);
    let mut end = goals.contains(&0).then_some(0);
    while let Some(node) = queue.pop_front().filter(|_| end.is_none()) {
        let depth: usize = depths[node as usize].unwrap();
        course.most_open = course.most_open.max(queue.len() as u64 + 1);
        course.expanded += 1;
        course.generated += edges[node as usize].len() as u64;
        course.layers.resize(course.layers.len().max(depth + 1), 0);
        course.layers[depth] += 1;
        let mut duplicates = 0;
        for &next in &edges[node as usize] {
            if depths[next as usize].is_some() {
                duplicates += 1;
                continue;
            }
            (depths[next as usize], parents[next as usize]) = (Some(depth + 1), node);
            queue.push_back(next);
            course.stored += 1;
            if goals.contains(&next) {
                end = Some(next);
                break;
            }
        }
        course.duplicates += duplicates;
    }
    course.path = end.map(|end| {
        let mut path = vec![end];
        while path[0] != 0 {
            path.insert(0, parents[path[0] as usize]);
        }
        path
    });
    course
}

/// Searches the graph with nodes that are named by states, and compares the course of it.
fn check<S: Clone + Eq + Hash + Debug, I: IntoIterator<Item = S>>(
    edges: &[Vec<u32>],
    goals: &[u32],
    named: impl Fn(u32) -> S,
    node: impl Fn(&S) -> u32,
    given: impl Fn(Vec<S>) -> I,
) -> Course {
    let calls = Cell::new(0);
    let successors = |from: &S| {
        calls.set(calls.get() + 1);
        given(edges[node(from) as usize].iter().map(|&to| named(to)).collect())
    };
    let report = bfs(named(0), successors, |state| goals.contains(&node(state))).unwrap();
    let stats = &report.stats;
    let path = report.path().map(|path| {
        assert!(path.steps().all(|step| step.cost == 1));
        assert_eq!(path.cost() as usize, path.len());
        path.states().iter().map(&node).collect::<Vec<_>>()
    });
    match &path {
        Some(path) => {
            assert!(report.is_optimal());
            assert_eq!(report.lower_bound as usize, path.len() - 1);
        }
        None => {
            assert_eq!((&report.outcome, report.lower_bound), (&Outcome::Exhausted, u32::MAX));
        }
    }
    // Not before there are many states are successors made that might not be needed.
    let few = if size_of::<S>() == size_of::<[u32; 3]>() { 512 } else { 4096 };
    let spare = if stats.stored < few || needs_drop::<S>() { 0 } else { 15 };
    let least = stats.expanded;
    assert!((least..=least + spare).contains(&calls.get()), "{least}, but {}", calls.get());
    assert!(stats.peak_bytes >= stats.stored * size_of::<S>() as u64);
    assert_eq!((stats.reopened, stats.dead_ends, stats.evaluated), (0, 0, 0));
    assert!(report.layers.iter().zip(0..).all(|(layer, depth)| layer.bound == depth));
    let course = by_queue(edges, goals);
    let found = Course {
        path,
        expanded: stats.expanded,
        generated: stats.generated,
        duplicates: stats.duplicates,
        stored: stats.stored,
        most_open: stats.peak_frontier,
        layers: report.layers.iter().map(|layer| layer.expanded).collect(),
    };
    assert_eq!(found, course);
    course
}

/// Searches all of the graph, and compares what is reached with what the searches for single goals find.
fn check_all<S: Clone + Eq + Hash + Debug>(
    edges: &[Vec<u32>],
    named: impl Fn(u32) -> S,
    node: impl Fn(&S) -> u32,
) -> usize {
    let successors =
        |from: &S| edges[node(from) as usize].iter().map(|&to| named(to)).collect::<Vec<_>>();
    let reached = bfs_all(named(0), successors);
    assert_eq!(reached.stopped(), None);
    let mut depths = vec![None; edges.len()];
    depths[0] = Some(0);
    let mut queue = VecDeque::from([0_u32]);
    let mut order = Vec::new();
    while let Some(from) = queue.pop_front() {
        let depth: u32 = depths[from as usize].unwrap();
        order.push((from, depth));
        for &to in &edges[from as usize] {
            if depths[to as usize].is_none() {
                depths[to as usize] = Some(depth + 1);
                queue.push_back(to);
            }
        }
    }
    assert_eq!((reached.len(), reached.is_empty()), (order.len(), false));
    assert_eq!(reached.states().len(), order.len());
    assert!(reached.states().map(|(state, steps)| (node(state), steps)).eq(order));
    for (name, &depth) in (0..).zip(&depths) {
        let state = named(name);
        assert_eq!(reached.cost_of(&state), depth);
        let path = reached.path_to(&state);
        assert_eq!(path.as_ref().map(Vec::len), depth.map(|depth| depth as usize + 1));
        let Some(path) = path else {
            assert_eq!(reached.parent_of(&state), None);
            continue;
        };
        let path: Vec<_> = path.iter().map(&node).collect();
        assert_eq!((path[0], path[path.len() - 1]), (0, name));
        assert!(path.windows(2).all(|step| edges[step[0] as usize].contains(&step[1])));
        let before = path.len().checked_sub(2).map(|place| path[place]);
        assert_eq!(reached.parent_of(&state).map(&node), before);
    }
    reached.len()
}

#[test]
fn bfs_to_all_finds_the_fewest_steps_to_each() {
    let mut random = Random::new(3);
    let mut below = |end: u64| u32::try_from(random.next() % end).unwrap();
    let mut reached = 0;
    for round in 0..rounds(30) {
        let states = if round < 3 { 30_000 } else { 1 + u64::from(below(60)) };
        let edges: Vec<Vec<u32>> =
            (0..states).map(|_| (0..below(4)).map(|_| below(states)).collect()).collect();
        let cell = |node: u32| (10 - node.cast_signed() % 70, (node / 70).cast_signed() - 50, 'x');
        let node = |&(x, y, _): &(i32, i32, char)| ((y + 50) * 70 + 10 - x).cast_unsigned();
        reached += match round % 4 {
            0 => check_all(&edges, |node| node, |&node| node),
            1 => check_all(&edges, cell, node),
            2 => check_all(&edges, u32::to_be_bytes, |&state| u32::from_be_bytes(state)),
            _ => check_all(&edges, |node| node.to_string(), |state| state.parse().unwrap()),
        };
    }
    assert!(reached > 25_000, "{reached}");
}

#[test]
fn bfs_finds_the_fewest_steps() {
    let mut random = Random::new(1);
    let mut below = |end: u64| u32::try_from(random.next() % end).unwrap();
    let (mut reached, mut hopeless, mut large) = (0, 0, 0);
    for round in 0..rounds(200) {
        // Every ninth is large: its states are expanded together, or found by their numbers.
        let states = if round % 9 == 0 { 20_000 } else { 2 + u64::from(below(60)) };
        let edges: Vec<Vec<u32>> = (0..states)
            .map(|_| (0..below(if states > 100 { 6 } else { 4 })).map(|_| below(states)).collect())
            .collect();
        let goal_count = if round % 27 == 0 { 0 } else { 1 + below(2) };
        let goals: Vec<u32> = (0..goal_count).map(|_| below(states)).collect();
        let array = |node| [node, 7, node / 2];
        let in_parts = |list: Vec<[u32; 3]>| list.into_iter().chain([]);
        let course = match round % 4 {
            0 => check(&edges, &goals, |node| node, |&node| node, |list| list),
            1 => check(
                &edges,
                &goals,
                |node| (7, u64::from(node)),
                |&(_, node)| u32::try_from(node).unwrap(),
                |list| list,
            ),
            2 => check(&edges, &goals, array, |state| state[0], in_parts),
            _ => check(
                &edges,
                &goals,
                |node| node.to_string(),
                |state| state.parse().unwrap(),
                |list| list,
            ),
        };
        // Slices are asked for ahead of time.
        let slices = |&node: &u32| edges[node as usize].iter().copied();
        let report = bfs(0, slices, |node| goals.contains(node)).unwrap();
        let states = report.path().map(|path| path.states().to_vec());
        assert_eq!((states, report.stats.generated), (course.path.clone(), course.generated));
        reached += u32::from(course.path.is_some());
        hopeless += u32::from(course.path.is_none());
        large += u32::from(course.stored > 5000);
    }
    assert!(reached > 15 && hopeless > 15 && large > 3, "{reached}, {hopeless}, {large}");
}

/// Searches from both ends for paths to one node, and returns the fewest steps.
fn check_both_ends<S: Clone + Eq + Hash + Debug>(
    edges: &[Vec<u32>],
    into: &[Vec<u32>],
    goal: u32,
    named: impl Fn(u32) -> S,
    node: impl Fn(&S) -> u32,
) -> (Option<u32>, u64) {
    let calls = Cell::new(0);
    let expected =
        bfs(0_u32, |&from| edges[from as usize].iter().copied(), |&at| at == goal).unwrap();
    let steps_of = |lists: &[Vec<u32>], of: &S| {
        calls.set(calls.get() + 1);
        lists[node(of) as usize].iter().map(|&to| named(to)).collect::<Vec<_>>()
    };
    let (successors, predecessors) =
        (|from: &S| steps_of(edges, from), |to: &S| steps_of(into, to));
    let report = bfs_bidirectional(named(0), named(goal), successors, predecessors).unwrap();
    let (stats, steps) = (&report.stats, report.cost());
    assert_eq!((steps, report.lower_bound), (expected.cost(), expected.lower_bound));
    if let Some(path) = report.path() {
        let nodes: Vec<_> = path.states().iter().map(&node).collect();
        assert_eq!(
            (nodes[0], nodes[nodes.len() - 1], nodes.len()),
            (0, goal, path.cost() as usize + 1)
        );
        assert!(nodes.windows(2).all(|step| edges[step[0] as usize].contains(&step[1])));
        // The layers of both sides lead to the middle of the path.
        assert!(report.layers.len() <= path.len() && report.is_optimal());
    } else {
        assert_eq!(report.outcome, Outcome::Exhausted);
    }
    assert!(report.layers.iter().zip(0..).all(|(layer, place)| layer.bound == place));
    assert_eq!(report.layers.iter().map(|layer| layer.expanded).sum::<u64>(), stats.expanded);
    assert_eq!(report.layers.iter().map(|layer| layer.generated).sum::<u64>(), stats.generated);
    assert!(stats.expanded <= stats.stored && stats.stored <= 2 * edges.len() as u64);
    let least = u64::from(stats.expanded > 0);
    assert!((least..=stats.stored).contains(&stats.peak_frontier));
    // Those ahead of time, of both sides, and those on the path.
    assert!(
        (stats.expanded..=stats.expanded + 30 + u64::from(steps.unwrap_or(0)))
            .contains(&calls.get())
    );
    (steps, stats.expanded)
}

#[test]
fn bfs_from_both_ends_finds_the_fewest_steps() {
    let mut random = Random::new(5);
    let mut below = |end: u64| u32::try_from(random.next() % end).unwrap();
    let (mut reached, mut hopeless, mut most) = (0, 0, 0);
    for round in 0..rounds(4_000) {
        // Some are mazes with layers of hundreds of cells.
        let is_maze = round % 200 < 3;
        let states = if is_maze { 173 * 173 } else { 1 + below(40) };
        let edges: Vec<Vec<u32>> = (0..states)
            .map(|node| {
                if !is_maze {
                    return (0..below(4)).map(|_| below(states.into())).collect();
                }
                [node + 173, node.wrapping_sub(173), node + 1, node.wrapping_sub(1)]
                    .into_iter()
                    .filter(|&to| to < states && to % 7 * (to % 11) != 6 && below(9) > 0)
                    .collect()
            })
            .collect();
        let mut into = vec![Vec::new(); edges.len()];
        for (from, ends) in (0..).zip(&edges) {
            for &to in ends {
                into[to as usize].push(from);
            }
        }
        let goal = if is_maze { states - 1 - below(9) } else { below(states.into()) };
        let cell = |node: u32| (node % 173, node / 173);
        let (steps, expanded) = match round % 3 {
            0 => check_both_ends(&edges, &into, goal, |node| node, |&node| node),
            1 => check_both_ends(&edges, &into, goal, cell, |&(x, y)| y * 173 + x),
            _ => check_both_ends(
                &edges,
                &into,
                goal,
                |node| node.to_string(),
                |state| state.parse().unwrap(),
            ),
        };
        reached += u32::from(steps.is_some());
        hopeless += u32::from(steps.is_none());
        most = most.max(expanded);
    }
    assert!(
        is_enough(reached, 400) && is_enough(hopeless, 400) && most > 12_000,
        "{reached}, {hopeless}, {most}"
    );
}

#[test]
fn predecessors_that_contradict_the_successors_are_an_error() {
    let up = |&n: &u32| [n + 1, n + 2];
    let down = |&n: &u32| [n.saturating_sub(1), n.saturating_sub(3)];
    let error = bfs_bidirectional(0, 30, up, down).unwrap_err();
    assert!(matches!(error, SearchError::Path(PathError::NoSuchStep { .. })), "{error}");
    // On one side there are no more states.
    let report = bfs_bidirectional(0, 30, up, |_| None).unwrap();
    assert_eq!((report.outcome, report.stats.expanded), (Outcome::Exhausted, 2));
}
