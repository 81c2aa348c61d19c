//! [`Cluster`]: which processes search together, and how many workers each has.

use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::ClusterError;
use super::secret::Secret;

/// The processes that search together, and the number of workers in each.
///
/// The options on the command line are those that users of timely know:
///
/// | option | says | default |
/// |---|---|---|
/// | `-w N`, `--threads N` | workers in each process, each a thread, at most 1024 | 1 |
/// | `-n N`, `--processes N` | processes; without a file of addresses at most 63435, the ports from 2101 on | 1 |
/// | `-p I`, `--process I` | the number of this process, from 0 | 0 |
/// | `-h FILE`, `--hostfile FILE`, `--hosts FILE` | a file with the addresses of the processes, `HOST:PORT`, a line for each in order; empty lines and what follows a `#` say nothing | `localhost:2101`, `localhost:2102`, … |
/// | `--secret-file FILE` | a file with the [secret](Secret) of the processes | the secret in the environment variable `BESTFIRST_SECRET`, if it is set |
///
/// All processes must be given the same, but for `-p`.
///
/// Without a secret, processes only search together if all their addresses are of this machine itself: `localhost`, or an address
/// like `127.0.0.1` or `[::1]`. Then whoever has an account on the machine can take part. Elsewhere, the search ends with
/// [`ClusterError::NoSecret`] before anything is sent.
///
/// ```
/// use bestfirst::Cluster;
///
/// let line = "program -w 2 -n 3 -p 1 --depth 7";
/// let (cluster, rest) = Cluster::from_args(line.split(' ').map(String::from))?;
/// assert_eq!((cluster.workers(), cluster.process(), cluster.processes()), (2, 1, 3));
/// assert_eq!(rest, ["program", "--depth", "7"]);
///
/// let fault = Cluster::from_args(["-n", "3", "-p", "3"].map(String::from)).unwrap_err();
/// assert_eq!(fault.to_string(), "this is process 3 of 3; give -p a number from 0 to 2");
/// # Ok::<(), bestfirst::engine::ClusterError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Cluster {
    workers: usize,
    process: usize,
    /// The addresses of all processes; empty if there is one.
    addresses: Vec<String>,
    pub(super) connect_timeout: Duration,
    pub(super) stall_timeout: Duration,
    pub(super) secret: Option<Secret>,
}

/// So long a process waits for the others, if nothing else is said.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// So long all processes may wait for one that does not come further, if nothing else is said.
const STALL_TIMEOUT: Duration = Duration::from_secs(300);

/// The port of process 0 on this machine, if no addresses are given; the others follow.
const FIRST_PORT: usize = 2101;

/// How many processes can have a port from there on.
const MOST_PORTS: usize = (1 << 16) - FIRST_PORT;

/// The most workers of a process.
const MOST_WORKERS: usize = 1 << 10;

impl Cluster {
    /// One process with `workers` workers, at least one and at most 1024.
    pub fn threads(workers: usize) -> Self {
        let workers = workers.clamp(1, MOST_WORKERS);
        Self {
            workers,
            process: 0,
            addresses: Vec::new(),
            connect_timeout: CONNECT_TIMEOUT,
            stall_timeout: STALL_TIMEOUT,
            secret: None,
        }
    }

    /// Several processes at these addresses (`HOST:PORT`), with `workers` workers each. This is the one with the number
    /// `process`.
    ///
    /// # Errors
    ///
    /// A [`ClusterError`] if an address has no port, there is no process with that number, or a process has more than
    /// 1024 workers.
    pub fn processes_at(
        addresses: impl IntoIterator<Item = impl Into<String>>,
        process: usize,
        workers: usize,
    ) -> Result<Self, ClusterError> {
        let addresses: Vec<String> = addresses.into_iter().map(Into::into).collect();
        if let Some(address) = addresses.iter().find(|address| !has_port(address)) {
            return Err(ClusterError::Address { address: address.clone() });
        }
        if workers > MOST_WORKERS {
            return Err(ClusterError::Option {
                option: "the number of workers".to_owned(),
                found: Some(workers.to_string()),
                expected: WORKERS,
            });
        }
        if process >= addresses.len().max(1) {
            return Err(ClusterError::NoSuchProcess { process, processes: addresses.len().max(1) });
        }
        let addresses = if addresses.len() == 1 { Vec::new() } else { addresses };
        Ok(Self { process, addresses, ..Self::threads(workers) })
    }

    /// Reads the options above out of the arguments of a program; the others are returned as they are. Nothing
    /// after `--` is read.
    ///
    /// # Errors
    ///
    /// A [`ClusterError`] that says which option is wrong and what would be right, or what is wrong with the
    /// file of addresses, and where.
    pub fn from_args(
        args: impl IntoIterator<Item = String>,
    ) -> Result<(Self, Vec<String>), ClusterError> {
        let mut args = args.into_iter();
        let mut rest = Vec::new();
        let (mut workers, mut processes, mut process) = (1, 1, 0);
        let mut processes_by = String::new();
        let mut hosts: Option<PathBuf> = None;
        let mut secret: Option<PathBuf> = None;
        while let Some(arg) = args.next() {
            if arg == "--" {
                rest.push(arg);
                break;
            }
            let (option, joined) = match arg.split_once('=') {
                Some((option, value)) => (option.to_owned(), Some(value.to_owned())),
                None => (arg.clone(), None),
            };
            let mut value = || joined.clone().or_else(|| args.next());
            match option.as_str() {
                "-w" | "--threads" => {
                    workers = number(option, value(), (1, MOST_WORKERS), WORKERS)?;
                }
                "-n" | "--processes" => {
                    processes_by.clone_from(&option);
                    processes = number(option, value(), (1, usize::MAX), "a number from 1")?;
                }
                "-p" | "--process" => {
                    process = number(option, value(), (0, usize::MAX), "a number from 0")?;
                }
                "-h" | "--hostfile" | "--hosts" => {
                    let file = value().ok_or(ClusterError::Option {
                        option,
                        found: None,
                        expected: "a file with the addresses of the processes",
                    })?;
                    hosts = Some(file.into());
                }
                "--secret-file" => {
                    let file = value().ok_or(ClusterError::Option {
                        option,
                        found: None,
                        expected: "a file with the secret of the processes",
                    })?;
                    secret = Some(file.into());
                }
                _ => rest.push(arg),
            }
        }
        rest.extend(args);
        let addresses = match hosts {
            Some(file) => read_hosts(&file, processes)?,
            None if processes > MOST_PORTS => {
                return Err(ClusterError::Option {
                    option: processes_by,
                    found: Some(processes.to_string()),
                    expected: "a number from 1 to 63435, or name a file of addresses with -h",
                });
            }
            None => (0..processes).map(|i| format!("localhost:{}", FIRST_PORT + i)).collect(),
        };
        let cluster = Self::processes_at(addresses, process, workers)?;
        let secret = match secret {
            Some(file) => Some(Secret::from_file(file)?),
            None if std::env::var_os(Secret::VARIABLE).is_none() => None,
            None => Some(Secret::from_env(Secret::VARIABLE)?),
        };
        Ok((Self { secret, ..cluster }, rest))
    }

    /// The secret that all processes share: they prove to each other that they know it. See [`Secret`].
    pub fn secret(mut self, secret: Secret) -> Self {
        self.secret = Some(secret);
        self
    }

    /// How long this process waits for the others at the beginning: half a minute, if nothing else is said.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// How long all processes may wait for one that is alive but makes no progress, before the search ends
    /// with [`Loss::Stalled`](super::Loss::Stalled): five minutes by default. A process makes progress when it has expanded or
    /// taken in some 250 states, or sends something. If that many take longer, a longer time is needed.
    pub fn stall_timeout(mut self, timeout: Duration) -> Self {
        self.stall_timeout = timeout;
        self
    }

    /// The number of workers of this process, and of every other.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// The number of this process, from 0.
    #[must_use]
    pub fn process(&self) -> usize {
        self.process
    }

    /// The number of processes.
    #[must_use]
    pub fn processes(&self) -> usize {
        self.addresses.len().max(1)
    }

    /// The addresses of all processes; empty if there is only this one.
    #[must_use]
    pub fn addresses(&self) -> &[String] {
        &self.addresses
    }

    /// # Errors
    ///
    /// [`ClusterError::NoSecret`] if others could reach a process, and there is no secret.
    pub(super) fn check_secret(&self) -> Result<(), ClusterError> {
        let exposed = self.addresses.iter().position(|address| !is_loopback(address));
        match exposed.filter(|_| self.secret.is_none()) {
            None => Ok(()),
            Some(process) => {
                let address = self.addresses[process].clone();
                Err(ClusterError::NoSecret { process, address })
            }
        }
    }
}

/// Whether only this machine itself can be meant. What a name means can change, but for one.
fn is_loopback(address: &str) -> bool {
    let Some((host, _)) = address.rsplit_once(':') else { return false };
    if host.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.parse::<IpAddr>().is_ok_and(|host| host.is_loopback())
}

fn has_port(address: &str) -> bool {
    let port = address.rsplit_once(':').filter(|(host, _)| !host.is_empty());
    port.is_some_and(|(_, port)| port.parse::<u16>().is_ok())
}

/// What is right for the number of workers.
const WORKERS: &str = "a number from 1 to 1024";

fn number(
    option: String,
    value: Option<String>,
    (least, most): (usize, usize),
    expected: &'static str,
) -> Result<usize, ClusterError> {
    let number = value.as_ref().and_then(|value| value.parse().ok());
    number.filter(|&number| number >= least && number <= most).ok_or(ClusterError::Option {
        option,
        found: value,
        expected,
    })
}

/// The first addresses of the file, one for each process.
fn read_hosts(file: &Path, processes: usize) -> Result<Vec<String>, ClusterError> {
    let text = fs::read_to_string(file)
        .map_err(|error| ClusterError::Hosts { file: file.to_owned(), error })?;
    let mut addresses = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let address = line.split('#').next().unwrap_or_default().trim();
        if address.is_empty() || addresses.len() == processes {
            continue;
        }
        if !has_port(address) {
            let text = address.to_owned();
            return Err(ClusterError::HostsLine { file: file.to_owned(), line: i + 1, text });
        }
        addresses.push(address.to_owned());
    }
    if addresses.len() < processes {
        let found = addresses.len();
        return Err(ClusterError::TooFewHosts { file: file.to_owned(), found, processes });
    }
    Ok(addresses)
}
