//! The example program `playground`: its arguments, and its answers over a connection.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use playground::Server;

/// Exit code, output and error output of the program.
fn playground(args: &str) -> (u8, String, String) {
    let args = ["playground"].into_iter().chain(args.split_whitespace());
    let mut out = program::Styled::plain(Vec::new());
    let mut err = program::Styled::plain(Vec::new());
    let code = playground::main(args.map(Into::into), &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (code, text(out.into_inner()), text(err.into_inner()))
}

/// Sends a request to a server and returns all that comes back.
fn ask(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Runs a test with a server that serves.
fn with_server(test: impl FnOnce(&Server)) {
    with_this(&Server::bind(0).unwrap(), test);
}

/// The same with this server.
fn with_this(server: &Server, test: impl FnOnce(&Server)) {
    std::thread::scope(|scope| {
        let serving = scope.spawn(|| server.serve());
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(server)));
        server.end();
        serving.join().unwrap();
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

#[test]
fn bad_usage_is_told() {
    let (code, out, err) = playground("--help");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("--port <PORT>"), "{out}");
    for bad in ["--port", "--port x", "--port 65536", "--no-such-option", "file"] {
        let (code, out, err) = playground(bad);
        assert_eq!((code, out.as_str()), (2, ""), "{bad}: {err}");
    }
}

#[test]
fn the_page_is_built_or_what_is_missing_is_told() {
    if std::env::var_os("PLAYGROUND_BUILDS").is_none() {
        eprintln!("skipped: the page is built where PLAYGROUND_BUILDS is set; it takes a minute");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("playground-built");
    let (code, out, err) = playground(&format!("--build {}", folder.display()));
    if code == 0 {
        assert!(out.starts_with(&format!("The page is in {}: ", folder.display())), "{out}");
        let files = std::fs::read_dir(&folder).unwrap();
        let mut files: Vec<_> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        files.sort_unstable();
        let scripts = [
            "app.js",
            "draw.js",
            "editor.js",
            "export.js",
            "maps.js",
            "player.js",
            "recording.js",
            "searches.js",
            "tour.js",
            "worker.js",
        ];
        let others = ["choices.json", "index.html", "playground.wasm", "style.css"];
        let mut expected = [scripts.as_slice(), &others].concat();
        expected.sort_unstable();
        assert_eq!(files, expected);
        assert_eq!(err, "");
    } else {
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(err.contains("`rustup target add wasm32-unknown-unknown`"), "{err}");
    }
}

#[test]
fn a_port_that_is_taken_is_told() {
    let other = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = other.local_addr().unwrap().port();
    let (code, out, err) = playground(&format!("--port {port}"));
    assert_eq!((code, out.as_str()), (2, ""));
    let message = format!(
        "playground: port {port} is taken, perhaps by another playground; give another one"
    );
    assert!(err.starts_with(&message), "{err}");
}

#[test]
fn only_this_machine_can_connect() {
    let server = Server::bind(0).unwrap();
    assert_eq!(server.address().ip(), IpAddr::V4(Ipv4Addr::LOCALHOST));
}

#[test]
fn searches_are_answered_over_connections() {
    with_server(|server| {
        let host = format!("Host: {}", server.address());
        let page = ask(server, &format!("GET / HTTP/1.1\r\n{host}\r\n\r\n"));
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("</html>\n"), "{page}");

        let question = r#"{"board":"grid","text":"S..G","engine":"astar","heuristic":"distance","neighbours":4}"#;
        let post = format!(
            "POST /search HTTP/1.1\r\n{host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{question}",
            question.len()
        );
        let answer = ask(server, &post);
        assert!(
            answer.starts_with("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"),
            "{answer}"
        );
        assert!(
            answer.trim_end().lines().last().unwrap().contains(r#""event":"report""#),
            "{answer}"
        );

        let rebound = ask(server, "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n");
        assert!(rebound.starts_with("HTTP/1.1 403 "), "{rebound}");
        let large = ask(
            server,
            &format!("POST /search HTTP/1.1\r\n{host}\r\nContent-Length: 99999999999999\r\n\r\n"),
        );
        assert!(large.starts_with("HTTP/1.1 413 "), "{large}");
        // Also where the client sends all of it before it reads.
        let body = "x".repeat(1 << 20);
        let sent = format!(
            "POST /search HTTP/1.1\r\n{host}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        assert!(ask(server, &sent).starts_with("HTTP/1.1 413 "));

        // Clients that say nothing, or leave, or are many, keep nobody from an answer.
        let silent: Vec<_> =
            (0..8).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
        let leaves = TcpStream::connect(server.address()).unwrap();
        (&leaves).write_all(post.as_bytes()).unwrap();
        leaves.shutdown(Shutdown::Both).unwrap();
        assert!(ask(server, &post).contains(r#""event":"report""#));
        drop(silent);
    });
}

/// As many clients as are answered at a time send a byte now and then, for as long as they are listened to. Nobody waits
/// for a time here, but the watchdog.
#[test]
fn clients_that_send_a_byte_now_and_then_are_left_alone() {
    let server = Server::bind(0).unwrap().with_patience(Duration::from_millis(400));
    with_this(&server, |server| {
        let trickle = || {
            let mut stream = TcpStream::connect(server.address()).unwrap();
            // The answer of a server that has lost its patience is the end of the connection.
            while stream.write_all(b"G").is_ok() {
                std::thread::sleep(Duration::from_millis(50));
            }
        };
        std::thread::scope(|scope| {
            let clients: Vec<_> = (0..32).map(|_| scope.spawn(trickle)).collect();
            let watchdog = Instant::now();
            while !clients.iter().all(std::thread::ScopedJoinHandle::is_finished) {
                if watchdog.elapsed() > Duration::from_secs(60) {
                    // The clients would go on for ever, and this test with them.
                    eprintln!("the server still listens to clients that have said nothing yet");
                    std::process::abort();
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let page = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address());
        assert!(ask(server, &page).starts_with("HTTP/1.1 200 OK\r\n"));
    });
}
