//! Adapters and pointers forward all methods of a problem, except for those that they change.

mod forwarding;
mod in_place;
mod reversed;
