//! [`dissect`]: an order of the states by nested dissection.

use super::NONE;
use super::flow::{Check, Flow};
use super::links::Links;
use crate::memory::{Memory, OutOfMemory};
use crate::report::StopReason;

/// A part with so few states is not cut any more.
const LEAF: usize = 4;

/// The limits are looked at between the passes over a part with more states.
const LARGE: usize = 1 << 12;

/// The directions in which the places of states are compared: where a part is cut across.
const DIRECTIONS: [[f64; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]];

/// Orders the states, the least important first: a small set of states separates the others into parts of which none is
/// too large, and comes after them; in each part it is the same again. `check` is told how many states have their place.
///
/// Source: Schild and Sommer, *On Balanced Separators in Road Networks*, 2015 (inertial flow).
#[inline]
pub(super) fn dissect(
    links: &Links,
    places: Option<&[[f64; 2]]>,
    memory: &mut Memory,
    check: &mut dyn FnMut(usize) -> Result<(), StopReason>,
) -> Result<Vec<u32>, StopReason> {
    let (count, entries) = (links.count(), links.others.len());
    let mut order = memory.list(count, 0)?;
    for (state, place) in (0..).zip(&mut order) {
        *place = state;
    }
    let mut dissection = Dissection {
        links,
        places,
        part: Links::with_capacity(count, entries, memory)?,
        numbers: memory.list(count, NONE)?,
        part_places: memory.list(count, [0.0; 2])?,
        buffer: memory.list(count, 0)?,
        flow: Flow::new(count, entries, memory)?,
        is_separator: memory.list(count, false)?,
        ends: Vec::new(),
    };
    let (mut waiting, mut done) = (Vec::new(), 0);
    memory.reserve(&mut waiting, 1)?;
    waiting.push(0..count);
    while let Some(range) = waiting.pop() {
        check(done)?;
        let states = &mut order[range.clone()];
        if states.len() <= LEAF {
            done += states.len();
            continue;
        }
        let is_large = states.len() > LARGE;
        dissection.enter(states);
        if is_large {
            check(done)?;
        }
        if dissection.find_components(states, memory)? {
            memory.reserve(&mut waiting, dissection.ends.len())?;
            let mut begin = range.start;
            for &end in &dissection.ends {
                waiting.push(begin..range.start + end);
                begin = range.start + end;
            }
        } else {
            let separator = dissection.cut(states, &mut || check(done))?;
            done += separator;
            waiting.push(range.start..range.end - separator);
        }
    }
    memory.free(waiting);
    dissection.free(memory);
    Ok(order)
}

/// The part that is being cut, and memory that all parts share.
struct Dissection<'g> {
    links: &'g Links,
    places: Option<&'g [[f64; 2]]>,
    part: Links,
    numbers: Vec<u32>,
    part_places: Vec<[f64; 2]>,
    buffer: Vec<u32>,
    flow: Flow,
    is_separator: Vec<bool>,
    /// Where the components of the part end.
    ends: Vec<usize>,
}

impl Dissection<'_> {
    /// Goes on with the part of these states.
    #[inline]
    fn enter(&mut self, states: &mut [u32]) {
        states.sort_unstable();
        self.part.restrict(self.links, states, &mut self.numbers);
    }

    /// Puts the states of each component of the part together; returns whether there are several.
    #[inline]
    fn find_components(
        &mut self,
        states: &mut [u32],
        memory: &mut Memory,
    ) -> Result<bool, OutOfMemory> {
        let (levels, queue) = self.flow.buffers(states.len());
        self.ends.clear();
        for number in 0..self.part.count() {
            if levels[number] == NONE {
                #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2³⁰")]
                self.part.explore(number as u32, levels, queue);
                memory.reserve(&mut self.ends, 1)?;
                self.ends.push(queue.len());
            }
        }
        let is_split = self.ends.len() > 1;
        if is_split {
            let buffer = &mut self.buffer[..states.len()];
            buffer.copy_from_slice(states);
            for (state, &number) in states.iter_mut().zip(&*queue) {
                *state = buffer[number as usize];
            }
        }
        Ok(is_split)
    }

    /// Finds a separator of the part, which is connected, and puts it behind the other states. Returns its size.
    #[inline]
    fn cut(&mut self, states: &mut [u32], check: Check<'_>) -> Result<usize, StopReason> {
        let count = states.len();
        let is_large = count > LARGE;
        self.find_places(states, check)?;
        let end = count * 3 / 10;
        let places = &self.part_places;
        // The size of the best separator, and of the smaller of the parts that it separates.
        let mut best: Option<[u128; 2]> = None;
        for [x, y] in DIRECTIONS {
            let key = |number: u32| {
                let place = places[number as usize];
                x * place[0] + y * place[1]
            };
            let by_key = |a: &u32, b: &u32| key(*a).total_cmp(&key(*b)).then(a.cmp(b));
            let numbers = &mut self.buffer[..count];
            for (number, place) in (0..).zip(&mut *numbers) {
                *place = number;
            }
            numbers.select_nth_unstable_by(end, by_key);
            let (sources, rest) = numbers.split_at_mut(end);
            let begin = rest.len() - end;
            rest.select_nth_unstable_by(begin, by_key);
            let ends = [&*sources, &rest[begin..]];
            if is_large {
                check()?;
            }
            self.flow.cut(&self.part, ends, check)?;
            let (flow, part) = (&self.flow, &self.part);
            let reached = (0..).take(count).filter(|&number| flow.is_reached(number)).count();
            let smaller = reached.min(count - reached) as u128;
            // The ends of the cut links on one of its sides.
            let is_at_cut = |number: u32, is_reached: bool| {
                let is_across = |&other: &u32| flow.is_reached(other) != is_reached;
                flow.is_reached(number) == is_reached && part.at(number).iter().any(is_across)
            };
            for side in [true, false] {
                let size = (0..).take(count).filter(|&number| is_at_cut(number, side)).count();
                let size = size as u128;
                // Of two that are as small, the one that comes nearer to halves.
                let is_better =
                    |[least, part]: [u128; 2]| size.pow(2) * part < least.pow(2) * smaller;
                if best.is_none_or(is_better) {
                    best = Some([size, smaller]);
                    for (number, place) in (0..).zip(&mut self.is_separator[..count]) {
                        *place = is_at_cut(number, side);
                    }
                }
            }
        }
        let buffer = &mut self.buffer[..count];
        buffer.copy_from_slice(states);
        let is_separator = self.is_separator.iter().zip(&*buffer);
        let of = |is_wanted| {
            let of =
                is_separator.clone().filter(move |(is_separator, _)| **is_separator == is_wanted);
            of.map(|(_, &state)| state)
        };
        for (place, state) in states.iter_mut().zip(of(false).chain(of(true))) {
            *place = state;
        }
        Ok(self.is_separator[..count].iter().filter(|&&is_separator| is_separator).count())
    }

    /// Finds the places of the states of the part: those that are given, or else by the distances to two pairs of states
    /// that are far apart.
    #[inline]
    fn find_places(&mut self, states: &[u32], check: Check<'_>) -> Result<(), StopReason> {
        let found = &mut self.part_places[..states.len()];
        if let Some(places) = self.places {
            for (place, &state) in found.iter_mut().zip(states) {
                *place = places[state as usize];
            }
            return Ok(());
        }
        let (part, flow) = (&self.part, &mut self.flow);
        // Writes the distances from a state, and returns one that is farthest from it.
        let mut explore = |from: u32, write: &mut dyn FnMut(usize, f64)| {
            if states.len() > LARGE {
                check()?;
            }
            let (levels, queue) = flow.buffers(part.count());
            part.explore(from, levels, queue);
            levels.iter().enumerate().for_each(|(number, &level)| write(number, level.into()));
            Ok::<u32, StopReason>(queue.last().copied().unwrap_or(from))
        };
        let first = explore(0, &mut |_, _| ())?;
        let second = explore(first, &mut |number, level| found[number] = [level; 2])?;
        explore(second, &mut |number, level| {
            let [from_first, _] = found[number];
            found[number] = [from_first - level, from_first.min(level)];
        })?;
        let third = (0..).zip(&*found).max_by(|(_, a), (_, b)| a[1].total_cmp(&b[1]));
        let third = third.map_or(0, |(number, _)| number);
        let fourth = explore(third, &mut |number, level| found[number][1] = level)?;
        explore(fourth, &mut |number, level| found[number][1] -= level)?;
        Ok(())
    }

    /// Gives the memory back.
    fn free(self, memory: &mut Memory) {
        self.part.free(memory);
        memory.free(self.numbers);
        memory.free(self.part_places);
        memory.free(self.buffer);
        self.flow.free(memory);
        memory.free(self.is_separator);
        memory.free(self.ends);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::limits::Limits;
    use crate::problems::grid_map::{Cell, GridMap};

    /// How often limits are looked at until a line of `states` states is cut for the first time.
    fn looks(states: usize, has_places: bool) -> u32 {
        let map = GridMap::new(u16::try_from(states).unwrap(), 1, |_| true).unwrap();
        let route = map.route_to(Cell::new(0, 0));
        let memory = &mut Memory::new(usize::MAX);
        let links = Links::read(&route, &Budget::new(Limits::new()), memory).unwrap();
        let places: Vec<_> = (0_u32..).take(states).map(|x| [f64::from(x), 0.0]).collect();
        let mut looks = 0;
        let order = dissect(&links, has_places.then_some(&places[..]), memory, &mut |done| {
            looks += u32::from(done == 0);
            Ok(())
        });
        assert_eq!(order.unwrap().len(), states);
        looks
    }

    #[test]
    fn limits_are_looked_at_between_the_passes_over_a_large_part() {
        // At the beginning, and in each of four flows, which are of one unit.
        assert_eq!(looks(LARGE, true), 1 + 4);
        // A large part is entered, and its places are sorted for each flow.
        assert_eq!(looks(LARGE + 1, true), 1 + 4 + 1 + 4);
        // Without places, it is explored five times.
        assert_eq!(looks(LARGE + 1, false), looks(LARGE, false) + 1 + 4 + 5);
    }
}
