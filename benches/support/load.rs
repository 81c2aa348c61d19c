//! The load of other processes on the machine, which slows memory-bound code most.
#![allow(dead_code, reason = "each bench that takes this module in uses a part of it")]

use std::fs;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Measures the load of other processes during a series.
pub struct Watch {
    /// Whether the series goes on where others are at work.
    is_accepted: bool,
    began: Instant,
    /// Ticks of all processors together, and of this process, when it began.
    before: Option<(u64, u64)>,
}

/// A series is refused if others use more than this part of a processor.
const MOST: f64 = 0.15;

/// The system counts time in ticks of this length.
const TICK: Duration = Duration::from_millis(10);

impl Watch {
    /// Looks for half a second; if others are at work, ends the program, unless that `is_accepted`. Where
    /// the system does not tell, nothing is refused.
    pub fn begin(is_accepted: bool) -> Self {
        let watch = Self { is_accepted, began: Instant::now(), before: ticks() };
        std::thread::sleep(Duration::from_millis(500));
        if let Some(share) = watch.share() {
            println!("others use {share:.2} of a processor");
            watch.check(share);
        }
        Self { is_accepted, began: Instant::now(), before: ticks() }
    }

    /// Says what others did since it began. If that was much, ends the program before anything is published, unless that
    /// is accepted.
    pub fn note(&self) -> String {
        match self.share() {
            Some(share) => {
                self.check(share);
                format!("others used {share:.2} of a processor meanwhile")
            }
            None => "what others did is not known".to_owned(),
        }
    }

    fn check(&self, share: f64) {
        if share > MOST && !self.is_accepted {
            eprintln!(
                "others use {share:.2} of a processor, which spoils the measurement; --busy accepts that"
            );
            std::process::exit(1);
        }
    }

    /// How many processors others have used since it began.
    fn share(&self) -> Option<f64> {
        let (all, own) = ticks()?;
        let (all_before, own_before) = self.before?;
        let others = (all - all_before).saturating_sub(own - own_before);
        let time = TICK * u32::try_from(others).ok()?;
        Some(time.as_secs_f64() / self.began.elapsed().as_secs_f64().max(1e-3))
    }
}

/// The ticks that all processors have spent on work so far, and those that this process has.
fn ticks() -> Option<(u64, u64)> {
    let all = fs::read_to_string("/proc/stat").ok()?;
    let numbers = |line: &str| -> Vec<u64> {
        line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    let all = numbers(all.lines().next()?);
    // The fourth and the fifth are idle time.
    let work: u64 =
        all.iter().take(8).enumerate().filter(|(n, _)| !(3..5).contains(n)).map(|(_, t)| t).sum();
    let helpers = HELPERS.lock().ok()?;
    // Processes that have ended are counted by this one, their parent.
    let own = ticks_of("self", 4)? + helpers.iter().filter_map(|id| ticks_of(id, 2)).sum::<u64>();
    Some((work, own))
}

/// Processes that work for this one.
static HELPERS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The work of child processes does not count as load.
pub fn count_as_own(process: u32) {
    HELPERS.lock().expect("nobody panics with it").push(process.to_string());
}

/// The ticks of a process: as many of its times in the program, in the system, and the same of its children.
fn ticks_of(process: &str, times: usize) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may hold anything.
    let fields = stat.rsplit_once(')')?.1.split_whitespace();
    Some(fields.skip(11).take(times).filter_map(|field| field.parse::<u64>().ok()).sum())
}
