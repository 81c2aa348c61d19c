//! What the tests do with the page.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use playground::Server;

use crate::built;
use crate::chromium::{self, Chromium};

/// Says that tests are skipped: past the capture of the test harness, as that is worth knowing.
pub fn skip(why: &str) {
    static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut told = TOLD.lock().unwrap();
    if !told.iter().any(|other| other == why) {
        let _ = writeln!(std::io::stderr(), "skipped: {why}");
        told.push(why.to_owned());
    }
}

/// Runs a test in a browser on the page of a server, and on the page as files; without a browser on neither.
pub fn with_page(name: &str, test: impl Fn(&mut Chromium, &str, &Path)) {
    let Some(program) = browser() else { return };
    let server = Server::bind(0).unwrap();
    std::thread::scope(|scope| {
        let serving = scope.spawn(|| server.serve());
        // The server is to end also if the test fails.
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            in_browser(&program, name, &format!("http://{}/", server.address()), &test);
        }));
        server.end();
        serving.join().unwrap();
        if let Err(panic) = ended {
            std::panic::resume_unwind(panic);
        }
    });
    with_built_page(name, test);
}

/// The same on the page as files alone.
pub fn with_built_page(name: &str, test: impl Fn(&mut Chromium, &str, &Path)) {
    let Some(program) = browser() else { return };
    let Some(folder) = built::folder() else { return };
    in_browser(&program, &format!("{name}-built"), &built::serve(folder), &test);
}

fn browser() -> Option<PathBuf> {
    let program = chromium::find();
    if program.is_none() {
        skip("no Chromium in the search path");
    }
    program
}

fn in_browser(
    program: &Path,
    name: &str,
    address: &str,
    test: &impl Fn(&mut Chromium, &str, &Path),
) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("playground-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut browser = Chromium::start(program, &folder);
    browser.set_screen(1280, 800, "light", "no-preference");
    test(&mut browser, address, &folder);
    let (mut faults, addresses) = browser.faults_and_addresses();
    // The browser logs answers that tell of bad input.
    faults.retain(|fault| !fault.contains("(Unprocessable Content)"));
    assert!(faults.is_empty(), "{faults:#?}");
    // Nothing is loaded from elsewhere.
    let own = ["about:", "file:", "data:", "blob:", address];
    for other in &addresses {
        assert!(own.iter().any(|own| other.starts_with(own)), "{other}");
    }
}

/// The file of a picture.
pub fn picture(name: &str) -> PathBuf {
    let folder = env::var_os("PLAYGROUND_PICTURES").map_or_else(
        || Path::new(env!("CARGO_TARGET_TMPDIR")).join("playground-pictures"),
        PathBuf::from,
    );
    fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{name}.png"))
}

/// Opens the page and waits for its first search.
pub fn open(browser: &mut Chromium, address: &str) {
    browser.open(address);
    browser.wait("document.body.dataset.searches === '1'");
    browser.wait_for_frame();
}

/// Does something and waits for the search that it leads to.
pub fn and_search(browser: &mut Chromium, act: impl FnOnce(&mut Chromium)) {
    let before = browser.number("Number(document.body.dataset.searches)");
    act(browser);
    browser.wait(&format!("Number(document.body.dataset.searches) > {before}"));
    browser.wait_for_frame();
}

/// A number in the table: in this row, of the first or the second engine.
pub fn count(browser: &mut Chromium, row: &str, column: usize) -> String {
    browser.wait_for_frame();
    browser.text(&format!(
        "[...document.querySelectorAll('.readout tbody tr')].find((row) => row.cells[0].textContent === {row:?}).cells[{}].textContent",
        column + 1
    ))
}

pub fn step(browser: &mut Chromium) -> u64 {
    browser.wait_for_frame();
    browser.number("Number(document.querySelector('.position input').value)")
}

/// Waits until a file has been saved.
pub fn wait_for_file(file: &Path) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !file.exists() {
        assert!(Instant::now() < deadline, "no {}", file.display());
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The middle of a cell of the first board.
pub fn cell(browser: &mut Chromium, x: usize, y: usize) -> (f64, f64) {
    let at = browser.value(&format!(
        "(() => {{ const box = player.panels[0].board.getBoundingClientRect(); const size = player.panels[0].layout.cell; \
         return [box.x + size * ({x} + 0.5), box.y + size * ({y} + 0.5)]; }})()"
    ));
    (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
}

pub fn row(browser: &mut Chromium, y: usize) -> String {
    browser.text(&format!("document.querySelector('textarea').value.split('\\n')[{y}]"))
}
