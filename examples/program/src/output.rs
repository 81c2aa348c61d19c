//! Files that are written: opened before there is anything to write, so that what is wrong with them is known at once.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Fault;
use super::input::is_standard;

/// A file and the argument that names it, as in messages. `None` where it is not given.
pub type Named<'a> = (&'a str, Option<&'a Path>);

/// A file that will be written. What is in it stays until then; where it was not there before, it is removed if nothing
/// is written.
#[derive(Debug)]
pub struct Output {
    /// The argument and the file, as in messages.
    name: String,
    path: PathBuf,
    file: File,
    is_new: bool,
}

/// A file that a program reads or writes.
struct Taken<'a> {
    /// What it is, as in messages.
    role: String,
    path: &'a Path,
    identity: Option<Identity>,
}

/// Opens the files that a program will write. Those that it reads must be others; of these, one may be the standard
/// input.
///
/// # Errors
///
/// [`Fault::Input`] if a file cannot be written, or is named twice.
pub fn open<const N: usize>(
    inputs: &[Named<'_>],
    outputs: [Named<'_>; N],
) -> Result<[Option<Output>; N], Fault> {
    let standard_output = Path::new("/dev/stdout");
    let role = "the standard output".to_owned();
    let mut taken =
        vec![Taken { role, path: standard_output, identity: identity(standard_output) }];
    for &(role, path) in inputs {
        let Some(path) = path else { continue };
        let is_same = |other: &&Taken<'_>| is_standard(path) && is_standard(other.path);
        if let Some(Taken { role: other, .. }) = taken.iter().find(is_same) {
            let message =
                format!("{role}: the standard input is read for {other}; name another file");
            return Err(Fault::Input(message));
        }
        let file = if is_standard(path) { Path::new("/dev/stdin") } else { path };
        taken.push(Taken { role: role.to_owned(), path, identity: identity(file) });
    }
    let mut opened = [const { None }; N];
    for ((argument, path), opened) in outputs.into_iter().zip(&mut opened) {
        let Some(path) = path else { continue };
        refuse_standard(argument, path)?;
        let name = format!("{argument}: {}", path.display());
        let twice = |taken: &Taken<'_>| {
            Fault::Input(format!("{name} is also {}; name another file", taken.role))
        };
        // Before it is made: an input that is not there is not to become an empty file.
        let own = place(path);
        let is_same = |other: &&Taken<'_>| {
            other.path == path
                || own.is_some() && !is_standard(other.path) && place(other.path) == own
        };
        if let Some(other) = taken.iter().find(is_same) {
            return Err(twice(other));
        }
        let output = Output::create(name.clone(), path)?;
        let identity = identity(path);
        let is_same = |other: &&Taken<'_>| other.identity.is_some() && other.identity == identity;
        if let Some(other) = taken.iter().find(is_same) {
            return Err(twice(other));
        }
        taken.push(Taken { role: format!("the file of {argument}"), path, identity });
        *opened = Some(output);
    }
    Ok(opened)
}

/// Refuses `-` where something is written: the standard output is for the answers.
///
/// # Errors
///
/// [`Fault::Input`] for that name.
pub fn refuse_standard(argument: &str, path: &Path) -> Result<(), Fault> {
    if !is_standard(path) {
        return Ok(());
    }
    let message = format!(
        "{argument}: the standard output is for the answers; name a file, as ./- for one of this name"
    );
    Err(Fault::Input(message))
}

/// Where a file is or would be, whatever its folder is called.
fn place(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
}

/// What tells a file on the disk from others, whatever it is called.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

/// `None` for what is no file on the disk, as a pipe.
#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;

    let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    fs::canonicalize(path).ok()
}

impl Output {
    fn create(name: String, path: &Path) -> Result<Self, Fault> {
        let mut options = OpenOptions::new();
        options.write(true);
        let (file, is_new) = match options.clone().create_new(true).open(path) {
            Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => {
                (options.create(true).truncate(false).open(path), false)
            }
            new => (new, true),
        };
        let file = file.map_err(|fault| Fault::Input(format!("{name}: {fault}")))?;
        Ok(Self { name, path: path.to_owned(), file, is_new })
    }

    /// Replaces what is in the file by what `write` writes. Where that fails before it has written much, the file stays
    /// what it was.
    ///
    /// # Errors
    ///
    /// [`Fault::Input`] if that fails.
    pub fn write<E: fmt::Display>(
        mut self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), Fault> {
        let explain = |fault: &dyn fmt::Display| Fault::Input(format!("{}: {fault}", self.name));
        let mut out = BufWriter::new(Replacement { file: &self.file, has_begun: false });
        if let Err(fault) = write(&mut out) {
            // What is in the buffer is not to be written when it is dropped.
            drop(out.into_parts());
            return Err(explain(&fault));
        }
        out.flush().map_err(|fault| explain(&fault))?;
        drop(out);
        self.is_new = false;
        Ok(())
    }
}

/// Writes into a file from its beginning, which is empty from the first byte on.
struct Replacement<'a> {
    file: &'a File,
    has_begun: bool,
}

impl Replacement<'_> {
    fn begin(&mut self) -> io::Result<()> {
        // A pipe or a terminal has no length.
        if !self.has_begun && self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        self.has_begun = true;
        Ok(())
    }
}

impl Write for Replacement<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begin()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.begin()?;
        self.file.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.is_new {
            // An error here cannot be reported anywhere.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A new folder.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("program-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn message<T: fmt::Debug>(result: Result<T, Fault>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn a_file_stays_what_it_is_until_it_is_written() {
        let folder = folder("stays");
        let (old, new) = (folder.join("old"), folder.join("new"));
        fs::write(&old, "what was there").unwrap();
        let both = || open(&[], [("--old", Some(&*old)), ("--new", Some(&*new)), ("--no", None)]);
        let [_, _, none] = both().unwrap();
        assert!(none.is_none());
        assert_eq!(fs::read(&old).unwrap(), b"what was there");
        assert!(!new.exists(), "nothing was written");

        let [first, second, _] = both().unwrap();
        let write = |text: &'static str| move |out: &mut dyn Write| write!(out, "{text}");
        let fail = |out: &mut dyn Write| out.write_all(b"part").map_err(|_| "").and(Err("no more"));
        let failed = first.unwrap().write(fail);
        assert_eq!(message(failed), format!("--old: {}: no more", old.display()));
        assert_eq!(fs::read(&old).unwrap(), b"what was there");
        let failed = second.unwrap().write(fail);
        assert_eq!(message(failed), format!("--new: {}: no more", new.display()));
        assert!(!new.exists());
        let [first, second, _] = both().unwrap();
        first.unwrap().write(write("short")).unwrap();
        assert_eq!(fs::read(&old).unwrap(), b"short");
        let [first, ..] = both().unwrap();
        first.unwrap().write(write("")).unwrap();
        assert_eq!(fs::read(&old).unwrap(), b"");
        second.unwrap().write(write("text")).unwrap();
        assert_eq!(fs::read(&new).unwrap(), b"text");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn no_file_is_named_twice() {
        let folder = folder("twice");
        let input = folder.join("input");
        fs::write(&input, "input").unwrap();
        let inputs: &[Named<'_>] = &[("the input", Some(&*input))];
        let refused = |outputs: [&Path; 2]| {
            let [a, b] = outputs;
            message(open(inputs, [("--a", Some(a)), ("--b", Some(b))]))
        };
        let (new, other) = (folder.join("new"), folder.join("other"));
        let around = folder.join("../").join(folder.file_name().unwrap()).join("input");
        for name in [&input, &around] {
            let says = refused([name, &new]);
            assert_eq!(
                says,
                format!("--a: {} is also the input; name another file", name.display())
            );
        }
        let around = folder.join("../").join(folder.file_name().unwrap()).join("new");
        for name in [&new, &around] {
            let says = refused([&new, name]);
            assert!(says.ends_with(" is also the file of --a; name another file"), "{says}");
            assert!(!new.exists(), "what was made is removed");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&input, &other).unwrap();
            assert!(refused([&other, &new]).contains("is also the input"));
            fs::remove_file(&other).unwrap();
            fs::hard_link(&input, &other).unwrap();
            assert!(refused([&other, &new]).contains("is also the input"));
            let zero = Path::new("/dev/zero");
            let opened =
                open(&[("the input", Some(zero))], [("--b", Some(Path::new("/dev/null")))]);
            assert!(opened.is_ok(), "these are no files on the disk");
        }
        assert_eq!(fs::read(&input).unwrap(), b"input");
        // An input that is not there is not made.
        for name in [&new, &around] {
            let says = message(open(&[("the input", Some(&*new))], [("--a", Some(name))]));
            assert!(says.contains("is also the input") && !new.exists(), "{says}");
        }
        // `-` is the standard input, and no file of this name.
        let (standard, file) = (Path::new("-"), Path::new("./-"));
        assert!(open(&[("the input", Some(standard))], [("--a", Some(file))]).is_ok());
        let says = message(open(inputs, [("--a", Some(&*folder))]));
        assert!(says.starts_with(&format!("--a: {}: ", folder.display())), "{says}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_standard_output_is_no_file() {
        let says = message(open(&[], [("--a", Some(Path::new("-")))]));
        assert_eq!(
            says,
            "--a: the standard output is for the answers; name a file, as ./- for one of this name"
        );
        assert!(!Path::new("-").exists());
        let folder = folder("named");
        let [named] = open(&[], [("--a", Some(&*folder.join("-")))]).unwrap();
        assert!(named.is_some());
        drop(named);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_standard_input_is_read_once() {
        let standard = Some(Path::new("-"));
        let inputs = [("the map", standard), ("--other", None), ("the queries", standard)];
        let says = message(open(&inputs, []));
        assert_eq!(says, "the queries: the standard input is read for the map; name another file");
        assert!(open(&inputs[..2], []).is_ok());
    }
}
