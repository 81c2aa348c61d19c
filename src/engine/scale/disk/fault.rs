//! What can be wrong with the files of a search on disk.

use std::fmt;
use std::io;

/// A file of a search on disk that cannot be used: which one, where, and what is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskFault {
    /// The file.
    pub file: DiskFile,
    /// The byte at which the part begins that is wrong.
    pub at: u64,
    /// What is wrong.
    pub kind: DiskFaultKind,
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
}

impl DiskFault {
    pub(super) fn io(file: DiskFile, at: u64, fault: &io::Error) -> Self {
        let kind = match fault.kind() {
            io::ErrorKind::UnexpectedEof => DiskFaultKind::Short,
            kind => DiskFaultKind::Io(kind),
        };
        Self { file, at, kind }
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
        })
    }
}

impl fmt::Display for DiskFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.file {
            DiskFile::Folder => write!(f, "{}: {}", self.file, self.kind),
            _ => write!(f, "{}, byte {}: {}", self.file, self.at, self.kind),
        }
    }
}

impl std::error::Error for DiskFault {}
