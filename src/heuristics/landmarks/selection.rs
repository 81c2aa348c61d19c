//! The selection of landmarks in a component.

use super::DistanceError;
use super::searches::{Distances, Job, Kind, NO_PARENT, RunBoth, Searches, filled, list};
use crate::cost::{Cost, ScalableCost, larger, smaller};
use crate::memory::Memory;
use crate::problem::{DenseStates, Reversible};

/// The method of selecting landmarks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Selection {
    /// Each landmark is a state that is farthest from the landmarks before it. Half the work of
    /// [`Avoid`](Self::Avoid), for somewhat weaker bounds.
    ///
    /// Source: Goldberg and Harrelson, *Computing the Shortest Path: A\* Search Meets Graph Theory*, 2005.
    Farthest,
    /// Each landmark is placed where the bounds of the earlier landmarks are weakest: in a shortest-path tree
    /// from a random root, at a leaf of the branch with the largest total error. It takes one more search for each
    /// landmark.
    ///
    /// Source: Goldberg and Werneck, *Computing Point-to-Point Shortest Paths from External Memory*, 2005.
    #[default]
    Avoid,
}

/// The states of a weakly connected component, and its landmarks.
pub(super) struct Component<'p, 's, P: Reversible + DenseStates> {
    pub(super) searches: &'s mut [Searches<'p, P>; 2],
    pub(super) run_both: RunBoth<'p, P>,
    /// The indices of the states.
    pub(super) members: &'s [u32],
    /// For each state of the problem, its place among the members of its component.
    pub(super) places: &'s [u32],
    pub(super) is_symmetric: bool,
    /// The requested number of landmarks.
    pub(super) count: usize,
    pub(super) chosen: Chosen<P::Cost>,
    /// The memory account of the build.
    pub(super) memory: &'s mut Memory,
}

/// Landmarks, and the distances of all members.
pub(super) struct Chosen<C> {
    /// The places of the landmarks among the members.
    pub(super) landmarks: Vec<usize>,
    /// For each landmark the distances from it.
    pub(super) from: Vec<Distances<C>>,
    /// For each landmark the distances to it; empty if they are the same.
    pub(super) to: Vec<Distances<C>>,
}

impl<C: ScalableCost> Chosen<C> {
    /// Returns the largest lower bound of the landmarks on the distance between two members.
    fn bound(&self, from: usize, to: usize) -> C {
        let after = self.from.iter().map(|found| (found.costs[to], found.costs[from]));
        let backwards = if self.to.is_empty() { &self.from } else { &self.to };
        let before = backwards.iter().map(|found| (found.costs[from], found.costs[to]));
        let bounds = after.chain(before).filter(|(a, b)| *a < C::INFINITY && *b < C::INFINITY);
        bounds.map(|(a, b)| a.at_least_minus(b)).fold(C::ZERO, larger)
    }

    /// Returns the distance between a member and the nearest landmark, in either direction.
    fn nearest(&self, member: usize) -> C {
        let costs = self.from.iter().chain(&self.to).map(|found| found.costs[member]);
        costs.fold(C::INFINITY, smaller)
    }

    /// No landmarks.
    pub(super) fn none() -> Self {
        Self { landmarks: Vec::new(), from: Vec::new(), to: Vec::new() }
    }

    /// Releases the memory.
    fn free(self, memory: &mut Memory) {
        memory.free(self.landmarks);
        for mut list in [self.from, self.to] {
            list.drain(..).for_each(|found| found.free(memory));
            memory.free(list);
        }
    }
}

impl<P> Component<'_, '_, P>
where
    P: Reversible + DenseStates,
    P::Cost: ScalableCost,
{
    /// Chooses the landmarks and finds their distances.
    pub(super) fn choose(&mut self, selection: Selection) -> Result<(), DistanceError<P::Cost>> {
        match selection {
            Selection::Farthest => self.choose_farthest(),
            Selection::Avoid => self.choose_by_avoidance(),
        }
    }

    fn choose_farthest(&mut self) -> Result<(), DistanceError<P::Cost>> {
        // The first one is farthest from some state, which is a landmark only until then.
        self.add(0)?;
        let first = self.farthest_of_all()?;
        std::mem::replace(&mut self.chosen, Chosen::none()).free(self.memory);
        let Some(first) = first else { return Ok(()) };
        self.add(first)?;
        let mut nearest = self.nearest()?;
        while self.chosen.landmarks.len() < self.count {
            let Some(next) = self.farthest(&nearest) else { break };
            self.add(next)?;
            let Chosen { from, to, .. } = &self.chosen;
            for found in from.last().into_iter().chain(to.last()) {
                for (least, &cost) in nearest.iter_mut().zip(&found.costs) {
                    *least = smaller(*least, cost);
                }
            }
        }
        self.memory.free(nearest);
        Ok(())
    }

    fn nearest(&mut self) -> Result<Vec<P::Cost>, DistanceError<P::Cost>> {
        self.searches[0].check_now()?;
        let mut nearest = list(self.members.len(), self.memory)?;
        for member in 0..self.members.len() {
            self.searches[0].check_state(member)?;
            nearest.push(self.chosen.nearest(member));
        }
        Ok(nearest)
    }

    /// [`farthest`](Self::farthest) by the landmarks so far.
    fn farthest_of_all(&mut self) -> Result<Option<usize>, DistanceError<P::Cost>> {
        let nearest = self.nearest()?;
        let farthest = self.farthest(&nearest);
        self.memory.free(nearest);
        Ok(farthest)
    }

    /// Returns the member with the largest of these distances to the nearest landmark, or a member without a path to
    /// or from any landmark, if there are more such members than a fair share for one landmark. `None` if every
    /// member has distance zero.
    fn farthest(&self, nearest: &[P::Cost]) -> Option<usize> {
        let is_open = |cost: P::Cost| cost >= P::Cost::INFINITY;
        let open = nearest.iter().filter(|cost| is_open(**cost)).count();
        let first_open = || nearest.iter().position(|cost| is_open(*cost));
        if open.saturating_mul(self.count) >= self.members.len() {
            return first_open();
        }
        let mut farthest: Option<(usize, P::Cost)> = None;
        for (place, &cost) in nearest.iter().enumerate() {
            let is_farther = farthest.is_none_or(|(_, most)| cost > most);
            if is_farther && cost > P::Cost::ZERO && !is_open(cost) {
                farthest = Some((place, cost));
            }
        }
        farthest.map(|(place, _)| place).or_else(first_open)
    }

    fn choose_by_avoidance(&mut self) -> Result<(), DistanceError<P::Cost>> {
        let mut random = Random(0x1234_5678_9ABC_DEF1);
        let mut root = random.below(self.members.len());
        let mut tree = self.run(root, Kind::Tree)?;
        while self.chosen.landmarks.len() < self.count {
            let poorest = match self.end_of_poorest_branch(root, &tree)? {
                Some(place) => Some(place),
                None => self.farthest_of_all()?,
            };
            let Some(next) = poorest else { break };
            let is_last = self.chosen.landmarks.len() + 1 == self.count;
            if is_last {
                self.add(next)?;
                break;
            }
            tree.free(self.memory);
            root = random.below(self.members.len());
            if self.is_symmetric {
                let [found, new] = self.run_two([(next, Kind::Forwards), (root, Kind::Tree)])?;
                self.note(next, found, None)?;
                tree = new;
            } else {
                self.add(next)?;
                tree = self.run(root, Kind::Tree)?;
            }
        }
        tree.free(self.memory);
        Ok(())
    }

    /// In a shortest-path tree, the error of a state is the difference between its distance from the root and the
    /// bound of the landmarks. The error of a branch is the sum, or zero if it contains a landmark. From the top of
    /// the branch with the largest error, descends into the child branch with the largest error, and returns the leaf.
    /// `None` if all errors are zero.
    fn end_of_poorest_branch(
        &mut self,
        root: usize,
        tree: &Distances<P::Cost>,
    ) -> Result<Option<usize>, DistanceError<P::Cost>> {
        let count = self.members.len();
        let memory = &mut *self.memory;
        let mut children = filled(count, 0_u32, memory)?;
        let mut has_landmark = filled(count, false, memory)?;
        let mut lacks = filled(count, 0.0, memory)?;
        let mut poorest_child = filled(count, NO_PARENT, memory)?;
        let parent = |place: usize| match tree.parents[place] {
            NO_PARENT => None,
            index => Some(self.places[index as usize] as usize),
        };
        for place in 0..count {
            if let Some(parent) = parent(place) {
                // A step that is not the one that was surveyed may lead here from another component.
                let [from, to] = [tree.parents[place], self.members[place]].map(|it| it as usize);
                if self.members.get(parent).is_none_or(|&member| member as usize != from) {
                    return Err(DistanceError::OtherStep { from, to });
                }
                children[parent] += 1;
            }
        }
        for &landmark in &self.chosen.landmarks {
            has_landmark[landmark] = true;
        }
        self.searches[0].check_now()?;
        // From the leaves to the root: a state follows its last child.
        let leaves = children.iter().filter(|&&children| children == 0).count();
        let mut done = list(leaves, memory)?;
        done.extend((0..count).filter(|&place| children[place] == 0));
        let mut left = count;
        while let Some(place) = done.pop() {
            left -= 1;
            self.searches[0].check_state(left)?;
            if has_landmark[place] {
                lacks[place] = 0.0;
            } else if tree.costs[place] < P::Cost::INFINITY {
                let lacking = tree.costs[place].at_least_minus(self.chosen.bound(root, place));
                lacks[place] += lacking.to_f64();
            }
            let Some(parent) = parent(place) else { continue };
            has_landmark[parent] |= has_landmark[place];
            lacks[parent] += lacks[place];
            let poorest = poorest_child[parent];
            if poorest == NO_PARENT || lacks[place] > lacks[poorest as usize] {
                poorest_child[parent] = u32::try_from(place).unwrap_or(NO_PARENT);
            }
            children[parent] -= 1;
            if children[parent] == 0 {
                done.push(parent);
            }
        }
        self.searches[0].check_now()?;
        let most =
            |best: usize, place: usize| if lacks[place] > lacks[best] { place } else { best };
        let mut end = (0..count).reduce(most).filter(|&place| lacks[place] > 0.0);
        while let Some(place) = end
            && poorest_child[place] != NO_PARENT
        {
            end = Some(poorest_child[place] as usize);
        }
        memory.free(children);
        memory.free(has_landmark);
        memory.free(lacks);
        memory.free(poorest_child);
        memory.free(done);
        Ok(end)
    }

    fn run(
        &mut self,
        place: usize,
        kind: Kind,
    ) -> Result<Distances<P::Cost>, DistanceError<P::Cost>> {
        let job = Job { from: self.members[place], kind };
        self.searches[0].run(job, self.members, self.memory)
    }

    fn run_two(
        &mut self,
        jobs: [(usize, Kind); 2],
    ) -> Result<[Distances<P::Cost>; 2], DistanceError<P::Cost>> {
        let jobs = jobs.map(|(place, kind)| Job { from: self.members[place], kind });
        let [a, b] = (self.run_both)(self.searches, jobs, self.members, self.memory);
        Ok([a?, b?])
    }

    /// Makes a member a landmark.
    fn add(&mut self, place: usize) -> Result<(), DistanceError<P::Cost>> {
        if self.is_symmetric {
            let from = self.run(place, Kind::Forwards)?;
            self.note(place, from, None)
        } else {
            let [from, to] = self.run_two([(place, Kind::Forwards), (place, Kind::Backwards)])?;
            self.note(place, from, Some(to))
        }
    }

    /// Records a landmark and the distances from it, and to it if they differ.
    fn note(
        &mut self,
        place: usize,
        from: Distances<P::Cost>,
        to: Option<Distances<P::Cost>>,
    ) -> Result<(), DistanceError<P::Cost>> {
        let Self { chosen, memory, .. } = self;
        memory.reserve(&mut chosen.landmarks, 1)?;
        memory.reserve(&mut chosen.from, 1)?;
        memory.reserve(&mut chosen.to, usize::from(to.is_some()))?;
        chosen.landmarks.push(place);
        chosen.from.push(from);
        chosen.to.extend(to);
        Ok(())
    }
}

/// A linear congruential generator with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((u128::from(self.0) * bound as u128) >> 64).unwrap_or(0)
    }
}
