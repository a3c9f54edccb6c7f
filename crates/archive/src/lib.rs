//! Archives: games in columns, to be searched again without reading their text.
//!
//! An archive is a folder of immutable segments ([`Segment`]) and a manifest. A segment is a file in
//! the IPC format of Arrow with the columns of up to 65,536 games ([`Rows`]): their moves, what is
//! known of them without replaying ([`pgn::summary`]), their tags, and where their text stands. The
//! text stays where it is. What is not in the columns is read from there, so that an archive never
//! says less than the text, nor anything else. If its files are to go away, it can have the text,
//! too ([`keep_texts`]).
//!
//! Nothing that is read is trusted: each column has a checksum, its place another, and a segment
//! that is not the one that was written is refused.

mod archive;
mod beside;
mod build;
mod check;
mod column;
mod encode;
mod error;
mod fresh;
mod ipc;
mod lock;
mod manifest;
mod plan;
mod rows;
mod segment;
mod texts;

pub use archive::Archive;
pub use beside::beside;
pub use build::{Builder, Chunk, Opened};
pub use check::Checked;
pub use column::{Lists, Number, Numbers, Texts};
pub use encode::Encoder;
pub use error::Error;
pub use ipc::{BLOCK_ROWS, Strips};
pub use lock::Lock;
pub use manifest::{ArchivedFile, ArchivedSource, ArchivedText, Form, Manifest, SegmentEntry};
pub use plan::{Kept, Plan, Standing, plan};
pub use rows::{Class, Columns, Flags, Game, RowSummary, Rows, SEGMENT_GAMES};
pub use segment::{Segment, SegmentFile};
pub use texts::{drop_texts, keep_texts, read_changed};
