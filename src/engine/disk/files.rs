//! The folder of a search: files of entries, written in pieces at their ends, and read with their checksums.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::entry::MOST_BITS;
use super::lock::Lock;
use super::storage::{Storage, Stored, read_all, write_all};
use crate::checksum::checksum;
use crate::disk_fault::{DiskFault, DiskFaultKind, DiskFile};
use crate::engine::halt::Halt;
use crate::report::StopReason;

/// The number of a file.
pub(super) type FileId = u32;

/// Entries that were written at one time, sorted by shard.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) file: FileId,
    pub(super) offset: u64,
    /// They are in 2 to the power of `bits` parts.
    pub(super) bits: u32,
    /// States with a smaller mark are expanded already.
    pub(super) from: u32,
    /// The number of the first part that is listed. Those before it are empty, and so are those after the last one: a
    /// visit closes a few shards of many at a time.
    pub(super) first: u32,
    pub(super) parts: Vec<Part>,
}

/// A part of a run: the entries of one shard.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    /// Where it ends in the run: the byte.
    pub(super) end: u64,
    pub(super) sum: u64,
}

impl Run {
    /// All of these parts.
    pub(super) fn new(file: FileId, offset: u64, bits: u32, mut parts: Vec<Part>) -> Self {
        let len = parts.last().map_or(0, |last| last.end);
        parts.truncate(parts.partition_point(|part| part.end < len) + 1);
        let empty = parts.partition_point(|part| part.end == 0);
        parts.drain(..empty);
        parts.shrink_to_fit();
        Self { file, offset, bits, from: 0, first: u32::try_from(empty).unwrap_or(u32::MAX), parts }
    }

    /// Where a part begins in its file, and how many bytes it has.
    pub(super) fn place(&self, part: usize) -> (u64, u64) {
        let begin = self.end_before(part);
        (self.offset + begin, self.end_before(part + 1) - begin)
    }

    /// Where the parts before this one end in the run.
    fn end_before(&self, part: usize) -> u64 {
        let listed = part.saturating_sub(self.first as usize).min(self.parts.len());
        if listed == 0 { 0 } else { self.parts[listed - 1].end }
    }

    /// The bytes of the parts with states that are not expanded yet.
    pub(super) fn open_bytes(&self) -> u64 {
        let from = (self.from >> (MOST_BITS - self.bits)) as usize;
        self.end_before(1 << self.bits) - self.end_before(from)
    }

    /// What the list of its parts takes in memory.
    pub(super) fn held(&self) -> usize {
        size_of::<Self>() + self.parts.capacity() * size_of::<Part>()
    }
}

/// Where the files of a search are.
#[derive(Debug)]
pub(super) struct Folder {
    storage: Arc<dyn Storage>,
    /// Where a fresh folder is made when the first file is written; `None` for the temporary folder of the system.
    parent: Option<PathBuf>,
    path: Option<PathBuf>,
    /// Whether the files stay when the search is dropped.
    keeps: bool,
    /// Held from when its files are read or written, if they stay.
    lock: Option<Lock>,
    /// The lengths of the files.
    files: Vec<(FileId, u64)>,
    next: FileId,
    bytes: u64,
    /// Files that were written since the last checkpoint.
    unsynced: Vec<FileId>,
    /// Files that the last checkpoint names and nobody needs any more.
    trash: Vec<FileId>,
}

impl Folder {
    /// A fresh folder in `parent`, made when it is needed, and removed in the end.
    pub(super) fn fresh(storage: Arc<dyn Storage>, parent: Option<PathBuf>) -> Self {
        Self {
            storage,
            parent,
            path: None,
            keeps: false,
            lock: None,
            files: Vec::new(),
            next: 0,
            bytes: 0,
            unsynced: Vec::new(),
            trash: Vec::new(),
        }
    }

    /// This folder, whose files are kept.
    pub(super) fn kept(storage: Arc<dyn Storage>, mut path: PathBuf) -> Self {
        if path.as_os_str().is_empty() {
            // The parent of a relative path of one name: to the system it is no folder.
            path.push(".");
        }
        let mut folder = Self::fresh(storage, None);
        (folder.path, folder.keeps) = (Some(path), true);
        folder
    }

    pub(super) fn storage(&self) -> &dyn Storage {
        self.storage.as_ref()
    }

    /// Makes sure that no other search uses the folder, which exists.
    pub(super) fn lock(&mut self) -> Result<(), DiskFault> {
        if let (None, Some(path)) = (&self.lock, &self.path) {
            self.lock = Some(Lock::acquire(&self.storage, path)?);
        }
        Ok(())
    }

    /// Lets others use the folder.
    pub(super) fn unlock(&mut self) {
        self.lock = None;
    }

    /// The bytes of all files.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn files(&self) -> &[(FileId, u64)] {
        &self.files
    }

    pub(super) fn next_file(&self) -> FileId {
        self.next
    }

    /// Sets the files as a checkpoint names them, and removes all others that a search wrote.
    pub(super) fn adopt(
        &mut self,
        files: Vec<(FileId, u64)>,
        next: FileId,
    ) -> Result<(), DiskFault> {
        let Some(path) = &self.path else { return Ok(()) };
        // A file to which nothing could be appended was never made.
        for &(id, len) in files.iter().filter(|&&(_, len)| len > 0) {
            let file = DiskFile::States(id);
            let found = self.storage.open(&path.join(file.to_string()));
            let found = found.and_then(|file| file.len());
            let found = found.map_err(|fault| DiskFault::io(file, 0, &fault))?;
            if found < len {
                return Err(DiskFault::new(file, found, DiskFaultKind::Short));
            }
        }
        for name in self.storage.names(path).map_err(|fault| folder_fault(&fault))? {
            let number = name.strip_prefix("states-").and_then(|number| number.parse().ok());
            if number.is_some_and(|number: FileId| files.iter().all(|&(id, _)| id != number)) {
                // If it stays, it only takes room.
                let _ = self.storage.remove(&path.join(name));
            }
        }
        self.bytes = files.iter().map(|&(_, len)| len).sum();
        (self.files, self.next) = (files, next);
        Ok(())
    }

    /// The folder, which exists.
    pub(super) fn path(&mut self) -> Result<&Path, DiskFault> {
        if self.path.is_none() {
            let parent = self.parent.clone().unwrap_or_else(std::env::temp_dir);
            let made = self.storage.fresh_folder(&parent);
            self.path = Some(made.map_err(|fault| folder_fault(&fault))?);
        }
        Ok(self.path.as_deref().unwrap_or(Path::new("")))
    }

    /// A file that does not exist yet.
    pub(super) fn new_file(&mut self) -> FileId {
        let id = self.next;
        self.next += 1;
        self.files.push((id, 0));
        id
    }

    /// Adds bytes at the end of a file, if all files take no more than `most` bytes then; returns where they begin. A
    /// file that could not be written is as before.
    pub(super) fn append<C>(
        &mut self,
        id: FileId,
        bytes: &[u8],
        most: Option<u64>,
    ) -> Result<u64, Halt<C>> {
        let added = bytes.len() as u64;
        if most.is_some_and(|most| self.bytes.saturating_add(added) > most) {
            return Err(StopReason::Disk.into());
        }
        let name = self.path()?.join(DiskFile::States(id).to_string());
        let Some((_, len)) = self.files.iter_mut().rev().find(|(other, _)| *other == id) else {
            return Err(DiskFault::new(DiskFile::States(id), 0, DiskFaultKind::Short).into());
        };
        let at = *len;
        write_at(self.storage.as_ref(), &name, at, bytes)
            .map_err(|fault| DiskFault::io(DiskFile::States(id), at, &fault))?;
        *len += added;
        self.bytes += added;
        if self.keeps && !self.unsynced.contains(&id) {
            self.unsynced.push(id);
        }
        Ok(at)
    }

    /// The bytes of a file.
    pub(super) fn len_of(&self, id: FileId) -> u64 {
        self.files.iter().rev().find(|(other, _)| *other == id).map_or(0, |&(_, len)| len)
    }

    /// Takes the last bytes of a file away: it has `len` again.
    pub(super) fn cut(&mut self, id: FileId, len: u64) {
        let Some((_, now)) = self.files.iter_mut().rev().find(|(other, _)| *other == id) else {
            return;
        };
        self.bytes -= now.saturating_sub(len);
        *now = len;
        if let Some(path) = &self.path {
            // If they stay, they only take room.
            let file = self.storage.open_or_create(&path.join(DiskFile::States(id).to_string()));
            let _ = file.and_then(|mut file| file.set_len(len));
        }
    }

    /// What its lists take in memory.
    pub(super) fn held(&self) -> usize {
        self.files.capacity() * size_of::<(FileId, u64)>()
            + (self.unsynced.capacity() + self.trash.capacity()) * size_of::<FileId>()
    }

    /// Holds no more than it must.
    pub(super) fn tidy(&mut self) {
        self.files.shrink_to_fit();
        self.unsynced.shrink_to_fit();
        self.trash.shrink_to_fit();
    }

    /// Nobody needs the file any more.
    pub(super) fn discard(&mut self, id: FileId) {
        if self.keeps {
            self.trash.push(id);
        } else {
            self.remove(id);
        }
    }

    /// Removes what was discarded: the checkpoint that named it is no more.
    pub(super) fn empty_trash(&mut self) {
        while let Some(id) = self.trash.pop() {
            self.remove(id);
        }
    }

    /// Whether the file was discarded.
    pub(super) fn is_trash(&self, id: FileId) -> bool {
        self.trash.contains(&id)
    }

    fn remove(&mut self, id: FileId) {
        if let Some(at) = self.files.iter().position(|&(other, _)| other == id) {
            self.bytes -= self.files.swap_remove(at).1;
        }
        if let Some(path) = &self.path {
            // If it stays, it only takes room.
            let _ = self.storage.remove(&path.join(DiskFile::States(id).to_string()));
        }
    }

    /// Makes sure that what was written is on the disk.
    pub(super) fn sync(&mut self) -> Result<(), DiskFault> {
        if self.unsynced.is_empty() {
            return Ok(());
        }
        let path = self.path()?.to_owned();
        for &id in self.unsynced.iter().filter(|id| !self.trash.contains(id)) {
            let file = DiskFile::States(id);
            // Some systems ask for the right to write.
            let opened = self.storage.open_or_create(&path.join(file.to_string()));
            let synced = opened.and_then(|mut file| file.sync());
            synced.map_err(|fault| DiskFault::io(file, 0, &fault))?;
        }
        self.storage.sync_folder(&path).map_err(|fault| folder_fault(&fault))?;
        self.unsynced.clear();
        Ok(())
    }

    /// Removes all files that it has.
    pub(super) fn clear(&mut self) {
        if let (Some(path), Some(_)) = (&self.path, &self.lock) {
            // First of all the list that names the others.
            let _ = self.storage.remove(&path.join(DiskFile::Manifest.to_string()));
        }
        while let Some(&(id, _)) = self.files.last() {
            self.remove(id);
        }
        self.trash.clear();
        self.unsynced.clear();
        self.tidy();
        if let Some(path) = &self.path
            && self.storage.names(path).is_err_and(|fault| fault.kind() == ErrorKind::NotFound)
        {
            // Somebody has removed the folder. It is made anew: the lock of a file in the old one keeps nobody out of it.
            self.lock = None;
            if !self.keeps {
                self.path = None;
            }
        }
    }

    /// Someone who reads its files.
    pub(super) fn reader(&self) -> Reader<'_> {
        let folder = self.path.as_deref().unwrap_or(Path::new(""));
        Reader { storage: self.storage.as_ref(), folder, open: None }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let (Some(path), false) = (&self.path, self.keeps) {
            // A folder that cannot be removed is left to the system.
            let _ = self.storage.remove_folder(path);
        }
    }
}

/// Reads parts of files.
pub(super) struct Reader<'f> {
    storage: &'f dyn Storage,
    folder: &'f Path,
    open: Option<(FileId, Box<dyn Stored>)>,
}

impl Reader<'_> {
    /// Reads a part of a run into `bytes`, and checks it.
    pub(super) fn read(
        &mut self,
        run: &Run,
        part: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), DiskFault> {
        let (at, len) = run.place(part);
        if len == 0 {
            bytes.clear();
            return Ok(());
        }
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        if bytes.capacity() < len {
            // Not two at a time, and no more than needed.
            *bytes = Vec::with_capacity(len);
        }
        // What is there already is read over.
        bytes.resize(len, 0);
        let file = DiskFile::States(run.file);
        self.fill(run.file, at, bytes).map_err(|fault| DiskFault::io(file, at, &fault))?;
        if checksum(bytes) != run.parts[part - run.first as usize].sum {
            return Err(DiskFault::new(file, at, DiskFaultKind::Checksum));
        }
        Ok(())
    }

    fn fill(&mut self, id: FileId, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        if self.open.as_ref().is_none_or(|(open, _)| *open != id) {
            let name = self.folder.join(DiskFile::States(id).to_string());
            self.open = Some((id, self.storage.open(&name)?));
        }
        let Some((_, file)) = &mut self.open else { return Ok(()) };
        read_all(file.as_mut(), at, bytes)
    }
}

impl DiskFault {
    pub(super) fn io(file: DiskFile, at: u64, fault: &io::Error) -> Self {
        let kind = match fault.kind() {
            io::ErrorKind::UnexpectedEof => DiskFaultKind::Short,
            kind => DiskFaultKind::Io(kind),
        };
        Self::new(file, at, kind)
    }
}

fn folder_fault(fault: &io::Error) -> DiskFault {
    DiskFault::io(DiskFile::Folder, 0, fault)
}

/// Writes bytes at a place of a file, beyond which nothing is needed.
fn write_at(storage: &dyn Storage, name: &Path, at: u64, bytes: &[u8]) -> io::Result<()> {
    let mut file = storage.open_or_create(name)?;
    let written = write_all(file.as_mut(), at, bytes);
    if written.is_err() {
        // What was written of it would only take room.
        let _ = file.set_len(at);
    }
    written
}
