//! Games that were read before: what there is of them without their texts.

use flow::{Output, Worker};
use pgn::{GameTree, Tags};

use syntax::builtin::NumberSource;

use compiler::program::{BoolFilter, GameText, NumFilter, Program, SetFilter, TextFilter};

/// A game whose tags and moves are at hand, and whose text can be had when it is asked for.
///
/// It comes to what its text would come to, if that has no faults and is played by rules that are
/// known here. Where one of these methods fails, the search ends: the message says why, in lower
/// case and without a full stop.
pub trait KnownGame {
    /// What its tags say of the event, the site, the date, the round, the players with their
    /// ratings, the result, the opening and the start; of others, only if all are at hand.
    fn tags(&self) -> Tags<'_>;

    /// Whether the tags are those of the text, in their order. If not, the text is read where
    /// others are asked for.
    fn has_all_tags(&self) -> bool;

    /// Whether comments or annotation glyphs stand among its moves, or a text before its tags.
    fn is_annotated(&self) -> bool;

    /// Builds the tree that parsing the text gives, though without what is annotated.
    fn build(&self, tree: &mut GameTree) -> Result<(), String>;

    /// Where the text begins in its source.
    fn offset(&self) -> u64;

    /// Appends the text, as it stands in its source.
    fn read_text(&self, text: &mut Vec<u8>) -> Result<(), String>;
}

/// A worker that is given games that were read before as well as texts.
pub trait KnownWorker: Worker {
    /// Evaluates a game that was read before, as [`Worker::game`] does one that stands in the
    /// input. Where it cannot be had, [`Output::failure`] says why.
    fn known_game(&mut self, game: &dyn KnownGame, number: u64, out: &mut Output<Self::Results>);
}

/// What is wanted of a game besides the usual tags and the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Wanted {
    /// Its text.
    pub(super) text: bool,
    /// Comments and glyphs.
    pub(super) annotations: bool,
    /// Tags beyond those that every game that was read before has.
    pub(super) all_tags: bool,
}

impl Wanted {
    /// The text and all that is in it, as it takes to write the game.
    pub(super) const ALL: Wanted = Wanted {
        text: true,
        annotations: true,
        all_tags: true,
    };

    /// What it takes to evaluate a program.
    pub(super) fn by(program: &Program) -> Wanted {
        // Some of these ask for less, which is not worth telling apart.
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
        Wanted {
            text: hhdb,
            annotations: hhdb || glyphs || comments || numbers || drawn,
            all_tags: tested || read,
        }
    }

    /// Whether it takes the text of a game.
    pub(super) fn takes_text(self, game: &dyn KnownGame) -> bool {
        self.text
            || self.annotations && game.is_annotated()
            || self.all_tags && !game.has_all_tags()
    }
}

/// Whether a number stands among the moves of a file.
fn is_annotation(source: NumberSource) -> bool {
    use NumberSource as N;
    match source {
        N::Clock | N::Elapsed | N::Eval | N::EvalMate | N::Nag => true,
        N::Try
        | N::Ply
        | N::MoveNumber
        | N::Depth
        | N::PositionId
        | N::SideToMove
        | N::HalfmoveClock
        | N::Year
        | N::GameNumber
        | N::LastGameNumber => false,
    }
}
