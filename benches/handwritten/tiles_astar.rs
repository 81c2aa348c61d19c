//! The 15-puzzle by hand: A* with eight bytes for a stored state and eight for an open one.
//!
//! It uses these facts. Fifteen cells determine the sixteenth, so a board needs 60 bits. f grows in steps of two, and
//! four bits hold the number of steps. g is f minus the Manhattan distance, which is consistent: a popped board whose f
//! equals that in the table is current, and any other is stale. The path follows from the final costs, so no parent is
//! stored.

use super::tiles::{GOAL, farther, pack, target};

pub struct Found {
    pub length: u16,
    pub expanded: u64,
    pub stored: u64,
    /// The moves of the blank, from the goal back to the start.
    pub path: Vec<usize>,
}

/// The cell that is implied by the others, and gives its four bits to something else.
const SPARE: u64 = 15;
/// The largest number of times that f can grow by two.
const GROWS: usize = 16;
const NOWHERE: usize = 4;

/// The tiles that get farther from their goal cells, by the cell of the blank and its move.
static FARTHER: [[u16; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut blank = 0;
    while blank < 16 {
        let mut way = 0;
        while way < 4 {
            table[blank][way] = farther(blank, way);
            way += 1;
        }
        blank += 1;
    }
    table
};

/// The cell that the blank goes to, by its cell and move; 16 for none.
static TARGET: [[u8; 4]; 16] = {
    let mut table = [[16; 4]; 16];
    let mut blank = 0;
    while blank < 16 {
        let mut way = 0;
        while way < 4 {
            if let Some(to) = target(blank, way) {
                #[expect(clippy::cast_possible_truncation, reason = "there are 16 cells")]
                let to = to as u8;
                table[blank][way] = to;
            }
            way += 1;
        }
        blank += 1;
    }
    table
};

pub fn solve(tiles: &[u8; 16]) -> Found {
    let (board, _, start_h) = pack(tiles);
    let mut table = Table::new();
    // By f, then h; last in, first out.
    let mut open: Vec<Vec<Vec<u64>>> = vec![vec![Vec::new(); 128]; GROWS];
    table.improve(board & !SPARE, 0);
    open[0][start_h].push(board & !SPARE | NOWHERE as u64);
    let mut expanded = 0;
    for grown in 0..GROWS {
        let mut h = 0;
        while h < 128 {
            let Some(entry) = open[grown][h].pop() else {
                h += 1;
                continue;
            };
            let (key, came) = (entry & !SPARE, (entry & SPARE) as usize);
            if table.get(key) != Some(grown as u64) {
                continue;
            }
            let board = whole(key);
            if board == GOAL {
                let length = start_h + 2 * grown;
                let path = way_back(&table, start_h, length);
                let length = u16::try_from(length).unwrap_or(u16::MAX);
                return Found { length, expanded, stored: table.len as u64, path };
            }
            expanded += 1;
            let blank = blank(board);
            table.make_room();
            let mut nearest = h;
            for way in 0..4 {
                let to = TARGET[blank][way];
                if to == 16 || way + came == 3 {
                    continue;
                }
                let tile = board >> (4 * to) & 15;
                let farther = usize::from(FARTHER[blank][way] >> tile & 1);
                let key = (board ^ tile << (4 * to) ^ tile << (4 * blank)) & !SPARE;
                let (grown, h) = (grown + farther, h + 2 * farther - 1);
                assert!(grown < GROWS, "f has grown more than four bits can hold");
                if table.improve(key, grown as u64) {
                    open[grown][h].push(key | way as u64);
                    if farther == 0 {
                        nearest = h;
                    }
                }
            }
            h = nearest;
        }
    }
    unreachable!("the assertion above fails first")
}

/// The board whose first cell is not known: all sixteen tiles together cancel out.
#[inline]
fn whole(key: u64) -> u64 {
    let mut tiles = key;
    tiles ^= tiles >> 32;
    tiles ^= tiles >> 16;
    tiles ^= tiles >> 8;
    tiles ^= tiles >> 4;
    key | tiles & SPARE
}

/// The cell of the blank: the one whose four bits are all zero.
#[inline]
fn blank(board: u64) -> usize {
    const LOW: u64 = 0x7777_7777_7777_7777;
    let empty = !(((board & LOW) + LOW) | board | LOW);
    (empty.trailing_zeros() as usize / 4) & 15
}

fn way_back(table: &Table, start_h: usize, length: usize) -> Vec<usize> {
    let (mut board, mut h) = (GOAL, 0_usize);
    let mut path = Vec::new();
    for g in (1..=length).rev() {
        let blank = blank(board);
        let step = (0..4).find_map(|way| {
            let to = target(blank, 3 - way)?;
            let tile = board >> (4 * to) & 15;
            let before = board ^ tile << (4 * to) ^ tile << (4 * blank);
            let h = h + 2 * usize::from(farther(blank, 3 - way) >> tile & 1) - 1;
            let grown = table.get(before & !SPARE)?;
            (start_h + 2 * usize::try_from(grown).unwrap_or(0) == g - 1 + h)
                .then_some((way, before, h))
        });
        let (way, before, before_h) = step.expect("every board but the start comes from somewhere");
        (board, h) = (before, before_h);
        path.push(way);
    }
    path
}

/// An open-addressed set of boards, each with the number of times that f has grown.
struct Table {
    slots: Vec<u64>,
    shift: u32,
    len: usize,
}

impl Table {
    fn new() -> Self {
        Self { slots: vec![0; 1 << 12], shift: 64 - 12, len: 0 }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        ((key >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// Stores a board that is new or was stored with a larger f; otherwise returns false.
    #[inline]
    fn improve(&mut self, key: u64, grown: u64) -> bool {
        let mask = self.slots.len() - 1;
        let mut place = self.place(key);
        loop {
            let slot = self.slots[place & mask];
            if slot & !SPARE == key {
                let better = grown < slot & SPARE;
                if better {
                    self.slots[place & mask] = key | grown;
                }
                return better;
            }
            if slot == 0 {
                self.slots[place & mask] = key | grown;
                self.len += 1;
                return true;
            }
            place += 1;
        }
    }

    fn get(&self, key: u64) -> Option<u64> {
        let mask = self.slots.len() - 1;
        let mut place = self.place(key);
        loop {
            let slot = self.slots[place & mask];
            if slot & !SPARE == key {
                return Some(slot & SPARE);
            }
            if slot == 0 {
                return None;
            }
            place += 1;
        }
    }

    /// Keeps at most two of three slots in use.
    #[inline]
    fn make_room(&mut self) {
        if (self.len + 4) * 3 > self.slots.len() * 2 {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.shift -= 1;
        let size = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for slot in old.into_iter().filter(|&slot| slot != 0) {
            let mut place = self.place(slot & !SPARE);
            while self.slots[place & (size - 1)] != 0 {
                place += 1;
            }
            self.slots[place & (size - 1)] = slot;
        }
    }
}
