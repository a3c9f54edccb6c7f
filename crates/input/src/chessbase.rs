//! Databases of ChessBase: an index with a record for each game, and files beside it with the moves,
//! the annotations and the names. Each game becomes PGN. An archive packs all of these files. The
//! formats were learned from public descriptions.

mod annotations;
pub(super) mod archive;
mod game;
mod moves;
mod names;
mod record;
mod start;
mod tables;

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use flow::{Input, ReadError};

use super::bytes::Bytes;
use super::converted::GameConverter;
use super::error::Error;
use super::file::{CountedInput, FileReader};
use super::remarks::Remarks;
use super::tag::packed_date;
use annotations::Annotations;
use game::{NameTags, write_pgn};
use names::{Names, text};
use record::{Entry, RECORD, RecordKind};

/// Endings of the files beside an index: moves, annotations, players, tournaments, annotators,
/// sources, teams, and more about each game.
const BESIDE: [&str; 8] = ["cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbj"];

/// Those of them that every version writes.
const ALWAYS: [&str; 6] = ["cbg", "cba", "cbp", "cbt", "cbc", "cbs"];

/// Size of a file from which places in it may need more than the four bytes of the index.
const LARGE: u64 = 1 << 32;

/// Whether a file begins like an index: with the sizes of its header and of a record.
pub(super) fn is_index(head: &[u8]) -> bool {
    matches!(head, [0, 0, 0x24 | 0x2c, 0, 0x2e, 1, ..])
}

/// Whether a file has the name of an index.
pub(super) fn is_named(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("cbh"))
}

/// Returns the files beside an index. The case of the letters is kept.
pub(super) fn companions(index: &Path) -> impl Iterator<Item = PathBuf> {
    BESIDE.iter().map(|ending| beside(index, ending))
}

fn beside(index: &Path, ending: &str) -> PathBuf {
    let is_upper = index.extension().is_some_and(|ending| ending == "CBH");
    index.with_extension(if is_upper { ending.to_ascii_uppercase() } else { ending.to_owned() })
}

/// Opens a database whose files are in a folder. The meter counts the bytes of the index.
pub(super) fn open(
    path: &Path,
    index: CountedInput,
    remarks: &Remarks,
) -> Result<Database, ReadError> {
    let find = |ending: &str| {
        let path = beside(path, ending);
        match CountedInput::uncounted(&path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::Beside(path, error).into()),
        }
    };
    Ok(Database::open(index, find, remarks)?)
}

/// A database that is being read.
pub(super) struct Database {
    index: BufReader<FileReader>,
    /// Number of records according to the header, and of those that were read.
    n_records: u64,
    n_read: u64,
    moves: CountedInput,
    annotations: Option<CountedInput>,
    players: Option<Names>,
    tournaments: Option<Names>,
    annotators: Option<Names>,
    sources: Option<Names>,
    teams: Option<Names>,
    more: Option<More>,
    damage: Damage,
    n_texts: u64,
    n_deleted: u64,
    n_unused: u64,
    remarks: Remarks,
    /// Moves and annotations of a game as they are stored.
    stored: Vec<u8>,
    annotated: Annotations,
}

/// Missing parts of a database, which are reported after the games.
#[derive(Default)]
struct Damage {
    /// Endings of files that are missing or cannot be read.
    files: Vec<&'static str>,
    /// Number of games whose moves are not all in their file.
    n_moves: u64,
    /// Number of games whose annotations cannot all be read.
    n_annotations: u64,
    /// Number of games with names that are not in their files.
    n_names: u64,
}

impl Damage {
    fn to_error(&self) -> Option<Error> {
        let &Damage { ref files, n_moves, n_annotations, n_names } = self;
        let is_sound = files.is_empty() && n_moves + n_annotations + n_names == 0;
        let files = files.clone();
        (!is_sound).then_some(Error::ChessBaseDamage { files, n_moves, n_annotations, n_names })
    }
}

/// The file with more about each game.
struct More {
    file: CountedInput,
    /// Size of a record.
    size: u64,
}

impl More {
    /// Size of the header.
    const HEADER: u64 = 32;

    fn open(file: CountedInput) -> io::Result<Option<More>> {
        let head = file.head(Self::HEADER as usize)?;
        let mut head = Bytes(&head);
        let size = head.take(4).and_then(|_| head.word(4));
        Ok(size.filter(|size| (8..4096).contains(size)).map(|size| More { file, size }))
    }

    /// Reads a record: the teams, and the places of the annotations and of the moves.
    fn record(&self, number: u64) -> io::Result<([i32; 2], Option<[u64; 2]>)> {
        let mut record = [0; 38];
        let n = record.len().min(self.size as usize);
        let at = Self::HEADER + number * self.size;
        let n = self.file.fill_at(at, &mut record[..n])?;
        let mut bytes = Bytes(&record[..n]);
        let mut team = || bytes.big(4).map_or(-1, |team| team as u32 as i32);
        let teams = [team(), team()];
        let mut places = || {
            bytes.take(4)?;
            let annotations = bytes.big(8)?;
            bytes.take(10)?;
            Some([annotations, bytes.big(8)?])
        };
        Ok((teams, places()))
    }
}

impl Database {
    /// Opens a database whose files `find` returns by their endings.
    fn open(
        index: CountedInput,
        mut find: impl FnMut(&str) -> io::Result<Option<CountedInput>>,
        remarks: &Remarks,
    ) -> io::Result<Database> {
        let mut index = BufReader::new(index.reader());
        let mut header = [0; RECORD];
        index.read_exact(&mut header).map_err(|_| Error::ChessBaseCutOff(None))?;
        let next = u32::from_be_bytes([header[6], header[7], header[8], header[9]]);
        let mut damage = Damage::default();
        let mut files = Vec::new();
        for ending in BESIDE {
            let file = find(ending)?;
            if file.is_none() && ALWAYS.contains(&ending) {
                damage.files.push(ending);
            }
            files.push(file);
        }
        let mut files = files.into_iter();
        let mut file = || files.next().flatten();
        let Some(moves) = file() else {
            return Err(Error::ChessBaseAlone.into());
        };
        let annotations = file();
        // The number of bytes that hold the texts.
        let mut names = |ending, least| match file().map(|file| Names::open(file, least)) {
            Some(names) => {
                let names = names?;
                if names.is_none() {
                    damage.files.push(ending);
                }
                io::Result::Ok(names)
            }
            None => Ok(None),
        };
        let players = names("cbp", 50)?;
        let tournaments = names("cbt", 76)?;
        let annotators = names("cbc", 45)?;
        let sources = names("cbs", 25)?;
        let teams = names("cbe", 45)?;
        let more = file().map(More::open).transpose()?.flatten();
        Ok(Database {
            index,
            n_records: u64::from(next).saturating_sub(1),
            n_read: 0,
            moves,
            annotations,
            players,
            tournaments,
            annotators,
            sources,
            teams,
            more,
            damage,
            n_texts: 0,
            n_deleted: 0,
            n_unused: 0,
            remarks: remarks.clone(),
            stored: Vec::new(),
            annotated: Annotations::default(),
        })
    }

    /// Reads the record of the next game; `None` at the end.
    fn next_record(&mut self) -> io::Result<Option<[u8; RECORD]>> {
        loop {
            let mut record = [0; RECORD];
            let n = self.index.by_ref().take(RECORD as u64).read(&mut record)?;
            if n == 0 {
                return if self.n_read < self.n_records { Err(self.cut_off()) } else { Ok(None) };
            }
            let rest = self.index.read_exact(&mut record[n..]);
            rest.map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => self.cut_off(),
                _ => error,
            })?;
            self.n_read += 1;
            match RecordKind::of(&record) {
                RecordKind::Game => return Ok(Some(record)),
                RecordKind::Text => self.n_texts += 1,
                RecordKind::Deleted => self.n_deleted += 1,
                RecordKind::Unused => self.n_unused += 1,
            }
        }
    }

    fn cut_off(&self) -> io::Error {
        Error::ChessBaseCutOff(Some(self.n_read)).into()
    }

    /// Tells what was left out, and fails if something is missing.
    fn end(&mut self) -> io::Result<bool> {
        let mut skipped = Vec::new();
        for (n, one, more) in [
            (self.n_texts, "1 page of text", "pages of text"),
            (self.n_deleted, "1 deleted game", "deleted games"),
            (self.n_unused, "1 record that is no game", "records that are no games"),
        ] {
            match n {
                0 => {}
                1 => skipped.push(one.to_owned()),
                n => skipped.push(format!("{n} {more}")),
            }
        }
        if !skipped.is_empty() {
            self.remarks.add(&format!("skipped {}", skipped.join(", ")));
        }
        self.damage.to_error().map_or(Ok(false), |error| Err(error.into()))
    }

    /// Reads the names of a game.
    fn names(&mut self, entry: &Entry, teams: [i32; 2]) -> io::Result<NameTags> {
        let mut tags = NameTags::default();
        let mut are_there = true;
        // Calls `read` with the record, unless its whole file is missing.
        let mut of = |names: &mut Option<Names>, number, read: &mut dyn FnMut(&[u8])| {
            if let Some(names) = names {
                match names.record(number)? {
                    Some(record) => read(record),
                    None => are_there = false,
                }
            }
            io::Result::Ok(())
        };
        for (number, tag) in [(entry.white, &mut tags.white), (entry.black, &mut tags.black)] {
            of(&mut self.players, number, &mut |record| {
                let (last, first) = (text(record, 0..30), text(record, 30..50));
                let comma = if first.is_empty() || last.is_empty() { &b""[..] } else { b", " };
                *tag = [last, comma, first].concat();
            })?;
        }
        let others = &mut tags.others;
        of(&mut self.tournaments, entry.tournament, &mut |record| {
            tags.event = text(record, 0..40).to_vec();
            tags.site = text(record, 40..70).to_vec();
            let mut rest = Bytes(&record[70..]);
            let date = rest.word(4).unwrap_or(0) as u32;
            if packed_date(date) != packed_date(0) {
                others.push(("EventDate", packed_date(date).into_bytes()));
            }
            let kind = rest.byte().and_then(event_type);
            others.extend(kind.map(|kind| ("EventType", kind.into_bytes())));
        })?;
        let mut other = |names: &mut Option<Names>, number, tag, end| {
            of(names, number, &mut |record| {
                let name = text(record, 0..end);
                others.extend((!name.is_empty()).then(|| (tag, name.to_vec())));
            })
        };
        for (team, tag) in teams.into_iter().zip(["WhiteTeam", "BlackTeam"]) {
            // There may be none.
            if let Ok(number) = u32::try_from(team) {
                other(&mut self.teams, number, tag, 45)?;
            }
        }
        other(&mut self.annotators, entry.annotator, "Annotator", 45)?;
        other(&mut self.sources, entry.source, "Source", 25)?;
        self.damage.n_names += u64::from(!are_there);
        Ok(tags)
    }
}

/// Type of a tournament, with its speed.
fn event_type(byte: u8) -> Option<String> {
    const TYPES: [&str; 9] =
        ["", "game", "match", "tourn", "swiss", "team", "k.o.", "simul", "schev"];
    const SPEEDS: [&str; 5] = ["", "(blitz)", "(rapid)", "", "(corr)"];
    let kind = TYPES.get(usize::from(byte & 31)).copied().unwrap_or_default();
    let speed = SPEEDS.get(usize::from(byte >> 5)).copied().unwrap_or_default();
    let all = format!("{kind} {speed}");
    Some(all.trim().to_owned()).filter(|all| !all.is_empty())
}

impl GameConverter for Database {
    fn write_next(&mut self, pgn: &mut Vec<u8>) -> io::Result<bool> {
        let Some(record) = self.next_record()? else {
            return self.end();
        };
        let mut entry = Entry::read(&record);
        let mut teams = [-1; 2];
        if let Some(more) = &self.more {
            let (found, places) = more.record(self.n_read - 1)?;
            teams = found;
            let sizes = [Some(&self.moves), self.annotations.as_ref()];
            let is_large = sizes.into_iter().flatten().any(|file| file.size() >= LARGE);
            if let Some([annotations, moves]) = places.filter(|_| is_large) {
                // A game that an older program has saved has places in the index alone.
                if annotations as u32 == entry.annotations as u32 {
                    entry.annotations = annotations;
                }
                if moves as u32 == entry.moves as u32 {
                    entry.moves = moves;
                }
            }
        }
        self.annotated.clear();
        if entry.annotations > 0 {
            if let Some(file) = &self.annotations {
                self.annotated.read(file, entry.annotations)?;
            }
            self.damage.n_annotations += u64::from(self.annotated.is_damaged);
        }
        self.read_moves(entry.moves)?;
        let names = self.names(&entry, teams)?;
        write_pgn(&entry, &names, &self.annotated, &self.stored, pgn);
        Ok(true)
    }
}

impl Database {
    /// Reads what is stored about the moves of a game. Its size is at the start, in three bytes.
    fn read_moves(&mut self, at: u64) -> io::Result<()> {
        let at = at.min(self.moves.size());
        self.stored.resize(4, 0);
        let n = self.moves.fill_at(at, &mut self.stored)?;
        let size = Bytes(self.stored.get(1..n).unwrap_or_default()).big(3).unwrap_or(0);
        let rest = self.moves.size() - at;
        self.stored.resize(size.max(4).min(rest) as usize, 0);
        let n = self.moves.fill_at(at, &mut self.stored)?;
        self.stored.truncate(n);
        self.damage.n_moves += u64::from((n as u64) < size.max(4));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
