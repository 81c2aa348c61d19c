//! [`Link`]: the connection to another process, which timely reads and writes.
//!
//! Timely's threads panic when a connection breaks or what they read is wrong, and its workers wait for ever when a machine falls
//! silent. So what it writes travels in [frames](super::frame), with others as heartbeats and a last one at a
//! clean end; and it reads only messages that are checked. A connection that ends otherwise, or is silent for too long, is noted by
//! the [`Watch`]; the workers see that and stop; and then timely reads what it reads at a clean end.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use timely::communication::allocator::zero_copy::stream::Stream;

use super::connect::Proven;
use super::error::Loss;
use super::frame::{self, Kind, Sequence};
use super::heart::Pulse;
use super::message;
use super::messages::{Expected, Messages, Next};
use super::watch::{Advance, Watch};
use super::wire::{Wire, must_wait};
use crate::encode::Encode;

/// A process of which no whole frame comes, or that takes none, for so long is lost.
pub(super) const SILENCE: Duration = Duration::from_secs(8);

/// The content of a heartbeat: how far the process has come, and whether it only waits.
type Beat = (u64, bool);

/// The connection to another process, for one of the threads that use it.
pub(super) struct Link<W> {
    shared: Arc<Shared<W>>,
    /// For the thread that reads.
    incoming: Option<Incoming>,
    messages: Messages,
    has_ended: bool,
}

/// What all threads use.
pub(super) struct Shared<W> {
    process: usize,
    wire: W,
    /// Whoever sends holds it.
    sending: Mutex<Sending>,
    /// For the one thread that reads: the first one that does.
    incoming: Mutex<Option<Incoming>>,
    expected: Expected,
    watch: Arc<Watch>,
}

struct Sending {
    sequence: Sequence,
    /// Whether nothing more is to be sent.
    is_closed: bool,
}

/// The frames that come.
struct Incoming {
    sequence: Sequence,
    /// What has come and was not read yet is from `begin` to `end`. There is room for a frame behind it.
    bytes: Vec<u8>,
    begin: usize,
    end: usize,
    /// So much of it is content of a frame that was checked.
    content: usize,
    /// When the last whole frame came.
    last: Duration,
}

impl<W: Wire> Link<W> {
    /// # Errors
    ///
    /// Errors of the connection.
    pub(super) fn new(
        process: usize,
        proven: Proven<W>,
        expected: Expected,
        watch: Arc<Watch>,
    ) -> io::Result<Self> {
        let Proven { wire, sending, receiving, received } = proven;
        wire.set_waiting(true)?;
        let incoming = Incoming::new(receiving, &received, wire.now());
        let sending = Sending { sequence: sending, is_closed: false };
        Ok(Self::of(Arc::new(Shared {
            process,
            wire,
            sending: Mutex::new(sending),
            incoming: Mutex::new(Some(incoming)),
            expected,
            watch,
        })))
    }

    fn of(shared: Arc<Shared<W>>) -> Self {
        Self { shared, incoming: None, messages: Messages::new(), has_ended: false }
    }

    pub(super) fn pulse(&self) -> Pulse<W> {
        Pulse(Arc::clone(&self.shared))
    }

    /// Reads of the messages what has come; waits for the first byte. None at a clean end.
    fn receive(&mut self, out: &mut [u8]) -> Result<usize, Loss> {
        let Self { shared, incoming, messages, .. } = self;
        if incoming.is_none() {
            *incoming = shared.incoming.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
        let incoming = incoming.as_mut().ok_or(Loss::Closed)?;
        let mut count = 0;
        loop {
            let free = &mut out[count..];
            count += match messages.next() {
                _ if free.is_empty() => return Ok(count),
                Next::Header(header) => {
                    let copied = copy(header, free);
                    messages.pass(copied);
                    copied
                }
                Next::Content(most) if incoming.content > 0 => {
                    let most = most.min(free.len());
                    let copied = copy(incoming.take(most), free);
                    messages.pass(copied);
                    copied
                }
                // What follows may be wrong, and then nothing more is read.
                Next::Gather(_) if count > 0 => return Ok(count),
                Next::Gather(most) if incoming.content > 0 => {
                    let bytes = incoming.take(most);
                    messages.gather(bytes, &shared.expected)?;
                    0
                }
                _ if count > 0 => return Ok(count),
                _ => match shared.next_frame(incoming)? {
                    Kind::Data if !messages.have_ended() => 0,
                    Kind::End if messages.have_ended() => return Ok(0),
                    // The other process has ended without having said all.
                    Kind::End => return Err(Loss::Closed),
                    Kind::Beat => 0,
                    Kind::Data | Kind::Hello | Kind::Lost => return Err(Loss::Garbled),
                },
            };
        }
    }

    fn end(&mut self) {
        self.has_ended = true;
        self.shared.wire.close(Shutdown::Read);
    }

    /// What is read at the end: zeros, until the message that was begun has ended, and a last one, unless it has come.
    fn make_up(&mut self, out: &mut [u8]) -> usize {
        let count = loop {
            match self.messages.next() {
                Next::Header(header) => break copy(header, out),
                Next::Content(most) => {
                    let count = most.min(out.len());
                    out[..count].fill(0);
                    break count;
                }
                Next::Gather(_) if self.messages.have_ended() => return 0,
                Next::Gather(_) => self.messages.end(),
            }
        };
        self.messages.pass(count);
        count
    }
}

fn copy(from: &[u8], to: &mut [u8]) -> usize {
    let count = from.len().min(to.len());
    to[..count].copy_from_slice(&from[..count]);
    count
}

impl<W: Wire> Read for Link<W> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if !self.has_ended {
            match self.receive(out) {
                Ok(0) => self.end(),
                Ok(count) => return Ok(count),
                Err(loss) => {
                    self.shared.watch.lose(self.shared.process, loss);
                    self.end();
                    // What is made up now must not be read by a worker.
                    self.shared.watch.wait_until_idle();
                }
            }
        }
        Ok(self.make_up(out))
    }
}

impl<W: Wire> Write for Link<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = bytes.len().min(frame::MOST);
        self.shared.send(Kind::Data, &bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.shared.wire.flushed();
        Ok(())
    }
}

/// Nothing fails: what goes wrong is noted by the watch.
impl<W: Wire> Stream for Link<W> {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self::of(Arc::clone(&self.shared)))
    }

    fn set_nonblocking(&self, _: bool) -> io::Result<()> {
        Ok(())
    }

    fn shutdown(&self, _: Shutdown) -> io::Result<()> {
        let how = if self.shared.watch.is_over() {
            self.shared.tell_of_loss();
            Shutdown::Both
        } else {
            self.shared.send(Kind::End, &[]);
            Shutdown::Write
        };
        self.shared.sending().is_closed = true;
        self.shared.wire.close(how);
        Ok(())
    }
}

impl<W: Wire> Shared<W> {
    fn sending(&self) -> MutexGuard<'_, Sending> {
        self.sending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells which other process was lost, if the search is given up for that.
    fn tell_of_loss(&self) {
        if let Some((process, _)) = self.watch.lost()
            && process != self.process
        {
            let mut content = [0; u64::BYTES];
            (process as u64).encode(&mut content);
            self.send(Kind::Lost, &content);
        }
    }

    /// Sends a frame, or nothing but the loss if the search is given up.
    fn send(&self, kind: Kind, content: &[u8]) {
        self.send_by(self.sending(), kind, content);
    }

    /// Sends a heartbeat, unless somebody is sending a frame, which may take long; looks whether all come further.
    pub(super) fn beat(&self) {
        let Advance { work, waits } = self.watch.advance();
        let mut content = [0; Beat::BYTES];
        (work, waits).encode(&mut content);
        match self.sending.try_lock() {
            Ok(held) => self.send_by(held, Kind::Beat, &content),
            Err(TryLockError::Poisoned(held)) => {
                self.send_by(held.into_inner(), Kind::Beat, &content);
            }
            Err(TryLockError::WouldBlock) => {}
        }
        self.watch.check_advance(self.wire.now());
    }

    fn send_by(&self, mut sending: MutexGuard<'_, Sending>, kind: Kind, content: &[u8]) {
        if sending.is_closed || (self.watch.is_over() && kind != Kind::Lost) {
            return;
        }
        let head = sending.sequence.head(kind, content);
        if let Err(loss) = self.send_all(&head, content) {
            sending.is_closed = true;
            self.watch.lose(self.process, loss);
        }
    }

    /// Sends both lists of bytes.
    fn send_all(&self, mut head: &[u8], mut body: &[u8]) -> Result<(), Loss> {
        let mut began = None;
        loop {
            match self.wire.send(head, body) {
                Ok(0) => return Err(Loss::Closed),
                Ok(count) => {
                    let of_head = count.min(head.len());
                    head = &head[of_head..];
                    body = &body[count - of_head..];
                }
                Err(error) if must_wait(&error) && !self.watch.is_over() => {}
                Err(error) => return Err(loss_of(&error)),
            }
            if head.is_empty() && body.is_empty() {
                return Ok(());
            }
            let now = self.wire.now();
            if now.saturating_sub(*began.get_or_insert(now)) >= SILENCE {
                return Err(Loss::Silent);
            }
        }
    }

    /// Waits for the next frame, whose content is then to be taken. A heartbeat is read here.
    fn next_frame(&self, incoming: &mut Incoming) -> Result<Kind, Loss> {
        loop {
            if let Some(kind) = incoming.open()? {
                let now = self.wire.now();
                incoming.last = now;
                match kind {
                    Kind::Beat => {
                        let (work, waits) = message::read::<Beat>(incoming.take(usize::MAX))
                            .map_err(|_| Loss::Garbled)?;
                        self.watch.hear_advance(self.process, Advance { work, waits }, now);
                    }
                    Kind::Lost => {
                        let lost = message::read::<u64>(incoming.take(usize::MAX))
                            .map_err(|_| Loss::Garbled)?;
                        self.watch.hear_loss(self.process, lost);
                        return Err(Loss::Closed);
                    }
                    _ => self.watch.hear(self.process, now),
                }
                return Ok(kind);
            }
            if self.watch.is_over() {
                return Err(Loss::Closed);
            }
            match self.wire.receive(incoming.room()) {
                Ok(0) => return Err(Loss::Closed),
                Ok(count) => incoming.end += count,
                Err(error) if must_wait(&error) => {}
                Err(error) => return Err(loss_of(&error)),
            }
            if !incoming.is_whole() && self.wire.now().saturating_sub(incoming.last) >= SILENCE {
                return Err(Loss::Silent);
            }
        }
    }
}

impl Incoming {
    /// How many bytes of frames may wait to be read.
    const ROOM: usize = 2 * (frame::HEAD + frame::MOST);

    fn new(sequence: Sequence, received: &[u8], now: Duration) -> Self {
        let mut bytes = vec![0; Self::ROOM.max(received.len())];
        bytes[..received.len()].copy_from_slice(received);
        Self { sequence, bytes, begin: 0, end: received.len(), content: 0, last: now }
    }

    /// Opens the next frame, if all of it is there, and none is open.
    fn open(&mut self) -> Result<Option<Kind>, Loss> {
        let Some((kind, length)) = self.sequence.open(&self.bytes[self.begin..self.end])? else {
            return Ok(None);
        };
        self.begin += frame::HEAD;
        self.content = length;
        Ok(Some(kind))
    }

    /// Whether all of the next frame is there.
    fn is_whole(&self) -> bool {
        let bytes = &self.bytes[self.begin..self.end];
        bytes.first_chunk().is_some_and(|length| {
            let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
            bytes.len() - length.min(bytes.len()) >= frame::HEAD
        })
    }

    /// Where more bytes of the frame that is not whole go.
    fn room(&mut self) -> &mut [u8] {
        if self.begin + frame::HEAD + frame::MOST > self.bytes.len() {
            self.bytes.copy_within(self.begin..self.end, 0);
            self.end -= self.begin;
            self.begin = 0;
        }
        &mut self.bytes[self.end..]
    }

    /// The next bytes of the content of the frame that is open.
    fn take(&mut self, most: usize) -> &[u8] {
        let count = most.min(self.content);
        let begin = self.begin;
        self.begin += count;
        self.content -= count;
        &self.bytes[begin..begin + count]
    }
}

fn loss_of(error: &io::Error) -> Loss {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::UnexpectedEof
        | Kind::ConnectionReset
        | Kind::ConnectionAborted
        | Kind::BrokenPipe
        | Kind::WriteZero => Loss::Closed,
        other => Loss::Network(other),
    }
}

#[cfg(test)]
mod tests;
