//! Large maps, narrow and dark screens, and keys alone.

use serde_json::json;

use crate::page::{and_search, count, open, picture, with_page};

#[test]
fn large_maps_are_played() {
    with_page("large", |browser, address, _| {
        open(browser, address);
        browser.value("fields.text.value = ['S' + '.'.repeat(399), ...Array(398).fill('.'.repeat(400)), '.'.repeat(399) + 'G'].join('\\n')");
        and_search(browser, |browser| {
            browser.choose("[data-lane='0'] [data-name=engine]", "dijkstra");
        });
        let outcome = browser.text("document.querySelector('.outcome').textContent");
        assert_eq!(outcome, "stopped: the limit on expansions is reached, 20,000 expanded");
        browser.value("{ player.speed.value = 100; player.showSpeed(); }");
        browser.key(" ");
        browser.wait("player.position > 5000");
        browser.key(" ");
        browser.value("player.go(11999)");
        assert_eq!(count(browser, "Closed", 0), "11,999");
        browser.picture(&picture("large"), false);
        // What stopped it can be raised.
        assert_eq!(
            browser.text("document.querySelector('.more').textContent"),
            "Allow 50,000 expansions"
        );
        and_search(browser, |browser| browser.click(".more"));
        let outcome = browser.text("document.querySelector('.outcome').textContent");
        assert_eq!(outcome, "stopped: the limit on expansions is reached, 50,000 expanded");
        assert_eq!(
            browser.text("document.querySelector('.more').textContent"),
            "Allow 100,000 expansions"
        );
    });
}

#[test]
fn the_page_fits_narrow_and_dark_screens_and_needs_no_pointer() {
    with_page("screens", |browser, address, _| {
        for (scheme, name) in [("light", "narrow"), ("dark", "narrow-dark")] {
            browser.set_screen(360, 740, scheme, "reduce");
            open(browser, address);
            assert_eq!(browser.number("document.documentElement.scrollWidth"), 360);
            browser.value("player.go(150)");
            browser.picture(&picture(name), false);
            browser.picture(&picture(&format!("{name}-whole")), true);
            and_search(browser, |browser| browser.click("[name=compare]"));
            assert_eq!(browser.number("document.documentElement.scrollWidth"), 360);
            browser.value("scrollTo(0, 0)");
            browser.picture(&picture(&format!("{name}-compare")), true);
        }
        browser.set_screen(1280, 800, "dark", "no-preference");
        open(browser, address);
        browser.value("player.go(150)");
        browser.picture(&picture("dark"), false);
        and_search(browser, |browser| browser.click("[name=compare]"));
        browser.value("player.go(180)");
        browser.picture(&picture("dark-compare"), false);

        // Both boards are level, also where one caption is longer.
        browser.set_screen(1280, 800, "light", "no-preference");
        and_search(browser, |browser| {
            browser.choose("[data-lane='1'] [data-name=engine]", "branch-and-bound");
        });
        and_search(browser, |browser| {
            browser.choose("[data-lane='1'] [data-name=heuristic]", "landmarks");
        });
        browser.value("scrollTo(0, 0)");
        let rows = "new Set(player.panels.map(({ title }) => title.parentElement.getClientRects()[0].height)).size";
        assert_eq!(browser.number(rows), 1);
        let tops =
            "new Set(player.panels.map(({ board }) => board.getBoundingClientRect().top)).size";
        assert_eq!(browser.number(tops), 1);
        browser.picture(&picture("level"), false);

        // The engine is chosen without scrolling on a low screen.
        browser.set_screen(1366, 650, "light", "no-preference");
        open(browser, address);
        browser.value("scrollTo(0, 0)");
        let bottom =
            browser.number("Math.ceil(control(0, 'heuristic').getBoundingClientRect().bottom)");
        assert!(bottom <= 650, "{bottom}");
        browser.picture(&picture("low"), false);
        // On a tablet the map is in sight.
        browser.set_screen(820, 1180, "light", "no-preference");
        open(browser, address);
        let [top, bottom] = ["top", "bottom"].map(|side| {
            let place = format!(
                "Math.ceil(player.panels[0].board.getBoundingClientRect().{side} + scrollY)"
            );
            browser.number(&place)
        });
        assert!(top < 200 && bottom <= 1180, "{top} {bottom}");
        browser.picture(&picture("tablet"), false);
        browser.set_screen(1280, 800, "dark", "no-preference");

        // Every control that is shown can be reached by Tab, and shows that it is.
        open(browser, address);
        browser.value(
            "globalThis.wanted = new Set([...document.querySelectorAll('button, select, input, textarea, summary, canvas[tabindex=\"0\"]')] \
             .filter((element) => element.checkVisibility() && !element.closest('[hidden]') && !(element.type === 'radio' && !element.checked)))",
        );
        browser.value("document.activeElement.blur()");
        let total = browser.number("wanted.size");
        assert!(total > 15, "{total}");
        for _ in 0..60 {
            browser.key("Tab");
            let has_ring = browser.value(
                "(() => { const element = document.activeElement; wanted.delete(element); \
                 if (element === document.body || element.type === 'file') return true; \
                 const shown = element.type === 'radio' ? element.nextElementSibling : element; \
                 return getComputedStyle(shown).outlineStyle !== 'none'; })()",
            );
            assert_eq!(
                has_ring,
                json!(true),
                "{}",
                browser.text("document.activeElement.outerHTML")
            );
        }
        let left = browser.value("[...wanted].map((element) => element.outerHTML)");
        assert_eq!(left, json!([]));
    });
}
