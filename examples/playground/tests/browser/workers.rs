//! The searches in the browser: they are what they are natively, their time is limited, they are stopped, and a trap is told.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use bestfirst::clock::Clock;
use playground::engine::OFFERS;
use playground::page::EXAMPLES;
use playground::recording::{ALLOWANCE, Allowance};
use playground::task::{GRID_HEURISTICS, Task};
use serde_json::{Value, json};

use crate::built;
use crate::page::{and_search, open, skip, with_built_page};

/// The messages of the worker to each question, run by node; nothing where that is missing.
fn by_node(folder: &Path, option: &str, questions: &[Value]) -> Option<Vec<Vec<Value>>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/node.js");
    let mut command = Command::new("node");
    command.arg(script).arg(folder).arg(option).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut node) = command.spawn() else {
        skip("no node in the search path");
        return None;
    };
    let mut stdin = node.stdin.take().unwrap();
    for question in questions {
        writeln!(stdin, "{question}").unwrap();
    }
    drop(stdin);
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The events of a recording without what depends on the machine.
fn events(text: &str) -> Vec<Value> {
    let event = |line| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        for member in ["milliseconds", "bytes"] {
            event.as_object_mut().unwrap().remove(member);
        }
        event
    };
    text.lines().map(event).collect()
}

fn question(board: &str, text: &str, engine: &str, heuristic: &str) -> Value {
    json!({
        "board": board, "text": text, "engine": engine, "heuristic": heuristic, "neighbours": 4, "weight": 1.5,
        "width": null,
    })
}

#[test]
fn searches_in_the_browser_are_those_of_the_server() {
    let Some(folder) = built::folder() else { return };
    let mut questions = Vec::new();
    for (board, _, text) in EXAMPLES {
        questions.push(question(board, text, "astar", "distance"));
    }
    for offer in &OFFERS {
        questions.push(question("grid", EXAMPLES[1].2, offer.id, "distance"));
        questions.push(question("burrow", EXAMPLES[5].2, offer.id, "distance"));
        for heuristic in &GRID_HEURISTICS {
            let text = "S..3.\n.##4.\n..#.0\n9....\n.#5#G";
            let mut question = question("grid", text, offer.id, heuristic.0);
            question["neighbours"] = json!(8);
            questions.push(question);
        }
    }
    questions.push(question("grid", "S.x.G", "astar", "distance"));
    questions.push(question("grid", "S..G", "dial", "distance"));
    let Some(answers) = by_node(folder, "", &questions) else { return };
    assert_eq!(answers.len(), questions.len());
    // Without optimisation it may take longer here.
    let allowance = Allowance { time: Duration::from_secs(600), ..ALLOWANCE };
    let mut refused = 0;
    for (question, messages) in questions.iter().zip(&answers) {
        match Task::read(question.to_string().as_bytes()) {
            Ok(task) => {
                let mut text = Vec::new();
                task.record(allowance, Clock::system(), &mut text).unwrap();
                let (last, pieces) = messages.split_last().unwrap();
                assert_eq!(last, &json!({ "isDone": true }), "{question}");
                let pieces: String =
                    pieces.iter().map(|piece| piece["text"].as_str().unwrap()).collect();
                let (native, built) = (events(&String::from_utf8(text).unwrap()), events(&pieces));
                // Not all of both is shown.
                assert!(native == built, "{question}: {:?} {:?}", native.last(), built.last());
            }
            Err(fault) => {
                refused += 1;
                assert_eq!(messages[0]["refusal"]["message"], fault.message);
                assert_eq!(messages[0]["refusal"]["field"], fault.field);
                let (line, column) = fault.at.unzip();
                assert_eq!(messages[0]["refusal"]["line"], json!(line));
                assert_eq!(messages[0]["refusal"]["column"], json!(column));
            }
        }
    }
    // A burrow cannot be searched from both ends.
    assert_eq!(refused, 3);
}

#[test]
fn the_time_of_searches_in_the_browser_is_limited() {
    let Some(folder) = built::folder() else { return };
    let question = question("burrow", EXAMPLES[6].2, "astar", "none");
    let Some(answers) = by_node(folder, "--slow", &[question]) else { return };
    let text: String = answers[0].iter().filter_map(|message| message["text"].as_str()).collect();
    let events = events(&text);
    let report = events.last().unwrap();
    assert_eq!(report["reason"], "the time is up", "{report}");
}

/// A module in place of the searches: it exports what the worker calls, and `search` has this body.
fn module(body: &[u8]) -> Value {
    let mut bytes = b"\0asm\x01\0\0\0".to_vec();
    let mut section = |id: u8, content: &[u8]| {
        bytes.extend([id, u8::try_from(content.len()).unwrap()]);
        bytes.extend(content);
    };
    section(1, &[2, 0x60, 1, 0x7F, 1, 0x7F, 0x60, 0, 0]);
    section(3, &[2, 0, 1]);
    section(5, &[1, 0, 1]);
    section(7, b"\x03\x06memory\x02\0\x08question\0\0\x06search\0\x01");
    let length = u8::try_from(body.len() + 2).unwrap();
    section(10, &[&[2, 4, 0, 0x41, 0, 0x0B, length, 0], body, &[0x0B]].concat());
    json!(bytes)
}

#[test]
fn a_trap_is_told_and_the_next_search_has_another_worker() {
    with_built_page("trap", |browser, address, _| {
        open(browser, address);
        browser.value("globalThis.whole = searches.module");
        let unreachable = module(&[0x00]);
        browser.value(&format!(
            "searches.module = new WebAssembly.Module(Uint8Array.from({unreachable}))"
        ));
        assert_eq!(browser.number("searches.idle.length"), 1);
        and_search(browser, |browser| {
            browser.choose("[data-lane='0'] [data-name=engine]", "dijkstra");
        });
        let outcome = browser.text("document.querySelector('.outcome').textContent");
        assert!(outcome.starts_with("the search was ended by a fault"), "{outcome}");
        assert_eq!(browser.number("searches.idle.length"), 0);
        browser.value("searches.module = whole");
        and_search(browser, |browser| {
            browser.choose("[data-lane='0'] [data-name=engine]", "astar");
        });
        let outcome = browser.text("document.querySelector('.outcome').textContent");
        assert!(outcome.contains("a cheapest path"), "{outcome}");
        assert_eq!(browser.number("searches.idle.length"), 1);
    });
}

#[test]
fn a_worker_that_ran_out_of_memory_is_replaced() {
    with_built_page("memory", |browser, address, _| {
        open(browser, address);
        browser.value("globalThis.whole = searches.module");
        // Grows by 4096 pages until there are no more, and is trapped then:
        // loop; i32.const 4096; memory.grow; i32.const -1; i32.ne; br_if 0; end; unreachable
        let greedy = module(&[
            0x03, 0x40, 0x41, 0x80, 0x20, 0x40, 0x00, 0x41, 0x7F, 0x47, 0x0D, 0x00, 0x0B, 0x00,
        ]);
        browser
            .value(&format!("searches.module = new WebAssembly.Module(Uint8Array.from({greedy}))"));
        for _ in 0..3 {
            and_search(browser, |browser| {
                browser.value(
                    "control(0, 'engine').dispatchEvent(new Event('change', { bubbles: true }))",
                );
            });
            let outcome = browser.text("document.querySelector('.outcome').textContent");
            assert!(outcome.contains("perhaps for want of memory"), "{outcome}");
            assert_eq!(browser.number("searches.idle.length"), 0, "it is not used again");
        }
        browser.value("searches.module = whole");
        and_search(browser, |browser| {
            browser.choose("[data-lane='0'] [data-name=engine]", "dijkstra");
        });
        let outcome = browser.text("document.querySelector('.outcome').textContent");
        assert!(outcome.contains("a cheapest path"), "{outcome}");
        assert_eq!(browser.number("searches.idle.length"), 1);
    });
}

#[test]
fn a_search_that_goes_on_is_stopped_by_the_next() {
    with_built_page("stop", |browser, address, _| {
        open(browser, address);
        browser.value("globalThis.whole = searches.module");
        // loop br 0 end
        let endless = module(&[0x03, 0x40, 0x0C, 0x00, 0x0B]);
        browser.value(&format!(
            "searches.module = new WebAssembly.Module(Uint8Array.from({endless}))"
        ));
        browser.choose("[data-lane='0'] [data-name=engine]", "dijkstra");
        browser.wait("searches.idle.length === 0");
        browser.value("searches.module = whole");
        and_search(browser, |browser| {
            browser.choose("[data-lane='0'] [data-name=engine]", "greedy");
        });
        assert_eq!(browser.text("document.querySelector('figure h2').textContent"), "Greedy");
        assert_eq!(browser.number("searches.idle.length"), 1);
    });
}
