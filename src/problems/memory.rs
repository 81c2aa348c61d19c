//! Allocations that return an error where the standard collections abort the process.

/// An allocation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutOfMemory {
    /// The size of the allocation in bytes; [`u64::MAX`] if it is larger than that.
    pub bytes: u64,
}

impl OutOfMemory {
    fn new<T>(len: usize) -> Self {
        let len = u64::try_from(len).unwrap_or(u64::MAX);
        Self { bytes: len.saturating_mul(u64::try_from(size_of::<T>()).unwrap_or(u64::MAX)) }
    }
}

/// Returns an empty list with capacity for `len` entries.
pub(super) fn with_capacity<T>(len: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| OutOfMemory::new::<T>(len))?;
    Ok(list)
}

/// Returns a list of `len` times the same value.
pub(super) fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut list = with_capacity(len)?;
    list.resize(len, value);
    Ok(list)
}

/// Returns a list of the entries of an iterator that knows its length.
pub(super) fn collect<T>(entries: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, OutOfMemory> {
    let mut list = with_capacity(entries.len())?;
    list.extend(entries);
    Ok(list)
}

/// Appends a value. The list grows in the same steps as by [`Vec::push`].
#[inline]
pub(super) fn push<T>(list: &mut Vec<T>, value: T) -> Result<(), OutOfMemory> {
    if list.len() == list.capacity() {
        reserve(list, 1)?;
    }
    list.push(value);
    Ok(())
}

/// Appends the entries of a slice.
pub(super) fn extend<T: Copy>(list: &mut Vec<T>, entries: &[T]) -> Result<(), OutOfMemory> {
    reserve(list, entries.len())?;
    list.extend_from_slice(entries);
    Ok(())
}

#[cold]
fn reserve<T>(list: &mut Vec<T>, additional: usize) -> Result<(), OutOfMemory> {
    let len = list.len().saturating_add(additional);
    list.try_reserve(additional).map_err(|_| OutOfMemory::new::<T>(len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_filled() {
        assert_eq!(filled(7_u8, 3), Ok(vec![7; 3]));
        assert_eq!(collect([1, 2, 3].into_iter()), Ok(vec![1, 2, 3]));
        let mut list = vec![1];
        assert_eq!((push(&mut list, 2), extend(&mut list, &[3, 4])), (Ok(()), Ok(())));
        assert_eq!(list, [1, 2, 3, 4]);
    }

    #[test]
    fn impossible_sizes_are_errors() {
        let fault = OutOfMemory { bytes: u64::MAX };
        assert_eq!(filled(0_u64, usize::MAX), Err(fault));
        assert_eq!(with_capacity::<u32>(1 << 62), Err(fault));
        assert_eq!(filled(0_u8, 1 << 63), Err(OutOfMemory { bytes: 1 << 63 }));
        assert_eq!(collect((0..usize::MAX).map(|_| 0_u8)), Err(fault));
    }
}
