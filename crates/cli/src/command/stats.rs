//! `cql stats GAMES…`: counts tags, results, moves and issues of games.

mod archived;
mod report;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use babson::{Archived, Stretch, sources_of};
use board::Color;
use flow::{FaultKind, Origin, Output, Results, RunOptions, Worker};
use input::Inputs;
use pgn::doctor::{Examiner, FindingKind};
use pgn::{Date, GameTree, RawGame, TagIndex, Tags, VariantNames};

use self::archived::Columns;
use super::reading::{Aliases, Reading};
use super::text;
use crate::failure::{Failure, context};
use crate::games;
use crate::interrupt;
use crate::output::Progress;
use crate::progress::{self, Done, Live, Wanted};
use crate::report::GameFaults;
use crate::search::sources::SourceFaults;
use crate::visible::{visible_json, visible_name};

/// Maximum number of different names that are counted, so that memory does not grow with the file.
const NAMES: usize = 1 << 20;

/// Count players, dates, results, tags and issues of games
///
/// One report covers all files together, in any format that a search reads: PGN, puzzles and
/// positions, compressed or not. `cql doctor` shows where the issues are.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Games: files, directories, patterns, or - for standard input
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// List the N most frequent players, events, openings, tags
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Set how to show progress
    #[arg(long, value_enum, value_name = "HOW")]
    progress: Option<Progress>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    aliases: Aliases,
}

/// Reads all files and prints the report.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    interrupt::listen();
    let how = arguments.reading.how()?;
    let variants = arguments.aliases.variants()?;
    let only_named = how.is_said();
    let games = games::find_with_archives(&arguments.games, how, None)?;
    let inputs = &games.inputs;
    let stretches = games::stretches(&games, only_named);
    let count = || Count::new(arguments, inputs, &variants);
    let counted = match count().run(&stretches)? {
        Ok(counted) => counted,
        Err(reason) => {
            tell!("{reason}");
            let n_files = inputs.paths().count();
            let text = count().run(&[Stretch::Text(0..n_files)])?;
            text.map_err(Failure::Message)?
        }
    };
    let Count { mut stats, mut sources, defects, .. } = counted;
    tell!("{}", sources.finish()?);
    stats.files = sources.n_read;
    let report = stats.report(arguments.top);
    let shown = match arguments.reading.json {
        true => {
            let json = serde_json::to_string_pretty(&report)
                .map_err(|error| context("cannot write JSON", &error))?;
            visible_json(&json).into_owned()
        }
        false => report.table(),
    };
    text::show(&format!("{shown}\n"))?;
    tell!("{}{}", defects.summary(), sources.summary());
    match defects.in_program() || sources.n_failed > 0 {
        true => Err(Failure::Reported),
        false => Ok(()),
    }
}

/// Pass over all games.
struct Count<'a> {
    inputs: &'a Inputs,
    variants: &'a VariantNames,
    options: RunOptions,
    live: Live,
    stats: Stats,
    sources: SourceFaults,
    defects: GameFaults,
}

impl<'a> Count<'a> {
    fn new(arguments: &Arguments, inputs: &'a Inputs, variants: &'a VariantNames) -> Count<'a> {
        let mut options = RunOptions::new(interrupt::cancel().clone());
        options.threads = arguments.reading.threads();
        options.size = inputs.size();
        let (_, kind) = progress::kind(Wanted {
            dots: None,
            live: arguments.progress,
            results_on_stdout: true,
        });
        Count {
            inputs,
            variants,
            options,
            live: Live::new(kind, inputs.size()),
            stats: Stats::default(),
            sources: SourceFaults::default(),
            defects: GameFaults::new(inputs.name()),
        }
    }

    /// Counts all games, or returns why archives cannot be used for that.
    fn run(mut self, stretches: &[Stretch<'_>]) -> Result<Result<Count<'a>, String>, Failure> {
        for stretch in stretches {
            match stretch {
                Stretch::Text(files) => self.count_text(files)?,
                Stretch::Archive(archived, _) => {
                    if let Err(reason) = self.count_archive(archived)? {
                        let name = visible_name(archived.name());
                        return Ok(Err(format!("{name}: {reason}; reading the text instead\n")));
                    }
                }
            }
        }
        let meter = self.inputs.meter();
        self.live.finish(self.stats.done(meter.read()));
        let has_archives = !matches!(stretches, [] | [Stretch::Text(_)]);
        if self.stats.lacks_names() && has_archives {
            // The missing names depend on the order of counting, so the text is counted instead.
            return Ok(Err(String::new()));
        }
        Ok(Ok(self))
    }

    fn count_text(&mut self, files: &Range<usize>) -> Result<(), Failure> {
        let inputs = self.inputs;
        let meter = inputs.meter();
        let mut sink = |mut out: Output<Stats>| {
            let mut said = self.sources.begin(&out);
            // In input order, so that the report is the same for any number of threads.
            self.stats.add(std::mem::take(&mut out.results));
            self.stats.see_chunk(&out);
            out.faults.retain(|fault| fault.kind == FaultKind::Internal);
            said += &self.defects.add(&out.origin.name, &out.faults);
            said += &self.sources.end(&out);
            self.live.say(&said);
            self.live.draw(self.stats.done(meter.read()));
            Ok(())
        };
        let sources = sources_of(inputs, files, 0);
        let make = || Counter::new(self.variants);
        let (summary, _) = flow::run(sources, &self.options, make, &mut sink)
            .map_err(|error: io::Error| context(format!("reading {}", inputs.name()), &error))?;
        match summary.cancelled {
            true => Err(self.interrupted()),
            false => Ok(()),
        }
    }

    fn interrupted(&mut self) -> Failure {
        let meter = self.inputs.meter();
        self.live.finish(self.stats.done(meter.read()));
        Failure::Interrupted
    }

    fn count_archive(&mut self, archived: &Archived<'_>) -> Result<Result<(), String>, Failure> {
        let mut failure = None;
        let meter = self.inputs.meter();
        let mut sink = |mut out: Output<Stats>| {
            self.stats.add(std::mem::take(&mut out.results));
            self.stats.games += out.n_games;
            let mut faults = out.faults.iter();
            let has_defect = faults.any(|fault| fault.kind == FaultKind::Internal);
            let defect = has_defect.then(|| "one of its games could not be read".to_owned());
            failure = failure.take().or(out.failure.take()).or(defect);
            archived.see(out.n_games);
            self.live.draw(self.stats.done(meter.read()));
            Ok(())
        };
        let ran = flow::run_ranges(
            &Origin::default(),
            archived.ranges(0),
            &self.options,
            || Columns::new(archived, self.variants),
            &mut sink,
        );
        let (summary, workers) = ran.map_err(|error| context("reading an archive", &error))?;
        if summary.cancelled {
            return Err(self.interrupted());
        }
        if let Some(failure) = failure {
            return Ok(Err(failure));
        }
        workers.into_iter().for_each(|worker| self.stats.add(worker.finish()));
        self.stats.bytes += archived.size().1;
        for (name, n_games) in archived.sources() {
            let said = self.sources.see_whole(&name, n_games);
            self.live.say(&said);
        }
        Ok(Ok(()))
    }
}

/// Counts the games of a thread.
struct Counter<'a> {
    variants: &'a VariantNames,
    index: TagIndex,
    tree: GameTree,
    buffer: Vec<u8>,
    examiner: Examiner,
}

impl<'a> Counter<'a> {
    fn new(variants: &'a VariantNames) -> Counter<'a> {
        Counter {
            variants,
            index: TagIndex::default(),
            tree: GameTree::default(),
            buffer: Vec::new(),
            examiner: Examiner::new(variants.clone()),
        }
    }
}

impl Worker for Counter<'_> {
    type Results = Stats;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Stats>) {
        // The counts of a game must not depend on the previous game of this thread.
        self.examiner.begin_file();
        let findings = self.examiner.examine(raw);
        let text = raw.clean_text(&mut self.buffer);
        self.index.scan(text);
        let tags = self.index.tags(text);
        let variant = self.variants.variant_of(tags);
        self.tree.parse_as(tags, variant);
        if variant.rules().is_some()
            && let Some(error) = self.tree.impossible_start(tags)
        {
            out.fault(raw, number, FaultKind::Skipped, error.to_string());
            return self.skipped(raw, number, out);
        }
        let stats = &mut out.results;
        stats.n_read += 1;
        stats.faulty += u64::from(!findings.is_empty());
        for finding in &findings {
            *stats.faults.entry(finding.kind).or_default() += 1;
        }
        stats.see_tags(*tags, 1);
        if let Some(name) = tags.raw(b"Variant") {
            match variant.rules() {
                Some(_) => stats.variants.add(variant.to_string().as_bytes(), 1),
                None => stats.variants.add(name, 1),
            }
        }
        stats.results[self.tree.result() as usize] += 1;
        // An unknown variant may have the rules of chess: that depends on the moves.
        match variant.rules().is_some() || !self.tree.may_lack_moves() {
            true => stats.see_moves(&self.tree),
            false => stats.n_unknown_rules += 1,
        }
    }

    fn skipped(&mut self, raw: &RawGame<'_>, _: u64, out: &mut Output<Stats>) {
        let findings = self.examiner.examine(raw);
        let stats = &mut out.results;
        stats.n_skipped += 1;
        for finding in &findings {
            *stats.faults.entry(finding.kind).or_default() += 1;
        }
    }
}

/// Counts of names.
#[derive(Default)]
struct Names {
    counts: HashMap<Vec<u8>, u64>,
    /// Whether there were more names than are counted.
    is_cut: bool,
}

impl Names {
    fn add(&mut self, name: &[u8], n: u64) {
        if let Some(count) = self.counts.get_mut(name) {
            *count += n;
        } else {
            self.insert(name.to_vec(), n);
        }
    }

    fn insert(&mut self, name: Vec<u8>, n: u64) {
        match self.counts.len() < NAMES {
            true => {
                self.counts.insert(name, n);
            }
            false => self.is_cut = true,
        }
    }

    fn add_all(&mut self, other: Names) {
        self.is_cut |= other.is_cut;
        let mut names: Vec<(Vec<u8>, u64)> = other.counts.into_iter().collect();
        if self.counts.len() + names.len() > NAMES {
            // The choice of dropped names must not depend on the order of counting.
            names.sort_unstable();
        }
        for (name, count) in names {
            if let Some(sum) = self.counts.get_mut(&name) {
                *sum += count;
            } else {
                self.insert(name, count);
            }
        }
    }
}

/// Counts of games.
#[derive(Default)]
struct Stats {
    files: u64,
    bytes: u64,
    games: u64,
    /// Number of games whose tags were read.
    n_read: u64,
    /// Number of these games whose moves follow no known rules.
    n_unknown_rules: u64,
    left_out: u64,
    positions: u64,
    plies: u64,
    longest: u64,
    variations: u64,
    games_with_variations: u64,
    comments: u64,
    annotations: u64,
    fens: u64,
    dates: Option<(Date, Date)>,
    games_with_date: u64,
    results: [u64; 4],
    players: Names,
    events: Names,
    openings: Names,
    tags: Names,
    variants: Names,
    faulty: u64,
    faults: BTreeMap<FindingKind, u64>,
    /// Number of skipped games that were reported.
    n_skipped: u64,
}

/// A panic on a game leaves the counts as they are.
impl Results for Stats {}

impl Stats {
    /// Adds the counts of a chunk that cover all its games, skipped or not.
    fn see_chunk(&mut self, out: &Output<Stats>) {
        self.games += out.n_games;
        self.bytes += out.n_bytes;
        self.see_skipped(out);
    }

    /// Adds the counts of a chunk that cover its skipped games.
    fn see_skipped(&mut self, out: &Output<Stats>) {
        let skipped = out.faults.iter().filter(|f| f.kind == FaultKind::Skipped);
        let mut numbers: Vec<u64> = skipped.map(|fault| fault.number).collect();
        numbers.dedup();
        self.left_out += numbers.len() as u64;
        self.faulty += numbers.len() as u64;
    }

    /// Adds the counts of other games.
    fn add(&mut self, other: Stats) {
        let sums = [
            (&mut self.n_read, other.n_read),
            (&mut self.n_unknown_rules, other.n_unknown_rules),
            (&mut self.left_out, other.left_out),
            (&mut self.n_skipped, other.n_skipped),
            (&mut self.positions, other.positions),
            (&mut self.plies, other.plies),
            (&mut self.variations, other.variations),
            (&mut self.games_with_variations, other.games_with_variations),
            (&mut self.comments, other.comments),
            (&mut self.annotations, other.annotations),
            (&mut self.fens, other.fens),
            (&mut self.games_with_date, other.games_with_date),
            (&mut self.faulty, other.faulty),
        ];
        for (sum, n) in sums {
            *sum += n;
        }
        for (sum, n) in self.results.iter_mut().zip(other.results) {
            *sum += n;
        }
        self.longest = self.longest.max(other.longest);
        if let Some((first, last)) = other.dates {
            self.see_dates(first, last);
        }
        self.players.add_all(other.players);
        self.events.add_all(other.events);
        self.openings.add_all(other.openings);
        self.tags.add_all(other.tags);
        self.variants.add_all(other.variants);
        for (kind, n) in other.faults {
            *self.faults.entry(kind).or_default() += n;
        }
    }

    fn done(&self, bytes: u64) -> Done {
        Done { bytes, games: self.games, matches: None, faulty: self.faulty }
    }

    /// Whether there are more names than are counted.
    fn lacks_names(&self) -> bool {
        let names = [&self.players, &self.events, &self.openings, &self.tags, &self.variants];
        names.iter().any(|names| names.is_cut)
    }

    /// Counts the tags of a game, or tags that `n` games share.
    fn see_tags(&mut self, tags: Tags<'_>, n: u64) {
        for (name, _) in tags.iter() {
            self.tags.add(name, n);
        }
        for color in Color::ALL {
            let player = tags.player(color);
            if !matches!(&*player, b"?" | b"") {
                self.players.add(&player, n);
            }
        }
        if !matches!(tags.event(), b"?" | b"") {
            self.events.add(tags.event(), n);
        }
        if let Some(eco) = tags.eco() {
            // The three characters of the code, without extensions.
            self.openings.add(&eco.as_bytes()[..3], n);
        }
        self.fens += match tags.fen() {
            Some(_) => n,
            None => 0,
        };
        let date = tags.date();
        if date.year > 0 {
            self.games_with_date += n;
            self.see_dates(date, date);
        }
    }

    /// Extends the range of dates by these two.
    fn see_dates(&mut self, from: Date, to: Date) {
        let key = |date: &Date| (date.year, date.month, date.day);
        let (first, last) = self.dates.unwrap_or((from, to));
        self.dates = Some((
            if key(&from) < key(&first) { from } else { first },
            if key(&to) > key(&last) { to } else { last },
        ));
    }

    fn see_moves(&mut self, tree: &GameTree) {
        let line = std::iter::successors(Some(0), |&node| tree.next(node));
        let plies = line.count() as u64 - 1;
        self.plies += plies;
        self.longest = self.longest.max(plies);
        self.positions += tree.len() as u64;
        let mut variations = 0;
        for node in 0..tree.len() {
            self.comments += u64::from(tree.has_comment(node));
            self.annotations += tree.nags(node).len() as u64;
            variations += tree.variations(node).count() as u64;
        }
        self.variations += variations;
        self.games_with_variations += u64::from(variations > 0);
    }
}
