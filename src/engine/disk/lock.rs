//! [`Lock`]: one search at a time in a folder of checkpoints.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::storage::{Storage, Stored, read_all, write_all};
use crate::clock;
use crate::disk_fault::{DiskFault, DiskFaultKind, DiskFile, DiskHolder};

/// The file that is locked. Some systems let nobody read it meanwhile, so who has locked it is in another.
const LOCK: &str = "lock";

/// Who has locked the folder: the process and the seconds since 1970, as two numbers of this width.
const HOLDER: &str = "holder";
const WIDTH: usize = 10;

/// A folder that no other search uses. The system unlocks it when the process ends, however it ends.
#[derive(Debug)]
pub(super) struct Lock {
    storage: Arc<dyn Storage>,
    holder: PathBuf,
    file: Box<dyn Stored>,
}

impl Lock {
    /// Locks a folder that exists.
    pub(super) fn acquire(storage: &Arc<dyn Storage>, folder: &Path) -> Result<Self, DiskFault> {
        let fault = |fault| DiskFault::io(DiskFile::Folder, 0, &fault);
        let holder = folder.join(HOLDER);
        let mut file = storage.open_or_create(&folder.join(LOCK)).map_err(fault)?;
        if !file.try_lock().map_err(fault)? {
            let kind = DiskFaultKind::InUse(read_holder(storage.as_ref(), &holder));
            return Err(DiskFault::new(DiskFile::Folder, 0, kind));
        }
        let process = std::process::id();
        let since = clock::seconds_since_1970().unwrap_or(0);
        let line = format!("{process:>WIDTH$} {since:>WIDTH$}\n");
        // If it cannot be written, others are told less.
        let _ = storage
            .open_or_create(&holder)
            .and_then(|mut file| write_all(file.as_mut(), 0, line.as_bytes()));
        Ok(Self { storage: Arc::clone(storage), holder, file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.storage.remove(&self.holder);
        // To close it is not enough where another process is being started: for a moment that has it open, too.
        let _ = self.file.unlock();
    }
}

fn read_holder(storage: &dyn Storage, path: &Path) -> Option<DiskHolder> {
    let mut line = [0; 2 * WIDTH + 1];
    let mut file = storage.open(path).ok()?;
    read_all(file.as_mut(), 0, &mut line).ok()?;
    let (process, since) = std::str::from_utf8(&line).ok()?.split_at(WIDTH);
    Some(DiskHolder { process: process.trim().parse().ok()?, since: since.trim().parse().ok()? })
}
