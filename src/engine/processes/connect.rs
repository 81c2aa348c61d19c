//! The connections among all processes of a cluster: who calls whom, and how each proves to the other that it knows the
//! secret.
//!
//! Timely's own way to connect waits for ever, believes everybody, and looks only once a second, which is most of the time
//! that it takes to start. So the connections are made here, and handed to it.
//!
//! | | the process that calls | the process that is called |
//! |---|---|---|
//! | 1 | the mark, a random number | |
//! | 2 | | the mark, a random number |
//! | 3 | a code over both, with the secret | |
//! | 4 | | a code over both, with the secret; a frame with its numbers |
//! | 5 | a frame with its numbers | |
//!
//! The codes of 3 and 4 begin with different words, so neither can be sent back as the other; both numbers are in them, so none is
//! of use a second time. The keys of the frames depend on the secret and on both numbers.

use std::io;
use std::mem;
use std::net::Shutdown;
use std::time::Duration;

use super::cluster::Cluster;
use super::error::ClusterError;
use super::frame::{self, Kind, Sequence};
use super::secret::{Code, Key, Secret};
use super::wire::{Network, Nonce, Wire, must_wait};
use crate::encode::Encode;

/// The first bytes of every connection.
const MAGIC: [u8; 8] = *b"bestfst2";

/// What makes the codes of the two sides different.
const CALLS: &[u8; 16] = b"bestfirst: calls";
const ANSWERS: &[u8; 16] = b"bestfirst: heard";

/// From the first byte to the last, proving takes at most so long, or the connection is dropped.
const MOST_TIME: Duration = Duration::from_secs(3);

/// At most this many connections may be proving at one time; if there are more, the oldest is dropped.
const MOST_PENDING: usize = 64;

/// After a connection that was dropped, a process is called again after so long.
const AGAIN_AFTER: Duration = Duration::from_millis(50);

/// What each process tells the others at first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hello {
    pub(super) process: u64,
    pub(super) processes: u64,
    pub(super) workers: u64,
    /// The number of bytes of a state on its way.
    pub(super) record_bytes: u64,
    /// A number that depends on the starts.
    pub(super) starts: u64,
}

type Numbers = [u64; 5];

impl Hello {
    fn bytes(&self) -> [u8; Numbers::BYTES] {
        let mut bytes = [0; Numbers::BYTES];
        let Self { process, processes, workers, record_bytes, starts } = *self;
        [process, processes, workers, record_bytes, starts].encode(&mut bytes);
        bytes
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let numbers: Numbers = Encode::decode(bytes).ok()?;
        let [process, processes, workers, record_bytes, starts] = numbers;
        Some(Self { process, processes, workers, record_bytes, starts })
    }

    /// # Errors
    ///
    /// [`ClusterError::Different`] if the other process was given something else.
    fn compare(&self, other: &Self, process: usize) -> Result<(), ClusterError> {
        let pairs = [
            ("the number of the other process", process as u64, other.process),
            ("the number of processes", self.processes, other.processes),
            ("the number of workers of a process", self.workers, other.workers),
            ("the number of bytes of a state on its way", self.record_bytes, other.record_bytes),
            ("the hash of the starts", self.starts, other.starts),
        ];
        match pairs.into_iter().find(|(_, own, other)| own != other) {
            Some((what, own, other)) => Err(ClusterError::Different { process, what, own, other }),
            None => Ok(()),
        }
    }
}

/// A connection whose other end has proved that it belongs to the cluster.
pub(super) struct Proven<W> {
    pub(super) wire: W,
    pub(super) sending: Sequence,
    pub(super) receiving: Sequence,
    /// What came behind the last frame already.
    pub(super) received: Vec<u8>,
}

/// Connects this process with all others: a connection for each, in order, and none for itself.
///
/// # Errors
///
/// A [`ClusterError`] if one of them does not come within the time, or was given something else.
pub(super) fn connect<N: Network>(
    network: &mut N,
    cluster: &Cluster,
    hello: Hello,
) -> Result<Vec<Option<Proven<N::Wire>>>, ClusterError> {
    let mut start = Start::new(network, cluster, hello);
    let own = cluster.process();
    loop {
        // Each process calls those before it.
        for process in 0..own {
            start.call(process)?;
        }
        start.accept()?;
        start.go_on()?;
        let is_missing = |process: &usize| *process != own && start.proven[*process].is_none();
        let missing: Vec<_> = (0..start.proven.len()).filter(is_missing).collect();
        if missing.is_empty() {
            return Ok(start.proven);
        }
        let waited = start.network.now().saturating_sub(start.began);
        if waited >= cluster.connect_timeout {
            let name = |process: usize| (process, cluster.addresses()[process].clone());
            let processes = missing.into_iter().map(name).collect();
            return Err(ClusterError::Missing { processes, waited, refused: start.refused });
        }
        start.network.pause();
    }
}

struct Start<'a, N: Network> {
    network: &'a mut N,
    key: Key,
    hello: Hello,
    began: Duration,
    proven: Vec<Option<Proven<N::Wire>>>,
    /// When a process may be called again.
    call_after: Vec<Duration>,
    pending: Vec<Handshake<N::Wire>>,
    /// How many connections were dropped since they proved nothing.
    refused: u64,
}

impl<'a, N: Network> Start<'a, N> {
    fn new(network: &'a mut N, cluster: &Cluster, hello: Hello) -> Self {
        let processes = cluster.addresses().len();
        let began = network.now();
        Self {
            network,
            key: cluster
                .secret
                .as_ref()
                .map_or_else(|| Secret::none().key().clone(), |own| own.key().clone()),
            hello,
            began,
            proven: (0..processes).map(|_| None).collect(),
            call_after: vec![Duration::ZERO; processes],
            pending: Vec::new(),
            refused: 0,
        }
    }

    fn nonce(&mut self) -> Result<Nonce, ClusterError> {
        self.network.nonce().map_err(|error| ClusterError::Random { error })
    }

    fn call(&mut self, process: usize) -> Result<(), ClusterError> {
        let is_pending = self.pending.iter().any(|other| other.calls == Some(process));
        if is_pending
            || self.proven[process].is_some()
            || self.network.now() < self.call_after[process]
        {
            return Ok(());
        }
        if let Some(wire) = self.network.call(process) {
            let nonce = self.nonce()?;
            let mut handshake = Handshake::new(wire, Some(process), nonce, self.network.now());
            handshake.send(&[&MAGIC, &nonce]);
            self.pending.push(handshake);
        }
        Ok(())
    }

    fn accept(&mut self) -> Result<(), ClusterError> {
        // Whoever calls without end does not keep this process from going on.
        for _ in 0..MOST_PENDING {
            let Some(wire) = self.network.accept() else { break };
            let nonce = self.nonce()?;
            self.pending.push(Handshake::new(wire, None, nonce, self.network.now()));
            let is_stranger = |other: &Handshake<_>| other.calls.is_none();
            if self.pending.iter().filter(|other| is_stranger(other)).count() > MOST_PENDING
                && let Some(oldest) = self.pending.iter().position(is_stranger)
            {
                self.pending.remove(oldest).wire.close(Shutdown::Both);
                self.refused += 1;
            }
        }
        Ok(())
    }

    /// Goes on with all connections that are proving.
    fn go_on(&mut self) -> Result<(), ClusterError> {
        let now = self.network.now();
        for mut handshake in mem::take(&mut self.pending) {
            match handshake.go_on(&self.key, &self.hello) {
                Progress::Waits if now.saturating_sub(handshake.began) < MOST_TIME => {
                    self.pending.push(handshake);
                }
                Progress::Waits | Progress::Refused => self.drop_out(&handshake, now),
                Progress::Proven(other) => self.keep(handshake, &other)?,
            }
        }
        Ok(())
    }

    fn drop_out(&mut self, handshake: &Handshake<N::Wire>, now: Duration) {
        handshake.wire.close(Shutdown::Both);
        self.refused += 1;
        if let Some(process) = handshake.calls {
            self.call_after[process] = now + AGAIN_AFTER;
        }
    }

    fn keep(&mut self, handshake: Handshake<N::Wire>, other: &Hello) -> Result<(), ClusterError> {
        if other.process == self.hello.process {
            // Somebody between has connected this process with itself.
            self.drop_out(&handshake, self.network.now());
            return Ok(());
        }
        let process = usize::try_from(other.process).unwrap_or(usize::MAX);
        let process = handshake.calls.unwrap_or(process);
        self.hello.compare(other, process)?;
        if handshake.calls.is_none() && other.process < self.hello.process
            || other.process >= self.hello.processes
        {
            // It does not know its number.
            let (what, own) = ("the number of the process that calls", self.hello.process);
            return Err(ClusterError::Different { process, what, own, other: other.process });
        }
        // If it calls a second time, the first connection has broken.
        self.proven[process] = handshake.proven();
        Ok(())
    }
}

/// A connection whose other end is still to prove that it belongs to the cluster.
struct Handshake<W> {
    wire: W,
    /// The process that was called; `None` if the other end calls.
    calls: Option<usize>,
    nonce: Nonce,
    other_nonce: Option<Nonce>,
    /// The sequences of both directions, when the other end has proved that it knows the secret: to send and to receive.
    sequences: Option<(Sequence, Sequence)>,
    received: Vec<u8>,
    began: Duration,
    has_failed: bool,
}

enum Progress {
    Waits,
    Refused,
    Proven(Hello),
}

impl<W: Wire> Handshake<W> {
    /// No more bytes are looked at than the longest message has; what comes behind them belongs to the search.
    const MOST: usize = blake3::OUT_LEN + frame::HEAD + Numbers::BYTES;

    fn new(wire: W, calls: Option<usize>, nonce: Nonce, began: Duration) -> Self {
        Self {
            wire,
            calls,
            nonce,
            other_nonce: None,
            sequences: None,
            received: Vec::with_capacity(Self::MOST),
            began,
            has_failed: false,
        }
    }

    fn go_on(&mut self, key: &Key, hello: &Hello) -> Progress {
        loop {
            let progress = self.step(key, hello);
            if self.has_failed {
                return Progress::Refused;
            }
            match progress {
                Some(Progress::Waits) => {}
                Some(end) => return end,
                None => match self.receive() {
                    Ok(true) => {}
                    Ok(false) => return Progress::Waits,
                    Err(_) => return Progress::Refused,
                },
            }
        }
    }

    /// Whether bytes have come.
    fn receive(&mut self) -> io::Result<bool> {
        let mut bytes = [0; 256];
        let most = Self::MOST.saturating_sub(self.received.len()).min(bytes.len());
        match self.wire.receive(&mut bytes[..most]) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                self.received.extend_from_slice(&bytes[..count]);
                Ok(true)
            }
            Err(error) if must_wait(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Takes the next message. `None` if bytes of it are missing; [`Progress::Waits`] if it was taken, and another must follow.
    fn step(&mut self, key: &Key, hello: &Hello) -> Option<Progress> {
        let Some(other_nonce) = self.other_nonce else {
            let known = self.received.len().min(MAGIC.len());
            if self.received[..known] != MAGIC[..known] {
                return Some(Progress::Refused);
            }
            let opening: [u8; MAGIC.len() + size_of::<Nonce>()] = self.take()?;
            let mut nonce = Nonce::default();
            nonce.copy_from_slice(&opening[MAGIC.len()..]);
            self.other_nonce = Some(nonce);
            if self.calls.is_some() {
                let code = key.code(&[CALLS, &self.nonce, &nonce]);
                self.send(&[code.as_bytes()]);
            } else {
                let own = self.nonce;
                self.send(&[&MAGIC, &own]);
            }
            return Some(Progress::Waits);
        };
        let Some((sending, receiving)) = &mut self.sequences else {
            let code = Code::from(self.take::<{ blake3::OUT_LEN }>()?);
            return Some(self.check(code, other_nonce, key, hello));
        };
        let (kind, length) = match receiving.open(&self.received) {
            Ok(frame) => frame?,
            Err(_) => return Some(Progress::Refused),
        };
        let content = self.received.get(frame::HEAD..frame::HEAD + length)?;
        if kind != Kind::Hello || length != Numbers::BYTES {
            return Some(Progress::Refused);
        }
        let other = Hello::read(content)?;
        if self.calls.is_some() {
            let bytes = hello.bytes();
            let head = sending.head(Kind::Hello, &bytes);
            self.send(&[&head, &bytes]);
        }
        self.received.drain(..frame::HEAD + length);
        Some(Progress::Proven(other))
    }

    /// Whether the other end knows the secret. If it does and it calls, it is told the same of this one.
    fn check(&mut self, code: Code, other: Nonce, key: &Key, hello: &Hello) -> Progress {
        let calls = self.calls.is_some();
        let (word, caller, answerer) =
            if calls { (ANSWERS, self.nonce, other) } else { (CALLS, other, self.nonce) };
        // Compared in constant time.
        if key.code(&[word, &caller, &answerer]) != code {
            return Progress::Refused;
        }
        let direction = |word: &[u8; 16]| {
            Sequence::new(key.derive(&[b"bestfirst: frame", word, &caller, &answerer]))
        };
        let (mut sending, receiving) = if calls {
            (direction(CALLS), direction(ANSWERS))
        } else {
            (direction(ANSWERS), direction(CALLS))
        };
        if !calls {
            let proof = key.code(&[ANSWERS, &caller, &answerer]);
            let bytes = hello.bytes();
            let head = sending.head(Kind::Hello, &bytes);
            self.send(&[proof.as_bytes(), &head, &bytes]);
        }
        self.sequences = Some((sending, receiving));
        Progress::Waits
    }

    /// The next bytes, if they are there.
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = *self.received.first_chunk::<N>()?;
        self.received.drain(..N);
        Some(bytes)
    }

    /// Sends all at once: there is room for so few bytes on every connection that is new.
    fn send(&mut self, parts: &[&[u8]]) {
        let bytes = parts.concat();
        self.has_failed |= self.wire.send(&bytes, &[]).ok() != Some(bytes.len());
    }

    fn proven(self) -> Option<Proven<W>> {
        let Self { wire, sequences, received, .. } = self;
        sequences.map(|(sending, receiving)| Proven { wire, sending, receiving, received })
    }
}
