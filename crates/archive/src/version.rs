//! Versions of the format.

/// Version that is written. It also rises when games are read differently than before, because old
/// columns would no longer agree with the text.
pub(crate) const VERSION: u64 = 6;

/// Oldest version whose columns are used. The flags of version 5 do not know about few moves.
pub(crate) const SEARCHED: u64 = 5;

/// Oldest version whose manifest and texts are read. In its columns, several comments on one move
/// were read differently, and the offsets of skipped games are missing.
pub(crate) const OLDEST: u64 = 4;
