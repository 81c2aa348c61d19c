use std::collections::HashMap;

use super::super::Distributed;
use super::Place;
use crate::problem::FnProblem;

/// The last state that the first worker expands in a round is `shortcut`: the successors of `hub`, as many as its quota, come before
/// it. So the goal that it had found is improved after its report was sent, and it has nothing else to do in the next round. The
/// worse goal of the other worker must not win. (The quota is a sixteenth of what was expanded: 262, reached by 261 successors.)
#[test]
fn a_goal_that_is_improved_after_the_report_is_made_known() {
    let place = Place { shard: 0, shards: 2 };
    for count in 250..270 {
        let mut states = [0, 1]
            .map(|worker| (100_000_u32..).filter(move |state| place.owner_of(state) == worker));
        let mut state_of = |worker: usize| states[worker].next().unwrap();
        // Long steps make a layer span several values of f.
        let chain: Vec<_> = (0..22).map(|nth| state_of(nth % 2)).collect();
        let [fork, goal, hub, shortcut] = [0; 4].map(&mut state_of);
        let [detour, other_goal] = [1; 2].map(&mut state_of);
        let mut steps: HashMap<u32, Vec<(u32, u32)>> = HashMap::new();
        let leaves = (1..=8_400).map(|leaf| (leaf, 1));
        steps.insert(0, leaves.chain([(chain[0], 1 << 22)]).collect());
        for pair in chain.windows(2) {
            steps.insert(pair[0], vec![(pair[1], 1 << 22)]);
        }
        steps.insert(chain[21], vec![(fork, 1 << 22)]);
        steps.insert(fork, vec![(goal, 100), (detour, 1)]);
        steps.insert(detour, vec![(hub, 1), (other_goal, 74)]);
        let successors = (0..count).map(|_| (state_of(0), 1));
        steps.insert(hub, successors.chain([(shortcut, 10)]).collect());
        steps.insert(shortcut, vec![(goal, 38)]);
        let problem = FnProblem::new(
            |state: &u32| steps.get(state).cloned().unwrap_or_default(),
            |_: &u32| 0,
            |state: &u32| [goal, other_goal].contains(state),
        );
        let report = Distributed::new(&problem).workers(2).run(0).unwrap();
        assert_eq!(report.cost(), Some(23 * (1 << 22) + 50), "{count}");
    }
}
