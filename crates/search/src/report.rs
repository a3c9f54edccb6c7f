//! Report of a search.

use std::fmt::{self, Display, Formatter};

use engine::QueryResults;
use flow::Output;

use crate::{Summary, UnusedArchive};

/// Number of faults that are stored; further ones are only counted.
const MOST_FAULTS: usize = 1000;

/// Number of bytes of `message` filters that are stored.
const MOST_MESSAGES: usize = 1 << 20;

/// The assumption about a file with text that is not UTF-8.
pub const NOT_UTF8: &str = "bytes that are not UTF-8 are read as Windows-1252 (Latin-1)";

/// Issue of a game or a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Name of the file.
    pub input: String,
    /// Number of the game, counted through all files from 1; 0 for an issue of the file itself.
    pub game: u64,
    /// Line number, from 1; 0 if it is not known.
    pub line: u64,
    /// The reason, in lower case and without a full stop.
    pub message: String,
    /// Whether the game was searched nevertheless.
    pub searched: bool,
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.input)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if self.game > 0 {
            write!(f, ": game {}", self.game)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Counts and issues of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Number of games read.
    pub games: u64,
    /// Number of matching games.
    pub matches: u64,
    /// Number of matching positions in those games.
    pub positions: u64,
    /// The first thousand issues, including those of games that were searched nevertheless.
    pub faults: Vec<Fault>,
    /// Number of all issues. An archive that the search does not use, and the encoding that it assumes
    /// of a file, are listed in `faults` but not counted here, since the games are searched.
    pub n_faults: u64,
    /// The first source that could not be read to its end, and why.
    pub unreadable: Option<String>,
    /// Text that `message` filters printed, at most a megabyte.
    pub messages: String,
    /// `NAME: VALUE` for each persistent variable that is shown, once the search has ended.
    pub persistent: Vec<String>,
}

impl Report {
    /// Adds the results of consecutive games.
    pub fn note(&mut self, out: &Output<Vec<QueryResults>>) {
        self.games += out.n_games;
        for found in &out.results {
            self.matches += found.matches.len() as u64;
            self.positions += found.n_matching_positions;
            let room = MOST_MESSAGES.saturating_sub(self.messages.len());
            let messages = &found.messages[..found.messages.len().min(room)];
            self.messages += &pgn::decode(messages);
        }
        let input = || out.origin.name.to_string();
        for fault in &out.faults {
            self.count(Fault {
                input: input(),
                game: fault.number,
                line: fault.line,
                message: fault.text().into_owned(),
                searched: fault.is_searched(),
            });
        }
        let assumed = |fault: &Fault| fault.message == NOT_UTF8 && *fault.input == *out.origin.name;
        if out.is_not_utf8 && !self.faults.iter().rev().any(assumed) {
            let message = NOT_UTF8.to_owned();
            self.list(Fault { input: input(), game: 0, line: 0, message, searched: true });
        }
        if let Some(error) = &out.failure {
            let told = || format!("cannot read {}: {error}", out.origin.name);
            self.unreadable.get_or_insert_with(told);
            let message = error.to_string();
            self.count(Fault { input: input(), game: 0, line: 0, message, searched: false });
        }
    }

    /// Adds an archive whose text is read instead.
    pub fn note_unused(&mut self, unused: &UnusedArchive) {
        self.list(Fault {
            input: unused.archive.clone(),
            game: 0,
            line: 0,
            message: unused.message(),
            searched: true,
        });
    }

    /// Adds the totals that are known at the end of the search.
    pub fn note_end(&mut self, summary: &Summary) {
        let persistent = summary.queries.iter().flat_map(|query| &query.persistent);
        self.persistent = persistent.map(|line| pgn::decode(line).into_owned()).collect();
    }

    fn count(&mut self, fault: Fault) {
        self.n_faults += 1;
        self.list(fault);
    }

    fn list(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        }
    }
}
