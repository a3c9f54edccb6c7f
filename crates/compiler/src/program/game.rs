//! Facts of the game record.

use board::Color;

/// Facts of the game record that are the same at every position.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum GameText {
    /// The name of a player.
    Player(Color),
    /// The tag `Event`.
    Event,
    /// The tag `Site`.
    Site,
    /// The tag `Date`.
    Date,
    /// The tag `EventDate`.
    EventDate,
    /// The tag `ECO`.
    Eco,
    /// Any other tag.
    Tag(Box<[u8]>),
    /// The tag `FEN`.
    TagFen,
}
