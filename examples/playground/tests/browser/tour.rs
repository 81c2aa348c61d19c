//! The tour: its stops set the page, and their answers are true.

use std::time::Duration;

use bestfirst::clock::Clock;
use playground::page::EXAMPLES;
use playground::recording::{ALLOWANCE, Allowance};
use playground::task::Task;
use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::page::{and_search, open, picture, with_page};

/// Expansions of both engines at each stop.
const EXPANDED: [[u64; 2]; 6] =
    [[795, 317], [233, 51], [317, 139], [510, 40], [500, 311], [218, 3_225]];

/// What the answers say: stop; example, engine, heuristic, weight; expansions and cost as the answer has them, if it does.
type Claim = (usize, &'static str, &'static str, &'static str, f64, &'static str, &'static str);

const CLAIMS: [Claim; 14] = [
    (0, "Village", "dijkstra", "none", 1.0, "795", "57"),
    (0, "Village", "astar", "distance", 1.0, "317", "57"),
    (1, "Trap", "astar", "perfect", 1.0, "37", ""),
    (1, "Trap", "astar", "distance", 1.0, "233", ""),
    (1, "Trap", "astar", "landmarks", 1.0, "51", ""),
    (2, "Village", "astar", "distance", 1.0, "317", "57"),
    (2, "Village", "weighted", "distance", 2.0, "139", "59"),
    (3, "Hills", "weighted", "distance", 1.5, "", "71"),
    (3, "Hills", "weighted", "distance", 2.0, "", "72"),
    (3, "Hills", "weighted", "distance", 5.0, "40", "136"),
    (4, "Trap", "astar", "distance", 1.0, "233", ""),
    (4, "Trap", "bidirectional", "distance", 1.0, "260", ""),
    (5, "Trap", "idastar", "distance", 1.0, "20,000", ""),
    (5, "Trap", "idastar", "landmarks", 1.0, "155", ""),
];

fn shown(browser: &mut Chromium, selector: &str) -> String {
    browser.text(&format!("document.querySelector('#tour {selector}').textContent"))
}

#[test]
fn the_tour_has_six_stops_with_true_answers() {
    with_page("tour", |browser, address, _| {
        open(browser, address);
        // What an earlier search has set does not stay.
        and_search(browser, |browser| browser.choose("[name=neighbours]", "8"));
        and_search(browser, |browser| browser.click("#begin-tour"));
        let mut answers = Vec::new();
        for (stop, expanded) in EXPANDED.iter().enumerate() {
            if stop > 0 {
                and_search(browser, |browser| browser.click("#tour .next"));
            }
            assert_eq!(shown(browser, ".place"), format!("{} of 6", stop + 1));
            assert!(shown(browser, ".asks").ends_with('?'));
            let reports = "player.panels.map(({ recording: { report } }) => report.expanded)";
            assert_eq!(browser.value(reports), json!(expanded), "stop {stop}");
            assert_eq!(browser.number("player.position"), 0);
            answers.push(shown(browser, "details p"));
            browser.click("#tour summary");
            browser.value("player.go(Math.floor(player.last / 3))");
            browser.picture(&picture(&format!("tour-{}", stop + 1)), false);
        }
        for (stop, example, engine, heuristic, weight, expanded, cost) in CLAIMS {
            let report = report(example, engine, heuristic, weight);
            let of = |name: &str| report[name].as_u64();
            let said = |number: &str| number.replace(',', "").parse().ok();
            for (text, is) in [(expanded, of("expanded")), (cost, of("cost"))] {
                if !text.is_empty() {
                    assert!(answers[stop].contains(text), "{text}: {}", answers[stop]);
                    assert_eq!(said(text), is, "{example}, {engine}");
                }
            }
            if stop == 2 && engine == "weighted" {
                let factor = format!("{:.2}", report["factor"].as_f64().unwrap());
                assert!(answers[2].contains(&factor), "{factor}");
                assert!(answers[2].contains(&report["bound"].to_string()), "{report}");
            }
        }
        let last = report("Trap", "idastar", "distance", 1.0);
        assert_eq!((&last["outcome"], &last["cost"]), (&json!("stopped"), &Value::Null));

        // A reload stays at the stop; going back and leaving.
        browser.wait("location.hash === address() && location.hash.endsWith('tour=6')");
        browser.value("globalThis.isOld = true");
        browser.call("Page.reload", &json!({}));
        browser.wait("globalThis.isOld === undefined && document.body?.dataset.searches === '1'");
        assert_eq!(shown(browser, "h2"), "IDA*");
        and_search(browser, |browser| browser.click("#tour .back"));
        assert_eq!(shown(browser, ".place"), "5 of 6");
        and_search(browser, |browser| browser.click("#tour .next"));
        browser.click("#tour .next");
        assert_eq!(browser.value("document.getElementById('tour').hidden"), json!(true));
        browser.wait("location.hash === address() && !location.hash.includes('tour')");

        // On a narrow screen nothing is beyond the edge.
        browser.set_screen(360, 740, "dark", "reduce");
        and_search(browser, |browser| browser.click("#begin-tour"));
        assert_eq!(browser.number("document.documentElement.scrollWidth"), 360);
        browser.picture(&picture("tour-narrow"), false);
        browser.click("#tour .leave");
        assert_eq!(browser.text("document.activeElement.id"), "begin-tour");
    });
}

/// The report of a native search.
fn report(example: &str, engine: &str, heuristic: &str, weight: f64) -> Value {
    let (board, _, text) = EXAMPLES.iter().find(|(_, name, _)| *name == example).unwrap();
    let question = json!({
        "board": board, "text": text, "engine": engine, "heuristic": heuristic, "neighbours": 4, "weight": weight,
    });
    let mut out = Vec::new();
    // Without optimisation it may take longer here.
    let allowance = Allowance { time: Duration::from_secs(600), ..ALLOWANCE };
    let task = Task::read(question.to_string().as_bytes()).unwrap();
    task.record(allowance, Clock::system(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}
