//! The texts and settings that the parser takes, and what it returns.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, has_errors};
use crate::span::{SourceId, Span};
use crate::tree::Query;

/// Maximum nesting depth of filters, limited by the size of the stack.
pub(super) const MAX_DEPTH: u32 = 400;
/// A query text with its name for diagnostics.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// A file name, or the option that the text was given with.
    pub name: &'a str,
    /// The text.
    pub text: &'a [u8],
}

/// Settings of the caller that are not part of the text.
#[derive(Debug, Clone, Copy)]
pub struct ParseOptions {
    /// Whether variations are searched; `None` to use the header.
    pub variations: Option<bool>,
    /// Whether the query must begin with `cql( … )`.
    pub require_header: bool,
    /// Maximum nesting depth of filters, at most 400; each operand counts as a level.
    pub max_depth: u32,
}

impl Default for ParseOptions {
    fn default() -> ParseOptions {
        ParseOptions { variations: None, require_header: true, max_depth: MAX_DEPTH }
    }
}

/// A tree with the diagnostics of its text. A query with errors must not be run, since placeholders
/// may replace filters that could not be parsed.
#[derive(Debug, Clone, Default)]
pub struct Parsed {
    /// The tree.
    pub query: Query,
    /// Errors and warnings, in the order of their spans.
    pub diagnostics: Vec<Diagnostic>,
    /// The first tokens of the filters of the query, of blocks and of functions that are called.
    pub filter_starts: Vec<Span>,
    /// The query after the edit proposed for its only error.
    pub mended: Option<Arc<Parsed>>,
}

impl Parsed {
    /// Whether the query can run.
    pub fn is_ok(&self) -> bool {
        !has_errors(&self.diagnostics)
    }

    /// Returns the starts of the filters of the query, of its blocks and of functions that are
    /// called, in order.
    pub fn places_of_filters(&self) -> Vec<u32> {
        let mut own = self.filter_starts.clone();
        own.retain(|span| span.source == SourceId(0));
        own.sort_by_cached_key(|span| span.beginning());
        own.dedup_by_key(|span| span.start);
        own.into_iter().map(|span| span.start).collect()
    }
}
