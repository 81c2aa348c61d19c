//! [`Memory`]: counts the bytes that a search holds.

use std::any::type_name;
use std::fmt;
use std::mem::take;
use std::sync::{Mutex, PoisonError};

/// A list cannot grow: the memory limit is reached, or the system has no memory left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the search may not, or cannot, hold more memory")
    }
}

impl std::error::Error for OutOfMemory {}

/// Counts the bytes that a search holds, and checks them against a limit.
///
/// Tables and frontiers allocate through it. The limit is checked before memory is allocated, so running out
/// of memory is an error and not an abort. One case can still abort: a dense table of a mebibyte
/// or more whose costs are primitive numbers is first requested with a quarter to spare, to see that the memory exists, and then
/// allocated. The program aborts if other allocations use up more than that quarter of the system's last memory in between. (Other
/// tables of this kind cannot be the cause: they wait for a lock.)
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

/// The least number of bytes that are worth a request for zeroed memory: the system provides that many by pages.
const MUCH: usize = 1 << 20;

/// Locked while a search asks twice for memory, so that no other one takes in between what it was promised.
static ASKING: Mutex<()> = Mutex::new(());

impl Memory {
    /// Creates an empty account with a limit of `most` bytes.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { held: 0, peak: 0, most }
    }

    /// Returns the bytes held now.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held
    }

    /// Returns the most bytes ever held at one time, including both copies of a list that grows.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// Returns the number of bytes left up to the limit.
    #[must_use]
    pub fn left(&self) -> usize {
        self.most.saturating_sub(self.held)
    }

    pub(crate) fn set_most(&mut self, most: usize) {
        self.most = most;
    }

    #[cfg(feature = "disk")]
    pub(crate) fn set_peak(&mut self, peak: usize) {
        self.peak = self.held.max(peak);
    }

    pub(crate) fn forget_peak(&mut self) {
        self.peak = self.held;
    }

    /// Returns the sum of several accounts, as if their peaks coincided.
    #[cfg(feature = "parallel")]
    pub(crate) fn sum<'m>(parts: impl Iterator<Item = &'m Self>) -> Self {
        parts.fold(Self::new(usize::MAX), |mut sum, part| {
            sum.held = sum.held.saturating_add(part.held);
            sum.peak = sum.peak.saturating_add(part.peak);
            sum
        })
    }

    /// Returns the account with a peak of at most `most`, but no less than what is held.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub(crate) fn with_peak_within(mut self, most: usize) -> Self {
        self.peak = self.peak.min(most).max(self.held);
        self
    }

    /// Adds the account of a part of the search.
    pub(crate) fn absorb(&mut self, part: &Self) {
        self.peak = self.peak.max(self.held.saturating_add(part.peak));
        self.held = self.held.saturating_add(part.held);
        self.peak = self.peak.max(self.held);
    }

    /// Reserves capacity in `list` for `additional` more entries. The capacity doubles, so that pushing is
    /// amortized O(1), but grows less near the limit.
    ///
    /// While a list moves to its new allocation, it still holds the old one. Both count, so near the
    /// limit a list cannot grow beyond two thirds of it.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if that would exceed the limit or the system has no memory; nothing changes.
    #[inline]
    pub fn reserve<T>(&mut self, list: &mut Vec<T>, additional: usize) -> Result<(), OutOfMemory> {
        if list.capacity() - list.len() >= additional {
            return Ok(());
        }
        self.grow(list, additional, 0)
    }

    /// Like [`reserve`](Self::reserve), but the first allocation has capacity for `first` entries if memory allows:
    /// otherwise a short search would spend much of its time growing small lists.
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
        self.grow(list, additional, first)
    }

    // Code that does not depend on the entry type is in separate functions, so that it is compiled once.

    #[cold]
    #[inline(never)]
    fn grow<T>(
        &mut self,
        list: &mut Vec<T>,
        additional: usize,
        first: usize,
    ) -> Result<(), OutOfMemory> {
        let (before, size) = (list.capacity(), size_of::<T>());
        let mut more = self.growth((list.len(), before), (additional, first), size)?;
        while list.try_reserve_exact(more).is_err() {
            more = less(more, additional)?;
        }
        self.exchange(before, list.capacity(), size);
        Ok(())
    }

    /// Counts a list of `before` entries of `size` bytes as one of `after` entries.
    #[cold]
    #[inline(never)]
    fn exchange(&mut self, before: usize, after: usize, size: usize) {
        self.take(after.saturating_mul(size));
        self.release(before.saturating_mul(size));
    }

    /// Returns the number of entries by which to grow a list of this length and capacity, at least `additional`, and
    /// `first` for the first allocation if the limit allows.
    #[cold]
    #[inline(never)]
    fn growth(
        &self,
        (len, capacity): (usize, usize),
        (additional, first): (usize, usize),
        size: usize,
    ) -> Result<usize, OutOfMemory> {
        let needed = len.checked_add(additional).ok_or(OutOfMemory)?;
        let least = capacity.saturating_mul(2).max(needed).max(4);
        let wanted = least.max(first);
        if wanted.checked_mul(size).is_some_and(|bytes| bytes <= self.left()) {
            // Mostly: a short search would notice the division.
            return Ok(wanted - len);
        }
        let affordable = self.left() / size.max(1);
        if needed > affordable {
            return Err(OutOfMemory);
        }
        Ok(least.min(affordable) - len)
    }

    /// Extends the list to at least `len` entries with copies of `value`.
    ///
    /// # Errors
    ///
    /// As [`reserve`](Self::reserve); the list is then unchanged.
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

    /// Returns a list of `len` copies of `value`, with no spare capacity.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if that would exceed the limit or the system has no memory.
    #[inline(never)]
    pub fn list<T: Clone>(&mut self, len: usize, value: T) -> Result<Vec<T>, OutOfMemory> {
        self.affords(len, size_of::<T>())?;
        let mut list = Vec::new();
        list.try_reserve_exact(len).map_err(|_| OutOfMemory)?;
        list.resize(len, value);
        self.exchange(0, list.capacity(), size_of::<T>());
        Ok(list)
    }

    /// Like [`list`](Self::list). Where the standard library knows that `value` has no bit set, as of numbers and of arrays
    /// and tuples of them, the system is asked for zeroed memory, if it is much: a page takes time and real memory only
    /// once it is written.
    ///
    /// # Errors
    ///
    /// As [`list`](Self::list), but for what the documentation of [`Memory`] says.
    pub(crate) fn lazy_list<T: Clone>(
        &mut self,
        len: usize,
        value: T,
    ) -> Result<Vec<T>, OutOfMemory> {
        // Copies that are written one by one are not written while others wait for the lock.
        if !is_of_primitives::<T>() || len < MUCH / size_of::<T>().max(1) {
            return self.list(len, value);
        }
        self.affords(len, size_of::<T>())?;
        // `vec!` cannot say that there is none, so this asks before, for a quarter more, which others may take in between.
        let asking = ASKING.lock().unwrap_or_else(PoisonError::into_inner);
        let more = len.saturating_add(len / 4);
        Vec::<T>::new().try_reserve_exact(more).map_err(|_| OutOfMemory)?;
        let list = vec![value; len];
        drop(asking);
        self.exchange(0, list.capacity(), size_of::<T>());
        Ok(list)
    }

    /// Checks that `len` more entries of `size` bytes are within the limit.
    #[cold]
    #[inline(never)]
    fn affords(&self, len: usize, size: usize) -> Result<(), OutOfMemory> {
        let bytes = len.checked_mul(size).ok_or(OutOfMemory)?;
        if bytes > self.left() { Err(OutOfMemory) } else { Ok(()) }
    }

    /// Frees a list and releases its bytes.
    pub fn free<T>(&mut self, list: Vec<T>) {
        self.release(list.capacity() * size_of::<T>());
        drop(list);
    }

    /// Counts bytes that were allocated elsewhere.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if that would exceed the limit; then nothing is counted.
    pub fn claim(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        if bytes > self.left() {
            return Err(OutOfMemory);
        }
        self.take(bytes);
        Ok(())
    }

    /// Counts bytes that were allocated elsewhere instead of the `counted` ones. Returns whether they are more.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if that would exceed the limit; then none of them are counted.
    #[inline(never)]
    pub(crate) fn recount(
        &mut self,
        counted: &mut usize,
        bytes: usize,
    ) -> Result<bool, OutOfMemory> {
        let before = take(counted);
        self.release(before);
        self.claim(bytes)?;
        *counted = bytes;
        Ok(bytes > before)
    }

    /// Releases bytes that were freed elsewhere.
    pub fn release(&mut self, bytes: usize) {
        self.held -= bytes.min(self.held);
    }

    fn take(&mut self, bytes: usize) {
        self.held = self.held.saturating_add(bytes);
        self.peak = self.peak.max(self.held);
    }
}

/// Whether the type is a primitive one, or a tuple or an array of these: the name of any other type is a path.
fn is_of_primitives<T>() -> bool {
    !type_name::<T>().contains("::")
}

/// The number of entries to reserve where the system has no memory for `more`: it may still have that for those that are
/// required. Apart, so that the loop around it is not unrolled in each copy.
#[cold]
#[inline(never)]
fn less(more: usize, additional: usize) -> Result<usize, OutOfMemory> {
    if more > additional { Ok(additional) } else { Err(OutOfMemory) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn lists_grow_up_to_the_limit_with_their_copies() {
        let mut memory = Memory::new(1000);
        let mut list: Vec<u64> = Vec::new();
        while memory.reserve(&mut list, 1).is_ok() {
            list.push(7);
        }
        // 32 and 64 entries are held at one time; 64 and 65 would be 1032 bytes.
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
    fn lazy_lists_count_like_others() {
        for len in [10, MUCH / 4, MUCH / 4 + 1] {
            let mut memory = Memory::new(4 * len);
            let list = memory.lazy_list(len, (0_u32, [0_u32; 0])).unwrap();
            assert_eq!((list.len(), memory.held()), (len, 4 * len));
            assert!(list.iter().all(|&(number, _)| number == 0));
            assert_eq!(memory.lazy_list(len, 0_u32), Err(OutOfMemory));
            memory.free(list);
            assert_eq!(memory.lazy_list(len, 7_u32), Ok(vec![7; len]));
        }
        let mut memory = Memory::new(usize::MAX);
        assert_eq!(memory.lazy_list(usize::MAX / 8, 0_u32), Err(OutOfMemory));
        assert_eq!((memory.lazy_list(usize::MAX, 0_u8), memory.held()), (Err(OutOfMemory), 0));
    }

    #[test]
    fn structs_are_told_from_primitive_types() {
        assert!(is_of_primitives::<(f64, [u32; 0])>() && is_of_primitives::<([u8; 3], u64)>());
        assert!(!is_of_primitives::<Duration>() && !is_of_primitives::<(Duration, u32)>());
        assert!(!is_of_primitives::<([Duration; 2], u32)>());
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
