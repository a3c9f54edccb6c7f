//! Counts, compares and repairs the games of collections: statistics, opening trees, preparation
//! for an opponent, duplicates and issues. Makes queries of passages of games ([`example`]) and
//! exercises of positions ([`puzzle`]).
//!
//! Games are counted by their text, or by the columns of their archives where these suffice, with
//! the same results. Nothing is printed and no file is opened here: the caller has found the games
//! ([`Collection`]), and a [`Watch`] of the caller receives progress and issues. Without the feature
//! `files` there are only the counters of tags ([`TagCounts`]), the queries of passages, positions by
//! their moves ([`target`]), and the exercises.

#[cfg(feature = "files")]
mod collection;
#[cfg(feature = "files")]
pub mod doctor;
#[cfg(feature = "files")]
pub mod duplicates;
pub mod example;
mod names;
#[cfg(feature = "files")]
pub mod prepare;
pub mod puzzle;
#[cfg(feature = "files")]
pub mod stats;
#[cfg(feature = "files")]
pub mod study;
mod tags;
// Without files, positions are only read, and not looked for in games.
#[cfg_attr(not(feature = "files"), expect(dead_code))]
pub mod target;
#[cfg(feature = "files")]
pub mod tree;

#[cfg(feature = "files")]
pub use collection::{Collection, Error, PassProgress, Watch};
pub use names::{Count, Names};
pub use tags::{TagCounter, TagCounts};
