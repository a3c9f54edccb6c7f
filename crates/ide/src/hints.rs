//! Inlay hints: the types of variables, which the text does not state.

use syntax::Span;
use syntax::tree::{Type, VariableKind};

use crate::Document;
use crate::names::{Name, NameKind};

/// A short text to show within the text of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// Offset at which the hint is shown.
    pub offset: usize,
    /// The text to show, such as `: number`.
    pub label: &'static str,
}

impl Document {
    /// Returns the types of the variables and parameters that are defined within a range.
    pub fn hints(&self, within: Span) -> Vec<Hint> {
        let names = self.names().all.iter().enumerate();
        let is_shown = |name: &Name| {
            within.start <= name.definition.end
                && name.definition.start <= within.end
                && matches!(name.kind, NameKind::Variable | NameKind::Parameter)
        };
        let names = names.filter(|(_, name)| is_shown(name));
        let hints = names.filter_map(|(index, name)| {
            Some(Hint {
                offset: name.definition.end as usize,
                label: match self.kind_of(index)? {
                    VariableKind::Set => ": set",
                    VariableKind::Numeric => ": number",
                    VariableKind::String => ": string",
                    VariableKind::Position => ": position",
                    VariableKind::Piece => ": piece",
                },
            })
        });
        hints.collect()
    }

    /// Returns the kind of a variable or parameter, if the parser knows it. A parameter has a kind
    /// only if its function is called.
    pub(crate) fn kind_of(&self, name: usize) -> Option<VariableKind> {
        let names = self.names();
        let found = names.all.get(name)?;
        match found.kind {
            NameKind::Function | NameKind::Dictionary => None,
            NameKind::Variable => self.kind_of_variable(&found.text),
            NameKind::Parameter => {
                let mut places = names.places(name);
                VariableKind::of(places.find_map(|place| self.type_at(place.span.start))?)
            }
        }
    }
}

/// Returns a kind with its article: `a number`.
pub(crate) fn kind_name(kind: VariableKind) -> &'static str {
    match kind {
        VariableKind::Piece => "a piece",
        kind => type_name(kind.ty()),
    }
}

/// Returns a type with its article: `a number`.
pub(crate) fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Boolean => "a condition",
        Type::Set => "a set of squares",
        Type::Numeric => "a number",
        Type::String => "a string",
        Type::Position => "a position",
    }
}
