//! The part of a [`Reduced`](super::Reduced) burrow that is the same in every solution.

use super::room_number;
use crate::problems::amphipod::burrow::Burrow;
use crate::problems::amphipod::place::Kind;

/// Returns the kinds that must leave a room, from top to bottom: all down to the lowest that is not at home.
pub(super) fn leavers(burrow: &Burrow, room: usize) -> Vec<u8> {
    let cells = burrow.room(room);
    let foreign = |cell: &Option<Kind>| cell.is_some_and(|kind| kind.room() != room);
    let end = cells.iter().rposition(foreign).map_or(0, |lowest| lowest + 1);
    cells[..end].iter().flatten().map(|kind| room_number(kind.room())).collect()
}

/// Returns the energy that every solution needs. It has the bounds that
/// [`energy_fits`](crate::problems::amphipod::energy::energy_fits) checks.
pub(super) fn fixed_energy(burrow: &Burrow, moving: &[Vec<u8>]) -> u128 {
    let steps = |count: usize, kind: Kind| count as u128 * kind.step_energy();
    let mut sum = 0;
    for (room, leavers) in moving.iter().enumerate() {
        let Some(resident) = Kind::of_room(room) else { continue };
        let cells = burrow.room(room).iter().enumerate();
        let inhabitants = cells.filter_map(|(depth, cell)| cell.map(|kind| (depth, kind)));
        for (depth, kind) in inhabitants.clone().take(leavers.len()) {
            sum += steps(depth + 1 + burrow.door(room).abs_diff(burrow.door(kind.room())), kind);
        }
        // Amphipods at home move down to close gaps, the others fill the places above.
        let settled: Vec<usize> = inhabitants.skip(leavers.len()).map(|(depth, _)| depth).collect();
        let coming = burrow.depth() - settled.len();
        for (i, depth) in settled.iter().enumerate() {
            sum += steps(coming + i - depth, resident);
        }
        sum += steps(coming * (coming + 1) / 2, resident);
    }
    for (column, cell) in burrow.hallway().iter().enumerate() {
        if let Some(kind) = *cell {
            sum += steps(column.abs_diff(burrow.door(kind.room())), kind);
        }
    }
    sum
}
