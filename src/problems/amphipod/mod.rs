//! Amphipods in a burrow: a puzzle, and a worked example of how to choose the state of a problem.
//!
//! A burrow is a hallway with rooms below it. Every amphipod (`A`, `B`, `C` …) has to reach the room
//! of its kind; the rooms are in the order of the letters. A step costs an `A` 1, a `B` 10, a `C` 100,
//! and so on. No amphipod stops above a room. An amphipod in the hallway moves only into its own room,
//! and only if no other kind is left in that room. The problem is to find the least energy with which
//! all amphipods reach their rooms.
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
//! A [`Burrow`] is an arrangement of amphipods in a burrow of any size, read from a drawing. There are
//! two problems: the [`Literal`] form has every cell and every legal move, the [`Reduced`] form has
//! only the decisions. A test solves all 2,520 starts of the size above, and thousands of other
//! burrows, in both forms and compares the results.
//!
//! # Reducing the state space
//!
//! The numbers are expanded states for the example above and for the same burrow unfolded, as the
//! program `examples/amphipod` prints them. Dijkstra's algorithm on the literal form expands
//! **18,953** and **99,018** states.
//!
//! **At most two moves each.** An amphipod moves into the hallway and then home, or directly home, or
//! not at all if it already sits at the bottom of its own room. An amphipod that does not have to move,
//! or that has come home, is no longer part of the state.
//!
//! **The cost splits.** In every solution, each amphipod walks up to the door of its room, along the
//! hallway to the door of its home, and down; and the total energy for walking down does not depend on
//! the order within a kind. This fixed energy is added once, as the cost of the start
//! ([`Reduced::fixed_energy`]). The search only has to find the *detours*: waiting between the two
//! doors is free, waiting beyond one of them costs the way there and back. The detour is paid when the
//! amphipod moves into the hallway; the move home is free. The cost of a state thus already contains
//! the usual lower bound from door to door, so even Dijkstra's algorithm is as well informed as A* with
//! that bound.
//!
//! **Forced moves.** An amphipod that can go home should do so: it blocks no other there, it pays
//! nothing, and no decision becomes impossible. Such moves are made as part of the step before, until
//! none is left. One kind of action remains, the [`Decision`]: the topmost amphipod of a room waits on
//! a spot of the hallway.
//!
//! **A small state.** The state holds how many amphipods have left each room, and which kind stands on
//! each spot of the hallway: 33 bits for the puzzle's own size. Everything else is in tables of the
//! problem. In one word, the nearest occupied spot is a count of zero bits, and one mask tests whether
//! a way is free. With the four ideas so far, Dijkstra's algorithm expands **301** and **34,228**
//! states.
//!
//! **Dead ends.** Two amphipods in the hallway, each in the other's way home, never get home. The test
//! is more general: it removes the amphipods in the hallway one by one, in any order in which they may
//! be able to go home, and assumes that those that must leave a room first stand wherever there is
//! space. If some remain, the state is a dead end and is not generated. Dijkstra's algorithm then
//! expands **213** and **5,610** states, A* with the plain bound **68** and **5,153** (without the
//! test **92** and **31,716**). The test takes about two fifths of the time and saves five sixths of
//! the states.
//!
//! **A bound on future detours.** An amphipod that must leave its own room has to step aside
//! ([`DetourBound::DoorToDoor`]). Of two amphipods that have to enter each other's room, one must give way, the
//! cheaper one at best. And while an amphipod waits in the hallway for its room, all those in the room
//! that have to get past it must stand on the other side of the door at the same time, on different
//! spots ([`DetourBound::GiveWay`]). Each amphipod is counted once, so the sum is admissible; on thousands of
//! states it has been found consistent. A* expands **15** and **4,315** states. The bound gains more in
//! larger burrows: for six rooms of depth two, the worst of five random burrows takes 3,239 states,
//! and 175,804 with Dijkstra's algorithm.
//!
//! # Five engines
//!
//! States expanded, and states stored at the end, for the example and for the same burrow unfolded. In
//! the optimised dev profile each search takes milliseconds (`cargo run --example amphipod --
//! --compare --form literal`):
//!
//! | engine | reduced, part 1 | reduced, part 2 | literal, part 1 | literal, part 2 |
//! |---|---:|---:|---:|---:|
//! | Dijkstra | 213, 651 | 5,610, 6,411 | 18,953, 20,319 | 99,018, 99,032 |
//! | A* | 15, 108 | 4,315, 5,606 | 150, 724 | 8,080, 25,033 |
//! | IDA*, transposition table of 16 MB | 27 | 21,396 | 226 | 31,274 |
//! | branch and bound | 35, 84 | 5,692, 5,525 | 191, 341 | 10,468, 28,752 |
//! | breadth first | 54, 278 | 9,373, 9,443 | 17,121, 20,912 | 16,799, 47,777 |
//!
//! With a bound this strong, branch and bound finds a good solution so early that it stores no more
//! states than A*. Breadth-first search goes by the number of moves, which says little about the energy.
//!
//! # Larger burrows
//!
//! Five random burrows of each size, with dead ends of two places, by all engines, limited to one
//! minute of processor time and 2 GB (IDA* with a transposition table of 1 GB, which takes 0.3 s to
//! allocate). The table gives the median and the maximum in seconds, in the optimised dev profile, on a
//! machine busy with other work; – where a limit was reached. (None of the five burrows of 4 × 8 and
//! of 5 × 8 has a solution, and two of 6 × 4 have none.) `cargo test --test suite -- --ignored
//! how_large --nocapture` measures them, and also 7 × 4 and 12 × 2, which are not in the table.
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
mod drawing;
mod energy;
mod error;
mod literal;
mod packed;
mod place;
mod reduced;
mod replay;

pub use burrow::Burrow;
pub use energy::{Energy, FitError};
pub use error::UnfoldError;
pub use literal::{Literal, Rules, Walk};
pub use packed::BurrowState;
pub use place::{Kind, MOST_ROOMS, Place};
pub use reduced::{Decision, DetourBound, Reduced};
pub use replay::{Frame, Move};
