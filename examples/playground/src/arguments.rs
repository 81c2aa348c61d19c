//! What the program is asked to do.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use program::{Fault, Verdict};

use crate::folder::build;
use crate::server::Server;

program::arguments! {
    /// Serves one page on this machine, on which searches are drawn, run, watched step by step, compared and exported.
    #[command(
        name = "playground",
        after_help = "Only this machine can open the page. With --build, nothing is served: the searches of the page run in the \
                      browser, and any web server can show it. Exit status: 2 bad usage, the port is taken, or the page \
                      cannot be built."
    )]
    #[derive(Debug)]
    struct Args {
        /// The port; 0 takes any that is free
        #[arg(long, value_name = "PORT", default_value = "8017")]
        port: u16,

        /// Writes the page as files into this folder, and ends
        #[arg(long, value_name = "DIR")]
        build: Option<PathBuf>,
    }
}

/// Runs the program, which ends only by a fault or after it has built the page, and returns its exit status.
pub fn main(
    args: impl IntoIterator<Item = OsString>,
    out: &mut impl Write,
    err: &mut impl Write,
) -> u8 {
    program::run(args, out, err, |args: &Args, out| {
        if let Some(folder) = &args.build {
            program::refuse_standard("--build", folder)?;
            let bytes = build(folder).map_err(|fault| Fault::input(&fault))?;
            let folder = folder.display();
            writeln!(
                out,
                "The page is in {folder}: {} KB, to be shown by any web server",
                bytes.div_ceil(1000)
            )?;
            return Ok(Verdict::Solved);
        }
        let server = Server::bind(args.port).map_err(|fault| Fault::input(&fault))?;
        writeln!(out, "The playground is at http://{}/ (Ctrl+C ends it)", server.address())?;
        out.flush()?;
        server.serve();
        Ok(Verdict::Solved)
    })
}
