//! A lower bound for `serde`: `None` if it is infinite, as JSON has no infinity.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::cost::Cost;

pub(crate) fn serialize<C: Cost + Serialize, S: Serializer>(
    bound: &C,
    to: S,
) -> Result<S::Ok, S::Error> {
    (*bound < C::INFINITY).then_some(bound).serialize(to)
}

pub(crate) fn deserialize<'de, C: Cost + Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<C, D::Error> {
    Option::deserialize(from).map(|bound| bound.unwrap_or(C::INFINITY))
}
