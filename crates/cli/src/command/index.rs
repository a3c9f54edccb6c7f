//! `cql index GAMES…`: games in columns, to be searched again without reading their text.

mod export;

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use archive::{Archive, Builder, Error, Lock, Manifest, Plan};
use flow::RunOptions;
use input::Inputs;

use super::reading::Reading;
use super::text;
use crate::failure::{Failure, context};
use crate::games;
use crate::interrupt;
use crate::output::Progress;
use crate::progress::{self, Done, Live, Wanted};
use crate::visible::{visible_json, visible_name};

/// Make an archive of games: their moves and tags in columns
///
/// An archive is a folder beside the games, which stay what they are. What is there already is
/// kept: a run that was ended goes on where it was, games that were added are added, and files that
/// were changed are read again.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The games: files, directories, patterns; with --check and --export, archives
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// The archive; if there is one input, it is called after that if nothing is said
    #[arg(short, long, value_name = "NAME.cqa", value_hint = clap::ValueHint::DirPath,
        conflicts_with = "check")]
    output: Option<PathBuf>,
    /// Keep the text of the games in the archive, too, so that their files may go away
    ///
    /// An archive that has it once goes on having it.
    #[arg(long, conflicts_with_all = ["check", "export"])]
    self_contained: bool,
    /// Read everything in archives, and say what is wrong with it
    #[arg(long)]
    check: bool,
    /// Write the games of archives as a table: .parquet, .csv, .tsv or .jsonl
    ///
    /// Each game is a row, with its tags and the moves of its main line.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath,
        conflicts_with_all = ["check", "output"])]
    export: Option<PathBuf>,
    /// How the run is shown while it goes on
    #[arg(long, value_enum, value_name = "HOW")]
    progress: Option<Progress>,
    #[command(flatten)]
    reading: Reading,
}

/// Makes an archive, or checks some.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    interrupt::listen();
    match (&arguments.export, arguments.check) {
        (Some(target), _) => {
            let n_games = export::export(&arguments.games, target)?;
            let name = target.display().to_string();
            let games = if n_games == 1 { "game" } else { "games" };
            text::show(&format!("{n_games} {games} written to {name}\n"))
        }
        (None, true) => check(arguments),
        (None, false) => make(arguments),
    }
}

/// What is printed of an archive.
#[derive(serde::Serialize)]
struct Report<'a> {
    archive: String,
    games: u64,
    segments: usize,
    bytes: u64,
    /// The size of the text in it.
    text_bytes: u64,
    /// How many of the games were there before.
    kept: u64,
    /// What is wrong with it.
    faults: &'a [String],
}

fn make(arguments: &Arguments) -> Result<(), Failure> {
    let folder = folder(arguments)?;
    let inputs = games::find(
        &arguments.games,
        arguments.reading.how()?,
        [folder.as_path()],
    )?;
    let files = files(&inputs)?;
    let failed = |error| failure(&folder, error);
    // What there is to do must still be so when it is done.
    let _lock = Lock::take(&folder).map_err(failed)?;
    let has_texts = |archive: Archive| archive.manifest().is_self_contained();
    let keeps_texts = arguments.self_contained || Archive::open(&folder).is_ok_and(has_texts);
    let plan = archive::plan(&folder, &files, interrupt::cancel()).map_err(failed)?;
    let (mut manifest, kept) = match plan {
        Plan::Done(manifest) => {
            let n_games = manifest.games;
            (*manifest, n_games)
        }
        Plan::Build(builder) => {
            let kept = builder.kept().games;
            (build(arguments, &inputs, *builder, &folder)?, kept)
        }
    };
    if keeps_texts && !manifest.is_self_contained() {
        manifest = keep_texts(arguments, &folder, &inputs, &manifest)?;
    }
    show(arguments, &folder, &manifest, kept, &[])
}

/// Puts the text of the games into the archive.
fn keep_texts(
    arguments: &Arguments,
    folder: &Path,
    inputs: &Inputs,
    manifest: &Manifest,
) -> Result<Manifest, Failure> {
    let paths: Vec<String> = inputs
        .paths()
        .map(|path| path.map_or(String::new(), |path| path.display().to_string()))
        .collect();
    let mut sources = inputs.sources_from(0);
    let open = |number: usize| {
        let wanted = &manifest.sources[number];
        // Sources without games are not in the manifest, others stand there in their order.
        for (file, source) in sources.by_ref() {
            let source = source
                .map_err(|error| Error::Unreadable(format!("{}: {}", error.name, error.message)))?;
            let path = paths.get(file).map_or("", String::as_str);
            let member = source.name.strip_prefix(path).unwrap_or_default();
            let given = manifest.files.get(file).map_or("", |file| &file.given);
            let name = format!("{given}{member}");
            let is_wanted = wanted.file == file as u64
                && (wanted.name == name || wanted.name.starts_with(&format!("{name} (")));
            if is_wanted {
                let reader: Box<dyn io::Read> = source.bytes.into_reader();
                return Ok(reader);
            }
        }
        let name = &wanted.name;
        Err(Error::Unreadable(format!(
            "{name}: it was changed while it was read"
        )))
    };
    let mut live = live(arguments, None);
    let done = |bytes| Done {
        bytes,
        games: manifest.games,
        ..Done::default()
    };
    let kept = archive::keep_texts(folder, open, &mut |bytes| {
        live.draw(done(bytes));
        !interrupt::cancel().is_cancelled()
    });
    live.finish(done(0));
    kept.map_err(|error| failure(folder, error))
}

/// The folder that the archive is in.
fn folder(arguments: &Arguments) -> Result<PathBuf, Failure> {
    let usage = |message: &str| {
        tell_line!("error: {message}");
        Failure::Usage
    };
    let folder = match (&arguments.output, &arguments.games[..]) {
        (Some(output), _) => output.clone(),
        (None, [input]) if input.as_os_str() != "-" && input.file_name().is_some() => {
            games::archive_beside(input)
        }
        _ => {
            return Err(usage(
                "-o NAME.cqa says where the archive of several inputs goes",
            ));
        }
    };
    match folder.extension() == Some(OsStr::new("cqa")) {
        true if remote::is_address(&folder) => Err(usage(
            "an archive is made in a folder: make it here and copy it there, manifest.json last",
        )),
        true => Ok(folder),
        false => Err(usage("the name of an archive ends in .cqa")),
    }
}

/// The files that hold the games, which must be there later, too.
fn files(inputs: &Inputs) -> Result<Vec<PathBuf>, Failure> {
    if let Some(missing) = inputs.missing() {
        return Err(Failure::Message(missing.to_string()));
    }
    let paths: Option<Vec<PathBuf>> = inputs
        .paths()
        .map(|path| path.map(Path::to_owned))
        .collect();
    let mut addresses = paths.iter().flatten();
    if let Some(address) = addresses.find(|path| remote::is_address(path)) {
        return Err(Failure::Message(format!(
            "{}: an archive is made of files: copy it to here first; a self-contained archive can be \
             searched at an address",
            remote::shown(address)
        )));
    }
    paths.ok_or_else(|| {
        let message = "an archive needs files that can be read again later, not standard input or \
                       a pipe";
        Failure::Message(message.to_owned())
    })
}

/// Reads the games behind those that are kept.
fn build(
    arguments: &Arguments,
    inputs: &Inputs,
    builder: Builder,
    folder: &Path,
) -> Result<Manifest, Failure> {
    let mut options = RunOptions::new(interrupt::cancel().clone());
    options.threads = arguments.reading.threads();
    options.size = inputs.size();
    let meter = inputs.meter();
    let mut live = live(arguments, inputs.size());
    let mut done = Done::default();
    let sources = inputs.sources_from(builder.kept().first_file);
    let read = builder.read(sources, &options, &mut |games, faulty| {
        done = Done {
            bytes: meter.read(),
            games,
            matches: None,
            faulty,
        };
        live.draw(done);
    });
    live.finish(done);
    let manifest = read.map_err(|error| failure(folder, error))?;
    manifest.ok_or(Failure::Interrupted)
}

fn live(arguments: &Arguments, size: Option<u64>) -> Live {
    let (_, kind) = progress::kind(Wanted {
        dots: None,
        live: arguments.progress,
        results_on_stdout: true,
    });
    Live::new(kind, size)
}

/// Checks one archive after the other.
fn check(arguments: &Arguments) -> Result<(), Failure> {
    let mut n_bad = 0;
    for folder in &arguments.games {
        let archive = match Archive::open(folder) {
            Ok(archive) => archive,
            Err(error) => {
                tell_line!("error: {}", message(folder, &error));
                n_bad += 1;
                continue;
            }
        };
        let mut live = live(arguments, None);
        let done = |games| Done {
            games,
            ..Done::default()
        };
        let checked = archive.check(interrupt::cancel(), &mut |games| live.draw(done(games)));
        live.finish(done(checked.n_games));
        if checked.cancelled {
            return Err(Failure::Interrupted);
        }
        n_bad += u64::from(!checked.faults.is_empty());
        let manifest = archive.manifest();
        show(arguments, folder, manifest, manifest.games, &checked.faults)?;
    }
    match n_bad {
        0 => Ok(()),
        _ => Err(Failure::Reported),
    }
}

/// Prints what an archive is, and what is wrong with it.
fn show(
    arguments: &Arguments,
    folder: &Path,
    manifest: &Manifest,
    kept: u64,
    faults: &[String],
) -> Result<(), Failure> {
    let texts = manifest
        .sources
        .iter()
        .filter_map(|source| source.text.as_ref());
    let report = Report {
        archive: folder.display().to_string(),
        games: manifest.games,
        segments: manifest.segments.len(),
        bytes: manifest.segments.iter().map(|segment| segment.bytes).sum(),
        text_bytes: texts.map(|text| text.bytes).sum(),
        kept,
        faults,
    };
    let shown = match arguments.reading.json {
        true => {
            let json = serde_json::to_string(&report);
            let json = json.map_err(|error| context("cannot write JSON", &error))?;
            visible_json(&json).into_owned() + "\n"
        }
        false => report.text(arguments.check),
    };
    text::show(&shown)
}

impl Report<'_> {
    fn text(&self, is_check: bool) -> String {
        let name = visible_name(&self.archive);
        let count = |n: u64, what: &str| match n {
            1 => format!("1 {what}"),
            n => format!("{n} {what}s"),
        };
        let mut text: String = self
            .faults
            .iter()
            .map(|fault| format!("{name}: {fault}\n"))
            .collect();
        let games = count(self.games, "game");
        let segments = count(self.segments as u64, "segment");
        let each = self.bytes.checked_div(self.games).unwrap_or(0);
        text += &format!("{name}: {games} in {segments}, {each} bytes a game");
        if let Some(each @ 1..) = self.text_bytes.checked_div(self.games) {
            text += &format!(" and {each} of their text");
        }
        text += &match (is_check, self.kept, self.faults.len()) {
            (true, _, 0) => ", nothing is wrong".to_owned(),
            (true, _, n) => format!(", {}", count(n as u64, "fault")),
            (false, kept, _) if kept == self.games => ", all of them there before".to_owned(),
            (false, 0, _) => String::new(),
            (false, kept, _) => format!(", {kept} of them there before"),
        };
        text + "\n"
    }
}

fn failure(folder: &Path, error: Error) -> Failure {
    match interrupt::is_requested() {
        true => Failure::Interrupted,
        false => Failure::Message(message(folder, &error)),
    }
}

/// What is wrong, with the name of the archive where that does not say which file it is about.
fn message(folder: &Path, error: &Error) -> String {
    match error {
        Error::Unreadable(_) => error.to_string(),
        _ => format!("{}: {error}", folder.display()),
    }
}
