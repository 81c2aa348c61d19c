//! How many frames a second are drawn while a search is played. Timing needs a machine that does little else, so this is run
//! by hand: see TESTING.md.

use serde_json::json;

use crate::chromium::Chromium;
use crate::page::{and_search, open, with_page};

/// Plays what is loaded, at this place of the slider of speeds; returns the milliseconds between frames and those that drawing
/// takes: median, and worst after the first few.
fn play(browser: &mut Chromium, speed: u32) -> [[f64; 2]; 2] {
    let told = browser.value(&format!(
        "new Promise((done) => {{ player.go(0); player.speed.value = {speed}; player.showSpeed(); \
         const [between, drawn] = [[], []]; let before = null; \
         const draw = player.drawNow; \
         player.drawNow = () => {{ const from = performance.now(); draw.call(player); drawn.push(performance.now() - from); }}; \
         const tick = (time) => {{ if (before !== null) between.push(time - before); before = time; \
             if (between.length < 120 && player.isPlaying) return requestAnimationFrame(tick); \
             delete player.drawNow; player.pause(); \
             const sorted = (list) => list.slice(5).sort((one, other) => one - other); \
             done([between, drawn].map(sorted).map((list) => [list[Math.floor(list.length / 2)], list.at(-1)])); }}; \
         player.play(); requestAnimationFrame(tick); }})"
    ));
    let told = serde_json::from_value(told);
    told.expect("two pairs of numbers")
}

#[test]
#[ignore = "measures time"]
fn sixty_frames_a_second_are_played() {
    with_page("frames", |browser, address, _| {
        open(browser, address);
        let large = "['S' + '.'.repeat(399), ...Array(398).fill('.'.repeat(400)), '.'.repeat(399) + 'G'].join('\\n')";
        let mut slow = Vec::new();
        let mut measure = |browser: &mut Chromium, name: &str, speed| {
            let [between, drawn] = play(browser, speed);
            println!(
                "{name}: {:.1} ms between frames, at most {:.1}; drawing takes {:.1} ms, at most {:.1}",
                between[0], between[1], drawn[0], drawn[1]
            );
            // A frame that takes no longer than the screen needs.
            if between[0] > 17.0 {
                slow.push(name.to_owned());
            }
        };
        measure(browser, "default map", 50);
        and_search(browser, |browser| browser.click("[name=compare]"));
        measure(browser, "default map, two engines", 50);
        and_search(browser, |browser| browser.click("[name=compare]"));
        browser.value(&format!("fields.text.value = {large}"));
        and_search(browser, |browser| browser.choose("[name=expansions]", "100000"));
        and_search(browser, |browser| {
            browser.choose("[data-lane='0'] [data-name=engine]", "dijkstra");
        });
        assert_eq!(browser.value("player.last"), json!(100_000));
        measure(browser, "160,000 cells", 100);
        browser.value("globalThis.go = player.go.bind(player); player.go = (at) => go(at === 0 ? 90_000 : at)");
        measure(browser, "160,000 cells, 90,000 of them expanded", 50);
        assert_eq!(slow, [""; 0]);
    });
}
