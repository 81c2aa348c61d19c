//! How the search keeps within its memory: what it holds, and what is written to files where that is too much.

use super::engine::{DiskEngine, Halted};
use super::entries::EmptyChunks;
use super::entry::Entry;
use super::files::{Part, Run as FileRun};
use super::store::piece;
use super::visit::Visit;
use super::work::{Work, room_for};
use super::workers::Workers;
use crate::encode::Encode;
use crate::engine::Run;
use crate::memory::Memory;
use crate::problem::SearchProblem;
use crate::report::StopReason;

/// What is known of a run takes about so many bytes in the lists of a bucket, and in a segment.
const BUCKET: usize = 8 * (size_of::<FileRun>() + size_of::<Part>());
const SEGMENT: usize = size_of::<FileRun>() + 4 * size_of::<Part>();

impl<P, W> DiskEngine<P, W>
where
    P: SearchProblem<State: Encode, Cost: Encode>,
    W: Workers<P>,
{
    /// The most bytes that may be held.
    pub(super) fn most<O>(&self, run: &mut Run<P::Cost, O>) -> usize {
        let limit = run.budget().limits().memory_limit();
        self.settings.memory.min(limit.unwrap_or(usize::MAX))
    }

    /// The bytes that are held.
    pub(super) fn held(&self) -> usize {
        let spare: usize = self.spare.iter().map(Work::held).sum();
        let visit = self.visit.as_ref().map_or(0, Visit::held);
        let lists = self.open.held() + self.closed.held() + self.folder.held();
        lists + spare + visit + self.buffer.capacity()
    }

    /// Tells the account of memory what is held.
    pub(super) fn account(&mut self, memory: &mut Memory) {
        let held = self.held();
        memory.release(self.accounted.saturating_sub(held));
        // Where it does not fit, nothing more will: `make_room` looks at it.
        let more = held.saturating_sub(self.accounted);
        let counted = if memory.claim(more).is_ok() { more } else { 0 };
        self.accounted = self.accounted.min(held) + counted;
    }

    /// Holds no more than it must.
    pub(super) fn tidy(&mut self) {
        self.open.tidy();
        self.closed.tidy();
        self.spare = Vec::new();
        self.empty = EmptyChunks::new();
        self.buffer = Vec::new();
    }

    /// Makes sure that this many more bytes may be held: writes entries to files if they must not.
    pub(super) fn make_room<O>(&mut self, bytes: usize, run: &mut Run<P::Cost, O>) -> Halted<P> {
        let most = self.most(run);
        // What the run holds itself: its layers.
        let bytes = bytes.saturating_add(run.memory().held().saturating_sub(self.accounted));
        // What is written is encoded first.
        let buffer = piece::<P::State>(most) * Entry::<P::State>::BYTES;
        let mut more = bytes.saturating_add(buffer.saturating_sub(self.buffer.capacity()));
        if self.held().saturating_add(more) > most / 2 && self.held().saturating_add(more) <= most {
            // Before others have used all that there is: what they free is in pieces that are too small for it.
            room_for(&mut self.buffer, buffer);
            more = bytes;
        }
        if self.held().saturating_add(more) > most {
            // Not only a little, or there is no room soon again.
            let enough = most / 4 * 3;
            while self.held().saturating_add(bytes) > enough {
                let before = self.held();
                let has_spilled = self.spill(most, run)?;
                // What was written can be less than what lists of files and runs take for it. Others may be larger.
                let has_freed = self.held() < before;
                let fits = self.held().saturating_add(bytes) <= most;
                if !has_spilled || (!has_freed && fits) {
                    break;
                }
            }
        }
        if self.held().saturating_add(bytes) > most {
            self.spare = Vec::new();
        }
        let left = most.checked_sub(self.held().saturating_add(bytes));
        self.empty.shrink(left.unwrap_or(0));
        self.account(run.memory());
        if left.is_some() { Ok(()) } else { Err(StopReason::Memory.into()) }
    }

    /// Writes what takes the most memory to a file: open entries that are needed last, then closed ones, then others.
    /// Returns whether there was anything that takes more memory than what is known of it in a file.
    fn spill<O>(&mut self, most: usize, run: &mut Run<P::Cost, O>) -> Halted<P, bool> {
        let worth = most / 256;
        let f = self.visit.as_ref().map(|visit| visit.bucket.f);
        let later = self.open.largest(f.or(self.open.least()));
        let closed = self.closed.largest();
        let any = self.open.largest(None);
        let large = |&bytes: &usize| bytes > worth;
        let disk = run.budget().limits().disk_limit();
        if let Some((_, layer, bucket)) = later.filter(|(bytes, ..)| large(bytes)) {
            self.write_bucket((layer, bucket), most, disk)?;
        } else if let Some((_, place)) = closed.filter(|(bytes, _)| large(bytes)) {
            self.write_segment(place, most, disk)?;
        } else if let Some((_, layer, bucket)) = any.filter(|&(bytes, ..)| bytes > BUCKET) {
            self.write_bucket((layer, bucket), most, disk)?;
        } else if let Some((_, place)) = closed.filter(|&(bytes, _)| bytes > SEGMENT) {
            self.write_segment(place, most, disk)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}
