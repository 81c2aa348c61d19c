//! Maps and boards for `serde`: as their text, which is read with the checks of parsing.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use super::amphipod::Burrow;
use super::crucible::HeatMap;
use super::grid_map::GridMap;
use super::sliding_tiles::Board;

/// Reads a string and parses it.
struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text of a map or a board")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
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
    Board: |board| board;
    Burrow: |burrow| burrow;
    // A map is drawn without its header.
    GridMap: |map| &format_args!(
        "type octile\nheight {}\nwidth {}\nmap\n{map}", map.height(), map.width()
    );
    HeatMap: |map| map;
}
