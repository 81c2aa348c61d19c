//! A word ladder: from one word to another, one letter at a time, by words that exist.
//!
//! ```text
//! cargo run --example word_ladder
//! cargo run --example word_ladder -- head tail
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

const WORDS: &str = "
    bald bale ball band bard bare bark bold bolt bond bone book boot card care cart cold colt come cord core corn
    dale dare dark dart dead deal dear deed fail fair fall farm fast fill film find fine fire firm fold fond food foot
    ford fore fork form fort gold good hair hall hand hard hare hate head heal hear heat held hell help herd here hold
    hole home hood hook hope horn lead leaf lean load loan lord lore love mail main male mall meal mean meat more pail
    pain pair pale park part pole pond pool port rail rain read real road sail sale salt seal seat self sell tail tale
    tall teal team tell tool torn toll ward ware warm warn wart wall well will wind wine wire wood word wore work worm";

fn main() -> ExitCode {
    let Err(fault) = solve() else { return ExitCode::SUCCESS };
    if fault.downcast_ref().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS; // nobody reads on
    }
    eprintln!("{fault}");
    ExitCode::from(2)
}

fn solve() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let mut word = |default: &str| {
        let word = arguments.next().unwrap_or(default.into()).into_string();
        word.map_err(|word| format!("`{}`: give words in UTF-8", word.display()))
    };
    let (from, to) = (word("cold")?, word("warm")?);
    let report = bestfirst::solve(
        from.as_str(),
        |word| {
            WORDS
                .split_whitespace()
                .filter(|next| differences(word, next) == 1)
                .map(|next| (next, 1))
                .collect::<Vec<_>>()
        },
        |word| differences(word, &to),
        |word| *word == to,
    )?;
    let none = || format!("there is no ladder from `{from}` to `{to}` by these words");
    let path = report.path().ok_or_else(none)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}", path.states().join(" - "))?;
    writeln!(out, "{} steps", path.cost())?;
    assert!(path.cost() >= differences(&from, &to));
    if (from.as_str(), to.as_str()) == ("cold", "warm") {
        assert_eq!(path.cost(), 4);
    }
    Ok(())
}

/// In how many places the letters differ. Every step changes one.
fn differences(a: &str, b: &str) -> usize {
    let pairs = a.chars().zip(b.chars());
    pairs.filter(|(a, b)| a != b).count() + a.len().abs_diff(b.len())
}
