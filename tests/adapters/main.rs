//! Adapters and pointers forward all methods of a problem, except for those that they change.

mod forwarding;
mod in_place;
#[path = "../oracle/random.rs"]
mod random;
mod reversed;
#[path = "../oracle/two_way.rs"]
mod two_way;
