//! [`Rank`]: an entry of the layers, and their rare operations.

use std::fmt::Debug;

use super::layers::Layers;
use crate::callback::Callback;
use crate::frontier::heap::Word;
use crate::memory::{Memory, OutOfMemory};

/// Calls a function with every entry of a heap and its first number; with `None` if the numbers of its key are none, or too
/// large.
pub type Entries<'f, R> = &'f mut dyn for<'v> Callback<&'v mut dyn Callback<(usize, Option<R>)>>;

/// An entry of a layer: one integer with a rank in its high bits and an id in its low bits.
///
/// Its functions are those of [`Layers`]. Each is compiled once for each width, in this crate, and not for each key type
/// of a program.
pub trait Rank: Word + Debug + Send + Sync + 'static {
    fn rank(self) -> u32;

    /// Whether it comes after an equal entry that it would precede as the newer one: its id is odd.
    fn is_turned(self, other: Self) -> bool;

    fn push_to_full(
        layers: &mut Layers<Self>,
        slot: usize,
        entry: Self,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory>;

    fn push_to_current(
        layers: &mut Layers<Self>,
        entry: Self,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory>;

    fn push_far(
        layers: &mut Layers<Self>,
        first: usize,
        entry: Self,
        memory: &mut Memory,
    ) -> Result<bool, OutOfMemory>;

    fn build(
        layers: &mut Layers<Self>,
        entries: Entries<'_, Self>,
        memory: &mut Memory,
    ) -> Result<bool, OutOfMemory>;

    fn advance(layers: &mut Layers<Self>) -> bool;

    fn sort_current(layers: &mut Layers<Self>, memory: &mut Memory);

    fn pop_first(layers: &mut Layers<Self>) -> Option<Self>;

    fn next_first(layers: &Layers<Self>) -> Option<usize>;

    fn for_each(layers: &Layers<Self>, visit: &mut dyn Callback<(usize, Self)>);

    fn retain(layers: &mut Layers<Self>, keep: &mut dyn Callback<(usize, Self), bool>);

    fn clear(layers: &mut Layers<Self>);

    /// See [`Layers::begin_anew`].
    fn begin_anew(layers: &mut Layers<Self>);
}

macro_rules! ranks {
    ($($ranked:ty, $id_bits:literal;)*) => {$(
        #[allow(clippy::cast_possible_truncation, reason = "the macro serves several widths")]
        impl Rank for $ranked {
            #[inline]
            fn rank(self) -> u32 {
                (self >> $id_bits) as u32
            }

            #[inline]
            fn is_turned(self, other: Self) -> bool {
                // Without a branch: it would be unpredictable.
                (self.rank() == other.rank()) & (self & 1 == 1)
            }

            #[inline(never)]
            fn push_to_full(
                layers: &mut Layers<Self>,
                slot: usize,
                entry: Self,
                memory: &mut Memory,
            ) -> Result<(), OutOfMemory> {
                layers.push_to_full(slot, entry, memory)
            }

            #[inline(never)]
            fn push_to_current(
                layers: &mut Layers<Self>,
                entry: Self,
                memory: &mut Memory,
            ) -> Result<(), OutOfMemory> {
                layers.push_to_current(entry, memory)
            }

            #[inline(never)]
            fn push_far(
                layers: &mut Layers<Self>,
                first: usize,
                entry: Self,
                memory: &mut Memory,
            ) -> Result<bool, OutOfMemory> {
                layers.push_far(first, entry, memory)
            }

            #[cold]
            #[inline(never)]
            fn build(
                layers: &mut Layers<Self>,
                entries: Entries<'_, Self>,
                memory: &mut Memory,
            ) -> Result<bool, OutOfMemory> {
                layers.build(entries, memory)
            }

            #[inline(never)]
            fn advance(layers: &mut Layers<Self>) -> bool {
                layers.advance()
            }

            #[inline(never)]
            fn sort_current(layers: &mut Layers<Self>, memory: &mut Memory) {
                layers.sort_current(memory);
            }

            #[inline(never)]
            fn pop_first(layers: &mut Layers<Self>) -> Option<Self> {
                layers.pop_first()
            }

            #[inline(never)]
            fn next_first(layers: &Layers<Self>) -> Option<usize> {
                layers.next_filled(layers.base)
            }

            #[inline(never)]
            fn for_each(layers: &Layers<Self>, visit: &mut dyn Callback<(usize, Self)>) {
                layers.for_each(visit);
            }

            #[inline(never)]
            fn retain(layers: &mut Layers<Self>, keep: &mut dyn Callback<(usize, Self), bool>) {
                layers.retain(keep);
            }

            #[inline(never)]
            fn clear(layers: &mut Layers<Self>) {
                layers.clear();
            }

            fn begin_anew(layers: &mut Layers<Self>) {
                layers.begin_anew();
            }
        }
    )*};
}

ranks! { u64, 32; u128, 64; }
