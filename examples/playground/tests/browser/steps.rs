//! Hexagons, rules for corners, and jump points.

use serde_json::json;

use crate::chromium::Chromium;
use crate::page::{and_search, open, picture, row, with_page};

fn step_to(browser: &mut Chromium, steps: &str) {
    and_search(browser, |browser| browser.choose("[name=neighbours]", steps));
    browser.value("player.go(player.last)");
    browser.wait_for_frame();
}

#[test]
fn hexagons_are_drawn_and_drawn_on() {
    with_page("hexagons", |browser, address, _| {
        open(browser, address);
        step_to(browser, "6");
        browser.value("player.go(100)");
        browser.picture(&picture("hexagons"), false);
        browser.value("globalThis.at = player.panels[0].layout");
        // Each cell is found at its middle, and also near its edges.
        let wrong = "[...Array(at.rows * at.columns).keys()].filter((cell) => { \
             const [x, y] = [cell % at.columns, Math.floor(cell / at.columns)]; const [left, top] = at.middle(x, y); \
             return [[0, 0], [0.45, 0], [-0.45, 0], [0, 0.5], [0, -0.5], [0.2, 0.4], [-0.2, -0.4]].some(([dx, dy]) => { \
                 const found = at.cellAt(left + dx * at.cell, top + dy * at.cell); return found.x !== x || found.y !== y; }); }).length";
        assert_eq!(browser.number(wrong), 0);
        let point = browser.value("(() => { const box = player.panels[0].board.getBoundingClientRect(); const [x, y] = at.middle(3, 1); return [box.x + x, box.y + y]; })()");
        let point = (point[0].as_f64().unwrap(), point[1].as_f64().unwrap());
        and_search(browser, |browser| browser.drag(&[point]));
        assert_eq!(row(browser, 1).find('#'), Some(3));
        // The path has neighbours only.
        let gaps = "(() => { const { recording, layout } = player.panels[0]; const { solution, xs, ys } = recording; \
             const places = solution.map((state) => layout.middle(xs[state], ys[state])); \
             return places.slice(1).filter(([x, y], at) => Math.abs(Math.hypot(x - places[at][0], y - places[at][1]) / layout.cell - 1) > 1e-6).length; })()";
        assert_eq!(browser.number(gaps), 0);
        assert!(browser.number("player.panels[0].recording.solution.length") > 20);
    });
}

#[test]
fn corners_and_jump_points_are_chosen_and_linked() {
    with_page("corners", |browser, address, _| {
        open(browser, address);
        and_search(browser, |browser| browser.choose("[name=example]", "Trap"));
        let expanded = |browser: &mut Chromium| {
            let report = browser.value("player.panels[0].recording.report");
            (report["cost"].as_u64().unwrap(), report["expanded"].as_u64().unwrap())
        };
        step_to(browser, "8-one");
        let around = expanded(browser);
        step_to(browser, "8");
        let single = expanded(browser);
        assert!(around.0 < single.0);
        step_to(browser, "jumps");
        let jumps = expanded(browser);
        assert_eq!(jumps.0, single.0);
        assert!(jumps.1 * 5 < single.1, "{jumps:?} {single:?}");
        browser.picture(&picture("jumps"), false);
        // The runs that are drawn are straight or diagonal, and cross no wall.
        let drawn = "(() => { const { recording } = player.panels[0]; const { rows } = recording.setup; \
             const points = runs(recording.solution.map((state) => [recording.xs[state], recording.ys[state]]), true); \
             return points.slice(1).every(([x, y], at) => { const [fromX, fromY] = points[at]; \
                 const [dx, dy] = [x - fromX, y - fromY]; const steps = Math.max(Math.abs(dx), Math.abs(dy)); \
                 return (dx === 0 || dy === 0 || Math.abs(dx) === Math.abs(dy)) && [...Array(steps + 1).keys()] \
                     .every((step) => rows[fromY + Math.sign(dy) * step][fromX + Math.sign(dx) * step] !== '#'); }); })()";
        assert_eq!(browser.value(drawn), json!(true));
        browser.wait("location.hash === address() && location.hash.includes('neighbours=jumps')");
        // Where they cannot lead is told at the choice.
        browser.choose("[name=example]", "Hills");
        browser.wait("!document.getElementById('steps-fault').hidden");
        let fault = browser.text("document.getElementById('steps-fault').textContent");
        assert!(fault.starts_with("jump points need cells of equal cost"), "{fault}");
        step_to(browser, "8");
        assert_eq!(browser.value("document.getElementById('steps-fault').hidden"), json!(true));
    });
}
