//! The parts of a summary that a screen reads.

use super::{Conditions, GameTest};
use compiler::facts::ALL_PIECES;
use compiler::program::GameText;
use compiler::program::plan::{GameFact, TagCondition, TagNumber, TagText};
use syntax::library::ThemeSet;

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
    /// The numbers of positions with these themes.
    pub themes: ThemeSet,
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
    /// Whether some of the parts are lists, one for each game.
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
            GameTest::Fact(fact) => parts.add_fact(fact),
            GameTest::Any(alternatives) => alternatives.iter().for_each(|a| a.add_parts(parts)),
            GameTest::Moves(_) => parts.moves = true,
            GameTest::Elsewhere(conditions) => conditions.add_parts(parts),
        }
    }
}

impl SummaryParts {
    fn add_fact(&mut self, fact: &GameFact) {
        match fact {
            GameFact::Never => {}
            GameFact::Happens(_) => self.kinds = true,
            GameFact::Plies(_) | GameFact::Pawns(_) => self.moves = true,
            GameFact::Recurs(same) => {
                self.moves = true;
                self.material |= !same.material.is_empty();
            }
            GameFact::HasVariations | GameFact::IsAnnotated => self.notes = true,
            GameFact::Tags(condition) => self.add_tags(condition),
            GameFact::Theme(theme) => self.themes.insert(*theme),
            GameFact::Stands(men) => self.squares |= men.kinds & ALL_PIECES,
            GameFact::Images(images) => self.squares |= images.kinds,
            GameFact::Board(_) => self.squares |= ALL_PIECES,
        }
    }

    fn add_tags(&mut self, condition: &TagCondition) {
        match condition {
            TagCondition::Constant(_) => {}
            TagCondition::Contains(one, other) | TagCondition::Texts(_, one, other) => {
                self.add_text(one);
                self.add_text(other);
            }
            TagCondition::Numbers(_, one, other) => {
                self.add_number(*one);
                self.add_number(*other);
            }
            TagCondition::Year(..) => self.date = true,
            TagCondition::Result(_) => self.result = true,
            TagCondition::All(items) | TagCondition::Any(items) => {
                items.iter().for_each(|item| self.add_tags(item));
            }
            TagCondition::Not(item) => self.add_tags(item),
        }
    }

    fn add_text(&mut self, text: &TagText) {
        match text {
            TagText::Fact(GameText::Date) => self.date = true,
            TagText::Fact(GameText::Event) => self.event = true,
            TagText::Fact(GameText::Site) => self.site = true,
            TagText::Fact(GameText::Eco) => self.eco = true,
            TagText::Fact(GameText::Player(_)) | TagText::Players => self.players = true,
            // No summary has these.
            TagText::Fact(GameText::EventDate | GameText::Tag(_) | GameText::TagFen) => {}
            TagText::Constant(_) => {}
        }
    }

    fn add_number(&mut self, number: TagNumber) {
        match number {
            TagNumber::Constant(_) => {}
            TagNumber::Year => self.date = true,
            TagNumber::Rating(_) => self.ratings = true,
        }
    }
}
