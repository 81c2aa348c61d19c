//! The example program `playground`: requests and their answers.

use std::io::{self, Write};
use std::time::Duration;

use bestfirst::Successors;
use bestfirst::clock::Clock;
use bestfirst::problems::grid_map::Cell;
use playground::engine::OFFERS;
use playground::grid::{Estimate, Grid, Neighbours, Route};
use playground::http::{Body, MOST_BODY, Reply, Request, Status, read_request};
use playground::page::EXAMPLES;
use playground::recording::Allowance;
use playground::site::reply;
use playground::task::{BURROW_HEURISTICS, GRID_HEURISTICS, GRID_STEPS, Task};
use serde_json::{Value, json};

const PORT: u16 = 8017;

fn get(path: &str) -> Request {
    let host = Some(format!("127.0.0.1:{PORT}"));
    Request { method: "GET".into(), path: path.into(), host, ..Request::default() }
}

fn post(question: &[u8]) -> Request {
    Request {
        method: "POST".into(),
        content_type: Some("application/json".into()),
        body: question.to_vec(),
        ..get("/search")
    }
}

/// A question that can be answered.
fn question() -> Value {
    json!({
        "board": "grid", "text": "S.#\n...\n#.G", "engine": "astar", "heuristic": "distance", "neighbours": 4,
        "weight": null, "width": null,
    })
}

/// The question with another member.
fn with(name: &str, value: Value) -> Value {
    let mut question = question();
    question[name] = value;
    question
}

fn answer(request: &Request) -> (Status, String) {
    let reply = reply(request, PORT);
    let status = reply.status;
    let mut text = Vec::new();
    match reply.body {
        Body::Whole(whole) => text = whole.into_owned().into_bytes(),
        Body::Streamed(write) => write(&mut text).unwrap(),
    }
    (status, String::from_utf8(text).unwrap())
}

/// Status and message of the answer to a question.
fn fault(question: &Value) -> (Status, Value) {
    let (status, text) = answer(&post(question.to_string().as_bytes()));
    (status, serde_json::from_str(&text).unwrap())
}

fn events(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What is read of bytes that come a few at a time.
fn read(bytes: &[u8], piece: usize) -> io::Result<Result<Request, Reply>> {
    struct Pieces<'a>(&'a [u8], usize);
    impl io::Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(self.0.len()).min(buffer.len());
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }
    read_request(&mut Pieces(bytes, piece))
}

fn refused(bytes: &[u8]) -> Status {
    match read(bytes, 1000).unwrap() {
        Ok(request) => panic!("{request:?}"),
        Err(reply) => reply.status,
    }
}

#[test]
fn requests_are_read_in_pieces() {
    let text =
        b"POST /search HTTP/1.1\r\nHost: localhost:8017\r\nOrigin: http://localhost:8017\r\n\
        content-type: application/json\r\nContent-Length: 4\r\n\r\nbodyand more";
    for piece in [1, 2, 7, 1000] {
        let request = read(text, piece).unwrap().ok().unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/search"));
        assert_eq!(request.host.as_deref(), Some("localhost:8017"));
        assert_eq!(request.origin.as_deref(), Some("http://localhost:8017"));
        assert_eq!(request.content_type.as_deref(), Some("application/json"));
        assert_eq!(request.body, b"body");
    }
    // Every text that is cut off is an error of the connection, and none waits or panics.
    for end in 0..text.len() - 8 {
        assert!(read(&text[..end], 1000).is_err(), "{end}");
    }
}

#[test]
fn requests_that_are_not_in_order_are_refused() {
    assert_eq!(refused(b"nonsense\r\n\r\n"), Status::BadRequest);
    assert_eq!(refused(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), Status::BadRequest);
    let post = |head: &str| refused(format!("POST /search HTTP/1.1\r\n{head}\r\n\r\n").as_bytes());
    assert_eq!(post("Content-Length: x"), Status::BadRequest);
    assert_eq!(post("Content-Length: -1"), Status::BadRequest);
    assert_eq!(post("Content-Length: 1\r\nContent-Length: 2"), Status::BadRequest);
    assert_eq!(post("Transfer-Encoding: chunked"), Status::LengthRequired);
    // It is refused before it is read or memory is taken for it.
    assert_eq!(post(&format!("Content-Length: {}", MOST_BODY + 1)), Status::TooLarge);
    assert_eq!(post(&format!("Content-Length: {}", u64::MAX)), Status::TooLarge);
    assert_eq!(post(&"A: b\r\n".repeat(100)), Status::HeadTooLarge);
    assert_eq!(post(&format!("A: {}", "b".repeat(100_000))), Status::HeadTooLarge);
}

#[test]
fn only_this_machine_is_a_host() {
    for host in ["127.0.0.1:8017", "localhost:8017", "LocalHost:8017"] {
        let request = Request { host: Some(host.to_owned()), ..get("/") };
        assert_eq!(answer(&request).0, Status::Ok, "{host}");
    }
    let others = [
        "example.org",
        "example.org:8017",
        "127.0.0.1",
        "127.0.0.1:80",
        "localhost.example.org:8017",
        "",
        ":",
    ];
    for host in others {
        let request = Request { host: Some(host.to_owned()), ..get("/") };
        assert_eq!(answer(&request).0, Status::Forbidden, "{host}");
    }
    assert_eq!(answer(&Request { host: None, ..get("/") }).0, Status::Forbidden);
}

#[test]
fn only_the_page_itself_may_search() {
    let question = question().to_string();
    let own = Request { origin: Some("http://localhost:8017".into()), ..post(question.as_bytes()) };
    assert_eq!(answer(&own).0, Status::Ok);
    for origin in ["https://example.org", "http://localhost:9999", "null", "https://localhost:8017"]
    {
        let request = Request { origin: Some(origin.into()), ..post(question.as_bytes()) };
        assert_eq!(answer(&request).0, Status::Forbidden, "{origin}");
    }
    // What a page elsewhere can send without being asked first.
    for content_type in [None, Some("text/plain"), Some("application/x-www-form-urlencoded")] {
        let content_type = content_type.map(str::to_owned);
        let request = Request { content_type, ..post(question.as_bytes()) };
        assert_eq!(answer(&request).0, Status::WrongType);
    }
    let content_type = Some("application/json; charset=utf-8".into());
    let request = Request { content_type, ..post(question.as_bytes()) };
    assert_eq!(answer(&request).0, Status::Ok);
}

#[test]
fn paths_and_methods_are_checked() {
    for path in ["/", "/style.css", "/app.js", "/choices.json", "/?query"] {
        assert_eq!(answer(&get(path)).0, Status::Ok, "{path}");
        let request = Request { method: "POST".into(), ..get(path) };
        assert_eq!(answer(&request).0, Status::MethodNotAllowed, "{path}");
    }
    for path in ["/x", "//", "/../Cargo.toml", "/style.css/", "", "*", "http://example.org/"] {
        assert_eq!(answer(&get(path)).0, Status::NotFound, "{path}");
    }
    assert_eq!(answer(&get("/search")).0, Status::MethodNotAllowed);
}

#[test]
fn the_page_loads_nothing_from_elsewhere() {
    let mut out = Vec::new();
    reply(&get("/"), PORT).write(&mut out).unwrap();
    let page = String::from_utf8(out).unwrap();
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page}");
    assert!(page.contains("\r\nContent-Security-Policy: default-src 'none'; script-src 'self';"));
    // Relative names, so that the page can be in any folder of a server.
    let texts = page.split("src=\"").skip(1).chain(page.split("stylesheet\" href=\"").skip(1));
    let names = texts.filter_map(|text| text.split('"').next());
    let mut count = 0;
    for name in names {
        assert_eq!(answer(&get(&format!("/{name}"))).0, Status::Ok, "{name}");
        count += 1;
    }
    assert_eq!(count, 10);
    assert!(!page.contains("http:") && !page.contains("https:"));
}

#[test]
fn bad_questions_are_told() {
    for bad in ["", "{", "[]", "7", "{\"text\": \"\u{0}\"}", "\u{fffd}"] {
        assert_eq!(answer(&post(bad.as_bytes())).0, Status::BadRequest, "{bad}");
    }
    assert_eq!(answer(&post(b"\xff\xfe")).0, Status::BadRequest);
    assert_eq!(answer(&post("[".repeat(MOST_BODY).as_bytes())).0, Status::BadRequest);
    let (status, told) = fault(&with("colour", json!("red")));
    assert_eq!((status, &told["field"]), (Status::BadRequest, &json!("question")));
    assert!(
        told["message"].as_str().unwrap().starts_with("there is no member \"colour\""),
        "{told}"
    );

    let wrong = [
        ("engine", json!("dial"), "there is no engine \"dial\"; there are astar, weighted, "),
        ("engine", json!(7), "the member engine must be a text"),
        ("engine", json!("weighted"), "Weighted A* takes a weight from 1 on, as in 1.5"),
        ("heuristic", json!("home"), "there is no heuristic \"home\"; there are distance, "),
        ("board", json!("chess"), "there is no board \"chess\"; there are grid, burrow"),
        ("neighbours", json!(5), "the neighbours must be one of 4, 8, 8-one, 8-cut, jumps, 6"),
        ("weight", json!(0.5), "the weight must be a number from 1 to 1000"),
        ("weight", json!("2"), "the weight must be a number from 1 to 1000"),
        ("width", json!(0), "the width must be a whole number from 1 to 1000000, or empty"),
        ("width", json!(1.5), "the width must be a whole number from 1 to 1000000, or empty"),
        (
            "expansions",
            json!(1_000_000),
            "the expansions must be a whole number from 1 to 100000, or empty",
        ),
        ("text", json!(null), "the member text must be a text"),
    ];
    for (name, value, message) in wrong {
        let (status, told) = fault(&with(name, value));
        assert_eq!(status, Status::Unprocessable, "{told}");
        assert!(told["message"].as_str().unwrap().starts_with(message), "{told}");
    }
}

#[test]
fn faults_in_drawings_have_line_and_column() {
    let grids = [
        ("", json!([1, 1]), "line 1, column 1: the map is empty"),
        (" \n\n", json!([1, 1]), "line 1, column 1: the map is empty"),
        (
            "S..\n.x.\n..G",
            json!([2, 2]),
            "line 2, column 2: found `x`, expected a letter of this map: #",
        ),
        ("S..\n..\n..G", json!([2, 3]), "line 2, column 3: found a row of 2 cells, expected 3"),
        ("S..\n\n.S.\n..G", json!([3, 2]), "line 3, column 2: this is a second start"),
        ("...\n..G", json!([null, null]), "there is no start: put an S"),
        ("S..\n...", json!([null, null]), "there is no goal: put a G"),
    ];
    for (text, at, message) in grids {
        let (status, told) = fault(&with("text", json!(text)));
        assert_eq!(status, Status::Unprocessable);
        assert_eq!(json!([told["line"], told["column"]]), at, "{told}");
        assert!(told["message"].as_str().unwrap().starts_with(message), "{told}");
    }
    let wide = format!("S{}G", ".".repeat(160_000));
    assert!(fault(&with("text", json!(wide))).1["message"].as_str().unwrap().contains("65535"));
    let large = format!("{}\n", ".".repeat(500)).repeat(400).replacen('.', "S", 1);
    let message = fault(&with("text", json!(large))).1["message"].clone();
    assert_eq!(message, "the map has 200000 cells; at most 160000 are searched");

    let mut burrow = with("board", json!("burrow"));
    burrow["text"] = json!("#####\n#.?.#\n##A##\n  #A#\n  ###");
    let told = fault(&burrow).1;
    assert_eq!((&told["line"], &told["column"]), (&json!(2), &json!(3)), "{told}");
    burrow["text"] = json!(EXAMPLES[5].2);
    burrow["engine"] = json!("bidirectional");
    assert_eq!(fault(&burrow).1["field"], "engine");
    // A burrow that does not fit into a state.
    let rooms: String = ('A'..='Z').flat_map(|kind| ['#', kind]).collect();
    let width = rooms.len();
    let walls = "#".repeat(width + 5);
    burrow["engine"] = json!("astar");
    burrow["text"] = json!(format!(
        "{walls}\n#{}#\n##{rooms}###\n  {}",
        ".".repeat(width + 3),
        "#".repeat(width + 1)
    ));
    let (status, told) = fault(&burrow);
    assert_eq!((status, &told["field"]), (Status::Unprocessable, &json!("text")), "{told}");
}

/// The recording of a question that can be answered.
fn recording(question: &Value) -> Vec<Value> {
    let (status, text) = answer(&post(question.to_string().as_bytes()));
    assert_eq!(status, Status::Ok, "{text}");
    events(&text)
}

fn of<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

#[test]
fn recordings_say_what_happened() {
    let events = recording(&question());
    assert_eq!(events[0]["event"], "setup");
    assert_eq!(events[0]["rows"], json!(["S.#", "...", "#.G"]));
    assert_eq!((&events[0]["title"], &events[0]["unit"]), (&json!("A*"), &json!(1)));
    let report = events.last().unwrap();
    assert_eq!(report["event"], "report");
    assert_eq!((&report["outcome"], &report["optimal"]), (&json!("found"), &json!(true)));
    assert_eq!((report["cost"].as_f64(), report["bound"].as_f64()), (Some(4.0), Some(4.0)));
    assert_eq!(report["expanded"], of(&events, "expanded").len());
    assert_eq!(of(&events, "solution").len(), 5);
    // Bounds never fall, and never exceed the cost.
    let bounds: Vec<_> =
        of(&events, "bound").iter().map(|event| event["bound"].as_f64().unwrap()).collect();
    assert!(bounds.is_sorted() && bounds.iter().all(|&bound| bound <= 4.0), "{bounds:?}");

    let mut diagonal = with("neighbours", json!(8));
    diagonal["text"] = json!("S..\n...\n..G");
    let events = recording(&diagonal);
    assert_eq!(
        (&events[0]["unit"], events.last().unwrap()["cost"].as_f64()),
        (&json!(10), Some(28.0))
    );

    let events = recording(&with("text", json!("S#G")));
    let report = events.last().unwrap();
    assert_eq!(
        (&report["outcome"], &report["cost"], &report["bound"]),
        (&json!("exhausted"), &Value::Null, &Value::Null)
    );
}

#[test]
fn every_engine_and_heuristic_finds_what_it_promises() {
    let text = "S..3.\n.##4.\n..#.0\n9....\n.#5#G";
    let exact = [
        "astar",
        "dijkstra",
        "bidirectional",
        "idastar",
        "breadth-first",
        "beam",
        "rectangle",
        "branch-and-bound",
        "anytime",
    ];
    // The ground of jump points is all alike, and is searched forwards only.
    let level = text.replace(char::is_numeric, ".");
    let mut costs = Vec::new();
    for (neighbours, _, _, steps) in GRID_STEPS {
        let mut cheapest = None;
        let is_jumping = steps == Neighbours::Jumps;
        let text = if is_jumping { level.as_str() } else { text };
        for offer in OFFERS.iter().filter(|offer| !is_jumping || offer.id != "bidirectional") {
            for heuristic in &GRID_HEURISTICS {
                let mut question = with("text", json!(text));
                question["engine"] = json!(offer.id);
                question["heuristic"] = json!(heuristic.0);
                question["neighbours"] = json!(neighbours);
                question["weight"] = json!(1.5);
                let events = recording(&question);
                let report = events.last().unwrap();
                let name = format!("{} {} {neighbours}: {report}", offer.id, heuristic.0);
                assert_eq!(report["outcome"], "found", "{name}");
                let cost = report["cost"].as_f64().unwrap();
                let least = *cheapest.get_or_insert(cost);
                assert!(report["bound"].as_f64().unwrap() <= least, "{name}");
                if exact.contains(&offer.id) {
                    assert_eq!((cost, &report["optimal"]), (least, &json!(true)), "{name}");
                } else {
                    assert!(offer.id == "greedy" || cost <= least * 1.5, "{name}");
                }
                assert_eq!(report["expanded"], of(&events, "expanded").len(), "{name}");
            }
        }
        costs.push((neighbours, cheapest.unwrap()));
    }
    let of = |name| costs.iter().find(|entry| entry.0 == name).unwrap().1;
    assert!(of("8-one") < of("8"), "{costs:?}");
    // Between two walls.
    for (neighbours, outcome) in [("8", "exhausted"), ("8-one", "exhausted"), ("8-cut", "found")] {
        let mut question = with("text", json!("S#\n#G"));
        question["neighbours"] = json!(neighbours);
        assert_eq!(recording(&question).last().unwrap()["outcome"], outcome, "{neighbours}");
    }
}

#[test]
fn jump_points_lead_where_single_steps_lead() {
    for example in [1, 2, 4] {
        let mut question = with("text", json!(EXAMPLES[example].2));
        question["neighbours"] = json!("8");
        let single = recording(&question);
        question["neighbours"] = json!("jumps");
        let jumps = recording(&question);
        let [single, jumps] = [single, jumps].map(|events| events.last().unwrap().clone());
        assert_eq!(jumps["cost"], single["cost"]);
        assert!(jumps["expanded"].as_u64() < single["expanded"].as_u64(), "{single} {jumps}");
    }
    // What they cannot do is told.
    for (text, engine, field, start) in [
        ("S.3.G", "astar", "neighbours", "jump points need cells of equal cost"),
        ("S.G.G", "astar", "neighbours", "jump points lead to one goal"),
        ("S...G", "bidirectional", "engine", "jump points are searched forwards only"),
    ] {
        let mut question = with("text", json!(text));
        question["engine"] = json!(engine);
        question["neighbours"] = json!("jumps");
        let (status, told) = fault(&question);
        assert_eq!((status, &told["field"]), (Status::Unprocessable, &json!(field)));
        assert!(told["message"].as_str().unwrap().starts_with(start), "{told}");
    }
}

#[test]
fn heuristics_are_consistent_in_both_directions() {
    let free_ground = "S..3..7.\n.##4.#..\n..#.02..\n9....##.\n.#5#....\n.22....G\nG.......";
    // Where nothing is free, the cheapest ground counts.
    let dear_ground = free_ground.replace('0', "1");
    let estimates = [
        Estimate::Distance,
        Estimate::StraightLine,
        Estimate::Landmarks,
        Estimate::Perfect,
        Estimate::None,
    ];
    let maps = [free_ground, &dear_ground];
    for (text, estimate) in maps.iter().flat_map(|map| estimates.map(|estimate| (map, estimate))) {
        for neighbours in
            GRID_STEPS.map(|entry| entry.3).into_iter().filter(|steps| *steps != Neighbours::Jumps)
        {
            let grid = Grid::new(text, neighbours, estimate).unwrap();
            for cell in (0..7).flat_map(|y| (0..8).map(move |x| Cell::new(x, y))) {
                let mut next = Successors::<Route>::new();
                grid.successors(cell, &mut next);
                for step in next.as_slice() {
                    let falls = |from: u64, to: u64| from <= to.saturating_add(step.cost);
                    assert!(
                        falls(grid.heuristic(cell), grid.heuristic(step.state)),
                        "{estimate:?} {neighbours:?} {cell}"
                    );
                    let back = |cell| grid.heuristic_from(cell);
                    assert!(
                        falls(back(step.state), back(cell)),
                        "{estimate:?} {neighbours:?} {cell}"
                    );
                }
            }
            assert_eq!(grid.heuristic(Cell::new(7, 5)), 0);
        }
    }
}

#[test]
fn every_example_can_be_searched() {
    for (board, name, text) in EXAMPLES {
        let mut question = with("text", json!(text));
        question["board"] = json!(board);
        let heuristics =
            if board == "grid" { &GRID_HEURISTICS[..] } else { &BURROW_HEURISTICS[..] };
        for heuristic in heuristics {
            question["heuristic"] = json!(heuristic.0);
            let events = recording(&question);
            assert_eq!(events[0]["board"], board);
            let report = events.last().unwrap();
            // Without a heuristic, the unfolded burrow takes more expansions than are allowed.
            let is_long = (name, heuristic.0) == ("Unfolded", "none");
            assert_eq!(
                report["outcome"],
                if is_long { "stopped" } else { "found" },
                "{name} {report}"
            );
        }
    }
    let (_, choices) = answer(&get("/choices.json"));
    let choices: Value = serde_json::from_str(&choices).unwrap();
    assert_eq!(choices["engines"].as_array().unwrap().len(), OFFERS.len());
    assert_eq!(choices["examples"].as_array().unwrap().len(), EXAMPLES.len());
}

#[test]
fn limits_hold() {
    let generous = Allowance {
        expansions: 1000,
        time: Duration::from_secs(60),
        memory: 1 << 30,
        length: u64::MAX,
    };
    let large = format!("{}\n", ".".repeat(300)).repeat(300);
    let large = format!("S{}G\n", ".".repeat(298)) + &large;
    let mut question = with("text", json!(large.replacen('G', "#", 1) + &".".repeat(299) + "G"));
    question["heuristic"] = json!("none");
    let task = Task::read(question.to_string().as_bytes()).unwrap();
    let ends = |allowance: Allowance| {
        let mut out = Vec::new();
        task.record(allowance, Clock::system(), &mut out).unwrap();
        events(&String::from_utf8(out).unwrap()).pop().unwrap()
    };
    let report = ends(generous);
    assert_eq!((&report["outcome"], &report["expanded"]), (&json!("stopped"), &json!(1000)));
    assert_eq!(report["reason"], "the limit on expansions is reached");
    let report = ends(Allowance { time: Duration::ZERO, ..generous });
    assert_eq!(report["reason"], "the time is up");
    let report = ends(Allowance { memory: 10_000, ..generous });
    assert_eq!(report["reason"], "there is no more memory, or the limit on it is reached");
    let report = ends(Allowance { length: 200_000, ..generous });
    assert_eq!(report["reason"], "the recording is full");
    assert!(report["expanded"].as_u64().unwrap() < 1000);
    // More can be asked for.
    question["expansions"] = json!(1500);
    let task = Task::read(question.to_string().as_bytes()).unwrap();
    let mut out = Vec::new();
    task.record(generous, Clock::system(), &mut out).unwrap();
    let report = events(&String::from_utf8(out).unwrap()).pop().unwrap();
    assert_eq!(report["expanded"], 1500);
}

#[test]
fn a_search_ends_when_nobody_reads() {
    struct Closed(usize);
    impl Write for Closed {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            if self.0 > 100 { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(bytes.len()) }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let question = with("text", json!(EXAMPLES[0].2)).to_string();
    let Body::Streamed(write) = reply(&post(question.as_bytes()), PORT).body else {
        panic!("whole")
    };
    let mut closed = Closed(0);
    assert_eq!(write(&mut closed).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    assert_eq!(closed.0, 101);
}
