//! What comes of the games of a chunk.

use std::ops::Range;
use std::sync::Arc;

use pgn::RawGame;

/// A value that games are sorted by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortKey {
    /// The `sort` filter was never evaluated successfully: last in both directions.
    None,
    /// A number.
    Number(i64),
    /// A string, compared by bytes.
    Text(Vec<u8>),
}

/// A game that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Its number, counted through all sources.
    pub number: u64,
    /// Where its text stands in [`ChunkOutput::text`].
    pub text: Range<usize>,
    /// How many of its positions match.
    pub n_positions: u64,
    /// One for each sort variable.
    pub sort_keys: Vec<SortKey>,
}

/// What kind of fault a game has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// Its text is malformed; it was read as far as possible.
    Repaired,
    /// Moves of it are not read: it was searched without them.
    Cut,
    /// Its text is malformed; it was left out.
    Skipped,
    /// It is played by rules that are not known here; it was left out. The message is the name of
    /// its variant, and the line is not looked up, since a file may hold nothing else.
    Variant,
    /// The query cannot be evaluated on it; it does not match.
    Evaluation,
    /// The query takes too many steps on it; it does not match.
    Limit,
    /// It matches, but is longer than the output buffer, and was written in part.
    Truncated,
    /// A defect of this program; the game does not match.
    Internal,
}

/// Where games come from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The name of the source.
    pub name: Arc<str>,
    /// How many games the sources before it hold: what to take off the number of a game to get
    /// its number in the source.
    pub games_before: u64,
}

/// What is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFault {
    /// Its number, counted through all sources.
    pub number: u64,
    /// The line of the fault in the source, from 1; 0 if it was not looked up.
    pub line: u64,
    /// The byte of the fault in the source, from 0.
    pub offset: u64,
    /// What kind it is of.
    pub kind: FaultKind,
    /// What is wrong: lower case, no full stop. Where many games before it in the same chunk are at
    /// fault, it may not say what exactly.
    pub message: String,
}

impl GameFault {
    /// Whether the game may have been searched and found all the same.
    pub fn is_searched(&self) -> bool {
        use FaultKind::{Cut, Repaired, Truncated};
        matches!(self.kind, Repaired | Cut | Truncated)
    }
}

/// So many faults of a chunk are described; nobody reads more.
const DESCRIBED: usize = 50;

/// The results of consecutive games of one source.
#[derive(Debug, Default)]
pub struct ChunkOutput {
    /// The number of the first of them.
    pub first_game: u64,
    /// How many games were read, evaluated or not.
    pub n_games: u64,
    /// Positions of the games whose moves were read.
    pub n_positions: u64,
    /// Positions that match, in the games that match.
    pub n_matching_positions: u64,
    /// How many bytes they have, with what stands between them.
    pub n_bytes: u64,
    /// Where they come from.
    pub origin: Origin,
    /// Why nothing follows them from there, although it is not the end: lower case, no full stop.
    pub failure: Option<String>,
    /// The games that match, as they are to be written.
    pub text: Vec<u8>,
    /// Those games in order.
    pub matches: Vec<Match>,
    /// What `message` filters printed.
    pub messages: Vec<u8>,
    /// The games that printed, each with the end of what it printed in `messages`.
    pub message_ends: Vec<(u64, usize)>,
    /// What went wrong.
    pub faults: Vec<GameFault>,
    /// What each query came to, where several share the games; empty if none of the games was
    /// evaluated. What they have in common stands outside: the games that were read, and what is
    /// wrong with their text.
    pub queries: Vec<ChunkOutput>,
}

/// A state of a [`ChunkOutput`] that can be returned to.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    text: usize,
    matches: usize,
    messages: usize,
    faults: usize,
}

impl ChunkOutput {
    pub(super) fn new(first_game: u64) -> ChunkOutput {
        ChunkOutput {
            first_game,
            ..ChunkOutput::default()
        }
    }

    /// An empty one for one of several queries.
    pub fn of_query(all: &ChunkOutput) -> ChunkOutput {
        let mut out = ChunkOutput::new(all.first_game);
        out.origin = all.origin.clone();
        out
    }

    /// Where it stands.
    pub fn mark(&self) -> Mark {
        Mark {
            text: self.text.len(),
            matches: self.matches.len(),
            messages: self.messages.len(),
            faults: self.faults.len(),
        }
    }

    /// Goes back to where it stood.
    pub fn rewind(&mut self, mark: Mark) {
        self.text.truncate(mark.text);
        self.matches.truncate(mark.matches);
        self.messages.truncate(mark.messages);
        self.faults.truncate(mark.faults);
    }

    /// Notes what the game did that began at `mark`.
    pub fn end_game(&mut self, number: u64, mark: Mark) {
        if self.messages.len() > mark.messages {
            self.message_ends.push((number, self.messages.len()));
        }
    }

    /// Notes that the query cannot be evaluated on a game. The line follows when the game is done.
    pub fn fault(
        &mut self,
        raw: &RawGame<'_>,
        number: u64,
        kind: FaultKind,
        message: impl Into<String>,
    ) {
        self.fault_at(number, raw.offset, kind, message.into());
    }

    /// The same for a byte of the source.
    pub fn fault_at(&mut self, number: u64, offset: u64, kind: FaultKind, message: String) {
        self.faults.push(GameFault {
            number,
            line: 0,
            offset,
            kind,
            message,
        });
    }

    /// Whether so many faults have been described that nobody reads more.
    pub fn is_told_enough(&self) -> bool {
        self.faults.len() >= DESCRIBED
    }

    /// Forgets what is known of a place in a game, since more is going to be said of it.
    pub fn forget(&mut self, number: u64, offset: u64) {
        let of_game = self.faults.iter().rev();
        let n = of_game.take_while(|fault| fault.number == number).count();
        let first = self.faults.len() - n;
        let known = self.faults[first..]
            .iter()
            .position(|fault| fault.offset == offset);
        if let Some(known) = known {
            self.faults.remove(first + known);
        }
    }

    /// Notes the faults that the splitter found in a game.
    pub(super) fn pgn_faults(&mut self, raw: &RawGame<'_>, number: u64, line: impl Fn(u64) -> u64) {
        let kind = if raw.is_skipped() {
            FaultKind::Skipped
        } else {
            FaultKind::Repaired
        };
        for fault in &raw.faults {
            self.faults.push(GameFault {
                number,
                line: line(fault.line),
                offset: fault.offset,
                kind,
                message: fault.kind.to_string(),
            });
        }
    }
}
