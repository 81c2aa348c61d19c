//! [`Secret`]: what the processes of a cluster know and nobody else does, and the codes that are made with it.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use blake3::Hash;

use super::error::ClusterError;

/// The secret that the processes of a [`Cluster`](super::Cluster) share: each proves to each other that it knows it, before
/// anything else is said. It is never sent.
///
/// It has from 16 to 4096 bytes, and should be random, since whoever takes the place of a process can try to guess it:
///
/// ```text
/// head -c 32 /dev/urandom | base64 > secret.txt && chmod 600 secret.txt
/// ```
///
/// A file is the better place. The environment of a process can be read by all programs of its user. There is no option that takes the
/// secret itself, since the arguments of a program can be read by all users of the machine.
///
/// ```
/// use bestfirst::engine::Secret;
/// use bestfirst::Cluster;
///
/// let secret = Secret::from_bytes(b"the bytes of a long random text")?;
/// assert_eq!(format!("{secret:?}"), "Secret(..)");
/// let cluster = Cluster::processes_at(["10.0.0.1:2101", "10.0.0.2:2101"], 0, 4)?.secret(secret);
/// assert!(Secret::from_bytes(b"short").is_err());
/// # Ok::<(), bestfirst::engine::ClusterError>(())
/// ```
///
/// What is authenticated and what is not: see [`Distributed`](crate::Distributed).
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    key: Key,
}

/// The least and the most bytes of a secret.
const LEAST: usize = 16;
const MOST: usize = 4096;

impl Secret {
    /// The environment variable that [`Cluster::from_args`](super::Cluster::from_args) reads.
    pub const VARIABLE: &'static str = "BESTFIRST_SECRET";

    /// A secret of these bytes.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Secret`] if there are fewer than 16 or more than 4096.
    pub fn from_bytes(bytes: impl AsRef<[u8]>) -> Result<Self, ClusterError> {
        Self::of(bytes.as_ref(), "the secret".to_owned())
    }

    /// The secret that is in a file, without the white space at its ends.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Secret`] if the file cannot be read, or has fewer than 16 bytes or more than 4096.
    pub fn from_file(file: impl AsRef<Path>) -> Result<Self, ClusterError> {
        let file = file.as_ref();
        let source = format!("the secret in {}", file.display());
        let mut bytes = Vec::new();
        let read =
            File::open(file).and_then(|file| file.take(MOST as u64 + 1).read_to_end(&mut bytes));
        match read {
            Ok(_) => Self::of(bytes.trim_ascii(), source),
            Err(error) => Err(ClusterError::Secret { from: source, error }),
        }
    }

    /// The secret in an environment variable, without the white space at its ends.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Secret`] if the variable is not set, or has fewer than 16 bytes or more than 4096.
    pub fn from_env(variable: impl AsRef<OsStr>) -> Result<Self, ClusterError> {
        let variable = variable.as_ref();
        let source = format!("the secret in the environment variable {}", variable.display());
        match std::env::var_os(variable) {
            Some(value) => Self::of(value.as_encoded_bytes().trim_ascii(), source),
            None => {
                Err(ClusterError::Secret { from: source, error: io::ErrorKind::NotFound.into() })
            }
        }
    }

    fn of(bytes: &[u8], from: String) -> Result<Self, ClusterError> {
        if (LEAST..=MOST).contains(&bytes.len()) {
            return Ok(Self { key: Key::of(bytes) });
        }
        let fault = format!("it has {} bytes; give it from {LEAST} to {MOST}", bytes.len());
        let error = io::Error::new(io::ErrorKind::InvalidData, fault);
        Err(ClusterError::Secret { from, error })
    }

    /// What stands for a secret where all processes are on one machine and none was given: everybody knows it.
    pub(super) fn none() -> Self {
        Self { key: Key::of(&[]) }
    }

    pub(super) fn key(&self) -> &Key {
        &self.key
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// A key for codes: of the secret, or of a connection. Keys are compared in constant time.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key(Hash);

/// A code over some bytes, that only who has the key can make. Codes are compared in constant time.
pub(super) type Code = Hash;

impl Key {
    fn of(bytes: &[u8]) -> Self {
        Self(blake3::derive_key("bestfirst 2026 secret of a cluster", bytes).into())
    }

    /// The code over several lists of bytes. What is hashed with one key must not be ambiguous: only the last list may
    /// have any length.
    pub(super) fn code(&self, parts: &[&[u8]]) -> Code {
        let mut hasher = blake3::Hasher::new_keyed(self.0.as_bytes());
        for part in parts {
            hasher.update(part);
        }
        hasher.finalize()
    }

    /// Another key, that depends on this one and on the bytes.
    pub(super) fn derive(&self, parts: &[&[u8]]) -> Self {
        Self(self.code(parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_shown() {
        let secret = Secret::from_bytes([7; 16]).unwrap();
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "Secret(..) Some(Secret(..))");
    }

    #[test]
    fn a_secret_has_enough_bytes_and_not_too_many() {
        for (bytes, is_right) in [(0, false), (15, false), (16, true), (4096, true), (4097, false)]
        {
            let made = Secret::from_bytes(vec![b'x'; bytes]);
            assert_eq!(made.is_ok(), is_right, "{bytes}");
            let Err(error) = made else { continue };
            let expected =
                format!("the secret cannot be used: it has {bytes} bytes; give it from 16 to 4096");
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn a_file_gives_the_bytes_without_the_white_space_around_them() {
        let file = std::env::temp_dir().join(format!("bestfirst-{}-secret", std::process::id()));
        std::fs::write(&file, " a secret of some length\r\n").unwrap();
        let expected = Secret::from_bytes("a secret of some length").unwrap();
        assert_eq!(Secret::from_file(&file).unwrap(), expected);
        std::fs::write(&file, [b'x'; 5000]).unwrap();
        let long = Secret::from_file(&file).unwrap_err().to_string();
        assert!(long.ends_with("it has 4097 bytes; give it from 16 to 4096"), "{long}");
        std::fs::remove_file(&file).unwrap();
        let missing = Secret::from_file(&file).unwrap_err().to_string();
        assert!(missing.contains("-secret cannot be used: "), "{missing}");
        // What is in the environment is tested by processes of their own.
        let unset = Secret::from_env("BESTFIRST_NO_SUCH_VARIABLE").unwrap_err().to_string();
        assert!(unset.contains("BESTFIRST_NO_SUCH_VARIABLE cannot be used"), "{unset}");
    }

    #[test]
    fn codes_depend_on_the_key_and_on_every_byte() {
        let [one, other] = [[1; 16], [2; 16]].map(|bytes| Secret::from_bytes(bytes).unwrap());
        let code = one.key().code(&[b"ab", b"c"]);
        assert_eq!(code, one.key().code(&[b"abc"]));
        assert_ne!(code, one.key().code(&[b"abd"]));
        assert_ne!(code, other.key().code(&[b"abc"]));
        assert_ne!(code, one.key().derive(&[b"x"]).code(&[b"abc"]));
        assert_ne!(one.key().code(&[]), Secret::none().key().code(&[]));
    }
}
