//! The constructor of a [`Reduced`] burrow and its tables.

use super::fixed::{fixed_energy, leavers};
use super::{DetourBound, OPEN, Reduced, Room, Spot};
use crate::problems::amphipod::burrow::Burrow;
use crate::problems::amphipod::energy::{Energy, FitError, energy_fits, narrow};
use crate::problems::amphipod::packed::{BurrowState, Field, Layout, bits_for};
use crate::problems::amphipod::place::Kind;
use crate::problems::memory;

impl<const N: usize, C: Energy> Reduced<N, C> {
    /// Returns the reduced form of `burrow`, with the strongest bound and the test for dead ends.
    ///
    /// # Errors
    ///
    /// [`FitError`] if a state needs more than `N` words, the energy does not fit in `C`, or the tables
    /// do not fit into memory.
    pub fn new(burrow: &Burrow) -> Result<Self, FitError> {
        // Every amphipod crosses the hallway at most three times: away, back, and home.
        energy_fits::<C>(burrow, 4)?;
        let count = burrow.rooms();
        let moving: Vec<Vec<u8>> = (0..count).map(|room| leavers(burrow, room)).collect();

        let mut layout = Layout::default();
        let kind_bits = bits_for(count);
        let columns = (0..burrow.width()).filter(|&x| burrow.room_below(x).is_none());
        let spots: Vec<Spot> = columns
            .map(|x| Spot {
                column: narrow(x),
                room_right: narrow((0..count).take_while(|&r| burrow.door(r) < x).count()),
                field: layout.field(kind_bits),
            })
            .collect();
        let fields: Vec<Field> =
            moving.iter().map(|leavers| layout.field(bits_for(leavers.len()))).collect();
        layout.fits::<N>()?;

        let mut spot_of_bit = memory::filled(0, 64 * N)?;
        let mut hallway = BurrowState::EMPTY;
        for (i, spot) in spots.iter().enumerate() {
            hallway.fill(spot.field);
            spot_of_bit[spot.field.first_bit()..][..spot.field.bits()].fill(narrow(i));
        }
        let spots_within = |from: usize, to: usize| {
            let mut mask = BurrowState::EMPTY;
            for spot in &spots {
                if (from..to).contains(&usize::from(spot.column)) {
                    mask.fill(spot.field);
                }
            }
            mask
        };

        let mut goal = BurrowState::EMPTY;
        let mut rooms = Vec::with_capacity(count);
        for (room, leavers) in moving.iter().enumerate() {
            let door = burrow.door(room);
            goal.add(fields[room], leavers.len() as u64);
            let mut before = memory::with_capacity((leavers.len() + 1) * (count + 1))?;
            for gone in 0..=leavers.len() {
                before.extend((0..=count).map(|kind| {
                    narrow(leavers[gone..].iter().filter(|&&k| usize::from(k) < kind).count())
                }));
            }
            let mut tops = leavers.clone();
            tops.push(OPEN);
            let step = Kind::of_room(room).map_or(1, Kind::step_energy);
            rooms.push(Room {
                door: narrow(door),
                right_spot: narrow(door - room),
                left_it: fields[room],
                to_the_left: spots_within(0, door),
                to_the_right: spots_within(door, burrow.width()),
                tops,
                before,
                two_steps: energy_of(2 * step)?,
            });
        }
        let doors = |a: usize, b: usize| (burrow.door(a.min(b)), burrow.door(a.max(b)));
        let mut between = memory::with_capacity(count * count)?;
        for a in 0..count {
            between.extend((0..count).map(|b| spots_within(doors(a, b).0, doors(a, b).1)));
        }
        let mut way = memory::with_capacity(spots.len() * count)?;
        for spot in &spots {
            let x = usize::from(spot.column);
            way.extend((0..count).map(|room| {
                let door = burrow.door(room);
                if door < x { spots_within(door, x) } else { spots_within(x + 1, door) }
            }));
        }

        let mut start = BurrowState::EMPTY;
        for spot in &spots {
            if let Some(kind) = burrow.hallway()[usize::from(spot.column)] {
                start.add(spot.field, kind.room() as u64 + 1);
            }
        }
        let mut problem = Self {
            fixed: energy_of(fixed_energy(burrow, &moving))?,
            burrow: burrow.clone(),
            bound: DetourBound::default(),
            sees_dead_ends: true,
            rooms,
            spots,
            spot_of_bit,
            between,
            way,
            hallway,
            start,
            goal,
        };
        let mut start = problem.start;
        problem.go_home(&mut start);
        problem.start = start;
        Ok(problem)
    }
}

fn energy_of<C: Energy>(energy: u128) -> Result<C, FitError> {
    let bits = u32::try_from(8 * size_of::<C>()).unwrap_or(u32::MAX);
    C::from_u128(energy).ok_or(FitError::Energy { most: Some(energy), bits })
}
