//! The tables of BENCHMARKS.md.
#![allow(dead_code, reason = "each bench that takes this module in uses a part of it")]

use std::fmt::Write as _;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Rows of text under a heading; all columns but the first are numbers.
pub struct Table {
    pub heading: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// For the page.
    pub fn markdown(&self) -> String {
        let mut text = format!("| {} |\n|---|", self.heading.join(" | "));
        text.push_str(&"---:|".repeat(self.heading.len() - 1));
        text.push('\n');
        for row in &self.rows {
            let mut row = row.clone();
            row.resize(self.heading.len(), String::new());
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text
    }
}

/// The option that says that a bench was compiled by the default release profile: it cannot know.
pub const DEFAULT_PROFILE: &str = "--default-profile";

/// When, on what, and by which command something was measured.
pub fn circumstances(bench: &str) -> String {
    let quoted = |word: String| if word.contains(' ') { format!("\"{word}\"") } else { word };
    let is_default = std::env::args().any(|word| word == DEFAULT_PROFILE);
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|word| word != "--bench").map(quoted).collect();
    let profile = if is_default { " --profile release" } else { "" };
    let mut command = format!("cargo bench{profile} --bench {bench}");
    let features =
        [("parallel", cfg!(feature = "parallel")), ("distributed", cfg!(feature = "distributed"))];
    for (name, _) in features.into_iter().filter(|&(_, is_on)| is_on) {
        let _ = write!(command, " --features {name}");
    }
    let _ = write!(command, " -- {}", arguments.join(" "));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{}, {}, {}, {cores} cores, {}, `{}`",
        today(),
        version(),
        processor(),
        compiler(),
        command.trim_end_matches([' ', '-']),
    )
}

/// The commit, and whether files other than pages of text were changed after it.
fn version() -> String {
    let commit = output("git", &["rev-parse", "--short", "HEAD"]).unwrap_or_default();
    if commit.is_empty() {
        return "unknown commit".to_owned();
    }
    let all_but_pages = ["--", ":/", ":(top,exclude)*.md", ":(top,exclude)docs"];
    let changes = output("git", &[&["status", "--porcelain"], &all_but_pages[..]].concat());
    match changes.as_deref() {
        Some("") => format!("commit {commit}"),
        _ => format!("commit {commit} with changes"),
    }
}

/// Its name and version.
pub fn compiler() -> String {
    output("rustc", &["--version"]).unwrap_or_else(|| "unknown compiler".to_owned())
}

fn processor() -> String {
    let known = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = known.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let name = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    match (field("cpu family"), field("model\t")) {
        (Some(family), Some(model)) => format!("{name} (family {family}, model {model})"),
        _ => name,
    }
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let line = String::from_utf8(output.stdout).ok()?;
    Some(line.split(" (").next()?.trim().to_owned())
}

/// The date in Greenwich.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let mut day = seconds / 86_400;
    let mut year = 1970;
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    for days in [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}

/// Returns the text of BENCHMARKS.md between the marks `<!-- name -->` and `<!-- /name -->`.
pub fn read(name: &str) -> String {
    let page = page();
    let (from, to) = place(&page, name);
    page[from..to].to_owned()
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../BENCHMARKS.md");

fn page() -> String {
    std::fs::read_to_string(PAGE).unwrap_or_else(|fault| panic!("{PAGE}: {fault}"))
}

/// Where the text between the marks begins and ends.
fn place(page: &str, name: &str) -> (usize, usize) {
    let (begin, end) = (format!("<!-- {name} -->"), format!("<!-- /{name} -->"));
    let place = page.find(&begin).zip(page.find(&end));
    let (from, to) = place.unwrap_or_else(|| panic!("{PAGE} has no {begin} … {end}"));
    (from + begin.len(), to)
}

/// Puts `text` into BENCHMARKS.md, between the marks `<!-- name -->` and `<!-- /name -->`. If its tables have fewer rows than those
/// that stand there, because data was missing or only some cases were chosen, it ends the program instead.
pub fn publish(name: &str, text: &str) {
    let old = page();
    let (from, to) = place(&old, name);
    let rows = |text: &str| text.lines().filter(|line| line.starts_with('|')).count();
    let (before, now) = (rows(&old[from..to]), rows(text));
    if now < before {
        eprintln!(
            "BENCHMARKS.md: `{name}` has {before} rows, and this would leave {now}: remove the old table if that is wanted"
        );
        std::process::exit(1);
    }
    let new = format!("{}\n\n{}\n\n{}", &old[..from], text.trim(), &old[to..]);
    std::fs::write(PAGE, new).unwrap_or_else(|fault| panic!("{PAGE}: {fault}"));
    eprintln!("BENCHMARKS.md: `{name}` is up to date");
}

/// 12,345 as it is read.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
