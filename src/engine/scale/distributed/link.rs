//! [`Link`]: the connection to another process, which timely reads and writes, and [`Watch`]: whether all are well.
//!
//! Timely's threads panic when a connection breaks, and its workers wait for ever when a machine falls silent. So what
//! it writes travels in frames, with empty ones as heartbeats and a last one at a clean end. A connection that ends
//! otherwise, or is silent for too long, is noted; the workers see that and stop; and then timely reads what it
//! reads at a clean end.

use std::io::{self, BufReader, IoSlice, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use timely::communication::allocator::zero_copy::stream::Stream;

/// A process sends something at least this often.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// A process that is silent for so long is lost.
pub(super) const SILENCE: Duration = Duration::from_secs(8);

/// The bytes before a frame: its length, lowest byte first.
const PREFIX: usize = size_of::<u32>();

/// The length of the frame at a clean end.
const END: u32 = u32::MAX;

/// After a loss, so many bytes are made up at most: nobody has sent a longer message.
const MOST_MADE_UP: usize = 1 << 30;

/// What the threads of this process share: whether the search must be given up.
#[derive(Debug, Default)]
pub(super) struct Watch {
    is_over: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The first process that was lost, and how.
    lost: Option<(usize, Loss)>,
    /// Whether the workers of this process have ended.
    is_idle: bool,
}

/// How the connection to another process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// It was closed: the other process has ended, or has given up.
    Closed,
    /// Nothing came for eight seconds: the other process, its machine or the network stands still.
    Silent,
    /// An error of the network.
    Network(io::ErrorKind),
}

impl Watch {
    /// Whether the search must be given up.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Gives the search up in this process, and by that in all others.
    pub(super) fn give_up(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    /// The first process that was lost, and how.
    pub(super) fn lost(&self) -> Option<(usize, Loss)> {
        self.state().lost
    }

    /// Notes that the workers of this process have ended.
    pub(super) fn be_idle(&self) {
        self.state().is_idle = true;
        self.changed.notify_all();
    }

    fn lose(&self, process: usize, loss: Loss) {
        self.state().lost.get_or_insert((process, loss));
        self.give_up();
    }

    fn wait_until_idle(&self) {
        let state = self.state();
        let wait = self.changed.wait_while(state, |state| !state.is_idle);
        drop(wait.unwrap_or_else(PoisonError::into_inner));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The connection to another process.
pub(super) struct Link {
    shared: Arc<Shared>,
    source: BufReader<TcpStream>,
    /// The bytes of the present frame that are still to come.
    frame_left: u32,
    messages: Messages,
    has_ended: bool,
}

struct Shared {
    process: usize,
    socket: TcpStream,
    /// Whether nothing more is to be sent. Whoever sends holds it.
    is_closed: Mutex<bool>,
    watch: Arc<Watch>,
}

impl Link {
    /// # Errors
    ///
    /// Errors of the socket.
    pub(super) fn new(process: usize, socket: TcpStream, watch: Arc<Watch>) -> io::Result<Self> {
        socket.set_nonblocking(false)?;
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(SILENCE))?;
        // A process that reads nothing for so long does not live.
        socket.set_write_timeout(Some(SILENCE))?;
        Self::of(Arc::new(Shared { process, socket, is_closed: Mutex::new(false), watch }))
    }

    fn of(shared: Arc<Shared>) -> io::Result<Self> {
        let source = BufReader::with_capacity(1 << 16, shared.socket.try_clone()?);
        let messages = Messages::new();
        Ok(Self { shared, source, frame_left: 0, messages, has_ended: false })
    }

    /// Reads bytes of the frames; none at a clean end.
    fn receive(&mut self, out: &mut [u8]) -> Result<usize, Loss> {
        while self.frame_left == 0 {
            let mut prefix = [0; PREFIX];
            self.source.read_exact(&mut prefix).map_err(|error| loss_of(&error))?;
            self.frame_left = u32::from_le_bytes(prefix);
            if self.frame_left == END {
                return if self.messages.has_ended() { Ok(0) } else { Err(Loss::Closed) };
            }
        }
        let most = out.len().min(usize::try_from(self.frame_left).unwrap_or(usize::MAX));
        let count = self.source.read(&mut out[..most]).map_err(|error| loss_of(&error))?;
        self.frame_left -= u32::try_from(count).unwrap_or(self.frame_left);
        if count == 0 { Err(Loss::Closed) } else { Ok(count) }
    }
}

impl Read for Link {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if !self.has_ended {
            match self.receive(out) {
                Ok(0) => self.has_ended = true,
                Ok(count) => {
                    self.messages.pass(&out[..count]);
                    return Ok(count);
                }
                Err(loss) => {
                    self.has_ended = true;
                    self.shared.watch.lose(self.shared.process, loss);
                    // What is made up now must not be read by a worker.
                    self.shared.watch.wait_until_idle();
                }
            }
        }
        let left = self.messages.left();
        if left > MOST_MADE_UP {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let count = out.len().min(left);
        out[..count].fill(0);
        self.messages.pass(&out[..count]);
        Ok(count)
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = bytes.len().min(1 << 30);
        self.shared.send(u32::try_from(length).unwrap_or(0), &bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Nothing fails: what goes wrong is noted by the watch.
impl Stream for Link {
    fn try_clone(&self) -> io::Result<Self> {
        Self::of(Arc::clone(&self.shared))
    }

    fn set_nonblocking(&self, _: bool) -> io::Result<()> {
        Ok(())
    }

    fn shutdown(&self, _: Shutdown) -> io::Result<()> {
        let how = if self.shared.watch.is_over() {
            Shutdown::Both
        } else {
            self.shared.send(END, &[]);
            Shutdown::Write
        };
        *self.shared.closed() = true;
        // It fails if the other process is gone.
        let _ = self.shared.socket.shutdown(how);
        Ok(())
    }
}

impl Shared {
    fn closed(&self) -> MutexGuard<'_, bool> {
        self.is_closed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a frame, or nothing if the search is given up.
    fn send(&self, length: u32, bytes: &[u8]) {
        self.send_by(self.closed(), length, bytes);
    }

    /// Sends an empty frame, unless somebody is sending one, which may take long.
    fn beat(&self) {
        match self.is_closed.try_lock() {
            Ok(held) => self.send_by(held, 0, &[]),
            Err(TryLockError::Poisoned(held)) => self.send_by(held.into_inner(), 0, &[]),
            Err(TryLockError::WouldBlock) => {}
        }
    }

    fn send_by(&self, mut is_closed: MutexGuard<'_, bool>, length: u32, bytes: &[u8]) {
        if *is_closed || self.watch.is_over() {
            return;
        }
        if let Err(error) = write_frame(&self.socket, &length.to_le_bytes(), bytes) {
            *is_closed = true;
            self.watch.lose(self.process, loss_of(&error));
        }
    }
}

/// Writes both lists of bytes.
fn write_frame(mut socket: &TcpStream, mut prefix: &[u8], mut bytes: &[u8]) -> io::Result<()> {
    while !prefix.is_empty() {
        match socket.write_vectored(&[IoSlice::new(prefix), IoSlice::new(bytes)]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                let of_prefix = count.min(prefix.len());
                prefix = &prefix[of_prefix..];
                bytes = &bytes[count - of_prefix..];
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    socket.write_all(bytes)
}

fn loss_of(error: &io::Error) -> Loss {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::UnexpectedEof
        | Kind::ConnectionReset
        | Kind::ConnectionAborted
        | Kind::BrokenPipe
        | Kind::WriteZero => Loss::Closed,
        Kind::WouldBlock | Kind::TimedOut => Loss::Silent,
        other => Loss::Network(other),
    }
}

/// Where a reader stands in the messages of timely: each has 48 bytes that say, at 32, how many bytes follow, highest
/// byte first. A message of no bytes is the last.
#[derive(Debug)]
struct Messages {
    header: [u8; Self::HEADER],
    /// The bytes of the header that have passed.
    filled: usize,
    /// The bytes of the content that are still to pass.
    content: usize,
    has_ended: bool,
}

impl Messages {
    const HEADER: usize = 48;
    const LENGTH: usize = 32;

    fn new() -> Self {
        Self { header: [0; Self::HEADER], filled: 0, content: 0, has_ended: false }
    }

    fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// How many bytes it takes to end the present message, or, between two, a message of no bytes.
    fn left(&self) -> usize {
        match self.content {
            _ if self.has_ended => 0,
            0 => Self::HEADER - self.filled,
            content => content,
        }
    }

    fn pass(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.content > 0 {
                let count = self.content.min(bytes.len());
                self.content -= count;
                bytes = &bytes[count..];
                continue;
            }
            let count = (Self::HEADER - self.filled).min(bytes.len());
            self.header[self.filled..self.filled + count].copy_from_slice(&bytes[..count]);
            self.filled += count;
            bytes = &bytes[count..];
            if self.filled == Self::HEADER {
                let mut length = [0; size_of::<u64>()];
                length.copy_from_slice(&self.header[Self::LENGTH..Self::LENGTH + 8]);
                self.content = usize::try_from(u64::from_be_bytes(length)).unwrap_or(usize::MAX);
                self.filled = 0;
                self.has_ended |= self.content == 0;
            }
        }
    }
}

/// Threads that send heartbeats, until it is dropped: one for each link, as a process that reads nothing makes whoever
/// sends to it wait.
pub(super) struct Heart {
    threads: Vec<thread::JoinHandle<()>>,
    is_stopped: Arc<AtomicBool>,
}

impl Heart {
    /// # Errors
    ///
    /// A thread cannot be started.
    pub(super) fn start<'a>(links: impl Iterator<Item = &'a Link>) -> io::Result<Self> {
        let mut heart = Self { threads: Vec::new(), is_stopped: Arc::default() };
        for link in links {
            let (link, stop) = (Arc::clone(&link.shared), Arc::clone(&heart.is_stopped));
            let beat = move || {
                while !stop.load(Ordering::Acquire) {
                    link.beat();
                    thread::park_timeout(HEARTBEAT);
                }
            };
            let name = "bestfirst:heartbeat".to_owned();
            heart.threads.push(thread::Builder::new().name(name).spawn(beat)?);
        }
        Ok(heart)
    }
}

impl Drop for Heart {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Release);
        self.threads.iter().for_each(|thread| thread.thread().unpark());
        for thread in self.threads.drain(..) {
            // It does not panic.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn message(content: &[u8]) -> Vec<u8> {
        let mut bytes = vec![7; Messages::HEADER];
        let length = u64::try_from(content.len()).unwrap();
        bytes[Messages::LENGTH..Messages::LENGTH + 8].copy_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(content);
        bytes
    }

    /// Two ends of a connection, each with a watch.
    fn pair() -> [(Link, Arc<Watch>); 2] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (other, _) = listener.accept().unwrap();
        [(1, one), (0, other)].map(|(process, socket)| {
            let watch = Arc::new(Watch::default());
            (Link::new(process, socket, Arc::clone(&watch)).unwrap(), watch)
        })
    }

    #[test]
    fn a_clean_end_is_no_loss() {
        let [(mut one, watch), (mut other, other_watch)] = pair();
        let sent = [message(b"content"), message(b"")].concat();
        one.write_all(&sent[..10]).unwrap();
        one.shared.send(0, &[]);
        one.write_all(&sent[10..]).unwrap();
        one.shutdown(Shutdown::Write).unwrap();
        one.shared.send(0, &[]);
        let mut received = Vec::new();
        other.read_to_end(&mut received).unwrap();
        assert_eq!(received, sent);
        assert!(!watch.is_over() && !other_watch.is_over());
    }

    #[test]
    fn a_connection_that_breaks_is_noted_and_the_message_is_ended() {
        // Between two messages, in a header, behind its length, and in the content.
        let whole = [message(b"one"), message(b"two")].concat();
        for cut in [0, 51, 60, 90, 99, whole.len() - 1, whole.len()] {
            let [(mut one, watch), (mut other, other_watch)] = pair();
            one.write_all(&whole[..cut]).unwrap();
            watch.give_up();
            one.shutdown(Shutdown::Write).unwrap();
            other_watch.be_idle();
            let mut received = Vec::new();
            other.read_to_end(&mut received).unwrap();
            assert_eq!(other_watch.lost(), Some((0, Loss::Closed)), "{cut}");
            assert_eq!(received[..cut], whole[..cut]);
            let mut messages = Messages::new();
            messages.pass(&received);
            assert!(messages.has_ended() && messages.left() == 0, "{cut}");
        }
    }

    #[test]
    fn heartbeats_are_not_read() {
        let [(mut one, _), (mut other, _)] = pair();
        let heart = Heart::start([&one].into_iter()).unwrap();
        drop(heart);
        one.write_all(&message(b"")).unwrap();
        one.shutdown(Shutdown::Write).unwrap();
        let mut received = Vec::new();
        other.read_to_end(&mut received).unwrap();
        assert_eq!(received, message(b""));
    }
    #[test]
    fn a_link_that_is_busy_does_not_keep_the_heart_from_others() {
        let [(busy, _), _other_end] = pair();
        let [(one, _), (mut other, _)] = pair();
        // As long as somebody sends.
        let held = busy.shared.closed();
        let heart = Heart::start([&busy, &one].into_iter()).unwrap();
        let mut frame = [1; PREFIX];
        other.source.read_exact(&mut frame).unwrap();
        drop(heart);
        drop(held);
        assert_eq!(frame, [0; PREFIX]);
    }

    #[test]
    fn a_message_of_absurd_length_is_not_made_up() {
        let [(mut one, watch), (mut other, other_watch)] = pair();
        let mut header = message(b"");
        header[Messages::LENGTH..Messages::LENGTH + 8].fill(0xff);
        one.write_all(&header).unwrap();
        watch.give_up();
        one.shutdown(Shutdown::Write).unwrap();
        other_watch.be_idle();
        let error = other.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert_eq!(other_watch.lost(), Some((0, Loss::Closed)));
    }
}
