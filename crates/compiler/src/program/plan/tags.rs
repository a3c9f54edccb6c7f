//! Conditions on the tags of a game that a summary can decide.

use board::Color;
use syntax::token::GameResult;
use syntax::tree::Relation;

use crate::program::game::GameText;

/// A condition on the tags and the result of a game.
#[derive(Debug, Clone, PartialEq)]
pub enum TagCondition {
    /// A constant.
    Constant(bool),
    /// Whether the first text contains the second one.
    Contains(TagText, TagText),
    /// Two texts are in this relation.
    Texts(Relation, TagText, TagText),
    /// Two numbers are in this relation.
    Numbers(Relation, TagNumber, TagNumber),
    /// The year is in this range.
    Year(i32, i32),
    /// The game has this result.
    Result(GameResult),
    /// All of these hold.
    All(Box<[TagCondition]>),
    /// One of these holds.
    Any(Box<[TagCondition]>),
    /// The condition does not hold.
    Not(Box<TagCondition>),
}

/// A text from the tags of a game, or a constant.
#[derive(Debug, Clone, PartialEq)]
pub enum TagText {
    /// A constant.
    Constant(Box<[u8]>),
    /// A text of the game.
    Fact(GameText),
    /// The names of both players.
    Players,
}

/// A number from the tags of a game, or a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagNumber {
    /// A constant.
    Constant(i32),
    /// The year of the game.
    Year,
    /// The rating of a player, or the greater rating of both.
    Rating(Option<Color>),
}
