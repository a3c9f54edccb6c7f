//! Where a name stands, and what another one would make of the text.

use std::fmt;

use syntax::diagnostic::Edit;
use syntax::token::TokenKind;
use syntax::{Dialect, SourceId, Span};

use crate::Document;
use crate::names::{Name, NameKind};

/// Why a name cannot be another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenameError {
    /// No name that the query defines stands there.
    NoName,
    /// The new name is a reserved word, a piece designator, or no word.
    NotAName,
    /// Something else has the new name already.
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
    /// The name at an offset: where it stands, and what it stands for.
    pub fn name_at(&self, offset: usize) -> Option<(Span, &Name)> {
        let occurrence = self.names().at(offset)?;
        Some((occurrence.span, &self.names().all[occurrence.name]))
    }

    /// Where the name at an offset is defined.
    pub fn definition(&self, offset: usize) -> Option<Span> {
        Some(self.name_at(offset)?.1.definition)
    }

    /// All places of the name at an offset, in the order of the text.
    pub fn references(&self, offset: usize) -> Vec<Span> {
        let names = self.names();
        let found = names.at(offset);
        let places = found.into_iter().flat_map(|found| names.places(found.name));
        places.map(|occurrence| occurrence.span).collect()
    }

    /// The edits that give the name at an offset another one.
    ///
    /// # Errors
    ///
    /// The text would not be the same query with another name.
    pub fn rename(&self, offset: usize, new: &str) -> Result<Vec<Edit>, RenameError> {
        let (_, name) = self.name_at(offset).ok_or(RenameError::NoName)?;
        if name.text == new {
            return Ok(Vec::new());
        }
        if !self.is_name(new) {
            return Err(RenameError::NotAName);
        }
        // A parameter of another function is out of the way.
        let is_near = |other: &Name| {
            let is_far = |a: &Name, b: &Name| {
                a.kind == NameKind::Parameter
                    && (b.definition.end <= a.scope.start || a.scope.end <= b.definition.start)
            };
            match (name.kind, other.kind) {
                (NameKind::Parameter, NameKind::Parameter) => {
                    !is_far(name, other) || !is_far(other, name)
                }
                _ => true,
            }
        };
        let mut others = self.names().all.iter();
        if others.any(|other| other.text == new && is_near(other)) {
            return Err(RenameError::Taken);
        }
        let edit = |span| Edit {
            span,
            text: new.to_owned(),
        };
        Ok(self.references(offset).into_iter().map(edit).collect())
    }

    /// Whether a word can be a name, whatever stands beside it.
    fn is_name(&self, word: &str) -> bool {
        if self.dialect() == Dialect::Cql5 {
            let letters = word.strip_prefix('$').unwrap_or_default();
            return !letters.is_empty()
                && letters
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'_');
        }
        let lexed = syntax::lex(SourceId(0), word.as_bytes());
        lexed.diagnostics.is_empty()
            && matches!(
                lexed.tokens.as_slice(),
                [only] if only.kind == TokenKind::Name(word.to_owned())
            )
    }
}
