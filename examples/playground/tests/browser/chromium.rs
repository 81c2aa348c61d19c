//! Drives a Chromium over the pipe of its `DevTools` protocol: messages in JSON, each ended by a zero byte.

use std::collections::VecDeque;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// An answer, or a condition on the page, is waited for so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running browser with one page.
pub struct Chromium {
    child: Child,
    stdin: ChildStdin,
    messages: Receiver<Value>,
    /// What came while something else was waited for.
    events: VecDeque<Value>,
    last_id: u64,
    session: Option<String>,
    profile: PathBuf,
}

/// The browser in the search path, if there is one.
pub fn find() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let path = env::var_os("PATH")?;
    let folders: Vec<_> = env::split_paths(&path).collect();
    let files = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.into_iter().find(|file| file.is_file())
}

impl Chromium {
    /// Starts a browser without a window; its profile and its downloads are in the folder.
    pub fn start(browser: &Path, folder: &Path) -> Self {
        let profile = folder.join("profile");
        // The browser reads from 3 and writes to 4; the shell puts our pipes there.
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#])
            .arg(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--no-first-run", "--disable-extensions", "--hide-scrollbars"])
            .args(["--remote-debugging-pipe", "--force-color-profile=srgb"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let stdin = child.stdin.take().expect("a pipe");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            while stdout.read_until(0, &mut bytes).is_ok_and(|read| read > 0) {
                let message = serde_json::from_slice(&bytes[..bytes.len() - 1]);
                if sender.send(message.expect("a message in JSON")).is_err() {
                    break;
                }
                bytes.clear();
            }
        });
        let events = VecDeque::new();
        let mut browser =
            Self { child, stdin, messages, events, last_id: 0, session: None, profile };
        let target = browser.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", &attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        let download = json!({ "behavior": "allow", "downloadPath": folder });
        browser.call("Browser.setDownloadBehavior", &download);
        browser
    }

    /// Calls a method and returns its result.
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = self.session.as_ref().filter(|_| !method.starts_with("Browser.")) {
            message["sessionId"] = json!(session);
        }
        write!(self.stdin, "{message}\0").expect("the browser listens");
        self.stdin.flush().expect("the browser listens");
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut answer = self.messages.recv_timeout(left).unwrap_or_else(|fault| {
                panic!("{method}: no answer: {fault}");
            });
            if answer["id"] == id {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
            self.events.push_back(answer);
        }
    }

    /// Opens an address and waits until it is loaded.
    pub fn open(&mut self, address: &str) {
        self.call("Page.navigate", &json!({ "url": address }));
        self.wait(&format!("document.readyState === 'complete' && location.href !== 'about:blank' && {address:?}.startsWith(location.origin === 'null' ? 'file' : location.origin)"));
    }

    /// The value of an expression on the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut result = self.call("Runtime.evaluate", &params);
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {}",
            result["exceptionDetails"]
        );
        result["result"]["value"].take()
    }

    /// A whole number on the page.
    pub fn number(&mut self, expression: &str) -> u64 {
        let value = self.value(expression);
        value.as_u64().unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// A text on the page, once it is drawn.
    pub fn text(&mut self, expression: &str) -> String {
        self.wait_for_frame();
        let value = self.value(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is {value}")).to_owned()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, condition: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.value(condition) != json!(true) {
            assert!(Instant::now() < deadline, "waited in vain for {condition}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the page has been drawn.
    pub fn wait_for_frame(&mut self) {
        self.value(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))",
        );
    }

    /// Presses and releases a key.
    pub fn key(&mut self, key: &str) {
        let (code, number, text) = match key {
            " " => ("Space", 32, " "),
            "Enter" => ("Enter", 13, "\r"),
            "Tab" => ("Tab", 9, ""),
            "Home" => ("Home", 36, ""),
            "End" => ("End", 35, ""),
            "ArrowLeft" => ("ArrowLeft", 37, ""),
            "ArrowUp" => ("ArrowUp", 38, ""),
            "ArrowRight" => ("ArrowRight", 39, ""),
            "ArrowDown" => ("ArrowDown", 40, ""),
            other => ("", 0, other),
        };
        let mut params = json!({
            "type": if text.is_empty() { "rawKeyDown" } else { "keyDown" },
            "key": key, "code": code, "windowsVirtualKeyCode": number,
        });
        if !text.is_empty() {
            params["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", &params);
        params["type"] = json!("keyUp");
        self.call("Input.dispatchKeyEvent", &params);
    }

    /// Moves the pressed pointer over some points.
    pub fn drag(&mut self, points: &[(f64, f64)]) {
        let mut send = |kind: &str, (x, y): (f64, f64)| {
            let buttons = i32::from(kind != "mouseReleased");
            self.call("Input.dispatchMouseEvent", &json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 }),
            );
        };
        send("mousePressed", points[0]);
        for &point in points {
            send("mouseMoved", point);
        }
        send("mouseReleased", points[points.len() - 1]);
    }

    /// Clicks in the middle of the first element that a selector finds.
    pub fn click(&mut self, selector: &str) {
        let middle = self.value(&format!(
            "(() => {{ const element = document.querySelector({selector:?}); element.scrollIntoView({{ block: 'nearest' }}); \
             const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        let at = |index: usize| middle[index].as_f64().expect("a number");
        self.drag(&[(at(0), at(1))]);
    }

    /// Chooses an option of a list by its value, as a user does.
    pub fn choose(&mut self, selector: &str, value: &str) {
        self.value(&format!(
            "(() => {{ const list = document.querySelector({selector:?}); list.focus(); list.value = {value:?}; \
             if (list.value !== {value:?}) throw new Error('no such option'); \
             list.dispatchEvent(new Event('change', {{ bubbles: true }})); list.blur(); return 1; }})()"
        ));
    }

    /// Drops files onto a point of the page.
    pub fn drop_files(&mut self, files: &[&Path], (x, y): (f64, f64)) {
        for kind in ["dragEnter", "dragOver", "drop"] {
            let data = json!({ "items": [], "files": files, "dragOperationsMask": 1 });
            self.call(
                "Input.dispatchDragEvent",
                &json!({ "type": kind, "x": x, "y": y, "data": data }),
            );
        }
    }

    /// Sets the size of the page, its colours, and whether motion is to be reduced.
    pub fn set_screen(&mut self, width: u32, height: u32, scheme: &str, motion: &str) {
        let is_narrow = width < 500;
        self.call("Emulation.setDeviceMetricsOverride", &json!({ "width": width, "height": height, "deviceScaleFactor": if is_narrow { 2 } else { 1 }, "mobile": is_narrow }),
        );
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": motion },
        ]);
        self.call("Emulation.setEmulatedMedia", &json!({ "features": features }));
        self.wait_for_frame();
    }

    /// Writes a picture of the page, or of all of it that can be scrolled to.
    pub fn picture(&mut self, file: &Path, whole: bool) {
        self.wait_for_frame();
        let result = self.call(
            "Page.captureScreenshot",
            &json!({ "format": "png", "captureBeyondViewport": whole }),
        );
        let data = result["data"].as_str().expect("a picture");
        fs::write(file, decoded(data)).expect("a folder for pictures");
    }

    /// Messages of the console and of scripts that tell of faults, and addresses that were asked for.
    pub fn faults_and_addresses(&mut self) -> (Vec<String>, Vec<String>) {
        self.value("1");
        let (mut faults, mut addresses) = (Vec::new(), Vec::new());
        for event in self.events.drain(..) {
            let params = &event["params"];
            match event["method"].as_str().unwrap_or_default() {
                "Runtime.exceptionThrown" => {
                    faults.push(params["exceptionDetails"]["exception"].to_string());
                }
                "Log.entryAdded" if params["entry"]["level"] == "error" => {
                    faults.push(params["entry"].to_string());
                }
                "Network.requestWillBeSent" => {
                    let address = params["request"]["url"].as_str().unwrap_or_default();
                    addresses.push(address.to_owned());
                }
                _ => {}
            }
        }
        (faults, addresses)
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = write!(self.stdin, r#"{{"id":0,"method":"Browser.close"}}{}"#, '\0');
        let _ = self.stdin.flush();
        let deadline = Instant::now() + Duration::from_secs(5);
        while self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            if Instant::now() > deadline {
                let _ = self.child.kill();
                let _ = self.child.wait();
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = fs::remove_dir_all(&self.profile);
    }
}

/// The bytes of a text in base 64.
fn decoded(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values = text.bytes().filter_map(|byte| LETTERS.iter().position(|&letter| letter == byte));
    let (mut bits, mut count, mut bytes) = (0_usize, 0, Vec::with_capacity(text.len() * 3 / 4));
    for value in values {
        bits = (bits << 6 | value) & 0xFFFF;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xFF).unwrap_or_default());
        }
    }
    bytes
}
