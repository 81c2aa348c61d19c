//! The page: its files, and what it offers.

use serde_json::{Value, json};

use crate::engine::{OFFERS, Offer};
use crate::task::{BURROW_HEURISTICS, GRID_HEURISTICS, GRID_STEPS};

/// The files of the page: name, type, text.
pub(crate) const FILES: [(&str, &str, &str); 11] = [
    ("index.html", "text/html; charset=utf-8", include_str!("page/index.html")),
    ("style.css", "text/css; charset=utf-8", include_str!("page/style.css")),
    ("recording.js", SCRIPT, include_str!("page/recording.js")),
    ("draw.js", SCRIPT, include_str!("page/draw.js")),
    ("player.js", SCRIPT, include_str!("page/player.js")),
    ("editor.js", SCRIPT, include_str!("page/editor.js")),
    ("maps.js", SCRIPT, include_str!("page/maps.js")),
    ("export.js", SCRIPT, include_str!("page/export.js")),
    ("searches.js", SCRIPT, include_str!("page/searches.js")),
    ("tour.js", SCRIPT, include_str!("page/tour.js")),
    ("app.js", SCRIPT, include_str!("page/app.js")),
];

/// The script of the workers in which a page without a server searches.
pub(crate) const WORKER: &str = include_str!("page/worker.js");

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The type of questions and choices.
pub(crate) const JSON: &str = "application/json";

/// Who runs the searches of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Searches {
    /// The server, natively.
    Server,
    /// Workers in the browser.
    Workers,
}

/// What there is to begin with: board, name, text.
pub const EXAMPLES: [(&str, &str, &str); 7] = [
    ("grid", "Village", include_str!("examples/village.txt")),
    ("grid", "Trap", include_str!("examples/trap.txt")),
    ("grid", "Maze", include_str!("examples/maze.txt")),
    ("grid", "Hills", include_str!("examples/hills.txt")),
    ("grid", "Open field", include_str!("examples/open.txt")),
    ("burrow", "Puzzle", include_str!("examples/burrow.txt")),
    ("burrow", "Unfolded", include_str!("examples/unfolded.txt")),
];

/// What the page offers.
pub(crate) fn choices(searches: Searches) -> Value {
    let heuristics = |list: &[(&str, &str, &str)]| -> Vec<Value> {
        let entries = list.iter();
        entries.map(|(id, name, about)| json!({ "id": id, "name": name, "about": about })).collect()
    };
    let examples = EXAMPLES.iter().map(
        |(board, name, text)| json!({ "board": board, "name": name, "text": text.trim_end() }),
    );
    json!({
        "searches": match searches {
            Searches::Server => "server",
            Searches::Workers => "workers",
        },
        "engines": OFFERS.iter().map(Offer::to_json).collect::<Vec<_>>(),
        "heuristics": {
            "grid": heuristics(&GRID_HEURISTICS),
            "burrow": heuristics(&BURROW_HEURISTICS),
        },
        "steps": GRID_STEPS.map(|(id, name, about, _)| json!({ "id": id, "name": name, "about": about })),
        "examples": examples.collect::<Vec<_>>(),
    })
}
