//! The path to a goal, from its end to its start: entries do not know their parents, but where to look for them.

use super::closed::{Segment, Store};
use super::engine::DiskEngine;
use super::entries::Entries;
use super::entry::{Entry, MOST_BITS, hash_of, mark_of, shard_of};
use super::open::order;
use super::work::{Goal, Work};
use crate::cost::Cost;
use crate::disk_fault::{DiskFault, DiskFaultKind, DiskFile};
use crate::encode::Encode;
use crate::path::{Path, PathError, PathOf};
use crate::problem::{SearchProblem, Successors};
use crate::report::SearchError;

impl<P: SearchProblem<State: Encode>, W> DiskEngine<P, W> {
    /// The path to the cheapest goal that was generated.
    pub(super) fn path_to_goal(&self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        let Some(goal) = &self.incumbent else { return Ok(None) };
        let mut segments: Vec<_> = self.closed.all().map(|(_, segment)| segment).collect();
        // Steps are short, so the parent has probably a large g.
        segments.sort_unstable_by(|a, b| order(b.g, a.g).then(b.number.cmp(&a.number)));
        let mut trail = Vec::new();
        let mut child = goal.clone();
        while !self.is_start(&child) {
            let parent = self.parent_of(&child, &segments)?;
            trail.push((child.state, child.g));
            // No parent: the problem has not the same successors any more.
            child = parent.ok_or(PathError::NoSuchStep { step: 0 })?;
        }
        let start_cost = child.g;
        let states = std::iter::once((child.state, child.g)).chain(trail.into_iter().rev());
        Ok(Path::through_costs(&self.problem, states, start_cost)?)
    }

    fn is_start(&self, child: &Goal<P::State, P::Cost>) -> bool {
        self.starts.iter().any(|(state, g)| *state == child.state && *g == child.g)
    }

    /// A state that was closed before the child and leads to it at its cost.
    #[expect(
        clippy::type_complexity,
        reason = "a state, if there is one, with the costs of the problem"
    )]
    fn parent_of(
        &self,
        child: &Goal<P::State, P::Cost>,
        segments: &[&Segment<P::State, P::Cost>],
    ) -> Result<Option<Goal<P::State, P::Cost>>, SearchError<P::Cost>> {
        let mut successors = Successors::<P>::new();
        let mut leads_there = |state: &P::State, g: P::Cost| {
            if mark_of(hash_of(state)) != child.parent {
                return false;
            }
            successors.clear();
            self.problem.successors(state, &mut successors);
            successors.as_slice().iter().any(|successor| {
                successor.state == child.state
                    && successor.cost.is_step()
                    && g.checked_add(successor.cost) == Some(child.g)
            })
        };
        let found = |(state, parent): (&P::State, u16), g, before| {
            let state = state.clone();
            Goal { state, g, parent, before }
        };
        // What is closed, but not yet a segment.
        if let Some(visit) = &self.visit
            && visit.number < child.before
            && order(visit.g(), child.g).is_le()
        {
            let done = visit.parts.iter().flat_map(Entries::iter);
            for entry in done.chain(self.works.iter().flat_map(Work::states)) {
                if leads_there(entry.0, visit.g()) {
                    return Ok(Some(found(entry, visit.g(), visit.number)));
                }
            }
        }
        let mut reader = self.folder.reader();
        let mut bytes = Vec::new();
        for segment in segments {
            if segment.number >= child.before || order(segment.g, child.g).is_gt() {
                continue;
            }
            let part = shard_of(child.parent, segment.store().bits().min(MOST_BITS));
            match segment.store() {
                Store::Memory(parts) => {
                    if let Some(entry) =
                        parts[part].iter().find(|entry| leads_there(entry.0, segment.g))
                    {
                        return Ok(Some(found(entry, segment.g, segment.number)));
                    }
                }
                Store::File(run) => {
                    reader.read(run, part, &mut bytes).map_err(SearchError::Disk)?;
                    for (number, bytes) in bytes.chunks_exact(Entry::<P::State>::BYTES).enumerate()
                    {
                        let entry = Entry::read(bytes).map_err(|kind: DiskFaultKind| {
                            let at = run.place(part).0 + (number * Entry::<P::State>::BYTES) as u64;
                            SearchError::Disk(DiskFault::new(DiskFile::States(run.file), at, kind))
                        })?;
                        if leads_there(&entry.state, segment.g) {
                            let found =
                                found((&entry.state, entry.parent), segment.g, segment.number);
                            return Ok(Some(found));
                        }
                    }
                }
            }
        }
        Ok(None)
    }
}
