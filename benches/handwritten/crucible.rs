//! The crucible by hand: Dijkstra's algorithm or A* with the Manhattan distance, flat arrays, a ring
//! of buckets.
//!
//! It uses these facts. The ends of a run along a row are adjacent in memory if states of that axis are stored row by
//! row, and likewise for columns. A step costs at most `9 · max`, so a ring of buckets holds every open state. The
//! predecessor of a state follows from the final costs, so none is stored.

use bestfirst::problems::crucible::HeatMap;

/// The map, stored row by row and column by column.
pub struct City {
    rows: usize,
    columns: usize,
    by_row: Vec<u8>,
    by_column: Vec<u8>,
    smallest: u32,
}

pub struct Found {
    pub cost: Option<u32>,
    pub expanded: u64,
    pub stored: u64,
    /// The ends of the runs, from the goal back to the start.
    pub path: Vec<(usize, usize)>,
}

const UNSEEN: u32 = u32::MAX;
const COLUMN: u32 = 1 << 31;

impl City {
    pub fn new(map: &HeatMap) -> Self {
        let (rows, columns) = (map.rows(), map.columns());
        assert!(rows < 1 << 15 && columns < 1 << 16, "row and column share a word");
        let by_row: Vec<u8> = map.rows_iter().flatten().copied().collect();
        let mut by_column = Vec::with_capacity(by_row.len());
        for column in 0..columns {
            by_column.extend((0..rows).map(|row| by_row[row * columns + column]));
        }
        Self { rows, columns, by_row, by_column, smallest: map.smallest_loss().into() }
    }

    /// Returns the least heat loss of a crucible that moves `min` to `max` blocks before each turn.
    pub fn cross(&self, min: usize, max: usize, with_heuristic: bool) -> Found {
        let per_block = if with_heuristic { self.smallest } else { 0 };
        let mut search = Search {
            min,
            max,
            per_block,
            ring: vec![Vec::new(); (18 * max + 1).next_power_of_two()],
            open: 0,
            stored: 2,
        };
        // States by the axis of the last run, each in the order of its axis.
        let mut of_rows = vec![UNSEEN; self.by_row.len()];
        let mut of_columns = vec![UNSEEN; self.by_row.len()];
        (of_rows[0], of_columns[0]) = (0, 0);
        let far = u32::try_from(self.rows + self.columns - 2).unwrap_or(0) * per_block;
        search.push(far, 0);
        search.push(far, COLUMN);
        let (last_row, last_column) = (self.rows - 1, self.columns - 1);
        let mut expanded = 0;
        let mut f = far;
        while search.open > 0 {
            let bucket = f as usize & (search.ring.len() - 1);
            let Some(entry) = search.ring[bucket].pop() else {
                f += 1;
                continue;
            };
            search.open -= 1;
            let (row, column) = ((entry >> 16 & 0x7fff) as usize, (entry & 0xffff) as usize);
            let steps = u32::try_from(last_row - row + last_column - column).unwrap_or(0);
            let h = steps * per_block;
            let g = f - h;
            let (row_place, column_place) = (row * self.columns + column, column * self.rows + row);
            let known = if entry < COLUMN { of_rows[row_place] } else { of_columns[column_place] };
            if known != g {
                continue; // a cheaper path was found since
            }
            if steps == 0 {
                let path = self.way_back(&search, &of_rows, &of_columns, entry, g);
                return Found { cost: Some(g), expanded, stored: search.stored, path };
            }
            expanded += 1;
            if entry < COLUMN {
                let line = column * self.rows..(column + 1) * self.rows;
                let (losses, costs) = (&self.by_column[line.clone()], &mut of_columns[line]);
                search.runs(losses, costs, row, (g, h), |row| {
                    COLUMN | low_half(row) << 16 | low_half(column)
                });
            } else {
                let line = row * self.columns..(row + 1) * self.columns;
                let (losses, costs) = (&self.by_row[line.clone()], &mut of_rows[line]);
                search.runs(losses, costs, column, (g, h), |column| {
                    low_half(row) << 16 | low_half(column)
                });
            }
        }
        Found { cost: None, expanded, stored: search.stored, path: Vec::new() }
    }

    /// Follows the costs back to the start, where they are zero.
    fn way_back(
        &self,
        search: &Search,
        of_rows: &[u32],
        of_columns: &[u32],
        entry: u32,
        mut g: u32,
    ) -> Vec<(usize, usize)> {
        let (mut row, mut column) = (self.rows - 1, self.columns - 1);
        let mut along_row = entry < COLUMN;
        let mut path = vec![(row, column)];
        while g > 0 {
            let (losses, at, length) = if along_row {
                (&self.by_row[row * self.columns..], column, self.columns)
            } else {
                (&self.by_column[column * self.rows..], row, self.rows)
            };
            let before = |at: usize| {
                if along_row {
                    of_columns[at * self.rows + row]
                } else {
                    of_rows[at * self.columns + column]
                }
            };
            let mut found = None;
            for ahead in [true, false] {
                let mut heat = 0;
                let mut from = at;
                for length_of_run in 1..=search.max {
                    heat += u32::from(losses[from]);
                    from = if ahead { from.wrapping_add(1) } else { from.wrapping_sub(1) };
                    if from >= length || heat > g {
                        break;
                    }
                    if length_of_run >= search.min && before(from) == g - heat {
                        found = Some((from, heat));
                    }
                }
            }
            let (from, heat) = found.expect("every cost but zero comes from somewhere");
            g -= heat;
            if along_row {
                column = from;
            } else {
                row = from;
            }
            along_row = !along_row;
            path.push((row, column));
        }
        path
    }
}

/// A row or a column; they fit.
#[inline]
fn low_half(number: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "checked when the city was made")]
    let number = number as u32;
    number
}

struct Search {
    min: usize,
    max: usize,
    per_block: u32,
    ring: Vec<Vec<u32>>,
    open: usize,
    stored: u64,
}

impl Search {
    #[inline]
    fn push(&mut self, f: u32, entry: u32) {
        let bucket = f as usize & (self.ring.len() - 1);
        self.ring[bucket].push(entry);
        self.open += 1;
    }

    /// All runs along a line from the block `at`, both ways.
    #[inline]
    fn runs(
        &mut self,
        losses: &[u8],
        costs: &mut [u32],
        at: usize,
        (g, h): (u32, u32),
        entry: impl Fn(usize) -> u32,
    ) {
        let (mut reached, mut left) = (g, h);
        let ahead = losses.iter().zip(costs.iter_mut()).enumerate().skip(at + 1).take(self.max);
        for (nth, (end, (&loss, cost))) in ahead.enumerate() {
            reached += u32::from(loss);
            left = left.wrapping_sub(self.per_block);
            if nth + 1 >= self.min && reached < *cost {
                self.stored += u64::from(*cost == UNSEEN);
                *cost = reached;
                self.push(reached + left, entry(end));
            }
        }
        let (mut reached, mut left) = (g, h);
        let back = losses[..at].iter().zip(&mut costs[..at]).enumerate().rev().take(self.max);
        for (nth, (end, (&loss, cost))) in back.enumerate() {
            reached += u32::from(loss);
            left += self.per_block;
            if nth + 1 >= self.min && reached < *cost {
                self.stored += u64::from(*cost == UNSEEN);
                *cost = reached;
                self.push(reached + left, entry(end));
            }
        }
    }
}
