//! Output of the games of a chunk: results and issues.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

use pgn::{LossKind, RawGame};

use crate::error::ReadError;

/// Kind of an issue of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The text is malformed; the game was read as far as possible.
    Repaired,
    /// Some moves cannot be read; the game was searched without them.
    Cut,
    /// The text is malformed; the game was skipped.
    Skipped,
    /// The text of the game contains others, of which so many are left out; the game itself was read as far
    /// as possible.
    Swallowed(u32),
    /// The variant is unknown; the game was skipped. The message is the name of the variant. The
    /// line is not looked up, since all games of a file may be of this kind.
    Variant,
    /// The variant is unknown; the game was read by the rules of chess, which permit all of its
    /// moves. The message and the line are as for `Variant`.
    Assumed,
    /// The game cannot be evaluated; it has no results.
    Evaluation,
    /// Evaluating the game exceeds a limit; it has no results.
    Limit,
    /// The output of the game is too long and was truncated.
    Truncated,
    /// A defect of this program; the game has no results.
    Internal,
}

/// Source of games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// Name of the source.
    pub name: Arc<str>,
    /// Number of games in the sources before it: the difference between the number of a game and
    /// its number in the source.
    pub games_before: u64,
}

/// An issue of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFault {
    /// Number of the game, counted through all sources.
    pub number: u64,
    /// Line in the source, from 1; 0 if it was not looked up.
    pub line: u64,
    /// Byte offset in the source.
    pub offset: u64,
    /// Kind of the issue.
    pub kind: FaultKind,
    /// Description: lower case, no full stop. May be less exact if many earlier games of the chunk
    /// have issues.
    pub message: String,
    /// Index of the query whose result has the issue; `None` if it is an issue of the game itself.
    pub part: Option<usize>,
}

impl GameFault {
    /// Whether the game may have been searched, and may match, despite the issue.
    pub fn is_searched(&self) -> bool {
        use FaultKind::{Assumed, Cut, Repaired, Swallowed, Truncated};
        matches!(self.kind, Repaired | Cut | Swallowed(_) | Truncated | Assumed)
    }

    /// Number of games that are left out because of the issue.
    pub fn n_left_out(&self) -> u64 {
        match self.kind {
            FaultKind::Swallowed(n) => n.into(),
            _ => u64::from(!self.is_searched()),
        }
    }

    /// Whether the issue is that of a variant, whose name is the message.
    pub fn is_of_variant(&self) -> bool {
        matches!(self.kind, FaultKind::Variant | FaultKind::Assumed)
    }

    /// Returns the description in words that need no others: the message, unless that is a name.
    pub fn text(&self) -> Cow<'_, str> {
        let name = &self.message;
        match self.kind {
            FaultKind::Variant => {
                format!("the variant '{name}' is not known; the game is left out").into()
            }
            FaultKind::Assumed => {
                let read = "the game is read by the rules of chess";
                format!("the variant '{name}' is not known; {read}").into()
            }
            _ => name.into(),
        }
    }
}

/// Number of issues of a chunk that are described in detail.
const DESCRIBED: usize = 50;

/// Results of a worker for the games of a chunk.
pub trait Results: Default + Send {
    /// Removes the results of the last game, which has this number, because its evaluation
    /// panicked.
    fn forget(&mut self, number: u64) {
        let _ = number;
    }
}

/// No results, for workers that need none.
impl Results for () {}

/// Results of several evaluations that share the games.
impl<R: Results> Results for Vec<R> {
    fn forget(&mut self, number: u64) {
        self.iter_mut().for_each(|part| part.forget(number));
    }
}

/// Output for consecutive games of one source.
#[derive(Debug, Default)]
pub struct Output<R> {
    /// Number of the first game.
    pub first_game: u64,
    /// Number of games read, evaluated or not.
    pub n_games: u64,
    /// Number of bytes of the games and of the text between them.
    pub n_bytes: u64,
    /// Source of the games.
    pub origin: Origin,
    /// Whether the text has bytes that are not UTF-8, which are read as Windows-1252.
    pub is_not_utf8: bool,
    /// Reason why the source cannot be read further.
    pub failure: Option<ReadError>,
    /// Issues, in the order of the games.
    pub faults: Vec<GameFault>,
    /// Results of the worker.
    pub results: R,
}

impl<R: Results> Output<R> {
    pub(super) fn new(first_game: u64) -> Output<R> {
        Output { first_game, ..Output::default() }
    }

    /// Removes and returns everything about the games before `next`.
    pub(super) fn take_before(&mut self, next: u64) -> Output<R> {
        let n_games = next - self.first_game;
        let rest = Output {
            n_games: self.n_games - n_games,
            origin: self.origin.clone(),
            ..Output::new(next)
        };
        let mut before = mem::replace(self, rest);
        before.n_games = n_games;
        let n_faults = before.faults.partition_point(|fault| fault.number < next);
        self.faults = before.faults.split_off(n_faults);
        before
    }

    /// Records an issue at the beginning of a game. Its line is looked up after the game.
    pub fn fault(
        &mut self,
        raw: &RawGame<'_>,
        number: u64,
        kind: FaultKind,
        message: impl Into<String>,
    ) {
        self.fault_at(number, raw.offset, kind, message.into());
    }

    /// Records an issue at a byte offset of the source.
    pub fn fault_at(&mut self, number: u64, offset: u64, kind: FaultKind, message: String) {
        self.faults.push(GameFault { number, line: 0, offset, kind, message, part: None });
    }

    /// Whether enough issues of games have been described in detail.
    pub fn is_told_enough(&self) -> bool {
        let of_games = self.faults.iter().filter(|fault| fault.part.is_none());
        self.faults.len() >= DESCRIBED && of_games.count() >= DESCRIBED
    }

    /// Removes the issue at an offset of a game, to replace it by a more exact one.
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

    /// Records the issues that the splitter found in a game.
    pub(super) fn pgn_faults(&mut self, raw: &RawGame<'_>, number: u64, line: impl Fn(u64) -> u64) {
        let kind = if raw.is_skipped() { FaultKind::Skipped } else { FaultKind::Repaired };
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
            let kind = match lost.kind {
                LossKind::GamesBehindTag(n) => FaultKind::Swallowed(n),
                _ => FaultKind::Repaired,
            };
            (self.faults).push(fault(lost.line, lost.offset, kind, message));
        }
    }
}

/// Results of a chunk that wait to be delivered, in the order of its games.
pub(super) struct Parts<R> {
    waiting: VecDeque<Output<R>>,
    /// Whether no more will come.
    is_whole: bool,
}

impl<R> Parts<R> {
    /// Results that are still to come.
    pub(super) fn none() -> Parts<R> {
        Parts { waiting: VecDeque::new(), is_whole: false }
    }

    /// All results of a chunk.
    pub(super) fn whole(out: Output<R>) -> Parts<R> {
        Parts { waiting: VecDeque::from([out]), is_whole: true }
    }

    pub(super) fn add(&mut self, out: Output<R>, is_last: bool) {
        self.waiting.push_back(out);
        self.is_whole |= is_last;
    }

    pub(super) fn next(&mut self) -> Option<Output<R>> {
        self.waiting.pop_front()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether everything has been delivered.
    pub(super) fn is_over(&self) -> bool {
        self.is_whole && self.is_empty()
    }
}
