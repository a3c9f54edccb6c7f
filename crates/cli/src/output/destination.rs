//! Passes the matching games to their output: sorted, limited or sampled.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use babson::{Query, Sorter};
use engine::QueryResults;
use table::{Family, Table, TableWriter, Totals};
use tempfile::SpooledTempFile;

use super::arguments::OutputArgs;
use super::by_tags::{TagFiles, Template};
use super::screen::Screen;
use super::{
    BUFFER, NewFile, Originals, Replace, Rules, Spool, directory, spool, tell_replaced, texts_in,
};
use crate::console::Console;
use crate::failure::{Failure, context};
use crate::{place, terminal};

/// Number of games above which browsers are slow to open a report (70 MB).
const MANY_GAMES: u64 = 10_000;

/// Output of a search.
pub(crate) enum OutputTarget<'a> {
    /// A file that appears when it is complete.
    File(&'a Path),
    /// Standard output.
    Stdout,
    /// Files named by the tags of their games.
    Files(Template),
    /// Standard output, between the messages for a graphical front end.
    Console,
    /// The screen: a line for each game.
    Screen,
}

/// Receives the results of a search and writes them.
pub(crate) struct Destination {
    sorter: Sorter<SpooledTempFile>,
    writer: OutputWriter,
    totals: Totals,
    is_report: bool,
}

/// Writes games.
enum OutputWriter {
    Table(TableWriter<Target>),
    /// The number of games precedes the games, so they wait in a spool.
    Console(Spool),
    Files(TagFiles),
    Screen(Screen),
}

/// An open output.
enum Target {
    File(NewFile),
    Stdout(BufWriter<io::Stdout>),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::File(file) => file.write(bytes),
            Target::Stdout(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::File(file) => file.flush(),
            Target::Stdout(out) => out.flush(),
        }
    }
}

impl Target {
    fn finish(self) -> io::Result<()> {
        match self {
            Target::File(file) => file.finish(),
            Target::Stdout(mut out) => out.flush(),
        }
    }
}

impl Destination {
    /// Opens the output of a query at `place`, which must not be one of the `originals`.
    pub(crate) fn new(
        originals: &Originals,
        place: &OutputTarget<'_>,
        arguments: &OutputArgs,
        table: &Table,
        query: &Query,
    ) -> Result<Destination, Failure> {
        let spool_in = match place {
            OutputTarget::File(file) if !remote::is_address(file) => directory(file).to_owned(),
            _ => std::env::temp_dir(),
        };
        let cannot_write = |error| context("cannot write the output", &error);
        let begin = |target| table.begin(target).map(OutputWriter::Table).map_err(cannot_write);
        let writer = match place {
            OutputTarget::File(file) => {
                let first_line = table.first_line();
                let replace = Replace::results(arguments.force, first_line.as_deref());
                let rules = Rules::new(replace, originals);
                begin(Target::File(open(file, rules, arguments)?))?
            }
            OutputTarget::Stdout => {
                let stdout = BufWriter::with_capacity(BUFFER, io::stdout());
                let mut writer = table.begin(Target::Stdout(stdout)).map_err(cannot_write)?;
                terminal::width().iter().for_each(|width| writer.fit(*width));
                OutputWriter::Table(writer)
            }
            OutputTarget::Files(template) => {
                OutputWriter::Files(TagFiles::new(template, originals, arguments))
            }
            OutputTarget::Console => OutputWriter::Console(spool(&spool_in)),
            OutputTarget::Screen => {
                OutputWriter::Screen(Screen::new(arguments.limit.or(arguments.sample)))
            }
        };
        let sorter = Sorter::new(query, || Ok(texts_in(&spool_in)));
        Ok(Destination {
            sorter: sorter.map_err(cannot_write)?,
            writer,
            totals: Totals::default(),
            is_report: arguments.format().family() == Family::Report,
        })
    }

    /// Adds the results of the `n_games` games of a chunk.
    pub(crate) fn add(&mut self, found: QueryResults, n_games: u64) -> io::Result<()> {
        self.totals.n_games += n_games;
        self.totals.n_matches += found.matches.len() as u64;
        self.totals.n_positions += found.n_matching_positions;
        let writer = &mut self.writer;
        self.sorter.add(found, &mut |found| writer.chunk(found))
    }

    /// Writes the games that wait, and completes the output. Returns the number of games written if
    /// it may differ from the number of matches.
    pub(crate) fn finish(self, console: &mut Console<impl Write>) -> io::Result<Option<u64>> {
        let mut writer = self.writer;
        let n_written = self.sorter.finish(&mut |text| writer.game(text))?;
        if let OutputWriter::Table(table) = &writer {
            table.missing_tags().iter().for_each(|tag| tell_line!("{}", missing(tag)));
        }
        let totals =
            Totals { n_written: n_written.unwrap_or(self.totals.n_matches), ..self.totals };
        writer.finish(&totals, console)?;
        if self.is_report && totals.n_written > MANY_GAMES {
            console.line(format!(
                "warning: browsers open a report of {} games slowly; write fewer with --limit or \
                 --sample, or use another format (--format)",
                totals.n_written
            ));
        }
        Ok(n_written)
    }
}

/// Returns the message about a tag that no game has, and the word that may have been meant.
fn missing(tag: &str) -> String {
    let word = tag.to_ascii_lowercase();
    match syntax::builtin::Keyword::from_text(&word) {
        Some(_) => format!(
            "none of the games has the tag '{tag}'; the word of the language is written '{word}'"
        ),
        None => format!("none of the games has the tag '{tag}'"),
    }
}

/// Creates the output file.
fn open(output: &Path, rules: Rules<'_>, arguments: &OutputArgs) -> Result<NewFile, Failure> {
    let failed = |error| context(format!("cannot write {}", output.display()), &error);
    if arguments.no_clobber && place::exists(output) {
        let name = remote::shown(output);
        return Err(Failure::Message(format!(
            "cannot write {name}: it exists, and --noclobber is given"
        )));
    }
    if arguments.create_directories {
        fs::create_dir_all(directory(output)).map_err(failed)?;
    }
    let file = NewFile::create(output, rules).map_err(failed)?;
    tell_replaced(&file, output);
    Ok(file)
}

impl OutputWriter {
    /// Writes the games of a chunk.
    fn chunk(&mut self, found: QueryResults) -> io::Result<()> {
        match self {
            OutputWriter::Table(table) => {
                table.chunk(&found)?;
                // A reader of standard output may be waiting.
                match table.get_mut() {
                    Target::Stdout(stdout) if !found.text.is_empty() => stdout.flush(),
                    _ => Ok(()),
                }
            }
            OutputWriter::Console(spool) => spool.add(found),
            OutputWriter::Files(files) => files.chunk(&found),
            OutputWriter::Screen(screen) => {
                screen.chunk(&found);
                Ok(())
            }
        }
    }

    fn game(&mut self, text: &[u8]) -> io::Result<()> {
        match self {
            OutputWriter::Table(table) => table.game(text),
            OutputWriter::Console(spool) => spool.add_text(text),
            OutputWriter::Files(files) => files.game(text),
            OutputWriter::Screen(screen) => {
                screen.game(text);
                Ok(())
            }
        }
    }

    fn finish(self, totals: &Totals, console: &mut Console<impl Write>) -> io::Result<()> {
        match self {
            OutputWriter::Table(table) => table.finish(totals)?.finish(),
            OutputWriter::Files(files) => {
                let n_files = files.finish()?;
                let files = if n_files == 1 { "file" } else { "files" };
                console.note(format!("wrote {n_files} {files}"));
                Ok(())
            }
            OutputWriter::Screen(screen) => {
                console.fresh_line();
                screen.finish(console)
            }
            OutputWriter::Console(spool) => {
                console.line(format!(
                    "<CqlGuiPgn numbergames={} numberbytes={}>",
                    spool.n_games(),
                    spool.n_bytes()
                ));
                spool.copy(console)?;
                console.line("</CqlGuiPgn>");
                Ok(())
            }
        }
    }
}
