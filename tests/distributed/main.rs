//! Search on several workers, in one process and in several.
#![cfg(feature = "distributed")]

mod faults;
mod limits;
mod processes;
mod strangers;
mod workers;
