//! [`ClusterError`] and [`DistributedError`].

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::report::SearchError;

/// A search on several processes cannot begin, or cannot go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClusterError {
    /// An option on the command line has a wrong value, or none.
    Option {
        /// The option.
        option: String,
        /// Its value.
        found: Option<String>,
        /// What would be right.
        expected: &'static str,
    },
    /// The file of addresses cannot be read.
    Hosts {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line of the file of addresses is no address.
    HostsLine {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// The file of addresses has fewer addresses than there are processes.
    TooFewHosts {
        /// The file.
        file: PathBuf,
        /// How many addresses it has.
        found: usize,
        /// How many processes there are.
        processes: usize,
    },
    /// An address has no port.
    Address {
        /// The address.
        address: String,
    },
    /// The number of this process is not below the number of processes.
    NoSuchProcess {
        /// The number of this process.
        process: usize,
        /// The number of processes.
        processes: usize,
    },
    /// This process cannot wait for the others at its address.
    Listen {
        /// The address.
        address: String,
        /// Why.
        error: io::Error,
    },
    /// A thread could not be started.
    Threads {
        /// Why.
        error: io::Error,
    },
    /// Other processes did not come in time.
    Missing {
        /// Their numbers and addresses.
        processes: Vec<(usize, String)>,
        /// How long this process waited.
        waited: Duration,
        /// How many connections were dropped, as the other end did not prove that it knows the secret, or closed them.
        refused: u64,
    },
    /// The secret cannot be read, or is too short or too long.
    Secret {
        /// Where it was to come from.
        from: String,
        /// Why.
        error: io::Error,
    },
    /// There is no secret, though a process is at an address that others may reach.
    NoSecret {
        /// The number of the process.
        process: usize,
        /// Its address.
        address: String,
    },
    /// The system gives no random numbers.
    Random {
        /// Why.
        error: io::Error,
    },
    /// Another process was given something else than this one.
    Different {
        /// The number of the other process.
        process: usize,
        /// What is different.
        what: &'static str,
        /// What it is here.
        own: u64,
        /// What it is there.
        other: u64,
    },
    /// The connection to another process ended before the search did.
    Lost {
        /// The number of the other process.
        process: usize,
        /// Its address.
        address: String,
        /// How the connection ended.
        loss: Loss,
    },
    /// Another process sent what this one cannot read.
    Confused,
}

/// How the connection to another process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// It was closed: the other process has ended, or has given up.
    Closed,
    /// Another process has lost it first, and said so.
    Reported {
        /// The number of that process.
        by: usize,
    },
    /// Nothing came for eight seconds, or nothing was taken: the other process, its machine or the network stands still.
    Silent,
    /// The other process lives, but has not come further for so long as
    /// [`Cluster::stall_timeout`](super::Cluster::stall_timeout) says, while all others waited.
    Stalled,
    /// What came was not what the other process had to send: it was damaged on its way, or somebody else has sent it.
    Garbled,
    /// An error of the network.
    Network(io::ErrorKind),
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option { option, found: Some(found), expected } => {
                write!(f, "{option} is {found:?}; give it {expected}")
            }
            Self::Option { option, found: None, expected } => {
                write!(f, "{option} has no value; give it {expected}")
            }
            Self::Hosts { file, error } => {
                write!(f, "the file of addresses {} cannot be read: {error}", file.display())
            }
            Self::HostsLine { file, line, text } => write!(
                f,
                "line {line} of {} is {text:?}; write the address of a process as HOST:PORT",
                file.display()
            ),
            Self::TooFewHosts { file, found, processes } => write!(
                f,
                "{} has {found} addresses for {processes} processes; write a line HOST:PORT for each",
                file.display()
            ),
            Self::Address { address } => {
                write!(f, "the address of a process is {address:?}; write HOST:PORT")
            }
            Self::NoSuchProcess { process, processes } => write!(
                f,
                "this is process {process} of {processes}; give -p a number from 0 to {}",
                processes.saturating_sub(1)
            ),
            Self::Listen { address, error } => write!(
                f,
                "this process cannot wait for the others at {address}: {error}; give it an address of this \
                 machine with a port that is free"
            ),
            Self::Threads { error } => write!(f, "a thread of the search cannot be started: {error}"),
            Self::Secret { from, error } => write!(f, "{from} cannot be used: {error}"),
            Self::NoSecret { process, address } => write!(
                f,
                "process {process} at {address} may be reached from other machines, and there is no secret: write \
                 32 random bytes to a file, give all processes the same, and name it with --secret-file, or with \
                 Cluster::secret"
            ),
            Self::Random { error } => write!(f, "the system gives no random numbers: {error}"),
            Self::Missing { processes, waited, refused } => {
                f.write_str("no connection to ")?;
                for (i, (process, address)) in processes.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}process {process} at {address}")?;
                }
                write!(
                    f,
                    " within {waited:?}; start all processes, each with its number, and the same addresses"
                )?;
                match refused {
                    0 => Ok(()),
                    _ => write!(
                        f,
                        " and secret: {refused} connections were dropped, as the other end had another or none, or \
                         closed them"
                    ),
                }
            }
            Self::Different { process, what, own, other } => write!(
                f,
                "{what} is {own} here and {other} in process {process}; start all processes with the same \
                 program, options and problem"
            ),
            Self::Confused => f.write_str(
                "another process sent what cannot be read; start all processes with the same program",
            ),
            Self::Lost { process, address, loss } => write!(
                f,
                "process {process} at {address} is lost, and with it its states: {loss}; start the search again"
            ),
        }
    }
}

impl Error for ClusterError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Hosts { error, .. }
            | Self::Listen { error, .. }
            | Self::Threads { error }
            | Self::Secret { error, .. }
            | Self::Random { error } => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("it closed the connection"),
            Self::Reported { by } => write!(f, "process {by} has lost it"),
            Self::Silent => f.write_str("it was silent for eight seconds"),
            Self::Stalled => f.write_str("it lives, but does not come further"),
            Self::Garbled => f.write_str("what it sent was damaged, or is of somebody else"),
            Self::Network(kind) => write!(f, "{kind}"),
        }
    }
}

/// A search on several processes failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum DistributedError<C> {
    /// The processes could not work together.
    Cluster(ClusterError),
    /// The problem is at fault. All processes get the same error.
    Search(SearchError<C>),
}

impl<C: fmt::Debug> fmt::Display for DistributedError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cluster(error) => error.fmt(f),
            Self::Search(error) => error.fmt(f),
        }
    }
}

impl<C: fmt::Debug + 'static> Error for DistributedError<C> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Cluster(error) => error.source(),
            Self::Search(error) => error.source(),
        }
    }
}

impl<C> From<ClusterError> for DistributedError<C> {
    fn from(error: ClusterError) -> Self {
        Self::Cluster(error)
    }
}

impl<C> From<SearchError<C>> for DistributedError<C> {
    fn from(error: SearchError<C>) -> Self {
        Self::Search(error)
    }
}
