//! Hierarchies in files.
//!
//! A file is a sequence of little-endian numbers: eight bytes that name the format, its version (32 bits), then words of
//! 64 bits: the fingerprint of the problem, the number of states and of arcs, whether costs are wide, and whether some
//! did not fit. After them, in 32 bits each, the states by their ranks, the first arc of each, and of the arcs first
//! all other ends and then all links; the buckets of their costs in 32 or 64 bits; and a checksum of everything before.

use std::io::{Read, Write};

use super::Hierarchy;
use super::pool::Pool;
use super::upward::{Arc, Upward};
use crate::cost::{Cost, bucket_of};
use crate::heuristics::DistanceFileError;
use crate::heuristics::stored::{Format, check_problem, finish, is_whole, read_all, write_all};
use crate::problem::DenseStates;

const FORMAT: Format = Format { name: b"bfCHgrph", version: 1, kind: "a hierarchy" };

impl<C: Cost> Hierarchy<C> {
    /// Writes the hierarchy to a file. The writer need not be buffered.
    ///
    /// ```
    /// use bestfirst::heuristics::{Hierarchy, DistanceFileError};
    /// use bestfirst::problems::grid_map::{Cell, GridMap};
    ///
    /// let map = GridMap::new(20, 10, |cell| cell.x != 7 || cell.y > 6)?;
    /// let route = map.route_to(Cell::new(19, 0));
    /// let mut file = Vec::new();
    /// Hierarchy::of(&route).build()?.save(&mut file)?;
    /// let hierarchy = Hierarchy::load(&route, &file[..])?;
    /// assert_eq!(hierarchy.state_count(), 200);
    ///
    /// let other = GridMap::new(20, 10, |cell| cell.x != 8)?;
    /// let error = Hierarchy::load(&other.route_to(Cell::new(19, 0)), &file[..]);
    /// assert!(matches!(error, Err(DistanceFileError::OtherProblem)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DistanceFileError::Io`] if writing fails, [`DistanceFileError::Cost`] if costs cannot be stored.
    pub fn save(&self, writer: impl Write) -> Result<(), DistanceFileError> {
        let arcs = &self.graph.arcs;
        let bucket = |arc: &Arc<C>| bucket_of(arc.cost).map(|bucket| bucket as u64);
        let buckets: Option<Vec<u64>> = arcs.iter().map(bucket).collect();
        let buckets = buckets.ok_or(DistanceFileError::Cost)?;
        let is_wide = buckets.iter().any(|&bucket| bucket > u32::MAX.into());
        let [states, count] = [self.states.len() as u64, arcs.len() as u64];
        let words = [self.fingerprint, states, count, is_wide.into(), self.overflows.into()];
        let mut out = FORMAT.write(writer, &words)?;
        write_all(&mut out, &self.states, u32::to_le_bytes)?;
        write_all(&mut out, &self.graph.first, u32::to_le_bytes)?;
        write_all(&mut out, arcs, |arc| arc.other.to_le_bytes())?;
        write_all(&mut out, arcs, |arc| arc.link.to_le_bytes())?;
        if is_wide {
            write_all(&mut out, &buckets, u64::to_le_bytes)?;
        } else {
            #[expect(clippy::cast_possible_truncation, reason = "none is larger")]
            write_all(&mut out, &buckets, |bucket| (bucket as u32).to_le_bytes())?;
        }
        finish(out)
    }

    /// Reads a hierarchy from a file, to its end. The reader need not be buffered.
    ///
    /// It must have been made of the same problem: all its steps between different states, their costs and the type of these
    /// are compared by a checksum, in one pass over all states. Its goals may be others. (To load one for costs that have risen, give the
    /// problem as it was.)
    ///
    /// # Errors
    ///
    /// A [`DistanceFileError`] if reading fails, if the file is of another kind, version or problem, or if it is
    /// damaged.
    pub fn load<P>(problem: &P, reader: impl Read) -> Result<Self, DistanceFileError>
    where
        P: DenseStates<Cost = C>,
    {
        let (mut input, words) = FORMAT.read(reader)?;
        let [fingerprint, states, arcs, is_wide, overflows] = words;
        let (Ok(states), Ok(arcs)) = (usize::try_from(states), usize::try_from(arcs)) else {
            return Err(DistanceFileError::Damaged);
        };
        if is_wide > 1 || overflows > 1 {
            return Err(DistanceFileError::Damaged);
        }
        check_problem(problem, states, fingerprint)?;
        let order = read_all(&mut input, states, u32::from_le_bytes)?;
        let first = read_all(&mut input, states.saturating_add(1), u32::from_le_bytes)?;
        let others = read_all(&mut input, arcs, u32::from_le_bytes)?;
        let links = read_all(&mut input, arcs, u32::from_le_bytes)?;
        let costs: Option<Vec<C>> = if is_wide == 1 {
            let buckets = read_all(&mut input, arcs, u64::from_le_bytes)?;
            buckets
                .into_iter()
                .map(|bucket| C::from_bucket(usize::try_from(bucket).ok()?))
                .collect()
        } else {
            let buckets = read_all(&mut input, arcs, u32::from_le_bytes)?;
            buckets.into_iter().map(|bucket| C::from_bucket(bucket as usize)).collect()
        };
        let is_whole = is_whole(input)?;
        let costs = costs.filter(|_| is_whole).ok_or(DistanceFileError::Damaged)?;
        let ends = others.into_iter().zip(links);
        let arcs = ends.zip(costs).map(|((other, link), cost)| Arc { other, link, cost }).collect();
        let graph = Upward { first, arcs };
        let ranks = ranks(&order).filter(|_| graph.is_valid());
        let ranks = ranks.ok_or(DistanceFileError::Damaged)?;
        Ok(Self {
            fingerprint,
            ranks,
            states: order,
            graph,
            overflows: overflows == 1,
            meetings: Pool::default(),
            memos: Pool::default(),
        })
    }
}

/// For each state its place in the order; `None` if one is missing.
fn ranks(order: &[u32]) -> Option<Vec<u32>> {
    let mut ranks = vec![u32::MAX; order.len()];
    for (rank, &state) in (0..).zip(order) {
        let place = ranks.get_mut(state as usize)?;
        if *place != u32::MAX {
            return None;
        }
        *place = rank;
    }
    Some(ranks)
}
