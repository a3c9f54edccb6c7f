//! Reports the issues of games, and writes the games with their issues repaired.
//!
//! [`examine`] reads all inputs once, on one thread, with the memory of a block and the longest game.
//! A [`Listener`] of the caller receives each issue as soon as it is known.

mod repaired;
mod visit;

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};

use flow::{Cancel, GameSet, GameSource, SourceError, SourceFormat};
use input::Inputs;
use pgn::doctor::{self, Caution, Context, Examiner, Finding, FindingKind, is_continued};
use pgn::{RawGame, VariantNames};
use serde::Serialize;

use repaired::Repaired;
use visit::{LARGEST_GAME, Visitor, Window, line_ends, visit};

/// A remark on a game of a file.
#[derive(Debug, Serialize)]
pub struct Remark<'a> {
    /// Name of the file.
    pub file: &'a str,
    /// Line of the issue, from 1.
    pub line: u64,
    /// Column of the issue in bytes, from 1.
    pub column: usize,
    /// Number of the game; `None` for the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// Byte offset of the issue.
    pub byte: u64,
    /// Name of the kind of fault.
    pub fault: &'a str,
    /// Description of the fault.
    pub what: &'a str,
    /// Consequence of the fault: what this repair, or else a search, does about it.
    pub done: String,
}

/// Totals of all remarks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sums {
    /// Number of files that were read, even if not to their end.
    pub files: u64,
    /// Number of files that could not be read, or not to their end.
    pub files_not_read: u64,
    /// Number of games.
    pub games: u64,
    /// Number of games with a fault.
    pub faulty_games: u64,
    /// Number of games that are in the new file with their faults.
    pub games_not_repaired: u64,
    /// Path of the new file, which the caller knows.
    pub repaired: Option<String>,
    /// Faults of each kind.
    pub faults: Vec<KindCount>,
}

/// Number of faults of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KindCount {
    /// Name of the kind.
    pub name: String,
    /// Number of faults.
    pub count: u64,
    /// Number of games with this fault.
    pub games: u64,
}

/// Note on the last game of an input that breaks off: the doctor examines this game, too.
pub const LAST_OF_BROKEN: &str = "searches leave out the last one if its end is missing";

/// Receiver of what is found in games.
pub trait Listener {
    /// Receives a remark.
    fn remark(&mut self, remark: &Remark<'_>);

    /// Receives the name of an input that could not be read, or only so many games of it.
    fn unread(&mut self, name: &str, message: &str, n_games: u64);

    /// Receives the name of an input without games.
    fn empty(&mut self, name: &str) {
        let _ = name;
    }

    /// Receives the numbers of games that were read and of those with issues among them.
    fn progress(&mut self, so_far: crate::PassProgress) {
        let _ = so_far;
    }
}

/// Reason why games cannot be examined, or not repaired.
#[derive(Debug)]
pub enum DoctorError {
    /// The examination was cancelled.
    Cancelled,
    /// An input cannot be read at all. The new text would lack it.
    Unreadable(SourceError),
    /// The new text cannot be written.
    Unwritable(io::Error),
}

impl Display for DoctorError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            DoctorError::Cancelled => f.write_str("the examination was ended"),
            DoctorError::Unreadable(error) => error.fmt(f),
            DoctorError::Unwritable(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DoctorError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            DoctorError::Unwritable(error) => Some(error),
            DoctorError::Unreadable(error) => error.source(),
            DoctorError::Cancelled => None,
        }
    }
}

/// Examines the games of all inputs, which keep old line ends
/// ([`ReadOptions::keeps_old_line_ends`](input::ReadOptions::keeps_old_line_ends)). If `out` is given,
/// the games are written to it with their issues repaired: games without issues byte for byte, and
/// no word is lost. If games are `chosen`, the issues of others are not reported.
///
/// # Errors
/// The examination was cancelled, or the repaired games cannot be written completely.
pub fn examine<'d>(
    inputs: &Inputs,
    variants: VariantNames,
    chosen: Option<&'d GameSet>,
    out: Option<&'d mut dyn Write>,
    listener: &'d mut dyn Listener,
    cancel: &'d Cancel,
) -> Result<Sums, DoctorError> {
    let mut doctor = Doctor {
        listener,
        cancel,
        chosen,
        n_seen: 0,
        examiner: Examiner::new(variants),
        counts: BTreeMap::new(),
        n_read: 0,
        n_unread: 0,
        n_games: 0,
        n_faulty: 0,
        n_not_repaired: 0,
        repaired: out.map(Repaired::new),
        name: String::new(),
        open: None,
        before: None,
        last: None,
    };
    for source in inputs.sources() {
        match source {
            Ok(source) => doctor.source(source)?,
            Err(unreadable) => doctor.cannot_read(unreadable)?,
        }
    }
    Ok(doctor.sums())
}

struct Doctor<'d> {
    listener: &'d mut dyn Listener,
    cancel: &'d Cancel,
    /// Games whose issues are reported; `None` for all.
    chosen: Option<&'d GameSet>,
    /// Number of games that were read, chosen or not.
    n_seen: u64,
    examiner: Examiner,
    /// Number of findings of each kind, and of games with at least one.
    counts: BTreeMap<FindingKind, (u64, u64)>,
    /// Number of sources that were read, even if not to their end.
    n_read: u64,
    n_unread: u64,
    n_games: u64,
    n_faulty: u64,
    n_not_repaired: u64,
    repaired: Option<Repaired<'d>>,
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
    /// The findings that have not been passed on, since the repair decides what becomes of them.
    found: Vec<LocatedFinding>,
}

/// A finding with its place.
struct LocatedFinding {
    kind: FindingKind,
    what: String,
    game: u64,
    line: u64,
    column: usize,
    byte: u64,
}

/// Number of bytes after a game from which on no other game can continue it.
const FAR: u64 = 1 << 16;

impl Doctor<'_> {
    fn source(&mut self, source: GameSource<'_>) -> Result<(), DoctorError> {
        if let SourceFormat::Lines(_) = source.format {
            let message = "it holds puzzles, positions or JSON; doctor examines only PGN";
            let error = io::Error::new(io::ErrorKind::InvalidInput, message).into();
            let unreadable = SourceError { name: source.name, error };
            // The numbers of the games after it would be unknown.
            let ends = self.chosen.is_some();
            return if ends {
                Err(DoctorError::Unreadable(unreadable))
            } else {
                self.cannot_read(unreadable)
            };
        }
        self.name = source.name.to_string();
        self.open = None;
        self.before = None;
        self.last = None;
        self.examiner.begin_file();
        if let Some(repaired) = &mut self.repaired {
            repaired.begin()?;
        }
        let before = self.n_seen;
        let error = visit(source.bytes, self.cancel, self)?;
        let n_games = self.n_seen - before;
        match error {
            Some(error) if n_games == 0 => {
                let error = error.into();
                return self.cannot_read(SourceError { name: source.name, error });
            }
            Some(error) => {
                self.n_unread += 1;
                self.listener.unread(&self.name, &error.to_string(), n_games);
            }
            None if n_games == 0 => self.listener.empty(&self.name),
            None => {}
        }
        self.n_read += 1;
        Ok(())
    }

    /// Reports an input that cannot be read. A new file that lacks a whole input is not written.
    fn cannot_read(&mut self, unreadable: SourceError) -> Result<(), DoctorError> {
        self.n_unread += 1;
        if self.repaired.is_some() {
            return Err(DoctorError::Unreadable(unreadable));
        }
        self.listener.unread(&unreadable.name, &unreadable.error.to_string(), 0);
        Ok(())
    }

    /// Whether the issues of the last game are reported.
    fn is_chosen(&self) -> bool {
        self.chosen.is_none_or(|chosen| chosen.has(self.n_seen))
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
        let mut place = LineCounter::default();
        // The game may begin within a line.
        let start = window.column(raw.offset);
        for finding in findings {
            let is_first = !kinds.contains(&finding.kind);
            if is_first {
                kinds.push(finding.kind);
            }
            self.count(finding.kind, u64::from(is_first));
            let offset = raw.offset + finding.at as u64;
            let (line, column) = if finding.at <= raw.text.len() {
                place.go_to(raw.text, finding.at);
                let before = if place.line_ends == 0 { start } else { 1 };
                (line + place.line_ends, before + place.at - place.line)
            } else {
                let fault = raw.faults.iter().find(|fault| fault.offset == offset);
                (fault.map_or(line, |fault| fault.line), window.column(offset))
            };
            self.tell(LocatedFinding {
                kind: finding.kind,
                what: finding.what.clone(),
                game: number,
                line,
                column,
                byte: offset,
            });
        }
    }

    /// Passes on a finding, or keeps it until its game is repaired.
    fn tell(&mut self, found: LocatedFinding) {
        match (&self.repaired, &mut self.open) {
            (Some(_), Some(open)) => open.found.push(found),
            _ => self.hear(&found, found.kind.reading().to_owned()),
        }
    }

    fn hear(&mut self, found: &LocatedFinding, done: String) {
        self.listener.remark(&Remark {
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
    fn close(&mut self, window: &Window, next: u64) -> Result<(), DoctorError> {
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
        self.hear_repairs(&open, new.as_ref());
        Ok(())
    }

    /// Passes on the findings of a game with what became of them; there is no repair of a game that is
    /// too long.
    fn hear_repairs(&mut self, open: &Open, new: Option<&doctor::Repaired>) {
        let is_left =
            |found: &LocatedFinding| new.is_none_or(|new| new.is_left(found.kind, &found.what));
        for found in &open.found {
            self.hear(found, done_by_repair(found.kind, is_left(found)));
        }
        let (line, column) = open.place;
        let of_game = |kind, what| LocatedFinding {
            kind,
            what,
            game: open.number,
            line,
            column,
            byte: open.start,
        };
        for (kind, what) in new.into_iter().flat_map(|new| &new.later) {
            let found = of_game(*kind, what.clone());
            let done = done_by_repair(*kind, is_left(&found));
            self.hear(&LocatedFinding { what: format!("after that, {what}"), ..found }, done);
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
        self.listener.remark(&Remark {
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
    fn see_rest(&mut self, window: &Window, offset: u64) -> Result<(), DoctorError> {
        let Some((number, line, start, Some(end))) = self.last else {
            return self.close(window, offset);
        };
        if !self.is_chosen() {
            return self.close(window, offset);
        }
        let Some((finding, new)) = self.examiner.examine_rest(window.get(end, offset)) else {
            return self.close(window, offset);
        };
        let at = end + finding.at as u64;
        self.count(finding.kind, 0);
        let is_of_game = is_continued(std::slice::from_ref(&finding));
        let found = LocatedFinding {
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
        self.hear(&found, done);
        Ok(())
    }

    fn sums(&self) -> Sums {
        let counts = self.counts.iter();
        let faults = counts.map(|(kind, &(count, games))| KindCount {
            name: kind.to_string(),
            count,
            games,
        });
        Sums {
            files: self.n_read,
            files_not_read: self.n_unread,
            games: self.n_games,
            faulty_games: self.n_faulty,
            games_not_repaired: self.n_not_repaired,
            repaired: None,
            faults: faults.collect(),
        }
    }
}

/// An offset in a text, with its line.
#[derive(Default)]
struct LineCounter {
    at: usize,
    /// Offset of the start of the line.
    line: usize,
    /// Number of line ends before it.
    line_ends: u64,
}

impl LineCounter {
    /// Moves to an offset, starting again from the beginning if it is earlier.
    fn go_to(&mut self, text: &[u8], at: usize) {
        if at < self.at {
            *self = LineCounter::default();
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

impl Visitor for Doctor<'_> {
    fn game(
        &mut self,
        window: &Window,
        raw: &RawGame<'_>,
        number: u64,
        line: u64,
    ) -> Result<(), DoctorError> {
        let before = window.before(raw.offset);
        self.n_seen += 1;
        let is_chosen = self.is_chosen();
        let front = match self.last {
            None if is_chosen => pgn::doctor::examine_front(before),
            _ => None,
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
        if !is_chosen {
            findings.clear();
        }
        let end = (!raw.is_skipped()).then_some(raw.offset + raw.text.len() as u64);
        self.n_games += u64::from(is_chosen);
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

    fn passed(&mut self, window: &Window, offset: u64, last: bool) -> Result<(), DoctorError> {
        self.listener.progress(crate::PassProgress { games: self.n_games, faulty: self.n_faulty });
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
        self.listener.remark(&Remark {
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
