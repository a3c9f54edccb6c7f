//! Levels of caution.

/// Level of caution of a repair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Caution {
    /// All findings are repaired.
    #[default]
    Usual,
    /// An unreadable word in place of a move stays as it is, and a search goes on after it as
    /// before. A tag that a search does not read sets no start of the game.
    KeepsUnread,
    /// The text stays as it is.
    KeepsAll,
}

impl Caution {
    /// Returns the reason why caution leaves a game partly unrepaired; lower case, no full stop.
    #[must_use]
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Caution::Usual => None,
            Caution::KeepsUnread => {
                Some("without an unreadable word, other moves would be read than before")
            }
            Caution::KeepsAll => Some("no repair keeps all positions and words"),
        }
    }
}
