//! [`UnfoldError`]: a burrow that cannot be unfolded.

use std::error::Error;
use std::fmt;

/// A burrow cannot be [unfolded](super::Burrow::unfolded) because it does not have four rooms.
///
/// ```
/// use bestfirst::problems::amphipod::Burrow;
///
/// let burrow = Burrow::parse("#######\n#.....#\n##B#A##\n #####").unwrap();
/// assert_eq!(
///     burrow.unfolded().unwrap_err().to_string(),
///     "only a burrow of 4 rooms can be unfolded, this one has 2"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnfoldError {
    /// The number of rooms of the burrow.
    pub rooms: usize,
}

impl fmt::Display for UnfoldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "only a burrow of 4 rooms can be unfolded, this one has {}", self.rooms)
    }
}

impl Error for UnfoldError {}
