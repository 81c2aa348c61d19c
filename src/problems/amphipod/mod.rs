//! Amphipods that want home: a burrow puzzle, and the worked example of how to state a problem well.
//!
//! A hallway, and rooms below it. Every amphipod (`A`, `B`, `C` …) wants into the room of its kind,
//! the rooms being in the order of the letters. A step costs an `A` 1, a `B` 10, a `C` 100, and so
//! on. Nobody stops in front of a room; who stands in the hallway moves only into its own room, and
//! only if nobody of another kind is left in there. What is the least energy that brings all home?
//!
//! ```
//! use bestfirst::AStar;
//! use bestfirst::problems::amphipod::{Burrow, Reduced};
//!
//! let drawing = [
//!     "#############",
//!     "#...........#",
//!     "###B#C#B#D###",
//!     "  #A#D#C#A#",
//!     "  #########",
//! ];
//! let burrow: Burrow = drawing.join("\n").parse()?;
//! let mut energies = Vec::new();
//! for burrow in [burrow.unfolded()?, burrow] {
//!     let problem: Reduced = Reduced::new(&burrow)?;
//!     let report = AStar::new(&problem).search_from([problem.start()]).run()?;
//!     energies.extend(report.cost());
//! }
//! assert_eq!(energies, [44169, 12521]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Burrow`] is a position of any size, read from a drawing. Two problems are made of it: the
//! [`Literal`] form, which has every cell and every legal move, and the [`Reduced`] form, which has
//! only what must be decided. A test solves all 2,520 starts of the size above, and thousands of
//! other burrows, in both: they agree.
//!
//! # How little has to be searched
//!
//! The numbers are states expanded for the example above and for the same burrow unfolded, as the
//! program `examples/amphipod` prints them. Dijkstra's algorithm on the literal form, which is what
//! a first program does, expands **18,953** and **99,018**.
//!
//! **At most two moves each.** Out into the hallway and home; or straight home; or none, for those
//! at the bottom of their own room. Who does not have to move leaves the game at once, and so does
//! who has come home.
//!
//! **The cost splits.** Whatever is decided, everybody walks up to its door, along the hallway to its
//! home's door, and down; and the energy for walking down does not depend on who of a kind comes
//! first. All this is added once, as the cost of the start ([`Reduced::fixed_energy`]). What is left
//! to be searched are *detours*: who waits between the two doors pays nothing for it, who waits
//! beyond one of them pays for the way there and back. It pays at once, when it walks there; coming
//! home is free. So the cost of a state already says all that is known about it, and even Dijkstra's
//! algorithm, which knows nothing of bounds, is as well informed as A* with the usual bound from
//! door to door.
//!
//! **Forced moves.** Who can go home now should: it is in nobody's way there, it pays nothing, and no
//! decision becomes impossible by it. Such moves are made until none is left, as part of the step
//! before. One kind of step remains, the [`Decision`]: the uppermost of which room waits where.
//!
//! **The state is tiny.** How deep somebody sits does not matter, only who is next; so a state says
//! how many have left each room, and who stands on which of the spots in the hallway: 33 bits for
//! the puzzle's own size. Everything else is a table in the problem. In that one word the nearest
//! neighbour of a door is a count of zeros, and whether a way is free is one mask. With the four
//! ideas so far, Dijkstra's algorithm expands **301** and **34,228**.
//!
//! **Dead ends.** Two in the hallway, each in the other's way home, never get there. More generally:
//! let those in the hallway go home one by one, in any order in which it may be possible, with
//! those who must still leave a room standing wherever there is space for them. Whoever is left
//! over can never go, and the state need not be pushed at all. Dijkstra's algorithm then expands
//! **213** and **5,610**, A* with the plain bound **68** and **5,153** (without the test **92** and
//! **31,716**). The test takes about two fifths of the time, and saves five sixths of the states.
//!
//! **A bound on detours to come.** Who lives in the room that it must leave has to step aside
//! ([`Bound::DoorToDoor`]). Of those who want into each other's rooms, one side must give way, the
//! cheaper at best. And while somebody waits in the hallway for its room, all those in there who
//! want past it must stand on the other side of the door, at the same time, so on different spots
//! ([`Bound::GiveWay`]). Each of them is counted once, so that the sum is admissible; on thousands
//! of states it has been found consistent. A* expands **15** and **4,315**. In larger burrows it is
//! worth more: for six rooms of depth two, the worst of five drawn at random, 3,239 states instead of
//! Dijkstra's 175,804.
//!
//! # Five engines
//!
//! States expanded, and stored in the end, for the example and for the same burrow unfolded; in the
//! optimised dev profile each takes milliseconds (`cargo run --example amphipod -- --compare --form
//! literal`):
//!
//! | engine | reduced, part 1 | reduced, part 2 | literal, part 1 | literal, part 2 |
//! |---|---:|---:|---:|---:|
//! | Dijkstra | 213, 651 | 5,610, 6,411 | 18,953, 20,319 | 99,018, 99,032 |
//! | A* | 15, 108 | 4,315, 5,606 | 150, 724 | 8,080, 25,033 |
//! | IDA*, 16 MB of transpositions | 27 | 21,396 | 226 | 31,274 |
//! | branch and bound | 35, 84 | 5,692, 5,525 | 191, 341 | 10,468, 28,752 |
//! | breadth first | 54, 278 | 9,373, 9,443 | 17,121, 20,912 | 16,799, 47,777 |
//!
//! Depth first with a bound this good, branch and bound comes to a good solution so soon that it stores
//! no more than A*. Breadth-first search goes by moves, which says little of the energy.
//!
//! # How large a burrow can be
//!
//! Five random burrows of each size, dead ends of two, by all engines, limited to a minute of the
//! processor and 2 GB (IDA* with 1 GB of transpositions, which take 0.3 s to lay out): the median and
//! the worst in seconds, in the optimised dev profile, on a machine busy with other work; – where a
//! limit was reached. (None of the five of 4 × 8 and of 5 × 8 can be solved, and two of 6 × 4 cannot.)
//! `cargo test --test amphipod -- --ignored how_large --nocapture` measures them, and 7 × 4 and 12 × 2,
//! which were not waited for.
//!
//! | rooms × depth | Dijkstra | A* | IDA* | branch and bound | breadth first |
//! |---|---:|---:|---:|---:|---:|
//! | 4 × 4 | 0.01, 0.01 | 0.00, 0.01 | 0.49, 1.07 | 0.00, 0.01 | 0.01, 0.01 |
//! | 6 × 2 | 0.07, 0.26 | 0.00, 0.01 | 0.28, 0.66 | 0.00, 0.01 | 0.01, 0.20 |
//! | 5 × 4 | 0.04, 0.11 | 0.05, 0.12 | 1.05, 3.07 | 0.06, 0.12 | 0.10, 0.13 |
//! | 4 × 8 | 0.00, 0.00 | 0.00, 0.00 | 0.29, 0.42 | 0.00, 0.00 | 0.00, 0.00 |
//! | 8 × 2 | 3.77, 9.41 | 0.04, 0.92 | 0.51, 6.46 | 0.04, 0.69 | 0.37, 1.00 |
//! | 6 × 4 | 0.84, 0.91 | 0.76, 0.99 | 18.57, 26.25 | 0.63, 0.92 | 0.90, 2.33 |
//! | 10 × 2 | – | 3.37, 7.11 | 15.28, 25.57 | – | – |
//! | 5 × 8 | 0.01, 0.02 | 0.02, 0.02 | 0.56, 0.63 | 0.02, 0.02 | 0.01, 0.02 |

mod burrow;
mod literal;
mod packed;
mod reduced;
mod replay;

pub use burrow::{Burrow, BurrowError, Kind, MOST_ROOMS, Place, Position, UnfoldError};
pub use literal::{Literal, Rules, Walk};
pub use packed::{Energy, FitError, Packed};
pub use reduced::{Bound, Decision, Reduced};
pub use replay::{Frame, Move};
