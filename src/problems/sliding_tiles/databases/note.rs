//! [`TileNote`]: the data that [`TileDatabases`] stores with a state in an in-place search.

use super::partition::MOST_GROUPS;
use super::sum::{NO_VIEW, TileDatabases};
use crate::heuristics::IncrementalHeuristic;
use crate::problems::sliding_tiles::state::State;
use crate::problems::sliding_tiles::{BlankMove, Packed, TileCells};

/// The cells of all tiles, the values of all databases, and their sums: for a board of the 24-puzzle 46
/// bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileNote<A> {
    /// Of each tile, and of the blank.
    places: A,
    values: [u8; MOST_GROUPS],
    sums: [u16; 2],
}

impl<C: TileCells> IncrementalHeuristic<Packed<C>, BlankMove> for TileDatabases {
    type Note = TileNote<C::Places>;
    type Cost = u16;

    fn note(&self, state: &Packed<C>) -> Self::Note {
        let mut places = C::NO_PLACES;
        self.fill_places(state, places.as_mut());
        let mut values = [0; MOST_GROUPS];
        let sums = self.sums(places.as_ref(), &mut values);
        TileNote { places, values, sums }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is most of the inner loop of IDA*")]
    fn update(&self, note: &mut Self::Note, way: &BlankMove, after: &Packed<C>) {
        let places = note.places.as_mut();
        // The tile is where the blank was.
        let Some(&to) = places.first() else { return };
        let from = match way {
            BlankMove::Up => to.wrapping_sub(self.width()),
            BlankMove::Left => to.wrapping_sub(1),
            BlankMove::Right => to.wrapping_add(1),
            BlankMove::Down => to.wrapping_add(self.width()),
        };
        let tile = after.tile(to);
        places[0] = from;
        if let Some(place) = places.get_mut(usize::from(tile)) {
            *place = to;
        }
        for sum in 0..self.sum_count() {
            let view = self.view_of(sum, tile);
            if view == NO_VIEW {
                continue;
            }
            let value = self.look_up(usize::from(view), note.places.as_ref());
            let before =
                std::mem::replace(&mut note.values[usize::from(view) % MOST_GROUPS], value);
            // Moves are reversible, so no move leads from a solvable state to a dead end.
            let changed = note.sums[sum].wrapping_add(u16::from(value));
            note.sums[sum] = changed.wrapping_sub(u16::from(before));
        }
    }

    #[inline]
    fn value(&self, note: &Self::Note) -> u16 {
        note.sums[0].max(note.sums[1])
    }
}
