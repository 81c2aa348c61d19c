//! Saving and loading: a header, the label, and one byte for each key, all with checksums.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `bfirstPD` |
//! | 4 | the version of the format, 1 |
//! | 4 | the length of the label |
//! | 8 | the number of keys |
//! | 8 | the checksum of the entries |
//! | 8 | the checksum of the header up to here, and of the label |
//! | | the label, UTF-8 |
//! | | the entries |

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::FileError;
use super::pattern_database::PatternDatabase;
use crate::checksum::checksum;

const MAGIC: [u8; 8] = *b"bfirstPD";
const VERSION: u32 = 1;
const HEADER: usize = 40;

/// Longer labels are truncated when they are written; a file with a longer one is damaged.
const MOST_LABEL: usize = 1 << 16;

impl PatternDatabase {
    /// Writes the database. `label` identifies its abstraction; [`read_from`](Self::read_from) accepts no
    /// other. (At most 65,536 bytes of it are stored.)
    ///
    /// # Errors
    ///
    /// [`FileError::Io`].
    pub fn write_to(&self, mut writer: impl Write, label: &str) -> Result<(), FileError> {
        let label = &label.as_bytes()[..label.floor_boundary(MOST_LABEL)];
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..16].copy_from_slice(&(u32::try_from(label.len()).unwrap_or(0)).to_le_bytes());
        header[16..24].copy_from_slice(&(self.len() as u64).to_le_bytes());
        header[24..32].copy_from_slice(&checksum(self.entries()).to_le_bytes());
        let check = checksum_of_header(&header, label);
        header[32..].copy_from_slice(&check.to_le_bytes());
        writer.write_all(&header)?;
        writer.write_all(label)?;
        writer.write_all(self.entries())?;
        writer.flush()?;
        Ok(())
    }

    /// Reads a database that [`write_to`](Self::write_to) wrote with the same label.
    ///
    /// # Errors
    ///
    /// A [`FileError`] if the file cannot be read, has another format or label, or is damaged.
    pub fn read_from(mut reader: impl Read, label: &str) -> Result<Self, FileError> {
        let mut header = [0; HEADER];
        if read_up_to(&mut reader, &mut header)? < HEADER || header[..8] != MAGIC {
            return Err(FileError::NotADatabase);
        }
        let version = u32::from_le_bytes(part(&header, 8));
        if version != VERSION {
            return Err(FileError::Version { found: version, expected: VERSION });
        }
        let label_len = u32::from_le_bytes(part(&header, 12)) as usize;
        let count = u64::from_le_bytes(part(&header, 16));
        let expected = u64::from_le_bytes(part(&header, 32));
        if label_len > MOST_LABEL {
            let found = checksum_of_header(&header, &[]);
            return Err(FileError::Checksum { found, expected });
        }
        let mut found_label = vec![0; label_len];
        let read = read_up_to(&mut reader, &mut found_label)?;
        let found = checksum_of_header(&header, &found_label[..read]);
        if found != expected {
            return Err(FileError::Checksum { found, expected });
        }
        if found_label != label.as_bytes()[..label.floor_boundary(MOST_LABEL)] {
            let found = String::from_utf8_lossy(&found_label).into_owned();
            return Err(FileError::Label { found, expected: label.to_owned() });
        }
        let entries = read_entries(&mut reader, count)?;
        let (found, expected) = (checksum(&entries), u64::from_le_bytes(part(&header, 24)));
        if found != expected {
            return Err(FileError::Checksum { found, expected });
        }
        Ok(Self::from_values(entries))
    }

    /// Writes the database into a file, like [`write_to`](Self::write_to). The file gets its name only
    /// when it is complete: until then, the id of the process, a number and `part` follow the name, separated by dots.
    ///
    /// # Errors
    ///
    /// [`FileError::Io`]. The incomplete file is removed.
    pub fn save(&self, path: impl AsRef<Path>, label: &str) -> Result<(), FileError> {
        static SAVED: AtomicU64 = AtomicU64::new(0);
        let path = path.as_ref();
        let number = SAVED.fetch_add(1, Ordering::Relaxed);
        let mut part = path.as_os_str().to_owned();
        part.push(format!(".{}.{number}.part", std::process::id()));
        let saved = File::create(&part)
            .map_err(FileError::from)
            .and_then(|mut file| {
                self.write_to(&mut file, label)?;
                Ok(file.sync_all()?)
            })
            .and_then(|()| Ok(fs::rename(&part, path)?));
        if saved.is_err() {
            // The first error is returned, not this one.
            let _ = fs::remove_file(&part);
        }
        saved
    }

    /// Reads a database from a file, like [`read_from`](Self::read_from).
    ///
    /// # Errors
    ///
    /// A [`FileError`].
    pub fn load(path: impl AsRef<Path>, label: &str) -> Result<Self, FileError> {
        Self::read_from(File::open(path)?, label)
    }
}

/// Truncation of a text at a character boundary.
trait FloorBoundary {
    /// Returns the largest character boundary of at most `most`.
    fn floor_boundary(&self, most: usize) -> usize;
}

impl FloorBoundary for str {
    fn floor_boundary(&self, most: usize) -> usize {
        (0..=most.min(self.len())).rev().find(|&at| self.is_char_boundary(at)).unwrap_or(0)
    }
}

/// Returns `N` bytes of the header from `from` on.
fn part<const N: usize>(header: &[u8; HEADER], from: usize) -> [u8; N] {
    std::array::from_fn(|i| header.get(from + i).copied().unwrap_or(0))
}

/// Fills `buffer` up to the end of the input. Returns the number of bytes read.
fn read_up_to(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(filled)
}

/// Reads `count` entries, after which the input must end.
fn read_entries(reader: &mut impl Read, count: u64) -> Result<Vec<u8>, FileError> {
    let mut entries = Vec::new();
    let reserved =
        usize::try_from(count).ok().filter(|&len| entries.try_reserve_exact(len).is_ok());
    let Some(len) = reserved else { return Err(FileError::OutOfMemory { bytes: count }) };
    // One more byte, to detect a file that is too long, is read into a separate buffer.
    let found = reader.by_ref().take(count).read_to_end(&mut entries)?;
    let is_longer = found == len && read_up_to(reader, &mut [0])? > 0;
    if found < len || is_longer {
        let found = found as u64 + u64::from(is_longer);
        return Err(FileError::Length { found, expected: count });
    }
    Ok(entries)
}

fn checksum_of_header(header: &[u8; HEADER], label: &[u8]) -> u64 {
    checksum(&header[..32]).rotate_left(1) ^ checksum(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_cut_at_characters() {
        assert_eq!("añb".floor_boundary(2), 1);
        assert_eq!("añb".floor_boundary(3), 3);
        assert_eq!("añb".floor_boundary(100), 4);
    }
}
