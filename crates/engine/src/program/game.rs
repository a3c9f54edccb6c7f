//! Facts of the game record.

use board::Color;
use syntax::tree::{AwardKind, SortId};

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

/// `hhdb prize` and its like.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Award {
    pub(crate) kind: AwardKind,
    pub(crate) special: bool,
    pub(crate) max: bool,
    pub(crate) sort: Option<[SortId; 3]>,
}
