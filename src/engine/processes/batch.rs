//! [`Batch`]: bytes for one worker, the container of the dataflow.

use std::io::Write;
use std::mem;

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};
use timely::progress::Stamp;

/// The bytes of a batch: not more, unless a single record has more.
pub(super) const MOST: usize = 1 << 16;

/// How many records of this size are in a batch at most.
pub(super) const fn most_records(size: usize) -> usize {
    match MOST.checked_div(size) {
        None => MOST,
        Some(0) => 1,
        Some(most) => most,
    }
}

/// Bytes for one worker. They are sent as they are, copied once into the buffer of the socket, and read where they
/// were received.
#[derive(Default)]
pub(super) struct Batch {
    /// The worker that it is for.
    to: usize,
    content: Content,
}

#[derive(Default)]
enum Content {
    /// Nothing: what is left of a batch that was sent.
    #[default]
    Sent,
    Own(Vec<u8>),
    Received(Bytes),
}

impl Batch {
    pub(super) fn new(to: usize, bytes: Vec<u8>) -> Self {
        Self { to, content: Content::Own(bytes) }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match &self.content {
            Content::Sent => &[],
            Content::Own(bytes) => bytes,
            Content::Received(bytes) => bytes,
        }
    }

    /// The list of bytes, to be used again, if the batch was made here.
    pub(super) fn into_buffer(self) -> Option<Vec<u8>> {
        match self.content {
            Content::Own(bytes) => Some(bytes),
            Content::Sent | Content::Received(_) => None,
        }
    }
}

/// A batch counts as one record, whatever is in it.
impl Accountable for Batch {
    fn record_count(&self) -> i64 {
        i64::from(!matches!(self.content, Content::Sent))
    }
}

impl ContainerBytes for Batch {
    fn from_bytes(bytes: Bytes) -> Self {
        Self { to: 0, content: Content::Received(bytes) }
    }

    fn length_in_bytes(&self) -> usize {
        self.bytes().len()
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        // The writer is a part of a buffer that is large enough.
        writer.write_all(self.bytes()).unwrap_or_else(|_| unreachable!("there is room"));
    }
}

/// Gives each batch to the worker that it is for.
pub(super) struct ByAddress;

impl Distributor<Batch> for ByAddress {
    fn partition<T: Clone, P: Push<Message<T, Batch>>>(
        &mut self,
        batch: &mut Batch,
        stamp: &Stamp<T>,
        pushers: &mut [P],
    ) {
        let to = batch.to;
        Message::push_at(batch, stamp.clone(), &mut pushers[to]);
    }

    fn flush<T: Clone, P: Push<Message<T, Batch>>>(&mut self, _: &Stamp<T>, _: &mut [P]) {}
}

/// What is left of a batch that was sent to another process: its list of bytes.
pub(super) fn take_buffer(batch: &mut Batch) -> Option<Vec<u8>> {
    mem::take(batch).into_buffer()
}
