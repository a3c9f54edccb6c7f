//! The parts of a summary that a screen reads.

use super::tags::{TagCondition, TagNumber, TagText};
use super::{ALL_PIECES, Conditions, GameTest};
use compiler::program::GameText;

/// Parts of a [`Summary`](pgn::summary::Summary). If a summary is stored in columns, only the
/// columns of these parts need to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SummaryParts {
    /// The Event tag.
    pub event: bool,
    /// The Site tag.
    pub site: bool,
    /// The names of the players.
    pub players: bool,
    /// The ECO tag.
    pub eco: bool,
    /// The date.
    pub date: bool,
    /// The ratings.
    pub ratings: bool,
    /// The result.
    pub result: bool,
    /// Whether the game has variations, and whether it has annotations.
    pub notes: bool,
    /// The kinds of events in the game.
    pub kinds: bool,
    /// The squares of these pieces, one bit for each by [`Piece::index`](board::Piece::index).
    pub squares: u16,
    /// The squares of the pieces in variations, too.
    pub variations: bool,
    /// The pieces at the start, captures and promotions.
    pub material: bool,
    /// The moves, their number, and whether the game has a FEN tag.
    pub moves: bool,
}

impl SummaryParts {
    /// Whether parts are read of which each game has a list.
    pub(super) fn looks_at_lists(&self) -> bool {
        self.squares != 0 || self.material || self.moves
    }

    /// Adds the squares in variations if `variations` is set and squares are read.
    pub(super) fn of_lines(mut self, variations: bool) -> SummaryParts {
        self.variations = variations && self.squares != 0;
        self
    }

    /// Returns the parts without lists.
    pub(super) fn without_lists(self) -> SummaryParts {
        SummaryParts { squares: 0, variations: false, material: false, moves: false, ..self }
    }
}

impl Conditions {
    pub(super) fn parts(&self) -> SummaryParts {
        let mut parts = SummaryParts::default();
        self.add_parts(&mut parts);
        parts
    }

    pub(super) fn parts_of_material(&self) -> SummaryParts {
        SummaryParts {
            material: !self.material.is_empty(),
            squares: self.material_squares,
            ..SummaryParts::default()
        }
    }

    fn add_parts(&self, parts: &mut SummaryParts) {
        let of_material = self.parts_of_material();
        parts.material |= of_material.material;
        parts.squares |= of_material.squares;
        self.tests.iter().for_each(|test| test.add_parts(parts));
    }
}

impl GameTest {
    pub(super) fn parts(&self) -> SummaryParts {
        let mut parts = SummaryParts::default();
        self.add_parts(&mut parts);
        parts
    }

    fn add_parts(&self, parts: &mut SummaryParts) {
        match self {
            GameTest::Never => {}
            GameTest::Happens(_) => parts.kinds = true,
            GameTest::Plies(_) => parts.moves = true,
            GameTest::HasVariations | GameTest::IsAnnotated => parts.notes = true,
            GameTest::Tags(condition) => condition.add_parts(parts),
            GameTest::Stands(men) => parts.squares |= men.kinds & ALL_PIECES,
            GameTest::Images(images) => parts.squares |= images.kinds,
            GameTest::Board(_) => parts.squares |= ALL_PIECES,
            GameTest::Any(alternatives) => alternatives.iter().for_each(|a| a.add_parts(parts)),
            GameTest::Moves(_) | GameTest::Pawns(_) => parts.moves = true,
            GameTest::Elsewhere(conditions) => conditions.add_parts(parts),
        }
    }
}

impl TagCondition {
    fn add_parts(&self, parts: &mut SummaryParts) {
        match self {
            TagCondition::Constant(_) => {}
            TagCondition::Contains(one, other) | TagCondition::Texts(_, one, other) => {
                one.add_parts(parts);
                other.add_parts(parts);
            }
            TagCondition::Numbers(_, one, other) => {
                one.add_parts(parts);
                other.add_parts(parts);
            }
            TagCondition::Year(..) => parts.date = true,
            TagCondition::Result(_) => parts.result = true,
            TagCondition::All(items) | TagCondition::Any(items) => {
                items.iter().for_each(|item| item.add_parts(parts));
            }
            TagCondition::Not(item) => item.add_parts(parts),
        }
    }
}

impl TagText {
    fn add_parts(&self, parts: &mut SummaryParts) {
        match self {
            TagText::Fact(GameText::Date) => parts.date = true,
            TagText::Fact(GameText::Event) => parts.event = true,
            TagText::Fact(GameText::Site) => parts.site = true,
            TagText::Fact(GameText::Eco) => parts.eco = true,
            TagText::Fact(GameText::Player(_)) | TagText::Players => parts.players = true,
            // No summary has these.
            TagText::Fact(GameText::EventDate | GameText::Tag(_) | GameText::TagFen) => {}
            TagText::Constant(_) => {}
        }
    }
}

impl TagNumber {
    fn add_parts(self, parts: &mut SummaryParts) {
        match self {
            TagNumber::Constant(_) => {}
            TagNumber::Year => parts.date = true,
            TagNumber::Rating(_) => parts.ratings = true,
        }
    }
}
