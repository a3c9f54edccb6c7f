//! An archive that a search does not use.

use std::fmt::{self, Display, Formatter};

use flow::{FaultKind, Output, Results};

/// An archive that was named or found next to its games, but is not used: the text is searched
/// instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusedArchive {
    /// Path or address of the archive's folder.
    pub archive: String,
    /// Reason in lower case, without a full stop.
    pub reason: String,
}

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
