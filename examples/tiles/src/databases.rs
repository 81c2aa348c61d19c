//! Loads databases from a folder, or builds them and saves them there.

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bestfirst::Limits;
use bestfirst::heuristics::{BuildError, FileError, PatternDatabase};
use bestfirst::problems::sliding_tiles::{Partition, TileDatabases, TilePattern};
use program::Fault;

use crate::progress::Progress;

/// Where databases come from.
pub struct Supply {
    pub cache: Option<PathBuf>,
    pub threads: usize,
    /// For all databases together.
    pub time: Option<Duration>,
    /// In bytes, for each database.
    pub memory: Option<usize>,
    /// The time that those took which are built.
    pub built: Cell<Duration>,
    pub is_quiet: bool,
    pub shows_progress: bool,
}

impl Supply {
    /// The databases of a partition.
    pub fn databases(&self, partition: &Partition) -> Result<TileDatabases, Fault> {
        TileDatabases::from_fn(partition, |pattern| self.database(pattern).map(Arc::new))
    }

    fn database(&self, pattern: &TilePattern) -> Result<PatternDatabase, Fault> {
        let Some(folder) = &self.cache else { return self.build(pattern) };
        let label = pattern.to_string();
        // Letters, numbers and hyphens.
        let words =
            label.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let file = folder.join(words.collect::<Vec<_>>().join("-") + ".pdb");
        let explain = |fault: FileError| Fault::Input(format!("{}: {fault}", file.display()));
        match PatternDatabase::load(&file, &label) {
            Err(FileError::Io(fault)) if fault.kind() == io::ErrorKind::NotFound => {}
            loaded => return loaded.map_err(explain),
        }
        // It may take minutes to build: better to know now whether it can be saved. The file itself is not made: another
        // program may look for it in the meantime.
        program::refuse_standard("--cache", folder)?;
        fs::create_dir_all(folder)
            .map_err(|fault| Fault::Input(format!("--cache: {}: {fault}", folder.display())))?;
        let trial = folder.join(format!("trial.{}", std::process::id()));
        program::open(&[], [("--cache", Some(&*trial))])?;
        let database = self.build(pattern)?;
        database.save(&file, &label).map_err(explain)?;
        if !self.is_quiet {
            eprintln!("saved {}", file.display());
        }
        Ok(database)
    }

    fn build(&self, pattern: &TilePattern) -> Result<PatternDatabase, Fault> {
        let began = Instant::now();
        let mut limits = Limits::new();
        if let Some(time) = self.time {
            limits = limits.time(time.saturating_sub(self.built.get()));
        }
        if let Some(bytes) = self.memory {
            limits = limits.memory(bytes);
        }
        let key = |state: &_| pattern.key(state);
        let builder = PatternDatabase::builder(pattern).limits(limits);
        let mut progress = Progress::new(pattern, self.shows_progress);
        let builder = builder.observer(&mut progress).bits(pattern.keys());
        let built = match self.threads {
            #[cfg(feature = "parallel")]
            1 => builder.build([pattern.goal()], key),
            #[cfg(feature = "parallel")]
            threads => builder.threads(threads).build([pattern.goal()], key),
            #[cfg(not(feature = "parallel"))]
            _ => builder.build([pattern.goal()], key),
        };
        let states = progress.finish();
        self.built.set(self.built.get() + began.elapsed());
        let database = built.map_err(|fault| match fault {
            BuildError::Stopped(reason) => Fault::Stopped(format!(
                "building the database of {pattern}: {reason}; it has {} entries",
                pattern.keys()
            )),
            other => Fault::Input(format!("building the database of {pattern}: {other}")),
        })?;
        if !self.is_quiet {
            eprintln!(
                "built {pattern}: {} entries, {states} states in {:.1} s",
                database.len(),
                began.elapsed().as_secs_f64()
            );
        }
        Ok(database)
    }
}
