//! Maps, boards and states for `serde`: maps and boards as their text, which is read with the checks of parsing.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use super::ParseError;
use super::amphipod::Burrow;
use super::crucible::HeatMap;
use super::grid_map::GridMap;
use super::pancake::is_stack;
use super::sliding_tiles::Board;

/// What is stored as text.
trait AsText: FromStr<Err: fmt::Display> {
    /// Reads what was stored.
    fn read(text: &str) -> Result<Self, Self::Err> {
        text.parse()
    }
}

/// Reads a string and parses it.
struct Text<T>(PhantomData<T>);

impl<T: AsText> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text of a map or a board")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::read(text).map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($name:ident: |$this:ident| $text:expr;)*) => {$(
        /// Needs the feature `serde`. Writes text, as `FromStr` reads it.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $this = self;
                serializer.collect_str($text)
            }
        }

        /// Needs the feature `serde`. Reads text with the checks of `FromStr`.
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text(PhantomData))
            }
        }
    )*};
}

as_text! {
    // A single line without a size is a square board.
    Board: |board| &format_args!(
        "{}{board}",
        if board.height() == 1 { format!("{}x1\n", board.width()) } else { String::new() },
    );
    Burrow: |burrow| burrow;
    // A map is drawn without its header.
    GridMap: |map| &format_args!(
        "type octile\nheight {}\nwidth {}\nmap\n{map}", map.height(), map.width()
    );
    HeatMap: |map| map;
}

impl AsText for Board {
    fn read(text: &str) -> Result<Self, ParseError> {
        if let Some((size, row)) = text.split_once("x1\n")
            && let Ok(width) = size.parse()
        {
            return Self::parse(row, width, 1);
        }
        text.parse()
    }
}

impl AsText for Burrow {}
impl AsText for GridMap {}
impl AsText for HeatMap {}

/// Reads the bits of a stack of pancakes: sixteen different digits of four bits.
pub(super) fn stack<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let bits = u64::deserialize(deserializer)?;
    if !is_stack(bits) {
        return Err(D::Error::custom("a stack has each of sixteen pancakes once"));
    }
    Ok(bits)
}

/// Reads the index of a node: its number, which is one more, fits into 32 bits.
pub(super) fn node<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let index = u32::deserialize(deserializer)?;
    if index == u32::MAX {
        return Err(D::Error::custom("a node has an index below 4294967295"));
    }
    Ok(index)
}

/// The words of a state of amphipods, as a list.
pub(super) mod words {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Serialize, Serializer};

    pub(in super::super) fn serialize<S: Serializer, const N: usize>(
        words: &[u64; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        words.as_slice().serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[u64; N], D::Error> {
        let words = Vec::<u64>::deserialize(deserializer)?;
        let wrong = |words: Vec<u64>| {
            D::Error::custom(format_args!("a state of {N} words, not of {}", words.len()))
        };
        words.try_into().map_err(wrong)
    }
}

/// A kind of amphipod, as its letter.
pub(super) mod letter {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
    pub(in super::super) fn serialize<S: Serializer>(
        kind: &u8,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(char::from(b'A' + kind))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<u8, D::Error> {
        let letter = char::deserialize(deserializer)?;
        let capital = u8::try_from(letter).ok().filter(u8::is_ascii_uppercase);
        let wrong = || D::Error::custom(format_args!("a letter from A to Z, not {letter:?}"));
        capital.map(|capital| capital - b'A').ok_or_else(wrong)
    }
}
