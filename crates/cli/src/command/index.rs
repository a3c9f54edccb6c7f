//! `cql index GAMES…`: stores games in columns, so that searches need not read their text.

mod export;
mod objects;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use archive::{Archive, Error, Manifest, TextAccess, Themes};
use babson::{InputGroup, KeepText, KeepThemes, MakeOptions, ScanPlan};
use flow::RunOptions;
use input::Originals;
use syntax::library::ThemeSet;
use syntax::parse::theme_set;
use table::{OutputFormat, counted};

use super::choosing::{Choice, Chosen, chosen};
use super::reading::ReadingArgs;
use super::text;
use crate::args::ChoiceArgs;
use crate::failure::{Failure, context, wrong_argument};
use crate::games;
use crate::interrupt;
use crate::output::ProgressDisplay;
use crate::progress::{self, Done, Live, ProgressMode};
use crate::visible::{visible_json, visible_name};

/// Exit status if an archive lacks text that it should have, or if that is damaged: the text may be
/// the only copy.
const LACKS_TEXT: u8 = 3;

/// Build an archive of games: their moves and tags in columns
///
/// An archive is a folder next to the games, which do not change. A second run reuses the archive:
/// an interrupted run is resumed, new games are added, and changed files are read again.
#[derive(clap::Args)]
pub(super) struct IndexArgs {
    /// Games: files, directories, patterns
    ///
    /// With --check and --export, archives.
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Set the name of the archive
    ///
    /// If there is one input, the archive is named after it by default.
    #[arg(short, long, value_name = "NAME.cqa", value_hint = clap::ValueHint::DirPath,
        conflicts_with = "check")]
    output: Option<PathBuf>,
    /// Store the text of the games in the archive, too
    ///
    /// The files of the games are then no longer needed. Later runs keep storing the text.
    #[arg(long, conflicts_with_all = ["check", "export"])]
    self_contained: bool,
    /// Remove the text of the games from the archive
    ///
    /// Later runs do not store it either. The text of a missing file stays. The text of a file that
    /// was truncated is removed.
    #[arg(long, conflicts_with_all = ["self_contained", "check", "export"])]
    drop_text: bool,
    /// Keep which games have these themes, or all themes
    ///
    /// THEMES are names such as fork,skewer. Searches for theme("fork") then leave out the other
    /// games. Later runs keep the themes of new games, too.
    #[arg(long, value_name = "THEMES", num_args = 0..=1, require_equals = true,
        default_missing_value = "*", value_parser = theme_set, conflicts_with_all = ["check", "export"])]
    themes: Option<ThemeSet>,
    /// Remove the themes from the archive
    #[arg(long, conflicts_with_all = ["themes", "check", "export"])]
    drop_themes: bool,
    /// Read archives completely and report damage
    #[arg(long)]
    check: bool,
    /// Write the games of archives as a table, or as JSON
    ///
    /// FILE ends in .parquet, .csv, .tsv or .jsonl. Each game is a row, with its tags and the moves
    /// of its main line. In a file that ends in .games.jsonl, each is an object with all of its
    /// moves and comments.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath,
        conflicts_with_all = ["check", "output"])]
    export: Option<PathBuf>,
    /// Set how to show progress
    #[arg(long, value_enum, value_name = "HOW")]
    progress: Option<ProgressDisplay>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    choice: ChoiceArgs,
}

/// Builds an archive, or checks or exports some.
pub(super) fn run(arguments: &IndexArgs) -> Result<(), Failure> {
    interrupt::listen();
    let mut names = arguments.games.clone();
    let choice = Choice::new(&arguments.choice, arguments.reading.limits()?.query, &mut names)?;
    if choice.is_some() && arguments.export.is_none() {
        let message = "games can be chosen only with --export: an archive is of whole files";
        return Err(wrong_argument(message));
    }
    match (&arguments.export, arguments.check) {
        (Some(target), _) => {
            let chosen = choose(arguments, choice.as_ref(), &names)?;
            let n_games = if OutputFormat::of_name(target) == Some(OutputFormat::JsonGames) {
                objects::export(arguments, &names, target, chosen.games)?
            } else {
                export::export(&names, target, chosen.games.as_deref())?
            };
            let name = target.display().to_string();
            let games = if n_games == 1 { "game" } else { "games" };
            text::show(&format!("{n_games} {games} written to {name}\n"))?;
            if chosen.has_failed { Err(Failure::Reported) } else { Ok(()) }
        }
        (None, true) => check(arguments),
        (None, false) => make(arguments),
    }
}

/// Finds the games of a choice in archives.
fn choose(
    arguments: &IndexArgs,
    choice: Option<&Choice>,
    folders: &[PathBuf],
) -> Result<Chosen, Failure> {
    if choice.is_none() {
        return Ok(Chosen::default());
    }
    let found = games::find_with_archives(folders, arguments.reading.how()?, None)?;
    let groups = games::groups(&found, true);
    if groups.iter().any(|group| matches!(group, InputGroup::Text(_))) {
        let message =
            "games can be chosen only in archives of unchanged files: run `cql index` again";
        return Err(Failure::Message(message.to_owned()));
    }
    let plan = ScanPlan { inputs: &found.inputs, groups: &groups };
    chosen(choice, &plan, arguments.reading.threads(), arguments.progress)
}

/// Report about an archive.
#[derive(serde::Serialize)]
struct ArchiveReport<'a> {
    archive: String,
    games: u64,
    segments: usize,
    bytes: u64,
    /// Size of the text in the archive, in bytes.
    text_bytes: u64,
    /// Number of themes that are kept.
    themes: usize,
    /// Number of games that were in the archive before.
    kept: u64,
    /// Issues of the archive.
    faults: &'a [String],
}

fn make(arguments: &IndexArgs) -> Result<(), Failure> {
    refuse_themes_as_games(arguments)?;
    let folder = folder(arguments)?;
    let how = arguments.reading.how()?;
    if how.encoding.is_some() {
        let message = "an archive stores the bytes of its files: use --encoding only for searches";
        return Err(Failure::Message(message.to_owned()));
    }
    let inputs = games::find(&arguments.games, how, [folder.as_path()])?;
    let wanted = MakeOptions {
        text: match (arguments.self_contained, arguments.drop_text) {
            (true, _) => KeepText::Yes,
            (_, true) => KeepText::No,
            _ => KeepText::AsBefore,
        },
        themes: match (arguments.themes, arguments.drop_themes) {
            (Some(themes), _) => KeepThemes::With(themes),
            (None, true) => KeepThemes::No,
            (None, false) => KeepThemes::AsBefore,
        },
        ..MakeOptions::default()
    };
    let mut options = RunOptions::new(interrupt::cancel().clone());
    options.threads = arguments.reading.threads();
    options.size = inputs.size();
    let meter = inputs.meter();
    let mut live = live(arguments, inputs.size());
    let mut done = Done::default();
    let made = babson::make(&inputs, &folder, wanted, &options, &mut |heard| {
        done.games = heard.games;
        done.faulty = done.faulty.max(heard.faulty);
        done.bytes = match heard.themes {
            // The text has been read; the themes are found in the columns.
            Some(games) => share(inputs.size().unwrap_or(0), games, heard.games),
            None => meter.read(),
        };
        live.draw(done);
    });
    live.finish(done);
    let made = made.map_err(|error| {
        let is_of_file = matches!(error, Error::Unreadable(..));
        let directory = arguments.games.iter().find(|input| is_of_file && input.is_dir());
        match (failure(&folder, error), directory) {
            (Failure::Message(message), Some(directory)) => Failure::Message(format!(
                "{message}; to leave this file out, list the other files of {} in place of it",
                directory.display()
            )),
            (failure, _) => failure,
        }
    })?;
    let made = made.ok_or(Failure::Interrupted)?;
    show(arguments, &folder, &made.manifest, made.kept, &[])?;
    if done.faulty > 0 {
        let text =
            format!("{} with faults; `cql doctor` shows where", counted(done.faulty, "game"));
        tell_line!("{}", games::advised(&text, &inputs));
    }
    Ok(())
}

/// Returns the folder of the archive.
fn folder(arguments: &IndexArgs) -> Result<PathBuf, Failure> {
    let folder = match (&arguments.output, &arguments.games[..]) {
        (Some(output), _) => output.clone(),
        (None, [input]) if input.as_os_str() != "-" && input.file_name().is_some() => {
            games::archive_beside(input)
        }
        (None, [input]) if input.as_os_str() == "-" => {
            return Err(wrong_argument(
                "an archive is made of files, which are read again later, not of standard input: \
                 write the games to a file first",
            ));
        }
        (None, [input]) => {
            let input = input.display();
            return Err(wrong_argument(format!(
                "no name for the archive follows from {input}: choose one, as in `cql index {input} \
                 -o games.cqa`"
            )));
        }
        (None, _) => {
            return Err(wrong_argument(
                "no name for the archive follows from several inputs: choose one and add \
                 -o games.cqa",
            ));
        }
    };
    if folder.extension() != Some(OsStr::new("cqa")) {
        let name = folder.with_extension("cqa");
        return Err(wrong_argument(format!(
            "the name of an archive must end in .cqa: write -o {}",
            name.display()
        )));
    }
    if remote::is_address(&folder) {
        return Err(wrong_argument(
            "an archive can be built only in a local folder: build it here and copy it there, \
             manifest.json last",
        ));
    }
    Ok(folder)
}

/// Refuses names of themes after `--themes`, which were not meant as games.
fn refuse_themes_as_games(arguments: &IndexArgs) -> Result<(), Failure> {
    let are_themes = |name: &&PathBuf| {
        !name.exists() && name.to_str().is_some_and(|name| name != "*" && theme_set(name).is_ok())
    };
    match arguments.games.iter().find(are_themes).filter(|_| arguments.themes.is_some()) {
        None => Ok(()),
        Some(name) => Err(wrong_argument(format_args!(
            "names of themes follow an equals sign: --themes={}",
            name.display()
        ))),
    }
}

/// Returns the part of a size that `n` games of `all` have.
fn share(size: u64, n: u64, all: u64) -> u64 {
    let part = u128::from(size) * u128::from(n) / u128::from(all.max(1));
    u64::try_from(part).unwrap_or(u64::MAX)
}

fn live(arguments: &IndexArgs, size: Option<u64>) -> Live {
    let (_, kind) = progress::kind(ProgressMode {
        dots: None,
        live: arguments.progress,
        results_on_stdout: true,
    });
    Live::new(kind, size)
}

/// Checks the archives one after the other.
fn check(arguments: &IndexArgs) -> Result<(), Failure> {
    let (mut n_bad, mut lacks_text) = (0, false);
    for folder in &arguments.games {
        let archive = match Archive::open(folder) {
            Ok(archive) => archive,
            Err(error) => {
                tell_line!("error: {}", message(folder, &error));
                n_bad += 1;
                continue;
            }
        };
        let mut read = Originals::default();
        read.add_folder(folder);
        let files = archive.manifest().files.iter();
        files.for_each(|file| read.add(Path::new(&file.name)));
        games::refuse_stdout(&read)?;
        let mut live = live(arguments, None);
        let done = |games| Done { games, ..Done::default() };
        let mut checked = archive.check(interrupt::cancel(), &mut |games| live.draw(done(games)));
        checked.faults.extend(babson::outdated_themes(&archive));
        if let Some(gain) = archive.manifest().gain() {
            let name = visible_name(&folder.display().to_string()).into_owned();
            tell_line!("{name}: an older version built it; after an update, {gain}");
        }
        live.finish(done(checked.n_games));
        if checked.cancelled {
            return Err(Failure::Interrupted);
        }
        n_bad += u64::from(!checked.faults.is_empty());
        lacks_text |= checked.lacks_text;
        let manifest = archive.manifest();
        show(arguments, folder, manifest, manifest.games, &checked.faults)?;
    }
    match n_bad {
        _ if lacks_text => Err(Failure::ReportedAs(LACKS_TEXT)),
        0 => Ok(()),
        _ => Err(Failure::Reported),
    }
}

/// Prints the report about an archive.
fn show(
    arguments: &IndexArgs,
    folder: &Path,
    manifest: &Manifest,
    kept: u64,
    faults: &[String],
) -> Result<(), Failure> {
    let texts = manifest.sources.iter().filter_map(|source| source.text.as_ref());
    let report = ArchiveReport {
        archive: folder.display().to_string(),
        games: manifest.games,
        segments: manifest.segments.len(),
        bytes: manifest.segments.iter().map(|segment| segment.bytes).sum(),
        text_bytes: texts.map(|text| text.bytes).sum(),
        themes: n_themes(folder),
        kept,
        faults,
    };
    let shown = if arguments.reading.json {
        let json = serde_json::to_string(&report);
        let json = json.map_err(|error| context("cannot write JSON", &error))?;
        visible_json(&json).into_owned() + "\n"
    } else {
        report.text(arguments.check)
    };
    text::show(&shown)?;
    if let Some(source) = manifest.sources.iter().find(|source| !source.is_separable()) {
        tell_line!(
            "searches read the text of {} and not this archive: its games cannot be read one by \
             one; {}",
            visible_name(&source.name),
            match source.form {
                TextAccess::PackedPgn => "--self-contained stores its text, which searches read",
                _ => "`-cql true -quiet -noheader -o NAME.pgn` writes them as PGN",
            }
        );
    }
    Ok(())
}

/// Returns the number of themes that an archive keeps.
fn n_themes(folder: &Path) -> usize {
    let themes = Archive::open(folder).and_then(|archive| Themes::of(&archive));
    themes.ok().flatten().map_or(0, |themes| themes.names().len())
}

impl ArchiveReport<'_> {
    fn text(&self, is_check: bool) -> String {
        let name = visible_name(&self.archive);
        let count = |n: u64, what: &str| match n {
            1 => format!("1 {what}"),
            n => format!("{n} {what}s"),
        };
        let mut text: String =
            self.faults.iter().map(|fault| format!("{name}: {fault}\n")).collect();
        let games = count(self.games, "game");
        let segments = count(self.segments as u64, "segment");
        let each = self.bytes.checked_div(self.games).unwrap_or(0);
        text += &format!("{name}: {games} in {segments}");
        if self.games > 0 {
            text += &format!(", {each} bytes a game");
        }
        if let Some(each @ 1..) = self.text_bytes.checked_div(self.games) {
            text += &format!(" and {each} of their text");
        }
        match self.themes {
            0 => {}
            n => text += &format!(", {}", count(n as u64, "theme")),
        }
        text += &match (is_check, self.kept, self.faults.len()) {
            (true, _, 0) => ", no faults".to_owned(),
            (true, _, n) => format!(", {}", count(n as u64, "fault")),
            (false, 0, _) => String::new(),
            (false, kept, _) if kept == self.games => ", up to date".to_owned(),
            (false, kept, _) => format!(", {kept} of them from before"),
        };
        text + "\n"
    }
}

fn failure(folder: &Path, error: Error) -> Failure {
    if interrupt::is_requested() {
        Failure::Interrupted
    } else {
        Failure::Message(message(folder, &error))
    }
}

/// Returns the message of an error, with the name of the archive unless the error names a file.
fn message(folder: &Path, error: &Error) -> String {
    match error {
        Error::Unreadable(..) => error.to_string(),
        _ => format!("{}: {error}", folder.display()),
    }
}
