use super::super::messages::HEADER;
use super::super::messages::tests::{EXPECTED, header};
use super::super::secret::Secret;
use super::*;
use std::collections::VecDeque;

/// One end of a connection by hand: what comes, and what was sent. Where nothing comes any more, each try takes a second.
#[derive(Default)]
struct Pipe {
    incoming: Mutex<VecDeque<Vec<u8>>>,
    outgoing: Mutex<Vec<u8>>,
    /// At most this many bytes are taken at once.
    takes: usize,
    now: Mutex<Duration>,
    is_closed: bool,
}

impl Wire for Pipe {
    fn set_waiting(&self, _: bool) -> io::Result<()> {
        Ok(())
    }

    fn receive(&self, out: &mut [u8]) -> io::Result<usize> {
        *self.now.lock().unwrap() += Duration::from_secs(1);
        let mut incoming = self.incoming.lock().unwrap();
        match incoming.front_mut() {
            Some(first) => {
                let count = copy(first, out);
                first.drain(..count);
                if first.is_empty() {
                    incoming.pop_front();
                }
                Ok(count)
            }
            None if self.is_closed => Ok(0),
            None => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn send(&self, head: &[u8], body: &[u8]) -> io::Result<usize> {
        *self.now.lock().unwrap() += Duration::from_secs(1);
        let bytes = [head, body].concat();
        let count = bytes.len().min(self.takes);
        self.outgoing.lock().unwrap().extend_from_slice(&bytes[..count]);
        if count == 0 { Err(io::ErrorKind::TimedOut.into()) } else { Ok(count) }
    }

    fn close(&self, _: Shutdown) {}

    fn now(&self) -> Duration {
        *self.now.lock().unwrap()
    }
}

fn sequence(word: &[u8]) -> Sequence {
    Sequence::new(Secret::none().key().derive(&[word]))
}

/// Process 1 of four with two workers each, linked to process 0, and how it does.
fn link(pipe: Pipe) -> (Link<Pipe>, Arc<Watch>) {
    let watch = Arc::new(Watch::new(1, 4, 2, Duration::MAX));
    watch.be_idle();
    let (sending, receiving, received) = (sequence(b"to 0"), sequence(b"to 1"), Vec::new());
    let proven = Proven { wire: pipe, sending, receiving, received };
    (Link::new(0, proven, EXPECTED, Arc::clone(&watch)).unwrap(), watch)
}

/// What comes, in pieces, and is read, and how it ends.
fn read(
    pieces: impl IntoIterator<Item = Vec<u8>>,
    is_closed: bool,
) -> (Vec<u8>, Option<(usize, Loss)>) {
    let incoming = Mutex::new(pieces.into_iter().collect());
    let (mut link, watch) = link(Pipe { incoming, is_closed, ..Pipe::default() });
    let mut bytes = Vec::new();
    link.read_to_end(&mut bytes).unwrap();
    (bytes, watch.lost())
}

fn frames(contents: &[(Kind, &[u8])]) -> Vec<Vec<u8>> {
    let mut sequence = sequence(b"to 1");
    let frame =
        |(kind, content): &(Kind, &[u8])| [&sequence.head(*kind, content), *content].concat();
    contents.iter().map(frame).collect()
}

fn message(content: &[u8]) -> Vec<u8> {
    [&header([3, 0, 2, 3, content.len() as u64, 0])[..], content].concat()
}

/// Reads as timely does: every header is right, and the last message is the last.
fn assert_readable(mut bytes: &[u8]) {
    loop {
        let (header, rest) = bytes.split_first_chunk::<HEADER>().unwrap();
        let length =
            usize::try_from(u64::from_be_bytes(header[32..40].try_into().unwrap())).unwrap();
        bytes = &rest[length..];
        if length == 0 {
            assert!(bytes.is_empty());
            return;
        }
    }
}

#[test]
fn a_clean_end_is_no_loss_however_the_bytes_come() {
    let sent = [message(b"content"), message(b"more"), message(b"")].concat();
    let beat = [0; Beat::BYTES];
    let frames = frames(&[
        (Kind::Data, &sent[..10]),
        (Kind::Beat, &beat),
        (Kind::Data, &sent[10..60]),
        (Kind::Data, &sent[60..]),
        (Kind::End, b""),
    ]);
    for size in [1, 2, 7, 50, 1000] {
        let bytes = frames.concat();
        // A second passes with each piece, so few pieces have a byte.
        let pieces: Vec<_> = bytes.chunks(size.max(20)).map(<[u8]>::to_vec).collect();
        assert_eq!(read(pieces, false), (sent.clone(), None), "{size}");
        assert_eq!(read(frames.clone(), false), (sent.clone(), None));
    }
}

#[test]
fn a_connection_that_breaks_is_noted_and_the_messages_are_ended() {
    let whole = [message(b"one"), message(b"two")].concat();
    for cut in 0..=whole.len() {
        let (got, lost) = read(frames(&[(Kind::Data, &whole[..cut])]), true);
        assert_eq!(lost, Some((0, Loss::Closed)), "{cut}");
        assert_readable(&got);
        // An end that is sent too early is none.
        let (got, lost) = read(frames(&[(Kind::Data, &whole[..cut]), (Kind::End, b"")]), true);
        assert_eq!(lost, Some((0, Loss::Closed)), "{cut}");
        assert_readable(&got);
    }
}

#[test]
fn a_loss_that_is_told_is_passed_on() {
    let end_after = |lost: &[u8]| {
        let incoming = Mutex::new(frames(&[(Kind::Lost, lost)]).into());
        let (mut link, watch) = link(Pipe { incoming, takes: 20, ..Pipe::default() });
        let mut got = Vec::new();
        link.read_to_end(&mut got).unwrap();
        assert_readable(&got);
        link.shutdown(Shutdown::Write).unwrap();
        (watch.lost().unwrap(), link.shared.wire.outgoing.lock().unwrap().clone())
    };
    for (told, lost) in [
        (2, (2, Loss::Reported { by: 0 })),
        (3, (3, Loss::Reported { by: 0 })),
        // Itself, this process, and none.
        (0, (0, Loss::Closed)),
        (1, (0, Loss::Closed)),
        (4, (0, Loss::Closed)),
        (u64::MAX, (0, Loss::Closed)),
    ] {
        let (end, sent) = end_after(&told.to_le_bytes());
        assert_eq!(end, lost, "{told}");
        let content = (lost.0 as u64).to_le_bytes();
        let head = sequence(b"to 0").head(Kind::Lost, &content);
        let frame = if lost.0 == 0 { Vec::new() } else { [&head[..], &content].concat() };
        assert_eq!(sent, frame, "{told}");
    }
    assert_eq!(end_after(&[2; 7]).0, (0, Loss::Garbled));
}

#[test]
fn what_is_wrong_is_not_read() {
    let right = message(b"content");
    let ending = message(b"");
    let late = [&ending[..], &right].concat();
    let target = [&header([3, 0, 2, 5, 7, 0])[..], b"content"].concat();
    let length = header([3, 0, 2, 3, 1 << 60, 0]);
    for (name, contents) in [
        ("a target", vec![(Kind::Data, &target[..])]),
        ("a length", vec![(Kind::Data, &length[..])]),
        ("a length behind a message", vec![(Kind::Data, &right), (Kind::Data, &length[..])]),
        ("a length in two parts", vec![(Kind::Data, &length[..40]), (Kind::Data, &length[40..])]),
        ("data behind the last", vec![(Kind::Data, &late)]),
        ("a frame behind the last", vec![(Kind::Data, &ending), (Kind::Data, b"x")]),
        ("a second hello", vec![(Kind::Hello, b"")]),
        ("a heartbeat of another length", vec![(Kind::Beat, b"beat")]),
    ] {
        let (got, lost) = read(frames(&contents), false);
        assert_eq!(lost, Some((0, Loss::Garbled)), "{name}");
        assert_readable(&got);
    }
    for noise in [vec![0xff; 100], vec![0; 100], b"GET / HTTP/1.1\r\n\r\n".repeat(10)] {
        let (got, lost) = read([noise], false);
        assert_eq!(lost, Some((0, Loss::Garbled)));
        assert_readable(&got);
    }
}

#[test]
fn a_frame_that_comes_byte_by_byte_is_late() {
    let bytes = frames(&[(Kind::Data, &message(b"content"))]).concat();
    let (got, lost) = read(bytes.into_iter().map(|byte| vec![byte]), false);
    assert_eq!(lost, Some((0, Loss::Silent)));
    assert_readable(&got);
    assert_eq!(read([], false).1, Some((0, Loss::Silent)));
}

#[test]
fn a_process_that_takes_byte_by_byte_is_silent() {
    for (takes, loss) in [(0, Some(Loss::Silent)), (1, Some(Loss::Silent)), (10, None)] {
        let (mut one, watch) = link(Pipe { takes, ..Pipe::default() });
        one.write_all(b"content").unwrap();
        assert_eq!(watch.lost().map(|(_, loss)| loss), loss, "{takes}");
        let sent = one.shared.wire.outgoing.lock().unwrap().len();
        assert!(sent <= 44 && (loss.is_none() || sent < 10), "{sent}");
    }
}

#[test]
fn what_is_written_is_read() {
    let (mut one, watch) = link(Pipe { takes: usize::MAX, ..Pipe::default() });
    let sent = [message(&vec![7; 100_000]), message(b"")].concat();
    one.write_all(&sent).unwrap();
    one.pulse().beat();
    one.shutdown(Shutdown::Write).unwrap();
    one.pulse().beat();
    let bytes = one.shared.wire.outgoing.lock().unwrap().clone();
    let (mut other, other_watch) =
        link(Pipe { incoming: Mutex::new(VecDeque::from([bytes])), ..Pipe::default() });
    let receiving = Incoming::new(sequence(b"to 0"), &[], Duration::ZERO);
    *other.shared.incoming.lock().unwrap() = Some(receiving);
    let mut read = Vec::new();
    other.read_to_end(&mut read).unwrap();
    assert!(read == sent && !watch.is_over() && !other_watch.is_over());
}
