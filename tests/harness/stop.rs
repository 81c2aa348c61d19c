//! [`Stop`]: the limits of a run, for every type of cost, and what they allow.

use std::fmt;
use std::time::Duration;

use bestfirst::{CancelToken, Limits, StopReason};

use crate::case::{Case, Price};
use support::random::Random;

/// The limits of a run.
#[derive(Clone, Copy, Default)]
pub struct Stop {
    pub expansions: Option<u64>,
    pub memory: Option<usize>,
    pub cost: Option<u64>,
    /// Milliseconds, by the [clock](crate::time::Time) of the problem.
    pub time: Option<u64>,
    pub is_cancelled: bool,
}

/// Kinds of stops that a search had.
#[derive(Clone, Copy, Debug, Default)]
pub struct Had {
    pub memory: bool,
    pub cost: bool,
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expansions, memory, cost, time, is_cancelled } = self;
        let memory = memory.map(|bytes| bytes as u64);
        let limits =
            [("expansions", *expansions), ("memory", memory), ("cost", *cost), ("time", *time)];
        let mut words = f.debug_set();
        for (name, most) in limits {
            if let Some(most) = most {
                words.entry(&format_args!("{name} {most}"));
            }
        }
        if *is_cancelled {
            words.entry(&format_args!("cancelled"));
        }
        words.finish()
    }
}

impl Stop {
    pub fn expansions(most: u64) -> Self {
        Self { expansions: Some(most), ..Self::default() }
    }

    pub fn memory(most: usize) -> Self {
        Self { memory: Some(most), ..Self::default() }
    }

    pub fn cost(most: u64) -> Self {
        Self { cost: Some(most), ..Self::default() }
    }

    /// Some limits at once, for a search that has expanded and holds so much, where costs are below `dearest`.
    pub fn random(random: &mut Random, expanded: u64, bytes: usize, dearest: u64) -> Self {
        let mut stop = Self::default();
        if random.one_in(2) {
            stop.expansions = Some(expanded + random.below(4));
        }
        if random.one_in(2) {
            let more = if random.one_in(3) { 2000 } else { 200 };
            stop.memory = Some(bytes + random.index(more));
        }
        if random.one_in(3) {
            stop.cost = Some(random.below(dearest).min(255));
        }
        if random.one_in(4) {
            stop.time = Some(random.below(6));
        }
        stop.is_cancelled = random.one_in(10);
        stop
    }

    /// The same for a search that has expanded this many states: it cannot take them back.
    pub fn after(self, expanded: u64) -> Self {
        Self { expansions: self.expansions.map(|most| most.max(expanded)), ..self }
    }

    /// The limits. `spent` is the time that the search has spent.
    pub fn limits<C: Price>(
        &self,
        case: &Case<C>,
        token: Option<&CancelToken>,
        spent: Duration,
    ) -> Limits<C> {
        let mut limits = Limits::new().clock(case.time.clock());
        if let Some(most) = self.expansions {
            limits = limits.expansions(most);
        }
        if let Some(most) = self.memory {
            limits = limits.memory(most);
        }
        if let Some(most) = self.cost {
            limits = limits.cost(C::of(most));
        }
        if let Some(most) = self.time {
            limits = limits.time(spent + Duration::from_millis(most));
        }
        if let Some(token) = token {
            if self.is_cancelled {
                token.cancel();
            } else {
                token.reset();
            }
            limits = limits.cancel(token);
        }
        limits
    }

    /// Whether a search may be stopped for this reason.
    pub fn allows(&self, reason: StopReason) -> bool {
        match reason {
            StopReason::Expansions => self.expansions.is_some(),
            StopReason::Memory => self.memory.is_some(),
            StopReason::Cost => self.cost.is_some(),
            StopReason::Time => self.time.is_some(),
            StopReason::Cancelled => self.is_cancelled,
            _ => false,
        }
    }
}

impl Had {
    pub fn note(&mut self, stop: &Stop) {
        self.memory |= stop.memory.is_some();
        self.cost |= stop.cost.is_some();
    }
}
