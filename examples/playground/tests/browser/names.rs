//! What the page calls things, and the keys of the page that is saved.

use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::page::{and_search, open, step, wait_for_file, with_page};

/// The names of the controls that are seen: buttons, choices, and fields by their labels; those of the second engine apart.
const NAMES: &str = "[...document.querySelectorAll('button, summary, select, textarea, input')] \
    .filter((control) => control.checkVisibility() && !control.closest('[data-lane=\"1\"]')) \
    .map((control) => ({ control, told: control.labels?.[0] ?? control })) \
    .map(({ control, told }) => (control.ariaLabel ?? told.firstChild?.textContent.trim()) || told.textContent.trim())";

#[test]
fn one_name_is_of_one_thing() {
    with_page("names", |browser, address, _| {
        open(browser, address);
        and_search(browser, |browser| browser.click("[name=compare]"));
        browser.click("#drawing summary");
        browser.click("#begin-tour");
        browser.wait_for_frame();
        let names = browser.value(NAMES);
        let mut names: Vec<_> =
            names.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        for name in ["Play", "First", "Start", "Goal", "Next stop", "Engine", "Undo"] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        assert!(names.iter().all(|name| !name.is_empty()), "{names:?}");
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    });
}

/// What each of these keys leads to: the step, and what the button of the space bar says.
fn after_keys(browser: &mut Chromium) -> Vec<(u64, String)> {
    let keys = ["End", "Home", ".", ".", "ArrowRight", "ArrowRight", ",", "ArrowLeft", "End", ","];
    let mut after: Vec<_> = Vec::new();
    for key in keys.into_iter().chain(["Home", " ", " "]) {
        browser.key(key);
        browser.wait_for_frame();
        let plays = browser.text("document.querySelector('.play').textContent");
        // While it plays, the step depends on the time.
        let is_played =
            plays == "Pause" || after.last().is_some_and(|last: &(_, String)| last.1 == "Pause");
        after.push((if is_played { 0 } else { step(browser) }, plays));
    }
    after
}

#[test]
fn the_saved_page_has_the_keys_of_the_live_one() {
    // All keys to which the page listens outside of a map, as the page itself says.
    const KEYS: &str = "[...Player.prototype.key.toString().matchAll(/^ *(?:\"(.)\"|(\\w+)): \\(\\) =>/gm)].map(([, sign, name]) => sign ?? name)";
    with_page("saved", |browser, address, folder| {
        open(browser, address);
        browser.value("document.activeElement.blur()");
        let keys = browser.value(KEYS);
        assert_eq!(keys, json!([" ", ".", ",", "ArrowRight", "ArrowLeft", "Home", "End"]));
        let live = after_keys(browser);
        let last = live[0].0;
        let steps: Vec<_> = live.iter().take(10).map(|(step, _)| *step).collect();
        assert_eq!(steps, [last, 0, 1, 2, 3, 4, 3, 2, last, last - 1]);
        assert_eq!([&live[11].1, &live[12].1], ["Pause", "Play"]);

        let told = |browser: &mut Chromium| -> Value {
            browser
                .value("[...document.querySelectorAll('header kbd')].map((key) => key.textContent)")
        };
        let told_live = told(browser);
        browser.click("#export");
        let file = folder.join("a.html");
        wait_for_file(&file);
        browser.open(&format!("file://{}", file.display()));
        browser.wait("document.querySelectorAll('figure').length === 1");
        assert_eq!(browser.value(KEYS), keys);
        assert_eq!(after_keys(browser), live);
        assert_eq!(told(browser), told_live);
    });
}
