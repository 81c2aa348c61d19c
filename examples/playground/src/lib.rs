//! The program itself, separate from `main` so that tests can run it.
//!
//! The searches are compiled for browsers, too. There, `worker` is what the page calls, and what serves the page is left out.

#![cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "what the page offers is written into a file when it is built")
)]

mod board;
mod burrow;
pub mod engine;
pub mod grid;
mod input;
pub mod recording;
pub mod task;

#[cfg(target_family = "wasm")]
mod worker;

#[cfg(not(target_family = "wasm"))]
mod arguments;
#[cfg(not(target_family = "wasm"))]
mod folder;
#[cfg(not(target_family = "wasm"))]
pub mod http;
#[cfg(not(target_family = "wasm"))]
pub mod page;
#[cfg(not(target_family = "wasm"))]
mod server;
#[cfg(not(target_family = "wasm"))]
pub mod site;

pub use input::InputError;
#[cfg(not(target_family = "wasm"))]
pub use {
    arguments::main,
    folder::{BuildError, build},
    server::{BindError, Server},
};
