//! [`prefetch()`]: loads memory into the cache before it is needed. The only unsafe code of the crate.

/// Hints to the processor that `list[index]` will be read soon, so that it is loaded into the cache.
///
/// It only affects time: it returns at once, has no observable effect, and an
/// `index` out of range is harmless. It pays if the next reads are known some time before they
/// happen, and the list is larger than the cache; otherwise it costs one instruction.
///
/// On `x86_64` it is the instruction `prefetcht0`, for one cache line (64 bytes). On other
/// architectures it does nothing.
///
/// # Example
///
/// A graph in one list of edges. The engine announces the states that it will expand soon, and the
/// problem prefetches their edges:
///
/// ```
/// use bestfirst::prefetch::prefetch;
/// use bestfirst::{SearchProblem, Successors};
///
/// struct Graph {
///     /// The index of the first edge of each node, and the number of edges.
///     first: Vec<usize>,
///     /// The head of each edge and its cost.
///     edges: Vec<(u32, u32)>,
///     goal: u32,
/// }
///
/// impl SearchProblem for Graph {
///     type State = u32;
///     type Action = ();
///     type Cost = u32;
///
///     fn successors(&self, &node: &u32, next: &mut Successors<Self>) {
///         let node = node as usize;
///         let edges = &self.edges[self.first[node]..self.first[node + 1]];
///         next.extend(edges.iter().map(|&(to, cost)| ((), to, cost)));
///     }
///
///     fn is_goal(&self, &node: &u32) -> bool {
///         node == self.goal
///     }
///
///     fn prefetch(&self, &node: &u32) {
///         prefetch(&self.edges, self.first[node as usize]);
///     }
/// }
///
/// let graph = Graph {
///     first: vec![0, 2, 3, 3],
///     edges: vec![(1, 4), (2, 9), (2, 4)],
///     goal: 2,
/// };
/// assert_eq!(bestfirst::dijkstra(&graph, 0)?.cost(), Some(8));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[cfg_attr(target_arch = "x86_64", inline(always))]
pub fn prefetch<T>(list: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = list.as_ptr().wrapping_add(index);
        // SAFETY: a prefetch accepts any address. It does not fault and has no effect that the
        // program can observe.
        #[expect(unsafe_code, reason = "the intrinsic takes a raw pointer")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(address.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (list, index);
}

/// Hints to the processor that what the first word of `value` points to will be read soon: of an iterator over a list, its
/// next item, which need not be read for that. If the word is no pointer, nothing is gained, and nothing else happens.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn prefetch_pointee<T>(value: &T) {
    use std::arch::asm;
    use std::mem::MaybeUninit;

    if size_of::<T>() < size_of::<usize>() || align_of::<T>() < align_of::<usize>() {
        return;
    }
    // SAFETY: `value` has the size and the alignment of a word, and nothing is said of what is in it: it may be
    // uninitialized. A prefetch accepts any address. It does not fault and has no effect that the program can observe.
    #[expect(
        unsafe_code,
        reason = "only this way an address is found without a look at what is there"
    )]
    unsafe {
        let word = *std::ptr::from_ref(value).cast::<MaybeUninit<*const u8>>();
        asm!("prefetcht0 [{}]", in(reg) word, options(nostack, preserves_flags, readonly));
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    /// Whatever the first word is: an address, a number, padding, or nothing.
    #[test]
    fn any_value_may_be_taken_for_a_pointer() {
        let list = [(7_u32, 1_u32); 9];
        prefetch_pointee(&list.iter().copied());
        prefetch_pointee(&list[9..].iter());
        prefetch_pointee(&(1..9_usize));
        prefetch_pointee(&usize::MAX);
        prefetch_pointee(&None::<u64>);
        prefetch_pointee(&[0_u8; 64]);
        prefetch_pointee(&());
        assert_eq!(list, [(7, 1); 9]);
    }
}
