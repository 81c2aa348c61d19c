//! Listens on the loopback address only, and answers each connection once, on a thread of its own.

use std::fmt;
use std::io::{self, BufWriter, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::http::{Reply, Status, read_request};
use crate::site;

/// As many connections are answered at a time.
const MOST_CONNECTIONS: usize = 32;

/// So long is waited for a client: for all of its request, and for all of its reply to be taken.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server on the loopback address.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    ends: AtomicBool,
    patience: Duration,
}

/// Why a server cannot listen.
#[derive(Debug)]
pub enum BindError {
    /// Another program listens on the port.
    Taken {
        /// The port.
        port: u16,
    },
    /// Anything else.
    Other {
        /// The port.
        port: u16,
        /// What the system says.
        fault: io::Error,
    },
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken { port } => write!(
                f,
                "port {port} is taken, perhaps by another playground; give another one with --port, or --port 0 for \
                 any that is free"
            ),
            Self::Other { port, fault } => write!(f, "cannot listen on port {port}: {fault}"),
        }
    }
}

impl std::error::Error for BindError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Taken { .. } => None,
            Self::Other { fault, .. } => Some(fault),
        }
    }
}

impl Server {
    /// Listens on a port of the loopback address; 0 is any that is free.
    ///
    /// # Errors
    ///
    /// [`BindError`] if the port is taken or not allowed.
    pub fn bind(port: u16) -> Result<Self, BindError> {
        let listen = || {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
            let address = listener.local_addr()?;
            Ok(Self { listener, address, ends: AtomicBool::new(false), patience: PATIENCE })
        };
        listen().map_err(|fault: io::Error| match fault.kind() {
            io::ErrorKind::AddrInUse => BindError::Taken { port },
            _ => BindError::Other { port, fault },
        })
    }

    /// Waits so long for a client to send its request, and so long again for it to take the reply; 20 seconds by default.
    /// What a search takes does not count.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The address that it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until [`end`](Self::end) is called.
    pub fn serve(&self) {
        let open = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for stream in self.listener.incoming() {
                if self.ends.load(Ordering::SeqCst) {
                    break;
                }
                // The client is gone already, or the system has no more sockets for a while.
                let Ok(stream) = stream else { continue };
                if open.load(Ordering::SeqCst) >= MOST_CONNECTIONS {
                    let busy = Reply::fault(Status::Unavailable, "too many requests at a time");
                    let _ = busy.write(&mut &stream);
                    continue;
                }
                open.fetch_add(1, Ordering::SeqCst);
                let open = &open;
                let (port, patience) = (self.address.port(), self.patience);
                scope.spawn(move || {
                    // The client has closed the connection: there is nobody left to tell.
                    let _ = answer(&stream, port, patience);
                    open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
    }

    /// Ends [`serve`](Self::serve) once the requests are answered that have begun.
    pub fn end(&self) {
        self.ends.store(true, Ordering::SeqCst);
        // Wakes it.
        let _ = TcpStream::connect(self.address);
    }
}

/// Reads a request, answers it, and closes the connection.
fn answer(stream: &TcpStream, port: u16, patience: Duration) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let reply = match read_request(&mut Patient { stream, left: patience })? {
        Ok(request) => site::reply(&request, port),
        Err(reply) => reply,
    };
    let mut out = BufWriter::with_capacity(1 << 15, Patient { stream, left: patience });
    reply.write(&mut out)?;
    out.flush()?;
    drop(out);
    // A connection that is closed while there is something to read is reset, and the client may lose the reply.
    stream.shutdown(Shutdown::Write)?;
    let rest = Patient { stream, left: Duration::from_secs(1) };
    io::copy(&mut rest.take(1 << 22), &mut io::sink())?;
    Ok(())
}

/// A connection on which only so long is waited in all. A client that sends or takes a byte now and then does not hold
/// it for ever.
struct Patient<'a> {
    stream: &'a TcpStream,
    left: Duration,
}

impl Patient<'_> {
    /// Waits for one call, at most as long as is left.
    fn wait<T>(
        &mut self,
        limit: fn(&TcpStream, Option<Duration>) -> io::Result<()>,
        call: impl FnOnce(&TcpStream) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        limit(self.stream, Some(self.left))?;
        let began = Instant::now();
        let done = call(self.stream);
        self.left = self.left.saturating_sub(began.elapsed());
        done
    }
}

impl Read for Patient<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.wait(TcpStream::set_read_timeout, |mut stream| stream.read(bytes))
    }
}

impl Write for Patient<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wait(TcpStream::set_write_timeout, |mut stream| stream.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
