//! As much of HTTP as one page needs: a request is read whole, and its reply closes the connection.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read, Write};

/// The largest head of a request in bytes.
const MOST_HEAD: usize = 1 << 14;

/// The largest body in bytes: a map of 400 × 400 cells, and what else is asked.
pub const MOST_BODY: usize = 1 << 18;

/// As many headers are read.
const MOST_HEADERS: usize = 64;

/// What a client asks.
#[derive(Debug, Default)]
pub struct Request {
    /// `GET`, `POST` or another.
    pub method: String,
    /// The path, with a query if there is one.
    pub path: String,
    /// The name and port under which the client knows the server.
    pub host: Option<String>,
    /// The page that asks, if a browser says so.
    pub origin: Option<String>,
    /// The type of the body.
    pub content_type: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

/// How a request was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// 200.
    Ok,
    /// 400: no request, or no question.
    BadRequest,
    /// 403: asked under another name, or by another page.
    Forbidden,
    /// 404: nothing is at this path.
    NotFound,
    /// 405: this path answers another method.
    MethodNotAllowed,
    /// 411: the length of the body is not told.
    LengthRequired,
    /// 413: the body is too long.
    TooLarge,
    /// 415: the body is not of the type that is read here.
    WrongType,
    /// 422: a question that cannot be answered.
    Unprocessable,
    /// 431: the head is too long.
    HeadTooLarge,
    /// 503: too many requests at a time.
    Unavailable,
}

impl Status {
    fn line(self) -> &'static str {
        match self {
            Self::Ok => "200 OK",
            Self::BadRequest => "400 Bad Request",
            Self::Forbidden => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::MethodNotAllowed => "405 Method Not Allowed",
            Self::LengthRequired => "411 Length Required",
            Self::TooLarge => "413 Content Too Large",
            Self::WrongType => "415 Unsupported Media Type",
            Self::Unprocessable => "422 Unprocessable Content",
            Self::HeadTooLarge => "431 Request Header Fields Too Large",
            Self::Unavailable => "503 Service Unavailable",
        }
    }
}

/// Writes a body while it is made.
pub type Writer = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()>>;

/// What is sent.
pub enum Body {
    /// A text that is there.
    Whole(Cow<'static, str>),
    /// A text of unknown length, written while it is made.
    Streamed(Writer),
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(text) => f.debug_tuple("Whole").field(text).finish(),
            Self::Streamed(_) => f.write_str("Streamed"),
        }
    }
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    /// How the request was answered.
    pub status: Status,
    /// The type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: Body,
}

impl Reply {
    /// A text that is there.
    pub(crate) fn ok(content_type: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self { status: Status::Ok, content_type, body: Body::Whole(text.into()) }
    }

    /// A message for who asked.
    pub(crate) fn fault(status: Status, message: &str) -> Self {
        let text = serde_json::json!({ "message": message }).to_string();
        Self { status, content_type: "application/json", body: Body::Whole(text.into()) }
    }

    /// Writes the head and the body. The end of the connection is the end of the body.
    ///
    /// # Errors
    ///
    /// All errors of `out`.
    pub fn write(self, out: &mut dyn Write) -> io::Result<()> {
        write!(
            out,
            "HTTP/1.1 {}\r\nContent-Type: {}\r\n{HEADERS}",
            self.status.line(),
            self.content_type
        )?;
        match self.body {
            Body::Whole(text) => {
                write!(out, "Content-Length: {}\r\n\r\n", text.len())?;
                out.write_all(text.as_bytes())
            }
            Body::Streamed(write) => {
                out.write_all(b"\r\n")?;
                write(out)
            }
        }
    }
}

/// Nothing is stored, loaded from elsewhere, or shown inside of another page.
const HEADERS: &str = "Connection: close\r\n\
    Cache-Control: no-store\r\n\
    Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Referrer-Policy: no-referrer\r\n\
    X-Content-Type-Options: nosniff\r\n";

/// Reads a request, or returns the reply to one that is not in order.
///
/// # Errors
///
/// If the connection ends or is silent for too long.
pub fn read_request(stream: &mut impl Read) -> io::Result<Result<Request, Reply>> {
    let mut bytes = Vec::new();
    let (mut request, length) = loop {
        match parse_head(&bytes) {
            Head::Whole { request, head, length } => {
                bytes.drain(..head);
                break (request, length);
            }
            Head::Wrong(reply) => return Ok(Err(reply)),
            Head::Partial if bytes.len() >= MOST_HEAD => {
                let message = format!("the head of a request has at most {MOST_HEAD} bytes");
                return Ok(Err(Reply::fault(Status::HeadTooLarge, &message)));
            }
            Head::Partial => {
                let mut piece = [0; 4096];
                let read = stream.read(&mut piece)?;
                if read == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                bytes.extend_from_slice(&piece[..read]);
            }
        }
    };
    if length > MOST_BODY as u64 {
        let message =
            format!("{length} bytes are too much for one search; at most {MOST_BODY} are read");
        return Ok(Err(Reply::fault(Status::TooLarge, &message)));
    }
    let missing = length.saturating_sub(bytes.len() as u64);
    stream.take(missing).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    bytes.truncate(usize::try_from(length).unwrap_or(MOST_BODY));
    request.body = bytes;
    Ok(Ok(request))
}

enum Head {
    Whole { request: Request, head: usize, length: u64 },
    Partial,
    Wrong(Reply),
}

fn parse_head(bytes: &[u8]) -> Head {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let head = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(head)) => head,
        Ok(httparse::Status::Partial) => return Head::Partial,
        Err(httparse::Error::TooManyHeaders) => {
            let message = format!("a request has at most {MOST_HEADERS} headers");
            return Head::Wrong(Reply::fault(Status::HeadTooLarge, &message));
        }
        Err(fault) => {
            let message = format!("this is no request of HTTP: {fault}");
            return Head::Wrong(Reply::fault(Status::BadRequest, &message));
        }
    };
    let mut request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: parsed.path.unwrap_or_default().to_owned(),
        ..Request::default()
    };
    let mut length = None;
    for header in parsed.headers {
        let value = String::from_utf8_lossy(header.value).trim().to_owned();
        let twice = |known: &Option<String>| known.as_ref().is_some_and(|known| *known != value);
        match header.name.to_ascii_lowercase().as_str() {
            "host" if twice(&request.host) => {
                return Head::Wrong(Reply::fault(Status::BadRequest, "there are two hosts"));
            }
            "host" => request.host = Some(value),
            "origin" => request.origin = Some(value),
            "content-type" => request.content_type = Some(value),
            "content-length" => match value.parse::<u64>() {
                Ok(number) if length.is_none_or(|known| known == number) => length = Some(number),
                _ => {
                    let message = "the length of the body is not one number";
                    return Head::Wrong(Reply::fault(Status::BadRequest, message));
                }
            },
            "transfer-encoding" => {
                let message = "send the body whole, with its length";
                return Head::Wrong(Reply::fault(Status::LengthRequired, message));
            }
            _ => {}
        }
    }
    Head::Whole { request, head, length: length.unwrap_or(0) }
}
