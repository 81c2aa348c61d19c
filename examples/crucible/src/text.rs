//! Ranges as text.

use std::ops::RangeInclusive;

/// A range of run lengths.
pub fn range_text(range: &RangeInclusive<u32>) -> String {
    format!("{} to {}", range.start(), range.end())
}
