//! Landmarks in files.
//!
//! A file is a sequence of little-endian numbers: eight bytes that name the format, its version (32 bits), then
//! words of 64 bits: the fingerprint of the problem, the number of states, of landmarks, of components that are
//! written (all states or none) and of entries for each state, whether distances are symmetric and whether they
//! are narrow, and the scale. After them the landmarks and the components in 32 bits each, the entries in 32 or
//! 16, and a checksum of everything before.

use std::io::{Read, Write};
use std::marker::PhantomData;

use super::Landmarks;
use super::entries::{Entries, Scale};
use crate::cost::ScalableCost;
use crate::heuristics::DistanceFileError;
use crate::heuristics::stored::{Format, check_problem, finish, is_whole, read_all, write_all};
use crate::problem::{DenseStates, Reversible};

const FORMAT: Format = Format { name: b"bfALTmap", version: 1, kind: "landmarks" };

impl<C: ScalableCost> Landmarks<C> {
    /// Writes the landmarks to a file. The writer need not be buffered.
    ///
    /// ```
    /// use bestfirst::heuristics::Landmarks;
    /// use bestfirst::heuristics::DistanceFileError;
    /// use bestfirst::problems::grid_map::{Cell, GridMap};
    ///
    /// let map = GridMap::new(20, 10, |cell| cell.x != 7 || cell.y > 6)?;
    /// let route = map.route_to(Cell::new(19, 0));
    /// let mut file = Vec::new();
    /// Landmarks::of(&route).count(3).build()?.save(&mut file)?;
    /// let landmarks = Landmarks::load(&route, &file[..])?;
    /// assert_eq!(landmarks.indices().len(), 3);
    ///
    /// let other = GridMap::new(20, 10, |cell| cell.x != 8)?;
    /// let error = Landmarks::load(&other.route_to(Cell::new(19, 0)), &file[..]);
    /// assert!(matches!(error, Err(DistanceFileError::OtherProblem)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DistanceFileError::Io`] if writing fails.
    pub fn save(&self, writer: impl Write) -> Result<(), DistanceFileError> {
        let is_narrow = matches!(self.entries, Entries::Narrow(_));
        let Scale { base, unit, largest } = self.scale;
        let words = [
            self.fingerprint,
            self.states as u64,
            self.indices.len() as u64,
            self.components.len() as u64,
            self.width as u64,
            self.is_symmetric.into(),
            is_narrow.into(),
            base as u64,
            unit as u64,
            largest as u64,
        ];
        let mut out = FORMAT.write(writer, &words)?;
        write_all(&mut out, &self.indices, u32::to_le_bytes)?;
        write_all(&mut out, &self.components, u32::to_le_bytes)?;
        match &self.entries {
            Entries::Wide(entries) => write_all(&mut out, entries, u32::to_le_bytes)?,
            Entries::Narrow(entries) => write_all(&mut out, entries, u16::to_le_bytes)?,
        }
        finish(out)
    }

    /// Reads landmarks from a file, to its end. The reader need not be buffered.
    ///
    /// They must have been built from the same problem: all its steps between different states, their costs and the type of
    /// these are compared by a checksum, in one pass over all states. Its goals may differ.
    ///
    /// # Errors
    ///
    /// A [`DistanceFileError`] if reading fails, if the file is of another kind, version or problem, or if it is
    /// damaged.
    pub fn load<P>(problem: &P, reader: impl Read) -> Result<Self, DistanceFileError>
    where
        P: Reversible + DenseStates<Cost = C>,
    {
        let (mut input, words): (_, [u64; 10]) = FORMAT.read(reader)?;
        let [fingerprint, states, count, components, width, is_symmetric, is_narrow, scale @ ..] =
            words;
        let [base, unit, largest] = scale.map(usize::try_from);
        let sizes = [states, count, components, width].map(usize::try_from);
        let ([Ok(states), Ok(count), Ok(components), Ok(width)], Ok(base), Ok(unit), Ok(largest)) =
            (sizes, base, unit, largest)
        else {
            return Err(DistanceFileError::Damaged);
        };
        // Contradictory sizes are rejected before anything is allocated.
        let is_possible = (components == 0 || components == states)
            && is_symmetric <= 1
            && is_narrow <= 1
            && base >= 1
            && count <= states;
        let Some(len) = states.checked_mul(width).filter(|_| is_possible) else {
            return Err(DistanceFileError::Damaged);
        };
        check_problem(problem, states, fingerprint)?;
        let indices = read_all(&mut input, count, u32::from_le_bytes)?;
        let components = read_all(&mut input, components, u32::from_le_bytes)?;
        let entries = if is_narrow == 1 {
            Entries::Narrow(read_all(&mut input, len, u16::from_le_bytes)?)
        } else {
            Entries::Wide(read_all(&mut input, len, u32::from_le_bytes)?)
        };
        if !is_whole(input)? || indices.iter().any(|&index| index as usize >= states) {
            return Err(DistanceFileError::Damaged);
        }
        Ok(Self {
            fingerprint,
            states,
            indices,
            components,
            width,
            is_symmetric: is_symmetric == 1,
            scale: Scale { base, unit, largest },
            entries,
            costs: PhantomData,
        })
    }
}
