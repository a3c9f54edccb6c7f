//! `cql dedup GAMES…`: finds duplicates, and writes the games without them.
//!
//! Two passes over all games find the duplicates, a third one lists them and writes the other
//! games. Between passes, memory holds three numbers per game, and the data needed to compare those
//! games that may be duplicates. If there are many of these, they are compared in lots, with a pass
//! for each. Games of an archive are read from its columns if these are sufficient ([`look`]).

mod keys;
mod look;
mod page;
mod player;
mod same;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use babson::{Stretch, sources_of};
use flow::{FaultKind, Origin, Output, RunOptions};
use input::Inputs;
use pgn::VariantNames;

use super::reading::{Aliases, Reading, n_skipped};
use crate::failure::{Failure, context};
use crate::games;
use crate::interrupt;
use crate::output::{self, NewFile, Progress, Replace};
use crate::progress::{self, Done, Live, Wanted};
use crate::report::GameFaults;
use crate::search::sources::SourceFaults;
use crate::visible::visible_name;
use keys::Keys;
use look::{ByColumns, ByText, Comparer, Comparisons, Keyed, Keyer, Listed, Lister, Look};
use page::{Page, Place, Row, Sums};
use same::{Compared, Duplicate, Kind, Rules};

/// Number of games that are compared at once, at some hundred bytes each.
const LOT: usize = 400_000;

/// Find duplicate games and write the games without them
///
/// Two games are equal if they have the same moves, and players and years that are compatible;
/// short games need equal tags, too. Two games are nearly equal if one begins with all moves of the
/// other, and players, date, round and result are compatible. Of several games the longest one is
/// kept, of these the one with most comments, variations and tags.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Games: files, directories, patterns, archives; - is stdin
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Write the games without duplicates to a new file
    #[arg(short, long, value_name = "OUT.pgn", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Omit nearly equal games, too
    #[arg(long, requires = "output")]
    near: bool,
    /// Choose which of several duplicates to keep
    #[arg(long, value_enum, value_name = "WHICH", default_value = "best")]
    keep: Keep,
    /// Compare only the moves of the games
    #[arg(long)]
    moves_only: bool,
    /// Replace OUT.pgn whatever it holds
    ///
    /// Without this option, only a file with games or an earlier result is replaced.
    #[arg(long, requires = "output")]
    force: bool,
    /// Set how to show progress
    #[arg(long, value_enum, value_name = "HOW")]
    progress: Option<Progress>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    aliases: Aliases,
}

/// Choice of the game to keep among several equal ones.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Keep {
    /// The longest game, of these the one with most comments, variations and tags
    Best,
    /// The first game
    First,
}

/// Finds and lists the duplicates, and writes the other games.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    interrupt::listen();
    let target = arguments.output.as_deref();
    let how = arguments.reading.how()?;
    let only_named = how.is_said();
    let mut games = games::find_with_archives(&arguments.games, how, target)?;
    let out = match target {
        None => None,
        Some(target) => Some(create(target, &games.inputs, arguments.force)?),
    };
    games::keep(&mut games.inputs)?;
    let mut passes = Passes {
        arguments,
        inputs: &games.inputs,
        variants: arguments.aliases.variants()?,
        stretches: games::stretches(&games, only_named),
        useless: None,
    };
    let (first, found) = match passes.find() {
        Err(_) if passes.useless.is_some() => {
            let reason = passes.useless.take().unwrap_or_default();
            tell_line!("{reason}; reading the text instead");
            passes.stretches = vec![Stretch::Text(0..games.inputs.paths().count())];
            passes.find()
        }
        found => found,
    }?;
    let mut last = Last {
        duplicates: &found.duplicates,
        origins: &first.origins,
        page: Page::new(arguments.reading.json),
        out,
        n_written: 0,
    };
    if last.out.is_some() || !found.duplicates.is_empty() {
        passes.last(&mut last)?;
    }
    let count = |kind| found.duplicates.iter().filter(|d| d.kind == kind).count() as u64;
    let sums = Sums {
        games: first.n_games,
        equal: count(Kind::Equal),
        near: count(Kind::Near),
        same_moves: found.n_same_moves,
        unreadable: first.n_skipped,
        other_rules: first.n_unknown,
        written: last.out.as_ref().map(|_| last.n_written),
    };
    let shown = target.map(|target| target.display().to_string());
    if let (Some(out), Some(name)) = (last.out, &shown) {
        out.finish().map_err(|error| context(format!("cannot write {name}"), &error))?;
    }
    last.page.finish(&sums, shown.as_deref())?;
    tell!("{}", first.said);
    match first.is_sound {
        true => Ok(()),
        false => Err(Failure::Reported),
    }
}

/// Creates the output, which must not be one of the inputs.
fn create(target: &Path, inputs: &Inputs, force: bool) -> Result<NewFile, Failure> {
    let originals = inputs.originals();
    NewFile::create(target, output::Rules::new(Replace::results(force, None), &originals))
        .map_err(|error| context(format!("cannot write {}", target.display()), &error))
}

/// Results of the first pass.
#[derive(Default)]
struct First {
    keys: Vec<Keys>,
    /// Inputs, each with the number of games before it.
    origins: Vec<(Arc<str>, u64)>,
    n_games: u64,
    n_skipped: u64,
    n_unknown: u64,
    /// Messages to print at the end.
    said: String,
    is_sound: bool,
}

/// Receives the results of a chunk.
type Take<'a, R> = dyn FnMut(Output<R>, &mut Live) -> Result<(), Failure> + 'a;

/// Passes over the games.
struct Passes<'a> {
    arguments: &'a Arguments,
    inputs: &'a Inputs,
    variants: VariantNames,
    stretches: Vec<Stretch<'a>>,
    /// Why an archive cannot be used, with its name.
    useless: Option<String>,
}

impl Passes<'_> {
    /// Finds the duplicates.
    fn find(&mut self) -> Result<(First, same::Found), Failure> {
        let rules = Rules {
            moves_only: self.arguments.moves_only,
            keeps_first: self.arguments.keep == Keep::First,
        };
        let mut first = self.keys(rules)?;
        let mut found = same::Found::default();
        for lot in keys::lots(std::mem::take(&mut first.keys), LOT) {
            let of_lot = same::duplicates(&self.compared(&lot)?, rules);
            found.duplicates.extend(of_lot.duplicates);
            found.n_same_moves += of_lot.n_same_moves;
        }
        found.duplicates.sort_by_key(|duplicate| duplicate.number);
        Ok((first, found))
    }

    /// Evaluates `look` on all games and passes the results to `take`. Returns the number of games.
    fn pass<L: Look>(&mut self, look: &L, take: &mut Take<'_, L::Found>) -> Result<u64, Failure> {
        let inputs = self.inputs;
        let mut options = RunOptions::new(interrupt::cancel().clone());
        options.threads = self.arguments.reading.threads();
        options.size = inputs.size();
        let (_, kind) = progress::kind(Wanted {
            dots: None,
            live: self.arguments.progress,
            results_on_stdout: true,
        });
        let mut live = Live::new(kind, inputs.size());
        let meter = inputs.meter();
        let before = meter.read();
        let (mut done, mut failure) = (Done::default(), None);
        for stretch in &self.stretches {
            let games_before = done.games;
            let useless = &mut self.useless;
            let mut sink = |mut out: Output<L::Found>| {
                if let Stretch::Archive(archived, _) = stretch
                    && let Some(reason) = fault_of_columns(&mut out)
                {
                    let reason = format!("{}: {reason}", visible_name(archived.name()));
                    failure = Some(Failure::Message(reason.clone()));
                    *useless = Some(reason);
                    return Err(io::Error::other("ended"));
                }
                if let Stretch::Archive(archived, _) = stretch {
                    archived.see(out.n_games);
                }
                done.games += out.n_games;
                done.bytes = meter.read() - before;
                live.draw(done);
                take(out, &mut live).map_err(|what| {
                    failure = Some(what);
                    io::Error::other("ended")
                })
            };
            let ran = match stretch {
                Stretch::Text(files) => {
                    let sources = sources_of(inputs, files, games_before);
                    let make = || ByText::new(look);
                    flow::run(sources, &options, make, &mut sink).map(|ran| ran.0)
                }
                Stretch::Archive(archived, _) => {
                    let ranges = archived.ranges(games_before);
                    let make = || ByColumns::new(look, archived, games_before);
                    let origin = Origin::default();
                    flow::run_ranges(&origin, ranges, &options, make, &mut sink).map(|ran| ran.0)
                }
            };
            if let Some(failure) = failure {
                live.finish(done);
                return Err(failure);
            }
            let summary =
                ran.map_err(|error| context(format!("reading {}", inputs.name()), &error))?;
            if summary.cancelled {
                live.finish(done);
                return Err(Failure::Interrupted);
            }
        }
        live.finish(done);
        Ok(done.games)
    }

    fn keys(&mut self, rules: Rules) -> Result<First, Failure> {
        let mut first = First::default();
        let mut sources = SourceFaults::default();
        let mut defects = GameFaults::new(self.inputs.name());
        let writes = self.arguments.output.is_some();
        let mut take = |mut out: Output<Keyed>, live: &mut Live| {
            let mut said = sources.begin(&out);
            let name = &out.origin.name;
            let is_known = |known: &(Arc<str>, u64)| Arc::ptr_eq(&known.0, name);
            if !first.origins.last().is_some_and(is_known) {
                first.origins.push((name.clone(), out.origin.games_before));
            }
            first.keys.append(&mut out.results.keys);
            first.n_unknown += out.results.n_unknown;
            first.n_skipped += n_skipped(&out);
            out.faults.retain(|fault| fault.kind == FaultKind::Internal);
            said += &defects.add(&out.origin.name, &out.faults);
            said += &sources.end(&out);
            live.say(&said);
            Ok(())
        };
        let variants = self.variants.clone();
        first.n_games = self.pass(&Keyer(rules, &variants), &mut take)?;
        first.said = sources.finish()? + &defects.summary() + &sources.summary();
        first.is_sound = !defects.in_program() && sources.n_failed == 0;
        if !first.is_sound && writes {
            tell!("{}", first.said);
            let message = "no games are written because some could not be read";
            return Err(Failure::Message(message.to_owned()));
        }
        Ok(first)
    }

    /// Reads the games with these numbers, which are in ascending order.
    fn compared(&mut self, numbers: &[u64]) -> Result<Vec<Compared>, Failure> {
        let mut all = Vec::new();
        let mut take = |mut out: Output<Comparisons>, _: &mut Live| {
            all.append(&mut out.results.0);
            Ok(())
        };
        let variants = self.variants.clone();
        self.pass(&Comparer(numbers, &variants), &mut take)?;
        match all.len() == numbers.len() {
            true => Ok(all),
            false => Err(Failure::Message("a file changed while it was read".to_owned())),
        }
    }

    /// Lists the duplicates and writes the other games.
    fn last(&mut self, last: &mut Last<'_>) -> Result<(), Failure> {
        let variants = self.variants.clone();
        let lister = Lister {
            duplicates: last.duplicates,
            variants: &variants,
            writes: last.out.is_some(),
            leaves_out_near: self.arguments.near,
        };
        self.pass(&lister, &mut |out, _| last.take(&out.results)).map(drop)
    }
}

/// Returns what is wrong with games that were read from columns, if anything.
fn fault_of_columns<R>(out: &mut Output<R>) -> Option<String> {
    let mut faults = out.faults.iter();
    let has_defect = faults.any(|fault| fault.kind == FaultKind::Internal);
    let defect = has_defect.then(|| "one of its games could not be read".to_owned());
    out.failure.take().or(defect)
}

/// State of the last pass.
struct Last<'a> {
    duplicates: &'a [Duplicate],
    origins: &'a [(Arc<str>, u64)],
    page: Page,
    out: Option<NewFile>,
    n_written: u64,
}

impl Last<'_> {
    fn take(&mut self, listed: &Listed) -> Result<(), Failure> {
        for named in &listed.rows {
            let [white, black] = &named.players;
            self.page.row(&Row {
                place: place(self.origins, named.duplicate.number),
                white,
                black,
                date: named.date.clone(),
                result: named.result.as_str(),
                kind: named.duplicate.kind.name(),
                of: place(self.origins, named.duplicate.of),
            })?;
        }
        self.n_written += listed.n_written;
        match &mut self.out {
            Some(out) => out
                .write_all(&listed.text)
                .map_err(|error| context("cannot write the games", &error)),
            None => Ok(()),
        }
    }
}

/// Returns the input of a game and its number there, given its number through all inputs.
fn place(origins: &[(Arc<str>, u64)], number: u64) -> Place<'_> {
    let behind = origins.partition_point(|(_, before)| *before < number);
    let origin = behind.checked_sub(1).and_then(|at| origins.get(at));
    let (input, before) = origin.map_or(("", 0), |(name, before)| (&**name, *before));
    Place { input, game: number - before }
}
