//! What comes of the games of a chunk.

use std::sync::Arc;

use pgn::RawGame;

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
    /// It cannot be evaluated; nothing came of it.
    Evaluation,
    /// Evaluating it takes too much; nothing came of it.
    Limit,
    /// What came of it is too long, and was written in part.
    Truncated,
    /// A defect of this program; nothing came of it.
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
    /// Which of several results it is a fault of; none if it is one of the game itself.
    pub part: Option<usize>,
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

/// What a worker makes of the games of a chunk.
pub trait Results: Default + Send {
    /// Takes back what is noted of the last game, which has this number: its evaluation panicked.
    fn forget(&mut self, number: u64) {
        let _ = number;
    }
}

/// Nothing, for workers that only look.
impl Results for () {}

/// Those of several evaluations that share the games.
impl<R: Results> Results for Vec<R> {
    fn forget(&mut self, number: u64) {
        self.iter_mut().for_each(|part| part.forget(number));
    }
}

/// What comes of consecutive games of one source.
#[derive(Debug, Default)]
pub struct Output<R> {
    /// The number of the first of them.
    pub first_game: u64,
    /// How many games were read, evaluated or not.
    pub n_games: u64,
    /// How many bytes they have, with what stands between them.
    pub n_bytes: u64,
    /// Where they come from.
    pub origin: Origin,
    /// Why nothing follows them from there, although it is not the end: lower case, no full stop.
    pub failure: Option<String>,
    /// What went wrong, in the order of the games.
    pub faults: Vec<GameFault>,
    /// What the worker made of them.
    pub results: R,
}

impl<R: Results> Output<R> {
    pub(super) fn new(first_game: u64) -> Output<R> {
        Output {
            first_game,
            ..Output::default()
        }
    }

    /// Notes a fault of a game, which is shown at its beginning. The line follows when the game is
    /// done.
    pub fn fault(
        &mut self,
        raw: &RawGame<'_>,
        number: u64,
        kind: FaultKind,
        message: impl Into<String>,
    ) {
        self.fault_at(number, raw.offset, kind, message.into());
    }

    /// The same at a byte of the source.
    pub fn fault_at(&mut self, number: u64, offset: u64, kind: FaultKind, message: String) {
        self.faults.push(GameFault {
            number,
            line: 0,
            offset,
            kind,
            message,
            part: None,
        });
    }

    /// Whether so many faults of the games themselves have been described that nobody reads more.
    pub fn is_told_enough(&self) -> bool {
        let of_games = self.faults.iter().filter(|fault| fault.part.is_none());
        self.faults.len() >= DESCRIBED && of_games.count() >= DESCRIBED
    }

    /// Takes back what was said of a place in a game, since more is going to be said of it.
    pub fn unsay(&mut self, number: u64, offset: u64) {
        let of_game = self.faults.iter().rev();
        let n = of_game.take_while(|fault| fault.number == number).count();
        let first = self.faults.len() - n;
        let known = self.faults[first..]
            .iter()
            .position(|fault| fault.part.is_none() && fault.offset == offset);
        if let Some(known) = known {
            self.faults.remove(first + known);
        }
    }

    /// Notes what the splitter found in a game.
    pub(super) fn pgn_faults(&mut self, raw: &RawGame<'_>, number: u64, line: impl Fn(u64) -> u64) {
        let kind = if raw.is_skipped() {
            FaultKind::Skipped
        } else {
            FaultKind::Repaired
        };
        let fault = |of_source: u64, offset, kind, message| GameFault {
            number,
            line: line(of_source),
            offset,
            kind,
            message,
            part: None,
        };
        for found in &raw.faults {
            let message = found.kind.to_string();
            (self.faults).push(fault(found.line, found.offset, kind, message));
        }
        for lost in raw.losses.iter() {
            let message = lost.kind.to_string();
            (self.faults).push(fault(lost.line, lost.offset, FaultKind::Repaired, message));
        }
    }
}
