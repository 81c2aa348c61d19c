//! Numbers as text.

use std::fmt::Display;

/// A number with a comma after every three digits, as in 12,345.
pub fn thousands(number: impl Display) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
