//! Names of a query and what they mean, and the named groups of its regular expressions.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::error::type_name;
use crate::span::Span;
use crate::token::{Token, TokenKind};
use crate::tree::{DictionaryId, VariableId, VariableKind};

/// Meaning of a name.
#[derive(Clone)]
pub(super) enum Entity {
    Variable(VariableId),
    Dictionary(DictionaryId),
    Function(Rc<Function>),
    /// A variable of unknown type: only `isbound x` has been read so far.
    Mentioned(VariableId),
}

/// The single name space of a query.
#[derive(Default)]
pub(super) struct Names {
    pub(super) map: HashMap<String, Entity>,
    /// Names in filters that could not be parsed; they are not reported.
    pub(super) poisoned: HashSet<String>,
}

impl Names {
    pub(super) fn get(&self, name: &str) -> Option<&Entity> {
        self.map.get(name)
    }

    pub(super) fn insert(&mut self, name: String, entity: Entity) {
        self.map.insert(name, entity);
    }

    /// Whether the name occurred in a filter that could not be parsed.
    pub(super) fn is_poisoned(&self, name: &str) -> bool {
        self.poisoned.contains(name)
    }

    /// Records the unknown names of a skipped filter, which may have been meant to define them.
    pub(super) fn poison<'t>(&mut self, tokens: impl IntoIterator<Item = &'t Token>) {
        for token in tokens {
            if let TokenKind::Name(name) = &token.kind
                && !self.map.contains_key(name)
            {
                self.poisoned.insert(name.clone());
            }
        }
    }
}

/// A function of the query.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    pub(super) body: Vec<Token>,
    /// Span for errors at the end of the body.
    pub(super) end: Span,
}

/// A call that is being expanded.
pub(super) struct ActiveCall {
    pub(super) name: String,
    pub(super) span: Span,
}

/// Named groups of regular expressions.
#[derive(Default)]
pub(super) struct NamedGroups {
    /// Names of the groups in all patterns.
    pub(super) names: Vec<Box<[u8]>>,
    /// Uses of groups by name.
    pub(super) used: Vec<(Box<str>, Span)>,
    /// Whether some patterns are unknown before the query runs.
    pub(super) are_computed: bool,
}

pub(super) fn kind_name(kind: VariableKind) -> &'static str {
    match kind {
        VariableKind::Piece => "a piece",
        _ => type_name(kind.ty()),
    }
}
