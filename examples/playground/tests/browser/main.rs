//! The page in a real browser: draw, choose, play, step, compare, drop a trace, export, play the export; wide, narrow,
//! dark, by keyboard.
//!
//! All of it on the page of a server and on the page as files, whose searches run in the browser.
//!
//! Needs a Chromium in the search path and, for the files, the target wasm32-unknown-unknown and `PLAYGROUND_BUILDS` in the
//! environment, and is skipped with one line where they are missing. Pictures of the page go to
//! the folder that `PLAYGROUND_PICTURES` names, or to one beside what cargo builds.

mod built;
mod chromium;
mod drawing;
mod frames;
mod names;
mod page;
mod screens;
mod steps;
mod tour;
mod traces;
mod workers;

use std::time::Duration;

use chromium::Chromium;
use page::{and_search, cell, count, open, picture, row, step, wait_for_file, with_page};
use serde_json::json;

#[test]
fn a_search_is_played_and_stepped_by_keys() {
    with_page("keys", |browser, address, _| {
        open(browser, address);
        browser.picture(&picture("first-sight"), false);
        assert_eq!(step(browser), 0);
        assert_eq!(browser.text("document.querySelector('figure h2').textContent"), "A*");

        // One key plays, the same pauses.
        browser.key(" ");
        browser.wait("player.position > 20");
        assert_eq!(browser.text("document.querySelector('.play').textContent"), "Pause");
        browser.key(" ");
        let paused = step(browser);
        browser.picture(&picture("playing"), false);
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(step(browser), paused);
        assert_eq!(count(browser, "Expanded", 0).replace(',', ""), paused.to_string());

        browser.key(".");
        assert_eq!(step(browser), paused + 1);
        browser.key(",");
        browser.key("ArrowLeft");
        assert_eq!(step(browser), paused - 1);
        browser.click(".step");
        assert_eq!(step(browser), paused);
        // At the button, the space bar presses it, and does not play as well.
        browser.key(" ");
        assert_eq!(step(browser), paused + 1);
        browser.key("Home");
        assert_eq!(step(browser), 0);
        browser.key("End");
        assert_eq!(count(browser, "Proven factor", 0), "1");
        let outcome = browser.text("document.querySelector('.outcome').textContent");
        assert!(outcome.contains("a cheapest path"), "{outcome}");
        assert_eq!(count(browser, "Best path", 0), count(browser, "Lower bound", 0));
        browser.wait_for_frame();
        browser.picture(&picture("found"), false);

        // What the page counts from the events is what the search counted.
        let same = "(() => { const { recording } = player.panels[0]; const { report, steps } = recording; \
                    return report.expanded === steps && report.generated === recording.generated[steps] \
                        && recording.closed[steps] === report.expanded \
                        && recording.open[steps] + recording.closed[steps] === report.stored; })()";
        assert_eq!(browser.value(same), json!(true));
        // Going back shows what was there before.
        let open_at = |browser: &mut Chromium, at: usize| {
            browser.value(&format!("player.go({at})"));
            (count(browser, "Open", 0), count(browser, "Closed", 0))
        };
        let before = open_at(browser, 30);
        open_at(browser, 200);
        assert_eq!(open_at(browser, 30), before);
        assert_eq!(
            browser.value("player.panels[0].marks.open === player.panels[0].recording.open[30]"),
            json!(true)
        );
    });
}

#[test]
fn maps_are_drawn_by_pointer_and_keys() {
    with_page("draw", |browser, address, _| {
        open(browser, address);
        browser.choose("[name=example]", "Open field");
        browser.wait("player.panels[0].recording.size.columns === 37 && player.panels[0].recording.report !== null");
        browser.value("document.activeElement.blur()");
        browser.key("End");
        let before: u64 = count(browser, "Best path", 0).parse().unwrap();
        // A wall from the upper edge nearly to the lower one.
        let points: Vec<_> = [0, 9, 17].iter().map(|&y| cell(browser, 18, y)).collect();
        browser.wait_for_frame();
        and_search(browser, |browser| browser.drag(&points));
        for y in 0..18 {
            assert_eq!(row(browser, y).as_bytes()[18], b'#');
        }
        assert_eq!(row(browser, 18).as_bytes()[18], b'.');
        browser.wait("player.panels[0].recording.report !== null");
        // Who looked at the result sees the new one.
        let after: u64 = count(browser, "Best path", 0).parse().unwrap();
        assert_eq!(after, before + 8, "down to the last row and up again");
        browser.picture(&picture("wall"), false);

        // The last gap by keys.
        browser.value("player.panels[0].board.focus()");
        browser.key("ArrowDown");
        and_search(browser, |browser| browser.key("#"));
        assert_eq!(row(browser, 18).as_bytes()[18], b'#');
        browser.wait("player.panels[0].recording.report?.outcome === 'exhausted'");
        let outcome = browser.text("document.querySelector('.outcome').textContent");
        assert!(outcome.starts_with("no path"), "{outcome}");
        assert_eq!(
            browser.text("document.getElementById('announcement').textContent"),
            "column 19, row 19: wall"
        );
        and_search(browser, |browser| browser.key("3"));
        assert_eq!(row(browser, 18).as_bytes()[18], b'3');
        assert_eq!(count(browser, "Best path", 0).parse::<u64>().unwrap(), after + 2);
        // The space bar plays here, too.
        browser.key(" ");
        browser.wait("player.isPlaying");
        browser.key(" ");

        // Start and goal are moved, and not drawn over.
        and_search(browser, |browser| {
            browser.click("[name=brush][value=G] + span");
            let to = cell(browser, 30, 2);
            browser.drag(&[to]);
        });
        let text = browser.text("document.querySelector('textarea').value");
        assert_eq!(text.matches('G').count(), 1);
        assert_eq!(row(browser, 2).as_bytes()[30], b'G');
    });
}

#[test]
fn bad_input_is_told_at_its_place() {
    with_page("faults", |browser, address, _| {
        open(browser, address);
        browser.click("#drawing summary");
        let type_text = |browser: &mut Chromium, text: &str| {
            browser.value("document.querySelector('textarea').select()");
            browser.call("Input.insertText", &json!({ "text": text }));
        };
        type_text(browser, "S..\n.x.\n..G");
        browser.wait("!document.getElementById('text-fault').hidden");
        let fault = browser.text("document.getElementById('text-fault').textContent");
        assert!(fault.starts_with("line 2, column 2: found `x`"), "{fault}");
        assert_eq!(browser.value("document.querySelector('textarea').ariaInvalid"), json!("true"));
        browser.click("#text-fault button");
        assert_eq!(browser.text("getSelection().toString()"), "x");
        browser.wait_for_frame();
        browser.picture(&picture("fault"), false);
        and_search(browser, |browser| type_text(browser, "S..\n.#.\n..G"));
        assert_eq!(browser.value("document.getElementById('text-fault').hidden"), json!(true));
        browser.value("document.activeElement.blur()");
        browser.key("End");
        assert_eq!(count(browser, "Best path", 0), "4");

        browser.choose("[data-lane='0'] [data-name=engine]", "weighted");
        browser.wait("player.panels[0].recording.title === 'Weighted A* 2'");
        browser.value("{ const weight = control(0, 'weight'); weight.value = 0.5; weight.dispatchEvent(new Event('change', { bubbles: true })); }");
        browser.wait("!control(0, 'fault').hidden");
        let fault = browser.text("control(0, 'fault').textContent");
        assert_eq!(fault, "the weight must be a number from 1 to 1000");
    });
}

#[test]
fn two_engines_are_compared_and_exported() {
    with_page("compare", |browser, address, folder| {
        open(browser, address);
        and_search(browser, |browser| browser.click("[name=compare]"));
        assert_eq!(browser.number("document.querySelectorAll('figure').length"), 2);
        browser.value("player.go(120)");
        browser.picture(&picture("compare"), false);
        browser.key("End");
        assert_eq!(count(browser, "Best path", 0), count(browser, "Best path", 1));
        let expanded = |browser: &mut Chromium, column| -> u64 {
            count(browser, "Expanded", column).replace(',', "").parse().unwrap()
        };
        let (informed, blind) = (expanded(browser, 0), expanded(browser, 1));
        assert!(informed < blind, "{informed} {blind}");

        // From both ends: two sides, and the same cost.
        and_search(browser, |browser| {
            browser.choose("[data-lane='1'] [data-name=engine]", "bidirectional");
        });
        browser.value("player.go(100)");
        browser.wait_for_frame();
        assert_eq!(
            browser.value("new Set(player.panels[1].marks.shown.filter(Boolean)).size"),
            json!(4)
        );
        browser.picture(&picture("both-ends"), false);
        browser.key("End");
        assert_eq!(count(browser, "Best path", 0), count(browser, "Best path", 1));
        let cost = count(browser, "Best path", 1);

        // The file plays alone.
        let file = folder.join("a-and-from-both-ends.html");
        browser.click("#export");
        wait_for_file(&file);
        browser.open(&format!("file://{}", file.display()));
        browser.wait(
            "player_is_there()"
                .replace("player_is_there()", "document.querySelectorAll('figure').length === 2")
                .as_str(),
        );
        assert_eq!(step(browser), 0);
        browser.picture(&picture("export"), false);
        browser.key(" ");
        browser.wait("document.querySelector('.play').textContent === 'Pause'");
        browser.wait("Number(document.querySelector('.position input').value) > 20");
        browser.key(" ");
        browser.key("End");
        assert_eq!(count(browser, "Best path", 1), cost);
        browser.picture(&picture("export-end"), true);
    });
}

#[test]
fn burrows_and_every_engine_are_played() {
    with_page("burrow", |browser, address, _| {
        open(browser, address);
        and_search(browser, |browser| browser.click("[name=board][value=burrow] + span"));
        browser.value("document.activeElement.blur()");
        browser.value("player.go(60)");
        browser.picture(&picture("burrow"), false);
        browser.key("End");
        assert_eq!(count(browser, "Best path", 0), "12,521");
        // At the end the path is played: everybody is at home.
        assert_eq!(
            browser
                .text("player.panels[0].recording.ids[player.panels[0].recording.solution.at(-1)]"),
            "...........AABBCCDD"
        );
        browser.wait_for_frame();
        browser.picture(&picture("burrow-home"), false);
        let engines = browser.value("[...control(0, 'engine').options].map(({ value }) => value)");
        assert_eq!(engines.as_array().unwrap().len(), 11, "none from both ends");

        and_search(browser, |browser| browser.click("[name=board][value=grid] + span"));
        let engines = browser.value("[...control(0, 'engine').options].map(({ value }) => value)");
        for engine in engines.as_array().unwrap() {
            let engine = engine.as_str().unwrap();
            and_search(browser, |browser| {
                browser.choose("[data-lane='0'] [data-name=engine]", engine);
            });
            browser.value("player.go(player.last)");
            browser.wait_for_frame();
            assert_eq!(browser.value("player.panels[0].recording.fault"), json!(null), "{engine}");
            assert_eq!(
                browser.value("player.panels[0].recording.report !== null"),
                json!(true),
                "{engine}"
            );
        }
    });
}
