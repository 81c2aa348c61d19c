//! [`Messages`]: the messages of timely in what one process sends to another, so that timely reads none that is wrong.
//!
//! A message begins with six numbers of eight bytes, highest byte first: the channel, the worker that sends it, the workers
//! that it is for (the first, and the one behind the last), how many bytes follow, and a number that counts. The last message
//! has no bytes.

use std::ops::Range;

use super::error::Loss;

/// The bytes before the content of a message.
pub(super) const HEADER: usize = 48;

/// What the messages of another process may say.
#[derive(Clone, Debug)]
pub(super) struct Expected {
    /// The workers of that process.
    pub(super) senders: Range<u64>,
    /// The workers of this one.
    pub(super) receivers: Range<u64>,
    /// No message has more bytes behind its header.
    pub(super) most: usize,
}

impl Expected {
    /// The channels of the dataflow: for batches, and for how far the workers have come. (Timely numbers operators, too. Another
    /// version may number otherwise: then no search on several processes ends well.)
    const CHANNELS: [u64; 2] = [3, 5];

    /// The number of bytes that follow a header.
    fn check(&self, header: &[u8; HEADER]) -> Result<usize, Loss> {
        let mut numbers = [0; HEADER / 8];
        for (number, bytes) in numbers.iter_mut().zip(header.as_chunks::<8>().0) {
            *number = u64::from_be_bytes(*bytes);
        }
        let [channel, sender, first, behind, length, _] = numbers;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let is_right = Self::CHANNELS.contains(&channel)
            && self.senders.contains(&sender)
            && self.receivers.start <= first
            && first < behind
            && behind <= self.receivers.end
            && length <= self.most;
        // Of the last message, nothing else counts.
        if is_right || length == 0 { Ok(length) } else { Err(Loss::Garbled) }
    }
}

/// Where a reader stands in the messages. A header is gathered and checked before any of it is read.
#[derive(Debug)]
pub(super) struct Messages {
    header: [u8; HEADER],
    /// The bytes of the header that were gathered.
    gathered: usize,
    /// The bytes of the header that were read, once all are gathered.
    read: usize,
    /// The bytes of the content that are still to be read.
    content: usize,
    have_ended: bool,
}

/// What comes next.
pub(super) enum Next<'a> {
    /// This part of a header is to be read.
    Header(&'a [u8]),
    /// At most this many bytes of content are to be read.
    Content(usize),
    /// At most this many bytes of a header are to be gathered.
    Gather(usize),
}

impl Messages {
    pub(super) fn new() -> Self {
        Self { header: [0; HEADER], gathered: 0, read: 0, content: 0, have_ended: false }
    }

    /// Whether the last message has come, of which nothing is left to be read.
    pub(super) fn have_ended(&self) -> bool {
        self.have_ended && self.gathered < HEADER
    }

    pub(super) fn next(&self) -> Next<'_> {
        if self.gathered == HEADER {
            Next::Header(&self.header[self.read..])
        } else if self.content > 0 {
            Next::Content(self.content)
        } else {
            Next::Gather(HEADER - self.gathered)
        }
    }

    /// Takes bytes of a header.
    ///
    /// # Errors
    ///
    /// [`Loss::Garbled`] if it is wrong, or behind the last one.
    pub(super) fn gather(&mut self, bytes: &[u8], expected: &Expected) -> Result<(), Loss> {
        if self.have_ended {
            return Err(Loss::Garbled);
        }
        let end = self.gathered + bytes.len();
        self.header[self.gathered..end].copy_from_slice(bytes);
        self.gathered = end;
        if end == HEADER {
            match expected.check(&self.header) {
                Ok(content) => {
                    self.content = content;
                    self.have_ended = content == 0;
                }
                Err(loss) => {
                    // It is not read.
                    self.gathered = 0;
                    return Err(loss);
                }
            }
        }
        Ok(())
    }

    /// Notes that `count` bytes were read of what is [next](Self::next).
    pub(super) fn pass(&mut self, count: usize) {
        if self.gathered == HEADER {
            self.read += count;
            if self.read == HEADER {
                (self.gathered, self.read) = (0, 0);
            }
        } else {
            self.content -= count;
        }
    }

    /// Begins the last message, as the other process has sent none.
    pub(super) fn end(&mut self) {
        *self = Self { gathered: HEADER, have_ended: true, ..Self::new() };
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) const EXPECTED: Expected =
        Expected { senders: 0..2, receivers: 2..4, most: 1 << 20 };

    /// A header of these numbers.
    pub(in super::super) fn header(numbers: [u64; 6]) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        for (bytes, number) in header.as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
            *bytes = number.to_be_bytes();
        }
        header
    }

    #[test]
    fn what_a_header_says_is_checked() {
        let right = [3, 1, 2, 4, 100, 7];
        assert_eq!(EXPECTED.check(&header(right)), Ok(100));
        assert_eq!(EXPECTED.check(&header([0; 6])), Ok(0));
        for (at, number) in [
            (0, 4),
            (0, u64::MAX),
            (1, 2),
            (1, u64::MAX),
            (2, 1),
            (2, 4),
            (2, u64::MAX),
            (3, 2),
            (3, 5),
            (3, u64::MAX),
            (4, (1 << 20) + 1),
            (4, 1 << 60),
            (4, u64::MAX),
        ] {
            let mut wrong = right;
            wrong[at] = number;
            assert_eq!(EXPECTED.check(&header(wrong)), Err(Loss::Garbled), "{at} {number}");
        }
    }

    #[test]
    fn no_byte_of_a_header_that_is_wrong_is_read() {
        let wrong = header([3, 0, 2, 3, 1 << 60, 0]);
        for cut in 0..HEADER {
            let mut messages = Messages::new();
            messages.gather(&wrong[..cut], &EXPECTED).unwrap();
            assert!(matches!(messages.next(), Next::Gather(_)));
            assert_eq!(messages.gather(&wrong[cut..], &EXPECTED), Err(Loss::Garbled));
            assert!(matches!(messages.next(), Next::Gather(HEADER)));
            messages.end();
            assert!(matches!(messages.next(), Next::Header(header) if *header == [0; HEADER]));
            messages.pass(HEADER);
            assert!(messages.have_ended());
        }
    }
}
