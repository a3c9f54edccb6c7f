//! `cql doctor GAMES…`: what is wrong with games, and a file in which it is put right.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use pgn::RawGame;
use pgn::doctor::{Examiner, Finding, FindingKind, repair};

use super::games::{GameFile, line_ends};
use crate::failure::{Failure, context};
use crate::interrupt;
use crate::output::{NewFile, is_same_file};

/// Longest part of a file that is repaired as one game.
const LARGEST_GAME: u64 = 1 << 20;

/// Say what is wrong with the games of PGN files, and repair them
///
/// Every fault is printed with its place, what a search makes of it, and with --repair what was
/// done; a summary follows. The exit status is 1 if there are faults.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The files to examine; - is standard input
    #[arg(required = true, value_hint = clap::ValueHint::FilePath)]
    games: Vec<PathBuf>,
    /// Write the games to a new file, the faulty ones repaired
    ///
    /// Games without faults are copied byte for byte. A game that cannot be repaired is left out,
    /// and said to be. In the new file there are no faults.
    #[arg(long, value_name = "OUT.pgn", value_hint = clap::ValueHint::FilePath)]
    repair: Option<PathBuf>,
    /// Print the summary alone
    #[arg(long)]
    summary: bool,
}

/// Examines one file after the other.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    interrupt::listen();
    let out = BufWriter::new(io::stdout().lock());
    let mut doctor = Doctor {
        out,
        is_closed: false,
        lists_all: !arguments.summary,
        examiner: Examiner::default(),
        counts: BTreeMap::new(),
        n_games: 0,
        n_faulty: 0,
        n_left_out: 0,
        repaired: None,
    };
    if let Some(target) = &arguments.repair {
        if let [_, _, ..] = &arguments.games[..] {
            return Err(Failure::Message(
                "--repair takes one file of games; repair them one by one".to_owned(),
            ));
        }
        if let Some(same) = arguments
            .games
            .iter()
            .find(|path| is_same_file(path, target))
        {
            return Err(Failure::Message(format!(
                "--repair would overwrite {}; give another name",
                same.display()
            )));
        }
        let file = NewFile::create(target)
            .map_err(|error| context(format!("cannot write {}", target.display()), &error))?;
        if let Some(temporary) = file.temporary_path() {
            interrupt::remove_if_ended(temporary);
        }
        doctor.repaired = Some(Repaired {
            file,
            target: target.clone(),
            copied: 0,
        });
    }
    for path in &arguments.games {
        doctor.file(path)?;
    }
    doctor.finish()
}

struct Doctor<'a> {
    out: BufWriter<io::StdoutLock<'a>>,
    is_closed: bool,
    lists_all: bool,
    examiner: Examiner,
    /// Findings, and games with one.
    counts: BTreeMap<FindingKind, (u64, u64)>,
    n_games: u64,
    n_faulty: u64,
    n_left_out: u64,
    repaired: Option<Repaired>,
}

/// The new file.
struct Repaired {
    file: NewFile,
    target: PathBuf,
    /// Where in the old file the part begins that is not in the new one yet.
    copied: u64,
}

/// A game whose end is known when the next one begins.
struct Open {
    number: u64,
    start: u64,
}

impl Doctor<'_> {
    fn file(&mut self, path: &Path) -> Result<(), Failure> {
        let file = GameFile::open(path)?;
        if file.has_old_line_ends() {
            let name = &file.name;
            let kind = FindingKind::LoneCarriageReturn;
            let what = "all lines end with CR alone";
            self.print(&format!("{name}:1:1: {what}; {}", kind.reading()));
            self.count(kind, 1);
            self.n_faulty += 1;
        }
        let mut open: Option<Open> = None;
        file.each(&mut |raw, number, line| {
            if let Some(skipped) = open.take() {
                self.repair_skipped(&file, &skipped, raw.offset)?;
            }
            self.n_games += 1;
            let findings = self.examiner.examine(raw);
            if findings.is_empty() {
                return Ok(());
            }
            self.report(&file, raw, number, line, &findings)?;
            if raw.is_skipped() {
                let start = raw.offset;
                open = Some(Open { number, start });
                return Ok(());
            }
            self.repair(&file, raw.offset, raw.text, number)
        })?;
        if let Some(skipped) = open.take() {
            self.repair_skipped(&file, &skipped, file.size())?;
        }
        self.copy_to(&file, file.size())
    }

    /// Says what is wrong with a game.
    fn report(
        &mut self,
        file: &GameFile,
        raw: &RawGame<'_>,
        number: u64,
        line: u64,
        findings: &[Finding],
    ) -> Result<(), Failure> {
        self.n_faulty += 1;
        let mut kinds: Vec<FindingKind> = Vec::new();
        for finding in findings {
            let is_first = !kinds.contains(&finding.kind);
            if is_first {
                kinds.push(finding.kind);
            }
            self.count(finding.kind, u64::from(is_first));
            let offset = raw.offset + finding.at as u64;
            let fault = raw.faults.iter().find(|fault| fault.offset == offset);
            let (line, column) = match raw.text.get(..finding.at) {
                Some(before) => {
                    let after_end = before.iter().rev().take_while(|b| **b != b'\n');
                    (line + line_ends(before), after_end.count() + 1)
                }
                // Of a game that is left out only the tags are at hand.
                None => (fault.map_or(line, |fault| fault.line), file.column(offset)?),
            };
            let name = &file.name;
            let done = match self.repaired {
                Some(_) => format!("repaired: {}", finding.kind.repair()),
                None => finding.kind.reading().to_owned(),
            };
            let what = &finding.what;
            self.print(&format!(
                "{name}:{line}:{column}: game {number} (byte {offset}): {what}; {done}"
            ));
        }
        Ok(())
    }

    fn count(&mut self, kind: FindingKind, n_games: u64) {
        let count = self.counts.entry(kind).or_default();
        count.0 += 1;
        count.1 += n_games;
    }

    fn repair_skipped(&mut self, file: &GameFile, game: &Open, end: u64) -> Result<(), Failure> {
        let length = end - game.start;
        if self.repaired.is_none() || length > LARGEST_GAME {
            return self.replace(file, game.start, end, None, game.number);
        }
        let mut text = vec![0; length as usize];
        let n = file.read(game.start, &mut text)?;
        text.truncate(n);
        self.replace(file, game.start, end, repair(&text), game.number)
    }

    fn repair(
        &mut self,
        file: &GameFile,
        start: u64,
        text: &[u8],
        number: u64,
    ) -> Result<(), Failure> {
        if self.repaired.is_none() {
            return Ok(());
        }
        let end = start + text.len() as u64;
        self.replace(file, start, end, repair(text), number)
    }

    /// Puts a text into the new file in place of a part of the old one, or nothing.
    fn replace(
        &mut self,
        file: &GameFile,
        start: u64,
        end: u64,
        text: Option<Vec<u8>>,
        number: u64,
    ) -> Result<(), Failure> {
        self.copy_to(file, start)?;
        let Some(repaired) = &mut self.repaired else {
            return Ok(());
        };
        match text {
            Some(text) => {
                // A result must not touch what follows it.
                let mut next = [0];
                let has_next = file.read(end, &mut next)? == 1;
                let touches = has_next && !next[0].is_ascii_whitespace() && !text.ends_with(b"\n");
                let separator: &[u8] = if touches { b"\n" } else { b"" };
                repaired
                    .file
                    .write_all(&text)
                    .and_then(|()| repaired.file.write_all(separator))
                    .map_err(|error| cannot_write(&repaired.target, &error))?;
            }
            None => {
                self.n_left_out += 1;
                self.print(&format!(
                    "{}: game {number} cannot be repaired; it was left out",
                    file.name
                ));
            }
        }
        if let Some(repaired) = &mut self.repaired {
            repaired.copied = end;
        }
        Ok(())
    }

    /// Copies what comes before a place and is not in the new file yet.
    fn copy_to(&mut self, file: &GameFile, end: u64) -> Result<(), Failure> {
        let Some(repaired) = &mut self.repaired else {
            return Ok(());
        };
        let mut buffer = vec![0; 1 << 16];
        while repaired.copied < end {
            let wanted = (end - repaired.copied).min(buffer.len() as u64) as usize;
            let n = file.read(repaired.copied, &mut buffer[..wanted])?;
            if n == 0 {
                return Err(Failure::Message(format!(
                    "{} became shorter while it was read",
                    file.name
                )));
            }
            repaired
                .file
                .write_all(&buffer[..n])
                .map_err(|error| cannot_write(&repaired.target, &error))?;
            repaired.copied += n as u64;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), Failure> {
        let repaired = self.repaired.take();
        if let Some(Repaired { file, target, .. }) = repaired {
            let temporary = file.temporary_path().map(Path::to_owned);
            file.finish()
                .map_err(|error| cannot_write(&target, &error))?;
            if let Some(temporary) = temporary {
                interrupt::forget(&temporary);
            }
            self.summary();
            let left_out = match self.n_left_out {
                0 => String::new(),
                n => format!("; {n} could not be repaired and were left out"),
            };
            self.say(&format!("wrote {}{left_out}", target.display()));
        } else {
            self.summary();
        }
        let _ = self.out.flush();
        match self.n_faulty {
            0 => Ok(()),
            _ => Err(Failure::Reported),
        }
    }

    fn summary(&mut self) {
        let lines: Vec<String> = self
            .counts
            .iter()
            .map(|(kind, (n, games))| format!("{n:>9} {games:>9}  {kind}"))
            .collect();
        if !lines.is_empty() {
            self.say("\n   faults  in games");
            for line in lines {
                self.say(&line);
            }
            self.say("");
        }
        let games = if self.n_games == 1 { "game" } else { "games" };
        let text = match self.n_faulty {
            0 => format!("{} {games}, nothing wrong", self.n_games),
            n => format!("{} {games}, {n} of them faulty", self.n_games),
        };
        self.say(&text);
    }

    /// Prints a fault, unless only the summary is wanted.
    fn print(&mut self, line: &str) {
        if self.lists_all {
            self.say(line);
        }
    }

    /// Prints a line; one that nobody reads is no error.
    fn say(&mut self, line: &str) {
        if !self.is_closed && writeln!(self.out, "{line}").is_err() {
            self.is_closed = true;
        }
    }
}

fn cannot_write(target: &Path, error: &io::Error) -> Failure {
    context(format!("cannot write {}", target.display()), error)
}
