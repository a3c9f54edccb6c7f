//! Searches inputs that may have archives, using columns where possible and text where necessary.
//!
//! The results are always those of a search of the text. Malformed games, and games that need more
//! than the columns hold, are therefore read from their text, and an archive whose sources have
//! changed is not used at all.
//!
//! The names that a user gives are resolved to [`Games`], including archives that are named or
//! found next to the files. Consecutive inputs that are searched the same way form an
//! [`InputGroup`], and a [`ScanPlan`] searches one group after the other. Programs that count or
//! compare games read [`ArchiveRows`] instead. A search can also be divided into [`Partitions`]
//! that are searched separately, on other threads or machines. [`make()`] builds archives for all
//! front ends.
//!
//! Nothing is printed here: the caller receives an [`UnusedArchive`](crate::UnusedArchive) for each
//! archive that is skipped, with the reason.

mod asked;
mod blocks;
mod chooser;
mod games;
mod groups;
mod make;
mod pieces;
mod reader;
mod searcher;
mod stored;
mod themes;
mod walk;

pub use asked::ConditionCounts;
pub use blocks::{ArchiveReadError, ArchiveRows, Chosen};
pub use games::{Games, NotFound, archive};
pub use groups::InputGroup;
pub use make::{Heard, KeepText, Made, MakeOptions, make};
pub use pieces::{ArchivePartition, Partition, Partitions, PlannedPartition};
pub use reader::ArchiveReader;
pub use themes::{KeepThemes, outdated_themes};
pub use walk::{ScanPlan, sources_of};
