//! Shared by all parsers of text.

/// Returns the text without the byte order mark that some editors put before it.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}

/// The byte order mark in UTF-8.
pub(super) const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];
