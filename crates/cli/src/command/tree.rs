//! `cql tree GAMES… [POSITION]`: counts the moves played from a position (opening tree).

mod archived;
mod count;
mod node;
mod report;
mod target;

use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use archive::{Archive, Standing};
use flow::{FaultKind, Origin, Output, RunOptions};
use input::Inputs;
use pgn::VariantNames;

use self::archived::Columns;
use super::reading::{Aliases, Reading, n_skipped};
use super::text;
use crate::failure::{Failure, context};
use crate::games;
use crate::interrupt;
use crate::output::Progress;
use crate::progress::{self, Done, Live, Wanted};
use crate::report::GameFaults;
use crate::search::sources::SourceFaults;
use crate::visible::{visible_json, visible_name};
use count::{Counter, Counting, Tally, Unread};
use report::Report;
use target::Target;

/// Count the moves played from a position (opening tree)
///
/// Each move that was played in the position has a row: games, share, results, the average rating
/// of its players, their performance, and the year of the last game. A game counts if it has the
/// position, whatever the moves that lead to it.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Games, then the position: moves or a FEN
    ///
    /// Games are files, directories, patterns, archives, or - for standard input. The position is
    /// written as moves such as 1.e4 c5 2.Nf3, or as a FEN; without it, the tree begins at the
    /// normal start.
    #[arg(required = true, value_name = "GAMES… [POSITION]", value_hint = clap::ValueHint::AnyPath)]
    words: Vec<OsString>,
    /// Show N moves after the position
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u8).range(1..=12))]
    depth: u8,
    /// Omit moves with fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// Count variations, too
    ///
    /// A game then counts once for each different move.
    #[arg(long)]
    variations: bool,
    /// Print a table in CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Set how to show progress
    #[arg(long, value_enum, value_name = "HOW")]
    progress: Option<Progress>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    aliases: Aliases,
}

/// Counts the games and prints the tree.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    interrupt::listen();
    let (games, position) = split(&arguments.words);
    let target = Target::parse(&position).map_err(Failure::Message)?;
    refuse_words(&games)?;
    let variants = arguments.aliases.variants()?;
    let mut run = Run {
        arguments,
        target: &target,
        variants: &variants,
        tally: Tally::default(),
        n_games: 0,
        said: String::new(),
        is_sound: true,
    };
    for part in parts(games)? {
        match part {
            Part::Archive(archived) => run.count_archive(&archived)?,
            Part::Files(names) => run.count_files(&names)?,
        }
    }
    let report = Report::new(&run.tally.root, &target, arguments.min_games);
    match (arguments.reading.json, arguments.csv) {
        (true, _) => {
            let json = serde_json::to_string_pretty(&report)
                .map_err(|error| context("cannot write JSON", &error))?;
            text::print((visible_json(&json).into_owned() + "\n").as_bytes())?;
        }
        (_, true) => text::print(report.csv().as_bytes())?,
        _ => text::show(&report.table())?,
    }
    run.say_the_rest();
    match run.is_sound {
        true => Ok(()),
        false => Err(Failure::Reported),
    }
}

/// Separates the games from the text of the position, which starts at the first word that looks
/// like one and is not a file.
fn split(words: &[OsString]) -> (Vec<PathBuf>, String) {
    let is_position = |word: &OsString| {
        let text = word.to_str().filter(|_| !Path::new(word).exists());
        text.is_some_and(target::looks_like_one)
    };
    let rest = words.get(1..).unwrap_or_default();
    let n_games = 1 + rest.iter().position(is_position).unwrap_or(rest.len());
    let (games, position) = words.split_at(n_games.min(words.len()));
    let position: Vec<_> = position.iter().map(|word| word.to_string_lossy()).collect();
    (games.iter().map(PathBuf::from).collect(), position.join(" "))
}

/// Refuses a word that is neither a file nor a likely file name: it was meant as the position.
fn refuse_words(games: &[PathBuf]) -> Result<(), Failure> {
    let is_word = |name: &&PathBuf| {
        let text = name.to_str().unwrap_or_default();
        let is_plain = text.bytes().all(|b| b.is_ascii_alphabetic() || b" '-".contains(&b));
        !text.is_empty() && text != "-" && is_plain && !name.exists()
    };
    // The first word is surely meant as games.
    match games.iter().skip(1).find(is_word) {
        None => Ok(()),
        Some(word) => {
            let word = word.display();
            Err(Failure::Message(format!(
                "{word} is neither a file nor a position: give a position after the games, as \
                 moves (1.e4 c5) or a FEN"
            )))
        }
    }
}

/// Games that are counted together.
enum Part {
    Archive(Box<Archived>),
    Files(Vec<PathBuf>),
}

/// Archive that was named, or that is next to a file.
struct Archived {
    folder: PathBuf,
    archive: Archive,
    /// File that was named; `None` if the archive was.
    file: Option<PathBuf>,
}

impl Archived {
    /// Returns the archive that a name refers to.
    fn find(name: &Path) -> Result<Option<Archived>, Failure> {
        let of_name = games::archive(name)?.map(|archive| Archived {
            folder: name.to_owned(),
            archive,
            file: None,
        });
        Ok(of_name.or_else(|| Archived::beside(name)))
    }

    /// Returns the archive next to a file if it is an archive of this file alone.
    fn beside(file: &Path) -> Option<Archived> {
        let folder = games::archive_beside(file);
        let archive = Archive::open(&folder).ok()?;
        let full = file.canonicalize().ok()?;
        let manifest = archive.manifest();
        let is_of_file = match (&manifest.files[..], &manifest.sources[..]) {
            ([archived], [_]) => Path::new(&archived.name) == full,
            _ => false,
        };
        is_of_file.then(|| Archived { folder, archive, file: Some(file.to_owned()) })
    }
}

/// Returns the parts to count, with each file once.
fn parts(names: Vec<PathBuf>) -> Result<Vec<Part>, Failure> {
    let mut parts = Vec::new();
    let mut seen: HashSet<PathBuf> = HashSet::new();
    for name in names {
        let archived = Archived::find(&name)?;
        let is_known = match &archived {
            Some(archived) => {
                let files = archived.archive.manifest().files.iter();
                let n_new = files.filter(|file| seen.insert(PathBuf::from(&file.name)));
                n_new.count() == 0 && !archived.archive.manifest().files.is_empty()
            }
            None => name.canonicalize().is_ok_and(|full| !seen.insert(full)),
        };
        match (archived, parts.last_mut()) {
            _ if is_known => {
                let name = name.display().to_string();
                tell_line!("{} is given more than once; counting it once", visible_name(&name));
            }
            (Some(archived), _) => parts.push(Part::Archive(Box::new(archived))),
            (None, Some(Part::Files(files))) => files.push(name),
            (None, _) => parts.push(Part::Files(vec![name])),
        }
    }
    Ok(parts)
}

struct Run<'a> {
    arguments: &'a Arguments,
    target: &'a Target,
    variants: &'a VariantNames,
    tally: Tally,
    /// Number of games of the inputs that are done.
    n_games: u64,
    /// Messages to print after the table.
    said: String,
    /// Whether all games could be read, without errors.
    is_sound: bool,
}

impl<'a> Run<'a> {
    fn counting(&self) -> Counting<'a> {
        Counting {
            target: self.target,
            depth: usize::from(self.arguments.depth),
            variations: self.arguments.variations,
            games_before: self.n_games,
            variants: self.variants,
        }
    }

    fn options(&self) -> RunOptions {
        let mut options = RunOptions::new(interrupt::cancel().clone());
        options.threads = self.arguments.reading.threads();
        options
    }

    fn live(&self, size: Option<u64>) -> Live {
        let (_, kind) = progress::kind(Wanted {
            dots: None,
            live: self.arguments.progress,
            results_on_stdout: true,
        });
        Live::new(kind, size)
    }

    /// Counts games from their text.
    fn count_files(&mut self, names: &[PathBuf]) -> Result<(), Failure> {
        let inputs = games::find(names, self.arguments.reading.how()?, None)?;
        let mut options = self.options();
        options.size = inputs.size();
        let mut live = self.live(inputs.size());
        let meter = inputs.meter();
        let (mut sources, mut defects) = (SourceFaults::default(), GameFaults::new(inputs.name()));
        let (mut tally, mut done) = (Tally::default(), Done::default());
        let counting = self.counting();
        let mut sink = |mut out: Output<Tally>| {
            let mut said = sources.begin(&out);
            tally.n_skipped += n_skipped(&out);
            tally.merge(std::mem::take(&mut out.results));
            done.games += out.n_games;
            done.bytes = meter.read();
            out.faults.retain(|fault| fault.kind == FaultKind::Internal);
            said += &defects.add(&out.origin.name, &out.faults);
            said += &sources.end(&out);
            live.say(&said);
            live.draw(done);
            Ok(())
        };
        let make = || Counter::new(counting);
        let (summary, _) = flow::run(inputs.sources(), &options, make, &mut sink)
            .map_err(|error: io::Error| context(format!("reading {}", inputs.name()), &error))?;
        live.finish(done);
        if summary.cancelled {
            return Err(Failure::Interrupted);
        }
        tell!("{}", sources.finish()?);
        self.said += &(defects.summary() + &sources.summary());
        self.is_sound &= !defects.in_program() && sources.n_failed == 0;
        self.n_games += summary.n_games;
        self.tally.merge(tally);
        Ok(())
    }

    /// Counts the games of an archive, from their text if its columns are not sufficient.
    fn count_archive(&mut self, archived: &Archived) -> Result<(), Failure> {
        let Archived { folder, archive, file } = archived;
        let names = [file.as_ref().unwrap_or(folder).clone()];
        let inputs = games::find(&names, self.arguments.reading.how()?, None)?;
        // If the file was named, its games are reported under that name.
        let name = file.as_ref().map(|file| file.display().to_string());
        match self.by_columns(archive, &inputs, name.as_deref())? {
            Ok(tally) => {
                self.n_games += archive.manifest().games;
                self.tally.merge(tally);
                Ok(())
            }
            Err(_) if interrupt::is_requested() => Err(Failure::Interrupted),
            Err(reason) => {
                let name = folder.display().to_string();
                tell_line!("{}: {reason}; reading the text instead", visible_name(&name));
                self.count_files(&names)
            }
        }
    }

    /// Counts games from the columns, or returns the reason why that is not possible.
    fn by_columns(
        &self,
        archive: &Archive,
        inputs: &Inputs,
        name: Option<&str>,
    ) -> Result<Result<Tally, String>, Failure> {
        let paths: Option<Vec<PathBuf>> = inputs.paths().map(|p| p.map(Path::to_owned)).collect();
        let Some(paths) = paths else {
            return Ok(Err("one of its files is now a pipe".to_owned()));
        };
        match archive.standing(&paths, interrupt::cancel()) {
            Ok(Standing::Current) => {}
            Ok(Standing::Unfinished) => return Ok(Err("its build was not finished".to_owned())),
            Ok(Standing::Outdated) => return Ok(Err("its games have changed".to_owned())),
            Err(error) => return Ok(Err(error.to_string())),
        }
        let manifest = archive.manifest();
        let sources = archived::sources(manifest);
        let counting = self.counting();
        let (mut tally, mut failure) = (Tally::default(), None);
        let mut live = self.live(None);
        let mut done = Done::default();
        let mut sink = |out: Output<Tally>| {
            tally.merge(out.results);
            failure = out.failure;
            done.games += out.n_games;
            live.draw(done);
            Ok(())
        };
        let make = || Columns::new(archive, &sources, name, counting);
        let (summary, _) = flow::run_ranges(
            &Origin::default(),
            archived::segments(manifest),
            &self.options(),
            make,
            &mut sink,
        )
        .map_err(|error| context("reading an archive", &error))?;
        live.finish(done);
        if summary.cancelled {
            return Err(Failure::Interrupted);
        }
        if let Some(failure) = failure {
            return Ok(Err(failure));
        }
        let unread = std::mem::take(&mut tally.unread);
        Ok(self.read(archive, inputs, name, &unread).map(|read| {
            tally.merge(read);
            tally
        }))
    }

    /// Counts games for which the columns are not sufficient.
    fn read(
        &self,
        archive: &Archive,
        inputs: &Inputs,
        name: Option<&str>,
        unread: &[Unread],
    ) -> Result<Tally, String> {
        let mut tally = Tally::default();
        if unread.is_empty() {
            return Ok(tally);
        }
        let texts = archived::texts(archive.manifest(), inputs, name);
        let texts = texts.ok_or("its games cannot be read separately")?;
        let counting = self.counting();
        let pieces = unread.chunk_by(|a, b| a.source == b.source);
        let sources = pieces.filter_map(|games| {
            let text = texts.get(games.first()?.source)?;
            Some(Ok(archived::pieces(text, games)))
        });
        let sources: Vec<_> = sources.collect();
        let (mut n_games, mut has_defects) = (0, false);
        let mut sink = |mut out: Output<Tally>| {
            n_games += out.n_games;
            let mut faults = out.faults.iter();
            has_defects |= faults.any(|fault| fault.kind == FaultKind::Internal);
            tally.merge(std::mem::take(&mut out.results));
            Ok(())
        };
        let make = || Counter::new(counting);
        let ran = flow::run(Box::new(sources.into_iter()), &self.options(), make, &mut sink);
        ran.map_err(|error| error.to_string())?;
        match (n_games == unread.len() as u64, has_defects) {
            (true, false) => Ok(tally),
            // The defect itself is reported when all games are read as text.
            (true, true) => Err("one of its games could not be read".to_owned()),
            (false, _) => Err("its games have changed".to_owned()),
        }
    }

    /// Reports the games that were not counted, and issues of the files.
    fn say_the_rest(&self) {
        let count = |n: u64| match n {
            1 => "1 game is".to_owned(),
            n => format!("{n} games are"),
        };
        if self.tally.n_other_rules > 0 {
            let games = count(self.tally.n_other_rules);
            tell_line!("{games} not counted because of other rules");
        }
        if self.tally.n_skipped > 0 {
            let games = count(self.tally.n_skipped);
            tell_line!("{games} skipped as unreadable; `cql doctor` shows why");
        }
        tell!("{}", self.said);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_position_ends_the_games() {
        let check = |line: &str, games: usize, position: &str| {
            let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            let (found, text) = split(&words);
            assert_eq!((found.len(), &*text), (games, position), "{line}");
        };
        check("a.pgn", 1, "");
        check("a.pgn 1.e4", 1, "1.e4");
        check("a.pgn b.cqa - e4 c5", 3, "e4 c5");
        check("e4 e5", 1, "e5");
        check("a.pgn 1. e4", 1, "1. e4");
        check("a.pgn O-O", 1, "O-O");
        check("a.pgn games abc 12", 4, "");
        check("a.pgn ./e4", 2, "");
        check(
            "a.pgn rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            1,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        );
    }
}
