//! [`AlternativesEngine`]: grows a tree from each end, and takes one plateau after the other.

use super::Similar;
use super::plateaus::{BothTrees, Bounds, Candidate, Plateaus};
use crate::cost::{Cost, ScalableCost, larger};
use crate::debug::show_fields;
use crate::engine::bidirectional::{Direction, Side, join, list_goals};
use crate::engine::driver::Driver;
use crate::engine::parts::{Parts, With};
use crate::engine::paths::WORK;
use crate::engine::paths::one_by_one::{OneByOne, Returned};
use crate::engine::policy::ListExpanded;
use crate::engine::{Engine, Progress, Run};
use crate::frontier::Single;
use crate::memory::OutOfMemory;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::Reversible;
use crate::report::{SearchError, StopReason};
use crate::table::{Record, Table};

/// The engine of [`Alternatives`](crate::Alternatives).
///
/// [`Search::run`](crate::Search::run) finds the next path but does not consume it; the iterator does.
pub type AlternativesEngine<P, T, F> = AlternativesDriver<With<P, Similar, T, F>>;

/// The parts of such a search.
pub trait ForAlternatives:
    Parts<Order = Similar, Problem: Reversible + Clone, Key = Single<<Self as Parts>::Cost>>
{
}

impl<S> ForAlternatives for S where
    S: Parts<Order = Similar, Problem: Reversible + Clone, Key = Single<<S as Parts>::Cost>>
{
}

/// The same, as a type of its parts.
pub struct AlternativesDriver<S: ForAlternatives> {
    /// Forwards from the starts, and backwards from the goals.
    trees: [Tree<S>; 2],
    stage: Stage,
    has_goals: bool,
    /// What the cheapest path costs, once it is known.
    least: Option<S::Cost>,
    plateaus: Plateaus<S::Id>,
    /// The steps of all paths so far, as ids of the forward tree: first those of the cheapest path, sorted, then the others.
    steps: Vec<[S::Id; 2]>,
    /// How many of these are of the cheapest path.
    steps_of_cheapest: usize,
    /// What the steps of the cheapest path cost.
    cost_of_steps: S::Cost,
    /// The path that was found and not taken yet.
    found: Option<PathOf<S::Problem>>,
    /// What the iterator has returned.
    returned: Returned,
    bound: S::Cost,
}

/// A search from one end that lists the states that it expands.
type Tree<S> = Driver<
    With<Side<<S as Parts>::Problem>, Similar, <S as Parts>::Table, <S as Parts>::Frontier>,
    ListExpanded<<S as Parts>::Id>,
>;

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Searching for the cheapest path.
    Begin,
    /// Growing a tree as far as an alternative may cost.
    Grow(Direction),
    /// Looking for plateaus.
    Compare,
    /// Trying plateaus.
    Choose,
}

/// A step of a path is shared with an earlier path, or with the cheapest one.
struct Overlap {
    /// The cost of the steps that are on any path before.
    shared: f64,
    /// That of the steps that are on the cheapest path.
    with_cheapest: f64,
    /// That of the other steps.
    beside: f64,
    /// Whether a step is on no path before.
    is_new: bool,
}

impl<S: ForAlternatives<Table: Clone, Frontier: Clone>> AlternativesDriver<S> {
    pub(super) fn new(
        problem: &S::Problem,
        order: Similar,
        table: &S::Table,
        frontier: &S::Frontier,
        starts: Vec<(S::State, S::Cost)>,
    ) -> Self {
        let tree = |direction, starts| {
            let side = Side::new(problem.clone(), direction);
            let parts = (side, order, ListExpanded::default());
            Driver::new(parts, table.clone(), frontier.clone(), starts)
        };
        Self {
            trees: [tree(Direction::Forward, starts), tree(Direction::Backward, Vec::new())],
            stage: Stage::Begin,
            has_goals: false,
            least: None,
            plateaus: Plateaus::new(),
            steps: Vec::new(),
            steps_of_cheapest: 0,
            cost_of_steps: S::Cost::ZERO,
            found: None,
            returned: Returned::default(),
            bound: S::Cost::ZERO,
        }
    }
}

impl<S: ForAlternatives<Cost: ScalableCost>> AlternativesDriver<S> {
    fn options(&self) -> Similar {
        *self.trees[0].core.states.order()
    }

    /// Searches for the cheapest path.
    fn begin<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        let [forward, _] = &mut self.trees;
        let progress = forward.advance(most, run)?;
        if progress == Progress::Found
            && let Some(path) = forward.path()?
        {
            let steps = path.steps().map(|step| step.cost);
            // No sum is larger than the cost of the path.
            let sum = |sum: S::Cost, cost| sum.checked_add(cost).unwrap_or(sum);
            self.cost_of_steps = steps.fold(S::Cost::ZERO, sum);
            (self.least, self.bound) = (Some(path.cost()), larger(self.bound, path.cost()));
            if self.add(&path, run).is_err() {
                return Ok(Progress::Stopped(StopReason::Memory));
            }
            self.steps_of_cheapest = self.steps.len();
            self.found = Some(path);
            self.stage = Stage::Grow(Direction::Forward);
        }
        Ok(progress)
    }

    /// The most that an alternative may cost.
    fn most(&self) -> S::Cost {
        let least = self.least.unwrap_or(S::Cost::ZERO);
        least.scale(1.0 + self.options().stretch).unwrap_or(S::Cost::INFINITY)
    }

    /// Grows one of the trees until all its open states cost more than an alternative may.
    fn grow<O: Observer<S::State, S::Cost>>(
        &mut self,
        direction: Direction,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        let (last, radius) = (run.stats.expanded.saturating_add(most), self.most());
        let tree = &mut self.trees[direction as usize];
        if direction == Direction::Backward && !self.has_goals {
            if let Err(halt) = list_goals(&mut tree.core, run) {
                return halt.progress();
            }
            self.has_goals = true;
        }
        loop {
            let is_open = match tree.advance(0, run) {
                Ok(Progress::Going | Progress::Found) => true,
                // States whose costs do not fit are too far away, too.
                Ok(Progress::Exhausted) | Err(SearchError::Overflow { .. }) => false,
                other => return other,
            };
            if !is_open || tree.next_open().is_none_or(|(_, g)| g > radius) {
                break;
            }
            if run.stats.expanded >= last {
                return Ok(Progress::Going);
            }
            let progress = tree.pass_goal(run)?;
            if progress != Progress::Going || run.is_interrupted() {
                return Ok(progress);
            }
        }
        self.stage = match direction {
            Direction::Forward => Stage::Grow(Direction::Backward),
            Direction::Backward => Stage::Compare,
        };
        Ok(Progress::Going)
    }

    /// Looks for plateaus, at up to [`WORK`] states.
    fn compare<O>(&mut self, run: &mut Run<S::Cost, O>) -> Result<(), OutOfMemory> {
        let least = self.options().locality * self.cost_of_steps.to_f64();
        let bounds = Bounds { most: self.most(), length: least };
        let (listed, trees) = (self.trees[0].listed(), Trees::<S>(&self.trees));
        for _ in 0..WORK {
            if self.plateaus.look_at_next(listed, &trees, &bounds, run.memory())? {
                self.stage = Stage::Choose;
                break;
            }
        }
        Ok(())
    }

    /// Tries the next plateau: returns how the search goes on.
    fn choose<O>(&mut self, run: &mut Run<S::Cost, O>) -> Result<Progress, SearchError<S::Cost>> {
        let Some(candidate) = self.plateaus.pop() else { return Ok(Progress::Exhausted) };
        let cores = self.trees.each_ref().map(|tree| &tree.core);
        let Some(path) = join(cores, candidate.ids)? else { return Ok(Progress::Paused) };
        let overlap = self.overlap(&path);
        if !candidate.is_exact {
            let key = candidate.key + overlap.with_cheapest;
            self.plateaus.put_back(Candidate { key, is_exact: true, ..candidate });
            return Ok(Progress::Paused);
        }
        if !self.is_different(&path, &overlap) {
            return Ok(Progress::Paused);
        }
        let end = run.found(path.cost());
        if end != Progress::Found || self.add(&path, run).is_err() {
            self.plateaus.put_back(candidate);
            let is_found = end == Progress::Found;
            return Ok(if is_found { Progress::Stopped(StopReason::Memory) } else { end });
        }
        self.found = Some(path);
        Ok(end)
    }

    /// Whether a path has all properties of an alternative but that its plateau is long enough.
    fn is_different(&self, path: &PathOf<S::Problem>, overlap: &Overlap) -> bool {
        let Similar { sharing, stretch, .. } = self.options();
        let whole = self.cost_of_steps.to_f64();
        let left_out = whole - overlap.with_cheapest;
        let mut states: Vec<_> =
            path.states().iter().filter_map(|state| self.id_of(state)).collect();
        states.sort_unstable();
        overlap.is_new
            && path.cost() <= self.most()
            && overlap.shared <= sharing * whole
            && overlap.beside <= (1.0 + stretch) * left_out
            && states.windows(2).all(|two| two[0] != two[1])
    }

    fn id_of(&self, state: &S::State) -> Option<S::Id> {
        self.trees[0].core.states.table().id_of(state)
    }

    /// The steps of a path, as ids of the forward tree, and their costs.
    fn steps<'p>(
        &self,
        path: &'p PathOf<S::Problem>,
    ) -> impl Iterator<Item = ([S::Id; 2], S::Cost)> + use<'_, 'p, S> {
        path.steps().filter_map(|step| {
            let ends = [self.id_of(step.from)?, self.id_of(step.to)?];
            Some((ends, step.cost))
        })
    }

    /// What a path has in common with those before it.
    fn overlap(&self, path: &PathOf<S::Problem>) -> Overlap {
        let (cheapest, others) = self.steps.split_at(self.steps_of_cheapest);
        let mut overlap = Overlap { shared: 0.0, with_cheapest: 0.0, beside: 0.0, is_new: false };
        for (step, cost) in self.steps(path) {
            let cost = cost.to_f64();
            if cheapest.binary_search(&step).is_ok() {
                overlap.with_cheapest += cost;
                overlap.shared += cost;
                continue;
            }
            overlap.beside += cost;
            if others.binary_search(&step).is_ok() {
                overlap.shared += cost;
            } else {
                overlap.is_new = true;
            }
        }
        overlap
    }

    /// Adds the steps of a path to those of the paths before it.
    fn add<O>(
        &mut self,
        path: &PathOf<S::Problem>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        let mut steps = std::mem::take(&mut self.steps);
        let room = run.memory().reserve(&mut steps, path.len());
        if room.is_ok() {
            steps.extend(self.steps(path).map(|(step, _)| step));
        }
        let first = self.steps_of_cheapest;
        steps[first..].sort_unstable();
        self.steps = steps;
        room
    }
}

/// Both trees, to be compared.
struct Trees<'t, S: ForAlternatives>(&'t [Tree<S>; 2]);

impl<S: ForAlternatives<Cost: ScalableCost>> BothTrees<S::Id, S::Cost> for Trees<'_, S> {
    fn forward(&self, id: S::Id) -> (S::Cost, S::Id) {
        let record = self.0[0].core.states.record(id);
        (record.g(), record.parent())
    }

    fn backward(&self, id: S::Id) -> (S::Cost, S::Id) {
        let record = self.0[1].core.states.record(id);
        (record.g(), record.parent())
    }

    fn back_of(&self, id: S::Id) -> Option<S::Id> {
        let [forward, backward] = self.0.each_ref().map(|tree| &tree.core.states);
        let back = forward.table().with_state(id, |state| backward.table().id_of(state))?;
        backward.record(back).is_closed().then_some(back)
    }
}

impl<S: ForAlternatives<Cost: ScalableCost>> Engine for AlternativesDriver<S> {
    type Problem = S::Problem;
    type State = S::State;
    type Action = S::Action;
    type Cost = S::Cost;

    fn advance<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        self.leave_returned();
        if let Some(path) = &self.found {
            return Ok(run.found(path.cost()));
        }
        let last = run.stats.expanded.saturating_add(most);
        loop {
            let stage = self.stage;
            let progress = match stage {
                Stage::Begin => return self.begin(most, run),
                Stage::Grow(direction) => self.grow(direction, last - run.stats.expanded, run)?,
                Stage::Compare => match self.compare(run) {
                    Ok(()) => Progress::Paused,
                    Err(OutOfMemory) => Progress::Stopped(StopReason::Memory),
                },
                Stage::Choose => self.choose(run)?,
            };
            if self.stage == stage || progress != Progress::Going {
                return Ok(progress);
            }
        }
    }

    fn lower_bound<O>(&mut self, run: &mut Run<S::Cost, O>) -> S::Cost {
        if self.stage == Stage::Begin {
            self.bound = larger(self.bound, self.trees[0].lower_bound(run));
        }
        self.bound
    }

    fn path(&mut self) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        Ok(self.found.clone().filter(|_| !self.returned.has_last))
    }

    fn closest_by<K: PartialOrd>(
        &self,
        key: impl FnMut(&S::State) -> K,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        self.trees[0].closest_by(key)
    }

    fn keeps_closed(&self) -> bool {
        true
    }

    /// Of those that the forward tree has expanded.
    fn closed_cost(&self, state: &S::State) -> Option<S::Cost> {
        self.trees[0].closed_cost(state)
    }

    fn stored(&self) -> usize {
        self.trees.iter().map(Engine::stored).sum()
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (S::State, S::Cost)>) {
        let [forward, backward] = &mut self.trees;
        forward.restart(starts);
        backward.restart([]);
        (self.stage, self.has_goals, self.least) = (Stage::Begin, false, None);
        self.plateaus.clear();
        self.steps.clear();
        (self.steps_of_cheapest, self.cost_of_steps) = (0, S::Cost::ZERO);
        (self.found, self.bound) = (None, S::Cost::ZERO);
        self.returned = Returned::default();
    }

    fn set_problem(&mut self, problem: S::Problem) {
        for tree in &mut self.trees {
            tree.core.states.problem_mut().set_problem(problem.clone());
        }
    }
}

impl<S: ForAlternatives<Cost: ScalableCost>> OneByOne for AlternativesDriver<S> {
    fn returned(&self) -> &Returned {
        &self.returned
    }

    fn returned_mut(&mut self) -> &mut Returned {
        &mut self.returned
    }

    fn leave_returned(&mut self) {
        if std::mem::take(&mut self.returned.has_last) {
            self.found = None;
        }
    }
}

show_fields! {
    [S: ForAlternatives] AlternativesDriver<S>,
    "AlternativesEngine" { returned, stage, bound }
}
