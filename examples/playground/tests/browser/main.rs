//! The page in a real browser: draw, choose, play, step, compare, drop a trace, export, play the export; wide, narrow,
//! dark, by keyboard.
//!
//! Needs a Chromium in the search path, and is skipped with one line where there is none. Pictures of the page go to
//! the folder that `PLAYGROUND_PICTURES` names, or to one beside what cargo builds.

mod chromium;

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};

use bestfirst::problems::crucible::{Crucible, HeatMap};
use bestfirst::trace::Recorder;
use bestfirst::{AStar, FnProblem};
use chromium::Chromium;
use playground::Server;
use serde_json::json;

/// Starts a server and a browser for a test, or returns without them where there is no browser.
fn with_page(name: &str, test: impl FnOnce(&mut Chromium, &str, &Path)) {
    let Some(program) = chromium::find() else {
        static TOLD: Once = Once::new();
        TOLD.call_once(|| {
            // Past the capture of the test harness: that tests were skipped is worth knowing.
            let _ = writeln!(std::io::stderr(), "skipped: no Chromium in the search path");
        });
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("playground-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let server = Server::bind(0).unwrap();
    std::thread::scope(|scope| {
        let serving = scope.spawn(|| server.serve());
        // The server is to end also if the test fails.
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let address = format!("http://{}/", server.address());
            let mut browser = Chromium::start(&program, &folder);
            browser.set_screen(1280, 800, "light", "no-preference");
            test(&mut browser, &address, &folder);
            let (mut faults, addresses) = browser.faults_and_addresses();
            // The browser logs answers that tell of bad input.
            faults.retain(|fault| !fault.contains("(Unprocessable Content)"));
            assert!(faults.is_empty(), "{faults:#?}");
            // Nothing is loaded from elsewhere.
            let own = ["about:", "file:", "data:", "blob:", &address];
            for other in &addresses {
                assert!(own.iter().any(|own| other.starts_with(own)), "{other}");
            }
        }));
        server.end();
        serving.join().unwrap();
        if let Err(panic) = ended {
            std::panic::resume_unwind(panic);
        }
    });
}

/// The file of a picture.
fn picture(name: &str) -> PathBuf {
    let folder = env::var_os("PLAYGROUND_PICTURES").map_or_else(
        || Path::new(env!("CARGO_TARGET_TMPDIR")).join("playground-pictures"),
        PathBuf::from,
    );
    fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{name}.png"))
}

/// Opens the page and waits for its first search.
fn open(browser: &mut Chromium, address: &str) {
    browser.open(address);
    browser.wait("document.body.dataset.searches === '1'");
    browser.wait_for_frame();
}

/// Does something and waits for the search that it leads to.
fn and_search(browser: &mut Chromium, act: impl FnOnce(&mut Chromium)) {
    let before = browser.number("Number(document.body.dataset.searches)");
    act(browser);
    browser.wait(&format!("Number(document.body.dataset.searches) > {before}"));
    browser.wait_for_frame();
}

/// A number in the table: in this row, of the first or the second engine.
fn count(browser: &mut Chromium, row: &str, column: usize) -> String {
    browser.wait_for_frame();
    browser.text(&format!(
        "[...document.querySelectorAll('.readout tbody tr')].find((row) => row.cells[0].textContent === {row:?}).cells[{}].textContent",
        column + 1
    ))
}

fn step(browser: &mut Chromium) -> u64 {
    browser.wait_for_frame();
    browser.number("Number(document.querySelector('.position input').value)")
}

/// Waits until a file has been saved.
fn wait_for_file(file: &Path) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !file.exists() {
        assert!(Instant::now() < deadline, "no {}", file.display());
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The middle of a cell of the first board.
fn cell(browser: &mut Chromium, x: usize, y: usize) -> (f64, f64) {
    let at = browser.value(&format!(
        "(() => {{ const box = player.panels[0].board.getBoundingClientRect(); const size = player.panels[0].layout.cell; \
         return [box.x + size * ({x} + 0.5), box.y + size * ({y} + 0.5)]; }})()"
    ));
    (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
}

fn row(browser: &mut Chromium, y: usize) -> String {
    browser.text(&format!("document.querySelector('textarea').value.split('\\n')[{y}]"))
}

#[test]
fn a_search_is_played_and_stepped_by_keys() {
    with_page("keys", |browser, address, _| {
        open(browser, address);
        browser.picture(&picture("first-sight"), false);
        assert_eq!(step(browser), 0);
        assert_eq!(browser.text("document.querySelector('h2').textContent"), "A*");

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
    });
}

#[test]
fn bad_input_is_told_at_its_place() {
    with_page("faults", |browser, address, _| {
        open(browser, address);
        browser.click("summary");
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
        fs::write(&cells, text).unwrap();

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
        assert_eq!(browser.text("document.querySelector('h2').textContent"), "crucible.jsonl");
        assert_eq!(
            browser
                .value("(({ columns, rows }) => [columns, rows])(player.panels[0].recording.size)"),
            json!([13, 4])
        );
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
        assert_eq!(browser.text("document.querySelector('h2').textContent"), "A*");
        browser.open(&roads);
        browser.wait("document.querySelectorAll('figure').length === 1");
        browser.key("End");
        assert_eq!(count(browser, "Closed", 0), "1");
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
