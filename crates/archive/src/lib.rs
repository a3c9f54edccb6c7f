//! Columnar archives of games, which can be searched without reading the PGN text.
//!
//! An archive is a folder with a [`Manifest`] and immutable segments ([`Segment`]). A segment is an
//! Arrow IPC file with the columns of up to 65,536 games ([`Rows`]): moves, tags, facts known
//! without replaying the moves ([`pgn::summary`]), and the location of each game's text. The text
//! stays in the source files, and everything that has no column is read from there, so a search of
//! an archive and a search of its sources give the same results. A self-contained archive also
//! stores the text itself ([`keep_texts`]), so that the source files can be deleted.
//!
//! An archive can also keep the themes of its games ([`Themes`]), in a file for each segment.
//!
//! No stored byte is trusted. Each column and each column location has a checksum, and a segment
//! that differs from what was written is rejected with an [`Error`].
//!
//! This crate reads and writes the format. The crate `babson` (`crates/search`) evaluates queries on
//! archives.

mod archive;
mod beside;
mod build;
mod check;
mod column;
mod encode;
mod error;
mod folder_lock;
mod fresh;
mod ipc;
mod lock;
mod manifest;
mod plan;
mod rows;
mod segment;
mod texts;
mod themes;
mod version;

pub use archive::Archive;
pub use beside::beside;
pub use build::{Builder, Chunk, SourceLog};
pub use check::CheckReport;
pub use column::{Lists, Number, Numbers, Texts};
pub use encode::Encoder;
pub use error::{Error, Refusal};
pub use folder_lock::{FolderLock, LockError};
pub use fresh::Fresh;
pub use ipc::{BLOCK_ROWS, Strips};
pub use lock::Lock;
pub use manifest::{
    ArchivedFile, ArchivedSource, ArchivedText, Manifest, SegmentEntry, TextAccess,
};
pub use plan::{ArchiveState, BuildPlan, ReusablePrefix, plan};
pub use rows::{Columns, Coverage, Flags, RowSummary, Rows, SEGMENT_GAMES, StoredGame};
pub use segment::{Segment, SegmentFile};
pub use texts::{drop_texts, keep_texts, read_changed};
pub use themes::{ThemeSegment, Themes, UNKNOWN_POSITIONS};
