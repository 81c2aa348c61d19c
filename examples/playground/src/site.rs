//! What is answered to which request.

use serde_json::{Value, json};

use crate::engine::{OFFERS, Offer};
use crate::http::{Body, Reply, Request, Status};
use crate::recording::ALLOWANCE;
use crate::task::{BURROW_HEURISTICS, GRID_HEURISTICS, Task};

/// The files of the page: path, type, text.
const FILES: [(&str, &str, &str); 8] = [
    ("/", HTML, include_str!("page/index.html")),
    ("/style.css", "text/css; charset=utf-8", include_str!("page/style.css")),
    ("/recording.js", SCRIPT, include_str!("page/recording.js")),
    ("/draw.js", SCRIPT, include_str!("page/draw.js")),
    ("/player.js", SCRIPT, include_str!("page/player.js")),
    ("/editor.js", SCRIPT, include_str!("page/editor.js")),
    ("/export.js", SCRIPT, include_str!("page/export.js")),
    ("/app.js", SCRIPT, include_str!("page/app.js")),
];

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json";

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

/// Answers a request to the server on this port.
#[must_use]
pub fn reply(request: &Request, port: u16) -> Reply {
    // Another name that leads here, such as one that a web page on the internet has rebound to this machine, would
    // give that page access.
    if !request.host.as_deref().is_some_and(|host| is_here(host, port)) {
        let message = format!("this page is at http://127.0.0.1:{port}/ and under no other name");
        return Reply::fault(Status::Forbidden, &message);
    }
    let path = request.path.split('?').next().unwrap_or_default();
    if path == "/search" {
        return if request.method == "POST" { search(request, port) } else { only("POST") };
    }
    let file = FILES.iter().find(|file| file.0 == path);
    let known = file.is_some() || path == "/choices.json";
    match file {
        _ if known && request.method != "GET" => only("GET"),
        Some(&(_, content_type, text)) => Reply::ok(content_type, text),
        None if known => Reply::ok(JSON, choices().to_string()),
        None => Reply::fault(Status::NotFound, "there is nothing here; the page is at /"),
    }
}

fn only(method: &str) -> Reply {
    Reply::fault(Status::MethodNotAllowed, &format!("only {method} is answered here"))
}

/// Whether a host is a name of this server.
fn is_here(host: &str, port: u16) -> bool {
    let (name, number) = match host.rsplit_once(':') {
        Some((name, number)) => (name, number.parse().ok()),
        None => (host, Some(80)),
    };
    (name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost")) && number == Some(port)
}

/// Searches what is asked.
fn search(request: &Request, port: u16) -> Reply {
    // Other pages can send requests here, but not of this type without being asked first, and they name themselves.
    let origin = request.origin.as_deref();
    let is_own = origin.is_none_or(|origin| {
        origin.strip_prefix("http://").is_some_and(|host| is_here(host, port))
    });
    if !is_own {
        return Reply::fault(
            Status::Forbidden,
            "only the page of this server may ask for searches",
        );
    }
    let content_type = request.content_type.as_deref().unwrap_or_default();
    if content_type.split(';').next().unwrap_or_default().trim() != JSON {
        let message = "the question must have the content type application/json";
        return Reply::fault(Status::WrongType, message);
    }
    match Task::read(&request.body) {
        Ok(task) => Reply {
            status: Status::Ok,
            content_type: "application/x-ndjson",
            body: Body::Streamed(Box::new(move |out| task.record(ALLOWANCE, out))),
        },
        Err(fault) => {
            let status = match fault.field {
                "question" => Status::BadRequest,
                _ => Status::Unprocessable,
            };
            let text = fault.to_json().to_string();
            Reply { status, content_type: JSON, body: Body::Whole(text.into()) }
        }
    }
}

/// What the page offers.
fn choices() -> Value {
    let heuristics = |list: &[(&str, &str, &str)]| -> Vec<Value> {
        let entries = list.iter();
        entries.map(|(id, name, about)| json!({ "id": id, "name": name, "about": about })).collect()
    };
    let examples = EXAMPLES.iter().map(
        |(board, name, text)| json!({ "board": board, "name": name, "text": text.trim_end() }),
    );
    json!({
        "engines": OFFERS.iter().map(Offer::to_json).collect::<Vec<_>>(),
        "heuristics": {
            "grid": heuristics(&GRID_HEURISTICS),
            "burrow": heuristics(&BURROW_HEURISTICS),
        },
        "examples": examples.collect::<Vec<_>>(),
    })
}
