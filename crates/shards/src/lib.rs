//! Cuts games into shards, so that several machines can each search some of them.
//!
//! A shard is a file with consecutive games of one source, compressed as `.pgn.zst` in frames that
//! any decoder reads. The [`Manifest`] next to the shards records the location of each shard in the
//! whole, so that a search of a shard reports the numbers, lines and names of a search of
//! everything; it also has the checksum of each shard. Shards do not change; the manifest is
//! written last.
//!
//! [`Fraction`] selects the shards of one of several jobs. [`game_runs`] cuts a source without
//! writing anything.

mod cut;
mod error;
mod fraction;
mod manifest;
mod split;

pub use cut::{Cut, GameRun, MOST_TEXT, ShardLimit, Size, game_runs};
pub use error::Error;
pub use fraction::{Fraction, FractionError};
pub use manifest::{Manifest, Shard, ShardedSource};
pub use split::Splitting;

/// Returns the XXH3 checksum of the bytes (64 bits, hexadecimal), a short text that identifies
/// them.
#[must_use]
pub fn id(bytes: &[u8]) -> String {
    manifest::shown(xxhash_rust::xxh3::xxh3_64(bytes))
}
