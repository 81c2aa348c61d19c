//! [`Disk`]: a file system in memory. It fails, tears and loses what it is told to, the same way for the same seed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::super::storage::{Storage, Stored};
use crate::engine::random::Random;

/// What goes wrong at an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It fails.
    Fails(ErrorKind),
    /// The process ends before it.
    Dies,
    /// A bit of what it reads is another; where it does not read, of what is on the disk.
    FlipsABit,
}

/// A file system; its clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Disk(Arc<Mutex<Inner>>);

#[derive(Debug)]
struct Inner {
    random: Random,
    names: BTreeMap<PathBuf, usize>,
    files: Vec<Content>,
    /// The names that a loss of power leaves, and the changes since.
    safe_names: BTreeMap<PathBuf, usize>,
    changes: Vec<NameChange>,
    locked: BTreeSet<usize>,
    operations: u64,
    /// What goes wrong, and at which operation.
    troubles: Vec<(u64, Trouble)>,
    /// How often something went wrong.
    met: u64,
    /// Whether reads and writes may do less than they are asked for.
    is_short: bool,
    capacity: u64,
    /// Processes are numbered; what an earlier one has open is of no use.
    process: u32,
    is_dead: bool,
}

#[derive(Clone, Debug, Default)]
struct Content {
    bytes: Vec<u8>,
    safe: Vec<u8>,
    changes: Vec<Change>,
}

#[derive(Clone, Debug)]
enum Change {
    Write(u64, Vec<u8>),
    Len(u64),
}

#[derive(Clone, Debug)]
enum NameChange {
    Made(PathBuf, usize),
    Renamed(PathBuf, PathBuf, usize),
    Removed(PathBuf),
}

#[derive(Debug)]
struct Handle {
    disk: Disk,
    file: usize,
    process: u32,
    has_locked: bool,
}

impl Disk {
    pub(super) fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(Inner {
            random: Random::new(seed),
            names: BTreeMap::new(),
            files: Vec::new(),
            safe_names: BTreeMap::new(),
            changes: Vec::new(),
            locked: BTreeSet::new(),
            operations: 0,
            troubles: Vec::new(),
            met: 0,
            is_short: false,
            capacity: u64::MAX,
            process: 0,
            is_dead: false,
        })))
    }

    pub(super) fn shared(&self) -> Arc<dyn Storage> {
        Arc::new(self.clone())
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something goes wrong at the operation that follows `after` more.
    pub(super) fn plan(&self, after: u64, trouble: Trouble) {
        let mut inner = self.inner();
        let at = inner.operations + after;
        inner.troubles.push((at, trouble));
    }

    pub(super) fn set_short(&self) {
        self.inner().is_short = true;
    }

    pub(super) fn set_capacity(&self, bytes: u64) {
        self.inner().capacity = bytes;
    }

    /// How often something went wrong that was planned.
    pub(super) fn met(&self) -> u64 {
        self.inner().met
    }

    pub(super) fn operations(&self) -> u64 {
        self.inner().operations
    }

    pub(super) fn names(&self) -> Vec<PathBuf> {
        self.inner().names.keys().cloned().collect()
    }

    /// From now on all fails that the process asks for.
    pub(super) fn kill(&self) {
        self.inner().is_dead = true;
    }

    /// Whether a file is locked.
    pub(super) fn is_locked(&self) -> bool {
        !self.inner().locked.is_empty()
    }

    /// Another process begins. With `loses`, what was not on the disk is lost or torn.
    pub(super) fn revive(&self, loses: bool) {
        let mut inner = self.inner();
        let Inner { random, names, files, safe_names, changes, .. } = &mut *inner;
        if loses {
            for change in std::mem::take(changes) {
                if random.one_in(2) {
                    continue;
                }
                match change {
                    NameChange::Made(path, file) => drop(safe_names.insert(path, file)),
                    NameChange::Renamed(from, to, file) => {
                        safe_names.remove(&from);
                        safe_names.insert(to, file);
                    }
                    NameChange::Removed(path) => drop(safe_names.remove(&path)),
                }
            }
            names.clone_from(safe_names);
            for file in files {
                for change in std::mem::take(&mut file.changes) {
                    match change {
                        Change::Write(at, mut bytes) => {
                            let kept = random.below(2 * bytes.len() as u64 + 1);
                            bytes.truncate(usize::try_from(kept).unwrap());
                            put(&mut file.safe, at, &bytes);
                        }
                        Change::Len(len) => cut(&mut file.safe, len),
                    }
                }
                file.bytes.clone_from(&file.safe);
            }
        }
        inner.locked.clear();
        inner.troubles.clear();
        (inner.process, inner.is_dead) = (inner.process + 1, false);
    }

    /// Counts an operation, which may fail.
    fn begin(&self, is_transfer: bool) -> io::Result<(MutexGuard<'_, Inner>, bool)> {
        let mut inner = self.inner();
        if inner.is_dead {
            return Err(dead());
        }
        inner.operations += 1;
        let now = inner.operations;
        let Some(at) = inner.troubles.iter().position(|&(at, _)| at <= now) else {
            return Ok((inner, false));
        };
        let (_, trouble) = inner.troubles.swap_remove(at);
        if trouble == Trouble::Fails(ErrorKind::Interrupted) {
            // Only reads and writes are.
            return if is_transfer {
                Err(ErrorKind::Interrupted.into())
            } else {
                Ok((inner, false))
            };
        }
        inner.met += 1;
        match trouble {
            Trouble::Fails(kind) => Err(kind.into()),
            Trouble::Dies => {
                inner.is_dead = true;
                Err(dead())
            }
            Trouble::FlipsABit => Ok((inner, true)),
        }
    }

    fn handle(&self, file: usize, process: u32) -> Box<dyn Stored> {
        Box::new(Handle { disk: self.clone(), file, process, has_locked: false })
    }
}

impl Inner {
    fn used(&self) -> u64 {
        self.names.values().map(|&file| self.files[file].bytes.len() as u64).sum()
    }

    /// Another bit somewhere on the disk.
    fn rot(&mut self) {
        let files: Vec<_> = self.names.values().copied().collect();
        if files.is_empty() {
            return;
        }
        let Content { bytes, safe, changes } =
            &mut self.files[files[self.random.index(files.len())]];
        if !bytes.is_empty() {
            let at = self.random.index(bytes.len());
            bytes[at] ^= 1 << self.random.below(8);
            (*safe, *changes) = (bytes.clone(), Vec::new());
        }
    }

    /// How many of `len` bytes are read or written at one time.
    fn some(&mut self, len: usize) -> usize {
        if self.is_short && len > 0 && self.random.one_in(2) {
            1 + self.random.index(len)
        } else {
            len
        }
    }
}

fn dead() -> io::Error {
    io::Error::other("the process is dead")
}

fn put(file: &mut Vec<u8>, at: u64, bytes: &[u8]) {
    let at = usize::try_from(at).unwrap();
    let end = at + bytes.len();
    if file.len() < end {
        file.resize(end, 0);
    }
    file[at..end].copy_from_slice(bytes);
}

fn cut(file: &mut Vec<u8>, len: u64) {
    file.resize(usize::try_from(len).unwrap(), 0);
}

impl Storage for Disk {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Stored>> {
        let (mut inner, flips) = self.begin(false)?;
        if flips {
            inner.rot();
        }
        let file = *inner.names.get(path).ok_or(ErrorKind::NotFound)?;
        Ok(self.handle(file, inner.process))
    }

    fn open_or_create(&self, path: &Path) -> io::Result<Box<dyn Stored>> {
        let (mut inner, flips) = self.begin(false)?;
        if flips {
            inner.rot();
        }
        let file = if let Some(&file) = inner.names.get(path) {
            file
        } else {
            let file = inner.files.len();
            inner.files.push(Content::default());
            inner.names.insert(path.to_owned(), file);
            inner.changes.push(NameChange::Made(path.to_owned(), file));
            file
        };
        Ok(self.handle(file, inner.process))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (mut inner, _) = self.begin(false)?;
        let file = inner.names.remove(from).ok_or(ErrorKind::NotFound)?;
        inner.names.insert(to.to_owned(), file);
        inner.changes.push(NameChange::Renamed(from.to_owned(), to.to_owned(), file));
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let (mut inner, _) = self.begin(false)?;
        inner.names.remove(path).ok_or(ErrorKind::NotFound)?;
        inner.changes.push(NameChange::Removed(path.to_owned()));
        Ok(())
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let (inner, _) = self.begin(false)?;
        let inside = inner.names.keys().filter(|path| path.parent() == Some(folder));
        Ok(inside.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect())
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        let (mut inner, _) = self.begin(false)?;
        inner.safe_names = inner.names.clone();
        inner.changes.clear();
        Ok(())
    }

    fn create_folder(&self, _: &Path) -> io::Result<()> {
        self.begin(false).map(|_| ())
    }

    fn fresh_folder(&self, parent: &Path) -> io::Result<PathBuf> {
        let (inner, _) = self.begin(false)?;
        Ok(parent.join(format!("fresh-{}", inner.operations)))
    }

    fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        let (mut inner, _) = self.begin(false)?;
        inner.names.retain(|path, _| path.parent() != Some(folder));
        Ok(())
    }
}

impl Handle {
    fn begin(&self) -> io::Result<(MutexGuard<'_, Inner>, bool)> {
        self.check(self.disk.begin(false)?)
    }

    /// Begins to read or to write.
    fn transfer(&self) -> io::Result<(MutexGuard<'_, Inner>, bool)> {
        self.check(self.disk.begin(true)?)
    }

    fn check<'d>(
        &self,
        begun: (MutexGuard<'d, Inner>, bool),
    ) -> io::Result<(MutexGuard<'d, Inner>, bool)> {
        if begun.0.process == self.process { Ok(begun) } else { Err(dead()) }
    }
}

impl Stored for Handle {
    fn read(&mut self, at: u64, bytes: &mut [u8]) -> io::Result<usize> {
        let (mut inner, flips) = self.transfer()?;
        let len = inner.some(bytes.len());
        let content = &inner.files[self.file].bytes;
        let at = usize::try_from(at).unwrap().min(content.len());
        let read = len.min(content.len() - at);
        bytes[..read].copy_from_slice(&content[at..at + read]);
        if flips && read > 0 {
            let bit = inner.random.below(8);
            bytes[inner.random.index(read)] ^= 1 << bit;
        }
        Ok(read)
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> io::Result<usize> {
        let (mut inner, flips) = self.transfer()?;
        if flips {
            inner.rot();
        }
        let mut len = inner.some(bytes.len());
        let end = at + len as u64;
        let now = inner.files[self.file].bytes.len() as u64;
        let over = (inner.used() + end.saturating_sub(now)).saturating_sub(inner.capacity);
        if over > 0 {
            len = len.saturating_sub(usize::try_from(over).unwrap());
            if len == 0 {
                // All that says that there is no room.
                let kinds =
                    [ErrorKind::StorageFull, ErrorKind::QuotaExceeded, ErrorKind::FileTooLarge];
                return Err(kinds[usize::try_from(end % 3).unwrap()].into());
            }
        }
        let Content { bytes: content, changes, .. } = &mut inner.files[self.file];
        put(content, at, &bytes[..len]);
        changes.push(Change::Write(at, bytes[..len].to_vec()));
        Ok(len)
    }

    fn len(&self) -> io::Result<u64> {
        let (inner, _) = self.begin()?;
        Ok(inner.files[self.file].bytes.len() as u64)
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        let (mut inner, _) = self.begin()?;
        let Content { bytes, changes, .. } = &mut inner.files[self.file];
        cut(bytes, len);
        changes.push(Change::Len(len));
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        let (mut inner, _) = self.begin()?;
        let Content { bytes, safe, changes } = &mut inner.files[self.file];
        safe.clone_from(bytes);
        changes.clear();
        Ok(())
    }

    fn try_lock(&mut self) -> io::Result<bool> {
        let (mut inner, _) = self.begin()?;
        let is_new = inner.locked.insert(self.file);
        drop(inner);
        self.has_locked |= is_new;
        Ok(is_new)
    }

    fn unlock(&mut self) -> io::Result<()> {
        let (mut inner, _) = self.begin()?;
        if self.has_locked {
            inner.locked.remove(&self.file);
        }
        Ok(())
    }
}
