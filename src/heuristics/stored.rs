//! What [landmarks](super::Landmarks) and [hierarchies](super::Hierarchy) have in common: the steps of a problem with
//! their fingerprint, and lists of numbers in files.

use std::io::{self, Read, Write};

use crate::checksum::{Checksum, Summed};
use crate::cost::Cost;
use crate::problem::{DenseStates, SuccessorBuffer, Successors};
use crate::report::SearchError;

/// The bytes that are written or read at a time.
const PIECE: usize = 1 << 16;

/// Asks for the steps of states, in the order of their indices, and adds them up.
pub(super) struct Steps<P: DenseStates> {
    next: Successors<P>,
    /// The steps of the last state as indices and costs, without those to itself.
    pub(super) found: Vec<(usize, P::Cost)>,
    sum: Checksum,
}

impl<P: DenseStates> Steps<P> {
    pub(super) fn new() -> Self {
        Self { next: SuccessorBuffer::new(), found: Vec::new(), sum: Checksum::new() }
    }

    /// Asks for the steps of the state with this index.
    pub(super) fn ask(&mut self, problem: &P, index: usize) -> Result<(), SearchError<P::Cost>> {
        self.next.clear();
        problem.successors(&problem.state_at(index), &mut self.next);
        steps(problem, index, &self.next, &mut self.found)?;
        self.sum.add(self.found.len() as u64);
        for &(other, cost) in &self.found {
            self.sum.add(other as u64);
            self.sum.add(cost.to_bucket().map_or(u64::MAX, |bucket| bucket as u64));
        }
        Ok(())
    }

    /// A checksum of all steps that were asked for.
    pub(super) fn fingerprint(&self) -> u64 {
        self.sum.value()
    }

    /// The bytes of the buffers.
    pub(super) fn bytes(&self) -> usize {
        self.next.bytes() + self.found.capacity() * size_of::<(usize, P::Cost)>()
    }
}

/// The steps of a buffer as indices and costs, without those from the state to itself.
pub(super) fn steps<P: DenseStates>(
    problem: &P,
    index: usize,
    buffer: &Successors<P>,
    found: &mut Vec<(usize, P::Cost)>,
) -> Result<(), SearchError<P::Cost>> {
    found.clear();
    let count = problem.state_count();
    for step in buffer.as_slice() {
        let other = problem.state_index(&step.state);
        if other >= count {
            return Err(SearchError::StateIndex { index: other, count });
        }
        if other != index {
            found.push((other, step.cost));
        }
    }
    Ok(())
}

/// The fingerprint of all steps of a problem; `None` if the problem contradicts itself.
pub(super) fn fingerprint<P: DenseStates>(problem: &P) -> Option<u64> {
    let mut steps = Steps::new();
    for index in 0..problem.state_count() {
        steps.ask(problem, index).ok()?;
    }
    Some(steps.fingerprint())
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

/// Why a list could not be read.
pub(super) enum ListFault {
    Io(io::Error),
    OutOfMemory { bytes: u64 },
}

/// Reads `len` numbers. Memory grows as they are read, so a wrong length allocates no more than the file contains.
pub(super) fn read_all<T, const N: usize>(
    input: &mut Summed<impl Read>,
    len: usize,
    from_bytes: impl Fn([u8; N]) -> T,
) -> Result<Vec<T>, ListFault> {
    let mut list = Vec::new();
    let mut bytes = vec![0; PIECE];
    while list.len() < len {
        let count = (len - list.len()).min(PIECE / N);
        let piece = &mut bytes[..count * N];
        input.read(piece).map_err(ListFault::Io)?;
        list.try_reserve(count).map_err(|_| ListFault::OutOfMemory {
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
        bucket.and_then(C::from_bucket).unwrap_or(C::ZERO)
    }
    if bound < C::INFINITY { bound } else { below() }
}
