//! `cql doctor GAMES…`: reports the issues of games, and writes a file in which they are repaired.

mod repaired;
mod report;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use flow::{Format, GameSource};
use pgn::RawGame;
use pgn::doctor::{self, Caution, Context, Examiner, Finding, FindingKind, is_continued};

use super::games::{LARGEST_GAME, Visitor, Window, line_ends, visit};
use super::reading::Aliases;
use crate::args::LimitsArgument;
use crate::failure::Failure;
use crate::games;
use crate::interrupt;
use crate::output::{Progress, Replace, Rules};
use crate::progress::{self, Done, Live, ProgressMode};
use crate::visible::visible_name;
use input::{Meter, ReadOptions};
use repaired::Repaired;
use report::{Count, Page, Remark, Sums};

/// Find and repair issues in the games of PGN files
///
/// Every issue is printed with its place, how a search reads it, and with --repair how it was
/// repaired; a summary follows. The exit status is 1 if there are issues.
#[derive(clap::Args)]
pub(super) struct DoctorArgs {
    /// Games: files, directories, patterns, or - for standard input
    ///
    /// Files may be compressed.
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Write the repaired games to a new file
    ///
    /// Games without issues are copied byte for byte. No word is lost: text that cannot be read
    /// becomes a comment. A game that cannot be repaired is copied unchanged and reported. The new
    /// file is not compressed, and holds the games of all files.
    #[arg(long, value_name = "OUT.pgn", value_hint = clap::ValueHint::FilePath)]
    repair: Option<PathBuf>,
    /// Replace OUT.pgn whatever it holds
    ///
    /// Without this option, only a file with games or an earlier result is replaced.
    #[arg(long, requires = "repair")]
    force: bool,
    /// Print only the summary
    #[arg(long)]
    summary: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    aliases: Aliases,
    #[command(flatten)]
    limits: LimitsArgument,
}

/// Examines one file after the other.
pub(super) fn run(arguments: &DoctorArgs) -> Result<(), Failure> {
    interrupt::listen();
    let target = arguments.repair.as_deref();
    let how = ReadOptions { keeps_old_line_ends: true, ..arguments.limits.get()?.how(None, None) };
    let inputs = games::find(&arguments.games, how, target)?;
    let repaired = match target {
        None => None,
        Some(target) => {
            let originals = inputs.originals();
            let replace = Replace::results(arguments.force, None);
            Some(Repaired::create(target, Rules::new(replace, &originals))?)
        }
    };
    // Lines and a bar would be in each other's way.
    let has_lines = !arguments.summary && io::stdout().is_terminal();
    let (_, kind) = progress::kind(ProgressMode {
        dots: None,
        live: has_lines.then_some(Progress::None),
        results_on_stdout: true,
    });
    let mut doctor = Doctor {
        page: Page::new(!arguments.summary, arguments.json),
        live: Live::new(kind, inputs.size()),
        meter: inputs.meter(),
        examiner: Examiner::new(arguments.aliases.variants()?),
        counts: BTreeMap::new(),
        n_read: 0,
        n_unread: 0,
        n_games: 0,
        n_faulty: 0,
        n_not_repaired: 0,
        repaired,
        name: String::new(),
        open: None,
        before: None,
        last: None,
    };
    for source in inputs.sources() {
        match source {
            Ok(source) => doctor.source(source)?,
            Err(unreadable) => doctor.cannot_read(&unreadable.name, &unreadable.message)?,
        }
    }
    doctor.finish()
}

struct Doctor {
    page: Page,
    live: Live,
    meter: Meter,
    examiner: Examiner,
    /// Number of findings of each kind, and of games with at least one.
    counts: BTreeMap<FindingKind, (u64, u64)>,
    /// Number of sources that were read, even if not to their end.
    n_read: u64,
    n_unread: u64,
    n_games: u64,
    n_faulty: u64,
    n_not_repaired: u64,
    repaired: Option<Repaired>,
    /// Name of the source.
    name: String,
    /// A game whose end is known only when the next one begins.
    open: Option<Open>,
    /// State of the repaired file after the game right before, if that was repaired.
    before: Option<Context>,
    /// The number, line and place of the last game, and its end if it could be read.
    last: Option<(u64, u64, u64, Option<u64>)>,
}

struct Open {
    number: u64,
    start: u64,
    /// Line and column of the start.
    place: (u64, usize),
    /// The end, if the game could be read. The apparent next game may continue it.
    end: Option<u64>,
    /// State of the file before the game.
    context: Context,
    /// Whether the game has a finding.
    is_faulty: bool,
    /// The findings that have not been printed, since the repair decides what becomes of them.
    found: Vec<Found>,
}

/// A finding with its place.
struct Found {
    kind: FindingKind,
    what: String,
    game: u64,
    line: u64,
    column: usize,
    byte: u64,
}

/// Number of bytes after a game from which on no other game can continue it.
const FAR: u64 = 1 << 16;

impl Doctor {
    fn source(&mut self, source: GameSource<'_>) -> Result<(), Failure> {
        if let Format::Lines(_) = source.format {
            let message = "it holds puzzles or positions; doctor examines only PGN";
            return self.cannot_read(&source.name, message);
        }
        self.name = source.name.to_string();
        self.open = None;
        self.before = None;
        self.last = None;
        self.examiner.begin_file();
        if let Some(repaired) = &mut self.repaired {
            repaired.begin()?;
        }
        let before = self.n_games;
        let error = visit(source.bytes, self)?;
        let n_games = self.n_games - before;
        match error {
            Some(error) if n_games == 0 => {
                return self.cannot_read(&source.name, &error.to_string());
            }
            Some(error) => {
                self.n_unread += 1;
                let games = if n_games == 1 { "game" } else { "games" };
                let name = visible_name(&self.name);
                self.live
                    .say(&format!("{name}: {error}; examined the {n_games} {games} before that\n"));
            }
            None if n_games == 0 => {
                let name = visible_name(&self.name);
                self.live.say(&format!("{name}: contains no games\n"));
            }
            None => {}
        }
        self.n_read += 1;
        Ok(())
    }

    /// Reports an input that cannot be read. A new file that lacks a whole input is not written.
    fn cannot_read(&mut self, name: &str, message: &str) -> Result<(), Failure> {
        self.n_unread += 1;
        if self.repaired.is_some() {
            return Err(Failure::Message(format!("cannot read {name}: {message}")));
        }
        let name = visible_name(name);
        self.live.say(&format!("error: cannot read {name}: {message}\n"));
        Ok(())
    }

    /// Reports the findings of a game.
    fn report(
        &mut self,
        window: &Window,
        raw: &RawGame<'_>,
        number: u64,
        line: u64,
        findings: &[Finding],
    ) {
        self.n_faulty += 1;
        let mut kinds: Vec<FindingKind> = Vec::new();
        // Findings come in the order of the text, which may be one long line.
        let mut place = Place::default();
        // The game may begin within a line.
        let start = window.column(raw.offset);
        for finding in findings {
            let is_first = !kinds.contains(&finding.kind);
            if is_first {
                kinds.push(finding.kind);
            }
            self.count(finding.kind, u64::from(is_first));
            let offset = raw.offset + finding.at as u64;
            let fault = raw.faults.iter().find(|fault| fault.offset == offset);
            let (line, column) = if finding.at <= raw.text.len() {
                place.go_to(raw.text, finding.at);
                let before = if place.line_ends == 0 { start } else { 1 };
                (line + place.line_ends, before + place.at - place.line)
            } else {
                // Only the tags of a skipped game are available.
                (fault.map_or(line, |fault| fault.line), window.column(offset))
            };
            self.tell(Found {
                kind: finding.kind,
                what: finding.what.clone(),
                game: number,
                line,
                column,
                byte: offset,
            });
        }
    }

    /// Prints a finding, or keeps it until its game is repaired.
    fn tell(&mut self, found: Found) {
        match (&self.repaired, &mut self.open) {
            (Some(_), Some(open)) => open.found.push(found),
            _ => self.print(&found, found.kind.reading().to_owned()),
        }
    }

    fn print(&mut self, found: &Found, done: String) {
        self.page.remark(&Remark {
            file: &self.name,
            line: found.line,
            column: found.column,
            game: Some(found.game),
            byte: found.byte,
            fault: &found.kind.to_string(),
            what: &found.what,
            done,
        });
    }

    fn count(&mut self, kind: FindingKind, n_games: u64) {
        let count = self.counts.entry(kind).or_default();
        count.0 += 1;
        count.1 += n_games;
    }

    /// Repairs the open game, now that its end is known: its own end, or else the start of the next
    /// game.
    fn close(&mut self, window: &Window, next: u64) -> Result<(), Failure> {
        let open = self.open.take().filter(|open| open.is_faulty);
        let before = self.before.take();
        let (Some(open), Some(repaired)) = (open, &mut self.repaired) else {
            return Ok(());
        };
        let end = open.end.unwrap_or(next);
        let end = end + doctor::trimmed_nuls(window.get(end, next)) as u64;
        let new = if end - open.start <= LARGEST_GAME {
            let text = window.get(open.start, end);
            let context = before.map_or(open.context, |before| open.context.after(before));
            let new = self.examiner.repair(text, open.context, context);
            repaired.replace(&new.text, end)?;
            self.before = Some(new.after);
            Some(new)
        } else {
            repaired.copy_to(window, end)?;
            None
        };
        self.print_repairs(&open, new.as_ref());
        Ok(())
    }

    /// Prints the findings of a game with what became of them; there is no repair of a game that is
    /// too long.
    fn print_repairs(&mut self, open: &Open, new: Option<&doctor::Repaired>) {
        let is_left = |found: &Found| new.is_none_or(|new| new.is_left(found.kind, &found.what));
        for found in &open.found {
            self.print(found, done_by_repair(found.kind, is_left(found)));
        }
        let (line, column) = open.place;
        let of_game =
            |kind, what| Found { kind, what, game: open.number, line, column, byte: open.start };
        for (kind, what) in new.into_iter().flat_map(|new| &new.later) {
            let found = of_game(*kind, what.clone());
            let done = done_by_repair(*kind, is_left(&found));
            self.print(&Found { what: format!("after that, {what}"), ..found }, done);
        }
        if new.is_some_and(|new| new.is_sound) {
            return;
        }
        self.n_not_repaired += 1;
        let caution = new.map_or(Caution::KeepsAll, |new| new.caution);
        let reason = new.and(caution.reason()).map(|reason| format!(": {reason}"));
        let what = format!("cannot be repaired completely{}", reason.unwrap_or_default());
        let done = match caution {
            Caution::KeepsAll => "the game is kept unchanged",
            _ => "parts that could not be repaired are kept unchanged",
        };
        self.page.remark(&Remark {
            file: &self.name,
            line,
            column,
            game: Some(open.number),
            byte: open.start,
            fault: "not repaired",
            what: &what,
            done: done.to_owned(),
        });
    }

    /// Closes the last game and reports the text after it, up to the end.
    fn see_rest(&mut self, window: &Window, offset: u64) -> Result<(), Failure> {
        let Some((number, line, start, Some(end))) = self.last else {
            return self.close(window, offset);
        };
        let Some((finding, new)) = self.examiner.examine_rest(window.get(end, offset)) else {
            return self.close(window, offset);
        };
        let at = end + finding.at as u64;
        self.count(finding.kind, 0);
        let is_of_game = is_continued(std::slice::from_ref(&finding));
        let found = Found {
            kind: finding.kind,
            what: finding.what,
            game: number,
            line: line + line_ends(window.get(start, at)),
            column: window.column(at),
            byte: at,
        };
        if is_of_game {
            if let Some(open) = &mut self.open {
                open.end = Some(offset);
                open.is_faulty = true;
            }
            self.tell(found);
            return self.close(window, offset);
        }
        self.close(window, offset)?;
        let done = match &mut self.repaired {
            None => found.kind.reading().to_owned(),
            Some(repaired) => {
                repaired.copy_to(window, end)?;
                repaired.replace(&new, offset)?;
                done_by_repair(found.kind, false)
            }
        };
        self.print(&found, done);
        Ok(())
    }

    fn finish(mut self) -> Result<(), Failure> {
        self.live.finish(self.done());
        if self.n_read == 0 {
            return Err(Failure::Reported);
        }
        let target = match self.repaired.take() {
            Some(repaired) => Some(repaired.finish()?),
            None => None,
        };
        let sums = self.sums(target.map(|target| target.display().to_string()));
        self.page.finish(&sums);
        if self.counts.is_empty() && self.n_unread == 0 { Ok(()) } else { Err(Failure::Reported) }
    }

    fn sums(&self, repaired: Option<String>) -> Sums {
        let counts = self.counts.iter();
        let faults =
            counts.map(|(kind, &(count, games))| Count { name: kind.to_string(), count, games });
        Sums {
            files: self.n_read,
            files_not_read: self.n_unread,
            games: self.n_games,
            faulty_games: self.n_faulty,
            games_not_repaired: self.n_not_repaired,
            repaired,
            faults: faults.collect(),
        }
    }

    fn done(&self) -> Done {
        Done { bytes: self.meter.read(), games: self.n_games, matches: None, faulty: self.n_faulty }
    }
}

/// An offset in a text, with its line.
#[derive(Default)]
struct Place {
    at: usize,
    /// Offset of the start of the line.
    line: usize,
    /// Number of line ends before it.
    line_ends: u64,
}

impl Place {
    /// Moves to an offset, starting again from the beginning if it is earlier.
    fn go_to(&mut self, text: &[u8], at: usize) {
        if at < self.at {
            *self = Place::default();
        }
        let between = &text[self.at..at];
        if let Some(end) = between.iter().rposition(|byte| *byte == b'\n') {
            self.line_ends += line_ends(between);
            self.line = self.at + end + 1;
        }
        self.at = at;
    }
}

/// Returns what a repair did about a finding.
fn done_by_repair(kind: FindingKind, is_left: bool) -> String {
    let repair = kind.repair();
    match repair.strip_prefix("none: ") {
        Some(kept) => format!("not repaired: {kept}"),
        None if is_left => "not repaired".to_owned(),
        None => format!("repaired: {repair}"),
    }
}

impl Visitor for Doctor {
    fn game(
        &mut self,
        window: &Window,
        raw: &RawGame<'_>,
        number: u64,
        line: u64,
    ) -> Result<(), Failure> {
        let before = window.before(raw.offset);
        let front = match self.last {
            None => pgn::doctor::examine_front(before),
            Some(_) => None,
        };
        if front.is_none() {
            self.examiner.see_before(before);
        }
        let context = self.examiner.context();
        let mut findings = self.examiner.examine(raw);
        if let Some((finding, new)) = front {
            findings.insert(0, finding);
            if let Some(repaired) = &mut self.repaired {
                repaired.replace(&new, raw.offset)?;
            }
        }
        let end = (!raw.is_skipped()).then_some(raw.offset + raw.text.len() as u64);
        self.n_games += 1;
        self.last = Some((number, line, raw.offset, end));
        match &mut self.open {
            // The game before continues.
            Some(open) if is_continued(&findings) => {
                open.end = end;
                open.is_faulty = true;
            }
            _ => {
                self.close(window, raw.offset)?;
                if let Some(repaired) = &mut self.repaired {
                    repaired.copy_to(window, raw.offset)?;
                }
                self.open = Some(Open {
                    number,
                    start: raw.offset,
                    place: (line, window.column(raw.offset)),
                    end,
                    context,
                    is_faulty: !findings.is_empty(),
                    found: Vec::new(),
                });
            }
        }
        if !findings.is_empty() {
            self.report(window, raw, number, line, &findings);
        }
        Ok(())
    }

    fn passed(&mut self, window: &Window, offset: u64, last: bool) -> Result<(), Failure> {
        self.live.draw(self.done());
        let is_far = |open: &Open| open.end.is_some_and(|end| offset - end.min(offset) > FAR);
        if last {
            self.see_rest(window, offset)?;
        } else if self.open.as_ref().is_some_and(is_far) {
            self.close(window, offset)?;
        }
        // A text too long to be repaired is copied while its bytes are still available.
        let may_be_repaired =
            |open: &Open| offset.saturating_sub(open.start) <= LARGEST_GAME || open.end.is_some();
        match &mut self.repaired {
            Some(repaired) if !self.open.as_ref().is_some_and(may_be_repaired) => {
                repaired.copy_to(window, offset)
            }
            _ => Ok(()),
        }
    }

    fn old_line_ends(&mut self) {
        let kind = FindingKind::LoneCarriageReturn;
        let done = match self.repaired {
            Some(_) => "repaired: replaced by LF".to_owned(),
            None => "read as line ends".to_owned(),
        };
        self.page.remark(&Remark {
            file: &self.name,
            line: 1,
            column: 1,
            game: None,
            byte: 0,
            fault: &kind.to_string(),
            what: "all lines end with CR alone",
            done,
        });
        self.counts.entry(kind).or_default().0 += 1;
    }
}
