//! The page as files, which is built once for all tests, and served by a server that knows nothing of it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use playground::{BuildError, build};

use crate::page::skip;

/// The folder; or nothing where it is not asked for, as it takes a minute to build, or the compiler for it is not installed.
pub fn folder() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        if std::env::var_os("PLAYGROUND_BUILDS").is_none() {
            skip("the page is tested as files where PLAYGROUND_BUILDS is set");
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("playground-page");
        let _ = fs::remove_dir_all(&folder);
        match build(&folder) {
            Ok(bytes) => {
                assert!(bytes <= 700_000, "the page has {bytes} bytes");
                Some(folder)
            }
            Err(fault @ BuildError::NoTarget) => {
                skip(&fault.to_string());
                None
            }
            Err(fault) => panic!("{fault}"),
        }
    });
    folder.as_deref()
}

/// Serves the folder until the tests end; returns the address. It is not at the root, as on a server of many pages.
pub fn serve(folder: &'static Path) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = format!("http://{}/somewhere/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A browser that has left needs no answer.
            std::thread::spawn(move || answer(&stream, folder).ok());
        }
    });
    address
}

fn answer(mut stream: &TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    // The rest of the head.
    for line in lines.by_ref() {
        if line?.is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap_or_default();
    let name = path.split('?').next().unwrap_or_default().strip_prefix("/somewhere/");
    let name = name.map(|name| if name.is_empty() { "index.html" } else { name });
    let content = name.and_then(|name| fs::read(folder.join(name)).ok());
    let content_type = match name.and_then(|name| Path::new(name).extension()?.to_str()) {
        Some("html") => "text/html",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        // Not every server knows the type of modules.
        _ => "application/octet-stream",
    };
    let status = if content.is_some() { "200 OK" } else { "404 Not Found" };
    let content = content.unwrap_or_default();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        content.len()
    )?;
    stream.write_all(&content)
}
