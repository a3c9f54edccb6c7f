//! Facts of the game record.

use board::Color;

/// Facts of the game record that are the same at every position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GameText {
    Player(Color),
    Event,
    Site,
    Date,
    EventDate,
    Eco,
    /// Any other tag.
    Tag(Box<[u8]>),
    TagFen,
}
