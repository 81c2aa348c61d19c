//! Recorded traces, dropped on the page.

use std::fs;
use std::path::Path;
use std::process::Command;

use bestfirst::problems::crucible::{Crucible, HeatMap};
use bestfirst::trace::Recorder;
use bestfirst::{AStar, FnProblem};
use serde_json::json;

use crate::chromium::Chromium;
use crate::page::{and_search, count, open, picture, skip, wait_for_file, with_page};

#[test]
fn traces_are_dropped_and_played() {
    with_page("trace", |browser, address, folder| {
        open(browser, address);
        // Two of the library: one with coordinates and several states in a cell, one without.
        let map: HeatMap =
            "2413432311323\n3215453535623\n3255245654254\n3446585845452".parse().unwrap();
        let crucible = Crucible::new(&map, 1..=3).unwrap();
        let mut recorder = Recorder::new(100_000);
        let report =
            AStar::new(&crucible).observer(&mut recorder).search(crucible.start()).run().unwrap();
        let mut text = Vec::new();
        #[expect(clippy::cast_precision_loss, reason = "the map is small")]
        let place = |state: &_| {
            let (row, column) = crucible.block(*state);
            (column as f64, row as f64)
        };
        let writer = recorder.writer(|state| format!("{state:?}")).coordinates(place);
        writer.solution(report.path()).json_lines(&mut text).unwrap();
        let cells = folder.join("crucible.jsonl");
        // As the program `crucible` begins a trace.
        let rows: Vec<_> =
            map.rows_iter().map(|row| row.iter().map(u8::to_string).collect::<String>()).collect();
        let setup = json!({ "event": "setup", "board": "grid", "rows": rows });
        fs::write(&cells, [format!("{setup}\n").into_bytes(), text].concat()).unwrap();

        let numbers =
            FnProblem::new(|&n: &u32| [(n * 2, 3_u32), (n + 1, 2)], |_: &u32| 0, |&n| n == 100);
        let mut recorder = Recorder::new(100_000);
        let report = AStar::new(&numbers).observer(&mut recorder).search(1).run().unwrap();
        let mut text = Vec::new();
        recorder.writer(u32::to_string).solution(report.path()).json_lines(&mut text).unwrap();
        let plain = folder.join("numbers.jsonl");
        fs::write(&plain, text).unwrap();

        browser.drop_files(&[&cells], (300.0, 300.0));
        browser.wait("traces?.length === 1");
        assert_eq!(
            browser.text("document.querySelector('figure h2').textContent"),
            "crucible.jsonl"
        );
        assert_eq!(
            browser
                .value("(({ columns, rows }) => [columns, rows])(player.panels[0].recording.size)"),
            json!([13, 4])
        );
        shows_digits_and_path(browser);
        browser.key("Home");
        browser.key(" ");
        browser.wait("player.position > 3");
        browser.key(" ");
        browser.picture(&picture("trace"), false);
        browser.drop_files(&[&cells, &plain], (300.0, 300.0));
        browser.wait("traces?.length === 2");
        browser.key("End");
        let expanded = report.stats.expanded.to_string();
        assert_eq!(browser.text("String(player.panels[1].recording.steps)"), expanded);
        browser.picture(&picture("trace-two"), false);

        // Places far apart, as on a road network, and ids that mean something to scripts.
        let roads = folder.join("roads.jsonl");
        let line = |id: &str, x: f64, parent: &str| {
            format!(
                "{{\"event\":\"generated\",\"id\":{id:?},\"parent\":{parent},\"g\":1.5,\"x\":{x},\"y\":-7e7}}\n"
            )
        };
        let text = line("__proto__", -1e8, "null")
            + &line("</script>", 3e9, "\"__proto__\"")
            + "{\"event\":\"expanded\",\"id\":\"</script>\",\"g\":1.5,\"h\":null,\"f\":null,\"x\":3e9,\"y\":-7e7}\n";
        fs::write(&roads, text).unwrap();
        browser.drop_files(&[&roads], (300.0, 300.0));
        browser.wait("traces[0].title === 'roads.jsonl'");
        browser.key("End");
        assert_eq!(count(browser, "Closed", 0), "1");
        browser.click("#export");
        let file = folder.join("roads-jsonl.html");
        wait_for_file(&file);
        browser.drop_files(&[&cells, &plain], (300.0, 300.0));
        browser.wait("traces?.length === 2");

        // What is no trace is told, and what is shown stays.
        let other = folder.join("other.jsonl");
        fs::write(&other, "{\"event\":\"generated\"}\n").unwrap();
        browser.drop_files(&[&other], (300.0, 300.0));
        browser.wait(
            "document.getElementById('trace-note').textContent.startsWith('other.jsonl: line 1: ')",
        );
        assert_eq!(browser.number("player.panels.length"), 2);
        let roads = format!("file://{}", file.display());
        and_search(browser, |browser| browser.click("#leave-traces"));
        assert_eq!(browser.text("document.querySelector('figure h2').textContent"), "A*");
        browser.open(&roads);
        browser.wait("document.querySelectorAll('figure').length === 1");
        browser.key("End");
        assert_eq!(count(browser, "Closed", 0), "1");
    });
}

/// By node, without a browser.
#[test]
fn a_member_of_another_type_is_told_with_its_line() {
    const READ: &str = "const [file, text] = process.argv.slice(1); \
         const source = require('node:fs').readFileSync(file, 'utf8'); \
         const type = require('node:vm').runInThisContext(`${source}\\nRecording`); \
         try { type.read('a trace', text).size; console.log('read'); } catch (fault) { console.log(fault.message); }";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page/recording.js");
    let start = r#"{"event":"generated","id":"1","parent":null,"g":0,"x":0,"y":0}"#;
    for (line, expected) in [
        (r#"{"event":"setup","board":"grid","rows":["..",".#"],"unit":1,"title":"A*"}"#, "read"),
        (r#"{"event":"setup","board":"burrow","width":11,"doors":[2,4],"depth":2}"#, "read"),
        (r#"{"event":"setup"}"#, "read"),
        (r#"{"event":"bound","bound":"1.5"}"#, "read"),
        (r#"{"event":"bound","bound":null}"#, "read"),
        (r#"{"event":"setup","rows":7}"#, r#"the member "rows" must be a list of strings"#),
        (r#"{"event":"setup","rows":[]}"#, r#"the member "rows" must be a list of strings"#),
        (r#"{"event":"setup","rows":[[1]]}"#, r#"the member "rows" must be a list of strings"#),
        (
            r#"{"event":"setup","board":"burrow"}"#,
            r#"the member "doors" must be a list of numbers"#,
        ),
        (r#"{"event":"setup","unit":"1"}"#, r#"the member "unit" must be a number above 0"#),
        (r#"{"event":"setup","title":{}}"#, r#"the member "title" must be a string"#),
        (r#"{"event":"bound"}"#, r#"the member "bound" is missing, or no cost"#),
        (r#"{"event":"bound","bound":{}}"#, r#"the member "bound" is missing, or no cost"#),
        (r#"{"event":"incumbent","cost":[]}"#, r#"the member "cost" is missing, or no cost"#),
    ] {
        let expected =
            if expected == "read" { "read".to_owned() } else { format!("line 2: {expected}") };
        let mut node = Command::new("node");
        node.arg("-e").arg(READ).arg(&file).arg(format!("{start}\n{line}\n"));
        let Ok(output) = node.output() else { return skip("no node in the search path") };
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), expected, "{line}");
    }
}

/// The digits of the map are drawn, and at the end the path over it.
fn shows_digits_and_path(browser: &mut Chromium) {
    let colours_in = |column: usize, row: usize| {
        format!(
            "(() => {{ const {{ board, layout }} = player.panels[0]; const side = Math.floor(layout.cell) - 4; \
             const {{ data }} = board.getContext('2d').getImageData({column} * layout.cell + 2, {row} * layout.cell + 2, side, side); \
             return new Set(new Uint32Array(data.buffer)).size; }})()"
        )
    };
    browser.wait_for_frame();
    assert!(browser.number(&colours_in(12, 3)) > 5, "a digit has shades");
    browser.value("player.go(player.last)");
    browser.wait_for_frame();
    let path = "(() => { const { board, layout, recording: { solution, xs, ys } } = player.panels[0]; \
         const [from, to] = solution.slice(1, 3).map((state) => layout.middle(xs[state], ys[state])); \
         const { data } = board.getContext('2d').getImageData((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, 1, 1); \
         return '#' + [...data.slice(0, 3)].map((part) => part.toString(16).padStart(2, '0')).join('') === colours().path; })()";
    assert_eq!(browser.value(path), json!(true));
    browser.picture(&picture("trace-end"), false);
}
