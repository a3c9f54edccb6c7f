//! An archive that a search does not use.

use std::fmt::{self, Display, Formatter};

use flow::{FaultKind, Output, ReadError, Results};

/// An archive that was named or found next to its games, but is not used: the text is searched
/// instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusedArchive {
    /// Path or address of the archive's folder.
    pub archive: String,
    /// Reason: an [`UnusedReason`], or an error of reading the archive.
    pub reason: ReadError,
}

/// Reason why an archive that can be read is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnusedReason {
    /// Its build was not finished.
    Unfinished,
    /// Its games have changed.
    Outdated,
    /// Its games are in files that cannot be read in part.
    Inseparable,
    /// Another input contains games of it.
    Overlaps,
}

impl Display for UnusedReason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnusedReason::Unfinished => "its build was not finished",
            UnusedReason::Outdated => "its games have changed",
            UnusedReason::Inseparable => "its games cannot be read separately",
            UnusedReason::Overlaps => "another input contains games of it",
        })
    }
}

impl std::error::Error for UnusedReason {}

impl Display for UnusedArchive {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.archive, self.message())
    }
}

impl UnusedArchive {
    /// Returns the reason and what happens instead.
    #[must_use]
    pub fn message(&self) -> String {
        format!("{}; searching the text instead", self.reason)
    }

    /// Returns the reason as an issue without a game, for front ends that show issues.
    pub fn output<R: Results>(&self) -> Output<R> {
        let mut out = Output::default();
        out.origin.name = self.archive.as_str().into();
        out.fault_at(0, 0, FaultKind::Repaired, self.message());
        out
    }
}
