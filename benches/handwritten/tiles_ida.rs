//! The 15-puzzle by hand: IDA*, twice.
//!
//! [`solve`] has one function for every cell of the blank and its last move. The cell of the blank, its possible moves
//! and the tiles that each brings nearer are then constants, and one bit tells whether a move exceeds the bound. A board
//! is one word. Nobody would write this for more than one puzzle.
//!
//! [`solve_by_tables`] is what most people write, and how Korf's own program worked (*Depth-First
//! Iterative-Deepening*, 1985): one recursive function, an array of tiles, a table of the neighbours of each
//! cell, and a table of the change of the Manhattan distance for each slide.

use super::tiles::{DOWN, GOAL, LEFT, RIGHT, UP, distance, farther, pack, target};

pub struct Found {
    pub length: u16,
    /// The generated nodes; the root counts once.
    pub nodes: u64,
    /// The steps, from the goal back to the start.
    pub path: Vec<usize>,
}

/// The last move at the start: none.
const NOWHERE: usize = 4;

struct Search {
    nodes: u64,
    /// The excess of the smallest f beyond the bound.
    excess: i32,
    path: Vec<usize>,
}

pub fn solve(tiles: &[u8; 16]) -> Found {
    let (board, blank, h) = pack(tiles);
    let mut search = Search { nodes: 1, excess: 0, path: Vec::new() };
    let h = i32::try_from(h).unwrap_or(i32::MAX);
    let mut bound = h;
    loop {
        search.excess = i32::MAX;
        if board == GOAL || search.begin(blank, board, bound - h) {
            let length = u16::try_from(bound).unwrap_or(u16::MAX);
            return Found { length, nodes: search.nodes, path: search.path };
        }
        bound += search.excess;
    }
}

macro_rules! cells {
    ($self:ident, $blank:expr, $board:expr, $left:expr, $way:expr, $($cell:literal)*) => {
        match $blank {
            $($cell => $self.expand::<$cell, { $way }>($board, $left),)*
            _ => false,
        }
    };
}

impl Search {
    fn begin(&mut self, blank: usize, board: u64, left: i32) -> bool {
        cells!(self, blank, board, left, NOWHERE, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    }

    /// The blank is on `BLANK` and went `CAME` last; f may grow by `left`.
    fn expand<const BLANK: usize, const CAME: usize>(&mut self, board: u64, left: i32) -> bool {
        self.nodes += const { ways_after(BLANK, CAME, 0) };
        (CAME != DOWN && self.step::<BLANK, CAME, UP>(board, left))
            || (CAME != RIGHT && self.step::<BLANK, CAME, LEFT>(board, left))
            || (CAME != LEFT && self.step::<BLANK, CAME, RIGHT>(board, left))
            || (CAME != UP && self.step::<BLANK, CAME, DOWN>(board, left))
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "so that every place of the blank has its own copy")]
    fn step<const BLANK: usize, const CAME: usize, const WAY: usize>(
        &mut self,
        board: u64,
        left: i32,
    ) -> bool {
        let Some(to) = (const { target(BLANK, WAY) }) else { return false };
        let tile = board >> (4 * to) & 15;
        let left = left - 2 * i32::from(const { farther(BLANK, WAY) } >> tile & 1);
        if left < 0 {
            if -left < self.excess {
                self.excess = -left;
            }
            return false;
        }
        let board = board ^ tile << (4 * to) ^ tile << (4 * BLANK);
        // With `to` constant, the compiler leaves only one of these calls.
        let found = board == GOAL
            || match WAY {
                UP => cells!(self, to, board, left, UP, 0 1 2 3 4 5 6 7 8 9 10 11),
                LEFT => cells!(self, to, board, left, LEFT, 0 1 2 4 5 6 8 9 10 12 13 14),
                RIGHT => cells!(self, to, board, left, RIGHT, 1 2 3 5 6 7 9 10 11 13 14 15),
                _ => cells!(self, to, board, left, DOWN, 4 5 6 7 8 9 10 11 12 13 14 15),
            };
        if found {
            // The successors after this one were counted, but are not generated.
            self.nodes -= const { ways_after(BLANK, CAME, WAY + 1) };
            self.path.push(WAY);
        }
        found
    }
}

/// The number of possible moves from a cell, counted from move `first` on.
const fn ways_after(blank: usize, came: usize, first: usize) -> u64 {
    let mut ways = 0;
    let mut way = first;
    while way < 4 {
        if target(blank, way).is_some() && (came == NOWHERE || way != 3 - came) {
            ways += 1;
        }
        way += 1;
    }
    ways
}

struct Tables {
    neighbours: [[u8; 4]; 16],
    count: [u8; 16],
    /// The change of the Manhattan distance when a tile slides from one cell to another.
    change: Box<[[[i8; 16]; 16]; 16]>,
}

struct ByTables<'t> {
    tables: &'t Tables,
    tiles: [u8; 16],
    nodes: u64,
    bound: i32,
    next_bound: i32,
    path: Vec<usize>,
}

pub fn solve_by_tables(tiles: &[u8; 16]) -> Found {
    let mut tables =
        Tables { neighbours: [[0; 4]; 16], count: [0; 16], change: Box::new([[[0; 16]; 16]; 16]) };
    for blank in 0..16_u8 {
        for to in (0..4).filter_map(|way| target(blank.into(), way)) {
            let cell = usize::from(blank);
            tables.neighbours[cell][usize::from(tables.count[cell])] =
                u8::try_from(to).unwrap_or(0);
            tables.count[cell] += 1;
            for tile in 1..16 {
                let nearer = distance(tile, cell) < distance(tile, to);
                tables.change[tile][to][cell] = if nearer { -1 } else { 1 };
            }
        }
    }
    let (board, blank, h) = pack(tiles);
    let h = i32::try_from(h).unwrap_or(0);
    let mut search = ByTables {
        tables: &tables,
        tiles: *tiles,
        nodes: 1,
        bound: h,
        next_bound: 0,
        path: Vec::new(),
    };
    loop {
        search.next_bound = i32::MAX;
        if board == GOAL || search.expand(blank, 16, 0, h) {
            let length = u16::try_from(search.bound).unwrap_or(u16::MAX);
            return Found { length, nodes: search.nodes, path: search.path };
        }
        search.bound = search.next_bound;
    }
}

impl ByTables<'_> {
    fn expand(&mut self, blank: usize, before: usize, g: i32, h: i32) -> bool {
        let tables = self.tables;
        for &to in
            &tables.neighbours[blank & 15][..usize::from(tables.count[blank & 15] & 7).min(4)]
        {
            let to = usize::from(to & 15);
            if to == before {
                continue;
            }
            let tile = self.tiles[to];
            let h = h + i32::from(tables.change[usize::from(tile & 15)][to][blank & 15]);
            self.nodes += 1;
            let f = g + 1 + h;
            if f > self.bound {
                self.next_bound = self.next_bound.min(f);
                continue;
            }
            self.tiles[blank & 15] = tile;
            if h == 0 || self.expand(to, blank, g + 1, h) {
                self.path.push(to);
                return true;
            }
            self.tiles[to] = tile;
        }
        false
    }
}
