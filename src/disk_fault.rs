//! What can be wrong with the files of a search on disk.

use std::fmt;
use std::io;

/// A file of a search on disk that cannot be used: which one, where, and what is wrong with it.
///
/// It contains a pointer to its formatting code, as [`InvalidWeight`](crate::InvalidWeight) does. So a program that does
/// not search on disk does not contain the texts of these errors, although the error type of all searches is the same.
#[derive(Clone, Copy)]
pub struct DiskFault {
    /// The file.
    pub file: DiskFile,
    /// The byte at which the part begins that is wrong.
    pub at: u64,
    /// What is wrong.
    pub kind: DiskFaultKind,
    texts: &'static Texts,
}

/// How a fault is written.
struct Texts {
    display: fn(&DiskFault, &mut fmt::Formatter<'_>) -> fmt::Result,
    debug: fn(&DiskFault, &mut fmt::Formatter<'_>) -> fmt::Result,
}

/// A file of a search on disk. It is shown by its name in the folder of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiskFile {
    /// The folder itself.
    Folder,
    /// The list of all others: `manifest`.
    Manifest,
    /// A file of states: `states-` and its number.
    States(u32),
}

/// What is wrong with a file of a search on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiskFaultKind {
    /// It cannot be read or written.
    Io(io::ErrorKind),
    /// It ends in this part.
    Short,
    /// The checksum of this part is wrong.
    Checksum,
    /// These bytes are the encoding of no value.
    Value,
    /// It was not written by a search on disk.
    Foreign,
    /// It was written in another version of the format.
    Version,
    /// The states of the problem have another number of bytes.
    StateBytes,
    /// The costs of the problem have another number of bytes.
    CostBytes,
    /// It is the checkpoint of another problem: its label, or what it says of the starts, is another.
    Problem,
    /// The folder has a checkpoint already.
    Used,
    /// Another search uses the folder: in this process, or in another that still runs. `None` if it is not known which.
    InUse(Option<DiskHolder>),
    /// The search turned in a circle: nothing was expanded, removed or written any more. That is a fault of this library;
    /// please report it.
    NoProgress,
}

/// Whose search uses a folder of checkpoints, as it is shown: `process 4711 since 2026-11-23 06:52:07 UTC`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DiskHolder {
    /// The id of its process on its machine.
    pub process: u32,
    /// When it has begun, or gone on from a checkpoint: the seconds since 1970-01-01 00:00 UTC. (0 where there is no
    /// clock.)
    pub since: u32,
}

impl fmt::Display for DiskHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, seconds) = (self.since / 86_400, self.since % 86_400);
        let (year, month, day) = date(days);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(
            f,
            "process {} since {year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC",
            self.process
        )
    }
}

/// The year, month and day of a number of days after 1970-01-01.
fn date(days: u32) -> (u32, u32, u32) {
    // Years that begin with March, from March 1968 on: a leap day is the last of four years. There is none in 2100.
    let days = days + 671 + u32::from(days >= 47_541);
    let (four_years, of_four) = (days / 1461, days % 1461);
    let year = (of_four / 365).min(3);
    let of_year = of_four - 365 * year;
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let year = 1968 + 4 * four_years + year + month / 10;
    (year, (month + 2) % 12 + 1, day)
}

impl DiskFault {
    /// Creates the fault of a file, at this byte.
    #[inline]
    #[must_use]
    pub fn new(file: DiskFile, at: u64, kind: DiskFaultKind) -> Self {
        const TEXTS: Texts = Texts { display, debug };
        Self { file, at, kind, texts: &TEXTS }
    }
}

impl fmt::Display for DiskFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder => f.write_str("the folder"),
            Self::Manifest => f.write_str("manifest"),
            Self::States(number) => write!(f, "states-{number}"),
        }
    }
}

impl fmt::Display for DiskFaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Io(kind) => return write!(f, "it cannot be read or written: {kind}"),
            Self::Short => "the file ends here; it must be as long as when it was written",
            Self::Checksum => "the file is damaged: the checksum of this part is wrong",
            Self::Value => "these bytes are no value of their type; the problem must be that of the file",
            Self::Foreign => "this is no checkpoint; it must begin with `bfirstDS`",
            Self::Version => "it has another version of the format; begin the search anew",
            Self::StateBytes => "its states have another size; the problem must be that of the checkpoint",
            Self::CostBytes => "its costs have another size; the problem must be that of the checkpoint",
            Self::Problem => {
                "it is the checkpoint of another problem: the label, the starts, their successors and their \
                 heuristic values must be the same"
            }
            Self::Used => "it has a checkpoint; resume that search, or take an empty folder",
            Self::InUse(Some(holder)) => return write!(f, "another search uses it: {holder}"),
            Self::InUse(None) => "another search uses it",
            Self::NoProgress => "the search made no progress; please report this fault",
        })
    }
}

fn display(fault: &DiskFault, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use io::ErrorKind::{AlreadyExists, NotADirectory, NotFound};
    match (fault.file, fault.kind) {
        (DiskFile::Folder, DiskFaultKind::Io(AlreadyExists | NotADirectory)) => {
            f.write_str("the folder: it is a file; it must be a folder, or not exist")
        }
        (DiskFile::Manifest, DiskFaultKind::Io(NotFound)) => {
            f.write_str("the folder has no checkpoint: there is no file `manifest` in it")
        }
        (DiskFile::Folder, kind) => write!(f, "{}: {kind}", fault.file),
        (file, kind) => write!(f, "{file}, byte {}: {kind}", fault.at),
    }
}

fn debug(fault: &DiskFault, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let DiskFault { file, at, kind, .. } = fault;
    f.debug_struct("DiskFault").field("file", file).field("at", at).field("kind", kind).finish()
}

impl fmt::Display for DiskFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.texts.display)(self, f)
    }
}

impl fmt::Debug for DiskFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.texts.debug)(self, f)
    }
}

impl PartialEq for DiskFault {
    fn eq(&self, other: &Self) -> bool {
        (self.file, self.at, self.kind) == (other.file, other.at, other.kind)
    }
}

impl Eq for DiskFault {}

impl std::error::Error for DiskFault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_shown_by_its_fields_and_equal_by_them() {
        let fault = DiskFault::new(DiskFile::States(3), 40, DiskFaultKind::Short);
        assert!(fault.to_string().starts_with("states-3, byte 40: the file ends here"));
        assert_eq!(format!("{fault:?}"), "DiskFault { file: States(3), at: 40, kind: Short }");
        let folder = DiskFault::new(DiskFile::Folder, 0, DiskFaultKind::InUse(None));
        assert_eq!(folder.to_string(), "the folder: another search uses it");
        let shown = |file, kind| DiskFault::new(file, 0, DiskFaultKind::Io(kind)).to_string();
        let a_file = shown(DiskFile::Folder, io::ErrorKind::AlreadyExists);
        assert!(a_file.contains("it must be a folder"), "{a_file}");
        let unreadable = shown(DiskFile::Manifest, io::ErrorKind::PermissionDenied);
        assert!(unreadable.starts_with("manifest, byte 0: it cannot be read"), "{unreadable}");
        assert!({ fault } == fault && fault != folder);
        assert_ne!(fault, DiskFault::new(DiskFile::States(3), 41, DiskFaultKind::Short));
    }

    #[test]
    fn moments_are_shown_as_dates() {
        let shown = |since| DiskHolder { process: 7, since }.to_string();
        assert_eq!(shown(0), "process 7 since 1970-01-01 00:00:00 UTC");
        assert_eq!(shown(951_782_399), "process 7 since 2000-02-28 23:59:59 UTC");
        assert_eq!(shown(951_782_400), "process 7 since 2000-02-29 00:00:00 UTC");
        assert_eq!(shown(1_795_416_727), "process 7 since 2026-11-23 06:52:07 UTC");
        assert_eq!(shown(4_107_542_399), "process 7 since 2100-02-28 23:59:59 UTC");
        assert_eq!(shown(4_107_542_400), "process 7 since 2100-03-01 00:00:00 UTC");
        let mut last = (0, 0, 0);
        for days in 0..u32::MAX / 86_400 {
            let next = date(days);
            assert!(next > last && next.1 <= 12 && next.2 <= 31, "{next:?}");
            last = next;
        }
        assert_eq!(last, (2106, 2, 6));
    }
}
