//! [`Rules`]: variants of the rules.

/// The rules of a [`Literal`](super::Literal) burrow.
///
/// By the rules of the puzzle, no amphipod stops above a room; an amphipod in the hallway moves only
/// into its own room, and only if no other kind is in it; an amphipod that enters a room goes as deep as
/// it can; and one that is in its own room, with no other kind below, stays. Each method allows more.
///
/// ```
/// use bestfirst::problems::amphipod::{Burrow, Literal, Rules};
///
/// // Both B, or both A, have to stand right of room B at one time, and there is only one spot.
/// let burrow = Burrow::parse("#######\n#.....#\n#B#A#C#\n#B#A#C#\n#######")?;
/// let energy = |rules: Rules| {
///     let problem: Literal = Literal::new(&burrow, rules)?;
///     Ok::<_, Box<dyn std::error::Error>>(bestfirst::astar(&problem, problem.start())?.cost())
/// };
/// assert_eq!(energy(Rules::new())?, None);
/// assert_eq!(energy(Rules::new().stop_at_doors())?, Some(116));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rules {
    pub(super) stop_at_doors: bool,
    pub(super) walk_along_hallway: bool,
    pub(super) rest_in_any_room: bool,
}

impl Rules {
    /// Returns the rules of the puzzle.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets amphipods stop above rooms.
    pub fn stop_at_doors(mut self) -> Self {
        self.stop_at_doors = true;
        self
    }

    /// Lets an amphipod in the hallway move to another place of the hallway.
    pub fn walk_along_hallway(mut self) -> Self {
        self.walk_along_hallway = true;
        self
    }

    /// Lets every amphipod enter any room, whichever kinds are in it, and stop there as deep as it can
    /// go.
    pub fn rest_in_any_room(mut self) -> Self {
        self.rest_in_any_room = true;
        self
    }
}
