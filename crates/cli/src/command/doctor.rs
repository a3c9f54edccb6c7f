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
use crate::progress::{self, Done, Live, Wanted};
use crate::visible::visible_name;
use input::{How, Meter};
use repaired::Repaired;
use report::{Count, Page, Remark, Sums};

/// Find and repair issues in the games of PGN files
///
/// Every issue is printed with its place, how a search reads it, and with --repair how it was
/// repaired; a summary follows. The exit status is 1 if there are issues.
#[derive(clap::Args)]
pub(super) struct Arguments {
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
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    interrupt::listen();
    let target = arguments.repair.as_deref();
    let how = How { keeps_old_line_ends: true, ..arguments.limits.get()?.how(None, None) };
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
    let (_, kind) = progress::kind(Wanted {
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
    /// The end, if the game could be read. The apparent next game may continue it.
    end: Option<u64>,
    /// State of the file before the game.
    context: Context,
    /// Whether the game has a finding.
    is_faulty: bool,
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
        for finding in findings {
            let is_first = !kinds.contains(&finding.kind);
            if is_first {
                kinds.push(finding.kind);
            }
            self.count(finding.kind, u64::from(is_first));
            let offset = raw.offset + finding.at as u64;
            let fault = raw.faults.iter().find(|fault| fault.offset == offset);
            let (line, column) = match finding.at <= raw.text.len() {
                true => {
                    place.go_to(raw.text, finding.at);
                    (line + place.line_ends, place.at - place.line + 1)
                }
                // Only the tags of a skipped game are available.
                false => (fault.map_or(line, |fault| fault.line), window.column(offset)),
            };
            let done = self.done_with(finding.kind);
            self.page.remark(&Remark {
                file: &self.name,
                line: Some(line),
                column: Some(column),
                game: Some(number),
                byte: Some(offset),
                fault: Some(finding.kind.to_string()),
                what: &finding.what,
                done,
            });
        }
    }

    /// The consequence of a finding: that of this repair, or else of a search.
    fn done_with(&self, kind: FindingKind) -> String {
        match &self.repaired {
            Some(_) => done_by_repair(kind),
            None => kind.reading().to_owned(),
        }
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
        let end = doctor::end_of_game(end, window.get(end, next));
        let (mut is_sound, mut caution) = (false, Caution::Usual);
        if end - open.start <= LARGEST_GAME {
            let text = window.get(open.start, end);
            let context = before.map_or(open.context, |before| open.context.after(before));
            let new = self.examiner.repair(text, context);
            (is_sound, caution) = (new.is_sound, new.caution);
            self.before = Some(new.after);
            repaired.replace(&new.text, end)?;
            for (kind, what) in &new.later {
                let what = format!("after that, {what}");
                let done = done_by_repair(*kind);
                let of_game = Remark::of_game(&self.name, open.number, &what, done);
                self.page.remark(&Remark { fault: Some(kind.to_string()), ..of_game });
            }
        } else {
            repaired.copy_to(window, end)?;
        }
        if !is_sound {
            self.n_not_repaired += 1;
            let mut what = "cannot be repaired completely".to_owned();
            if let Some(reason) = caution.reason() {
                what = format!("{what}: {reason}");
            }
            let done = match caution {
                Caution::KeepsAll => "the game is kept unchanged",
                _ => "parts that could not be repaired are kept unchanged",
            };
            let of_game = Remark::of_game(&self.name, open.number, &what, done.to_owned());
            self.page.remark(&of_game);
        }
        Ok(())
    }

    /// Closes the last game and reports the text after it, up to the end.
    fn see_rest(&mut self, window: &Window, offset: u64) -> Result<(), Failure> {
        let rest = match self.last {
            Some((.., Some(end))) => self.examiner.examine_rest(window.get(end, offset)),
            _ => None,
        };
        if let (Some(open), Some((finding, _))) = (&mut self.open, &rest)
            && is_continued(std::slice::from_ref(finding))
        {
            open.end = Some(offset);
            open.is_faulty = true;
        }
        self.close(window, offset)?;
        let (Some((number, line, start, Some(end))), Some((finding, new))) = (self.last, rest)
        else {
            return Ok(());
        };
        let at = end + finding.at as u64;
        self.count(finding.kind, 0);
        self.page.remark(&Remark {
            file: &self.name,
            line: Some(line + line_ends(window.get(start, at))),
            column: Some(window.column(at)),
            game: Some(number),
            byte: Some(at),
            fault: Some(finding.kind.to_string()),
            what: &finding.what,
            done: self.done_with(finding.kind),
        });
        match &mut self.repaired {
            Some(repaired) if !is_continued(&[finding]) => {
                repaired.copy_to(window, end)?;
                repaired.replace(&new, offset)
            }
            _ => Ok(()),
        }
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
        match self.counts.is_empty() && self.n_unread == 0 {
            true => Ok(()),
            false => Err(Failure::Reported),
        }
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

fn done_by_repair(kind: FindingKind) -> String {
    let repair = kind.repair();
    match repair.strip_prefix("none: ") {
        Some(kept) => format!("not repaired: {kept}"),
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
                    end,
                    context,
                    is_faulty: !findings.is_empty(),
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
            line: Some(1),
            column: Some(1),
            game: None,
            byte: None,
            fault: Some(kind.to_string()),
            what: "all lines end with CR alone",
            done,
        });
        self.counts.entry(kind).or_default().0 += 1;
    }
}
