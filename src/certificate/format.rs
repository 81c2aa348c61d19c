//! The bytes of a certificate: the marks, the checksum, and reading.

use std::io::{self, BufReader, Read, Write};
use std::marker::PhantomData;

use super::{CertificateFault, CheckError, Claim, Level, Proved, Where};
use crate::cost::Cost;
use crate::encode::{Encode, encode_as};

pub(super) const MAGIC: &[u8; 8] = b"bestcert";
pub(super) const VERSION: u64 = 1;

encode_as! {
    [] Level as u8:
        |level| *level as u8,
        |number| [Self::NoHeuristic, Self::Admissible, Self::Consistent].get(usize::from(number)).copied(),
        "a level: 0, 1 or 2";
}

/// The 64-bit checksum FNV-1a. (It differs for any two inputs of the same length that differ in one byte.)
///
/// Source: Fowler, Noll and Vo, *The FNV Non-Cryptographic Hash Algorithm*, 1991.
#[derive(Clone, Copy)]
struct Sum(u64);

impl Sum {
    const EMPTY: Self = Self(0xCBF2_9CE4_8422_2325);

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}

/// The reader of a certificate with costs `C`.
pub(super) struct Source<C, R> {
    file: BufReader<R>,
    at: u64,
    sum: Sum,
    bytes: Vec<u8>,
    costs: PhantomData<C>,
}

impl<C: Cost + Encode, R: Read> Source<C, R> {
    pub(super) fn new(file: R) -> Self {
        let (file, costs) = (BufReader::new(file), PhantomData);
        Self { file, at: 0, sum: Sum::EMPTY, bytes: Vec::new(), costs }
    }

    /// Returns the number of bytes read.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Reads the header, if the states are of type `S`.
    pub(super) fn head<S: Encode>(&mut self) -> Result<Proved<C>, CheckError<C>> {
        self.expect(
            "the mark of a certificate at the beginning of the file",
            u64::from_le_bytes(*MAGIC),
        )?;
        self.expect("the version of the format", VERSION)?;
        let (level, is_unsolvable) = (self.take()?, self.take()?);
        self.expect("the number of bytes of a state of this problem", S::BYTES as u64)?;
        self.expect("the number of bytes of a cost of this problem", C::BYTES as u64)?;
        let listed = self.take()?;
        let trusted = if level == Level::Consistent {
            self.take()?
        } else {
            self.expect("the number of states without a label", 0)?;
            0
        };
        let bound = self.take_cost()?;
        let claim = if is_unsolvable { Claim::Unsolvable } else { Claim::AtLeast(bound) };
        Ok(Proved { claim, level, listed, trusted })
    }

    /// Reads a value.
    pub(super) fn take<T: Encode>(&mut self) -> Result<T, CheckError<C>> {
        self.bytes.resize(T::BYTES, 0);
        let read = self.file.read_exact(&mut self.bytes);
        read.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.fault(0, CertificateFault::Short),
            kind => self.fault(0, CertificateFault::Read(kind)),
        })?;
        let value = T::decode(&self.bytes).map_err(|wrong| {
            self.fault(wrong.at, CertificateFault::Bytes { expected: wrong.expected })
        })?;
        self.sum.add(&self.bytes);
        self.at += self.bytes.len() as u64;
        Ok(value)
    }

    /// Reads a cost, which must not be negative.
    pub(super) fn take_cost(&mut self) -> Result<C, CheckError<C>> {
        let fault = self.fault(0, CertificateFault::Bytes { expected: "a cost of at least zero" });
        let cost: C = self.take()?;
        if cost.is_step() { Ok(cost) } else { Err(fault) }
    }

    /// Reads a number that must equal `expected`.
    fn expect(&mut self, what: &'static str, expected: u64) -> Result<(), CheckError<C>> {
        let at = self.at;
        match self.take()? {
            found if found == expected => Ok(()),
            found => Err(CheckError {
                place: Where::Byte(at),
                fault: CertificateFault::Number { what, found, expected },
            }),
        }
    }

    /// Reads the checksum and the end of the file.
    pub(super) fn end(&mut self) -> Result<(), CheckError<C>> {
        self.expect("the checksum of the bytes before it", self.sum.0)?;
        // Unlike `read`, this reads again where it was interrupted.
        match self.file.by_ref().bytes().next() {
            None => Ok(()),
            Some(Ok(_)) => Err(self.fault(0, CertificateFault::Long)),
            Some(Err(error)) => Err(self.fault(0, CertificateFault::Read(error.kind()))),
        }
    }

    fn fault(&self, after: usize, fault: CertificateFault<C>) -> CheckError<C> {
        CheckError { place: Where::Byte(self.at + after as u64), fault }
    }
}

/// The writer of a certificate.
pub(super) struct Sink<W> {
    file: W,
    sum: Sum,
    bytes: Vec<u8>,
}

impl<W: Write> Sink<W> {
    pub(super) fn new(file: W) -> Self {
        Self { file, sum: Sum::EMPTY, bytes: Vec::new() }
    }

    pub(super) fn put<T: Encode>(&mut self, value: &T) -> io::Result<()> {
        self.bytes.resize(T::BYTES, 0);
        value.encode(&mut self.bytes);
        self.sum.add(&self.bytes);
        self.file.write_all(&self.bytes)
    }

    /// Writes the checksum.
    pub(super) fn end(mut self) -> io::Result<()> {
        let sum = self.sum.0;
        self.put(&sum)?;
        self.file.flush()
    }
}
