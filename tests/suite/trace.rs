//! Traces of searches: what is recorded, and what is written, read again as JSON and as YAML.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};

use serde_json::{Value, json};
use yaml_rust2::{Yaml, YamlLoader};

use bestfirst::trace::{Recorder, TraceWriter};
use bestfirst::{AStar, Cost, Dijkstra, Observer, SearchProblem};

use support::erased::problem;

fn numbers() -> impl SearchProblem<State = u32, Action = (), Cost = u32> {
    let next = |&n: &u32| [(n + 1, 1), (n * 2, 2)];
    problem(next, |&n: &u32| u32::from(n < 9), |&n: &u32| n == 9)
}

fn lines(writer: &TraceWriter<'_, u32, u32>) -> Vec<Value> {
    let mut text = Vec::new();
    writer.json_lines(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn yaml<S, C: Cost>(writer: &TraceWriter<'_, S, C>) -> Value {
    let mut text = Vec::new();
    writer.posthoc(&mut text).unwrap();
    let documents = YamlLoader::load_from_str(str::from_utf8(&text).unwrap()).unwrap();
    assert_eq!(documents.len(), 1);
    value(&documents[0])
}

fn value(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Null => Value::Null,
        &Yaml::Boolean(is) => is.into(),
        &Yaml::Integer(number) => number.into(),
        Yaml::Real(_) => yaml.as_f64().into(),
        Yaml::String(text) => text.as_str().into(),
        Yaml::Array(list) => list.iter().map(value).collect(),
        Yaml::Hash(map) => {
            map.iter().map(|(key, of)| (key.as_str().unwrap().to_owned(), value(of))).collect()
        }
        Yaml::Alias(_) | Yaml::BadValue => panic!("{yaml:?}"),
    }
}

#[test]
fn json_lines_have_all_events() {
    let problem = numbers();
    let mut recorder = Recorder::new(1000);
    let report = AStar::new(&problem).observer(&mut recorder).search(1).run().unwrap();
    let writer = recorder
        .writer(u32::to_string)
        .coordinates(|&n| (f64::from(n), 0.5))
        .solution(report.path());
    let lines = lines(&writer);
    let of = |kind: &str| lines.iter().filter(|line| line["event"] == kind).collect::<Vec<_>>();
    assert_eq!(of("expanded").len() as u64, report.stats.expanded);
    assert_eq!(of("generated").len() as u64, report.stats.generated + 1);
    assert_eq!(
        *lines[0].as_object().unwrap(),
        *json!({"event": "generated", "id": "1", "parent": null, "g": 0, "x": 1, "y": 0.5})
            .as_object()
            .unwrap()
    );
    assert_eq!(
        lines[1],
        json!({"event": "expanded", "id": "1", "g": 0, "h": 1, "f": 1, "x": 1, "y": 0.5})
    );
    assert_eq!(lines[2]["parent"], "1");
    // The layer in which the goal was found is not completed.
    let layers = of("layer");
    assert!(layers.len() + 1 >= report.layers.len());
    for (line, layer) in layers.iter().zip(&report.layers) {
        assert_eq!(line["bound"], layer.bound);
        assert_eq!(line["expanded"], layer.expanded);
        assert_eq!(line["generated"], layer.generated);
    }
    let path = of("solution").iter().map(|line| line["id"].clone()).collect::<Vec<_>>();
    let expected: Vec<_> =
        report.path().unwrap().states().iter().map(|n| json!(n.to_string())).collect();
    assert_eq!(path, expected);
}

#[test]
fn at_most_the_given_number_of_events_is_stored() {
    let problem = numbers();
    let mut all = Recorder::new(usize::MAX);
    let mut some = Recorder::new(5);
    let mut none = Recorder::new(0);
    for recorder in [&mut all, &mut some, &mut none] {
        let _ = Dijkstra::new(&problem).observer(recorder).search(1).run().unwrap();
    }
    assert_eq!(all.dropped(), 0);
    assert_eq!(some.events(), &all.events()[..5]);
    assert_eq!(some.dropped(), all.events().len() as u64 - 5);
    let last = lines(&some.writer(u32::to_string)).pop().unwrap();
    assert_eq!(last, json!({"event": "dropped", "events": some.dropped()}));
    let trace = yaml(&some.writer(u32::to_string));
    let message = trace["events"].as_array().unwrap().last().unwrap()["message"].clone();
    assert_eq!(message, format!("{} more events were not stored", some.dropped()));
    assert!(none.events().is_empty());
    none.clear();
    assert_eq!(none.dropped(), 0);
    assert_eq!(yaml(&none.writer(u32::to_string))["events"], json!([]));
}

#[test]
fn posthoc_events_form_a_tree() {
    let problem = numbers();
    let mut recorder = Recorder::new(1000);
    let report = AStar::new(&problem).observer(&mut recorder).search(1).run().unwrap();
    let writer = recorder
        .writer(u32::to_string)
        .coordinates(|&n| (f64::from(n), 2.0))
        .solution(report.path());
    let trace = yaml(&writer);
    assert_eq!(trace["version"], "1.4.0");
    assert_eq!(trace["views"]["main"][0]["$"], "rect");
    let events = trace["events"].as_array().unwrap();
    assert_eq!((&events[0]["type"], &events[0]["id"]), (&json!("source"), &json!("1")));
    assert_eq!((&events[1]["type"], &events[1]["id"]), (&json!("destination"), &json!("9")));
    // Every parent has been expanded before; every expansion closes once.
    let mut expanded = HashSet::new();
    let mut closed = 0;
    for event in events {
        let (kind, id) = (event["type"].as_str().unwrap(), event["id"].as_str().unwrap());
        if kind == "expanding" {
            expanded.insert(id);
            assert_eq!(event["pId"].is_null(), id == "1", "{event}");
            let [g, h, f] = ["g", "h", "f"].map(|key| event[key].as_u64().unwrap());
            assert_eq!(g + h, f);
        }
        if kind == "closing" {
            closed += 1;
        }
        if let Some(parent) = event["pId"].as_str() {
            assert!(kind == "solution" || expanded.contains(parent), "{event}");
        }
        if kind != "message" {
            assert_eq!(event["x"], json!(id.parse::<u64>().unwrap()));
        }
    }
    assert_eq!(closed, report.stats.expanded);
    // Without coordinates there is no view.
    let plain = yaml(&recorder.writer(u32::to_string));
    assert!(plain["views"].is_null() && plain["events"][0]["x"].is_null());
}

#[test]
fn special_characters_in_ids_are_preserved() {
    let names = [
        "",
        " ",
        "\"",
        "\\",
        "a\nb\tc\rd",
        "\0\u{1}\u{7f}\u{85}\u{9f}",
        "\u{2028}\u{2029}\u{feff}",
        "\u{fffe}\u{ffff}",
        "{a: b}",
        "- x # y",
        "${{ 1 }}",
        "null",
        "ß → 🦀 \u{10ffff}",
        "'%@`",
    ];
    let mut recorder = Recorder::new(100);
    for (at, _) in names.iter().enumerate() {
        recorder.generated(at.checked_sub(1).as_ref(), &at, 0_u32);
    }
    let writer = recorder.writer(|&at: &usize| names[at].to_owned());
    let mut text = Vec::new();
    writer.json_lines(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.lines().count(), names.len());
    let trace = yaml(&writer);
    for (at, (line, name)) in text.lines().zip(names).enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["id"], name);
        assert_eq!(trace["events"][at]["id"], name);
        assert_eq!(trace["events"][at]["pId"], line["parent"]);
    }
}

/// A cost that is shown as this text. Infinity is the text that is the last of all.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Shown(&'static str);

impl fmt::Debug for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Cost for Shown {
    const ZERO: Self = Self("");
    const INFINITY: Self = Self("\u{10ffff}");
    fn checked_add(self, other: Self) -> Option<Self> {
        (other == Self::ZERO).then_some(self)
    }
}

#[test]
fn costs_are_numbers_if_their_debug_form_is() {
    let written = |cost: f64| {
        let mut recorder = Recorder::new(9);
        recorder.expanded(&0_u8, cost, 0.5);
        let mut text = Vec::new();
        recorder.writer(u8::to_string).json_lines(&mut text).unwrap();
        let json: Value = serde_json::from_slice(&text).unwrap();
        let yaml = yaml(&recorder.writer(u8::to_string));
        assert_eq!(yaml["events"][0]["g"].as_f64(), json["g"].as_f64());
        json["g"].clone()
    };
    assert_eq!(written(2.0), json!(2.0));
    assert_eq!(written(-1.25), json!(-1.25));
    assert_eq!(written(1e300), json!(1e300));
    assert_eq!(written(1e-7), json!(1e-7));
    assert_eq!(written(f64::INFINITY), Value::Null);
    assert_eq!(written(f64::NAN), json!("NaN"));

    let mut recorder = Recorder::new(9);
    recorder.expanded(&0_u8, u64::MAX - 1, 2);
    let mut text = Vec::new();
    recorder.writer(u8::to_string).json_lines(&mut text).unwrap();
    let json: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(json["g"], json!(u64::MAX - 1));
    assert_eq!(json["f"], Value::Null); // the sum overflows

    for (text, number) in [
        ("0", true),
        ("-0", true),
        ("10", true),
        ("0.5", true),
        ("1e21", true),
        ("1.5e-7", true),
        ("01", false),
        ("", false),
        ("-", false),
        ("1.", false),
        (".5", false),
        ("1e", false),
        ("0x1", false),
        ("Pair(1, 2)", false),
        ("1_000", false),
        ("+1", false),
    ] {
        let mut recorder = Recorder::new(9);
        recorder.expanded(&0_u8, Shown(text), Shown(text));
        let mut line = Vec::new();
        recorder.writer(u8::to_string).json_lines(&mut line).unwrap();
        // What is not a number is a string.
        let json: Value = serde_json::from_slice(&line).expect(text);
        assert_eq!(json["g"].is_number(), number, "{text:?}");
        assert_eq!(json["g"] == text, !number, "{text:?}");
        let yaml = yaml(&recorder.writer(u8::to_string));
        assert_eq!(yaml["events"][0]["g"].is_number(), number, "{text:?}");
    }
}

#[test]
fn other_costs_are_strings() {
    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    struct Pair(u8, u8);
    impl Cost for Pair {
        const ZERO: Self = Self(0, 0);
        const INFINITY: Self = Self(u8::MAX, u8::MAX);
        fn checked_add(self, other: Self) -> Option<Self> {
            Some(Self(self.0.checked_add(other.0)?, self.1.checked_add(other.1)?))
        }
    }
    let mut recorder = Recorder::new(9);
    recorder.expanded(&0_u8, Pair(1, 2), Pair(3, 4));
    recorder.incumbent(Pair(5, 6), Pair(4, 6));
    let mut lines = Vec::new();
    recorder.writer(u8::to_string).json_lines(&mut lines).unwrap();
    let incumbent: Value =
        serde_json::from_slice(lines.split(|&byte| byte == b'\n').nth(1).unwrap()).unwrap();
    assert_eq!(
        incumbent,
        json!({"event": "incumbent", "cost": "Pair(5, 6)", "bound": "Pair(4, 6)"})
    );
    let trace = yaml(&recorder.writer(u8::to_string));
    assert_eq!(trace["events"][0]["f"], "Pair(4, 6)");
    assert_eq!(trace["events"][1]["message"], "a solution of cost Pair(5, 6)");
}

#[test]
fn errors_of_the_writer_are_returned() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut recorder = Recorder::new(9);
    recorder.expanded(&0_u8, 1_u8, 1);
    let writer = recorder.writer(u8::to_string);
    assert_eq!(writer.json_lines(&mut Full).unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert_eq!(writer.posthoc(&mut Full).unwrap_err().kind(), io::ErrorKind::StorageFull);
}
