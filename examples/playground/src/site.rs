//! What is answered to which request.

use bestfirst::clock::Clock;

use crate::http::{Body, Reply, Request, Status};
use crate::page::{FILES, JSON, Searches, choices};
use crate::recording::ALLOWANCE;
use crate::task::Task;

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
    let name = if path == "/" { "/index.html" } else { path };
    let file = FILES.iter().find(|file| name.strip_prefix('/') == Some(file.0));
    let known = file.is_some() || path == "/choices.json";
    match file {
        _ if known && request.method != "GET" => only("GET"),
        Some(&(_, content_type, text)) => Reply::ok(content_type, text),
        None if known => Reply::ok(JSON, choices(Searches::Server).to_string()),
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
            body: Body::Streamed(Box::new(move |out| task.record(ALLOWANCE, Clock::system(), out))),
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
