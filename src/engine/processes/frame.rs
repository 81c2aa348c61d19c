//! What passes over a connection: frames, each with a code over its bytes and its place in the sequence, so that nothing can be
//! changed, left out, repeated or added by who does not have the key.

use super::error::Loss;
use super::secret::{Code, Key};

/// The bytes before the content of a frame: its length, lowest byte first; its kind; its code.
pub(super) const HEAD: usize = 4 + 1 + blake3::OUT_LEN;

/// The most bytes of the content of a frame.
pub(super) const MOST: usize = 1 << 16;

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What the process was given; the first frame.
    Hello,
    /// Bytes of timely.
    Data,
    /// The process lives, and how far it has come.
    Beat,
    /// Nothing follows.
    End,
    /// The process gives up, as it has lost the one with this number. Nothing follows.
    Lost,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Hello, Self::Data, Self::Beat, Self::End, Self::Lost];
}

/// The frames of one direction of a connection: makes the next one, or checks it.
#[derive(Clone)]
pub(super) struct Sequence {
    key: Key,
    next: u64,
}

impl Sequence {
    pub(super) fn new(key: Key) -> Self {
        Self { key, next: 0 }
    }

    fn next_code(&mut self, kind: Kind, content: &[u8]) -> Code {
        let nth = self.next.to_le_bytes();
        self.next += 1;
        self.key.code(&[&nth, &[kind as u8], content])
    }

    /// The bytes before the content of the next frame.
    pub(super) fn head(&mut self, kind: Kind, content: &[u8]) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
        head[..4].copy_from_slice(&length.to_le_bytes());
        head[4] = kind as u8;
        head[5..].copy_from_slice(self.next_code(kind, content).as_bytes());
        head
    }

    /// Reads the next frame from the first of some bytes: its kind and the length of its content, which follows its head. `None`
    /// as long as bytes are missing.
    ///
    /// # Errors
    ///
    /// [`Loss::Garbled`] as soon as it is clear that it is not the frame that was sent.
    pub(super) fn open(&mut self, bytes: &[u8]) -> Result<Option<(Kind, usize)>, Loss> {
        let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return Ok(None) };
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
        if length > MOST {
            return Err(Loss::Garbled);
        }
        let Some((kind, rest)) = rest.split_first() else { return Ok(None) };
        let is_kind = |other: &Kind| *other as u8 == *kind;
        let kind = Kind::ALL.into_iter().find(is_kind).ok_or(Loss::Garbled)?;
        let Some((code, rest)) = rest.split_first_chunk::<{ blake3::OUT_LEN }>() else {
            return Ok(None);
        };
        let Some(content) = rest.get(..length) else { return Ok(None) };
        // Compared in constant time.
        if self.next_code(kind, content) == Code::from(*code) {
            Ok(Some((kind, length)))
        } else {
            Err(Loss::Garbled)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::secret::Secret;
    use super::*;

    fn sequence() -> Sequence {
        Sequence::new(Secret::none().key().derive(&[b"test"]))
    }

    fn frame(sequence: &mut Sequence, kind: Kind, content: &[u8]) -> Vec<u8> {
        [&sequence.head(kind, content), content].concat()
    }

    #[test]
    fn frames_come_in_their_order_and_unchanged_or_not_at_all() {
        let mut sender = sequence();
        let frames = [(Kind::Data, &b"one"[..]), (Kind::Beat, b"two"), (Kind::End, b"")]
            .map(|(kind, content)| (kind, content.len(), frame(&mut sender, kind, content)));
        let mut receiver = sequence();
        for (kind, length, bytes) in &frames {
            for end in 0..bytes.len() {
                assert_eq!(receiver.open(&bytes[..end]), Ok(None), "{end}");
            }
            for bit in 0..bytes.len() * 8 {
                let mut damaged = bytes.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                // Where the length has become larger, more bytes are waited for.
                let opened = receiver.clone().open(&damaged);
                assert!(opened == Err(Loss::Garbled) || (bit < 32 && opened == Ok(None)), "{bit}");
            }
            assert_eq!(receiver.clone().open(bytes), Ok(Some((*kind, *length))));
            receiver.open(bytes).unwrap();
            // Not once more.
            assert_eq!(receiver.clone().open(bytes), Err(Loss::Garbled));
        }
        // Not without the first.
        assert_eq!(sequence().open(&frames[1].2), Err(Loss::Garbled));
    }

    #[test]
    fn a_length_is_not_believed() {
        for length in [u32::MAX, 1 << 30, 65_537] {
            assert_eq!(sequence().open(&length.to_le_bytes()), Err(Loss::Garbled));
        }
        assert_eq!(sequence().open(&65_536_u32.to_le_bytes()), Ok(None));
        assert_eq!(sequence().open(&[0, 0, 0, 0, 5]), Err(Loss::Garbled));
    }
}
