//! Members, numbers and strings in a syntax that is valid in JSON and in YAML.

use std::fmt::{self, Write as _};

use crate::cost::Cost;

/// Appends a member of a JSON object that is not the first.
pub(super) fn push_member<C: Cost>(line: &mut String, key: &str, cost: C) {
    push_text(line, format_args!(",\"{key}\":"));
    push_cost(line, cost);
}

/// Appends a member of a YAML flow mapping that is not the first.
pub(super) fn push_flow<C: Cost>(line: &mut String, key: &str, cost: C) {
    push_text(line, format_args!(", {key}: "));
    push_cost(line, cost);
}

/// Appends formatted text.
pub(super) fn push_text(line: &mut String, text: fmt::Arguments<'_>) {
    // Writing to a string does not fail. If a `Debug` implementation of the user fails, the rest of the
    // text is missing.
    let _ = line.write_fmt(text);
}

fn push_cost<C: Cost>(line: &mut String, cost: C) {
    if cost >= C::INFINITY {
        line.push_str("null");
        return;
    }
    let text = format!("{cost:?}");
    if is_number(&text) {
        line.push_str(&text);
    } else {
        push_string(line, &text);
    }
}

/// Whether a text is a number in JSON, and therefore in YAML, too.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, part) = match mantissa.split_once('.') {
        Some((whole, part)) => (whole, Some(part)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && part.is_none_or(digits)
        && exponent.is_none_or(|text| digits(text.strip_prefix(['-', '+']).unwrap_or(text)))
}

/// Appends a string in double quotes. Characters that are not printable in one of the formats are escaped.
pub(super) fn push_string(line: &mut String, text: &str) {
    line.push('"');
    for character in text.chars() {
        match character {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            '\t' => line.push_str("\\t"),
            '\r' => line.push_str("\\r"),
            _ if character.is_control()
                || matches!(
                    character,
                    '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}'
                ) =>
            {
                // All of these lie in the basic plane: four digits are enough.
                push_text(line, format_args!("\\u{:04x}", u32::from(character)));
            }
            _ => line.push(character),
        }
    }
    line.push('"');
}
