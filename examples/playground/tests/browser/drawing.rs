//! Drawings: dragged ends, undo, random maps, what is under the pointer, and links.

use serde_json::json;

use crate::chromium::Chromium;
use crate::page::{and_search, cell, open, picture, row, with_page};

/// Shows this map.
fn show(browser: &mut Chromium, text: &str) {
    and_search(browser, |browser| {
        browser.value(&format!(
            "{{ fields.text.value = {text:?}; fields.text.dispatchEvent(new Event('input')); \
             fields.text.dispatchEvent(new Event('change')); }}"
        ));
    });
}

fn text(browser: &mut Chromium) -> String {
    browser.text("fields.text.value")
}

/// Presses Z with control, or with shift too.
fn undo_key(browser: &mut Chromium, is_redo: bool) {
    let modifiers = if is_redo { 2 + 8 } else { 2 };
    for kind in ["rawKeyDown", "keyUp"] {
        let params = json!({
            "type": kind, "key": "z", "code": "KeyZ", "windowsVirtualKeyCode": 90, "modifiers": modifiers,
        });
        browser.call("Input.dispatchKeyEvent", &params);
    }
}

#[test]
fn start_and_goals_are_dragged_and_changes_undone() {
    with_page("drag", |browser, address, _| {
        open(browser, address);
        show(browser, "S..3.\n..#..\nG...G");
        // With the brush of walls. What is under them comes back, and the other ends are in the way.
        let path: Vec<_> = [(0, 0), (1, 0), (2, 1), (3, 0), (4, 0)]
            .iter()
            .map(|&(x, y)| cell(browser, x, y))
            .collect();
        and_search(browser, |browser| browser.drag(&path));
        assert_eq!(text(browser), "...3S\n..#..\nG...G");
        browser.wait("player.panels[0].recording.setup.rows[0] === '...3S'");
        let path: Vec<_> =
            [(4, 2), (4, 1), (4, 0)].iter().map(|&(x, y)| cell(browser, x, y)).collect();
        and_search(browser, |browser| browser.drag(&path));
        assert_eq!(text(browser), "...3S\n..#.G\nG....");
        // One of two goals is drawn over by a click, the last is not.
        let first = cell(browser, 0, 2);
        and_search(browser, |browser| browser.drag(&[first]));
        assert_eq!(text(browser), "...3S\n..#.G\n#....");
        let last = cell(browser, 4, 1);
        browser.drag(&[last]);
        assert_eq!(text(browser), "...3S\n..#.G\n#....");

        // Each stroke is one change.
        and_search(browser, |browser| undo_key(browser, false));
        assert_eq!(text(browser), "...3S\n..#.G\nG....");
        and_search(browser, |browser| browser.click("#undo"));
        assert_eq!(text(browser), "...3S\n..#..\nG...G");
        and_search(browser, |browser| undo_key(browser, false));
        assert_eq!(text(browser), "S..3.\n..#..\nG...G");
        and_search(browser, |browser| undo_key(browser, true));
        and_search(browser, |browser| browser.click("#redo"));
        assert_eq!(text(browser), "...3S\n..#.G\nG....");
        // A new change after undoing ends what could be made again.
        browser.value("player.panels[0].board.focus()");
        and_search(browser, |browser| browser.key("5"));
        let changed = text(browser);
        undo_key(browser, true);
        assert_eq!(text(browser), changed);
        assert_eq!(
            browser.text("document.getElementById('announcement').textContent"),
            "there is nothing to redo"
        );
    });
}

#[test]
fn a_goal_is_dragged_while_the_search_follows() {
    with_page("live", |browser, address, _| {
        open(browser, address);
        show(browser, "S........\n.........\n........G");
        browser.value("document.activeElement.blur()");
        browser.key("End");
        let send = |browser: &mut Chromium, kind: &str, (x, y): (f64, f64)| {
            let buttons = i32::from(kind != "mouseReleased");
            let params = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
            browser.call("Input.dispatchMouseEvent", &params);
        };
        let from = cell(browser, 8, 2);
        send(browser, "mousePressed", from);
        for x in (1..8).rev() {
            let to = cell(browser, x, 2);
            send(browser, "mouseMoved", to);
            // Before the button is released.
            browser.wait(&format!("player.panels[0].recording.report?.cost === {}", x + 2));
        }
        let to = cell(browser, 1, 2);
        send(browser, "mouseReleased", to);
        assert_eq!(row(browser, 2), ".G.......");
        and_search(browser, |browser| undo_key(browser, false));
        assert_eq!(row(browser, 2), "........G");
    });
}

#[test]
fn random_maps_have_a_path() {
    with_page("random", |browser, address, _| {
        open(browser, address);
        for (button, name) in [("#maze", "maze"), ("#cave", "cave")] {
            let mut before = text(browser);
            for _ in 0..3 {
                and_search(browser, |browser| browser.click(button));
                let outcome = browser.text("document.querySelector('.outcome').textContent");
                assert!(outcome.contains("a cheapest path"), "{outcome}");
                let now = text(browser);
                assert_ne!(now, before);
                before = now;
            }
            browser.value("player.go(player.last)");
            browser.picture(&picture(name), false);
        }
    });
}

#[test]
fn costs_and_parent_are_told_under_the_pointer() {
    with_page("pointer", |browser, address, _| {
        open(browser, address);
        show(browser, "S...\n.#..\n...G");
        browser.value("player.go(2)");
        let hover = |browser: &mut Chromium, x, y| {
            let (x, y) = cell(browser, x, y);
            browser
                .call("Input.dispatchMouseEvent", &json!({ "type": "mouseMoved", "x": x, "y": y }));
            browser.text("document.querySelector('.under').textContent")
        };
        assert_eq!(hover(browser, 0, 0), "column 1, row 1: closed, g 0, h 5, f 5, no parent");
        assert_eq!(hover(browser, 1, 1), "column 2, row 2: wall");
        assert_eq!(hover(browser, 3, 2), "column 4, row 3: not reached");
        // One neighbour of the start is expanded, the other is open: without h, which is not in the recording yet.
        let mut told = [hover(browser, 1, 0), hover(browser, 0, 1)];
        told.sort_by_key(|told| told.contains("open"));
        assert!(told[0].ends_with(": closed, g 1, h 4, f 5, parent column 1, row 1"), "{told:?}");
        assert!(told[1].ends_with(": open, g 1, parent column 1, row 1"), "{told:?}");
        // By keys, at the cursor.
        browser.call("Input.dispatchMouseEvent", &json!({ "type": "mouseMoved", "x": 1, "y": 1 }));
        browser.value("player.panels[0].board.focus()");
        browser.key("ArrowUp");
        browser.key("Home");
        browser.value("player.go(1)");
        let under = browser.text("document.querySelector('.under').textContent");
        assert!(under.starts_with("column "), "{under}");
    });
}

#[test]
fn a_link_shows_the_same_search() {
    with_page("link", |browser, address, _| {
        open(browser, address);
        browser.wait("location.hash.startsWith('#board=grid&example=Village')");
        show(browser, "S..3.\n..#..\nG...G");
        for (name, value) in [("neighbours", "8"), ("compare", "")] {
            and_search(browser, |browser| match name {
                "compare" => browser.click("[name=compare]"),
                _ => browser.choose(&format!("[name={name}]"), value),
            });
        }
        and_search(browser, |browser| {
            browser.choose("[data-lane='1'] [data-name=engine]", "weighted");
        });
        and_search(browser, |browser| {
            browser.value("{ const weight = control(1, 'weight'); weight.value = 3.5; weight.dispatchEvent(new Event('change', { bubbles: true })); }");
        });
        and_search(browser, |browser| {
            browser.choose("[data-lane='0'] [data-name=heuristic]", "landmarks");
        });
        browser.wait("location.hash === address() && location.hash.includes('weight2=3.5')");
        let link = browser.text("location.href");
        assert!(!link.contains('%'), "nothing is escaped: {link}");
        let questions = browser.value("[question(0), question(1)]");
        browser.call("Page.navigate", &json!({ "url": "about:blank" }));
        browser.wait("location.href === 'about:blank'");
        open(browser, &link);
        assert_eq!(browser.value("[question(0), question(1)]"), questions);
        assert_eq!(browser.number("player.panels.length"), 2);
        // A reload, too.
        browser.value("globalThis.isOld = true");
        browser.call("Page.reload", &json!({}));
        browser.wait("globalThis.isOld === undefined && document.body?.dataset.searches === '1'");
        assert_eq!(browser.value("[question(0), question(1)]"), questions);
        // Another link in the same page.
        and_search(browser, |browser| {
            browser.value("location.hash = '#board=burrow&engine=nonsense&example=Unfolded'");
        });
        assert_eq!(browser.text("fields.example.value"), "Unfolded");
        assert_eq!(browser.number("player.panels.length"), 1);
    });
}
