//! An archive that a search does not use.

use std::fmt::{self, Display, Formatter};

#[cfg(feature = "files")]
use archive::{Manifest, TextAccess};
use flow::ReadError;

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
    /// Its games are in files that cannot be read in part, such as a table.
    Inseparable,
    /// Its games are in compressed files, and it does not store their text.
    Packed,
    /// It is next to games that are gone, and stores a text, which is read only if the archive is named.
    HasText,
    /// It is next to the games, but made of other files, or of more.
    OtherFiles,
    /// Another input contains games of it.
    Overlaps,
}

impl Display for UnusedReason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnusedReason::Unfinished => "its build was not finished",
            UnusedReason::Outdated => "its games have changed",
            UnusedReason::Inseparable => {
                "the games of its files cannot be read one by one (`cql index` says why)"
            }
            UnusedReason::Packed => {
                "games that are compressed or in UTF-16 cannot be read one by one (`cql index GAMES \
                 --self-contained` stores their text, which searches read)"
            }
            UnusedReason::HasText => {
                "it stores the text of games, which a search of the archive by its name reads"
            }
            UnusedReason::OtherFiles => {
                "it is made of other files (`cql index GAMES` makes it of these)"
            }
            UnusedReason::Overlaps => "another input contains games of it",
        })
    }
}

impl std::error::Error for UnusedReason {}

#[cfg(feature = "files")]
impl UnusedReason {
    /// Returns why no search uses an archive with these contents; `None` if searches use it as long as
    /// the games do not change.
    #[must_use]
    pub fn of(manifest: &Manifest) -> Option<UnusedReason> {
        let source = manifest.sources.iter().find(|source| !source.is_separable())?;
        Some(match source.form {
            TextAccess::PackedPgn => UnusedReason::Packed,
            _ => UnusedReason::Inseparable,
        })
    }
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
        self.with_instead("searching")
    }

    /// Returns the reason and, if there is a text, what is done with it: `reading`.
    #[must_use]
    pub fn with_instead(&self, does: &str) -> String {
        match self.cause() {
            Some(UnusedReason::HasText) => self.reason.to_string(),
            _ => format!("{}; {does} the text instead", self.reason),
        }
    }

    fn cause(&self) -> Option<&UnusedReason> {
        self.reason.cause().downcast_ref()
    }

    /// Whether searches use the archive once it is built anew.
    #[must_use]
    pub fn is_mended_by_build(&self) -> bool {
        use UnusedReason::{HasText, Inseparable, Overlaps, Packed};
        !matches!(self.cause(), Some(HasText | Inseparable | Overlaps | Packed))
    }
}
