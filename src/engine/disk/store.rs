//! How entries go from memory into files.

use super::block::Block;
use super::closed::Store;
use super::engine::{DiskEngine, Halted, RUN_BITS};
use super::entries::Entries;
use super::entry::{Entry, hash_of, mark_of, shard_of};
use super::files::{FileId, Part, Run as FileRun};
use super::open::Bucket;
use super::work::room_for;
use crate::checksum::checksum;
use crate::encode::Encode;
use crate::problem::SearchProblem;

impl<P: SearchProblem<State: Encode>, W> DiskEngine<P, W> {
    /// Writes what a bucket of the open list has in memory.
    pub(super) fn write_bucket(
        &mut self,
        (layer, at): (usize, usize),
        memory: usize,
        disk: Option<u64>,
    ) -> Halted<P> {
        let mut open = std::mem::replace(&mut self.open, super::open::Open::new());
        let written = open.change((layer, at), |bucket| self.write_entries(bucket, memory, disk));
        self.open = open;
        written
    }

    /// Writes what a bucket has in memory, piece by piece. What could not be written stays in memory.
    pub(super) fn write_entries(
        &mut self,
        bucket: &mut Bucket<P::State, P::Cost>,
        memory: usize,
        disk: Option<u64>,
    ) -> Halted<P> {
        let piece = piece::<P::State>(memory);
        // Those that were sorted come before the others.
        let lists = std::mem::take(&mut bucket.shards).into_iter();
        let lists = lists.chain([std::mem::replace(&mut bucket.entries, Entries::new())]);
        let mut chunks = lists.flat_map(Entries::into_chunks).peekable();
        loop {
            let (mut taken, mut count) = (Vec::new(), 0);
            while let Some(chunk) =
                chunks.next_if(|chunk| count == 0 || count + chunk.len() <= piece)
            {
                count += chunk.len();
                taken.push(chunk);
            }
            if count == 0 {
                return Ok(());
            }
            if let Err(halt) = self.write_piece(&taken, count, bucket, disk) {
                for mut chunk in taken.into_iter().chain(chunks) {
                    chunk.drain().for_each(|entry| {
                        bucket.entries.push(entry);
                    });
                }
                return Err(halt);
            }
            for chunk in taken {
                self.empty.keep(chunk);
            }
        }
    }

    /// Writes these entries, of which there are `count`, as a run of the bucket.
    fn write_piece(
        &mut self,
        chunks: &[Block<P::State>],
        count: usize,
        bucket: &mut Bucket<P::State, P::Cost>,
        disk: Option<u64>,
    ) -> Halted<P> {
        let file = bucket.files.last().copied().unwrap_or_else(|| {
            let file = self.folder.new_file();
            push_to_short(&mut bucket.files, file);
            file
        });
        let size = Entry::<P::State>::BYTES;
        let bits = (count / self.settings.part).max(1).ilog2().min(RUN_BITS);
        let mut ends = vec![0_u64; 1 << bits];
        for state in chunks.iter().flat_map(Block::states) {
            ends[shard_of(mark_of(hash_of(state)), bits)] += size as u64;
        }
        let mut begin = 0;
        for end in &mut ends {
            (*end, begin) = (begin, begin + *end);
        }
        room_for(&mut self.buffer, count * size);
        self.buffer.resize(count * size, 0);
        for (state, parent) in chunks.iter().flat_map(Block::iter) {
            let at = &mut ends[shard_of(mark_of(hash_of(state)), bits)];
            let place = usize::try_from(*at).unwrap_or(usize::MAX);
            Entry::write((state, parent), &mut self.buffer[place..place + size]);
            *at += size as u64;
        }
        let run = self.write_run(file, bits, &ends, disk)?;
        push_to_short(&mut bucket.runs, run);
        bucket.written += count as u64;
        Ok(())
    }

    /// Writes a closed segment that is in memory, some parts at a time. If it could not be written, it stays in memory.
    pub(super) fn write_segment(
        &mut self,
        place: (usize, usize),
        memory: usize,
        disk: Option<u64>,
    ) -> Halted<P> {
        let file = match self.closed_file {
            Some(file) => file,
            None => *self.closed_file.insert(self.folder.new_file()),
        };
        let segment = self.closed.segment(place);
        let Store::Memory(parts) = segment.store() else { return Ok(()) };
        let size = Entry::<P::State>::BYTES;
        let most = piece::<P::State>(memory) * size;
        let bits = segment.store().bits();
        let mut written = Vec::with_capacity(parts.len());
        let offset = self.folder.len_of(file);
        let (mut next, mut end) = (0, 0);
        while next < parts.len() {
            // As many as fit, but one.
            let (first, mut bytes) = (next, 0);
            while next < parts.len() && (next == first || bytes + parts[next].len() * size <= most)
            {
                bytes += parts[next].len() * size;
                next += 1;
            }
            room_for(&mut self.buffer, bytes);
            for part in &parts[first..next] {
                let begin = self.buffer.len();
                self.buffer.resize(begin + part.len() * size, 0);
                for (entry, bytes) in part.iter().zip(self.buffer[begin..].chunks_exact_mut(size)) {
                    Entry::write(entry, bytes);
                }
                end += (part.len() * size) as u64;
                written.push(Part { end, sum: checksum(&self.buffer[begin..]) });
            }
            if let Err(halt) = self.folder.append(file, &self.buffer, disk) {
                self.folder.cut(file, offset);
                return Err(halt);
            }
        }
        let run = FileRun::new(file, offset, bits, written);
        if let Store::Memory(parts) = self.closed.set_store(place, Store::File(run)) {
            for chunk in parts.into_iter().flat_map(Entries::into_chunks) {
                self.empty.keep(chunk);
            }
        }
        Ok(())
    }

    /// Writes the buffer as a run whose parts end there.
    fn write_run(
        &mut self,
        file: FileId,
        bits: u32,
        ends: &[u64],
        disk: Option<u64>,
    ) -> Halted<P, FileRun> {
        let mut begin = 0;
        let part = |&end: &u64| {
            let (from, to) = (begin, usize::try_from(end).unwrap_or(usize::MAX));
            begin = to;
            Part { end, sum: checksum(&self.buffer[from..to]) }
        };
        let parts = ends.iter().map(part).collect();
        let offset = self.folder.append(file, &self.buffer, disk)?;
        Ok(FileRun::new(file, offset, bits, parts))
    }
}

/// How many entries are written at one time.
pub(super) fn piece<S: Encode>(memory: usize) -> usize {
    (memory / 32 / Entry::<S>::BYTES).clamp(64, 1 << 22)
}

/// Adds an item to a list that mostly gets no other one.
fn push_to_short<T>(list: &mut Vec<T>, item: T) {
    if list.is_empty() {
        list.reserve_exact(1);
    }
    list.push(item);
}
