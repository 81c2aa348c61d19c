//! Which of two parts of a search is to expand states, by the progress that they made.

/// The two parts of an anytime search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The beams of growing width.
    Beams,
    /// Weighted A\*.
    Weighted,
}

/// The turns of two parts. The *leader* is the one that found the best path so far, until there was no better one
/// for [`LONG`] times as long as the search had taken to find it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns<C> {
    /// Whose turn it is, and how many more states it expands.
    part: Part,
    left: u64,
    leader: Option<Part>,
    expanded: u64,
    /// The number of states that were expanded when the best path was found.
    expanded_at_best: u64,
    /// Where a part stopped at a limit on the cost: that limit.
    stopped: [Option<C>; 2],
}

/// How many states each part expands in a turn. Weighted A\* takes about twice as long for each.
const TURNS: [u64; 2] = [128, 64];

/// The leader expands this many times as many.
const LEAD: u64 = 15;

const LONG: u64 = 4;

impl<C: PartialOrd + Copy> Turns<C> {
    pub(super) fn new() -> Self {
        Self {
            part: Part::Beams,
            left: TURNS[Part::Beams as usize],
            leader: None,
            expanded: 0,
            expanded_at_best: 0,
            stopped: [None, None],
        }
    }

    /// The part that goes on, and how many states it may expand; `None` if both have stopped at this limit on the cost.
    pub(super) fn current(&mut self, limit: Option<C>) -> Option<(Part, u64)> {
        let has_stopped = |part: Part| limit.is_some() && self.stopped[part as usize] == limit;
        if has_stopped(self.part) {
            if has_stopped(self.part.other()) {
                return None;
            }
            self.go_on();
        }
        Some((self.part, self.left))
    }

    /// Notes that the part whose turn it is has expanded this many states.
    pub(super) fn count(&mut self, expanded: u64) {
        self.expanded += expanded;
        self.left = self.left.saturating_sub(expanded);
    }

    /// The part whose turn it is found a better path.
    pub(super) fn lead(&mut self) {
        (self.leader, self.expanded_at_best) = (Some(self.part), self.expanded);
    }

    /// The part whose turn it is stopped at this limit on the cost.
    pub(super) fn stop(&mut self, limit: C) {
        self.stopped[self.part as usize] = Some(limit);
    }

    /// Whether the part has expanded as many states as it may in its turn.
    pub(super) fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Begins the next turn.
    pub(super) fn go_on(&mut self) {
        self.part = self.part.other();
        let leads = self.leader == Some(self.part)
            && self.expanded <= self.expanded_at_best.saturating_mul(LONG);
        self.left = TURNS[self.part as usize] * if leads { LEAD } else { 1 };
    }
}

impl Part {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Beams => Self::Weighted,
            Self::Weighted => Self::Beams,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whose turns follow, and how many states each expands.
    fn turns(turns: &mut Turns<u32>, count: usize) -> Vec<(Part, u64)> {
        let mut list = Vec::new();
        while list.len() < count {
            let (part, left) = turns.current(None).unwrap();
            list.push((part, left));
            turns.count(left);
            assert!(turns.is_over());
            turns.go_on();
        }
        list
    }

    #[test]
    fn the_part_that_found_the_best_path_leads_for_a_while() {
        use Part::{Beams, Weighted};
        let mut all = Turns::new();
        assert_eq!(turns(&mut all, 3), [(Beams, 128), (Weighted, 64), (Beams, 128)]);
        all.count(10);
        all.lead();
        assert_eq!(turns(&mut all, 3), [(Weighted, 54), (Beams, 128), (Weighted, 960)]);
        let later = turns(&mut all, 4);
        assert_eq!(later, [(Beams, 128), (Weighted, 64), (Beams, 128), (Weighted, 64)]);
        assert_eq!(all.expanded_at_best, 330);
    }

    #[test]
    fn a_part_that_stopped_at_a_limit_waits_for_another_one() {
        let mut turns = Turns::new();
        assert_eq!(turns.current(Some(7_u32)), Some((Part::Beams, 128)));
        turns.stop(7);
        turns.go_on();
        assert_eq!(turns.current(Some(7)), Some((Part::Weighted, 64)));
        turns.count(64);
        turns.go_on();
        assert_eq!(turns.current(Some(7)), Some((Part::Weighted, 64)));
        turns.stop(7);
        assert_eq!(turns.current(Some(7)), None);
        assert!(turns.current(Some(8)).is_some() && turns.current(None).is_some());
    }
}
