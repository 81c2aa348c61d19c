//! What [landmarks](super::Landmarks) and [hierarchies](super::Hierarchy) have in common: the steps of a problem with
//! their fingerprint, and the form of their files.

use std::io::{self, Read, Write};

use super::{DistanceError, DistanceFileError};
use crate::checksum::{Checksum, Summed};
use crate::cost::Cost;
use crate::memory::Memory;
use crate::problem::{DenseStates, SuccessorBuffer, Successors};
use crate::report::SearchError;

/// The bytes that are written or read at a time.
const PIECE: usize = 1 << 16;

/// Asks for the steps of states, in the order of their indices, and adds them up.
pub(super) struct Steps<P: DenseStates> {
    next: Successors<P>,
    /// The bytes of `next` that the account of memory knows of.
    counted: usize,
    /// The steps of the last state as indices and costs, without valid ones to itself.
    pub(super) found: Vec<(usize, P::Cost)>,
    sum: Checksum,
}

impl<P: DenseStates> Steps<P> {
    pub(super) fn new() -> Self {
        let mut sum = Checksum::new();
        // The type of the costs decides which sums do not fit.
        sum.add(size_of::<P::Cost>() as u64);
        sum.add(word(P::Cost::INFINITY));
        Self { next: SuccessorBuffer::new(), counted: 0, found: Vec::new(), sum }
    }

    /// Asks for the steps of the state with this index.
    pub(super) fn ask(
        &mut self,
        problem: &P,
        index: usize,
        memory: &mut Memory,
    ) -> Result<(), DistanceError<P::Cost>> {
        self.next.clear();
        problem.successors(&problem.state_at(index), &mut self.next);
        self.next.count(&mut self.counted, memory)?;
        steps(problem, index, &self.next, &mut self.found, memory)?;
        self.sum.add(self.found.len() as u64);
        for &(other, cost) in &self.found {
            self.sum.add(other as u64);
            self.sum.add(word(cost));
        }
        Ok(())
    }

    /// Frees the buffers. Returns a checksum of the type of the costs and of all steps that were asked for.
    pub(super) fn finish(self, memory: &mut Memory) -> u64 {
        memory.release(self.counted);
        memory.free(self.found);
        self.sum.value()
    }
}

/// A cost as a word of a checksum.
fn word<C: Cost>(cost: C) -> u64 {
    cost.to_bucket().map_or(u64::MAX, |bucket| bucket as u64)
}

/// The steps of a buffer as indices and costs, without valid ones from the state to itself.
pub(super) fn steps<P: DenseStates>(
    problem: &P,
    index: usize,
    buffer: &Successors<P>,
    found: &mut Vec<(usize, P::Cost)>,
    memory: &mut Memory,
) -> Result<(), DistanceError<P::Cost>> {
    found.clear();
    memory.reserve(found, buffer.len())?;
    let count = problem.state_count();
    for step in buffer.as_slice() {
        let other = problem.state_index(&step.state);
        if other >= count {
            return Err(SearchError::StateIndex { index: other, count }.into());
        }
        // One that is not valid is kept, so that it is refused by whoever uses the costs.
        if other != index || !step.cost.is_step() {
            found.push((other, step.cost));
        }
    }
    Ok(())
}

/// The fingerprint of all steps of a problem; `None` if the problem contradicts itself.
fn fingerprint<P: DenseStates>(problem: &P) -> Option<u64> {
    let (mut steps, mut memory) = (Steps::new(), Memory::new(usize::MAX));
    for index in 0..problem.state_count() {
        steps.ask(problem, index, &mut memory).ok()?;
    }
    Some(steps.finish(&mut memory))
}

/// What the files of one kind begin with.
pub(super) struct Format {
    pub(super) name: &'static [u8; 8],
    pub(super) version: u32,
    /// What is in them, for errors.
    pub(super) kind: &'static str,
}

impl Format {
    /// Begins a file: the name, the version in 32 bits, and these words of 64 bits.
    pub(super) fn write<W: Write>(&self, writer: W, words: &[u64]) -> io::Result<Summed<W>> {
        let mut out = Summed::new(writer);
        out.write(self.name)?;
        out.write(&self.version.to_le_bytes())?;
        for word in words {
            out.write(&word.to_le_bytes())?;
        }
        Ok(out)
    }

    /// Reads the beginning of a file: the words.
    pub(super) fn read<R: Read, const N: usize>(
        &self,
        reader: R,
    ) -> Result<(Summed<R>, [u64; N]), DistanceFileError> {
        let mut input = Summed::new(reader);
        let mut name = [0; 8];
        match input.read(&mut name) {
            Ok(()) if name == *self.name => {}
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error.into()),
            _ => return Err(DistanceFileError::Kind { expected: self.kind }),
        }
        let mut version = [0; 4];
        input.read(&mut version)?;
        let (found, expected) = (u32::from_le_bytes(version), self.version);
        if found != expected {
            return Err(DistanceFileError::Version { found, expected });
        }
        let mut words = [0; N];
        for word in &mut words {
            *word = input.word()?;
        }
        Ok((input, words))
    }
}

/// Ends a file by its checksum.
pub(super) fn finish(mut out: Summed<impl Write>) -> Result<(), DistanceFileError> {
    let sum = out.sum();
    out.inner.write_all(&sum.to_le_bytes())?;
    Ok(out.inner.flush()?)
}

/// Whether the input ends here, by the right checksum.
pub(super) fn is_whole(mut input: Summed<impl Read>) -> io::Result<bool> {
    let expected = input.sum();
    // Unlike `read`, this reads again where it was interrupted.
    Ok(input.word()? == expected && input.inner.take(1).read_to_end(&mut Vec::new())? == 0)
}

/// Returns an error unless the problem has `states` states and the fingerprint `expected`.
pub(super) fn check_problem<P: DenseStates>(
    problem: &P,
    states: usize,
    expected: u64,
) -> Result<(), DistanceFileError> {
    let is_same = problem.state_count() == states && fingerprint(problem) == Some(expected);
    if is_same { Ok(()) } else { Err(DistanceFileError::OtherProblem) }
}

/// Writes a list of numbers.
pub(super) fn write_all<T: Copy, const N: usize>(
    out: &mut Summed<impl Write>,
    list: &[T],
    to_bytes: impl Fn(T) -> [u8; N],
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(PIECE);
    for piece in list.chunks(PIECE / N) {
        bytes.clear();
        bytes.extend(piece.iter().flat_map(|&number| to_bytes(number)));
        out.write(&bytes)?;
    }
    Ok(())
}

/// Reads `len` numbers. Memory grows as they are read, so a wrong length allocates no more than the file contains.
pub(super) fn read_all<T, const N: usize>(
    input: &mut Summed<impl Read>,
    len: usize,
    from_bytes: impl Fn([u8; N]) -> T,
) -> Result<Vec<T>, DistanceFileError> {
    let mut list = Vec::new();
    let mut bytes = vec![0; PIECE];
    while list.len() < len {
        let count = (len - list.len()).min(PIECE / N);
        let piece = &mut bytes[..count * N];
        input.read(piece)?;
        list.try_reserve(count).map_err(|_| DistanceFileError::OutOfMemory {
            bytes: (len as u64).saturating_mul(size_of::<T>() as u64),
        })?;
        let (numbers, _) = piece.as_chunks::<N>();
        list.extend(numbers.iter().map(|&number| from_bytes(number)));
    }
    Ok(list)
}

/// Lowers a bound that equals infinity although there is a path.
#[inline]
pub(super) fn no_dead_end<C: Cost>(bound: C) -> C {
    #[cold]
    fn below<C: Cost>() -> C {
        let bucket = C::INFINITY.to_bucket().and_then(|bucket| bucket.checked_sub(1));
        // Infinity may be too large for a bucket.
        let by_least = || C::from_bucket(1).and_then(|least| C::INFINITY.checked_sub(least));
        bucket.and_then(C::from_bucket).or_else(by_least).unwrap_or(C::ZERO)
    }
    if bound < C::INFINITY { bound } else { below() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_is_not_infinite_is_lowered_by_the_least_step() {
        assert_eq!((no_dead_end(7_u8), no_dead_end(u8::MAX)), (7, u8::MAX - 1));
        assert_eq!(no_dead_end(u128::MAX), u128::MAX - 1);
        let longest = Duration::new(u64::MAX, 999_999_998);
        assert_eq!(no_dead_end(Duration::MAX), longest);
        assert!(no_dead_end(f64::INFINITY).is_finite());
    }
}
