//! Checkpoints: what a search must know to go on after its process was killed.
//!
//! A checkpoint is the file `manifest`. It names the files of states and how much of them counts; small lists are in it.
//! It is written beside the one before and takes its place when it is complete and on the disk, as are the files that it
//! names. Files that the one before names are removed only after that. All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `bfirstDS` |
//! | 8 | the version of the format, 4 |
//! | 8, 8 | the bytes of a state and of a cost |
//! | 8 | the checksum of the label |
//! | 8 | the checksum of the starts with their heuristic values and successors |
//! | | starts, counts, files, the bound, what small buckets may be compared with, the best goal, open buckets, closed segments |
//! | 8 | the checksum of all bytes before |
//!
//! A file `states-N` holds entries: the bytes of a state, and 16 bits of the hash of its parent. The entries of a run are
//! sorted by the upper bits of their own hashes; the manifest, and the memory of the search, hold a checksum of each part.

use std::collections::HashSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::closed::{Segment, Store};
use super::engine::{DiskEngine, Halted};
use super::entries::Entries;
use super::entry::{Entry, MOST_BITS, hash_of};
use super::files::{FileId, Part, Run as FileRun};
use super::open::Bucket;
use super::storage::{Storage, Stored, read_all, write_all};
use super::work::Goal;
use super::workers::Workers;
use crate::checksum::{Checksum, checksum};
use crate::cost::Cost;
use crate::disk_fault::{DiskFault, DiskFaultKind, DiskFile};
use crate::encode::Encode;
use crate::engine::checked::heuristic_value;
use crate::engine::run::Run;
use crate::engine::run::tally::Tally;
use crate::problem::{SearchProblem, Successors};
use crate::report::{Layer, SearchError, Stats};

const MAGIC: [u8; 8] = *b"bfirstDS";
const VERSION: u64 = 4;
const NAME: &str = "manifest";

/// The checksum is that of the checksums of blocks of this many bytes.
pub(super) const BLOCK: usize = 1 << 12;

/// Lists of no more bytes are in the manifest.
const INLINE: usize = 1 << 14;

/// When checkpoints are made, and of what.
#[derive(Debug)]
pub(super) struct Checkpoints {
    /// After how many expansions.
    pub(super) every: u64,
    pub(super) label: String,
    /// When the last was made.
    pub(super) last: Option<u64>,
}

impl Checkpoints {
    pub(super) fn new(every: u64, label: String) -> Self {
        Self { every, label, last: None }
    }

    pub(super) fn is_due(&self, expanded: u64) -> bool {
        self.last.is_none_or(|last| expanded >= last.saturating_add(self.every))
    }
}

impl<P, W> DiskEngine<P, W>
where
    P: SearchProblem<State: Encode, Cost: Encode>,
    W: Workers<P>,
{
    /// Makes the folder of the checkpoints; it must not have one.
    pub(super) fn begin_checkpoints(&mut self) -> Result<(), DiskFault> {
        let Some(checkpoints) = &mut self.checkpoints else { return Ok(()) };
        let is_again = checkpoints.last.take().is_some();
        let path = self.folder.path()?.to_owned();
        let fault = |fault| DiskFault::io(DiskFile::Folder, 0, &fault);
        self.folder.storage().create_folder(&path).map_err(fault)?;
        self.folder.lock()?;
        let manifest = path.join(NAME);
        match self.folder.storage().open(&manifest) {
            Ok(_) if is_again => self.folder.storage().remove(&manifest).map_err(fault),
            Ok(_) => {
                self.folder.unlock();
                Err(DiskFault::new(DiskFile::Folder, 0, DiskFaultKind::Used))
            }
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(other) => Err(fault(other)),
        }
    }

    /// Makes a checkpoint, between two visits.
    pub(super) fn checkpoint<O>(&mut self, run: &mut Run<P::Cost, O>) -> Halted<P> {
        if self.checkpoints.is_none() {
            return Ok(());
        }
        let memory = self.most(run);
        let disk = run.budget().limits().disk_limit();
        let inline = INLINE.min(memory / 256);
        let large = |bucket: &Bucket<_, _>| bucket.in_memory() > inline;
        let buckets: Vec<_> = self
            .open
            .buckets()
            .filter(|(_, bucket)| large(bucket))
            .map(|(place, _)| place)
            .collect();
        for place in buckets {
            self.write_bucket(place, memory, disk)?;
        }
        for place in self.closed.places() {
            if self.closed.segment(place).in_memory() > inline {
                self.write_segment(place, memory, disk)?;
            }
        }
        // What is held now is what a search holds that goes on from here.
        self.tidy();
        self.folder.sync()?;
        self.write_manifest(&run.tally())?;
        self.folder.empty_trash();
        self.folder.tidy();
        if let Some(checkpoints) = &mut self.checkpoints {
            checkpoints.last = Some(run.stats_mut().expanded);
        }
        Ok(())
    }

    fn write_manifest(&mut self, tally: &Tally<P::Cost>) -> Result<(), DiskFault> {
        let path = self.folder.path()?.to_owned();
        let part = path.join("manifest.part");
        let storage = self.folder.storage();
        let written = storage
            .open_or_create(&part)
            .and_then(|mut file| {
                file.set_len(0)?;
                self.manifest(tally, file.as_mut())?;
                file.sync()
            })
            .and_then(|()| storage.rename(&part, &path.join(NAME)))
            .and_then(|()| storage.sync_folder(&path));
        written.map_err(|fault| {
            let _ = storage.remove(&part);
            DiskFault::io(DiskFile::Manifest, 0, &fault)
        })
    }

    /// Writes a checkpoint.
    fn manifest(&self, tally: &Tally<P::Cost>, file: &mut dyn Stored) -> io::Result<()> {
        let mut to = Sink::new(Some(file));
        to.bytes.extend(MAGIC);
        to.put(&VERSION);
        to.put(&(P::State::BYTES as u64));
        to.put(&(P::Cost::BYTES as u64));
        to.put(&self.label_sum());
        to.put(&self.fingerprint());
        to.list(&self.starts, Sink::put);
        to.tally(tally);
        let files: Vec<_> =
            self.folder.files().iter().filter(|&&(id, _)| !self.folder.is_trash(id)).collect();
        to.put(&self.folder.next_file());
        to.list(&files, |to, file| to.put(*file));
        to.put(&self.closed_file);
        to.put(&self.lower_bound);
        to.put(&self.credit);
        to.put(&match self.overflow {
            Some(SearchError::Overflow { g, added }) => Some((g, added)),
            _ => None,
        });
        to.put(&self.incumbent.is_some());
        if let Some(Goal { state, g, parent, before }) = &self.incumbent {
            to.put(state);
            to.put(&(*g, *parent, *before));
        }
        let buckets: Vec<_> = self.open.buckets().map(|(_, bucket)| bucket).collect();
        to.list(&buckets, |to, bucket| {
            to.put(&(bucket.g, bucket.h, bucket.f, bucket.written));
            to.list(&bucket.files, Sink::put);
            to.list(&bucket.runs, Sink::run);
            to.list(&bucket.shards, |to, shard| to.entries(shard.len(), shard.iter()));
            to.entries(bucket.entries.len(), bucket.entries.iter());
        });
        to.put(&self.closed.next);
        let segments: Vec<_> = self.closed.all().collect();
        to.list(&segments, |to, (h, segment)| {
            to.put(&(*h, segment.g, segment.number, segment.len));
            match segment.store() {
                Store::Memory(parts) => {
                    to.put(&false);
                    to.list(parts, |to, part| to.entries(part.len(), part.iter()));
                }
                Store::File(run) => {
                    to.put(&true);
                    to.run(run);
                }
            }
        });
        to.end()
    }

    /// The checksum of the label, which is compared before the problem is asked for anything.
    fn label_sum(&self) -> u64 {
        let label = self.checkpoints.as_ref().map_or("", |checkpoints| &checkpoints.label);
        checksum(label.as_bytes())
    }

    /// What tells the problem from others of the same label: what it says of the first starts. And whether states have the
    /// same hashes, by which they are sorted in the files.
    fn fingerprint(&self) -> u64 {
        let mut to = Sink::new(None);
        let mut next = Successors::<P>::new();
        for (state, cost) in self.starts.iter().take(64) {
            to.put(state);
            to.put(&hash_of(state));
            to.put(cost);
            to.put(&heuristic_value(&self.problem, state).unwrap_or(P::Cost::INFINITY));
            to.put(&self.problem.is_goal(state));
            next.clear();
            self.problem.successors(state, &mut next);
            for successor in next.as_slice() {
                to.put(&successor.state);
                to.put(&successor.cost);
            }
        }
        checksum(&to.bytes)
    }

    /// Reads the checkpoint in the folder; the counts are for the run.
    pub(super) fn read_checkpoint(&mut self) -> Result<Tally<P::Cost>, DiskFault> {
        let path = self.folder.path()?.join(NAME);
        // Where there is none, nothing is made.
        let _ = open_manifest(self.folder.storage(), &path)?;
        self.folder.lock()?;
        let bytes = read_manifest(open_manifest(self.folder.storage(), &path)?.as_mut())?;
        let mut from = Source { bytes: &bytes, at: MAGIC.len(), files: Vec::new() };
        from.expect(VERSION, DiskFaultKind::Version)?;
        from.expect(P::State::BYTES as u64, DiskFaultKind::StateBytes)?;
        from.expect(P::Cost::BYTES as u64, DiskFaultKind::CostBytes)?;
        from.expect(self.label_sum(), DiskFaultKind::Problem)?;
        let at = from.at;
        let fingerprint: u64 = from.take()?;
        self.starts = from.list(Source::take)?;
        // A problem may panic at a state that is none of its own. It is not used after that.
        let own = catch_unwind(AssertUnwindSafe(|| self.fingerprint()));
        if own.ok() != Some(fingerprint) {
            return Err(fault(at, DiskFaultKind::Problem));
        }
        let tally = from.checked(Source::tally, Tally::is_sound)?;
        let next = from.take_below(FileId::MAX / 2)?;
        from.files = from.checked(
            |from| from.list(Source::take),
            |files| {
                let ids: HashSet<_> = files.iter().map(|&(id, _)| id).collect();
                ids.len() == files.len() && ids.iter().all(|&id| id < next)
            },
        )?;
        self.folder.adopt(from.files.clone(), next)?;
        self.closed_file = from.take()?;
        self.lower_bound = from.cost()?;
        self.credit = from.take()?;
        let overflow: Option<(P::Cost, P::Cost)> = from.take()?;
        self.overflow = overflow.map(|(g, added)| SearchError::Overflow { g, added });
        if from.take()? {
            let (state, g) = (from.take()?, from.cost()?);
            let (parent, before) = from.take()?;
            self.incumbent = Some(Goal { state, g, parent, before });
        }
        for bucket in from.list(Source::bucket)? {
            self.open.add_bucket(bucket);
        }
        let visits = from.take_below(Stats::MOST)?;
        self.closed.next = visits;
        for (h, segment) in from.list(|from| from.segment(visits))? {
            self.closed.add(h, segment);
        }
        self.has_begun = true;
        if let Some(checkpoints) = &mut self.checkpoints {
            checkpoints.last = Some(tally.stats.expanded);
        }
        self.tidy();
        Ok(tally)
    }
}

/// Whether there are as many lists as there can be shards: a power of two that is not too large.
fn is_number_of_shards<S>(lists: &[Entries<S>]) -> bool {
    lists.len().is_power_of_two() && lists.len() <= 1 << MOST_BITS
}

fn fault(at: usize, kind: DiskFaultKind) -> DiskFault {
    DiskFault::new(DiskFile::Manifest, at as u64, kind)
}

fn open_manifest(storage: &dyn Storage, path: &Path) -> Result<Box<dyn Stored>, DiskFault> {
    storage.open(path).map_err(|error| DiskFault::io(DiskFile::Manifest, 0, &error))
}

/// The bytes of a manifest that is whole.
fn read_manifest(file: &mut dyn Stored) -> Result<Vec<u8>, DiskFault> {
    let io_fault = |error| DiskFault::io(DiskFile::Manifest, 0, &error);
    let len = usize::try_from(file.len().map_err(io_fault)?).unwrap_or(usize::MAX);
    // A file of something else may be too large for the memory.
    let mut magic = [0; MAGIC.len()];
    if len >= magic.len() {
        read_all(file, 0, &mut magic).map_err(io_fault)?;
    }
    if magic != MAGIC {
        return Err(fault(0, DiskFaultKind::Foreign));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).map_err(|error| io_fault(error.into()))?;
    bytes.resize(len, 0);
    read_all(file, 0, &mut bytes).map_err(io_fault)?;
    let Some((content, sum)) = bytes.split_last_chunk() else {
        return Err(fault(bytes.len(), DiskFaultKind::Short));
    };
    if content.len() < 2 * MAGIC.len() {
        return Err(fault(bytes.len(), DiskFaultKind::Short));
    }
    let mut found = Checksum::new();
    content.chunks(BLOCK).for_each(|block| found.add(checksum(block)));
    if found.value() != u64::from_le_bytes(*sum) {
        return Err(fault(content.len(), DiskFaultKind::Checksum));
    }
    let len = content.len();
    bytes.truncate(len);
    Ok(bytes)
}

/// What a checkpoint is written into: block by block, so that it takes no memory.
struct Sink<'f> {
    bytes: Vec<u8>,
    file: Option<&'f mut dyn Stored>,
    /// How many bytes are in the file.
    len: u64,
    sum: Checksum,
    written: io::Result<()>,
}

impl<'f> Sink<'f> {
    fn new(file: Option<&'f mut dyn Stored>) -> Self {
        Self { bytes: Vec::new(), file, len: 0, sum: Checksum::new(), written: Ok(()) }
    }

    fn put<T: Encode>(&mut self, value: &T) {
        let begin = self.bytes.len();
        self.bytes.resize(begin + T::BYTES, 0);
        value.encode(&mut self.bytes[begin..]);
        if let Some(file) = &mut self.file {
            while self.bytes.len() >= BLOCK {
                let block = &self.bytes[..BLOCK];
                self.sum.add(checksum(block));
                if self.written.is_ok() {
                    self.written = write_all(*file, self.len, block);
                }
                self.len += block.len() as u64;
                self.bytes.drain(..BLOCK);
            }
        }
    }

    /// Writes the rest and the checksum.
    fn end(mut self) -> io::Result<()> {
        if !self.bytes.is_empty() {
            self.sum.add(checksum(&self.bytes));
        }
        self.bytes.extend(self.sum.value().to_le_bytes());
        self.written?;
        self.file.map_or(Ok(()), |file| write_all(file, self.len, &self.bytes))
    }

    fn list<T>(&mut self, list: &[T], mut put: impl FnMut(&mut Self, &T)) {
        self.put(&(list.len() as u64));
        for value in list {
            put(self, value);
        }
    }

    fn entries<'e, S: Encode + 'e>(
        &mut self,
        len: usize,
        entries: impl Iterator<Item = (&'e S, u16)>,
    ) {
        self.put(&(len as u64));
        for (state, parent) in entries {
            self.put(state);
            self.put(&parent);
        }
    }

    fn run(&mut self, run: &FileRun) {
        self.put(&(run.file, run.offset, run.bits));
        self.put(&(run.from, run.first));
        self.list(&run.parts, |to, part| to.put(&(part.end, part.sum)));
    }

    fn layer<C: Encode>(&mut self, layer: &Layer<C>) {
        self.put(&layer.bound);
        self.put(&(layer.expanded, layer.generated));
    }

    fn tally<C: Cost + Encode>(&mut self, tally: &Tally<C>) {
        let Stats { expanded, generated, duplicates, reopened, dead_ends, evaluated, .. } =
            tally.stats;
        self.put(&[expanded, generated, duplicates, reopened, dead_ends, evaluated]);
        self.put(&(tally.stats.peak_frontier, tally.peak as u64));
        self.list(&tally.layers, Self::layer);
        self.put(&(tally.merged, tally.group.0));
        self.layer(&tally.group.1);
        self.put(&tally.open_layer.is_some());
        if let Some(layer) = &tally.open_layer {
            self.layer(layer);
        }
    }
}

/// What a checkpoint is read from. What it says may be wrong, though its checksum is right: whatever the search relies on is
/// checked.
struct Source<'b> {
    bytes: &'b [u8],
    at: usize,
    /// The files of states, and their lengths.
    files: Vec<(FileId, u64)>,
}

impl Source<'_> {
    fn bytes(&mut self, len: usize) -> Result<&[u8], DiskFault> {
        let end = self.at.checked_add(len).filter(|&end| end <= self.bytes.len());
        let Some(end) = end else { return Err(fault(self.at, DiskFaultKind::Short)) };
        let bytes = &self.bytes[self.at..end];
        self.at = end;
        Ok(bytes)
    }

    fn take<T: Encode>(&mut self) -> Result<T, DiskFault> {
        let at = self.at;
        let value = T::decode(self.bytes(T::BYTES)?);
        value.map_err(|wrong| fault(at + wrong.at, DiskFaultKind::Value))
    }

    fn expect(&mut self, expected: u64, kind: DiskFaultKind) -> Result<(), DiskFault> {
        let at = self.at;
        if self.take::<u64>()? == expected { Ok(()) } else { Err(fault(at, kind)) }
    }

    fn list<T>(
        &mut self,
        mut take: impl FnMut(&mut Self) -> Result<T, DiskFault>,
    ) -> Result<Vec<T>, DiskFault> {
        let len: u64 = self.take()?;
        let mut list = Vec::new();
        for _ in 0..len {
            list.push(take(self)?);
        }
        list.shrink_to_fit();
        Ok(list)
    }

    fn entries<S: Encode>(&mut self) -> Result<Entries<S>, DiskFault> {
        let len: u64 = self.take()?;
        let mut entries = Entries::new();
        for _ in 0..len {
            let at = self.at;
            let entry = Entry::read(self.bytes(Entry::<S>::BYTES)?);
            entries.push(entry.map_err(|kind| fault(at, kind))?);
        }
        entries.shrink_to_fit();
        Ok(entries)
    }

    /// Reads what must be sound.
    fn checked<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, DiskFault>,
        is_sound: impl FnOnce(&T) -> bool,
    ) -> Result<T, DiskFault> {
        let at = self.at;
        let value = read(self)?;
        if is_sound(&value) { Ok(value) } else { Err(fault(at, DiskFaultKind::Value)) }
    }

    fn take_below<T: Encode + PartialOrd + Copy>(&mut self, end: T) -> Result<T, DiskFault> {
        self.checked(Self::take, |value| *value < end)
    }

    /// A cost that is a number and not negative.
    fn cost<C: Cost + Encode>(&mut self) -> Result<C, DiskFault> {
        self.checked(Self::take, |cost| *cost >= C::ZERO)
    }

    fn bucket<S: Encode, C: Cost + Encode>(&mut self) -> Result<Bucket<S, C>, DiskFault> {
        let mut bucket = Bucket::new((self.cost()?, self.cost()?, self.cost()?));
        let at = self.at;
        bucket.written = self.take()?;
        bucket.files = self.list(Self::take)?;
        bucket.runs = self.list(Self::run::<S>)?;
        let written: u64 = bucket.runs.iter().map(FileRun::open_bytes).sum();
        if bucket.written != written / Entry::<S>::BYTES as u64 {
            return Err(fault(at, DiskFaultKind::Value));
        }
        bucket.shards =
            self.checked(Self::shards, |shards| shards.is_empty() || is_number_of_shards(shards))?;
        bucket.entries = self.entries()?;
        Ok(bucket)
    }

    /// A closed segment, of one of `visits` visits, with its h.
    fn segment<S: Encode, C: Cost + Encode>(
        &mut self,
        visits: u64,
    ) -> Result<(C, Segment<S, C>), DiskFault> {
        let (h, g) = (self.cost()?, self.cost()?);
        let number = self.take_below(visits)?;
        let at = self.at;
        let len = self.take()?;
        let (store, held) = if self.take()? {
            let run = self.run::<S>()?;
            let bytes = run.parts.last().map_or(0, |last| last.end);
            (Store::File(run), bytes / Entry::<S>::BYTES as u64)
        } else {
            let parts = self.checked(Self::shards, |parts| is_number_of_shards(parts))?;
            let held = parts.iter().map(|part| part.len() as u64).sum();
            (Store::Memory(parts), held)
        };
        if len == held {
            Ok((h, Segment::new((g, number, len), store)))
        } else {
            Err(fault(at, DiskFaultKind::Value))
        }
    }

    fn shards<S: Encode>(&mut self) -> Result<Vec<Entries<S>>, DiskFault> {
        self.list(Self::entries)
    }

    fn run<S: Encode>(&mut self) -> Result<FileRun, DiskFault> {
        let at = self.at;
        let (file, offset, bits) = self.take()?;
        let (from, first): (u32, u32) = self.take()?;
        let parts = self.list(|from| from.take().map(|(end, sum)| Part { end, sum }))?;
        let size = Entry::<S>::BYTES as u64;
        let len = self.files.iter().find(|(id, _)| *id == file).map_or(0, |&(_, len)| len);
        let end = parts.last().map_or(0, |last: &Part| last.end).checked_add(offset);
        let is_sound = bits <= MOST_BITS
            && parts.len() + first as usize <= 1_usize << bits
            && parts.is_sorted_by_key(|part| part.end)
            && parts.iter().all(|part| part.end.is_multiple_of(size))
            && end.is_some_and(|end| end <= len)
            && from <= 1 << MOST_BITS;
        if is_sound {
            Ok(FileRun { file, offset, bits, from, first, parts })
        } else {
            Err(fault(at, DiskFaultKind::Value))
        }
    }

    fn layer<C: Encode>(&mut self) -> Result<Layer<C>, DiskFault> {
        let bound = self.take()?;
        let (expanded, generated) = self.take()?;
        Ok(Layer { bound, expanded, generated })
    }

    fn tally<C: Cost + Encode>(&mut self) -> Result<Tally<C>, DiskFault> {
        let [expanded, generated, duplicates, reopened, dead_ends, evaluated] = self.take()?;
        let (peak_frontier, peak): (u64, usize) = self.take()?;
        let counted =
            Stats { expanded, generated, duplicates, reopened, dead_ends, ..Stats::default() };
        let stats = Stats { evaluated, peak_frontier, ..counted };
        let layers = self.list(Self::layer)?;
        let (merged, grouped) = self.take()?;
        let group = (grouped, self.layer()?);
        let open_layer = if self.take()? { Some(self.layer()?) } else { None };
        Ok(Tally { stats, peak, layers, merged, group, open_layer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that says that it has more bytes than there can be: these, and zeros.
    #[derive(Debug)]
    struct Endless([u8; 8]);

    impl Stored for Endless {
        fn read(&mut self, at: u64, bytes: &mut [u8]) -> io::Result<usize> {
            let begin = self.0.iter().skip(usize::try_from(at).unwrap());
            bytes.fill(0);
            bytes.iter_mut().zip(begin).for_each(|(byte, found)| *byte = *found);
            Ok(bytes.len())
        }
        fn write(&mut self, _: u64, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::Unsupported.into())
        }
        fn len(&self) -> io::Result<u64> {
            Ok(u64::MAX)
        }
        fn set_len(&mut self, _: u64) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }
        fn sync(&mut self) -> io::Result<()> {
            Ok(())
        }
        fn try_lock(&mut self) -> io::Result<bool> {
            Ok(true)
        }
        fn unlock(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_manifest_that_is_too_large_for_the_memory_is_an_error() {
        let read = |begin| read_manifest(&mut Endless(begin));
        assert_eq!(read([0; 8]), Err(fault(0, DiskFaultKind::Foreign)));
        let too_large = DiskFaultKind::Io(io::ErrorKind::OutOfMemory);
        assert_eq!(read(MAGIC), Err(fault(0, too_large)));
    }
}
