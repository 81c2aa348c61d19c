//! [`Storage`]: what a search on disk asks of a file system, and [`System`], the one of the system. Tests simulate another.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A file system.
pub(super) trait Storage: fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Opens a file to read it.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Stored>>;

    /// Opens a file to write it, and makes it if there is none.
    fn open_or_create(&self, path: &Path) -> io::Result<Box<dyn Stored>>;

    /// Gives a file another name, which another file may have had.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    fn remove(&self, path: &Path) -> io::Result<()>;

    /// The names of the files in a folder.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// Makes sure that the names of the files in a folder are on the disk.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Makes a folder, and those that it is in, where there is none.
    fn create_folder(&self, folder: &Path) -> io::Result<()>;

    /// Makes a folder that nobody has.
    fn fresh_folder(&self, parent: &Path) -> io::Result<PathBuf>;

    /// Removes a folder with its files.
    fn remove_folder(&self, folder: &Path) -> io::Result<()>;
}

/// A file that is open.
pub(super) trait Stored: fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Reads bytes from this place on, perhaps fewer than asked for; none at the end of the file.
    fn read(&mut self, at: u64, bytes: &mut [u8]) -> io::Result<usize>;

    /// Writes bytes to this place, perhaps not all.
    fn write(&mut self, at: u64, bytes: &[u8]) -> io::Result<usize>;

    fn len(&self) -> io::Result<u64>;

    fn set_len(&mut self, len: u64) -> io::Result<()>;

    /// Makes sure that the content is on the disk.
    fn sync(&mut self) -> io::Result<()>;

    /// Locks the file up to `unlock` or the end of the process; false if it is locked already.
    fn try_lock(&mut self) -> io::Result<bool>;

    fn unlock(&mut self) -> io::Result<()>;
}

/// Reads as many bytes as there is room for.
pub(super) fn read_all(file: &mut dyn Stored, mut at: u64, mut to: &mut [u8]) -> io::Result<()> {
    while !to.is_empty() {
        match file.read(at, to) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => (at, to) = (at + read as u64, &mut to[read..]),
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(())
}

/// Writes all bytes.
pub(super) fn write_all(file: &mut dyn Stored, mut at: u64, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write(at, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => (at, bytes) = (at + written as u64, &bytes[written..]),
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(())
}

/// The file system of the system.
#[derive(Debug)]
pub(super) struct System;

impl System {
    pub(super) fn shared() -> Arc<dyn Storage> {
        Arc::new(Self)
    }
}

impl Storage for System {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Stored>> {
        Ok(Box::new(File::open(path)?))
    }

    fn open_or_create(&self, path: &Path) -> io::Result<Box<dyn Stored>> {
        let how = OpenOptions::new().create(true).truncate(false).write(true).open(path);
        Ok(Box::new(how?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into_string().ok()));
        names.filter_map(Result::transpose).collect()
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        // Elsewhere folders cannot be opened, and need not be.
        if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)
    }

    fn fresh_folder(&self, parent: &Path) -> io::Result<PathBuf> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        fs::create_dir_all(parent)?;
        loop {
            let number = MADE.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("bestfirst-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| path),
            }
        }
    }

    fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        fs::remove_dir_all(folder)
    }
}

impl Stored for File {
    fn read(&mut self, at: u64, bytes: &mut [u8]) -> io::Result<usize> {
        self.seek(SeekFrom::Start(at))?;
        Read::read(self, bytes)
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> io::Result<usize> {
        self.seek(SeekFrom::Start(at))?;
        Write::write(self, bytes)
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        Self::set_len(self, len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }

    fn try_lock(&mut self) -> io::Result<bool> {
        match Self::try_lock(self) {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(fault)) => Err(fault),
        }
    }

    fn unlock(&mut self) -> io::Result<()> {
        Self::unlock(self)
    }
}
