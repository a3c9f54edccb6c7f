//! Which way the matching games take to where they go.

use std::io::{self, Write};
use std::path::Path;

use engine::Program;
use engine::run::ChunkOutput;

use super::{NewFile, Spool, directory, is_same_file};
use crate::failure::{Failure, context};
use crate::interrupt;
use crate::search::Stdout;

/// Where the matching games go.
pub(crate) enum Destination {
    /// Into the output file as they come.
    File(NewFile),
    /// Into the output file when they are sorted.
    Sorted(NewFile, Spool),
    /// To standard output when they are counted.
    Stdout(Spool),
}

impl Destination {
    /// Begins to write `output`, or standard output where there is none.
    pub(crate) fn new(
        input: Option<&Path>,
        output: Option<&Path>,
        program: &Program,
    ) -> Result<Destination, Failure> {
        let Some(output) = output else {
            return Ok(Destination::Stdout(Spool::new(&std::env::temp_dir())));
        };
        if input.is_some_and(|input| is_same_file(input, output)) {
            return Err(Failure::Message(format!(
                "the output would overwrite the input: {}",
                output.display()
            )));
        }
        let file = NewFile::create(output)
            .map_err(|error| context(format!("cannot write {}", output.display()), &error))?;
        interrupt::remove_if_ended(file.temporary_path());
        Ok(if program.sort_directions().is_empty() {
            Destination::File(file)
        } else {
            Destination::Sorted(file, Spool::new(directory(output)))
        })
    }

    /// Takes the games of a chunk.
    pub(crate) fn add(&mut self, out: ChunkOutput) -> io::Result<()> {
        match self {
            Destination::File(file) => file.write_all(&out.text),
            Destination::Sorted(_, spool) | Destination::Stdout(spool) => spool.add(out),
        }
    }

    /// Writes what waits, and puts the file in its place.
    pub(crate) fn finish(self, ascending: &[bool], console: &mut Stdout) -> io::Result<()> {
        let file = match self {
            Destination::File(file) => file,
            Destination::Sorted(mut file, spool) => {
                spool.write(ascending, &mut file)?;
                file
            }
            Destination::Stdout(spool) => {
                console.line(format!(
                    "<CqlGuiPgn numbergames={} numberbytes={}>",
                    spool.n_games(),
                    spool.n_bytes()
                ));
                spool.write(ascending, console)?;
                console.line("</CqlGuiPgn>");
                return Ok(());
            }
        };
        file.finish()?;
        interrupt::remove_if_ended(None);
        Ok(())
    }
}
