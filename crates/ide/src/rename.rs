//! Finds the definition and the uses of a name, and renames it.

use std::fmt;

use syntax::diagnostic::Edit;
use syntax::token::TokenKind;
use syntax::{Dialect, SourceId, Span};

use crate::Document;
use crate::names::{Name, NameKind};

/// Reason why a name cannot be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenameError {
    /// There is no name at the offset that the query defines.
    NoName,
    /// The new name is a reserved word, a piece designator, or not a word.
    NotAName,
    /// Something else already has the new name.
    Taken,
}

impl fmt::Display for RenameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RenameError::NoName => "only functions, variables and dictionaries of the query have other names",
            RenameError::NotAName => {
                "a name is a word that is neither reserved nor a piece designator (in CQL 5, with a `$` in front)"
            }
            RenameError::Taken => "the query has something of this name already",
        })
    }
}

impl Document {
    /// Returns the name at an offset, with the span of this occurrence.
    pub fn name_at(&self, offset: usize) -> Option<(Span, &Name)> {
        let occurrence = self.names().at(offset)?;
        Some((occurrence.span, &self.names().all[occurrence.name]))
    }

    /// Returns the definition of the name at an offset.
    pub fn definition(&self, offset: usize) -> Option<Span> {
        Some(self.name_at(offset)?.1.definition)
    }

    /// Returns all occurrences of the name at an offset, in the order of the text.
    pub fn references(&self, offset: usize) -> Vec<Span> {
        let names = self.names();
        let found = names.at(offset);
        let places = found.into_iter().flat_map(|found| names.places(found.name));
        places.map(|occurrence| occurrence.span).collect()
    }

    /// Returns the edits that rename the name at an offset.
    ///
    /// # Errors
    ///
    /// Fails if the text with the new name would be a different query.
    pub fn rename(&self, offset: usize, new: &str) -> Result<Vec<Edit>, RenameError> {
        let (_, name) = self.name_at(offset).ok_or(RenameError::NoName)?;
        if name.text == new {
            return Ok(Vec::new());
        }
        if !self.is_name(new) {
            return Err(RenameError::NotAName);
        }
        // Parameters of different functions do not conflict.
        let is_far = |a: &Name, b: &Name| {
            a.kind == NameKind::Parameter
                && (b.definition.end <= a.scope.start || a.scope.end <= b.definition.start)
        };
        let is_near = |other: &Name| !(is_far(name, other) && is_far(other, name));
        let mut others = self.names().all.iter();
        if others.any(|other| other.text == new && is_near(other)) {
            return Err(RenameError::Taken);
        }
        let edit = |span| Edit { span, text: new.to_owned() };
        Ok(self.references(offset).into_iter().map(edit).collect())
    }

    /// Whether a word can be a name, whatever text surrounds it.
    fn is_name(&self, word: &str) -> bool {
        if self.dialect() == Dialect::Cql5 {
            let letters = word.strip_prefix('$').unwrap_or_default();
            return !letters.is_empty()
                && letters.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        }
        let lexed = syntax::lex(SourceId(0), word.as_bytes());
        lexed.diagnostics.is_empty()
            && matches!(
                lexed.tokens.as_slice(),
                [only] if only.kind == TokenKind::Name(word.to_owned())
            )
    }
}
