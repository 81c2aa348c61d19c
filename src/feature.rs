//! What stands in for a method whose feature is off, so that the compiler says which feature it is.

/// No type implements it. Methods of the feature `parallel` ask for it where the feature is off.
#[diagnostic::on_unimplemented(
    message = "several threads need the feature `parallel` of the crate `bestfirst`",
    label = "the feature `parallel` is off",
    note = "in `Cargo.toml`: `bestfirst = {{ version = \"…\", features = [\"parallel\"] }}`"
)]
pub trait Parallel {}
