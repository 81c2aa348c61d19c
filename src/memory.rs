//! [`Memory`]: the account of the bytes that a search holds.

use std::fmt;

/// There is no room to grow: the limit on memory is reached, or the system has no memory left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the search may not, or cannot, hold more memory")
    }
}

impl std::error::Error for OutOfMemory {}

/// The account of the bytes that a search holds.
///
/// Tables and frontiers grow through it. The limit is checked before memory is taken, so running out
/// of memory is an answer and not an abort.
///
/// ```
/// use bestfirst::memory::Memory;
///
/// let mut memory = Memory::new(1000);
/// let mut list: Vec<u64> = Vec::new();
/// while memory.reserve(&mut list, 1).is_ok() {
///     list.push(7);
/// }
/// assert!(memory.held() <= 1000 && memory.peak() <= 1000);
/// ```
#[derive(Clone, Debug)]
pub struct Memory {
    held: usize,
    peak: usize,
    most: usize,
}

impl Memory {
    /// An account that holds nothing and may hold `most` bytes.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { held: 0, peak: 0, most }
    }

    /// The bytes held now.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held
    }

    /// The most bytes that were ever held at one time, copies of lists that grow included.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// How many more bytes may be held.
    #[must_use]
    pub fn left(&self) -> usize {
        self.most.saturating_sub(self.held)
    }

    pub(crate) fn set_most(&mut self, most: usize) {
        self.most = most;
    }

    pub(crate) fn set_peak(&mut self, peak: usize) {
        self.peak = self.held.max(peak);
    }

    pub(crate) fn forget_peak(&mut self) {
        self.peak = self.held;
    }

    /// The account of several parts together, as if each held the most at the same time.
    #[cfg(feature = "parallel")]
    pub(crate) fn sum<'m>(parts: impl Iterator<Item = &'m Self>) -> Self {
        parts.fold(Self::new(usize::MAX), |mut sum, part| {
            sum.held = sum.held.saturating_add(part.held);
            sum.peak = sum.peak.saturating_add(part.peak);
            sum
        })
    }

    /// The same account, with a peak of no more than what is held and `most`.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub(crate) fn with_peak_within(mut self, most: usize) -> Self {
        self.peak = self.peak.min(most).max(self.held);
        self
    }

    /// Adds what a part of the search held that had an account of its own.
    pub(crate) fn absorb(&mut self, part: &Self) {
        self.peak = self.peak.max(self.held.saturating_add(part.peak));
        self.held = self.held.saturating_add(part.held);
        self.peak = self.peak.max(self.held);
    }

    /// Makes room in `list` for `additional` more entries. The capacity doubles, so that pushing stays
    /// cheap, but less is taken where the limit is near.
    ///
    /// While a list is moved to its new place, the old place is still held: both count, so near the
    /// limit a list cannot grow beyond two thirds of it.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if that would pass the limit or the system has no memory; nothing changes.
    #[inline]
    pub fn reserve<T>(&mut self, list: &mut Vec<T>, additional: usize) -> Result<(), OutOfMemory> {
        if list.capacity() - list.len() >= additional {
            return Ok(());
        }
        self.grow(list, additional)
    }

    /// The same, but where there is memory for it, the first allocation has room for `first` entries: a
    /// short search would spend much of its time growing lists from the smallest size on.
    ///
    /// # Errors
    ///
    /// As [`reserve`](Self::reserve).
    #[inline]
    pub(crate) fn reserve_from<T>(
        &mut self,
        list: &mut Vec<T>,
        additional: usize,
        first: usize,
    ) -> Result<(), OutOfMemory> {
        if list.capacity() - list.len() >= additional {
            return Ok(());
        }
        self.grow_from(list, additional, first)
    }

    #[cold]
    #[inline(never)]
    fn grow_from<T>(
        &mut self,
        list: &mut Vec<T>,
        additional: usize,
        first: usize,
    ) -> Result<(), OutOfMemory> {
        if list.capacity() == 0 && first > additional && self.grow(list, first).is_ok() {
            return Ok(());
        }
        self.grow(list, additional)
    }

    // What does not depend on the type of the entries is in functions of its own, which programs do not compile for each.

    #[cold]
    #[inline(never)]
    fn grow<T>(&mut self, list: &mut Vec<T>, additional: usize) -> Result<(), OutOfMemory> {
        let before = list.capacity();
        let comfortable = self.growth((list.len(), before), additional, size_of::<T>())?;
        // The system may still have what is needed, if not what would be comfortable.
        if list.try_reserve_exact(comfortable).is_err()
            && list.try_reserve_exact(additional).is_err()
        {
            return Err(OutOfMemory);
        }
        self.exchange(before, list.capacity(), size_of::<T>());
        Ok(())
    }

    /// Counts a list of so many entries of this size as one of so many others.
    #[cold]
    #[inline(never)]
    fn exchange(&mut self, before: usize, after: usize, size: usize) {
        self.take(after.saturating_mul(size));
        self.release(before.saturating_mul(size));
    }

    /// By how much to grow a list of this length and capacity, if it must be by `additional` entries of
    /// this size.
    #[cold]
    #[inline(never)]
    fn growth(
        &self,
        (len, capacity): (usize, usize),
        additional: usize,
        size: usize,
    ) -> Result<usize, OutOfMemory> {
        let needed = len.checked_add(additional).ok_or(OutOfMemory)?;
        let affordable = self.left() / size.max(1);
        if needed > affordable {
            return Err(OutOfMemory);
        }
        Ok(capacity.saturating_mul(2).max(needed).max(4).min(affordable) - len)
    }

    /// Makes the list at least `len` entries long; new entries are copies of `value`.
    ///
    /// # Errors
    ///
    /// As [`reserve`](Self::reserve); the list is as it was then.
    #[inline]
    pub(crate) fn grow_to<T: Clone>(
        &mut self,
        list: &mut Vec<T>,
        len: usize,
        value: T,
    ) -> Result<(), OutOfMemory> {
        if len > list.len() {
            self.reserve(list, len - list.len())?;
            list.resize(len, value);
        }
        Ok(())
    }

    /// A list of `len` copies of `value`, with no room to spare.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if that would pass the limit or the system has no memory.
    pub fn list<T: Clone>(&mut self, len: usize, value: T) -> Result<Vec<T>, OutOfMemory> {
        self.affords(len, size_of::<T>())?;
        let mut list = Vec::new();
        list.try_reserve_exact(len).map_err(|_| OutOfMemory)?;
        list.resize(len, value);
        self.exchange(0, list.capacity(), size_of::<T>());
        Ok(list)
    }

    /// Whether so many entries of this size may be held.
    #[cold]
    #[inline(never)]
    fn affords(&self, len: usize, size: usize) -> Result<(), OutOfMemory> {
        let bytes = len.checked_mul(size).ok_or(OutOfMemory)?;
        if bytes > self.left() { Err(OutOfMemory) } else { Ok(()) }
    }

    /// Frees a list and gives its bytes back.
    pub fn free<T>(&mut self, list: Vec<T>) {
        self.release(list.capacity() * size_of::<T>());
        drop(list);
    }

    /// Counts bytes that were allocated by other means.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if that would pass the limit; nothing is counted then.
    pub fn claim(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        if bytes > self.left() {
            return Err(OutOfMemory);
        }
        self.take(bytes);
        Ok(())
    }

    /// Gives back bytes that were freed by other means.
    pub fn release(&mut self, bytes: usize) {
        self.held -= bytes.min(self.held);
    }

    fn take(&mut self, bytes: usize) {
        self.held = self.held.saturating_add(bytes);
        self.peak = self.peak.max(self.held);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_grow_up_to_the_limit_with_their_copies() {
        let mut memory = Memory::new(1000);
        let mut list: Vec<u64> = Vec::new();
        while memory.reserve(&mut list, 1).is_ok() {
            list.push(7);
        }
        // 32 entries and 64 are held at one time; 64 and 65 would be 1032 bytes.
        assert_eq!((list.len(), memory.held(), memory.peak()), (64, 512, 768));
        memory.set_most(2000);
        assert_eq!(memory.reserve(&mut list, 1), Ok(()));
        assert_eq!((list.capacity(), memory.held()), (128, 1024));
        memory.free(list);
        assert_eq!((memory.held(), memory.peak()), (0, 1536));
    }

    #[test]
    fn near_the_limit_a_list_grows_by_less_than_double() {
        let mut memory = Memory::new(800);
        let mut list: Vec<u64> = Vec::new();
        memory.reserve(&mut list, 40).unwrap();
        list.resize(40, 0);
        memory.reserve(&mut list, 1).unwrap();
        assert_eq!((list.capacity(), memory.held(), memory.peak()), (60, 480, 800));
    }

    #[test]
    fn exactly_the_limit_is_allowed() {
        let mut memory = Memory::new(32);
        let mut list: Vec<u64> = Vec::new();
        assert_eq!(memory.reserve(&mut list, 5), Err(OutOfMemory));
        assert_eq!(memory.reserve(&mut list, 4), Ok(()));
        assert_eq!((list.capacity(), memory.held(), memory.left()), (4, 32, 0));
        assert_eq!(memory.claim(1), Err(OutOfMemory));
        memory.free(list);
        assert_eq!(memory.list(5, 0_u64), Err(OutOfMemory));
        let list = memory.list(4, 7_u64).unwrap();
        assert_eq!((&list[..], memory.held()), (&[7; 4][..], 32));
        memory.free(list);
        assert_eq!((memory.claim(33), memory.held()), (Err(OutOfMemory), 0));
        assert_eq!((memory.claim(32), memory.held()), (Ok(()), 32));
        memory.release(30);
        assert_eq!((memory.held(), memory.peak()), (2, 32));
        memory.forget_peak();
        assert_eq!(memory.peak(), 2);
        assert!(OutOfMemory.to_string().contains("memory"));
    }

    #[test]
    fn parts_add_up() {
        let mut memory = Memory::new(100);
        memory.claim(10).unwrap();
        let mut part = Memory::new(50);
        part.claim(40).unwrap();
        part.release(35);
        memory.absorb(&part);
        assert_eq!((memory.held(), memory.peak(), memory.left()), (15, 50, 85));
    }
}
