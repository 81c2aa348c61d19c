//! [`InputError`]: what is wrong with a question, where, and what would be right.

use std::fmt;

use bestfirst::problems::ParseError;
use bestfirst::problems::amphipod::FitError;
use bestfirst::problems::grid_map::MapError;
use serde_json::{Value, json};

/// A question that cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// The member of the question.
    pub field: &'static str,
    /// Line and column of the text, counted from 1.
    pub at: Option<(usize, usize)>,
    /// What is wrong and what would be right; begins with line and column if they are known.
    pub message: String,
}

impl InputError {
    pub(crate) fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, at: None, message: message.into() }
    }

    /// A fault in the text of the map or burrow.
    pub(crate) fn at((line, column): (usize, usize), message: &str) -> Self {
        let message = format!("line {line}, column {column}: {message}");
        Self { field: "text", at: Some((line, column)), message }
    }

    /// As the page reads it.
    pub(crate) fn to_json(&self) -> Value {
        let (line, column) = self.at.unzip();
        json!({ "field": self.field, "line": line, "column": column, "message": self.message })
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for InputError {}

impl From<ParseError> for InputError {
    fn from(fault: ParseError) -> Self {
        Self { field: "text", at: Some(fault.position().into()), message: fault.to_string() }
    }
}

impl From<MapError> for InputError {
    fn from(fault: MapError) -> Self {
        Self::new("text", fault.to_string())
    }
}

impl From<FitError> for InputError {
    fn from(fault: FitError) -> Self {
        Self::new("text", fault.to_string())
    }
}
