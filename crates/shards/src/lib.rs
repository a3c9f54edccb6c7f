//! Games cut into shards, so that many machines can search them, each some.
//!
//! A shard is a file with consecutive games of one source, packed as `.pgn.zst` in frames that any
//! decoder unpacks. The [`Manifest`] beside the shards says of each where its games stand in the
//! whole, so that a search of a shard tells the same numbers, lines and names as a search of
//! everything, and has its checksum. Shards do not change; the manifest is written last.
//!
//! [`Fraction`] says which of the shards one of several jobs searches. [`stretches`] cuts a source
//! without writing anything.

mod cut;
mod error;
mod fraction;
mod fresh;
mod manifest;
mod split;

pub use cut::{Cut, Enough, MOST_TEXT, Size, Stretch, stretches};
pub use error::Error;
pub use fraction::Fraction;
pub use manifest::{Manifest, Shard, ShardedSource};
pub use split::Splitting;

/// A short text that tells bytes from any others: their checksum, by XXH3 with 64 bits.
#[must_use]
pub fn id(bytes: &[u8]) -> String {
    manifest::shown(xxhash_rust::xxh3::xxh3_64(bytes))
}
