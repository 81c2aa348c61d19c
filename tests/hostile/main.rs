//! Problems that do their worst: expansions that suddenly take long, states that are improved over and
//! over, costs without a total order, answers that differ at each call, hashers that panic. Limits hold,
//! and a search ends with an error and not with a panic of its own.

mod cliques;
mod costs;
#[path = "../oracle/engines.rs"]
mod engines;
#[path = "../ida_star/hostile.rs"]
mod hostile;
mod impure;
#[path = "../oracle/mesh.rs"]
mod mesh;
#[path = "../common/panics.rs"]
mod panics;
#[path = "../oracle/random.rs"]
mod random;
mod states;
mod sudden;
