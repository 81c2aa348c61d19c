//! Asking for memory before it is needed: the only unsafe code of the crate.

/// Asks the processor to fetch `list[index]`, if there is such an entry. It changes nothing but time.
#[inline(always)]
pub(crate) fn prefetch<T>(list: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = list.as_ptr().wrapping_add(index);
        // SAFETY: a prefetch may be given any address; it reads nothing that the program can see and
        // cannot fault.
        #[expect(unsafe_code, reason = "the intrinsic takes a raw pointer")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(address.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (list, index);
}
