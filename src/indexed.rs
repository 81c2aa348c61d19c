//! Access by index to lists whose indices are always valid.
//!
//! The panic of `list[index]` takes some 70 bytes at each place: the code that passes the index, the length and the place
//! in the source, and these. Here all places share one function. It is for code that every program contains.

/// Returns the entry at `index`, which must exist.
#[inline]
pub(crate) fn at<T>(list: &[T], index: usize) -> &T {
    match list.get(index) {
        Some(entry) => entry,
        None => outside(),
    }
}

/// Returns the entry at `index`, which must exist, to be changed.
#[inline]
pub(crate) fn at_mut<T>(list: &mut [T], index: usize) -> &mut T {
    match list.get_mut(index) {
        Some(entry) => entry,
        None => outside(),
    }
}

/// Adds an entry to a list that must have capacity for it: the code that would make the list grow is left out.
#[inline]
pub(crate) fn push<T: Copy>(list: &mut Vec<T>, entry: T) {
    if list.len() == list.capacity() {
        outside();
    }
    list.push(entry);
}

/// The same for an entry that owns something, so that there is code that drops it where the list is full.
#[inline]
pub(crate) fn push_owner<T>(list: &mut Vec<T>, entry: T) {
    if list.len() == list.capacity() {
        outside();
    }
    list.push(entry);
}

/// Makes a list at least as long, by copies of `value`, for which it must have capacity.
#[inline]
pub(crate) fn fill<T: Copy>(list: &mut Vec<T>, len: usize, value: T) {
    while list.len() < len {
        push(list, value);
    }
}

#[cold]
#[inline(never)]
fn outside() -> ! {
    panic!("an index is outside of a list of the library; please report this fault")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_their_indices() {
        let mut list = [3, 4, 5];
        *at_mut(&mut list, 1) += 10;
        assert_eq!([0, 1, 2].map(|index| *at(&list, index)), [3, 14, 5]);
    }

    #[test]
    #[should_panic(expected = "outside of a list")]
    fn no_entry_is_added_without_capacity() {
        let mut list = Vec::with_capacity(4);
        while list.len() < list.capacity() {
            push(&mut list, 7_u8);
        }
        assert!(list.iter().all(|&entry| entry == 7));
        push(&mut list, 7);
    }

    #[test]
    #[should_panic(expected = "outside of a list")]
    fn no_entry_is_beyond_the_end() {
        let _ = at(&[1, 2], 2);
    }

    #[test]
    #[should_panic(expected = "outside of a list")]
    fn no_entry_beyond_the_end_is_changed() {
        *at_mut(&mut [1, 2], 2) = 3;
    }
}
