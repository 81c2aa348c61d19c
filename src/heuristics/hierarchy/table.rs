//! [`DistanceTable`]: distances from some states to some others.

use super::Hierarchy;
use super::memo::Distance;
use super::upward::Way;
use crate::cost::Cost;

/// The distances from some states to some others: what [`Hierarchy::table`] returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceTable<C> {
    columns: usize,
    /// Row by row.
    costs: Vec<Option<C>>,
}

impl<C: Copy> DistanceTable<C> {
    /// Returns the cost of a cheapest path from the source at one place to the target at another. `None` if there is no path
    /// whose cost fits into its type, or no such state or place.
    #[must_use]
    pub fn get(&self, source: usize, target: usize) -> Option<C> {
        self.row(source).get(target).copied().flatten()
    }

    /// Returns the distances from the source at one place to all targets. Empty if there is no such place.
    #[must_use]
    pub fn row(&self, source: usize) -> &[Option<C>] {
        let first = source.saturating_mul(self.columns);
        self.costs.get(first..first.saturating_add(self.columns)).unwrap_or(&[])
    }

    /// Returns the rows, one for each source; none if there are no targets.
    #[must_use]
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Option<C>]> {
        // A table without targets has no rows.
        self.costs.chunks_exact(self.columns.max(1))
    }
}

/// What a search up from a target says of a state.
#[derive(Clone, Copy)]
struct Entry<C> {
    target: u32,
    cost: C,
}

impl<C: Cost> Hierarchy<C> {
    /// Returns the distances from all `sources` to all `targets`, states by their indices. A state may be listed twice.
    ///
    /// Takes one search upwards from each of them. What those from the targets find is kept at the states, in buckets,
    /// and those from the sources look there. Memory: the table, and some hundred entries for each target.
    ///
    /// ```
    /// use bestfirst::heuristics::Hierarchy;
    /// use bestfirst::problems::road_network::RoadNetwork;
    ///
    /// let network = RoadNetwork::new(4, &[(1, 2, 3), (2, 3, 4), (3, 1, 5), (3, 4, 9)])?;
    /// let hierarchy = Hierarchy::of(&network.route_to(network.node(1).unwrap())).build()?;
    /// let table = hierarchy.table(&[0, 1, 3], &[0, 3]); // nodes 1, 2 and 4; 1 and 4
    /// assert_eq!(table.row(0), [Some(0), Some(16)]);
    /// assert_eq!(table.row(1), [Some(9), Some(13)]);
    /// assert_eq!(table.row(2), [None, Some(0)]);
    /// assert_eq!(hierarchy.distances(1, &[0, 3]), [Some(9), Some(13)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn table(&self, sources: &[usize], targets: &[usize]) -> DistanceTable<C> {
        let mut costs = vec![None; sources.len() * targets.len()];
        let (first, entries) = self.buckets(targets);
        let mut memo = self.memo();
        let half = memo.half();
        for (&source, row) in sources.iter().zip(costs.chunks_exact_mut(targets.len().max(1))) {
            let Some(&rank) = self.ranks.get(source) else { continue };
            half.begin(Way::Forwards);
            half.start(rank, C::ZERO);
            while let Some((rank, cost)) = half.expand(&self.graph) {
                let rank = rank as usize;
                for entry in &entries[first[rank]..first[rank + 1]] {
                    let place = &mut row[entry.target as usize];
                    let Some(sum) = cost.checked_add(entry.cost) else { continue };
                    if place.is_none_or(|least| sum < least) {
                        *place = Some(sum);
                    }
                }
            }
        }
        DistanceTable { columns: targets.len(), costs }
    }

    /// What the searches up from the targets find, by the ranks of the states; for each rank, how much is before it.
    fn buckets(&self, targets: &[usize]) -> (Vec<usize>, Vec<Entry<C>>) {
        let mut memo = self.memo();
        let half = memo.half();
        let mut found = Vec::new();
        let mut first = vec![0; self.states.len() + 1];
        for (target, index) in (0..).zip(targets) {
            let Some(&rank) = self.ranks.get(*index) else { continue };
            half.begin(Way::Backwards);
            half.start(rank, C::ZERO);
            while let Some((rank, cost)) = half.expand(&self.graph) {
                first[rank as usize] += 1;
                found.push((rank, Entry { target, cost }));
            }
        }
        // From the numbers of entries to the ends of the buckets, which are filled from behind.
        let mut end = 0;
        for place in &mut first {
            end += *place;
            *place = end;
        }
        let mut entries = vec![Entry { target: 0, cost: C::ZERO }; found.len()];
        for &(rank, entry) in found.iter().rev() {
            let place = &mut first[rank as usize];
            *place -= 1;
            entries[*place] = entry;
        }
        (first, entries)
    }

    /// Returns the distances from one state to some others, by their indices. Among many and close targets it is quicker than a
    /// table with one row: what their cheapest paths have in common is computed once.
    #[must_use]
    pub fn distances(&self, from: usize, targets: &[usize]) -> Vec<Option<C>> {
        let mut memo = self.memo();
        memo.begin(&self.graph, Way::Backwards, self.ranks.get(from).copied());
        let distance = |target: &usize| match memo.distance(&self.graph, *self.ranks.get(*target)?)
        {
            Distance::Exact(cost) => Some(cost),
            Distance::Unreached | Distance::TooLarge => None,
        };
        targets.iter().map(distance).collect()
    }
}
