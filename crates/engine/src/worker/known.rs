//! Games that were read before and are searched without their texts.

use flow::{Output, Worker};
use syntax::builtin::NumberSource;

use crate::record::KnownGame;
use compiler::program::{BoolFilter, GameText, NumFilter, Program, SetFilter, TextFilter};

/// A worker that evaluates both texts and games that were read before.
pub trait KnownWorker: Worker {
    /// Evaluates a game that was read before, as [`Worker::game`] evaluates a text. If the game is
    /// not available, [`Output::failure`] has the reason.
    fn known_game(&mut self, game: &dyn KnownGame, number: u64, out: &mut Output<Self::Results>);

    /// Whether most games are evaluated with their moves, so that these should be read in advance.
    fn uses_moves(&self) -> bool {
        true
    }

    /// Whether the number of matching positions ([`KnownGame::n_matching`]), if it is known, is all
    /// that the query with this index needs of the positions of a game.
    fn needs_only_count(&self, query: usize) -> bool {
        let _ = query;
        false
    }
}

/// Data of a game that are needed in addition to the usual tags and the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RequestedParts {
    /// The text.
    pub(super) text: bool,
    /// Comments and NAGs.
    pub(super) annotations: bool,
    /// Tags other than those that every game read before has.
    pub(super) all_tags: bool,
}

impl RequestedParts {
    /// The text and everything in it, as needed to write the game.
    pub(super) const ALL: RequestedParts =
        RequestedParts { text: true, annotations: true, all_tags: true };

    /// Returns the data needed to evaluate a program.
    pub(super) fn by(program: &Program) -> RequestedParts {
        // Some of these filters need less, but the distinction would not pay.
        let hhdb = (program.bools.iter()).any(|filter| matches!(filter, BoolFilter::Hhdb(_)));
        let glyphs = (program.bools.iter()).any(|filter| matches!(filter, BoolFilter::HasNag(_)));
        let comments =
            (program.texts.iter()).any(|filter| matches!(filter, TextFilter::OriginalComment));
        let numbers = (program.nums.iter())
            .any(|filter| matches!(filter, NumFilter::Source(source) if is_annotation(*source)));
        let drawn = (program.sets.iter()).any(|filter| matches!(filter, SetFilter::Drawn(_)));
        let is_unusual = |source: &GameText| match source {
            GameText::Player(_) | GameText::Event | GameText::Site | GameText::Date => false,
            GameText::Eco | GameText::TagFen => false,
            GameText::EventDate | GameText::Tag(_) => true,
        };
        let tested = (program.bools.iter()).any(
            |filter| matches!(filter, BoolFilter::GameTextContains(_, source) if is_unusual(source)),
        );
        let read = (program.texts.iter())
            .any(|filter| matches!(filter, TextFilter::Game(source) if is_unusual(source)));
        RequestedParts {
            text: hhdb,
            annotations: hhdb || glyphs || comments || numbers || drawn,
            all_tags: tested || read,
        }
    }

    /// Whether the text of a game must be read.
    pub(super) fn takes_text(self, game: &dyn KnownGame) -> bool {
        self.text
            || self.annotations && game.is_annotated()
            || self.all_tags && !game.has_all_tags()
    }
}

/// Whether a number comes from the annotations of a file.
fn is_annotation(source: NumberSource) -> bool {
    use NumberSource as N;
    match source {
        N::Clock | N::Elapsed | N::Eval | N::EvalMate | N::Nag => true,
        N::Try
        | N::Tablebase
        | N::Dtz
        | N::Ply
        | N::MoveNumber
        | N::Depth
        | N::PositionId
        | N::SideToMove
        | N::HalfmoveClock
        | N::Repetition
        | N::Year
        | N::GameNumber
        | N::LastGameNumber => false,
    }
}
